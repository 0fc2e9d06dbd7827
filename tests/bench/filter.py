# SPDX-License-Identifier: BSD-3-Clause
"""How fast `unbound-idn filter` is beside cat and idn2: octets of input a second, by the processor's time and
by the clock, read from a file and written to a pipe. Each tool's output is compared with what it must be before it is
timed; what is timed is counted. `--smoke` compares alone, on little, and prints TAP."""

import argparse
import collections
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

LABELS = 10_000  # that differ: fewer would be remembered by the processor's branch predictor
ALPHABETS = ("abcdefghijklmnoprstuäöüßéèñçåø", "абвгдежзийклмнопрстуфхцчшщыьэюя", "αβγδεζηθικλμνξοπρστυφχψω", "אבגדהוזחטיכלמנסעפצקרשת",
             "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "कखगघचछजझटठडढतथदधनपफबभमयरलवशषसह", "กขคงจชซญดตถทนบปผพฟภมยรลวสหอ",
             "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほ", "".join(map(chr, range(0x4E00, 0x5200))), "".join(map(chr, range(0xAC00, 0xB000))))
UNLIKE = ("", "ж", "ξ", "מ", "ش", "क", "ง", "", "", "")  # with it a label does not look like ASCII as a whole, and is shown under com
WORDS = "www mail api cdn static img login shop news test host cloud data edge".split()
SUFFIXES = "com org net example de".split()
# Goals by processor time: octets a second, or so much of what cat reaches.
GOALS = {"no A-label": (8e8, None), "an A-label in 100 lines": (8e8, None), "an A-label a line": (2e8, None)}

# A text and what is to be made of it; `tools` names those that read it.
Kind = collections.namedtuple("Kind", "text outputs tools")
# The output of a Kind that a tool must give; `copies`: of the text, so that it takes long enough to be measured.
Tool = collections.namedtuple("Tool", "command output copies")


# ---- what is read ---------------------------------------------------------------------------------------------------

def labels(chance):
    """U-label -> A-label."""
    found = {}
    while len(found) < LABELS:
        number = len(found) % len(ALPHABETS)
        label = "".join(chance.choices(ALPHABETS[number], k=chance.randint(3, 13))) + UNLIKE[number]
        if not label.isascii():
            found[label] = "xn--" + label.encode("punycode").decode()
    return list(found.items())


def ascii_name(chance):
    return f"{chance.choice(WORDS)}{chance.randrange(1000)}.{chance.choice(WORDS)}-{chance.choice(WORDS)}.{chance.choice(SUFFIXES)}"


def log_line(chance, name):
    """Returns a line of Unbound's log about the name."""
    head = f"2026-11-22T03:{chance.randrange(60):02}:{chance.randrange(60):02}Z ns unbound[812:{chance.randrange(4)}] info: 192.0.2.{chance.randrange(256)} "
    tail = f". {chance.choice(['A', 'AAAA', 'HTTPS'])} IN NOERROR 0.{chance.randrange(1000000):06} {chance.randrange(2)} {chance.randrange(40, 500)}\n"
    return head + name + tail


