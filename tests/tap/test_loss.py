# SPDX-License-Identifier: BSD-3-Clause
"""`--stats-from`: what resolvers have counted, compared with their frames."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time

import dnstap
import test_resolvers
from daemon import children, eventually, free_port
from dnstap import reply
from receiver import Receiver, Sender, receiving
from rulefile import write

OUTPUTS = {
    "Unbound": ("thread0.num.queries={0}\ntotal.num.queries={0}\ntotal.num.queries_ip_ratelimited=0\ntotal.num.cachehits=7\n", 1),
    "Unbound that drops": ("total.num.queries={0}\ntotal.num.queries_ip_ratelimited={0}\ntotal.num.queries={0}\n", 1),
    "two of Unbound": ("total.num.queries={0}\ntotal.num.queries={0}\ntotal.num.queries_ip_ratelimited=0\n", 2),
    "named, JSON": ('{{\n  "nsstats":{{\n    "Requestv4":1,\n    "Response":{0},\n    "QrySuccess":3\n', 1),
    "named, file": ("+++ Statistics Dump +++ (1)\n   999 responses sent\n--- Statistics Dump --- (1)\n+++ Statistics Dump +++ (2)\n"
                    "++ Name Server Statistics ++\n      {0} responses sent\n         5 responses with EDNS(0) sent\n", 1),
    "kresd": ("> {{\n    ['answer.aa'] = 3,\n    ['answer.total'] = {0},\n    ['query.edns'] = 1,\n}}\n", 1),
    "kresd, JSON": ('{{\n  "answer.aa": 0, \n "answer.total": {0}}}\n', 1),
    "a number": ("  {0}\n", 1),
}
IDN = "log-to: idn.log/lines\nmetrics-file: idn.log/metrics\nmetrics-interval: 1"


def looks(receiver, result="done"):
    return receiver.metric(f'tap_looks_total{{result="{result}"}}') or 0


def looked(receiver):
    """Waits for two more looks."""
    before = looks(receiver)
    return eventually(lambda: looks(receiver) > before + 1, 60)


def test_outputs(world, tap):
    """The outputs of the resolvers' tools are read."""
    folder = world.new_folder("stats")
    for name, (text, times) in OUTPUTS.items():
        (folder / "stats").write_text(text.format(1000))
        with receiving(world, "--stats-from", f"cat {folder}/stats") as receiver:
            tap.ok(eventually(lambda: looks(receiver) == 1), f"{name}: a first look")
            time.sleep(3.5)
            (folder / "stats").write_text(text.format(1007))
            tap.ok(eventually(lambda: receiver.metric("tap_answers_total") == 7 * times, 30), f"{name}: counted")


def test_failures(world, tap):
    """A command that fails, prints nothing that is known, too much, or never ends; frames are read meanwhile."""
    folder = world.new_folder("stats")
    write(folder, "exit 1\n", "command")  # whole, always: a look at an empty one would be a failure too, and the one that is told
    with receiving(world, "--stats-from", f". {folder}/command", idn=IDN) as receiver:
        none, long = "it prints no counter that is known", "it took too long"
        for number, (text, why) in enumerate((
                ("exit 1", "it failed with exit status 1"), ("echo none", none), ("echo 5 >&2", f"{none}: 5"), ("/nonexistent", "it failed with exit status 127: .* not found"),
                (r"printf 'first\nlast \033[31m \342\200\256 \377\r\n\n' >&2; exit 3", r"it failed with exit status 3: last \\u\{1B\}\[31m \\u\{202E\} \\255"),
                ("head -c 9999 /dev/zero | tr '\\0' x >&2; exit 4", "it failed with exit status 4: x{300}"),
                ("while :; do echo 1111111111111111111111111111; done", "it wrote too much"), ("sleep 1000 & sleep 1001", long),
                ("echo waits >&2; sleep 1001", f"{long}: waits"))):
            said = rf"--stats-from: what is lost is not known until it works: {why}\n"
            write(folder, "echo 1", "command")
            done = looks(receiver)
            tap.ok(number == 0 or eventually(lambda done=done: looks(receiver) > done, 30), "it works again")
            write(folder, text, "command")
            tap.ok(eventually(lambda said=said: re.search(said, receiver.daemon.log()), 30), f"{text}: is said")
            failures = looks(receiver, "failed")
            tap.ok(eventually(lambda failures=failures: looks(receiver, "failed") > failures, 30), "and counted")
            count = len(receiver.lines())
            sender = Sender(receiver.path)
            sender.frames(reply("a.example"))
            tap.ok(receiver.has_lines(count + 1, 1), "a frame is read")
            tap.equal(sender.finish(), (dnstap.FINISH, b""), "and its sender served")
        tap.equal(len(receiver.said()), 9, "each is said once")
        tap.ok(eventually(lambda: not any("sleep" in words(pid) for pid in children() if pid != receiver.daemon.pid)), "no process is left")
        receiver.daemon.process.send_signal(signal.SIGTERM)
        tap.equal(receiver.daemon.wait_exit(), 0, "it ends while the command runs")


