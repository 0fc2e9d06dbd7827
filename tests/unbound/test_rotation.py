# SPDX-License-Identifier: BSD-3-Clause
"""Rotation by rename under load: over all files no line is lost, and none is torn. What has half a line at its end before
the daemon has it keeps that line for itself."""

import collections

from daemon import FileOutput, eventually
from load import Load
from question import ask
from resolver import Log
from test_targets import METRICS, accounted, quiet

RATE, SECONDS = 5000, 4
NAMES = [f"n{number}.xn--bcher-kva.wild.example" for number in range(400)]


def test_under_load(world, tap):
    """About 5,000 questions a second, and a rename as soon as the file before has been taken up."""
    for idn in ("log: text", "log: json"):
        with world.resolver(tap, f"{idn}\nlog-to: log/idn.log\n{METRICS}", threads=2, check=False) as resolver:
            path = resolver.folder / "log/idn.log"
            load = Load(resolver, NAMES, RATE * SECONDS, rate=RATE, clients=8)
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
