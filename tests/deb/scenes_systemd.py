# SPDX-License-Identifier: BSD-3-Clause
"""A machine that systemd runs, with the packages: what becomes of unbound.service after each thing that can happen to them."""

import functools

import guide
import liar
from booted import MayNotBoot
from daemon import eventually
from scenes_service import FITS, IDN_CONF, LEFT_OUT, LOG, SNIPPET, answers, apt, install, machine, module_logs, one_line, rcode, with_module, without_module, write_policy

# Limits as tight as those of Unbound's own sample unit, which give the daemon no more than it needs.
SANDBOX = """[Service]
CapabilityBoundingSet=CAP_NET_BIND_SERVICE CAP_SETGID CAP_SETUID CAP_SYS_RESOURCE
LockPersonality=yes
MemoryDenyWriteExecute=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
ReadWritePaths=/var/lib/unbound
RestrictAddressFamilies=AF_INET AF_INET6 AF_NETLINK AF_UNIX
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
"""


def booted(scene):
    @functools.wraps(scene)
    def test(tap, world):
        try:
            with machine(world, booted=True) as at:
                scene(tap, world, at)
        except MayNotBoot as reason:
            tap.skip("systemd", f"this machine boots none: {reason}")
    return test


def active(tap, at, name):
    """Started once and without a failure."""
    unit = at.service
    tap.equal((unit.is_active(), unit.property("NRestarts"), unit.property("Result")), (True, "0", "success"), f"{name}: the unit is active")
    tap.equal(at.root.must("systemctl", "list-units", "--failed", "--plain", "--no-legend"), "", f"{name}: no unit has failed")


@booted
def test_booted_install(tap, world, at):
    """Debian's Unbound, then ours, then the module."""
    root, unit = at.root, at.service
    root.offer("stock")
    install(root, "unbound")
    unit.restart()
    active(tap, at, "Debian's own")
    without_module(tap, at, "Debian's own")

    root.offer("ours", "stock")
    unit.mark()
    status, text = apt(root, "upgrade")
    tap.equal((status, root.status("unbound")), (0, f"ii {world.version}"), "apt upgrade takes ours")
    active(tap, at, "upgraded")
    without_module(tap, at, "upgraded")

    unit.mark()
    text = install(root, "unbound-module-idn")
    active(tap, at, "the module is installed")
    with_module(tap, at, "the module is installed")
    tap.equal("warning" in text.lower(), False, "nobody warns of anything")
    tap.note(text)

    before = unit.pid()
    root.must("systemctl", "reload", "unbound")
    tap.ok(module_logs(root), "reloaded: the module logs on", unit.said)
    tap.equal(unit.pid(), before, "reloaded: it is the same daemon")
    write_policy(root)
    unit.restart()
    active(tap, at, "restarted")
    with_module(tap, at, "restarted")
    tap.ok(unit.pid() != before, "restarted: it is another daemon")
    tap.equal(rcode("казино.example"), "NXDOMAIN", "restarted: a rule is in force")

    # The service confines logrotate, as its timer would have it run.
    (root / "var/lib/logrotate/status").write_text(f'logrotate state -- version 2\n"{LOG}" 2020-1-1-0:0:0\n')
    root.must("systemctl", "start", "logrotate.service")
    tap.ok((root / (LOG + ".1")).exists(), "logrotate.service rotates the log")
    tap.ok(module_logs(root), "and a new one is begun")

    unit.mark()
    root.shut_down()
    root.boot()
    active(tap, at, "after a boot")
    with_module(tap, at, "after a boot")

    unit.mark()
    tap.equal(apt(root, "remove", "unbound-module-idn")[0], 0, "the module is removed")
    active(tap, at, "removed")
    without_module(tap, at, "removed")
    tap.equal(apt(root, "purge", "unbound", "unbound-module-idn", "unbound-idn")[0], 0, "all is purged")
    tap.equal(unit.property("LoadState"), "not-found", "purged: there is no unit")
    tap.ok(not (root / LOG).exists(), "purged: nor a log")


