# SPDX-License-Identifier: BSD-3-Clause
"""explain: the text and the JSON about a name, the rule that decides it, the first sentence, and --host: what each host gives a client,
and the rules that it leaves out."""

import json
import os
import pathlib
import re
import select
import subprocess
import unicodedata

from tap import open_terminal
from test_names import NAMES

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMBERS = ["input", "host", "ascii", "unicode", "display", "ask", "status", "reason", "labels", "tags", "varies", "decision", "with"]
LABEL_MEMBERS = ["a", "u", "status", "reason", "scripts", "level", "conditions", "exact", "strict"]

RULES = """passthru name шлюз.example
nxdomain zone казино.example
nodata zone bücher.example type=AAAA
log zone beobachten.example tag=watch
log name *.beobachten.example tag=below
redirect 192.0.2.80 name *.例え.jp
nxdomain lookalike paypal.com tld=any
log lookalike apple.com tag=apple key=strict
log script-level moderate tag=mixed
log wholescript tag=whole
refuse invalid
drop lookalike mall.com ascii=wide key=strict
nodata zones list.txt
log name *.пример.example tag=ru
log zone пример.example tag=ru
nodata name \\042.stern.example
nxdomain name *.stern.example
log name \\042.stern.example tag=star
"""

# A name, the answer in text (without the blanks before its lines), its JSON, its exit status.
VERDICTS = [
    (["example.com"], ["=> no rule matches a query for A"], None, 0),
    (["--type", "TYPE65280", "example.com"], ["=> no rule matches a query for TYPE65280"], None, 0),
    (["шлюз.example"], ["=> passthru: name шлюз.example", "rules:1"],
     {"action": "passthru", "match": "name шлюз.example", "line": 1}, 0),
    (["www.казино.example."], ["=> nxdomain: zone казино.example", "rules:2"],
     {"action": "nxdomain", "match": "zone казино.example", "line": 2}, 1),
    (["bücher.example"], ["=> no rule matches a query for A"], None, 0),
    (["--type", "aaaa", "bücher.example"], ["=> nodata for aaaa: zone bücher.example", "rules:3"],
     {"action": "nodata", "match": "zone bücher.example", "line": 3}, 1),
    (["beobachten.example"], ["=> log: zone beobachten.example", "rules:4", "tags watch"],
     {"action": "log", "match": "zone beobachten.example", "line": 4}, 0),
    (["x.beobachten.example"],
     ["=> log: zone beobachten.example", "rules:4", "also log: name *.beobachten.example", "rules:5", "tags watch, below"],
     {"action": "log", "match": "zone beobachten.example", "line": 4}, 0),
    (["a.例え.jp"], ["=> redirect: name *.例え.jp", "rules:6"], {"action": "redirect", "match": "name *.例え.jp", "line": 6}, 1),
    (["www.p\\u{430}ypal.co.uk"],
     ["=> nxdomain: lookalike paypal.com, exact key, label 2", "rules:7", "also log: script-level moderate", "rules:9", "tags mixed"],
     {"action": "nxdomain", "match": "lookalike paypal.com", "key": "exact", "why": "looks like paypal.com", "label": 2, "line": 7}, 1),
    (["p\\\\u{430}ypal.com"], ["=> no rule matches a query for A"], None, 0),
    (["p\\u{D800}\\u{110000}\\u{}\\u{430"], ["=> no query can have such a name"], None, 1),
    (["áppłe.com"], ["=> log: lookalike apple.com, strict key, label 1", "rules:8", "tags apple"],
     {"action": "log", "match": "lookalike apple.com", "key": "strict", "why": "looks like apple.com", "label": 1, "line": 8}, 0),
    (["аррӏе.com"],
     ["=> log: lookalike apple.com, exact key, label 1", "rules:8", "also log: wholescript", "rules:10", "tags apple, whole"],
     {"action": "log", "match": "lookalike apple.com", "key": "exact", "why": "looks like apple.com", "label": 1, "line": 8}, 1),
    (["a.xn--31m-dda.b"], ["=> refuse: invalid, label 2", "rules:11"], {"action": "refuse", "match": "invalid", "label": 2, "line": 11}, 1),
    (["rnaii.com"], ["=> drop: lookalike mall.com, exact key, label 1", "rules:12"],
     {"action": "drop", "match": "lookalike mall.com", "key": "exact", "why": "looks like mall.com", "label": 1, "line": 12}, 1),
    (["www.listed.example"], ["=> nodata: zones listed.example", "rules:13"], {"action": "nodata", "match": "zones listed.example", "line": 13}, 1),
    (["*.stern.example"],
     ["=> nodata: name \\042.stern.example", "rules:16", "also log: name \\042.stern.example", "rules:18", "tags star"],
     {"action": "nodata", "match": "name \\042.stern.example", "line": 16}, 1),
    (["a\\999.de"], ["=> no query can have such a name"], None, 1),
    (["https://user@www.pаypal.co.uk:443/login?a@b"],
     ["=> nxdomain: lookalike paypal.com, exact key, label 2", "rules:7", "also log: script-level moderate", "rules:9", "tags mixed"],
     {"action": "nxdomain", "match": "lookalike paypal.com", "key": "exact", "why": "looks like paypal.com", "label": 2, "line": 7}, 1),
    (["http://[2001:db8::1]:80/"], ["=> invalid: the host is an IP address, not a name"], None, 1),
    (["a..b"], ["=> no query can have such a name"], None, 1),
    ([""], ["=> invalid: the name is empty"], None, 1),
    ([".".join(["a" * 63] * 4)], ["=> invalid: the name is too long: at most 63 octets as an A-label, 253 in all"], None, 1),
    ([b"b\xfccher.de"], ["=> invalid: the name is not UTF-8"], None, 1),
]

