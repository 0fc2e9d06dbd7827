# SPDX-License-Identifier: BSD-3-Clause
"""The policy among Unbound's other modules: those that begin a query in a way of their own, or whose answers are for one client."""

from pathlib import Path

import dns.reversename

from daemon import eventually
from question import AD, CD, RD, Tcp, ask
from rulefile import IDN, changed, rules
from test_loading import starts_not
from test_policy_answers import WWW, edes, joining, policy, received, waiting

MANUAL = Path(__file__).resolve().parents[2] / "doc/idn-policy.5"

HARMLESS = "log name nothing.wild.example"
DNS64 = """\
dns64-prefix: 64:ff9b::/96
qname-minimisation: no
domain-insecure: "arpa."
local-zone: "2.0.192.in-addr.arpa." transparent
local-zone: "ip6.arpa." transparent
"""
TAGS = """\
define-tag: "few"
access-control: 127.0.0.0/8 allow
access-control-tag: 127.0.0.2/32 "few"
response-ip-tag: 192.0.2.60/32 "few"
access-control-tag-action: 127.0.0.2/32 "few" redirect
access-control-tag-data: 127.0.0.2/32 "few" """


def dns64(world, tap, idn, more=""):
    return world.resolver(tap, idn, modules="dns64 validator iterator", server=DNS64 + more, prepare=rules(HARMLESS),
                          check=False)


def test_dns64(world, tap):
    """Without the module, with its log alone, and with a policy: the answers are the same."""
    pointer = dns.reversename.from_address("64:ff9b::192.0.2.11").to_text().rstrip(".")
    synthesized, own = ["64:ff9b::c000:20b"], ["2001:db8::11"]
    for more, answers in (("", own), ("dns64-synthall: yes", synthesized), (f'dns64-ignore-aaaa: "{WWW}"', synthesized)):
        for idn in None, "log: text", IDN:
            with dns64(world, tap, idn, more) as resolver:
                for _ in range(2):
                    tap.equal(resolver.exchange(ask(pointer, "PTR")).answers(), ["host.example."], f"{idn} {more}: PTR")
                    tap.equal(resolver.exchange(ask(WWW, "AAAA")).answers(), answers, f"{idn} {more}: AAAA")


def test_dns64_in_flight(world, tap):
    """Who asks while the A is fetched waits for it; the AAAA that is not there is not cached meanwhile."""
    for number, idn in enumerate((None, "log: text", IDN)):
        label = f"a-gate-flight{number}"
        gate, question = world.upstream.gate(label), ask(f"{label}.slow.example", "AAAA")
        with dns64(world, tap, idn) as resolver:
            first = waiting(tap, resolver, gate, question)
            second = joining(tap, resolver, question)
            gate.open()
            for client in first, second:
                tap.equal(received(resolver, client, question).answers(), ["64:ff9b::c000:2c8"], f"{idn}")


def test_refused_to_clients_alone(world, tap):
    """A lookup by dns64 succeeds even if a client asks for the same name and is refused."""
    for number, (action, answer) in enumerate((("nodata", ("NOERROR", [])), ("refuse", ("REFUSED", [])),
                                               ("redirect 192.0.2.80", ("NOERROR", ["192.0.2.80"])),
                                               ("cname ascii.example", ("NOERROR", ["ascii.example.", "192.0.2.60"])))):
        label = f"a-gate-joined{number}"
        name = f"{label}.slow.example"
        gate = world.upstream.gate(label)
        condition = "" if action.startswith("cname") else " type=A"
        with policy(world, tap, "nxdomain name other.example", modules="dns64 validator iterator",
                    server=DNS64) as resolver:
            first = waiting(tap, resolver, gate, ask(name, "AAAA"))
            second = joining(tap, resolver, ask(name))
            exempt = f"\npassthru name {name} type=AAAA" if condition else ""  # or what is made of the A is refused, too
            assert changed(resolver, f"{action} name {name}{condition}{exempt}")
            gate.open()
            if condition:
                tap.equal(received(resolver, first, ask(name, "AAAA")).answers(), ["64:ff9b::c000:2c8"], f"{action}: AAAA")
            else:
                first.receive()
                resolver.answered(ask(name, "AAAA"))
                first.close()
            reply = received(resolver, second, ask(name))
            tap.equal((reply.rcode, reply.answers()), answer, f"{action}: A")
            tap.equal([line for line in resolver.cached(name) if " IN A " in line], [], f"{action}: not cached")


