# SPDX-License-Identifier: BSD-3-Clause
"""A minute of everything at once, on four threads: UDP and TCP, hostile names, many clients, rotation and reloads."""

import collections
import time

from daemon import FileOutput, eventually
from load import Load
from resolver import Log
from test_names import ODD, VECTORS
from test_reloads import resident
from test_targets import LONG, METRICS, SHORT, accounted, quiet

SECONDS = 60
WARM_UP = 64 << 20  # octets: the message cache, what threads keep, a sanitizer's own
GROWTH = 4 << 20  # from then on


def escaped(label):
    return "".join(f"\\{octet:03d}" for octet in label)


def names():
    hostile = [escaped(row["a_label"].encode()) + ".wild.example" for row in VECTORS]
    odd = [escaped(label) + ".wild.example" for label in ODD.values() if label != b"*"]
    fresh = [f"q{number}.xn--g1ah2bza.wild.example" for number in range(2000)]
    ordinary = [*SHORT, "nope.example", "mangled.example", "ascii.example"]
    return {"hostile": [*hostile, *odd, *LONG], "ordinary": ordinary, "fresh": fresh}


def test_mixed_load(world, tap):
    for idn in ("log: text", "log: json"):
        with world.resolver(tap, f"{idn}\nlog-to: log/idn.log\n{METRICS}", threads=4, check=False,
                            server="incoming-num-tcp: 100") as resolver:
            mixed_load(tap, resolver, idn)
        files = [file for file in (resolver.folder / "log").iterdir() if file.suffix != ".prom"]
        logs = [Log(FileOutput(file), resolver.log.is_json) for file in files]
        accounted(tap, resolver, idn, *logs, lost=False)
        counts = collections.Counter(line.name for log in logs for line in log.lines())
        wanted = {name: number for name, number in resolver.answers.items() if number}
        tap.equal(dict(counts), wanted, f"{idn}: each name as often as it was answered")


def mixed_load(tap, resolver, idn):
    kinds = names()
    loads = [Load(resolver, kinds[kind], None, rate, clients, transport) for kind, rate, clients, transport in (
        ("hostile", 700, 20, "udp"), ("ordinary", 1500, 40, "udp"), ("fresh", 300, 10, "udp"),
        ("ordinary", 400, 10, "tcp"), ("hostile", 200, 5, "tcp"))]
    path = resolver.folder / "log/idn.log"
    deadline = time.monotonic() + SECONDS
    sizes = []
    for rotation in range(1, 10000):
        seen = resolver.metrics().replies
        tap.ok(eventually(lambda s=seen: resolver.metrics().replies > s + 5000), f"{idn}: answers go on")
        path.rename(path.with_name(f"rotated.{rotation}"))
        sizes.append(resident(resolver.daemon.pid))
        if time.monotonic() > deadline:
            break
    results = [load.finish(tap, f"{idn}: load {number}") for number, load in enumerate(loads, 1)]
    tap.equal([result["retried"] for result in results], [0] * len(loads), f"{idn}: each within five seconds")
    tap.ok(eventually(lambda: quiet(resolver)), f"{idn}: every line is written")
    half = sizes[len(sizes) // 2]
    tap.ok(sizes[-1] - half < GROWTH and sizes[-1] - sizes[0] < WARM_UP, f"{idn}: memory is flat", sizes)
    tap.note(f"asked: {sum(result['asked'] for result in results)}, resident octets: {sizes}")


test_mixed_load.long = True
