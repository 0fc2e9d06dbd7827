# SPDX-License-Identifier: BSD-3-Clause
"""Debian 13's hosts, by their own libraries, libc too; those that libidnpolicy needs besides are this machine's."""

import clients
import faults
import policy
import reasons
from ownroot import libraries, loader_of

FOLDER = "hosts-trixie"  # beside that of this machine's hosts


class Trixie:
    """To be mixed into a host, before it."""

    def __init__(self, world, library):
        super().__init__(world, library)
        self.peers = self.peers.with_name(FOLDER)
        self.environment = {}

    def missing(self):
        return "" if (self.peers / "packages").exists() else f"Debian 13's is not there (make {FOLDER})"

    def loader(self):
        return loader_of(self.peers, sorted({path.parent for path in libraries([self.library], {})}))


def again(other, tap, *own):
    """Runs the tests that all hosts share once more, and the named ones of its own."""
    if why := other.missing():
        tap.skip("Debian 13's", why)
        return
    for function in (policy.test_scenes, policy.test_ttl, policy.test_odd_messages, policy.test_swap, policy.test_swap_aliases, faults.test_config_broken,
                     clients.test_scenes, clients.test_waiting, clients.test_load, clients.test_proxied, reasons.test_structured,
                     reasons.test_structured_size, reasons.test_upstream_error, *own):
        function(other, tap)
