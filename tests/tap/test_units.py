# SPDX-License-Identifier: BSD-3-Clause
"""Tests the units of conf/systemd/ with systemd-analyze, since systemd does not run here."""

import os
import re
import subprocess
from pathlib import Path

from apparmor import Profile, parser

ROOT = Path(__file__).resolve().parents[2]
UNITS = ("unbound-idn-tap.service", "unbound-idn-tap.socket")
FETCH = ("unbound-idn-fetch.service", "unbound-idn-fetch.timer")
LISTS = "/var/lib/unbound-idn-fetch/list.txt"
EXPOSURE = {UNITS[0]: 10, FETCH[0]: 14}  # at most; tenths on systemd-analyze's scale of 10; fetch needs the network


def analyze(world, folder, *words):
    environment = {**os.environ, "LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip(), "SYSTEMD_UNIT_PATH": f"{folder}:"}
    return subprocess.run([world.peers / "usr/bin/systemd-analyze", *words], env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_units(world, tap):
    """Finds no fault in the units, and little exposure."""
    folder = world.new_folder("units")
    for name in UNITS + FETCH:
        text = (ROOT / "conf/systemd" / name).read_text()
        (folder / name).write_text(text.replace("/usr/bin/unbound-idn", str(world.command)))
    whole = Path("/lib/systemd/system/sysinit.target").exists() and Path("/bin/kill").exists()
    if not whole:
        tap.skip("systemd-analyze verify", "systemd's own units or /bin/kill, which the units name, are missing here")
    for name in UNITS + FETCH if whole else ():
        done = analyze(world, folder, "verify", "--man=no", str(folder / name))
        tap.equal((done.returncode, done.stdout + done.stderr), (0, ""), f"{name}: no fault")
    for name, most in EXPOSURE.items():
        done = analyze(world, folder, "security", "--offline=yes", f"--threshold={most}", str(folder / name))
        tap.equal(done.returncode, 0, f"{name}: exposure of at most {most / 10}: {done.stdout.splitlines()[-1:]}")
    with open(folder / UNITS[0], "a") as unit:
        unit.write("[Service]\nTpye=notify\n")
    tap.ok("Tpye" in analyze(world, folder, "verify", "--man=no", str(folder / UNITS[0])).stderr, "a fault is found")


def test_apparmor(world, tap):
    """Compares Debian's AppArmor profiles of Unbound and named without our lines and with them."""
    if not parser(world.peers):
        tap.skip("AppArmor", "no apparmor_parser")
        return
    path, = re.findall(r"^ListenStream=(.*)$", (ROOT / "conf/systemd" / UNITS[1]).read_text(), re.MULTILINE)
    line = f"{path} rw,"
    for name, local in (("usr.sbin.unbound", line), ("usr.sbin.unbound", (ROOT / "conf/apparmor/usr.sbin.unbound").read_text()), ("usr.sbin.named", line)):
        bare, ours = (Profile(world.peers, world.new_folder("apparmor"), world.peers / "etc/apparmor.d" / name, text, name) for text in ("", f"{local}\n"))
        tap.ok(len(ours.compile()) > len(bare.compile()) > 0, f"{name}: apparmor_parser accepts it")
        tap.equal((bare.lacks(path, "rw", False), ours.lacks(path, "rw", False)), ("rw", ""), f"{name}: the socket may be used only with the line")
        tap.ok(ours.lacks(path + "x", "rw", True), f"{name}: no other socket may be used")
        if name == "usr.sbin.unbound":
            tap.equal([bare.lacks("/var/lib/unbound/tap.sock", "rw", owner) for owner in (True, False)], ["", "w"], "a socket of Unbound's user in its own folder needs no line")
    for local in "usr.sbin.unbound", "unbound-idn":
        bare, ours = (Profile(world.peers, world.new_folder("apparmor"), world.peers / "etc/apparmor.d/usr.sbin.unbound", text, "usr.sbin.unbound")
                      for text in ("", (ROOT / "conf/apparmor" / local).read_text()))
        tap.equal((bare.lacks(LISTS, "r", False), ours.lacks(LISTS, "r", False)), ("r", ""), f"{local}: the lists of fetch may be read only with it")
