# SPDX-License-Identifier: BSD-3-Clause
"""The text line of the idn module, read strictly: what the grammar does not allow is an error."""

import ipaddress
import re
import unicodedata
from dataclasses import dataclass, field

import dns.rdatatype

REASONS = {
    "invalid": "raw-utf8 punycode not-canonical ascii-only disallowed bidi contextj leading-mark hyphen too-long".split(),
    "restricted": "charset script-mix punctuation emoji wholescript digits lookalike".split(),
}

ACTIONS = "passthru nxdomain nodata refuse drop redirect cname answer tcp-only log".split()
LOOKALIKE = re.compile(r"lookalikes? ([^ ]+)")  # a trigger's word and the protected name
CONDITION = re.compile(r"invalid|script (in|not-in) [A-Z][a-z]{3}(,[A-Z][a-z]{3})*|script-level (highly|moderate|minimal)"
                       r"|mixed-digits|restricted|wholescript|emoji|bidi")
SUBJECT = re.compile(rf"(name|zone|names|zones|rpz) (\*\.)?[^ ]+|{LOOKALIKE.pattern}|{CONDITION.pattern}")
TAGS = re.compile(r"[A-Za-z0-9._-]+(,[A-Za-z0-9._-]+)*")

KEY = re.compile("exact|strict|words|within|near|elsewhere")
NUMBER = re.compile(r"[1-9]\d*")
FIELDS = "u idn policy rule match key label target group tags mode f sec ede ede-text".split()  # in the order in which they stand
OF_POLICY = set(FIELDS[FIELDS.index("policy"):FIELDS.index("f")])
FLAGS = "aa tc rd ra ad cd do".split()  # in their order
USUAL = ["rd", "ra"]
SECURITIES = "bogus indeterminate insecure secure".split()
LEFT = re.compile(r"(?:…|\.\.\.)\+([1-9]\d*)")  # answers that were left out

RCODES = set("NOERROR FORMERR SERVFAIL NXDOMAIN NOTIMPL REFUSED YXDOMAIN YXRRSET NXRRSET NOTAUTH NOTZONE".split())

UNBOUND_PREFIX = re.compile(r"\[(\d+)\] unbound\[(\d+):([0-9a-f]+)\] (\w+): ")
FILE_PREFIX = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z) ")

ESCAPE = r"\\(?:00[0-9]|0[12][0-9]|03[0-24]|046|092|12[7-9]|1[3-9][0-9]|2[0-4][0-9]|25[0-5])"
LABEL_ASCII = rf"(?:[!#-\-/-@\[\]-`a-~]|{ESCAPE})+"
NAME_ASCII = re.compile(rf"\.|(?:{LABEL_ASCII}\.)+")
TARGET = re.compile(rf"(?!.*[A-Z])(?:\.|{LABEL_ASCII}(?:\.{LABEL_ASCII})*)")  # without its final dot
BARE_VALUE = re.compile(r"[A-Za-z0-9._:/()+,-]+")
QUOTED_VALUE = re.compile(r'"((?:[^"\\]|\\["\\]|\\u\{[1-9A-F][0-9A-F]{1,5}\}|\\[0-9]{3})*)"')
FINDING = re.compile(r"(\d+):([a-z0-9-]+)")


class GrammarError(Exception):
    pass


@dataclass
class LogLine:
    client: str
    name: str
    type: str
    cls: str
    rcode: str
    seconds: float
    cached: int
    fields: dict = field(default_factory=dict)
    answers: list = field(default_factory=list)  # (key, value) of each field with records, in their order
    stamp: str = ""  # the line's prefix: Unbound's, or the time of a file's line

    @property
    def u(self):
        return self.fields.get("u")

    @property
    def idn(self):
        return self.fields.get("idn")

    @property
    def flags(self):
        """The flags of the reply; None for a drop."""
        return None if self.rcode == "-" else self.fields["f"].split(",") if "f" in self.fields else USUAL

    @property
    def security(self):
        return self.fields.get("sec")

    @property
    def ede(self):
        """The info code of the extended error and its text, if they are there."""
        text = self.fields.get("ede-text")
        return int(self.fields["ede"]) if "ede" in self.fields else None, text and re.sub(r'\\(["\\])', r"\1", text)

    @property
    def policy(self):
        """(action, rule, match, tags, mode), of which the last three may be None; or None where no rule matched."""
        if "policy" not in self.fields:
            return None
        return tuple(self.fields.get(key) for key in ("policy", "rule", "match", "tags", "mode"))

    @property
    def target(self):
        """The CNAME target that the rule matched; None where that was the query name."""
        return self.fields.get("target")

    @property
    def why(self):
        """(match, key, label) of a look-alike, (match, None, label) of a condition; None where the rule is another's."""
        return why(self.fields.get("match"), self.fields.get("key"), self.fields.get("label"))


