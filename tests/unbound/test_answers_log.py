# SPDX-License-Identifier: BSD-3-Clause
"""Lines say what was answered: the records, as log-answers asks, the flags, what validation found, and extended errors. That
each line's flags and error are those that its client got is checked in every scene (resolver.py)."""

import re

import dns.name
import dns.rdatatype
import dns.rdataclass

import dnsname
from question import AD, CD, RD, Tcp, ask
from rulefile import rules
from upstream import ODD_TEXTS

BUECHER = "xn--bcher-kva.example."
TYPES = f"""\
answer name types.example NS ns.bücher.example
answer name types.example CAA 0 issue "ca.example; a=b"
answer name types.example SRV 1 2 443 host.example
answer name types.example NAPTR 1 2 "s" "SIP+D2U" "" _sip._udp.example
answer name types.example SVCB 1 . alpn=h2
answer name types.example HTTPS 0 host.example
answer name types.example TLSA 3 1 1 abcdef
answer name types.example SSHFP 4 2 abcdef
answer name types.example HINFO "PC" "a b"
answer name types.example TYPE65280 \\# 3 0a0b0c
answer name types.example TYPE65281 \\# 0
"""
SHOWN = {
    "NS": [("ns", "ns.bücher.example.")], "CAA": [("caa", "0:issue:ca.example; a=b")], "SRV": [("srv", "1:2:443:host.example.")],
    "NAPTR": [("naptr", "1:2:s:SIP+D2U::_sip._udp.example.")], "SVCB": [("svcb", "1:.:000100030268" "32")],
    "HTTPS": [("https", "0:host.example.")], "TLSA": [("tlsa", "3:1:1:abcdef")], "SSHFP": [("sshfp", "4:2:abcdef")],
    "HINFO": [("hinfo", "PC:a b")], "TYPE65280": [("type65280", "0a0b0c")], "TYPE65281": [("type65281", "-")],
}
EDE = "ede: yes"


def test_addresses(world, tap):
    """Addresses alone, from the upstream, from the cache, of local data, and of a rule."""
    local = 'local-data: "xn--1-gga.local.example. AAAA 2001:db8::5"'
    idn = "log-answers: addresses\npolicy: rules.conf"
    rule = "redirect 192.0.2.80 2001:db8::80 zone redirect.example\nnxdomain zone nx.example"
    with world.resolver(tap, idn, prepare=rules(rule), server=local) as resolver:
        for question, wanted in ((ask("www." + BUECHER), "192.0.2.11"), (ask("www." + BUECHER), "192.0.2.11"),
                                 (ask("www." + BUECHER, "AAAA"), "2001:db8::11"), (ask("www.xn--brcke-lva.example"), "192.0.2.14"),
                                 (ask("xn--1-gga.local.example", "AAAA"), "2001:db8::5"), (ask("a.redirect.example"), "192.0.2.80"),
                                 (ask("a.redirect.example", "ANY"), "192.0.2.80,2001:db8::80")):
            reply, line = resolver.logged(question)
            tap.equal(line.answers, [("a", wanted)], f"{line.name} {line.type}, cached {line.cached}")
        for question in (ask(BUECHER, "MX"), ask("a.nx.example"), ask("nosuch.example"), ask(BUECHER, "TYPE65280"), ask("mangled.example")):
            _, line = resolver.logged(question)
            tap.equal(line.answers, [], f"{line.name} {line.type}: no address, no field")


def test_all(world, tap):
    """Each type in the form that idn.conf(5) gives it, names as u= shows them, signatures left out."""
    with world.resolver(tap, "log-answers: all\npolicy: rules.conf", prepare=rules(TYPES)) as resolver:
        for question, wanted in ((ask(BUECHER, "MX"), [("mx", "10:mail.example.")]), (ask(BUECHER, "MX", dnssec=True), [("mx", "10:mail.example.")]),
                                 (ask("_dmarc." + BUECHER, "TXT"), [("txt", "v=DMARC1; p=none")]),
                                 (ask("www.xn--brcke-lva.example"), [("cname", "brücke.example.,alias.example.,straße.example."), ("a", "192.0.2.14")]),
                                 (ask("x.dname-good.slow.example"), [("dname", "good.slow.example."), ("cname", "x.good.slow.example."),
                                                                     ("a", "192.0.2.200")]),
                                 (ask("example", "SOA"), [("soa", None)])):
            _, line = resolver.logged(question)
            got = [(key, value if want else None) for (key, value), (_, want) in zip(line.answers, wanted)]
            tap.equal((len(line.answers), got), (len(wanted), wanted), f"{line.name} {line.type}")
        for qtype, wanted in SHOWN.items():
            _, line = resolver.logged(ask("types.example", qtype))
            tap.equal(line.answers, wanted, f"a rule's {qtype}")