# Names, and all that is said of them.
TEXTS = {
    "paypa1.com": """paypa1.com
  1 paypa1
  2 com
""",
    "PаYPAL.com": """xn--pypal-4ve.com  p\\u{430}ypal.com
  1 xn--pypal-4ve restricted p\\u{430}ypal
    mixes scripts that words do not mix (script-mix)
     1 U+0070 p  Latn LATIN SMALL LETTER P
     2 U+0430 а  Cyrl CYRILLIC SMALL LETTER A = a
     3 U+0079 y  Latn LATIN SMALL LETTER Y
     4 U+0070 p  Latn LATIN SMALL LETTER P
     5 U+0061 a  Latn LATIN SMALL LETTER A
     6 U+006C l  Latn LATIN SMALL LETTER L
    scripts Latn, Cyrl; level minimal
    both keys  = paypal
  2 com
""",
    "ệ例.jp": """xn--qlg823q.jp  ệ例.jp
  1 xn--qlg823q ok ệ例
     1 U+1EC7 ệ  Latn LATIN SMALL LETTER E WITH CIRCUMFLEX AND DOT BELOW ~ e
     2 U+4F8B 例 Hani CJK UNIFIED IDEOGRAPH-4F8B
    scripts Latn, Hani; level highly
    strict key ~ e例
  2 jp
""",
    "https://ü:80/\x1b[31m" + "a" * 1100: "the host of https://ü:80/\\u{1B}[31m" + "a" * 1005 + """…:
xn--tda  ü
  1 xn--tda ok ü
     1 U+00FC ü  Latn LATIN SMALL LETTER U WITH DIAERESIS ~ u
    scripts Latn; level single
    strict key ~ u
""",
    "_x.اه\u200cا۱": """_x.xn--mgba9gv4ay78g  _x.اه\\u{200C}ا۱
  1 _x
  2 xn--mgba9gv4ay78g ok اه\\u{200C}ا۱
     1 U+0627 ا  Arab ARABIC LETTER ALEF = l
     2 U+0647 ه  Arab ARABIC LETTER HEH = o
     3 U+200C    -    ZERO WIDTH NON-JOINER
     4 U+0627 ا  Arab ARABIC LETTER ALEF = l
     5 U+06F1 ۱  Arab EXTENDED ARABIC-INDIC DIGIT ONE = l
    scripts Arab; level single
    conditions bidi
    both keys  = loll
""",
    "xn--31m-dda": """xn--31m-dda
  1 xn--31m-dda invalid
    has a character that is not allowed in a label (disallowed)
     1 U+009B    -    control character (not allowed)
     2 U+0033 3  -    DIGIT THREE
     3 U+0031 1  -    DIGIT ONE
     4 U+006D m  Latn LATIN SMALL LETTER M
    scripts Latn; level single
    conditions invalid, restricted
    both keys  = \\u{9B}3lrn
""",
    "xn--9": """xn--9
  1 xn--9 invalid
    is not Punycode after "xn--" (punycode)
    conditions invalid
""",
    "xn--bc-bz3n": """xn--bc-bz3n
  1 xn--bc-bz3n invalid
    decodes to text that has a different A-label: abc (not-canonical)
     1 U+FF41    Latn FULLWIDTH LATIN SMALL LETTER A = a (restricted)
     2 U+0062 b  Latn LATIN SMALL LETTER B
     3 U+0063 c  Latn LATIN SMALL LETTER C
    scripts Latn; level single
    conditions invalid, restricted
    both keys  = abc
""",
    "i❤.co\u2010öp": """xn--i-7iq.xn--cop-tna3290b  i\\u{2764}.co\\u{2010}\\u{F6}p
  1 xn--i-7iq restricted i\\u{2764}
    has an emoji or a symbol (emoji)
     1 U+0069 i  Latn LATIN SMALL LETTER I
     2 U+2764    -    HEAVY BLACK HEART (restricted)
    scripts Latn; level single
    conditions restricted, emoji
    strict key ~ l\\u{2764}
  2 xn--cop-tna3290b restricted co\\u{2010}\\u{F6}p
    has a character that identifiers do not use, or too many marks (charset)
     1 U+0063 c  Latn LATIN SMALL LETTER C
     2 U+006F o  Latn LATIN SMALL LETTER O
     3 U+2010    -    HYPHEN = - (restricted)
     4 U+00F6 ö  Latn LATIN SMALL LETTER O WITH DIAERESIS ~ o
     5 U+0070 p  Latn LATIN SMALL LETTER P
    scripts Latn; level single
    exact key  = co-o\u0308p
    strict key ~ co-op
""",
    "so\u00adft..\u0301ü.a\u200db": """so\\u{AD}ft..́ü.a\\u{200D}b
  1 so\\u{AD}ft invalid
    has a character that is not allowed in a label (disallowed)
     1 U+0073 s  Latn LATIN SMALL LETTER S
     2 U+006F o  Latn LATIN SMALL LETTER O
     3 U+00AD    -    SOFT HYPHEN (invisible, not allowed)
     4 U+0066 f  Latn LATIN SMALL LETTER F
     5 U+0074 t  Latn LATIN SMALL LETTER T
    scripts Latn; level single
  2 "" invalid
    is empty (empty)
  3 ́ü invalid
    begins with a combining mark (leading-mark)
     1 U+0301    -    COMBINING ACUTE ACCENT (not allowed at the start)
     2 U+00FC ü  Latn LATIN SMALL LETTER U WITH DIAERESIS
    scripts Latn; level single
  4 a\\u{200D}b invalid
    has a joiner outside the contexts of RFC 5892 (contextj)
     1 U+0061 a  Latn LATIN SMALL LETTER A
     2 U+200D    -    ZERO WIDTH JOINER (not allowed here)
     3 U+0062 b  Latn LATIN SMALL LETTER B
    scripts Latn; level ascii
""",
    "ü" * 64: """üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü
  1 üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü invalid
    is too long: at most 63 octets as an A-label, 253 in all; it has 70
    (too-long)
""",
}


