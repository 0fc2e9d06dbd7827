# SPDX-License-Identifier: BSD-3-Clause
"""--punycode: RFC 3492's own operation and its traces."""

import os
import random
import re
import subprocess

# RFC 3492, section 7.2, sample L, and section 7.3, sample B: the states as they are printed there.
DECODING_L = """n is 128, i is 0, bias is 72
input is "3B-ww4c5e180e575a65lsy2b"
literal portion is "3B-", so extended string starts as:
0033 0042
delta "ww4c" decodes to 62042
bias becomes 27
0033 0042 5148 *
delta "5e" decodes to 139
bias becomes 24
0033 0042 516B * 5148
delta "180e" decodes to 16683
bias becomes 67
0033 5E74 * 0042 516B 5148
delta "575a" decodes to 34821
bias becomes 82
0033 5E74 0042 516B 5148 751F *
delta "65l" decodes to 14592
bias becomes 67
0033 5E74 0042 7D44 * 516B 5148 751F
delta "sy2b" decodes to 42088
bias becomes 84
0033 5E74 0042 7D44 91D1 * 516B 5148 751F
"""

DECODING_B = """n is 128, i is 0, bias is 72
input is "ihqwcrb4cv8a8dqg056pqjye"
there is no delimiter, so extended string starts empty
delta "ihq" decodes to 19853
bias becomes 21
4E0D *
delta "wc" decodes to 64
bias becomes 20
4E0D 4E2D *
delta "rb" decodes to 37
bias becomes 13
4E3A * 4E0D 4E2D
delta "4c" decodes to 56
bias becomes 17
4E3A 4E48 * 4E0D 4E2D
delta "v8a" decodes to 599
bias becomes 32
4E3A 4EC0 * 4E48 4E0D 4E2D
delta "8d" decodes to 130
bias becomes 23
4ED6 * 4E3A 4EC0 4E48 4E0D 4E2D
delta "qg" decodes to 154
bias becomes 25
4ED6 4EEC * 4E3A 4EC0 4E48 4E0D 4E2D
delta "056p" decodes to 46301
bias becomes 84
4ED6 4EEC 4E3A 4EC0 4E48 4E0D 4E2D 6587 *
delta "qjye" decodes to 88531
bias becomes 90
4ED6 4EEC 4E3A 4EC0 4E48 4E0D 8BF4 * 4E2D 6587
"""

STEPS_B = [(0x4E0D, 19853, "ihq", 21), (0x4E2D, 64, "wc", 20), (0x4E3A, 37, "rb", 13), (0x4E48, 56, "4c", 17),
           (0x4EC0, 599, "v8a", 32), (0x4ED6, 130, "8d", 23), (0x4EEC, 154, "qg", 25), (0x6587, 46301, "056p", 84),
           (0x8BF4, 88531, "qjye", 90)]
STEPS_L = [(0x5148, 62042, "ww4c", 27), (0x516B, 139, "5e", 24), (0x5E74, 16683, "180e", 67), (0x751F, 34821, "575a", 82),
           (0x7D44, 14592, "65l", 67), (0x91D1, 42088, "sy2b", 84)]


def encoding_trace(cps, literal, steps, output):
    lines = ["bias is 72", "input is:", cps, literal]
    for cp, delta, digits, bias in steps:
        lines += [f"next code point to insert is {cp:04X}", f'needed delta is {delta}, encodes as "{digits}"', f"bias becomes {bias}"]
    return "\n".join(lines + [f'output is "{output}"']) + "\n"


# Strings that decode refuses, in which column, and a part of the reason.
REFUSED = [("-90a", 1, "nothing before it"), ("tda9", 5, "middle of a number"), ("a_b", 2, "not a Punycode digit"), ("0000h", 1, "U+10FFFF"),
           ("ab-zd9k", 4, "surrogate"), ("9999999999a", 8, "32 bits"), ("ü", 1, "not a Punycode digit"), ("ü-a", 1, "before the last delimiter"),
           ("a-bü-tda", 4, "before the last delimiter"), ("a-b-tda_", 8, "not a Punycode digit"), ("tda99999999999", 13, "32 bits"), ("ab-td", 6, "middle of a number")]


