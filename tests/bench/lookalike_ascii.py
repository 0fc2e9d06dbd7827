# SPDX-License-Identifier: BSD-3-Clause
"""Measures how many ASCII imitations look-alike rules find, by class and by the length of the brand, and how many honest
names; then how tld= changes this for internationalized names. Brands, imitations and words are halved by hash: the
figures are those of the halves that are held out. Every figure is the same at each run over the same packages. The classes
are those of published studies: Wang et al., Strider Typo-Patrol (SRUTI 2006); Dinaburg, Bitsquatting (Black Hat 2011);
Kintis et al., Hiding in Plain Sight (CCS 2017); Du et al., levelsquatting (2019)."""

import argparse
import hashlib
import unicodedata
from collections import Counter, defaultdict
from pathlib import Path

import honest_names
import lookalike_data as data
import word_lists
from lookalike_heldout import Policies, percent

SIZES = (50, 1000, 10000)
LENGTHS = {"3-4": range(3, 5), "5-6": range(5, 7), "7": range(7, 8), "8+": range(8, 64)}
FORGED, EACH = 50, 10  # brands of each length; imitations of each class for a brand, at most
CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
ROWS = ("1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm")
SHAPES = (("m", "rn"), ("o", "0"), ("l", "1"), ("i", "l"), ("i", "1"), ("w", "vv"), ("d", "cl"), ("s", "5"), ("g", "q"), ("b", "6"),
          ("e", "3"), ("a", "4"), ("z", "2"))
ADDED = ("login", "secure", "account", "support", "online", "verify", "pay", "my", "app", "help", "service", "update", "bank", "shop",
         "billing", "wallet", "konto", "compte", "cuenta", "info")
TLDS = ("net", "org", "xyz", "top", "shop", "info", "online", "site", "icu", "live")
LIST = "log lookalikes protected "
FRAUD = f"words={Path(__file__).resolve().parents[2]}/conf/fraud-words.txt"
OPTIONS = {  # a column each
    "safe": "ascii=safe",
    "wide": "ascii=wide",
    "near": "ascii=safe near=1",
    "within": "ascii=safe within=yes",
    "near+within": "ascii=safe near=1 within=yes",
    "words": f"ascii=safe {FRAUD}",
    "elsewhere": "elsewhere=yes",
    "together": f"ascii=safe near=1 within=yes {FRAUD} elsewhere=yes",
}
PLACES = {place: place for place in ("tld=same", "tld=any", "tld=any min=1", "key=strict tld=same", "key=strict tld=any")}
HOMES = {"cs": "cz", "da": "dk", "de": "de", "el": "gr", "es": "es", "et": "ee", "fr": "fr", "hr": "hr", "hu": "hu", "it": "it",
         "lt": "lt", "lv": "lv", "nb": "no", "nl": "nl", "pl": "pl", "pt": "pt", "pt-BR": "com.br", "ro": "ro", "ru": "ru", "sk": "sk",
         "sl": "si", "sv": "se", "tr": "com.tr", "uk": "com.ua", "vi": "vn"}


def is_held_out(text):
    return hashlib.sha256(f"{data.SEED} ascii {text}".encode()).digest()[0] & 1 == 1


# ---- imitations: one function for each class; every label, or name, that can be made of a brand ------------------------

def beside(letter):
    """The keys beside it on a keyboard, as QWERTY has them."""
    for number, row in enumerate(ROWS):
        at = row.find(letter)
        if at >= 0:
            around = row[max(at - 1, 0):at] + row[at + 1:at + 2]
            above = ROWS[number - 1][at:at + 2] if number > 0 else ""
            below = ROWS[number + 1][max(at - 1, 0):at + 1] if number + 1 < len(ROWS) else ""
            return sorted(set(around + above + below) & set("".join(ROWS[1:])))
    return []


def replaced(label, forms):
    """Each letter by each of its forms."""
    return (label[:at] + form + label[at + 1:] for at, letter in enumerate(label) for form in forms(letter))


def flipped(letter):
    return (chr(ord(letter) ^ 1 << bit).lower() for bit in range(7))


def inserted(label):
    for at, letter in enumerate(label):
        for key in beside(letter):
            yield from (label[:at] + key + label[at:], label[:at + 1] + key + label[at + 1:])


def exchanged(label):
    for old, new in (*SHAPES, *(pair[::-1] for pair in SHAPES)):
        at = label.find(old)
        while at >= 0:
            yield label[:at] + new + label[at + len(old):]
            at = label.find(old, at + 1)


def with_word(label):
    for word in ADDED:
        yield from (label + word, word + label, f"{label}-{word}", f"{word}-{label}")


def split(label, joint):
    return (label[:at] + joint + label[at:] for at in range(1, len(label)))


def with_suffix(label, suffix):
    return (f"{label}{suffix.replace('.', '')}.{tld}" for tld in TLDS)


def below(label, suffix):
    for word, tld in zip(ADDED, TLDS * 2):
        yield from (f"{label}.{suffix}.{word}-id.{tld}", f"{label}.{word}-center.{tld}")


LABELS = {
    "addition": lambda label: (label + letter for letter in CHARACTERS),
    "bitsquatting": lambda label: replaced(label, flipped),
    "insertion": inserted,
    "omission": lambda label: replaced(label, lambda _: ("",)),
    "replacement": lambda label: replaced(label, beside),
    "repetition": lambda label: replaced(label, lambda letter: (letter * 2,)),
    "transposition": lambda label: (label[:at] + label[at + 1] + label[at] + label[at + 2:] for at in range(len(label) - 1)),
    "hyphenation": lambda label: split(label, "-"),
    "vowel swap": lambda label: replaced(label, lambda letter: "aeiou" if letter in "aeiou" else ()),
    "look-alike characters": exchanged,
    "dot inserted": lambda label: split(label, "."),
    "word added": with_word,
}
NAMES = {
    "www or suffix joined": lambda label, suffix: (f"www{label}.{suffix}", *with_suffix(label, suffix)),
    "another suffix": lambda label, suffix: (f"{label}.{tld}" for tld in TLDS),
    "subdomain": below,
}