class Explain:
    """Runs explain with a configuration that names no rule file, so that the machine's own plays no part."""

    def __init__(self, command, folder):
        self.command, self.folder = command, folder
        self.empty = self.file("empty.conf", "idn:\n")

    def file(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    def __call__(self, *arguments, stdin=b"", conf=None):
        environment = dict(os.environ, UNBOUND_IDN_CONF=conf or self.empty)
        done = subprocess.run([self.command.path, "explain", *arguments], input=stdin, capture_output=True, timeout=300,
                              env=environment, check=False)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def labels(self, *arguments, **more):
        """Without the line that says that no rules are read."""
        status, out, errors = self(*arguments, **more)
        return status, out.replace("=> the configuration names no rule file\n", ""), errors


def fixtures(command, folder):
    return {"explain": Explain(command, folder)}


def test_whole_texts(tap, explain):
    for name, text in TEXTS.items():
        status, out, errors = explain.labels("--", name)
        tap.equal(out, text, f"explain {name[:40]}")
        worst = any(re.search(r"^  \d+ .* (restricted|invalid)", line) for line in text.splitlines())
        tap.equal((status, errors), (int(worst), ""), f"explain {name[:40]}: status, nothing on standard error")
    status, out, _ = explain("ü" * 59 + "a" * 300)
    tap.equal((status, "it has 36" in out, "U+" in out), (1, True, False), "a label that is too long: its length, not its characters")
    out = explain("ü" * 62 + "_")[1]
    tap.equal(("59 U+00FC" in out, "    and 4 more\n" in out), (True, True), "of a label that is none the first characters")


def test_every_form(tap, explain):
    """The two forms, and decode, say the same."""
    names = [name for name, *_ in NAMES] + list(TEXTS)
    for name in names:
        status, out, _ = explain("--json", "--", name)
        row = json.loads(out)
        short = name[:40]
        decoded = json.loads(explain.command("decode", "--json", "--", name)[1])
        tap.equal(list(row), MEMBERS, f"explain --json {short}: members")
        tap.equal([row[key] for key in MEMBERS[:5]], [decoded[key] for key in MEMBERS[:5]], f"explain --json {short}: as decode")
        tap.equal(row["status"] != "ok", status == 1, f"explain --json {short}: status")
        found = {f["label"]: (f["status"], f["reason"]) for f in decoded["findings"]}
        for number, label in enumerate(row["labels"], 1):
            tap.equal(list(label), LABEL_MEMBERS, f"explain --json {short}: members of label {number}")
            tap.equal((label["status"], label["reason"]), found.get(number, ("ok", [])), f"explain --json {short}: label {number}")
        same_in_text(tap, short, row["labels"], explain("--", name)[1])


def same_in_text(tap, short, labels, text):
    blocks = re.split(r"^  +(?=\d+ (?!U\+))", text, flags=re.M)[1:]
    tap.equal(len(blocks), len(labels), f"explain {short}: a block for each label")
    for label, block in zip(labels, blocks):
        heading = block.splitlines()[0]
        words = re.findall(r"^    +(?:(scripts|no script|conditions|exact key|strict key|both keys)\b(.*))$", block, re.M)
        said = dict(words)
        if label["status"] != "ok":
            tap.equal(label["status"] in heading, True, f"explain {short}: {heading}")
        if label["a"]:
            tap.equal(label["a"].replace("\t", "\\u{9}") in heading, True, f"explain {short}: the A-label in '{heading}'")
        for reason in label["reason"]:
            tap.equal(f"({reason})" in " ".join(block.split()), True, f"explain {short}: {reason}")
        if "scripts" in said:
            tap.equal(said["scripts"].split(), (", ".join(label["scripts"]) + "; level " + label["level"]).split(), f"explain {short}: scripts")
        if label["a"]:
            tap.equal(said.get("conditions", "").replace(",", "").split(), label["conditions"], f"explain {short}: conditions")
        for words, keys in ("exact key", ["exact"]), ("strict key", ["strict"]), ("both keys", ["exact", "strict"]):
            shown = said.get(words, "").split(maxsplit=1)[1:]
            if shown and "\\u" not in shown[0]:
                tap.equal([label[key] for key in keys], shown * len(keys), f"explain {short}: {words}")


def test_answers(tap, explain):
    rules = explain.file("rules", RULES)
    explain.file("list.txt", "listed.example\n")
    for arguments, lines, decision, status in VERDICTS:
        short = " ".join(str(a)[:40] for a in arguments)
        got = explain("--policy", rules, *arguments)
        shown = got[1][got[1].rindex("=> "):].replace(rules, "rules")
        tap.equal([line.strip() for line in shown.splitlines()], lines, f"explain {short}: answer")
        tap.equal((got[0], got[2]), (status, ""), f"explain {short}: exit status, nothing on standard error")
        row = json.loads(explain("--json", "--policy", rules, *arguments)[1])
        if isinstance(arguments[-1], str):
            tap.equal(row["input"], arguments[-1], f"explain --json {short}: input as it was given")
        tap.equal(row["decision"], decision and {**decision, "file": rules}, f"explain --json {short}: decision")
        tags = [line[5:].split(", ") for line in lines if line.startswith("tags ")]
        tap.equal(row["tags"], tags[0] if tags else [], f"explain --json {short}: tags")


def test_log_only(tap, explain):
    explain.file("rules", RULES)
    conf = explain.file("log-only.conf", "idn:\n  policy: rules\n  policy-mode: log-only\n")
    status, out, _ = explain("--policy", conf, "казино.example")
    tap.equal((status, "\n=> log-only, otherwise nxdomain: zone казино.example\n" in out), (1, True), "log-only: what would be done")
    decision = json.loads(explain("--json", "--policy", conf, "казино.example")[1])["decision"]
    tap.equal(decision["mode"], "log-only", "log-only: as JSON")
    status, out, _ = explain("--policy", conf, "beobachten.example")
    tap.equal((status, "\n=> log: zone beobachten.example\n" in out), (0, True), "log-only: a log rule is as ever")
    tap.equal(json.loads(explain("--json", "--policy", conf, "beobachten.example")[1])["decision"].get("mode"), None, "log-only: … as JSON")


REASONS = """\
tag bad sub-error=phishing why="A list of \\"bad\\" sites."
nxdomain zone bad.example tag=bad
nxdomain zone own.example tag=bad sub-error=spam
nxdomain zone told.example tag=bad why=Told.
refuse lookalike paypal.com
nodata zone coded.example ede=18:"text"
nodata zone empty.example ede=off
redirect 192.0.2.1 zone forged.example
log zone logged.example tag=bad
tcp-only zone tcp.example
"""


def test_reasons(tap, explain):
    """The JSON that a client would get that asks for structured errors: the same, to the octet, as text and as JSON."""
    explain.file("reasons", REASONS)
    keys = "idn:\n  policy: reasons\n  structured-errors: 65001\n  error-contact: tel:110\n  error-organization: \"Ä\"\n"
    conf, off = explain.file("reasons.conf", keys), explain.file("off.conf", keys.replace("  structured-errors: 65001\n", ""))
    tried = explain.file("tried.conf", keys + "  policy-mode: log-only\n")
    for name, code, text in (("bad.example", 15, '{"c":["tel:110"],"j":"A list of \\"bad\\" sites.","s":2,"o":"Ä","l":"en"}'),
                             ("own.example", 15, '{"c":["tel:110"],"j":"A list of \\"bad\\" sites.","s":3,"o":"Ä","l":"en"}'),
                             ("told.example", 15, '{"c":["tel:110"],"j":"Told.","s":2,"o":"Ä","l":"en"}'),
                             ("xn--pypal-4ve.com", 15, '{"c":["tel:110"],"j":"xn--pypal-4ve.com imitates paypal.com","o":"Ä","l":"en"}'),
                             ("coded.example", 18, "text")):
        lines = explain("--policy", conf, name)[1].splitlines()
        told = [line for line in lines if "structured" in line]
        tap.equal(told, [f"   structured error {code} {text}"], f"reasons, {name}: as text")
        out = explain("--json", "--policy", conf, name)[1]
        as_json = text if text.startswith("{") else json.dumps(text)
        tap.equal(re.findall('"structured":.*?(?=},"with")', out), [f'"structured":{{"ede":{code},"text":{as_json}}}'], f"reasons, {name}: as JSON")
        tap.equal(json.loads(out)["decision"]["structured"]["ede"], code, f"reasons, {name}: JSON in JSON")
        for other in off, tried:
            out = explain("--policy", other, name)[1] + explain("--json", "--policy", other, name)[1]
            tap.equal("structured" in out, False, f"reasons, {name}: nobody gets it by {other}")
    for name in "empty.example", "forged.example", "logged.example", "tcp.example", "other.example":
        tap.equal("structured" in explain("--policy", conf, name)[1], False, f"reasons, {name}: none")


def test_policies(tap, explain):
    rules = explain.file("rules", RULES)
    conf = explain.file("idn.conf", "idn:\n  policy: rules\n")
    wanted = explain("--policy", rules, "казино.example")
    tap.equal("=> nxdomain" in wanted[1], True, "--policy with a rule file")
    tap.equal(explain("--policy", conf, "казино.example"), wanted, "--policy with a configuration")
    tap.equal(explain("казино.example", conf=conf), wanted, "$UNBOUND_IDN_CONF")
    tap.equal(explain("--policy", rules, "казино.example", conf="/nonexistent"), wanted, "--policy goes before it")
    status, out, errors = explain("казино.example")
    tap.equal((status, out.splitlines()[-1], errors), (0, "=> the configuration names no rule file", ""), "a configuration without rules")
    if not os.path.exists("/etc/unbound/idn.conf"):
        done = subprocess.run([explain.command.path, "explain", "a.example"], capture_output=True, env={}, check=False)
        tap.equal((done.returncode, done.stdout, done.stderr), (0, b"a.example\n  1 a\n  2 example\n", b""), "no configuration is fine")
    lists = explain.file("lists", "log name a.example\nnxdomain names missing.txt\nnxdomain name b.example\n")
    status, out, errors = explain("--policy", lists, "b.example")
    tap.equal((status, "=> nxdomain" in out), (1, True), "a list that is missing stops nothing")
    tap.equal(errors.startswith(f"{lists}:2:"), True, "a list that is missing is told")
    tap.equal(explain("--policy", explain.file("ss", "nxdomain name straße.example\n"), "a.example")[2], "", "warnings are check's to give")


def test_bad_policies(tap, explain):
    bad = {"bad-rules": "nxdomain name a..b\nlog nonsense\n", "bad.conf": "idn:\n  nonsense: 1\n", "bad\x1b[31m": "nxdomain name \n"}
    for name, text in bad.items():
        path = explain.file(name, text)
        status, out, errors = explain("--policy", path, "a.example")
        _, checked, _ = explain.command("check", path)
        told = [line for line in checked.decode().splitlines() if not line.endswith("]")][:-1]
        tap.equal((status, out, errors.splitlines(), len(told) > 0), (2, "", told, True), f"{name}: the errors are check's")
    path = explain.file("bad.conf", "idn:\n  policy: bad-rules\n")
    tap.equal(explain("a.example", conf=path)[0], 2, "a configuration with a bad rule file")
    for arguments in ["--policy", "/nonexistent"], ["--policy", str(explain.folder)]:
        status, out, errors = explain(*arguments, "a.example")
        tap.equal((status, out, errors.startswith(arguments[1])), (2, "", True), f"explain {arguments[1]}")
    status, _, errors = explain("a.example", conf="/nonexistent")
    tap.equal((status, errors.startswith("/nonexistent: ")), (2, True), "$UNBOUND_IDN_CONF leads nowhere")


def test_lines(tap, explain):
    names = ["a.example", "b\u00fccher.example", "xn--9", ""]
    stdin = "\r\n".join(names).encode() + b"\r\n"
    status, out, errors = explain(stdin=stdin)
    tap.equal((status, errors), (1, ""), "names from standard input")
    tap.equal(out, "\n".join(explain("--", name)[1] for name in names), "an empty line between two names")
    rows = [json.loads(line) for line in explain("--json", stdin=stdin)[1].splitlines()]
    tap.equal([row["input"] for row in rows], names, "--json: a line each, in their order")
    tap.equal(explain("--json", stdin=b"")[:2], (0, ""), "no names")
    tap.equal(explain("a.example", "xn--9", "a.example")[0], 1, "the worst name decides")
    label = "a." * 5000
    status, out, _ = explain(stdin=label.encode() + b"\n")
    tap.equal((status, "\n  5000 a\n" in out, "too long" in out), (1, True, True), "5000 labels")


def width(line):
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in line)


