# SPDX-License-Identifier: BSD-3-Clause
"""Events that happen to the daemon while it is asked. Each gets the Soak, and leaves everything as it found it, except the
state of the rules."""

import os
import signal
import subprocess
import time

from daemon import eventually
from question import ask
from rulefile import swaps, write
from test_targets import fill

import questions

HOLD = 2.0  # seconds that a trouble lasts
STEP = 3600  # seconds that the clock is set forward


# ---- the daemon's own orders ----------------------------------------------------------------------------------------


def reload(soak, kind="reload"):
    soak.resolver.reload(kind)
    soak.answers_go_on()


def reload_keep_cache(soak):
    reload(soak, "reload_keep_cache")


def fast_reload(soak):
    status, text = soak.resolver.control("fast_reload")
    soak.ok(status == 0 or "unknown command" in text, "fast_reload, where there is one", text)


def sighup_twice(soak):
    """The second comes while the first is under way, or is one with it."""
    starts = soak.starts()
    for _ in range(2):
        soak.resolver.daemon.process.send_signal(signal.SIGHUP)
    soak.ok(eventually(lambda: soak.starts() > starts), "it starts again")
    soak.answers_go_on()


def statistics(soak):
    for command in ("stats_noreset", "stats"):
        status, text = soak.resolver.control(command)
        soak.ok(status == 0 and "total.num.queries=" in text, f"unbound-control {command}", text[-200:])


def dump_cache(soak):
    status, text = soak.resolver.control("dump_cache")
    soak.ok(status == 0 and text.rstrip().endswith("EOF"), "unbound-control dump_cache", text[-200:])


# ---- rules ----------------------------------------------------------------------------------------------------------


def exchange(soak, text, state, around=lambda soak: None):
    """Other rules: while they are read both states may be seen; after the report only the new one."""
    told = len(swaps(soak.resolver))
    soak.tell({*soak.tokens, state})
    write(soak.folder, text)
    around(soak)
    if soak.ok(eventually(lambda: len(swaps(soak.resolver)) > told), f"rules {state}: the swap is told"):
        soak.tell({state})


def next_state(soak):
    return soak.rng.choice([state for state in questions.STATES if state not in soak.tokens])


def rules_exchanged(soak):
    state = next_state(soak)
    exchange(soak, questions.rules(state), state)


def rules_exchanged_at_reload(soak):
    state = next_state(soak)
    exchange(soak, questions.rules(state), state, reload)


