# SPDX-License-Identifier: BSD-3-Clause
"""A storm of random questions, while the policy changes: no answer, in any section, that the policy in force refuses, and none
that it does not give.

A seed is one configuration, with its servers, policies and questions; MODEL_SEED repeats it, and MODEL_SECONDS says for how
long the long test takes one after the other (`make storms`). Nothing here is slow or fast: an answer is judged by each policy that
may have been in force since it was asked for, or since its server was allowed to answer."""

import collections
import itertools
import os
import random
import struct
import threading
import time

import dns.exception
import dns.message
import dns.name

from daemon import eventually
from model import CLIENTS, Asked, Policy, complaints, has_refusal
from modelconfig import Configuration
from modelupstream import GATED, NAMES, ModelUpstream
from question import AD, CD, RD, Tcp, Udp, ask
from rulefile import IDN, changed, write

dns.name.MAX_COMPRESSION_POINTER_CHAIN = 256  # so many Unbound reads itself; where aliases go round it writes more than 16
TYPES = ("A",) * 8 + ("AAAA", "AAAA", "CNAME", "DNAME", "MX", "NS", "TXT", "HTTPS", "SRV", "DS", "ANY", "ANY", "SOA", "RRSIG", "DNSKEY")
CONTROLS = ("flush_zone model.", "flush_negative", "flush_bogus", "flush_infra all", "dump_requestlist", "stats_noreset", "fast_reload")