def test_columns(tap, explain):
    rules = explain.file("rules", RULES)
    names = [row.split("\t")[0] for row in (ROOT / "tests/vectors/labels.tsv").read_text(encoding="utf-8").splitlines()
             if row and row[0] != "#" and len(row.split("\t")[0]) < 40]
    out = explain("--policy", rules, stdin="".join(name + ".example\n" for name in names).encode())[1]
    wide = [line for line in out.splitlines() if width(line) > 80 and line.startswith("   ") and "key" not in line]
    tap.equal(wide, [], "80 columns")
    tap.equal(len(names) > 50, True, "80 columns: of many names")


# Not: format and control characters, blanks but U+0020, separators, private use, unassigned; letters that are blank.
def is_safe(character):
    return character == " " or (unicodedata.category(character)[0] not in "CZ" and
                                character not in "\u034f\u115f\u1160\u2800\u3164\uffa0")


def test_hostile(tap, explain, vectors):
    rules = explain.file("rules", RULES)
    rows = json.loads((vectors / "hostile-alabels.json").read_text(encoding="utf-8"))
    labels = [row["a_label"] for row in rows]
    decoded = ["".join(chr(int(cp[2:], 16)) for cp in row["decodes_to"] or []) for row in rows]
    texts = [text.encode("utf-8", "surrogatepass") for text in labels + [d for d in decoded if "\n" not in d]]
    texts += [b"\x1b]0;pwn\x07.a", b"\xff\xfe\x80", b"a\x00b.c", b"\xe2\x80\xae.xn--9", b"\\027[31m.a", b"\xf4\x90\x80\x80", b"-" * 3000,
              bytes(range(1, 10)) + bytes(range(11, 256)), b"x://a%1b%ff/\x1b]0;pwn\x07", b"x://[\x1b", "\u115f\u3164\u2800.\u2028\u202e".encode(), b"xn--" + b"9" * 59 + b".\\"]
    tap.equal(len(texts) > 60, True, "hostile names: many")
    stdin = b"".join(text + b"\n" for text in texts)
    for form in [], ["--json"], ["--policy", rules], ["--policy", rules, "--json"]:
        status, out, errors = explain(*form, stdin=stdin)
        unsafe = [f"U+{ord(c):04X} in {line}" for line in (out + errors).split("\n") for c in line if not is_safe(c)]
        tap.equal((status, unsafe), (1, []), f"hostile names: explain {' '.join(form)[:8]}")
        if "--json" in form:
            tap.equal(len([json.loads(line) for line in out.splitlines()]), len(texts), "hostile names: an object each")
        else:
            tap.equal(len(out.split("\n\n")), len(texts), "hostile names: a block each")


