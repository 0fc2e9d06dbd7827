# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages in mdoc, read as far as tests need it: sections and literal text."""

import re
from dataclasses import dataclass

ESCAPES = {"e": "\\", "&": "", "-": "-", "(dq": '"'}


@dataclass
class Block:
    """Literal text, or one line of it, as a reader sees it. `title` is that of the section, and of its subsection."""
    page: str
    title: str
    text: str

    @property
    def name(self):
        return f"{self.page}, {self.title}: {self.text.splitlines()[0]}"


def plain(text):
    """The text of the rendered page without markup."""
    return re.sub(r"\\(\(dq|[e&-])", lambda escape: ESCAPES[escape[1]], text)


class Page:
    def __init__(self, path):
        self.path = path
        self.name = f"{path.stem}({path.suffix[1:]})"
        self.lines = path.read_text(encoding="utf-8").splitlines()

    def _titled(self):
        """(title, line) for each line; a title is "SECTION" or "SECTION/Subsection"."""
        title = section = ""
        for line in self.lines:
            if line.startswith(".Sh "):
                title = section = line[4:].strip('"')
            elif line.startswith(".Ss "):
                title = f"{section}/{line[4:]}"
            yield title, line

    def section(self, title):
        """The lines of a section with its subsections, or of one of these."""
        return [line for found, line in self._titled() if found == title or found.startswith(f"{title}/")]

    def blocks(self):
        """Every .Bd -literal, and every .Dl."""
        lines = None
        for title, line in self._titled():
            if line.startswith(".Bd -literal"):
                lines = []
            elif line.startswith(".Ed"):
                yield Block(self.name, title, "".join(f"{plain(text)}\n" for text in lines))
                lines = None
            elif lines is not None:
                lines.append(line)
            elif line.startswith(".Dl "):
                yield Block(self.name, title, f"{plain(line[4:])}\n")


def unfolded(text):
    """Log lines of an example, of which the page breaks the longer ones; what is broken goes on with white space."""
    return re.sub(r"\n +", " ", text).splitlines()
