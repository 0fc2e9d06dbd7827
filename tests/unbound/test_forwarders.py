# SPDX-License-Identifier: BSD-3-Clause
"""client-subnet-from: a forwarder in front names its clients by EDNS Client Subnet (RFC 7871)."""

import collections
import contextlib
import ipaddress
import random
import re
import struct
from pathlib import Path

import encrypted
from daemon import Daemon, eventually, free_port
from proxied import HeadedUdp, header
from question import Tcp, Udp, ask, exchange
from test_policy_answers import policy
from test_policy_groups import GROUPS, KID, OTHER, OWN, STAFF, answered, crowd, fence, shown

FORWARDER, STRANGER = "127.0.6.1", "127.0.7.1"
FROM = f"client-subnet-from: {FORWARDER}"
QUESTIONS = 10000
REDIRECTED = (False, "NOERROR", ["192.0.2.9"])


def option(family, bits, scope, octets):
    data = struct.pack("!HBB", family, bits, scope) + octets
    return struct.pack("!HH", 8, len(data)) + data


def named(client):
    """The option that names an address or a network."""
    network = ipaddress.ip_network(client)
    octets = network.network_address.packed[: (network.prefixlen + 7) // 8]
    return option(1 if network.version == 4 else 2, network.prefixlen, 0, octets)


KID6 = "2001:db8:3::1"
RULES = GROUPS + f"group kids 2001:db8:3::/48\nredirect 192.0.2.9 zone wild.example client=kids\nlog name ascii.example client={KID}\n"

# The option, whether its client is a kid, and what the log's column has. Each form of the option is a row of tests/unit/test_subnet.c.
NAMED = {
    "a kid": (named(KID), True, KID),
    "one of the staff": (named(STAFF), False, STAFF),
    "a kid's IPv6 address": (named(KID6), True, KID6),
    "a part of the kids' network": (named("127.0.3.128/25"), True, "127.0.3.128/25"),
    "a network that is larger": (named("127.0.2.0/23"), False, "127.0.2.0/23"),
    "the forwarder itself": (named(FORWARDER), False, FORWARDER),
}


def test_option(world, tap):
    """A forwarder's option names the client, from a cache or not; a malformed option, and that of another client, is ignored."""
    for modules, server in ("validator iterator", ""), ("subnetcache validator iterator", "send-client-subnet: 127.0.0.1"):
        if world.lacks(tap, modules):
            continue
        with policy(world, tap, RULES, f"{FROM} 127.0.8.0/24", modules=modules, server=server) as resolver:
            for number, (what, (told, is_kid, client)) in enumerate(NAMED.items()):
                for source in (FORWARDER, STRANGER, "127.0.8.9", FORWARDER) if number % 2 else (STRANGER, FORWARDER, FORWARDER):
                    for transport in Udp, Tcp:
                        reply, line = resolver.logged(ask(f"a{number}.wild.example", option=told), transport, source)
                        trusted = source != STRANGER
                        tap.equal((shown(reply), line.client), (REDIRECTED if is_kid and trusted else OWN, client if trusted else source),
                                  f"{modules}: {source} names {what}, {transport.__name__}")
            for source in FORWARDER, KID:
                reply, line = resolver.logged(ask("b.wild.example", option=option(1, 0, 0, b"")), source=source)
                tap.equal((shown(reply), line.client), (REDIRECTED if source == KID else OWN, source), f"{modules}: {source}, no bits")
            reply, line = resolver.logged(ask("b.wild.example"), source=FORWARDER)
            tap.equal((shown(reply), line.client), (OWN, FORWARDER), f"{modules}: the forwarder asks for itself")


def test_without_the_key(world, tap):
    with policy(world, tap, RULES) as resolver:
        for source in FORWARDER, STAFF:
            reply, line = resolver.logged(ask("a.wild.example", option=named(KID)), source=source)
            tap.equal((shown(reply), line.client), (OWN, source), f"{source} names a kid")


def test_drop_in_the_log(world, tap):
    with policy(world, tap, GROUPS + "drop name a.wild.example client=kids\n", FROM, check=False) as resolver:
        client = Udp(resolver.address(), FORWARDER)
        client.send(ask("a.wild.example", option=named(KID)))
        (line,) = resolver.log.wait("a.wild.example.", 1)
        tap.equal((line.client, line.rcode), (KID, "-"), "a dropped query's client")
        client.close()


def forwarded(name, client):
    return ask(name, option=named(client)), FORWARDER


def test_joined(world, tap):
    """Clients that the forwarder names wait together for an answer whose alias leads to a name of a client rule."""
    kinds, server = encrypted.offer(world)
    gate = world.upstream.gate("gate-hop-p-named")
    name = "gate-hop-p-named.slow.example"
    with policy(world, tap, GROUPS + "redirect 192.0.2.9 name p-named.slow.example client=kids\n", FROM, server=server) as resolver:
        asked = crowd(resolver, [(Udp, 0), (Tcp, 0), *kinds], name, forwarded)
        tap.ok(gate.arrived.wait(20), "the query waits")
        fence(tap, resolver)
        gate.open()
        answered(tap, resolver, asked, name, "forwarded", ["p-named.slow.example.", "192.0.2.9"], ["p-named.slow.example.", "192.0.2.200"], forwarded)
        told = collections.Counter(line.client for line in resolver.log.wait(name + ".", resolver.answers[name + "."]))
        tap.equal(set(told), {STAFF, KID, OTHER}, "the log has the clients, and not the forwarder")


def test_proxy(world, tap):
    """The address that a PROXY header tells is the forwarder's."""
    port = free_port()
    with policy(world, tap, RULES, FROM, check=False, server=f"proxy-protocol-port: {port}\ninterface: 127.0.0.1@{port}\n"
                "access-control: 0.0.0.0/0 allow") as resolver:
        for told, wanted in (FORWARDER, REDIRECTED), (STAFF, OWN):
            HeadedUdp.head = header(told)
            reply = exchange(("127.0.0.1", port), ask("a.wild.example", option=named(KID)), HeadedUdp, FORWARDER)
            tap.equal(shown(reply), wanted, f"the header says {told}")


# ---- Debian's dnsmasq --------------------------------------------------------------------------------------------------


def the_block(kind):
    """A configuration in operations.md."""
    text = (Path(__file__).parents[2] / "doc/operations.md").read_text(encoding="utf-8")
    return re.search(f"^```{kind}\n(.*?)^```", text, re.M | re.S).group(1)


@contextlib.contextmanager
def dnsmasq(world, resolver, lines):
    (resolver.folder / "dnsmasq.conf").write_text(lines)
    port = free_port()
    libraries = {"LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip()}
    daemon = Daemon([world.peers / "usr/sbin/dnsmasq", "-k", "-C", resolver.folder / "dnsmasq.conf", f"--port={port}", "--listen-address=127.0.0.1", "--bind-interfaces",
                     "--no-resolv", "--no-hosts", f"--server=127.0.0.1#{resolver.port}@{FORWARDER}",
                     "--log-facility=-", "--dns-forward-max=1000", "--user=", "--pid-file="], resolver.folder, libraries)
    try:
        daemon.wait_started(b"started")
        yield ("127.0.0.1", port)
    finally:
        daemon.stop()


def ask_in_turn(server, seed):
    """Each client asks its next question when it has the answer to the one before, so that both groups ask at once, and
    often for the same name. Yields (client, name, reply)."""
    rng = random.Random(seed)
    clients = {f"127.0.{group}.{number}": None for group in (3, 4) for number in range(1, 21)}
    for _ in range(QUESTIONS // len(clients)):
        for source in clients:
            clients[source] = (Udp(server, source), f"n{rng.randrange(40)}.wild.example")
        for client, name in clients.values():
            client.send(ask(name))
        for source, (client, name) in clients.items():
            yield source, name, client.receive()
            client.close()


def forge(tap, resolver, server):
    """Clients that give the forwarder another client's subnet."""
    for source, wanted in (KID, REDIRECTED), (STAFF, OWN):
        for told in KID, STAFF, "0.0.0.0/0":
            for transport in Udp, Tcp:
                resolver.answered(ask("forged.wild.example"))
                reply = exchange(server, ask("forged.wild.example", option=named(told)), transport, source)
                tap.equal(shown(reply), wanted, f"{source} tells the forwarder to be {told}, {transport.__name__}")


def test_behind_dnsmasq(world, tap):
    """10,000 questions of two groups: each answer is its client's, and so is each line of the log."""
    with policy(world, tap, GROUPS + "redirect 192.0.2.9 zone wild.example client=kids\n", FROM) as resolver:
        with dnsmasq(world, resolver, the_block("dnsmasq")) as server:
            wrong, asked, count = [], collections.Counter(), 0
            for source, name, reply in ask_in_turn(server, 1):
                count += 1
                asked[source, name + "."] += 1
                resolver.answered(ask(name))
                if shown(reply) != (REDIRECTED if source.startswith("127.0.3.") else OWN):
                    wrong.append((source, name, shown(reply)))
            tap.equal((count, wrong[:5]), (QUESTIONS, []), "each answer is its client's")
            lines = eventually(lambda: len(resolver.log.lines()) >= QUESTIONS and resolver.log.lines())
            found = collections.Counter((line.client, line.name) for line in lines or ())
            tap.ok(found == asked, "each line has its client", (found - asked, asked - found))
            forge(tap, resolver, server)
        with dnsmasq(world, resolver, the_block("dnsmasq").replace("strip-subnet\n", "")) as server:
            resolver.answered(ask("forged.wild.example"))
            reply = exchange(server, ask("forged.wild.example", option=named(STAFF)), source=KID)
            tap.equal(shown(reply), OWN, "without strip-subnet, a client names itself as operations.md says")


def test_behind_dnsdist(world, tap):
    """The same; dnsdist's own question for a root server belongs to no client."""
    with policy(world, tap, GROUPS + "redirect 192.0.2.9 zone wild.example client=kids\n", FROM, check=False) as resolver:
        port, lines = free_port(), the_block("dnsdist-subnet")
        backend = f"address='127.0.0.1:{resolver.port}', source='{FORWARDER}', healthCheckMode='up'"
        (resolver.folder / "dnsdist.conf").write_text(f"""\
setSecurityPollSuffix("")
setLocal("127.0.0.1:{port}")
{lines.replace("address='192.0.2.54:53'", backend)}""")
        libraries = {"LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip()}
        daemon = Daemon([world.peers / "usr/bin/dnsdist", "--supervised", "--disable-syslog", "-C", resolver.folder / "dnsdist.conf"],
                        resolver.folder, libraries)
        try:
            tap.ok(eventually(lambda: b"Listening on" in daemon.stdout.octets + daemon.stderr.octets), "dnsdist listens")
            server = "127.0.0.1", port
            for source, wanted in (KID, REDIRECTED), (STAFF, OWN), (KID, REDIRECTED):
                for transport in Udp, Tcp:
                    resolver.answered(ask("a.wild.example"))
                    tap.equal(shown(exchange(server, ask("a.wild.example"), transport, source)), wanted, f"{source}, {transport.__name__}")
            lines = resolver.log.wait("a.wild.example.", 6)
            tap.equal([line.client for line in lines], [KID, KID, STAFF, STAFF, KID, KID], "each line has its client")
            forge(tap, resolver, server)
        finally:
            daemon.stop()
