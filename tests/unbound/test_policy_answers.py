# SPDX-License-Identifier: BSD-3-Clause
"""Tests the answers by rules: each action, first and later queries, chains, joined and internal lookups."""

import os
from contextlib import contextmanager

import dns.edns
import dns.flags
import dns.rdatatype

import dnsname
from harness import write_idn
from question import CD, RD, Tcp, Udp, ask
from rulefile import changed, rules

SHOP = "xn--bcher-kva.example"
WWW = f"www.{SHOP}"  # A, AAAA and TXT, signed
SOA = ". nobody.invalid. 1 3600 900 604800"

RULES = f"""\
nxdomain zone nx.example
nodata name www.bücher.example type=A,TXT
nodata zone nodata.example ttl=7 ede=off
refuse zone refuse.example
redirect 192.0.2.80 2001:db8::80 192.0.2.81 zone redirect.example ttl=60
answer name answer.example ttl=30 TXT "привет"
answer name answer.example ttl=30 MX 10 mail.bücher.example
cname {WWW} zone cname.example
cname nowhere.example zone gone.example
cname mangled.example zone bogus.example
cname ring-b.example name ring-a.example
cname ring-a.example name ring-b.example
cname same.example zone below.same.example
tcp-only zone tcp.example
tcp-only name ascii.example
drop zone drop.example
passthru name ok.nx.example
nxdomain name *.wild.nxbelow.example ede=17:"Gesperrt: ä"
"""


# For answers of more than 64 RRsets: Unbound locks them all at once, and ThreadSanitizer, which looks for deadlocks among the locks
# that a thread holds, ends a program that holds so many.
MANY_LOCKS = {"TSAN_OPTIONS": f"{os.environ.get('TSAN_OPTIONS', '')}:detect_deadlocks=0"}


@contextmanager
def policy(world, tap, text=RULES, idn="", lists=None, **options):
    """A resolver with these rules, and lists as rulefile.rules() has them."""
    with world.resolver(tap, f"policy: rules.conf\n{idn}", prepare=rules(text, **(lists or {})), **options) as resolver:
        yield resolver


def section(rrsets):
    """In lower case: names are compressed against the question, which has the client's."""
    return [(rrset.name.to_text().lower(), rrset.ttl, dns.rdatatype.to_text(rrset.rdtype),
             sorted(r.to_text().lower() for r in rrset)) for rrset in rrsets]


def edes(reply):
    return [(int(option.code), option.text or "") for option in reply.message.options if option.otype == dns.edns.EDE]


def check(tap, what, reply, rcode="NOERROR", answer=None, authority=None, ede=()):
    message = reply.message
    tap.equal(reply.rcode, rcode, f"{what}: rcode")
    if answer is not None:
        tap.equal(section(message.answer), answer, f"{what}: answer")
    if authority is not None:
        tap.equal(section(message.authority), authority, f"{what}: authority")
    tap.equal((bool(message.flags & dns.flags.AD), bool(message.flags & dns.flags.AA),
               bool(message.flags & dns.flags.RA)), (False, False, True), f"{what}: AD and AA clear, RA set")
    if message.edns >= 0:
        tap.equal(edes(reply), list(ede), f"{what}: extended error")


def every_way(name, qtype):
    """The same question in all the ways that must make no difference."""
    plain = dnsname.parse(name)
    yield "first", ask(plain, qtype), Udp
    yield "again", ask(plain, qtype), Udp
    yield "DO", ask(plain, qtype, dnssec=True), Udp
    yield "CD", ask(plain, qtype, flags=RD | CD), Udp
    yield "TCP", ask(plain, qtype), Tcp
    yield "mixed case", ask(dnsname.mixed_case(plain), qtype), Udp
    yield "no EDNS", ask(plain, qtype, edns=False), Udp


def soa(owner, ttl=60):
    return [(owner, ttl, "SOA", [f"{SOA} {ttl}"])]


PRIVET = '"\\208\\191\\209\\128\\208\\184\\208\\178\\208\\181\\209\\130"'
MOVED = {"A": ("redirect.example.", 60, "A", ["192.0.2.80", "192.0.2.81"]), "AAAA": ("redirect.example.", 60, "AAAA", ["2001:db8::80"])}
GIVEN = {"TXT": ("answer.example.", 30, "TXT", [PRIVET]), "MX": ("answer.example.", 30, "MX", [f"10 mail.{SHOP}."])}

