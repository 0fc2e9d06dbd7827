# SPDX-License-Identifier: BSD-3-Clause
"""Which files of ours the instructions of a query are spent in: read from what callgrind writes, where code that was
inlined counts for the file it stands in (valgrind's manual, "Callgrind Format Specification")."""

import re
from collections import Counter

NAME = re.compile(r"c?(fl|fi|fe|fn|ob)=\((\d+)\)(?: (.*))?$")
COST = re.compile(r"[+\-*\d]\S* (\d+)$")
FILES = ("fl", "fi", "fe")  # of a function, of inlined code, and the function's again


class Profile:
    """A process's dumps, to be read in their order: a name is written out where it comes first."""

    def __init__(self):
        self.files = {}

    def by_file(self, path):
        """-> {file, as the compiler was given it: instructions spent in its lines}"""
        costs, file, of_call = Counter(), "", False
        for line in path.read_text("utf-8", "replace").splitlines():
            if found := NAME.match(line):
                kind, number, name = found.groups()
                if kind in FILES and name is not None:
                    self.files[number] = name
                if kind in FILES and not line.startswith("c"):
                    file = self.files[number]
            elif line.startswith("calls="):
                of_call = True  # the line behind it is what was spent in what is called
            elif found := COST.match(line):
                costs[file] += 0 if of_call else int(found[1])
                of_call = False
        return costs


# The parts of a line's cost, by the stem of the file's path from the top of this project.
PARTS = {
    "Unbound's structs and time": ("module/unbound/host", "module/unbound/module", "module/run/state", "module/log/reply", "module/rule/hits", "module/run/metrics"),
    "A-labels remembered, decoded": ("core/idna/alabel", "core/puny", "core/text/utf8", "module/log/namecache"),
    "and validated": ("core/idna/traits", "core/idna/context", "core/idna/label", "core/idna/unicode", "core/idna/name", "core/idna/finding"),
    "what may be shown": ("core/names/display", "core/lookalike/script"),
    "the line written": ("core/wire/wire", "core/text/octets16", "core/text/hexadecimal", "module/base/format", "module/log", "module/policy/qname"),
}
THREADS = ("module/log/ring", "module/log/writer", "module/log/target")
TO_THE_WRITER, REST = "handed to the writer, and written", "the C library, and what Unbound does for it"


def part_of(file):
    if any(f"/{stem}" in file for stem in THREADS):
        return TO_THE_WRITER
    return next((part for part, stems in PARTS.items() if any(f"/{stem}" in file for stem in stems)), REST)


def by_part(costs, base, queries):
    """Instructions a query over the base's, of each part."""
    over = Counter({part: 0 for part in (*PARTS, TO_THE_WRITER, REST)})
    for file in set(costs) | set(base):
        over[part_of(file)] += costs[file] - base[file]
    return {part: round(cost / queries) for part, cost in over.items()}
