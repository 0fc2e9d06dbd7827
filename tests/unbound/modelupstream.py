# SPDX-License-Identifier: BSD-3-Clause
"""Servers for the zone model.: honest, slow and lying ones, whose answers a seed decides; below gate.model. they wait."""

import random
import socket
import threading
import time

import dns.edns
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdatatype
import dns.rrset

from upstream import Upstream

ZONE = dns.name.from_text("model.")
GATED = dns.name.from_text("gate.model.")
HOSTED = dns.name.from_text("hosted.model.")  # its name server has a name that a rule may refuse
HOST = ("127.0.0.53", 53)
LABELS = ("", "x.", "y.x.")
TYPES = ("A", "A", "AAAA", "CNAME", "CNAME", "DNAME", "MX", "NS", "TXT", "HTTPS", "SRV")
SUBTREES = tuple(f"{label}.model." for label in ("e0", "e1", "e2", "e3", "e4", "a", "b"))


def universe():
    """The names that records, rules and questions are about."""
    roots = [*SUBTREES, "e0.hosted.model.", "xn--e1afmkfd.model."]
    return [dns.name.from_text(label + root) for root in roots for label in LABELS]


NAMES = universe()
REWRITTEN = [dns.name.from_text(f"r{n}.alias.") for n in range(3)]  # which a response policy zone of Unbound's own may answer


class ModelUpstream(Upstream):
    """`opened`: when the gate of each round was opened, by time.monotonic()."""

    def __init__(self, seed):
        self.seed = seed
        self.opened = {}
        super().__init__()
        self.gate_server = GateUpstream(seed)
        self.host = socket.socket(type=socket.SOCK_DGRAM)
        try:
            self.host.bind(HOST)
        except OSError:  # no right to a port below 1024: hosted.model has no server.
            self.host.close()
            self.host = None
        else:
            threading.Thread(target=self._serve_host, daemon=True).start()

    def _serve_host(self):
        while self.host:
            try:
                packet, client = self.host.recvfrom(65535)
                self.host.sendto(self.respond(packet), client)
            except OSError:
                return

    def stop(self):
        time.sleep(1.6)  # its slowest answer takes 1.5 s: none is sent by a socket that is closed
        self.gate_server.stop()
        super().stop()
        if self.host:
            host, self.host = self.host, None
            host.close()

    def clauses(self):
        """Stub zones of unbound.conf."""
        ports = {"model.": self.port, "gate.model.": self.gate_server.port}
        return "".join(f'stub-zone:\n    name: "{zone}"\n    stub-addr: 127.0.0.1@{port}\n' for zone, port in ports.items())

    def gate_of(self, number):
        return self.gate_server.gate(str(number))

    def open_gate(self, number):
        self.opened[number] = time.monotonic()
        self.gate_of(number).open()

    def respond(self, packet):
        query = dns.message.from_wire(packet)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.AA
        question = query.question[0]
        seed = f"{self.seed} {question.name.to_text().lower()} {question.rdtype}"
        rng = random.Random(seed)
        subnet = next((o for o in query.options if o.otype == dns.edns.ECS), None)
        if subnet and rng.random() < 0.7:  # an answer for it alone, whatever is said of that
            rng = random.Random(f"{seed} {subnet.address}")
            response.use_edns(options=[dns.edns.ECSOption(subnet.address, subnet.srclen, rng.choice((subnet.srclen, subnet.srclen, 0)))])
        if question.rdtype in (dns.rdatatype.DNSKEY, dns.rdatatype.DS):
            time.sleep(rng.choice((0.02, 0.2, 0.8, 1.5)))
        elif rng.random() < 0.2:
            time.sleep(rng.choice((0.02, 0.05, 0.2, 0.4)))
        if self.host and question.name.is_subdomain(HOSTED) and rng.random() < 0.5:
            self._refer(rng, response)
        else:
            self._answer(rng, question, response)
        return response.to_wire(max_size=65535)

    def _refer(self, rng, response):
        """The servers of a zone, at a name of the universe."""
        response.flags &= ~dns.flags.AA
        server = random.Random(self.seed).choice(NAMES)
        response.authority.append(dns.rrset.from_text(HOSTED, 300, "IN", "NS", server.to_text()))
        if rng.random() < 0.7:
            response.additional.append(dns.rrset.from_text(server, 300, "IN", "A", HOST[0]))

    def _answer(self, rng, question, response):
        """Some aliases, or none; data, or none; and records that were not asked for."""
        name, qtype = question.name, dns.rdatatype.to_text(question.rdtype)
        if rng.random() < 0.06:
            response.flags &= ~dns.flags.AA
        if rng.random() < 0.03:
            response.flags |= dns.flags.TC
        response.set_rcode(rng.choice([dns.rcode.NOERROR] * 14 + [dns.rcode.NXDOMAIN] * 2 + [dns.rcode.SERVFAIL, dns.rcode.REFUSED]))
        for _ in range(rng.choice((0, 0, 0, 0, 1, 1, 2, 3))):
            if rng.random() < 0.8:
                response.answer.append(record(rng, name, "CNAME"))
                name = response.answer[-1][0].target
            elif name.parent() != ZONE and name.parent().is_subdomain(ZONE):
                dname = record(rng, name.parent(), "DNAME")
                response.answer.append(dname)
                old, name = name, name.relativize(name.parent()).concatenate(dname[0].target)
                if rng.random() < 0.7:
                    response.answer.append(dns.rrset.from_text(old, dname.ttl, "IN", "CNAME", name.to_text()))
        if rng.random() < 0.75:
            response.answer.append(record(rng, name, qtype if qtype in TYPES else "A"))
        if rng.random() < 0.1:
            response.answer.append(record(rng, rng.choice(NAMES)))
        if not response.answer and rng.random() < 0.8:
            response.authority.append(dns.rrset.from_text(ZONE, 60, "IN", "SOA", "ns.model. admin.model. 1 60 60 60 1"))
        for _ in range(rng.choice((0, 0, 1, 2))):
            response.authority.append(record(rng, rng.choice((ZONE, question.name, rng.choice(NAMES))), rng.choice(("NS", "A", "HTTPS", "TXT"))))
        for _ in range(rng.choice((0, 0, 1, 3))):
            response.additional.append(record(rng, rng.choice(NAMES)))


