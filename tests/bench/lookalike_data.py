# SPDX-License-Identifier: BSD-3-Clause
"""Samples and protected lists for the look-alike benches, the same at each run: drawn by hash or with a seed, from sorted lists.
No real brand is in a protected list: its names are made from Debian's word lists, as long as the well-known names of
protected-names.txt are, and in kind what brands are: coined, a name, a word, two words, a foreign word, a company's domain. A
longer list begins with the shorter one."""

import hashlib
import random
import re
from pathlib import Path
from unicodedata import category

import word_lists

LEGITIMATE = 13000  # words of a language
SEED = "unbound-idn"
IN_CONTEXT = "-\u00B7\u0375\u05F3\u05F4\u200C\u200D\u30FB"  # the hyphen; RFC 5892, appendix A.1 to A.7
SHARES = {"coined": 30, "word": 20, "proper": 15, "pair": 15, "foreign": 10, "domain": 10}  # of a hundred brands
FOREIGN = ("it", "es", "fr", "de", "nl", "sv", "pl", "pt")
ONSETS, NUCLEI, CODAS = ("b br c ch d dr f fl g gr h j k kl l m n p pl pr qu r s sh st t tr v w x y z".split(),
                         "a e i o u ai ee ia io oo ou".split(), "l m n r s t x nd ng st".split() + [""] * 10)
TLDS = ("com", "com", "com", "com", "net", "org", "de", "co.uk", "io")


def draw(words, count, seed=SEED):
    """The same from the same words, and nearly the same when the list changes a little."""
    def rank(word):
        return hashlib.sha256(f"{seed} {word}".encode()).digest(), word
    return sorted(sorted(set(words), key=rank)[:count])


def protected_lines():
    """The names, whole."""
    lines = (Path(__file__).resolve().parent / "protected-names.txt").read_text().splitlines()
    return [line for line in lines if not line.startswith("#")]


def protected_names():
    """The label of each that stands left of its public suffix."""
    return sorted({name.split(".")[0] for name in protected_lines()})


def is_registrable(word):
    """Returns whether registries accept each character (RFC 5892: letters, marks, digits, and those allowed in context)."""
    return all(char in IN_CONTEXT or category(char)[0] in "LM" or category(char) == "Nd" for char in word)


def legitimate(root):
    """Yields each language and its words that are not ASCII. Words that are not labels are left out when they are encoded."""
    for language, words in word_lists.lists(root):
        drawn = draw({word.replace("İ", "i").lower() for word in words if not word.isascii() and is_registrable(word)}, LEGITIMATE)
        if drawn:
            yield language, drawn


# ---- protected lists ----------------------------------------------------------------------------------------------------

def coined(rng):
    return "".join(rng.choice(ONSETS) + rng.choice(NUCLEI) + rng.choice(CODAS) for _ in range(rng.choice((1, 2, 2, 3))))


def sources(root):
    """A function for each kind: a label drawn by a random generator."""
    american = word_lists.american(root)
    words = sorted({word for word in american if re.fullmatch("[a-z]{3,12}", word)})
    short = [word for word in words if len(word) <= 6]
    proper = sorted({word.lower() for word in american if re.fullmatch("[A-Z][a-z]{2,11}", word)})
    domains = sorted({label for label in word_lists.suffixes(root) if re.fullmatch("[a-z][a-z0-9-]{3,14}", label)})
    foreign = sorted({word for language, found in word_lists.lists(root) if language in FOREIGN
                      for word in found if re.fullmatch("[a-z]{4,12}", word)} - set(words))
    return {"coined": coined, "word": lambda rng: rng.choice(words), "proper": lambda rng: rng.choice(proper),
            "pair": lambda rng: rng.choice(short) + rng.choice(short), "foreign": lambda rng: rng.choice(foreign),
            "domain": lambda rng: rng.choice(domains)}


def brands(root, count, seed=SEED):
    """So many names with their TLD, each label once, in the order drawn."""
    rng, made, labels = random.Random(f"{seed} brands"), sources(root), {}
    lengths = [len(label) for label in protected_names()]
    while len(labels) < count:
        kind = rng.choices(list(SHARES), SHARES.values())[0]
        length = rng.choice(lengths)
        found = (made[kind](rng) for _ in range(200))
        label = next((label for label in found if len(label) == length), None)
        if label:
            labels.setdefault(label, rng.choice(TLDS))
    return [f"{label}.{tld}" for label, tld in labels.items()]
