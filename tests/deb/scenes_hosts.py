# SPDX-License-Identifier: BSD-3-Clause
"""The policy in the distribution's own resolvers: each has nothing but packages and the lines that these ask for, runs as the user
that its unit names, and answers at port 53."""

import contextlib
import re
import shlex
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import syscalls
from apparmor import Profile, parser
from daemon import Daemon, DaemonError, children, end_children, eventually
from debianroot import DebianRoot, differences
from question import ask, exchange
from repack import repack
from test_apparmor import needs
from unit import FOLDERS

TOP = Path(__file__).resolve().parents[2]
SERVER = "127.0.0.1", 53
SNIPPET = "etc/unbound/unbound.conf.d/zz-unbound-idn-python.conf"


@dataclass(frozen=True)
class Host:
    """The paths of a package, and the names of the unit that starts the resolver in different releases."""

    package: str
    folder: str  # in /etc
    user: str
    units: tuple
    log: str
    lines: tuple = ()  # file in `folder`, the lines of README.Debian that go to its end


def readme(package, which):
    """The lines of the part of its README.Debian."""
    text = (TOP / f"tools/deb/{package}.README.Debian").read_text()
    return "\n".join(re.findall(r"(?m)^    (.*)$", re.findall(r"(?m)(?:^    .*\n)+", text)[which])) + "\n"


HOSTS = {
    "unbound": Host("unbound-idn-python", "unbound", "unbound", ("unbound",), "/var/lib/unbound/idn.log"),
    "kresd": Host("unbound-idn-kresd", "knot-resolver", "knot-resolver", ("kresd@", "knot-resolver"), "/var/log/unbound-idn-kresd/idn.log",
                  (("kresd.conf", 0),)),
    "recursor": Host("unbound-idn-recursor", "powerdns", "pdns", ("pdns-recursor",), "/var/log/unbound-idn-recursor/idn.log",
                     (("recursor.conf", 0), ("idn.lua", 1))),
    "dnsdist": Host("unbound-idn-dnsdist", "dnsdist", "_dnsdist", ("dnsdist",), "/var/log/unbound-idn-dnsdist/idn.log",
                    (("dnsdist.conf", 0),)),
}


def append(path, text):
    with path.open("a") as file:
        file.write(text)


def uncomment(rules):
    """A rule of the package's own rule file."""
    text, sample = rules.read_text(), "nxdomain    zone  казино.example\n"
    assert text.count(f"\n#{sample}") == 1
    rules.write_text(text.replace(f"\n#{sample}", f"\n{sample}"))


def unit_of(root, host):
    """Returns the path of the unit that starts the resolver; None: it is not installed."""
    paths = (root / folder / f"{unit}.service" for unit in host.units for folder in FOLDERS)
    return next((path for path in paths if path.is_file()), None)


def started(root, host, around=()):
    """The daemon as its unit has it: the command, and from the start its user, who may have port 53."""
    unit = unit_of(root, host).read_text()
    command = re.search(r"(?m)^ExecStart=(.*)$", unit)[1].replace("$DAEMON_OPTS", "").split()
    user = re.search(r"(?m)^User=(.*)$", unit)
    if not user:
        for line in re.findall(r"(?m)^ExecStartPre=-(.*)$", unit):
            root.run(*line.split())
    else:
        capability = "+net_bind_service"
        command = ["setpriv", f"--reuid={user[1]}", f"--regid={user[1]}", "--init-groups", f"--inh-caps={capability}",
                   f"--ambient-caps={capability}", *command]
    # Folders that systemd makes for RuntimeDirectory and tmpfiles.d.
    folders = "install -d -o $0 /run/knot-resolver /run/knot-resolver/control /var/lib/knot-resolver /var/cache/knot-resolver " \
        "/run/pdns-recursor && cd /tmp && exec \"$@\""
    return Daemon([*root.command("sh", "-c", folders, host.user, *around, *command)], "/")


@contextlib.contextmanager
def serving(root, host, around=()):
    before = children()
    daemon = started(root, host, around)
    try:
        yield daemon
    finally:
        # unshare(1), with which what it has started ends, unless that has become another user
        end_children(lambda: children() - before)
        daemon.wait_exit()


def rcode(name):
    with contextlib.suppress(OSError):
        return exchange(SERVER, ask(name), timeout=1).rcode
    return None


