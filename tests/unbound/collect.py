# SPDX-License-Identifier: BSD-3-Clause
"""Finds tests by their names, and runs them."""

import importlib
import os
import sys

from tap import Report


def collect(folder, part):
    """(module.function, function) of each test_… that a test_*.py of the folder, which is in sys.path, defines: those of one
    module if `part` is its name, else those whose module.function contains it."""
    module = folder / f"test_{part}.py"
    for path in [module] if module.exists() else sorted(folder.glob("test_*.py")):
        for name, function in list(vars(importlib.import_module(path.stem)).items()):  # a test may set one
            title = f"{path.stem.removeprefix('test_')}.{name.removeprefix('test_')}"
            if name.startswith("test_") and getattr(function, "__module__", None) == path.stem and part in title:
                yield title, function


def listed(path, tests):
    """Those of the tests (as of collect) that a file lists, by module or by module.function, in its order. A name that no test
    has is a ValueError."""
    chosen = []
    for line in path.read_text(encoding="utf-8").splitlines():
        name = line.partition("#")[0].strip()
        found = [test for test in tests if name in (test[0], test[0].partition(".")[0])]
        if name and not found:
            raise ValueError(f"{path}: no test is called {name}")
        chosen += found
    return chosen


def run(folder, part, scene):
    """Calls each test of collect with the scene and a Tap, and prints TAP. Returns the exit status: 0 if every point is ok."""
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    for title, function in collect(folder, part):
        with report.test(title) as tap:
            function(scene, tap)
    return 0 if report.finish() else 1
