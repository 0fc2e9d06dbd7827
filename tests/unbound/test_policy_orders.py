# SPDX-License-Identifier: BSD-3-Clause
"""The policy among Unbound's other modules, in the orders that unbound-checkconf accepts, and what comes before it."""

from question import AD, CD, RD, Tcp, ask
from rulefile import IDN, rules
from test_loading import starts_not

RULES = """\
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
RPZ = "$ORIGIN rpz.invalid.\n@ 60 SOA a. b. 1 60 60 60 60\n@ 60 NS a.\n32.111.2.0.192.rpz-ip 60 CNAME .\n"
SERVER = {"subnetcache": "send-client-subnet: 127.0.0.1", "dns64": "dns64-prefix: 64:ff9b::/96"}
SETTINGS = ("serve-expired: yes\nprefetch: yes", "serve-expired: yes\nserve-expired-client-timeout: 1800",
            "minimal-responses: no\nrrset-roundrobin: yes\nede: yes")


def of(table, order):
    return "\n".join(text for word, text in table.items() if word in order.split())


def test_orders(world, tap):
    for order, settings in [(order, "") for order in ORDERS] + [(ORDERS[0], settings) for settings in SETTINGS]:
        if world.lacks(tap, order):
            continue
        prepare = rules(RULES, rpz_zone=RPZ)
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
    with world.resolver(tap, IDN, server=server, prepare=rules(RULES)) as resolver:
        reply, line = resolver.logged(ask("victim.wild.example"))
        tap.equal((reply.answers(), line.policy), (["192.0.2.99"], None), "the local zone's answer, and no rule")


def test_orders_that_cache_answers(world, tap):
    """Behind a module that caches what it is given, the policy's answers would outlive the policy."""
    for order in ("dns64 dynlib validator iterator", "validator dynlib iterator"):
        def prepare(folder, order=order):
            rules(RULES)(folder)
            conf = folder / "unbound.conf"
            conf.write_text(conf.read_text().replace('"dynlib validator iterator"', f'"{order}"'))

        starts_not(world, tap, order, IDN, world.module,
                   rf' error: idn: module-config: {order.split()[0]} is before dynlib', prepare=prepare)
        with world.resolver(tap, "log: text", prepare=prepare):
            tap.ok(True, f"{order}: without a policy it starts")
