# SPDX-License-Identifier: BSD-3-Clause
"""The same million names as a list of the module's, as Unbound's RPZ and as its local zones, and as
the RPZ of Knot Resolver and PowerDNS Recursor: seconds until it serves, and memory over that of the same daemon without
names, at rest and while the list is replaced. Before that what `bench` measures without a daemon; behind it a table of
both."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).resolve().parent
for folder_of_tests in "unbound", "peers":
    sys.path.insert(0, str(HERE.parent / folder_of_tests))
from daemon import Daemon, DaemonError, eventually, free_port, unbound_conf  # noqa: E402  (found by the lines above)
from question import ask, exchange  # noqa: E402
from rpz_servers import ORIGIN, Servers  # noqa: E402
from rulefile import SWAP, write  # noqa: E402

TIMEOUT = 60  # seconds
BENCH_TIMEOUT = 1800  # … for a million names under a profiler, while others are at work
GOALS = {"ready": "1 s", "rest": "48 MB", "swap": "96 MB"}
LABELS = "2-5 labels"
FIRST = "first.example"  # of a zone: when it is refused the zone is in force


# ---- configurations of the daemons ----------------------------------------------------------------------------------

def ours(folder, names, module):
    write(folder, "nxdomain zones names.list\n" if names else "")
    write(folder, "".join(f"{name}\n" for name in names), "names.list")
    write(folder, "idn:\n    log: none\n    policy: rules.conf\n", "idn.conf")
    return "dynlib", f'dynlib:\n    dynlib-file: "{module}"\n    dynlib-file: "{folder}/idn.conf"\n'


def write_zone(folder, names, origin):
    """Writes a zone without *.{name}, which our zones and local zones cover too. FIRST is in it even without names."""
    zone = f"$ORIGIN {origin}.\n$TTL 60\n@ SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n{FIRST} CNAME .\n"
    write(folder, zone + "".join(f"{name} CNAME .\n" for name in names), "rpz.zone")


def rpz(folder, names, _module):
    write_zone(folder, names, "rpz")
    return "respip", f'rpz:\n    name: "rpz."\n    zonefile: "{folder}/rpz.zone"\n'


def local_zones(folder, names, _module):
    lines = "".join(f'local-zone: "{name}" always_nxdomain\n' for name in names)
    write(folder, lines, "local.conf")
    return "", f'server:\n    include: "{folder}/local.conf"\n'


@contextmanager
def started(options, configure, names):
    """Yields the daemon, its port and folder, and the seconds until it served."""
    with tempfile.TemporaryDirectory() as folder:
        module, clauses = configure(Path(folder), names, options.module.resolve())
        nobody = f'stub-zone:\n    name: "."\n    stub-addr: 127.0.0.1@{free_port()}\n'
        port = free_port()
        config = unbound_conf(folder, port, f"{module} validator iterator", clauses=nobody + clauses)
        begin = time.monotonic()
        daemon = Daemon([options.unbound.resolve() / "sbin" / "unbound", "-d", "-c", config], folder)
        try:
            if not daemon.stderr.wait(lambda octets: b"start of service" in octets, TIMEOUT):
                raise DaemonError(f"Unbound did not start:\n{daemon.log()}")
            yield daemon, port, Path(folder), time.monotonic() - begin
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


def is_refused(port, name):
    return exchange(("127.0.0.1", port), ask(name), timeout=TIMEOUT).rcode == "NXDOMAIN"


def measure(options, configure, names):
    with started(options, configure, []) as (daemon, *_):
        base = megabytes(daemon.pid, "VmRSS")
    with started(options, configure, names) as (daemon, port, folder, seconds):
        row = {"ready": seconds, "rest": megabytes(daemon.pid, "VmRSS") - base}
        if configure is ours:
            row["swap"], row["after"] = (figure - base for figure in swapped(daemon, folder, names))
            print(" ".join(SWAP.findall(daemon.log())[-1].split()))
        for name in names[0], names[-1]:
            if not is_refused(port, name):
                raise DaemonError(f"{name} is not refused:\n{daemon.log()}")
    row["octets"] = row["rest"] * 1e6 / len(names)
    return row


def seconds_of_life(pid):
    since_boot = int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[19]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - since_boot


def measure_peer(options, start, names):
    """`start` takes servers and a zone file, and returns a port; None: it cannot be run here."""
    figures = []
    for listed in [], names:
        with tempfile.TemporaryDirectory() as folder:
            Path(folder).chmod(0o755)
            write_zone(Path(folder), listed, ORIGIN)
            servers = Servers(Path(folder), options.unbound, options.peers, free_port())
            try:
                port = start(servers, Path(folder) / "rpz.zone")
                if port is None:
                    return {}
                pid = servers.daemons[-1].pid
                if not eventually(lambda at=port: is_refused(at, FIRST), TIMEOUT):
                    raise DaemonError(f"the zone is not in force:\n{servers.logs(0)}")
                figures.append((seconds_of_life(pid), megabytes(pid, "VmRSS")))
            finally:
                servers.stop()
    (_, base), (seconds, rest) = figures
    return {"ready": seconds, "rest": rest - base, "octets": (rest - base) * 1e6 / len(names)}


PEERS = {"Knot": lambda servers, zone: servers.kresd(zone, "127.0.0.1"),
         "PowerDNS": lambda servers, zone: servers.recursor(zone)}


def benched(bench, count, smoke):
    """The output of the bench and the profiler, and a summary: the range over the number of labels."""
    row = {}
    commands = [([bench, str(count)], "ns"), ([HERE / "instructions.sh", bench], "instructions")]
    for command, unit in commands[:1 if smoke else 2]:
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=BENCH_TIMEOUT).stdout
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


def print_table(names, columns):
    print(f"\n{f'{len(names)} names':33}{'goal':>9}" + "".join(f"{title:>11}" for title in columns))
    for title, key, form in LINES:
        cells = [form.format(row[key]) if key in row else "-" for row in columns.values()]
        print(f"{title:33}{GOALS.get(key, '-'):>9}" + "".join(f"{cell:>11}" for cell in cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unbound", type=Path, required=True, help="folder of an Unbound with sbin/unbound")
    parser.add_argument("--module", type=Path, required=True, help="idn.so built for it")
    parser.add_argument("--bench", type=Path, required=True, help="bench_policy")
    parser.add_argument("--peers", type=Path, help="folder with Knot Resolver and PowerDNS Recursor, unpacked")
    parser.add_argument("--smoke", action="store_true", help="of 2,000 names, for correctness")
    options = parser.parse_args()

    bench = options.bench.resolve()
    count = 2000 if options.smoke else 1000000
    names = subprocess.run([bench, "--list", str(count)], check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    inside = benched(bench, count, options.smoke)
    columns = {"ours": {**measure(options, ours, names), **inside},
               "RPZ": measure(options, rpz, names),
               "local-zone": measure(options, local_zones, names)}
    if options.peers:
        columns |= {title: measure_peer(options, start, names) for title, start in PEERS.items()}
    print_table(names, columns)
    if options.smoke:  # in TAP, for what has raised nothing
        print("ok 1 - every policy is read, served and asked\n1..1")


if __name__ == "__main__":
    main()
