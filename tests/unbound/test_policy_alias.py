# SPDX-License-Identifier: BSD-3-Clause
"""Aliases of refused names: the answer does not wait for the refused name's servers, which are not asked."""

import itertools
from contextlib import contextmanager

from daemon import eventually
from question import CD, RD, TIMEOUT, Tcp, Udp, ask
from resolver import is_withheld
from rulefile import changed
from test_policy_answers import MANY_LOCKS, check, edes, joining, policy, received, soa, waiting

EVIL = "gate-evil.slow.example"  # its server answers when the test opens the gate, which no test does
ALIAS = f"hop-{EVIL}"
MODULES = "validator iterator", "iterator", "respip validator iterator", "dns64 validator iterator", \
    "subnetcache validator iterator", "dns64 subnetcache validator iterator"
RING = """\
$ORIGIN ring.example.
@ 300 SOA ns h 1 2 3 4 5
@ 300 NS ns
a 300 CNAME b
b 300 CNAME a
self 300 CNAME self
"""
FAR = """\
$ORIGIN far.slow.example.
@ 300 SOA ns h 1 2 3 4 5
@ 300 NS ns
exempt 300 CNAME between
between 300 CNAME evil
evil 300 A 192.0.2.66
"""
LONG_EVIL = "evil.long.slow.example"
TOP = "$ORIGIN long.slow.example.\n@ 300 SOA ns h 1 2 3 4 5\n@ 300 NS ns\nevil 300 A 192.0.2.66\n"
LONG = TOP + "exempt 300 CNAME 1\n" + "".join(f"{link} 300 CNAME {link + 1}\n" for link in range(1, 40)) + "40 300 CNAME evil\n"
ACROSS = TOP + "exempt 300 CNAME x.d\nd 300 DNAME t\nx.t 300 CNAME d\nd 300 CNAME evil\n"


def asked(world, name=EVIL):
    return sum(count for (of, _), count in world.upstream.asked.items() if of == f"{name}.")


def refused(tap, resolver, what, name=ALIAS, evil=EVIL, **more):
    """By a rule `nxdomain name EVIL`."""
    transport = more.pop("transport", Udp)
    source = more.pop("source", None)
    reply = resolver.exchange(ask(name, **more), transport, source)
    check(tap, what, reply, "NXDOMAIN", authority=soa(f"{evil}."), ede=[(15, "")])
    tap.equal(reply.answers()[-1:], [f"{evil}."], f"{what}: the alias stands in the answer")


def test_target_is_not_asked(world, tap):
    """The first client and all later ones get the refusal, and no further query is sent, with any modules and each option of Unbound."""
    before = asked(world)
    minimised = "qname-minimisation: yes"
    for modules, server in [(modules, minimised) for modules in MODULES] + [(MODULES[number % 2], server) for number, server in enumerate((
            "qname-minimisation: no", f"{minimised}\nqname-minimisation-strict: yes", "serve-expired: yes\nprefetch: yes", "use-caps-for-id: yes"))]:
        if world.lacks(tap, modules):
            continue
        if "subnetcache" in modules:
            server += "\nsend-client-subnet: 127.0.0.1"
        what = f"{modules}, {server}"
        with policy(world, tap, f"nxdomain name {EVIL}", modules=modules, server=server) as resolver:
            for qtype in ("AAAA", "A", "TXT"):
                for flags in (RD, RD | CD):
                    refused(tap, resolver, f"{what}: {qtype}", qtype=qtype, flags=flags)
                    refused(tap, resolver, f"{what}: {qtype}", qtype=qtype, flags=flags, transport=Tcp, dnssec=True)
            tap.equal(resolver.cached(ALIAS), [], f"{what}: nothing is cached")
        tap.equal(asked(world), before, f"{what}: the refused name is not asked for")