# A question; rcode, answer, authority, extended errors. test_policy_matrix.py lacks ttl=, ede= and several records.
ANSWERS = (
    ("nx.example", "A", "NXDOMAIN", [], soa("nx.example."), [(15, "")]),
    ("a.b.nx.example", "ANY", "NXDOMAIN", [], soa("nx.example."), [(15, "")]),
    ("x.nodata.example", "A", "NOERROR", [], soa("nodata.example.", 7), []),
    ("x.wild.nxbelow.example", "A", "NXDOMAIN", [], soa("wild.nxbelow.example."), [(17, "Gesperrt: ä")]),
    ("refuse.example", "HTTPS", "REFUSED", [], [], [(15, "")]),
    (WWW, "A", "NOERROR", [], soa(f"{WWW}."), [(15, "")]),
    (WWW, "TXT", "NOERROR", [], soa(f"{WWW}."), [(15, "")]),
    *(("redirect.example", qtype, "NOERROR", answer, [] if answer else soa("redirect.example."), [(4, "")])
      for qtype, answer in (("A", [MOVED["A"]]), ("AAAA", [MOVED["AAAA"]]), ("ANY", [*MOVED.values()]), ("TXT", []))),
    *(("answer.example", qtype, "NOERROR", answer, [] if answer else soa("answer.example.", 30), [(4, "")])
      for qtype, answer in (("TXT", [GIVEN["TXT"]]), ("MX", [GIVEN["MX"]]), ("ANY", [*GIVEN.values()]), ("A", []))))


def test_answers(world, tap):
    with policy(world, tap) as resolver:
        for name, qtype, rcode, answer, authority, ede in ANSWERS:
            for way, question, transport in every_way(name, qtype):
                check(tap, f"{name} {qtype}, {way}", resolver.exchange(question, transport), rcode, answer, authority, ede)
        for name, qtype in ("ok.nx.example", "A"), (WWW, "AAAA"):
            reply = resolver.exchange(ask(name, qtype, dnssec=True))
            tap.ok(edes(reply) == [] and reply.has(dns.flags.AD), f"{name} {qtype}: the zone's own answer", reply.message)


def test_cname(world, tap):
    with policy(world, tap, RULES.replace("nodata name www", "# ")) as resolver:
        for name in ("cname.example", "deep.cname.example"):
            alias = (f"{name}.", 60, "CNAME", [f"{WWW}."])
            for qtype, data in (("A", "192.0.2.11"), ("AAAA", "2001:db8::11")):
                for way, question, transport in every_way(name, qtype):
                    reply = resolver.exchange(question, transport)
                    what = f"{name} {qtype}, {way}"
                    check(tap, what, reply, ede=[(4, "")])
                    answer = [a for a in section(reply.message.answer) if a[2] != "RRSIG"]
                    tap.equal([answer[0], answer[1][0], answer[1][2:]], [alias, f"{WWW}.", (qtype, [data])],
                              f"{what}: the alias and its target's answer")
                    tap.equal(len(section(reply.message.answer)), 3 if question.dnssec else 2,
                              f"{what}: the target's signature with DO alone")
            for qtype in ("CNAME", "ANY"):
                reply = resolver.exchange(ask(name, qtype))
                check(tap, f"{name} {qtype}", reply, answer=[alias], authority=[], ede=[(4, "")])
            reply = resolver.exchange(ask(name, "HTTPS"))
            tap.equal((reply.rcode, section(reply.message.answer)), ("NOERROR", [alias]), "no such type at the target")
        reply = resolver.exchange(ask("x.gone.example"))
        tap.equal((reply.rcode, section(reply.message.answer)),
                  ("NXDOMAIN", [("x.gone.example.", 60, "CNAME", ["nowhere.example."])]),
                  "the target's rcode is kept")
        for _ in range(2):
            tap.equal(resolver.exchange(ask("bogus.example")).rcode, "SERVFAIL", "a target that is bogus")
            reply = resolver.exchange(ask("bogus.example", flags=RD | CD))
            tap.equal(reply.answers(), ["mangled.example.", "192.0.2.67"], "… is given with CD")
        for name, target in (("ring-a.example", "ring-b.example."), ("ring-b.example", "ring-a.example.")):
            reply = resolver.exchange(ask(name))
            tap.equal((reply.rcode, reply.answers()), ("NXDOMAIN", [target]), "a target is not decided: no ring")
        answers(tap, resolver, [ask("ring-a.example"), ask("ring-b.example")] * 20)


