# SPDX-License-Identifier: BSD-3-Clause
"""The gate: each reply is decided as it leaves, with anything in a cache. In each scene a name is
allowed and cached; then a rule refuses it; then nothing of it may reach a client, and a client that asks again over TCP
gets the policy's answer. Under load: test_model.py, test_policy_grouploads.py and test_policy_swap.py."""

import collections
import contextlib
import subprocess
import time

import dns.flags
import encrypted
from daemon import eventually, free_port
from proxied import proxied
from question import CD, RD, Tcp, Udp, ask, exchange
from resolver import is_withheld
from rulefile import changed
from test_policy_alias import waits_for_a
from test_policy_answers import policy
from test_targets import METRICS
from upstream import ADDRESS

HARMLESS = "nxdomain name other.example"
EVIL = "evil.slow.example"
REFUSED = f"nxdomain name {EVIL}"
NAMES = EVIL, f"hop-{EVIL}", f"alias-{EVIL}", f"hop-hop-{EVIL}"
FLAGS = RD, RD | CD


def leaked(reply):
    """The records of a reply that are of the refused name."""
    message = reply.message
    return [rrset.to_text() for section in (message.answer, message.authority, message.additional) for rrset in section
            if ADDRESS in rrset.to_text() or (rrset.name.to_text() == f"{EVIL}." and rrset.rdtype != dns.rdatatype.SOA)]


def refused(tap, resolver, what, question, rcode="NXDOMAIN", source=None):
    """Asks over UDP and, if that is truncated, over TCP: neither may leak, and the last one has the policy's answer."""
    reply = exchange(resolver.address(), question, Udp, source)
    tap.equal(leaked(reply), [], f"{what}: nothing leaks over UDP")
    if reply.has(dns.flags.TC):
        tap.ok(is_withheld(reply) or not question.edns, f"{what}: withheld with an extended error")
        reply = exchange(resolver.address(), question, Tcp, source)
        tap.equal(leaked(reply), [], f"{what}: nothing leaks over TCP")
    tap.equal(reply.rcode, rcode, f"{what}: the policy's answer")


def cached_then_refused(world, tap, questions, rule=REFUSED, first=None, wait=0, rcode="NXDOMAIN", **options):
    """Each question has a message of its own in the cache, so that each has a first hit after the swap."""
    with policy(world, tap, HARMLESS, check=False, **options) as resolver:
        for flags in FLAGS:
            for question in questions:
                resolver.exchange(first or ask(question.labels, question.type, cls=question.cls, flags=flags))
        assert changed(resolver, rule)
        time.sleep(wait)
        for flags in (*FLAGS, RD):
            for option in {}, {"dnssec": True}, {"edns": False}:
                for question in questions:
                    asked = ask(question.labels, question.type, cls=question.cls, flags=flags, **option)
                    refused(tap, resolver, f"{options}: {question} {flags:x} {option}", asked, rcode)


def test_types_and_classes(world, tap):
    questions = [ask(name, qtype, cls=cls) for name in NAMES
                 for qtype, cls in (("A", "IN"), ("AAAA", "IN"), ("ANY", "IN"), ("A", "ANY"), ("TXT", "IN"))
                 if (name, qtype) != (f"hop-hop-{EVIL}", "ANY")]  # which is answered with the first alias
    for modules in "validator iterator", "iterator":
        cached_then_refused(world, tap, questions, modules=modules)


def test_dns64(world, tap):
    for modules in "dns64 validator iterator", "dns64 iterator":
        for rule, rcode in (REFUSED, "NXDOMAIN"), (f"nodata name {EVIL} type=A", "NOERROR"):
            cached_then_refused(world, tap, [ask(name, "AAAA") for name in NAMES], rule, rcode=rcode, modules=modules,
                                server="dns64-synthall: yes")


def test_subnets(world, tap):
    if world.lacks(tap, "subnetcache"):
        return
    names = *NAMES, "ecs-alias.slow.example"
    cached_then_refused(world, tap, [ask(name) for name in names], "nxdomain zone slow.example", modules="subnetcache validator iterator",
                        server="send-client-subnet: 127.0.0.1\nclient-subnet-always-forward: yes")


