# SPDX-License-Identifier: BSD-3-Clause
"""The units of conf/systemd/, by systemd's own eyes: it does not run here."""

import os
import re
import subprocess
from pathlib import Path

import guide
from apparmor import Profile, parser

ROOT = Path(__file__).resolve().parents[2]
UNITS = ("unbound-idn-tap.service", "unbound-idn-tap.socket")
FETCH = ("unbound-idn-fetch.service", "unbound-idn-fetch.timer")
EXPOSURE = {UNITS[0]: 10, FETCH[0]: 14}  # in tenths, of 100; fetch has the network


def analyze(world, folder, *words):
    environment = {**os.environ, "LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip(), "SYSTEMD_UNIT_PATH": f"{folder}:"}
    return subprocess.run([world.peers / "usr/bin/systemd-analyze", *words], env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_units(world, tap):
    """Nothing is wrong with them, and little is exposed."""
    folder = world.new_folder("units")
    for name in UNITS + FETCH:
        text = (ROOT / "conf/systemd" / name).read_text()
        (folder / name).write_text(text.replace("/usr/bin/unbound-idn", str(world.command)))
    whole = Path("/lib/systemd/system/sysinit.target").exists() and Path("/bin/kill").exists()
    if not whole:
        tap.skip("systemd-analyze verify", "this machine has no units of systemd's own, or no /bin/kill, which ours name")
    for name in UNITS + FETCH if whole else ():
        done = analyze(world, folder, "verify", "--man=no", str(folder / name))
        tap.equal((done.returncode, done.stdout + done.stderr), (0, ""), f"{name}: no fault is found")
    for name, most in EXPOSURE.items():
        done = analyze(world, folder, "security", "--offline=yes", f"--threshold={most}", str(folder / name))
        tap.equal(done.returncode, 0, f"{name}: exposure of at most {most / 10}: {done.stdout.splitlines()[-1:]}")
    with open(folder / UNITS[0], "a") as unit:
        unit.write("[Service]\nTpye=notify\n")
    tap.ok("Tpye" in analyze(world, folder, "verify", "--man=no", str(folder / UNITS[0])).stderr, "but in one with a fault")


def test_paths(_, tap):
    """The socket is the one that the guide and the profile name."""
    path, = re.findall(r"^ListenStream=(.*)$", (ROOT / "conf/systemd" / UNITS[1]).read_text(), re.MULTILINE)
    for kind in ("unbound", "named", "kresd", "dnsdist"):
        tap.ok(path in guide.the_block(f"dnstap-{kind}"), f"{kind} sends there")
    tap.ok(f"{path} rw," in (ROOT / "conf/apparmor/usr.sbin.unbound").read_text(), "Debian's Unbound may")
    tap.equal([line for line in guide.the_block("systemd").splitlines() if not line.startswith("#")], list(UNITS)[::-1], "the guide names both units")


def test_fetch(_, tap):
    """The folder that the service may write to is the one of its user, of the guide and of the profile."""
    service, user = ((ROOT / "conf/systemd" / name).read_text() for name in (FETCH[0], "unbound-idn-fetch.conf"))
    name, = re.findall(r"^User=(.*)$", service, re.MULTILINE)
    folder, = re.findall(r"^StateDirectory=(.*)$", service, re.MULTILINE)
    home = f"/var/lib/{folder}"
    tap.ok(re.search(rf'^u {name} - ".*" {home}$', user, re.MULTILINE), "its user")
    tap.ok(f"--metrics {home}/" in service, "the metrics")
    for profile in ("usr.sbin.unbound", "unbound-idn"):
        tap.ok(f"{home}/** r," in (ROOT / "conf/apparmor" / profile).read_text(), f"{profile}: Debian's Unbound may read it")
    tap.ok(f"{home}/" in (ROOT / "doc/operations.md").read_text(), "the guide")


def test_apparmor(world, tap):
    """Debian's profiles of Unbound and named, with the lines that are said to be needed, and without."""
    if not parser(world.peers):
        tap.skip("AppArmor", "no apparmor_parser")
        return
    path, = re.findall(r"^ListenStream=(.*)$", (ROOT / "conf/systemd" / UNITS[1]).read_text(), re.MULTILINE)
    line = f"{path} rw,"
    tap.ok(f"echo '{line}' >> /etc/apparmor.d/local/usr.sbin.unbound" in (ROOT / "tools/deb/unbound-idn.README.Debian").read_text(), "the package says it")
    tap.ok(f"`{line}` in `/etc/apparmor.d/local/usr.sbin.named`" in guide.GUIDE.read_text(), "the guide says it of BIND")
    for name, local in (("usr.sbin.unbound", line), ("usr.sbin.unbound", (ROOT / "conf/apparmor/usr.sbin.unbound").read_text()), ("usr.sbin.named", line)):
        bare, ours = (Profile(world.peers, world.new_folder("apparmor"), world.peers / "etc/apparmor.d" / name, text, name) for text in ("", f"{local}\n"))
        tap.ok(len(ours.compile()) > len(bare.compile()) > 0, f"{name}: the parser takes it")
        tap.equal((bare.lacks(path, "rw", False), ours.lacks(path, "rw", False)), ("rw", ""), f"{name}: the socket needs it, and may be used with it")
        tap.ok(ours.lacks(path + "x", "rw", True), f"{name}: and no other")
        if name == "usr.sbin.unbound":
            tap.equal([bare.lacks("/var/lib/unbound/tap.sock", "rw", owner) for owner in (True, False)], ["", "w"], "one of Unbound's user in its folder needs nothing")