class Storm:
    """One daemon, its clients, and the policies that it has had, each with the times at which it may have come into force."""

    def __init__(self, seed, linked):
        self.seed = seed
        self.rng = random.Random(seed)
        self.upstream = ModelUpstream(seed)
        self.configuration = Configuration(self.rng, linked, self.upstream)
        self.policies = [Policy(self.rng, NAMES, 0)]
        self.begun, self.seen = [time.monotonic()], [time.monotonic()]
        self.lock = threading.Lock()
        self.reading = threading.Lock()  # the daemon's messages about a policy are about one that one thread has waited for
        self.ended = threading.Event()
        self.counts = collections.Counter()
        self.bad = []

    def __str__(self):
        return f"MODEL_SEED={self.seed}: {self.configuration.modules}, {dict(self.counts)}"

    def in_force(self, since, until):
        """The policies that may have decided an answer that was given between these times."""
        return [policy for k, policy in enumerate(self.policies)
                if self.begun[k] <= until and (k + 1 == len(self.policies) or self.seen[k + 1] >= since)]

    def swap(self, resolver, tap):
        policy = Policy(self.rng, NAMES, len(self.policies))
        with self.lock:
            self.begun.append(time.monotonic())
            self.seen.append(float("inf"))
            self.policies.append(policy)
        with self.reading:
            tap.ok(changed(resolver, policy.text()), f"policy {policy.serial} comes into force")
        self.seen[-1] = time.monotonic()

    def question(self, rng, name):
        """That name, or one below it, in any spelling, in any way."""
        name = rng.choice((name, name, name, dns.name.Name([label.swapcase() for label in name.labels])))
        option = struct.pack("!HHHBB3s", 8, 7, 1, 24, 0, bytes((127, 0, rng.randrange(4)))) if rng.random() < 0.3 else b""
        return ask(name.labels[:-1], rng.choice(TYPES), cls="ANY" if rng.random() < 0.1 else "IN", dnssec=rng.random() < 0.3,
                   flags=rng.choice((RD, RD, RD, RD | CD, RD | AD, 0)), option=option)

    def converse(self, resolver, rng, names, patience):
        """One client's questions about these names, over one socket, and what comes until there was nothing for so long."""
        source, transport = rng.choice(CLIENTS), Tcp if rng.random() < 0.3 else Udp
        if transport is Tcp and self.configuration.is_jostling:
            names = names[:1]  # doc/upstream/unbound.md: else Unbound may crash
        asked = {}
        try:
            client = transport(resolver.address(), source)
        except OSError:  # all of its connections are taken
            return
        try:
            since = time.monotonic()
            for name in names:
                question = self.question(rng, name)
                of = Asked(dns.name.Name([label.lower() for label in (*question.labels, b"")]), question, source, transport is Tcp)
                asked[client.send(question)] = of
            if rng.random() < 0.05:
                return  # leaves while it is waiting
            for _ in names:
                reply = client.receive(patience)
                self.judge(asked.get(reply.ident), reply, since)
        except (TimeoutError, ConnectionError):
            pass
        finally:
            client.close()

    def judge(self, asked, reply, since):
        until = time.monotonic()
        try:
            message = dns.message.from_wire(reply.wire, one_rr_per_rrset=True)
        except dns.exception.DNSException as error:
            self.bad.append(f"{asked}: {error!r}: {reply.wire.hex()}")
            return
        self.counts[reply.rcode] += 1
        if not asked or message.question and message.question[0].name != asked.name:
            return  # to the process that had this port before
        if asked.name.is_subdomain(GATED) and message.answer:
            since = max(since, self.upstream.opened.get(int(asked.name.labels[0].rpartition(b"-")[2]), 0))
        with self.lock:
            candidates = self.in_force(since, until)
        asked = self.configuration.decided(asked)
        found = [(policy, complaints(policy, asked, message, "dns64" in self.configuration.modules)) for policy in candidates]
        self.counts["judged by one"] += len(found) == 1
        self.counts["refused by rules"] += has_refusal(message)
        if all(bad for _, bad in found):
            self.bad.append(f"{asked}: after {until - since:.3f} s\n" + message.to_text() + "".join(
                f"\npolicy {policy.serial}:\n{policy.text()}{bad}" for policy, bad in found))

    def clients(self, resolver, number):
        rng = random.Random(f"{self.seed} {number}")
        while not self.ended.is_set():
            self.converse(resolver, rng, rng.choices(self.configuration.names, k=rng.choice((1, 1, 2, 5))), 0.7)

    def controls(self, resolver):
        """An operator's actions meanwhile."""
        rng = random.Random(f"{self.seed} controls")
        while not self.ended.wait(rng.uniform(0.5, 2)):
            if rng.random() < 0.9:
                resolver.control(*rng.choice(CONTROLS).split())
                continue
            with self.reading:
                resolver.reload(rng.choice(("reload", "reload_keep_cache", "reload_keep_cache")))

    def gated(self, resolver, number, turn):
        """Clients that wait while the policy changes, some of them for the same question."""
        rng = random.Random(f"{self.seed} gated {number} {turn}")
        for _ in range(2):
            self.converse(resolver, rng, [dns.name.from_text(f"{rng.choice('abcdef')}-{turn}", GATED) for _ in range(3)], 5)

    def turn(self, resolver, tap, number):
        """The policy changes while questions wait, and they are answered two seconds later."""
        waiting = [threading.Thread(target=self.gated, args=(resolver, n, number)) for n in range(4)]
        for thread in waiting:
            thread.start()
        self.upstream.gate_of(number).arrived.wait(5)
        self.swap(resolver, tap)
        self.ended.wait(2.0)
        self.upstream.open_gate(number)
        for thread in waiting:
            thread.join()
        self.ended.wait(1.5)  # what is asked now, this policy alone decides

    def prepare(self, folder):
        write(folder, self.policies[0].text())
        for name, text in self.configuration.files.items():
            write(folder, text, name)

    def run(self, world, tap, turns):
        configuration = self.configuration
        with world.resolver(tap, IDN, threads=self.rng.choice((1, 2)), modules=configuration.modules,
                            server="\n".join(configuration.server), clauses=configuration.clauses, check=False,
                            prepare=self.prepare) as resolver:
            threads = [threading.Thread(target=self.clients, args=(resolver, n)) for n in range(6)]
            threads.append(threading.Thread(target=self.controls, args=(resolver,)))
            try:
                for thread in threads:
                    thread.start()
                for number in range(turns):
                    self.turn(resolver, tap, number)
            finally:
                self.ended.set()
                for thread in threads:
                    thread.join()
            if turns > 2:
                tap.ok(eventually(lambda: "total.requestlist.current.all=0" in resolver.control("stats_noreset")[1], 300, 0.5),
                       f"MODEL_SEED={self.seed}: no query is left", resolver.control("dump_requestlist")[1])
            errors = [line for line in resolver.daemon.log().splitlines() if " error: " in line]
            tap.ok(not errors, f"MODEL_SEED={self.seed}: no error in the log", "\n".join(errors[:5]))
        self.upstream.stop()
        tap.ok(not self.bad, f"{self}: each answer is its policy's", f"{len(self.bad)} are not, the first:\n" + "\n".join(
            self.bad[:3]) + f"\n{configuration}")
        tap.ok(self.counts["judged by one"] and self.counts["refused by rules"], f"{self}: enough was asked")


def test_storm(world, tap):
    """With these seeds all modules, and zones, keys, aliases and servers of every kind."""
    for seed in os.environ.get("MODEL_SEED", "6 7 30").split():
        Storm(int(seed), world.linked).run(world, tap, 1)


def test_storms(world, tap):
    """Other seeds, for an hour."""
    first = int(os.environ.get("MODEL_SEED") or time.time_ns() // 10**6 % 10**9)
    end = time.monotonic() + int(os.environ.get("MODEL_SECONDS") or 3600)
    for seed in itertools.count(first):
        print(f"# MODEL_SEED={seed}", flush=True)
        Storm(seed, world.linked).run(world, tap, 4)
        if time.monotonic() > end or tap.failed:
            return


test_storms.long = True