def test_expired(world, tap):
    name = "brief-evil.slow.example"
    for timeout in 0, 1, 50, 1800:
        for ttl in 86400, 0:
            cached_then_refused(world, tap, [ask(name), ask(f"hop-{name}")], f"nxdomain name {name}", wait=2,
                                modules="iterator" if ttl else "validator iterator", server="serve-expired: yes\n"
                                f"serve-expired-client-timeout: {timeout}\nserve-expired-ttl: {ttl}\nprefetch: yes\n"
                                "cache-max-ttl: 1\nqname-minimisation: no")


def test_prefetched_additional(world, tap):
    """A prefetch stores no refused record beside an allowed name's: the gate would withhold each hit, over TCP too."""
    question = ask(f"mx-{EVIL}", "MX")
    with policy(world, tap, REFUSED, check=False, server="minimal-responses: no\nserve-expired: yes\ncache-max-ttl: 1") as resolver:
        for turn in range(3):
            asked = world.upstream.asked[f"mx-{EVIL}.", "MX"]
            for _ in range(3):
                reply = exchange(resolver.address(), question, Tcp)
                tap.equal((reply.answers(), reply.message.additional), ([f"10 {EVIL}."], []), f"turn {turn}: the MX alone")
            if turn > 0:
                tap.ok(eventually(lambda: world.upstream.asked[f"mx-{EVIL}.", "MX"] > asked), f"turn {turn}: what has expired is fetched")
            resolver.exchange(ask("after.com"))  # of the same upstream: the prefetch's answer has come before
            reply = exchange(resolver.address(), question, Tcp)
            tap.equal(reply.answers(), [f"10 {EVIL}."], f"turn {turn}: after the prefetch")
            time.sleep(2)


def test_additional_in_cachedb(world, tap):
    """A cache behind Unbound's own keeps a refused record beside an allowed name's. It is withheld at the first hit, as after
    each swap; then every client gets the answer without it, and no hit is withheld again."""
    if world.lacks(tap, "cachedb"):
        return
    question = ask(f"mx-{EVIL}", "MX")
    kid, staff = "127.0.3.1", "127.0.4.1"
    for rule in REFUSED, f"group kids 127.0.3.0/24\n{REFUSED} client=kids":
        with policy(world, tap, HARMLESS, check=False, modules="cachedb iterator", server="minimal-responses: no",
                    clauses='cachedb:\n    backend: "testframe"\n') as resolver:
            tap.equal(len(resolver.exchange(question).message.additional), 1, "cached with the address")
            before = world.upstream.asked[f"mx-{EVIL}.", "MX"]
            assert changed(resolver, rule)
            tap.ok(is_withheld(exchange(resolver.address(), question, Tcp, kid)), f"{rule}: the first hit")
            for turn in range(3):
                for source, kind in (staff, Udp), (kid, Tcp), (staff, Tcp), (kid, Udp):
                    message = exchange(resolver.address(), question, kind, source).message
                    tap.equal((len(message.answer), message.additional), (1, []), f"{rule}: turn {turn}: {source}: the MX alone")
            tap.equal(world.upstream.asked[f"mx-{EVIL}.", "MX"], before, f"{rule}: no server is asked")


def test_expired_then_stored(world, tap):
    """A client may not have the expired answer that its query would give it while it waits. What the query then stores in
    cachedb is whole all the same."""
    if world.lacks(tap, "cachedb"):
        return
    gate, name = world.upstream.gate("gate-hop-brief-stored"), "gate-hop-brief-stored.slow.example"
    kid, staff = "127.0.3.1", "127.0.4.1"
    for modules in "validator cachedb iterator", "cachedb iterator":
        for rule in "tcp-only name brief-stored.slow.example", "group kids 127.0.3.0/24\nnxdomain name brief-stored.slow.example client=kids":
            with policy(world, tap, HARMLESS, check=False, modules=modules, clauses='cachedb:\n    backend: "testframe"\n',
                        server="serve-expired: yes\nserve-expired-client-timeout: 50\nqname-minimisation: no") as resolver:
                gate.open()
                resolver.exchange(ask(name))
                assert changed(resolver, rule)
                gate.opened.clear()
                time.sleep(2.1)
                clients = [Udp(resolver.address(), source) for source in (kid, staff, kid)]
                for client in clients:
                    client.send(ask(name))
                replies = [client.receive() for client in clients]
                tap.equal([(is_withheld(reply), len(reply.answers())) for reply in replies],
                          [(True, 0), (False, 2) if "kids" in rule else (True, 0), (True, 0)], f"{modules}, {rule}: while it waits")
                gate.open()
                tap.ok(eventually(lambda: name not in resolver.control("dump_requestlist")[1]), f"{modules}, {rule}: the query is done")
                resolver.control("flush_zone", "slow.example")
                reply = exchange(resolver.address(), ask(name), Tcp, staff)
                tap.equal((reply.rcode, reply.answers()), ("NOERROR", ["brief-stored.slow.example.", ADDRESS]),
                          f"{modules}, {rule}: another client gets it from cachedb")


