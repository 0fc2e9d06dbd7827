# SPDX-License-Identifier: BSD-3-Clause
"""Questions whose class, type or flags might get a client what a rule refuses."""

import dns.flags
import dns.reversename

from daemon import eventually
from question import CD, RD, Tcp, Udp, ask
from rulefile import changed
from test_beside import DNS64
from test_policy_answers import WWW, check, policy, soa
from test_policy_clients import is_silent

HARMLESS = "nxdomain name other.example"
CLASSES = """\
nxdomain name nx.wild.example
nodata name nodata.wild.example type=A
refuse name refuse.wild.example
redirect 192.0.2.80 name redirect.wild.example
cname ascii.example name cname.wild.example
tcp-only name tcp.wild.example
drop name drop.wild.example
nxdomain zone xn--strae-oqa.example
nxdomain zone evil.slow.example
"""
REFUSED = (  # name, rcode, answer, action
    ("nx.wild.example", "NXDOMAIN", [], "nxdomain"), ("nodata.wild.example", "NOERROR", [], "nodata"),
    ("refuse.wild.example", "REFUSED", [], "refuse"), ("redirect.wild.example", "NOERROR", ["192.0.2.80"], "redirect"),
    ("cname.wild.example", "NOERROR", ["ascii.example.", "192.0.2.60"], "cname"),
    ("tcp.wild.example", "NOERROR", [], "tcp-only"), ("alias.example", "NXDOMAIN", ["xn--strae-oqa.example."], "nxdomain"),
    ("hop-evil.slow.example", "NXDOMAIN", ["evil.slow.example."], "nxdomain"))


def test_class_any(world, tap):
    """Unbound answers class ANY with the records of class IN; what is refused there is refused here, with dns64 too. Without it:
    test_policy_matrix.py."""
    with policy(world, tap, CLASSES, modules="dns64 validator iterator") as resolver:
        for cls in ("ANY", "IN", "ANY"):
            for name, rcode, answer, action in REFUSED:
                for flags in (RD, RD | CD):
                    reply, line = resolver.logged(ask(name, cls=cls, flags=flags))
                    tap.equal((reply.rcode, reply.answers()), (rcode, answer), f"{name} {cls}")
                    tap.equal((line.cls, line.policy and line.policy[0]), (cls, action), f"{name} {cls}: the line")
        client = Udp(resolver.address())
        tap.ok(is_silent(resolver, client, ask("drop.wild.example", cls="ANY")), "drop")
        client.close()
        reply = resolver.exchange(ask("tcp.wild.example", cls="ANY"), Tcp)
        tap.equal(reply.answers(), ["192.0.2.77"], "tcp-only over TCP")


def test_other_classes(world, tap):
    """Rules, even one about every name, say nothing of other classes, in which Unbound resolves nothing."""
    with policy(world, tap, "nxdomain zone . suffixes=yes") as resolver:
        for cls in "CH", "HS", "NONE", "CLASS65280":
            reply, line = resolver.logged(ask("nx.wild.example", cls=cls))
            tap.equal((reply.rcode, reply.answers(), line.policy), ("REFUSED", [], None), cls)
        reply = resolver.exchange(ask("version.bind", "TXT", cls="CH"))
        tap.ok(b"unbound" in reply.wire, "version.bind is answered", reply.wire)
        for name, qtype in (WWW, "A"), (".", "NS"):
            check(tap, name, resolver.exchange(ask(name, qtype)), "NXDOMAIN", [], soa("."), [(15, "")])


def test_tcp_only_exempts_nothing(world, tap):
    """It says how a client has to ask; the rest of the policy holds as if it were not there."""
    big, alias, plain = "hop-evil.slow.example", "hop-hop-evil.slow.example", "big.slow.example"
    rules = f"tcp-only name {big}\nnxdomain zone evil.slow.example\ntcp-only name {plain}\nrefuse zone refused.example\n" \
        "tcp-only name www.refused.example\n"
    chain = ["hop-evil.slow.example.", "evil.slow.example."]
    before = {name: world.upstream.asked[f"{name}.", "A"] for name in (alias, plain)}
    with policy(world, tap, rules) as resolver:
        for _ in range(2):
            reply, line = resolver.logged(ask(big), Tcp)
            tap.equal((reply.rcode, reply.answers()), ("NXDOMAIN", chain[1:]), "its own chain, over TCP")
            tap.equal(line.policy and line.policy[0], "nxdomain", "the line says so")
            reply = resolver.exchange(ask(alias), Tcp)
            tap.equal((reply.rcode, reply.answers()), ("NXDOMAIN", chain), "a chain over it, over TCP")
            reply = resolver.exchange(ask(alias))
            tap.equal((reply.rcode, reply.answers()), ("NXDOMAIN", chain), "a chain over it, over UDP")
            tap.ok("192.0.2.200" not in resolver.exchange(ask(big)).answers(), "its own chain, over UDP")
            for transport in Udp, Tcp:
                reply = resolver.exchange(ask("www.refused.example"), transport)
                tap.equal((reply.rcode, reply.has(dns.flags.TC)), ("REFUSED", False), "a refusal needs no second question")
            tap.equal(resolver.exchange(ask(plain), Tcp).answers(), ["192.0.2.200"], "what is allowed is there over TCP")
            tap.ok(resolver.exchange(ask(plain)).has(dns.flags.TC), "and truncated over UDP")
        tap.equal(world.upstream.asked[f"{alias}.", "A"] - before[alias], 1, "the refused chain is remembered")
        tap.equal(world.upstream.asked[f"{plain}.", "A"] - before[plain], 1, "what is allowed over TCP is cached")
        for name in big, alias, "evil.slow.example":
            tap.equal(resolver.cached(name), [], f"{name} is not in the message cache")


