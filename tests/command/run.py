#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the command unbound-idn as a user runs it: run.py COMMAND [--idna-test FILE]. Prints TAP."""

import argparse
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
    def sanitized(self):
        """Is it built with a sanitizer, which takes its time, and memory?"""
        program = pathlib.Path(self.path).read_bytes()
        return b"__asan_init" in program or b"__tsan_init" in program

    def __call__(self, *arguments, stdin=b""):
        if isinstance(stdin, str):
            stdin = stdin.encode()
        done = subprocess.run([self.path, *arguments], input=stdin, capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("--idna-test", help="IdnaTestV2.txt of the linked ICU's version")
    options = parser.parse_args()
    tap = Tap()
    command = Command(str(pathlib.Path(options.command).resolve()))

    import test_check
    import test_check_rules
    import test_compile
    import test_completion
    import test_enable
    import test_explain
    import test_filter
    import test_footprint
    import test_manual
    import test_manual_tables
    import test_names
    import test_punycode
    import test_readme
    import test_report
    import test_roundtrip
    import test_rpz
    import test_strict
    import test_usage

    test_check.run(tap, command)
    test_check_rules.run(tap, command)
    test_compile.run(tap, command)
    test_completion.run(tap, command, ROOT / "tools/unbound-idn.bash")
    test_enable.run(tap, command)
    test_explain.run(tap, command, ROOT / "tests/vectors")
    test_filter.run(tap, command, ROOT / "tests/vectors")
    test_footprint.run(tap, command)
    test_manual.run(tap, command, ROOT / "doc", ROOT / "conf")
    test_manual_tables.run(tap, command, ROOT)
    test_names.run(tap, command)
    test_punycode.run(tap, command, ROOT / "tests/vectors")
    test_roundtrip.run(tap, command, ROOT / "tests/vectors")
    test_rpz.run(tap, command, ROOT)
    test_usage.run(tap, command)
    test_readme.run(tap, command, ROOT / "README.md")
    test_report.run(tap, command, ROOT / "tests/vectors")
    if options.idna_test:
        test_strict.run(tap, command, options.idna_test)
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
