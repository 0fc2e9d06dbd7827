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


# ---- planted links -----------------------------------------------------------------------------------------------------


def planted(name, make):
    """log/ is a folder for everyone, sticky as /tmp is, with something of another user's in it."""
    def prepare(folder):
        victim = folder / "victim"
        victim.write_text("secret\n")
        victim.chmod(0o600)
        place = folder / "log" / name
        make(place, victim)
        if os.geteuid() == 0:
            os.chown(place, pwd.getpwnam("daemon").pw_uid, -1, follow_symlinks=False)
        (folder / "log").chmod(0o1777)
    return prepare


def symbolic(place, victim):
    place.symlink_to(victim)


def dangling(place, victim):
    place.symlink_to(victim.with_name("made"))


def hard(place, victim):
    os.link(victim, place)


def fifo(place, _):
    os.mkfifo(place)


LINKS = {"a symbolic link": symbolic, "a link to nothing": dangling, "a hard link": hard, "a FIFO": fifo}
AS_ROOT = 'username: ""'  # who plants has most to gain where root writes


def untouched(tap, folder, what):
    tap.equal((folder / "victim").read_text(), "secret\n", f"{what}: what it leads to is as it was")
    tap.equal((folder / "made").exists(), False, f"{what}: and nothing is made there")


def test_planted_log(world, tap):
    for what, make in LINKS.items():
        folders = []

        def prepare(folder, make=make, folders=folders):
            folders.append(folder)
            planted("idn.log", make)(folder)
            conf = folder / "unbound.conf"
            conf.write_text(re.sub("username: .*", AS_ROOT, conf.read_text()))

        starts_not(world, tap, what, "log-to: log/idn.log", world.module, r"error: idn: .*log/idn\.log: cannot log to it: ",
                   prepare=prepare)
        untouched(tap, folders[0], what)


def test_second_name(world, tap):
    """For who is not root, a second name is a backup's."""
    def prepare(folder):
        (folder / "log/idn.log").touch()
        (folder / "log/idn.log").chmod(0o666)
        os.link(folder / "log/idn.log", folder / "log/idn.backup")

    with world.resolver(tap, "log-to: log/idn.log", prepare=prepare) as resolver:
        resolver.logged(ask("a.example"))
        tap.ok("a.example" in (resolver.folder / "log/idn.backup").read_text(), "logged in the file of both names")


def test_planted_metrics(world, tap):
    """At both names that are written; each is replaced, as the manual says."""
    for name in "idn.prom", "idn.prom.new":
        for what, make in LINKS.items():
            with world.resolver(tap, "metrics-file: log/idn.prom\nmetrics-interval: 1", server=AS_ROOT,
                                prepare=planted(name, make)) as resolver:
                resolver.logged(ask("a.example"))
                path = resolver.folder / "log/idn.prom"
                written = eventually(lambda p=path: stat.S_ISREG(p.lstat().st_mode) if os.path.lexists(p) else False)
                tap.ok(written, f"{what} at {name}: there is a file", resolver.daemon.log())
            untouched(tap, resolver.folder, f"{what} at {name}")


test_planted_metrics.slow = True


# ---- … above the file -------------------------------------------------------------------------------------------------


def elsewhere(folder):
    (folder / "elsewhere").mkdir(exist_ok=True)
    (folder / "elsewhere").chmod(0o777)
    return folder / "elsewhere"


def planted_above(folder, name="way"):
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


def test_link_above_log(world, tap):
    for what, server in ("as root", AS_ROOT), ("as its user", ""):
        folders = []

        def prepare(folder, folders=folders, server=server):
            folders.append(folder)
            planted_above(folder)
            conf = folder / "unbound.conf"
            conf.write_text(re.sub("username: .*", server, conf.read_text()) if server else conf.read_text())

        starts_not(world, tap, what, "log-to: log/way/idn.log", world.module,
                   rf"error: idn: .*log/way/idn\.log: cannot log to it: {PLANTED}", prepare=prepare)
        nothing_elsewhere(tap, folders[0], what)


def test_link_above_metrics(world, tap):
    for what, server in ("as root", AS_ROOT), ("as its user", ""):
        with world.resolver(tap, "metrics-file: log/way/idn.prom\nmetrics-interval: 1", server=server, prepare=planted_above) as resolver:
            resolver.logged(ask("a.example"))
            tap.ok(resolver.daemon.stderr.wait(lambda _, r=resolver: r.errors()), f"{what}: told")
            errors = resolver.errors()
            tap.ok(len(errors) == 1 and f"log/way/idn.prom: metrics cannot be written: {PLANTED}" in errors[0], f"{what}: and why", errors)
        nothing_elsewhere(tap, resolver.folder, what)


def test_link_above_rotated_log(world, tap):
    """A folder that exists at the start, and that another user, who may write to its parent, replaces by a link."""
    def prepare(folder):
        (folder / "log/way").mkdir()
        (folder / "log/way").chmod(0o777)

    with world.resolver(tap, "log-to: log/way/idn.log", server=AS_ROOT, prepare=prepare, check=False) as resolver:
        resolver.logged(ask("a.example"))
        planted_above(resolver.folder, "other")
        exchange(resolver.folder / "log/way", resolver.folder / "log/other")
        tap.ok(resolver.daemon.stderr.wait(lambda _: resolver.errors()), "the link is told of")
        tap.ok(len(resolver.errors()) == 1 and PLANTED in resolver.errors()[0], "once, and why", resolver.errors())
        resolver.exchange(ask("b.example"))
        nothing_elsewhere(tap, resolver.folder, "while it is there")
        exchange(resolver.folder / "log/way", resolver.folder / "log/other")
        tap.ok(resolver.log.wait("b.example.", 1), "logged when the folder is back")
    nothing_elsewhere(tap, resolver.folder, "at the end")


def test_honest_links_above(world, tap):
    """/var/run and the like: an administrator's link, in a folder that only root writes to."""
    def prepare(folder):
        elsewhere(folder)
        (folder / "run").symlink_to("elsewhere")
        (folder / "absolute").symlink_to(folder / "run")

    for what, server in ("as root", AS_ROOT), ("as its user", ""):
        idn = "log-to: absolute/idn.log\nmetrics-file: run/../absolute/idn.prom\nmetrics-interval: 1"
        with world.resolver(tap, idn, server=server, prepare=prepare) as resolver:
            resolver.logged(ask("a.example"))
            tap.ok(eventually((resolver.folder / "elsewhere/idn.prom").exists), f"{what}: written where they lead")
            (resolver.folder / "elsewhere/idn.log").rename(resolver.folder / "elsewhere/idn.log.1")
            tap.ok(eventually((resolver.folder / "elsewhere/idn.log").exists), f"{what}: and made again there")
            (resolver.folder / "elsewhere/idn.log").unlink()
            (resolver.folder / "elsewhere/idn.log.1").rename(resolver.folder / "elsewhere/idn.log")
        tap.equal(resolver.errors(), [], f"{what}: nothing is complained of")


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
