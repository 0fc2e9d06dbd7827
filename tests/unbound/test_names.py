# SPDX-License-Identifier: BSD-3-Clause
"""Names with any octets in them, and names as long as names get."""

import dnsname
from question import ask
from test_answers import check

WILD = (b"wild", b"example")

ODD = {
    "dot": b"a.b", "space": b"a b", "quote": b'a"b', "backslash": b"a\\b", "NUL": b"a\0b", "newline": b"a\nb",
       "carriage return": b"a\rb",
    "TAB": b"a\tb", "ESC": b"\x1b[31mred", "DEL": b"a\x7fb", "0x80": b"a\x80b", "0xFF": b"\xff\xff",
       "UTF-8": "bücher".encode(),
    "CSI in eight bits": b"\x9b31m", "only a dot": b".", "equals and brackets": b"u=(x)",
       "semicolon and at": b"a;b@c$d", "hash": b"#", "apostrophe": b"o'k",
    "what looks like an escape": b"a\\046b", "what looks like a field": b'x u="y"',
       "what looks like a line": b"\n[1] unbound[1:0] info: 1.2.3.4 evil. A IN",
    "per cent": b"%s%n%d", "percent in an A-label": b"xn--%s%n-kva", "asterisk": b"*",
}


def test_every_octet(world, tap):
    """Each octet alone as a label, and all of them in five labels of one name."""
    with world.resolver(tap) as resolver:
        for octet in range(256):
            labels = (bytes([octet]), *WILD)
            cached = int(0x61 <= octet <= 0x7A)  # asked before in upper case
            check(tap, resolver, ask(labels), f"octet 0x{octet:02X}", cached=cached)
        labels = tuple(bytes(range(start, min(start + 60, 256))) for start in range(0, 180, 60))
        check(tap, resolver, ask((*labels, *WILD)), "octets 0 to 179 in one name")
        labels = tuple(bytes(range(start, min(start + 60, 256))) for start in range(136, 256, 60))
        check(tap, resolver, ask((*labels, b"xn--bcher-kva", *WILD)), "octets 136 to 255 in one name",
              u=".".join(dnsname.label_text(label) for label in labels) + ".bücher.wild.example")


def test_limits(world, tap):
    with world.resolver(tap) as resolver:
        for cached in (0, 1):
            check(tap, resolver, ask((), "NS"), f"the root, cached {cached}", cached=cached)
        check(tap, resolver, ask((b"a",)), "one octet", rcode="NXDOMAIN")
        many = (b"a",) * 127
        tap.equal(len(dnsname.wire(many)), 255, "127 labels are 255 octets")
        check(tap, resolver, ask(many), "127 labels", rcode="NXDOMAIN")
        check(tap, resolver, ask((b"b",) * 120 + WILD), "122 labels in the zone")
        long = (b"x" * 63, b"y" * 63, b"z" * 63, b"w" * (255 - 3 * 64 - 1 - 1 - 13), *WILD)
        tap.equal(len(dnsname.wire(long)), 255, "the longest name is 255 octets")
        check(tap, resolver, ask(long), "255 octets, labels of 63")
        worst = (b"\xff" * 63, b"\0" * 63, b"." * 63, b"\\" * (255 - 3 * 64 - 1 - 1 - 13), *WILD)
        for cached in (0, 1):
            check(tap, resolver, ask(worst), f"255 octets that are all escaped, cached {cached}", cached=cached)
        u_label = "ü" + "a" * 54
        label = dnsname.a_label(u_label)
        check(tap, resolver, ask((label, *WILD)), f"an A-label of {len(label)} octets", u=f"{u_label}.wild.example")
        u_label = longest_ulabel()
        label = dnsname.a_label(u_label)
        tap.equal(len(label), 63, "the longest A-label")
        check(tap, resolver, ask((label, label, label, *WILD)), "three A-labels of 63 octets",
              u=".".join([u_label] * 3) + ".wild.example")
        labels = (b"xn--tda",) * 29 + WILD  # ü
        check(tap, resolver, ask(labels), "29 A-labels", u=".".join(["ü"] * 29) + ".wild.example")


def longest_ulabel():
    """A label of one Han character, as often as 63 octets hold it."""
    text = "中文"
    while len(dnsname.a_label(text + "中")) <= 63:
        text += "中"
    return text
