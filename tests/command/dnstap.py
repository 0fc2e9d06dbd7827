# SPDX-License-Identifier: BSD-3-Clause
"""Frames of dnstap, as senders make them, and as they should not."""

import ipaddress
import struct

import dns.edns
import dns.flags
import dns.message
import dns.rcode
import dns.rrset

CONTENT_TYPE = b"protobuf:dnstap.Dnstap"
ACCEPT, START, STOP, READY, FINISH = range(1, 6)
AUTH_QUERY, AUTH_RESPONSE, RESOLVER_QUERY, RESOLVER_RESPONSE, CLIENT_QUERY, CLIENT_RESPONSE = range(1, 7)
UDP, TCP, DOT, DOH, DNSCRYPT_UDP, DNSCRYPT_TCP, DOQ = range(1, 8)
WHEN = 1795384800  # 2026-11-22T22:00:00Z


def varint(number):
    octets = b""
    while number > 127:
        octets += bytes([number & 127 | 128])
        number >>= 7
    return octets + bytes([number])


def field(number, value, kind=None):
    """The fields of a message: an int is a varint, a (float) fixed32 is given as kind 5, octets are octets."""
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    if kind == 5:
        return varint(number << 3 | 5) + struct.pack("<I", value)
    return varint(number << 3) + varint(value)


def query(name, qtype="A", ident=4711, **options):
    made = dns.message.make_query(name, qtype, **options)
    made.id = ident
    return made


def response(asked, rcode="NOERROR", records=(), extended=None, flags=0, ede=None):
    """The wire of a reply; records are such as "a.example. 60 IN CNAME b.example."; ede is (info code, text); flags are those
    besides RD and RA."""
    made = dns.message.make_response(asked)
    made.flags |= dns.flags.RA | flags
    for record in records:
        made.answer.append(dns.rrset.from_text(*record.split(None, 4)))
    if extended is not None:
        made.use_edns(0)
    if ede is not None:
        made.use_edns(0, ednsflags=dns.flags.DO, options=[dns.edns.EDEOption(*ede)])
    made.set_rcode(dns.rcode.from_text(rcode) if extended is None else extended)
    return made.to_wire()


def message(kind, wire, client="192.0.2.7", port=5353, protocol=UDP, asked=None, answered=None):
    """The Message in a Dnstap. Times are (seconds, nanoseconds)."""
    octets = field(1, kind) + field(2, 1) + field(3, protocol)
    if client is not None:
        octets += field(4, ipaddress.ip_address(client).packed if isinstance(client, str) else client)
    octets += field(6, port)
    if asked:
        octets += field(8, asked[0]) + field(9, asked[1], 5)
    if kind % 2 == 1:
        octets += field(10, wire)
    if answered:
        octets += field(12, answered[0]) + field(13, answered[1], 5)
    if kind % 2 == 0:
        octets += field(14, wire)
    return octets


def dnstap(octets, identity=b"resolver", version=b"1"):
    return field(1, identity) + field(2, version) + field(14, octets) + field(15, 1)


def reply(name, qtype="A", rcode="NOERROR", records=(), flags=0, ede=None, answered=(WHEN, 123456789), **options):
    """A CLIENT_RESPONSE."""
    return dnstap(message(CLIENT_RESPONSE, response(query(name, qtype), rcode, records, flags=flags, ede=ede), answered=answered, **options))


def data(octets):
    return struct.pack("!I", len(octets)) + octets


def control(kind, content_type=CONTENT_TYPE):
    octets = struct.pack("!I", kind)
    if content_type is not None and kind in (ACCEPT, START, READY):
        octets += struct.pack("!II", 1, len(content_type)) + content_type
    return struct.pack("!II", 0, len(octets)) + octets


def stream(*frames, stop=True):
    """A file as fstrm_capture writes it."""
    return control(START) + b"".join(map(data, frames)) + (control(STOP) if stop else b"")
