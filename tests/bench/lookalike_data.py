# SPDX-License-Identifier: BSD-3-Clause
"""Makes the data of bench-lookalike-tables: protected labels, legitimate labels, and homographs. They are the same at each
run: samples are drawn by hash or with a seed, from sorted lists."""

import hashlib
import random
import re
import sys
from collections import defaultdict
from pathlib import Path
from unicodedata import category

import lookalike_glyphs as glyphs
import word_lists

PROTECTED_WORDS = 4500
DRAWS = 3  # of so many words: the first are the protected ones, the others show what the draw does
WORDS_FORGED = 300  # of these, beside every name
LEGITIMATE = 13000  # of a language
DRAWN = {"one": 150, "two": 40, "any": 20, "whole": 10}  # of each source for a label, at most
SEED = "unbound-idn"
IN_CONTEXT = "-\u00B7\u0375\u05F3\u05F4\u200C\u200D\u30FB"  # the hyphen; RFC 5892, appendix A.1 to A.7


def draw(words, count, seed=SEED):
    """The same from the same words, and nearly the same when the list changes a little."""
    def rank(word):
        return hashlib.sha256(f"{seed} {word}".encode()).digest(), word
    return sorted(sorted(set(words), key=rank)[:count])


# ---- labels ---------------------------------------------------------------------------------------------------------

def protected_lines():
    """The names, whole."""
    lines = (Path(__file__).resolve().parent / "protected-names.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def protected_names():
    """The label of each that stands left of its public suffix."""
    return sorted({name.split(".")[0] for name in protected_lines()})


def english(root):
    return sorted({word for word in word_lists.american(root) if re.fullmatch("[a-z]+", word)})


def protected_words(root, number=1):
    """The first draw of words, or another."""
    fitting = (word for word in english(root) if 4 <= len(word) <= 12)
    return draw(fitting, PROTECTED_WORDS, f"{SEED} {number}")


def is_registrable(word):
    """Returns whether registries accept each character (RFC 5892: letters, marks, digits, and those allowed in context)."""
    return all(char in IN_CONTEXT or category(char)[0] in "LM" or category(char) == "Nd" for char in word)


def legitimate(root):
    """Yields each language and its words that are not ASCII. Words that are not labels are left out when they are encoded."""
    for language, words in word_lists.lists(root):
        drawn = draw({word.replace("İ", "i").lower() for word in words if not word.isascii() and is_registrable(word)}, LEGITIMATE)
        if drawn:
            yield language, drawn


# ---- homographs -----------------------------------------------------------------------------------------------------

def dnstwist(root):
    """Debian's dnstwist, as a library: nothing of it that asks the DNS is called."""
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(root / "usr/lib/python3/dist-packages"))
    import dnstwist as program  # noqa: PLC0415  (unpacked at run time)
    return program


def twisted_kind(fuzzer, label, homograph):
    """By how many of its exchanges; it also makes them one upon the other, through ASCII letters (b, d, ď)."""
    pairs = {pair for pair in zip(label, homograph) if pair[0] != pair[1]}
    if len(homograph) != len(label) or any(new.isascii() or new not in fuzzer.glyphs[old] for old, new in pairs):
        return "dnstwist, through ASCII exchanges"
    return "dnstwist, one exchange" if len(pairs) == 1 else "dnstwist, two exchanges"


def twisted(program, label):
    """By kind; ASCII variants of one exchange too."""
    fuzzer = program.Fuzzer(f"{label}.com")
    found = defaultdict(set)
    for homograph in fuzzer._homoglyph():  # noqa: SLF001  (the names by which its options call them)
        if not homograph.isascii():
            found[twisted_kind(fuzzer, label, homograph)].add(homograph)
    for kind in list(found):
        if kind != "dnstwist, one exchange":
            found[kind] = draw(found[kind], DRAWN["two"])
    found["dnstwist, all Cyrillic"].update(fuzzer._cyrillic())  # noqa: SLF001
    found["ASCII"] = set(ascii_exchanges(fuzzer, label))
    return found


