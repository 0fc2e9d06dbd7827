# SPDX-License-Identifier: BSD-3-Clause
"""check: every message about rule files and lists, at its place, as tests/rules and tests/lists have them."""

import pathlib
import shutil
import tempfile

from test_check import Box, summary
from test_check_rules import NO_FILE, check_verbatim

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(tap, command):
    folder = tempfile.mkdtemp(prefix="idn-check-", dir="/tmp")
    try:
        box = Box(command, folder)
        samples(tap, box)
        sample_lists(tap, box)
    finally:
        shutil.rmtree(folder)


def samples(tap, box):
    """Every message of a rule file at its place: those of tests/rules, and what the samples give."""
    for path in sorted((ROOT / "tests/rules").glob("*.conf")):
        name = f"tests/rules/{path.name}"
        expected = path.with_suffix(".expected")
        wanted = expected.read_text(encoding="utf-8").splitlines() if expected.exists() else []
        status, lines = check_verbatim(box, name, cwd=ROOT)
        told = [line for line in lines[:-1] if not line.endswith("[note]")]
        lost = [line for line in told if NO_FILE in line]  # of the lists that a good file names
        tap.equal((status, lines[-1]), (int(bool(lost) or path.name.startswith("bad-")), f"{name}: {summary(told)}"), f"check {name}: result")
        tap.equal([line for line in told if line not in lost and (wanted or not line.endswith("]"))], wanted, f"check {name}")
    status, lines = check_verbatim(box, "conf/idn-policy.conf", cwd=ROOT)
    tap.equal((status, lines[-2:]), (0, [lines[-2], "conf/idn-policy.conf: fine"]), "check conf/idn-policy.conf")


def sample_lists(tap, box):
    """Every message of a list at its place: those of tests/lists, whose suffixes say how to read them."""
    paths = [path for path in sorted((ROOT / "tests/lists").iterdir()) if path.suffix != ".expected"]
    tap.equal(len(paths) > 10, True, "there are lists with mistakes")
    for path in paths:
        name = f"tests/lists/{path.name}"
        wanted = path.with_suffix(".expected").read_text(encoding="utf-8").splitlines()
        status, lines = box.run(f"--{path.suffix[1:]}", name, cwd=ROOT)
        told = [line for line in lines[:-1] if not line.endswith("[note]")]
        bad = any(not line.endswith("]") for line in wanted)
        tap.equal((status, told, lines[-1]), (int(bad), wanted, f"{name}: {summary(wanted)}"), f"check {name}")
