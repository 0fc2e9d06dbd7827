# SPDX-License-Identifier: BSD-3-Clause
"""Rotation by rename under load: over all files no line is lost, and none is torn."""

import collections

from daemon import FileOutput, eventually
from load import Load
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
