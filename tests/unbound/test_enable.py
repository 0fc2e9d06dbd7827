# SPDX-License-Identifier: BSD-3-Clause
"""unbound-idn enable before a start: Unbound starts, with the module if it would not stop by it, and Debian's own, which
cannot load modules, without."""

import os
import re
import shutil
import subprocess

from daemon import DaemonError, free_port
from harness import write_idn
from question import ask, exchange

SNIPPET = "conf.d/zz-unbound-idn.conf"
NAME = "www.xn--bcher-kva.example."
SHOWN = 'u="www.bücher.example"'
MARKER = b"unbound-idn-build-id="
RULES = "nxdomain zone xn--80aodfsg.example\n"
RPZ = 'rpz:\n    name: "rpz.example."\n    zonefile: "rpz.zone"\n'
RPZ_ZONE = "@ 60 IN SOA a. b. 1 2 3 4 5\nblocked.example 60 IN CNAME .\n"


class Site:
    """An Unbound's configuration as Debian lays it out, without the module, and what would load it beside it."""

    def __init__(self, world, modules="validator iterator", clauses=""):
        self.world = world
        self.folder = world.new_folder("enable")
        self.port = free_port()
        world.configure(self.folder, self.port, None, None, 1, modules, "", f'{clauses}\ninclude-toplevel: "{self.folder}/conf.d/*.conf"')
        (self.folder / "conf.d").mkdir()
        shutil.copy(world.module, self.folder / "idn.so")
        write_idn(self.folder, "policy: rules")
        self.write("rules", RULES)
        self.write("rpz.zone", RPZ_ZONE)
        self.snippet = self.folder / SNIPPET
        self.daemon = world.unbound / "sbin/unbound"
        self.said = ""

    def write(self, name, text, mode=0o644):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(mode)

    def enable(self, *options):
        """The exit status; self.said is the line."""
        done = subprocess.run([self.world.command, "enable", "--daemon", self.daemon, "--unbound-conf", self.folder / "unbound.conf", "--module",
                               self.folder / "idn.so", "--conf", self.folder / "idn.conf", "--snippet", self.snippet, *options],
                              capture_output=True, timeout=60, check=False)
        self.said = done.stderr.decode()
        return done.returncode

    def start(self):
        """(whether it starts, whether a log has NAME in Unicode, the daemon's own log)."""
        daemon = self.world.start(self.folder, self.daemon.parent.parent)
        try:
            daemon.wait_started(b"start of service")
            exchange(("127.0.0.1", self.port), ask(NAME))
            daemon.stop()
            logs = [path.read_text() for path in (self.folder / "log").iterdir() if path.is_file()]
            return True, any(SHOWN in log for log in [daemon.log(), *logs]), daemon.log()
        except DaemonError:
            daemon.stop()
            return False, False, daemon.log()

    def check(self, *options):
        return subprocess.run([self.daemon.parent / "unbound-checkconf", "unbound.conf", *options], cwd=self.folder, capture_output=True, timeout=60,
                              text=True, check=False)


def starts(tap, site, logs, what):
    started, shown, log = site.start()
    tap.ok(started, f"{what}: it starts", f"{site.said}\n{log}")
    tap.equal(shown, logs, f"{what}: {'with' if logs else 'without'} the module's log")
    return log


def test_with_the_module(world, tap):
    """Before the modules that the configuration has, and unbound-checkconf likes it."""
    for modules, clauses in ("validator iterator", ""), ("respip validator iterator", RPZ), ("subnetcache validator iterator", ""), ("dns64 validator iterator", ""):
        if world.lacks(tap, modules):
            continue
        site = Site(world, modules, clauses)
        tap.equal((site.enable(), site.snippet.exists()), (0, True), f"{modules}: written: {site.said}")
        tap.ok(f'"dynlib {modules}"' in site.snippet.read_text(), f"{modules}: dynlib before them", site.snippet.read_text())
        checked = site.check()
        tap.equal(checked.returncode, 0, f"{modules}: unbound-checkconf: {checked.stderr.strip()}")
        starts(tap, site, True, modules)


def test_default_modules(world, tap):
    """Where the configuration does not say which modules, they are those that this very daemon has by itself."""
    site = Site(world)
    conf = site.folder / "unbound.conf"
    conf.write_text(conf.read_text().replace('    module-config: "validator iterator"\n', ""))
    own = site.check("-o", "module-config").stdout.strip()
    site.enable()
    tap.equal(site.check("-o", "module-config").stdout.strip(), f"dynlib {own}", "dynlib before the default")
    starts(tap, site, True, f"default {own}")


