# SPDX-License-Identifier: BSD-3-Clause
"""A file system that hangs, as that of a server that is gone, under the module's files: answers go on, and the resolver
stops all the same."""

import time

from daemon import eventually
from hungfs import HungError, hung
from question import ask
from rulefile import swaps, write

LOG, METRICS, LIST = "log-to: {}/idn.log\n", "metrics-file: {}/idn.prom\nmetrics-interval: 1\n", "nxdomain names {}/list.txt\n"
STOP = 3.5  # seconds: two for the threads, which are told together, and what Unbound and a busy machine take
WATCHER = "the thread that watches them is abandoned"
TICKER = "metrics cannot be written: the file system does not respond"

# Where the log, the metrics, a list and the rule file are, of which those in hung/ hang; and what is said at the end.
CASES = {
    "the list": ("log", "log", "hung", ".", [WATCHER]),
    "the rules": ("log", "log", "log", "hung", [WATCHER]),
    "the metrics": ("log", "hung", "log", ".", [TICKER]),
    "the log": ("hung", "log", "log", ".", []),
    "all of them": ("hung", "hung", "hung", "hung", [WATCHER, TICKER]),
}


def prepare(place, of_rules):
    def prepare(folder):
        (folder / "hung").mkdir()
        (folder / "hung").chmod(0o777)
        write(folder / place, "listed.wild.example\n", "list.txt")
        write(folder / of_rules, LIST.format(folder / place), "rules.conf")
    return prepare


def answers(resolver):
    return [resolver.exchange(ask(f"{name}.wild.example")).rcode for name in ("listed", "free")]


def each_case(world, tap, scene):
    for title, (log, metrics, place, of_rules, told) in CASES.items():
        idn = f"policy: {of_rules}/rules.conf\n" + LOG.format(log) + METRICS.format(metrics)
        with world.resolver(tap, idn, prepare=prepare(place, of_rules), check=False, threads=2) as resolver:
            tap.equal(answers(resolver), ["NXDOMAIN", "NOERROR"], f"{title}: before")
            try:
                with hung(resolver.folder / "hung") as folder:
                    tap.ok(folder.wait(), f"{title}: a thread hangs")
                    tap.equal(answers(resolver), ["NXDOMAIN", "NOERROR"], f"{title}: answers go on")
                    scene(resolver, title)
                    if title != "all of them":  # of which some may not have been asked for
                        tap.ok(all(line in resolver.daemon.log() for line in told), f"{title}: it is told", resolver.errors())
            except HungError as error:
                tap.skip(f"{title}: a file system that hangs", error)
                continue
            yield title, place, resolver


def test_stop(world, tap):
    def stop(resolver, title):
        begin = time.monotonic()
        tap.equal(resolver.daemon.stop(), 0, f"{title}: the daemon stops")
        took = time.monotonic() - begin
        tap.ok(took < STOP, f"{title}: … in two seconds", f"after {took:.2f} s")

    for _ in each_case(world, tap, stop):
        pass


def test_reload(world, tap):
    """At a reload what is opened anew waits for the file system, and goes on when that answers; a thread that was left
    behind does nothing any more."""
    def reload(resolver, title):
        resolver.control("reload_keep_cache")
        tap.ok(resolver.daemon.stderr.wait(lambda octets: octets.count(b"init module 0: dynlib") == 2),
               f"{title}: the module is closed, and opened again")

    for title, place, resolver in each_case(world, tap, reload):
        tap.ok(resolver.daemon.stderr.wait(lambda octets: octets.count(b"start of service") == 2), f"{title}: it goes on",
               resolver.daemon.log())
        tap.equal(answers(resolver), ["NXDOMAIN", "NOERROR"], f"{title}: after")
        count = len(swaps(resolver))
        write(resolver.folder / place, "free.wild.example\nlisted.wild.example\n", "list.txt")
        tap.ok(eventually(lambda n=count: len(swaps(resolver)) > n), f"{title}: and is watched")
        tap.equal(answers(resolver), ["NXDOMAIN", "NXDOMAIN"], f"{title}: the new list")


# They wait, for what the module waits for.
test_stop.slow = test_reload.slow = True
