# SPDX-License-Identifier: BSD-3-Clause
"""Tests the start: a module of another Unbound, mistakes in idn.conf, and the sample configuration."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from daemon import TIMEOUT, DaemonError, eventually, free_port
from demo import WIDTH, configure, width
from harness import write_idn
from question import ask

HERE = Path(__file__).resolve().parent


def starts_not(world, tap, what, idn, module, wanted, prepare=None, **how):
    """With required rules, the daemon must exit by itself, not by a signal, with one line that matches `wanted`. Returns its log."""
    folder = world.new_folder("refused")
    world.configure(folder, free_port(), f"{idn}\nrequired: yes" if idn else idn, module, 1, "validator iterator", "", "")
    if prepare:
        prepare(folder)
    daemon = world.start(folder, **how)
    try:
        status = daemon.wait_exit()
    except DaemonError as error:
        tap.ok(False, f"{what}: the daemon exits", error)
        return ""
    tap.ok(status > 0, f"{what}: exit status, no signal", f"status {status}\n{daemon.log()}")
    lines = [line for line in daemon.log().splitlines() if re.search(wanted, line)]
    tap.equal(len(lines), 1, f"{what}: one line says why")
    if len(lines) != 1:
        tap.note(daemon.log())
    return daemon.log()


def test_other_unbound(world, tap):
    """A module built for another Unbound, of another version or configured otherwise, is refused before it touches any
    struct."""
    if not world.other_modules:
        tap.skip("a module of another Unbound", "only one Unbound is built here (--other-module)")
    for module in world.other_modules:
        log = starts_not(world, tap, module.name, "log: text", module, r" error: idn: .*\bmade for\b")
        errors = re.findall(r" error: idn: ", log)
        tap.equal(len(errors), 1, f"{module.name}: and no other error of the module")


# An ELF note: name size 4, content size 20, type 3 (NT_GNU_BUILD_ID), "GNU"
BUILD_ID = re.compile(rb"\x04\0\0\0\x14\0\0\0\x03\0\0\0GNU\0(.{20})", re.DOTALL)


def variant(world, name, change):
    """A copy of the daemon, in a folder of its own, with the build id's note changed; nothing else is."""
    folder = world.new_folder(name)
    (folder / "sbin").mkdir()
    copy = folder / "sbin/unbound"
    shutil.copy(world.unbound / "sbin/unbound", copy)
    data = copy.read_bytes()
    found = BUILD_ID.findall(data)
    assert len(found) == 1, f"{len(found)} build ids in {copy}"
    copy.write_bytes(BUILD_ID.sub(lambda match: change(match.group()), data))
    return folder, found[0].hex()


CHANGES = {
    "its last bit is another": lambda note: note[:-1] + bytes([note[-1] ^ 1]),
    "there is none": lambda note: note[:8] + b"\x7f" + note[9:],
}


def refused(world, tap, what, unbound):
    log = starts_not(world, tap, what, "log: text\nlog-to: log/idn.log", world.module,
                     r" error: idn: this module was made for unbound .* build id [0-9a-f]{40}, but this daemon's is ",
                     unbound=unbound)
    tap.equal(len(re.findall(r" error: idn: ", log)), 1, f"{what}: and no other error of the module")
    return log


def test_another_build_id(world, tap):
    """Version and configure line are the same: so it is after a security update that changes a struct."""
    for what, change in CHANGES.items():
        folder, ours = variant(world, "variant", change)
        log = refused(world, tap, what, folder)
        tap.ok(f"build id {ours}, but" in log, f"{what}: it says which it wants", log)
        shutil.rmtree(folder)


def test_same_build_id(world, tap):
    """A copy that is the same in every octet is the same daemon."""
    folder, _ = variant(world, "variant", lambda note: note)
    daemon = world.unbound
    try:
        world.unbound = folder
        shutil.copy(daemon / "sbin/unbound-control", folder / "sbin")
        with world.resolver(tap, "log: none", check=False):
            tap.ok(True, "it starts")
    finally:
        world.unbound = daemon


def test_mistakes(world, tap):
    """An error in idn.conf, and a log that cannot be opened, stop Unbound if its rules are required; all mistakes are reported, with line
    and column."""
    log = starts_not(world, tap, "four mistakes", "log: xml\nlog-names: some\nlog-client:\nlgo-to: unbound", world.module, r"idn\.conf:2:10: ")
    for place in "3:16", "4:16", "5:5":
        tap.ok(f"idn.conf:{place}: " in log, f"the one at {place} too", log)
    starts_not(world, tap, "no such folder", "log-to: /nowhere/idn.log", world.module, r"/nowhere/idn\.log")


MISSING = "error: idn: policy: NO RULES ARE IN FORCE"