def test_asked(world, tap):
    """Messages of this unbound-checkconf about the snippet: it is taken out again, and Unbound starts."""
    for name, text, why in (("zzz", 'server:\n    module-config: "validator iterator"\n', 'no dynlib in module-config "validator iterator"'),
                            ("own", 'dynlib:\n    dynlib-file: "/none.so"\n', "cannot read /none.so"),
                            ("own", 'server:\n    module-config: "validator respip iterator"\n', "is not known to work")):
        site = Site(world)
        site.write(f"conf.d/{name}.conf", text)
        tap.equal((site.enable(), os.listdir(site.folder / "conf.d")), (1, [f"{name}.conf"]), f"{why}: not there")
        tap.ok(why in site.said, f"{why}: it is said", site.said)
        starts(tap, site, False, why)
    site = Site(world)
    (site.folder / "unbound.conf").write_text((site.folder / "unbound.conf").read_text().replace("conf.d/*.conf", "conf.d/*.inc"))
    tap.equal((site.enable(), os.listdir(site.folder / "conf.d")), (1, []), "not included: not there")
    tap.ok(" does not include " in site.said, "not included: it is said", site.said)
    for text, why in (("server: nonsense: 1\n", ": error: unknown keyword 'nonsense'"), ("server: directory: /none\n", "bad chdir directory")):
        site = Site(world)
        with open(site.folder / "unbound.conf", "a", encoding="utf-8") as conf:
            conf.write(text)
        done = subprocess.run([world.command, "check", "--unbound-conf", site.folder / "unbound.conf", "--daemon", site.daemon], capture_output=True,
                              text=True, timeout=60, check=False)
        tap.ok(done.returncode == 1 and why in done.stdout, f"check: {why}", done.stdout)


def test_stock(world, tap):
    """An upgrade to Debian's own package, which cannot load modules, and back."""
    stock = world.peers / "usr/sbin/unbound"
    if not stock.exists():
        tap.skip("Debian's own Unbound", "it is not among the peers")
        return
    site = Site(world)
    site.enable()
    ours, site.daemon = site.daemon, stock
    started, _, log = site.start()
    tap.ok(not started and "dynlib" in log, "it does not start with what loads the module", log)
    tap.equal(site.check("-o", "chroot").returncode, 0, "Debian's unbound-helper can ask it for the chroot all the same")
    tap.equal((site.enable(), site.snippet.exists(), "cannot load modules" in site.said), (1, False, True), "removed")
    starts(tap, site, False, "stock")
    tap.equal((site.enable("--required"), site.snippet.exists()), (1, True), "--required: a status for the unit, and the file stays")
    tap.ok(not site.start()[0], "--required: nor would the daemon start")
    site.daemon = ours
    tap.equal((site.enable(), site.said.endswith(" written\n")), (0, True), "ours again")
    starts(tap, site, True, "ours again")


def test_other_build(world, tap):
    """An upgrade to another build, before the module that fits it comes."""
    if not world.other_modules:
        tap.skip("a module of another Unbound", "only one Unbound is built here (--other-module)")
    for module in world.other_modules:
        site = Site(world)
        site.enable()
        shutil.copy(module, site.folder / "idn.so")
        tap.ok(not site.start()[0], f"{module.name}: it does not start with what loads the module")
        tap.equal((site.enable(), site.snippet.exists()), (1, False), f"{module.name}: removed")
        tap.ok("build id" in site.said, f"{module.name}: and it is said why", site.said)
        starts(tap, site, False, module.name)


def replaced(name, old, new):
    def change(site):
        octets = (site.folder / name).read_bytes()
        assert old in octets
        (site.folder / name).unlink()
        (site.folder / name).write_bytes(octets.replace(old, new))
    return change


def cut(name, size):
    return lambda site: os.truncate(site.folder / name, size)


def writes(name, text, mode=0o644):
    return lambda site: site.write(name, text, mode)


def idn(text, *more):
    def change(site):
        write_idn(site.folder, text)
        for step in more:
            step(site)
    return change


def fifo(name):
    def change(site):
        (site.folder / name).unlink(missing_ok=True)
        os.mkfifo(site.folder / name)
    return change


def closed(name):
    """For its owner alone, who is not the daemon's user where root starts it."""
    return lambda site: (site.folder / name).chmod(0)


def other_build(site):
    """By the only word of it that enable sees, which must be the one that the module goes by."""
    octets = (site.folder / "idn.so").read_bytes()
    at = octets.index(MARKER) + len(MARKER)
    (site.folder / "idn.so").unlink()
    (site.folder / "idn.so").write_bytes(octets[:at] + (b"1" if octets[at:at + 1] == b"0" else b"0") + octets[at + 1:])


def linked(site):
    (site.folder / "log/link.log").symlink_to("other.log")


def copy_below(root, path):
    (root / path.lstrip("/")).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(path, root / path.lstrip("/"))


def boxed(*more):
    """The module and its files are below the chroot, libraries or not."""
    def change(site):
        conf, root = site.folder / "unbound.conf", site.folder / "root"
        conf.write_text(conf.read_text().replace('chroot: ""', f'chroot: "{root}"'))
        assert f'chroot: "{root}"' in conf.read_text()
        for name in "idn.so", "idn.conf", "rules", "example.anchor":
            copy_below(root, str(site.folder / name))
        for step in more:
            step(site, root)
    return change