def test_log_name_ascii(world, tap):
    """Names in answers are shown as the question's name is: with log-name: ascii as A-labels, and nothing else than ASCII."""
    with world.resolver(tap, "log-answers: all\nlog-name: ascii") as resolver:
        _, line = resolver.logged(ask("www.xn--brcke-lva.example"))
        tap.equal(line.answers[0], ("cname", "xn--brcke-lva.example.,alias.example.,xn--strae-oqa.example."), "A-labels")
        _, line = resolver.logged(ask("spread-100.slow.example"), transport=Tcp)
        tap.ok(re.fullmatch(r"10\.0\.0\.\d+,.*,\.\.\.\+\d+", line.answers[0][1]), "three dots", line)


def test_hostile(world, tap):
    """The records of hostile answers are bounded and escaped."""
    with world.resolver(tap, "log-answers: all") as resolver:
        for count in (35, 100, 4000):
            reply, line = resolver.logged(ask(f"spread-{count}.slow.example"), transport=Tcp)
            values, left = line.answers[0][1].split(","), 0
            if values[-1].startswith("…+"):
                left = int(values.pop()[2:])
            tap.equal((len(line.answers), len(values) + left, values), (1, count, reply.answers()[:len(values)]), f"{count} addresses, in order")
            tap.equal((left == 0, 480 < len(",".join(values)) <= 512), (count == 35, count > 35), f"{count} addresses: as many as fit")
        reply, line = resolver.logged(ask("odd.slow.example", "TXT"), transport=Tcp)
        texts = [shown(b"".join(record.strings)) for record in reply.message.answer[0]]  # in the order of the reply
        *values, left = dict(line.answers)["txt"].split(",")
        count = len(values)
        tap.equal((sorted(texts), values, left), (sorted(map(shown, ODD_TEXTS)), texts[:count], f"…+{len(texts) - count}"), "texts of every octet")
        tap.ok(len(",".join(values)) <= 512 and len(",".join(texts[:count + 1])) > 480, "as many texts as fit", line)
        _, line = resolver.logged(ask("odd.slow.example", "MX"), transport=Tcp)
        tap.ok(line.answers[0][0] == "mx" and re.search(r"…\+[123]$", line.answers[0][1]), "the longest name has no room", line)


def shown(text):
    """A text as a field has it."""
    return "".join(chr(c) if 0x20 <= c <= 0x7E and chr(c) not in '"\\,' else f"\\{c:03}" for c in text) or "-"


def test_json(world, tap):
    """dns.answers is what the client got; dns.resolved_ip its addresses; dns.answers_count their number."""
    idn = "log: json\nlog-answers: all\npolicy: rules.conf"
    with world.resolver(tap, idn, prepare=rules(TYPES)) as resolver:
        for question in (ask("www." + BUECHER), ask("www." + BUECHER, flags=RD), ask("www.xn--brcke-lva.example"), ask(BUECHER, "MX", dnssec=True),
                         ask("www." + BUECHER, "TXT"), ask("example", "SOA"), ask("spread-20.slow.example"), ask("x.dname-good.slow.example"),
                         ask("nosuch.example"), ask("types.example", "SRV"), ask("types.example", "TYPE65280")):
            reply, line = resolver.logged(question, transport=Tcp)
            records = [(rrset, rdata) for rrset in reply.message.answer for rdata in rrset if rrset.rdtype != dns.rdatatype.RRSIG]
            wanted = [(text_of(rrset.name), dns.rdatatype.to_text(rrset.rdtype), "IN", rrset.ttl) for rrset, _ in records]
            listed = line.fields.get("dns.answers", [])
            tap.equal([(a["name"], a["type"], a["class"]) for a in listed], [row[:3] for row in wanted], f"{line.name} {line.type}: dns.answers")
            tap.ok(all(abs(a["ttl"] - row[3]) <= 1 for a, row in zip(listed, wanted)), "with their TTLs", f"{listed} {wanted}")
            tap.equal([a["data"] for a in listed], [data_of(rrset.rdtype, rdata) for rrset, rdata in records], "and their data")
            addresses = [rdata.to_text() for rrset, rdata in records if rrset.rdtype in (dns.rdatatype.A, dns.rdatatype.AAAA)]
            tap.equal((line.fields.get("dns.resolved_ip", []), line.fields["dns.answers_count"]), (addresses, len(records)),
                      "dns.resolved_ip, dns.answers_count")
        _, line = resolver.logged(ask("spread-4000.slow.example"), transport=Tcp)
        tap.equal((line.fields["dns.answers_count"], 20 < len(line.fields["dns.answers"]) < 40, 20 < len(line.fields["dns.resolved_ip"]) < 60),
                  (4000, True, True), "bounded lists, and how many there were")
        _, line = resolver.logged(ask("odd.slow.example", "MX"), transport=Tcp)
        tap.equal(line.fields["dns.answers_count"], 3, "names of every octet")


def text_of(name):
    text = dnsname.column(name.labels[:-1]).lower()
    return text if text == "." else text.removesuffix(".")


