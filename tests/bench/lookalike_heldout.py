# SPDX-License-Identifier: BSD-3-Clause
"""Measures how many forged names are found, and how many honest words are found wrongly, in data that no table was tuned
on, by the size of the protected list. Every figure is the same at each run."""

import argparse
import json
import re
import subprocess
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import lookalike_data as data
import lookalike_fraud
import lookalike_glyphs as glyphs
import lookalike_words

SIZES = (100, 1000, 10000)
FORGED, EACH = 100, 6  # of the first brands so many names of each class
STARTER = "# --- rules to begin with"  # in conf/idn-policy.conf: what follows begins with `log`
LIST = "log lookalikes protected tld=any "
OWN = 100  # the first names of a list are the operator's own, protected by more rules than the others
RULES = {  # a column each; "-" where the rules are not read
    "exact": LIST + "key=exact", "strict": LIST + "key=strict", "min=1": LIST + "key=strict min=1",
    "near": LIST + "key=strict near=1", "within": LIST + "key=strict within=yes",
    "ascii": LIST + "key=strict ascii=wide", "starter": None,
    "own": "log lookalikes own key=strict min=1 near=1 within=yes label=any\n" + LIST + "key=strict",
}
CONDITIONS = ("invalid", "mixed-digits", "script-level moderate", "restricted", "wholescript")  # of rules without a protected list
SHOWN = 99.9


def run(program, *arguments, lines=()):
    return subprocess.run([program, *map(str, arguments)], input="".join(f"{line}\n" for line in lines), text=True,
                          stdout=subprocess.PIPE, check=True).stdout.split("\n")[:-1]


def columns(example):
    text = example.read_text()
    rules = re.findall("^log .*", text[text.index(STARTER):], re.MULTILINE)
    return {**RULES, "starter": re.sub(r"protected\.txt", "protected", "\n".join(rules))}


class Policies:
    """A policy for each column, with one protected list."""

    def __init__(self, program, rules, protected):
        self.program, self.folder = program, tempfile.TemporaryDirectory()
        self.paths = {}
        root = Path(self.folder.name)
        (root / "protected").write_text("".join(f"{name}\n" for name in protected))
        (root / "own").write_text("".join(f"{name}\n" for name in protected[:OWN]))
        for number, (title, text) in enumerate(rules.items()):
            path = root / f"idn{number}"
            (root / f"rules{number}").write_text(f"{text}\n")
            path.write_text(f"idn:\n    policy: {root}/rules{number}\n")
            if subprocess.run([program, path], input="", text=True, stderr=subprocess.DEVNULL).returncode == 0:
                self.paths[title] = path

    def ask(self, names):
        """For each name the columns that find it."""
        answers = run(self.program, *self.paths.values(), lines=names)
        return [{title for title, digit in zip(self.paths, digits) if digit == "1"} for digits in answers]


