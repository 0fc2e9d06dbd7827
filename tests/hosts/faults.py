# SPDX-License-Identifier: BSD-3-Clause
"""Tests each host with rules that cannot be read at its start (why: tests/unit/test_idnp*.c): it serves without them and logs that, or
refuses to start if they are required. A host with an unsuitable library does not start. If the library fails while the host serves, no undecided answer is sent."""

import copy
import shutil
import subprocess
from pathlib import Path

from daemon import DaemonError, eventually
from harness import write_idn
from host import IDN
from question import Tcp, Udp, ask, exchange
from rulefile import write
from scenes import RULES, records

TOP = Path(__file__).resolve().parents[2]

OTHER = "unsigned idnp_version(void) { return 1000000; } const char *idnp_version_text(void) { return \"100.0.0\"; }"


def check(tap, host, what, word, rules=RULES, **options):
    """Checks that each process, or some of its threads, logs one line with `word`, and that the host exits or resolves without rules."""
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
    tap.ok(host.processes <= len(lines) <= host.processes * host.starters and all(word in line for line in lines), f"{what}: it logs one line, with {word}",
           running.said().decode("utf-8", "replace"))


def test_library_missing(host, tap):
    empty = host.world.new_folder("nothing") / "no-library"
    empty.write_text("")
    check(tap, host, "an empty library", "libidnpolicy.so.1", library=empty)


def test_other_version(host, tap):
    folder = host.world.new_folder("other")
    source, library = folder / "other.c", folder / "libother.so"
    source.write_text(OTHER)
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source], check=True)
    check(tap, host, "a library of another version", "100.0.0", library=library)


def test_later_version(host, tap):
    """Accepts a library of the next minor version, which has the same soname."""
    other, library = faulty(host, "idnp_version")
    with other.running(tap, RULES, check=False, library=library) as running:
        decided(tap, running, "the next minor version", False)


REQUIRED = f"{IDN}\nrequired: yes"
MISSING = b"NO RULES ARE IN FORCE"


def without(tap, host, what, word, rules=RULES, **options):
    """Checks that the host starts, logs the error, logs it again later, and has rules once they are repaired, without a restart."""
    other = copy.copy(host)
    other.environment = {**host.environment, "XN_LOOK_MS": "5"}  # so that a minute takes 1.2 seconds
    running = other.launch(rules, **options)
    name = "x.refuse.wild.example"

    def asked():
        return running.exchange(ask(name)).rcode

    try:
        if running.has_ended():
            tap.ok(False, f"{what}: it starts", running.said().decode("utf-8", "replace"))
            return
        tap.equal(asked(), "NOERROR", f"{what}: it answers without rules")
        tap.ok(eventually(lambda: asked() and running.said().count(MISSING) > host.processes), f"{what}: it logs that, and again", running.said().decode())
        tap.ok(word.encode() in running.said(), f"{what}: it logs why: {word}", running.said().decode("utf-8", "replace"))
        write(running.folder, RULES)
        write_idn(running.folder, IDN)
        tap.ok(eventually(lambda: asked() == "REFUSED"), f"{what}: repaired, the rules are in force without a restart", running.said().decode())
    finally:
        running.stop()


def test_config_broken(host, tap):
    without(tap, host, "idn.conf with an unknown key", "no-such-key", idn="no-such-key: 1")
    check(tap, host, "idn.conf with an unknown key, and required rules", "no-such-key", idn="no-such-key: 1\nrequired: yes")


def test_rules_broken(host, tap):
    without(tap, host, "a broken rule", "rules.conf:1", rules="refuse everything\n")
    check(tap, host, "a broken rule, and required rules", "rules.conf:1", rules="refuse everything\n", idn=REQUIRED)


