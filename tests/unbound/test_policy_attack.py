# SPDX-License-Identifier: BSD-3-Clause
"""Attempts to get a refused answer past the policy, or to make it harm what it is not about."""

import re
import socket
import struct
import time

import dns.flags

import encrypted
from daemon import eventually
from load import Load
from question import CD, RD, Tcp, Udp, ask, exchange
from rulefile import changed, rules
from test_policy_answers import check, edes, fence, joining, policy, received, section, soa, waiting
from test_policy_swap import HARMLESS, QUIET


def test_alias_of_an_alias(world, tap):
    """A target that a client asks for first, and that is another rule's alias for it, is not decided for the alias."""
    gate = world.upstream.gate("gate-inner")
    rules = "cname middle.slow.example name outer.example\ncname gate-inner.slow.example name middle.slow.example"
    with policy(world, tap, rules) as resolver:
        first = waiting(tap, resolver, gate, ask("middle.slow.example"))
        second = joining(tap, resolver, ask("outer.example"))
        gate.open()
        tap.equal(received(resolver, first, ask("middle.slow.example")).answers(),
                  ["gate-inner.slow.example.", "192.0.2.200"], "the client who asked for it")
        for reply in (received(resolver, second, ask("outer.example")), resolver.exchange(ask("outer.example"))):
            tap.equal(reply.answers(), ["middle.slow.example.", "192.0.2.200"], "the alias has its target's own answer")


def test_empty_target(world, tap):
    """A target's answer without any record."""
    with policy(world, tap, "cname nothing.slow.example zone empty.example") as resolver:
        for number in range(40):
            reply = resolver.exchange(ask(f"{'x' * number}n.empty.example"))
            tap.equal((reply.rcode, reply.answers()), ("NXDOMAIN", ["nothing.slow.example."]), "the alias alone")


def reset(client):
    """Ends a connection so that the server takes notice."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def test_gone_clients(world, tap):
    """Clients who leave while an alias, or an answer that will be refused, is waited for."""
    rules = "cname gate-gone.slow.example zone gone.example\nnxdomain name other.example"
    gates = [world.upstream.gate(label) for label in ("gate-gone", "gate-away")]
    with policy(world, tap, rules) as resolver:
        first = waiting(tap, resolver, gates[0], ask("x.gone.example"), Tcp)
        second = waiting(tap, resolver, gates[1], ask("gate-away.slow.example"), Tcp)
        stays = joining(tap, resolver, ask("x.gone.example"))
        for client in (first, second):
            reset(client)
        resolver.wait_threads()
        assert changed(resolver, rules + "\ndrop zone gate-away.slow.example")
        for gate in gates:
            gate.open()
        tap.equal(received(resolver, stays, ask("x.gone.example")).answers(),
                  ["gate-gone.slow.example.", "192.0.2.200"], "who has stayed is answered")
        tap.equal(resolver.exchange(ask("x.gone.example")).answers(),
                  ["gate-gone.slow.example.", "192.0.2.200"], "and who comes later")
        check(tap, "later", resolver.exchange(ask("gate-away.slow.example"), Tcp), "REFUSED", [], [], [])
        tap.ok(eventually(lambda: resolver.cached("gate-away.slow.example") == []), "nothing is cached")


def test_expired_while_waiting(world, tap):
    """serve-expired's own timer runs while an alias waits: there is nothing expired to serve."""
    gate = world.upstream.gate("gate-timer")
    with policy(world, tap, "nxdomain name other.example",
                server="serve-expired: yes\nserve-expired-client-timeout: 50\ncache-max-ttl: 1") as resolver:
        question = ask("timer.wild.example")
        tap.equal(resolver.exchange(question).answers(), ["192.0.2.77"], "allowed, and cached")
        assert changed(resolver, "cname gate-timer.slow.example name timer.wild.example")
        time.sleep(2.1)  # until it has expired: a hit would be withheld at once
        clients = [waiting(tap, resolver, gate, question, kind) for kind in (Udp, Tcp)]
        time.sleep(0.2)  # the timer's 50 ms and more; nothing tells that it has fired
        fence(tap, resolver)
        gate.open()
        for client in clients:
            tap.equal(received(resolver, client, question).answers(), ["gate-timer.slow.example.", "192.0.2.200"],
                      "the alias and nothing else")


