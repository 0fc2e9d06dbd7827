# SPDX-License-Identifier: BSD-3-Clause
"""Questions packed by hand, so that any octets can be asked, and the sockets that carry them."""

import itertools
import socket
import struct
import time
from dataclasses import dataclass

import dns.edns
import dns.flags
import dns.message
import dns.rcode
import dns.rdataclass
import dns.rdatatype

import dnsname

TIMEOUT = 20  # seconds; the machine may be busy with other things

RD, AD, CD = dns.flags.RD, dns.flags.AD, dns.flags.CD
ids = itertools.count(1)


@dataclass(frozen=True)
class Question:
    labels: tuple
    type: str = "A"
    cls: str = "IN"
    flags: int = RD
    dnssec: bool = False  # the DO bit
    edns: bool = True
    option: bytes = b""  # of EDNS: code, length and data
    size: int = 1232  # of a reply over UDP, as EDNS says it

    def wire(self, ident):
        packet = struct.pack("!HHHHHH", ident, self.flags, 1, 0, 0, 1 if self.edns else 0) + dnsname.wire(self.labels)
        packet += struct.pack("!HH", dns.rdatatype.from_text(self.type), dns.rdataclass.from_text(self.cls))
        if self.edns:
            packet += b"\0" + struct.pack("!HHIH", 41, self.size, 0x8000 if self.dnssec else 0, len(self.option)) + self.option
        return packet

    def __str__(self):
        return f"{dnsname.column(self.labels)} {self.cls} {self.type}"


def ask(name, qtype="A", **options):
    """A Question from a name as text (dnsname.parse) or as labels."""
    return Question(dnsname.parse(name) if isinstance(name, str) else tuple(name), qtype, **options)


class Reply:
    def __init__(self, wire):
        self.wire = wire
        self.ident, self.flags = struct.unpack_from("!HH", wire)
        self.rcode = dns.rcode.to_text(self.flags & 15)

    def has(self, flag):
        return bool(self.flags & flag)

    @property
    def message(self):
        return dns.message.from_wire(self.wire, ignore_trailing=False)

    @property
    def flag_words(self):
        """The flags as lines have them. DO is in the OPT record."""
        flags = {"aa": 0x400, "tc": 0x200, "rd": 0x100, "ra": 0x80, "ad": 0x20, "cd": 0x10}
        do = bool(self.message.ednsflags & dns.flags.DO)
        return [word for word, bit in flags.items() if self.has(bit)] + do * ["do"]

    @property
    def ede(self):
        """The info code and the text of its extended error; None where it has none."""
        found = next((option for option in self.message.options if option.otype == dns.edns.EDE), None)
        return (int(found.code), found.text or None) if found else (None, None)

    def answers(self):
        """The RDATA of the answer section as text, in order."""
        return [rdata.to_text() for rrset in self.message.answer for rdata in rrset]

    def question_octets(self, question):
        """The name in the question section, in whatever case the server sent it back."""
        return self.wire[12 : 12 + len(dnsname.wire(question.labels))]


class Udp:
    """A UDP client with an address of its own; several questions may be under way."""

    def __init__(self, server, source=None):
        self.server = server
        family = socket.AF_INET6 if ":" in server[0] else socket.AF_INET
        self.socket = socket.socket(family, socket.SOCK_DGRAM)
        if source:
            self.socket.bind((source, 0))
        self.socket.connect(server)

    def send(self, question):
        ident = next(ids) & 0xFFFF
        self.socket.send(question.wire(ident))
        return ident

    def receive(self, timeout=TIMEOUT):
        self.socket.settimeout(timeout)
        return Reply(self.socket.recv(65535))

    def close(self):
        self.socket.close()


class Tcp:
    """A TCP client; several questions may be under way on its one connection."""

    def __init__(self, server, source=None):
        self.server = server
        self.socket = socket.create_connection(server, TIMEOUT, (source, 0) if source else None)

    def send(self, question):
        ident = next(ids) & 0xFFFF
        wire = question.wire(ident)
        self.socket.sendall(struct.pack("!H", len(wire)) + wire)
        return ident

    def receive(self, timeout=TIMEOUT):
        self.socket.settimeout(timeout)
        (length,) = struct.unpack("!H", self._read(2))
        return Reply(self._read(length))

    def _read(self, length):
        data = b""
        while len(data) < length:
            part = self.socket.recv(length - len(data))
            if not part:
                raise ConnectionError(f"the server closed the connection after {len(data)} of {length} octets")
            data += part
        return data

    def close(self):
        self.socket.close()


def exchange(server, question, transport=Udp, source=None, timeout=TIMEOUT):
    """One question, one answer; answers to anything else are passed over."""
    client = transport(server, source)
    try:
        sent_at = time.time()
        ident = client.send(question)
        deadline = time.monotonic() + timeout
        while True:
            reply = client.receive(max(0.001, deadline - time.monotonic()))
            if reply.ident == ident:
                reply.transport = transport.__name__.lower()
                reply.port = client.socket.getsockname()[1]
                reply.sent_at, reply.received_at = sent_at, time.time()
                return reply
    finally:
        client.close()


def masked(wire):
    """(the message with ID and TTLs set to zero, the TTLs): what must be the same wherever and whenever it is asked."""
    out = bytearray(wire)
    out[0:2] = b"\0\0"
    ttls = []
    counts = struct.unpack_from("!HHHH", wire, 4)
    position = 12
    for _ in range(counts[0]):
        position = _skip_name(wire, position) + 4
    for _ in range(sum(counts[1:])):
        position = _skip_name(wire, position)
        rtype, _, ttl, length = struct.unpack_from("!HHIH", wire, position)
        if rtype != 41:  # in an OPT record these are flags
            ttls.append(ttl)
            out[position + 4 : position + 8] = b"\0\0\0\0"
        position += 10 + length
    return bytes(out[:position]) + wire[position:], ttls


def _skip_name(wire, position):
    while True:
        length = wire[position]
        if length >= 0xC0:
            return position + 2
        position += 1 + length
        if length == 0:
            return position