def test_usage(tap, explain):
    for arguments in ["--unknown", "a"], ["a", "--policy"], ["--type", "NONSENSE", "a"], ["--type", "AXFR", "a"], ["--type", "", "a"]:
        status, out, errors = explain(*arguments)
        tap.equal((status, out, errors.startswith("unbound-idn explain: ")), (2, "", True), f"usage: explain {' '.join(arguments)}")


def test_sentences(tap, explain):
    """The first sentence is the rule's effect on the name; without a rule, it is about the name."""
    rules = explain.file("sentence.rules", RULES)
    short = lambda text: " ".join(text.replace(str(explain.folder) + "/", "").split())
    for name, sentence in (("pаypal.com", "looks like paypal.com (it has CYRILLIC SMALL LETTER A); sentence.rules:7 refuses it (nxdomain)"),
                           ("rnaii.com", "looks like mall.com; sentence.rules:12 refuses it (drop)"), ("шлюз.example", "matches name шлюз.example; sentence.rules:1 lets it pass (passthru)"),
                           ("a.例え.jp", "matches name *.例え.jp; sentence.rules:6 answers it (redirect)"), ("beobachten.example", "matches zone beobachten.example; sentence.rules:4 only logs it (log)"),
                           ("example.com", None)):
        first = explain("--policy", rules, name)[1].partition("  1 ")[0]
        tap.equal(short(first).startswith(sentence or "example.com"), True, f"explain {name}: the first sentence: {short(first)}")
    conf = explain.file("sentence.conf", "idn:\n    policy: sentence.rules\n    policy-mode: log-only\n")
    tap.equal("sentence.rules:7 would refuse it (nxdomain)" in short(explain("--policy", conf, "pаypal.com")[1]), True, "explain: what a rule would do")


