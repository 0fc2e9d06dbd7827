#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the instructions of a query in each host without the policy, what the policy adds, and what a log line for each reply adds.
A host runs under callgrind with one thread. It runs three times: with some questions, with more that its cache answers, and with
more that it has to look up; the differences are counted. Prints a table in Markdown. No rule matches the names in the questions. The
server that a host asks runs on this machine and is not counted."""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "peers"), str(HERE.parent / "operations")]
sys.dont_write_bytecode = True

import daemon  # noqa: E402
import suites  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from ownroot import place  # noqa: E402
from question import Udp, ask  # noqa: E402
from scenes import RULES  # noqa: E402

NAMES = 50
VALGRIND = Path("/usr/libexec/valgrind")
CALLGRIND = VALGRIND / "callgrind-amd64-linux"


def load(running, count, prefix, names):
    """Asks one question after another, so that no thread waits for a lock that another one holds."""
    client = Udp(running.address())
    for number in range(count):
        client.send(ask(f"{prefix}{number % names}.wild.example"))
        client.receive(60)
    client.close()


def under_valgrind(command):
    """Returns the command that runs this one under callgrind. If it changes the root folder, callgrind, a static program, runs in there."""
    options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if command[0] != "chroot":
        return ["valgrind", *options, *command]
    root = command[1]
    for path in (CALLGRIND, VALGRIND / "default.supp", VALGRIND / "vgpreload_core-amd64-linux.so"):
        place(root, path)
    (root / "proc").mkdir(exist_ok=True)
    program = next(path for path in (f"usr/sbin/{command[2]}", str(command[2]).lstrip("/")) if (root / path).exists())
    inside = 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"'
    return ["env", "VALGRIND_LAUNCHER=/usr/bin/valgrind", f"VALGRIND_LIB={VALGRIND}", "unshare", "--mount", "sh", "-c", inside, root,
            CALLGRIND, *options, f"/{program}", *command[3:]]


def total(host, idn, cached, missed):
    """Returns the instructions of a run with this many questions."""
    command = host.configure
    host.configure = lambda *of: under_valgrind(command(*of))
    try:
        running = host.launch(RULES, idn)
    finally:
        host.configure = command
    load(running, NAMES + cached, "n", NAMES)
    load(running, missed, "m", missed)
    running.stop()
    return int(re.search(rb"Collected : (\d+)", running.said())[1])


def counted(host, idn, cached, missed):
    """Returns the instructions of an answer from the cache, and of one that the host looks up."""
    few = total(host, idn, cached, missed)
    return ((total(host, idn, 4 * cached, missed) - few) / (3 * cached), (total(host, idn, cached, 4 * missed) - few) / (3 * missed))


def main():
    taken = parser(__doc__, "--library", "--unbound", "--peers", "--zone")
    taken.add_argument("hosts", nargs="+", help="for example dnsdist, recursor:WithPacketCache (a class of its file), testing/dnsdist (another suite)")
    taken.add_argument("--queries", type=int, default=4000, help="number of cached answers in the shorter run; the longer one has four times as many")
    taken.add_argument("--misses", type=int, default=800, help="the same for answers that are looked up")
    options = taken.parse_args()
    daemon.TIMEOUT = 900  # under valgrind, an unpacked Python, which compiles its library at each start, takes minutes
    world = open_world(options.unbound, None, options.peers, options.zone)
    print("| host | a cached answer | rules add | a log line adds | a miss | rules add | a log line adds |\n"
          "|---|---:|---:|---:|---:|---:|---:|", flush=True)
    try:
        for kind in options.hosts:
            found = []
            for glue, idn in ((False, ""), (True, "policy: rules.conf\nlog: none\n"), (True, "policy: rules.conf\nlog-to: log/idn.log\n")):
                suite, name, variant = re.fullmatch(r"(?:(\w+)/)?(\w+)(?::(\w+))?", kind).groups()
                of = getattr(importlib.import_module(f"host_{name}"), variant or "HOST")
                host = (suites.of(suite, of) if suite else of)(world, options.library)
                host.glue, host.threads = glue, 1
                found.append(counted(host, idn, options.queries, options.misses))
            cells = [cell for bare, rules, line in zip(*found) for cell in (bare, rules - bare, line - rules)]
            print(f"| {kind} | {' | '.join(f'{cell:,.0f}' for cell in cells)} |", flush=True)
    finally:
        world.close()


if __name__ == "__main__":
    main()
