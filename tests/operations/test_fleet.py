# SPDX-License-Identifier: BSD-3-Clause
"""doc/fleet.md: its configurations, read by the servers they are for, and its commands."""

import os
import re
import shutil
import subprocess

import guide
from daemon import eventually
from desk import BLOCKED, PLAIN, desk

KINDS = {"sh", "knot", "named", "unbound",
         "clickhouse", "syslog-ng", "rsyslog-kafka", "kafka"}  # by test_clickhouse.py


def test_every_block(_, tap):
    tap.equal({block.kind for block in guide.blocks(document=guide.FLEET)}, KINDS, "each kind of block is run by a test, and each test has its block")
    tap.equal([block.heading for block in guide.blocks("sh", document=guide.FLEET)], ["Rules by transfer", *["Rule files"] * 2, "A canary"], "as are all commands")


def fault(operations, folder, *command):
    """A program's message about a configuration that it rejects; "": none."""
    done = subprocess.run(command, cwd=folder, env=operations.environment, capture_output=True, text=True, timeout=60, check=False)
    return "" if done.returncode == 0 else f"{done.returncode}: {done.stdout}{done.stderr}" or "no reason"


def test_servers(operations, tap):
    folder = operations.world.new_folder("fleet")
    checks = {"knot": (operations.program("knotc"), "-c", "knot.conf", "conf-check"),
              "named": (operations.program("named-checkconf"), "named.conf"),
              "unbound": (operations.world.unbound / "sbin/unbound-checkconf", "unbound.conf")}
    for kind, command in checks.items():
        text = guide.the_block(kind, guide.FLEET)
        conf = folder / f"{kind}.conf"
        beginning = f'server:\n    chroot: ""\n    username: ""\n    directory: "{folder}"\n' if kind == "unbound" else ""
        conf.write_text(beginning + text)
        tap.equal(fault(operations, folder, *command), "", f"{kind}: no fault is found")
        conf.write_text(beginning + text.replace("rpz.example", "rpz..example"))
        tap.ok(fault(operations, folder, *command), f"{kind}: but in one with a fault")


def test_export(operations, tap):
    export, = guide.blocks("sh", "Rules by transfer", guide.FLEET)
    with desk(operations, tap, "nxdomain zone казино.example\n") as seat:
        seat.run(export)
        tap.ok("xn--80aodfsg.example" in (seat.folder / "rpz.zone").read_text(), "the zone has the rule")
        (seat.folder / "rpz.zone").unlink()
        (seat.folder / "idn-policy.conf").write_text("nxdomain zone казино.example\nnxdomain invalid\nlog emoji\nnxdomain zones ads.txt\n")
        seat.run(export)
        tap.ok(not (seat.folder / "rpz.zone").exists(), "a list is missing: the zone is left alone", seat.said)
        (seat.folder / "ads.txt").write_text("ads.example\n")
        seat.run(export)
        tap.ok("idn-policy.conf:2" in seat.said and "idn-policy.conf:3" not in seat.said, "what RPZ cannot say is said", seat.said)
        tap.ok("ads.example" in (seat.folder / "rpz.zone").read_text(), "… and the rest published")
        # README's own rules, unchanged.
        rules = re.search(r"^## Write rules\n\n```\n(.*?)^```", (guide.ROOT / "README.md").read_text(encoding="utf-8"), re.M | re.S).group(1)
        (seat.folder / "idn-policy.conf").write_text(rules)
        (seat.folder / "games.txt").write_text("games.example\n")
        shutil.copy(guide.ROOT / "tests/rpz/odd.zone", seat.folder / "feed.zone")
        (seat.folder / "rpz.zone").unlink()
        seat.run(export)
        zone = (seat.folder / "rpz.zone").read_text()
        tap.ok("made by unbound-idn" in zone and "xn--80aodfsg.example" in zone and "ads.example" in zone, "README's rules are published", zone)


def test_rule_files(operations, tap):
    check, replace = guide.blocks("sh", "Rule files", guide.FLEET)
    with desk(operations, tap, "log invalid\n") as seat:
        rules = seat.folder / "rules"
        rules.mkdir()
        files = {"idn-policy.conf": "nxdomain zones blocklist.txt\nlog zone plain.wild.example\n", "blocklist.txt": "казино.example\n",
                 "must-work.txt": f"bücher.example\n{PLAIN}\n"}
        for name, text in files.items():
            (rules / name).write_text(text)
        seat.run(check)
        for name, text in (("idn-policy.conf", "nxdomian zone казино.example\n"), ("blocklist.txt", "co.uk\n"), ("blocklist.txt", "казино.example\nb..example\n"), ("blocklist.txt", "wild.example\n"), ("must-work.txt", "казино.example\n")):
            (rules / name).write_text(text)
            tap.ok(not runs(seat, check), f"{name} with {text.strip()} is refused")
            (rules / name).write_text(files[name])
        shutil.copy(rules / "blocklist.txt", seat.folder)
        seat.run(replace)
        tap.ok(eventually(lambda: seat.answer(BLOCKED)[0] == "NXDOMAIN", timeout=10, interval=0.2), "the rules are in force")


def runs(seat, block):
    """Returns whether all commands of a block succeed."""
    return subprocess.run(["bash", "-e", "-o", "pipefail", "-c", block.text], cwd=seat.folder, capture_output=True, check=False,
                          env={**os.environ, "PATH": f"{seat.bin}:{os.environ['PATH']}"}).returncode == 0


def test_canary(operations, tap):
    compare, = guide.blocks("sh", "A canary", guide.FLEET)
    old = "nxdomain zone казино.example\nlog invalid\n"
    for mode, rules, log in (("enforce", old, "other.log"), ("log-only", f"{old}refuse zone wild.example\n", "canary.log")):
        with desk(operations, tap, rules, mode) as seat:
            for name in BLOCKED, PLAIN, PLAIN, "xn--31m-dda.example":
                seat.answer(name)
            seat.last_line("xn--31m-dda.example")
            shutil.copy(seat.folder / "log/idn.log", operations.world.folder / log)
            if log == "canary.log":
                shutil.copy(operations.world.folder / "other.log", seat.folder)
                shutil.copy(operations.world.folder / log, seat.folder)
                seat.run(compare)
                tap.equal(seat.said, f"2a3\n> idn-policy.conf:3\trefuse\t500000\n{PLAIN}\n", "what only the canary's rules match and refuse")
