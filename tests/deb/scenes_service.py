# SPDX-License-Identifier: BSD-3-Clause
"""A resolver with the packages: what it answers and logs after each thing that can happen to them."""

import contextlib
import os
import signal
import time
from types import SimpleNamespace

from booted import BootedRoot, Unit
from daemon import eventually
from debianroot import DebianRoot, differences
from question import ask, exchange
from repack import field
from scenes_hosts import uncomment
from unit import Service, StartRefused

SNIPPET = "/etc/unbound/unbound.conf.d/zz-unbound-idn.conf"
LOG = "/var/lib/unbound/idn.log"
IDN_CONF = "/etc/unbound/idn.conf"

# An operator's own files: a name that needs no network, and the log where the tests read it.
SITE = """server:
    use-syslog: no
    logfile: ""
    local-zone: "bücher.example." static
    local-data: "www.xn--bcher-kva.example. A 192.0.2.11"
""".replace("bücher", "xn--bcher-kva")

FITS, LEFT_OUT = "/usr/lib/unbound/idn.so fits", "Unbound starts WITHOUT the module"


SERVER = "127.0.0.1", 53


def has_answer():
    with contextlib.suppress(OSError):
        return exchange(SERVER, ask("www.bücher.example"), timeout=0.25).rcode == "NOERROR"
    return False


def answers(seconds):
    """Whether an answer comes in time, over loopback, at the port that Debian's configuration has."""
    return eventually(has_answer, seconds)


def rcode(name):
    return exchange(SERVER, ask(name)).rcode


@contextlib.contextmanager
def machine(world, booted=False):
    """A Debian with the operator's file in it and apt that knows ours and Debian's; .service is what systemd has or, unless that
    is booted, would have."""
    root = BootedRoot(world.below) if booted else DebianRoot(world.below)
    service = Unit(root) if booted else Service(root)
    try:
        for name in ("later", "next", "older"):
            (root / name).mkdir()
            for path in (world.made / name).iterdir():
                (root / name / path.name).write_bytes(path.read_bytes())
        root.offer("ours", "stock")
        yield SimpleNamespace(root=root, service=service)
    finally:
        service.stop()
        root.close()


def apt(root, *words):
    """dpkg has no terminal to ask about a file."""
    return root.run("apt-get", "-q", "-y", *words)


def install(root, *packages):
    """Installs the packages as from a repository."""
    status, text = apt(root, "install", "--no-install-recommends", *packages)
    if status != 0:
        raise RuntimeError(text)
    write_site(root)
    return text


def write_site(root):
    (root / "etc/unbound/unbound.conf.d/site.conf").write_text(SITE)


def write_policy(root):
    """The operator's change to the rule file: a rule of the samples in it."""
    uncomment(root / "etc/unbound/idn-policy.conf")


def lines(root):
    path = root / LOG
    return path.read_text().splitlines() if path.exists() else []


def module_logs(root, what='u="www.bücher.example"'):
    """Whether a line with this comes, for a question that is asked now."""
    count = len(lines(root))
    return answers(10) and eventually(lambda: any(what in line for line in lines(root)[count:]), 5)


def is_loaded(at):
    """Tells whether the module is loaded, by the daemon's messages at its start."""
    return "init module 0: dynlib" in at.service.log()


def with_module(tap, at, name):
    tap.ok(is_loaded(at), f"{name}: the daemon has it", at.service.log())
    tap.ok(module_logs(at.root), f"{name}: it answers, and the module logs", at.service.said)
    tap.ok((at.root / SNIPPET).exists(), f"{name}: the snippet is there")
    one_line(tap, at, f"{name}: one line of the journal says so", FITS)


def one_line(tap, at, name, *words):
    """Expects one line of unbound-idn enable, since the last restart, with these words."""
    said = [line for line in at.service.said.splitlines() if "unbound-idn enable" in line]
    tap.ok(len(said) == 1 and all(word in said[0] for word in words), name, at.service.said)


def without_module(tap, at, name):
    count = len(lines(at.root))
    tap.ok(not is_loaded(at), f"{name}: the daemon has it not", at.service.log())
    tap.ok(answers(10), f"{name}: it answers", at.service.said)
    tap.equal(len(lines(at.root)), count, f"{name}: the module logs nothing")
    tap.ok(not (at.root / SNIPPET).exists(), f"{name}: the snippet is gone")