def test_actions(world, tap):
    """Each action, where the alias leads over another one."""
    name = f"hop-hop-{EVIL}"
    chain = [f"{ALIAS}.", f"{EVIL}."]
    before = asked(world)
    for action, rcode, answer in (("nodata", "NOERROR", chain), ("refuse", "REFUSED", []), ("drop", "REFUSED", []),
                                  ("redirect 192.0.2.9", "NOERROR", [*chain, "192.0.2.9"]),
                                  ("cname ascii.example", "NOERROR", [*chain, "ascii.example.", "192.0.2.60"])):
        with policy(world, tap, f"{action} name {EVIL}") as resolver:
            for flags in (RD, RD, RD | CD):
                reply = resolver.exchange(ask(name, flags=flags), Tcp)
                tap.equal((reply.rcode, reply.answers()), (rcode, answer), action)
            tap.equal(asked(world), before, f"{action}: the refused name is not asked for")


def test_tcp_only(world, tap):
    """An alias of a name that is answered on TCP alone: on UDP no client waits for it."""
    evil = "gate-tcp-only.slow.example"
    gate = world.upstream.gate("gate-tcp-only")
    with policy(world, tap, f"tcp-only name {evil}") as resolver:
        for _ in range(2):
            reply = resolver.exchange(ask(f"hop-{evil}"))
            tap.equal((reply.rcode, reply.answers(), reply.has(0x200)), ("NOERROR", [], True), "on UDP")
        tap.equal(asked(world, evil), 0, "it is not asked for")
        gate.open()
        for transport, answers in (Tcp, [f"{evil}.", "192.0.2.200"]), (Udp, []):
            tap.equal(resolver.exchange(ask(f"hop-{evil}"), transport).answers(), answers, transport.__name__)


def test_dname(world, tap):
    """A DNAME leads to a refused zone: each name below it is refused, and none of the targets is asked for. Only a name's
    first answer has the DNAME: later ones have the CNAME that is cached."""
    with policy(world, tap, "nxdomain zone moved.slow.example") as resolver:
        for name, seen in ("a", False), ("b", False), ("a", True):
            for flags in (RD, RD | CD):
                reply = resolver.exchange(ask(f"{name}.dname-moved.slow.example", flags=flags))
                check(tap, name, reply, "NXDOMAIN", authority=soa("moved.slow.example."), ede=[(15, "")])
                dname = [] if seen or flags & CD else ["moved.slow.example."]
                tap.equal(reply.answers(), [*dname, f"{name}.moved.slow.example."], "the aliases")
        tap.equal(asked(world, "a.moved.slow.example") + asked(world, "b.moved.slow.example"), 0, "nobody asks for them")
        tap.equal(asked(world, "a.dname-moved.slow.example"), 1, "and for the alias once")


def test_dname_asked_for(world, tap):
    """A question for DNAME does not follow it, with any cached record of the DNAME's target."""
    for modules in "iterator", "dns64 validator iterator":
        with policy(world, tap, f"nxdomain name {EVIL}\nlog zone slow.example", modules=modules) as resolver:
            for name in f"dname-hop-{EVIL}", f"hop-dname-hop-{EVIL}":
                refused(tap, resolver, f"{modules}: its alias is cached")
                reply = resolver.exchange(ask(name, "DNAME"))
                tap.equal((reply.rcode, reply.answers()[-1:]), ("NOERROR", [f"{ALIAS}."]), f"{modules}: {name}")


def test_forwarder(world, tap):
    """An alias that comes from a forwarder is decided."""
    before = asked(world)
    clauses = f'forward-zone:\n    name: "fwd.slow.example."\n    forward-addr: 127.0.0.1@{world.upstream.port}\n'
    with policy(world, tap, f"nxdomain name {EVIL}", clauses=clauses) as resolver:
        name = f"hop-{EVIL.split('.', maxsplit=1)[0]}.fwd.slow.example"
        for _ in range(3):
            refused(tap, resolver, "forwarded", name)
        tap.equal((world.upstream.asked[f"{name}.", "A"], asked(world)), (1, before), "one question, for the alias")


def test_nxdomain_with_an_alias(world, tap):
    """Unbound follows an alias beside NXDOMAIN whatever type was asked for."""
    before = asked(world)
    for modules in MODULES[:2]:
        with policy(world, tap, f"nxdomain name {EVIL}", modules=modules) as resolver:
            for qtype in "ANY", "CNAME", "A":
                for _ in range(2):
                    refused(tap, resolver, f"{modules}: {qtype}", f"gone-{ALIAS}", qtype=qtype)
    tap.equal(asked(world) - before, 0, "nobody has asked further")


