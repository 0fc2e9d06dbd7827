#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""doc/operations.md and doc/fleet.md, done: each of its commands in a resolver of its own, each configuration in the program it is for,
the alerts and the dashboard in Prometheus. Prints TAP.

Every function test_… of every tests/operations/test_*.py is one test; it is called with the Operations and a Tap."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound")]
sys.dont_write_bytecode = True

from collect import run  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402


class Operations:
    """The world that resolvers live in, the command, and the unpacked programs."""

    def __init__(self, options, world):
        self.world = world
        self.long = options.long
        self.command = Path(options.command).resolve()
        self.peers = world.peers
        self.environment = {**os.environ, "LD_LIBRARY_PATH": (self.peers / "libraries").read_text().strip()}

    def program(self, name):
        """One that is unpacked."""
        for folder in "usr/sbin", "usr/bin":
            if (self.peers / folder / name).exists():
                return self.peers / folder / name
        raise FileNotFoundError(f"{name}: run 'make deps'")


def main():
    options = parser(__doc__, "--command", "--unbound", "--module", "--other-module", "--peers", "--zone", "-k")
    options.add_argument("--long", action="store_true", help="a million log lines where else there are fewer")
    options = options.parse_args()
    world = open_world(options.unbound, options.module, options.peers, options.zone, options.other_module)
    try:
        return run(HERE, options.k, Operations(options, world))
    finally:
        world.close()


if __name__ == "__main__":
    sys.exit(main())
