# SPDX-License-Identifier: BSD-3-Clause
"""Tests every host with answers that a server has crafted so that records of a refused name reach a client. No such record may leave
the host, from its cache or not, for any question."""

import copy
import socket
import struct
import threading

import dnsname
from daemon import free_port
from policy import NONE
from question import CD, RD, Tcp, Udp, ask

A, NS, CNAME, MX, TXT, DNAME, RRSIG, HTTPS = 1, 2, 5, 15, 16, 39, 46, 65
ZONE = "slow.example"
REFUSED, OTHER = f"x.refused.{ZONE}", f"plain.{ZONE}"
SECRET, KNOWN = bytes([198, 51, 100, 66]), bytes([192, 0, 2, 60])
RULES = f"refuse zone refused.{ZONE}\nrefuse name exact.{ZONE}\n"


def wire(name):
    return name if isinstance(name, bytes) else dnsname.wire(dnsname.parse(name))


def record(owner, rtype, data, ttl=300, rclass=1):
    data = wire(data) if isinstance(data, str) else data
    return wire(owner) + struct.pack("!HHIH", rtype, rclass, ttl, len(data)) + data


def address(owner, octets=SECRET):
    return record(owner, A, octets)


def chain(name, length):
    names = [name, *(f"l{number}.{ZONE}" for number in range(length)), REFUSED]
    return [record(owner, CNAME, target) for owner, target in zip(names, names[1:])]


SECRET_A = address(REFUSED)
SIGNATURE = record(REFUSED, RRSIG, struct.pack("!HBBIIIH", A, 8, 4, 300, 2000000000, 1700000000, 1) + wire(ZONE) + SECRET)
HEADER = b"\xc0\x04"  # points into the header, at the number of questions: 0, the root, and then 1
# The question's labels below ZONE, and a function that makes the sections answer, authority and additional for the question's name.
ATTACKS = {
    "two": lambda name: ([record(name, CNAME, OTHER), record(name, CNAME, REFUSED), address(OTHER, KNOWN), SECRET_A], [], []),
    "two-turned": lambda name: ([record(name, CNAME, REFUSED), record(name, CNAME, OTHER), address(OTHER, KNOWN), SECRET_A], [], []),
    "turned": lambda name: ([SECRET_A, record(name, CNAME, REFUSED)], [], []),
    "mixed": lambda name: ([record(name.upper(), CNAME, REFUSED.upper()), address(REFUSED.title())], [], []),
    "owners": lambda name: ([address(name, KNOWN), SECRET_A], [], []),
    "owners-turned": lambda name: ([SECRET_A, address(name, KNOWN)], [], []),
    "only": lambda name: ([SECRET_A], [], []),
    "chaos": lambda name: ([record(name, CNAME, OTHER, rclass=3), record(name, CNAME, REFUSED), SECRET_A], [], []),
    "beside": lambda name: ([address(name, KNOWN)], [record(f"refused.{ZONE}", HTTPS, b"\0\1\0\0\4\0\4" + SECRET), SECRET_A], [SECRET_A]),
    "mail": lambda name: ([record(name, MX, b"\0\x0a" + wire(REFUSED))], [], [SECRET_A]),
    "names": lambda name: ([], [record(ZONE, NS, REFUSED)], [SECRET_A]),
    "header": lambda name: ([record(name, CNAME, HEADER), address(HEADER, KNOWN), SECRET_A], [], []),
    "header-owner": lambda name: ([record(b"\xc0\x00", CNAME, REFUSED), address(name, KNOWN), SECRET_A], [], []),
    "later": lambda name: ([address(name, KNOWN), record(name, CNAME, REFUSED), SECRET_A], [], []),
    "long": lambda name: ([*chain(name, 40), SECRET_A], [], []),
    "loop": lambda name: ([record(name, CNAME, OTHER), record(OTHER, CNAME, name), record(OTHER, CNAME, REFUSED), SECRET_A], [], []),
    "class-hesiod": lambda name: ([record(name, CNAME, REFUSED, rclass=4), record(REFUSED, A, SECRET, rclass=4)], [], []),
    "class-beside": lambda name: ([address(name, KNOWN), record(REFUSED, A, SECRET, rclass=4)], [], [record(REFUSED, A, SECRET, rclass=2)]),
    "x.refused": lambda name: ([SECRET_A], [], []),
    "class-authority": lambda name: ([], [record(REFUSED, TXT, b"\4" + SECRET, rclass=4)], []),
    "signature": lambda name: ([], [SIGNATURE], []),
    "d.exact": lambda name: ([record(f"exact.{ZONE}", DNAME, f"far.{ZONE}"), record(name, CNAME, f"d.far.{ZONE}"), address(f"exact.{ZONE}")], [], []),
    "any-class": lambda name: ([record(name, CNAME, REFUSED, rclass=255), SECRET_A], [], []),
    "d.dname": lambda name: ([record(f"dname.{ZONE}", DNAME, f"refused.{ZONE}"), address(f"d.refused.{ZONE}")], [], []),
    "d.other": lambda name: ([record(f"other.{ZONE}", DNAME, f"refused.{ZONE}"), record(name, CNAME, OTHER), address(OTHER, KNOWN), address(f"d.refused.{ZONE}")], [], []),
    "d.above": lambda name: ([record(f"above.{ZONE}", DNAME, ZONE), record(name, CNAME, f"d.{ZONE}"), record(f"d.{ZONE}", CNAME, REFUSED), SECRET_A], [], []),
}