def test_loop_in_an_auth_zone(world, tap):
    """An auth-zone gives a chain whole, which may be a loop across the refused name."""
    clauses = 'auth-zone:\n    name: "ring.example."\n    for-downstream: no\n    zonefile: "ring.zone"\n'
    expected = {"a": ("NXDOMAIN", ["b.ring.example."]), "self": ("SERVFAIL", [])}
    for modules in MODULES[:2]:
        with policy(world, tap, "nxdomain name b.ring.example", lists={"ring_zone": RING}, modules=modules, clauses=clauses,
                    server='domain-insecure: "ring.example."') as resolver:
            for label, wanted in (*expected.items(), *expected.items()):
                reply = resolver.exchange(ask(f"{label}.ring.example"))
                tap.equal((reply.rcode, reply.answers()), wanted, f"{modules}: {label}")


def test_alias_in_the_cache(world, tap):
    """An alias that was cached before the rule came, for a query of another type, or as another alias's target."""
    evil = "gate-later.slow.example"
    gate = world.upstream.gate("gate-later")
    for modules in MODULES:
        if world.lacks(tap, modules):
            continue
        with policy(world, tap, "nxdomain name other.example", modules=modules) as resolver:
            gate.open()
            resolver.exchange(ask(f"hop-{evil}", "TXT"))
            gate.opened.clear()
            before = asked(world, evil)
            assert changed(resolver, f"nxdomain name {evil}")
            for name in (f"hop-{evil}", f"hop-hop-{evil}"):
                for qtype in ("A", "AAAA"):
                    refused(tap, resolver, f"{modules}: {name} {qtype}", name, evil, qtype=qtype)
            tap.equal(asked(world, evil), before, f"{modules}: the refused name is not asked for")
    gate.open()


def test_exempt_target(world, tap):
    """passthru: on the query name it exempts the chain, on a target that target alone."""
    evil = "gate-exempt.slow.example"
    gate = world.upstream.gate("gate-exempt")
    gate.open()
    for modules in MODULES[:2]:
        with policy(world, tap, f"nxdomain zone {evil}\npassthru name hop-{evil}", modules=modules) as resolver:
            for flags in (RD, RD, RD | CD):
                tap.equal(resolver.exchange(ask(f"hop-{evil}", flags=flags)).answers(), [f"{evil}.", "192.0.2.200"], f"{modules}: exempt")
                refused(tap, resolver, f"{modules}: over an exempt one", f"hop-hop-{evil}", evil, flags=flags)
                check(tap, f"{modules}: the target", resolver.exchange(ask(evil, flags=flags)), "NXDOMAIN", [], soa(f"{evil}."), [(15, "")])
            tap.equal(resolver.cached(f"hop-hop-{evil}"), [], f"{modules}: which is not cached")
            tap.equal(len(resolver.cached(f"hop-{evil}")), 1, f"{modules}: and what is exempt is")


def test_swap_lets_go(world, tap):
    """An alias that was refused leads on when the rule is gone."""
    name = "hop-released.slow.example"
    with policy(world, tap, "nxdomain name released.slow.example") as resolver:
        refused(tap, resolver, "refused", name, "released.slow.example")
        assert changed(resolver, "nxdomain name other.example")
        tap.equal(resolver.exchange(ask(name)).answers(), ["released.slow.example.", "192.0.2.200"], "let go")
        tap.ok(eventually(lambda: len(resolver.cached(name)) == 1), "and cached")


def test_allowed_is_cached(world, tap):
    """An alias that no rule is about is cached with its target, which was cached before it."""
    for modules in ("validator iterator", "iterator", "dns64 validator iterator"):
        with policy(world, tap, "nxdomain name other.example", modules=modules) as resolver:
            resolver.exchange(ask("good.slow.example"))
            for _ in range(2):
                tap.equal(resolver.exchange(ask("hop-good.slow.example")).answers(), ["good.slow.example.", "192.0.2.200"],
                          f"{modules}: allowed")
                tap.equal(len(resolver.cached("hop-good.slow.example")), 1, f"{modules}: and cached")


