#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""prove.py PART [LONGEST]: gives the source of PART in core/ and tests/prove/prove_PART.c to Frama-C's Eva, for each length from 0 to
LONGEST, or to the longest there is, and says whether an alarm is left or a statement was never reached; what walks over
names in core/wire/wire.c, and the numbers in core/punycode/punycode.c, to Frama-C's WP; then the same with one thing wrong in the
source, which has to be found. Prints TAP. See doc/testing.md."""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
import punycode_numbers as numbers  # noqa: E402

FRAMA_C = ["frama-c", "-machdep", "gcc_x86_64", "-c11"]
EVA = ["-eva", "-eva-split-limit", "600", "-eva-no-alloc-returns-null",
       "-eva-alloc-builtin", "fresh", "-eva-msg-key=-initial-state,-final-states", "-metrics", "-metrics-eva-cover"]


@dataclass(frozen=True)
class Part:
    """The settings of one source: the longest length, the lengths that show a mistake, how many proofs run at once (to
    start takes a second), and options of Eva."""
    longest: int
    enough: range
    at_once: int
    options: list[str]


PARTS = {
    "punycode": Part(63, range(5, 6), 4, ["-eva-domains-function",
                          "octagon:threshold,octagon:decode_insertions,octagon:encode_insertions"]),
    "utf8": Part(4 * 63, range(5, 6), 4, ["-eva-interprocedural-history", "-eva-partition-history", "2"]),
    "wire": Part(255, range(4, 41), 32, ["-eva-auto-loop-unroll", "64"]),
}
PATIENCE = ["-eva-widening-delay", "8"]

# Functions that walk over a name, which WP proves, and the functions that it treats as parts of these.
WALKS = ["xn_wire_open", "xn_wire_has_ace", "plain_to_text", "xn_wire_to_text"]
WITHIN_WALKS = ["xn_wire_next", "xn_wire_fits", "xn_wire_has_ace_prefix"]
PROVERS = ["z3", "cvc4"]
# Seconds: ten times what a proof takes on a busy machine; of a mistake there is none.
PROOF, NO_PROOF = 60, 10

# For tests/prove/prove_initialised.c: before which line of core/punycode/punycode.c Eva has to tell apart what.
WRITTEN = {
    "    for (size_t j = 0; j < b; j++) {": "/*@ dynamic_split b; */ /*@ loop unroll 64; */",
    "    return XN_OK;\n}\n\n/* Section 6.2: \"insert n": "/*@ dynamic_split *consumed; */ /*@ merge b; */",
    "    for (; at > i; at--)\n": "/*@ dynamic_split at; */ /*@ loop unroll 64; */",
    "}\n\n/* Section 6.2, the main loop. *out": "/*@ merge at; */",
    "    status = decode_insertions(": "/*@ dynamic_split out; */",
    "    /*@ loop invariant count <= dst_cap; */": "/*@ dynamic_split count; */",
}
WRITTEN_MAX = 32  # elements: with 63 it does not end
WITHIN_WRITTEN = ["copy_literals", "decode_insertions", "insert", "decode", "decode_plainly", "xn_punycode_decode"]
WRITTEN_MUTANTS = [
    ("size_t j = 0; j < b;", "size_t j = 1; j < b;"),
    ("size_t at = out;", "size_t at = out + 1;"),
    ("*dst_len = out;", "*dst_len = out + 1;"),
]

# A line of the source, and a wrong line for it.
MUTANTS = {
    "punycode": [
        ("if (b > dst_cap)", "if (b > dst_cap + 1)"),
        ("if (count >= dst_cap)", "if (count >= dst_cap + 1)"),
        ("if (*pos >= end)", "if (*pos >= end + 1)"),
        ("if (sink->len >= sink->cap)", "if (sink->len >= sink->cap + 1)"),
        ("size_t b = src_len;", "size_t b = src_len + 1;"),
        ("if (*w > maxint / factor)", "if (*w == maxint)"),
    ],
    "wire": [
        ("dst + len - XN_OCTETS16, src", "dst + len - XN_OCTETS16 + 1, src"),
        ("octets + len - XN_OCTETS16 - 1", "octets + len - XN_OCTETS16"),
        ("xn_octets8_load(src + len - XN_OCTETS8)", "xn_octets8_load(src + len - XN_OCTETS8 + 1)"),
        ("sixteen_to_text(label + at, dst", "sixteen_to_text(label + at + XN_OCTETS16, dst"),
        ("sixteen_to_text(label + len - XN_OCTETS16", "sixteen_to_text(label + len - XN_OCTETS16 + 1"),
    ],
    "utf8": [
        ("src >= end - 1", "src >= end - 0"),
        ("src >= end - 2", "src >= end - 1"),
        ("src >= end - 3", "src >= end - 2"),
        ("out == full", "out == full + 1"),
        ("if (at >= end)", "if (at > end)"),
        ("run.octets) / XN_UTF8_MAX;", "run.octets) / XN_UTF8_MAX + 1;"),
    ],
}


WALK_MUTANTS = [
    ("xn_wire_open", "at += (size_t)wire[at] + 1;", "at += (size_t)wire[at] + 2;"),
    ("xn_wire_open", "!xn_wire_fits(wire[at], at, wire_len)", "!xn_wire_fits(wire[at], at, wire_len + 1)"),
    ("xn_wire_open", "if (at + 1 != wire_len)", "if (at + 1 > wire_len)"),
    ("xn_wire_has_ace", "xn_wire_has_ace_prefix(label, len)", "xn_wire_has_ace_prefix(label, len + 4)"),
    ("plain_to_text", "memcpy(few, wire + 1, len);", "memcpy(few, wire + 1, len + 1);"),
    ("plain_to_text", "if (len < XN_OCTETS16) {", "if (len < XN_OCTETS16 - 1) {"),
    ("xn_wire_to_text", "xn_wire_label_to_text(label, len, dst + out)",
     "xn_wire_label_to_text(label, len, dst + out + 2)"),
]


# Functions for which WP proves nothing about numbers: they want a trace, write one, or only call others.
BESIDE_NUMBERS = ["note_step", "decode_plainly", "encode_plainly", *(
    f"xn_punycode_{way}{kind}" for way in ("decode", "encode") for kind in ("", "_traced"))]


def source_of(part: str) -> str:
    return {"punycode": "core/punycode/punycode.c", "utf8": "core/text/utf8.c", "wire": "core/wire/wire.c"}[part]


def preprocessor(folder: Path, part: str, macros: str = "") -> str:
    """A mistake is in a copy below the folder, which goes before the sources."""
    contracts = "-include tests/prove/walks.h" if part == "wire" else ""
    return f"-cpp-extra-args=-iquote tests/prove/model -iquote {folder} -I. {contracts} {macros}"


class Analysis:
    """Eva's results for one source and some lengths."""

    def __init__(self, part: str, lengths: range, folder: Path, more: list[str] = (), program: str = ""):
        macros = f"-DFIRST={lengths[0]} -DLAST={lengths[-1]}"
        command = [*FRAMA_C, *EVA, *PARTS[part].options, *more, preprocessor(folder, part, macros),
                   f"tests/prove/prove_{program or part}.c"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.lengths = lengths
        self.alarms = re.findall(r"^\[eva:alarm\] (.*(?:\n  .*)*)", done.stdout, re.M)
        finished = done.returncode == 0 and "ANALYSIS SUMMARY" in done.stdout
        self.failure = None if finished else done.stdout[-2000:] + done.stderr[-2000:]
        self.statements = {name: (int(reached), int(all_of_it)) for name, reached, all_of_it in
                           re.findall(r"^  (\w+): (\d+) stmts out of (\d+) \(", done.stdout, re.M)}
        self.unreached = re.findall(r"<core/[^>]*>: ([^;]*);", done.stdout)
        left = re.search(r"(\d+) alarms? generated by the analysis", done.stdout)
        if not self.failure and not self.alarms and (not left or left[1] != "0"):
            self.failure = "the summary counts alarms that are not listed"


class Deduction:
    """WP's results for a source: `goals` are options that select the goals."""

    def __init__(self, source: Path, goals: list[str], macros: str, seconds: int):
        command = [*FRAMA_C, *goals, "-wp-cache", "none", "-wp-par", str(os.cpu_count()), "-wp-timeout", str(seconds),
                   "-wp-prover", ",".join(PROVERS), macros, str(source)]
        with tempfile.TemporaryDirectory() as own:
            # Where Why3 finds the provers.
            environment = {**os.environ, "WHY3CONFIG": f"{own}/why3.conf"}
            subprocess.run(["why3", "config", "detect"], env=environment, capture_output=True, check=False)
            done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        counts = re.search(r"^\[wp\] Proved goals: +(\d+) / (\d+)", done.stdout, re.M)
        finished = done.returncode == 0 and counts
        self.proved, self.goals = map(int, counts.groups()) if finished else (0, 0)
        self.unproved = re.findall(r"^\[wp\] \[(?!Qed|Z3|CVC4|Passed)[^]]*\] .*", done.stdout, re.M)
        self.failure = None if finished else done.stdout[-2000:] + done.stderr[-2000:]


def deduce_walks(functions: list[str], folder: Path, seconds: int, more: list[str] = ()) -> Deduction:
    goals = ["-instantiate", "-inline-calls", ",".join(WITHIN_WALKS), "-wp", "-wp-rte", "-wp-fct", ",".join(functions), *more]
    return Deduction(folder / "core/wire/wire.c", goals, preprocessor(folder, "wire"), seconds)


def deduce_numbers(goals: list[str], mutant: dict[str, str], seconds: int) -> Deduction:
    """WP is not asked about the functions' memory, which is Eva's part."""
    added = {line: f"{text}\n{line}" for line, text in numbers.ADDED.items()} | dict.fromkeys(numbers.EVAS, "")
    for old, new in mutant.items():
        line = next((line for line in added if old in line), None)
        added |= {line: added[line].replace(old, new)} if line else {old: new}
    with changed("punycode", added) as folder:
        options = ["-rte", "-rte-select", ",".join(numbers.FUNCTIONS), "-rte-no-mem", "-no-warn-invalid-bool",
                   "-warn-unsigned-overflow", "-then", "-wp", "-wp-model", "Typed+Ref", *goals]
        return Deduction(folder / "core/punycode/punycode.c", options,
                         preprocessor(folder, "punycode", f"-DBIAS_MAX={numbers.BIAS_MAX}"), seconds)


class Tap:
    """Prints a test for each result."""
    number = 0
    failed = False

    def result(self, good: bool, what: str, notes: list[str]) -> None:
        self.number += 1
        print("ok" if good else "not ok", self.number, "-", what, flush=True)
        if not good:
            self.failed = True
            for line in "\n".join(notes).splitlines():
                print("#", line)


def prove_lengths(part: str, lengths: range) -> Analysis:
    """At which length Eva gives up the end of a block depends on how often it goes round a loop first: any number that
    shows all will do."""
    for patience in ([], PATIENCE):
        run = Analysis(part, lengths, Path("."), patience)
        if not run.alarms:
            break
    return run


def prove(tap: Tap, part: str, longest: int, pool: ThreadPoolExecutor) -> None:
    start = time.monotonic()
    # The longest first: they take most of the time. Length 0 is not alone: its returns are counted with the loops.
    at_once = PARTS[part].at_once
    chunks = [range(first, min(first + at_once, longest + 1)) for first in range(0, longest + 1, at_once)][::-1]
    runs = list(pool.map(lambda lengths: prove_lengths(part, lengths), chunks))
    wrong = [f"lengths {run.lengths[0]} to {run.lengths[-1]}: {text}" for run in runs
             for text in [*run.alarms, *filter(None, [run.failure])]]
    source = Path(source_of(part)).read_text(encoding="utf-8")
    best: dict[str, float] = {}
    for run in runs:
        for name, (reached, all_of_it) in run.statements.items():
            best[name] = max(best.get(name, 0), reached / all_of_it)
    # Eva numbers a static function whose name the harness has too.
    ours = {name: share for name, share in best.items() if re.search(rf"\b{re.sub('_0$', '', name)}\(", source)
            and name not in WALKS}
    seconds = time.monotonic() - start
    tap.result(not wrong, f"{source_of(part)}: {len(ours)} functions, every input up to {longest} elements: no alarm "
               f"({seconds:.0f} s)", wrong)
    left = [f"{name}: {share:.0%} at best" for name, share in sorted(ours.items()) if share < 1]
    never = set.intersection(*({*run.unreached} for run in runs)) - {*WALKS}
    left += [f"{name}: never reached" for name in sorted(never)]
    tap.result(not left and len(ours) > 0, f"{source_of(part)}: every statement was reached", left)


def prove_walks(tap: Tap) -> None:
    """Runs a smoke test of each path: what a function may assume must not lead to a contradiction."""
    start = time.monotonic()
    run = deduce_walks(WALKS, Path("."), PROOF, ["-wp-smoke-tests"])
    tap.result(run.proved == run.goals > 0, f"core/wire/wire.c: {len(WALKS)} functions that walk over a name, all names: "
               f"{run.proved} of {run.goals} goals proved ({time.monotonic() - start:.0f} s)",
               [*run.unproved, *filter(None, [run.failure])])


@contextmanager
def changed(part: str, changes: dict[str, str]) -> Iterator[Path]:
    """Returns a folder with a copy of the source, where each text, which occurs once, is replaced."""
    source = Path(source_of(part)).read_text(encoding="utf-8")
    for old, new in changes.items():
        if source.count(old) != 1:
            sys.exit(f"does not stand in core/{part}.c once: {old}")
        source = source.replace(old, new)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / source_of(part)
        copy.parent.mkdir(parents=True)
        copy.write_text(source, encoding="utf-8")
        yield Path(folder)


def try_mutant(part: str, right: str, wrong: str) -> tuple[str, bool, str]:
    with changed(part, {right: wrong}) as folder:
        run = Analysis(part, PARTS[part].enough, folder)
    return f"{right} -> {wrong}", bool(run.alarms), run.failure or "no alarm"


def try_walk_mutant(function: str, right: str, wrong: str) -> tuple[str, bool, str]:
    with changed("wire", {right: wrong}) as folder:
        run = deduce_walks([function], folder, NO_PROOF)
    return f"{right} -> {wrong}", 0 < run.proved < run.goals, run.failure or "all is proved"


def analyse_written(room: int, mutant: dict[str, str]) -> Analysis:
    """A mistake comes last: it may be in a line that is looked for."""
    watched = {line: f"{annotation}\n{line}" for line, annotation in WRITTEN.items()}
    with changed("punycode", watched | mutant) as folder:
        return Analysis("punycode", range(room, room + 1), folder, ["-inline-calls", ",".join(WITHIN_WRITTEN)],
                        "initialised")


def prove_written(tap: Tap, room: int, pool: ThreadPoolExecutor) -> None:
    """Reads of what was not written are all that is asked here: whether places can be wrong is what the lengths one by
    one have shown."""
    def unwritten(run: Analysis) -> list[str]:
        return [alarm for alarm in run.alarms if "uninitialized" in alarm]

    start = time.monotonic()
    run = analyse_written(room, {})
    tap.result(not unwritten(run) and not run.failure, f"core/punycode/punycode.c: the decoder reads of {room} elements what it "
               f"has written ({time.monotonic() - start:.0f} s)", [*unwritten(run), *filter(None, [run.failure])])
    mutants = [(f"{right} -> {wrong}", pool.submit(analyse_written, 4, {right: wrong}))
               for right, wrong in WRITTEN_MUTANTS]
    for what, future in mutants:
        tap.result(bool(unwritten(future.result())), f"core/punycode/punycode.c with a mistake, reads what was not written: {what}",
                   [future.result().failure or "no alarm"])


def prove_numbers(tap: Tap) -> None:
    start = time.monotonic()
    run = deduce_numbers(["-wp-skip-fct", ",".join(BESIDE_NUMBERS), "-wp-smoke-tests"], {}, PROOF)
    tap.result(run.proved == run.goals > 0, f"core/punycode/punycode.c: no number of its loops wraps, at any length: "
               f"{run.proved} of {run.goals} goals proved ({time.monotonic() - start:.0f} s)",
               [*run.unproved, *filter(None, [run.failure])])
    for function, right, wrong in numbers.MUTANTS:
        run = deduce_numbers(["-wp-fct", function], {right: wrong}, NO_PROOF)
        tap.result(0 < run.proved < run.goals, f"core/punycode/punycode.c with a mistake, a number may wrap: {right} -> {wrong}",
                   [run.failure or "all is proved"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=sorted(MUTANTS))
    parser.add_argument("longest", type=int, nargs="?")
    arguments = parser.parse_args()
    tap = Tap()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        longest = PARTS[arguments.part].longest if arguments.longest is None else arguments.longest
        prove(tap, arguments.part, longest, pool)
        for what, found, note in pool.map(lambda mutant: try_mutant(arguments.part, *mutant), MUTANTS[arguments.part]):
            tap.result(found, f"{source_of(arguments.part)} with a mistake, an alarm: {what}", [note])
        if arguments.part == "punycode" and longest > 0:
            prove_written(tap, min(longest, WRITTEN_MAX), pool)
    if arguments.part == "punycode":
        prove_numbers(tap)
    if arguments.part == "wire":
        prove_walks(tap)
        for what, found, note in (try_walk_mutant(*walk_mutant) for walk_mutant in WALK_MUTANTS):
            tap.result(found, f"core/wire/wire.c with a mistake, no proof: {what}", [note])
    print(f"1..{tap.number}")
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
