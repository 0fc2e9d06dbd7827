# SPDX-License-Identifier: BSD-3-Clause
"""Measures the codec beside other libraries: makes the labels, runs bench_codec, prints a table and writes every
figure as JSON. `--smoke` runs little of it, only to test correctness, and prints TAP."""

import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

OURS = "libxn"
# Operation: whom it is compared with (None: the fastest of all), geometric mean to reach, and what no set may be under.
GOALS = {
    "decode to UTF-32": (None, 2.5, 1.6), "decode to UTF-8": (None, 2.5, 1.6), "encode": (None, 4, 2),
    "A-label to U-label": ("ICU", 8, 5), "U-label to A-label": ("ICU", 8, 5), "capitals to A-label": ("ICU", 8, 5)}
# A few U-labels of each kind, for --smoke.
SMOKE = "bücher straße παράδειγμα пример דוגמה مثال उदाहरण ตัวอย่าง 例え 예시 中国 việt-nam ünïcödé".split()


def figures(lines, instructions):
    """Rows of bench_codec -> {operation: {set: {peer: {...}}}}."""
    found = {}
    for number, line in enumerate(lines):
        operation, labels, peer, count, different, *times = line.split("\t")
        row = {"labels": int(count), "different": int(different)}
        if instructions:
            row["instructions"] = round(instructions[number] / int(count), 1)
        else:
            rounds = [float(time) for time in times]
            row.update(ns=statistics.median(rounds), ns_min=min(rounds), rounds=rounds)
        found.setdefault(operation, {}).setdefault(labels, {})[peer] = row
    return found


def ratio(peers, unit, against):
    others = {name: row[unit] for name, row in peers.items() if name != OURS and against in (None, name)}
    best = min(others, key=others.get)
    return best, others[best] / peers[OURS][unit]


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def report(found, unit):
    """Prints a table for each operation; returns what --output gets of it."""
    summary = {}
    for operation, sets in found.items():
        against, mean_goal, least_goal = GOALS[operation]
        names = list(dict.fromkeys(name for peers in sets.values() for name in peers))
        print(f"\n{operation}: {unit} a label\n{'':14}" + "".join(f"{name:>10}" for name in names) + "   ratio")
        ratios = {}
        for labels, peers in sets.items():
            best, ratios[labels] = ratio(peers, unit, against)
            cells = "".join(f"{peers[name][unit]:>10.0f}" if name in peers else f"{'-':>10}" for name in names)
            print(f"{labels:14}{cells}{ratios[labels]:>8.2f} to {best}")
        mean, least = geometric_mean(ratios.values()), min(ratios, key=ratios.get)
        goals = (f" (goal {mean_goal})", f" (goal {least_goal})") if unit == "ns" else ("", "")
        print(f"geometric mean {mean:.2f}{goals[0]}; least {ratios[least]:.2f}, {least}{goals[1]}")
        summary[operation] = {"geometric mean": round(mean, 2), "least": round(ratios[least], 2), "least of": least}
    return summary


def run(arguments, sets, extra):
    command = [*arguments.prefix, arguments.bench, *extra]
    if arguments.peers:
        command += ["--peers", arguments.peers]
    done = subprocess.run([*command, *sets], stdout=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"codec.py: {arguments.bench} exits with {done.returncode}: somebody gives something else")
    return done.stdout.splitlines()


def count_instructions(arguments, sets):
    """Returns the rows, and the instructions of each run of `counted` in bench_codec."""
    arguments.prefix = [Path(__file__).with_name("instructions.sh"), "1", "counted"]
    counted = [line.split(" ", 1) for line in run(arguments, sets, ["--instructions", "--labels", "250"])]
    return [row for _, row in counted], [int(count) for count, _ in counted]


def smoke(arguments):
    """One round over few labels: every operation, and every peer that this machine has."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "words.txt")
        path.write_text("".join(f"{word}\n" for word in SMOKE), "utf-8")
        for number, cpu in enumerate(("", "generic"), 1):
            os.environ["XN_CPU"] = cpu
            found = figures(run(arguments, [path], ["--rounds", "1", "--labels", "100"]), None)
            all_there = set(found) == set(GOALS) and all(
                sets["words"][OURS]["labels"] == len(SMOKE) and sets["words"][OURS]["different"] == 0
                and len(sets["words"]) > 1 for sets in found.values())
            print(f"{'ok' if all_there else 'not ok'} {number} - everybody agrees{', XN_CPU=' + cpu if cpu else ''}")
    print("1..2")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bench", required=True)
    parser.add_argument("--labels", type=Path, help="folder of files with a label a line")
    parser.add_argument("--peers", help="folder of libidn2 and libidn")
    parser.add_argument("--output", type=Path, default=Path("build/bench.json"))
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--smoke", action="store_true")
    arguments = parser.parse_args()
    arguments.prefix = []
    if arguments.smoke:
        return smoke(arguments)
    sets = sorted(arguments.labels.glob("*.txt"))
    lines, totals = count_instructions(arguments, sets) if arguments.instructions else (run(arguments, sets, []), None)
    found = figures(lines, totals)
    summary = report(found, "instructions" if totals else "ns")
    written = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
    written["codec instructions" if totals else "codec"] = {"summary": summary, "figures": found}
    arguments.output.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
