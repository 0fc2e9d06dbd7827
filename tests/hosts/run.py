#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the policy in unmodified resolvers, with the scripts of module/hosts/. Prints TAP; exits with 0 if every point is ok.

Each host_*.py defines HOST. Every function test_… of policy.py, clients.py, faults.py, reasons.py and attacks.py, and of the file
itself, is one test: it is called with a host and a Tap."""

import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "peers"), str(HERE.parent / "operations")]
sys.dont_write_bytecode = True

from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from tap import Report  # noqa: E402


def functions(module, host, substring):
    for name, function in vars(module).items():
        title = f"{host}.{module.__name__}.{name.removeprefix('test_')}"
        if name.startswith("test_") and getattr(function, "__module__", None) == module.__name__ and substring in title:
            yield title, function


def tests_of(host, own, substring):
    for module in (*map(importlib.import_module, ("policy", "clients", "faults", "reasons", "attacks")), own):
        yield from functions(module, host.name, substring)


def main():
    options = parser(__doc__, "--library", "--unbound", "--peers", "--zone", "-k").parse_args()
    world = open_world(options.unbound, None, options.peers, options.zone)
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    try:
        for path in sorted(HERE.glob("host_*.py")):
            own = importlib.import_module(path.stem)
            host = own.HOST(world, options.library)
            for title, function in tests_of(host, own, options.k):
                with report.test(title) as tap:
                    if why := host.missing():
                        tap.skip("not here", why)
                    else:
                        function(host, tap)
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
