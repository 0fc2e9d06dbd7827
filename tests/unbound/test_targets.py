# SPDX-License-Identifier: BSD-3-Clause
"""A log target in trouble: every answer comes as before, lines are whole, and those that are lost are counted."""

import collections
import os
import pwd
import re
import subprocess
import sys
import time

import logline
from daemon import FileOutput, eventually
from harness import HERE
from load import Load
from question import ask
from resolver import Log
from rulefile import rules

METRICS = "metrics-file: log/idn.prom\nmetrics-interval: 1"
LONG = ["\\255" * 60 + "." + "\\000" * 60 + "." + "\\046" * 50 + f".n{number}.wild.example" for number in range(5)]
SHORT = [f"n{number}.xn--bcher-kva.wild.example" for number in range(50)]
LOST = re.compile(r"(\d+) log lines lost")
DISK = 4 << 20
PATIENCE = 2.0  # seconds for an answer, whatever the log is doing; the machine may be busy


def accounted(tap, resolver, what, *logs, lost=None):
    """After the daemon has stopped: lines are whole, as many as the metrics say; with the lost ones they are the
    replies; and what was reported as lost is what was lost."""
    metrics = resolver.metrics()
    answers = sum(resolver.answers.values())
    tap.equal(metrics.replies, answers, f"{what}: a callback for each answer")
    tap.equal(metrics.written + metrics.lost, answers, f"{what}: written and lost are the answers")
    try:
        count = sum(len(log.lines()) for log in logs)
        tap.equal(count, metrics.written, f"{what}: as many lines as were written, each of them whole")
    except (logline.GrammarError, UnicodeDecodeError) as error:
        tap.ok(False, f"{what}: every line is whole", error)
    reported = sum(map(int, LOST.findall(resolver.daemon.log())))
    tap.equal(reported, metrics.lost, f"{what}: as many reported as lost")
    if lost is not None:
        tap.equal(metrics.lost > 0, lost, f"{what}: lines were {'' if lost else 'not '}lost")


def load(tap, resolver, what, names, count):
    result = Load(resolver, names, count, patience=PATIENCE).finish(tap, what)
    tap.equal(result["retried"], 0, f"{what}: in the time it takes without trouble")


def wait_lost(tap, resolver, what):
    tap.ok(resolver.daemon.stderr.wait(lambda octets: LOST.search(octets.decode("utf-8", "replace"))),
           f"{what}: what is lost is reported", resolver.daemon.log())


# ---- a full disk ------------------------------------------------------------------------------------------------


def can_mount(world):
    folder = world.new_folder("disk")
    done = subprocess.run([sys.executable, HERE / "tmpfs.py", folder, "4096", "true"], capture_output=True, timeout=20)
    return done.returncode == 0


def test_full_disk(world, tap):
    """A file system of 4 MiB that another process fills, except for half a line or so."""
    if not can_mount(world):
        tap.skip("a full disk", "no file system can be mounted here")
        return
    for idn in ("log: text", "log: json"):
        idn = f"{idn}\nlog-to: disk/idn.log\n{METRICS}"
        with world.resolver(tap, idn, check=False, disk=DISK) as resolver:
            disk = os.open(f"/proc/{resolver.daemon.pid}/root{resolver.folder}/disk", os.O_RDONLY | os.O_DIRECTORY)
            path = f"/proc/self/fd/{disk}"
            resolver.log.target = FileOutput(f"{path}/idn.log")
            resolver.logged(ask(SHORT[0]))
            fill(f"{path}/filler", leave=3 * 4096)
            load(tap, resolver, f"{idn[:9]}: full disk", LONG, 8000)
            wait_lost(tap, resolver, f"{idn[:9]}: full disk")
            tap.ok(whole(resolver.log.target.octets), f"{idn[:9]}: while it is full no torn line is in the file")
            os.unlink(f"{path}/filler")
            goes_on(tap, resolver, f"{idn[:9]}: with room again")
        accounted(tap, resolver, f"{idn[:9]}: full disk", resolver.log, lost=True)
        os.close(disk)


