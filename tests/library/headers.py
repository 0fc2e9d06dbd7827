# SPDX-License-Identifier: BSD-3-Clause
"""Reads the declarations of a public header of libxn."""

import re


def words(text):
    return " ".join(text.split())


class Header:
    def __init__(self, path):
        text = path.read_text(encoding="utf-8")
        code = re.sub(r"^\s*#.*$", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S), flags=re.M)
        declared = re.findall(r"(?:^|[;}{])\s*((?:static inline |XN_MUST_CHECK )*)([\w\s]+?[\s*]+)(xn_\w+)\(([^()]*)\)\s*(?=[;{])", code)
        self.functions = {name: f"{words(result)} {name}({words(arguments)})" for _, result, name, arguments in declared}
        self.exported = {name for kind, _, name, _ in declared if "inline" not in kind}
        self.structs = [words(struct) for struct in re.findall(r"struct xn_\w+ \{.*?\};", code, re.S) if not self.is_private(text, struct)]
        self.typedefs = [words(typedef) for typedef in re.findall(r"typedef [\w ]+ xn_\w+;", code)]
        self.enumerators = re.findall(r"\b(XN_\w+)\s*(?:=[^,}]*)?(?=[,}])", "".join(re.findall(r"enum (?:xn_\w+ )?\{.*?\}", code, re.S)))

    @staticmethod
    def is_private(text, struct):
        return re.search(r"All fields are private[^/]*\*/\s*" + re.escape(struct.split("{")[0]), text) is not None


def headers_of(folder):
    """The headers in include/libxn, by "xn_" and their names."""
    return {f"xn_{path.stem}": Header(path) for path in sorted((folder / "include/libxn").glob("*.h"))}