def test_respip_tags(world, tap):
    """An answer that respip changes for some clients goes to no others."""
    exempt = "nxdomain zone slow.example\nnxdomain zone ascii.example\npassthru name cross-ascii.slow.example"
    for rules_, name, data, few, others in (
            (exempt, "cross-ascii.slow.example", "A 192.0.2.99", ("NOERROR", ["ascii.example.", "192.0.2.99"]),
             ("NOERROR", ["ascii.example.", "192.0.2.60"])),
            ("nxdomain zone nx.wild.example", "ascii.example", "CNAME nx.wild.example.", ("NXDOMAIN", ["nx.wild.example."]),
             ("NOERROR", ["192.0.2.60"]))):
        # 1.17.1 also calls back for what it finds in its cache and does not send, for respip's alias.
        with policy(world, tap, rules_, modules="respip validator iterator", server=f'{TAGS}"{data}"',
                    check=False) as resolver:
            for source in "127.0.0.2", "127.0.0.1", "127.0.0.2", "127.0.0.3":
                reply = resolver.exchange(ask(name), source=source)
                tap.equal((reply.rcode, reply.answers()), few if source == "127.0.0.2" else others, f"{data}: {source}")


ALIASES = """\
$ORIGIN rpz.example.
@ 60 SOA a. b. 1 60 60 60 60
@ 60 NS a.
query.slow.example 60 CNAME evil.slow.example.
link.slow.example 60 CNAME evil.slow.example.
32.77.2.0.192.rpz-ip 60 CNAME evil.slow.example.
"""


def test_aliases_of_own_rpz(world, tap):
    """Unbound's own response policy zone gives an alias, for a query's name, a link of a chain, or an address."""
    clauses = 'rpz:\n    name: "rpz.example."\n    zonefile: "rpz.zone"\n'
    for modules in "respip validator iterator", "respip iterator":
        with policy(world, tap, "nxdomain name evil.slow.example", lists={"rpz_zone": ALIASES}, modules=modules, clauses=clauses,
                    check=False) as resolver:
            for turn in range(2):
                for name in "query.slow.example", "hop-link.slow.example", "a.wild.example":
                    for flags in RD, RD | CD:
                        reply = resolver.exchange(ask(name, flags=flags))
                        if turn == 0 and flags == RD:  # later, 1.17.1 itself leaves out an alias for a link that it has cached
                            tap.equal((reply.rcode, reply.answers()[-1:]), ("NXDOMAIN", ["evil.slow.example."]), f"{modules}: {name}")
                        tap.ok("evil.slow.example." not in [rrset.name.to_text() for rrset in reply.message.answer], f"{modules}: no data")


def test_respip_hides_an_alias(world, tap):
    """To a query for ANY, respip gives its own record in the place of the chain that leads to the address."""
    for data in "CNAME a.wild.example", "A 192.0.2.99":
        server = f'response-ip: 192.0.2.60/32 redirect\nresponse-ip-data: 192.0.2.60/32 "{data}"'
        with policy(world, tap, "nxdomain name ascii.example", check=False, modules="respip validator iterator",
                    server=server) as resolver:
            for cls, qtype in ("ANY", "ANY"), ("IN", "ANY"), ("ANY", "A"), ("IN", "A"):
                for _ in range(2):
                    reply = resolver.exchange(ask("gone-cross-ascii.slow.example", qtype, cls=cls))
                    tap.ok(reply.rcode in ("NXDOMAIN", "SERVFAIL"), f"{data}, {cls} {qtype}: refused", reply.message)


FEED = """\
$ORIGIN rpz.example.
@ 60 SOA a. b. 1 60 60 60 60
@ 60 NS a.
казино.wild.example 60 CNAME .
32.11.2.0.192.rpz-ip 60 CNAME .
"""


def example(name):
    """A zone can be given both to the module and to Unbound's own rpz:, as the manual says."""
    return MANUAL.read_text().split(f"# {name}\n")[1].split(".Ed")[0].replace("/etc/unbound/", "")


def test_own_rpz(world, tap):
    """Its names are looked up by the module, in Unicode, its addresses by Unbound."""
    clauses = example("unbound.conf")
    order = clauses.split('"')[1]
    tap.equal(order.split()[0], "dynlib", "the module stands before respip")
    for skip in True, False:
        rule = example("idn-policy.conf")
        with world.resolver(tap, f"{IDN}\nmetrics-file: log/idn.prom\nmetrics-interval: 1", modules=order.removeprefix("dynlib "),
                            prepare=rules(rule if skip else rule.split("skip=")[0], feed_rpz=FEED),
                            clauses=clauses[clauses.index("rpz:"):], check=False) as resolver:
            reply = resolver.exchange(ask("xn--80aodfsg.wild.example"))
            tap.equal((reply.rcode, edes(reply)), ("NXDOMAIN", [(15, "")]), "a name, by the module")
            tap.equal(resolver.exchange(ask(WWW)).rcode, "NXDOMAIN", "an address, by Unbound")
            tap.equal(resolver.exchange(ask("ascii.example")).rcode, "NOERROR", "another one")
            tap.equal("has triggers on addresses" in resolver.daemon.log(), not skip, "that is said, without skip=")
            tap.ok(eventually(lambda: resolver.metrics().sum("policy_bad_lists") == (not skip)), "and counted")


# ---- the orders that unbound-checkconf accepts, and what comes before the policy ---------------------------------------

ORDERED_RULES = """\
nxdomain zone victim.wild.example
nxdomain zone straße.example
passthru name good.victim.wild.example
tcp-only name long.example
redirect 192.0.2.80 2001:db8::80 name away.wild.example
nxdomain lookalike paypal.wild.example
nxdomain emoji
"""

