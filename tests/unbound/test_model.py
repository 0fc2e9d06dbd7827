# SPDX-License-Identifier: BSD-3-Clause
"""A storm of random questions, while the policy changes: no answer, in any section, that the policy in force two seconds
before refuses, and none that it does not give.

A seed is one configuration, with its servers, policies and questions; MODEL_SEED repeats it, and MODEL_SECONDS says for how
long the long test takes one after the other. Nothing here is slow or fast: an answer is judged by each policy that may have been
in force since it was asked for, or since its server was allowed to answer."""

import collections
import itertools
import os
import random
import socket
import struct
import threading
import time

import dns.exception
import dns.message
import dns.name

from daemon import eventually
from model import CLIENTS, Asked, Policy, complaints
from modelupstream import GATED, NAMES, ModelUpstream
from question import AD, CD, RD, Tcp, Udp, ask
from rulefile import IDN, changed, rules

AFTER = 2.0  # seconds after a swap until nothing of the policy before may be seen
MODULES = ("validator iterator", "iterator", "respip validator iterator", "dns64 validator iterator", "dns64 iterator",
           "subnetcache validator iterator", "validator cachedb iterator", "dns64 subnetcache validator cachedb iterator")
SWITCHES = ("minimal-responses", "qname-minimisation", "prefetch", "serve-expired", "aggressive-nsec", "harden-glue",
            "harden-referral-path", "val-clean-additional", "use-caps-for-id", "harden-below-nxdomain")
TYPES = ("A",) * 8 + ("AAAA", "AAAA", "CNAME", "DNAME", "MX", "NS", "TXT", "HTTPS", "SRV", "DS", "ANY", "ANY", "SOA")


def configuration(rng, linked):
    """(modules, lines of the server: clause, clauses)"""
    modules = rng.choice([m for m in MODULES if set(m.split()) <= linked])
    lines = [f"{switch}: {rng.choice(('yes', 'no'))}" for switch in SWITCHES]
    lines += [f"cache-max-ttl: {rng.choice((1, 2, 86400))}", f"serve-expired-client-timeout: {rng.choice((0, 1, 50, 1800))}",
              f'target-fetch-policy: "{rng.choice(("0 0 0 0 0", "3 2 1 0 0"))}"', "incoming-num-tcp: 200", 'domain-insecure: "model."']
    if rng.random() < 0.5:  # queries are jostled out
        lines += [f"num-queries-per-thread: {rng.choice((8, 16, 40))}", f"jostle-timeout: {rng.choice((10, 50, 200))}", "outgoing-range: 200",
                  "use-caps-for-id: no"]  # 1.17.1 would then wait for ever, without the module too
    if rng.random() < 0.5:
        lines.append("access-control: 127.0.0.0/8 allow_snoop")
    if "subnetcache" in modules:
        lines += ["send-client-subnet: 127.0.0.1", f"client-subnet-always-forward: {rng.choice(('yes', 'no'))}"]
    return modules, "\n".join(lines), 'cachedb:\n    backend: "testframe"\n' if "cachedb" in modules else ""


