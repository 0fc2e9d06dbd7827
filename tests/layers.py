#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares CONTRIBUTING.md's tables of layers with the sources. Prints TAP; run it from the top of the tree: layers.py [FOLDER...].
If the folders have objects of all sources, their calls are compared, too.

Below the heading of a layer (core/, module/ or tools/), a row "| `directory/` | what | `directory` `layer` |" says which directories
its files include; the name of a layer means any of its directories."""

import collections
import pathlib
import re
import subprocess
import sys

LAYERS = ("core", "module", "tools")
LEFT_OUT = ("tools/build", "tools/tables", "tools/deb")
OWNERS = {  # the only directory that includes headers of a library
    "Unbound": (r"(util|services|daemon|sldns|validator|iterator|respip|cachedb|dns64|dynlibmod|libunbound)/|config\.h", {"module/unbound"}),
    "ldns": (r"ldns/", {"module/zone"}),
    "ICU": (r"unicode/", {"core/idna"}),
    "liburcu": (r"urcu", {"module/load"}),
    "jansson": (r"jansson", {"tools/logs"}),
}

# Symbols whose names others chose: libidnpolicy's, those that Unbound loads, the functions of subcommands.
PUBLIC = {"module/engine": r"idnp_\w+", "module/unbound": r"clear|deinit|get_mem|inform_super|init|operate"}
ENTRIES = {"tools/command/main.c": r"\w+_main"}  # the program's table has each subcommand


def read_tables(text):
    """Returns the rows of CONTRIBUTING.md: directory -> the directories and layers that it may include."""
    rows, layer = {}, ""
    for line in text.splitlines():
        if line.startswith("#"):
            heading = re.match(r"### `(\w+)/`", line)
            layer = heading[1] if heading else ""
        if layer and (row := re.match(r"\| `(\w+)/` \|.*\|([^|]*)\|$", line)):
            rows[f"{layer}/{row[1]}"] = {to if to in LAYERS else f"{layer}/{to}" for to in re.findall(r"`([^`]+)`", row[2])}
    return rows


def as_named(directory, to):
    """The name of a directory in another one's row: a directory of another layer is named by its layer."""
    layer = to.partition("/")[0]
    return to if directory.startswith(f"{layer}/") else layer


class Sources:
    """Reads the includes of the sources."""

    def __init__(self):
        self.sources = [path for layer in LAYERS for path in sorted(pathlib.Path(layer).glob("*/*.[ch]")) if str(path.parent) not in LEFT_OUT]
        self.arrows = collections.defaultdict(dict)  # directory -> directory -> an include that needs it
        self.outside = []  # (source, what it includes of others)
        for path in self.sources:
            for included in re.findall(r'^\s*#\s*include\s+[<"]([^>"]+)', path.read_text(encoding="utf-8"), re.M):
                self.add(path, included)

    def add(self, path, included):
        directory = str(path.parent)
        to = included.rpartition("/")[0]
        if not included.startswith(LAYERS):
            self.outside.append((str(path), included))
        elif to != directory:
            self.arrows[directory].setdefault(as_named(directory, to), f"{path} includes {included}")


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


def faults(rows, tree):
    """Yields (what is checked, the offenders)."""
    directories = {str(path.parent) for path in tree.sources}
    yield "each directory has a row, and each row a directory", [f"{directory}/" for directory in directories ^ set(rows)]
    yield "every source is in a directory of a layer", [str(path) for layer in LAYERS for path in pathlib.Path(layer).glob("*.[ch]")]
    yield "no file includes a directory that its row does not name", [
        why for directory, to in tree.arrows.items() for other, why in to.items() if other not in rows.get(directory, ())]
    yield "no row names a directory that no file of it includes", [
        f"{directory} -> {other}" for directory, to in rows.items() for other in to if other not in tree.arrows[directory]]
    yield "the directories have no circle", [" ".join(sorted(circle)) for circle in circles(tree.arrows)]
    for name, (pattern, owners) in OWNERS.items():
        matching = [source for source, included in tree.outside if re.match(pattern, included)]
        yield f"{name} is included in one directory alone", [source for source in matching if source.rpartition("/")[0] not in owners] or ([] if matching else ["nowhere"])