# The orders of modules, and settings of Unbound that make answers of its own out of the cache.
ORDERS = ("validator iterator", "iterator", "respip validator iterator", "subnetcache validator iterator",
          "respip subnetcache validator iterator", "dns64 validator iterator", "validator cachedb iterator")
CLAUSES = {"cachedb": 'cachedb:\n    backend: "testframe"\n',
           "respip": 'rpz:\n    name: "rpz.invalid."\n    zonefile: "rpz.zone"\n'}
ADDRESSES = "$ORIGIN rpz.invalid.\n@ 60 SOA a. b. 1 60 60 60 60\n@ 60 NS a.\n32.111.2.0.192.rpz-ip 60 CNAME .\n"
SERVER = {"subnetcache": "send-client-subnet: 127.0.0.1", "dns64": "dns64-prefix: 64:ff9b::/96"}
SETTINGS = ("serve-expired: yes\nprefetch: yes", "serve-expired: yes\nserve-expired-client-timeout: 1800",
            "minimal-responses: no\nrrset-roundrobin: yes\nede: yes")


def of(table, order):
    return "\n".join(text for word, text in table.items() if word in order.split())


def test_orders(world, tap):
    for order, settings in [(order, "") for order in ORDERS] + [(ORDERS[0], settings) for settings in SETTINGS]:
        if world.lacks(tap, order):
            continue
        prepare = rules(ORDERED_RULES, rpz_zone=ADDRESSES)
        with world.resolver(tap, IDN, modules=order, prepare=prepare, server=f"{of(SERVER, order)}\n{settings}",
                            clauses=of(CLAUSES, order)) as resolver:
            one_order(tap, resolver, f"{order} {settings}".strip())


def one_order(tap, resolver, order):
    validates = "validator" in order
    for time in ("first", "second", "third"):
        what = f"{order}, {time} time"
        for name in ("victim.wild.example", "a.victim.wild.example", "alias.example", "xn--brcke-lva.example",
                     "a.xn--pypal-4ve.wild.example", "xn--e28h.example"):
            for qtype, flags in ("A", RD | AD), ("AAAA", RD | AD), ("A", RD | CD):
                reply, line = resolver.logged(ask(name, qtype, flags=flags))
                tap.equal((reply.rcode, line.rcode, line.policy[0], reply.has(AD)),
                          ("NXDOMAIN", "NXDOMAIN", "nxdomain", False), f"{what}: {name} {qtype}")
        reply, line = resolver.logged(ask("good.victim.wild.example", flags=RD | AD))
        tap.equal((reply.answers(), line.policy[0]), (["192.0.2.77"], "passthru"), f"{what}: passthru")
        reply, _ = resolver.logged(ask("www.xn--bcher-kva.example", flags=RD | AD))
        tap.equal((reply.answers(), reply.has(AD)), (["192.0.2.11"], validates), f"{what}: an allowed name")
        reply, _ = resolver.logged(ask("away.wild.example"))
        tap.equal(reply.answers(), ["192.0.2.80"], f"{what}: redirect")
        udp, _ = resolver.logged(ask("long.example", "TXT"))
        tcp, _ = resolver.logged(ask("long.example", "TXT"), transport=Tcp)
        tap.equal((udp.has(0x0200), udp.answers()), (True, []), f"{what}: tcp-only over UDP")
        tap.equal((tcp.has(0x0200), len(tcp.answers())), (False, 1), f"{what}: tcp-only over TCP")
    _, cache = resolver.control("dump_cache")
    refused = [line for line in cache.splitlines() if line.startswith("msg ") and ".victim.wild" in line
               and not line.startswith("msg good.")]
    tap.equal(refused, [], f"{order}: nothing refused is in the message cache")


def test_local_zone_wins(world, tap):
    """Unbound answers from its own local-zone before any module sees the question."""
    server = 'local-zone: "victim.wild.example." static\nlocal-data: "victim.wild.example. A 192.0.2.99"'
    with world.resolver(tap, IDN, server=server, prepare=rules(ORDERED_RULES)) as resolver:
        reply, line = resolver.logged(ask("victim.wild.example"))
        tap.equal((reply.answers(), line.policy), (["192.0.2.99"], None), "the local zone's answer, and no rule")


def test_orders_that_cache_answers(world, tap):
    """A module before ours that caches would keep the policy's answers after the policy has changed."""
    for order in ("dns64 dynlib validator iterator", "validator dynlib iterator"):
        def prepare(folder, order=order):
            rules(ORDERED_RULES)(folder)
            conf = folder / "unbound.conf"
            conf.write_text(conf.read_text().replace('"dynlib validator iterator"', f'"{order}"'))

        starts_not(world, tap, order, IDN, world.module,
                   rf' error: idn: module-config: {order.split()[0]} is before dynlib', prepare=prepare)
        with world.resolver(tap, "log: text", prepare=prepare):
            tap.ok(True, f"{order}: without a policy it starts")
