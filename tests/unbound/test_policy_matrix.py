# SPDX-License-Identifier: BSD-3-Clause
"""One daemon with every action, in all pairs of: when it is asked, by what flags, transport and spelling, for which type,
and how the rule is written."""

import itertools
import random

import dns.flags

import dnsname
from question import CD, RD, Tcp, Udp, ask
from rulefile import changed, rules
from test_policy_answers import edes, section, soa
from test_policy_clients import is_silent

TARGET = "www.xn--bcher-kva.example"  # of cname: signed
FACTORS = {
    "action": ("nxdomain", "nodata", "refuse", "drop", "redirect", "cname", "answer", "tcp-only", "log", "passthru"),
    "when": ("first", "second", "cached before"),
    "dnssec": (False, True),
    "flags": (RD, RD | CD),
    "transport": (Udp, Tcp),
    "mixed": (False, True),
    "qtype": ("A", "AAAA", "TXT", "ANY", "HTTPS"),
    "cls": ("IN", "ANY"),
    "trigger": ("name", "zone", "*."),
    "unicode": (False, True),
}
EDE = {"nxdomain": 15, "nodata": 15, "refuse": 15, "redirect": 4, "cname": 4, "answer": 4}
ORIGINAL = {"A": ["192.0.2.77"], "AAAA": ["2001:db8::77"], "TXT": ['"wild"'], "HTTPS": []}
GIVEN = {"redirect": {"A": ["192.0.2.80"], "AAAA": ["2001:db8::80"]}, "answer": {"TXT": ['"matrix"']}}
AT_TARGET = {"A": ["192.0.2.11"], "AAAA": ["2001:db8::11"], "TXT": ['"books, and a shop that sells them"'], "HTTPS": []}


def pairs(row):
    return set(itertools.combinations(enumerate(row), 2))


def rows():
    """Rows in which every two values of two factors stand together at least once; the same ones each time."""
    choose = random.Random(5)
    values = list(FACTORS.values())
    left = set().union(*(itertools.product([(i, a) for a in values[i]], [(j, b) for b in values[j]])
                         for i, j in itertools.combinations(range(len(values)), 2)))
    while left:
        start = sorted(left, key=str)[0]
        candidates = []
        for _ in range(40):
            row = [choose.choice(options) for options in values]
            for at, value in start:
                row[at] = value
            candidates.append(row)
        best = max(candidates, key=lambda row: len(pairs(row) & left))
        left -= pairs(best)
        yield dict(zip(FACTORS, best))


class Case:
    def __init__(self, number, row):
        vars(self).update(row)
        self.row = row
        label = f"ü{number}b"
        self.base = f"{dnsname.a_label(label).decode()}.wild.example"
        self.name = self.base if self.trigger == "name" else f"x.{self.base}"
        self.written = f"{label}.wild.example" if self.unicode else self.base
        labels = dnsname.parse(self.name)
        self.plain = ask(labels, self.qtype, cls=self.cls)
        self.question = ask(dnsname.mixed_case(labels) if self.mixed else labels, self.qtype, cls=self.cls,
                            flags=self.flags, dnssec=self.dnssec)
        self.answered = 0

    def rule(self):
        trigger = f"name *.{self.written}" if self.trigger == "*." else f"{self.trigger} {self.written}"
        return {"redirect": f"redirect 192.0.2.80 2001:db8::80 {trigger}",
                "cname": f"cname {TARGET} {trigger}",
                "answer": f'answer {trigger} TXT "matrix"',
                "log": f"log {trigger} tag=matrix"}.get(self.action, f"{self.action} {trigger}")

    def expected(self):
        """rcode, the records of the answer by type (None: the zone's own), the authority (None: of no matter)."""
        owner = f"{self.base}."
        if self.action == "nxdomain":
            return "NXDOMAIN", {}, soa(owner)
        if self.action == "nodata":
            return "NOERROR", {}, soa(owner)
        if self.action in ("refuse", "drop"):
            return "REFUSED", {}, []
        if self.action in GIVEN:
            given = GIVEN[self.action]
            given = given if self.qtype == "ANY" else {t: given[t] for t in given if t == self.qtype}
            return "NOERROR", given, [] if given else soa(owner)
        if self.action == "cname":
            target = {} if self.qtype == "ANY" else {self.qtype: AT_TARGET[self.qtype]}
            return "NOERROR", {"CNAME": [f"{TARGET}."], **{t: v for t, v in target.items() if v}}, None
        if self.action == "tcp-only" and self.transport is Udp:
            return "NOERROR", {}, []
        return "NOERROR", None, None

    def is_original(self):
        return self.action in ("log", "passthru") or (self.action == "tcp-only" and self.transport is Tcp)


