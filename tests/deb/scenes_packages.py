# SPDX-License-Identifier: BSD-3-Clause
"""Tests the content of the packages and what the tools say about them, without a daemon."""

import contextlib
import re
import subprocess
import tempfile
from pathlib import Path

import guide
from apparmor import Profile, parser
from debianroot import DebianRoot
from repack import build_id, field


def is_below(older, newer):
    return subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=False).returncode == 0


def test_versions(tap, world):
    """Ours upgrades Debian's, and whatever Debian makes of it later upgrades ours."""
    stock, ours = world.stock_version, world.version
    tap.ok(is_below(stock, ours), f"{ours} upgrades {stock}")
    for later in (stock + "+b1", stock + "+deb99u1", stock + ".1", stock + "+nmu1"):
        tap.ok(is_below(ours, later), f"{later} upgrades {ours}")
    plain = stock.split("+deb")[0]
    for base in (plain, plain + "+deb12u4", plain + "+deb12u4+b1", "1.22.0-2"):
        tap.ok(is_below(base, base + "+0idn1") and is_below(base + "+0idn1", base + "+0idn2"), f"{base}+0idn1 upgrades {base}")
        tap.ok(is_below(base + "+0idn1", base + "+b1"), f"a rebuild of {base} upgrades it")
    tap.ok(is_below("1.22.0-2+0idn1", "1.22.0-2+deb13u1"), "the first security update of a release upgrades it")
    tap.ok(is_below(world.module_version, world.next_versions[1]), "the module for a later Unbound upgrades the module")


@contextlib.contextmanager
def unpacked(deb):
    with tempfile.TemporaryDirectory(prefix="idn-unpacked-", dir="/tmp") as folder:
        subprocess.run(["dpkg-deb", "-R", deb, folder], check=True)
        yield Path(folder)


def files_of(folder):
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if not path.is_dir() and "DEBIAN" not in path.parts}


def test_unbound_is_debians(tap, world):
    """Our packages differ from Debian's only in the programs, by --with-dynlibmodule, and in the changelog's date."""
    with unpacked(world.stock) as stock, unpacked(world.debs["unbound"]) as ours:
        left, right = files_of(stock), files_of(ours)
        tap.equal(sorted(right), sorted(left), "the same files")
        changed = [path for path in sorted(left.keys() & right.keys()) if left[path].is_file() and not left[path].is_symlink() and
                   left[path].read_bytes() != right[path].read_bytes()]
        tap.equal([path for path in changed if not path.startswith(("usr/sbin/", "usr/share/doc/unbound/changelog"))], [],
                  "the same unit, profile, configuration and manuals")
        tap.equal((ours / "DEBIAN/conffiles").read_text(), (stock / "DEBIAN/conffiles").read_text(), "the same conffiles")
        for script in ("preinst", "postinst", "prerm", "postrm"):
            before, after = (((folder / "DEBIAN" / script).read_text() if (folder / "DEBIAN" / script).exists() else "")
                             for folder in (stock, ours))
            tap.equal(after, before, f"the same {script}")
        tap.ok("packages@" in field(world.debs["unbound"], "Maintainer"), "questions about it do not go to Debian")
        for name in ("Depends", "Pre-Depends", "Recommends", "Suggests", "Conflicts", "Breaks", "Replaces"):
            tap.equal(field(world.debs["unbound"], name), field(world.stock, name), f"the same {name}")
        symbols = subprocess.run(["nm", "-D", "--defined-only", ours / "usr/sbin/unbound"], check=True, capture_output=True, text=True).stdout
        tap.ok(" module_" in symbols or " regional_alloc" in symbols, "the daemon has symbols for modules")


def test_build_id(tap, world):
    """The name that ties the two packages is the daemon's build id."""
    with unpacked(world.debs["unbound"]) as ours, unpacked(world.debs["unbound-module-idn"]) as module:
        ident = build_id(ours / "usr/sbin/unbound")
        name = f"unbound-buildid-{ident[:20]}"
        tap.equal(field(world.debs["unbound"], "Provides"), name, "unbound provides its own")
        tap.ok(name in field(world.debs["unbound-module-idn"], "Depends").split(", "), "the module depends on it",
               field(world.debs["unbound-module-idn"], "Depends"))
        tap.ok(ident.encode() in (module / "usr/lib/unbound/idn.so").read_bytes(), "the module looks for it")
        conffiles = (module / "DEBIAN/conffiles").read_text().split()
        tap.equal(sorted(conffiles), ["/etc/apt/apt.conf.d/01autoremove-unbound", "/etc/logrotate.d/unbound-module-idn"], "conffiles of the module")
        scripts = "".join((module / "DEBIAN" / name).read_text() for name in ("postinst", "prerm", "postrm"))
        tap.ok("restart unbound.service" in scripts and "reload unbound" not in scripts, "a restart, never a reload")


