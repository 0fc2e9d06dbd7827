# SPDX-License-Identifier: BSD-3-Clause
"""Tests a host whose policy cannot be loaded: it says so in one line, and does not go on without."""

import subprocess

from question import ask, exchange
from scenes import RULES

OTHER = "unsigned idnp_version(void) { return 1000000; } const char *idnp_version_text(void) { return \"100.0.0\"; }"


def check(tap, host, what, word, rules=RULES, **options):
    """A line with `word`; and then it ends, or answers as if there were no rules."""
    running = host.launch(rules, **options)
    lines = [line for line in running.said().decode("utf-8", "replace").splitlines() if "idn: no policy" in line]
    if host.refuses_to_start:
        tap.ok(running.daemon.process.poll() is not None or not host.is_started(running.said()), f"{what}: it does not start")
        status = running.stop()
        tap.ok(status not in (0, None) and status > 0, f"{what}: its exit status", status)
        lines = [line for line in running.said().decode("utf-8", "replace").splitlines() if "idn: no policy" in line]
    else:
        tap.equal(exchange(running.address(), ask("x.refuse.wild.example")).rcode, "NOERROR", f"{what}: it resolves")
        running.stop()
    tap.ok(len(lines) == host.processes and all(word in line for line in lines), f"{what}: it says so in one line, with {word}",
           running.said().decode("utf-8", "replace"))


def test_library_missing(host, tap):
    empty = host.world.new_folder("nothing") / "no-library"
    empty.write_text("")
    check(tap, host, "an empty library", "libidnpolicy.so.0", library=empty)


def test_other_version(host, tap):
    folder = host.world.new_folder("other")
    source, library = folder / "other.c", folder / "libother.so"
    source.write_text(OTHER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    check(tap, host, "a library of another version", "100.0.0", library=library)


def test_config_broken(host, tap):
    check(tap, host, "idn.conf with an unknown key", "no-such-key", idn="no-such-key: 1")


def test_config_gone(host, tap):
    check(tap, host, "no idn.conf", "idn.conf", idn=None)


def test_rules_gone(host, tap):
    check(tap, host, "no rules", "rules.conf", rules=None)


def test_rules_broken(host, tap):
    check(tap, host, "a broken rule", "rules.conf:1", rules="refuse everything\n")
