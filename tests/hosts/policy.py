# SPDX-License-Identifier: BSD-3-Clause
"""Tests every host: clients get the policy's answers, with any state of the host's caches."""

import contextlib
import itertools
import os
import random
import re
import struct
import sys
import threading
import time
from pathlib import Path

import dns.reversename

import dnsname
from question import CD, RD, Tcp, Udp, ask
from scenes import RULES, SCENES, play, records, seen

NONE = "nxdomain name none.example\n"
SWAPS = int(os.environ.get("XN_SWAPS", "10"))
FAILED = re.compile(rb".*(?:Exception occurred|[Aa]ssert|INSIST|REQUIRE|Traceback|attempt to|bad argument|idn: SERVFAIL).*")
POLICY_NAMES = 20000
GROWTH = 4 << 20  # octets; half of the swaps leak more than this if they leak their policies


def test_scenes(host, tap):
    with host.running(tap, RULES) as running:
        for time in ("", ", again"):
            for scene in SCENES:
                play(tap, running, scene, time)


def test_ttl(host, tap):
    """Checks the owners and TTLs of the policy's records, and of aliases before them."""
    name = f"ttl{host.world.count}.slow.example"  # a new name: the backend may still cache the alias of an earlier one
    with host.running(tap, f"redirect 192.0.2.80 name {name} ttl=17\n") as running:
        for _ in range(2):
            sections = [(rrset.name.to_text(), rrset.ttl) for rrset in running.exchange(ask(f"alias-{name}")).message.answer]
            names, ttls = zip(*sections)
            tap.equal(names, (f"alias-{name}.", f"{name}."), "an alias, and the policy's record")
            tap.ok(17 < ttls[0] <= 300 and ttls[1] == 17, "their TTLs", ttls)


def test_authority(host, tap):
    """Sends no record of a refused name in the authority section, where a server may put any record, from a cache or not."""
    name, other = "beside-refused.slow.example", "beside-allowed.slow.example"
    refused = {"refused.slow.example."}
    with host.running(tap, "refuse zone refused.slow.example\n") as running:
        for rules in ("", NONE, "refuse zone refused.slow.example\n"):
            tap.ok(not rules or running.changed(rules), "a swap")
            for qname in (name, other) * 3:
                message = running.exchange(ask(qname)).message
                owners = {rrset.name.to_text() for rrset in message.authority}
                tap.ok(owners >= {"slow.example."} and (rules == NONE or not owners & refused), f"{rules.strip()}: {qname}", message)


def odd_messages(rng):
    """Yields odd messages: types, classes, opcodes, versions of EDNS, numbers of questions; cut off and changed."""
    types = (*range(67), *range(97, 112), *range(245, 262), 32768, 32769, 65281, 65535)
    questions = []
    for name in sorted({*(dnsname.parse(scene.name) for scene in SCENES), (), (b"version", b"bind")}):
        for qtype, qclass in (*((qtype, 1) for qtype in rng.sample(types, 20)), *itertools.product((16, 255), (0, 3, 4, 254, 255, 2930))):
            questions.append(struct.pack("!HHHHHH", 0, RD, 1, 0, 0, 0) + dnsname.wire(name) + struct.pack("!HH", qtype, qclass))
    yield from questions
    for question in rng.sample(questions, 150):
        option = struct.pack("!HH", rng.choice((3, 8, 9, 10, 11, 12, 13, 14, 15, 65001)), 8) + rng.randbytes(8)
        edns = b"\0" + struct.pack("!HHIH", 41, rng.choice((0, 512, 65535)), rng.choice((0, 0x8000, 0x10000)), len(option)) + option
        flags = struct.pack("!H", rng.choice((0, 1, 2, 4, 5, 6, 15)) << 11 | rng.choice((RD, RD | CD, 0, 0x8000 | RD, 0x0200)))
        yield question[:2] + flags + question[4:10] + b"\0\1" + question[12:] + edns
        yield question[:4] + struct.pack("!HHHH", *rng.choices((0, 1, 2, 65535), k=4)) + question[12:] * rng.choice((1, 2))
        place = rng.randrange(2, len(question))
        yield question[:place]
        yield question[:place] + rng.randbytes(1) + question[place + 1 :]