def shown(tap, resolver, question, server):
    """The names in the additional section."""
    reply = resolver.exchange(question)
    tap.equal(reply.answers()[0].split()[-1], f"{server}.", "the answer itself")
    return [rrset.name.to_text() for rrset in reply.message.additional]


def test_additional(world, tap):
    """No address of a refused name is beside another name's answer, fetched or from the cache, before a rule came
    or after. Beside NS records Unbound always shows them."""
    for name, qtype, post, server in (("mx-post.slow.example", "MX", "post.slow.example", "minimal-responses: no"),
                                      ("ns-post.slow.example", "NS", "post.ns-post.slow.example", "")):
        question = ask(name, qtype)
        with policy(world, tap, "nxdomain name other.example", server=server) as resolver:
            for _ in range(2):
                tap.equal(shown(tap, resolver, question, post), [f"{post}."], f"{qtype}: without a rule it does")
            for turn in "before", "after":
                assert changed(resolver, f"nxdomain name {post} # {turn}")
                for _ in range(3):
                    tap.equal(shown(tap, resolver, question, post), [], f"{qtype}, {turn}: not with one")
                tap.equal(len(resolver.cached(name)), 1, f"{qtype}, {turn}: cached as it was answered")
            assert changed(resolver, f"nodata name {post} type=TXT\n")
            resolver.control("flush", name)
            tap.equal(shown(tap, resolver, question, post), [f"{post}."], f"{qtype}: a rule for another type")


def test_many_additional(world, tap):
    """A response has room for 1,500 names, each as dear as a hostile query: the first 64 are decided, the rest are left out."""
    for rule in "nxdomain name other.example", "nxdomain name host1.hosts-100.slow.example":
        with policy(world, tap, rule, server="minimal-responses: no", environment=MANY_LOCKS) as resolver:
            for _ in range(2):
                client = Tcp(resolver.address())
                client.send(ask("hosts-100.slow.example", "MX"))
                reply = received(resolver, client, ask("hosts-100.slow.example", "MX"))
                tap.equal((len(reply.answers()), len(reply.message.additional)), (100, 64 - ("host1." in rule)), rule)
            tap.equal(len(resolver.cached("hosts-100.slow.example")), 1, f"{rule}: cached as it was answered")


def test_authority(world, tap):
    """Nor in the authority section, where a server may put anything but addresses and aliases."""
    def owners(reply):
        return [rrset.name.to_text() for rrset in reply.message.authority]

    for modules, label in itertools.product(("validator iterator", "iterator"), ("post", "hesiod")):
        post = f"{label}.slow.example"
        name = f"beside-{post}"
        with policy(world, tap, "nxdomain name other.example", modules=modules) as resolver:
            for _ in range(2):
                tap.equal(owners(resolver.exchange(ask(name))), ["slow.example.", f"{post}."], "without a rule it does")
            for turn in "before", "after":
                assert changed(resolver, f"nxdomain name {post} # {turn}")
                for _ in range(3):
                    tap.equal(owners(resolver.exchange(ask(name))), ["slow.example."], f"{turn}: not with one")
                tap.equal(len(resolver.cached(name)), 1, f"{turn}: cached as it was answered")
            assert changed(resolver, f"nxdomain name {post}\ncname {name} name lure.slow.example")
            resolver.control("flush", name)
            for _ in range(2):
                reply = resolver.exchange(ask("lure.slow.example"))
                tap.equal((reply.answers(), owners(reply)), ([f"{name}."], ["slow.example."]), "nor of a rule's own alias")


def refused_while_waiting(tap, resolver, name, gate):
    """Two clients, one of them with CD, wait for the same name, and are refused it when its server answers."""
    clients = []
    for flags in (RD, RD | CD):
        clients.append(joining(tap, resolver, ask(name, flags=flags)))
    gate.open()
    for client in clients:
        check(tap, "refused", received(resolver, client, ask(name)), "NXDOMAIN", ede=[(15, "")])