def test_log_only_is_idle(world, tap):
    """In log-only mode answers and cache are those of a resolver without a policy."""
    rules = """\
nxdomain zone wild.example
cname ascii.example zone xn--bcher-kva.example
drop name ascii.example
tcp-only zone xn--brcke-lva.example
redirect 192.0.2.9 zone slow.example
refuse name mangled.example
"""
    questions = [ask(name, qtype, dnssec=dnssec, flags=flags)
                 for name in ("x.wild.example", "www.xn--bcher-kva.example", "ascii.example",
                              "www.xn--brcke-lva.example", "a.slow.example", "mangled.example", "nx.ascii.example", "dangling.example")
                 for qtype in ("A", "AAAA", "TXT") for dnssec in (False, True) for flags in (RD, RD | CD)]

    def run(resolver):
        replies = []
        for question in questions:
            for transport in (Udp, Tcp):
                reply = resolver.exchange(question, transport)
                message = reply.message
                replies.append((str(question), reply.flags, edes(reply), *(
                    sorted((name, kind, data) for name, _, kind, data in section(rrsets))
                    for rrsets in (message.answer, message.authority))))
        _, dump = resolver.control("dump_cache")
        # without TTLs, and the order of the cache's own
        dump = sorted(re.sub(r"\d+", "N", line) if line.startswith((";", "msg")) else
                      re.sub(r"\t\d+\t", "\t", line) for line in dump.splitlines())
        return replies, dump

    with policy(world, tap, rules, idn="policy-mode: log-only") as resolver:
        logged = run(resolver)
    with world.resolver(tap, "") as resolver:
        plain = run(resolver)
    for a, b in zip(logged[0], plain[0]):
        tap.equal(a, b, "the same answer")
    tap.equal(logged[1], plain[1], "the same cache")


def test_wildcard_and_nsec(world, tap):
    """Answers that Unbound makes from cached denials and wildcards with signatures are decided like any others."""
    with policy(world, tap, "nxdomain name stop.wild.example\nredirect 192.0.2.5 zone none.example",
                server="aggressive-nsec: yes") as resolver:
        for name in ("a.wild.example", "b.wild.example", "aaa.example", "noo.example"):
            resolver.exchange(ask(name, dnssec=True))
        for flags in (RD, RD | CD):
            for _ in range(2):
                reply = resolver.exchange(ask("stop.wild.example", flags=flags, dnssec=True))
                check(tap, "wildcard", reply, "NXDOMAIN", [], soa("stop.wild.example."), [(15, "")])
                reply = resolver.exchange(ask("x.none.example", flags=flags, dnssec=True))
                check(tap, "denied", reply, "NOERROR", [("x.none.example.", 60, "A", ["192.0.2.5"])], [], [(4, "")])


def test_no_cache_behind_a_refused_name(world, tap):
    """A message that Unbound must not cache stays out even if the response before it was kept out for a name in it."""
    rules = "nxdomain name cross-ascii.slow.example\npassthru name hop-cross-ascii.slow.example"
    clauses = f'stub-zone:\n    name: "ascii.example."\n    stub-addr: 127.0.0.1@{world.nsd_port}\n    stub-no-cache: yes\n'
    for modules in ("validator iterator", "iterator"):
        with policy(world, tap, rules, modules=modules, clauses=clauses) as resolver:
            for _ in range(2):
                reply = resolver.exchange(ask("hop-cross-ascii.slow.example"))
                tap.equal(reply.answers(), ["cross-ascii.slow.example.", "ascii.example.", "192.0.2.60"], "exempt")
            for name in ("hop-cross-ascii.slow.example", "ascii.example"):
                tap.equal(resolver.cached(name), [], f"{modules}: no answer for {name} is cached")
            _, dump = resolver.control("dump_cache")
            tap.equal([line for line in dump.splitlines() if line.startswith("ascii.example.")], [],
                      f"{modules}: nor a record of it")