@booted
def test_booted_updates(tap, world, at):
    """Debian's next one, before ours and after."""
    root, unit = at.root, at.service
    install(root, "unbound-module-idn")
    unit.restart()
    with_module(tap, at, "before")
    root.offer("ours", "stock", "later")
    unit.mark()
    before = unit.pid()
    tap.equal((apt(root, "upgrade")[0], unit.pid(), unit.said), (0, before, ""), "apt upgrade touches nothing")
    status, _ = apt(root, "install", "unbound")
    tap.equal((status, root.status("unbound")), (0, f"ii {world.later}"), "who asks for it gets Debian's")
    active(tap, at, "Debian's update")
    without_module(tap, at, "Debian's update")

    root.offer("stock", "later", "next")
    unit.mark()
    install(root, "unbound-module-idn")
    active(tap, at, "ours, rebuilt")
    tap.ok(module_logs(root), "ours, rebuilt: the module logs")
    unit.restart()
    with_module(tap, at, "ours, rebuilt")

    unit.mark()
    package = next((root / "later").glob("*.deb")).name
    tap.equal(root.run("dpkg", "-i", f"/later/{package}")[0], 0, "dpkg -i of Debian's")
    active(tap, at, "dpkg -i of Debian's")
    without_module(tap, at, "dpkg -i of Debian's")
    one_line(tap, at, "dpkg -i of Debian's: one line says that, and why", LEFT_OUT)
    required(tap, at)


def required(tap, at):
    """Rather no resolver: as the sample in the drop-in has it."""
    root, unit = at.root, at.service
    example = (root / "usr/lib/systemd/system/unbound.service.d/unbound-idn.conf").read_text()
    drop_in(root, "unbound-idn.conf", "\n".join(line[6:] for line in example.splitlines() if line.startswith("#     ")) + "\n")
    unit.mark()
    status, text = root.run("systemctl", "restart", "unbound")
    tap.ok(status != 0 and not unit.is_active() and "which is required" in unit.said, "--required: no start, and the journal says why", text + unit.said)
    (root / "etc/systemd/system/unbound.service.d/unbound-idn.conf").unlink()
    root.must("systemctl", "daemon-reload")
    root.must("systemctl", "reset-failed", "unbound")
    unit.restart()
    active(tap, at, "not required")
    without_module(tap, at, "not required")


def drop_in(root, name, text, service="unbound.service"):
    folder = root / f"etc/systemd/system/{service}.d"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    root.must("systemctl", "daemon-reload")


@booted
def test_booted_sandbox(tap, world, at):
    """The operator confines the service: the daemon may not write what the command that runs before it may."""
    root, unit = at.root, at.service
    install(root, "unbound-module-idn")
    write_policy(root)
    drop_in(root, "sandbox.conf", SANDBOX)
    (root / SNIPPET).unlink()
    unit.restart()
    active(tap, at, "confined")
    with_module(tap, at, "confined")
    tap.equal(rcode("казино.example"), "NXDOMAIN", "a rule is in force")
    tap.ok(eventually(lambda: (root / "var/lib/unbound/idn.prom").exists(), 20), "metrics are written")
    root.must("systemctl", "reload", "unbound")
    tap.ok(module_logs(root), "reloaded: the module logs on", unit.said)
    (root / LOG).unlink()
    tap.ok(module_logs(root), "a log that was removed is made anew", unit.said)
    tap.ok(answers(3), "it answers on")


# Files that unbound-module-idn(8) wants in a chroot; Debian's unit copies the configuration there.
FILL = """set -e
to=/var/lib/unbound
install -d -o unbound -g unbound $to/var/lib/unbound
for file in /usr/lib/unbound/idn.so $(ldd /usr/lib/unbound/idn.so | grep -o '/[^ ]*'); do install -D -m 644 $file $to$file; done
"""