@contextlib.contextmanager
def machine(world, host):
    with contextlib.closing(DebianRoot(world.hosts)) as root:
        root.offer("ours")
        root.must("apt-get", "install", "-y", "--no-install-recommends", host.package)
        for name, part in host.lines:
            if name == "recursor.conf" and "\nrecursor:" in (root / "etc/powerdns" / name).read_text():
                name, part = "recursor.d/idn.yml", 2
            if name == "kresd.conf" and (root / "etc/knot-resolver/config.yaml").exists():  # Knot Resolver 6
                name, part = "config.yaml", 1
            append(root / "etc" / host.folder / name, readme(host.package, part))
        yield root


def becomes(daemon, name, wanted):
    """Returns whether the answer comes at last, while the daemon runs."""
    if not eventually(lambda: rcode(name) == wanted or daemon.process.poll() is not None) or daemon.process.poll() is not None:
        raise DaemonError(f"{name} is not answered {wanted}, but {rcode(name)}:\n{daemon.log()}{daemon.stdout.octets.decode()}")
    return True


def serves(tap, world, name, host):
    with machine(world, host) as root:
        rules = root / "etc" / host.folder / "idn-policy.conf"
        tap.equal([line for line in rules.read_text().splitlines() if line and line[0] != "#"], [], f"{name}: no rule is in force at first")
        uncomment(rules)
        if name == "unbound":
            root.run("/usr/libexec/unbound-helper", "root_trust_anchor_update")  # as its unit does; without it there is no root.key yet
            status, said = root.run("unbound-checkconf")
            tap.ok(status == 0, "unbound-checkconf, by root, takes it", said)
        with serving(root, host) as daemon:
            tap.ok(becomes(daemon, "казино.example", "NXDOMAIN"), f"{name}: a rule is in force whose # is removed")
            log = root / host.log
            line = 'policy=nxdomain rule=idn-policy.conf:'
            tap.ok(eventually(lambda: log.exists() and line in log.read_text()), f"{name}: its line is in the log")
            user = root.must("id", "-u", host.user).strip()
            tap.equal((str(log.stat().st_uid), oct(log.stat().st_mode & 0o777)), (user, "0o640"), f"{name}: the log is its user's")
            tap.ok(rcode("бинго.example") != "NXDOMAIN", f"{name}: another name is not refused")
            append(rules, "nxdomain zone бинго.example\n")
            tap.ok(becomes(daemon, "бинго.example", "NXDOMAIN"), f"{name}: but by a rule that is added, without a restart")


def test_hosts(tap, world):
    """Packages, their lines, a rule: refused, logged, swapped."""
    for name, host in HOSTS.items():
        if not world.has_host(host):
            tap.note(f"{name}: this release has no such package")
            continue
        try:
            serves(tap, world, name, host)
        except (DaemonError, RuntimeError):
            tap.raised(f"{name}: no exception")


def test_hosts_removed(tap, world):
    """Without the script, the package's lines are inactive: Unbound starts without it, and loads it again when it is back."""
    host = HOSTS["unbound"]
    with machine(world, host) as root:
        for command, module in ((("remove",), ""), (("install",), "python"), (("purge",), "")):
            root.must("apt-get", *command, "-y", "--no-install-recommends", host.package)
            said = root.must("unbound-checkconf", "-o", "module-config").split()
            tap.equal("python" in said, bool(module), f"{command[0]}: {' '.join(said)}")
        append(root / "etc/unbound/unbound.conf.d/site.conf", "server:\n    use-syslog: no\n    logfile: \"\"\n")
        with serving(root, host) as daemon:
            tap.ok(daemon.stderr.wait(lambda octets: b"start of service" in octets), "Unbound starts without it")