def escaped(text):
    """Octets as a log's column has them."""
    return "".join(chr(o) if 0x21 <= o < 0x7F and chr(o) not in '"\\\\' else f"\\{o:03d}" for o in text.encode())


def test_raw(tap, explain):
    """Raw UTF-8, as a log's column has it: what to ask instead, in words and in JSON."""
    says = "asked as raw UTF-8: no resolver finds it; "
    for text, ask in (("www.казино.example", "www.xn--80aodfsg.example"), ("КАЗИНО.xn--p1ai", "xn--80aodfsg.xn--p1ai"), ("bücher.例え.example", "xn--bcher-kva.xn--r8jz45g.example"),
                      ("a\u200bü.example", None), ("ü\x1b.example", None), ("\u202e.example", None), ("ü" * 31 + "a", "xn--" + ("ü" * 31 + "a").encode("punycode").decode()),
                      ("u\u0308" * 21, "xn--" + ("ü" * 21).encode("punycode").decode())):
        name = escaped(text)
        status, out, errors = explain(name)
        words = says + (f"ask {ask}" if ask else "it has no name in A-labels")
        tap.equal((status, " ".join(out.split()).startswith(f"{words} {name} "), errors), (1, True, ""), f"explain raw {text!r}: {out}")
        object = json.loads(explain("--json", name)[1])
        tap.equal((object["ask"], object["status"], [label["reason"][0] for label in object["labels"] if label["reason"]][:1]), (ask, "invalid", ["raw-utf8"]), f"explain --json raw {text!r}")
    for name in "казино.example", escaped("a") + "\\255.example", "\\195.example", "xn--\\195\\188.example", "a.example":
        tap.equal((says in explain(name)[1], json.loads(explain("--json", name)[1])["ask"]), (False, None), f"explain {name}: not raw UTF-8")
    rules = explain.file("raw.rules", "nxdomain zone example suffixes=yes\n")
    tap.equal(explain("--policy", rules, escaped("ü.example"))[1].splitlines()[1].startswith("matches zone example; "), True, "explain raw: and the rule")


