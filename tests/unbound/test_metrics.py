# SPDX-License-Identifier: BSD-3-Clause
"""The metrics file: its numbers, how it is replaced, and what happens where it cannot be written."""

import os
import stat
import subprocess
import threading

from daemon import TIMEOUT, eventually
from load import Load
from metrics import Metrics
from question import Tcp, ask
from rulefile import IDN, write
from test_targets import METRICS, SHORT, accounted, quiet

BUECHER = "xn--bcher-kva.example."


def asked(resolver):
    """Questions with every rcode and status there is, and the samples they have to make."""
    for question, transport in (
            (ask(BUECHER), "udp"), (ask(BUECHER), "udp"), (ask(BUECHER), "tcp"), (ask("ascii.example"), "udp"),
            (ask("nope.example"), "udp"), (ask("xn--pypal-4ve.xn--31m-dda.wild.example"), "tcp"),
            (ask("xn--pypal-4ve.example"), "udp"), (ask("mangled.example"), "udp"), (ask("xn--e28h.example"), "udp"),
            (ask("xn--flschung-0za.example"), "tcp"), (ask("x.bind", "TXT", cls="CH"), "udp"), (ask("", "NS"), "tcp")):
        resolver.exchange(question, **({"transport": Tcp} if transport == "tcp" else {}))
    return {
        ("replies_total", "NOERROR", "udp"): 5, ("replies_total", "NOERROR", "tcp"): 3,
        ("replies_total", "NXDOMAIN", "udp"): 1, ("replies_total", "SERVFAIL", "udp"): 1,
        ("replies_total", "SERVFAIL", "tcp"): 1, ("replies_total", "REFUSED", "udp"): 1,
        ("names_total", "ok"): 4, ("names_total", "restricted"): 2, ("names_total", "invalid"): 1,
    }


def test_numbers(world, tap):
    for idn in ("log: text", "log: json", "log: none", "log-names: idn"):
        with world.resolver(tap, f"{idn}\nlog-to: log/idn.log\n{METRICS}", threads=2, check=False) as resolver:
            wanted = asked(resolver)
            lines = {"log: none": 0, "log-names: idn": 7}.get(idn, 12)
            tap.ok(eventually(lambda n=lines: (resolver.metrics().replies, resolver.metrics().written) == (12, n)),
                   f"{idn}: 12 replies, {lines} lines", (resolver.folder / "log/idn.prom").read_text())
            metrics = resolver.metrics()
            got = {}
            for (name, labels), number in metrics.samples.items():
                if number and "_lines_" not in name and "_reloads_" not in name:
                    values = [value for _, value in labels]
                    got[(name.removeprefix("unbound_idn_"), *values)] = number
            tap.equal(got, wanted, f"{idn}: by rcode and transport, and by status")
            tap.equal((metrics.lost, metrics.reloads("good"), metrics.reloads("bad")), (0, 0, 0),
                      f"{idn}: nothing lost, no reload")
        tap.equal(resolver.metrics().samples, metrics.samples, f"{idn}: the same after the end")


def test_rule_files(world, tap):
    """A rule's file is its path, as in JSON lines: two that have the same name in different folders are two series."""
    def prepare(folder):
        (folder / "more").mkdir(mode=0o755)
        write(folder, "nxdomain name a.wild.example\n")
        write(folder / "more", "nxdomain name b.wild.example\n")

    idn = f"{IDN}\npolicy: more/rules.conf\nlog: json\nlog-to: log/idn.log\n{METRICS}"
    with world.resolver(tap, idn, prepare=prepare) as resolver:
        paths = [resolver.logged(ask(f"{name}.wild.example"))[1].fields["policy.file"] for name in "abb"]
        tap.equal(paths, ["./rules.conf", "./more/rules.conf", "./more/rules.conf"], "paths")
        tap.ok(eventually(lambda: [resolver.metrics().sum("rule_replies_total", file=path) for path in paths] == [1, 2, 2]), "counted by them",
               resolver.metrics().samples)


def test_promtool(world, tap):
    """Prometheus' own check has nothing to say."""
    promtool = world.peers / "usr/bin/promtool"
    if not promtool.exists():
        tap.skip("promtool", f"no {promtool}: run 'make deps'")
        return
    with world.resolver(tap, f"log-to: log/idn.log\n{METRICS}") as resolver:
        empty = (resolver.folder / "log/idn.prom").read_bytes()
        asked(resolver)
        tap.ok(eventually(lambda: quiet(resolver)), "counted")
        for what, text in (("before the first reply", empty),
                           ("after some", (resolver.folder / "log/idn.prom").read_bytes())):
            done = subprocess.run([promtool, "check", "metrics"], input=text, capture_output=True, timeout=TIMEOUT)
            tap.equal((done.returncode, done.stdout, done.stderr), (0, b"", b""), what)
        done = subprocess.run([promtool, "check", "metrics"], input=b"x{\n", capture_output=True, timeout=TIMEOUT)
        tap.ok(done.returncode != 0, "and it would say so")