def test_any_is_every_type(world, tap):
    """A refusal of one type refuses an answer that would hold it."""
    rules = f"nodata name {WWW} type=A,AAAA\npassthru name a.wild.example type=A\nrefuse name a.wild.example type=A\n" \
        "nodata name b.wild.example type=MX"
    with policy(world, tap, rules) as resolver:
        for flags in (RD, RD | CD, RD):
            reply, line = resolver.logged(ask(WWW, "ANY", flags=flags))
            tap.equal((reply.rcode, reply.answers(), line.policy and line.policy[0]), ("NOERROR", [], "nodata"), "ANY")
            tap.equal(resolver.exchange(ask("a.wild.example", "ANY", flags=flags)).rcode, "REFUSED",
                      "a passthru for one type exempts that alone")
        tap.ok(resolver.exchange(ask(WWW, "TXT")).answers(), "other types are left alone")
        tap.ok(resolver.exchange(ask("a.wild.example")).answers(), "as is what is exempt")


def test_dns64_makes_nothing_of_refused_a(world, tap):
    """An AAAA that is made of a refused A is refused; one that the zone has is not."""
    rules = f"nodata zone slow.example type=A\nnodata name {WWW} type=A\nrefuse name v4.wild.example type=A"
    with policy(world, tap, HARMLESS, modules="dns64 validator iterator", server=DNS64) as resolver:
        question = ask("early.slow.example", "AAAA")
        for _ in range(2):
            tap.equal(resolver.exchange(question).answers(), ["64:ff9b::c000:2c8"], "allowed, and cached")
        assert changed(resolver, rules)
        for name in "early.slow.example", "late.slow.example", "hop-last.slow.example":
            for flags in (RD, RD | CD, RD):
                reply, line = resolver.logged(ask(name, "AAAA", flags=flags))
                tap.equal([text for text in reply.answers() if ":" in text], [], f"{name}: no AAAA, flags {flags:x}")
                if flags == RD:
                    tap.equal(line.policy and line.policy[0], "nodata", f"{name}: the line")
        for _ in range(2):
            tap.equal(resolver.exchange(ask(WWW, "AAAA")).answers(), ["2001:db8::11"], "the zone's own AAAA")
    with policy(world, tap, "cname ascii.example zone slow.example type=A", modules="dns64 validator iterator",
                server=DNS64) as resolver:
        for _ in range(2):
            tap.equal(resolver.exchange(ask("any.slow.example", "AAAA")).answers(),
                      ["ascii.example.", "2001:db8::60"], "an alias in its place")


def test_dns64_pointer(world, tap):
    """dns64 asks for the IPv4 address's name in place of the one below ip6.arpa."""
    pointer = dns.reversename.from_address("64:ff9b::192.0.2.11").to_text().rstrip(".")
    with policy(world, tap, HARMLESS, modules="dns64 validator iterator", server=DNS64) as resolver:
        tap.equal(resolver.exchange(ask(pointer, "PTR")).answers(), ["host.example."], "allowed, and cached")
        assert changed(resolver, "nxdomain zone 2.0.192.in-addr.arpa")
        for flags in (RD, RD | CD, RD):
            reply, line = resolver.logged(ask(pointer, "PTR", flags=flags))
            tap.equal((reply.rcode, reply.answers(), line.policy and line.policy[0]), ("NXDOMAIN", [], "nxdomain"), "refused")
        assert changed(resolver, "answer zone 2.0.192.in-addr.arpa PTR own.example")
        tap.equal(resolver.exchange(ask(pointer, "PTR")).answers(), ["own.example."], "an answer of one's own")
        assert changed(resolver, f"passthru name {pointer}\nnxdomain zone 2.0.192.in-addr.arpa")
        tap.equal(resolver.exchange(ask(pointer, "PTR")).answers(), ["host.example."], "exempt by the name that was asked")