def test_on_terminal(tap, explain):
    """Without arguments on a terminal it says what it waits for; elsewhere it does not."""
    ends = open_terminal(tap)
    if not ends:
        return
    with subprocess.Popen([explain.command.path, "explain", "--color=never"], stdin=ends[1], stdout=subprocess.DEVNULL, stderr=ends[1],
                          env={"UNBOUND_IDN_CONF": explain.empty, "PATH": "/usr/bin:/bin"}) as process:
        os.close(ends[1])
        seen = b""
        while b"\n" not in seen and select.select([ends[0]], [], [], 60)[0]:
            seen += os.read(ends[0], 1000)
        process.kill()
    os.close(ends[0])
    tap.equal(seen, b"Reading names from this terminal, one on a line; Ctrl-D ends them.\r\n", "explain: no arguments, on a terminal")
    tap.equal(explain(stdin=b"a.example\n")[2], "", "explain: nothing of that elsewhere")


HOSTS = {"module": "/etc/unbound/idn.conf", "python": "/etc/unbound/idn.conf", "kresd": "/etc/knot-resolver/idn.conf", "recursor": "/etc/powerdns/idn.conf",
         "dnsdist": "/etc/dnsdist/idn.conf"}
HOST_RULES = """tcp-only zone t.example
drop zone d.example
nxdomain zone a.example
nodata zone n.example
refuse zone f.example
passthru name x.a.example client=192.0.2.0/24
cname y.example zone c.example
redirect 192.0.2.1 zone r.example
log zone t.example
"""
GETS = {"d.example": "nothing over UDP, otherwise REFUSED", "a.example": "NXDOMAIN", "n.example": "NOERROR without records", "f.example": "REFUSED",
        "c.example": "the alias and its target's records", "r.example": "the rule's records", "t.example": "a truncated answer over UDP, otherwise the answer as it is",
        "other.example": "the answer as it is"}
