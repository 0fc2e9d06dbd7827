# SPDX-License-Identifier: BSD-3-Clause
"""Rules with client= and when=: clients that join what Unbound does for itself, streams with many questions, what was
cached before, and clients that lie about who they are."""

import struct
import time

import dns.edns
import dns.flags

import encrypted
from daemon import eventually, free_port
from proxied import HeadedUdp, header
from question import RD, Tcp, Udp, ask, exchange
from rulefile import changed
from test_policy_answers import fence, policy
from test_policy_groups import ACTIONS, GROUPS, KID, OTHER, OWN, STAFF, answered, crowd, get

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
            first = Udp(resolver.address(), source)
            first.send(ask("www.gated"))
            tap.ok(gate.arrived.wait(20), "the name server is looked up")
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


def test_both_families(world, tap):
    """A daemon that listens on all addresses of both families: the client is the IPv4 one, not a mapped one."""
    with policy(world, tap, GROUPS + "nxdomain zone wild.example client=kids\n", server="do-ip6: yes") as resolver:
        for source in KID, STAFF:
            get(tap, resolver, ACTIONS["nxdomain"] if source == KID else OWN, "a.wild.example", source)
        reply = resolver.exchange(ask("a.wild.example"), ipv6=True)
        tap.equal(reply.rcode, "NOERROR", "::1 is no kid")


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
