# SPDX-License-Identifier: BSD-3-Clause
"""Many clients on four threads at once. Those that wait for one answer: test_json.py."""

import re
import threading

from question import Udp, ask

FENCE = ask("fence.local.example")
LOCAL = 'local-data: "fence.local.example. 300 A 192.0.2.130"'


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
