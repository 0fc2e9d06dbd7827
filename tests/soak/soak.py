# SPDX-License-Identifier: BSD-3-Clause
"""An Unbound under load, to which one thing after another happens, and what must hold all the time."""

import calendar
import contextlib
import os
import random
import re
import statistics
import sys
import threading
import time

from daemon import eventually
from load import Load
from metrics import Metrics
from question import exchange
from rulefile import write
from test_reloads import resident
from test_targets import LONG, LOST, can_mount

import questions
from events import EVENTS, rules_exchanged
from linecount import LineCount
from loads import Dnsperf, Hostile

THREADS = 4
DISK = 96 << 20
ROTATE = 16 << 20  # octets of the log
BURST = 6000  # long lines: more than the buffers hold
SLOT = 10.0  # seconds from one event to the next, where there is time enough
LOOK_MS = "100"  # between two looks of the module at its files, of which four must find nothing new
SWAP = 1.0  # seconds from one exchange of the rules to the next, where they are asked for
GROWTH = 16 << 20  # octets, from the second third of the time to its end
FILLING = 80 << 20  # the same where the time is short: caches fill, and the heaps of threads
SHORT = 600  # seconds
SERVER = """\
so-rcvbuf: 4m
outgoing-range: 2048
num-queries-per-thread: 1024
incoming-num-tcp: 100
msg-cache-size: 4m
rrset-cache-size: 8m
neg-cache-size: 1m
key-cache-size: 1m
infra-cache-numhosts: 1000
val-bogus-ttl: 1
extended-statistics: yes
domain-insecure: "wild.example."
"""
# Messages that no healthy resolver logs.
TROUBLE = re.compile(r".*(?:assert|fatal|panic|sanitizer|runtime error|segmentation|core dumped|out of memory).*",
                     re.IGNORECASE)


