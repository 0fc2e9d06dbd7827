#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tests with a real Unbound and a real NSD on loopback. Prints TAP; exit status 0 if every point is ok.

Every function test_… of every tests/unbound/test_*.py is one test; it is called with the World and a Tap. Those marked
`slow` wait for Unbound's own timeouts and run beside the others; those marked `long` run with --long alone."""

import os
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAULTS = HERE.parent / "faults"
sys.path[:0] = [str(HERE), str(FAULTS)]
sys.dont_write_bytecode = True

from collect import collect, listed  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from tap import Report  # noqa: E402


def arguments():
    taken = parser(__doc__, "--unbound", "--module", "--other-module", "--peers", "--zone", "--only", "-j", "-k")
    taken.add_argument("--long", action="store_true", help="run the long tests too")
    taken.add_argument("--faults", metavar="FAULTS.SO", help="run tests/faults instead, with this shim: each "
                       "eighth call, or with --long all")
    return taken.parse_args()


def run(world, title, function, report):
    with report.test(title) as tap:
        function(world, tap)


def take(world, tests, report):
    """Runs tests of the list until there are none."""
    while tests:
        try:
            test = tests.pop(0)
        except IndexError:  # another thread has taken the last one
            return
        run(world, *test, report)


def main():
    options = arguments()
    world = open_world(options.unbound, options.module, options.peers, options.zone, options.other_module, options.faults)
    world.faults_step = 1 if options.long else 8
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    try:
        tests = [test for test in collect(FAULTS if options.faults else HERE, options.k)
                 if options.long or not hasattr(test[1], "long")]
        tests = listed(Path(options.only), tests) if options.only else tests
        threads = [threading.Thread(target=run, args=(world, *test, report), daemon=True)
                   for test in tests if hasattr(test[1], "slow")]
        others = [test for test in tests if not hasattr(test[1], "slow")]
        threads += [threading.Thread(target=take, args=(world, others, report), daemon=True) for _ in range(options.j)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
