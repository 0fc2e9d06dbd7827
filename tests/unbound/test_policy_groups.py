# SPDX-License-Identifier: BSD-3-Clause
"""Rules with client= and when=: each client gets its own answer, with any other client waiting and anything cached, whatever Unbound
does for itself meanwhile, on streams with many questions; and clients that lie about who they are."""

import re
import struct
import time

import dns.edns
import dns.flags

import encrypted
from daemon import eventually, free_port
from proxied import HeadedUdp, header
from question import CD, RD, Tcp, Udp, ask, exchange
from rulefile import changed
from test_policy_answers import fence, policy, received, waiting
from test_targets import METRICS

KID, STAFF, OTHER = "127.0.3.1", "127.0.4.1", "127.0.5.1"
GROUPS = "group kids 127.0.3.0/24\ngroup staff 127.0.4.0/24\n"
OWN = (False, "NOERROR", ["192.0.2.77"])  # what wild.example has


def shown(reply):
    """Returns whether the reply is truncated, the rcode, and the answer section."""
    return reply.has(dns.flags.TC), reply.rcode, reply.answers()


def get(tap, resolver, wanted, name, source, transport=Udp, **more):
    reply = resolver.exchange(ask(name, **more), transport, source)
    tap.equal(shown(reply), wanted, f"{name} for {source}, {transport.__name__}")
    return reply


ACTIONS = {
    "nxdomain": (False, "NXDOMAIN", []),
    "nodata": (False, "NOERROR", []),
    "refuse": (False, "REFUSED", []),
    "redirect 192.0.2.9": (False, "NOERROR", ["192.0.2.9"]),
    "cname ascii.example": (False, "NOERROR", ["ascii.example.", "192.0.2.60"]),
    "answer": (False, "NOERROR", ["192.0.2.8"]),
    "tcp-only": (True, "NOERROR", []),
}


def test_each_action(world, tap):
    """Kids get the rule's answer and all others the name's own, in any order, on UDP and TCP."""
    text = GROUPS + "".join(f"{action} name a{i}.wild.example client=kids{' A 192.0.2.8' * (action == 'answer')}\n"
                            for i, action in enumerate(ACTIONS))
    for modules in "validator iterator", "respip validator iterator", "iterator":
        with policy(world, tap, text, modules=modules) as resolver:
            for i, (action, wanted) in enumerate(ACTIONS.items()):
                name = f"a{i}.wild.example"
                for source in (KID, OTHER, KID, STAFF, OTHER, KID) if i % 2 else (STAFF, KID, OTHER, KID):
                    own = source != KID
                    get(tap, resolver, OWN if own else wanted, name, source)
                    get(tap, resolver, OWN if own or action == "tcp-only" else wanted, name, source, Tcp)
                    get(tap, resolver, OWN if own else wanted, name, source, flags=RD | CD)
                tap.equal(resolver.cached(name), [], f"{modules}: {action}: nobody's answer is cached")
            get(tap, resolver, OWN, "of-no-rule.wild.example", KID)
            tap.equal(len(resolver.cached("of-no-rule.wild.example")), 1, "what no client rule is about is cached")


def test_order(world, tap):
    """For other clients the line is not there; log rules and exemptions have clients, too."""
    text = GROUPS + """\
passthru zone free.wild.example client=staff
nxdomain zone free.wild.example
redirect 192.0.2.1 zone twice.wild.example client=kids
redirect 192.0.2.2 zone twice.wild.example client=!staff
log zone noted.wild.example client=kids tag=noted
nxdomain name all.wild.example
refuse name all.wild.example client=kids
refuse zone one.wild.example client=127.0.5.1,127.0.4.0/30
"""
    with policy(world, tap, text) as resolver:
        for _ in range(2):
            get(tap, resolver, OWN, "x.free.wild.example", STAFF)
            get(tap, resolver, ACTIONS["nxdomain"], "x.free.wild.example", KID)
            for source, last in (KID, 1), (OTHER, 2):
                get(tap, resolver, (False, "NOERROR", [f"192.0.2.{last}"]), "twice.wild.example", source)
            get(tap, resolver, OWN, "twice.wild.example", STAFF)
            for source in KID, STAFF:
                get(tap, resolver, ACTIONS["nxdomain"], "all.wild.example", source)
                _, line = resolver.logged(ask("noted.wild.example"), source=source)
                tap.equal(line.fields.get("tags"), "noted" if source == KID else None, f"the tag for {source}")
            for source in OTHER, STAFF:
                get(tap, resolver, ACTIONS["refuse"], "one.wild.example", source)
            get(tap, resolver, OWN, "one.wild.example", KID)
        tap.equal(len(resolver.cached("noted.wild.example")), 1, "a log rule changes nothing, so its name is cached")


