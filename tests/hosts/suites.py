# SPDX-License-Identifier: BSD-3-Clause
"""Hosts of other Debian suites. They run with their suite's libraries, its libc too; libidnpolicy's other libraries are this machine's."""

import attacks
import clients
import faults
import policy
import reasons
from ownroot import libraries, loader_of

SUITES = {"trixie": "Debian 13's", "testing": "Debian testing's"}  # unpacked in hosts-SUITE, beside this machine's


class Suite:
    """A mixin for a host, to be named before its class."""

    suite = ""

    def __init__(self, world, library):
        super().__init__(world, library)
        self.peers = self.peers.with_name(f"hosts-{self.suite}")
        self.environment = {}

    def missing(self):
        return super().missing() if (self.peers / "packages").exists() else f"{SUITES[self.suite]} is not there (make {self.peers.name})"

    def loader(self):
        return loader_of(self.peers, sorted({path.parent for path in libraries([self.library], {})}))


def of(suite, kind, **attributes):
    """Returns a kind of host as that suite has it."""
    return type(f"{suite.title()}{kind.__name__}", (Suite, kind), {"suite": suite, **attributes})


ALL = (policy.test_scenes, policy.test_ttl, policy.test_odd_messages, policy.test_swap, policy.test_swap_aliases, faults.test_config_broken,
       clients.test_scenes, clients.test_waiting, clients.test_load, clients.test_proxied, reasons.test_structured, reasons.test_structured_size,
       reasons.test_upstream_error, attacks.test_crafted_answers)


def again(other, tap, *own, tests=ALL):
    """Runs the tests that all hosts share, and the given ones, with a host of another suite."""
    if why := other.missing():
        tap.skip(SUITES[other.suite], why)
        return
    for function in (*tests, *own):
        function(other, tap)