def test_response_ip(world, tap):
    """respip rewrites a copy, before the callback or after it: the cached message is found and disowned."""
    if world.lacks(tap, "respip"):
        return
    actions = [f'redirect\nresponse-ip-data: {ADDRESS}/32 "{data}"' for data in ("A 192.0.2.99", "CNAME wild.example")]
    for action in *actions, "always_refuse", "always_nxdomain":
        cached_then_refused(world, tap, [ask(name) for name in NAMES], rule=f"refuse name {EVIL}", rcode="REFUSED",
                            modules="respip validator iterator", server=f"response-ip: {ADDRESS}/32 {action}")


def test_local_alias(world, tap):
    """An alias of Unbound's own to a refused name: of a local zone, of a view's zone, of a tag's data."""
    zone = f'local-zone: "l.alias." redirect\nlocal-data: "l.alias. 300 IN CNAME {EVIL}."'
    tag = f'define-tag: t\naccess-control-tag: 127.0.0.0/8 t\nlocal-zone: "l.alias." static\nlocal-zone-tag: "l.alias." t\n' \
        f'access-control-tag-action: 127.0.0.0/8 t redirect\naccess-control-tag-data: 127.0.0.0/8 t "CNAME {EVIL}"'
    for options in ({"server": zone}, {"server": tag}, {"server": "access-control-view: 127.0.0.0/8 v", "clauses":
                                                        'view:\n    name: v\n' + "".join(f"    {line}\n" for line in zone.splitlines())}):
        with policy(world, tap, HARMLESS, check=False, **options) as resolver:
            tap.ok(leaked(resolver.exchange(ask("l.alias"))), f"{options}: it leads there")
        cached_then_refused(world, tap, [ask("l.alias")], first=ask(EVIL), **options)


def test_snooped(world, tap):
    """Without RD: a hit, or a referral made of the cache."""
    for name in EVIL, f"hop-{EVIL}":
        with policy(world, tap, HARMLESS, check=False,
                    server="access-control: 127.0.0.0/8 allow_snoop\nminimal-responses: no") as resolver:
            resolver.exchange(ask(name))
            assert changed(resolver, REFUSED)
            for transport in Udp, Tcp, Udp, Tcp:
                reply = exchange(resolver.address(), ask(name, flags=0), transport)
                tap.equal(leaked(reply), [], f"{name} over {transport.__name__}: {reply.rcode}")


def test_loaded(world, tap):
    """Records that load_cache restores are decided like all others, also in the additional section."""
    for name, qtype in (EVIL, "A"), (f"hop-{EVIL}", "A"), (f"mx-{EVIL}", "MX"):
        for flags in FLAGS:
            with policy(world, tap, HARMLESS, check=False, server="minimal-responses: no") as resolver:
                question = ask(name, qtype, flags=flags)
                resolver.exchange(question)
                _, dump = resolver.control("dump_cache")
                tap.ok(f"msg {name}. IN" in dump, f"{name}: cached", dump)
                tap.ok(changed(resolver, REFUSED), f"{name}: the swap")
                status, printed = resolver.control("load_cache", text=dump)
                tap.equal(status, 0, f"{name}: loaded: {printed}")
                for transport in Udp, Tcp, Udp, Tcp:
                    reply = exchange(resolver.address(), question, transport)
                    tap.equal(leaked(reply), [], f"{name}, flags {flags:x}, over {transport.__name__}")
                if qtype == "A":
                    refused(tap, resolver, f"{name}, flags {flags:x}", question)


ALONE = """START_RRSET_CACHE
;rrset 300 1 0 8 0
dname-evil.slow.example.\t300\tIN\tDNAME\tevil.slow.example.
END_RRSET_CACHE
START_MSG_CACHE
msg x.dname-evil.slow.example. IN A {flags} 1 300 0 1 0 0 -1
dname-evil.slow.example. IN DNAME 0
END_MSG_CACHE
EOF
"""