def answers(tap, resolver, questions):
    """All at once."""
    clients = [Udp(resolver.address()) for _ in questions]
    for client, question in zip(clients, questions):
        client.send(question)
    for client, question in zip(clients, questions):
        reply = client.receive()
        resolver.answered(question)
        tap.ok(reply.rcode in ("NXDOMAIN", "SERVFAIL"), "asked at once", reply.rcode)
        client.close()


def test_chain(world, tap):
    """www.brücke -> brücke -> alias -> straße: what comes before the refused name stays, without signatures."""
    target = "xn--strae-oqa.example."
    cases = (
        ("nxdomain zone straße.example", "NXDOMAIN", 3, soa(target), 15),
        ("nodata zone straße.example", "NOERROR", 3, soa(target), 15),
        ("nxdomain name alias.example", "NXDOMAIN", 2, soa("alias.example."), 15),
        ("refuse zone straße.example", "REFUSED", 0, [], 15),
        ("redirect 192.0.2.99 zone straße.example", "NOERROR", 4, [], 4),
        ("cname ascii.example zone straße.example", "NOERROR", 5, None, 4),
    )
    for rule, rcode, count, authority, ede in cases:
        with policy(world, tap, rule) as resolver:
            for round_ in range(2):
                for way, question, transport in every_way("www.xn--brcke-lva.example", "A"):
                    reply, line = resolver.logged(question, transport)
                    what = f"{rule}, {way} {round_}"
                    tap.equal(line.target, "alias.example" if "name alias" in rule else target[:-1], f"{what}: target=")
                    check(tap, what, reply, rcode, authority=authority if not question.dnssec else None,
                          ede=[(ede, "")])
                    answer = [a for a in section(reply.message.answer) if a[2] != "RRSIG"]
                    tap.equal(len(answer), count, f"{what}: RRsets")
                    tap.equal([a[3] for a in answer[:count and 2]],
                              [["xn--brcke-lva.example."], ["alias.example."]][:count], f"{what}: the chain")
            reply = resolver.exchange(ask("ascii.example", dnssec=True))
            tap.ok(reply.has(dns.flags.AD), "other names are as they were")


def test_chain_to_nothing(world, tap):
    """The refused name does not exist: the alias that leads to it stays all the same."""
    with policy(world, tap, "nxdomain name nowhere.example") as resolver:
        for time in ("first", "second", "third"):
            reply = resolver.exchange(ask("dangling.example"))
            check(tap, f"{time} time", reply, "NXDOMAIN", authority=soa("nowhere.example."), ede=[(15, "")])
            (owner, ttl, kind, target), = section(reply.message.answer)
            tap.equal((owner, 3500 < ttl <= 3600, kind, target), ("dangling.example.", True, "CNAME", ["nowhere.example."]),
                      f"{time} time: the alias")


def fence(tap, resolver):
    tap.equal(resolver.exchange(ask("version.bind", "TXT", cls="CH")).rcode, "NOERROR", "what was sent before was read")


INTERNAL = """\
nxdomain zone hoster.slow.example
nxdomain name example
"""


def test_internal(world, tap):
    """Unbound's own lookups go on working, and no client gets their results."""
    for modules in ("validator iterator", "iterator"):
        with policy(world, tap, INTERNAL, modules=modules) as resolver:
            reply = resolver.exchange(ask(WWW, dnssec=True))
            tap.equal((reply.rcode, reply.has(dns.flags.AD)), ("NOERROR", "validator" in modules),
                      f"{modules}: a name below the refused apex is validated")
            tap.equal(resolver.exchange(ask("www.hosted")).rcode, "SERVFAIL", "its name server cannot be reached")
            for _ in range(2):
                for name, qtype in (("ns.hoster.slow.example", "A"), ("ns.hoster.slow.example", "AAAA"),
                                    ("example", "DNSKEY"), ("example", "DS"), ("example", "NS"), ("example", "A")):
                    for flags in (RD, RD | CD):
                        reply = resolver.exchange(ask(name, qtype, flags=flags, dnssec=True))
                        check(tap, f"{modules}: {name} {qtype} {flags:04x}", reply, "NXDOMAIN", [], ede=[(15, "")])


def test_minimised(world, tap):
    """QNAME minimisation asks for names above; what it learns is no answer for a client either."""
    text = "nxdomain zone wild.example\npassthru zone ok.wild.example"
    with policy(world, tap, text, server="qname-minimisation: yes") as resolver:
        for _ in range(2):
            reply = resolver.exchange(ask("a.b.ok.wild.example", dnssec=True))
            tap.equal((reply.rcode, reply.has(dns.flags.AD)), ("NOERROR", True), "passthru below a refused zone")
            for name in ("wild.example", "x.wild.example"):
                for flags in (RD, RD | CD):
                    check(tap, name, resolver.exchange(ask(name, flags=flags)), "NXDOMAIN", ede=[(15, "")])


