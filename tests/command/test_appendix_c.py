# SPDX-License-Identifier: BSD-3-Clause
"""--punycode with RFC 3492's notation of code points, u+00FC, whose case is appendix A's mixed-case annotation: what the program
of appendix C does with it, built by tools/build/appendix-c.sh, and what we refuse."""

import os
import random
import subprocess

NOTATION = "expected a code point, such as u+00FC or U+00FC"
RANGE = "expected at most U+10FFFF, the last code point of Unicode"
SURROGATE = "a surrogate: expected the code point of a character"

# Input of -e that both convert.
WRITTEN = ["", "\n", "  \n\n", "u+fc", "U+fc\n", "u+fC U+62", "U+000000FC\n", "u+00000000000000000000000062 u+FC", "u+62\tU+00FC\r\nu+63\r\n",
           " \t u+62 \v\f\n\n\n  U+FC", "U+0062\nu+0043\nU+002D\n", "u+2d", "U+30 u+39 U+2D u+61 U+41", "u+10FFFF U+80 u+D7FF u+E000", "u+41 " * 255]
# Input of -e that both refuse: where, which word, why.
NO_NOTATION = [("x", "line 1: column 1: x", NOTATION), ("fc", "line 1: column 1: fc", NOTATION), ("u+fc\nu-fd\n", "line 2: column 1: u-fd", NOTATION),
               ("u+fc u+\n", "line 1: column 6: u+", NOTATION), ("u+fc\r\n\t u+62 ü u+fd\n", "line 2: column 8: ü", NOTATION),
               ("\ufeffu+fc", "line 1: column 1: \\u{FEFF}u+fc", NOTATION), ("u+fc \0", "line 1: column 6: \\u{0}", NOTATION),
               ("u+fc \x1b[31m", "line 1: column 6: \\u{1B}[31m", NOTATION), (b"u+fc \xfc u+fc", "line 1: column 6: \\252", NOTATION),
               (b"\xe4\xb8 u+fc", "line 1: column 1: \\228\\184", NOTATION)]
# Input of -e that the RFC's program, which knows no Unicode and reads with scanf, converts somehow.
REFUSED = [("U+110000", "line 1: column 1: U+110000", RANGE), ("u+fc\n u+ffffffff", "line 2: column 2: u+ffffffff", RANGE),
           ("u+1000000fc", "line 1: column 1: u+1000000fc", RANGE), ("u+" + "f" * 70, "line 1: column 1: u+" + "f" * 62 + "…", RANGE),
           ("u+d800", "line 1: column 1: u+d800", SURROGATE), ("u+62 U+DFFF", "line 1: column 6: U+DFFF", SURROGATE),
           ("u+fcu+fd", "line 1: column 1: u+fcu+fd", NOTATION), ("u+0xfc", "line 1: column 1: u+0xfc", NOTATION), ("u+ fc", "line 1: column 1: u+", NOTATION)]
# Input of -d. Not here: octets below "0" among the digits, which libidn takes for digits since it compares signed numbers; the
# RFC's code and ours refuse them.
PUNYCODE = ["", "-", "--", "a-", "A-", "tda", "TDA", "tdA", "Tda", "B-DHA", "B-dha", "b-dhA", "3B-WW4C5E180E575A65LSY2B", "-> $1.00 <--", "tda9", "a_b", "9999999999a", "tda{", "a@"]


