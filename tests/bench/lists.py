#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures lists and zones that are expensive to read: processor time and memory for a megabyte of each shape that an attacker
could choose, beside an ordinary list's. A daemon that starts reads them before it answers. `--smoke` reads less of each, and
prints TAP: no list takes more than --most octets of memory for each of its own. Its times are too short to be compared."""

import argparse
import json
import pathlib
import random
import subprocess
import sys
import tempfile

MEASURED = pathlib.Path(__file__).resolve().parents[1] / "command/measured.py"
ORDINARY = "hosts"
MOST_MEMORY = 20  # octets for each octet of the file; the largest takes 12: many records of one owner. A sanitizer wants more.
ZONE = "$ORIGIN rpz.invalid.\n$TTL 60\nrpz.invalid. SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n"
RANDOM = random.Random(1034)


def han(count):
    return "".join(chr(RANDOM.randrange(0x4E00, 0x9F00)) for _ in range(count))


def letters(alphabet, count):
    return "".join(RANDOM.choice(alphabet) for _ in range(count))


# The n-th line of each kind. Records of few owners: as many as one can have, in turn.
LISTS = {
    ORDINARY: lambda n: f"0.0.0.0 n{n}.example",
    "hosts, many in a line": lambda n: "0.0.0.0 " + " ".join(f"n{n}-{i}.example" for i in range(100)),
    "of an ad blocker": lambda n: f"||n{n}.example^",
    "with a condition": lambda n: f"||n{n}.example^$third-party,important",
    "one name": lambda n: "n.example",
    "120 labels": lambda n: "a." * 120 + str(n),
    "a public suffix": lambda n: "co.uk",
    "below a public suffix with a wildcard": lambda n: f"n{n}.foo.ck",
    "eight Han letters": lambda n: f"{han(8)}{n}.example",
    "two scripts": lambda n: f"пример{han(4)}{n}.example",
    "a joiner": lambda n: f"نامه\u200Cای{n}.example",
    "fullwidth": lambda n: f"ｅｘａｍｐｌｅ{n}.com",
    "marks in another order": lambda n: "a" + "\u0316\u0300" * 20 + f"{n}.com",
    "from right to left": lambda n: f"אב{n:010}א.com",
    "sharp s": lambda n: f"straße{n}.de",
    "Han in two ways": lambda n: f"中国{n}.cn",
    "an A-label": lambda n: f"xn--{letters('abcdefghijklmnopqrstuvwxyz0123456789', 59)}.com",
    "no A-label": lambda n: f"xn--{n}-.com",
    "escapes": lambda n: "\\065" * 60 + f"{n}.com",
    "a label of 1,020 octets": lambda n: han(340),
    "a label of 1,020 octets, of marks": lambda n: "a" + "\u0316\u0300" * 250,
    "dots": lambda n: "." * 300,
    "controls": lambda n: "\x01" * 100,
    "a line of 60,000 octets": lambda n: "ü." * 20000,
    "a word of 60,000 octets, of `#`": lambda n: "a" + "#a" * 30000,
    "words `zone` in a zone": lambda n: 'zone "a.example" { ' + "zone " * 12000 + "};",
    "a set of modifiers": lambda n: f"||n{n}.example^$important,dnstype=TYPE{1000 + n % 256}",
    "names in $denyallow": lambda n: "||a.example^$denyallow=" + "|".join(f"n{n}-{i}.example" for i in range(40)),
}
ZONES = {
    "CNAME": lambda n: f"n{n}.example CNAME .",
    "names from few to many labels": lambda n: "a." * (n % 100) + f"n{n}.example CNAME .",
    "5,000 records of one owner": lambda n: f"n{n // 5000}.example A 10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}",
    "records of few owners in turn": lambda n: f"n{n % 4}.example A 10.{n >> 16 & 255}.{n >> 8 & 255}.{n & 255}",
    "one record of few owners": lambda n: f"n{n % 4}.example A 192.0.2.1",
    "types of few owners": lambda n: f"n{n % 4}.example TYPE{1000 + n % 60000} \\# 4 {n:08x}",
    "long texts of few owners": lambda n: f'n{n % 4}.example TXT "{n:0200}"',
    "3,000 strings": lambda n: f"n{n}.example TXT " + '"x" ' * 3000,
    "20,000 octets": lambda n: f"n{n}.example TYPE65280 \\# 20000 " + "ab" * 20000,
    "2,000 parameters": lambda n: f"n{n}.example HTTPS 1 . " + " ".join(f"key{100 + i}=x" for i in range(2000)),
    "Unicode as owner and target": lambda n: f"{han(6)}{n}.example CNAME {han(8)}.example.",
    "an owner of 900 octets": lambda n: f"{han(300)}.example CNAME .",
    "$ORIGIN": lambda n: f"$ORIGIN n{n}.rpz.invalid.",
    "parentheses": lambda n: f"n{n}.example (\n CNAME\n . )",
    "no type": lambda n: f"n{n}.example QQQ x",
    "no address": lambda n: f"n{n}.example A 192.0.2",
    "a quote": lambda n: f'n{n}.example TXT "x',
    "CNAME and other data": lambda n: f"n{n}.example CNAME .\nn{n}.example A 192.0.2.1",
}
PROTECTED = {
    "protected": lambda n: f"paypal{n}.com",
    "protected, three letters that look alike": lambda n: f"{letters('aаɑ', 12)}{n}.com",
    "protected, all that look alike": lambda n: f"{letters('oо0', 20)}.com",
    "protected, marks": lambda n: "a" + "\u0316\u0300" * 20 + f"{n}.com",
}
SHAPES = {name: ("refuse names file", "", line) for name, line in LISTS.items()}
SHAPES |= {name: ("refuse lookalikes file key=strict tld=any", "", line) for name, line in PROTECTED.items()}
SHAPES |= {f"zone: {name}": ("rpz file", ZONE, line) for name, line in ZONES.items()}


def text_of(head, line, size):
    parts, length = [head], 0
    for number in range(size):
        parts.append(line(number) + "\n")
        length += len(parts[-1].encode())
        if length >= size:
            break
    return "".join(parts).encode()


def measure(command, folder, rule, text):
    """(seconds of processor time, octets of memory) to read it."""
    (folder / "file").write_bytes(text)
    (folder / "rules").write_text(f"{rule}\n")
    done = subprocess.run([sys.executable, MEASURED, "used", command, "check", "rules"], cwd=folder, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode("utf-8", "replace"))
    used = json.loads((folder / "used").read_text())
    return used["seconds"], used["mib"] * (1 << 20)


def measure_shapes(command, size):
    """{shape: (seconds, octets of memory) for each octet of the file}."""
    took = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        start = measure(command, folder, "refuse names file", b"")
        for shape, (rule, head, line) in SHAPES.items():
            text = text_of(head, line, size)
            seconds, memory = measure(command, folder, rule, text)
            took[shape] = (seconds - start[0]) / len(text), (memory - start[1]) / len(text)
    return took


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--most", type=float, default=MOST_MEMORY, metavar="OCTETS")
    options = parser.parse_args()
    took = measure_shapes(options.command.resolve(), 500_000 if options.smoke else 4_000_000)
    ordinary = took[ORDINARY][0]
    for number, (shape, (seconds, memory)) in enumerate(sorted(took.items(), key=lambda item: item[1], reverse=True), 1):
        if options.smoke:
            print(f"{'ok' if memory < options.most else 'not ok'} {number} - {memory:.1f} octets of memory for each octet: {shape}")
        else:
            print(f"a megabyte takes {seconds * 1e6:.3f} s, {seconds / ordinary:.1f} times as long, and {memory:.1f} MB: {shape}")
    if options.smoke:
        print(f"1..{len(took)}")


if __name__ == "__main__":
    main()
