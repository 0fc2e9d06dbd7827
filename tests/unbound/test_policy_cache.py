# SPDX-License-Identifier: BSD-3-Clause
"""Tests aliases that turn while they are cached, records that Unbound uses for itself, and the cache behind its own."""

import time

from daemon import eventually
from question import CD, RD, Udp, ask
from resolver import is_withheld
from rulefile import changed
from test_policy_alias import asked
from test_policy_answers import check, joining, policy, received, waiting

CACHEDB = 'cachedb:\n    backend: "testframe"\n'  # in the daemon's memory; keeps the answer stored last


def slow_key(label):
    """A trust anchor: the zone's DNSKEY is asked for, and comes when the gate opens."""
    return f'trust-anchor: "{label}.slow.example. DS 20326 8 2 {"AB" * 32}"\nqname-minimisation: no'


def refused(tap, resolver, what, name):
    for qtype in ("A", "AAAA"):
        for flags in (RD, RD | CD):
            check(tap, f"{what}: {qtype}", resolver.exchange(ask(name, qtype, flags=flags)), "NXDOMAIN", ede=[(15, "")])
    tap.equal(resolver.cached(name), [], f"{what}: nothing is cached")


AUTH = """\
$ORIGIN az.gate-auth.slow.example.
@ 300 SOA ns h 1 2 3 4 5
@ 300 NS ns
a 300 CNAME evil
evil 300 A 192.0.2.200
"""


def test_auth_zone(world, tap):
    """An auth-zone's answer waits for a key like any other, and is not found in the cache meanwhile."""
    gate = world.upstream.gate("gate-auth")
    clauses = 'auth-zone:\n    name: "az.gate-auth.slow.example."\n    for-downstream: no\n    zonefile: "az.zone"\n'
    with policy(world, tap, "passthru name a.az.gate-auth.slow.example\nnxdomain name other.example", "log-to: log/idn.log", lists={"az_zone": AUTH},
                clauses=clauses, server=slow_key("gate-auth")) as resolver:
        question = ask("a.az.gate-auth.slow.example")
        client = waiting(tap, resolver, gate, question)
        tap.equal(len(resolver.exchange(ask(question.labels, flags=RD | CD)).answers()), 2, "exempt: given without the key")
        assert changed(resolver, "nxdomain name evil.az.gate-auth.slow.example")
        second = joining(tap, resolver, ask(question.labels, "TXT"))
        for qtype in "A", "TXT":
            check(tap, qtype, resolver.exchange(ask(question.labels, qtype, flags=RD | CD)), "NXDOMAIN", ede=[(15, "")])
        tap.equal(resolver.cached("a.az.gate-auth.slow.example"), [], "nothing is cached")
        check(tap, "who came after the rule", received(resolver, second, ask(question.labels, "TXT")), "NXDOMAIN", ede=[(15, "")])
        gate.open()
        tap.equal(received(resolver, client, question).rcode, "SERVFAIL", "who has waited for a key that is none")


def test_alias_that_turns(world, tap):
    """A server gives a name another alias, and later the first again. Messages share its record in the cache, so an older one
    may not say by its aliases whose data it has."""
    name = "turn-evil.slow.example"
    with policy(world, tap, "nxdomain name other.example", server="qname-minimisation: no") as resolver:
        tap.equal(resolver.exchange(ask(name)).answers(), ["evil.slow.example.", "192.0.2.200"], "allowed")
        tap.equal(resolver.exchange(ask(name, "DS")).answers(), ["other-evil.slow.example."], "another alias")
        assert changed(resolver, "nxdomain name evil.slow.example")
        time.sleep(2)  # it lasts for one second
        for qtype in "AAAA", "A":
            check(tap, qtype, resolver.exchange(ask(name, qtype)), "NXDOMAIN", ede=[(15, "")])


def test_alias_that_turns_to_a_refused_name(world, tap):
    """The server gives an allowed name first, which is cached for a type of which there is no data."""
    name = "turn-first.slow.example"
    with policy(world, tap, "nxdomain name other-first.slow.example", server="qname-minimisation: no\ncache-min-ttl: 60") as resolver:
        tap.equal(resolver.exchange(ask(name, "AAAA")).answers(), ["first.slow.example."], "allowed")
        tap.equal(len(resolver.cached(name)), 1, "and cached")
        for qtype in "DS", "AAAA":
            check(tap, qtype, resolver.exchange(ask(name, qtype)), "NXDOMAIN", ede=[(15, "")])