def ascii_exchanges(fuzzer, label):
    fuzzer.glyphs = {letter: [glyph for glyph in found if glyph.isascii()] for letter, found in fuzzer.glyphs.items()}
    for start, end, glyph in glyphs.windows(label, fuzzer.glyphs):
        yield label[:start] + glyph + label[end:]


class Source:
    """Homographs by one table of glyphs: by one exchange, by two, by any number, and of the whole."""

    def __init__(self, name, table, ways, most=None):
        self.name, self.table, self.ways, self.most = name, table, ways, most or DRAWN

    def forge(self, label):
        rng = random.Random(f"{SEED} {self.name} {label}")
        for way in self.ways:
            count = self.most[way]
            if way == "one":
                found = glyphs.one(label, self.table)
                found = found if len(found) <= count else rng.sample(found, count)
            elif way == "whole":
                found = [glyphs.whole(label, self.table, rng) for _ in range(count)]
            else:
                exchanges = [2 if way == "two" else rng.randint(1, len(label)) for _ in range(count)]
                found = glyphs.many(label, self.table, rng, exchanges)
            yield f"{self.name}, {way}", sorted(set(filter(None, found)))


def sources(characters):
    """The first are Unicode's own data; the others, held out, the keys were not made from. Not all of these can be
    found: a turned m, which a name calls a form of m, looks like a w."""
    confusables = glyphs.confusables(characters)
    yield Source("confusables", confusables, ("one", "two", "any"), {**DRAWN, "one": sys.maxsize})
    script = {character.text: character.script for character in characters}
    for name in sorted(set(script.values()) - {"Zyyy"}):
        own = {letter: [glyph for glyph in found if script.get(glyph) == name]
               for letter, found in confusables.items() if len(letter) == 1}
        yield Source(f"confusables of {name}", {letter: found for letter, found in own.items() if found}, ("whole",))
    with_marks = glyphs.named(characters, "LATIN SMALL LETTER ([A-Z]) WITH .*")
    yield Source("held out: marked by name", with_marks, ("one", "two", "any", "whole"))
    yield Source("held out: combining marks", glyphs.marks(characters), ("one", "two"), {"one": 40, "two": 10})
    yield Source("held out: small capitals", glyphs.named(characters, "LATIN LETTER SMALL CAPITAL ([A-Z])"),
                 ("one", "whole"))
    forms = glyphs.named(characters, r"LATIN (?:SMALL )?LETTER (?!SMALL CAPITAL)(?:[A-Z]+ )+([A-Z])(?: WITH .*)?")
    yield Source("held out: other forms by name", forms, ("one",))
    yield Source("held out: marked, other scripts", glyphs.other_scripts_marked(characters, confusables), ("one",))
    yield Source("held out: capital shapes", glyphs.capitals(characters), ("one",))
    yield Source("held out: digits by value", glyphs.digits(characters), ("one",))
    for name, letters in glyphs.REGISTRIES.items():
        yield Source(f"held out: registry {name}", glyphs.registry(letters, characters), ("one", "any"))
    for script, close, wide in (("Cyrillic", glyphs.CYRILLIC, glyphs.CYRILLIC_WIDE),
                                ("Greek", glyphs.GREEK, glyphs.GREEK_WIDE), ("Armenian", glyphs.ARMENIAN, None)):
        yield Source(f"held out: {script} by eye", close, ("one", "two", "whole"))
        if wide:
            yield Source(f"held out: {script} by eye, widely", wide, ("one", "two", "whole"))
    yield Source("held out: other scripts by eye", glyphs.OTHERS, ("one",))


def homographs(root, characters, labels):
    """Triples of source, protected label and homograph; ASCII variants have the source ASCII."""
    program, tables = dnstwist(root), list(sources(characters))
    for label in labels:
        for kind, found in sorted(twisted(program, label).items()):
            yield from ((kind, label, homograph) for homograph in sorted(found))
        for source in tables:
            for kind, found in source.forge(label):
                yield from ((kind, label, homograph) for homograph in found)