def test_other_rcodes(world, tap):
    """Unbound writes no local alias into a YXDOMAIN; load_cache may bring one with records."""
    name = "x.dname-evil.slow.example"
    for rcode in "YXDOMAIN", "NOERROR":
        with policy(world, tap, HARMLESS, check=False, modules="iterator") as resolver:
            status, printed = resolver.control("load_cache", text=ALONE.format(flags=0x8180 | dns.rcode.from_text(rcode)))
            tap.equal(status, 0, f"loaded: {printed}")
            if rcode == "YXDOMAIN":
                reply = resolver.exchange(ask(name))
                tap.equal((reply.rcode, reply.answers()), (rcode, [f"{EVIL}."]), "as it was loaded")
            assert changed(resolver, "nxdomain zone dname-evil.slow.example")
            for transport in Udp, Tcp, Udp, Tcp:
                tap.equal(exchange(resolver.address(), ask(name), transport).answers(), [],
                          f"{rcode} over {transport.__name__}")


def test_dname_of_another_owner(world, tap):
    """A DNAME whose owner is not above the name that the chain has reached counts as a target."""
    dump = ALONE.replace("x.dname-evil.slow.example. IN A", "apart.slow.example. IN A").format(flags=0x8180)
    with policy(world, tap, HARMLESS, check=False, modules="iterator") as resolver:
        status, printed = resolver.control("load_cache", text=dump)
        tap.equal(status, 0, f"loaded: {printed}")
        assert changed(resolver, "nxdomain zone dname-evil.slow.example")
        for transport in Udp, Tcp, Udp, Tcp:
            reply = exchange(resolver.address(), ask("apart.slow.example"), transport)
            owners = [rrset.name.to_text() for rrset in reply.message.answer]
            tap.ok("dname-evil.slow.example." not in owners, f"over {transport.__name__}", owners)


def test_reload_of_an_ended_query(world, tap):
    """A query that was ended holds its alias until the end is taken. A reload has emptied the caches before it gives the
    query up: nothing may be stored in them then."""
    name = "a-gate-hop-reloaded.slow.example"
    with policy(world, tap, "nxdomain name reloaded.slow.example", check=False, modules="dns64 validator iterator",
                server="qname-minimisation: no") as resolver:
        gate, client = waits_for_a(world, resolver, "a-gate-hop-reloaded", name)
        resolver.reload("reload")
        tap.equal([line for line in resolver.control("dump_cache")[1].splitlines() if "reloaded" in line], [], "nothing is cached")
        gate.open()
        refused(tap, resolver, "after the reload", ask(name, "AAAA"))
        client.close()


def test_counted_and_logged(world, tap):
    """A withheld reply has a line with its rule, and a counter; what no rule matches is not counted."""
    with policy(world, tap, HARMLESS, idn=f"log-to: log/idn.log\n{METRICS}", check=False) as resolver:
        for name in EVIL, "honest.slow.example":
            resolver.exchange(ask(name))
        assert changed(resolver, REFUSED)
        tap.equal(resolver.exchange(ask("honest.slow.example")).rcode, "NOERROR", "another name")
        tap.ok(is_withheld(exchange(resolver.address(), ask(EVIL), Udp)), "withheld")
        line = resolver.log.wait(f"{EVIL}.", 2)[1]
        tap.equal((line.cached, line.fields.get("policy")), (True, "nxdomain"), "its line names the rule")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_withheld_total") == 1), "counted")
        refused(tap, resolver, "the next query", ask(EVIL))
        tap.equal(resolver.metrics().sum("policy_withheld_total"), 1, "the policy's own answer is not counted")


def test_encrypted(world, tap):
    """A hit over TLS and HTTPS: withheld once, then the policy's answer; several questions wait on one connection."""
    kinds, server = encrypted.offer(world)
    for kind, port in kinds:
        with policy(world, tap, HARMLESS, check=False, server=server) as resolver:
            for name in NAMES:
                first = exchange(("127.0.0.1", port), ask(name), kind)
                tap.ok(leaked(first), f"{kind.__name__}: {name} is allowed before the rule")
            assert changed(resolver, REFUSED)
            for name in NAMES:
                question = ask(name)
                client = kind(("127.0.0.1", port))
                for _ in range(3):
                    client.send(question)
                replies = [client.receive() for _ in range(3)]
                client.close()
                tap.equal([leaked(reply) for reply in replies], [[]] * 3, f"{kind.__name__}: {name}: nothing leaks")
                wanted = [reply.rcode for reply in replies if not is_withheld(reply)]
                tap.equal(wanted, ["NXDOMAIN"] * len(wanted), f"{kind.__name__}: {name}: withheld or refused")
                last = exchange(("127.0.0.1", port), question, kind)
                tap.equal((leaked(last), last.rcode, last.has(dns.flags.TC)), ([], "NXDOMAIN", False), f"{kind.__name__}: {name}: refused")