class Labels:
    """The A-label of each valid label, and the reasons for which the command hides it under .com."""

    def __init__(self, command, labels):
        self.alabels, self.reasons = {}, {}
        labels = sorted(set(labels))
        said = subprocess.run([command, "explain", "--json"], input="".join(f"{label}.com\n" for label in labels), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout  # exit 1: some are no names
        for label, answer in zip(labels, map(json.loads, said.splitlines()), strict=True):
            if answer["status"] != "invalid" and len(answer["labels"]) == 2:
                self.alabels[label] = answer["labels"][0]["a"]
                self.reasons[label] = set(answer["labels"][0]["reason"])

    def wire(self, name):
        """The name with A-labels; None if a label is none."""
        parts = [self.alabels.get(label) for label in name.split(".")]
        return ".".join(parts) if all(parts) else None

    def hidden(self, label):
        """The columns of a label that is not shown plainly: under .com, and where its script is at home."""
        reasons = self.reasons[label]
        return ({"display"} if reasons else set()) | ({"home"} if reasons - {"wholescript"} else set())


def percent(count, total, places=1):
    return f"{100 * count / total:.{places}f}" if total else "-"


def line(title, total, cells):
    print(f"{title:27}{total:>8}" + "".join(f"{cell:>9}" for cell in cells))


def recall(forged, labels, policies):
    """By class: how many names, and how many of these each column finds; and the names that strict does not."""
    names = [(title, brand, name, labels.wire(name)) for title, brand, name in forged]
    names = [row for row in names if row[3]]
    counts, missed = defaultdict(Counter), []
    for (title, brand, name, wire), found in zip(names, policies.ask([row[3] for row in names])):
        found = found | labels.hidden(name.split(".")[0])
        counts[title].update(found | {"all"})
        if "strict" not in found:
            missed.append((title, brand, name, wire))
    return counts, missed


def honest(words, labels, policies):
    """The same by language; and the words that a column finds."""
    rows = [(tag, word) for tag, found in words.items() for word in found if labels.alabels.get(word, "").startswith("xn--")]
    counts, hits = defaultdict(Counter), []
    for (tag, word), found in zip(rows, policies.ask([f"{labels.wire(word)}.com" for _, word in rows])):
        found = found | labels.hidden(word)
        counts[tag].update(found | {"all"})
        if found:
            hits.append((tag, word, ",".join(sorted(found))))
    return counts, hits


def total(counts):
    return sum(counts.values(), Counter())


def print_recall(counts, titles, known):
    print(f"\nForged names found (%): classes of {FORGED} brands, of a list of {max(SIZES)}; display:"
          " not shown plainly")
    line("class", "names", titles)
    for title, count in [*((title, counts[title]) for title in lookalike_fraud.CLASSES), ("all", total(counts))]:
        line(title, count["all"], [percent(count[column], count["all"]) if column in known else "-" for column in titles])


def print_shown(counts):
    below = {tag: 100 - 100 * count["home"] / count["all"] for tag, count in counts.items()}
    low = ", ".join(f"{tag} {share:.2f}" for tag, share in sorted(below.items()) if share < SHOWN)
    words = total(counts)
    print(f"\nShown plainly: {percent(words['all'] - words['home'], words['all'], 3)} % of {words['all']} words at home,"
          f" {percent(words['all'] - words['display'], words['all'], 3)} % under com;"
          f" at home {SHOWN} % or more of {sum(share >= SHOWN for share in below.values())} of {len(below)} languages;"
          f" {low or 'none'} below")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for option, what in (("data", "what debian-data.sh unpacked"), ("bench", "folder of the programs bench_*"),
                         ("command", "unbound-idn"), ("rules", "conf/idn-policy.conf"), ("output", "folder for lists of misses")):
        parser.add_argument(f"--{option}", type=Path, required=True, help=what)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    root, policy = options.data / "root", options.bench / "bench_lookalike_policy"
    characters = [glyphs.Character(row) for row in run(options.bench / "bench_characters")]
    brands = data.brands(root, max(SIZES))
    forms = lookalike_fraud.Glyphs(root, characters)
    forged = list(lookalike_fraud.forged([name.split(".")[0] for name in brands[:FORGED]], forms, EACH))
    held, others = lookalike_words.kept(root, options.output / "words.tsv")

    texts = [word for half in (held, others) for found in half.values() for word in found]
    labels = Labels(options.command.resolve(), texts + [label for *_, name in forged for label in name.split(".")])
    rules, found = columns(options.rules), []
    titles = [*rules, "display"]
    for size in SIZES:
        policies = Policies(policy, rules, brands[:size])
        found.append((size, policies, *honest(held, labels, policies)))
    size, policies, words, _ = found[-1]
    known = {*policies.paths, "display"}
    counts, missed = recall(forged, labels, policies)
    print_recall(counts, titles, known)
    print(f"\nHonest words found (%): {len(words)} languages, held out; by the number of protected names")
    for size, policies, words, _ in found:
        count = total(words)
        line(f"{size} names", count["all"],
             [percent(count[column], count["all"], 4) if column in known else "-" for column in titles])
    print_shown(words)
    conditions, _ = honest(held, labels, Policies(policy, {condition: f"log {condition}" for condition in CONDITIONS}, []))
    count = total(conditions)
    print("Honest words on which a condition fires (%): "
          + ", ".join(f"{condition} {percent(count[condition], count['all'], 4)}" for condition in CONDITIONS))

    _, hits = honest(others, labels, policies)
    for name, rows in (("forged-missed", missed), ("words-found", hits)):  # of the words that may be looked at
        (options.output / f"{name}.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))


if __name__ == "__main__":
    main()
