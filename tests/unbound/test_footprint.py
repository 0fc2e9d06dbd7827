# SPDX-License-Identifier: BSD-3-Clause
"""The daemon writes files where its configuration says and nowhere else, with safe modes, follows no
planted link, and works in a chroot and without root's privileges."""

import ctypes
import os
import pwd
import re
import stat
import subprocess

import syscalls
from daemon import FileOutput, eventually
from question import ask
from resolver import Log
from rulefile import changed, rules, write
from test_loading import starts_not

FILES = "log-to: log/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1\npolicy: rules.conf"
RULES = "nxdomain zone nx.example\nlog names names.list\nrpz zone.rpz\n"
LISTS = {"names_list": "a.example\n", "zone_rpz": "$TTL 60\nrpz. SOA ns. admin. 1 2 3 4 5\nx.test.rpz. CNAME .\n"}
OPEN_MASK = ("sh", "-c", 'umask 0; exec "$@"', "sh")
WRITTEN = {"log/idn.log", "log/idn.prom", "log/idn.prom.new"}


def at_work(resolver):
    """Makes a resolver do all that it does in its life: answer, read rules again, rotate its log, reload."""
    names = ("a.example", "nx.example", "xn--bcher-kva.example", "xn--31m-dda.wild.example", "x.test")
    for name in names:
        resolver.exchange(ask(name))
    if (resolver.folder / "rules.conf").exists():
        assert changed(resolver, RULES + "log invalid\n")
        (resolver.folder / "log/idn.log").rename(resolver.folder / "log/idn.log.1")
        assert eventually((resolver.folder / "log/idn.log").exists)
    resolver.reload("SIGHUP")
    for name in names:
        resolver.exchange(ask(name))


def traced(world, tap, idn, **options):
    """(the calls of a daemon's whole life, its folder)"""
    trace = world.new_folder("trace") / "calls"
    trace.parent.chmod(0o777)
    with world.resolver(tap, idn, check=False, around=(*OPEN_MASK, *syscalls.around(trace)), **options) as resolver:
        at_work(resolver)
        tracer = syscalls.tracer_of(resolver.daemon.pid)
    assert eventually(lambda: syscalls.has_ended(tracer))
    return syscalls.read(trace, resolver.folder), resolver.folder


def below(folder, paths):
    """Paths in the daemon's folder without it."""
    return {path.removeprefix(f"{folder}/") for path in paths}


def test_writes_nowhere_else(world, tap):
    """All that the module makes, changes or removes in its life, beside what the same Unbound does without it."""
    if not syscalls.works():
        tap.skip("what is written", "strace cannot trace here")
        return
    calls, folder = traced(world, tap, None)
    plain = below(folder, syscalls.changed(calls))
    calls, folder = traced(world, tap, FILES, prepare=rules(RULES, **LISTS))
    tap.equal(below(folder, syscalls.changed(calls)) - plain, WRITTEN, "with all files that a configuration can name")
    for name, mode in ("log/idn.log", 0o640), ("log/idn.prom", 0o644):
        tap.equal(oct(stat.S_IMODE((folder / name).stat().st_mode)), oct(mode), f"{name}: its mode, where umask is 0")
    followed = [call.arguments for call in calls if call.opens and call.changes and "idn." in call.arguments
                and "O_NOFOLLOW" not in call.arguments]
    tap.equal(followed, [], "each is opened as what it is, no link followed")
    calls, folder = traced(world, tap, "log-to: unbound")
    tap.equal(below(folder, syscalls.changed(calls)) - plain, set(), "nothing with the defaults")


test_writes_nowhere_else.slow = True


# ---- planted links: each kind of file is a row of tests/unit/test_logtarget.c and test_metrics_file.c, each owner of test_folder.c ----


def elsewhere(folder):
    (folder / "elsewhere").mkdir(exist_ok=True)
    (folder / "elsewhere").chmod(0o777)
    return folder / "elsewhere"


def planted(folder, name="way"):
    """log/ is a folder for everyone, in which another user has made log/way, or `name`, lead elsewhere."""
    way = folder / "log" / name
    way.symlink_to(elsewhere(folder))
    if os.geteuid() == 0:
        os.chown(way, pwd.getpwnam("daemon").pw_uid, -1, follow_symlinks=False)


def exchange(one, other):
    """In one step, so that at no moment neither is there."""
    done = ctypes.CDLL(None, use_errno=True).renameat2(-100, bytes(one), -100, bytes(other), 2)  # AT_FDCWD, RENAME_EXCHANGE
    assert done == 0, os.strerror(ctypes.get_errno())


def nothing_elsewhere(tap, folder, what):
    tap.equal(sorted(path.name for path in (folder / "elsewhere").iterdir()), [], f"{what}: nothing is made where it leads")


PLANTED = "its path has a symbolic link in a folder that others may write to"
AS_ROOT = 'username: ""'  # who plants has most to gain where root writes


