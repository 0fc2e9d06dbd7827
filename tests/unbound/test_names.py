# SPDX-License-Identifier: BSD-3-Clause
"""Names with any octets in them, names as long as names get, and hostile A-labels: each is asked through the resolver, and its line and
the whole log are checked."""

import json
import re
import subprocess
from pathlib import Path

import dnsname
import logline
from question import ask
from test_answers import check

VECTORS = json.loads((Path(__file__).resolve().parents[1] / "vectors/hostile-alabels.json").read_text())

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


# ---- hostile A-labels ---------------------------------------------------------------------------------------------------


def vectors(world):
    """Each with what the linked ICU's version of Unicode says of it."""
    told = subprocess.run([world.command, "--version"], capture_output=True, text=True, check=True).stdout
    since_16 = float(re.search(r", Unicode ([0-9]+\.[0-9]+)", told)[1]) >= 16
    return [row | {"idn": row.get("idn_since_unicode_16", row["idn"])} if since_16 else row for row in VECTORS]


def wanted(row):
    """The line's idn= and u= for LABEL.wild.example."""
    if row["idn"] is None:
        return None, shown(row, lambda char: char not in "\u200c\u200d")
    status, reason = row["idn"].split(":")
    u = shown(row, str.isascii) if status == "restricted" else None
    return f"{status}(1:{reason})", u


def shown(row, plain):
    """The decoded label in lower case, escaped where it is not plain."""
    decoded = "".join(chr(int(code[2:], 16)) for code in row["decodes_to"]).lower()
    return "".join(char if plain(char) else f"\\u{{{ord(char):X}}}" for char in decoded) + ".wild.example"


def wanted_raw(row, label):
    """The line's idn= and u= for octets: what is UTF-8 is shown as its A-label would be, and with escapes if that is not shown."""
    raw = dnsname.raw(dnsname.label_text(label))
    if raw is None:
        return None, None
    u = "".join(dnsname.label_text(char.encode()) if char.isascii() else char if row["idn"] is None and char not in "\u200c\u200d"
                else f"\\u{{{ord(char):X}}}" for char in raw)
    return "invalid(1:raw-utf8)", u + ".wild.example"


def test_vectors(world, tap):
    for idn in ("log-to: unbound", "log-to: log/idn.log", "show-emoji: yes"):
        with world.resolver(tap, idn, check=False) as resolver:
            for row in vectors(world):
                one_label(tap, resolver, idn, row)
        octets = resolver.log.target.octets
        tap.equal(logline.forbidden_in_log(octets), [],
                  f"{idn}: nothing in the log that a terminal or a reader acts on")
        tap.ok(octets.count(b".wild.example") >= len(VECTORS), f"{idn}: and the log holds the names", len(octets))


def one_label(tap, resolver, idn, row):
    labels = (row["a_label"].encode(), *WILD)
    finding, u = wanted(row)
    name = dnsname.column(labels)
    if idn == "show-emoji: yes" and row["idn"] == "restricted:emoji":
        finding, u = None, shown(row, lambda char: True)
    reply, line = resolver.logged(ask(labels), name=name)
    tap.equal((reply.rcode, line.idn, line.u), ("NOERROR", finding, u), f"{idn}: {row['a_label']} ({row['why']})")


def test_raw_text(world, tap):
    """The same text not as A-labels but as raw octets, in UTF-8 and, below U+0100, in Latin-1."""
    with world.resolver(tap) as resolver:
        for row in vectors(world):
            text = "".join(chr(int(code[2:], 16)) for code in row["decodes_to"] or [])
            for encoding in ("utf-8", "latin-1"):
                try:
                    label = text.encode(encoding)
                except UnicodeEncodeError:
                    continue
                if not label:
                    continue
                reply, line = resolver.logged(ask((label, *WILD)))
                tap.equal((reply.rcode, line.idn, line.u), ("NOERROR", *wanted_raw(row, label)), f"{row['a_label']} as {encoding}")
    tap.equal(logline.forbidden_in_log(resolver.log.target.octets), [],
              "nothing in the log that a terminal or a reader acts on")