def why(match, key, label):
    return None if label is None else (match, key, int(label))


def parse(text):
    """One line without its prefix."""
    check_characters(text)
    columns = text.split(" ", 8)
    if len(columns) < 8:
        raise GrammarError(f"fewer than eight columns: {text!r}")
    client, name, qtype, qclass, rcode, seconds, cached, size = columns[:8]
    check_client(client)
    if not NAME_ASCII.fullmatch(name):
        raise GrammarError(f"not a name in presentation form: {name!r}")
    _match(r"[A-Z][A-Z0-9-]*", qtype, "type")
    _match(r"IN|CH|HS|NONE|ANY|CLASS\d{1,5}", qclass, "class")
    if rcode not in RCODES and not re.fullmatch(r"-|RCODE\d+", rcode):
        raise GrammarError(f"not an rcode: {rcode!r}")
    _match(r"\d+\.\d{6}", seconds, "number of seconds")
    _match(r"[01]", cached, "cached flag")
    _match(r"-", size, "size")
    fields, answers = parse_fields(columns[8] if len(columns) > 8 else "")
    return LogLine(client, name, qtype, qclass, rcode, float(seconds), int(cached), fields, answers)


def _match(pattern, text, what):
    if not re.fullmatch(pattern, text):
        raise GrammarError(f"not a {what}: {text!r}")


def check_client(text):
    if text == "-":
        return
    try:
        (ipaddress.ip_network if "/" in text else ipaddress.ip_address)(text)
    except ValueError as error:
        raise GrammarError(f"not a client: {error}") from None


def parse_fields(text):
    fields, answers = {}, []
    position = 0
    while position < len(text):
        key = re.compile(r"([a-z][a-z0-9-]*)=").match(text, position)
        if not key:
            raise GrammarError(f"no key=value at {text[position:]!r}")
        value = QUOTED_VALUE.match(text, key.end()) or BARE_VALUE.match(text, key.end())
        if not value:
            raise GrammarError(f"no value after {key.group()!r} in {text!r}")
        if key.group(1) in fields:
            raise GrammarError(f"{key.group(1)} twice: {text!r}")
        content = value.group(1) if value.re is QUOTED_VALUE else value.group()
        if key.group(1) in FIELDS and not answers:
            fields[key.group(1)] = content
        else:
            answers.append((key.group(1), content))
        position = value.end()
        if position < len(text):
            if text[position] != " " or position + 1 == len(text):
                raise GrammarError(f"not one space between fields: {text!r}")
            position += 1
    check_fields(fields)
    check_said(fields)
    check_answers(answers, text)
    return fields, answers


def check_said(fields):
    """f= where the flags are not the usual ones; ede-text= beside ede= alone."""
    if "f" in fields:
        flags = [] if fields["f"] == "-" else fields["f"].split(",")
        if flags == USUAL or flags != [flag for flag in FLAGS if flag in flags]:
            raise GrammarError(f"flags that are unknown, usual, or not in their order: {fields['f']!r}")
    if fields.get("sec", SECURITIES[0]) not in SECURITIES:
        raise GrammarError(f"no such security: {fields['sec']!r}")
    if "ede-text" in fields and "ede" not in fields:
        raise GrammarError(f"ede-text= without ede=: {fields!r}")
    if "ede" in fields and not (fields["ede"].isdecimal() and int(fields["ede"]) < 65536):
        raise GrammarError(f"no info code: {fields['ede']!r}")


def check_answers(answers, text):
    """Each key is a type, two fields in turn have two; at most 512 octets, and what is left out is counted at the end."""
    keys = [key for key, _ in answers]
    for key in keys:
        if key in ("aaaa", "key") or (not re.fullmatch(r"type\d+", key) and key.upper() not in dns.rdatatype.RdataType.__members__):
            raise GrammarError(f"{key} is no field, and no type of records: {text!r}")
    if any(one == other for one, other in zip(keys, keys[1:])):
        raise GrammarError(f"two fields of one type in turn: {text!r}")
    for number, (_, value) in enumerate(answers):
        *values, last = value.split(",")
        if any(map(LEFT.fullmatch, values)) or (LEFT.fullmatch(last) and number < len(answers) - 1):
            raise GrammarError(f"records follow the count of those left out: {text!r}")
    if sum(len(f' {key}="{LEFT.sub("", value)}"'.encode()) for key, value in answers) > 512 + 2 * len(answers) + len(" type65535="):
        raise GrammarError(f"more than 512 octets of answers: {text!r}")


