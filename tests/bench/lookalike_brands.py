# SPDX-License-Identifier: BSD-3-Clause
"""Protected lists of any size, made from Debian's word lists by hash: no real brand is in this repository. A longer
list begins with the shorter one. As long as the well-known names of protected-names.txt are, and in kind what brands
are: coined, a name, a word, two words, a foreign word, a company's domain."""

import random
import re
from collections import Counter

import lookalike_data as data
import word_lists

SHARES = {"coined": 30, "word": 20, "proper": 15, "pair": 15, "foreign": 10, "domain": 10}  # of a hundred brands
FOREIGN = ("it", "es", "fr", "de", "nl", "sv", "pl", "pt")
ONSETS, NUCLEI, CODAS = ("b br c ch d dr f fl g gr h j k kl l m n p pl pr qu r s sh st t tr v w x y z".split(),
                         "a e i o u ai ee ia io oo ou".split(), "l m n r s t x nd ng st".split() + [""] * 10)
TLDS = ("com", "com", "com", "com", "net", "org", "de", "co.uk", "io")


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


def brands(root, count, seed=data.SEED):
    """So many names with their TLD, each label once, in the order drawn."""
    rng, made, labels = random.Random(f"{seed} brands"), sources(root), {}
    lengths = [len(label) for label in data.protected_names()]
    while len(labels) < count:
        kind = rng.choices(list(SHARES), SHARES.values())[0]
        length = rng.choice(lengths)
        found = (made[kind](rng) for _ in range(200))
        label = next((label for label in found if len(label) == length), None)
        if label:
            labels.setdefault(label, rng.choice(TLDS))
    return [f"{label}.{tld}" for label, tld in labels.items()]


if __name__ == "__main__":
    import sys
    from pathlib import Path
    if len(sys.argv) != 3:
        sys.exit("usage: lookalike_brands.py DATA COUNT: prints so many protected names, from what debian-data.sh unpacked")
    drawn = brands(Path(sys.argv[1]) / "root", int(sys.argv[2]))
    print(*drawn, sep="\n")
    print(sorted(Counter(len(name.split(".")[0]) for name in drawn).items()), file=sys.stderr)