def test_odd_messages(host, tap):
    """Serves after odd messages, and logs no failure of the script."""
    with host.running(tap, RULES, check=False) as running:
        client = Udp(running.address())
        client.socket.setblocking(False)
        for number, message in enumerate(odd_messages(random.Random(1))):
            client.socket.send(struct.pack("!H", number) + message[2:])
            if number % 20:
                continue
            time.sleep(0.02)  # the host's socket buffer is small
            with contextlib.suppress(BlockingIOError):
                while client.socket.recv(65535):
                    pass
        client.close()
        tap.equal(running.exchange(ask("ascii.example"), Tcp).rcode, "NOERROR", "it serves")
        tap.equal(FAILED.findall(running.said()), [], "it logs no failure")


def test_unknown_differences(host, tap):
    tap.equal(sorted(set(host.differences) - {scene.title for scene in SCENES}), [], "each difference belongs to a scene")


def test_swap(host, tap):
    """Caches all allowed answers, then refuses them, then allows them again."""
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
                tap.ok(set(records(reply.message.answer)) <= set(scene.answer), f"{scene.title}, cached before: no refused record",
                       reply.message)
            play(tap, running, scene, ", cached before")
        tap.ok(running.changed(NONE), "the rules are no longer in force")
        for scene in SCENES:
            got = seen(running.exchange(scene.question, scene.transport))
            tap.equal(got, plain[scene.title], f"{scene.title}, as it was before")


def test_swap_aliases(host, tap):
    """Decides aliases again after each swap, cached or refused before."""
    name = "hop-swap.slow.example"
    with host.running(tap, NONE) as running:
        for _ in range(3):
            for _ in range(2):
                tap.equal(running.exchange(ask(name)).answers(), ["swap.slow.example.", "192.0.2.200"], "allowed")
            tap.ok(running.changed("refuse name swap.slow.example\n"), "refused by a swap")
            for _ in range(3):
                tap.equal(running.exchange(ask(name)).rcode, "REFUSED", "refused")
            tap.ok(running.changed(NONE), "allowed by a swap")


def synthesis(host, tap, points=True):
    """Decides answers that dns64 makes (prefix 64:ff9b::/96) as the records of which they are made, also from the cache after a swap.
    `points`: whether the host follows the alias that it makes for a reverse name."""
    name, pointer = "dns64.slow.example", dns.reversename.from_address("64:ff9b::c000:20b").to_text()
    for rule, qname, qtype, rcode, made in (
            (f"nodata name {name} type=A\n", name, "AAAA", "NOERROR", "64:ff9b::c000:2c8"),
            (f"refuse name {name} type=A\n", f"hop-{name}", "AAAA", "REFUSED", "64:ff9b::c000:2c8"),
            ("nxdomain zone 2.0.192.in-addr.arpa\n", pointer, "PTR", "NXDOMAIN", "host.example.")):
        with host.running(tap, rule) as running:
            for rules in (rule, NONE, rule):
                tap.ok(rules == rule and running.swaps() == 1 or running.changed(rules), "a swap")
                for _ in range(2):
                    reply = running.exchange(ask(qname, qtype))
                    tap.equal((reply.rcode, made in reply.answers()), ("NOERROR", points or qtype != "PTR") if rules == NONE else (rcode, False),
                              f"{rules.strip()}: {qname} {qtype}")


def additional(host, tap):
    """Removes only the records of refused names from the additional section, also from a cached answer after a swap."""
    with host.running(tap, NONE) as running:
        for rules, count in ((NONE, 1), ("refuse zone refused.slow.example\n", 0)):
            tap.ok(rules == NONE or running.changed(rules), "a swap")
            for name, wanted in (("mx-refused.slow.example", count), ("mx-allowed.slow.example", 1)):
                for turn in range(3):
                    message = running.exchange(ask(name, "MX")).message
                    tap.equal((len(message.answer) or host.bare_first and turn == 0, len(message.additional)), (1, wanted), f"{name}: its sections")


