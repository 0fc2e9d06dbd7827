# SPDX-License-Identifier: BSD-3-Clause
"""What holds for every host: its clients get what the policy says, whatever the host has cached."""

import itertools
import threading

from question import ask
from scenes import RULES, SCENES, play, records, seen

NONE = "nxdomain name none.example\n"


def test_scenes(host, tap):
    with host.running(tap, RULES) as running:
        for time in ("", ", again"):
            for scene in SCENES:
                play(tap, running, scene, time)


def test_ttl(host, tap):
    """Of the policy's records, and of aliases before them."""
    with host.running(tap, "redirect 192.0.2.80 name ttl.slow.example ttl=17\n") as running:
        for _ in range(2):
            sections = [(rrset.name.to_text(), rrset.ttl) for rrset in running.exchange(ask("alias-ttl.slow.example")).message.answer]
            names, ttls = zip(*sections)
            tap.equal(names, ("alias-ttl.slow.example.", "ttl.slow.example."), "an alias, and the policy's record")
            tap.ok(17 < ttls[0] <= 300 and ttls[1] == 17, "their periods", ttls)


def test_unknown_differences(host, tap):
    tap.equal(sorted(set(host.differences) - {scene.title for scene in SCENES}), [], "each difference is of a scene")


def test_swap(host, tap):
    """All is cached that was allowed; then it is refused. What was refused is then allowed."""
    with host.running(tap, NONE) as running:
        plain = {}
        for scene in SCENES:
            for _ in range(2):
                plain[scene.title] = seen(running.exchange(scene.question, scene.transport))
                running.exchange(ask("ascii.example"))
        tap.ok(running.changed(RULES), "the rules are in force")
        for scene in SCENES:
            if host.bare_first and scene.action not in ("", "log", "passthru", "tcp-only"):
                reply = running.exchange(scene.question, scene.transport)
                tap.ok(set(records(reply.message.answer)) <= set(scene.answer), f"{scene.title}, cached before: nothing of it",
                       reply.message)
            play(tap, running, scene, ", cached before")
        tap.ok(running.changed(NONE), "and are not")
        for scene in SCENES:
            got = seen(running.exchange(scene.question, scene.transport))
            tap.equal(got, plain[scene.title], f"{scene.title}, as it was before")


def test_swap_aliases(host, tap):
    """Aliases that were cached are decided again, and so are those that were refused."""
    name = "hop-swap.slow.example"
    with host.running(tap, NONE) as running:
        for _ in range(3):
            for _ in range(2):
                tap.equal(running.exchange(ask(name)).answers(), ["swap.slow.example.", "192.0.2.200"], "allowed")
            tap.ok(running.changed("refuse name swap.slow.example\n"), "refused by a swap")
            for _ in range(3):
                tap.equal(running.exchange(ask(name)).rcode, "REFUSED", "refused")
            tap.ok(running.changed(NONE), "allowed by a swap")


def load(running, names, stop, wrong):
    """One client that asks for all of them again and again, as long as it is told."""
    for name, allowed in itertools.cycle(names):
        if stop.is_set():
            return
        reply = running.exchange(ask(name))
        if reply.rcode not in allowed:
            wrong.append((name, reply.rcode))


def swap_under_load(host, tap):
    """Eight clients, and rules that come and go: answers are of the rules before or after."""
    rule = "refuse zone wild.example\nrefuse name threads.slow.example\n"
    names = [(f"n{number}.wild.example", ("NOERROR", "REFUSED")) for number in range(20)]
    names += [("hop-threads.slow.example", ("NOERROR", "REFUSED")), ("ascii.example", ("NOERROR",))]
    with host.running(tap, "log name none.example tag=t\n") as running:
        stop, wrong = threading.Event(), []
        clients = [threading.Thread(target=load, args=(running, names, stop, wrong)) for _ in range(8)]
        for client in clients:
            client.start()
        for number in range(8):
            tap.ok(running.changed(rule if number % 2 == 0 else "log name none.example tag=t\n"), "a swap")
            if number % 2 == 0:
                tap.equal(running.exchange(ask("n1.wild.example")).rcode, "REFUSED", "refused")
        stop.set()
        for client in clients:
            client.join()
        tap.equal(wrong, [], "every answer is one of the rules before or after")
        tap.ok(sum(running.answers.values()) > 500, "they have asked", sum(running.answers.values()))