def with_libraries(site, root):
    found = subprocess.run(["ldd", site.folder / "idn.so"], capture_output=True, text=True, check=True).stdout
    for path in re.findall(r"(/\S+) \(", found):
        copy_below(root, path)


TAGS = "".join(f"log zones none.txt tag=t{n}\n" for n in range(65))

SILENT = "with the module, which writes no log"

# A change, and whether Unbound then still starts with the module.
CHANGES = {
    "no idn.conf": (lambda site: (site.folder / "idn.conf").unlink(), SILENT),
    "idn.conf is a FIFO": (fifo("idn.conf"), SILENT),
    "idn.conf has an error": (idn("nonsense: 1"), SILENT),
    "idn.conf may not be read": (closed("idn.conf"), SILENT),
    "no rules": (lambda site: (site.folder / "rules").unlink(), True),
    "rules have an error": (writes("rules", RULES + "nonsense\n"), True),
    "rules may not be read": (closed("rules"), True),
    "rules are a FIFO": (fifo("rules"), True),
    "too many tags of lists": (writes("rules", TAGS), True),
    "a list is missing": (writes("rules", "nxdomain zones none.txt\n"), True),
    "a list has errors": (lambda site: (site.write("rules", "nxdomain zones list\n"), site.write("list", "!\n\n..\n")), True),
    "a list may not be read": (lambda site: (site.write("rules", "nxdomain zones list\n"), site.write("list", "", 0)), True),
    "a zone has errors": (writes("rules", "rpz rules\n"), True),
    "an alias for itself": (lambda site: (site.write("rules", "cname a.example zones list\n"), site.write("list", "example\n")), True),
    "a log": (idn("log-to: log/idn.log"), True),
    "a log in a folder that is not there": (idn("log-to: none/idn.log"), SILENT),
    "a log in a folder of root's": (idn("log-to: closed/idn.log", lambda site: (site.folder / "closed").mkdir(0o555)), SILENT),
    "a log that is a link": (idn("log-to: log/link.log", linked), SILENT),
    "a log that is a FIFO": (idn("log-to: log/fifo.log", fifo("log/fifo.log")), SILENT),
    "metrics in a folder that is not there": (idn("metrics-file: none/idn.prom"), True),
    "no module": (lambda site: (site.folder / "idn.so").unlink(), False),
    "the module is text": (writes("idn.so", "idn\n"), False),
    "the module is empty": (writes("idn.so", ""), False),
    "the module is a FIFO": (fifo("idn.so"), False),
    "the module may not be read": (closed("idn.so"), False),
    "the module is cut off": (cut("idn.so", 300000), False),
    "the module lacks a library": (replaced("idn.so", b"\0libldns.so.3\0", b"\0libldns.so.9\0"), False),
    "the module was made for another build": (other_build, False),
    "the module in a chroot": (boxed(with_libraries), True),
    "the module in a chroot without libraries": (boxed(), False),
    "the module has other rights": (lambda site: (site.folder / "idn.so").chmod(0o444), True),
}


REQUIRED = {
    "idn.conf has an error": lambda site: write_idn(site.folder, "nonsense: 1\nrequired: yes"),
    "rules have an error": writes("rules", "nonsense\n"),
    "no rules": lambda site: (site.folder / "rules").unlink(),
    "a log in a folder that is not there": lambda site: write_idn(site.folder, "log-to: none/idn.log\nrequired: yes"),
    "the module is text": writes("idn.so", "idn\n"),
}


def test_required(world, tap):
    """With `required: yes` in idn.conf, Unbound does not start without its rules, by whatever way it is started."""
    for what, change in REQUIRED.items():
        site = Site(world)
        write_idn(site.folder, "policy: rules\nrequired: yes")
        tap.equal(site.enable(), 0, f"{what}: not yet: {site.said}")
        starts(tap, site, True, f"{what}: not yet")
        change(site)
        tap.equal(site.enable(), 1, f"{what}: status")
        tap.ok(site.snippet.exists() and "which is required" in site.said, f"{what}: it stays in", site.said)
        started, _, log = site.start()
        tap.ok(not started, f"{what}: Unbound does not start", log)


def test_what_is_said_holds(world, tap):
    """After any error Unbound starts with the files that enable leaves. If these are without the module, Unbound would not
    have started with it."""
    for what, (change, wanted) in CHANGES.items():
        if os.geteuid() != 0 and ("may not" in what or "root's" in what or "chroot" in what):
            continue
        site = Site(world)
        change(site)
        tap.equal(site.enable(), 0 if wanted else 1, f"{what}: status")
        tap.equal(site.said.count("\n"), 1, f"{what}: one line")
        fits = site.snippet.exists()
        tap.equal(fits, bool(wanted), f"{what}: {'in' if wanted else 'left out'}")
        starts(tap, site, wanted is True, what)
        site.enable("--required")
        started, _, log = site.start()
        tap.ok(started == fits, f"{what}: with the module it would {'' if fits else 'not '}have started", f"{site.said}\n{log}")
