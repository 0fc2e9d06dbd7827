# SPDX-License-Identifier: BSD-3-Clause
"""The JSON line of the idn module, read strictly: every key has to be known, with its Elastic Common Schema type."""

import datetime
import ipaddress
import json
import re
from dataclasses import dataclass

import dnsname
from logline import ACTIONS, FLAGS as FLAG_WORDS, LOOKALIKE, REASONS, SECURITIES, SUBJECT, TARGET, GrammarError, check_why, forbidden, why

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")
TRANSPORTS = {"udp": "udp", "tcp": "tcp", "dot": "tcp", "doh": "tcp", "doq": "udp"}  # unbound's: the network's


def is_keyword(value):
    return isinstance(value, str) and value != "" and not any(map(forbidden, value))


def is_date(value):
    return isinstance(value, str) and bool(TIME.fullmatch(value)) and bool(moment(value))


def is_long(value):
    return type(value) is int and 0 <= value < 2**63


def is_ip(value):
    return isinstance(value, str) and str(ipaddress.ip_address(value)) == value


def is_boolean(value):
    return type(value) is bool


def is_keywords(value):
    return isinstance(value, list) and all(map(is_keyword, value)) and len(set(value)) == len(value)


def is_objects(value):
    return isinstance(value, list) and value != [] and all(isinstance(part, dict) for part in value)


def is_ips(value):
    return isinstance(value, list) and value != [] and all(map(is_ip, value))


def is_network(text):
    return "/" in text and bool(ipaddress.ip_network(text))


def only(*values):
    return lambda value: value in values


def like(pattern):
    return lambda value: re.fullmatch(pattern, value)


# key: (type, always there, what else its value has to be)
FIELDS = {
    "@timestamp": (is_date, True, None),
    "ecs.version": (is_keyword, True, like(r"8\.\d+\.\d+")),
    "event.kind": (is_keyword, True, only("event")),
    "event.category": (is_keywords, True, only(["network"])),
    "event.type": (is_keywords, True, only(["protocol"], ["protocol", "denied"])),
    "event.dataset": (is_keyword, True, only("unbound_idn.log")),
    "event.duration": (is_long, True, None),
    "client.ip": (is_ip, False, None),
    "client.address": (is_keyword, False, is_network),
    "client.port": (is_long, False, lambda port: 0 < port < 65536),
    "network.transport": (is_keyword, True, only("udp", "tcp")),
    "network.protocol": (is_keyword, True, only("dns")),
    "unbound.transport": (is_keyword, True, only(*TRANSPORTS)),
    "unbound.cached": (is_boolean, True, None),
    "dns.type": (is_keyword, True, only("answer")),
    "dns.id": (is_keyword, True, like(r"0|[1-9]\d{0,4}")),
    "dns.question.name": (is_keyword, True, lambda name: name.isascii() and name == name.lower()),
    "dns.question.type": (is_keyword, True, like(r"[A-Z][A-Z0-9-]*")),
    "dns.question.class": (is_keyword, True, like(r"IN|CH|HS|NONE|ANY|CLASS\d{1,5}")),
    "dns.response_code": (is_keyword, False, like(r"[A-Z]+|RCODE\d+")),
    "dns.header_flags": (is_keywords, False, lambda flags: flags == [f.upper() for f in FLAG_WORDS if f.upper() in flags]),
    "unbound.security": (is_keyword, False, only(*SECURITIES)),
    "dns.ede.info_code": (is_long, False, lambda code: 0 <= code < 65536),
    "dns.ede.extra_text": (is_keyword, False, None),
    "dns.resolved_ip": (is_ips, False, None),
    "dns.answers_count": (is_long, False, None),
    "dns.answers": (is_objects, False, lambda answers: all(map(is_answer, answers))),
    "dns.question.name_unicode": (is_keyword, False, None),
    "idn.status": (is_keyword, False, only("ok", "restricted", "invalid")),
    "idn.labels": (is_objects, False, None),
    "idn.scripts": (is_keywords, False, lambda codes: all(re.fullmatch(r"[A-Z][a-z]{3}", code) for code in codes)),
    "policy.action": (is_keyword, False, only(*ACTIONS)),
    "policy.rule": (is_keyword, False, like(r".+:[1-9]\d*")),
    "policy.file": (is_keyword, False, None),
    "policy.line": (is_long, False, lambda line: line > 0),
    "policy.match": (is_keyword, False, SUBJECT.fullmatch),
    "policy.key": (is_keyword, False, only("exact", "strict", "words", "within", "near", "elsewhere")),
    "policy.label": (is_long, False, None),
    "policy.target": (is_keyword, False, TARGET.fullmatch),
    "idn.lookalike": (is_keyword, False, lambda name: not name.endswith(".")),
    "policy.group": (is_keyword, False, like(r"[A-Za-z][A-Za-z0-9._-]{0,31}")),
    "policy.mode": (is_keyword, False, only("log-only", "observed")),
    "tags": (is_keywords, False, lambda tags: all(re.fullmatch(r"[A-Za-z0-9._-]+", tag) for tag in tags)),
}