def forked(host, tap, *qtypes):
    """An answer with two aliases of one name, which RFC 2181, section 10.1, forbids: the refused target reaches no client."""
    for name in ("fork.slow.example", "other-fork.slow.example"):
        with host.running(tap, f"refuse name {name}\n") as running:
            for qtype in qtypes:
                reply = running.exchange(ask("fork-fork.slow.example", qtype))
                tap.ok(dnsname.wire(dnsname.parse(name)[:1])[:-1] not in reply.wire, f"{name} is refused: {qtype}", reply.message)


class Load:
    """Clients that ask for all names repeatedly, each some hundred times a second at most."""

    def __init__(self, running, names, clients):
        self.running, self.names = running, names
        self.stop = threading.Event()
        self.written = self.logged = None  # when the refusing rules were written, and when the host had logged the swap
        self.wrong, self.late, self.lost = [], [], []
        self.last = 0  # seconds from `written` to the last question that got an answer of the old rules
        self.threads = [threading.Thread(target=self.ask) for _ in range(clients)]
        for thread in self.threads:
            thread.start()

    def ask(self):
        for name, rcodes in itertools.cycle(self.names):
            if self.stop.wait(0.003):
                return
            written, logged, asked = self.written, self.logged, time.monotonic()
            try:
                rcode = self.running.exchange(ask(name)).rcode
            except TimeoutError:
                self.lost.append(name)
                continue
            if rcode not in rcodes:
                self.wrong.append((name, rcode))
            if written and written == self.written and rcode == "NOERROR" and len(rcodes) > 1:
                self.last = max(self.last, asked - written)
                if logged and asked - logged > self.running.host.settles:
                    self.late.append((name, asked - logged))

    def end(self):
        self.stop.set()
        for thread in self.threads:
            thread.join()


def resident(pid):
    """Returns the resident memory of a process in octets."""
    return 1024 * int(re.search(r"(?m)^VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def swap_under_load(host, tap):
    """Swaps rules under load: each answer follows the old or the new rules, and no query is lost. No refused answer is given later than
    host.settles seconds after the host has logged the swap. The memory of earlier policies is freed."""
    allow = "".join(f"refuse name f{number}.example\n" for number in range(POLICY_NAMES))
    refuse = f"{allow}refuse zone wild.example\nrefuse name threads.slow.example\n"
    names = [(f"n{number}.wild.example", ("NOERROR", "REFUSED")) for number in range(20)]
    names += [("hop-threads.slow.example", ("NOERROR", "REFUSED")), ("ascii.example", ("NOERROR",))]
    sizes = []
    with host.running(tap, allow) as running:
        load = Load(running, names, 6)
        try:
            for number in range(SWAPS):
                refuses = number % 2 == 0
                load.logged, load.written = None, time.monotonic() if refuses else None
                if not running.changed(refuse if refuses else allow):
                    tap.ok(False, f"swap {number}")
                    break
                if refuses:
                    load.logged = time.monotonic()
                    tap.equal(running.exchange(ask("n1.wild.example")).rcode, "REFUSED", "refused")
                    time.sleep(host.settles + 0.5 if number in (0, 2) else 0.2)
                sizes.append(resident(running.daemon.pid))
        finally:
            load.end()
        tap.equal(load.wrong, [], "every answer follows the old or the new rules")
        tap.equal(load.late, [], f"no refused answer is given more than {host.settles} s after the host has logged the swap")
        tap.equal(load.lost, [], "no query is lost")
        tap.ok(sum(running.answers.values()) > 500, "the clients have asked", sum(running.answers.values()))
        tap.ok(sizes[-1] - sizes[SWAPS // 2 - 1] < GROWTH, "memory does not grow from swap to swap", sizes)
        if "XN_SWAPS" in os.environ:
            print(f"{host.name}: {SWAPS} swaps, {sum(running.answers.values())} answers; the last question with an answer of the old rules "
                  f"came {load.last:.1f} s after the new rules were written; memory: {[size >> 20 for size in sizes]} MiB", file=sys.stderr)
