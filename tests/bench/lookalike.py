# SPDX-License-Identifier: BSD-3-Clause
"""Counts the homographs that the look-alike keys find, and the legitimate labels that they take for one; how often the
conditions on scripts fire on these. Every figure is the same at each run."""

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import lookalike_data as data
import lookalike_glyphs as glyphs
import word_lists

GOALS = {"exact recall": 100, "strict recall": 97, "exact": 0.003, "strict": 0.08, "shown": 99.9}  # per cent
CONDITIONS = ("level > single", "level > highly", "level > moderate", "mixed-digits", "restricted", "wholescript",
              "emoji", "bidi", "invalid")
LEVELS = ("ascii", "single", "highly", "moderate", "minimal", "unrestricted")
JOINERS = ("fa", "ml", "bn", "si", "ne")  # languages that write with them
THROUGH_ASCII = "dnstwist, through ASCII exchanges"
MISSES_SHOWN = 40
POLICY_STEP = 5  # of all labels the policy is asked for one in so many


def percent(part, whole, places=2):
    return f"{100 * part / whole:.{places}f}" if whole else "-"


class Bench:
    """bench_lookalike."""

    def __init__(self, program):
        self.program = program

    def ask(self, lines, *arguments):
        """A line of answer, split at TABs, for each line."""
        output = subprocess.run([self.program, *arguments], input="".join(f"{line}\n" for line in lines).encode(),
                                stdout=subprocess.PIPE, check=True).stdout
        answers = [line.split("\t") for line in output.decode().split("\n")[:-1]]
        if len(answers) != len(lines):
            raise RuntimeError(f"{len(answers)} answers to {len(lines)} questions")
        return answers

    def pairs(self, pairs):
        return self.ask([f"{label}\t{homograph}" for label, homograph in pairs], "pairs")

    def reasons(self, labels):
        return self.ask(labels, "shown")

    def labels(self, protected, labels):
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("".join(f"{label}\n" for label in protected))
            file.flush()
            return self.ask(labels, "labels", file.name)


def unicode_label(alabel):
    return alabel[4:].encode().decode("punycode") if alabel.startswith("xn--") else alabel


def shown(text):
    """Text that a terminal shows, with what it is."""
    return " ".join(f"{char} U+{ord(char):04X}" for char in text)


# ---- recall ---------------------------------------------------------------------------------------------------------

def exchanged(label, homograph):
    """Finds which letters stand for which characters; with another length only the latter are known."""
    if len(label) == len(homograph):
        return [(old, new) for old, new in zip(label, homograph) if old != new]
    return [("", new) for new in homograph if not new.isascii()]


class Recall:
    """Counts the homographs found that a registry could register, each once for a source and protected label."""

    def __init__(self, forged, answers):
        self.found = defaultdict(Counter)
        self.rows, seen = [], set()
        for (source, label, _), answer in zip(forged, answers):
            if len(answer) < 2 or answer[0] == label or answer[0].startswith("xn--") == (source == "ASCII"):
                continue
            row = (source, label, answer[0])
            if row not in seen:
                seen.add(row)
                self.count(*row, answer[1])

    def count(self, source, label, alabel, digits):
        found = self.found[source]
        found["all"] += 1
        for way, digit in zip(("exact", "strict", "safe", "wide"), digits):
            found[way] += digit == "1"
        if source != "ASCII":
            self.rows.append((source, label, unicode_label(alabel), alabel, digits))

    def total(self, wanted):
        """The counts of all sources whose name fits."""
        return sum((count for source, count in self.found.items() if wanted(source)), Counter())

    def missed(self, place):
        return [row[:4] for row in self.rows if row[4][place] == "0"]

    def guilty(self, place, wanted):
        """Misses, all, letter and character where that alone was exchanged, worst first."""
        missed, total = Counter(), Counter()
        for source, label, homograph, _, digits in self.rows:
            pairs = set(exchanged(label, homograph)) if wanted(source) else ()
            if len(pairs) == 1:
                total.update(pairs)
                missed.update(pairs if digits[place] == "0" else ())
        return sorted(((count, total[pair], *pair) for pair, count in missed.items()),
                      key=lambda row: (-row[0], row))


def is_held_out(source):
    return source.startswith("held out")


def print_recall(recall):
    print("\nRecall: homographs that are valid labels, and how many of them look alike by a key (%)")
    print(f"{'source':44}{'N':>9}{'exact':>9}{'strict':>9}")
    def line(source, count):
        print(f"{source:44}{count['all']:>9}{percent(count['exact'], count['all']):>9}"
              f"{percent(count['strict'], count['all']):>9}")
    for source, count in sorted(recall.found.items(), key=lambda row: (is_held_out(row[0]), row[0])):
        if source != "ASCII":
            line(source, count)
    line("all confusables", recall.total(lambda source: source.startswith("confusables")))
    line("all of dnstwist but ASCII exchanges", recall.total(
        lambda source: source.startswith("dnstwist") and source != THROUGH_ASCII))
    line("all held out", recall.total(is_held_out))


