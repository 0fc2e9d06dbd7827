# SPDX-License-Identifier: BSD-3-Clause
"""The units of conf/systemd/, by systemd's own eyes: it does not run here."""

import os
import re
import subprocess
from pathlib import Path

import guide

ROOT = Path(__file__).resolve().parents[2]
UNITS = ("unbound-idn-tap.service", "unbound-idn-tap.socket")


def analyze(world, folder, *words):
    environment = {**os.environ, "LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip(), "SYSTEMD_UNIT_PATH": f"{folder}:"}
    return subprocess.run([world.peers / "usr/bin/systemd-analyze", *words], env=environment, capture_output=True, text=True, timeout=60, check=False)


def test_units(world, tap):
    """Nothing is wrong with them, and little is exposed."""
    folder = world.new_folder("units")
    for name in UNITS:
        text = (ROOT / "conf/systemd" / name).read_text()
        (folder / name).write_text(text.replace("/usr/bin/unbound-idn", str(world.command)))
    for name in UNITS:
        done = analyze(world, folder, "verify", "--man=no", str(folder / name))
        tap.equal((done.returncode, done.stdout + done.stderr), (0, ""), f"{name}: no fault is found")
    with open(folder / UNITS[0], "a") as unit:
        unit.write("[Service]\nTpye=notify\n")
    tap.ok("Tpye" in analyze(world, folder, "verify", "--man=no", str(folder / UNITS[0])).stderr, "but in one with a fault")
    (folder / f"{UNITS[0]}.d").mkdir()
    (folder / f"{UNITS[0]}.d/stats.conf").write_text(guide.the_block("systemd-stats").replace("/usr/bin/unbound-idn", str(world.command)))
    done = analyze(world, folder, "verify", "--man=no", str(folder / UNITS[0]))
    tap.ok("stats.conf" not in done.stderr, f"nor in the guide's drop-in: {done.stderr}")
    done = analyze(world, folder, "security", "--offline=yes", "--threshold=10", str(folder / UNITS[0]))
    tap.equal(done.returncode, 0, f"exposure of at most 1.0: {done.stdout.splitlines()[-1:]}")


def test_paths(_, tap):
    """The socket is the one that the guide and the profile name."""
    path, = re.findall(r"^ListenStream=(.*)$", (ROOT / "conf/systemd" / UNITS[1]).read_text(), re.MULTILINE)
    for kind in ("unbound", "named", "kresd", "dnsdist"):
        tap.ok(path in guide.the_block(f"dnstap-{kind}"), f"{kind} sends there")
    tap.ok(f"{path} rw," in (ROOT / "conf/apparmor/usr.sbin.unbound").read_text(), "Debian's Unbound may")
    tap.equal([line for line in guide.the_block("systemd").splitlines() if not line.startswith("#")], list(UNITS)[::-1], "the guide names both units")
