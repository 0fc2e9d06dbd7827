#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the command unbound-idn as a user runs it: run.py COMMAND. Prints TAP."""

import argparse
import importlib
import functools
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from tap import Tap  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("-k", default="", metavar="SUBSTRING", help="only files test_NAME.py where 'NAME.' contains it")
    options = parser.parse_args()
    tap = Tap()
    command = Command(str(pathlib.Path(options.command).resolve()))

    folders = {name: ROOT / path for name, path in {"explain": "tests/vectors", "filter": "tests/vectors", "punycode": "tests/vectors",
                                                    "roundtrip": "tests/vectors", "rpz": ".", "readme": "README.md",
                                                    "report": "tests/vectors"}.items()}
    for path in sorted((ROOT / "tests/command").glob("test_*.py")):
        name = path.stem.removeprefix("test_")
        if options.k not in f"{name}.":
            continue
        more = {"manual": [ROOT / "doc", ROOT / "conf"]}.get(name, [folders[name]] if name in folders else [])
        importlib.import_module(path.stem).run(tap, command, *more)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
