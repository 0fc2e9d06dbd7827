# SPDX-License-Identifier: BSD-3-Clause
"""Debian's AppArmor profile with conf/apparmor/usr.sbin.unbound: each file that the daemon opens or changes because of
the module is one that the profile lets it have. The daemon's folder stands for /."""

import os
import pwd
import re

import syscalls
from apparmor import Profile, parser
from daemon import FileOutput, eventually
from harness import HERE
from question import ask
from resolver import Log
from rulefile import write

LOCAL = (HERE.parents[1] / "conf/apparmor/usr.sbin.unbound").read_text()
MODULE, LOG, METRICS = "usr/local/lib/unbound/idn.so", "var/log/unbound/idn.log", "var/lib/unbound/idn.prom"
CONF = f"log-to: ../../{LOG}\nmetrics-file: ../../{METRICS}\nmetrics-interval: 1\npolicy: idn-policy.conf"


def install(folder):
    """Everything where a packaged resolver has it."""
    for place in "etc/unbound", "usr/local/lib/unbound", "var/log/unbound", "var/lib/unbound":
        (folder / place).mkdir(parents=True)
    for place in "var/log/unbound", "var/lib/unbound":
        (folder / place).chmod(0o755)
        if os.geteuid() == 0:
            os.chown(folder / place, pwd.getpwnam("nobody").pw_uid, -1)
    (folder / "idn.so").rename(folder / MODULE)
    (folder / "idn.conf").rename(folder / "etc/unbound/idn.conf")
    write(folder / "etc/unbound", "nxdomain names list\nlog zone xn--bcher-kva.example\n", "idn-policy.conf")
    write(folder / "etc/unbound", "nx.example\n", "list")
    conf = folder / "unbound.conf"
    conf.write_text(conf.read_text().replace('"./idn.so"', f'"{folder}/{MODULE}"').replace('"./idn.conf"', f'"{folder}/etc/unbound/idn.conf"'))


def calls_of(world, tap, idn, prepare):
    trace = world.new_folder("trace") / "calls"
    trace.parent.chmod(0o777)
    with world.resolver(tap, idn, prepare=prepare, check=False, around=syscalls.around(trace)) as resolver:
        if idn:
            resolver.log = Log(FileOutput(resolver.folder / LOG))
            resolver.logged(ask("xn--bcher-kva.example"))
            assert eventually((resolver.folder / METRICS).exists)
            (resolver.folder / LOG).rename(resolver.folder / (LOG + ".1"))
            assert eventually((resolver.folder / LOG).exists)
            resolver.reload("SIGHUP")
        tracer = syscalls.tracer_of(resolver.daemon.pid)
    assert eventually(lambda: syscalls.has_ended(tracer))
    return syscalls.read(trace, resolver.folder), resolver.folder


def needs(calls, folder):
    """{path as it would be installed: letters}"""
    wanted = {}
    for call in calls:
        if not call.good or not (call.opens or call.changes):
            continue
        letters = "rw" if call.name.startswith("rename") or "O_RDWR" in call.arguments else "w" if call.changes else "r"
        if call.opens and call.paths[0].endswith(".so") or ".so." in call.paths[0]:
            letters += "m"
        for path in call.paths:
            path = path.removeprefix(str(folder)).replace("/proc/self/", "/proc/1/")  # a link, which is followed
            wanted.setdefault(path, set()).update(letters)
    return wanted


def test_profile(world, tap):
    profile_path = world.unbound.parent / "unbound-src" / world.unbound.name / "debian/apparmor-profile"
    if not profile_path.exists() or not parser(world.peers) or not syscalls.works():
        tap.skip("AppArmor", "no Debian source, no apparmor_parser, or strace cannot trace here")
        return
    bare, ours = (Profile(world.peers, world.new_folder("apparmor"), profile_path, local) for local in ("", LOCAL))
    tap.ok(len(ours.compile()) > len(bare.compile()) > 0, "the parser takes it")
    tap.equal(len(ours.rules) - len(bare.rules), len(re.findall(r"^[/@]", LOCAL, re.M)), "and reads all of it")
    plain = needs(*calls_of(world, tap, None, None))
    calls, folder = calls_of(world, tap, CONF, install)
    wanted = {path: letters for path, letters in needs(calls, folder).items() if letters - plain.get(path, set())}
    tap.ok({f"/{MODULE}", f"/{LOG}", f"/{METRICS}", f"/{METRICS}.new", "/etc/unbound/list"} <= set(wanted), "what the module opens is seen",
           sorted(wanted))
    refused = {path: ours.lacks(path, letters, path.startswith("/var/")) for path, letters in wanted.items()}
    tap.equal({path: letters for path, letters in refused.items() if letters}, {}, "the profile allows all of it")
    refused = {path for path, letters in wanted.items() if bare.lacks(path, letters, path.startswith("/var/"))}
    tap.equal(refused, {f"/{MODULE}", f"/{LOG}"}, "and without the addition not: each of its rules is needed")
    for path in "/etc/unbound/idn.conf", "/etc/passwd", "/var/log/syslog", "/usr/local/lib/unbound/idn.so":
        tap.ok(ours.lacks(path, "w", True), f"{path}: not to be written")
    for name in LOG, METRICS:
        tap.equal((folder / name).stat().st_uid, pwd.getpwnam("nobody").pw_uid if os.geteuid() == 0 else os.geteuid(), f"{name} is its own")


test_profile.slow = True
