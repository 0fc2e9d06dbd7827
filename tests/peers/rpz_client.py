# SPDX-License-Identifier: BSD-3-Clause
"""A client that asks many questions at a time, and a server that has an address for every name."""

import selectors
import socket
import struct
import threading

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype

import dnsname
from question import ask

WINDOW = 100  # unanswered questions at a time
QUIET = 1.0  # seconds without an answer after which no more are expected
PATIENCE = 2  # times that an unanswered question is asked


class Upstream:
    """Answers every question for A with one address, and any other with no data."""

    def __init__(self, address, host="127.0.0.1", port=0):
        self.rdata = socket.inet_aton(address)
        self.udp = socket.socket(type=socket.SOCK_DGRAM)
        self.udp.bind((host, port))
        self.port = self.udp.getsockname()[1]
        self.udp.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.udp, selectors.EVENT_READ)
        self.wake, self.woken = socket.socketpair()
        self.selector.register(self.woken, selectors.EVENT_READ)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            for key, _ in self.selector.select():
                if key.fileobj is self.woken:
                    return
                packet, client = self.udp.recvfrom(65535)
                self.udp.sendto(self._answer(packet), client)

    def _answer(self, packet):
        end = 12
        while packet[end]:
            end += packet[end] + 1
        end += 5
        is_a = packet[end - 4 : end - 2] == b"\0\1"
        flags = 0x8400 | struct.unpack_from("!H", packet, 2)[0] & 0x0100
        head = packet[:2] + struct.pack("!HHHHH", flags, 1, is_a, 0, 0) + packet[12:end]
        return head + (b"\xc0\x0c" + struct.pack("!HHIH", 1, 1, 60, 4) + self.rdata if is_a else b"")

    def stop(self):
        self.wake.send(b".")
        self.thread.join()
        for each in self.udp, self.wake, self.woken, self.selector:
            each.close()


def seen(wire):
    """Returns a client's view of a name: (kind,) or (kind, value)."""
    message = dns.message.from_wire(wire)
    if message.flags & dns.flags.TC:
        return ("tcp-only",)
    if message.rcode() != dns.rcode.NOERROR:
        return (dns.rcode.to_text(message.rcode()).lower(),)
    for rrset in message.answer:
        if rrset.rdtype == dns.rdatatype.CNAME:
            return "alias", dnsname.column(dnsname.parse(rrset[0].target.to_text()))
    addresses = [rdata.to_text() for rrset in message.answer for rdata in rrset if rrset.rdtype == dns.rdatatype.A]
    return ("data", *sorted(addresses)) if addresses else ("nodata",)


class Client:
    def __init__(self, port, qtype="A"):
        self.qtype = qtype
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        self.next = 0

    def ask_all(self, expected):
        """Returns the answer for each name; ("drop",) if none comes. Names for which no answer is expected are asked last and
        together, to wait only once."""
        silent = [name for name, wanted in expected.items() if wanted == ("drop",)]
        spoken = [name for name, wanted in expected.items() if wanted != ("drop",)]
        results = {}
        for _ in range(PATIENCE):
            left = [name for name in spoken if name not in results]
            for at in range(0, len(left), WINDOW):
                results.update(self._ask(left[at : at + WINDOW]))
        results.update(self._ask(silent))
        return {name: results.get(name, ("drop",)) for name in expected}

    def _ask(self, names):
        waiting, results = {}, {}
        for at, name in enumerate(names):
            self.next = (self.next + 1) & 0xFFFF
            waiting[self.next] = name
            self.socket.send(ask(name, self.qtype).wire(self.next))
            if at % WINDOW == WINDOW - 1:  # a socket's buffer holds no more
                self._receive(waiting, results, 0.02)
        self._receive(waiting, results, QUIET)
        return results

    def _receive(self, waiting, results, quiet):
        self.socket.settimeout(quiet)
        while waiting:
            try:
                wire = self.socket.recv(65535)
            except TimeoutError:
                return
            name = waiting.pop(struct.unpack_from("!H", wire)[0], None)
            if name is not None:
                results[name] = seen(wire)

    def close(self):
        self.socket.close()
