# SPDX-License-Identifier: BSD-3-Clause
"""How cost grows: with the length of a label, the labels of a name, the rules of a policy, the threads of the daemon and
the share of replies that are logged. Measures all five, or those that are named, writes build/curves.json, draws the
plots of doc/cost.md and puts its tables in it."""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import codec
import curveplot
import makeup
import unbound_cost as cost

SEED = 20261122
LABELS = 2000  # of each length: more than the branch predictor remembers
LABEL_MAX = 63  # octets of an A-label (RFC 1035)
NAME_MAX = 253  # characters of a name
LENGTHS = (1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 56)
LABEL_COUNTS = (0, 1, 2, 4, 8, 12, 16)
RULE_COUNTS = (10, 100, 1000, 10_000, 100_000, 1_000_000)
THREAD_COUNTS = (1, 2, 4)
SHARES = (0, 1, 5, 10, 25, 50, 100)  # percent

# The characters of a script's labels: letters alone, none of which combines. A Latin label has one letter that is not ASCII.
LETTERS = {
    "Cyrillic": [chr(cp) for cp in range(0x430, 0x450)],
    "Han": [chr(cp) for cp in range(0x4E00, 0x4E00 + 3000)],
    "Latin": list("abcdefghijklmnopqrstuvwxyz"),
}


# ---- label length ---------------------------------------------------------------------------------------------------

def label_of(script, length, chance):
    letters = [chance.choice(LETTERS[script]) for _ in range(length)]
    if script == "Latin":
        letters[chance.randrange(length)] = chance.choice("äöüéèñ")
    return "".join(letters)


def labels_of(script, length):
    """All labels of that length, or None if they would be too long for the DNS."""
    chance = random.Random(f"{SEED} {script} {length}")
    made = [label_of(script, length, chance) for _ in range(LABELS)]
    fit = [label for label in dict.fromkeys(made) if len(cost.a_label(label)) <= LABEL_MAX]
    return fit if 2 * len(fit) > len(set(made)) else None


def label_length(options):
    """-> {operation: {"libxn, Cyrillic": [[characters, instructions a label], ...]}}"""
    curves = {}
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for script in LETTERS:
            for length in LENGTHS:
                labels = labels_of(script, length)
                if labels:
                    path = Path(folder, f"{script}-{length}.txt")
                    path.write_text("".join(f"{label}\n" for label in labels), "utf-8")
                    files.append(path)
        found = codec.figures(*codec.count_instructions(SimpleNamespace(bench=options.codec, peers=None), files))
    for operation, sets in found.items():
        for name, peers in sets.items():
            script, _, length = name.partition("-")
            if script not in LETTERS:
                continue  # the set that bench_codec makes
            for peer, row in peers.items():
                curves.setdefault(operation, {}).setdefault(f"{peer}, {script}", []).append([int(length), round(row["instructions"])])
    return curves


# ---- lines of text and of JSON --------------------------------------------------------------------------------------

FORMS = {"text": cost.TEXT, "JSON": cost.JSON}


def add_point(curves, x, unit, figure_of):
    """A point to the curve of each form; figure_of is given its settings."""
    for form, settings in FORMS.items():
        curves.setdefault(form, []).append([x, figure_of(settings)])
    print(f"  {x} {unit}: {', '.join(f'{points[-1][1]} {form}' for form, points in curves.items())}", flush=True)


def add_instructions(options, curves, x, unit, questions, more=""):
    """The cost of a query, beyond that of Unbound without the module."""
    asked = cost.Asked(questions)
    base = cost.instructions(options, cost.BASE, asked)
    add_point(curves, x, unit, lambda settings: round(
        cost.instructions(options, cost.Variant(unit, settings + more), asked) - base))


# ---- labels of a name -----------------------------------------------------------------------------------------------

def name_of(count, number):
    """So many A-labels, all different, and as few ASCII labels as there can be."""
    chance = random.Random(f"{SEED} {number}")
    return tuple([cost.a_label(label_of("Cyrillic", 7, chance)) for _ in range(count)] + [f"n{number}", "example"])


def labels_a_name(options):
    """-> {"text": [[A-labels, instructions a query over Unbound without the module], ...], "JSON": ...}"""
    curves = {}
    for count in LABEL_COUNTS:
        names = [name_of(count, number) for number in range(cost.NAMES)]
        names = [name for name in names if len(".".join(name)) <= NAME_MAX]
        if 2 * len(names) < cost.NAMES:
            break
        add_instructions(options, curves, count, "A-labels", cost.packed(names + names[:cost.NAMES - len(names)]))
    return curves