def test_referral(world, tap):
    """A forwarder's referral is an answer: while its zone's key is waited for, it has no refused name's address. Another
    server's is followed, so Unbound keeps that address."""
    name = "ref-evil.gate-referred.fwd.slow.example"
    glue = "gate-glue.ref-gate-glue.slow.example"
    gate = world.upstream.gate("gate-referred")
    clauses = f'forward-zone:\n    name: "fwd.slow.example."\n    forward-addr: 127.0.0.1@{world.upstream.port}\n'
    with policy(world, tap, f"nxdomain name evil.{name}\nnxdomain name {glue}", clauses=clauses, check=False,
                server=slow_key("gate-referred.fwd") + "\nval-permissive-mode: yes") as resolver:
        client = waiting(tap, resolver, gate, ask(name))
        for flags in (RD | CD, RD | CD, RD):
            if flags == RD:
                gate.open()
                reply = received(resolver, client, ask(name))
            else:
                reply = resolver.exchange(ask(name, flags=flags))
            message = reply.message
            tap.equal([rrset.rdtype for rrset in message.authority], [2], "a referral")
            tap.equal([rrset.to_text() for rrset in message.additional], [], "without the address")
        waiting(tap, resolver, world.upstream.gate("gate-glue"), ask(f"ref-{glue.partition('.')[0]}.slow.example")).close()
        tap.ok(f"\n{glue}.\t" in resolver.control("dump_cache")[1], "what is followed keeps it")


def test_own_use(world, tap):
    """Unbound itself uses the own address of a refused name: for a zone's server, and behind an exempt alias."""
    server, alias = "here.evil.slow.example", "hop-evil.slow.example"
    clauses = f"stub-zone:\n    name: stubbed.slow.example\n    stub-host: {server}@{world.upstream.port}\n"
    for action, rcode, ede in ("nxdomain", "NXDOMAIN", 15), ("nodata", "NOERROR", 15), ("redirect 192.0.2.80", "NOERROR", 4):
        text = f"{action} zone evil.slow.example\npassthru name {alias}"
        with policy(world, tap, text, clauses=clauses) as resolver:
            for time in "first", "second", "third":
                for name in server, "evil.slow.example":
                    for qtype in "A", "AAAA":
                        check(tap, f"{action}: {name} {qtype}, {time}", resolver.exchange(ask(name, qtype)), rcode, ede=[(ede, "")])
            tap.equal(resolver.exchange(ask("www.stubbed.slow.example")).answers(), ["192.0.2.200"], f"{action}: its zone")
            tap.equal(resolver.exchange(ask(alias)).answers(), ["evil.slow.example.", "192.0.2.200"], f"{action}: exempt")


STALE = "serve-expired: yes\nserve-expired-client-timeout: 0\nqname-minimisation: no"
FORMER = "dname-good.slow.example"  # where the aliases lead for the first second


def test_turned_alias(world, tap):
    """An alias of allowed answers, expired in the cache, now leads to a refused name: none of them shows it."""
    name = "once-brief-evil.slow.example"
    with policy(world, tap, "nxdomain name brief-evil.slow.example", server=STALE) as resolver:
        for qtype in "A", "AAAA":
            tap.equal(resolver.exchange(ask(name, qtype)).answers()[:1], [f"{FORMER}."], f"{qtype}: allowed")
        tap.ok(eventually(lambda: resolver.exchange(ask(name)).rcode == "NXDOMAIN"), "A: refused")
        for qtype in ("AAAA", "A") * 4:
            reply = resolver.exchange(ask(name, qtype))
            tap.ok(reply.rcode == "NXDOMAIN" or reply.answers()[0] == f"{FORMER}.", f"{qtype}: refused, or still allowed",
                   reply.message)


def test_turned_away(world, tap):
    """It has turned away from a name that is refused from now on, but the answers still have that name's DNAME."""
    name = "once-brief-away.slow.example"
    with policy(world, tap, "nxdomain name other.example", server=STALE) as resolver:
        for qtype in "DNAME", "A":
            tap.equal(resolver.exchange(ask(name, qtype)).answers()[:1], [f"{FORMER}."], f"{qtype}: allowed")
        tap.ok(eventually(lambda: resolver.exchange(ask(name)).answers()[0] != f"{FORMER}."), "A: turned")
        assert changed(resolver, f"nxdomain name {FORMER}")
        reply = resolver.exchange(ask(name, "DNAME"))
        tap.ok(all(rrset.name.to_text() != f"{FORMER}." for rrset in reply.message.answer), "DNAME: nothing of it", reply.message)


def forget(tap, resolver, *names):
    """In Unbound's own caches, not in cachedb's."""
    for name in names:
        tap.equal(resolver.control("flush", name)[0], 0, "flushed")
        tap.equal(resolver.cached(name), [], "nothing is in the message cache")