def test_group_in_the_log(world, tap):
    for idn in "", "log: json":
        with policy(world, tap, GROUPS + "nxdomain zone wild.example client=kids\nrefuse zone slow.example client=127.0.4.1\n",
                    idn=idn) as resolver:
            for name, source, group in ("a.wild.example", KID, "kids"), ("a.wild.example", STAFF, None), \
                    ("a.slow.example", STAFF, None):
                _, line = resolver.logged(ask(name), source=source)
                tap.equal(line.fields.get("policy.group" if idn else "group"), group, f"{idn}: {name} for {source}")
            if world.ipv6:
                _, line = resolver.logged(ask("a.wild.example"), ipv6=True)
                tap.equal(line.policy, None, f"{idn}: ::1 is in no group")


ALIASES = GROUPS + "redirect 192.0.2.9 name p.slow.example client=kids\n"
REFUSED, ALLOWED = ["p.slow.example.", "192.0.2.9"], ["p.slow.example.", "192.0.2.200"]


def test_alias(world, tap):
    """An alias that no rule is about leads to a name that one is about."""
    for name in "alias-p.slow.example", "hop-p.slow.example", "x.dname-p.slow.example":
        target = "x.p.slow.example." if "dname" in name else "p.slow.example."
        text = ALIASES.replace("name p", "zone p")
        with policy(world, tap, text) as resolver:
            for source in (STAFF, KID, KID, OTHER, KID):
                reply = resolver.exchange(ask(name), source=source)
                tap.equal([data for data in reply.answers() if data != "p.slow.example." or "dname" not in name],
                          [target, "192.0.2.9" if source == KID else "192.0.2.200"], f"{name} for {source}")
            tap.equal(resolver.cached(name), [], f"{name}: not cached")


def test_closed(world, tap):
    """A client that is refused does not wait for one that is not."""
    gate = world.upstream.gate("gate-closed")
    name = "gate-closed.slow.example"
    with policy(world, tap, GROUPS + f"nxdomain name {name} client=kids\n") as resolver:
        client = waiting(tap, resolver, gate, ask(name), Udp, STAFF)
        get(tap, resolver, ACTIONS["nxdomain"], name, KID)
        gate.open()
        tap.equal(received(resolver, client, ask(name)).answers(), ["192.0.2.200"], "the other gets the name's own")


def as_itself(name, source):
    """The question of a client, and the address it comes from; another function may have a forwarder ask for the client."""
    return ask(name), source


def crowd(resolver, kinds, name, how=as_itself):
    """Clients of all groups that ask the same; twice on one connection where that is possible."""
    asked = []
    for kind, port in kinds:
        for source in (STAFF, KID, OTHER, KID):
            question, address = how(name, source)
            client = kind((("127.0.0.1", port) if port else resolver.address()), address)
            for _ in range(1 if kind is Udp else 2):
                client.send(question)
                asked.append((client, source, kind))
    return asked


def answered(tap, resolver, asked, name, what, refused, allowed, how=as_itself):
    """Each client of a query that several share gets its own answer, or none and then its own when it asks again."""
    for client, source, kind in asked:
        reply = client.receive()
        resolver.answered(ask(name))
        own = refused if source == KID else allowed
        if source == KID and (reply.has(dns.flags.TC) or reply.rcode == "SERVFAIL"):
            tap.equal(reply.answers(), [], f"{what}: {source}, {kind.__name__}: no answer yet")
            question, address = how(name, source)
            reply = resolver.exchange(question, Tcp, address)
        tap.equal(reply.answers(), own, f"{what}: {source}, {kind.__name__}")
    for client in {client for client, *_ in asked}:
        client.close()