def test_hosts_edited(tap, world):
    """dpkg asks nothing about files that people edit, nor makes one again that they removed. They are purged with the last package
    that has them."""
    host = HOSTS["unbound"]
    with machine(world, host) as root, tempfile.TemporaryDirectory(prefix="idn-debs-", dir="/tmp") as folder:
        def changed(files, control):
            for path in files.rglob("idn*.conf"):
                append(path, "# another text\n")
            return control

        names = "idn.conf", "idn-policy.conf", "blocklist.txt", "protected.txt", "fraud-words.txt", "neighbours.txt"
        files = [root / "etc/unbound" / name for name in names]
        tap.equal([path.exists() for path in files], [True] * len(names), "they are there")
        append(files[1], "nxdomain zone мой.example\n")
        files[2].unlink()
        edited = [path.read_bytes() if path.exists() else None for path in files]
        deb = next((root / "ours").glob(f"{host.package}_*.deb"))
        repack(deb, root / "another.deb", root.must("dpkg-deb", "-f", f"/ours/{deb.name}", "Version").strip(), changed)
        status, said = root.run("dpkg", "-i", "/another.deb")
        tap.equal(status, 0, "another version: dpkg asks nothing")
        tap.note(said)
        tap.equal([path.read_bytes() if path.exists() else None for path in files], edited, "another version: they stay as they are")

        other = Path(folder, "DEBIAN")
        other.mkdir()
        (other / "control").write_text("Package: unbound-module-idn\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: the module's name\n")
        subprocess.run(["dpkg-deb", "-b", folder, root / "module.deb"], check=True, stdout=subprocess.DEVNULL)
        for command in (("-r", host.package), ("-i", "/module.deb"), ("-P", host.package)):
            root.must("dpkg", *command)
        tap.equal([path.read_bytes() if path.exists() else None for path in files], edited, "purged after a change to the module: they stay")
        root.must("dpkg", "-P", "unbound-module-idn")
        root.must("dpkg", "-i", f"/ours/{deb.name}")
        root.must("dpkg", "-P", host.package)
        tap.equal([path.name for path in files if path.exists()], [], "purged with no other: they are gone")


def test_hosts_purged(tap, world):
    """Nothing is left of the packages and their files. The scene of README.md's lines has Unbound's."""
    for name, host in HOSTS.items():
        if name == "unbound" or not world.has_host(host):
            continue
        with contextlib.closing(DebianRoot(world.hosts)) as root:
            def packages():
                return set(root.must("dpkg-query", "-W", "-f", "${Package}\n").split())

            root.offer("ours")
            pristine, before = root.tree(), packages()
            root.must("apt-get", "install", "-y", "--no-install-recommends", host.package)
            rules = root / "etc" / host.folder / "idn-policy.conf"
            tap.ok(rules.exists() and (root / host.log).parent.exists(), f"{name}: its rule file and the folder of its log are there")
            append(rules, "nxdomain zone мой.example\n")
            (root / host.log).write_text("a line\n")
            root.must("apt-get", "purge", "-y", *sorted(packages() - before))
            tap.equal(differences(pristine, root.tree()), [], f"{name}: purged, nothing is left")
            tap.ok(not (root / host.log).parent.exists(), f"{name}: nor its log")


def test_hosts_tap(tap, world):
    """The units of `unbound-idn fetch` and `tap` are there, and nothing enables them. AppArmor lets Unbound and named connect by
    README.Debian's line."""
    fetch = ["unbound-idn-fetch.service", "unbound-idn-fetch.timer"]
    units = ("unbound-idn-tap.service", "unbound-idn-tap.socket")
    with contextlib.closing(DebianRoot(world.hosts)) as root:
        root.offer("ours")
        root.must("apt-get", "install", "-y", "--no-install-recommends", "unbound-idn")
        files = root.must("dpkg", "-L", "unbound-idn").split()
        tap.equal(sorted(Path(file).name for file in files if "/systemd/system/" in file), [*fetch, *units], "they are all there")
        tap.equal([path.name for path in (root / "etc/systemd").rglob("unbound-idn*")], [], "none is enabled")
        name, *entry = root.must("getent", "passwd", "unbound-idn-fetch").split(":")[4:]  # Debian 12's adduser adds commas to a name
        tap.equal([name.rstrip(","), *entry], ["lists of policy rules", "/var/lib/unbound-idn-fetch", "/usr/sbin/nologin\n"], "fetch has a user")
        depends = root.must("dpkg-query", "-W", "-f", "${Depends}", "unbound-idn")
        tap.ok("libfstrm0" in depends, "what reads dnstap is depended on", depends)
        tap.ok("systemd" not in depends, "systemd is not, which a container has no use for", depends)
        if not parser(world.peers):
            tap.skip("AppArmor", "no apparmor_parser")
            return
        socket = re.search(r"(?m)^ListenStream=(.*)$", (root / next(file for file in files if file.endswith(units[1]))).read_text())[1]
        line = re.search(r"echo '(.*)' >> /etc/apparmor.d/local/usr.sbin.unbound", readme("unbound-idn", 2))[1]
        for name in ("usr.sbin.unbound", "usr.sbin.named"):
            for local, lacks in (("", "rw"), (line + "\n", "")):
                with tempfile.TemporaryDirectory(prefix="idn-apparmor-", dir="/tmp") as folder:
                    profile = Profile(world.peers, Path(folder), root / "etc/apparmor.d" / name, local, name)
                    tap.equal(profile.lacks(socket, "rw", False), lacks, f"{name} with '{local.strip()}'")


