#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of a query, with and without the policy: a host runs under callgrind, and answers some questions and then many
more, from its cache or each looked up; the difference counts. Prints a table in Markdown."""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "peers")]
sys.dont_write_bytecode = True

import daemon  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from question import Udp, ask  # noqa: E402
from scenes import RULES  # noqa: E402

NAMES = 50


def load(running, count, prefix):
    """One question after another: no thread waits for a lock that another one holds."""
    client = Udp(running.address())
    for number in range(count):
        client.send(ask(f"{prefix}{number % NAMES if prefix == 'n' else number}.wild.example"))
        client.receive(60)
    client.close()


def counted(host, few, many, prefix, idn):
    totals = []
    for count in (few, many):
        command = host.configure
        host.configure = lambda *of: ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command(*of)]
        try:
            running = host.launch(RULES, idn)
        finally:
            host.configure = command
        load(running, NAMES, "n")
        load(running, count, prefix)
        running.stop()
        totals.append(int(re.search(rb"Collected : (\d+)", running.said())[1]))
    return (totals[1] - totals[0]) / (many - few)


def main():
    taken = parser(__doc__, "--library", "--unbound", "--peers", "--zone")
    taken.add_argument("hosts", nargs="+", help="for example dnsdist, recursor:WithPacketCache (a class of its file)")
    taken.add_argument("--queries", type=int, default=10000, help="of the shorter run; the longer one has four times as many")
    taken.add_argument("--misses", type=int, default=2000, help="the same of questions that are not cached")
    options = taken.parse_args()
    daemon.TIMEOUT = 120
    world = open_world(options.unbound, None, options.peers, options.zone)
    print("| host | policy | a cached answer | a miss |\n|---|---|---:|---:|")
    try:
        for kind in options.hosts:
            for what, glue, idn in (("no", False, ""), ("without a log", True, "policy: rules.conf\nlog: none\n"),
                                    ("with lines for what rules match", True, "policy: rules.conf\nlog-to: log/idn.log\nlog-names: policy\n"),
                                    ("with a log", True, "policy: rules.conf\nlog-to: log/idn.log\n")):
                name, _, variant = kind.partition(":")
                host = getattr(importlib.import_module(f"host_{name}"), variant or "HOST")(world, options.library)
                host.glue, host.threads = glue, 1
                cached, miss = (counted(host, few, 4 * few, prefix, idn) for few, prefix in ((options.queries, "n"), (options.misses, "m")))
                print(f"| {kind} | {what} | {cached:.0f} | {miss:.0f} |", flush=True)
    finally:
        world.close()


if __name__ == "__main__":
    main()