def repaired(world, tap, what, word, prepare):
    """It starts, says what is wrong and, again and again, that there are no rules; repaired, they are in force without a reload."""
    def rcode():
        return resolver.exchange(ask("nx.example")).rcode

    with world.resolver(tap, "policy: rules.conf", prepare=prepare, check=False) as resolver:
        log = resolver.daemon.log
        tap.equal(rcode(), "NXDOMAIN", f"{what}: it answers")
        tap.ok(word in log(), f"{what}: it says why", log())
        tap.ok(eventually(lambda: log().count(MISSING) > 1), f"{what}: and again", log())
        (resolver.folder / "rules.conf").write_text("refuse name nx.example\n")
        write_idn(resolver.folder, "policy: rules.conf")
        tap.ok(eventually(lambda: rcode() == "REFUSED"), f"{what}: repaired", log())
        for text, wanted in ("policy: rules.conf\npolicy-mode: log-only", "NXDOMAIN"), ("policy: rules.conf", "REFUSED"), ("log: text", "NXDOMAIN"):
            write_idn(resolver.folder, text)
            tap.ok(eventually(lambda w=wanted: rcode() == w), f"{what}: {text}", log())


def test_without_rules(world, tap):
    """All clients keep their DNS."""
    def written(name, text):
        def prepare(folder):
            (folder / "rules.conf").write_text("refuse name nx.example\n")
            (folder / name).write_text(text) if text else (folder / name).unlink()
        return prepare

    repaired(world, tap, "no idn.conf", "idn.conf: No such file", written("idn.conf", None))
    repaired(world, tap, "a broken idn.conf", "idn.conf:2:1: 'plicy' is not a key", written("idn.conf", "idn:\nplicy: rules.conf\n"))
    repaired(world, tap, "no rules", "rules.conf: No such file", written("rules.conf", None))
    repaired(world, tap, "a broken rule", "rules.conf:1:1: 'nxdomian' is not an action", written("rules.conf", "nxdomian zone a.example\n"))


def test_quiet_start(world, tap):
    """A good start writes no warning and no error."""
    with world.resolver(tap, "log: text") as resolver:
        resolver.exchange(ask("ascii.example"))
    loud = [line for line in resolver.daemon.log().splitlines() if re.search(r" (error|warning): ", line)]
    tap.equal(loud, [], "no warning, no error")


def test_sample_configuration(world, tap):
    """unbound-checkconf has nothing to say against conf/unbound.conf, as the demo runs it."""
    folder = world.new_folder("sample")
    command = [world.unbound / "sbin/unbound-checkconf", configure(folder, world.module, world.zone)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    tap.equal((done.returncode, done.stderr), (0, ""), "unbound-checkconf")


def test_demo(world, tap):
    command = [sys.executable, HERE / "demo.py", "--unbound", world.unbound, "--module", world.module, "--zone",
               world.zone]
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    tap.equal((done.returncode, done.stderr), (0, ""), "runs")
    tap.note(done.stdout)
    lines = done.stdout.splitlines()
    tap.equal([line for line in lines if width(line) > WIDTH], [], f"within {WIDTH} columns")
    tap.ok(len(lines) <= 40, "on one screen", len(lines))
    tap.ok("\033" not in done.stdout, "no colour where there is no terminal")


def load_twice(folder, name):
    """Makes the module available as `name`: as a copy, if that is another name."""
    if name != "idn.so":
        shutil.copy(folder / "idn.so", folder / name)
    path = folder / "unbound.conf"
    entry = '    dynlib-file: "./idn.so"\n'
    path.write_text(path.read_text().replace('"dynlib ', '"dynlib dynlib ').replace(entry, entry + entry.replace("idn.so", name)))


TWICE = ' error: idn: module-config: "dynlib dynlib validator iterator": loads the same idn.so twice'


def test_twice(world, tap):
    """Two entries for one file would share all that the module keeps."""
    starts_not(world, tap, "the same file", "log: text", world.module, TWICE, lambda folder: load_twice(folder, "idn.so"))


def test_twice_at_reload(world, tap):
    """The second entry, which was a copy before, does nothing: a resolver does not die of it. (Unbound 1.22 dies of a
    reload with another module-config, whatever is in it.)"""
    def prepare(folder):
        load_twice(folder, "copy.so")
        (folder / "rules.conf").write_text("nxdomain name nx.example\n")

    with world.resolver(tap, "policy: rules.conf\nlog: text", prepare=prepare, check=False) as resolver:
        tap.equal(resolver.exchange(ask("nx.example")).rcode, "NXDOMAIN", "before")
        path = resolver.folder / "unbound.conf"
        path.write_text(path.read_text().replace("copy.so", "idn.so"))
        for count, name in enumerate(("ascii.example", "www.example"), 1):
            resolver.reload("reload")
            tap.equal(resolver.daemon.log().count(TWICE), count, f"reload {count}: it is told")
            resolver.exchange(ask(name))
            tap.equal(resolver.exchange(ask("nx.example")).rcode, "NXDOMAIN", f"reload {count}: the policy is in force")
            resolver.log.wait("nx.example.", 2 + count)
            tap.equal(len(resolver.log.wait(f"{name}.", 1)), 1, f"reload {count}: one line a reply")


def test_two_copies(world, tap):
    """Each logs each reply, as `unbound-idn check` says."""
    with world.resolver(tap, "log: text", prepare=lambda folder: load_twice(folder, "copy.so"), check=False) as resolver:
        resolver.exchange(ask("ascii.example"))
        tap.equal(len(resolver.log.wait("ascii.example.", 2)), 2, "two lines of one reply")