def rows(path):
    return [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")]


def test_samples(tap, command, vectors):
    for letter, cps, punycode in rows(vectors / "rfc3492-samples.tsv"):
        text = "".join(chr(int(cp[2:], 16)) for cp in cps.split())
        want = punycode.lower() if letter == "I" else punycode  # its one upper-case digit is an annotation (appendix A)
        tap.equal(command("encode", "--punycode", "--", text), (0, want.encode() + b"\n", ""), f"encode --punycode sample {letter}")
        tap.equal(command("decode", "--punycode", "--", punycode), (0, text.encode() + b"\n", ""), f"decode --punycode sample {letter}")


def test_examples(tap, command, vectors):
    table = rows(vectors / "punycode-examples.tsv")
    text = "".join(row[0] + "\n" for row in table)
    code = "".join(row[1] + "\n" for row in table)
    tap.equal(command("encode", "--punycode", stdin=text)[1].decode(), code, "encode --punycode the article's examples")
    tap.equal(command("decode", "--punycode", stdin=code)[1].decode(), text, "decode --punycode the article's examples")


def test_traces(tap, command):
    tap.equal(command("decode", "--punycode", "--trace", "3B-ww4c5e180e575a65lsy2b")[1].decode(), DECODING_L, "decoding trace of sample L")
    tap.equal(command("decode", "--punycode", "--trace", "ihqwcrb4cv8a8dqg056pqjye")[1].decode(), DECODING_B, "decoding trace of sample B")
    cps = "4ED6 4EEC 4E3A 4EC0 4E48 4E0D 8BF4 4E2D 6587"
    want = encoding_trace(cps, "there are no basic code points, so no literal portion", STEPS_B, "ihqwcrb4cv8a8dqg056pqjye")
    tap.equal(command("encode", "--punycode", "--trace", "他们为什么不说中文")[1].decode(), want, "encoding trace of sample B")
    cps = "0033 5E74 0042 7D44 91D1 516B 5148 751F"
    literal = 'basic code points (0033, 0042) are copied to literal portion: "3B-"'
    want = encoding_trace(cps, literal, STEPS_L, "3B-ww4c5e180e575a65lsy2b")
    tap.equal(command("encode", "--punycode", "--trace", "3年B組金八先生")[1].decode(), want, "encoding trace of sample L")


def test_refusals(tap, command):
    for punycode, column, word in REFUSED:
        status, out, errors = command("decode", "--punycode", "--", punycode)
        place = errors.startswith(f"unbound-idn: column {column}: {punycode}: ")
        tap.equal((status, out, place, word in errors), (1, b"\n", True, True), f"decode --punycode {punycode} is refused in column {column}: {errors}")
    tap.equal(command("encode", "--punycode", stdin=b"ab\xc3\xbc\xff\nab\n"), (1, b"\nab-\n", "unbound-idn: line 1: column 4: abü\\255: not valid UTF-8\n"), "what is not UTF-8, and where")
    status, out, errors = command("decode", "--punycode", stdin="a" * 10001 + "\ntda\n")
    tap.equal((status, out.decode()), (1, "\nü\n"), "a line over 10,000 octets is refused, and the next is read")
    text = "a" * 3855 + "\U0010FFFF" + "a"
    tap.equal(command("encode", "--punycode", "b", text), (1, b"b-\n\n", f"unbound-idn: argument 2: column 3856: {'a' * 64}…: a number is larger than 32 bits\n"),
              "encode --punycode: a delta of more than 32 bits, and where")
    folder = os.open("/", os.O_RDONLY)
    done = subprocess.run([command.path, "encode", "--punycode"], stdin=folder, capture_output=True, check=False)
    os.close(folder)
    tap.equal((done.returncode, done.stdout, done.stderr), (2, b"", b"unbound-idn: standard input: Is a directory\n"), "a folder as standard input")


def random_string(chance):
    """Code points near each other, as words have them, or anywhere."""
    base = chance.choice([0x80, 0x400, 0x3040, 0x4E00, 0xAC00, 0x1F600, 0x100000])
    cps = [chance.choice([chance.randint(0x20, 0x7E), base + chance.randrange(64), chance.randrange(0x80, 0x110000)]) for _ in range(chance.randint(0, 24))]
    return "".join(chr(0x78 if 0xD800 <= cp < 0xE000 else cp) for cp in cps)


def test_randoms(tap, command):
    chance = random.Random(3492)
    strings = [random_string(chance) for _ in range(10000)]
    encoded = command("encode", "--punycode", stdin="\n".join(strings) + "\n")
    want = b"".join(text.encode("punycode") + b"\n" for text in strings)
    tap.equal((encoded[0], encoded[1] == want, encoded[2]), (0, True, ""), "10,000 random strings: as Python encodes them")
    decoded = command("decode", "--punycode", stdin=want)
    text = "".join(text + "\n" for text in strings)
    shown = re.sub(r"\\u\{([0-9A-F]+)\}", lambda escape: chr(int(escape[1], 16)), decoded[1].decode())
    tap.equal((decoded[0], shown == text, decoded[2]), (0, True, ""), "10,000 random strings: as they were")


def test_escapes(tap, command):
    hidden = [0x7F, 0x80, 0x9B, 0xA0, 0xAD, 0x34F, 0x378, 0x115F, 0x1160, 0x2028, 0x2029, 0x202E, 0x200B, 0x2800, 0x3000, 0x3164,
              0xE000, 0xFFA0, 0xFEFF, 0xE0001, 0x10FFFF]
    for cp in hidden:
        code = chr(cp).encode("punycode").decode()
        tap.equal(command("decode", "--punycode", "--", code)[1].decode(), f"\\u{{{cp:X}}}\n", f"U+{cp:04X} is escaped")
    for cp in 0x20, 0x41, 0xFC, 0x301, 0x1F600, 0x2044:
        code = chr(cp).encode("punycode").decode()
        tap.equal(command("decode", "--punycode", "--", code)[1].decode(), chr(cp) + "\n", f"U+{cp:04X} is printed")
    tap.equal(command("encode", "--punycode", "a\tb")[1], b"a\\u{9}b-\n", "no TAB on standard output")
    tap.equal(command("encode", "--punycode", "U+FC", "\u00fc U+FC", "   ")[1], b"U+FC-\n U+FC-jva\n   -\n", "what looks like a code point is text")