def test_snooping(world, tap):
    """A referral, which Unbound gives where RD is clear and it is allowed to, is an answer too."""
    server = "access-control: 127.0.0.0/8 allow\naccess-control: 127.0.0.5/32 allow_snoop"
    for modules in "validator iterator", "iterator":
        with policy(world, tap, "nxdomain zone nx.example\nlog zone wild.example tag=seen\nnxdomain zone xn--strae-oqa.example",
                    modules=modules, server=server) as resolver:
            tap.ok(resolver.exchange(ask("example", "NS")).answers(), "the servers of the zone are known")
            for flags in (CD, 0, CD | RD):
                reply, line = resolver.logged(ask("www.nx.example", flags=flags), source="127.0.0.5")
                tap.equal(reply.rcode, "NXDOMAIN" if flags & RD else reply.rcode, f"{modules}, flags {flags:x}")
                tap.ok(reply.rcode in ("REFUSED", "NXDOMAIN"), f"{modules}, flags {flags:x}: refused", reply.rcode)
                tap.equal([r for rrset in reply.message.authority for r in rrset if r.rdtype == 2], [],
                          f"{modules}, flags {flags:x}: no referral")
                tap.equal((line.policy and line.policy[0], line.rcode), ("nxdomain", reply.rcode), "the line")
            reply, line = resolver.logged(ask("new.wild.example", flags=CD), source="127.0.0.5")
            tap.ok([r for rrset in reply.message.authority for r in rrset if r.rdtype == 2], "others are referred")
            tap.equal((line.policy and line.policy[3], line.rcode), ("seen", "NOERROR"), "the line of a referral")


def test_snooped_over_udp(world, tap):
    """Over UDP, a tcp-only name's referral is truncated."""
    with policy(world, tap, "tcp-only zone wild.example", server="access-control: 127.0.0.0/8 allow_snoop") as resolver:
        tap.ok(resolver.exchange(ask("example", "NS")).answers(), "the servers of the zone are known")
        for transport, servers in (Udp, []), (Tcp, [2]):
            for flags in (CD, 0):
                reply, line = resolver.logged(ask("new.wild.example", flags=flags), transport)
                tap.equal((reply.rcode, reply.has(dns.flags.TC)), ("NOERROR", transport is Udp), f"{transport.__name__}, flags {flags:x}")
                tap.equal([rrset.rdtype for rrset in reply.message.authority], servers, "a referral over TCP alone")
                tap.equal((line.policy and line.policy[0], line.rcode), ("tcp-only", "NOERROR"), "the line")


def test_snooped_address(world, tap):
    """An allowed name's referral has no address of a server whose name is refused."""
    with policy(world, tap, HARMLESS, server="access-control: 127.0.0.0/8 allow_snoop") as resolver:
        tap.equal(resolver.exchange(ask("ns-host.slow.example", "NS")).answers(), ["host.ns-host.slow.example."], "its server")
        for rule, expected in (HARMLESS, ["host.ns-host.slow.example."]), ("nxdomain name host.ns-host.slow.example", []):
            assert rule == HARMLESS or changed(resolver, rule)
            for qtype in "A", "DS":
                message = resolver.exchange(ask("below.ns-host.slow.example", qtype, flags=0)).message
                tap.equal([rrset.rdtype for rrset in message.authority], [2], f"{rule}, {qtype}: a referral")
                tap.equal([rrset.name.to_text() for rrset in message.additional], expected, f"{rule}, {qtype}: its address")


def test_expired_is_cached(world, tap):
    """An expired answer that is served because the upstream takes its time is from the cache."""
    gate = world.upstream.gate("gate-stale")
    question = ask("gate-stale.slow.example")
    gate.open()
    with policy(world, tap, HARMLESS, modules="validator iterator",
                server="serve-expired: yes\nserve-expired-client-timeout: 50\ncache-max-ttl: 1") as resolver:
        reply, line = resolver.logged(question)
        tap.equal((reply.answers(), line.cached), (["192.0.2.200"], 0), "from upstream")
        gate.opened.clear()
        tap.ok(eventually(lambda: expired(resolver, question)), "an expired answer is from the cache")
        gate.open()


def expired(resolver, question):
    reply, line = resolver.logged(question)
    return reply.answers() == ["192.0.2.200"] and line.cached == 1 and line.seconds > 0.04