def test_records_race(world, tap):
    """A refused chain of records in the cache, asked for on all threads at once: no thread gets what another one has
    just put together."""
    numbers = range(60)
    names = [f"alias-r{number}.slow.example" for number in numbers]
    blocked = "".join(f"nxdomain name r{number}.slow.example\n" for number in numbers)
    wrong = []
    for modules in ("validator iterator", "iterator"):
        with world.resolver(tap, QUIET, threads=4, prepare=rules(HARMLESS), check=False, modules=modules) as resolver:
            for turn in range(3):
                for name in names:
                    resolver.exchange(ask(name))
                assert changed(resolver, blocked)
                loads = [Load(resolver, names, 6000, 0, 8, flags=flags) for flags in (RD, RD | CD)]
                results = [load.finish(tap, f"{modules}, turn {turn}") for load in loads]
                wrong += [result["rcodes"] for result in results if {*result["rcodes"]} - {"TC"} != {"3"}]
                assert changed(resolver, HARMLESS)
    tap.equal(wrong, [], "every answer is refused")


test_records_race.long = True


def test_bogus_chain(world, tap):
    """An alias is refused as soon as it is seen: whether it is bogus is not looked at, and no data follow it."""
    anchor = 'trust-anchor: "forged.slow.example. DS 20326 8 2 ' + "AB" * 32 + '"'
    for action, rcode in (("nxdomain", "NXDOMAIN"), ("refuse", "REFUSED"), ("redirect 192.0.2.9", "NOERROR"),
                          ("cname ascii.example", "NOERROR")):
        with policy(world, tap, f"{action} name t.slow.example", "log-to: log/idn.log", server=anchor) as resolver:
            for _ in range(2):
                for flags in (RD, RD | CD):
                    reply, line = resolver.logged(ask("alias-t.forged.slow.example", flags=flags))
                    tap.equal((reply.rcode, line.policy[0]), (rcode, action.split()[0]), f"{action}: flags {flags:x}")
                    tap.ok("192.0.2.200" not in reply.answers(), f"{action}: refused", reply.message)
                    tap.ok(not reply.has(dns.flags.AD), f"{action}: nobody has validated it")
            reply = resolver.exchange(ask("alias-other.forged.slow.example"))
            tap.equal((reply.rcode, reply.answers()), ("SERVFAIL", []), f"{action}: one that leads elsewhere is bogus")
    with policy(world, tap, "cname mangled.example zone bogus.example", server="ignore-cd-flag: yes") as resolver:
        for flags in (RD, RD | CD):
            tap.equal(resolver.exchange(ask("bogus.example", flags=flags)).rcode, "SERVFAIL", "CD is ignored")


def test_pipelined(world, tap):
    """Every action on one connection, asked at once; and connections that end while all that there may be wait."""
    rules_ = "cname gate-full.slow.example zone full.example\ndrop zone drop.example\nrefuse zone refuse.example\n" \
        "nxdomain zone nx.example\ntcp-only zone wild.example\ncname ascii.example zone cname.example"
    wanted = {"a.drop.example": "REFUSED", "a.refuse.example": "REFUSED", "a.nx.example": "NXDOMAIN",
              "a.wild.example": "NOERROR", "a.cname.example": "NOERROR", "ascii.example": "NOERROR"}
    gate = world.upstream.gate("gate-full")
    with policy(world, tap, rules_, server="incoming-num-tcp: 3") as resolver:
        for _ in range(2):
            client = Tcp(resolver.address())
            asked = {client.send(ask(name)): (name, rcode) for name, rcode in list(wanted.items()) * 3}
            while asked:
                reply = client.receive()
                name, rcode = asked.pop(reply.ident)
                resolver.answered(ask(name))
                tap.equal(reply.rcode, rcode, f"{name}, among others")
            client.close()
        for _ in range(4):
            clients = [waiting(tap, resolver, gate, ask("a.full.example"), Tcp) for _ in range(3)]
            resolver.wait_threads()
            for client in clients:
                reset(client)
            resolver.wait_threads()
        gate.open()
        for kind in (Udp, Tcp):
            tap.equal(resolver.exchange(ask("a.full.example"), kind).answers(),
                      ["gate-full.slow.example.", "192.0.2.200"], "those who come later are answered")