class Soak:
    """`how` is what run.py was asked for; all that is random is from its seed."""

    def __init__(self, world, tap, how):
        self.world, self.tap, self.how = world, tap, how
        self.rng = random.Random(how.seed)
        self.tokens = {"A"}
        self.journal = [(time.monotonic(), "start")]  # (when, event)
        self.samples = []  # (when, resident octets, descriptors)
        self.own_asked = self.own_answered = 0
        self.hostile = None
        self.has_disk = can_mount(world)
        self.is_nobody = os.geteuid() == 0 and not how.sanitized
        self.is_json = how.log == "json"
        self.clock = world.new_folder("clock") / "ahead" if how.clock else None

    # ---- what events need -----------------------------------------------------------------------------------

    def ok(self, condition, name, diagnostic=""):
        what = self.journal[-1][1]
        return self.tap.ok(condition, f"{what}: {name}", f"{diagnostic}\n{self.when(time.monotonic())}")

    def equal(self, got, want, name):
        return self.ok(got == want, name, f"got:  {got!r}\nwant: {want!r}")

    def when(self, moment):
        """Describes a moment: the event that began last, and this run."""
        number = max(index for index, (begun, _) in enumerate(self.journal) if begun <= moment or index == 0)
        begun, what = self.journal[number]
        return f"{moment - begun:.1f} s into event {number} ({what}), {moment - self.journal[0][0]:.1f} s after the " \
            f"start; seed {self.how.seed}; logs in {self.how.keep}"

    def tell(self, tokens):
        self.tokens = set(tokens)
        self.hostile.tell(" ".join(sorted(tokens)))

    def starts(self):
        return self.resolver.daemon.stderr.octets.count(b"start of service")

    def metrics(self):
        return Metrics((self.folder / "log/idn.prom").read_text())

    def asks(self, question):
        """The rcode of one answer, or None."""
        self.own_asked += 1
        try:
            reply = exchange(self.resolver.address(), question, timeout=2)
        except OSError:
            return None
        self.own_answered += 1
        return reply.rcode

    def answers_go_on(self):
        seen = self.metrics().replies
        self.ok(eventually(lambda: self.metrics().replies > seen), "answers go on")

    def lines_go_on(self):
        seen = self.metrics().written
        self.ok(eventually(lambda: self.metrics().written > seen), "lines go on")
        self.ok(self.count.rotate(), "there is a new log")

    def expect_loss(self):
        """Asks what makes long lines, until some are lost."""
        lost = self.metrics().lost
        load = Load(self.resolver, LONG, BURST)
        result = load.finish(self.tap, "long lines")
        self.own_asked += result["asked"] + result["retried"]
        self.own_answered += sum(result["answers"]) + result["again"]
        self.ok(eventually(lambda: self.metrics().lost > lost), "lines are lost")

    def set_clock(self, seconds):
        """So far ahead; the daemon has the file mapped."""
        with open(self.clock, "r+b") as file:
            file.write(seconds.to_bytes(8, sys.byteorder))

    def log_time(self):
        """The time of the log's last line."""
        with open(self.count.path, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 8192))
            stamps = re.findall(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", file.read())
        if not stamps:
            return 0
        return calendar.timegm(time.strptime(stamps[-1].decode(), "%Y-%m-%dT%H:%M:%S"))

    # ---- the run ----------------------------------------------------------------------------------------------

    def prepare(self, folder):
        self.folder = folder
        write(folder, questions.listed(), "list.txt")
        write(folder, questions.FEED, "feed.zone")
        write(folder, questions.BRANDS, "brands.txt")
        for state in questions.STATES:
            write(folder, questions.rules(state), f"{state}.conf")
        write(folder, questions.rules("A"))
        if self.how.sanitized:  # LeakSanitizer cannot look at a process that has changed its user
            path = folder / "unbound.conf"
            path.write_text(re.sub("username: .*", 'username: ""', path.read_text()))

    def environment(self):
        looks = {"XN_LOOK_MS": LOOK_MS}
        if not self.clock:
            return looks
        self.clock.write_bytes(bytes(8))
        return {**looks, "LD_PRELOAD": str(self.how.clock.resolve()), "SOAK_CLOCK": str(self.clock)}

    def run(self):
        place = "disk" if self.has_disk else "log"
        idn = f"log: {self.how.log}\nlog-to: {place}/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1\n" \
            "policy: rules.conf"
        with self.world.resolver(self.tap, idn, threads=THREADS, check=False, server=SERVER, prepare=self.prepare,
                                 disk=DISK if self.has_disk else None,
                                 environment=self.environment()) as self.resolver:
            root = os.open(f"/proc/{self.resolver.daemon.pid}/root{self.folder}/{place}", os.O_RDONLY | os.O_DIRECTORY)
            self.count = LineCount(f"/proc/self/fd/{root}", self.is_json, self.folder / "kept")
            try:
                self.under_load()
                self.stop_under_load()
            finally:
                (self.folder / "unbound.log").write_text(self.resolver.daemon.log())
        self.count.count_last()
        self.judge_lines()
        log = self.resolver.daemon.log()
        self.equal(TROUBLE.findall(log), [], "nothing is wrong in Unbound's log")
        self.ok(not any("core" == path.name for path in self.folder.iterdir()), "no core")
        os.close(root)

    def warm_up(self):
        """Every thread has served, and one reload has been: what is open now is to be open in the end."""
        self.resolver.reload("reload")
        self.resolver.wait_threads()
        return self.resolver.open_files(), self.resolver.count_threads()

    def under_load(self):
        files, threads = self.warm_up()
        address, scale = self.resolver.address(), self.how.scale
        self.hostile = Hostile(self.folder, address, self.how.seed, self.tokens, (1000 * scale, 200), (120 * scale, 20),
                               self.how.patience)
        dnsperf = self.dnsperf(self.how.seconds * 10)  # until it is stopped
        stop = threading.Event()
        sampler = threading.Thread(target=self.sample, args=(stop,))
        sampler.start()
        try:
            self.happen()
        finally:
            self.journal.append((time.monotonic(), "end"))
            stop.set()
            sampler.join()
            self.hostile_result, self.asked, self.answered = self.hostile.finish()
            self.dnsperf_result = dnsperf.finish()
        self.judge_answers(*self.dnsperf_result)
        self.judge_memory()
        self.resolver.wait_threads()
        self.ok(eventually(lambda: self.resolver.open_files() == files), "no descriptor is left open",
                f"before: {files}\nafter:  {self.resolver.open_files()}")
        self.ok(eventually(lambda: self.resolver.count_threads() == threads), "nor a thread left running",
                f"{threads}, {self.resolver.count_threads()}")
        self.ok(eventually(self.is_quiet), "every line is written or lost", self.metrics().samples)

    def dnsperf(self, seconds):
        return Dnsperf(self.world.peers, self.folder, self.resolver.address(), seconds, int(1200 * self.how.scale))

    def sample(self, stop):
        pid = self.resolver.daemon.pid
        while not stop.wait(1):
            with contextlib.suppress(OSError):
                self.samples.append((time.monotonic(), resident(pid), len(os.listdir(f"/proc/{pid}/fd"))))

    def happen(self):
        """Rounds of all events, each in an order of its own, and the first of them whole; where there is little time they
        follow faster."""
        deadline = time.monotonic() + self.how.seconds
        slot = min(SLOT * (3 if self.how.swap else 1), self.how.seconds / (len(EVENTS) + 1))
        round_of = []
        while time.monotonic() < deadline or len(self.journal) <= len(EVENTS):
            if not round_of:
                round_of = self.rng.sample(EVENTS, len(EVENTS))
            event = round_of.pop()
            begun = time.monotonic()
            self.journal.append((begun, event.__name__))
            event(self)
            while time.monotonic() < begun + slot:
                self.rotate_if_large()
                if self.how.swap:
                    self.swap()
                else:
                    time.sleep(0.2)
            self.rotate_if_large()

    def swap(self):
        begun = time.monotonic()
        rules_exchanged(self)
        time.sleep(max(0, begun + SWAP - time.monotonic()))

    def rotate_if_large(self):
        if self.count.path.stat().st_size > ROTATE:
            self.ok(self.count.rotate(), "there is a new log")

    def is_quiet(self):
        metrics = self.metrics()
        return metrics.written + metrics.lost == metrics.replies + metrics.sum("policy_replies_total", action="drop")

    def stop_under_load(self):
        self.journal.append((time.monotonic(), "stop"))
        dnsperf = self.dnsperf(60)
        seen = self.metrics().replies
        eventually(lambda: self.metrics().replies > seen + 100)
        self.ok(self.resolver.daemon.stop() == 0, "it stops under load")
        counts, _ = dnsperf.finish()
        self.own_asked += counts["sent"]
        self.own_answered += counts["completed"]

    # ---- what must hold ---------------------------------------------------------------------------------------

    def examples(self, found):
        return "\n".join(f"{example}: {self.when(example['asked'])}" for example in found)

    def judge_answers(self, dnsperf, rcodes):
        result = self.hostile_result
        self.ok(not result["wrong"], "no answer is wrong", self.examples(result["wrong"]))
        self.ok(not result["unanswered"], "every question has its answer", self.examples(result["unanswered"]))
        unasked = [name for name in questions.KINDS if sum(result["outcomes"].get(name, {}).values()) == 0]
        self.equal(unasked, [], "every kind was asked")
        died = any(what == "upstream_dead" for _, what in self.journal)
        self.ok(set(rcodes) <= {"NOERROR", "NXDOMAIN", "REFUSED", *(["SERVFAIL"] if died else [])},
                "dnsperf has the rcodes it may", rcodes)
        self.ok(dnsperf["completed"] > 0, "and was answered", dnsperf)

    def judge_memory(self):
        """Sanitizers keep what is freed for a while, and so are not asked."""
        if self.how.sanitized:
            return
        first, last = self.journal[0][0], self.samples[-1][0]
        def size(start, end):
            return statistics.median([octets for when, octets, _ in self.samples
                                      if first + (last - first) * start <= when <= first + (last - first) * end])
        before, after = size(1 / 3, 1 / 2), size(5 / 6, 1)
        self.ok(after - before < (FILLING if self.how.seconds < SHORT else GROWTH), "memory is flat", f"{before} octets, then {after}: {self.curve()}")

    def curve(self, points=12):
        """Resident MiB over time."""
        step = max(1, len(self.samples) // points)
        return " ".join(f"{octets / 2**20:.0f}" for _, octets, _ in self.samples[::step])

    def judge_lines(self):
        metrics, result = self.metrics(), self.hostile_result["count"]
        dropped = metrics.sum("policy_replies_total", action="drop")
        counts, _ = self.dnsperf_result
        asked = result["asked"] + result["garbage"] + counts["sent"] + self.own_asked
        answered = result["answered"] + result.get("late", 0) + counts["completed"] + self.own_answered
        self.equal(metrics.written + metrics.lost, metrics.replies + dropped, "a line or a counted loss for each reply")
        self.equal(self.count.lines, metrics.written, "as many lines as the metrics say")
        self.equal(sum(map(int, LOST.findall(self.resolver.daemon.log()))), metrics.lost, "what is lost is reported")
        self.ok(answered <= metrics.replies and metrics.replies + dropped <= asked, "replies are what clients have seen",
                f"{asked} asked, {answered} answered, {metrics.replies} replies, {dropped} dropped")
        more, missing = self.count.judged(self.asked, self.answered)
        self.equal(more[:10], [], "no question has more lines than it was asked")
        self.ok(missing <= metrics.lost, "no answer lacks its line but those that were lost",
                f"{missing} lack theirs, {metrics.lost} lost")
        self.equal(self.count.malformed, [], "lines are whole and obey the grammar")
        self.summary = {
            "seed": self.how.seed, "events": len(self.journal) - 3, "asked": asked, "answered": answered,
            "replies": metrics.replies, "dropped": dropped, "lines": self.count.lines, "lost": metrics.lost,
            "log octets": self.count.octets, "asked again": result.get("retried", 0), "late": result.get("late", 0),
            "connections opened again": result.get("reconnected", 0), "dnsperf": self.dnsperf_result,
            "slowest, s": round(self.hostile_result["slowest"], 1), "resident MiB": self.curve(),
            "descriptors": max((number for _, _, number in self.samples), default=0),
            "reloads": metrics.reloads("good"), "swaps": metrics.sum("policy_loads_total", result="good"),
            "clock set": bool(self.clock), "disk filled": self.has_disk}