def print_guilty(title, rows, names):
    print(f"\n{title}, where one character was exchanged: {len(rows)} of them")
    for count, total, letter, character in rows[:MISSES_SHOWN]:
        print(f"{count:7} of {total:6}  {letter or '?'} for {shown(character)} {names.get(character, '')}")


# ---- false positives ------------------------------------------------------------------------------------------------

def protected_sets(root):
    """Protected labels by what the table calls them."""
    names, words = data.protected_names(), data.protected_words(root)
    sets = {"all": names + words, "names": names, "words": words}
    for title, least in (("all", 4), ("all", 5), ("names", 5), ("words", 5)):
        sets[f"{title}, min={least}"] = [label for label in sets[title] if len(label) >= least]
    for number in range(2, data.DRAWS + 1):
        sets[f"words, draw {number}"] = data.protected_words(root, number)
    sets["every English word"] = data.english(root)
    return {title: set(labels) for title, labels in sets.items()}


class Positives:
    """Finds the legitimate labels that look like protected ones, and which."""

    def __init__(self, sets):
        self.sets = sets
        self.hits = {key: {title: Counter() for title in sets} for key in ("exact", "strict")}
        self.labels = Counter()
        self.conditions = defaultdict(Counter)
        self.rows, self.seen = [], set()

    def add(self, language, answer):
        """Counts a label once for a language."""
        if not answer[0].startswith("xn--") or (language, answer[0]) in self.seen:
            return
        self.seen.add((language, answer[0]))
        self.labels[language] += 1
        self.conditions[language].update(fired(answer[1]))
        hits = [hit.split("=") for hit in answer[2:]]
        for place, key in enumerate(("exact", "strict")):
            alike = {label for label, digits in hits if digits[place] == "1"}
            for title, labels in self.sets.items():
                self.hits[key][title][language] += not labels.isdisjoint(alike)
        self.rows += [(language, "exact" if digits[0] == "1" else "strict", label, unicode_label(answer[0]), answer[0])
                      for label, digits in hits if digits[1] == "1" and label in self.sets["all"]]


def fired(words):
    """The conditions in bench_lookalike's list."""
    words = words.strip(",").split(",")
    level = next((LEVELS.index(word) for word in words if word in LEVELS), 0)
    limits = {"level > single": 1, "level > highly": 2, "level > moderate": 3}
    return [name for name in CONDITIONS if name in words or level > limits.get(name, len(LEVELS))]


def print_positives(positives):
    total = sum(positives.labels.values())
    print(f"\nFalse positives of {total} legitimate labels, {len(positives.labels)} lists (number, %)")
    print(f"{'protected':28}{'exact':>9}{'%':>9}{'strict':>9}{'%':>9}")
    for title, labels in positives.sets.items():
        cells = [sum(positives.hits[key][title].values()) for key in ("exact", "strict")]
        print(f"{f'{len(labels)} {title}':28}" + "".join(f"{cell:>9}{percent(cell, total, 4):>9}" for cell in cells))
    columns = ("all", "names", "words", "all, min=5")
    print("\nBy list, where there are any: exact key, all; strict key (number, %)")
    print(f"{'list':10}{'labels':>8}{'exact':>7}" + "".join(f"{title:>16}" for title in columns))
    for language, count in sorted(positives.labels.items()):
        strict = [positives.hits["strict"][title][language] for title in columns]
        if strict[0]:
            print(f"{language:10}{count:>8}{positives.hits['exact']['all'][language]:>7}"
                  + "".join(f"{number:>8}{percent(number, count, 3):>8}" for number in strict))


def print_conditions(positives):
    total = sum(positives.labels.values())
    print("\nConditions that fire on legitimate labels (%), and on whose: lists over 0.01 %")
    for condition in CONDITIONS:
        counts = {language: fired[condition] for language, fired in positives.conditions.items()}
        shares = ((100 * count / positives.labels[language], language) for language, count in counts.items())
        worst = sorted(shares, reverse=True)[:8]
        who = ", ".join(f"{language} {share:.2f}" for share, language in worst if share > 0.01)
        print(f"{condition:18}{percent(sum(counts.values()), total, 3):>8}  {who}")
    print("Joiners: " + ", ".join(f"{language} {percent(positives.conditions[language]['level > single'], count, 2)}"
                                  for language in JOINERS if (count := positives.labels[language])) + " % over single")


