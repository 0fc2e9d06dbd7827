#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Each pair of calls in migrating.md is compiled and gives the same for 10,000 names: migrating.py LIBXN CC. Prints TAP.

Words in bold below a pair name its differences. doc/migrating.md describes each, and CLASSES selects the names that it applies
to. A word that no name needs is a failure. -v prints all unexplained differences."""

import collections
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/command"))
from names import Names  # noqa: E402
from tap import Tap  # noqa: E402

COUNT, SEED = 10000, 20261123
REFUSED = "refused"
MAIN = """
#include <stdio.h>
int main(void)
{
    static char line[65536];
    %s
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\\n")] = '\\0';
        %s
    }
    return 0;
}
"""
CONVERT = """static char result[65536];
        printf("%%s\\n", convert(line, result%s) ? result : "refused");"""
COMPARE = """char *other = strchr(line, ' ');
        *other++ = '\\0';
        printf("%d\\n", compare(line, other));"""


def unicode_of(name):
    """The name with its A-labels decoded, as far as they can be."""
    def decoded(label):
        try:
            return label[4:].encode("ascii").decode("punycode") if label[:4].lower() == "xn--" else label
        except (UnicodeError, OverflowError, ValueError):
            return label
    return ".".join(decoded(label) for label in re.split("[.\u3002]", name))


def is_beside_unicode(label, pattern):
    return not label.isascii() and re.search(pattern, unicodedata.normalize("NFKC", label)) is not None


# RFC 5892, sections 2.6, 2.9 and 2.10, without what the general categories say.
DISALLOWED = re.compile("[\u0640\u07fa\u1100-\u11ff\u302e\u302f\u3031-\u3035\u303b]")


def is_symbol(character):
    """Whether it is none of RFC 5892's letters, digits and marks (section 2.1)."""
    return not character.isascii() and (unicodedata.category(character) not in ("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc")
                                        or DISALLOWED.match(character) is not None)


# Names, written with their U-labels, for which the page says that results differ.
CLASSES = {
    "symbols": lambda name: any(map(is_symbol, name)),
    "new characters": lambda name: re.search("[\U00030000-\U000323af]", name) is not None,
    "hyphens": lambda name: any(re.match(r"..--|-|.*-$", label) for label in name.split(".") if label.isascii())
    or re.search("[\U00010000-\U0010ffff].?--", name) is not None,
    "ASCII punctuation": lambda name: any(is_beside_unicode(label, r"[\x20-\x2c/:-@\[-`{-~]") for label in name.split(".")),
    "dropped characters": lambda name: "\u00ad" in name,
    "empty labels": lambda name: re.search(r"^[.]|[.][.]", name) is not None,
    "escapes": lambda name: re.search(r"[\x20\"\\]", name) is not None,
    "ASCII labels": str.isascii,
    "capitals": lambda name: re.search("[A-Z]", name) is not None,
    "bidi": lambda name: any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for c in name),
    "long labels": lambda name: any(len(unicodedata.normalize("NFC", label).encode("punycode")) > 59 for label in name.split(" ")),
}


def pairs():
    """(title, the code of the other library, ours, the words in bold below)."""
    for section in re.split("^## ", (ROOT / "tests/library/migrating.md").read_text(encoding="utf-8"), flags=re.M)[1:]:
        title, _, text = section.partition("\n")
        blocks = re.findall(r"^```c\n(.*?)^```$", text, re.M | re.S)
        yield title, blocks, [word for line in re.findall(r"^- \*\*.*", text, re.M) for word in re.findall(r"\*\*(.*?)\*\*", line)]


def program(code, ours):
    begin = "if (xn_unicode_open(&unicode) != XN_OK) return 1;" if ours else "begin();" if "begin(void)" in code else ""
    room = ", sizeof result" if "size_t room" in code else ""
    handle = "#include <libxn/unicode.h>\nstatic struct xn_unicode *unicode;\n" if ours and "unicode" in code else ""
    return ("#include <stdbool.h>\n#include <string.h>\n" + handle + code +
            MAIN % (begin if not ours or handle else "", COMPARE if "compare(" in code else CONVERT % room))


def results(folder, code, ours, library, compiler, names):
    (folder / "pair.c").write_text(program(code, ours), encoding="utf-8")
    packages = subprocess.run(["pkg-config", "--libs", "libidn2", "icu-i18n", "icu-uc"], check=True, capture_output=True, text=True).stdout
    built = subprocess.run([*compiler, "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{library.parent}/include", "-o",
                            folder / "pair", folder / "pair.c", library, *shlex.split(packages)], capture_output=True, text=True, check=False)
    if built.returncode != 0:
        return built.stderr.splitlines()
    told = subprocess.run([folder / "pair"], input="\n".join(names).encode() + b"\n", check=True, capture_output=True).stdout
    return told.decode("utf-8", "backslashreplace").split("\n")[:-1]


def inputs(title, names, ascii_names, seed):
    if "from the DNS" in title:
        return ascii_names
    labels = [label for name in names for label in name.split(".") if label]
    if "one label" in title:
        return labels[:COUNT]
    if "look alike" not in title:
        return names
    disguise = Names(seed)
    labels = [label.lower() for label in labels if not re.search(r"[\s_'-]|^xn--", label, re.I)]
    return [f"{label} {disguise.disguised(label)}" for label in labels][:COUNT]


def main():
    library, compiler = pathlib.Path(sys.argv[1]).absolute(), sys.argv[2:]
    verbose = "-v" in compiler
    compiler = [word for word in compiler if word != "-v"]
    tap, source = Tap(), Names(SEED)
    described = set(re.findall(r"^- \*\*([\w ]+)\*\*", (ROOT / "doc/migrating.md").read_text(encoding="utf-8"), re.M))
    tap.equal(set(CLASSES) - described, set(), "doc/migrating.md describes each difference")
    names, ascii_names = [source.name() for _ in range(COUNT)], []
    with tempfile.TemporaryDirectory(prefix="libxn-migrating-") as folder:
        for title, blocks, allowed in pairs():
            asked = inputs(title, names, ascii_names, SEED)
            theirs, ours = (results(pathlib.Path(folder), code, number == 1, library, compiler, asked) for number, code in enumerate(blocks[:2]))
            tap.equal((len(blocks), len(asked), len(theirs), len(ours)), (2, COUNT, COUNT, COUNT), f"{title}: results for {COUNT} names")
            if not ascii_names:
                good = [name for name in ours if name != REFUSED]
                ascii_names = (good + [name.upper() for name in good])[:COUNT]
            different = [(name, one, other) for name, one, other in zip(asked, theirs, ours) if one != other]
            unexplained = [row for row in different if not any(CLASSES[word](unicode_of(row[0])) for word in allowed)]
            needed = {word for name, _, _ in different for word in allowed if CLASSES[word](unicode_of(name))}
            tap.equal(unexplained[:None if verbose else 5], [], f"{title}: what differs is what the page says")
            tap.equal(sorted(needed), sorted(allowed), f"{title}: and nothing that it says is idle")
            same = collections.Counter(ours)
            tap.equal(same[REFUSED] < COUNT * 0.8 and len(same) > 1, True, f"{title}: not all are refused")
    return tap.finish()


sys.exit(main())
