# SPDX-License-Identifier: BSD-3-Clause
"""The same million names as a list of the module's, as Unbound's RPZ and as its local zones: seconds until it serves,
and memory over that of the same daemon without names, at rest and while the list is replaced. Before that what `bench`
measures without a daemon; behind it a table of both."""

import argparse
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "unbound"))
from daemon import Daemon, DaemonError, free_port, unbound_conf  # noqa: E402  (found by the line above)
from rulefile import SWAP, write  # noqa: E402

TIMEOUT = 60  # seconds
GOALS = {"ready": "1 s", "rest": "48 MB", "swap": "96 MB"}
LABELS = "2-5 labels"


# ---- what a daemon is told ------------------------------------------------------------------------------------------

def ours(folder, names, module):
    write(folder, "nxdomain zones names.list\n" if names else "")
    write(folder, "".join(f"{name}\n" for name in names), "names.list")
    write(folder, "idn:\n    log: none\n    policy: rules.conf\n", "idn.conf")
    return "dynlib", f'dynlib:\n    dynlib-file: "{module}"\n    dynlib-file: "{folder}/idn.conf"\n'


def rpz(folder, names, _module):
    zone = "$ORIGIN rpz.\n$TTL 60\n@ SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n"
    # Without *.{name}, which our zones and local zones cover too.
    write(folder, zone + "".join(f"{name} CNAME .\n" for name in names), "rpz.zone")
    return "respip", f'rpz:\n    name: "rpz."\n    zonefile: "{folder}/rpz.zone"\n'


def local_zones(folder, names, _module):
    lines = "".join(f'local-zone: "{name}" always_nxdomain\n' for name in names)
    write(folder, lines, "local.conf")
    return "", f'server:\n    include: "{folder}/local.conf"\n'


@contextmanager
def started(options, configure, names):
    """Yields the daemon, its folder, and the seconds until it served."""
    with tempfile.TemporaryDirectory() as folder:
        module, clauses = configure(Path(folder), names, options.module.resolve())
        nobody = f'stub-zone:\n    name: "."\n    stub-addr: 127.0.0.1@{free_port()}\n'
        config = unbound_conf(folder, free_port(), f"{module} validator iterator", clauses=nobody + clauses)
        begin = time.monotonic()
        daemon = Daemon([options.unbound.resolve() / "sbin" / "unbound", "-d", "-c", config], folder)
        try:
            if not daemon.stderr.wait(lambda octets: b"start of service" in octets, TIMEOUT):
                raise DaemonError(f"Unbound did not start:\n{daemon.log()}")
            yield daemon, Path(folder), time.monotonic() - begin
        finally:
            daemon.stop()


# ---- what it takes --------------------------------------------------------------------------------------------------

def megabytes(pid, field):
    text = Path(f"/proc/{pid}/status").read_text()
    return int(re.search(rf"^{field}:\s+(\d+) kB$", text, re.MULTILINE).group(1)) * 1024 / 1e6


def swapped(daemon, folder, names):
    """Replaces our list by another as long; returns the peak of memory since the start, and what is left of it."""
    write(folder, "".join(f"{name}\n" for name in reversed(names)), "names.list")
    if not daemon.stderr.wait(lambda octets: len(SWAP.findall(octets.decode())) >= 2, TIMEOUT):
        raise DaemonError(f"the list was not taken:\n{daemon.log()}")
    return megabytes(daemon.pid, "VmHWM"), megabytes(daemon.pid, "VmRSS")


def measure(options, configure, names):
    with started(options, configure, []) as (daemon, _, _):
        base = megabytes(daemon.pid, "VmRSS")
    with started(options, configure, names) as (daemon, folder, seconds):
        row = {"ready": seconds, "rest": megabytes(daemon.pid, "VmRSS") - base}
        if configure is ours:
            row["swap"], row["after"] = (figure - base for figure in swapped(daemon, folder, names))
            print(" ".join(SWAP.findall(daemon.log())[-1].split()))
    row["octets"] = row["rest"] * 1e6 / len(names)
    return row


def benched(bench):
    """What the bench and the profiler say, and it again in short: the range over the number of labels."""
    row = {}
    for command, unit in (([bench], "ns"), ([HERE / "instructions.sh", bench], "instructions")):
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=2 * TIMEOUT).stdout
        print(output, end="", flush=True)
        for kind in ("miss", "hit"):
            figures = [int(figure) for figure in re.findall(rf"{kind} *, \d labels: (\d+) {unit}", output)]
            if figures:
                row[kind, unit] = f"{min(figures)}-{max(figures)}"
    return row


# ---- the table ------------------------------------------------------------------------------------------------------

LINES = (
    ("seconds until it serves", "ready", "{:.2f}"),
    ("MB over base", "rest", "{:.0f}"),
    ("MB over base, peak of a swap", "swap", "{:.0f}"),
    ("MB over base, after the swap", "after", "{:.0f}"),
    ("octets a name", "octets", "{:.0f}"),
    (f"ns a miss, {LABELS}", ("miss", "ns"), "{}"),
    (f"ns a hit, {LABELS}", ("hit", "ns"), "{}"),
    (f"instructions a miss, {LABELS}", ("miss", "instructions"), "{}"),
    (f"instructions a hit, {LABELS}", ("hit", "instructions"), "{}"),
)


def print_table(names, rows):
    print(f"\n{f'{len(names)} names':33}{'goal':>9}{'ours':>9}{'RPZ':>9}{'local-zone':>12}")
    for title, key, form in LINES:
        cells = [form.format(row[key]) if key in row else "-" for row in rows]
        print(f"{title:33}{GOALS.get(key, '-'):>9}{cells[0]:>9}{cells[1]:>9}{cells[2]:>12}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unbound", type=Path, required=True, help="folder of an Unbound with sbin/unbound")
    parser.add_argument("--module", type=Path, required=True, help="idn.so built for it")
    parser.add_argument("--bench", type=Path, required=True, help="bench_policy")
    options = parser.parse_args()

    bench = options.bench.resolve()
    names = subprocess.run([bench, "--list"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    inside = benched(bench)
    rows = [measure(options, configure, names) for configure in (ours, rpz, local_zones)]
    print_table(names, [{**rows[0], **inside}, *rows[1:]])


if __name__ == "__main__":
    main()
