# SPDX-License-Identifier: BSD-3-Clause
"""Many clients: waiting for one answer, and on four threads at once."""

import collections
import re
import threading

import dnsname
from question import Tcp, Udp, ask

FENCE = ask("fence.local.example")
LOCAL = 'local-data: "fence.local.example. 300 A 192.0.2.130"'


def test_one_answer_for_many(world, tap):
    """Six clients wait for one slow answer, on UDP and TCP, from their own addresses, each in its own spelling."""
    gate = world.upstream.gate("gate-many")
    name = dnsname.parse("gate-many.xn--bcher-kva.slow.example")
    with world.resolver(tap, server=LOCAL) as resolver:
        kinds = [(Udp, "127.0.0.2"), (Udp, "127.0.0.3"), (Tcp, "127.0.0.4"), (Udp, "127.0.0.2"), (Tcp, "127.0.0.5"),
                 (Udp, "127.0.0.1")]
        clients = [transport(resolver.address(), source) for transport, source in kinds]
        questions = [ask(dnsname.mixed_case(name) if i % 2 else name) for i in range(len(clients))]
        for client, question in zip(clients, questions):
            client.send(question)
            fence(tap, resolver, client)  # answered at once: the question before it has been read and waits
        tap.ok(gate.arrived.wait(20), "the upstream was asked")
        gate.open()
        for client, question in zip(clients, questions):
            reply = client.receive()
            resolver.answered(question)
            tap.equal((reply.rcode, reply.answers()), ("NOERROR", ["192.0.2.200"]),
                      f"{client.socket.getsockname()} is answered")
            tap.equal(reply.question_octets(question), dnsname.wire(question.labels), "in its own spelling")
            client.close()
        lines = resolver.log.wait(dnsname.column(name), len(clients))
        wanted = collections.Counter(source for _, source in kinds)
        tap.equal(collections.Counter(line.client for line in lines), wanted, "a line for each client")
        tap.equal({(line.rcode, line.cached, line.u) for line in lines},
                  {("NOERROR", 0, "gate-many.bücher.slow.example")}, "each of the same answer")
        tap.equal(gate.questions, 1, "the upstream was asked once")
        _, line = resolver.logged(ask(name), source="127.0.0.6")
        tap.equal((line.client, line.cached), ("127.0.0.6", 1), "a client who comes later gets it from the cache")


def fence(tap, resolver, client):
    ident = client.send(FENCE)
    reply = client.receive()
    resolver.answered(FENCE)
    tap.equal(reply.ident, ident, "the fence is answered before the slow question")


CLIENTS, EACH, WINDOW = 12, 250, 8


def test_four_threads(world, tap):
    """A short load on four threads, half of it from the cache: lines are neither lost, nor mixed up, nor doubled."""
    for idn in ("log-to: log/idn.log", "log-to: unbound"):
        with world.resolver(tap, idn=idn, threads=4) as resolver:
            answered = [0] * CLIENTS
            workers = [threading.Thread(target=load, args=(resolver, number, answered)) for number in range(CLIENTS)]
            for worker in workers:
                worker.start()
            for worker in workers:
                worker.join()
            tap.equal(sum(answered), CLIENTS * EACH, f"{idn}: all questions are answered")
        # the resolver has compared its lines with the answers, name by name
        lines = resolver.log.lines()
        tap.equal(len(lines), CLIENTS * EACH, f"{idn}: as many lines as answers")
        tap.equal({line.u for line in lines if line.name.startswith("xn--bcher-kva")}, {"bücher.wild.example"},
                  f"{idn}: the Unicode of the shared name")
        busy = re.findall(r"server stats for thread (\d): [1-9]\d* queries", resolver.daemon.log())
        tap.ok(len(busy) > 1, f"{idn}: several threads had a part in it", busy)


def load(resolver, number, answered):
    """Every second question is one all clients ask."""
    client = Udp(resolver.address(), f"127.0.1.{number + 1}")
    names = ["xn--bcher-kva.wild.example" if i % 2 else f"q{i}-{number}.xn--g1ah2bza.wild.example" for i in range(EACH)]
    questions = [ask(name) for name in names]
    waiting = {}
    position = 0
    while position < EACH or waiting:
        while position < EACH and len(waiting) < WINDOW:
            waiting[client.send(questions[position])] = questions[position]
            position += 1
        question = waiting.pop(client.receive().ident, None)
        if question:
            resolver.answered(question)
            answered[number] += 1
    client.close()
