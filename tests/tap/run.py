#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests `unbound-idn tap` as a daemon: with senders of every kind (test_senders.py), with Debian's resolvers (test_resolvers.py), and
its systemd units (test_units.py). Prints TAP; exits with 0 if every point is ok. Each function test_… is one test, called with a
world and a Tap."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("hosts", "unbound", "peers", "operations"))]
sys.path.append(str(HERE.parent / "command"))
sys.dont_write_bytecode = True

from collect import run  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402


def main():
    options = parser(__doc__, "--command", "--unbound", "--peers", "--zone", "-k").parse_args()
    world = open_world(options.unbound, None, options.peers, options.zone)
    world.command = Path(options.command).resolve()
    try:
        return run(HERE, options.k, world)
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