def reload(tap, at, name):
    """A SIGHUP; there is an answer of what comes behind it in three seconds."""
    daemon, sent = at.service.daemon, time.monotonic()
    begun = daemon.stderr.octets.count(b"start of service")
    os.kill(at.service.pid(), signal.SIGHUP)
    done = daemon.stderr.wait(lambda octets: octets.count(b"start of service") > begun, 3)
    tap.ok(done and answers(sent + 3 - time.monotonic()), f"{name}: it answers in three seconds after a reload", daemon.log())


def restart(at):
    """Restarts the unit as a package's script has systemd do."""
    at.service.restart()


def test_install(tap, world):
    with machine(world) as at:
        root = at.root
        pristine = root.tree()
        install(root, "unbound")
        tap.equal(root.status("unbound"), f"ii {world.version}", "apt takes our Unbound")
        at.service.start()
        at.service.stop()
        bare, users = root.tree(), root.must("sh", "-c", "getent passwd && getent group")

        install(root, "unbound-module-idn")
        tap.equal(root.status("unbound-module-idn"), f"ii {world.module_version}", "and the module")
        tap.ok(not (root / SNIPPET).exists(), "no snippet before a start")
        write_policy(root)
        restart(at)
        with_module(tap, at, "started")
        tap.equal(rcode("казино.example"), "NXDOMAIN", "a rule is in force")
        tap.ok(module_logs(root), "the log goes on")
        status = (root / LOG).stat()
        tap.equal(oct(status.st_mode & 0o777), "0o640", "the log is for nobody else")
        owner = (root / "var/lib/unbound").stat()
        tap.equal((status.st_uid, status.st_gid), (owner.st_uid, owner.st_gid), "and Unbound's own")
        tap.ok(eventually(lambda: (root / "var/lib/unbound/idn.prom").exists(), 20), "metrics are where Debian's profile allows it")
        tap.equal(root.run("unbound-idn", "check", "--unbound-conf", "/etc/unbound/unbound.conf")[0], 0, "unbound-idn check agrees")
        tap.equal(root.run("unbound-checkconf")[0], 0, "unbound-checkconf, too")

        rotate(tap, at)

        status, text = apt(root, "remove", "unbound-module-idn")
        tap.equal(status, 0, "it is removed")
        tap.ok(not (root / SNIPPET).exists(), "with its snippet")
        tap.ok((root / IDN_CONF).exists() and (root / LOG).exists(), "not with its configuration and its log")
        tap.ok(answers(3), "the daemon that runs answers on", text)
        restart(at)
        without_module(tap, at, "restarted")
        reload(tap, at, "restarted")
        at.service.stop()

        apt(root, "purge", "unbound-module-idn", "unbound-idn")
        tap.equal(differences(bare, root.tree()), [], "purged, it leaves nothing")
        tap.equal(root.must("sh", "-c", "getent passwd && getent group"), users, "neither user nor group")
        (root / "etc/unbound/unbound.conf.d/site.conf").unlink()
        apt(root, "purge", "unbound")
        tap.equal(differences(pristine, root.tree()), [], "nor does Unbound")


def rotate(tap, at):
    root = at.root
    text = root.must("logrotate", "--force", "/etc/logrotate.conf")
    tap.equal(text, "", "logrotate has nothing to say")
    tap.ok((root / (LOG + ".1")).exists(), "the log is rotated")
    tap.ok(eventually(lambda: module_logs(root), 10), "and a new one begun")
    root.must("logrotate", "--force", "/etc/logrotate.conf")
    tap.ok((root / (LOG + ".2.gz")).exists(), "the one before is compressed")


def test_upgrade_from_debians(tap, world):
    with machine(world) as at:
        root = at.root
        root.offer("stock")
        install(root, "unbound")
        own = root / "etc/unbound/unbound.conf"
        own.write_text(own.read_text() + "# mine\n")
        at.service.start()
        without_module(tap, at, "Debian's own")
        root.offer("ours", "stock")
        status, text = apt(root, "upgrade")
        tap.equal((status, root.status("unbound")), (0, f"ii {world.version}"), "apt upgrade takes ours")
        restart(at)
        without_module(tap, at, "ours alone")
        install(root, "unbound-module-idn")
        restart(at)
        with_module(tap, at, "with the module")
        tap.ok(own.read_text().endswith("# mine\n"), "the operator's configuration stays", text)