def test_exempt_link_and_a_slow_key(world, tap):
    """A passthru rule's answer in the cache, to which another alias leads whose zone's key is waited for."""
    gate = world.upstream.gate("gate-signed")
    anchor = 'trust-anchor: "gate-signed.slow.example. DS 20326 8 2 ' + "AB" * 32 + '"\nqname-minimisation: no'
    exempt, name = "hop-evil2.slow.example", "hop-hop-evil2.gate-signed.slow.example"
    with policy(world, tap, f"nxdomain name evil2.slow.example\npassthru name {exempt}", server=anchor) as resolver:
        tap.equal(resolver.exchange(ask(exempt)).answers(), ["evil2.slow.example.", "192.0.2.200"], "exempt, and cached")
        refused_while_waiting(tap, resolver, name, gate)
        for flags in (RD, RD | CD):
            refused(tap, resolver, "and later", name, "evil2.slow.example", flags=flags)
        tap.equal(resolver.cached(name), [], "nothing is cached")


def test_more_aliases_than_restarts(world, tap):
    """An exempt answer of an auth-zone, in the cache, has more aliases than the iterator may follow, and costs it one restart.
    The second question for what leads there finds that in the cache, too."""
    gate = world.upstream.gate("gate-signed2")
    name = "exempt.dname-far.gate-signed2.slow.example"
    server = f'trust-anchor: "gate-signed2.slow.example. DS 20326 8 2 {"AB" * 32}"\nqname-minimisation: no\nmax-query-restarts: 1'
    with policy(world, tap, "nxdomain name evil.far.slow.example\npassthru name exempt.far.slow.example", server=server,
                clauses='auth-zone:\n    name: "far.slow.example."\n    zonefile: "far.zone"\n    for-downstream: no',
                lists={"far_zone": FAR}) as resolver:
        tap.equal(resolver.exchange(ask("exempt.far.slow.example")).answers()[-1:], ["192.0.2.66"], "exempt, and cached")
        refused(tap, resolver, "first", name, "evil.far.slow.example")
        refused_while_waiting(tap, resolver, name, gate)
        tap.equal(resolver.cached(name), [], "nothing is cached")


@contextmanager
def exempt_and_cached(world, tap, zone, signed):
    """A chain across the refused LONG_EVIL is exempt and cached. An alias in the zone `signed` leads there; the zone's key is
    waited for."""
    alias = f"exempt.dname-long.{signed}.slow.example"
    server = f'trust-anchor: "{signed}.slow.example. DS 20326 8 2 {"AB" * 32}"\nqname-minimisation: no'
    with policy(world, tap, f"nxdomain name {LONG_EVIL}\npassthru name exempt.long.slow.example", server=server,
                clauses='auth-zone:\n    name: "long.slow.example."\n    zonefile: "long.zone"\n    for-downstream: no',
                lists={"long_zone": zone}) as resolver:
        tap.equal(resolver.exchange(ask("exempt.long.slow.example")).answers()[-1:], ["192.0.2.66"], "exempt, and cached")
        yield resolver, alias
        tap.equal(resolver.cached(alias), [], "nothing is cached")


def test_more_aliases_than_are_followed(world, tap):
    """The same, with more aliases than the module follows in the caches."""
    gate = world.upstream.gate("gate-signed5")
    with exempt_and_cached(world, tap, LONG, "gate-signed5") as (resolver, alias):
        clients = [waiting(tap, resolver, gate, ask(alias))]
        for _ in range(2):
            clients.append(joining(tap, resolver, ask(alias, flags=RD | CD)))
        gate.open()
        for client in clients:
            reply = received(resolver, client, ask(alias))
            tap.ok(is_withheld(reply) or reply.rcode == "SERVFAIL", "withheld, or a failure", reply.message)
            tap.equal(reply.answers(), [], "without records")


def test_alias_at_a_dname(world, tap):
    """A chain that leads through a DNAME, and then to its owner, is no loop: a CNAME may be there, too. The alias that Unbound
    makes of a DNAME is cached for the second in which it is made. After that the chain is found by the whole answer, which is
    bogus, so that no client without CD gets it."""
    world.upstream.gate("gate-signed6").open()
    with exempt_and_cached(world, tap, ACROSS, "gate-signed6") as (resolver, alias):
        for flags in RD | CD, RD | CD:
            check(tap, "refused", resolver.exchange(ask(alias, flags=flags)), "NXDOMAIN", ede=[(15, "")])
        reply = resolver.exchange(ask(alias))
        tap.ok(reply.rcode in ("NXDOMAIN", "SERVFAIL"), "refused, or a failure", reply.message)
        tap.ok("192.0.2.66" not in reply.answers(), "without the address")