def data_of(rdtype, rdata):
    """Returns the member `data`: words of zone files, names without their final dot, and octets without blanks."""
    words = rdata.to_text().split(" ")
    if rdtype == dns.rdatatype.TXT:
        return " ".join(string.decode() for string in rdata.strings)
    if rdtype == 65280:
        return words[-1]
    return " ".join(word if word == "." else word.removesuffix(".") for word in words)


def test_security(world, tap):
    """The line has the result of validation, also for answers from the cache."""
    with world.resolver(tap, server=EDE) as resolver:
        for name, flags, wanted in (("www." + BUECHER, RD, "secure"), ("www." + BUECHER, RD, "secure"), ("a.slow.example", RD, "insecure"),
                                    ("mangled.example", RD, "bogus"), ("mangled.example", RD, "bogus"), ("mangled.example", RD | CD, "bogus")):
            _, line = resolver.logged(ask(name, flags=flags))
            tap.equal(line.security, wanted, f"{name}: {wanted}, cached {line.cached}")
        _, line = resolver.logged(ask("version.bind", "TXT", cls="CH"))
        tap.equal(line.security, None, "of what is not validated nothing")
    text = "log zone www.bücher.example\n" + "".join(f"{action} name {action}.wild.example\n" for action in ("nxdomain", "nodata", "refuse"))
    for mode, wanted in (("enforce", None), ("log-only", "secure")):
        with world.resolver(tap, f"policy: rules.conf\npolicy-mode: {mode}", prepare=rules(text)) as resolver:
            for action in ("nxdomain", "nodata", "refuse"):
                for cached in (False, True):
                    _, line = resolver.logged(ask(f"{action}.wild.example"))
                    tap.equal(line.security, wanted, f"{mode}: the policy's {action}")
            _, line = resolver.logged(ask("www." + BUECHER))
            tap.equal(line.security, "secure", f"{mode}: a log rule leaves the answer alone")


def test_flags(world, tap):
    """f= is there only where the flags are not RD and RA; that they are right is checked in every scene. By default no answers are."""
    with world.resolver(tap) as resolver:
        for question, wanted in ((ask(BUECHER), None), (ask(BUECHER, flags=RD | AD), "rd,ra,ad"), (ask(BUECHER, dnssec=True), "rd,ra,ad,do"),
                                 (ask(BUECHER, flags=RD | CD), "rd,ra,cd"), (ask("version.bind", "TXT", cls="CH"), None)):
            _, line = resolver.logged(question)
            tap.equal((line.fields.get("f"), line.answers), (wanted, []), f"{line.name} {line.type}: f={wanted}")


def test_extended_errors(world, tap):
    """Ours, and those that Unbound adds to a bogus answer, expired ones, and to none without EDNS."""
    rule = 'nxdomain zone nx.example ede=17:"Gesperrt: \\"ä\\""\nnxdomain zone bare.example ede=15\nnxdomain zone off.example ede=off'
    for log in "text", "json":
        with world.resolver(tap, f"log: {log}\npolicy: rules.conf", prepare=rules(rule), server=EDE) as resolver:
            for question, wanted in ((ask("a.nx.example"), (17, r'Gesperrt: "\u{E4}"')), (ask("a.nx.example", edns=False), (None, None)),
                                     (ask("a.bare.example"), (15, None)), (ask("a.off.example"), (None, None)), (ask(BUECHER), (None, None))):
                _, line = resolver.logged(question)
                tap.equal(line.ede, wanted, f"{log}: {line.name} with EDNS: {question.edns}")
            for what in "a bogus answer", "… from the cache":
                _, line = resolver.logged(ask("mangled.example"))
                tap.ok(line.ede[0] is not None, f"{log}: {what}: Unbound's own error", line)


def test_expired(world, tap):
    """An expired answer has Unbound's error 3."""
    server = "ede: yes\n    ede-serve-expired: yes\n    serve-expired: yes\n    serve-expired-client-timeout: 0"
    with world.resolver(tap, "log-answers: all", server=server) as resolver:
        resolver.logged(ask("brief.slow.example"))
        line = None
        for _ in range(100):
            _, line = resolver.logged(ask("brief.slow.example"))
            if line.ede[0] == 3:
                break
            resolver.log.target.wait(lambda octets: None, 0.05)
        tap.equal((line.ede[0], line.answers), (3, [("a", "192.0.2.200")]), "expired, and said so")


def test_withheld(world, tap):
    """A withheld answer is not logged as sent."""
    with world.resolver(tap, "log-answers: all\npolicy: rules.conf", prepare=rules("tcp-only zone tcp.example\nrefuse zone refuse.example")) as resolver:
        for name in "a.tcp.example", "a.refuse.example":
            reply, line = resolver.logged(ask(name))
            tap.equal((line.answers, reply.answers()), ([], []), f"{name}: no answers")