def rules_written_slowly(soak):
    """In place, in three parts. No part is in force by itself: a file is read when it has been left alone."""
    state = next_state(soak)
    text = questions.rules(state)
    told = len(swaps(soak.resolver))
    soak.tell({*soak.tokens, state})
    with open(soak.folder / "rules.conf", "w", encoding="utf-8") as file:
        for start in range(0, len(text), len(text) // 3 + 1):
            file.write(text[start : start + len(text) // 3 + 1])
            file.flush()
            time.sleep(0.1)  # the file is read when it is left alone for 0.4 s: see soak.py
    if soak.ok(eventually(lambda: len(swaps(soak.resolver)) > told), f"rules {state}: the swap is told"):
        soak.tell({state})


def spoilt(soak, spoil, mend):
    """The rules that were in force stay, at a reload too; mended, the same are in force again."""
    path = soak.folder / "rules.conf"
    text = path.read_text(encoding="utf-8")
    errors = len(soak.resolver.errors())
    spoil(path)
    if soak.is_nobody:  # root may read everything
        soak.ok(eventually(lambda: len(soak.resolver.errors()) > errors), "the error is told")
    time.sleep(HOLD)
    if soak.rng.random() < 0.5:
        reload(soak)
    told = len(swaps(soak.resolver))
    mend(path)
    write(soak.folder, text)
    soak.ok(eventually(lambda: len(swaps(soak.resolver)) > told), "mended, they are read")


def rules_truncated(soak):
    def truncate(path):
        text = path.read_text(encoding="utf-8")
        os.truncate(path, text.find("lookalike") + 4 if "lookalike" in text else 5)

    spoilt(soak, truncate, lambda path: None)


def rules_unreadable(soak):
    spoilt(soak, lambda path: path.chmod(0), lambda path: None)


def rules_a_folder(soak):
    def spoil(path):
        path.unlink()
        path.mkdir()

    spoilt(soak, spoil, lambda path: path.rmdir())


def rules_removed(soak):
    spoilt(soak, lambda path: path.unlink(), lambda path: None)


def list_without_names(soak, spoil):
    """It keeps its last content."""
    errors, told = len(soak.resolver.errors()), len(swaps(soak.resolver))
    spoil(soak.folder / "list.txt")
    soak.ok(eventually(lambda: len(soak.resolver.errors()) > errors and len(swaps(soak.resolver)) > told), "it is told")
    time.sleep(HOLD)
    told = len(swaps(soak.resolver))
    write(soak.folder, questions.listed(), "list.txt")
    soak.ok(eventually(lambda: len(swaps(soak.resolver)) > told), "the list is there again")


def list_emptied(soak):
    list_without_names(soak, lambda path: path.write_text(""))


def list_removed(soak):
    list_without_names(soak, lambda path: path.unlink())


# ---- the log --------------------------------------------------------------------------------------------------------


def log_removed(soak):
    soak.ok(soak.count.moved_by(lambda path: path.unlink()), "there is a new log")


def log_renamed(soak):
    soak.ok(soak.count.rotate(), "there is a new log")


def log_a_fifo(soak, meanwhile=lambda soak: time.sleep(HOLD)):
    """In one step, so that the daemon cannot make a file in between; what it keeps comes later."""
    def move(path):
        new = path.with_name("fifo")
        os.mkfifo(new)
        new.chmod(0o666)
        new.rename(path)
        meanwhile(soak)
        path.unlink()

    errors = len(soak.resolver.errors())
    soak.ok(soak.count.moved_by(move), "there is a log again")
    soak.ok(any("not a regular file" in error for error in soak.resolver.errors()[errors:]), "and the error was told")


def log_a_fifo_at_reload(soak):
    """The reload fails, and what was configured before goes on: with the log as soon as there is one."""
    def lose(soak):
        reload(soak)
        soak.expect_loss()

    log_a_fifo(soak, lose)


def log_disk_full(soak, around=lambda soak: None):
    if not soak.has_disk:
        return
    filler = soak.count.folder / "filler"
    fill(filler, leave=3 * 4096)
    soak.expect_loss()
    around(soak)
    filler.unlink()
    soak.lines_go_on()


def log_disk_full_at_reload(soak):
    log_disk_full(soak, reload)


def log_size_limit(soak):
    """A limit that a write runs into in the middle of a line; the next file is as small as the first."""
    limit_size(soak, max(soak.count.path.stat().st_size + 1000, 400_000))
    soak.expect_loss()
    limit_size(soak, "unlimited")
    soak.lines_go_on()


def limit_size(soak, octets):
    """By the daemon's own user, whom it needs no capability for."""
    nobody = {"user": "nobody", "group": "nogroup", "extra_groups": []} if soak.is_nobody else {}
    subprocess.run(["prlimit", "--pid", str(soak.resolver.daemon.pid), f"--fsize={octets}:"], check=True, **nobody)


# ---- the world ------------------------------------------------------------------------------------------------------


def clock_stepped(soak):
    """An hour forward, and back, with a reload in both times."""
    if not soak.clock:
        return
    for offset in (STEP, 0):
        soak.set_clock(offset)
        soak.ok(eventually(lambda o=offset: abs(soak.log_time() - time.time() - o) < 60), f"it is {offset} s ahead")
        reload(soak)


def upstream_dead(soak):
    (state,) = soak.tokens
    soak.tell({state, "dead"})
    soak.world.nsd.stop()
    time.sleep(HOLD)
    soak.world.nsd = soak.world.nsd.again()
    soak.world.nsd.wait_started(b"nsd started")
    soak.resolver.control("flush_infra", "all")
    back = lambda: soak.asks(ask(f"back{time.monotonic_ns()}.wild.example")) == "NOERROR"  # noqa: E731
    soak.ok(eventually(back, interval=0.2), "the upstream is back")
    time.sleep(6)  # what has failed is remembered for five seconds
    soak.tell({state})


EVENTS = (reload, reload_keep_cache, fast_reload, sighup_twice, statistics, dump_cache, rules_exchanged,
          rules_exchanged_at_reload, rules_written_slowly, rules_truncated, rules_unreadable, rules_a_folder,
          rules_removed, list_emptied, list_removed, log_removed, log_renamed, log_a_fifo, log_a_fifo_at_reload,
          log_disk_full, log_disk_full_at_reload, log_size_limit, clock_stepped, upstream_dead)
