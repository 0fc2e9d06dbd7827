#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the command unbound-idn as a user runs it: run.py COMMAND. Prints TAP.

Every function test_… of a file is one test, in the file's order. It takes a Tap and what its other parameters name: `command`,
`folder` (an empty one, for all tests of the file), the entries of FOLDERS, and what fixtures(command, folder) of the file returns."""

import argparse
import importlib
import inspect
import functools
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import Tap  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = {"root": ROOT, "vectors": ROOT / "tests/vectors", "doc": ROOT / "doc", "conf": ROOT / "conf", "readme": ROOT / "README.md"}


class Command:
    """Runs unbound-idn and keeps what came out."""

    def __init__(self, path):
        self.path = path

    @functools.cached_property
    def under_valgrind(self):
        """Returns whether the command is a script that runs it under valgrind, which makes files and starts programs."""
        return pathlib.Path(self.path).read_bytes().startswith(b"#!")

    @functools.cached_property
    def sanitized(self):
        """Returns whether the command has a sanitizer or runs under valgrind: both need time and memory."""
        program = pathlib.Path(self.path).read_bytes()
        return self.under_valgrind or b"__asan_init" in program or b"__tsan_init" in program

    def __call__(self, *arguments, stdin=b""):
        if isinstance(stdin, str):
            stdin = stdin.encode()
        done = subprocess.run([self.path, *arguments], input=stdin, capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr.decode()


def run(module, tap, command):
    folder = pathlib.Path(tempfile.mkdtemp(prefix=f"idn-{module.__name__.removeprefix('test_')}-"))
    try:
        values = {**FOLDERS, "command": command, "folder": folder}
        values |= module.fixtures(command, folder) if hasattr(module, "fixtures") else {}
        for name, function in list(vars(module).items()):
            if name.startswith("test_") and getattr(function, "__module__", None) == module.__name__:
                function(tap, *(values[parameter] for parameter in list(inspect.signature(function).parameters)[1:]))
    finally:
        subprocess.run(["chmod", "-R", "u+rwx", folder], check=False)
        shutil.rmtree(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("-k", default="", metavar="SUBSTRING", help="only files test_NAME.py where 'NAME.' contains it")
    options = parser.parse_args()
    tap = Tap()
    command = Command(str(pathlib.Path(options.command).resolve()))

    for path in sorted((ROOT / "tests/command").glob("test_*.py")):
        if options.k in f"{path.stem.removeprefix('test_')}.":
            run(importlib.import_module(path.stem), tap, command)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