def check_original(tap, what, case, reply, records):
    if case.qtype == "ANY":
        tap.ok(records, f"{what}: the zone's own answer", records)
    else:
        wanted = {case.qtype: ORIGINAL[case.qtype]} if ORIGINAL[case.qtype] else {}
        tap.equal(records, wanted, f"{what}: the zone's own answer")
    if case.dnssec and case.cls == "IN":  # Unbound validates no other class
        tap.ok(reply.has(dns.flags.AD), f"{what}: AD set")


def check_reply(tap, what, case, reply):
    rcode, answer, authority = case.expected()
    records = {kind: data for _, _, kind, data in section(reply.message.answer) if kind != "RRSIG"}
    tap.equal(reply.rcode, rcode, f"{what}: rcode")
    tap.equal(edes(reply), [(EDE[case.action], "")] if case.action in EDE else [], f"{what}: extended error")
    tap.equal((reply.has(dns.flags.TC), reply.has(dns.flags.AA), reply.has(dns.flags.RA), reply.has(dns.flags.CD)),
              (case.action == "tcp-only" and case.transport is Udp, False, True, bool(case.flags & CD)), f"{what}: flags")
    tap.equal(reply.question_octets(case.question), dnsname.wire(case.question.labels), f"{what}: the client's case")
    if case.is_original():
        check_original(tap, what, case, reply, records)
        return
    tap.equal(records, answer, f"{what}: answer")
    tap.ok(not reply.has(dns.flags.AD), f"{what}: AD clear")
    if authority is not None:
        tap.equal(section(reply.message.authority), authority, f"{what}: authority")


def ask_once(tap, resolver, case, line_number, time):
    what = " ".join(getattr(value, "__name__", str(value)) for value in case.row.values()) + f", {time}"
    if case.action == "drop" and case.transport is Udp:
        client = Udp(resolver.address())
        tap.ok(is_silent(resolver, client, case.question), f"{what}: no answer")
        client.close()
        number = resolver.answers[dnsname.column(case.question.labels)]
        line = resolver.log.wait(dnsname.column(case.question.labels), number)[number - 1]
        rcode = "-"
    else:
        reply, line = resolver.logged(case.question, case.transport)
        check_reply(tap, what, case, reply)
        rcode = reply.rcode
    action, rule, match, tags, _ = line.policy or (None,) * 5
    tap.equal((line.rcode, line.type, line.cls, line.cached and not case.is_original()), (rcode, case.qtype, case.cls, 0),
              f"{what}: the line")
    tap.equal((action, rule, tags), (case.action, f"rules.conf:{line_number}", "matrix" if action == "log" else None),
              f"{what}: the rule in the line")
    word, _, subject = (match or "").partition(" ")
    tap.equal((word, subject.startswith("*."), subject.endswith("wild.example")),
              ("zone" if case.trigger == "zone" else "name", case.trigger == "*.", True), f"{what}: what matched")


def test_pairs(world, tap):
    cases = [Case(number, row) for number, row in enumerate(rows())]
    lines = [case.rule() for case in cases]
    lines += [f"nxdomain zone {case.base}" for case in cases if case.action == "passthru"]
    with world.resolver(tap, "policy: rules.conf\nlog-to: log/idn.log",
                        prepare=rules("nxdomain name other.example\n")) as resolver:
        for case in cases:
            if case.when == "cached before":
                for _ in range(2):
                    tap.equal(resolver.exchange(case.plain).rcode, "NOERROR", "allowed before there was a rule")
        tap.ok(changed(resolver, "\n".join(lines) + "\n"), "the rules are in force")
        for number, case in enumerate(cases, 1):
            ask_once(tap, resolver, case, number, "first")
            if case.when != "first":
                ask_once(tap, resolver, case, number, "second")
        tap.note(f"{len(cases)} rows")
