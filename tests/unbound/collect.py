# SPDX-License-Identifier: BSD-3-Clause
"""Tests by their names."""

import importlib


def collect(folder, part):
    """(module.function, function) of each test_… that a test_*.py of the folder, which is in sys.path, defines: those of one
    module if `part` is its name, else those whose module.function contains it."""
    module = folder / f"test_{part}.py"
    for path in [module] if module.exists() else sorted(folder.glob("test_*.py")):
        for name, function in list(vars(importlib.import_module(path.stem)).items()):  # a test may set one
            title = f"{path.stem.removeprefix('test_')}.{name.removeprefix('test_')}"
            if name.startswith("test_") and getattr(function, "__module__", None) == path.stem and part in title:
                yield title, function