def object_of(source, folders):
    """The object of a source; None: there is none, or the source is newer."""
    found = [path for path in (pathlib.Path(folder) / source.with_suffix(".o") for folder in folders) if path.exists()]
    return next((path for path in found if path.stat().st_mtime >= source.stat().st_mtime), None)


def calls(rows, objects):
    """Returns the calls from one directory to another, and those that no row names."""
    defined, needed = {}, []
    sources = {str(built): source for source, built in objects.items()}
    for line in subprocess.run(["nm", "-gA", *sources], check=True, capture_output=True, text=True).stdout.splitlines():
        built, _, entry = line.partition(":")
        source, (kind, symbol) = sources[built], entry.split()[-2:]
        if kind == "U":
            needed.append((str(source.parent), source, symbol))
        else:
            defined[symbol] = str(source.parent)
    arrows = {(directory, as_named(directory, defined[symbol]), f"{source} needs {symbol} of {defined[symbol]}") for directory, source, symbol in needed
              if defined.get(symbol, directory) != directory and not re.fullmatch(ENTRIES.get(str(source), ""), symbol)}
    return arrows, sorted(why for directory, to, why in arrows if to not in rows.get(directory, ()))


def prefixes(source):
    """The words that a symbol of a source may begin with: the names of its directory, its file, and the directory's headers and types."""
    names = {source.parent.name, source.stem}
    for header in source.parent.glob("*.h"):
        names.add(header.stem)
        names.update(re.findall(r"^(?:(?:struct|enum|union) |\} )(?:xnm?_)?(\w+)(?: \{|;)", header.read_text(encoding="utf-8"), re.M))
    return tuple(name.replace("_", "") for name in names)


def strangers(objects):
    """Returns the symbols that do not say where they are defined."""
    broken = []
    for line in subprocess.run(["nm", "-gA", "--defined-only", *map(str, objects.values())], check=True, capture_output=True, text=True).stdout.splitlines():
        built, _, entry = line.partition(":")
        source, symbol = next(source for source in objects if str(objects[source]) == built), entry.split()[-1]
        plain = re.sub(r"^xnm?_", "", symbol).replace("_", "")
        if not plain.startswith(prefixes(source)) and not re.fullmatch(PUBLIC.get(str(source.parent), r"\w+_main"), symbol):
            broken.append(f"{source} defines {symbol}")
    return broken


def linked(rows, tree, folders):
    """Yields what is checked, the offenders, and why it was skipped."""
    objects = {source: object_of(source, folders) for source in tree.sources if source.suffix == ".c"}
    missing = [str(source) for source, built in objects.items() if not built]
    skipped = missing and f"no object of {missing[0]} that is as new"
    arrows, broken = ({}, []) if missing else calls(rows, objects)
    yield "no object needs a directory that its row does not name", broken or ([] if missing or arrows else ["no object needs any"]), skipped
    yield "each symbol begins with its file, its directory, or a header or type there", [] if missing else strangers(objects), skipped


def main():
    number = failed = 0
    rows, tree = read_tables(pathlib.Path("CONTRIBUTING.md").read_text(encoding="utf-8")), Sources()
    results = [(holds, broken, None) for holds, broken in faults(rows, tree)] + list(linked(rows, tree, sys.argv[1:]))
    for number, (holds, broken, skipped) in enumerate(results, 1):
        failed += bool(broken)
        print(f"{'not ' if broken else ''}ok {number} - {holds}{f' # SKIP {skipped}' if skipped else ''}")
        for line in broken:
            print(f"# {line}")
    print(f"1..{number}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
