# SPDX-License-Identifier: BSD-3-Clause
"""Names that a forger could make of a brand, by class, with a seed: each class after a published description, from
GNU Unifont's pixels and Unicode's names of characters and not from what the keys were made of."""

import random
from collections import defaultdict
from pathlib import Path
from unicodedata import normalize

import lookalike_data as data
import lookalike_glyphs as glyphs

PIXELS = 4  # by which two glyphs may differ (Suzuki et al., ShamFinder, IMC 2019)
TLDS = ("com", "net", "org", "xyz", "top", "shop", "info", "online")
WORDS = ("login", "secure", "support", "account", "verify", "online", "pay", "shop", "bank", "help", "id", "app",
         "service", "store", "update", "mail")
KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
PUNCTUATION = "一丨丶ー・ノ〇·ㅡㅣ"


# ---- letters that look like others ----------------------------------------------------------------------------------

def bitmaps(root):
    """Each character of Unifont as a number of 16 rows of 8 pixels."""
    lines = (root / "usr/share/unifont/unifont.hex").read_text().split()
    rows = (line.split(":") for line in lines)
    return {chr(int(code, 16)): int(bits, 16) for code, bits in rows if len(bits) == 32}


def by_pixels(root, characters):
    """Letters, marks apart, whose glyph differs in few pixels from one of ours."""
    drawn = bitmaps(root)
    ours = {letter: drawn[letter] for letter in glyphs.LDH if letter != "-"}
    letters = [(character.text, drawn[character.text]) for character in characters
               if character.text in drawn and character.category[0] in "LN"]
    return glyphs.by_letter((letter, text) for text, bits in letters for letter, own in ours.items()
                            if (bits ^ own).bit_count() <= PIXELS)


def merged(*tables):
    found = defaultdict(list)
    for table in tables:
        for letter, forms in table.items():
            found[letter] += forms
    return dict(found)


class Glyphs:
    def __init__(self, root, characters):
        self.characters = characters
        self.pixels = by_pixels(root, characters)
        self.scripts = (glyphs.CYRILLIC, glyphs.GREEK, glyphs.ARMENIAN)
        self.eye = merged(*self.scripts, glyphs.OTHERS)
        self.sold = merged(*(glyphs.registry(letters, characters) for letters in glyphs.REGISTRIES.values()))
        self.marked = glyphs.named(characters, "LATIN SMALL LETTER ([A-Z]) WITH .*")
        self.strokes = glyphs.named(characters, "LATIN SMALL LETTER ([A-Z]) WITH .*(?:STROKE|BAR|MIDDLE TILDE|BELT)")
        self.odd = merged(glyphs.named(characters, "LATIN LETTER SMALL CAPITAL ([A-Z])"),
                          glyphs.named(characters, "LATIN SMALL LETTER (?:DOTLESS|OPEN|SCRIPT|LONG|REVERSED|TURNED) ([A-Z])"),
                          glyphs.named(characters, "LATIN SMALL LETTER ([A-Z]) WITH .*(?:HOOK|TAIL|LEG|CURL)"))
        self.digits = "०০੦௦೦๐໐٠۰"


# ---- one function for each class: a label (or labels) from a brand's label; None where it cannot be -------------------

def exchanged(label, table, rng, count=1):
    return next(glyphs.many(label, table, rng, [count]), None)


def whole(label, forms, rng):
    fitting = [script for script in forms.scripts if all(letter in script for letter in label)]
    return glyphs.whole(label, rng.choice(fitting), rng) if fitting else None


def mostly_marked(label, forms, rng):
    return exchanged(label, forms.sold, rng, max(2, len(label) // 2))


def homograph(label, forms, rng):
    return exchanged(label, rng.choice((forms.pixels, forms.eye, forms.sold)), rng)


def combined(label, rng, most=2):
    words = rng.sample(WORDS, rng.randint(1, most))
    join = rng.choice(("-", "-", ""))
    parts = [label, *words] if rng.random() < 0.7 else [*words, label]
    return join.join(parts)


def beside(letter, rng):
    row = next((row for row in KEYS if letter in row), None)
    return rng.choice([row[i] for i in (row.index(letter) - 1, row.index(letter) + 1) if 0 <= i < len(row)]) if row else "0"


def typo(label, rng):
    at, kind = rng.randrange(len(label)), rng.choice("omission swap double insertion replacement".split())
    if kind == "omission":
        return label[:at] + label[at + 1:]
    if kind == "swap":
        at = rng.randrange(len(label) - 1)
        return label[:at] + label[at + 1] + label[at] + label[at + 2:]
    if kind == "double":
        return label[:at] + label[at] + label[at:]
    if kind == "insertion":
        return label[:at] + beside(label[at], rng) + label[at:]
    return label[:at] + beside(label[at], rng) + label[at + 1:]


def added(label, forms, rng):
    at, letter = rng.randrange(len(label) + 1), rng.choice("aeiousl")
    return label[:at] + rng.choice(forms.sold[letter]) + label[at:]


def digits(label, forms, rng):
    zero = ord(rng.choice(forms.digits))
    return label + "".join(chr(zero + rng.randrange(10)) for _ in range(rng.choice((1, 2, 3))))


def below(label, rng):
    """Left of a forger's own domain (Du et al., levelsquatting, 2019); with its TLD."""
    return f"{label}.com.{'-'.join(rng.sample(WORDS, 2))}.{rng.choice(TLDS)}" if label else None


CLASSES = {  # title: function of label, glyphs, generator
    "IDN: one letter by pixels": lambda label, forms, rng: exchanged(label, forms.pixels, rng),
    "IDN: 2-3 letters by pixels": lambda label, forms, rng: exchanged(label, forms.pixels, rng, rng.choice((2, 3))),
    "IDN: mixed scripts": lambda label, forms, rng: exchanged(label, forms.eye, rng, rng.choice((1, 1, 2))),
    "IDN: whole script": whole,
    "IDN: one diacritic": lambda label, forms, rng: exchanged(label, forms.sold, rng),
    "IDN: many diacritics": mostly_marked,
    "IDN: rare diacritics": lambda label, forms, rng: exchanged(label, forms.marked, rng),
    "IDN: strokes": lambda label, forms, rng: exchanged(label, forms.strokes, rng),
    "IDN: odd Latin": lambda label, forms, rng: exchanged(label, forms.odd, rng),
    "IDN: + word": lambda label, forms, rng: combined(homograph(label, forms, rng) or label, rng),
    "IDN: + typo": lambda label, forms, rng: homograph(typo(label, rng), forms, rng),
    "IDN: added letter": added,
    "IDN: punctuation": lambda label, forms, rng: label + rng.choice(PUNCTUATION) + rng.choice(WORDS),
    "IDN: foreign digits": digits,
    "IDN: subdomain": lambda label, forms, rng: below(homograph(label, forms, rng), rng),
}


def forged(labels, forms, each, seed=data.SEED):
    """Triples of class, brand's label and name, each name once for a class."""
    taken = set(labels)
    for title, make in CLASSES.items():
        names = {}
        for label in labels:
            rng = random.Random(f"{seed} {title} {label}")
            for _ in range(each):
                text = make(label, forms, rng)
                if not text or text in taken or text.isascii():
                    continue
                name = normalize("NFC", text)
                names.setdefault(name if "." in name else f"{name}.{rng.choice(TLDS)}", label)
        yield from ((title, label, name) for name, label in sorted(names.items()))
