#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long `unbound-idn report` takes for ten million lines, and how much memory: report.py COMMAND [LINES]."""

import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "command"))
import report_log  # noqa: E402

MEASURED = pathlib.Path(__file__).resolve().parents[1] / "command/measured.py"
ONCE = 200000  # lines that are made; the log has them again and again


def hostile_line(number):
    """No two are alike, and each has an A-label that must be decoded."""
    return f"[{1700000000 + number}] unbound[1:0] info: 2001:db8::{number:x} xn--{number}-{number:x}a.example. A IN NXDOMAIN 0.1 0 -"


def log(kind):
    """Chunks of the log, each of ONCE lines."""
    if kind == "hostile":
        for start in range(0, LINES, ONCE):
            yield "".join(hostile_line(number) + "\n" for number in range(start, start + ONCE)).encode()
        return
    line_of = report_log.json_line if kind == "JSON" else report_log.text_line
    chunk = "".join(line_of(reply) + "\n" for reply in report_log.Day(ONCE).replies()).encode()
    for _ in range(LINES // ONCE):
        yield chunk


def measure(command, kind, path):
    with open(path, "wb") as file:
        for chunk in log(kind):
            file.write(chunk)
    size = path.stat().st_size
    started = time.monotonic()
    used = path.with_suffix(".used")
    subprocess.run([sys.executable, MEASURED, used, command, "report", path], stdout=subprocess.DEVNULL, check=True)
    wall = time.monotonic() - started
    path.unlink()
    took = json.loads(used.read_text())
    print(f"{kind:8} {LINES:,} lines, {size / 1e6:,.0f} MB: {took['seconds']:.1f} s of processor, {wall:.1f} s, "
          f"{size / 1e6 / wall:,.0f} MB/s, {took['mib']:.0f} MiB")


COMMAND = sys.argv[1]
LINES = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000_000
with tempfile.TemporaryDirectory() as folder:
    for form in "text", "JSON", "hostile":
        measure(COMMAND, form, pathlib.Path(folder) / "query.log")