def test_tried(world, tap):
    """`mode=log-only` and `action=` of a line: one zone is tried, whatever it says, and another is in force, as its line says."""
    zones = {f"{name}_zone": f"$ORIGIN rpz.\n@ 60 SOA ns hostmaster 1 2 3 4 5\n@ 60 NS ns\n{owner} 60 CNAME {action}\n"
             for name, owner, action in (("tried", WWW, "."), ("feed", f"*.{SHOP}", "rpz-drop."))}
    text = "rpz tried.zone mode=log-only action=refuse tag=tried\nrpz feed.zone action=nodata ede=17:x tag=feed\n"
    with policy(world, tap, text, lists=zones) as resolver:
        for way, question, transport in every_way(f"mail.{SHOP}", "A"):
            reply, line = resolver.logged(question, transport)
            check(tap, f"in force, {way}", reply, "NOERROR", [], soa(f"{SHOP}."), [(17, "x")])
            tap.equal((line.policy[0], line.policy[3:]), ("nodata", ("feed", None)), f"in force, {way}: its line")
    with policy(world, tap, text.splitlines()[0], lists=zones) as resolver:
        for way, question, transport in every_way(WWW, "A"):
            reply, line = resolver.logged(question, transport)
            tap.equal((reply.rcode, len(reply.message.answer) > 0, edes(reply)), ("NOERROR", True, []), f"tried, {way}: nothing changes")
            tap.equal((line.policy[0], line.policy[3:]), ("refuse", ("tried", "log-only")), f"tried, {way}: its line")


def test_prefix(world, tap):
    """RPZ's `CNAME *.target`."""
    zone = """\
$ORIGIN rpz.
@ 60 SOA ns hostmaster 1 2 3 4 5
@ 60 NS ns
prefix.test.example 60 CNAME *.wild.example.
*.prefix.test.example 60 CNAME *.wild.example.
"""
    longest = ".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 38, "prefix.test.example"])
    with policy(world, tap, "rpz feed.zone\n", lists={"feed_zone": zone}) as resolver:
        reply = resolver.exchange(ask("x.prefix.test.example"))
        tap.equal(reply.answers(), ["x.prefix.test.example.wild.example.", "192.0.2.77"], "the query name, prefixed")
        check(tap, "a name that gets too long", resolver.exchange(ask(longest)), "YXDOMAIN", [], [], [(4, "")])


def waiting(tap, resolver, gate, question, transport=Udp, source=None):
    """A client whose question has come as far as the upstream."""
    client = transport(resolver.address(), source)
    client.send(question)
    tap.ok(gate.arrived.wait(20), "the upstream is asked")
    return client


def joining(tap, resolver, question, transport=Udp, source=None):
    """A client whose question has been read, and which waits like the one before it."""
    client = transport(resolver.address(), source)
    client.send(question)
    fence(tap, resolver)
    return client


def received(resolver, client, question):
    reply = client.receive()
    resolver.answered(question)
    client.close()
    return reply


def test_swap_in_flight(world, tap):
    """A query that was allowed when it came and is refused when its answer comes, which may be an alias of the refused name."""
    for number, (action, rcode, records, flags) in enumerate((
            ("nxdomain", "NXDOMAIN", [], RD), ("refuse", "REFUSED", [], RD | CD), ("nodata", "NOERROR", [], RD),
            ("redirect 192.0.2.9", "NOERROR", ["192.0.2.9"], RD | CD))):
        for label, target in (f"gate-flight{number}", None), (f"gate-alias-flight{number}", f"flight{number}.slow.example"):
            name, what = f"{label}.slow.example", f"{action}, {label}"
            gate = world.upstream.gate(label)
            with policy(world, tap, "nxdomain name other.example") as resolver:
                client = waiting(tap, resolver, gate, ask(name, flags=flags))
                assert changed(resolver, f"{action} name {target or name}")
                gate.open()
                for reply in (received(resolver, client, ask(name)), resolver.exchange(ask(name)), resolver.exchange(ask(name, flags=RD | CD))):
                    check(tap, what, reply, rcode, ede=[(4 if "redirect" in action else 15, "")])
                    chain = [f"{target}."] if target and action != "refuse" else []
                    tap.equal(reply.answers(), chain + records, f"{what}: answer")
                tap.equal(resolver.cached(name), [], f"{what}: nothing is cached")