def test_subnets(world, tap):
    """An upstream's answer to one subnet of clients, or its refusal, is not another subnet's: by an alias, by one whose target a server
    without subnets has (Unbound itself then gives the next answer to all), and below a refused name."""
    if world.lacks(tap, "subnetcache"):
        return
    every, told = "send-client-subnet: 127.0.0.1", "client-subnet-zone: told.slow.example"
    for name, rule, server, first, second in (
            ("ecs-hop.told.slow.example", "nxdomain name 5.slow.example", told, ("NXDOMAIN", ["hop-5.slow.example.", "5.slow.example."]),
             ("NOERROR", ["hop-6.slow.example.", "6.slow.example.", "192.0.2.200"])),
            ("ecs-alias.slow.example", "nxdomain name ecs.subnet-5.slow.example", every, ("NXDOMAIN", ["ecs.subnet-5.slow.example."]),
             ("NOERROR", ["ecs.subnet-6.slow.example.", "192.0.2.6"])),
            ("ecs.w.slow.example", "nxdomain zone w.slow.example\npassthru zone ecs.w.slow.example", every, ("NOERROR", ["192.0.2.5"]),
             ("NOERROR", ["192.0.2.6"]))):
        with policy(world, tap, rule, modules="subnetcache validator iterator", server=server) as resolver:
            for subnet, wanted in ((5, first), (5, first), (6, second)) * (1 if server == told else 2):
                reply = resolver.exchange(ask(name), source=f"127.0.{subnet}.1")
                tap.equal((reply.rcode, reply.answers()), wanted, f"{name}: a client of subnet {subnet}")


def waits_for_a(world, resolver, label, name, qtype="AAAA"):
    """A client whose AAAA query was ended at its alias, and goes on with the A, which dns64 wants and which waits."""
    gate = world.upstream.gate(label)
    client = Udp(resolver.address())
    client.send(ask(name, qtype))
    assert gate.arrived.wait(TIMEOUT)
    return gate, client


def test_tcp_joins_what_was_ended(world, tap):
    """On TCP a tcp-only name has its answer, joined or not."""
    name = "a-gate-hop-target1.slow.example"
    with policy(world, tap, "tcp-only name target1.slow.example", modules="dns64 iterator",
                server="qname-minimisation: no") as resolver:
        gate, first = waits_for_a(world, resolver, "a-gate-hop-target1", name)
        second = joining(tap, resolver, ask(name, "AAAA"), Tcp)
        gate.open()
        for client, truncated, answers in (first, True, []), \
                (second, False, ["target1.slow.example.", "64:ff9b::c000:2c8"]):
            reply = received(resolver, client, ask(name, "AAAA"))
            tap.equal((reply.rcode, reply.has(0x200), reply.answers()), ("NOERROR", truncated, answers),
                      type(client).__name__)


def test_swap_lets_go_what_was_ended(world, tap):
    """The rule for which a query was ended is gone while dns64 goes on, or while the rule's own alias is looked up."""
    for modules, label, rule, name, qtype, answer in (
            ("dns64 validator iterator", "a-gate-hop-target2", "nxdomain name target2.slow.example",
             "a-gate-hop-target2.slow.example", "AAAA", ["target2.slow.example.", "64:ff9b::c000:2c8"]),
            ("validator iterator", "gate-own", "cname gate-own.slow.example name target3.slow.example",
             "hop-target3.slow.example", "A", ["target3.slow.example.", "192.0.2.200"])):
        with policy(world, tap, rule, modules=modules, server="qname-minimisation: no") as resolver:
            gate, client = waits_for_a(world, resolver, label, name, qtype)
            assert changed(resolver, "nxdomain name other.example")
            gate.open()
            reply = received(resolver, client, ask(name, qtype))
            tap.equal((reply.rcode, reply.answers()), ("NOERROR", answer), f"{modules}: let go")
            tap.equal(resolver.exchange(ask(name, qtype)).answers(), answer, f"{modules}: and so later")
            tap.ok(any(f" IN {qtype} " in line for line in resolver.cached(name)), f"{modules}: cached")