@booted
def test_booted_chroot(tap, world, at):
    """The file that loads the module is in the chroot as well, or a reload would be without it."""
    root, unit = at.root, at.service
    chroot = root / "var/lib/unbound"
    install(root, "unbound-module-idn")
    (root / "etc/unbound/unbound.conf.d/chroot.conf").write_text('server:\n    chroot: "/var/lib/unbound"\n')
    unit.restart()
    active(tap, at, "the module is not in the chroot")
    without_module(tap, at, "the module is not in the chroot")
    one_line(tap, at, "the module is not in the chroot: one line says so", LEFT_OUT, f"{LOG.rsplit('/', 1)[0]}/usr/lib/unbound/idn.so")
    root.must("sh", "-c", FILL)
    unit.restart()
    active(tap, at, "in a chroot")
    one_line(tap, at, "in a chroot: one line says that the module is loaded", FITS)
    log = chroot / LOG.lstrip("/")
    for name in "in a chroot", "reloaded":
        before = log.read_text() if log.exists() else ""
        tap.ok(answers(10) and eventually(lambda text=before: log.exists() and 'u="www.bücher.example"' in log.read_text()[len(text):], 5),
               f"{name}: it answers, and the module logs", unit.said)
        root.must("systemctl", "reload", "unbound")
        tap.equal((chroot / SNIPPET.lstrip("/")).read_text(), (root / SNIPPET).read_text(), f"{name}: the snippet is there and in the chroot")


TAP, SOCKET = "unbound-idn-tap", "/run/unbound-idn/tap.sock"  # /run is systemd's own file system: not visible from outside
CONTROL = 'remote-control:\n    control-enable: yes\n    control-interface: "/run/unbound.ctl"\n    control-use-cert: no\n'


@booted
def test_booted_tap(tap, world, at):
    """Debian's own Unbound, and the units of tap as the guide says: it takes frames, compares them, and stops."""
    root, unit = at.root, at.service
    install(root, f"unbound={world.stock_version}", "unbound-idn")
    tap.equal(root.run("systemctl", "is-enabled", f"{TAP}.socket", f"{TAP}.service")[1].split(), ["disabled"] * 2, "the units are there, not enabled")
    (root / "etc/unbound/unbound.conf.d/tap.conf").write_text(guide.the_block("dnstap-unbound") + CONTROL)

    def journal():
        root.must("journalctl", "--sync")
        return root.must("journalctl", "-q", "-u", f"{TAP}.service", "-o", "cat")

    def value(name):
        return root.must("systemctl", "show", "-p", name, "--value", f"{TAP}.service").strip()

    root.must("systemctl", "enable", "--now", f"{TAP}.socket", f"{TAP}.service")
    unit.restart()
    active(tap, at, "Unbound with dnstap")
    tap.equal((value("ActiveState"), value("NRestarts")), ("active", "0"), "tap runs")
    tap.equal(root.must("stat", "-c", "%F %a %G", SOCKET), "socket 660 unbound\n", "its socket is the resolver's")
    tap.ok(answers(10) and eventually(lambda: 'u="www.bücher.example"' in journal(), 20), "an answer is a line in the journal", journal())
    tap.ok(root.must("stat", "-c", "%U", f"/proc/{value('MainPID')}").strip() not in ("root", "unbound"), "of a user of its own")

    before = value("MainPID")
    (root / IDN_CONF).write_text("idn:\n    log: json\n    metrics-file: /var/lib/unbound-idn/idn.prom\n    metrics-interval: 1\n")
    root.must("systemctl", "reload", f"{TAP}.service")
    tap.ok(answers(3) and eventually(lambda: '"dns.question.name_unicode":"www.b\\u00FCcher.example"' in journal(), 20), "reloaded: JSON", journal())
    tap.equal(value("MainPID"), before, "reloaded: the same process")

    root.must("systemctl", "stop", f"{TAP}.socket", f"{TAP}.service")
    tap.equal((value("ActiveState"), value("Result"), value("ExecMainStatus")), ("inactive", "success", "0"), "stopped")
    tap.ok(root.run("test", "-e", SOCKET)[0] != 0, "and its socket is gone")
    tap.ok(answers(3), "Unbound answers on")
    active(tap, at, "at the end")


