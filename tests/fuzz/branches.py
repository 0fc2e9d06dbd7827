#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""branches.py BUILD: says which share of the branches of core/, of what reads policies and of what decides was taken, where
BUILD was compiled with --coverage and has run its tests. --missed: lists the lines with branches that were not. Exit 0 only
if no share is less than it was."""
import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

# The folders of each group, and the least share of its branches, in percent.
GROUPS = {
    "core": (("core/",), 94),
    "reads": (("module/rule/", "module/list/", "module/zone/", "module/compiled/", "module/name/", "module/file/textline."), 90),
    "decides": (("module/policy/", "module/answer/"), 93),
}


def group_of(file):
    return next((name for name, (folders, _) in GROUPS.items() if file.startswith(folders)), None)


def add_counts(to, counts):
    to += [0] * (len(counts) - len(to))
    for i, count in enumerate(counts):
        to[i] += count


def branches(build):
    """Returns how often each branch was taken, by file, line and number. The copies of a line in several functions and objects are one."""
    taken = collections.defaultdict(lambda: collections.defaultdict(list))
    for notes in sorted(build.rglob("*.gcno")):
        told = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", notes], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for file in (file for text in told.splitlines() for file in json.loads(text)["files"] if group_of(file["file"])):
            for line in file["lines"]:
                add_counts(taken[file["file"]][line["line_number"]], [branch["count"] for branch in line["branches"]])
    return taken


def missed_lines(file, lines):
    """The lines with branches that were not taken: their number, how many branches, and their source."""
    source = Path(file).read_text(encoding="utf-8").splitlines()
    for number, counts in sorted(lines.items()):
        if 0 in counts:
            yield number, counts.count(0), source[number - 1].strip()


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("--missed", action="store_true")
    options = arguments.parse_args()

    counted, reached = collections.Counter(), collections.Counter()
    for file, lines in sorted(branches(options.build).items()):
        counted[group_of(file)] += sum(map(len, lines.values()))
        reached[group_of(file)] += sum(len(counts) - counts.count(0) for counts in lines.values())
        for number, missing, source in missed_lines(file, lines) if options.missed else ():
            print(f"{file}:{number}: {missing}: {source}")
    short = False
    for group, (_, least) in GROUPS.items():
        share = 100 * reached[group] / counted[group]
        print(f"{group:8} {reached[group]:5} of {counted[group]:5} branches  {share:5.1f} %")
        short |= share < least
    return short


if __name__ == "__main__":
    sys.exit(main())