def test_upgrade_from_an_earlier_version(tap, world):
    """The operator's files stay as they are, and so does a library that other programs need."""
    with machine(world) as at:
        root = at.root
        root.offer("older", "ours")
        older = f"={field(next((world.made / 'older').glob('unbound-module-idn_*.deb')), 'Version')}"
        install(root, "unbound-idn" + older, "unbound-module-idn" + older, "libxn0")
        write_policy(root)
        rules, configured = root / "etc/unbound/idn-policy.conf", (root / IDN_CONF).read_text()
        rules.write_text(rules.read_text() + "\nnxdomain zone мой.example\n")
        written = rules.read_text()
        at.service.start()
        with_module(tap, at, "before")
        tap.equal(rcode("мой.example"), "NXDOMAIN", "before: the operator's rule is in force")

        root.offer("ours", "older", "stock")
        status, text = apt(root, "upgrade")
        tap.equal((status, root.status("unbound-module-idn"), root.status("unbound-idn")),
                  (0, f"ii {world.module_version}", f"ii {world.module_version}"), "apt upgrade takes both")
        restart(at)
        with_module(tap, at, "after")
        tap.equal(rcode("мой.example"), "NXDOMAIN", "after: so is it now")
        tap.equal(((root / IDN_CONF).read_text(), rules.read_text()), (configured, written), "the operator's files are as they were")
        tap.equal([path.name for path in (root / "etc/unbound").glob("*.dpkg-*")], [], "dpkg has nothing to ask about them")
        install(root, "libxn1")
        tap.equal([bool(list((root / "usr/lib").glob(f"*/libxn.so.{number}"))) for number in (0, 1)], [True, True], "both sonames, side by side")


def test_security_update(tap, world):
    """Debian's next one is there, ours is not yet."""
    with machine(world) as at:
        root = at.root
        install(root, "unbound-module-idn")
        at.service.start()
        root.offer("ours", "stock", "later")
        status, text = apt(root, "upgrade")
        tap.equal(status, 0, "apt upgrade is no error")
        tap.ok("kept back:\n  unbound\n" in text, "it keeps Unbound back, and says so", text)
        tap.equal(root.status("unbound"), f"ii {world.version}", "ours stays")
        tap.ok(module_logs(root), "the module works on")
        simulated = apt(root, "-s", "install", "unbound-module-idn")[1]
        tap.ok("Inst unbound " not in simulated and "Remv" not in simulated, "nothing else is pulled in by asking for the module", simulated)

        status, text = apt(root, "install", "unbound")
        tap.equal((status, root.status("unbound")), (0, f"ii {world.later}"), "who asks for it gets Debian's")
        tap.ok("will be REMOVED:\n  unbound-module-idn\n" in text, "apt says what that costs", text)
        tap.equal(root.status("unbound-module-idn"), f"rc {world.module_version}", "the module goes, its configuration stays")
        tap.ok(answers(3), "the daemon that runs answers on")
        restart(at)
        without_module(tap, at, "Debian's update")

        root.offer("stock", "later", "next")
        install(root, "unbound-module-idn")
        restart(at)
        with_module(tap, at, "ours, rebuilt")


def test_full_upgrade(tap, world):
    """The same with apt's most thorough removal, where Unbound was only installed as a dependency."""
    with machine(world) as at:
        root = at.root
        install(root, "unbound-module-idn")
        at.service.start()
        root.offer("ours", "stock", "later")
        status, text = apt(root, "full-upgrade", "--autoremove")
        tap.equal((status, root.status("unbound"), root.status("unbound-module-idn")),
                  (0, f"ii {world.later}", f"rc {world.module_version}"), "it takes Debian's, and removes the module")
        tap.ok(answers(3), "the daemon that runs answers on", text)
        restart(at)
        without_module(tap, at, "restarted")
        tap.equal((apt(root, "autoremove")[0], root.status("unbound")), (0, f"ii {world.later}"), "the resolver is never cleaned away")


def test_rebuilt_update(tap, world):
    """Debian's next one is there, and so is ours."""
    with machine(world) as at:
        root = at.root
        install(root, "unbound-module-idn")
        write_policy(root)
        at.service.start()
        root.offer("ours", "stock", "later", "next")
        status, text = apt(root, "upgrade")
        tap.equal((status, root.status("unbound"), root.status("unbound-module-idn")),
                  (0, f"ii {world.next_versions[0]}", f"ii {world.next_versions[1]}"), "apt upgrade takes both")
        tap.ok("kept back" not in text and "REMOVED" not in text, "and loses nothing", text)
        restart(at)
        with_module(tap, at, "after it")
        tap.equal(rcode("казино.example"), "NXDOMAIN", "with the operator's configuration")