def test_cachedb_expired(world, tap):
    """An expired alias of cachedb's backend goes to clients before any module sees it, and is refused."""
    if world.lacks(tap, "cachedb"):
        return
    name, target = "gate-hop-aged.slow.example", "aged.slow.example"
    gate = world.upstream.gate("gate-hop-aged")
    for modules in ("validator cachedb iterator", "cachedb iterator"):
        for timeout in 0, 50:
            question = ask(name, flags=RD | CD)
            gate.open()
            with policy(world, tap, "nxdomain name other.example", modules=modules, clauses=CACHEDB,
                        server=f"serve-expired: yes\nserve-expired-client-timeout: {timeout}\ncache-max-ttl: 1") as resolver:
                tap.equal(resolver.exchange(question).answers()[-1:], ["192.0.2.200"], "allowed, and stored")
                gate.opened.clear()
                forget(tap, resolver, name, target)
                time.sleep(2)  # the TTL, and what a second is rounded to
                assert changed(resolver, f"nxdomain name {target}")
                # within the timeout a second client joins the query; else it waits for the name's server
                clients = [Udp(resolver.address()) for _ in range(2 if timeout else 1)]
                for client in clients:
                    client.send(question)
                replies = [received(resolver, client, question) for client in clients]
                tap.equal([(is_withheld(reply), reply.answers()) for reply in replies], [(True, [])] * len(clients),
                          f"{modules}, {timeout} ms: expired, and withheld")
                lines = [resolver.log.wait(f"{name}.", number)[number - 1] for number in range(2, 2 + len(clients))]
                tap.equal([(line.rcode, line.policy and line.policy[0], line.target) for line in lines],
                          [("NOERROR", "nxdomain", target)] * len(clients), f"{modules}, {timeout} ms: each line tells of the rule")
                tap.equal(resolver.cached(name), [], f"{modules}, {timeout} ms: nothing is cached")
                gate.open()
                tap.equal(resolver.exchange(question).rcode, "NXDOMAIN", f"{modules}, {timeout} ms: the rule's own answer")


STALE_SOON = "serve-expired: yes\nserve-expired-client-timeout: {}\ncache-max-ttl: 1\nqname-minimisation: no"


def test_cachedb_expired_joined(world, tap):
    """The backend's answer is expired, and the servers do not answer. A client without CD waits, for validation or for the AAAA that
    dns64 makes, and one with CD joins the lookup."""
    if world.lacks(tap, "cachedb"):
        return
    dns64 = "dns64 validator cachedb iterator"
    for modules, label, check_first, timeout in (
            ("validator cachedb iterator", "gate-hop-stale", "yes", 0), ("validator cachedb iterator", "gate-hop-stale", "yes", 1800),
            ("validator cachedb iterator", "gate-hop-stale", "no", 0), ("validator cachedb iterator", "gate-hop-stale", "no", 1800),
            (dns64, "a-gate-hop-old", "no", 0)):
        what = f"{modules}: check {check_first}, {timeout} ms"
        name, target = f"{label}.slow.example", f"{label.rpartition('-')[2]}.slow.example"
        first = ask(name, "AAAA") if modules == dns64 else ask(name)
        gate = world.upstream.gate(label)
        gate.open()
        with policy(world, tap, "nxdomain name other.example", modules=modules, server=STALE_SOON.format(timeout),
                    clauses=f"{CACHEDB}    cachedb-check-when-serve-expired: {check_first}\n") as resolver:
            stored = resolver.exchange(first if modules == dns64 else ask(name, flags=RD | CD))
            tap.equal(len(stored.answers()), 2, f"{what}: allowed, and stored")
            gate.opened.clear()
            gate.arrived.clear()
            forget(tap, resolver, name, target)
            time.sleep(2)  # the TTL, and what a second is rounded to
            assert changed(resolver, f"nxdomain name {target}")
            client = waiting(tap, resolver, gate, first)
            second = joining(tap, resolver, ask(name, flags=RD | CD))
            gate.open()
            for reply, flags in (received(resolver, client, first), RD), (received(resolver, second, ask(name, flags=RD | CD)), CD):
                tap.ok(reply.rcode == "NXDOMAIN" or is_withheld(reply), f"{what}, flags {flags:x}: refused", reply.message)
                tap.ok(len(reply.answers()) < 2, f"{what}, flags {flags:x}: no data", reply.message)
            refused(tap, resolver, f"{what}: later", name)


def test_cachedb_unvalidated(world, tap):
    """The backend's answer is not expired, but waits for its zone's key: no other client is given it meanwhile."""
    if world.lacks(tap, "cachedb"):
        return
    name, target = "hop-evil.gate-stored.slow.example", "evil.slow.example"
    question = ask(name, flags=RD | CD)
    gate = world.upstream.gate("gate-stored")
    with policy(world, tap, "nxdomain name other.example", modules="validator cachedb iterator", clauses=CACHEDB,
                server=slow_key("gate-stored"), check=False) as resolver:
        first = waiting(tap, resolver, gate, ask(name))  # allowed, and stored
        assert changed(resolver, f"nxdomain name {target}")
        forget(tap, resolver, name, target)
        before = asked(world, name)
        client = joining(tap, resolver, question)
        tap.equal(asked(world, name), before, "the answer is the backend's")
        gate.open()
        check(tap, "CD", received(resolver, client, question), "NXDOMAIN", ede=[(15, "")])
        tap.equal(received(resolver, first, ask(name)).answers(), [], "without CD")
        refused(tap, resolver, "later", name)