def is_label(text):
    return 0 < len(text) < 64 and text.strip("-") == text and text.replace("-", "a").isalnum() and text.isascii()


def imitations(brand):
    """Pairs of class and name: of each class as many as EACH says."""
    label, suffix = brand.split(".", 1)
    made = {title: (f"{text}.{suffix}" for text in make(label)) for title, make in LABELS.items()}
    made.update((title, make(label, suffix)) for title, make in NAMES.items())
    for title, names in made.items():
        valid = {name for name in names if name != brand and all(map(is_label, name.split(".")))}
        yield from ((title, name) for name in data.draw(valid, EACH, f"{data.SEED} {title} {brand}"))


def imitated(brands):
    """The first held-out brands of each length."""
    for length, octets in LENGTHS.items():
        fitting = (brand for brand in brands if len(brand.split(".")[0]) in octets and is_held_out(brand))
        yield from ((length, brand) for brand, _ in zip(fitting, range(FORGED)))


# ---- tables -----------------------------------------------------------------------------------------------------------

def print_head(title, columns):
    print(f"\n{title}\n{'':30}{'names':>9}" + "".join(f"{column:>20}" for column in columns))


def print_row(title, count, policies, columns, cell):
    cells = [cell(count[column], count["all"]) if column in policies.paths else "-" for column in columns]
    print(f"{title:30}{count['all']:>9}" + "".join(f"{text:>20}" for text in cells))


def count(policies, names):
    found = Counter(all=len(names))
    for columns in policies.ask(names):
        found.update(columns)
    return found


def share(found, total):
    return f"{found} {percent(found, total, 4)}%"


def print_recall(program, brands):
    chosen = list(imitated(brands))
    own = {brand for _, brand in chosen}
    rows = [(title, length, name) for length, brand in chosen for title, name in imitations(brand) if name not in own]
    policies = Policies(program, rules(OPTIONS), sorted(own))
    counts = defaultdict(Counter)
    for (title, length, _), found in zip(rows, policies.ask([name for *_, name in rows])):
        for group in (title, length, "all"):
            counts[group].update(found | {"all"})
    print_head(f"Imitations found (%), of {len(own)} held-out brands; by class, and by the brand's length", OPTIONS)
    for group in (*LABELS, *NAMES, *LENGTHS, "all"):
        name = f"brands of {group} letters" if group in LENGTHS else group
        print_row(name, counts[group], policies, OPTIONS, percent)


def rules(options):
    return {title: LIST + text for title, text in options.items()}


def halves(names):
    held = [name for name in names if is_held_out(name)]
    return held, sorted(set(names) - set(held))


def print_honest(program, protected, domains, words, output):
    """Prints what is found of the held-out halves. Writes what is found of the other domains."""
    print_head("Honest ASCII names found, held out: how many, and which share", OPTIONS)
    held, others = halves(domains)
    groups, hits = {"domains": held, "words": halves(words)[0]}, []
    for size, names in protected.items():
        policies = Policies(program, rules(OPTIONS), names)
        for title, asked in groups.items():
            print_row(f"{title}, {size}", count(policies, asked), policies, OPTIONS, share)
        hits += [(size, name, ",".join(sorted(found))) for name, found in zip(others, policies.ask(others)) if found]
    output.write_text("".join("\t".join(row) + "\n" for row in hits))


def honest_words(root):
    return sorted({f"{word.lower()}.com" for _, words in word_lists.lists(root) for word in words if is_label(word)})


def a_name(word, tld):
    code = unicodedata.normalize("NFC", word).encode("punycode").decode()
    return f"xn--{code}.{tld}" if len(code) < 60 else None


def print_places(program, names, root):
    lists = dict(data.legitimate(root))
    groups = {"words under com": [a_name(word, "com") for words in lists.values() for word in words],
              "words of 25 languages, com": [a_name(word, "com") for home in HOMES for word in lists.get(home, ())],
              "… where they are at home": [a_name(word, tld) for home, tld in HOMES.items() for word in lists.get(home, ())]}
    policies = Policies(program, rules(PLACES), names)
    print_head(f"Honest internationalized names found: {len(names)} well-known names are protected", PLACES)
    for title, asked in groups.items():
        print_row(title, count(policies, [name for name in asked if name]), policies, PLACES, share)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option, what in (("data", "what debian-data.sh unpacked"), ("bench", "folder of the programs bench_*"),
                         ("output", "folder for the list of honest names that are found")):
        parser.add_argument(f"--{option}", type=Path, required=True, help=what)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    program, root, known = options.bench / "bench_lookalike_policy", options.data / "root", data.protected_lines()
    brands = data.brands(root, max(SIZES))
    print_recall(program, brands)
    protected = {f"{size} brands": brands[:size] for size in SIZES} | {f"{len(known)} well known": known}
    own = {name for names in protected.values() for name in names}
    domains, words = ([name for name in names if name not in own] for names in (honest_names.names(root), honest_words(root)))
    print_honest(program, protected, domains, words, options.output / "ascii-found.tsv")
    print_places(program, known, root)


if __name__ == "__main__":
    main()