class Attacker:
    """A server that gives these answers over UDP and TCP, and an address for every other name."""

    def __init__(self):
        self.port = free_port()
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        self.tcp = socket.create_server(("127.0.0.1", self.port))
        for serve in self.serve_udp, self.serve_tcp:
            threading.Thread(target=serve, daemon=True).start()

    def answer(self, query):
        end = query.index(b"\0", 12)
        labels, at = [], 12
        while at < end:
            labels.append(query[at + 1 : at + 1 + query[at]].decode("latin-1").lower())
            at += 1 + query[at]
        name = ".".join(labels)
        attack = ATTACKS.get(name.removesuffix(f".{ZONE}")) if name.endswith(ZONE) else None
        sections = attack(name) if attack else ([address(name, SECRET if "refused" in name else KNOWN)], [], []) if query[end + 1 : end + 3] == b"\0\1" else ([], [], [])
        header = query[:2] + bytes([0x84 | query[2] & 1, 0x80]) + struct.pack("!4H", 1, *map(len, sections))
        return header + query[12 : end + 5] + b"".join(b"".join(section) for section in sections)

    def serve_udp(self):
        while True:
            query, client = self.udp.recvfrom(4096)
            self.udp.sendto(self.answer(query), client)

    def serve_tcp(self):
        while True:
            client = self.tcp.accept()[0]
            query = client.recv(4096)
            if len(query) > 2:
                answer = self.answer(query[2:])
                client.sendall(struct.pack("!H", len(answer)) + answer)
            client.close()


def attacked(host):
    """Returns a copy of the host that asks an attacker for slow.example, or for all names."""
    other, attacker = copy.copy(host), Attacker()
    other.world = copy.copy(host.world)
    other.world.upstream, other.world.new_folder = attacker, host.world.new_folder  # host.world counts the folders
    other.backend = lambda: attacker.port
    return other


# Type, flags, class and transport of a question.
QUESTIONS = (("A", RD, "IN", Udp), ("A", RD, "IN", Udp), ("MX", RD, "IN", Udp), ("ANY", RD, "IN", Udp), ("A", RD | CD, "IN", Tcp), ("A", 0, "IN", Udp),
             ("NS", RD, "IN", Udp), ("RRSIG", RD, "IN", Udp), ("A", RD, "CH", Udp), ("A", RD, "ANY", Udp))


def leaks(running, label, qtype, flags, cls, transport):
    """Returns whether the reply contains the refused name's address."""
    name = f"{label}.{ZONE}"
    try:
        return SECRET in running.exchange(ask(name.title() if transport is Tcp else name, qtype, flags=flags, cls=cls), transport).wire
    except TimeoutError:
        return False


def test_crafted_answers(host, tap):
    given = set()
    with attacked(host).running(tap, NONE, check=False) as running:
        for rules in (NONE, RULES):
            tap.ok(rules == NONE or running.changed(rules), "the rule is in force while the answers are cached")
            for label in ATTACKS:
                leaked = [question for question in QUESTIONS if leaks(running, label, *question)]
                given.update([label] * len(leaked[:1]))
                tap.ok(rules == NONE or not leaked, f"{label}: no record of the refused name", leaked)
        tap.equal(running.exchange(ask("ascii.example")).rcode, "NOERROR", "the host still answers")
    tap.ok({"turned", "mixed", "d.dname"} <= given, "without the rule, the address is in the answer", given)
