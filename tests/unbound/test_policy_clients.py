# SPDX-License-Identifier: BSD-3-Clause
"""Tests what depends on the waiting clients: truncation over UDP alone, drops, clients that joined others."""

import re

import dns.flags

from question import Tcp, Udp, ask, exchange
from test_policy_alias import asked
from rulefile import changed
from test_policy_answers import WWW, check, every_way, fence, policy, received


def test_joined(world, tap):
    """Clients that wait for one answer get it on their own terms."""
    name = "gate-joined.tcp.slow.example"
    gate = world.upstream.gate("gate-joined")
    with policy(world, tap, "tcp-only zone tcp.slow.example", modules="respip validator iterator") as resolver:
        kinds = (Tcp, Udp, Udp, Tcp)
        clients = [kind(resolver.address()) for kind in kinds]
        for client in clients:
            client.send(ask(name))
            fence(tap, resolver)
        gate.open()
        for client, kind in zip(clients, kinds):
            reply = client.receive()
            resolver.answered(ask(name))
            tap.equal((reply.has(dns.flags.TC), reply.answers()),
                      (True, []) if kind is Udp else (False, ["192.0.2.200"]), f"{kind.__name__}")
            client.close()


def is_silent(resolver, client, question):
    """Returns whether a question gets no answer: the next question's answer has to come first."""
    client.send(question)
    ident = client.send(ask("version.bind", "TXT", cls="CH"))
    reply = client.receive()
    resolver.answered(ask("version.bind", "TXT", cls="CH"))
    resolver.answered(question)  # a line for a drop too
    return reply.ident == ident


def test_drop(world, tap):
    """More drops than the mesh has places: clients who join others are still answered."""
    gate = world.upstream.gate("gate-drop")
    with policy(world, tap, server="num-queries-per-thread: 4") as resolver:
        client = Udp(resolver.address())
        dropped = [is_silent(resolver, client, ask(f"n{i}.drop.example")) for i in range(200)]
        client.close()
        tap.ok(all(dropped), "200 drops on UDP", dropped)
        name = "gate-drop.slow.example"
        clients = [Udp(resolver.address()) for _ in range(3)]
        for client in clients:
            client.send(ask(name))
            fence(tap, resolver)
        gate.open()
        for client in clients:
            tap.equal(received(resolver, client, ask(name)).answers(), ["192.0.2.200"], "a client of three")
        for way, question, transport in every_way("x.drop.example", "A"):
            if transport is Tcp:
                check(tap, f"drop, {way}", resolver.exchange(question, Tcp), "REFUSED", [], [], [])
        client = Tcp(resolver.address())
        for name in ("drop.example", WWW, "drop.example"):
            client.send(ask(name, "AAAA"))
            tap.equal(client.receive().rcode, "REFUSED" if "drop" in name else "NOERROR", "the connection stays open")
            resolver.answered(ask(name, "AAAA"))
        client.close()


def test_zone_transfer(world, tap):
    """Clients who are refused a name join Unbound's own lookup of it, for the server of a zone transfer."""
    for number, action in enumerate(("refuse", "redirect 192.0.2.9", "drop", "tcp-only", "cname ascii.example")):
        name = f"gate-primary{number}.slow.example"
        gate = world.upstream.gate(f"gate-primary{number}")
        clauses = f'auth-zone:\n    name: "sent.example."\n    primary: "{name}"\n'
        with policy(world, tap, f"{action} name {name}", server="verbosity: 4", clauses=clauses, check=False) as resolver:
            tap.ok(gate.arrived.wait(20), "Unbound asks")
            clients = [Udp(resolver.address()) for _ in range(2)]
            for client in clients:
                client.send(ask(name))
            fence(tap, resolver)
            gate.open()
            found = resolver.daemon.stderr.wait(lambda octets: re.search(
                rf"{name} (?:lookup|type A probe lookup) (\S+)".encode(), octets))
            tap.equal(found and found[1], b"192.0.2.200", f"{action}: Unbound has the address")
            for client in clients if action != "drop" else ():
                tap.ok("192.0.2.200" not in client.receive().answers(), f"{action}: the client does not")
                client.close()


