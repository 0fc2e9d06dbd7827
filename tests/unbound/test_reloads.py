# SPDX-License-Identifier: BSD-3-Clause
"""Reloads: a mistake leaves the last good configuration in force, and neither counters nor lines are lost."""

import os

from daemon import FileOutput, eventually
from harness import write_idn
from load import Load
from question import ask
from resolver import Log
from test_targets import METRICS, SHORT, accounted, quiet

KINDS = ("SIGHUP", "reload", "reload_keep_cache")
# Without the watcher, which would read a change before the reload does.
OLD = f"watch: no\nlog-to: log/old.log\n{METRICS}"
NEW = f"watch: no\nlog: json\nlog-to: log/new.log\n{METRICS}"


def removed(folder):
    (folder / "idn.conf").unlink()


def two_mistakes(folder):
    write_idn(folder, f"log: json\nlog-to: log/new.log\nlgo: none\nlog-client: half\n{METRICS}")


def no_target(folder):
    write_idn(folder, f"log: json\nlog-to: nowhere/new.log\n{METRICS}")


# Changes of idn.conf, and the daemon's messages about them: each a line. More: tests/unit/test_state.c.
MISTAKES = {
    "two mistakes": (two_mistakes, ["idn.conf:4:5: 'lgo' is not a key of idn.conf",
                                    "idn.conf:5:17: 'half' is not a value of log-client"]),
    "a target that cannot be opened": (no_target, ["nowhere/new.log: cannot log to it: No such file or directory"]),
    "no file": (removed, ["idn.conf: No such file or directory"]),
}


def test_broken_and_mended(world, tap):
    for kind in KINDS:
        for what, (spoil, wanted) in MISTAKES.items():
            if kind == KINDS[0] or spoil is two_mistakes:
                broken_and_mended(world, tap, kind, what, spoil, wanted)


def broken_and_mended(world, tap, kind, what, spoil, wanted):
    title = f"{kind}, {what}"
    with world.resolver(tap, OLD, check=False) as resolver:
        resolver.logged(ask("one.wild.example"))
        for number in (1, 2):
            before = len(resolver.errors())
            spoil(resolver.folder) if number == 1 else None
            resolver.reload(kind)
            errors = resolver.errors()[before:]
            for text in wanted:
                tap.equal(sum(text in error for error in errors), 1, f"{title}, time {number}: it says '{text}'")
            tap.ok(any("stays in force" in error for error in errors), f"{title}, time {number}: and what follows",
                   errors)
            tap.equal(len(errors), len(wanted) + 1, f"{title}, time {number}: and nothing else")
            resolver.logged(ask(f"bad{number}.wild.example"))  # in the old form, at the old place
            tap.ok(eventually(lambda n=number: resolver.metrics().reloads("bad") == n), f"{title}: counted as bad")
        tap.ok(not (resolver.folder / "log/new.log").exists(), f"{title}: nothing at the new place")
        write_idn(resolver.folder, NEW)
        before = resolver.errors()
        resolver.reload(kind)
        tap.equal(resolver.errors()[len(before):], [], f"{title}: mended, and no error")
        old, resolver.log = resolver.log, Log(FileOutput(resolver.folder / "log/new.log"), is_json=True)
        reply = resolver.exchange(ask("xn--bcher-kva.wild.example"))
        line = resolver.log.wait("xn--bcher-kva.wild.example.", 1)[0]
        tap.equal((reply.rcode, line.u), ("NOERROR", "bücher.wild.example"), f"{title}: the new one is in force")
        counted = eventually(lambda: resolver.metrics().reloads("good") == 1)
        tap.ok(counted and resolver.metrics().reloads("bad") == 2, f"{title}: counted as good")
    accounted(tap, resolver, title, old, resolver.log, lost=False)


