# SPDX-License-Identifier: BSD-3-Clause
"""Debian 13's hosts, by their own libraries, libc too; those that libidnpolicy needs besides are this machine's."""

import clients
import faults
import policy
from ownroot import libraries


class Trixie:
    """To be mixed into a host, before it."""

    unpacked = "hosts-trixie"  # the folder, beside that of this machine's hosts

    def __init__(self, world, library):
        super().__init__(world, library)
        self.peers = self.peers.with_name(self.unpacked)
        self.environment = {}

    def missing(self):
        return "" if (self.peers / "packages").exists() else f"Debian 13's is not there (make {self.unpacked})"

    def loader(self):
        folders = [path.parent for path in self.peers.glob("usr/lib/*/libc.so.6")]
        paths = ":".join(map(str, [*folders, *sorted({path.parent for path in libraries([self.library], {})})]))
        return [next(self.peers.glob("usr/lib*/ld-*.so.*")), "--library-path", paths]


def again(other, tap, *own):
    """Runs the tests that all hosts share once more, and the named ones of its own."""
    if why := other.missing():
        tap.skip("Debian 13's", why)
        return
    for function in (policy.test_scenes, policy.test_ttl, policy.test_odd_messages, policy.test_swap, policy.test_swap_aliases, faults.test_config_broken,
                     clients.test_scenes, clients.test_waiting, clients.test_load, clients.test_proxied, *own):
        function(other, tap)