def check_fields(fields):
    order = [key for key in FIELDS if key in fields]
    if list(fields) != order:
        raise GrammarError(f"unknown fields, or not in their order: {list(fields)}")
    if fields.get("u", "").endswith("."):
        raise GrammarError(f"final dot in u=: {fields['u']!r}")
    if "idn" in fields:
        findings(fields["idn"])
    check_policy(fields)


def check_policy(fields):
    """policy= and rule= come together; the others never without them."""
    if "policy" not in fields:
        alone = set(fields) & OF_POLICY
        if alone:
            raise GrammarError(f"{sorted(alone)} without policy=")
        return
    if fields["policy"] not in ACTIONS:
        raise GrammarError(f"not an action: {fields['policy']!r}")
    _match(r".+:[1-9]\d*", fields.get("rule", ""), "rule's place")
    for key, pattern in (("match", SUBJECT), ("key", KEY), ("label", NUMBER), ("target", TARGET),
                         ("group", re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,31}")), ("tags", TAGS), ("mode", re.compile("log-only|observed"))):
        if key in fields and not pattern.fullmatch(fields[key]):
            raise GrammarError(f"not what {key}= may be: {fields[key]!r}")
    check_why(fields.get("match"), fields.get("key"), fields.get("label"), fields)


def check_why(match, key, label, fields):
    """A look-alike has a key and a label, a condition a label, all others none; match= may be left out."""
    lookalike, condition = (bool(match and pattern.fullmatch(match)) for pattern in (LOOKALIKE, CONDITION))
    if match and ((key is not None) != lookalike or (label is not None) != (lookalike or condition)):
        raise GrammarError(f"key= and label= do not fit match=: {fields}")
    if label is not None and not 1 <= int(label) <= 127:
        raise GrammarError(f"no such label: {fields}")


def findings(value):
    """`invalid(1:bidi,3:hyphen)` as a list of (status, label number, reason), the worst first."""
    result = []
    for part in re.findall(r"[^()]+\([^()]*\)|.+", value):
        whole = re.fullmatch(r",?(invalid|restricted)\((\d+:[a-z0-9-]+(?:,\d+:[a-z0-9-]+)*)\)", part)
        if not whole:
            raise GrammarError(f"not a finding: {value!r}")
        result += [(whole.group(1), int(number), reason) for number, reason in FINDING.findall(whole.group(2))]
    for status, number, reason in result:
        if not 1 <= number <= 127:
            raise GrammarError(f"no such label: {value!r}")
        if reason not in REASONS[status]:
            raise GrammarError(f"{reason} is not a reason for {status}: {value!r}")
    if [status for status, _, _ in result] != sorted(status for status, _, _ in result):
        raise GrammarError(f"not the worst first: {value!r}")
    return result


# ---- the characters that a log may contain ------------------------------------------------------------------------

DEFAULT_IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]


def forbidden(char):
    """Whether a log may not hold this character: controls, formats, separators, what one cannot see, what is none."""
    code = ord(char)
    if code < 0x7F:
        return code < 0x20
    return (
        unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs")
        or code == 0x2800
        or code & 0xFFFE == 0xFFFE
        or 0xFDD0 <= code <= 0xFDEF
        or any(first <= code <= last for first, last in DEFAULT_IGNORABLE)
    )


def check_characters(text):
    bad = [f"U+{ord(c):04X}" for c in text if forbidden(c)]
    if bad:
        raise GrammarError(f"forbidden characters {' '.join(bad)} in {text!r}")


def ede_text(text):
    """The text of an extended error as lines show it."""
    cut = text.encode()[:128].decode(errors="ignore")
    return "".join(c if " " <= c <= "~" else f"\\u{{{ord(c):X}}}" for c in cut)


def visible(text):
    """Text with what one cannot see written out as \\u{…}, as the module does it."""
    return "".join(f"\\u{{{ord(c):X}}}" if forbidden(c) else c for c in text)


def forbidden_in_log(octets):
    """The same of a whole log as the octets it is, newlines apart: a list of what should not be there."""
    try:
        text = octets.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        return [f"not UTF-8: {error}"]
    return [f"U+{ord(c):04X} after {text[max(0, i - 60):i]!r}" for i,
            c in enumerate(text) if c != "\n" and forbidden(c)]
