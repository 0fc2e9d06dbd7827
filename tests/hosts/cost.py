#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a query costs a host with and without the policy: CPU time of its process (/proc), user and system, in microseconds,
for an answer from its cache and for one that it has to look up; and how many cached answers a second it gives. Prints a table
in Markdown."""

import importlib
import os
import statistics
import struct
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "peers")]
sys.dont_write_bytecode = True

from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from question import ask  # noqa: E402
from scenes import RULES  # noqa: E402

NAMES = 4000
WINDOW = 64
TRIES = 3
TICKS = os.sysconf("SC_CLK_TCK")


def cpu(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def load(running, bench, rounds, clients=1):
    """(seconds of CPU time, seconds), each for one query."""
    packets = [ask(f"n{number}.wild.example").wire(number + 1) for number in range(NAMES)]
    questions = b"".join(struct.pack("!H", len(packet)) + packet for packet in packets)
    before, start = cpu(running.daemon.pid), time.monotonic()
    asking = [subprocess.Popen([bench, str(running.port), str(WINDOW // clients), str(rounds)], stdin=subprocess.PIPE,
                               stdout=subprocess.DEVNULL) for _ in range(clients)]
    for client in asking:
        client.stdin.write(questions)
        client.stdin.close()
    for client in asking:
        if client.wait() != 0:
            raise SystemExit("answers are missing")
    count = NAMES * rounds * clients
    return (cpu(running.daemon.pid) - before) / count, (time.monotonic() - start) / count


def measure(host, bench, rounds, clients):
    """Microseconds for a miss and a cached answer, and cached answers a second."""
    running = host.launch(RULES)
    try:
        miss, _ = load(running, bench, 1)
        cached, each = load(running, bench, rounds, clients)
        return miss * 1e6, cached * 1e6, 1 / each
    finally:
        running.stop()


def main():
    taken = parser(__doc__, "--library", "--unbound", "--peers", "--zone")
    taken.add_argument("--bench", required=True, help="bench_udpload")
    taken.add_argument("--rounds", type=int, default=10)
    taken.add_argument("--clients", type=int, default=4, help="that ask for cached answers at once")
    taken.add_argument("hosts", nargs="+", help="for example kresd, dnsdist:4 (threads), recursor.WithPacketCache (a class of its file)")
    options = taken.parse_args()
    world = open_world(options.unbound, None, options.peers, options.zone)
    print("| host | a miss, µs | … with the policy | cached, µs | … with the policy | cached answers a second | … with the policy |\n"
          "|---|---:|---:|---:|---:|---:|---:|")
    try:
        for name in options.hosts:
            kind, _, threads = name.partition(":")
            kind, _, variant = kind.partition(".")
            row = []
            for glue in (False, True):
                host = getattr(importlib.import_module(f"host_{kind}"), variant or "HOST")(world, options.library)
                host.glue, host.threads = glue, int(threads or 1)
                got = [measure(host, Path(options.bench).resolve(), options.rounds, options.clients) for _ in range(TRIES)]
                row.append([statistics.median(column) for column in zip(*got)])
            (miss, cached, rate), (miss_with, cached_with, rate_with) = row
            print(f"| {name} | {miss:.0f} | {miss_with:.0f} | {cached:.1f} | {cached_with:.1f} | {rate:,.0f} | {rate_with:,.0f} |", flush=True)
    finally:
        world.close()


if __name__ == "__main__":
    main()