def test_swap_alias(world, tap):
    """An alias waits for its target while its rule changes."""
    after = (("nxdomain zone swap.example", "NXDOMAIN", [], soa("swap.example.")),
             ("cname gate-NN.slow.example zone swap.example", "NOERROR", ["gate-NN.slow.example.", "192.0.2.200"], []),
             ("cname ascii.example zone swap.example", "NOERROR", ["ascii.example.", "192.0.2.60"], None),
             ("passthru zone swap.example", "NXDOMAIN", [], None))
    for number, (rule, rcode, answer, authority) in enumerate(after):
        label = f"gate-alias{number}"
        gate = world.upstream.gate(label)
        with policy(world, tap, f"cname {label}.slow.example zone swap.example") as resolver:
            client = waiting(tap, resolver, gate, ask("x.swap.example"))
            assert changed(resolver, rule.replace("gate-NN", label) + "\nlog name none.example tag=t")
            gate.open()
            reply = received(resolver, client, ask("x.swap.example"))
            tap.equal((reply.rcode, reply.answers()), (rcode, [a.replace("gate-NN", label) for a in answer]), rule)
            if authority is not None:
                tap.equal(section(reply.message.authority), authority, f"{rule}: authority")


def test_target_asked_for_too(world, tap):
    """A client asks for the very target that another's alias waits for, and which is refused to clients."""
    for number, (action, transport) in enumerate((("nxdomain", Udp), ("drop", Udp), ("drop", Tcp), ("tcp-only", Udp),
                                                  ("cname ascii.example", Udp), ("refuse", Udp), ("nodata", Tcp))):
        label = f"gate-target{number}"
        name = f"{label}.slow.example"
        gate = world.upstream.gate(label)
        with policy(world, tap, f"cname {name} name a.example\n{action} name {name}") as resolver:
            first = waiting(tap, resolver, gate, ask("a.example"))
            second = joining(tap, resolver, ask(name), transport)
            gate.open()
            reply = received(resolver, first, ask("a.example"))
            tap.equal((reply.rcode, reply.answers()), ("NOERROR", [f"{name}.", "192.0.2.200"]),
                      f"{action}: the alias has its target")
            if action == "drop" and transport is Udp:
                resolver.answered(ask(name))
                resolver.log.wait(f"{name}.", 1)
                second.close()
            else:
                reply = received(resolver, second, ask(name))
                tap.ok("192.0.2.200" not in reply.answers(), f"{action}: and a client does not get it", reply.message)
            if action != "drop":
                reply = resolver.exchange(ask(name))
                tap.ok("192.0.2.200" not in reply.answers(), f"{action}: nor later", reply.message)


def test_order_at_reload(world, tap):
    """An error, and the policy is in force as far as it goes: a resolver does not die of it."""
    with world.resolver(tap, "", prepare=rules(RULES),
                        server='module-config: "dns64 dynlib validator iterator"') as resolver:
        tap.equal(resolver.exchange(ask("ascii.example")).answers(), ["192.0.2.60"], "before")
        write_idn(resolver.folder, "policy: rules.conf")
        resolver.reload("reload")
        tap.ok(resolver.daemon.stderr.wait(lambda octets: b"dns64 is before dynlib" in octets), "it is reported", resolver.daemon.log())
        for _ in range(2):
            check(tap, "after", resolver.exchange(ask("nx.example")), "NXDOMAIN", [], soa("nx.example."), [(15, "")])


def test_long_answer(world, tap):
    """More than a message has room for: as much as it has. Over UDP, and without EDNS, it is truncated."""
    lines = "".join(f'answer name long.example TXT "{number:03}{"x" * 237}"\n' for number in range(256))
    addresses = " ".join(f"2001:db8::{number:x}" for number in range(1, 65))
    with policy(world, tap, f"{lines}redirect {addresses} name many.example",
                server="minimal-responses: no\nrrset-roundrobin: yes") as resolver:
        for name, qtype, least, most in ("long.example", "TXT", 241, 255), ("long.example", "ANY", 241, 255), ("many.example", "AAAA", 64, 64):
            reply = resolver.exchange(ask(name, qtype), Tcp)
            tap.ok(least <= len(reply.answers()) <= most and not reply.has(dns.flags.TC), f"{name} {qtype}: what has room", len(reply.answers()))
            for edns, size in (True, 1232), (False, 512):
                reply = resolver.exchange(ask(name, qtype, edns=edns))
                tap.ok(reply.has(dns.flags.TC) and len(reply.wire) <= size, f"{name} {qtype}: truncated over UDP", reply.message)
