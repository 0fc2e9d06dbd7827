# SPDX-License-Identifier: BSD-3-Clause
"""--strict --json: every row of IdnaTestV2.txt, through the command."""

import json
import re


def unescape(text):
    return re.sub(r"\\u([0-9A-F]{4})|\\x\{([0-9A-F]+)\}", lambda m: chr(int(m[1] or m[2], 16)), text)


def read_rows(path):
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        fields = [field.strip() for field in line.split("#")[0].split(";")]
        if len(fields) < 5:
            continue
        source, to_unicode, unicode_status, to_ascii, ascii_status = fields[:5]
        to_unicode = to_unicode or source
        yield (number, unescape(source), unescape(to_unicode), unicode_status in ("", "[]"), unescape(to_ascii or to_unicode),
               (ascii_status or unicode_status) in ("", "[]"))


def knows_root_label(path):
    """UTS 46 with VerifyDnsLength has allowed no root label since Unicode 15; its test file calls that an error since 16."""
    version = re.search(r"^# Version: (\d+)", open(path, encoding="utf-8").read(), re.M)
    return int(version[1]) >= 16


def run(tap, command, path):
    root_label = knows_root_label(path)
    table = [row for row in read_rows(path) if "\n" not in row[1]]
    tap.equal(len(table) > 6000, True, "IdnaTestV2.txt has its rows")
    text = "".join(row[1] + "\n" for row in table).encode("utf-8", "surrogatepass")
    decoded = [json.loads(line) for line in command("decode", "--strict", "--json", stdin=text)[1].decode().splitlines()]
    encoded = [json.loads(line) for line in command("encode", "--strict", "--json", stdin=text)[1].decode().splitlines()]
    tap.equal((len(decoded), len(encoded)), (len(table), len(table)), "a line for each row")
    for (number, _, to_unicode, unicode_good, to_ascii, ascii_good), d, e in zip(table, decoded, encoded):
        tap.equal((d["valid"], d["unicode"] if unicode_good else None), (unicode_good, to_unicode if unicode_good else None),
                  f"decode --strict, line {number}")
        ascii_good &= root_label or not to_ascii.endswith(".")
        tap.equal((e["valid"], e["ascii"] if ascii_good else None), (ascii_good, to_ascii if ascii_good else None),
                  f"encode --strict, line {number}")
    tap.equal(command("decode", "--strict", "xn--bcher-kva.de")[1].decode(), "bücher.de\n", "decode --strict")
    tap.equal(command("encode", "--strict", "Bücher.de")[1], b"xn--bcher-kva.de\n", "encode --strict")
    tap.equal(command("decode", "--strict", "a_b.de")[:2], (1, b"a_b.de\n"), "decode --strict of what is not valid")
    tap.equal(command("encode", "--strict", "a_b.de")[:2], (1, b"\n"), "encode --strict of what is not valid")
    for name, reasons in ("xn--", ["ascii-only"]), ("a.XN--abc-", ["ascii-only"]), ("ｘｎ--abc-", ["ascii-only"]), ("xn--abc-.xn--99999999", ["punycode", "ascii-only"]), \
            ("xn--fa-hia.xn--cafe-yvc", ["not-canonical"]), ("xn--go-.xn--a", ["not-canonical", "ascii-only"]), ("xn--" + 60 * "a" + "-", ["ascii-only"]):
        row = json.loads(command("decode", "--strict", "--json", name)[1])
        tap.equal([finding["reason"] for finding in row["findings"]], [reasons], f"decode --strict {name}: the word")
        row = json.loads(command("encode", "--strict", "--json", name)[1])
        tap.equal([[reason for reason in finding["reason"] if reason != "too-long"] for finding in row["findings"]], [reasons], f"encode --strict {name}: the word")
    said = "unbound-idn: {}: label 1 mixes scripts that words do not mix (restricted:script-mix)\n"
    for verb, name, shown in ("decode", "xn--pypal-4ve.com", "p\\u{430}ypal.com"), ("encode", "p\u0430ypal.com", "xn--pypal-4ve.com"):
        tap.equal(command(verb, "--strict", name), (1, shown.encode() + b"\n", said.format(name)), f"{verb} --strict of what is valid and could mislead")
    row = json.loads(command("decode", "--strict", "--json", "a.xn--e28h.")[1])
    tap.equal((row["valid"], row["findings"]), (True, [{"label": 2, "status": "restricted", "reason": ["emoji"]}]), "decode --strict --json of such a name")
    for name, shown in ("Bücher.de.",) * 2, ("bücher.de。", "bücher.de\\u{3002}"):
        said = f"unbound-idn: {shown}: has an empty label, which a final dot makes (invalid:empty)\n"
        tap.equal(command("encode", "--strict", name), (1, b"\n", said), f"encode --strict {name}")
    tap.equal(command("decode", "--strict", "xn--bcher-kva.de.")[:2], (0, "bücher.de.\n".encode()), "decode --strict: a final dot")