def test_encrypted(world, tap):
    """Over transports other than UDP and plain TCP no query is dropped and answers are whole; also if one joins a client on UDP."""
    kinds, server = encrypted.offer(world)
    rules_ = "drop zone drop.example\ntcp-only zone wild.example\ncname gate-hidden.slow.example name a.example\n" \
        "drop name hidden2.slow.example\ntcp-only name hidden3.slow.example\n"
    with policy(world, tap, rules_, server=server) as resolver:
        for kind, port in kinds:
            for name, rcode, answer in (("drop.example", "REFUSED", []), ("a.wild.example", "NOERROR", ["192.0.2.77"])):
                reply = exchange(("127.0.0.1", port), ask(name), kind)
                resolver.answered(ask(name))
                tap.equal((reply.rcode, reply.has(dns.flags.TC), reply.answers()), (rcode, False, answer), kind.__name__)
        for number, (name, rcode) in enumerate((("a.example", "NOERROR"), ("gate-alias-hidden2.slow.example", "REFUSED"),
                                                ("gate-alias-hidden3.slow.example", "NOERROR"))):
            gate = world.upstream.gate(("gate-hidden", "gate-alias-hidden2", "gate-alias-hidden3")[number])
            first = waiting(tap, resolver, gate, ask(name))
            others = []
            for kind, port in kinds:
                others.append(kind(("127.0.0.1", port)))
                others[-1].send(ask(name))
                fence(tap, resolver)
            gone = kind(("127.0.0.1", port))
            gone.send(ask(name))
            resolver.wait_threads()
            reset(gone)
            resolver.wait_threads()
            gate.open()
            tap.equal(received(resolver, first, ask(name)).rcode, rcode, f"{name}: on UDP")
            for client in others:
                reply = received(resolver, client, ask(name))
                tap.equal((reply.rcode, reply.has(dns.flags.TC)), (rcode, False), f"{name}: {type(client).__name__}")


def test_response_ip(world, tap):
    """Rules of response-ip about addresses of a refused name have no effect: no client gets the addresses."""
    server = "response-ip: 192.0.2.14/32 deny\nresponse-ip: 192.0.2.60/32 always_nxdomain"
    rules_ = "nodata zone straße.example\ndrop name ascii.example"
    with policy(world, tap, rules_, modules="respip validator iterator", server=server) as resolver:
        for flags in (RD, RD | CD, RD):
            for transport in (Udp, Tcp):
                reply = resolver.exchange(ask("alias.example", flags=flags), transport)
                check(tap, "alias", reply, "NOERROR", authority=soa("xn--strae-oqa.example."), ede=[(15, "")])
        check(tap, "drop", resolver.exchange(ask("ascii.example"), Tcp), "REFUSED", [], [], [])


TINY = "msg-cache-size: 1m\nrrset-cache-size: 1m\nprefetch: yes\nserve-expired: yes"


def test_tiny_cache(world, tap):
    """Caches of 1 MB that throw out all the time, four threads, swaps."""
    fresh = [f"f{number}.{'x' * 40}.wild.example" for number in range(15000)]
    aliases = ["alias.example", "www.xn--brcke-lva.example", *(f"alias-t{number}.slow.example" for number in range(20))]
    others = ["x.cname.example", "x.redirect.example", "x.nx.example", "x.refuse.example", "x.gone.example",
              "cross-ascii.slow.example", "bogus.example"]
    rules_ = "cname www.xn--bcher-kva.example zone cname.example\nredirect 192.0.2.80 zone redirect.example\n" \
        "nxdomain zone nx.example\nrefuse zone refuse.example\ncname nowhere.example zone gone.example\n" \
        "cname mangled.example zone bogus.example\n"
    blocked = "nxdomain zone straße.example\n" + "".join(f"refuse name t{n}.slow.example\n" for n in range(20))
    with world.resolver(tap, QUIET, threads=4, prepare=rules(rules_), check=False, server=TINY) as resolver:
        loads = [Load(resolver, fresh, None, 0, 4), Load(resolver, aliases, None, 500, 4),
                 Load(resolver, others, None, 500, 4), Load(resolver, aliases, None, 100, 2, "tcp")]
        for turn in range(8):
            tap.ok(changed(resolver, rules_ + blocked * (turn % 2 == 0)), f"turn {turn}: swapped")
            if turn % 2 == 0:
                asked = Load(resolver, aliases, 400, 0, 4, flags=RD | CD).finish(tap, f"turn {turn}")
                tap.equal(sorted({*asked["rcodes"]} - {"TC"}), ["3", "5"], f"turn {turn}: every alias is refused")
        for number, load in enumerate(loads):
            tap.note(str({k: v for k, v in load.finish(tap, f"load {number}").items() if k != "answers"}))


test_tiny_cache.long = True