def test_behind_a_proxy(world, tap):
    """Clients of one proxy (PROXYv2) ask for a name that is cached, after a rule has refused it to some of them: the address
    in the header counts, not the proxy's."""
    port, kid, staff = free_port(), "127.0.3.1", "127.0.4.1"
    groups = "group kids 127.0.3.0/24\n"
    with policy(world, tap, groups + HARMLESS, check=False, server=f"proxy-protocol-port: {port}\ninterface: 127.0.0.1@{port}\n"
                "access-control: 0.0.0.0/0 allow") as resolver:
        for name in NAMES:
            exchange(("127.0.0.1", port), ask(name), proxied(Udp, kid), kid)
        assert changed(resolver, f"{groups}{REFUSED} client=kids")
        for turn in range(2):
            for name in NAMES:
                for proxy in kid, staff:
                    kinds = proxied(Udp, proxy), proxied(Tcp, proxy)
                    replies = [exchange(("127.0.0.1", port), ask(name), kind, kid) for kind in kinds]
                    tap.equal([leaked(reply) for reply in replies], [[], []], f"{name} by {proxy}, {turn}: nothing leaks")
                    tap.equal(replies[1].rcode, "NXDOMAIN", f"{name} by {proxy}, {turn}: refused")
                    reply = exchange(("127.0.0.1", port), ask(name), kinds[0], staff)
                    tap.ok(ADDRESS in reply.answers(), f"{name} by {proxy}, {turn}: the others have it", reply.message)


def test_disowned_then_evicted(world, tap):
    """A disowned message stays in the cache when its RRsets have gone and their memory is used again: it must be a miss
    and no read of freed memory (AddressSanitizer sees one)."""
    names = [f"host{number}.evicted.slow.example" for number in range(60)]
    others = [f"other{number}.slow.example" for number in range(400)]
    with policy(world, tap, HARMLESS, check=False, server="rrset-cache-size: 16k\nrrset-cache-slabs: 1") as resolver:
        for name in names:
            resolver.exchange(ask(name))
        assert changed(resolver, "nxdomain zone evicted.slow.example")
        for name in names:
            exchange(resolver.address(), ask(name), Udp)
        for name in others:
            resolver.exchange(ask(name))
        rcodes = collections.Counter(resolver.exchange(ask(name)).rcode for name in names)
        tap.equal(rcodes, {"NXDOMAIN": len(names)}, "refused, each")


@contextlib.contextmanager
def redis_server(world):
    port = free_port()
    process = subprocess.Popen([world.peers / "usr/bin/redis-server", "--port", str(port), "--save", "", "--dir", str(world.folder)],
                               stdout=subprocess.PIPE, text=True,
                               env={"LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip()})
    try:
        assert any("eady to accept connections" in line for line in process.stdout)
        yield f'cachedb:\n    backend: "redis"\n    redis-server-host: 127.0.0.1\n    redis-server-port: {port}\n'
    finally:
        process.terminate()
        process.communicate()


def test_redis(world, tap):
    """cachedb's backend holds what another resolver has stored there: after a flush it comes back from there."""
    if world.lacks(tap, "cachedb"):
        return
    with redis_server(world) as clauses:
        for modules in "validator cachedb iterator", "dns64 validator cachedb iterator":
            for expired in "no", "yes":
                with policy(world, tap, HARMLESS, check=False, modules=modules, clauses=clauses,
                            server=f"serve-expired: {expired}\nqname-minimisation: no") as resolver:
                    for name in NAMES:
                        resolver.exchange(ask(name))
                    assert changed(resolver, REFUSED)
                    for flags in FLAGS:
                        for name in NAMES:
                            resolver.control("flush_zone", "slow.example")
                            for turn in range(2):
                                refused(tap, resolver, f"{modules}, expired {expired}, {name} {flags:x}, turn {turn}",
                                        ask(name, flags=flags))
