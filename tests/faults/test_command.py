# SPDX-License-Identifier: BSD-3-Clause
"""Each call of the command that can fail does so once: what it says is as ever, or its status and its standard error say
that it is not; and no file is left half written."""

import os
import queue
import re
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

from enumeration import WORKERS, Faults, new_shim
from rulefile import write
from scene import RULES, write_policy

TIMEOUT = 60
IN_LDNS = "libldns.so.3 < xnm_zonewrite_record+"  # ldns_wire2rr does not look what ldns_rr_new returned
TURNS = 3  # of what is done for each name
LOG = "".join(f'[1795332073] unbound[1:0] info: 192.0.2.{n} xn--bcher-kva{n}.example. A IN NOERROR 0.000214 1 - '
              f'u="bücher{n}.example"\n' for n in range(50)) + "nothing here\nxn--e1afmkfd.xn--90ae and xn--bcher-kva.example\n"
CONF = 'server:\n  username: ""\n  chroot: ""\n  directory: "."\n  module-config: "dynlib validator iterator"\n  include: "more-*.conf"\n' \
    'dynlib:\n  dynlib-file: "./idn.so"\n  dynlib-file: "./idn.conf"\n'

# Commands, and the exit statuses that report a failure.
COMMANDS = {
    "filter": (["filter", "query.log"], {2}),
    "rpz": (["rpz", "--origin", "rpz.example", "--serial", "1", "rules.conf"], {1, 2}),
    "check": (["check", "rules.conf"], {1, 2}),
    # If the rights of the daemon's user cannot be tried, there is only a note: the status is 0 then.
    "check-unbound": (["check", "--unbound-conf", "unbound.conf", "--daemon", "unbound"], {0, 1, 2}),
    "report": (["report", "query.log"], {1, 2}),
    "explain": (["explain", "--policy", "rules.conf", "--json", "xn--pypal-4ve.example", "bücher.example"], {1, 2}),
    "decode": (["decode", "--json", "xn--bcher-kva.example", "xn--31m-dda"], {1, 2}),
    "encode": (["encode", "bücher.example"], {1, 2}),
}


def prepare(world, folder):
    write_policy(folder, RULES)
    write(folder, "listed.wild.example\n||adblock.wild.example^\nb1.slow.example\n", "list.txt")
    (folder / "query.log").write_text(LOG)
    (folder / "unbound.conf").write_text(CONF)
    (folder / "more-1.conf").write_text("server:\n  verbosity: 1\n")
    (folder / "idn.conf").write_text("idn:\n  policy: rules.conf\n  log-to: ./idn.log\n")
    (folder / "idn.so").write_bytes(world.module.read_bytes())
    (folder / "unbound").write_bytes((world.unbound / "sbin/unbound").read_bytes())
    shutil.copy(world.unbound / "sbin/unbound-checkconf", folder)


def run(world, shim, arguments, folder):
    environment = {**os.environ, **shim.environment, "XN_FAULTS_PROGRAM": "1"}
    return subprocess.run([world.command, *arguments], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=TIMEOUT, check=False)


def names_in(folder):
    return sorted(path.name for path in folder.iterdir())


def said(done):
    """The first lines of standard error, and the end of standard output."""
    return f"status {done.returncode}\n{done.stderr.decode(errors='replace')[-600:]}\n…{done.stdout[-80:]!r}"


def lines_of(done):
    """Without how much memory a policy has, as memory that the kernel does not take back stays part of it, and without when a
    page was made."""
    return re.sub(rb", [0-9]+ kB(?= \[note\])|(?<=</bdi>, )[^<]+(?=</p>)", b"", done.stdout).splitlines()


def is_same(done, usual):
    """A record may also be written as octets (RFC 3597), which is what is done where ldns has no memory for it."""
    if done.returncode != usual.returncode:
        return False
    lines, as_ever = lines_of(done), lines_of(usual)
    return len(lines) == len(as_ever) and all(one == two or (b" \\# " in one and one.split()[:2] == two.split()[:2])
                                              for one, two in zip(lines, as_ever))


def check(faults, call, done, usual, bad, reports):
    """`reports` on standard output, if it does."""
    told = done.stderr != usual.stderr or (reports and done.stdout != usual.stdout)
    if call.where.startswith(IN_LDNS) and done.returncode == -signal.SIGSEGV:
        return
    faults.check(call, done.returncode >= 0, "no signal", said(done))
    faults.check(call, is_same(done, usual) or (done.returncode in bad and told), "as ever, or it is said", said(done))


def command(world, tap, arguments, bad):
    folders = queue.SimpleQueue()
    for _ in range(WORKERS):
        folder = world.new_folder("command")
        prepare(world, folder)
        folders.put((folder, new_shim(world, world.command)))
    folder, shim = folders.get()
    shim.record()
    usual = run(world, shim, arguments, folder)
    shim.rest()
    files = names_in(folder)
    calls = shim.calls()
    faults = Faults(world, tap, None, None, [call for call in calls if call.turn <= TURNS][::world.faults_step])
    faults.made = len(calls)
    folders.put((folder, shim))

    def one(call):
        folder, shim = folders.get()
        shim.fail(call)
        try:
            done = run(world, shim, arguments, folder)
            check(faults, call, done, usual, bad, arguments[0] == "check")
            faults.met(call, shim)
            names = names_in(folder)
            faults.check(call, names == files, "no file is left", f"{names}\n{said(done)}")
        except subprocess.TimeoutExpired as error:
            faults.check(call, False, "it ends", error)
        for name in set(names_in(folder)) - set(files):
            (folder / name).unlink()
        folders.put((folder, shim))

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(one, faults.calls))
    faults.report()


def test_filter(world, tap):
    command(world, tap, *COMMANDS["filter"])


def test_rpz(world, tap):
    command(world, tap, *COMMANDS["rpz"])


def test_check(world, tap):
    for name in "check", "check-unbound":
        command(world, tap, *COMMANDS[name])


def test_report(world, tap):
    command(world, tap, *COMMANDS["report"])


def test_names(world, tap):
    for name in "explain", "decode", "encode":
        command(world, tap, *COMMANDS[name])
