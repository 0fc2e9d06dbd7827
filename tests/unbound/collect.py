# SPDX-License-Identifier: BSD-3-Clause
"""Tests by their names."""

import importlib


def collect(folder, substring):
    """(module.function, function) of each test_… that a test_*.py of the folder, which is in sys.path, defines."""
    for path in sorted(folder.glob("test_*.py")):
        for name, function in vars(importlib.import_module(path.stem)).items():
            title = f"{path.stem.removeprefix('test_')}.{name.removeprefix('test_')}"
            if name.startswith("test_") and getattr(function, "__module__", None) == path.stem and substring in title:
                yield title, function