class GateUpstream(Upstream):
    """X-N.gate.model. is an alias for a name of the universe, and says so when the gate N is open."""

    def __init__(self, seed):
        self.seed = seed
        super().__init__()

    def respond(self, packet):
        query = dns.message.from_wire(packet)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.AA
        question = query.question[0]
        first = question.name.labels[0].decode("latin-1")
        if "-" in first:
            gate = self.gate(first.rpartition("-")[2])
            gate.arrived.set()
            gate.opened.wait()
            rng = random.Random(f"{self.seed} {first.lower()}")
            response.answer.append(record(rng, question.name, "CNAME"))
            if rng.random() < 0.3:
                response.answer.append(record(rng, response.answer[0][0].target, "A"))
        else:
            response.authority.append(dns.rrset.from_text(GATED, 60, "IN", "SOA", "ns.model. admin.model. 1 60 60 60 1"))
        return response.to_wire(max_size=65535)


def record(rng, owner, rtype=None):
    """One of that type, or of any; it leads to some name of the universe."""
    rtype = rtype or rng.choice(TYPES)
    other = rng.choice(NAMES * 2 + REWRITTEN).to_text()
    data = {"A": "192.0.2.200", "AAAA": "2001:db8::200", "MX": f"1 {other}", "TXT": '"real"', "SRV": f"1 1 1 {other}",
            "HTTPS": "1 . ipv4hint=192.0.2.200"}.get(rtype, other)
    return dns.rrset.from_text(owner, rng.choice((0, 1, 1, 2, 5, 300, 300)), "IN", rtype, data)