def test_zone_transfer_expired(world, tap):
    """While a lookup of Unbound's own waits, it and a client get an expired answer, which is withheld from the client alone."""
    name, gate = "gate-primary-expired.slow.example", world.upstream.gate("gate-primary-expired")
    gate.open()
    clauses = f'auth-zone:\n    name: "sent.example."\n    primary: "{name}"\n'
    server = "verbosity: 4\nserve-expired: yes\nserve-expired-client-timeout: 1500\ncache-max-ttl: 1\ndo-ip6: no"
    with policy(world, tap, "nxdomain name other.example", server=server, clauses=clauses, check=False) as resolver:
        log = resolver.daemon.stderr
        tap.ok(log.wait(lambda octets: b" lookup 192.0.2.200" in octets), "Unbound has the address")
        gate.opened.clear()
        tap.ok(changed(resolver, f"nxdomain name {name}"), "a swap")
        before = len(log.octets)
        tap.ok(log.wait(lambda octets: b" next target lookup" in octets[before:], 60), "it asks again, since the transfer has failed")
        client = Udp(resolver.address())
        client.send(ask(name))
        tap.equal(client.receive(10).answers(), [], "the client gets no address")
        client.close()
        found = log.wait(lambda octets: re.search(rb" lookup (\d\S+|has n.*)", octets[before:]))
        tap.equal(found and found[1], b"192.0.2.200", "Unbound gets it")
        gate.open()


def test_drop_joined_to_unbound(world, tap):
    """Clients who are dropped from a lookup that Unbound itself waits for hold no places of the mesh (num-queries-per-thread,
    16 times): those who join others afterwards are answered."""
    dropped, name = "gate-dropped.slow.example", "gate-joined.slow.example"
    gates = [world.upstream.gate(of.split(".")[0]) for of in (dropped, name)]
    clauses = f'auth-zone:\n    name: "sent.example."\n    primary: "{dropped}"\n'
    with policy(world, tap, f"drop name {dropped}", server="verbosity: 4\nnum-queries-per-thread: 2", clauses=clauses,
                check=False) as resolver:
        tap.ok(gates[0].arrived.wait(20), "Unbound asks")
        client = Udp(resolver.address())
        for _ in range(28):
            client.send(ask(dropped))
        fence(tap, resolver)
        gates[0].open()
        tap.ok(resolver.daemon.stderr.wait(lambda octets: re.search(rb"lookup 192\.0\.2\.200", octets)), "it has the address")
        clients = [Udp(resolver.address()) for _ in range(12)]
        for client in clients:
            client.send(ask(name))
            fence(tap, resolver)
        gates[1].open()
        tap.equal([client.receive().answers() for client in clients], [["192.0.2.200"]] * 12, "all who have joined")


def test_priming(world, tap):
    """Unbound keeps the addresses of a zone's servers, which it asks for itself, though their names are refused."""
    for server in "", "minimal-responses: no":
        clauses = f'stub-zone:\n    name: "ns-prime.slow.example."\n    stub-addr: 127.0.0.1@{world.upstream.port}\n' \
            "    stub-prime: yes\n"
        with policy(world, tap, "refuse name prime.ns-prime.slow.example", server=server, clauses=clauses) as resolver:
            resolver.exchange(ask("x.ns-prime.slow.example"))
            tap.ok("\nprime.ns-prime.slow.example.\t" in resolver.control("dump_cache")[1], "they are cached")
            tap.equal(asked(world, "prime.ns-prime.slow.example"), 0, "and not asked for")
            tap.equal(resolver.exchange(ask("prime.ns-prime.slow.example")).rcode, "REFUSED", "a client is refused them")
            for transport in Udp, Tcp:
                reply = exchange(resolver.address(), ask("ns-prime.slow.example", "NS"), transport)
                tap.equal([rrset.to_text() for rrset in reply.message.additional], [], "nor beside the servers' names")
                resolver.answered(ask("ns-prime.slow.example"))


def test_drop_joined(world, tap):
    """Aliases that lead to a dropped name: all who wait are on UDP, or one is not."""
    with policy(world, tap, "drop zone straße.example") as resolver:
        client = Udp(resolver.address())
        for _ in range(3):
            client.send(ask("alias.example"))
            resolver.answered(ask("alias.example"))
            resolver.log.wait("alias.example.", _ + 1)
        tap.equal(resolver.exchange(ask("ascii.example")).rcode, "NOERROR", "others are answered")
        client.socket.setblocking(False)
        try:
            tap.ok(False, "no answer", client.socket.recv(512))
        except BlockingIOError:
            tap.ok(True, "no answer")
        client.close()
        for _ in range(2):
            check(tap, "on TCP", resolver.exchange(ask("alias.example"), Tcp), "REFUSED", [], [], [])