def test_joined_by_an_alias(world, tap):
    """When they came together it was not known that the alias leads to a name of a client rule."""
    kinds, server = encrypted.offer(world)
    for modules in "validator iterator", "dns64 validator iterator", "respip iterator":
        label = f"gate-alias-{modules.split()[0]}".replace("-alias-", "-hop-p-")
        name, target = f"{label}.slow.example", f"p-{modules.split()[0]}.slow.example"
        gate = world.upstream.gate(label)
        with policy(world, tap, GROUPS + f"redirect 192.0.2.9 name {target} client=kids\n", modules=modules,
                    server=server) as resolver:
            asked = crowd(resolver, [(Udp, 0), (Tcp, 0), *kinds], name)
            tap.ok(gate.arrived.wait(20), "the upstream is asked")
            fence(tap, resolver)
            gate.open()
            answered(tap, resolver, asked, name, modules, [f"{target}.", "192.0.2.9"], [f"{target}.", "192.0.2.200"])
            tap.equal(resolver.cached(name), [], "not cached")


def test_joined_log_rule(world, tap):
    """Clients share a query that a log rule is about for some of them: each line and the rule's counter tell who was one."""
    for number, first in enumerate((STAFF, KID)):
        label = f"gate-noted{number}"
        name, gate = f"{label}.slow.example", world.upstream.gate(label)
        with policy(world, tap, GROUPS + f"log name {name} client=kids tag=noted\n", idn=METRICS) as resolver:
            clients = []
            for source in (first, STAFF, KID):
                clients.append(Udp(resolver.address(), source))
                clients[-1].send(ask(name))
                tap.ok(gate.arrived.wait(20), "the upstream is asked")
            fence(tap, resolver)
            gate.open()
            for client in clients:
                tap.equal(received(resolver, client, ask(name)).answers(), ["192.0.2.200"], "a log rule changes no answer")
            lines = resolver.log.wait(f"{name}.", 3)
            told = sorted((line.client, line.fields.get("tags")) for line in lines)
            kids = [(KID, "noted")] * (1 + (first == KID))
            tap.equal(told, kids + [(STAFF, None)] * (3 - len(kids)), f"{first} asks first")
            counted = eventually(lambda n=len(kids): resolver.metrics().sum("rule_replies_total") == n)
            tap.ok(counted, "each is counted once")


def test_joined_before_a_swap(world, tap):
    """A swap makes the name personal while clients wait for one answer."""
    kinds, server = encrypted.offer(world)
    for action, wanted in ("redirect 192.0.2.9", ["192.0.2.9"]), ("cname ascii.example", ["ascii.example.", "192.0.2.60"]):
        label = f"gate-swap-{action.split()[0]}"
        name, gate = f"{label}.slow.example", world.upstream.gate(label)
        with policy(world, tap, "nxdomain name nothing.example", server=server) as resolver:
            asked = crowd(resolver, [(Udp, 0), (Tcp, 0), *kinds], name)
            tap.ok(gate.arrived.wait(20), "the upstream is asked")
            fence(tap, resolver)
            tap.ok(changed(resolver, GROUPS + f"{action} name {name} client=kids\n"), "a swap")
            gate.open()
            answered(tap, resolver, asked, name, action, wanted, ["192.0.2.200"])
            tap.equal(resolver.cached(name), [], "not cached")


def test_no_room(world, tap):
    """More clients wait together than the mesh has places: none gets another's answer."""
    name, gate = "gate-hop-room.slow.example", world.upstream.gate("gate-hop-room")
    with policy(world, tap, GROUPS + "redirect 192.0.2.9 name room.slow.example client=kids\n",
                server="num-queries-per-thread: 4") as resolver:
        clients = [(Udp(resolver.address(), source), source) for source in (STAFF, KID) * 6]
        for client, _ in clients:
            client.send(ask(name))
        tap.ok(gate.arrived.wait(20), "the upstream is asked")
        fence(tap, resolver)
        gate.open()
        served = 0
        for client, source in clients:
            reply = client.receive()
            resolver.answered(ask(name))
            own = ["room.slow.example.", "192.0.2.9" if source == KID else "192.0.2.200"]
            tap.ok(reply.answers() in (own, []), f"{source}: its own answer, or none", shown(reply))
            served += reply.answers() == own
            client.close()
        tap.ok(served >= 3, "those for whom there was room have theirs", served)
        for source, last in (KID, 9), (STAFF, 200):
            get(tap, resolver, (False, "NOERROR", ["room.slow.example.", f"192.0.2.{last}"]), name, source)


