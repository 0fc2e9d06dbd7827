#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The Debian packages in folders that hold a Debian (tests/deb/roots.sh): installed, upgraded, removed; what Unbound does
then. Where there is no systemd unit.py does what it would; scenes_systemd.py boots one, where this machine has control
groups of version 2 for it. Prints TAP. Needs root, and to be run with a mount namespace of its own and the loopback
interface alone, as deb.mk does."""

import argparse
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), *(str(HERE.parent / folder) for folder in ("unbound", "operations", "fetch"))]
sys.dont_write_bytecode = True

from daemon import adopt_orphans  # noqa: E402
import scenes_hosts  # noqa: E402
import scenes_packages  # noqa: E402
import scenes_service  # noqa: E402
import scenes_systemd  # noqa: E402
from repack import field, next_packages, older_packages, repack  # noqa: E402
from tap import Report  # noqa: E402


class World:
    """State that all scenes share: the folders of the packages, and packages that could come one day."""

    def __init__(self, roots, peers, older):
        self.peers = Path(peers)
        self.below, self.builder, self.hosts = Path(roots, "test"), Path(roots, "build"), Path(roots, "hosts")
        self.debs = {field(path, "Package"): path for path in (self.below / "ours").glob("*.deb")}
        self.stock = next((self.below / "stock").glob("*.deb"))
        self.version = field(self.debs["unbound"], "Version")
        self.stock_version = field(self.stock, "Version")
        self.module_version = field(self.debs["unbound-module-idn"], "Version")
        self.later = self.stock_version + "+deb99u1"  # Debian's next security update
        self.next_versions = f"{self.later}+0idn1", f"{self.module_version}.1"
        self.made = Path(tempfile.mkdtemp(prefix="idn-debs-", dir="/tmp"))
        for name in ("later", "next", "older"):
            (self.made / name).mkdir()
        repack(self.stock, self.made / "later", self.later)
        another = Path(roots, "next")
        next_packages(self.debs, another / "unbound", another / "idn.so", self.made / "next", self.next_versions)
        if older:
            for path in Path(older).glob("*.deb"):
                shutil.copy(path, self.made / "older")
        else:
            older_packages(self.debs, self.made / "older", "0.1.0" + self.module_version[self.module_version.index("+"):])

    def has_host(self, host):
        """Returns whether this release has the package's resolver."""
        return scenes_hosts.unit_of(self.hosts, host) is not None


def scenes(substring):
    for module in (scenes_packages, scenes_hosts, scenes_service, scenes_systemd):
        for name, value in vars(module).items():
            if name.startswith("test_") and substring in name:
                yield name[5:].replace("_", " "), value


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--roots", required=True, help="folder with test, a Debian, and build, where the packages were built")
    parser.add_argument("--peers", default="build/peers", help="folder where apparmor is unpacked")
    parser.add_argument("--older", metavar="DIR", help="packages of an earlier version, not those that are made here to look like it")
    parser.add_argument("-k", default="", metavar="SUBSTRING", help="only scenes with this in their name")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was made is removed on the way out
    adopt_orphans()
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    world = World(options.roots, options.peers, options.older)
    try:
        for title, scene in scenes(options.k):
            with report.test(title) as tap:
                scene(tap, world)
    finally:
        shutil.rmtree(world.made)
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