def rows(path):
    return [line.rstrip("\n").split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")]


def run(tap, command, vectors, program):
    def theirs(option, stdin):
        done = subprocess.run([program, option], input=stdin.encode(), capture_output=True, check=False)
        return done.returncode, done.stdout

    samples(tap, command, theirs, rows(vectors / "rfc3492-samples.tsv"))
    inputs(tap, command, theirs)
    refusals(tap, command)
    randoms(tap, command, theirs)
    lines_and_arguments(tap, command)
    unreadable(tap, command)
    long_input(tap, command)


def samples(tap, command, theirs, table):
    tap.equal("".join(letter for letter, *_ in table), "ABCDEFGHIJKLMNOPQRS", "all samples")
    for letter, cps, punycode in table:
        line = punycode.encode() + b"\n"
        written = cps.replace(" ", "\n") + "\n"
        tap.equal(command("encode", "--punycode", "--", cps), (0, line, ""), f"sample {letter} with its flags, from a line")
        for stdin in cps, written, cps.replace(" ", " \r\n\t"):
            got = command("encode", "--punycode", "--codepoints", stdin=stdin)
            tap.equal((got, theirs("-e", stdin)), ((0, line, ""), (0, line)), f"sample {letter} with its flags, as appendix C encodes it")
        got = command("decode", "--punycode", "--codepoints", "--", punycode)
        tap.equal((got, theirs("-d", punycode + "\n")), ((0, written.encode(), ""), (0, written.encode())), f"sample {letter} with its flags, as appendix C decodes it")


def inputs(tap, command, theirs):
    for stdin in WRITTEN:
        tap.equal(command("encode", "--punycode", "--codepoints", stdin=stdin), (*theirs("-e", stdin), ""), f"as appendix C encodes {stdin[:40]!r}")
    for text in PUNYCODE:
        status, out, errors = command("decode", "--punycode", "--codepoints", "--", text)
        want, their_out = theirs("-d", text + "\n")
        tap.equal((status, out, bool(errors)), (want, their_out, want == 1), f"as appendix C decodes {text!r}")
        tap.equal(command("decode", "--punycode", "--codepoints", stdin=text + "\r\n")[:2], (want, their_out), f"… from a line: {text!r}")
    for stdin, *_ in NO_NOTATION:
        if isinstance(stdin, str):
            tap.equal(theirs("-e", stdin), (1, b""), f"appendix C refuses it too: {stdin!r}")


def refusals(tap, command):
    for stdin, where, why in NO_NOTATION + REFUSED:
        got = command("encode", "--punycode", "--codepoints", stdin=stdin)
        tap.equal(got, (1, b"", f"unbound-idn: {where}: {why}\n"), f"refused, and said where and why: {stdin[:40]!r}")
    for text, where, why in ("U+110000", "column 1: U+110000", RANGE), ("u+62  u+ffffffff", "column 7: u+ffffffff", RANGE), ("u+62\tu+d800", "column 6: u+d800", SURROGATE):
        tap.equal(command("encode", "--punycode", text), (1, b"\n", f"unbound-idn: {where}: {why}\n"), f"never text: {text}")
    tap.equal(command("encode", "--punycode", "--codepoints", "u+62", "u+63 fc u+fc"), (1, b"", f"unbound-idn: argument 2: column 6: fc: {NOTATION}\n"), "which argument")


def random_string(chance):
    """Code points near each other, as words have them, or anywhere, each with its flag."""
    base = chance.choice([0x80, 0x400, 0x3040, 0x4E00, 0xAC00, 0x1F600, 0x100000])
    cps = []
    for _ in range(chance.randint(0, 24)):
        cp = chance.choice([chance.randint(0x20, 0x7E), base + chance.randrange(64), chance.randrange(0x80, 0x110000)])
        cps.append((0x78 if 0xD800 <= cp < 0xE000 else cp, chance.random() < 0.5))
    return cps


def words(string):
    return [("U" if upper else "u") + f"+{cp:04X}" for cp, upper in string]


def normal(string):
    """The text as Punycode keeps it: a letter has the case of its flag, and other literals have none."""
    kept = []
    for cp, upper in string:
        letter = cp < 0x80 and chr(cp).isalpha()
        kept.append((ord(chr(cp).upper() if upper else chr(cp).lower()) if letter else cp, upper and (letter or cp >= 0x80)))
    return kept


def randoms(tap, command, theirs):
    chance = random.Random(3492)
    strings = [random_string(chance) for _ in range(10000)]
    lines = "".join(" ".join(words(string)) + "\n" for string in strings)
    status, encoded, errors = command("encode", "--punycode", stdin=lines)
    tap.equal((status, errors), (0, ""), "10,000 random strings: encoded")
    plain = [bytes("".join(chr(cp) for cp, _ in normal(string)), "punycode").lower() for string in strings]
    tap.equal(encoded.lower().split(b"\n"), [*plain, b""], "10,000 random strings: as Python encodes them, but for case")
    status, decoded, errors = command("decode", "--punycode", "--codepoints", stdin=encoded)
    want = "\n".join("".join(word + "\n" for word in words(normal(string))) for string in strings)
    tap.equal((status, decoded.decode() == want, errors), (0, True, ""), "10,000 random strings: decoded with their flags")
    blocks, at = [[]], 0
    for line in decoded.decode().splitlines():
        if line:
            blocks[at].append(line)
        else:
            blocks.append([])
            at += 1
    again = command("encode", "--punycode", stdin="".join(" ".join(block) + "\n" for block in blocks))
    tap.equal((again[0], again[1] == encoded, again[2]), (0, True, ""), "10,000 random strings: the same octets again")
    differ = []
    for string in strings[:200]:
        stdin = "\n".join(words(string)) + "\n"
        ours = command("encode", "--punycode", "--codepoints", stdin=stdin)[:2]
        back = command("decode", "--punycode", "--codepoints", stdin=ours[1])[:2]
        if ours != theirs("-e", stdin) or back != theirs("-d", ours[1].decode()):
            differ.append(stdin)
    tap.equal(differ, [], "200 random strings: as appendix C has them, both ways")


def lines_and_arguments(tap, command):
    tap.equal(command("encode", "--punycode", "--codepoints", "u+62", "U+fc u+63"), (0, b"bc-xkA\n", ""), "encode --codepoints: all arguments are one string")
    tap.equal(command("decode", "--punycode", "--codepoints", "tdA", "", "tda9", "b-", stdin=b""),
              (1, b"U+00FC\n\n\n\nu+0062\n", "unbound-idn: argument 3: column 5: tda9: the input ends in the middle of a number: expected another digit\n"),
              "decode --codepoints: an empty line between strings")
    tap.equal(command("encode", "--punycode", "--text", "u+fc", "U+110000", "ü")[1], b"u+fc-\nU+110000-\ntda\n", "--text: what looks like a code point is text")
    tap.equal(command("encode", "--punycode", "--codepoints", "u+9 u+0 u+7F")[1], b"\\u{9}\\u{0}\\u{7F}-\n", "controls, which appendix C does not print, are escaped")
    tap.equal(command("decode", "--punycode", "--text", "u+fc-", "tdA")[1], "u+fc\nü\n".encode(), "decode --text: as without it")
    tap.equal(command("encode", "--punycode", "ü U+FC", "u+", "u+fg", "Ü")[1].decode(), "".join(
        text.encode("punycode").decode() + "\n" for text in ("ü U+FC", "u+", "u+fg", "Ü")), "text stays text, in its own case")
    for arguments, said in ((["encode", "--text", "x"], "--text needs --punycode"),
                            (["encode", "--punycode", "--text", "--codepoints"], "--text and --codepoints do not go together"),
                            (["decode", "--punycode", "--text", "--codepoints"], "--text and --codepoints do not go together")):
        tap.equal(command(*arguments), (2, b"", f"unbound-idn {arguments[0]}: {said}; try 'unbound-idn {arguments[0]} --help'\n"), f"usage: {' '.join(arguments)}")
    tap.equal(command("encode", "--punycode", "--trace", "u+42 U+fc")[1].decode(),
              "bias is 72\ninput is:\n0042 00FC\nbasic code points (0042) are copied to literal portion: \"b-\"\nnext code point to insert is 00FC\n"
              "needed delta is 249, encodes as \"ehA\"\nbias becomes 0\noutput is \"b-ehA\"\n", "the trace has the case of the output")
    tap.equal(command("encode", "--punycode", "--trace", "--codepoints", stdin="u+42\nU+fc"), command("encode", "--punycode", "--trace", "u+42 U+fc"), "--trace with --codepoints")


def unreadable(tap, command):
    """Input that could not be read to its end is no string."""
    folder = os.open("/", os.O_RDONLY)
    done = subprocess.run([command.path, "encode", "--punycode", "--codepoints"], stdin=folder, capture_output=True, check=False)
    os.close(folder)
    tap.equal((done.returncode, done.stdout, done.stderr), (2, b"", b"unbound-idn: standard input: Is a directory\n"), "encode --codepoints: a folder as standard input")


def long_input(tap, command):
    for stdin, out in ((" " * 65536 + "u+fc" + "\t" * 65536, b"tda\n"), ("u+" + "0" * 65536 + "fc", b"tda\n"), ("u+41\n" * 10000, b"a" * 10000 + b"-\n"), ("\n" * 100000, b"\n")):
        tap.equal(command("encode", "--punycode", "--codepoints", stdin=stdin), (0, out, ""), f"{len(stdin)} octets that begin {stdin[:6]!r}")
    got = command("encode", "--punycode", "--codepoints", stdin="u+41\n" * 10000 + "u+41 u+fc\n")
    tap.equal(got, (1, b"", "unbound-idn: line 10001: column 1: u+41: expected at most 10,000 code points\n"), "10,001 code points")
    got = command("encode", "--punycode", "--codepoints", stdin="u+41\n" * 3855 + "u+10FFFF\n")
    tap.equal(got, (1, b"", "unbound-idn: line 3856: all of it: a number is larger than 32 bits\n"), "a delta of more than 32 bits")
    got = command("encode", "--punycode", "--codepoints", stdin="x" * 65536)
    tap.equal(got, (1, b"", f"unbound-idn: line 1: column 1: {'x' * 64}…: {NOTATION}\n"), "a word of 64 kB is not quoted whole")
    stdin = "".join(f"u+{cp:04X}\n" for cp in range(0x4E00, 0x4E00 + 10000))
    status, out, errors = command("encode", "--punycode", "--codepoints", stdin=stdin)
    tap.equal((status, len(out) > 10000, errors), (0, True, ""), "10,000 code points, each another one")
    stdin = stdin[:7 * 3000]
    out = command("encode", "--punycode", "--codepoints", stdin=stdin)[1]
    tap.equal(command("decode", "--punycode", "--codepoints", stdin=out)[1].decode(), stdin, "3,000 code points, there and back")