def test_unbounds_own_lookup(world, tap):
    """Clients join Unbound's own lookup, for the server of a zone transfer: it gets the address, and they get theirs."""
    name, gate = "gate-primary-group.slow.example", world.upstream.gate("gate-primary-group")
    clauses = f'auth-zone:\n    name: "sent.example."\n    primary: "{name}"\n'
    with policy(world, tap, GROUPS + f"redirect 192.0.2.9 name {name} client=kids\n", server="verbosity: 4",
                clauses=clauses, check=False) as resolver:
        tap.ok(gate.arrived.wait(20), "Unbound asks")
        asked = crowd(resolver, [(Udp, 0), (Tcp, 0)], name)
        fence(tap, resolver)
        gate.open()
        found = resolver.daemon.stderr.wait(lambda octets: re.search(
            rf"{name} (?:lookup|type A probe lookup) (\S+)".encode(), octets))
        tap.equal(found and found[1], b"192.0.2.200", "Unbound has the address")
        answered(tap, resolver, asked, name, "joined", ["192.0.2.9"], ["192.0.2.200"])


def test_other_modules(world, tap):
    """dns64's sub-queries, subnetcache's and cachedb's caches: the answers are each client's."""
    kid6, own6 = [], ["64:ff9b::c000:2c8"]
    for modules, more in ("dns64 validator iterator", {}), ("subnetcache validator iterator", {
            "server": "send-client-subnet: 127.0.0.1"}), ("validator cachedb iterator", {
            "clauses": 'cachedb:\n    backend: "testframe"\n'}):
        if world.lacks(tap, modules):
            continue
        with policy(world, tap, GROUPS + "nxdomain zone p.slow.example client=kids\n", modules=modules, **more) as resolver:
            for source in (STAFF, KID, STAFF, OTHER, KID):
                get(tap, resolver, ACTIONS["nxdomain"] if source == KID else (False, "NOERROR", ["192.0.2.200"]),
                    "a.p.slow.example", source)
                if "dns64" in modules:
                    get(tap, resolver, (False, "NXDOMAIN" if source == KID else "NOERROR", kid6 if source == KID else own6),
                        "a.p.slow.example", source, qtype="AAAA")
                if "cachedb" in modules:
                    resolver.control("flush", "a.p.slow.example")
            tap.equal(resolver.cached("a.p.slow.example"), [], f"{modules}: not cached")


def test_additional(world, tap):
    """The address of a name of a client rule does not come beside another name's records, from the cache to all."""
    with policy(world, tap, GROUPS + "nxdomain name mail.slow.example client=kids\n", server="minimal-responses: no") as resolver:
        for source in STAFF, KID:
            reply = resolver.exchange(ask("mx-mail.slow.example", "MX"), source=source)
            tap.equal((reply.answers(), reply.message.additional), (["10 mail.slow.example."], []), f"MX for {source}")


def test_failure(world, tap):
    """A failure of the name's servers is not remembered for the client who is refused the name."""
    with policy(world, tap, GROUPS + "nxdomain zone dead.example client=kids\nnxdomain name servfail.slow.example client=kids\n"
                ) as resolver:
        for name in "servfail.slow.example", "x.dead.example":
            for source in STAFF, KID:
                reply = resolver.exchange(ask(name), source=source)
                tap.equal(reply.rcode, "NXDOMAIN" if source == KID else "SERVFAIL", f"{name} for {source}")


