#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""`unbound-idn fetch` with servers that lie (test_answers.py), and what it does apart from them (test_runs.py). Prints TAP; exit
status 0 if every point is ok. Each function test_… is one test, called with a world and a Tap."""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("unbound", "operations"))]
sys.dont_write_bytecode = True

from collect import run  # noqa: E402
from liar import World  # noqa: E402
from options import parser  # noqa: E402


def main():
    options = parser(__doc__, "--command", "-k").parse_args()
    with tempfile.TemporaryDirectory(prefix="test_fetch.") as folder:
        return run(HERE, options.k, World(Path(folder), Path(options.command).resolve()))


if __name__ == "__main__":
    sys.exit(main())