def words(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as text:
            return text.read()
    except OSError:
        return ""


def test_without(world, tap):
    """Whoever does not say where the resolver counts is told, once."""
    with receiving(world) as receiver:
        tap.ok(receiver.says("frames that a resolver drops are not counted: nobody tells of them without --stats-from"), "it is said")
        tap.equal(receiver.metric("tap_missing_total"), None, "and there is no metric")
    with receiving(world, "--stats-from", "echo 1") as receiver:
        tap.ok("nobody tells" not in receiver.daemon.log(), "not with it")
    other = Receiver(world, "--stats-from", "echo 1", listen=[])
    tap.equal(other.daemon.wait_exit(), 2, "it needs senders")


class Compared:
    """A resolver whose counter is compared, from when run() opens the gate: the question that launch() asks may come before the
    resolver has connected, and be lost, or in the first look, and hide one that is lost."""

    def options(self, folder):
        environment = f"LD_LIBRARY_PATH={self.environment['LD_LIBRARY_PATH']} " if "LD_LIBRARY_PATH" in self.environment else ""
        return ["--stats-from", f"test -e {folder}/gate && " + self.stats(folder, f"{environment}{' '.join(map(str, self.loader()))} ")]


class ComparedUnbound(Compared, test_resolvers.TappedUnbound):
    def stats(self, folder, run):
        self.clauses = f'remote-control:\n    control-enable: yes\n    control-interface: "{folder}/control"\n    control-use-cert: no\n'
        return f"{run}{self.tool('unbound-control')} -c {folder}/unbound.conf stats_noreset"


class ComparedNamed(Compared, test_resolvers.TappedNamed):
    def stats(self, folder, run):
        port = free_port()
        self.statements = f"statistics-channels {{ inet 127.0.0.1 port {port} allow {{ 127.0.0.1; }}; }};"
        return f"{sys.executable} -c 'import urllib.request; print(urllib.request.urlopen(\"http://127.0.0.1:{port}/json/v1/server\").read().decode())'"


SOCAT = """import glob, socket, sys
with socket.socket(socket.AF_UNIX) as control:
    control.connect(glob.glob(sys.argv[1])[0])
    control.sendall(b"stats.list()\\n")
    text = ""
    while "answer.total" not in text or not text.endswith("\\n> "):
        text += control.recv(65536).decode()
print(text)
"""


class ComparedKresd(Compared, test_resolvers.TappedKresd):
    def stats(self, folder, run):
        self.clauses = "\nmodules.load('stats')\n"
        return f"{sys.executable} -c {shlex.quote(SOCAT)} '{folder}/control/*'"


def flood(world, running, queries):
    """Asks as fast as answers come."""
    asked = running.folder / "asked"
    asked.write_text("".join(f"n{number % 200}.wild.example A\n" for number in range(queries)))
    environment = {**os.environ, "LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip()}
    subprocess.run([world.peers / "usr/bin/dnsperf", "-s", "127.0.0.1", "-p", str(running.port), "-d", asked, "-q", "20", "-n", "1"],
                   env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120, check=True)


def settled(receiver, answers):
    """Waits until that many answers are counted, and the look after."""
    return eventually(lambda: (receiver.metric("tap_answers_total") or 0) >= answers, 60) and looked(receiver)


def run(world, tap, kind):
    host = kind(world, world.command)
    if why := host.missing():
        tap.skip("not here", why)
        return
    running = host.launch(None, idn=None)
    receiver = host.receiver
    try:
        tap.ok(eventually(lambda: receiver.metric("tap_senders"), 60), "it sends")
        (running.folder / "gate").touch()
        tap.ok(eventually(lambda: looks(receiver) > 0, 60) and looked(receiver), "its counter is read")
        counts = lambda: (receiver.metric("tap_answers_total"), receiver.metric('tap_frames_total{kind="reply"}'), receiver.metric("tap_missing_total"))
        begin = counts()
        flood(world, running, 200)
        tap.ok(settled(receiver, begin[0] + 200), "its answers are counted")
        before = counts()
        tap.equal((before[0] - begin[0], before[1] - begin[1], before[2]), (200, 200, 0), "as many as frames: none is missing")
        receiver.daemon.process.send_signal(signal.SIGSTOP)
        flood(world, running, 60000)
        receiver.daemon.process.send_signal(signal.SIGCONT)
        tap.ok(settled(receiver, before[0] + 60000), "the receiver was stopped")
        after = counts()
        answers, frames = after[0] - before[0], after[1] - before[1]
        tap.ok(frames < answers, f"{host.name} has dropped frames: {answers} answers, {frames} frames")
        tap.equal(after[2], answers - frames, "exactly those are missing")
        tap.ok(receiver.says(f"lost: {answers - frames} answers of the resolver are in no frame, {answers - frames} in all"), "and that is said")
        flood(world, running, 200)
        tap.ok(settled(receiver, after[0] + 200), "it goes on")
        tap.equal(receiver.metric("tap_missing_total"), answers - frames, "and no more are missing")
    finally:
        tap.note(running.said().decode("utf-8", "replace")[-3000:])
        running.stop()
        tap.note(receiver.daemon.log())
        receiver.daemon.stop()


def test_unbound(world, tap):
    run(world, tap, ComparedUnbound)


def test_trixie_unbound(world, tap):
    run(world, tap, test_resolvers.trixies(ComparedUnbound))


def test_named(world, tap):
    run(world, tap, ComparedNamed)


def test_kresd(world, tap):
    run(world, tap, ComparedKresd)
