# SPDX-License-Identifier: BSD-3-Clause
"""Clients behind a proxy that speaks the PROXY protocol, version 2: HAProxy's proxy-protocol.txt, section 2.2."""

import socket
import struct

from question import Tcp, Udp, ids

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
STREAM, DGRAM = 1, 2


def header(source, protocol=DGRAM, more=b""):
    """Makes the PROXY header of a client at an IPv4 or IPv6 address; `more` follows the addresses. Without `source` it is a connection of the proxy's own."""
    if not source:
        return SIGNATURE + b"\x20\0\0\0"
    family, kind, here = (socket.AF_INET6, 2, "::1") if ":" in source else (socket.AF_INET, 1, "127.0.0.1")
    addresses = socket.inet_pton(family, source) + socket.inet_pton(family, here) + struct.pack("!HH", 5353, 53) + more
    return SIGNATURE + struct.pack("!BBH", 0x21, kind << 4 | protocol, len(addresses)) + addresses


class HeadedUdp(Udp):
    """Begins each packet with `head`."""

    head = b""

    def send(self, question):
        ident = next(ids) & 0xFFFF
        self.socket.send(self.head + question.wire(ident))
        return ident


class HeadedTcp(Tcp):
    """Begins its connection with `head`, in one segment with the first question."""

    head = b""

    def send(self, question):
        ident = next(ids) & 0xFFFF
        wire = question.wire(ident)
        self.socket.sendall(self.head + struct.pack("!H", len(wire)) + wire)
        self.head = b""
        return ident


def proxied(transport, proxy):
    """The transport of a client that asks through a proxy at that address."""
    kind, protocol = (HeadedUdp, DGRAM) if transport is Udp else (HeadedTcp, STREAM)

    class Proxied(kind):
        def __init__(self, server, source=None):
            super().__init__(server, proxy)
            self.head = header(source, protocol)

    Proxied.__name__ = transport.__name__
    return Proxied