def fill(path, leave):
    with open(path, "wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError:
            pass
        filler.truncate(max(0, filler.tell() - leave))


def whole(octets):
    return octets == b"" or octets.endswith(b"\n")


def goes_on(tap, resolver, what):
    """Lines that waited in the buffers are written, and so are new lines."""
    tap.ok(eventually(lambda: quiet(resolver)), f"{what}: every line is written or counted as lost",
           (resolver.folder / "log/idn.prom").read_text())
    before = resolver.answers["after.wild.example."]
    resolver.exchange(ask("after.wild.example"))
    tap.ok(resolver.log.wait("after.wild.example.", before + 1), f"{what}: a new line too")


def quiet(resolver):
    """Returns whether every line has been written or lost by now."""
    metrics = resolver.metrics()
    return metrics.written + metrics.lost == metrics.replies == sum(resolver.answers.values())


FILE_SIZE = 300_000


def test_file_size_limit(world, tap):
    """A limit on the size of files, which a write runs into in the middle of a line. A new file makes room."""
    with world.resolver(tap, f"log-to: log/idn.log\n{METRICS}", check=False,
                        around=("prlimit", f"--fsize={FILE_SIZE}")) as resolver:
        path = resolver.folder / "log/idn.log"
        load(tap, resolver, "at the limit", LONG, 4000)
        wait_lost(tap, resolver, "at the limit")
        tap.ok(whole(path.read_bytes()), "at the limit: no torn line is in the file")
        tap.ok(FILE_SIZE - 2000 < path.stat().st_size <= FILE_SIZE, "at the limit: it is full", path.stat().st_size)
        for number in range(1, 9):  # what the buffers hold fills some more files
            path.rename(path.with_suffix(f".{number}"))
            tap.ok(eventually(path.exists), "renamed: there is a new file")
        goes_on(tap, resolver, "in a new file")
    logs = [Log(FileOutput(file)) for file in path.parent.iterdir() if file.stem == "idn" and file.suffix != ".prom"]
    accounted(tap, resolver, "limit", *logs, lost=True)


def test_start_at_file_size_limit(world, tap):
    """The first metrics, and the end of a torn line, run into the limit in the daemon's own thread. It lives."""
    def prepare(folder):
        rules("nxdomain zone nx.example")(folder)
        (folder / "log/idn.log").write_text("x" * 5000)
        (folder / "log/idn.log").chmod(0o666)

    with world.resolver(tap, f"log-to: log/idn.log\n{METRICS}\npolicy: rules.conf", check=False, prepare=prepare,
                        around=("prlimit", "--fsize=4096")) as resolver:
        tap.equal(resolver.exchange(ask("nx.example")).rcode, "NXDOMAIN", "it answers")
        tap.ok("idn.prom: metrics cannot be written: File too large" in resolver.daemon.log(), "and says what it cannot write",
               resolver.daemon.log())


# ---- another thing at the path: each kind is a row of tests/unit/test_logtarget.c -------------------------------


def locked(folder):
    folder.chmod(0o555)


def fifo(folder):
    os.mkfifo(folder / "idn.log")
    (folder / "idn.log").chmod(0o666)


TROUBLES = {"no folder": (None, "No such file or directory"), "a folder that may not be written": (locked, "Permission denied"),
            "a FIFO without a reader": (fifo, "not a regular file")}


def prepare_troubles(folder):
    """log/NUMBER/ for each trouble and log/good/; log/now/ is a link to one of them, so that a change is one step. The
    daemon's user owns log/, as a folder of logs should be: in a folder for everyone no link is followed."""
    places = {"good": lambda _: None, **{str(number): trouble for number, (trouble, _) in enumerate(TROUBLES.values())}}
    for name, make in places.items():
        if make:
            (folder / "log" / name).mkdir()
            (folder / "log" / name).chmod(0o777)
            make(folder / "log" / name)
    (folder / "log").chmod(0o755)
    if os.geteuid() == 0:
        os.chown(folder / "log", pwd.getpwnam("nobody").pw_uid, -1)
    switch(folder, "good")


def switch(folder, name):
    new = folder / "log/new"
    new.symlink_to(name)
    new.rename(folder / "log/now")


def test_path_in_trouble(world, tap):
    """The path leads to something else for a while, and back: every answer comes, no line is lost, one error each."""
    with world.resolver(tap, f"log-to: log/now/idn.log\n{METRICS}", check=False,
                        prepare=prepare_troubles) as resolver:
        resolver.log.target = FileOutput(resolver.folder / "log/good/idn.log")
        for number, (what, (_, reason)) in enumerate(TROUBLES.items()):
            resolver.logged(ask("good.wild.example"))
            errors = resolver.errors()
            switch(resolver.folder, str(number))
            reported = resolver.daemon.stderr.wait(lambda _, e=errors: resolver.errors()[len(e):])
            tap.ok(reported and len(reported) == 1 and "log/now/idn.log: cannot log to it" in reported[0]
                   and reason in reported[0], f"{what}: reported", reported)
            load(tap, resolver, what, SHORT, 500)
            resolver.exchange(ask(f"last{number}.wild.example"))
            tap.equal(resolver.errors()[len(errors):], reported, f"{what}: once")
            switch(resolver.folder, "good")
            tap.ok(resolver.log.wait(f"last{number}.wild.example.", 1), f"{what}: and then it has what was kept")
    accounted(tap, resolver, "troubles", resolver.log, lost=False)


# ---- rotation: what has half a line at its end before the daemon has it keeps that line for itself -------------

RATE, SECONDS = 5000, 4
ROTATED_NAMES = [f"n{number}.xn--bcher-kva.wild.example" for number in range(400)]


def test_rotated_under_load(world, tap):
    """About 5,000 questions a second, and a rename as soon as the file before has been taken up."""
    for idn in ("log: text", "log: json"):
        with world.resolver(tap, f"{idn}\nlog-to: log/idn.log\n{METRICS}", threads=2, check=False) as resolver:
            path = resolver.folder / "log/idn.log"
            load = Load(resolver, ROTATED_NAMES, RATE * SECONDS, rate=RATE, clients=8)
            rotations = 0
            while load.process.poll() is None and rotations < 1000:
                if eventually(lambda: path.exists() and path.stat().st_size > 0, timeout=2):
                    rotations += 1
                    path.rename(path.with_name(f"rotated.{rotations}"))
            result = load.finish(tap, idn)
            tap.equal((result["retried"], result["rcodes"]), (0, {"0": RATE * SECONDS}), f"{idn}: at once")
            tap.ok(rotations >= 20, f"{idn}: {rotations} rotations", rotations)
            tap.ok(eventually(lambda: quiet(resolver)), f"{idn}: every line is written")
            is_json = resolver.log.is_json
            files = [path, *path.parent.glob("rotated.*")]
            tap.equal(resolver.errors(), [], f"{idn}: no error")
        logs = [Log(FileOutput(file), is_json) for file in files if file.exists()]
        accounted(tap, resolver, idn, *logs, lost=False)
        counts = collections.Counter(line.name for log in logs for line in log.lines())
        tap.equal(counts, resolver.answers, f"{idn}: each name as often as it was answered")
        tap.note(f"{result['asked'] / result['seconds']:.0f} questions a second")


HALF = b"2026-11-22T10:00:00.000000Z 192.0.2.1 half-a-li"


def torn(path):
    """Leaves the log as a crash or a full disk leaves it, for the daemon's user."""
    path.write_bytes(HALF)
    path.chmod(0o666)


def test_torn_line(world, tap):
    """At the start, and in a file that rotation finds there: the daemon's first line is one of its own."""
    for idn in ("log: text", "log: json"):
        with world.resolver(tap, f"{idn}\nlog-to: log/idn.log", check=False,
                            prepare=lambda folder: torn(folder / "log/idn.log")) as resolver:
            path = resolver.folder / "log/idn.log"
            for number, what in enumerate(("at the start", "after a rotation")):
                resolver.exchange(ask(f"n{number}.wild.example"))
                tap.ok(eventually(lambda p=path: p.stat().st_size > len(HALF) + 1), f"{idn}: {what}: logged")
                lines = path.read_bytes().split(b"\n")
                tap.equal((lines[0], lines[2:]), (HALF, [b""]), f"{idn}: {what}: the torn line, and a line")
                tap.ok(f"n{number}.wild.example".encode() in lines[min(1, len(lines) - 1)], f"{idn}: {what}: which is whole", lines)
                new = path.with_name("new")
                torn(new)
                path.rename(path.with_name(f"rotated.{number}"))
                new.rename(path)
            tap.equal(resolver.errors(), [], f"{idn}: no error")


# ---- a reader that does not read --------------------------------------------------------------------------------


def stuck(world, tap, target, stream, is_own):
    """The stream is not read for a while. If Unbound's own log goes there too, its messages must not tear a line or delay an answer;
    they come when the stream is read again."""
    with world.resolver(tap, f"log-to: {target}\n{METRICS}", check=False) as resolver:
        resolver.logged(ask("first.wild.example"))
        getattr(resolver.daemon, stream).flowing.clear()
        load(tap, resolver, f"{target}: nobody reads", LONG, 4000)
        tap.ok(eventually(lambda: resolver.metrics().lost > 0), f"{target}: nobody reads: lines are lost")
        if is_own:
            wait_lost(tap, resolver, f"{target}: nobody reads")
        load(tap, resolver, f"{target}: nobody reads, later", SHORT, 500)
        resolver.daemon.resume()
        wait_lost(tap, resolver, f"{target}: read again")
        goes_on(tap, resolver, f"{target}: read again")
    accounted(tap, resolver, f"{target}: stuck", resolver.log, lost=True)


def test_stuck_standard_output(world, tap):
    stuck(world, tap, "/dev/stdout", "stdout", True)


def test_stuck_standard_error(world, tap):
    stuck(world, tap, "/dev/stderr", "stderr", False)


def test_stuck_unbounds_log(world, tap):
    stuck(world, tap, "unbound", "stderr", False)


def test_slow_reader(world, tap):
    """It takes a part of a line at a time, so that a write ends in the middle of one. Unbound's own lines, and that
    lines are lost, stand between whole lines even where all go the same way."""
    for target in ("stdout", "stderr"):
        with world.resolver(tap, f"log-to: /dev/{target}\n{METRICS}", check=False) as resolver:
            output = getattr(resolver.daemon, target)
            output.chunk, output.pause = 5000, 0.01
            load(tap, resolver, f"slow {target}", LONG, 4000)
            wait_lost(tap, resolver, f"slow {target}")
            resolver.daemon.resume()
            goes_on(tap, resolver, f"{target}, read again")
        accounted(tap, resolver, f"slow {target}", resolver.log, lost=True)


def test_stuck_at_the_end(world, tap):
    """The daemon stops although its output is not read; lines that were not taken are counted as lost."""
    with world.resolver(tap, f"log-to: /dev/stdout\n{METRICS}", check=False) as resolver:
        resolver.logged(ask("first.wild.example"))
        resolver.daemon.stdout.flowing.clear()
        load(tap, resolver, "nobody reads", LONG, 300)
        resolver.daemon.process.terminate()
        try:
            tap.equal(resolver.daemon.process.wait(10), 0, "it stops")
        except subprocess.TimeoutExpired:
            tap.ok(False, "it stops, having waited a second for the reader", "not in 10 s")
    accounted(tap, resolver, "stuck at the end", resolver.log, lost=True)


def test_lost_lines_once_a_minute(world, tap):
    """At once, and then once a minute, however many more there are."""
    with world.resolver(tap, f"log-to: /dev/stdout\n{METRICS}", check=False) as resolver:
        resolver.daemon.stdout.flowing.clear()
        lines = Load(resolver, LONG, None, rate=500)
        stderr = resolver.daemon.stderr
        first = eventually(lambda: LOST.search(resolver.daemon.log()) and time.monotonic())
        second = stderr.wait(lambda octets: len(LOST.findall(octets.decode())) > 1 and time.monotonic(), 120)
        lines.finish(tap, "nobody reads")
        tap.ok(first and second and 55 < second - first < 90, "a second report after a minute", (first, second))
        tap.equal(len(LOST.findall(resolver.daemon.log())), 2, "and none between")
        resolver.daemon.resume()
    accounted(tap, resolver, "reports", resolver.log, lost=True)


test_lost_lines_once_a_minute.long = True
