#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The samples of tests/samples: files with mistakes, and each message of `check`. `samples.py COMMAND` writes the messages again, for
you to read the difference."""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "samples"
OPTIONS = {"names": ["--names"], "protected": ["--protected"], "rpz": ["--rpz"]}  # by the name of the file of samples


def octets_of(text):
    return re.sub(rb"\{([0-9A-F]{2})\}", lambda match: bytes.fromhex(match[1].decode()), text.encode()) + b"\n"


def read(path):
    """Yields the title, the text, its octets and the messages about a file f of each sample in a file."""
    for sample in path.read_text(encoding="utf-8").split("\n=== ")[1:]:
        title, rest = sample.split("\n", 1)
        text, messages = rest.split("\n---\n")
        yield title, text, octets_of(text), ["f:" + line for line in messages.splitlines() if line]


def messages_of(command, option, octets):
    with tempfile.TemporaryDirectory(prefix="idn-samples-") as folder:
        Path(folder, "f").write_bytes(octets)
        done = subprocess.run([command, "check", *option, "f"], cwd=folder, capture_output=True, check=False, encoding="utf-8")
    return [line for line in done.stdout.splitlines()[:-1] if not line.endswith("[note]")]


def write(command):
    for path in sorted(FOLDER.iterdir()):
        texts = [path.read_text(encoding="utf-8").split("\n=== ")[0]]
        for title, text, octets, _ in read(path):
            lines = [line.removeprefix("f:") for line in messages_of(command, OPTIONS.get(path.stem, []), octets)]
            texts.append("\n".join([title, text, "---", *lines, ""]))
        path.write_text("\n=== ".join(texts), encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]).resolve())
