# SPDX-License-Identifier: BSD-3-Clause
"""Names as the wire has them: a tuple of labels, each a bytes object, without the root label."""

import re

ESCAPED = b'".\\'  # besides everything outside 0x21-0x7E


def parse(text):
    """`www.b\\252cher.example.` as labels; \\DDD and \\c escapes; UTF-8 becomes A-labels; `.` is the root."""
    labels = []
    for label in re.findall(r"(?:\\.|[^.\\])+", text):
        if label.isascii():
            labels.append(re.sub(rb"\\(\d{3}|.)", _unescape, label.encode()))
        else:
            labels.append(a_label(label))
    return tuple(labels)


def _unescape(match):
    digits = match.group(1)
    return bytes([int(digits)]) if digits.isdigit() else digits


def a_label(text):
    """The A-label of a U-label written in its final form: Punycode only, nothing is mapped or tested."""
    return b"xn--" + text.encode("punycode")


def wire(labels):
    return b"".join(bytes([len(label)]) + label for label in labels) + b"\0"


def column(labels):
    """The name as the log's second column has it: lower case, final dot, odd octets as \\DDD."""
    if not labels:
        return "."
    return "".join(label_text(label) + "." for label in labels)


def label_text(label):
    return "".join(chr(o) if 0x21 <= o <= 0x7E and o not in ESCAPED else f"\\{o:03d}" for o in label.lower())


def mixed_case(labels):
    """The same name with every second letter in upper case."""
    return tuple(bytes(o - 32 if i % 2 and 0x61 <= o <= 0x7A else o for i, o in enumerate(label)) for label in labels)


def raw(label):
    """The text of a label as label_text writes it, if it is raw UTF-8: no "xn--", and octets that are UTF-8 but not ASCII; else None."""
    octets = re.sub(rb"\\(\d{3}|.)", _unescape, label.encode())
    if octets.isascii() or octets.lower().startswith(b"xn--"):
        return None
    try:
        return octets.decode("utf-8", "strict")
    except UnicodeDecodeError:
        return None
