#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Prints doc/map.md: the first sentence of each file in core/, module/ and tools/. `make map` writes it, and
tests/layout.sh compares. A .c and a .h of the same name share a row, with the header's sentence. Run it from the top of the tree.
Exits with 1 if a file has no sentence. tools/deb/ is left out: debhelper names its files."""

import pathlib
import re
import sys

HEAD = """# Map

`make map` writes this page from the first sentence of each file. [CONTRIBUTING.md](../CONTRIBUTING.md#layers) says which directory may
include which, [testing.md](testing.md#where-tests-are) what is in `tests/`.
"""
COMMENTS = ((r"/\*+(.*?)\*/", r" \* ?"), (r'"""(.*?)"""', ""), (r"((?:#(?!compdef|include|ifndef).*\n)+)", "#+ ?"), (r"((?:--.*\n)+)", "-- ?"))


def sentence(path):
    """The first sentence of the first comment after the lines for machines; None if there is none."""
    text = re.sub(r"\A((#!|#compdef|.*SPDX-License-Identifier|# shellcheck).*\n|\n)*", "", path.read_text(encoding="utf-8"))
    for comment, prefix in COMMENTS:
        if found := re.match(comment, text, re.S if '.*?' in comment else 0):
            paragraph = re.sub(f"^{prefix}", "", found[1], flags=re.M).partition("\n\n")[0]
            first = re.match(r".*?[.](?= |$)|.*:$", " ".join(paragraph.split()))
            return first and first[0]
    return None


def main():
    missing = []
    print(HEAD, end="")
    folders = sorted(folder for top in ("core", "module", "tools") for folder in pathlib.Path(top).iterdir() if folder.is_dir())
    for folder in folders:
        if folder == pathlib.Path("tools/deb"):
            continue
        print(f"\n## `{folder}/`\n\n| file | |\n|---|---|")
        files = sorted(path for path in folder.iterdir() if path.is_file())
        for path in files:
            twin = path.with_suffix(".h")
            if path.suffix == ".h" and path.with_suffix(".c") in files:
                continue
            both = path.suffix == ".c" and twin in files
            said = both and sentence(twin) or sentence(path)
            missing += [] if said else [str(path)]
            print(f"| `{f'{path.stem}.[ch]' if both else path.name}` | {(said or '').replace('|', chr(92) + '|')} |")
    if missing:
        sys.exit(f"no first sentence: {' '.join(missing)}")


if __name__ == "__main__":
    main()
