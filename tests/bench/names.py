# SPDX-License-Identifier: BSD-3-Clause
"""Measures work on names other than decoding: bench_scan finds that they have no A-label, and bench_keys makes look-alike
keys and decides by them. Prints tables and writes every figure as JSON; with --instructions, the instructions that
callgrind counts. `--smoke` runs a small part, to check the output, and prints TAP."""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTECTED = HERE / "protected-names.txt"
SCAN, KEY, PROTECTING, PLAIN = "find A-labels", "loose key of a label", "decision, 600 protected names", "decision, none"
PARTS = "decision, near= and within="
SCAN_GOAL = 4  # times as fast as memmem
KEY_GOAL, MISS_GOAL = 2000, 4000  # ns a label; what protection adds to a decision about a name, which a cache miss pays
# For --smoke; the last two look like protected names.
SMOKE = "bücher пример παράδειγμα 例え ไทย aррӏе gооglе".split()


def run(arguments, program, extra, prefix=()):
    done = subprocess.run([*prefix, arguments.bench / program, *extra], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"names.py: {program} exits with {done.returncode}")
    return done.stdout.splitlines()


def figures(lines, totals=None):
    """Rows -> {operation: {set: {who: {...}}}}."""
    found = {}
    for number, line in enumerate(lines):
        operation, names, who, count, matched, *times = line.split("\t")
        row = {"names": int(count), "matched": int(matched)}
        if totals:
            row["instructions"] = round(totals[number] / int(count), 1)
        else:
            row.update(ns=statistics.median(map(float, times)), rounds=[float(time) for time in times])
        found.setdefault(operation, {}).setdefault(names, {})[who] = row
    return found


def counted(arguments, program, extra):
    """Each run of `counted` is a part of what callgrind writes, in the order of the rows."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        lines = run(arguments, program, ["--instructions", *extra],
                    ["valgrind", "--quiet", "--tool=callgrind", f"--callgrind-out-file={out}",
                     "--toggle-collect=counted", "--dump-after=counted"])
        parts = [Path(f"{out}.{part}").read_text() for part in range(1, len(lines) + 1)]
    return figures(lines, [int(re.search(r"^totals: (\d+)", part, re.M).group(1)) for part in parts])


def report_scan(found, unit):
    for names, rows in found[SCAN].items():
        print(f"\n{SCAN}, {names}: {unit} a name")
        for who, row in rows.items():
            print(f"  {who:14}{row[unit]:8.1f}  {row[unit] / rows['libxn'][unit]:5.2f}")
    if unit == "ns":
        reached = found[SCAN]["no A-label"]["memmem"][unit] >= SCAN_GOAL * found[SCAN]["no A-label"]["libxn"][unit]
        print(f"goal where there is none: memmem takes {SCAN_GOAL} times as long; {'reached' if reached else 'NOT reached'}")


def report_keys(found, unit):
    print(f"\nlook-alikes: {unit}\n{'':18}{'a key':>8}{'decision':>10}{'of that, protection':>21}{'with near= and within=':>24}")
    keys, misses = {}, {}
    for names, rows in found[KEY].items():
        decision = found[PROTECTING][names]["libxn"][unit]
        keys[names], misses[names] = rows["libxn"][unit], decision - found[PLAIN][names]["libxn"][unit]
        print(f"{names:18}{keys[names]:>8,.0f}{decision:>10,.0f}{misses[names]:>21,.0f}{found[PARTS][names]['libxn'][unit]:>24,.0f}")
    if unit == "ns":
        for what, values, goal in ("a key", keys, KEY_GOAL), ("protection", misses, MISS_GOAL):
            over = [names for names, value in values.items() if value > goal]
            print(f"goal for {what}: {goal:,} ns; " + (f"over it: {', '.join(over)}" if over else "reached by all"))


def smoke(arguments):
    scan = figures(run(arguments, "bench_scan", ["--rounds", "1"]))[SCAN]
    agreed = all(len({row["matched"] for row in rows.values()}) == 1 for rows in scan.values())
    print(f"{'ok' if agreed and len(scan) == 2 else 'not ok'} 1 - everybody finds the same A-labels")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "words.txt")
        path.write_text("".join(f"{word}\n" for word in SMOKE), "utf-8")
        keys = figures(run(arguments, "bench_keys", ["--rounds", "1", "--labels", "50", PROTECTED, path]))
    matched = [keys[operation]["words"]["libxn"]["matched"] for operation in (PROTECTING, PLAIN)]
    print(f"{'ok' if matched == [2, 0] else 'not ok'} 2 - look-alikes are found\n1..2")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", type=Path, required=True, help="folder of bench_scan and bench_keys")
    parser.add_argument("--labels", type=Path, help="folder of files with a label a line")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    arguments = parser.parse_args()
    if arguments.smoke:
        return smoke(arguments)
    of_keys = [PROTECTED, *sorted(arguments.labels.glob("*.txt"))]
    if arguments.instructions:
        unit, found = "instructions", counted(arguments, "bench_scan", [])
        found.update(counted(arguments, "bench_keys", ["--labels", "250", *of_keys]))
    else:
        unit, found = "ns", figures(run(arguments, "bench_scan", []) + run(arguments, "bench_keys", of_keys))
    report_scan(found, unit)
    report_keys(found, unit)
    written = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    written[unit] = found
    arguments.output.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
