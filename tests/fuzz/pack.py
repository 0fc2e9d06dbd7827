#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The packed corpus of a fuzz target, tests/fuzz/corpus/TARGET.pack: pack.py list PACK; pack.py add PACK FILE...; pack.py
extract PACK FOLDER. `add` makes the pack if there is none, and replaces inputs of the same name.

A pack is the line "fuzz corpus", and for each input, sorted by name, a line "NAME LENGTH", its octets and a line feed. A name
has letters and digits of ASCII, '.', '_' and '-'."""

import re
import sys
from pathlib import Path

MAGIC = b"fuzz corpus\n"
SIZE_MAX = 1 << 20  # of an input, as tests/fuzz/replay.c has it


def fail(message):
    sys.exit(f"pack.py: {message}")


def read(path):
    """Returns {name: octets}."""
    octets, inputs = path.read_bytes(), {}
    if not octets.startswith(MAGIC):
        fail(f"{path}: not a packed corpus: expected the line '{MAGIC.decode().strip()}' first")
    at = len(MAGIC)
    while at < len(octets):
        head = re.compile(rb"([A-Za-z0-9._-]{1,255}) (0|[1-9][0-9]{0,6})\n").match(octets, at)
        if not head:
            fail(f"{path}: octet {at}: expected 'NAME LENGTH' and a line feed")
        name, start, end = head[1].decode(), head.end(), head.end() + int(head[2])
        if octets[end:end + 1] != b"\n" or end - start > SIZE_MAX:
            fail(f"{path}: {name}: expected {end - start} octets, at most {SIZE_MAX}, and a line feed")
        if inputs and name <= max(inputs):
            fail(f"{path}: {name}: expected names that are sorted, each once")
        inputs[name] = octets[start:end]
        at = end + 1
    return inputs


def write(path, inputs):
    path.write_bytes(MAGIC + b"".join(b"%s %d\n%s\n" % (name.encode(), len(inputs[name]), inputs[name]) for name in sorted(inputs)))


def add(path, files):
    inputs = read(path) if path.exists() else {}
    for file in map(Path, files):
        if not re.fullmatch(r"[A-Za-z0-9._-]{1,255}", file.name):
            fail(f"{file}: expected a name of letters, digits, '.', '_' and '-', at most 255")
        if file.stat().st_size > SIZE_MAX:
            fail(f"{file}: {file.stat().st_size} octets: expected at most {SIZE_MAX}")
        inputs[file.name] = file.read_bytes()
    write(path, inputs)


def extract(path, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, octets in read(path).items():
        (folder / name).write_bytes(octets)


def main(words):
    if len(words) == 2 and words[0] == "list":
        for name, octets in read(Path(words[1])).items():
            print(f"{len(octets):7} {name}")
    elif len(words) > 2 and words[0] == "add":
        add(Path(words[1]), words[2:])
    elif len(words) == 3 and words[0] == "extract":
        extract(Path(words[1]), Path(words[2]))
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
