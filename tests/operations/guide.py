# SPDX-License-Identifier: BSD-3-Clause
"""doc/operations.md and doc/hosts.md as their tests read them: headings, and the blocks below them by what runs them."""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE, HOSTS, FLEET = (ROOT / "doc" / name for name in ("operations.md", "hosts.md", "fleet.md"))
ETC, STATE = "/etc/unbound", "/var/lib/unbound"


@dataclass(frozen=True)
class Block:
    heading: str
    kind: str  # the word after the three backquotes
    text: str


def blocks(kind=None, heading=None, document=GUIDE):
    """The blocks of this kind and below this heading, in their order."""
    found, title, inside = [], "", None
    for line in document.read_text(encoding="utf-8").splitlines():
        if inside is not None and line == "```":
            found.append(Block(title, inside[0], "".join(f"{text}\n" for text in inside[1:])))
            inside = None
        elif inside is not None:
            inside.append(line)
        elif line.startswith("```"):
            inside = [line[3:]]
        elif line.startswith("## "):
            title = line[3:]
    return [block for block in found if kind in (None, block.kind) and heading in (None, block.heading)]


def the_block(kind, document=GUIDE):
    """The only one of its kind."""
    one, = blocks(kind, document=document)
    return one.text


def replaced(text, replacements):
    """A text of a guide with each word replaced, which has to be in it."""
    for word, other in replacements.items():
        assert word in text, f"{word} is not in:\n{text}"
        text = text.replace(word, str(other))
    return text


def tables(heading):
    """Rows of all tables below a heading, as lists of cells, without the heads."""
    text = GUIDE.read_text(encoding="utf-8").split(f"\n## {heading}\n")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]
    return [row for at, row in enumerate(rows) if not is_rule(row) and not (at + 1 < len(rows) and is_rule(rows[at + 1]))]


def is_rule(row):
    return all(re.fullmatch(r":?-+:?", cell) for cell in row)


def placed(text, folder):
    """A text of the guide with its paths below a test's folder."""
    return text.replace(ETC, str(folder)).replace(STATE, f"{folder}/log")
