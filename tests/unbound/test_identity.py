# SPDX-License-Identifier: BSD-3-Clause
"""Answers with and without the module are the same octets, ID and TTLs apart."""

import dnsname
from question import AD, CD, RD, Tcp, Udp, ask, exchange, masked
from test_answers import LOCAL
from test_names import ODD, WILD, longest_ulabel

BUECHER = "xn--bcher-kva.example."


def questions():
    names = ["example.", BUECHER, "www." + BUECHER, "xn--brcke-lva.example", "dangling.example", "nope." + BUECHER,
             "mangled.example",
             "a.b.c.xn--g1ah2bza.wild.example", "xn--31m-dda.example", "servfail.slow.example",
             "xn--80aodfsg.slow.example",
             "xn--80aodfsg.invalid", "com.", ".", "local." + BUECHER, "x.xn--gesprrt-eya.example",
             "a.xn--g1ah2bza.local.example", "localhost."]
    for name in names:
        for options in ({}, {"dnssec": True}, {"flags": RD | AD}, {"flags": RD | CD, "dnssec": True}, {"edns": False},
                        {"flags": RD | 3}):
            yield ask(name, **options)
        for qtype in ("AAAA", "TXT", "MX", "NS", "SOA", "DNSKEY", "DS", "ANY", "CNAME", "HTTPS", "TYPE65280"):
            yield ask(name, qtype, dnssec=True)
        yield ask(dnsname.mixed_case(dnsname.parse(name)))
    yield ask(".", "NS")
    yield ask("big.example", "TXT")
    yield ask("long.example", "TXT", dnssec=True)
    for label in ODD.values():
        yield ask((label, *WILD), dnssec=True)
    for labels in ((b"*", b"a"), (b"*", b"xn--bcher-kva"), (b"a", b"*"), (b"*", b"*")):  # not all validate
        yield ask((*labels, *WILD), dnssec=True)
        yield ask((*labels, *WILD), flags=RD | CD, dnssec=True)
    yield ask((b"a",) * 127)
    yield ask((dnsname.a_label(longest_ulabel()),) * 3 + WILD)
    for cls, name in (("CH", "version.bind"), ("CH", "id.server"), ("CH", "other.bind"), ("HS", BUECHER)):
        yield ask(name, "TXT", cls=cls)


def test_with_and_without(world, tap):
    """Each question twice, so that fresh and cached answers are compared; both resolvers get the same order."""
    server = LOCAL + "aggressive-nsec: yes"
    with world.resolver(tap, None, server=server) as plain, world.resolver(tap, "log-to: log/idn.log",
                                                                           server=server) as logging:
        for transport in (Udp, Tcp):
            for question in questions():
                for time in ("first", "second"):
                    compare(tap, plain, logging, question, transport,
                            f"{question} {describe(question)} {transport.__name__}, {time} time")


def describe(question):
    return f"flags {question.flags:04x}{' DO' if question.dnssec else ''}{'' if question.edns else ' no EDNS'}"


def compare(tap, plain, logging, question, transport, what):
    wanted = exchange(plain.address(), question, transport)
    got = logging.exchange(question, transport)
    (want_octets, want_ttls), (got_octets, got_ttls) = masked(wanted.wire), masked(got.wire)
    same = got_octets == want_octets and all(abs(a - b) <= 5 for a, b in zip(got_ttls, want_ttls))
    tap.ok(same, what, "" if same else f"without: {want_ttls}\n{wanted.message}\nwith: {got_ttls}\n{got.message}")
