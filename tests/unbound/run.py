#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tests with a real Unbound and a real NSD on loopback. Prints TAP; exit status 0 if every point is ok.

Every function test_… of every tests/unbound/test_*.py is one test; it is called with the World and a Tap. Those marked
`slow` wait for Unbound's own timeouts and run beside the others; those marked `long` run with --long alone."""

import argparse
import os
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAULTS = HERE.parent / "faults"
sys.path[:0] = [str(HERE), str(FAULTS)]
sys.dont_write_bytecode = True

from collect import collect  # noqa: E402
from harness import open_world  # noqa: E402
from tap import Report  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unbound", required=True, help="folder with sbin/unbound")
    parser.add_argument("--module", help="idn.so built for it")
    parser.add_argument("--other-module", action="append", default=[], metavar="FILE",
                        help="idn.so built for another Unbound, which must be refused (repeatable)")
    parser.add_argument("--peers", default="build/peers", help="folder where nsd is unpacked")
    parser.add_argument("--zone", default="build/zone", help="folder with example.zone.signed and example.anchor")
    parser.add_argument("--long", action="store_true", help="run the long tests too")
    parser.add_argument("--faults", metavar="FAULTS.SO", help="run tests/faults instead, with this shim: each "
                        "eighth call, or with --long all")
    parser.add_argument("-k", default="", metavar="PART",
                        help="only the tests of this module, or those whose name (module.function) contains it")
    return parser.parse_args()


def run(world, title, function, report):
    with report.test(title) as tap:
        function(world, tap)


def main():
    options = arguments()
    world = open_world(options.unbound, options.module, options.peers, options.zone, options.other_module, options.faults)
    world.faults_step = 1 if options.long else 8
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    try:
        tests = [test for test in collect(FAULTS if options.faults else HERE, options.k)
                 if options.long or not hasattr(test[1], "long")]
        beside = [threading.Thread(target=run, args=(world, *test, report)) for test in tests if hasattr(test[1], "slow")]
        for thread in beside:
            thread.start()
        for test in tests:
            if not hasattr(test[1], "slow"):
                run(world, *test, report)
        for thread in beside:
            thread.join()
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