def kinds(size):
    """The texts, of about `size` octets each; the same every time."""
    chance = random.Random(1)
    pairs = labels(chance)
    lines = [log_line(chance, ascii_name(chance)) for _ in range(size // 110)]
    plain = "".join(lines)
    log, names, hostile = [], [], []
    while len(log) < len(lines):
        (shown, label), line = chance.choice(pairs), log_line(chance, "{}.com")
        left = chance.choice(WORDS)
        log.append([line.format(f"{left}.{put}") for put in (label, shown)])
        names.append([f"{left}.{put}.com\n" for put in (label, shown)])
        hostile.append(chance.choice(("xn--", "-" * 40, "\\u", "xn--a.", "XN--" + "a" * 60, f"я{label} ", "\n")))
    few = ["".join(log[at][form] if at % 100 == 0 else line for at, line in enumerate(lines)) for form in (0, 1)]
    text, shown = map("".join, zip(*log))
    names, names_shown = map("".join, zip(*names))
    hostile = "".join(hostile)
    return {
        "no A-label": Kind(plain, {"same": plain}, "cat filter"),
        "an A-label in 100 lines": Kind(few[0], {"same": few[0], "shown": few[1]}, "cat filter"),
        "an A-label a line": Kind(text, {"same": text, "shown": shown}, "cat filter"),
        "a name a line": Kind(names, {"same": names, "shown": names_shown}, "cat filter idn2"),
        "hardly an A-label": Kind(hostile, {"same": hostile}, "cat filter")}


def tools(arguments):
    """Name -> Tool."""
    ours = [arguments.command, "filter"]
    idn2 = arguments.idn2 or shutil.which("idn2")
    found = {"cat": Tool(["cat"], "same", 32), "filter": Tool(ours, "shown", 32)}
    if idn2:
        found["idn2"] = Tool([idn2, "--decode"], "shown", 1)
    return found


def output_of(kind, tool):
    return kind.outputs.get(tool.output, kind.outputs["same"]).encode()


# ---- running --------------------------------------------------------------------------------------------------------

def environment(arguments):
    return {**os.environ, "LC_ALL": "C.UTF-8", **({"LD_LIBRARY_PATH": arguments.libraries} if arguments.libraries else {})}


def is_right(arguments, kind, tool):
    done = subprocess.run(tool.command, input=kind.text.encode(), stdout=subprocess.PIPE, env=environment(arguments))
    return done.returncode == 0 and done.stdout == output_of(kind, tool)


def drain(reader, counted):
    """Throws away what comes out; counted[0]: how many octets."""
    with open(os.devnull, "wb") as null:
        while octets := os.splice(reader, null.fileno(), 1 << 20):
            counted[0] += octets
    os.close(reader)


def measure(arguments, tool, path):
    """Seconds of the processor, user's and kernel's, and of the clock; octets that came out."""
    reader, writer = os.pipe()
    counted = [0]
    drainer = threading.Thread(target=drain, args=(reader, counted))
    drainer.start()
    started = time.monotonic()
    with open(path, "rb") as text:
        process = subprocess.Popen(tool.command, stdin=text, stdout=writer, env=environment(arguments))
    os.close(writer)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    drainer.join()
    clock = time.monotonic() - started
    if process.returncode:
        sys.exit(f"filter.py: {tool.command} exits with {process.returncode}")
    return used.ru_utime + used.ru_stime, clock, counted[0]


def measure_kind(arguments, kind, known, folder):
    """{tool: {"cpu": octets a second, "clock": ...}}: medians; each round begins with another tool."""
    names, text = [name for name in kind.tools.split() if name in known], kind.text.encode()
    times = {name: [] for name in names}
    for copies in {known[name].copies for name in names}:
        with open(folder / str(copies), "wb") as file:
            for _ in range(copies):
                file.write(text)
    for turn in range(arguments.rounds):
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            tool = known[name]
            cpu, clock, octets = measure(arguments, tool, folder / str(tool.copies))
            if octets != tool.copies * len(output_of(kind, tool)):
                sys.exit(f"filter.py: {name} wrote {octets} octets")
            size = tool.copies * len(text)
            times[name].append((size / cpu, size / clock))
    return {name: dict(zip(("cpu", "clock"), map(statistics.median, zip(*rates))), rounds=rates) for name, rates in times.items()}


# ---- what is said ---------------------------------------------------------------------------------------------------

def goal_text(kind, figures):
    if kind not in GOALS:
        return ""
    rate, share = GOALS[kind]
    reached = figures["filter"]["cpu"] >= rate or bool(share and figures["filter"]["cpu"] >= share * figures["cat"]["cpu"])
    return f"goal for filter: {rate / 1e6:,.0f} MB/s" + (f", or {share:.0%} of cat" if share else "") + (": reached" if reached else ": NOT reached")


def report(kind, figures):
    print(f"\n{kind}: MB of input a second\n{'':14}{'processor':>10}{'clock':>8}{'to cat':>8}")
    for name, figure in figures.items():
        print(f"{name:14}{figure['cpu'] / 1e6:>10,.0f}{figure['clock'] / 1e6:>8,.0f}{figure['cpu'] / figures['cat']['cpu']:>8.2f}")
    print(goal_text(kind, figures), end="\n" if kind in GOALS else "")


def smoke(arguments):
    number = 0
    known = tools(arguments)
    for title, kind in kinds(400_000).items():
        for name in kind.tools.split():
            if name in known:
                number += 1
                print(f"{'ok' if is_right(arguments, kind, known[name]) else 'not ok'} {number} - {title}: what {name} writes")
    print(f"1..{number}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", required=True)
    parser.add_argument("--idn2", help="where it is")
    parser.add_argument("--libraries", help="a folder with its libraries")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--smoke", action="store_true")
    arguments = parser.parse_args()
    if arguments.smoke:
        return smoke(arguments)
    known, found = tools(arguments), {}
    for title, kind in kinds(8_000_000).items():
        for name in kind.tools.split():
            if name in known and not is_right(arguments, kind, known[name]):
                sys.exit(f"filter.py: {title}: {name} writes something else")
        with tempfile.TemporaryDirectory(dir=arguments.output.parent) as folder:
            found[title] = measure_kind(arguments, kind, known, Path(folder))
        report(title, found[title])
    arguments.output.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