FETCH, LISTS = "unbound-idn-fetch", "/var/lib/unbound-idn-fetch"
CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"


@booted
def test_booted_fetch(tap, world, at):
    """A list with a URL: its server's certificate is asked for, the resolver takes what came, and the unit may write nowhere else."""
    root, unit = at.root, at.service
    install(root, "unbound-module-idn")
    write_policy(root)
    folder = world.made / "liar"
    folder.mkdir()
    liars = liar.World(folder, None)

    def journal():
        root.must("journalctl", "--sync")
        return root.must("journalctl", "-q", "-u", f"{FETCH}.service", "_TRANSPORT=stdout", "-o", "cat").splitlines()

    def fetched(*arguments):
        """Exit status of the unit, and what it said."""
        count = len(journal())
        root.run("systemctl", "start", f"{FETCH}.service", *arguments)
        return int(root.must("systemctl", "show", "-p", "ExecMainStatus", "--value", f"{FETCH}.service")), journal()[count:]

    def answer(request):
        if request.fields.get("if-none-match") == '"1"':
            request.head(status="304 Not Modified")
        else:
            request.answer("казино.example\n".encode(), 'ETag: "1"')

    with liars.server(answer) as server:
        path = f"{LISTS}/list.txt"
        with (root / "etc/unbound/idn-policy.conf").open("a") as rules:
            rules.write(f"nxdomain names {path} url=https://localhost:{server.port}/list.txt\n")
        unit.restart()
        with_module(tap, at, "there is no list yet")

        status, said = fetched()
        tap.ok(status == 1 and len(said) == 1 and f"there is no {path} yet" in said[0], "no CA: one line says so", said)
        (root / CERTIFICATES).parent.mkdir(parents=True, exist_ok=True)
        (root / CERTIFICATES).write_bytes(liars.ca.pem.read_bytes())
        tap.equal(fetched(), (0, [f"{path}: new, 1 entry"]), "with its CA it comes")
        tap.equal(root.must("stat", "-c", "%U %a", path), f"{FETCH} 644\n", "and is that user's, for all to read")
        tap.ok(eventually(lambda: rcode("казино.example") == "NXDOMAIN", 20), "the resolver takes it, without a reload")
        tap.equal(fetched(), (0, [f"{path}: unchanged, 1 entry"]), "once more: it has not changed")
        tap.ok("unbound_idn_fetch_failed" in (root / f"{LISTS}/fetch.prom").read_text(), "the metrics are there")

    root.must("systemctl", "enable", "--now", f"{FETCH}.timer")
    tap.equal(root.must("systemctl", "show", "-p", "ActiveState", "-p", "Unit", "--value", f"{FETCH}.timer").split(), [f"{FETCH}.service", "active"], "the timer waits for its time")
    root.must("systemctl", "reset-failed")
    active(tap, at, "at the end")

    drop_in(root, "look.conf", "[Service]\nExecStart=\nExecStart=-/usr/bin/find / -path /proc -prune -o ( -type d -o -type f ) -writable -print\nStandardError=null\n", f"{FETCH}.service")
    writable = sorted(fetched()[1])
    tap.equal([name for name in writable if not name.startswith(LISTS)], ["/dev/mqueue", "/dev/shm", "/run/lock", "/tmp", "/var/tmp"], "it may write nowhere else, except where everybody may")
    drop_in(root, "look.conf", "[Service]\nExecStart=\nExecStart=/usr/bin/sleep 600\n", f"{FETCH}.service")
    root.must("systemctl", "start", "--no-block", f"{FETCH}.service")
    tap.ok(eventually(lambda: root.run("pgrep", "-u", FETCH)[0] == 0, 10), "fetch runs")
    root.must("apt-get", "-q", "-y", "purge", "unbound-idn", "unbound-module-idn")
    tap.ok(not (root / LISTS).exists() and root.run("systemctl", "is-active", f"{FETCH}.timer")[0] != 0, "purged: neither lists nor timer")
    tap.equal(root.run("getent", "passwd", FETCH)[1], "", "purged: nor the user, whose process was stopped")