class Storm:
    """One daemon, its clients, and the policies that it has had, each with the times at which it may have come into force."""

    def __init__(self, seed, linked):
        self.seed = seed
        self.rng = random.Random(seed)
        self.modules, self.server, self.clauses = configuration(self.rng, linked)
        self.policies = [Policy(self.rng, NAMES, 0)]
        self.begun, self.seen = [time.monotonic()], [time.monotonic()]
        self.lock = threading.Lock()
        self.ended = threading.Event()
        self.counts = collections.Counter()
        self.bad = []
        self.upstream = ModelUpstream(seed)
        self.clauses += self.upstream.clauses()

    def __str__(self):
        return f"MODEL_SEED={self.seed}: {self.modules}; {self.server!r}; {dict(self.counts)}"

    def in_force(self, since, until):
        """The policies that may have decided an answer that was given between these times."""
        return [policy for k, policy in enumerate(self.policies)
                if self.begun[k] <= until and (k + 1 == len(self.policies) or self.seen[k + 1] + AFTER >= since)]

    def swap(self, resolver, tap):
        policy = Policy(self.rng, NAMES, len(self.policies))
        with self.lock:
            self.begun.append(time.monotonic())
            self.seen.append(float("inf"))
            self.policies.append(policy)
        tap.ok(changed(resolver, policy.text()), f"policy {policy.serial} comes into force")
        self.seen[-1] = time.monotonic()

    def question(self, rng, name):
        """That name, or one below it, in any spelling, in any way."""
        name = rng.choice((name, name, name, dns.name.Name([label.swapcase() for label in name.labels])))
        option = struct.pack("!HHHBB3s", 8, 7, 1, 24, 0, socket.inet_aton(rng.choice(CLIENTS))[:3]) if rng.random() < 0.1 else b""
        return ask(name.labels[:-1], rng.choice(TYPES), cls="ANY" if rng.random() < 0.1 else "IN", dnssec=rng.random() < 0.3,
                   flags=rng.choice((RD, RD, RD, RD | CD, RD | AD, 0)), option=option)

    def converse(self, resolver, rng, names, patience):
        """One client's questions about these names, over one socket, and what comes until there was nothing for so long."""
        source, transport = rng.choice(CLIENTS), Tcp if rng.random() < 0.3 else Udp
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
            self.bad.append(f"{asked}: {error!r}")
            return
        self.counts[reply.rcode] += 1
        if not asked or message.question and message.question[0].name != asked.name:
            return  # to whoever had this port before
        if asked.name.is_subdomain(GATED) and message.answer:
            since = max(since, self.upstream.opened.get(int(asked.name.labels[0].rpartition(b"-")[2]), 0))
        with self.lock:
            candidates = self.in_force(since, until)
        found = [(policy, complaints(policy, asked, message, "dns64" in self.modules)) for policy in candidates]
        self.counts["judged by one"] += len(found) == 1
        self.counts["refused by rules"] += any(o.otype == dns.edns.EDE for o in message.options)
        if all(bad for _, bad in found):
            self.bad.append(f"{asked}: after {until - since:.3f} s\n" + message.to_text() + "".join(
                f"\npolicy {policy.serial}:\n{policy.text()}{bad}" for policy, bad in found))

    def clients(self, resolver, number):
        rng = random.Random(f"{self.seed} {number}")
        while not self.ended.is_set():
            self.converse(resolver, rng, rng.choices(NAMES, k=rng.choice((1, 1, 2, 5))), 0.7)

    def gated(self, resolver, number, turn):
        """Clients that wait while the policy changes, some of them for the same question."""
        rng = random.Random(f"{self.seed} gated {number} {turn}")
        for _ in range(2):
            self.converse(resolver, rng, [dns.name.from_text(f"{rng.choice('abcdef')}-{turn}", GATED) for _ in range(3)], 8)

    def turn(self, resolver, tap, number):
        """The policy changes while questions wait, and they are answered two seconds later."""
        waiting = [threading.Thread(target=self.gated, args=(resolver, n, number)) for n in range(4)]
        for thread in waiting:
            thread.start()
        self.upstream.gate_of(number).arrived.wait(5)
        self.swap(resolver, tap)
        self.ended.wait(AFTER)
        self.upstream.open_gate(number)
        for thread in waiting:
            thread.join()
        self.ended.wait(1.5)  # what is asked now, this policy alone decides

    def run(self, world, tap, turns):
        with world.resolver(tap, IDN, threads=self.rng.choice((1, 2)), modules=self.modules, server=self.server, clauses=self.clauses,
                            check=False, prepare=rules(self.policies[0].text())) as resolver:
            threads = [threading.Thread(target=self.clients, args=(resolver, n)) for n in range(6)]
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
        self.upstream.stop()
        tap.ok(not self.bad, f"{self}: each answer is its policy's", f"{len(self.bad)} are not, the first:\n" + "\n".join(self.bad[:3]))
        tap.ok(self.counts["judged by one"] and self.counts["refused by rules"], f"{self}: enough was asked")


def test_storm(world, tap):
    Storm(int(os.environ.get("MODEL_SEED", "10")), world.linked).run(world, tap, 2)


def test_storms(world, tap):
    """Other seeds, for an hour."""
    first = int(os.environ.get("MODEL_SEED", time.time_ns() // 10**6 % 10**9))
    end = time.monotonic() + int(os.environ.get("MODEL_SECONDS", "3600"))
    for seed in itertools.count(first):
        print(f"# MODEL_SEED={seed}", flush=True)
        Storm(seed, world.linked).run(world, tap, 4)
        if time.monotonic() > end or tap.failed:
            return


test_storms.long = True