def test_other_places(world, tap):
    """A reload moves the metrics' file and the log; counters go on from where they were."""
    with world.resolver(tap, OLD, check=False) as resolver:
        for number in range(3):
            resolver.logged(ask(f"n{number}.wild.example"))
        write_idn(resolver.folder, "log-to: log/new.log\nmetrics-file: log/new.prom\nmetrics-interval: 1")
        resolver.reload("reload")
        old, resolver.log = resolver.log, Log(FileOutput(resolver.folder / "log/new.log"))
        (resolver.folder / "log/idn.prom").unlink()
        resolver.exchange(ask("n3.wild.example"))
        resolver.log.wait("n3.wild.example.", 1)
        (resolver.folder / "log/idn.prom").symlink_to("new.prom")
        tap.ok(eventually(lambda: resolver.metrics().replies == 4), "replies are counted on", resolver.metrics())
        write_idn(resolver.folder, "log: none")
        resolver.reload("reload")
        reply = resolver.exchange(ask("n4.wild.example"))
        tap.equal(reply.rcode, "NOERROR", "without log and metrics it answers")
        resolver.answers["n4.wild.example."] = 0
        write_idn(resolver.folder, OLD)
        (resolver.folder / "log/idn.prom").unlink()
        resolver.reload("reload")
        resolver.log = old
        resolver.logged(ask("n5.wild.example"))
    accounted(tap, resolver, "other places", old, Log(FileOutput(resolver.folder / "log/new.log")), lost=False)


def test_under_load(world, tap):
    """Ten reloads of all kinds, every third broken, on four threads."""
    with world.resolver(tap, OLD, threads=4, check=False) as resolver:
        resolver.logged(ask("first.wild.example"))
        resolver.reload("reload")
        resolver.wait_threads()
        steady = resolver.open_files()
        threads = resolver.count_threads()
        load = Load(resolver, SHORT, rate=1500, patience=3.0)
        for number in range(10):
            write_idn(resolver.folder, OLD + ("\nlog: xml" if number % 3 == 2 else ""))
            seen = resolver.metrics().replies
            resolver.reload(KINDS[number % len(KINDS)])
            tap.ok(eventually(lambda s=seen: resolver.metrics().replies > s), f"reload {number + 1}: answers go on")
        result = load.finish(tap, "ten reloads")
        resolver.wait_threads()
        tap.ok(eventually(lambda: resolver.open_files() == steady), "no descriptor is left open",
               f"before: {steady}\nafter: {resolver.open_files()}")
        tap.ok(eventually(lambda: resolver.count_threads() == threads), "nor a thread left running",
               f"{threads}, {resolver.count_threads()}")
        tap.ok(eventually(lambda: lines_done(resolver)), "every line is written or lost")
    metrics = resolver.metrics()
    answers = sum(resolver.answers.values()) + result["again"]
    tap.equal(metrics.written + metrics.lost, metrics.replies, "written and lost are the callbacks")
    # An answer that a reload cut off after its callback was asked for once more.
    tap.ok(answers <= metrics.replies <= answers + result["retried"], "and the callbacks the answers",
           f"{answers} answers, {result['retried']} asked again, {metrics.replies} callbacks")
    tap.equal(len(resolver.log.lines()), metrics.written, "as many lines as written, each of them whole")
    tap.equal(metrics.lost, 0, "none lost")
    tap.equal((metrics.reloads("good"), metrics.reloads("bad")), (8, 3), "good reloads, and bad ones")


def lines_done(resolver):
    metrics = resolver.metrics()
    return metrics.written + metrics.lost == metrics.replies


def test_memory_over_reloads(world, tap):
    """Twenty reloads and as many again: the second score takes no more memory than threads and caches do."""
    with world.resolver(tap, OLD, check=False) as resolver:
        sizes = []
        for _ in range(2):
            for _ in range(20):
                resolver.reload("SIGHUP")
                resolver.exchange(ask("one.wild.example"))
            sizes.append(resident(resolver.daemon.pid))
        tap.ok(sizes[1] - sizes[0] < 8 << 20, "memory", sizes)
    tap.ok(quiet(resolver), "and every line is there")


test_memory_over_reloads.long = True


def resident(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