def test_link_at_start(world, tap):
    folders = []

    def prepare(folder):
        folders.append(folder)
        planted(folder)

    starts_not(world, tap, "a planted link", "log-to: log/way/idn.log", world.module,
               rf"error: idn: .*log/way/idn\.log: cannot log to it: {PLANTED}", prepare=prepare)
    nothing_elsewhere(tap, folders[0], "a planted link")


def test_link_that_comes(world, tap):
    """A folder that exists at the start, and that another user, who may write to its parent, replaces by a link."""
    def prepare(folder):
        (folder / "log/way").mkdir()
        (folder / "log/way").chmod(0o777)

    wanted = f"log/way/idn.log: cannot log to it: {PLANTED}", f"log/way/idn.prom: metrics cannot be written: {PLANTED}"
    with world.resolver(tap, "log-to: log/way/idn.log\nmetrics-file: log/way/idn.prom\nmetrics-interval: 1", server=AS_ROOT,
                        prepare=prepare, check=False) as resolver:
        resolver.logged(ask("a.example"))
        planted(resolver.folder, "other")
        exchange(resolver.folder / "log/way", resolver.folder / "log/other")
        tap.ok(eventually(lambda: len(resolver.errors()) == 2), "the link is reported, by the log and by the metrics", resolver.errors())
        for text in wanted:
            tap.equal(sum(text in error for error in resolver.errors()), 1, f"{text}: once")
        resolver.exchange(ask("b.example"))
        nothing_elsewhere(tap, resolver.folder, "while it is there")
        exchange(resolver.folder / "log/way", resolver.folder / "log/other")
        tap.ok(resolver.log.wait("b.example.", 1), "logged when the folder is back")
    nothing_elsewhere(tap, resolver.folder, "at the end")


def test_honest_links(world, tap):
    """/var/run and the like: an administrator's link, in a folder that only root writes to."""
    def prepare(folder):
        elsewhere(folder)
        (folder / "run").symlink_to("elsewhere")
        (folder / "absolute").symlink_to(folder / "run")

    idn = "log-to: absolute/idn.log\nmetrics-file: run/../absolute/idn.prom\nmetrics-interval: 1"
    with world.resolver(tap, idn, prepare=prepare) as resolver:
        resolver.logged(ask("a.example"))
        tap.ok(eventually((resolver.folder / "elsewhere/idn.prom").exists), "written where they lead")
    tap.equal(resolver.errors(), [], "nothing is complained of")


# ---- with little ---------------------------------------------------------------------------------------------------------


def libraries(module):
    """The paths that the loader uses for it, absolute."""
    lines = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout
    return re.findall(r"=> (/\S+)", lines)


def into_chroot(world, folder):
    """Makes the folder of a daemon its root, too, with the libraries of the module in it."""
    for path in libraries(world.module):
        (folder / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (folder / path[1:]).write_bytes(open(path, "rb").read())
        (folder / path[1:]).chmod(0o755)
    for made in [path for path in folder.rglob("*") if path.is_dir() and path.name != "log"]:
        made.chmod(0o755)
    conf = folder / "unbound.conf"
    conf.write_text(conf.read_text().replace('chroot: ""', f'chroot: "{folder}"'))


def test_chroot_and_user(world, tap):
    """In a chroot with the module, its libraries and its files alone, as an ordinary user."""
    if os.geteuid() != 0:
        tap.skip("a chroot", "needs root")
        return
    user = pwd.getpwnam("nobody")

    def prepare(folder):
        into_chroot(world, folder)
        rules(RULES, **LISTS)(folder)

    with world.resolver(tap, FILES, prepare=prepare) as resolver:
        _, line = resolver.logged(ask("xn--bcher-kva.example"))
        tap.equal(line.u, "bücher.example", "ICU has its data")
        reply, line = resolver.logged(ask("nx.example"))
        tap.equal((reply.rcode, line.policy[0]), ("NXDOMAIN", "nxdomain"), "rules are read")
        write(resolver.folder, "refuse zone nx.example\n")
        tap.ok(eventually(lambda: resolver.exchange(ask("nx.example")).rcode == "REFUSED"), "and read again")
        status = open(f"/proc/{resolver.daemon.pid}/status", encoding="ascii").read()
        tap.equal(set(re.search(r"^Uid:\s+(.*)", status, re.M).group(1).split()), {str(user.pw_uid)}, "of an ordinary user")
        tap.equal(re.search(r"^CapEff:\s+(\S+)", status, re.M).group(1).strip("0"), "", "without capabilities")
        tap.equal(os.path.realpath(f"/proc/{resolver.daemon.pid}/root"), str(resolver.folder), "in the chroot")
        for name in "log/idn.log", "log/idn.prom":
            tap.ok(eventually((resolver.folder / name).exists), f"{name} is there")
            tap.equal((resolver.folder / name).stat().st_uid, user.pw_uid, f"{name} is that user's")
        resolver.log = Log(FileOutput(resolver.folder / "log/idn.log"))
    tap.equal(resolver.errors(), [], "nothing is complained of")
