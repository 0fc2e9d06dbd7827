# SPDX-License-Identifier: BSD-3-Clause
"""What look-alike rules find of misspelled ASCII names, and what tld= changes for honest names. Every figure is the same
at each run. The kinds of misspelling are those of published studies: Wang et al., Strider Typo-Patrol (SRUTI 2006);
Dinaburg, Bitsquatting (Black Hat 2011); Kintis et al., Hiding in Plain Sight (CCS 2017)."""

import argparse
import subprocess
import tempfile
import unicodedata
from pathlib import Path

import lookalike_data as data
import word_lists

ROWS = ("1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm")
SAME_SHAPE = (("m", "rn"), ("o", "0"), ("l", "1"))
SIMILAR_SHAPE = (("i", "l"), ("i", "1"), ("w", "vv"), ("d", "cl"), ("s", "5"), ("g", "q"), ("b", "6"), ("e", "3"), ("a", "4"), ("z", "2"))
ADDED = ("login", "secure", "account", "support", "online", "verify", "pay", "my", "app", "help", "service", "update")
WAYS = ("key=exact", "ascii=safe", "ascii=wide", "key=strict ascii=safe", "key=strict ascii=wide", "ascii=safe near=1",
        "ascii=safe within=yes")
PLACES = ("tld=same", "tld=any", "key=strict tld=same", "key=strict tld=any")
HOMES = {"cs": "cz", "da": "dk", "de": "de", "el": "gr", "es": "es", "et": "ee", "fr": "fr", "hr": "hr", "hu": "hu", "it": "it",
         "lt": "lt", "lv": "lv", "nb": "no", "nl": "nl", "pl": "pl", "pt": "pt", "pt-BR": "com.br", "ro": "ro", "ru": "ru", "sk": "sk",
         "sl": "si", "sv": "se", "tr": "com.tr", "uk": "com.ua", "vi": "vn"}


# ---- misspellings ---------------------------------------------------------------------------------------------------

def near_keys(letter):
    """Those beside it on a keyboard, as QWERTY has them."""
    for number, row in enumerate(ROWS):
        at = row.find(letter)
        if at >= 0:
            beside = row[max(at - 1, 0):at] + row[at + 1:at + 2]
            above = ROWS[number - 1][at:at + 2] if number > 0 else ""
            below = ROWS[number + 1][max(at - 1, 0):at + 1] if number + 1 < len(ROWS) else ""
            return sorted(set(beside + above + below) & set("".join(ROWS[1:])))
    return []


def exchanged(label, pairs):
    for old, new in (*pairs, *(pair[::-1] for pair in pairs)):
        at = label.find(old)
        while at >= 0:
            yield label[:at] + new + label[at + len(old):]
            at = label.find(old, at + 1)


def misspelled(label):
    """Pairs of a kind and a label: every one that can be made."""
    for at, letter in enumerate(label):
        yield "a letter left out", label[:at] + label[at + 1:]
        yield "a letter twice", label[:at] + letter + label[at:]
        yield "two letters swapped", label[:at] + label[at + 1:at + 2] + letter + label[at + 2:]
        for key in near_keys(letter):
            yield "the key beside it", label[:at] + key + label[at + 1:]
            yield "and the key beside it", label[:at + 1] + key + label[at + 1:]
        for bit in range(7):
            yield "one bit flipped", label[:at] + chr(ord(letter) ^ 1 << bit).lower() + label[at + 1:]
        if letter in "aeiou":
            for vowel in "aeiou":
                yield "another vowel", label[:at] + vowel + label[at + 1:]
        if at > 0:
            yield "a hyphen", label[:at] + "-" + label[at:]
    for kind, pairs in (("the same shape (rn, 0, 1)", SAME_SHAPE), ("a similar shape", SIMILAR_SHAPE)):
        for made in exchanged(label, pairs):
            yield kind, made
    for word in ADDED:
        for made in (label + word, word + label, f"{label}-{word}", f"{word}-{label}"):
            yield "a word added", made