def test_stock_over_ours(tap, world):
    """dpkg asks no question."""
    with machine(world) as at:
        root = at.root
        install(root, "unbound-module-idn")
        at.service.start()
        with_module(tap, at, "before")
        package = next((root / "later").glob("*.deb")).name
        status, text = root.run("dpkg", "-i", f"/later/{package}")
        tap.equal((status, root.status("unbound")), (0, f"ii {world.later}"), "dpkg -i")
        tap.ok(answers(3), "the daemon that runs answers on", text)
        restart(at)
        without_module(tap, at, "started without systemd's help")
        one_line(tap, at, "one line says that, and why", LEFT_OUT)
        restart(at)
        without_module(tap, at, "once more")

        required(tap, at)

        status, text = apt(root, "--fix-broken", "install")
        tap.equal((status, root.status("unbound-module-idn")), (0, f"rc {world.module_version}"), "apt mends what dpkg broke")
        restart(at)
        without_module(tap, at, "mended")


def required(tap, at):
    """The operator would rather have no resolver."""
    override = at.root / "etc/systemd/system/unbound.service.d/unbound-idn.conf"
    override.parent.mkdir(parents=True)
    example = (at.root / "usr/lib/systemd/system/unbound.service.d/unbound-idn.conf").read_text()
    override.write_text("\n".join(line[6:] for line in example.splitlines() if line.startswith("#     ")) + "\n")
    try:
        restart(at)
        tap.ok(False, "--required: no start", at.service.said)
    except StartRefused as refused:
        tap.ok("unbound-idn-enable --required" in str(refused), "--required: no start", refused)
    override.unlink()
    override.parent.rmdir()


# Requests that packages make of it, and whether Unbound would have loaded the module then.
SYSTEMCTL = f"""#!/bin/sh
case $* in *is-enabled*) echo enabled ;; esac
if [ -s {SNIPPET} ]; then with=with; else with=without; fi
echo "$* ($with snippet)" >> /asked
"""


def test_systemd(tap, world):
    """A restart after each change, never a reload; what loads the module is gone when the module is."""
    with machine(world) as at:
        root = at.root
        (root / "usr/sbin/policy-rc.d").unlink()
        for path in ("usr/bin/systemctl", "bin/systemctl"):
            (root / path).write_text(SYSTEMCTL)
            (root / path).chmod(0o755)

        def asked(*words):
            (root / "asked").write_text("")
            root.must("sh", "-c", 'mkdir -p /run/systemd/system && exec "$@"', "sh", *words)
            lines = (root / "asked").read_text().splitlines()
            tap.ok(not any(line.split("(")[0].split()[-2:] == ["reload", "unbound.service"] for line in lines), f"{words[1]}: no reload", lines)
            return [line for line in lines if " restart " in f" {line} " and "unbound.service" in line], lines

        names = [deb.name for name, deb in world.debs.items() if name in ("unbound-idn", "unbound-module-idn")]
        root.must("dpkg", "-i", f"/ours/{world.debs['unbound'].name}")
        restarts, lines = asked("dpkg", "-i", *(f"/ours/{name}" for name in names))
        tap.equal(len(restarts), 1, "installed: one restart")
        tap.ok(any("daemon-reload" in line for line in lines), "installed: systemd reads the drop-in", lines)
        write_site(root)
        at.service.start()
        restarts, lines = asked("dpkg", "-i", *(f"/ours/{name}" for name in names))
        tap.ok(len(restarts) == 1 and "(with snippet)" in restarts[0], "installed over itself: one restart, with the module in force", lines)
        restarts, lines = asked("dpkg", "--remove", "unbound-module-idn")
        tap.ok(len(restarts) == 1 and "(without snippet)" in restarts[0], "removed: one restart, without the snippet", lines)
        tap.ok(any("daemon-reload" in line for line in lines), "removed: systemd forgets the drop-in", lines)
        tap.ok(not (root / SNIPPET).exists(), "removed: the snippet is gone")
        restarts, lines = asked("dpkg", "--purge", "unbound-module-idn")
        tap.equal(restarts, [], "purged: no further restart")


def test_reload_while_unpacked(tap, world):
    """The new files are unpacked, the old daemon runs, and something sends it a SIGHUP: it goes on with the module that it
    has, since what is loaded for good (-z nodelete) is found by its path."""
    with machine(world) as at:
        root = at.root
        install(root, "unbound-module-idn")
        at.service.start()
        for package in ("unbound", "unbound-idn", "unbound-module-idn"):
            file = next((root / "next").glob(f"{package}_*.deb")).name
            tap.equal(root.run("dpkg", "--unpack", f"/next/{file}")[0], 0, f"{package} is unpacked")
            reload(tap, at, f"{package} is unpacked")
            tap.ok(module_logs(root), f"{package} is unpacked: and so does the module", at.service.daemon.log())
        tap.equal(root.run("dpkg", "--configure", "--pending")[0], 0, "configured")
        restart(at)
        with_module(tap, at, "restarted")
