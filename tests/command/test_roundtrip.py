# SPDX-License-Identifier: BSD-3-Clause
"""Tests that encode reads decode's output as the same octets, or refuses it."""

import json
import random
import re

from alabels import to_ascii

# Characters of every kind that is shown in its own way: letters, joiners, emoji, marks, right to left, controls, dots, blanks.
CHARACTERS = "abzABZ019-_.üßñаяñαωשלاب۱中文例えア한क्षനമ\u200c\u200d😀❤\u0301\u0308\ufe0f\u20e3\u200b\u00ad\u202e\u2068\u0085\u009b\u2028\u3002\uff0e\u00b7\u30fb\U0010ffff\U00010000\u1e9eⅷﬁ"
OCTETS = bytes([0, 1, 9, 10, 13, 31, 32, 33, 34, 45, 46, 48, 57, 64, 65, 90, 91, 92, 97, 117, 120, 122, 123, 125, 126, 127, 128, 160, 195, 188, 255])


def text_of(label):
    """A label in presentation format (RFC 1035, section 5.1), in lower case, as a log has it."""
    return "".join(chr(octet) if 0x21 <= octet < 0x7F and octet not in b'."\\' else f"\\{octet:03}" for octet in label.lower())


def octets_of(text):
    """The labels of a name in presentation format, in lower case."""
    labels = [b""]
    for part in re.findall(r"\\\d{3}|\\.|.", text):
        if part == ".":
            labels.append(b"")
        else:
            labels[-1] += bytes([int(part[1:])]) if part[1:].isdigit() and len(part) == 4 else part[-1:].encode()
    return [label.lower() for label in labels]


def random_label(chance):
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(chance.choice(OCTETS) for _ in range(chance.randint(1, 12)))
    if kind == 1:
        return b"xn--" + bytes(chance.choice(b"abcxyz0189-") for _ in range(chance.randint(0, 12)))
    if kind == 2:
        return b"xn--" + bytes(chance.choice(OCTETS) for _ in range(chance.randint(0, 12)))
    some = chance.sample(CHARACTERS, chance.randint(1, 4))
    return to_ascii("".join(chance.choice(some) for _ in range(chance.randint(1, 8)))).encode()[:63]


def test_names(tap, command, vectors):
    chance = random.Random(20261123)
    wires = [[random_label(chance) for _ in range(chance.randint(1, 3))] for _ in range(20000)]
    comes_back(tap, command, wires, "random names")
    hostile = [row["a_label"] for row in json.loads((vectors / "hostile-alabels.json").read_text(encoding="utf-8"))]
    tap.equal(len(hostile), 53, "hostile labels: all")
    comes_back(tap, command, [[label.encode(), b"example"] for label in hostile], "hostile labels")
    full = ["xn--" + first + "a" * (59 - len(first)) for first in ("tda", "4gq", "2n7c", "e28h", "dn32g")]
    comes_back(tap, command, [[label.encode()] for label in full], "labels full of one character")
    comes_back(tap, command, [[label.encode()] * 3 for label in full], "names full of them")
    comes_back(tap, command, [[bytes([octet])] for octet in range(256)] + [[b"a", bytes([octet]) * 63] for octet in range(256)], "each octet")


def through(command, verb, lines):
    return command(verb, stdin="".join(line + "\n" for line in lines))[1].decode().split("\n")[:-1]


def comes_back(tap, command, wires, what):
    names = [".".join(map(text_of, wire)) for wire in wires]
    shown = through(command, "decode", names)
    back = through(command, "encode", shown)
    tap.equal((len(shown), len(back)), (len(names), len(names)), f"{what}: a line each")
    wrong = [(name, seen, got) for name, wire, seen, got in zip(names, wires, shown, back) if octets_of(got) != [label.lower() for label in wire]]
    tap.equal(wrong[:3], [], f"{what}: decode, then encode: the same octets")
    tap.equal(through(command, "decode", shown) == shown, True, f"{what}: decode shows what it showed as it did")


def test_written(tap, command):
    """encode gives the same for a text and for what decode shows of it; where that is nothing, it says so."""
    chance = random.Random(20261124)
    parts = [*CHARACTERS.replace("\u2028", ""), "\\", "\\\\", "\\.", "\\u{430}", "\\u{200C}", "\\u{41}", "\\u{3002}", "\\u{", "{430}", "u", "\\009", "\\999", "\x01", "\x7f", "xn--", "xn--tda"]
    texts = ["".join(chance.choice(parts) for _ in range(chance.randint(1, 6))) for _ in range(20000)]
    first = [json.loads(line) for line in command("encode", "--json", stdin="".join(text + "\n" for text in texts))[1].decode().splitlines()]
    second = [json.loads(line) for line in command("encode", "--json", stdin="".join(row["display"] + "\n" for row in first))[1].decode().splitlines()]
    wrong = [(row["input"], row["display"], row["ascii"], again["ascii"]) for row, again in zip(first, second) if row["ascii"] != again["ascii"]]
    tap.equal(wrong[:3], [], "written names: what is shown is the same name, or none where there was none")
    silent = [row["input"] for row in first if not row["ascii"] and (row["valid"] or not row["findings"]) and row["input"].strip(".\u3002\uff0e")]
    tap.equal(silent[:3], [], "written names: where there is none, that is said")
    odd = [row["input"] for row in first if row["valid"] and any(octet < 0x20 or octet == 0x7F for label in octets_of(row["ascii"]) for octet in label)]
    tap.equal(odd[:3], [], "written names: none with a control character is valid")