def test_defaults(tap, world):
    """Each idn.conf logs what the guide advises, and does not call that the default. All packages have the same rule file, which that
    idn.conf names; those for Unbound have the same idn.conf."""
    advised = [line for line in guide.the_block("idn.conf").splitlines() if line.strip().startswith(("log-names:", "log-client:"))]
    tap.equal(len(advised), 2, "the guide advises")
    found = {}
    for name, deb in world.debs.items():
        with unpacked(deb) as folder:
            tap.equal([str(path) for path in folder.glob("etc/**/idn*.conf")], [], f"{name}: no file that people edit is in the package as such")
            for path in folder.glob(f"usr/share/{name}/idn.conf"):
                lines = path.read_text().splitlines()
                tap.equal([line for line in advised if line not in lines], [], f"{name}: as advised")
                tap.ok("with what the package sets" in lines[0], f"{name}: and it says so", lines[0])
                tap.ok("    policy: idn-policy.conf" in lines, f"{name}: it names the rule file", lines)
                found[name] = {file.name: file.read_text() for file in path.parent.iterdir()}
    names = ["blocklist.txt", "fraud-words.txt", "idn-policy.conf", "idn.conf", "neighbours.txt", "protected.txt"]
    tap.equal({name: sorted(files) for name, files in found.items()}, dict.fromkeys(found, names), "all have the same files")
    for name in names:
        some = {text[name] for package, text in found.items() if name != "idn.conf" or package in ("unbound-idn-python", "unbound-module-idn")}
        tap.equal(len(some), 1, f"and the same {name}")
    rules = next(iter(found.values()))["idn-policy.conf"]
    tap.equal([line for line in rules.splitlines() if line and line[0] != "#"], [], "no rule is in force")
    tap.ok(len(re.findall(r"(?m)^#[a-z]", rules)) > 20, "but many are there", rules)


def test_completion(tap, world):
    """It is where Debian's shells look."""
    with unpacked(world.debs["unbound-idn"]) as folder:
        for path in "bash-completion/completions/unbound-idn", "zsh/vendor-completions/_unbound-idn", "fish/vendor_completions.d/unbound-idn.fish":
            text = (folder / "usr/share" / path).read_text()
            tap.ok("--help" in text and "function offer(" in text, f"/usr/share/{path}", text)


def test_apparmor(tap, world):
    """Debian's profile needs no addition for what the packages have by default."""
    if not parser(world.peers):
        tap.skip("AppArmor", "no apparmor_parser")
        return
    with unpacked(world.debs["unbound"]) as ours, tempfile.TemporaryDirectory(prefix="idn-apparmor-", dir="/tmp") as folder:
        profile = Profile(world.peers, Path(folder), ours / "etc/apparmor.d/usr.sbin.unbound", "")
        for path, wanted, is_owner in (("/usr/lib/unbound/idn.so", "mr", False), ("/etc/unbound/idn.conf", "r", False),
                                       ("/etc/unbound/idn-policy.conf", "r", False), ("/var/lib/unbound/idn.log", "rw", True),
                                       ("/var/lib/unbound/idn.prom", "rw", True), ("/var/lib/unbound/idn.prom.new", "rw", True)):
            tap.equal(profile.lacks(path, wanted, is_owner), "", path)
        tap.equal(profile.lacks("/var/log/unbound/idn.log", "w", True), "w", "not so elsewhere")


def lintian(*debs):
    """Lintian's findings about packages, a line each, without the names of files and numbers of lines."""
    done = subprocess.run(["lintian", "--allow-root", *debs], check=False, capture_output=True, text=True)
    return sorted({line.split(" [")[0] for line in done.stdout.splitlines()} | set(done.stderr.splitlines()))


def test_lintian(tap, world):
    """Lintian finds nothing in Unbound's package that it does not find in Debian's own."""
    tap.equal(lintian(*(deb for name, deb in world.debs.items() if name != "unbound")), [], "nothing to say of ours")
    known = lintian(world.stock)
    tap.equal([line for line in lintian(world.debs["unbound"]) if line not in known], [], "nothing new of Unbound's")


def test_library(tap, world):
    """Programs of other authors build with only the library's packages and a compiler."""
    with contextlib.closing(DebianRoot(world.builder)) as root:
        (root / "deb").mkdir()
        packages = [world.debs[name] for name in ("libxn1", "libxn-punycode1", "libxn-dev")]
        for path in (*packages, Path(__file__).resolve().parents[2] / "doc/example.c"):
            (root / "deb" / path.name).write_bytes(path.read_bytes())
        root.must("dpkg", "-i", *(f"/deb/{path.name}" for path in packages))
        for flags in ("--libs", "--static --libs"):
            static = "-static" if "static" in flags else ""
            tap.equal(root.must("sh", "-c", f"cd /deb && cc -o example example.c {static} $(pkg-config --cflags {flags} libxn) 2>said && ./example || cat said"),
                      "www.p\\u{430}ypal.example\nlabel 2 is restricted: script-mix\n", f"doc/example.c, {flags}")
        tap.ok("libxn-punycode1" not in field(world.debs["libxn1"], "Depends"), "libxn1 stands alone")
        tap.ok("icu" not in field(world.debs["libxn-punycode1"], "Depends"), "libxn-punycode1 needs no ICU")