def test_replaced_whole(world, tap):
    """Read all the time, during a load and reloads: always there, never half of it, and never going back."""
    with world.resolver(tap, f"log-to: log/idn.log\n{METRICS}", check=False) as resolver:
        path = resolver.folder / "log/idn.prom"
        tap.equal(oct(stat.S_IMODE(path.stat().st_mode)), oct(0o644), "the file's mode")
        stop, seen, wrong = threading.Event(), set(), []
        reader = threading.Thread(target=read_all_the_time, args=(path, stop, seen, wrong))
        reader.start()
        try:
            load = Load(resolver, SHORT, rate=1000)
            for _ in range(5):
                before = len(seen)
                tap.ok(eventually(lambda b=before: len(seen) > b), "a new file")
                resolver.reload("SIGHUP")
            tap.ok(eventually(lambda: len(seen) >= 10), "several files were seen", len(seen))
            load.finish(tap, "load")
        finally:
            stop.set()
            reader.join()
        tap.equal(wrong, [], "each time whole")
        tap.equal([file.name for file in path.parent.iterdir() if file.name.startswith("idn.prom")], ["idn.prom"],
                  "and nothing is left beside it")


def read_all_the_time(path, stop, seen, wrong):
    highest = 0
    while not stop.is_set():
        try:
            with open(path, encoding="ascii") as file:
                metrics = Metrics(file.read())
                seen.add(os.fstat(file.fileno()).st_mtime_ns)
            if metrics.replies < highest or metrics.sum("reloads_total") > 99:
                wrong.append(f"{metrics.replies} replies after {highest}")
            highest = metrics.replies
        except (OSError, ValueError) as error:
            wrong.append(repr(error))


def test_cannot_be_written(world, tap):
    """Reported once, however often it is tried; answers and lines come as ever. It is written when it can be."""
    def a_folder(folder):
        (folder / "log/idn.prom").mkdir()

    with world.resolver(tap, f"log-to: log/idn.log\n{METRICS}", check=False, prepare=a_folder) as resolver:
        folder = resolver.folder / "log"
        times = set()
        tap.ok(eventually(lambda: times.add(folder.stat().st_mtime_ns) or len(times) > 3), "it is tried again")
        resolver.logged(ask(BUECHER))
        errors = resolver.errors()
        tap.ok(len(errors) == 1 and "idn.prom: metrics cannot be written: " in errors[0], "one error says so", errors)
        (folder / "idn.prom").rmdir()
        tap.ok(eventually((folder / "idn.prom").exists), "written as soon as it can be")
        tap.ok(eventually(lambda: quiet(resolver)), "with all there was to count")
    accounted(tap, resolver, "afterwards", resolver.log, lost=False)


def test_hostile_path(world, tap):
    """A list's name that would turn a terminal's text round (controls are no part of a rule file): in the file it is what
    the log makes of it, and Prometheus' own check takes that."""
    name, shown = 'li"st\u202etxt\u200b\\', 'li\\"st\\\\u{202E}txt\\\\u{200B}\\\\'

    def prepare(folder):
        quoted = name.replace("\\", "\\\\").replace('"', '\\"')
        write(folder, f'nxdomain names "{quoted}"\n')
        write(folder, "a.wild.example\n", name)

    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", prepare=prepare) as resolver:
        path = resolver.folder / "log/idn.prom"
        tap.equal(resolver.logged(ask("a.wild.example"))[0].rcode, "NXDOMAIN", "the list is read")
        tap.ok(eventually(lambda: resolver.metrics().sum("rule_replies_total", subject=f"./{shown}") == 1), "counted, by an escaped name",
               path.read_text())
        text = path.read_text(encoding="utf-8")
        tap.equal([char for char in text if char != "\n" and not char.isprintable()], [], "nothing that a terminal acts on")
        promtool = world.peers / "usr/bin/promtool"
        if promtool.exists():
            done = subprocess.run([promtool, "check", "metrics"], input=text.encode(), capture_output=True, timeout=TIMEOUT)
            tap.equal((done.returncode, done.stderr), (0, b""), "Prometheus takes it")