def test_minimised_nxdomain(world, tap):
    """NXDOMAIN for a name above ends a query with strict QNAME minimisation. The validator stores it under that name, and, when
    dns64 lets a query for AAAA run again, without asking whether it may."""
    modules = "dns64 subnetcache validator iterator"
    if world.lacks(tap, modules):
        return
    server = "qname-minimisation: yes\nqname-minimisation-strict: yes\nsend-client-subnet: 127.0.0.1\ndomain-insecure: \"slow.example\""
    rule = f"nodata zone nothing-above.slow.example type=A client={KID}"
    with policy(world, tap, rule, modules=modules, server=server) as resolver:
        for qtype in "AAAA", "MX", "A":
            resolver.exchange(ask("below.nothing-above.slow.example", qtype), source=OTHER)
            tap.equal([resolver.exchange(ask("nothing-above.slow.example"), source=source).rcode for source in (KID, OTHER)],
                      ["NOERROR", "NXDOMAIN"], f"after {qtype} of a name below")


ADDRESS = (False, "NOERROR", ["192.0.2.200"])  # what names under slow.example have
REDIRECTED = (False, "NOERROR", ["192.0.2.9"])
EXPIRED = "serve-expired: yes\nserve-expired-ttl: 0\nserve-expired-client-timeout: {}\ncache-max-ttl: 1"


def shut(world, label):
    """A gate that lets the first questions through, and then none until it is opened again."""
    gate = world.upstream.gate(label)
    gate.open()

    def close():
        gate.opened.clear()
        gate.arrived.clear()
    return gate, close


# ---- what Unbound does for itself --------------------------------------------------------------------------------------


def test_prefetch(world, tap):
    """Clients join the prefetch of an expired answer that was everybody's until a swap."""
    kinds, server = encrypted.offer(world)
    for modules in "validator iterator", "dns64 validator iterator":
        label = f"gate-fetch-{modules.split()[0]}"
        name = f"{label}.slow.example"
        gate, close = shut(world, label)
        with policy(world, tap, "nxdomain name nothing.example", server=EXPIRED.format(0) + "\n" + server, modules=modules) as resolver:
            get(tap, resolver, ADDRESS, name, STAFF)
            close()
            time.sleep(2.1)
            get(tap, resolver, ADDRESS, name, KID)  # expired, and asked for again
            tap.ok(gate.arrived.wait(20), "the prefetch is under way")
            tap.ok(changed(resolver, GROUPS + f"redirect 192.0.2.9 name {name} client=kids\n"), "a swap")
            asked = crowd(resolver, [(Udp, 0), (Tcp, 0), *kinds], name)
            fence(tap, resolver)
            gate.open()
            answered(tap, resolver, asked, name, f"{modules}: joined", ["192.0.2.9"], ["192.0.2.200"])
            tap.equal(resolver.cached(name), [], "not cached")
            get(tap, resolver, REDIRECTED, name, KID)
            get(tap, resolver, ADDRESS, name, STAFF)


def test_name_server_lookup(world, tap):
    """Clients ask for the address of a name server while the iterator, for one of them, looks it up."""
    name, gate = "gate-ns.slow.example", world.upstream.gate("gate-ns")
    for source in KID, STAFF:
        with policy(world, tap, GROUPS + f"nxdomain name {name} client=kids\n") as resolver:
            gate.opened.clear()
            gate.arrived.clear()
            first = waiting(tap, resolver, gate, ask("www.gated"), Udp, source)
            asked = crowd(resolver, [(Udp, 0), (Tcp, 0)], name)
            fence(tap, resolver)
            gate.open()
            answered(tap, resolver, asked, name, f"joined, for {source}", [], ["192.0.2.200"])
            tap.equal(first.receive().rcode, "SERVFAIL", "the server has an address, for whoever asks, that nobody can reach")
            resolver.answered(ask("www.gated"))
            first.close()


