# SPDX-License-Identifier: BSD-3-Clause
"""Sets of labels for bench_codec, each of one script or language: words of Debian's word lists, and two joined where
there are too few. `codec_labels.py DATA FOLDER` writes FOLDER/LANGUAGE.txt, a label a line; `--packages` prints what
DATA must have unpacked."""

import random
import sys
import unicodedata
from pathlib import Path

import word_lists

LANGUAGES = "ar bn de el fr he hi hy ja ko ru ta th tr vi zh".split()
LABELS = 12000  # bench_codec takes the first 10,000 that ICU takes for U-labels
PEERS = ("libidn2-0", "libidn12", "libunistring2")


def packages():
    prefixed = {"hunspell": word_lists.HUNSPELL, "myspell": word_lists.MYSPELL, "aspell": word_lists.ASPELL}
    names = {f"{prefix}-{package}" for prefix, text in prefixed.items()
             for language, package, _ in word_lists.table(text) if language in LANGUAGES}
    return sorted(names | {word_lists.OTHERS[other] for other in ("ja", "zh", "suffixes")} | {"aspell"} | set(PEERS))


def is_label(word):
    """Roughly: letters, marks and digits, not all of them ASCII; bench_codec asks ICU about the rest."""
    return (1 < len(word) < 30 and not word.isascii() and word.lower() == word
            and all(unicodedata.category(char)[0] in "LMN" or char == "-" for char in word))


def labels_of(words, chance):
    """Every third is two words with or without a hyphen, as in names; more where there are too few words."""
    words = sorted(filter(is_label, {unicodedata.normalize("NFC", word) for word in words}))
    chance.shuffle(words)
    found = dict.fromkeys(words[:LABELS * 2 // 3])
    short = [word for word in words if len(word) < 12]
    while len(found) < LABELS:
        found[chance.choice(("", "-")).join(chance.choices(short, k=2))] = None
    return list(found)


def write(data, folder):
    folder.mkdir(parents=True, exist_ok=True)
    lists = dict(word_lists.lists(data / "root"))
    for language in LANGUAGES + ["suffixes"]:
        chance = random.Random(language)  # the same labels every time
        words = lists[language]
        if language == "suffixes":  # all of them, and no more
            found = sorted({word for word in words if not word.isascii()})
        else:
            found = labels_of(words, chance)
        chance.shuffle(found)
        (folder / f"{language}.txt").write_text("".join(f"{label}\n" for label in found), "utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--packages"]:
        print(*packages())
    else:
        write(Path(sys.argv[1]), Path(sys.argv[2]))
