#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures the time and memory of `unbound-idn report` for ten million lines. `--smoke` takes a few, for what
the page says alone, and prints TAP."""

import argparse
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
SMOKE = 2000


def hostile_line(number):
    """No two are alike, and each has an A-label that must be decoded."""
    return f"[{1700000000 + number}] unbound[1:0] info: 2001:db8::{number:x} xn--{number}-{number:x}a.example. A IN NXDOMAIN 0.1 0 -"


def log(kind, lines):
    """Chunks of the log, each of ONCE lines."""
    once = min(ONCE, lines)
    if kind == "hostile":
        for start in range(0, lines, once):
            yield "".join(hostile_line(number) + "\n" for number in range(start, start + once)).encode()
        return
    line_of = report_log.json_line if kind == "JSON" else report_log.text_line
    chunk = "".join(line_of(reply) + "\n" for reply in report_log.Day(once).replies()).encode()
    for _ in range(lines // once):
        yield chunk


def measure(command, kind, path, lines):
    """Returns the page."""
    with open(path, "wb") as file:
        for chunk in log(kind, lines):
            file.write(chunk)
    size = path.stat().st_size
    started = time.monotonic()
    used = path.with_suffix(".used")
    page = subprocess.run([sys.executable, MEASURED, used, command, "report", path], stdout=subprocess.PIPE, check=True).stdout
    wall = time.monotonic() - started
    path.unlink()
    took = json.loads(used.read_text())
    print(f"{kind:8} {lines:,} lines, {size / 1e6:,.0f} MB: {took['seconds']:.1f} s of processor, {wall:.1f} s, "
          f"{size / 1e6 / wall:,.0f} MB/s, {took['mib']:.0f} MiB")
    return page.decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command")
    parser.add_argument("lines", nargs="?", type=int, default=10_000_000)
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    lines = SMOKE if options.smoke else options.lines
    with tempfile.TemporaryDirectory() as folder:
        for number, kind in enumerate(("text", "JSON", "hostile"), 1):
            page = measure(options.command, kind, pathlib.Path(folder) / "query.log", lines)
            if options.smoke:
                print("ok" if f"<dt>Queries</dt><dd>{lines:,}</dd>" in page else "not ok", number, "-", kind)
    if options.smoke:
        print("1..3")


if __name__ == "__main__":
    main()
