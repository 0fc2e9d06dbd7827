# SPDX-License-Identifier: BSD-3-Clause
"""Reads the programs in libxn(3)."""

import re


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")

    def literals(self):
        """The text between .Bd and .Ed in EXAMPLES, as a reader of the rendered page sees it."""
        examples = self.text.split("\n.Sh EXAMPLES\n")[1].split("\n.Sh ")[0] + "\n"
        blocks = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", examples, re.M | re.S)
        return [re.sub(r"\\([e&-])", lambda escape: {"e": "\\", "&": "", "-": "-"}[escape[1]], block) for block in blocks]
