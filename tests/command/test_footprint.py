# SPDX-License-Identifier: BSD-3-Clause
"""The command makes, changes and removes only the file that enable --snippet names, and the one it writes that under before,
whichever the subcommand; it starts no program, except by enable and check --unbound-conf."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests/unbound"))
import dnstap  # noqa: E402
import syscalls  # noqa: E402

RULES = """\
nxdomain zones list
redirect 192.0.2.80 2001:db8::80 zone пример.испытание ttl=60 type=A,AAAA
answer name hallo.example TXT "привет"
answer name hallo.example TXT "zwei"
cname walled.example.net zone straße.example
nodata zone bücher.example type=AAAA ede=15:"Blocked by policy — blockiert"
rpz zone.rpz
log zone example tag=watch
nxdomain lookalike paypal.com tld=any
log lookalikes protected key=strict tag=alike except=neighbours
log script not-in Latn,Grek
log wholescript except=ru,рф
refuse invalid
"""
ZONE = "$TTL 60\nrpz.example. SOA ns. admin. 1 2 3 86400 5\n*.wild.test.rpz.example. CNAME .\nown.test.rpz.example. A 192.0.2.9\n" \
    "pre.test.rpz.example. CNAME *.garden.example.\n"
LOG = "192.0.2.1 xn--bcher-kva.example. A IN NOERROR 0.1 1 -\n"
CONF = "idn:\n    policy: rules\n    log-to: ./idn.log\n    metrics-file: ./idn.prom\n"
UNBOUND = 'server:\n  chroot: ""\n  directory: "."\n  username: ""\n  module-config: "dynlib iterator"\ndynlib:\n  dynlib-file: "./idn.so"\n' \
    '  dynlib-file: "./idn.conf"\n'
RUNS = [["encode", "bücher.example"], ["decode", "xn--bcher-kva"], ["explain", "--policy", "rules", "xn--pypal-4ve.com"], ["filter", "log"],
        ["check", "rules", "idn.conf"], ["check", "--names", "list"], ["check", "unbound.conf"],
        ["rpz", "--origin", "rpz.example", "--ignore-unsupported", "rules"], ["report", "log"],
        ["tap", "--config", "idn.conf", "capture"], ["--version"]]
READERS = ("explain", "filter", "check", "rpz", "report", "tap")


class Traced:
    """The command, in a folder and under strace."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder

    def __call__(self, *arguments):
        account = self.folder / "../calls"
        done = subprocess.run([*syscalls.STRACE, "-o", account, self.command.path, *arguments], cwd=self.folder, capture_output=True,
                              timeout=300, check=False)
        calls = syscalls.read(account, self.folder)
        written = {path.removeprefix(f"{self.folder}/") for path in syscalls.changed(calls)
                   if "/tsan.rodata." not in path}  # ThreadSanitizer's own, where TMPDIR is
        return done.returncode, written, calls, done.stderr.decode()


def test_footprint(tap, command, folder):
    if command.under_valgrind:
        print("# what the command writes and starts is looked at without valgrind alone")
        return
    if not syscalls.works():
        tap.skip("what the command writes", "strace cannot trace here")
        return
    folder = folder.resolve() / "work"
    folder.mkdir()
    traced = Traced(command, folder)
    for name, text in ("rules", RULES), ("list", "one.test\ntwo.test\n"), ("zone.rpz", ZONE), ("protected", "google.com\ning.com min=3\n"):
        (folder / name).write_text(text)
    (folder / "capture").write_bytes(dnstap.stream(dnstap.reply("bücher.example")))
    for name, text in ("log", LOG), ("idn.conf", CONF), ("unbound.conf", UNBOUND), ("neighbours", "googol.com\n"):
        (folder / name).write_text(text)
    for arguments in RUNS:
        _, written, calls, _ = traced(*arguments)
        tap.equal(written, set(), f"{' '.join(arguments)}: it makes and changes nothing")
        programs = [call.paths for call in calls if call.name.startswith("exec")]
        tap.equal(len(programs), 1, f"{' '.join(arguments)}: and starts no program")
        tap.equal(any(call.opens and str(folder) in call.paths[0] for call in calls), arguments[0] in READERS,
                  f"{' '.join(arguments)}: what it reads is seen")
    enabled(tap, traced, folder)


def enabled(tap, traced, folder):
    """Its snippet, and the name that it has before."""
    (folder / "conf.d").mkdir()
    (folder / "main.conf").write_text(f'include: "{folder}/conf.d/*.conf"\n')
    program = folder / "unbound-checkconf"
    program.write_text(f'#!/bin/sh\ncase "$2" in module-config) echo validator iterator;; dynlib-file) echo "{folder}/idn.so";; main.conf) ;; *) echo;; esac\n')
    program.chmod(0o755)
    options = ["enable", "--required", "--daemon", f"{folder}/unbound", "--unbound-conf", "main.conf", "--module", f"{folder}/idn.so", "--conf",
               f"{folder}/idn.conf", "--snippet", f"{folder}/conf.d/a.conf"]
    for kept in True, False:
        options = options if kept else [option for option in options if option != "--required"]
        status, written, calls, _ = traced(*options)
        tap.equal((status, {path for path in written if not path.startswith("/dev/")}), (1, {"conf.d/a.conf", "conf.d/.a.conf.new"}), f"enable: the snippet, and a name beside it: {kept}")
        made = [call.arguments for call in calls if call.opens and call.changes and any("a.conf" in path for path in call.paths)]
        tap.equal(["O_EXCL" in arguments for arguments in made], [True], "enable: newly created")
        tap.equal([path.name for path in (folder / "conf.d").iterdir()], ["a.conf"] if kept else [], "enable: nothing else is left")
