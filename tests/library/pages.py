# SPDX-License-Identifier: BSD-3-Clause
"""Reads a manual page of section 3."""

import re

from headers import words


class Page:
    def __init__(self, path):
        self.text = path.read_text(encoding="utf-8")
        self.titles = re.findall(r"^\.Sh (.*)$", self.text, re.M)
        self.names = re.findall(r"^\.Nm (\w+)", self.section("NAME"), re.M)
        synopsis = self.section("SYNOPSIS")
        self.functions = {name: f"{result} {name}({', '.join(self.arguments(arguments))})"
                          for result, name, arguments in re.findall(r"^\.Ft ([^\n]*)\n\.Fo (\w+)\n(.*?)^\.Fc$", synopsis, re.M | re.S)}
        self.structs = [words(struct) for struct in re.findall(r"struct xn_\w+ \{.*?\};", synopsis, re.S)]
        self.included = re.findall(r"^\.In (.*)$", synopsis, re.M)
        self.prose = "".join(self.section(title) for title in self.titles if title not in ("NAME", "SYNOPSIS", "EXAMPLES"))
        self.described = set(re.findall(r"^\.Fn (xn_\w+)", self.prose, re.M))
        self.mentioned = set(re.findall(r"\bXN_\w+", self.prose))
        self.referred = re.findall(r"^\.Xr (\S+) ([1-9])", self.text, re.M)

    @staticmethod
    def arguments(text):
        return [quoted or bare for quoted, bare in re.findall(r'^\.Fa (?:"(.*)"|([^"]*))$', text, re.M)]

    def section(self, title):
        return (self.text + "\n.Sh ").split(f"\n.Sh {title}\n")[1].split("\n.Sh ")[0] + "\n" if title in re.findall(r"^\.Sh (.*)$", self.text, re.M) else ""

    def literals(self):
        """The text between .Bd and .Ed in EXAMPLES, as a reader of the rendered page sees it."""
        blocks = re.findall(r"^\.Bd -literal[^\n]*\n(.*?)^\.Ed$", self.section("EXAMPLES"), re.M | re.S)
        return [re.sub(r"\\([e&-])", lambda escape: {"e": "\\", "&": "", "-": "-"}[escape[1]], block) for block in blocks]