def test_expired_shared(world, tap):
    """An answer expires in the cache, clients wait for its successor, and then only some of them may have it."""
    for timeout in 0, 1500:
        label = f"gate-stale{timeout}"
        name = f"{label}.slow.example"
        gate, close = shut(world, label)
        with policy(world, tap, "nxdomain name nothing.example", server=EXPIRED.format(timeout)) as resolver:
            get(tap, resolver, ADDRESS, name, STAFF)
            close()
            time.sleep(2.1)
            waiting = crowd(resolver, [(Udp, 0)], name) if timeout else []
            tap.ok(not timeout or gate.arrived.wait(20), "they wait")
            tap.ok(changed(resolver, GROUPS + f"nxdomain name {name} client=kids\n"), "a swap")
            time.sleep(1.6 if timeout else 0)  # the time when an expired answer would be given
            gate.open()
            answered(tap, resolver, waiting, name, "waited", [], ["192.0.2.200"])
            for source in (KID, STAFF) * 2:
                get(tap, resolver, ACTIONS["nxdomain"] if source == KID else ADDRESS, name, source)
            tap.equal(resolver.cached(name), [], "not cached")


def test_expired_alias(world, tap):
    """The alias is everybody's and expired; its target became some clients'."""
    for timeout in 0, 300:
        name = f"hop-brief-stale{timeout}.slow.example"
        target = f"brief-stale{timeout}.slow.example"
        with policy(world, tap, "nxdomain name nothing.example", server=EXPIRED.format(timeout)) as resolver:
            for source in KID, STAFF:
                get(tap, resolver, (False, "NOERROR", [f"{target}.", "192.0.2.200"]), name, source)
            time.sleep(2.1)
            tap.ok(changed(resolver, GROUPS + f"redirect 192.0.2.9 name {target} client=kids\n"), "a swap")
            for source in (KID, STAFF) * 2:
                get(tap, resolver, (False, "NOERROR", [f"{target}.", f"192.0.2.{9 if source == KID else 200}"]), name, source)


# ---- streams with many questions ---------------------------------------------------------------------------------------


def test_many_on_one_connection(world, tap):
    """Two connections, one of each group, with ten questions each for the same five names, three of which are personal."""
    kinds, server = encrypted.offer(world)
    for number, (kind, port) in enumerate([(Tcp, 0), *kinds]):
        labels = [f"gate-many{number}{letter}" for letter in "abcde"]
        gates = [world.upstream.gate(label) for label in labels]
        with policy(world, tap, "nxdomain name nothing.example", server=server) as resolver:
            clients = [(kind(("127.0.0.1", port) if port else resolver.address(), source), source) for source in (KID, STAFF)]
            sent = {}
            for turn in range(10):
                for client, source in clients:
                    index = turn % 5
                    sent[source, client.send(ask(f"{labels[index]}.slow.example"))] = index
            tap.ok(all(gate.arrived.wait(20) for gate in gates), "all are asked for")
            fence(tap, resolver)
            tap.ok(changed(resolver, GROUPS + "".join(f"redirect 192.0.2.{index} name {labels[index]}.slow.example client=kids\n"
                                                      for index in (0, 2, 4))), "a swap")
            for gate in reversed(gates):
                gate.open()
            for client, source in clients * 10:
                reply = client.receive()
                index = sent.pop((source, reply.ident))
                name = f"{labels[index]}.slow.example"
                resolver.answered(ask(name))
                own = source != KID or index % 2
                if not own and not reply.answers():  # withheld: one connection has several queries under way
                    reply = resolver.exchange(ask(name), Tcp, source)
                tap.equal(reply.answers(), ["192.0.2.200" if own else f"192.0.2.{index}"], f"{kind.__name__}: {source}, name {index}")
            tap.equal(sent, {}, f"{kind.__name__}: each question has its answer")
            for client, _ in clients:
                client.close()


# ---- what was cached before ----------------------------------------------------------------------------------------------