LABEL_FIELDS = {
    "index": (is_long, True, lambda index: 1 <= index <= 127),
    "a": (is_keyword, True, lambda a: (a.startswith("xn--") or dnsname.raw(a)) and a.isascii() and a == a.lower()),
    "u": (is_keyword, False, None),
    "status": (is_keyword, True, only("ok", "restricted", "invalid")),
    "reason": (is_keywords, True, None),
}


ANSWER_FIELDS = {
    "name": (is_keyword, True, lambda name: name.isascii() and name == name.lower()),
    "type": (is_keyword, True, like(r"[A-Z][A-Z0-9-]*")),
    "class": (is_keyword, True, like(r"IN|CH|HS|NONE|ANY|CLASS\d{1,5}")),
    "ttl": (is_long, True, lambda ttl: 0 <= ttl < 1 << 32),
    "data": (is_keyword, True, lambda data: data.isascii() and data.isprintable()),
}


def is_answer(answer):
    check_fields(answer, ANSWER_FIELDS, str(answer))
    return True


def moment(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z")


@dataclass
class JsonLine:
    """The object, with the attributes that a text line has (logline.LogLine), so that one test can read both."""

    fields: dict

    @property
    def client(self):
        return self.fields.get("client.ip", "-")

    @property
    def name(self):
        """The name as in the text line's column: with the final dot."""
        name = self.fields["dns.question.name"]
        return name if name == "." else name + "."

    @property
    def type(self):
        return self.fields["dns.question.type"]

    @property
    def cls(self):
        return self.fields["dns.question.class"]

    @property
    def rcode(self):
        return self.fields.get("dns.response_code", "-")

    @property
    def flags(self):
        """The flags of the reply; None for a drop."""
        flags = self.fields.get("dns.header_flags")
        return None if flags is None else [flag.lower() for flag in flags]

    @property
    def security(self):
        return self.fields.get("unbound.security")

    @property
    def ede(self):
        return self.fields.get("dns.ede.info_code"), self.fields.get("dns.ede.extra_text")

    @property
    def policy(self):
        """The same as in the text line (logline.LogLine.policy)."""
        if "policy.action" not in self.fields:
            return None
        tags = ",".join(self.fields.get("tags", [])) or None
        return tuple(self.fields.get(f"policy.{key}") for key in ("action", "rule", "match")) + (
            tags, self.fields.get("policy.mode"))

    @property
    def target(self):
        return self.fields.get("policy.target")

    @property
    def why(self):
        """The same as in the text line (logline.LogLine.why)."""
        return why(*(self.fields.get(f"policy.{key}") for key in ("match", "key", "label")))

    @property
    def seconds(self):
        return self.fields["event.duration"] / 1e9

    @property
    def cached(self):
        return int(self.fields["unbound.cached"])

    @property
    def u(self):
        """The text line's u=: the display form, or None if it does not differ from the name."""
        shown = displayed(self.fields)
        return shown if shown != self.fields["dns.question.name"] else None

    @property
    def idn(self):
        """The text line's idn=."""
        parts = []
        for status in ("invalid", "restricted"):
            found = [f"{label['index']}:{label['reason'][0]}" for label in self.fields.get("idn.labels", [])
                     if label["status"] == status]
            if found:
                parts.append(f"{status}({','.join(found)})")
        return ",".join(parts) or None


def needle(name):
    """Octets that only a line of this name has; the name as in the text line's column."""
    return f'"dns.question.name":{json.dumps(name if name == "." else name.removesuffix("."))}'.encode()


def displayed(fields):
    labels = fields["dns.question.name"].split(".")
    for label in fields.get("idn.labels", []):
        labels[label["index"] - 1] = label.get("u", label["a"])
    return ".".join(labels)


def parse(text):
    if not text.isascii() or not text.isprintable():
        raise GrammarError(f"not printable ASCII: {text!r}")
    try:
        fields = json.loads(text, object_pairs_hook=without_duplicates, parse_constant=no_constant)
    except ValueError as error:
        raise GrammarError(f"not JSON: {error}: {text!r}") from None
    if not isinstance(fields, dict):
        raise GrammarError(f"not an object: {text!r}")
    check_fields(fields, FIELDS, text)
    check_transport(fields, text)
    check_idn(fields, text)
    check_said(fields, text)
    check_policy(fields, text)
    return JsonLine(fields)


def without_duplicates(pairs):
    if len(dict(pairs)) < len(pairs):
        raise GrammarError(f"a key is there twice: {[key for key, _ in pairs]}")
    return dict(pairs)


def no_constant(word):
    raise GrammarError(f"not JSON: {word}")


def check_fields(fields, table, text):
    for key, (_, required, _) in table.items():
        if required and key not in fields:
            raise GrammarError(f"no {key} in {text!r}")
    for key, value in fields.items():
        if key not in table:
            raise GrammarError(f"unknown key {key} in {text!r}")
        has_type, _, is_right = table[key]
        if not has_type(value):
            raise GrammarError(f"{key} is not of its type ({has_type.__name__}): {value!r}")
        if is_right and not is_right(value):
            raise GrammarError(f"{key} is no such value: {value!r}")


def check_transport(fields, text):
    if TRANSPORTS[fields["unbound.transport"]] != fields["network.transport"]:
        raise GrammarError(f"unbound.transport and network.transport do not fit: {text!r}")
    if "client.port" in fields and "client.ip" not in fields:
        raise GrammarError(f"a port without an address: {text!r}")
    if "client.address" in fields and "client.ip" in fields:
        raise GrammarError(f"a network and an address: {text!r}")


def check_said(fields, text):
    """Each reply has flags, and only an extended error has a text."""
    if ("dns.header_flags" in fields) != ("dns.response_code" in fields):
        raise GrammarError(f"flags, for a reply and nothing else: {text!r}")
    if "dns.ede.extra_text" in fields and "dns.ede.info_code" not in fields:
        raise GrammarError(f"the text of no error: {text!r}")


def check_policy(fields, text):
    """Action, rule and line come together; a drop alone has no rcode; "denied" is what was refused."""
    there = {key in fields for key in ("policy.action", "policy.rule", "policy.line")}
    rest = {"tags", *(f"policy.{key}" for key in ("file", "match", "mode", "group", "key", "label", "target"))} & set(fields)
    if len(there) > 1 or (rest and there != {True}):
        raise GrammarError(f"half a policy: {text!r}")
    action = fields.get("policy.action") if "policy.mode" not in fields else None
    if "dns.response_code" not in fields and action != "drop":
        raise GrammarError(f"no rcode, and no drop: {text!r}")
    if ("denied" in fields["event.type"]) != (action in ("nxdomain", "nodata", "refuse", "drop")):
        raise GrammarError(f"event.type does not fit the action: {text!r}")
    match, key, label = (fields.get(f"policy.{name}") for name in ("match", "key", "label"))
    check_why(match, key, label, text)
    protected = match and LOOKALIKE.fullmatch(match)
    if match and fields.get("idn.lookalike") != (protected.group(1) if protected else None):
        raise GrammarError(f"idn.lookalike is not the protected name: {text!r}")


def check_idn(fields, text):
    """All of idn.* is there where a label is raw UTF-8, an A-label or pretends to be one, and nowhere else."""
    name = fields["dns.question.name"]
    aces = [number for number, label in enumerate(name.split("."), 1) if label.startswith("xn--") or dnsname.raw(label)]
    if ("idn.status" in fields) != bool(aces) or ("idn.scripts" in fields) != ("idn.labels" in fields):
        raise GrammarError(f"idn.status for a name with A-labels or raw UTF-8 alone, and idn.scripts beside idn.labels: {text!r}")
    labels = fields.get("idn.labels")
    if labels is None:
        if aces and len(text) < 8000:  # only a line too long for its target goes without
            raise GrammarError(f"no idn.labels: {text!r}")
        return
    if [label["index"] for label in labels] != aces:
        raise GrammarError(f"idn.labels has not the indexes {aces}: {text!r}")
    for label in labels:
        check_label(label, name)
    statuses = {label["status"] for label in labels}
    worst = next(status for status in ("invalid", "restricted", "ok") if status in statuses)
    if fields["idn.status"] != worst:
        raise GrammarError(f"idn.status is not {worst}: {text!r}")
    check_name_unicode(fields, labels, text)


def check_label(label, name):
    check_fields(label, LABEL_FIELDS, str(label))
    if label["a"] != name.split(".")[label["index"] - 1]:
        raise GrammarError(f"not the label at its place in {name}: {label}")
    allowed = {"ok": [], "restricted": REASONS["restricted"], "invalid": REASONS["invalid"] + REASONS["restricted"]}
    if not set(label["reason"]) <= set(allowed[label["status"]]) or (label["status"] == "ok") != (not label["reason"]):
        raise GrammarError(f"reasons that do not fit the status: {label}")
    if ("raw-utf8" in label["reason"]) != bool(dnsname.raw(label["a"])):
        raise GrammarError(f"raw-utf8, for raw UTF-8 and nothing else: {label}")
    if label["status"] == "invalid" and "raw-utf8" not in label["reason"] and label.get("u", label["a"]) != label["a"]:
        raise GrammarError(f"an invalid label is shown as what it is not: {label}")


def check_name_unicode(fields, labels, text):
    """Where every label is ok, or would be if it were not raw, and the configuration allows Unicode: then each label has its u."""
    wanted = all("u" in label and label["reason"] in ([], ["raw-utf8"]) for label in labels)
    if ("dns.question.name_unicode" in fields) != wanted:
        raise GrammarError(f"dns.question.name_unicode, where every label is ok and not elsewhere: {text!r}")
    if wanted and fields["dns.question.name_unicode"] != displayed(fields):
        raise GrammarError(f"dns.question.name_unicode is not made of the labels: {text!r}")
