# SPDX-License-Identifier: BSD-3-Clause
"""Hostile A-labels: each is asked through the resolver, and its line and the whole log are checked."""

import json
import re
import subprocess
from pathlib import Path

import dnsname
import logline
from question import ask

VECTORS = json.loads((Path(__file__).resolve().parents[1] / "vectors/hostile-alabels.json").read_text())
WILD = (b"wild", b"example")


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
