#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares CONTRIBUTING.md's tables of rooms and files with the sources. Prints TAP; run it from the top of the tree:
rooms.py [FOLDER...]. Where the folders have objects of all sources, it looks at what they call, too.

A room is a folder of core/, module/ or tools/. A row "| `room/` | what | `room` `other/room` |" says which rooms its files
include, where a floor below stands for any of its rooms; a row "| `room/file` … | what |" says what files are for."""

import collections
import pathlib
import re
import subprocess
import sys

TOPS = ("core", "module", "tools")
NO_ROOMS = ("tools/build", "tools/tables", "tools/deb")
DOORS = {  # who alone may include what
    "Unbound": (r"(util|services|daemon|sldns|validator|iterator|respip|cachedb|dns64|dynlibmod|libunbound)/|config\.h", {"module/unbound"}),
    "ldns": (r"ldns/", {"module/zone"}),
    "ICU": (r"unicode/", {"core/idna"}),
    "liburcu": (r"urcu", {"module/load"}),
    "jansson": (r"jansson", {"tools/logs"}),
}

ENTRIES = {"tools/command/main.c": r"\w+_main"}  # the program's table has each subcommand


class Map:
    """Reads the tables of CONTRIBUTING.md."""

    def __init__(self, text):
        self.rooms, self.files = {}, collections.Counter()
        top = ""
        for line in text.splitlines():
            if line.startswith("#"):
                heading = re.match(r"### `(\w+)/`", line)
                top = heading[1] if heading else ""
            cells = [cell.strip() for cell in line.split("|")[1:-1]]
            named = re.findall(r"`([^`]+)`", cells[0]) if cells else []
            if top and named and named[0].endswith("/") and len(cells) == 3:
                self.rooms[f"{top}/{named[0].rstrip('/')}"] = {to if "/" in to or to in TOPS else f"{top}/{to}" for to in re.findall(r"`([^`]+)`", cells[2])}
            elif top and named and len(cells) == 2:
                self.files.update(f"{top}/{name}" for name in named)


def as_named(room, to):
    """The name of a room in another room's row: a floor below is named as a whole."""
    floor = to.partition("/")[0]
    return to if room.startswith(f"{floor}/") else floor


class House:
    """Reads the includes of the sources."""

    def __init__(self):
        self.sources = [path for top in TOPS for path in sorted(pathlib.Path(top).glob("*/*.[ch]")) if str(path.parent) not in NO_ROOMS]
        self.stems = {str(path.with_suffix("")) for path in self.sources}
        self.arrows = collections.defaultdict(dict)  # room -> room -> an include that needs it
        self.outside = []  # (source, what it includes of others)
        for path in self.sources:
            for included in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)', path.read_text(encoding="utf-8"), re.M):
                self.add(path, included)

    def add(self, path, included):
        room = str(path.parent)
        to = included.rpartition("/")[0]
        if not included.startswith(TOPS):
            self.outside.append((str(path), included))
        elif to != room:
            self.arrows[room].setdefault(as_named(room, to), f"{path} includes {included}")


def circles(graph):
    """The sets of nodes that can reach each other (Tarjan)."""
    order, low, stack, found = {}, {}, [], []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        for to in sorted(graph.get(node, ())):
            if to not in order:
                visit(to)
            if to in stack:
                low[node] = min(low[node], low[to])
        if low[node] == order[node]:
            circle = {node}
            while (last := stack.pop()) != node:
                circle.add(last)
            if len(circle) > 1:
                found.append(circle)

    for node in sorted(graph):
        if node not in order:
            visit(node)
    return found


def faults(plan, house):
    """(what holds, those who break it)."""
    rooms = {str(path.parent) for path in house.sources}
    yield "each room has a row, and each row a room", [f"{room}/" for room in rooms ^ set(plan.rooms)]
    yield "no file lies outside a room", [str(path) for top in TOPS for path in pathlib.Path(top).glob("*.[ch]")]
    yield "no file includes a room that its room's row does not name", [
        why for room, to in house.arrows.items() for other, why in to.items() if other not in plan.rooms.get(room, ())]
    yield "no row names a room that no file of it includes", [
        f"{room} -> {other}" for room, to in plan.rooms.items() for other in to if other not in house.arrows[room]]
    yield "no room needs a room that needs it", [" ".join(sorted(circle)) for circle in circles(house.arrows)]
    for name, (pattern, owners) in DOORS.items():
        matching = [source for source, included in house.outside if re.match(pattern, included)]
        yield f"{name} is included in one room alone", [source for source in matching if source.rpartition("/")[0] not in owners] or ([] if matching else ["nowhere"])
    listed = {stem: count for stem, count in plan.files.items() if not stem.endswith("/")}
    yield "the map names each file once, and none that there is not", sorted(
        (house.stems ^ {stem for stem in listed if not stem.startswith(NO_ROOMS)}) | {stem for stem, count in listed.items() if count > 1})


def object_of(source, folders):
    """The object of a source; None: there is none, or the source is newer."""
    found = [path for path in (pathlib.Path(folder) / source.with_suffix(".o") for folder in folders) if path.exists()]
    return next((path for path in found if path.stat().st_mtime >= source.stat().st_mtime), None)


def calls(plan, objects):
    """(the objects' arrows, those that no row names): what one room defines and another's object has undefined."""
    defined, needed = {}, []
    sources = {str(built): source for source, built in objects.items()}
    for line in subprocess.run(["nm", "-gA", *sources], check=True, capture_output=True, text=True).stdout.splitlines():
        built, _, entry = line.partition(":")
        source, (kind, symbol) = sources[built], entry.split()[-2:]
        if kind == "U":
            needed.append((str(source.parent), source, symbol))
        else:
            defined[symbol] = str(source.parent)
    arrows = {(room, as_named(room, defined[symbol]), f"{source} needs {symbol} of {defined[symbol]}") for room, source, symbol in needed
              if defined.get(symbol, room) != room and not re.fullmatch(ENTRIES.get(str(source), ""), symbol)}
    return arrows, sorted(why for room, to, why in arrows if to not in plan.rooms.get(room, ()))


def linked(plan, house, folders):
    """The results of faults(), and why something was not tested."""
    objects = {source: object_of(source, folders) for source in house.sources if source.suffix == ".c"}
    missing = [str(source) for source, built in objects.items() if not built]
    arrows, broken = ({}, []) if missing else calls(plan, objects)
    holds = "no object needs a room that its room's row does not name"
    return holds, broken or ([] if missing or arrows else ["no object needs any"]), missing and f"no object of {missing[0]} that is as new"


def main():
    number = failed = 0
    plan, house = Map(pathlib.Path("CONTRIBUTING.md").read_text(encoding="utf-8")), House()
    results = [(holds, broken, None) for holds, broken in faults(plan, house)] + [linked(plan, house, sys.argv[1:])]
    for number, (holds, broken, skipped) in enumerate(results, 1):
        failed += bool(broken)
        print(f"{'not ' if broken else ''}ok {number} - {holds}{f' # SKIP {skipped}' if skipped else ''}")
        for line in broken:
            print(f"# {line}")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
