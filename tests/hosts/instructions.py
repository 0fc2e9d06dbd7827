#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of a query: of each host as it is, and what the policy adds, without a log and then with a line for each reply.
A host runs under callgrind with one thread, and answers some questions, some more from its cache, or some more that it has to look
up; the differences count. Prints a table in Markdown. The questions are about names that no rule matches; what a host looks up
it asks of a server on this machine, which is not counted."""

import importlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "peers"), str(HERE.parent / "operations")]
sys.dont_write_bytecode = True

import daemon  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from ownroot import libraries, place  # noqa: E402
from question import Udp, ask  # noqa: E402
from scenes import RULES  # noqa: E402

NAMES = 50
VALGRIND = Path("/usr/libexec/valgrind")


def load(running, count, prefix, names):
    """One question after another: no thread waits for a lock that another one holds."""
    client = Udp(running.address())
    for number in range(count):
        client.send(ask(f"{prefix}{number % names}.wild.example"))
        client.receive(60)
    client.close()


def under_valgrind(command):
    """Runs valgrind inside the root folder that a command changes to, if it does."""
    options = ["--tool=callgrind", "--callgrind-out-file=/dev/null"]
    if command[0] != "chroot":
        return ["valgrind", *options, *command]
    root = command[1]
    for path in (VALGRIND / "callgrind-amd64-linux", VALGRIND / "default.supp", VALGRIND / "vgpreload_core-amd64-linux.so",
                 Path("/usr/bin/valgrind.bin"), *libraries(["/usr/bin/valgrind.bin"], {})):
        place(root, path)
    (root / "proc").mkdir()
    inside = 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"'
    return ["env", "VALGRIND_LAUNCHER=/usr/bin/valgrind.bin", f"VALGRIND_LIB={VALGRIND}", "unshare", "--mount", "sh", "-c", inside, root,
            "/usr/bin/valgrind.bin", *options, *command[2:]]


def total(host, idn, cached, missed):
    """All instructions of a run with so many questions."""
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
    """Instructions of an answer from the cache, and of one that is not there."""
    few = total(host, idn, cached, missed)
    return ((total(host, idn, 4 * cached, missed) - few) / (3 * cached), (total(host, idn, cached, 4 * missed) - few) / (3 * missed))


def main():
    taken = parser(__doc__, "--library", "--unbound", "--peers", "--zone")
    taken.add_argument("hosts", nargs="+", help="for example dnsdist, recursor:WithPacketCache (a class of its file)")
    taken.add_argument("--queries", type=int, default=4000, help="of cached answers in the shorter run; the longer one has four times as many")
    taken.add_argument("--misses", type=int, default=800, help="the same of questions that are not cached")
    options = taken.parse_args()
    daemon.TIMEOUT = 120
    world = open_world(options.unbound, None, options.peers, options.zone)
    print("| host | a cached answer | rules add | a log line adds | a miss | rules add | a log line adds |\n"
          "|---|---:|---:|---:|---:|---:|---:|", flush=True)
    try:
        for kind in options.hosts:
            found = []
            for glue, idn in ((False, ""), (True, "policy: rules.conf\nlog: none\n"), (True, "policy: rules.conf\nlog-to: log/idn.log\n")):
                name, _, variant = kind.partition(":")
                host = getattr(importlib.import_module(f"host_{name}"), variant or "HOST")(world, options.library)
                host.glue, host.threads = glue, 1
                found.append(counted(host, idn, options.queries, options.misses))
            cells = [cell for bare, rules, line in zip(*found) for cell in (bare, rules - bare, line - rules)]
            print(f"| {kind} | {' | '.join(f'{cell:,.0f}' for cell in cells)} |", flush=True)
    finally:
        world.close()


if __name__ == "__main__":
    main()