def test_config_watched(host, tap):
    """Applies a changed idn.conf without a restart."""
    with host.running(tap, RULES, check=False) as running:
        write(running.folder, "nxdomain zone refuse.wild.example\n", "more.conf")
        write_idn(running.folder, IDN.replace("rules.conf", "more.conf"))
        tap.ok(eventually(lambda: running.exchange(ask("x.refuse.wild.example")).rcode == "NXDOMAIN"), "another rule file")
        write_idn(running.folder, f"{IDN}\npolicy-mode: log-only")
        tap.ok(eventually(lambda: running.exchange(ask("x.refuse.wild.example")).rcode == "NOERROR"), "log-only")


# ---- functions of the library that fail --------------------------------------------------------------------------

FAILING = ("idnp_decision_new", "idnp_decide", "idnp_decide_answer", "idnp_decide_message", "idnp_report", "idnp_message")
ALL = " ".join(FAILING)
# The policy's decisions: rcode and records. No rule matches the first name.
DECIDED = (("ascii.example", "NOERROR", {"A 192.0.2.60"}), ("x.refuse.wild.example", "REFUSED", set()),
           ("hop-refuse.slow.example", "REFUSED", set()), ("alias-refuse.slow.example", "REFUSED", set()),
           ("alias-redirect.slow.example", "NOERROR", {"CNAME redirect.slow.example.", "A 192.0.2.80"}),
           ("mx-refuse.slow.example", "NOERROR", {"MX 10 refuse.slow.example."}))
FAILED = ("SERVFAIL", set())


def faulty(host, failing):
    """Returns the host with a library whose functions named in `failing` fail from the start, and that library's path."""
    other = copy.copy(host)
    folder = host.world.new_folder("faulty")
    library, original = folder / "faulty.so", host.prepare
    subprocess.run(["cc", "-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC", "-I", TOP, "-o", library, TOP / "tests/hosts/faulty.c"], check=True)

    def prepare(where):
        original(where)
        shutil.copy(host.library, where / "real.so")
        (where / "failing").write_text(failing)

    other.prepare = prepare
    return other, library


def seen(running, name, transport):
    reply = exchange(running.address(), ask(name, "MX" if name.startswith("mx-") else "A"), transport)
    return reply.rcode, set(records(reply.message.answer))


def decided(tap, running, what, may_fail):
    """Checks that each answer is the policy's or, with `may_fail`, SERVFAIL without records."""
    for transport in (Udp, Tcp):
        for name, rcode, answer in DECIDED:
            try:
                got = seen(running, name, transport)
            except (TimeoutError, ConnectionError):
                got = FAILED  # no answer is as good
            tap.ok(got == (rcode, answer) or may_fail and got == FAILED, f"{what}: {name} over {transport.__name__}", got)


def test_calls(host, tap):
    """Lets each function fail while the host serves, and then none."""
    other, library = faulty(host, "")
    with other.running(tap, RULES, check=False, library=library) as running:
        for failing in (*FAILING, ALL):
            (running.folder / "failing").write_text(failing)
            decided(tap, running, f"{failing} fails", failing != "idnp_report")
            (running.folder / "failing").write_text("")
            if host.bare_first:
                decided(tap, running, f"{failing} has failed, cached before", True)
            decided(tap, running, f"{failing} has failed", False)


def test_calls_at_start(host, tap):
    """Lets each function fail from the start: the host logs that and does not start, or sends no undecided answer."""
    for failing in ("idnp_open idnp_open_shared", *FAILING):
        other, library = faulty(host, failing)
        try:
            running = other.launch(RULES, IDN, library=library)
        except DaemonError as error:
            tap.ok("idn" in str(error), f"{failing}: it does not start, and logs why", error)
            continue
        if running.has_ended():
            tap.ok(b"idn" in running.said() and b"memory" in running.said(), f"{failing}: it exits, and logs why", running.said().decode())
        else:
            tap.ok("open" not in failing, f"{failing}: it serves")
            decided(tap, running, f"{failing} fails from the start", failing not in ("idnp_report", "idnp_message"))
            (running.folder / "failing").write_text("")
        running.stop()
