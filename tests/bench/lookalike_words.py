# SPDX-License-Identifier: BSD-3-Clause
"""Words that no table was tuned on: those in aspell's lists, in Debian's lists in /usr/share/dict and among the names in
iso-codes that word_lists.py does not have for the language. Half of these, by hash, are held out: they are never
inspected one by one. The others may be inspected. `--packages` prints the packages that are needed beside those of
word_lists.py."""

import gettext
import hashlib
import re
import sys
from collections import defaultdict

import lookalike_data as data
import word_lists

ASPELL = """ar bn br cs el fa fr gu he hi hr hu hy is it ku ml pl ro sk sl sv te uz et lt lv ru bg eu uk"""
FILES = {"fa": ("fa-common",), "fr": ("fr-40-only", "fr-60-only", "fr-80-only"), "hy": ("hy-common",)}
DICTIONARIES = """bg bulgarian wbulgarian | pt-BR brazilian wbrazilian | da danish wdanish | nl dutch wdutch |
    eo esperanto wesperanto | gd gaelic wgaelic | de ngerman wngerman | ga irish wirish | gv manx wmanx |
    pl polish wpolish | fo faroese wfaroese | gl galician-minimos wgalician-minimos | uk ukrainian wukrainian |
    pt portuguese wportuguese | nb bokmaal wnorwegian | nn nynorsk wnorwegian | ca catalan wcatalan |
    sv swedish wswedish | fr french wfrench | it italian witalian | es spanish wspanish"""
NAMES = """af am ar as ast az be bg bn br bs byn ca ckb cs cy da de dz el eo es et eu fa fi fo fr ga gez gl gu ha he hi
    hr hu hy is it ja ka kk km kn ko ky lo lt lv mi mk ml mn mr mt my nb ne nl nn oc or pa pl ps pt ro ru si sk sl sq
    sr sv ta te tg th ti tr tt ug uk ur uz vi yo"""  # languages that iso-codes has names in
OTHER_NAMES = {"pt_BR": "pt-BR", "zh_CN": "zh", "zh_TW": "zh"}
MOST = 4000  # held-out words of a language; at most as many others
LEAST = 300  # fewer say nothing about a language


def packages():
    names = {package for _, _, package in word_lists.table(DICTIONARIES)} | {f"aspell-{tag}" for tag in ASPELL.split()}
    return sorted(names | {"iso-codes", "unifont", "aspell-kn", "aspell-ta"})


# ---- readers --------------------------------------------------------------------------------------------------------

def dictionary(path):
    octets = path.read_bytes()
    try:
        return octets.decode().split("\n")
    except UnicodeDecodeError:
        return octets.decode("iso8859-1").split("\n")


def names(root, locale):
    """The words of the names of languages, countries, scripts and currencies."""
    for path in sorted((root / f"usr/share/locale/{locale}/LC_MESSAGES").glob("iso_*.mo")):
        if path.resolve().exists():
            with open(path, "rb") as file:
                for source, text in gettext.GNUTranslations(file)._catalog.items():  # noqa: SLF001
                    if source and isinstance(text, str):
                        yield from re.split(r"[\s(),;:/.'’ʼ`\"“”«»&+\[\]،؛、]+", text)


def compressed(root, tag, name):
    listed = root / f"usr/share/aspell/{name}.cwl.gz"
    return word_lists.aspell(root, tag, name) if listed.exists() else ()


def second(root):
    """Words of each language, as they stand."""
    found = {}
    for tag in ASPELL.split():
        found.setdefault(tag, set()).update(*(compressed(root, tag, name) for name in FILES.get(tag, (tag,))))
    for tag, name, _ in word_lists.table(DICTIONARIES):
        found.setdefault(tag, set()).update(dictionary(root / f"usr/share/dict/{name}"))
    for locale, tag in {**{tag: tag for tag in NAMES.split()}, **OTHER_NAMES}.items():
        found.setdefault(tag, set()).update(names(root, locale))
    return found


# ---- what is new of them --------------------------------------------------------------------------------------------

def folded(word):
    return word.replace("İ", "i").lower().strip("-")


def halves(root):
    """Triples of language, held-out words and others: those that word_lists.py has not."""
    others = second(root)
    known = {tag: {folded(word) for word in words} for tag, words in word_lists.lists(root) if tag in others}
    for tag, words in sorted(others.items()):
        new = {word for word in {folded(word) for word in words if not word.isascii()} - known.get(tag, set()) - {""}
               if data.is_registrable(word)}
        held = {word for word in new if hashlib.sha256(f"{data.SEED} held out {word}".encode()).digest()[0] & 1}
        if len(held) >= LEAST:
            yield tag, data.draw(held, MOST), data.draw(new - held, MOST)


def kept(root, path):
    """The same, from a file of an earlier run where there is one: it takes minutes to make."""
    if not path.exists():
        rows = [f"{tag}\t{half}\t{word}\n" for tag, *both in halves(root)
                for half, words in zip(("held", "open"), both) for word in words]
        path.write_text("".join(rows))
    found = {"held": defaultdict(list), "open": defaultdict(list)}
    for line in path.read_text().split("\n")[:-1]:
        tag, half, word = line.split("\t")
        found[half][tag].append(word)
    return found["held"], found["open"]


if __name__ == "__main__":
    if sys.argv[1:] != ["--packages"]:
        sys.exit("usage: lookalike_words.py --packages")
    print(*packages())