def is_label(text):
    return 0 < len(text) < 64 and text.strip("-") == text and text.replace("-", "a").isalnum() and text.isascii()


def typos(names):
    """(kind, name) of what is no protected name, each once."""
    own = set(names)
    made = {(kind, f"{typo}.{rest}") for label, rest in (name.split(".", 1) for name in names)
            for kind, typo in misspelled(label) if is_label(typo)}
    return sorted(row for row in made if row[1] not in own)


# ---- the policy -----------------------------------------------------------------------------------------------------

def ask(program, ways, protected, names):
    """A digit for each way, for each name."""
    with tempfile.TemporaryDirectory() as folder:
        folder, configurations = Path(folder), []
        (folder / "protected").write_text("".join(f"{name}\n" for name in protected))
        for number, way in enumerate(ways):
            (folder / f"rules{number}").write_text(f"log lookalikes protected {way}\n")
            configurations.append(folder / f"idn{number}")
            configurations[-1].write_text(f"idn:\n    policy: {folder}/rules{number}\n")
        answers = subprocess.run([program, *configurations], input="".join(f"{name}\n" for name in names), stdout=subprocess.PIPE,
                                 check=True, text=True).stdout.split("\n")[:-1]
    if len(answers) != len(names):
        raise RuntimeError(f"{len(answers)} answers to {len(names)} questions")
    return answers


def print_shares(ways, groups):
    """`groups`: title and digits; each row is the share of a group that each way finds."""
    print(f"{'':34}{'N':>9}" + "".join(f"{way:>23}" for way in ways))
    for title, rows in groups.items():
        found = [sum(row[place] == "1" for row in rows) for place in range(len(ways))]
        print(f"{title:34}{len(rows):>9}" + "".join(f"{count:>12} {100 * count / len(rows):9.4f}%" for count in found))


def print_typos(program, names):
    rows = typos(names)
    groups = {}
    for (kind, _), digits in zip(rows, ask(program, WAYS, names, [name for _, name in rows])):
        groups.setdefault(kind, []).append(digits)
    groups["all"] = [digits for kind in list(groups) for digits in groups[kind]]
    print(f"Found of the misspellings of {len(names)} names, in their own top-level domains")
    print_shares(WAYS, groups)


def print_honest_ascii(program, names, root):
    own = {name.split(".")[0] for name in names}
    groups = {"English words.com": [f"{word}.com" for word in data.english(root) if word not in own]}
    groups["words of all lists.com"] = sorted({f"{word.lower()}.com" for _, words in word_lists.lists(root) for word in words
                                               if is_label(word) and word.lower() not in own})
    print(f"\nHonest ASCII names taken for one of {len(names)} names")
    print_shares(WAYS, {title: ask(program, WAYS, names, asked) for title, asked in groups.items()})


def a_name(word, tld):
    code = unicodedata.normalize("NFC", word).encode("punycode").decode()
    return f"xn--{code}.{tld}" if len(code) < 60 else None


def print_top_levels(program, names, root):
    lists = dict(data.legitimate(root))
    groups = {"words under com": [a_name(word, "com") for words in lists.values() for word in words],
              "words of 25 languages under com": [a_name(word, "com") for home in HOMES for word in lists.get(home, ())],
              "… where they are at home": [a_name(word, tld) for home, tld in HOMES.items() for word in lists.get(home, ())]}
    print(f"\nHonest internationalized names taken for one of {len(names)} names")
    print_shares(PLACES, {title: ask(program, PLACES, names, [name for name in asked if name]) for title, asked in groups.items()})


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="what debian-data.sh unpacked")
    parser.add_argument("--bench", type=Path, required=True, help="folder of the programs bench_*")
    options = parser.parse_args()
    program, names, root = options.bench / "bench_lookalike_policy", data.protected_lines(), options.data / "root"
    print_typos(program, names)
    print_honest_ascii(program, names, root)
    print_top_levels(program, names, root)


if __name__ == "__main__":
    main()