def test_hosts_readme(tap, world):
    """README.md's lines that install, ask and purge, in a Debian without systemd, where packages start no daemon."""
    text = (TOP / "README.md").read_text()
    block = next(block for block in re.findall(r"(?ms)^```\n(.*?)^```$", text) if "cd build/deb-hosts" in block)
    purge, = re.findall(r"`(apt-get purge .*?)`", text)
    with contextlib.closing(DebianRoot(world.hosts)) as root:
        root.offer("ours")
        (root / "clone/build").mkdir(parents=True)
        (root / "clone/build/deb-hosts").symlink_to("/ours")
        root.must("sh", "-c", "service unbound start && service unbound stop")  # which makes files, too
        pristine, users = root.tree(), root.must("sh", "-c", "getent passwd && getent group")
        *before, redirected, refused = (line.partition("   #")[0] for line in block.splitlines())
        tool = root.must("dpkg-query", "-S", f"/usr/bin/{redirected.split()[0]}").partition(":")[0]
        tap.ok(tool in before[1].split(), "they install what the last asks with", tool)
        asked = f"until {redirected} | grep -x 192.0.2.80; do sleep 1; done"
        status, said = root.run("bash", "-ec", "\n".join(["cd /clone", *before, f"timeout 30 bash -c {shlex.quote(asked)}", refused]))
        tap.equal(status, 0, "the first question is answered as the rule says")
        tap.ok("status: REFUSED" in said and "EDE: 15 (Blocked): (my own rule)" in said, "so is the second", said)
        tap.ok(re.search(r"\b2 rules\b", said) and "idn.conf: fine" in said, "check says how many rules there are, and no error", said)
        tap.note(said)
        root.run("unbound-checkconf")  # as root, who may write where the script's folder is
        tap.ok((root / "etc/unbound/__pycache__").exists(), "Python has compiled a file")
        root.must(*purge.split(), "-y")
        tap.equal(differences(pristine, root.tree()), [], "purged, nothing is left")
        tap.equal(root.must("sh", "-c", "getent passwd && getent group"), users, "purged, neither user nor group is left")


def test_hosts_apparmor(tap, world):
    """Debian's profile of Unbound, with what the package adds, allows all that Unbound opens."""
    if not parser(world.peers) or not syscalls.works():
        tap.skip("AppArmor", "no apparmor_parser, or strace cannot trace here")
        return
    host, file, script = HOSTS["unbound"], "usr.sbin.unbound", "/usr/share/unbound-idn/unbound.py"
    with machine(world, host) as root, tempfile.TemporaryDirectory(prefix="idn-apparmor-", dir="/tmp") as folder:
        local = (root / "etc/apparmor.d/local" / file).read_text()
        tap.equal(local.count("abstractions/unbound-idn>"), 1, "the profile includes it")
        profiles = {}
        for name in ("ours", "bare"):
            (Path(folder) / name / "abstractions").mkdir(parents=True)
            (Path(folder) / name / "abstractions/unbound-idn").write_bytes((root / "etc/apparmor.d/abstractions/unbound-idn").read_bytes())
            profiles[name] = Profile(world.peers, Path(folder) / name, root / "etc/apparmor.d" / file, local if name == "ours" else "", file)
        tap.ok(len(profiles["ours"].compile()) > len(profiles["bare"].compile()) > 0, "the parser takes it")
        append(root / "etc" / host.folder / "idn-policy.conf", "nxdomain zone казино.example\n")
        with serving(root, host, ("strace", *syscalls.STRACE[1:], "-o", "/trace")) as running:
            becomes(running, "казино.example", "NXDOMAIN")
        calls = syscalls.read(root / "trace", "/")
        begin = next(n for n, call in enumerate(calls) if call.name == "execve" and call.paths[0].endswith("/unbound"))
        wanted = needs(calls[begin:], "/nowhere")
        tap.ok({script, host.log, f"/etc/{host.folder}/idn-policy.conf"} <= set(wanted), "what it opens is seen", sorted(wanted))
        wanted = {path + "/" * (root / path).is_dir(): letters for path, letters in wanted.items()}
        refused = {path: profiles["ours"].lacks(path, letters, path.startswith(("/var/", "/proc/"))) for path, letters in wanted.items()}
        program = (root / "usr/sbin/unbound").read_bytes()  # what it names itself is Debian's
        tap.equal({path: letters for path, letters in refused.items() if letters and path.encode() not in program}, {}, "the profile allows all of it")
        tap.equal(profiles["bare"].lacks(script, "r", False), "r", "and without the addition not")