def test_own_alias_joins_what_was_ended(world, tap):
    """Nothing decides the target of the policy's own alias: what was ended for a client is looked up again for it."""
    name = "a-gate-hop-target4.slow.example"
    with policy(world, tap, f"nxdomain name target4.slow.example\ncname {name} name own.slow.example",
                modules="dns64 validator iterator", server="qname-minimisation: no") as resolver:
        gate, first = waits_for_a(world, resolver, "a-gate-hop-target4", name)
        second = joining(tap, resolver, ask("own.slow.example", "AAAA"))
        gate.open()
        check(tap, "the client's", received(resolver, first, ask(name, "AAAA")), "NXDOMAIN", ede=[(15, "")])
        reply = received(resolver, second, ask("own.slow.example", "AAAA"))
        tap.equal((reply.rcode, reply.answers()),
                  ("NOERROR", [f"{name}.", "target4.slow.example.", "64:ff9b::c000:2c8"]), "the alias's")


def test_query_joins_what_was_ended(world, tap):
    """dns64 makes an AAAA of the A that was ended for another client, whose alias is still looked up."""
    name = "hop-target5.slow.example"
    with policy(world, tap, "cname gate-own5.slow.example name target5.slow.example type=A",
                modules="dns64 validator iterator") as resolver:
        gate, first = waits_for_a(world, resolver, "gate-own5", name, "A")
        second = Udp(resolver.address())
        second.send(ask(name, "AAAA"))
        assert eventually(lambda: " dns64 wants A IN " in resolver.control("dump_requestlist")[1])
        gate.open()
        for client, qtype, answer in (first, "A", "192.0.2.200"), (second, "AAAA", "64:ff9b::c000:2c8"):
            reply = received(resolver, client, ask(name, qtype))
            tap.equal((reply.rcode, reply.answers()),
                      ("NOERROR", ["target5.slow.example.", "gate-own5.slow.example.", answer]), qtype)


def test_extended_error_of_the_policy_before(world, tap):
    """Unbound waits for a name whose client has got an alias of the policy's. It restarts the lookup, and a client that joins it
    is allowed to have the answer."""
    gates = [world.upstream.gate(f"gate-{label}-anew") for label in ("own", "name")]
    asked = [ask(name) for name in ("gate-name-anew.slow.example", "user.example")]
    with policy(world, tap, "cname gate-own-anew.slow.example name gate-name-anew.slow.example\n"
                            "cname gate-name-anew.slow.example name user.example") as resolver:
        first = waiting(tap, resolver, gates[0], asked[0])
        second = joining(tap, resolver, asked[1])
        gates[0].open()
        reply = received(resolver, first, asked[0])
        tap.ok("192.0.2.200" in reply.answers() and edes(reply) == [(4, "")], "the policy's alias", reply.message)
        tap.ok(gates[1].arrived.wait(20), "the upstream is asked for what Unbound waits for")
        tap.ok(changed(resolver, "nxdomain name other.example\n"), "a new policy comes into force")
        joined = joining(tap, resolver, asked[0])
        gates[1].open()
        reply = received(resolver, joined, asked[0])
        tap.ok(reply.answers() == ["192.0.2.200"] and not edes(reply), "the answer, and no extended error", reply.message)
        received(resolver, second, asked[1])


def test_failing_alias_of_the_policy(world, tap):
    """Its SERVFAIL is the answer, whether it comes from the servers or from the cache: without aliases and extended error, since
    Unbound may give an expired answer in its place."""
    with policy(world, tap, "cname servfail7.slow.example name evil7.slow.example") as resolver:
        for turn in ("asked", "cached"):
            reply = resolver.exchange(ask("hop-evil7.slow.example"))
            tap.ok((reply.rcode, reply.answers(), edes(reply)) == ("SERVFAIL", [], []), turn, reply.message)