ALONE = {"c.example": "the alias alone, without its target's records"}
PYTHON = {**ALONE, "d.example": "REFUSED: this host cannot drop a query", "t.example": "the answer as it is"}
INSTEAD = {"python": {"d.example": "refused", "c.example": "alias"}, "dnsdist": {"c.example": "alias"}}


def flat(text):
    return " ".join(text.split())


def test_each_host(tap, explain):
    rules = explain.file("hosts.rules", HOST_RULES)
    log_only = explain.file("hosts.conf", "idn:\n    policy: hosts.rules\n    policy-mode: log-only\n")
    for host in HOSTS:
        for name, words in (GETS | {"python": PYTHON, "dnsdist": ALONE}.get(host, {})).items():
            text = flat(explain("--host", host, "--policy", rules, name)[1])
            tap.equal(f"with {host} the client gets {words} " in text + " ", True, f"explain --host {host} {name}: {text}")
            object = json.loads(explain("--host", host, "--policy", rules, "--json", name)[1])["with"]
            tap.equal((object["host"], object["instead"]), (host, INSTEAD.get(host, {}).get(name)), f"explain --host {host} --json {name}")
        text = flat(explain("--host", host, "--policy", log_only, "d.example")[1])
        tap.equal(text.endswith(f"with {host} the client gets the answer as it is"), True, f"explain --host {host}: policy-mode: log-only: {text}")
    tap.equal("the client gets" in explain("--policy", rules, "d.example")[1], False, "explain without --host")
    tap.equal(json.loads(explain("--policy", rules, "--json", "d.example")[1])["with"], None, "explain --json without --host")


def test_left_out(tap, explain):
    """Unbound's Python module leaves out tcp-only, and without subnetcache rules with client=; other hosts hold them."""
    rules = explain.file("hosts.rules", HOST_RULES)
    expected = {"t.example": ("log", 9, "tcp-only", 1), "x.a.example": ("nxdomain", 3, "passthru", 6)}
    if os.path.exists("/etc/unbound/unbound.conf"):
        del expected["x.a.example"]  # it may have subnetcache
    for name, (action, line, left, left_line) in expected.items():
        arguments = "--client", "192.0.2.1", "--policy", rules
        object = json.loads(explain("--host", "python", *arguments, "--json", name)[1])
        tap.equal(((object["decision"]["action"], object["decision"]["line"]), object["with"]["left_out"]), ((action, line), {"action": left, "file": rules, "line": left_line}),
                  f"explain --host python: {name}: the rule that decides, and the one that is left out")
        status, text, errors = explain("--host", "python", *arguments, name)
        tap.equal((f"python leaves out a rule that would decide: {left}, {rules}:{left_line}" in flat(text), f"{rules}:{left_line}:1: left out: " in errors), (True, True),
                  f"explain --host python: {name}: {text} {errors}")
        for host in set(HOSTS) - {"python"}:
            object = json.loads(explain("--host", host, *arguments, "--json", name)[1])
            tap.equal((object["decision"]["action"], object["with"]["left_out"]), (left, None), f"explain --host {host}: {name}")
    tap.equal(json.loads(explain("--host", "python", "--policy", rules, "--json", "a.example")[1])["with"]["left_out"], None, "explain --host python: nothing left out")


def test_host_usage(tap, explain):
    tap.equal(explain("--host", "bind", "a"), (2, "", "unbound-idn explain: --host bind: expected module, python, kresd, recursor or dnsdist; try 'unbound-idn explain --help'\n"),
              "explain --host of no such host")
    for host, path in HOSTS.items():
        if os.path.exists(path):
            continue  # of a machine that has this host
        status, text, errors = explain("--host", host, "a")
        tap.equal((status, text, errors.startswith(f"{path}: ")), (2, "", True), f"explain --host {host}: reads its own configuration: {errors}")
