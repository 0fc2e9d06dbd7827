#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""branches.py BUILD TABLES: compares the branches that no test took with the tables of those that none can take, where BUILD
was compiled with --coverage and has run its tests. Each group of files has a table, TABLES/GROUP.tsv: a row has the file,
the function, how many branches of the line are not taken, the text of the line, and why, with tabs between them. Prints
each line that lacks a row, and each row whose branches are taken or gone; exit 0 only if there are none."""
import argparse
import collections
import json
import subprocess
import sys
from pathlib import Path

GROUPS = {
    "core": ("core/",),
    "reads": ("module/rule/", "module/list/", "module/zone/", "module/name/", "module/file/textline."),
    "decides": ("module/policy/", "module/answer/"),
}
COUNTED = tuple(folder for folders in GROUPS.values() for folder in folders)


def add_counts(to, counts):
    to += [0] * (len(counts) - len(to))
    for i, count in enumerate(counts):
        to[i] += count


def branches(build):
    """Returns how often each branch was taken, by file, function and line. The copies of a line in several objects are one."""
    taken = collections.defaultdict(list)
    for notes in sorted(build.rglob("*.gcno")):
        told = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", notes], check=True, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        for file in (file for text in told.splitlines() for file in json.loads(text)["files"] if file["file"].startswith(COUNTED)):
            for line in filter(lambda line: line["branches"], file["lines"]):
                add_counts(taken[file["file"], line["function_name"], line["line_number"]], [branch["count"] for branch in line["branches"]])
    return taken


def not_taken(taken):
    """Returns how many branches were not, by file, function and the text of the line, which an edit elsewhere does not change."""
    missed = collections.Counter()
    for (file, function, number), counts in taken.items():
        if 0 in counts:
            text = Path(file).read_text(encoding="utf-8").splitlines()[number - 1].strip()
            missed[file, function, text] += counts.count(0)
    return missed


def read_table(path):
    """Returns the same from a table."""
    rows = collections.Counter()
    for line in path.read_text(encoding="utf-8").splitlines():
        file, function, number, text, reason = line.split("\t")
        if (file, function, text) in rows or not reason:
            sys.exit(f"{path}: a second row, or one without a reason: {line}")
        rows[file, function, text] = int(number)
    return rows


def show(heading, rows):
    if rows:
        print(heading)
    for (file, function, text), number in sorted(rows.items()):
        print(file, function, number, text, sep="\t")


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("build", type=Path)
    arguments.add_argument("tables", type=Path)
    options = arguments.parse_args()

    taken, differ = branches(options.build), False
    for group, folders in GROUPS.items():
        of_group = {line: counts for line, counts in taken.items() if line[0].startswith(folders)}
        path = options.tables / f"{group}.tsv"
        missed, rows = not_taken(of_group), read_table(path)
        show(f"Not taken, and not in {path}:", missed - rows)
        show(f"In {path}, but taken or gone:", rows - missed)
        differ |= missed != rows
        every, without = sum(map(len, of_group.values())), sum(missed.values())
        print(f"{group:8} {every - without:5} of {every:5} branches  {100 * (every - without) / every:5.1f} %, {sum((missed & rows).values())} in the table")
    return differ


if __name__ == "__main__":
    sys.exit(main())
