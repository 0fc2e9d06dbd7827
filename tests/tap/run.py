#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""`unbound-idn tap` as a daemon: what senders may do to it (test_senders.py), and the resolvers of Debian that send to it
(test_resolvers.py). Prints TAP; exit status 0 if every point is ok. Each function test_… is one test, called with a world
and a Tap."""

import argparse
import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("hosts", "unbound", "peers", "operations"))]
sys.path.append(str(HERE.parent / "command"))
sys.dont_write_bytecode = True

from harness import open_world  # noqa: E402
from tap import Report  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="unbound-idn")
    parser.add_argument("--unbound", required=True, help="folder with sbin/unbound, for resolvers that need another")
    parser.add_argument("--peers", default="build/peers", help="folder where the resolvers are unpacked")
    parser.add_argument("--zone", default="build/zone", help="folder with example.zone.signed and example.anchor")
    parser.add_argument("-k", default="", metavar="SUBSTRING", help="only tests whose name (module.function) contains it")
    options = parser.parse_args()
    world = open_world(options.unbound, None, options.peers, options.zone)
    world.command = Path(options.command).resolve()
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    try:
        for path in sorted(HERE.glob("test_*.py")):
            module = importlib.import_module(path.stem)
            for name, function in list(vars(module).items()):
                title = f"{path.stem.removeprefix('test_')}.{name.removeprefix('test_')}"
                if name.startswith("test_") and getattr(function, "__module__", None) == path.stem and options.k in title:
                    with report.test(title) as tap:
                        function(world, tap)
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