class Shown:
    """Counts the honest words of each language that are shown as they are: where its script is at home, and under com."""

    def __init__(self, words):
        """`words`: triples of language, word and what bench_lookalike says of it."""
        self.counts, self.at_home, self.under_com = Counter(), Counter(), Counter()
        self.reasons, self.example = defaultdict(Counter), {}
        for language, word, (said,) in words:
            if said == "-":
                continue
            reasons = set(said.strip(",").split(",")) - {""}
            self.counts[language] += 1
            self.under_com[language] += not reasons
            self.at_home[language] += not reasons - {"wholescript"}
            self.reasons[language].update(reasons)
            for reason in reasons:
                self.example.setdefault((language, reason), word)

    def below(self, goal):
        """Languages with less than a share at home; a list of less than 1,000 words tells too little."""
        return [language for language, count in self.counts.items() if count >= 1000 and 100 * self.at_home[language] < goal * count]


def print_shown(shown):
    total = sum(shown.counts.values())
    print(f"\nShown as they are, of {total} honest words of {len(shown.counts)} lists (%): {percent(sum(shown.at_home.values()), total, 4)}"
          f" where the script is at home, {percent(sum(shown.under_com.values()), total, 4)} under com")
    print(f"{'list':10}{'words':>8}{'at home':>10}{'com':>10}  hidden for, with an example")
    for language, count in sorted(shown.counts.items()):
        reasons = ", ".join(f"{reason} {number} ({shown.example[language, reason]})" for reason, number in shown.reasons[language].most_common())
        print(f"{language:10}{count:>8}{percent(shown.at_home[language], count, 3):>10}{percent(shown.under_com[language], count, 3):>10}  {reasons}")


# ---- ASCII ----------------------------------------------------------------------------------------------------------

def ascii_pairs(answers, place):
    """Labels that look alike by a class, each pair once."""
    hits = ((answer[0], *hit.split("=")) for answer in answers for hit in answer[2:])
    return sorted({tuple(sorted((asked, label))) for asked, label, digits in hits if digits[place] == "1"})


def print_ascii(bench, recall, sets):
    found = recall.found["ASCII"]
    print(f"\nASCII labels by class: of {found['all']} variants by dnstwist, one exchange, are found: off 0, "
          + ", ".join(f"{way} {percent(found[way], found['all'])} %" for way in ("safe", "wide")))
    words = sorted(sets["every English word"])
    for title, protected, asked in (("names like another", sets["names"], sets["names"]),
                                    ("English words like a name", sets["names"], words),
                                    ("English words like another", words, words)):
        answers = bench.labels(sorted(protected), sorted(asked))
        for place, way in ((2, "safe"), (3, "wide")):
            pairs = ascii_pairs(answers, place)
            print(f"{title}, {way}: {len(pairs)} pairs  " + ", ".join("/".join(pair) for pair in pairs[:8]))


# ---- the policy -----------------------------------------------------------------------------------------------------

WAYS = ("key=exact", "key=strict", "key=exact ascii=safe", "key=exact ascii=wide")  # as bench_lookalike's digits


def ask_policy(program, protected, names):
    """Finds names, a digit for each way, by policies that protect these names below any public suffix."""
    with tempfile.TemporaryDirectory() as folder:
        configurations = []
        (Path(folder) / "protected").write_text("".join(f"{name}\n" for name in protected))
        for number, way in enumerate(WAYS):
            rules, configuration = (Path(folder) / f"{kind}{number}" for kind in ("rules", "idn"))
            rules.write_text(f"log lookalikes protected {way} tld=any min=1\n")
            configuration.write_text(f"idn:\n    policy: {rules}\n")
            configurations.append(configuration)
        return subprocess.run([program, *configurations], input="".join(f"{name}\n" for name in names),
                              stdout=subprocess.PIPE, check=True, text=True).stdout.split("\n")[:-1]


def print_policy(bench, program, sets, asked):
    """Compares what the policy says of LABEL.com with what the keys say of each label."""
    answers = [answer for answer in bench.labels(sorted(sets["all"]), asked) if answer[0]]
    names = data.protected_lines() + [f"{word}.com" for word in sorted(sets["words"] - sets["names"])]
    found = ask_policy(program, names, [f"{answer[0]}.com" for answer in answers])
    differing, counts = [], Counter()
    for answer, digits in zip(answers, found):
        hits = [hit.split("=")[1] for hit in answer[2:]] if answer[0] not in sets["all"] else []
        expected = "".join("1" if any(hit[place] == "1" for hit in hits) else "0" for place in range(len(WAYS)))
        counts.update(way for way, digit in zip(WAYS, digits) if digit == "1")
        if digits != expected:
            differing.append((answer[0], unicode_label(answer[0]), expected, digits))
    print(f"\nThe policy, asked for {len(found)} names, differs from the keys for {len(differing)}; it finds "
          + ", ".join(f"{counts[way]} ({way})" for way in WAYS))
    for row in differing[:10]:
        print("  ", *row)


