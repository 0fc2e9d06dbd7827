# SPDX-License-Identifier: BSD-3-Clause
"""Finds A-labels in a text in another way than filter does: by one regular expression for each edge, and a table
of what is shown. For tests."""

import json
import re
import unicodedata


def shown(vectors):
    """{A-label: what is shown for it} of tests/vectors/labels.tsv, without those shown with an escape."""
    rows = (line.split("\t") for line in vectors.read_text().splitlines() if line and line[0] != "#")
    return {row[0].lower(): row[2] for row in rows if row[1] == "-" and "\\" not in row[2]}


def asked(command, text):
    """{(A-label, its TLD): what is shown for it} for all that a text may hold, as decode shows it."""
    pairs = sorted({placed(text, found) for found in CANDIDATE.finditer(text) if len(found.group()) <= 63})
    rows = [json.loads(line) for line in command("decode", "--json", stdin="\n".join(".".join(pair) for pair in pairs))[1].splitlines()]
    shown_of = {}
    for pair, row in zip(pairs, rows, strict=True):
        first = row["unicode"].split(".")[0]
        if first == row["display"].split(".")[0] != pair[0] and not any(found["label"] == 1 for found in row["findings"]):
            shown_of[pair] = first
    return shown_of


def placed(text, found):
    """An A-label and its TLD, which may be itself; "-" if its run of labels is too long for a name."""
    run = NAME.match(text, found.start()).group().decode().lower()
    return found.group().decode().lower(), run.rstrip(".").rpartition(".")[2] if len(run) <= 254 else "-"


def to_ascii(label):
    return "xn--" + label.encode("punycode").decode()


CANDIDATE = re.compile(rb"(?i)xn--[a-z0-9_-]*")
NAME = re.compile(rb"(?i)(?:[a-z0-9_-]+\.?)+")
LABEL_OCTET = re.compile(rb"[A-Za-z0-9_\\?-]")


def goes_on(character):
    """Returns whether a character belongs to the label beside it."""
    if len(character.encode("utf-8", "surrogatepass")) == 1:
        return bool(LABEL_OCTET.match(character.encode()))
    return unicodedata.category(character)[0] in "LM" or unicodedata.category(character) == "Nd" or character in "\u200c\u200d\u00ad\u200b\u2060\ufffd"


def units(text):
    r"""The character that \uXXXX or two of them are; None: a half."""
    numbers = [int(text[i + 2:i + 6], 16) for i in range(0, len(text), 6)]
    if len(numbers) == 1:
        return None if 0xD800 <= numbers[0] < 0xE000 else chr(numbers[0])
    return chr(0x10000 + (numbers[0] - 0xD800) * 0x400 + numbers[1] - 0xDC00)


UNITS = rb"(?i:\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|\\u[0-9a-f]{4})"
IN_SEQUENCE = re.compile(rb"(?i:(?:\x1b|\\u001b|\xc2\x9b)\[?|#033\[)[ -?]{0,32}\Z")
BACKSLASH = re.compile(rb"(?i:\\|%5c|\\u005c)\Z")
BEFORE = [(re.compile(pattern + rb"\Z", re.S), read) for pattern, read in [
    (rb"(?:\\[nrtbf]|#01[125])", lambda _: "\n"),
    (UNITS, lambda found: units(found)),
    (rb"%[0-9A-Fa-f]{2}", lambda found: chr(int(found[1:], 16)) if int(found[1:], 16) < 128 and found != b"%25" else "a"),
    (rb"(?i:\x1b|\\u001b|#033)\[[0-9;:?]{0,24}[A-Za-z]", lambda _: "\n"),
    (rb"[\x00-\x7f]", lambda found: found.decode()),
    (rb"[\xc2-\xf4][\x80-\xbf]{1,3}", lambda found: decoded(found)),
]]


def decoded(octets):
    try:
        return octets.decode() if len(octets.decode()) == 1 else None
    except UnicodeDecodeError:
        return None


def begins(text, at):
    before = text[max(at - 40, 0):at]
    if not before or before[-1:] in b"\r\n":
        return True
    if re.search(rb"(\^[]@[^]|M-.)\Z", before, re.S) or IN_SEQUENCE.search(before):
        return False
    for pattern, read in BEFORE:
        found = pattern.search(before)
        if not found:
            continue
        character = read(found.group())
        if character is None or goes_on(character):
            return False
        return found.group() in (b'"', b"/") or not BACKSLASH.search(before[:found.start()])
    return False


AFTER = re.compile(rb'(?:\\|\\{3}|\\{7})["/]|\\[nrtbf]')
ELLIPSIS = re.compile("…|(?i:\\\\u2026)|\\.\\.\\.".encode())
NOT_AFTER = re.compile(rb"\^[@A-Z\[^_?]")


def ends(text, at):
    after = text[at:at + 40]
    if not after or AFTER.match(after):
        return True
    if ELLIPSIS.match(after):
        return False
    found = re.match(UNITS, after)
    if found:
        character = units(found.group())
        return character is not None and not goes_on(character)
    found = re.match(rb"%[0-9A-Fa-f]{2}", after)
    if found:
        octet = int(found.group()[1:], 16)
        return octet < 128 and octet != 0x25 and not goes_on(chr(octet))
    if NOT_AFTER.match(after):
        return False
    if after[0] < 128:
        return not goes_on(chr(after[0]))
    return any(len(after) >= size and decoded(after[:size]) and not goes_on(decoded(after[:size])) for size in (2, 3, 4))


def filtered(text, table):
    out, at = b"", 0
    parts = []
    for found in CANDIDATE.finditer(text):
        label = placed(text, found)
        if label in table and begins(text, found.start()) and ends(text, found.end()):
            parts += [text[at:found.start()], table[label].encode()]
            at = found.end()
    return out.join(parts) + text[at:]