def test_cachedb(world, tap):
    """cachedb keeps what was everybody's; it is not given to a client to whom a later rule refuses it, and gets nothing
    of a name that is personal."""
    modules, clauses = "validator cachedb iterator", 'cachedb:\n    backend: "testframe"\n'
    if world.lacks(tap, modules):
        return
    before, personal = "kept.slow.example", "personal.slow.example"
    asked = world.upstream.asked
    with policy(world, tap, GROUPS + f"redirect 192.0.2.9 name {personal} client=kids\n", modules=modules, clauses=clauses) as resolver:
        for count in range(1, 4):
            get(tap, resolver, ADDRESS, personal, STAFF)
            get(tap, resolver, REDIRECTED, personal, KID)
            tap.equal(asked[f"{personal}.", "A"] > 0, True, "the upstream is asked")
            resolver.control("flush", personal)
        tap.equal(asked[f"{personal}.", "A"], 3, "each time: cachedb has none of its answers")
        get(tap, resolver, ADDRESS, before, KID)
        tap.ok(changed(resolver, GROUPS + f"redirect 192.0.2.9 name {before} client=kids\n"), "a swap")
        for source in (KID, STAFF) * 2:
            get(tap, resolver, REDIRECTED if source == KID else ADDRESS, before, source)


def soon(seconds):
    """A time zone in which a minute begins in so many seconds, and a span that begins with it (POSIX.1, TZ)."""
    now = time.time()
    shift = int(-(now + seconds) % 60)
    begin = now + shift + seconds + 1
    zone = f"IDN-00:00:{shift:02}"
    span = "-".join(time.strftime("%H:%M", time.gmtime(begin + minutes * 60)) for minutes in (0, 30))
    return zone, f"Mon-Sun/{span}"


def test_time_comes(world, tap):
    """No swap, and no answer leaves the cache: a rule begins, and what was asked before is not given any more."""
    zone, span = soon(8)
    text = GROUPS + f"nxdomain zone wild.example when={span}\nnxdomain name p.slow.example client=kids when={span}\n"
    alias = (False, "NOERROR", ["p.slow.example.", "192.0.2.200"])
    with policy(world, tap, text, environment={"TZ": zone}) as resolver:
        for source in KID, STAFF, KID:
            get(tap, resolver, OWN, "a.wild.example", source)
            get(tap, resolver, alias, "hop-p.slow.example", source)
        tap.ok(eventually(lambda: resolver.exchange(ask("b.wild.example"), source=OTHER).rcode == "NXDOMAIN", 20), "the time comes")
        for source in KID, STAFF:
            get(tap, resolver, ACTIONS["nxdomain"], "a.wild.example", source)
            get(tap, resolver, alias if source == STAFF else (False, "NXDOMAIN", ["p.slow.example."]), "hop-p.slow.example", source)


# ---- clients that lie ----------------------------------------------------------------------------------------------------


def of_subnet(name, subnet):
    """RFC 7871: the question says that it is of this /24."""
    ecs = dns.edns.ECSOption(subnet, 24).to_wire()
    return ask(name, option=struct.pack("!HH", 8, len(ecs)) + ecs)


def test_client_subnet_option(world, tap):
    """A client that claims another group's subnet keeps its own group, with and without a module that uses subnets."""
    text = GROUPS + "nxdomain zone wild.example client=kids\npassthru zone x.wild.example client=staff\nnxdomain zone x.wild.example\n"
    for modules, server in ("validator iterator", ""), ("subnetcache validator iterator", "send-client-subnet: 127.0.0.1\nclient-subnet-always-forward: yes"):
        if world.lacks(tap, modules):
            continue
        with policy(world, tap, text, modules=modules, server=server) as resolver:
            for name, wanted in ("a.wild.example", {KID: "NXDOMAIN", STAFF: "NOERROR"}), ("a.x.wild.example", {KID: "NXDOMAIN", STAFF: "NOERROR"}):
                for source in (KID, STAFF) * 2:
                    for told in "127.0.3.0", "127.0.4.0", "0.0.0.0":
                        reply = resolver.exchange(of_subnet(name, told), source=source)
                        tap.equal(reply.rcode, wanted[source], f"{modules}: {name} for {source}, who says {told}")


GROUPS6 = GROUPS + """\
group local fe80::/10
group wide ::/0
nxdomain name kids.wild.example client=kids
nxdomain name local.wild.example client=local
nxdomain name wide.wild.example client=wide
"""