# ---- all of it ------------------------------------------------------------------------------------------------------

def print_goals(recall, positives, shown):
    total = sum(positives.labels.values())
    exact = recall.total(lambda source: source.startswith("confusables"))
    strict = recall.total(lambda source: not is_held_out(source) and source not in
                          ("ASCII", THROUGH_ASCII))
    figures = (
        ("exact key: confusables found", 100 * exact["exact"] / exact["all"], "exact recall"),
        ("exact key: false positives", 100 * sum(positives.hits["exact"]["all"].values()) / total, "exact"),
        ("strict key: confusables and dnstwist's found", 100 * strict["strict"] / strict["all"], "strict recall"),
        ("strict key: false positives", 100 * sum(positives.hits["strict"]["all"].values()) / total, "strict"),
    )
    below = shown.below(GOALS["shown"])
    print("\nGoals")
    print(f"{'lists that are shown at home':46}{len(shown.counts):>7} lists   goal {GOALS['shown']}% of each"
          f"  {'MISSED by ' + ', '.join(below) if below else 'reached'}")
    for title, figure, name in figures:
        reached = figure >= GOALS[name] if "recall" in name else figure < GOALS[name]
        print(f"{title:46}{figure:9.4f} %  goal {'' if 'recall' in name else '<'}{GOALS[name]} %"
              f"  {'reached' if reached else 'MISSED'}")


def write(path, rows):
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
    print(f"{len(rows)} lines in {path}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="what debian-data.sh unpacked")
    parser.add_argument("--bench", type=Path, required=True, help="folder of the programs bench_*")
    parser.add_argument("--output", type=Path, required=True, help="folder for misses and false positives")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    root = options.data / "root"
    bench = Bench(options.bench / "bench_lookalike")

    first, *lines = subprocess.run([options.bench / "bench_characters"], stdout=subprocess.PIPE,
                                   check=True).stdout.decode().rstrip("\n").split("\n")
    characters = [glyphs.Character(line) for line in lines]
    versions = [line for line in (options.data / "versions").read_text().split("\n")
                if line.split(" ")[0] in word_lists.packages()]
    print(f"{first} (ICU). Word lists and programs of Debian: " + ", ".join(versions))

    sets = protected_sets(root)
    words_forged = data.draw(sets["words"], data.WORDS_FORGED)
    forged = list(data.homographs(root, characters, sorted(sets["names"]) + words_forged))
    print(f"Protected: {len(sets['names'])} names, {len(sets['words'])} words;"
          f" homographs of the names and of {len(words_forged)} words")
    recall = Recall(forged, bench.pairs([(label, homograph) for _, label, homograph in forged]))
    print_recall(recall)
    character_names = {character.text: character.name for character in characters}
    print_guilty("Confusables missed by the exact key",
                 recall.guilty(0, lambda source: source.startswith("confusables")), character_names)
    guilty = recall.guilty(1, lambda source: source != THROUGH_ASCII)
    print_guilty("Missed by the strict key", guilty, character_names)

    positives = Positives(sets)
    tagged = [(language, word) for language, drawn in data.legitimate(root) for word in drawn]
    protected = sorted(set().union(*sets.values()))
    for (language, _), answer in zip(tagged, bench.labels(protected, [word for _, word in tagged])):
        positives.add(language, answer)
    print_positives(positives)
    print_conditions(positives)
    words_shown = Shown((language, word, said) for (language, word), said in zip(tagged, bench.reasons([word for _, word in tagged])))
    print_shown(words_shown)
    print_ascii(bench, recall, sets)
    asked = {word for _, word in tagged} | {row[2] for row in recall.rows} | sets["every English word"]
    print_policy(bench, options.bench / "bench_lookalike_policy", sets, sorted(asked)[::POLICY_STEP])
    print_goals(recall, positives, words_shown)
    write(options.output / "misses.tsv", recall.missed(1))
    write(options.output / "missed-characters.tsv", guilty)
    write(options.output / "false-positives.tsv", sorted(positives.rows))


if __name__ == "__main__":
    began = time.monotonic()
    main()
    print(f"({time.monotonic() - began:.0f} s)", file=sys.stderr)