# ---- rules ----------------------------------------------------------------------------------------------------------

def rules(options):
    """-> {"a name that no rule is about": [[rules, ns a decision], ...], "a name that is listed": ...}: four labels, names
    over 18 top-level domains."""
    curves = {"no rule is about it": [], "it is listed": []}
    for count in RULE_COUNTS:
        text = subprocess.run([options.policy, str(count)], check=True, stdout=subprocess.PIPE, text=True).stdout
        spread = text.partition("over 18 TLDs")[2]
        for key, word in zip(curves, ("miss", "hit ")):
            curves[key].append([count, int(re.search(rf"{word}, 4 labels: (\d+) ns", spread)[1])])
        print(f"  {count} rules: {', '.join(f'{points[-1][1]} ns, {key}' for key, points in curves.items())}", flush=True)
    return curves


# ---- threads --------------------------------------------------------------------------------------------------------

def threads(options):
    """-> {"text": [[threads, CPU time a query over that of Unbound without the module], ...], ...}: ordinary names."""
    questions = cost.packed(cost.ascii_names())
    curves = {}
    for count in THREAD_COUNTS:
        server = f"    num-threads: {count}\n    so-reuseport: no\n"
        base = cost.Variant("base", server=server)
        add_point(curves, count, "threads", lambda settings: round(
            cost.cpu_ratio(options, cost.Variant("logging", settings, server=server), base, questions, options.rounds), 3))
    return curves


# ---- the share that is logged ---------------------------------------------------------------------------------------

def log_volume(options):
    """-> {"text": [[percent of replies that are logged, instructions a query over Unbound without the module], ...], ...}"""
    ordinary, idn = cost.ascii_names(), cost.idn_names()
    curves = {}
    for share in SHARES:
        chance = random.Random(SEED)
        logged = set(chance.sample(range(cost.NAMES), cost.NAMES * share // 100))
        questions = cost.packed([(idn if n in logged else ordinary)[n] for n in range(cost.NAMES)])
        add_instructions(options, curves, share, "%", questions, "    log-names: idn\n")
    return curves


# ---- what a line is made of -----------------------------------------------------------------------------------------

def spent(options, variant, questions):
    with cost.running(options, variant, cost.CALLGRIND) as (daemon, folder, port):
        profile = makeup.Profile()
        for number in (1, 2):
            cost.ask(options, port, questions, cost.WINDOW)
            cost.counted(daemon, folder, number)
            files = profile.by_file(folder / f"profile.{number}")
        return files


def made_of(options):
    """-> {"text, ordinary name": {part: instructions a query over Unbound without the module}, ...}"""
    kinds = {"ordinary name": cost.packed(cost.ascii_names()), "A-label": cost.packed(cost.idn_names())}
    made = {}
    for kind, questions in kinds.items():
        base = spent(options, cost.BASE, questions)
        for form, settings in FORMS.items():
            made[f"{form}, {kind}"] = makeup.by_part(spent(options, cost.Variant(form, settings), questions), base, cost.NAMES)
    return made


CURVES = {"made-of": made_of, "label-length": label_length, "labels-a-name": labels_a_name, "rules": rules, "threads": threads,
          "log-volume": log_volume}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unbound", type=Path, required=True, help="folder of an Unbound with sbin/unbound")
    parser.add_argument("--module", type=Path, required=True, help="idn.so built for it")
    parser.add_argument("--load", type=Path, required=True, help="bench_udpload")
    parser.add_argument("--codec", type=Path, required=True, help="bench_codec")
    parser.add_argument("--policy", type=Path, required=True, help="bench_policy")
    parser.add_argument("--json", type=Path, required=True, help="the figures: read, and written")
    parser.add_argument("--page", type=Path, required=True, help="doc/cost.md")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("curves", nargs="*", choices=[[], *CURVES, "none"], help="those to measure (all), none: draw alone")
    options = parser.parse_args()

    figures = json.loads(options.json.read_text()) if options.json.exists() else {}
    for name in options.curves or CURVES:
        if name != "none":
            print(f"{name}:", flush=True)
            figures[name] = CURVES[name](options)
            options.json.write_text(json.dumps(figures, indent=1) + "\n")
    curveplot.update_page(options.page, figures)


if __name__ == "__main__":
    sys.exit(main())