def test_addresses_behind_a_proxy(world, tap):
    """IPv4-mapped, link-local and other IPv6 addresses, additional fields, and the proxy's own questions."""
    port = free_port()
    told = {"IPv4": (header(KID), "kids"), "another IPv4": (header(STAFF), None),
            "IPv4-mapped": (header(f"::ffff:{KID}"), "kids"), "another IPv4-mapped": (header(f"::ffff:{STAFF}"), None),
            "IPv4-compatible": (header("::127.0.3.1"), "wide"), "link-local": (header("fe80::7"), "local wide"),
            "6to4 of a kid": (header("2002:7f00:301::1"), "wide"), "NAT64 of a kid": (header("64:ff9b::127.0.3.1"), "wide"),
            "more fields": (header(f"::ffff:{KID}", more=b"\x04\0\x03abc"), "kids"),
            "the proxy's own": (header(None), None)}
    with policy(world, tap, GROUPS6, check=False, server=f"proxy-protocol-port: {port}\ninterface: 127.0.0.1@{port}\n"
                "access-control: 0.0.0.0/0 allow\naccess-control: ::/0 allow") as resolver:
        for what, (HeadedUdp.head, groups) in told.items():
            for name in "kids", "local", "wide":
                rcode = exchange(("127.0.0.1", port), ask(f"{name}.wild.example"), HeadedUdp, STAFF).rcode
                tap.equal(rcode, "NXDOMAIN" if groups and name in groups.split() else "NOERROR", f"{what}: {name}")
        HeadedUdp.head = header(None)
        tap.equal(exchange(("127.0.0.1", port), ask("kids.wild.example"), HeadedUdp, KID).rcode, "NXDOMAIN", "a proxy that is a kid asks itself")
        # Where no proxy is expected, the header is no message of the DNS.
        HeadedUdp.head = header(STAFF)
        client = HeadedUdp(resolver.address(), KID)
        client.send(ask("kids.wild.example"))
        try:
            reply = client.receive(1)
            tap.ok(reply.rcode in ("FORMERR", "NOTIMP"), "a header on the port without proxies", reply.rcode)
        except OSError:
            tap.ok(True, "a header on the port without proxies is not answered")
        client.close()
        # Where one is expected, a question without it says nothing of a client.
        client = Udp(("127.0.0.1", port), KID)
        client.send(ask("kids.wild.example"))
        try:
            tap.ok(client.receive(1).rcode != "NOERROR", "a question without a header gets no data")
        except OSError:
            tap.ok(True, "a question without a header is not answered")
        client.close()


def test_other_questions(world, tap):
    """ANY, other types, no recursion, other case: none of them has another group's answer."""
    text = GROUPS + "nxdomain zone p.slow.example client=kids\nnodata name t.slow.example type=TXT client=kids\n" \
                    "redirect 192.0.2.9 name r.slow.example client=staff\n"
    with policy(world, tap, text, server="access-control: 127.0.0.0/8 allow_snoop", check=False) as resolver:
        for _ in range(2):
            for qtype in "ANY", "A", "AAAA", "HTTPS", "TYPE65280":
                reply = resolver.exchange(ask("p.slow.example", qtype), source=STAFF)
                tap.equal(reply.rcode, "NOERROR", f"{qtype} for staff")
                for name in "p.slow.example", "P.SLOW.example", "hop-p.slow.example":
                    for flags in RD, 0:
                        reply = resolver.exchange(ask(name, qtype, flags=flags), source=KID)
                        tap.ok("192.0.2.200" not in reply.message.to_text(), f"{name} {qtype} for kids, flags {flags:#x}: no data",
                               reply.message.to_text())
                        tap.equal(reply.rcode, "NXDOMAIN" if flags or not name.startswith("hop-") else reply.rcode, f"{name} {qtype} for kids: rcode")
            get(tap, resolver, REDIRECTED, "r.slow.example", STAFF)
            reply = resolver.exchange(ask("r.slow.example", flags=0), source=KID)
            tap.ok("192.0.2.9" not in reply.message.to_text(), "without recursion: not what staff has", reply.message.to_text())
            get(tap, resolver, ADDRESS, "r.slow.example", KID)
            tap.equal(resolver.exchange(ask("t.slow.example", "ANY"), source=KID).answers(), [], "ANY may hold the refused type")
            get(tap, resolver, ADDRESS, "t.slow.example", KID)
