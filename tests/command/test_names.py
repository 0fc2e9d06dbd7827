# SPDX-License-Identifier: BSD-3-Clause
"""encode and decode of names: the module's own profile."""

import json

# Written name, A-labels ("": none), shown, what standard error says of it (as words in it), exit status of either.
NAMES = [
    ("www.Bücher.example", "www.xn--bcher-kva.example", "www.bücher.example", [], 0),
    ("xn--bcher-kva.example", "xn--bcher-kva.example", "bücher.example", [], 0),
    ("XN--MNCHEN-3YA.de", "xn--mnchen-3ya.de", "münchen.de", [], 0),
    ("straße.de", "xn--strae-oqa.de", "straße.de", [], 0),
    ("faß.de.", "xn--fa-hia.de.", "faß.de.", [], 0),
    ("中国。cn", "xn--fiqs8s.cn", "中国.cn", [], 0),
    ("例え．jp", "xn--r8jz45g.jp", "例え.jp", [], 0),
    ("ｅｘａｍｐｌｅ｡com", "example.com", "example.com", [], 0),
    ("_dmarc.bücher.de", "_dmarc.xn--bcher-kva.de", "_dmarc.bücher.de", [], 0),
    ("*.例え.jp", "*.xn--r8jz45g.jp", "*.例え.jp", [], 0),
    ("r3---sn-x.googlevideo.com", "r3---sn-x.googlevideo.com", "r3---sn-x.googlevideo.com", [], 0),
    ("a\\.b\\032c.ü", "a\\.b\\032c.xn--tda", "a\\.b\\032c.ü", [], 0),
    ("\\999.ü", "", "\\999.ü", ["label 1", "invalid:disallowed"], 1),
    ("ü.a\\", "", "ü.a\\", ["label 2", "invalid:disallowed"], 1),
    ("inner space.ü", "inner space.xn--tda", "inner space.ü", [], 0),
    ("", "", "", [], 0),
    (".", ".", ".", [], 0),
    ("pаypal.com", "xn--pypal-4ve.com", "p\\u{430}ypal.com", ["label 1", "restricted:script-mix"], 1),
    ("😀.la", "xn--e28h.la", "\\u{1F600}.la", ["label 1", "restricted:emoji"], 1),
    ("نامه\u200cای.com", "xn--mgba3gch31f060k.com", "نامه\\u{200C}ای.com", [], 0),
    ("xn--31m-dda.com", "xn--31m-dda.com", "xn--31m-dda.com", ["label 1", "invalid:disallowed"], 1),
    ("a.xn--go-.b", "a.xn--go-.b", "a.xn--go-.b", ["label 2", "invalid:ascii-only"], 1),
    ("a⿰b.de", "", "a\\u{2FF0}b.de", ["label 1", "invalid:disallowed"], 1),
    ("so\u00adft.de", "", "so\\u{AD}ft.de", ["label 1", "invalid:disallowed"], 1),
    ("i❤\ufe0f.ws", "xn--i-7iq.ws", "i\\u{2764}.ws", ["label 1", "restricted:emoji"], 1),
    ("a\ufe0fü.de", "", "a\\u{FE0F}ü.de", ["label 1", "invalid:disallowed"], 1),
    ("1\ufe0f\u20e3.ws", "xn--1-2sn.ws", "1\\u{20E3}.ws", ["label 1", "restricted:charset"], 1),
    ("1\ufe0f.ws", "", "1\\u{FE0F}.ws", ["label 1", "invalid:disallowed"], 1),
    ("a\u200db.de", "", "a\\u{200D}b.de", ["label 1", "invalid:contextj"], 1),
    ("-ü.de", "", "-ü.de", ["label 1", "invalid:hyphen"], 1),
    ("a..b", "", "a..b", ["label 2", "invalid:empty"], 1),
    (".a", "", ".a", ["label 1", "invalid:empty"], 1),
    ("a..", "", "a..", ["label 2", "invalid:empty"], 1),
    ("ü" * 64 + ".de", "", "ü" * 64 + ".de", ["label 1", "invalid:too-long"], 1),
    ("a" * 64 + ".de", "", "a" * 64 + ".de", ["label 1", "invalid:too-long"], 1),
    (".".join(["a" * 63] * 4), ".".join(["a" * 63] * 4), ".".join(["a" * 63] * 4), ["invalid:too-long"], 1),
    ("e\tb.ü", "", "e\\u{9}b.ü", ["label 1", "invalid:disallowed"], 1),
    ("e\\009b.ü", "e\\009b.xn--tda", "e\\009b.ü", ["label 1", "invalid:disallowed"], 1),
    ("p\\u{430}ypal.com", "xn--pypal-4ve.com", "p\\u{430}ypal.com", ["label 1", "restricted:script-mix"], 1),
    ("P\\u{410}YPAL.com", "xn--pypal-4ve.com", "p\\u{430}ypal.com", ["label 1", "restricted:script-mix"], 1),
    ("نامه\\u{200C}ای.com", "xn--mgba3gch31f060k.com", "نامه\\u{200C}ای.com", [], 0),
    ("so\\u{AD}ft.de", "", "so\\u{AD}ft.de", ["label 1", "invalid:disallowed"], 1),
    ("a\\u{2e}b.de", "", "a\\u{2e}b.de", ["label 1", "invalid:disallowed"], 1),
    ("a\\u{3002}b.de", "", "a\\u{3002}b.de", ["label 1", "invalid:disallowed"], 1),
    ("a\\u{D800}\\u{}\\u{430", "", "a\\u{D800}\\u{}\\u{430", ["label 1", "invalid:disallowed"], 1),
    ("a\\\\u{430}", "a\\\\u{430}", "a\\\\u{430}", [], 0),
    ("a\\\u200bb", "", "a\\u{5C}\\u{200B}b", ["label 1", "invalid:disallowed"], 1),
    ("\\120n--\\066cher-kva", "xn--bcher-kva", "bücher", [], 0),
    ("xn--a\\032b-c", "xn--a\\032b-c", "xn--a\\032b-c", ["label 1", "invalid:punycode"], 1),
]


def printable(text):
    return text.replace("\t", "\\u{9}")


def test_one_by_one(tap, command):
    for name, ascii, shown, words, status in NAMES:
        short = name[:40]
        for verb, want in ("encode", printable(ascii)), ("decode", shown):
            got = command(verb, "--", name)
            tap.equal((got[0], got[1].decode()), (status, want + "\n"), f"{verb} {short}")
            tap.equal([word for word in words if word not in got[2]], [], f"{verb} {short}: the reason")
            tap.equal(bool(got[2]), bool(words), f"{verb} {short}: something on standard error, or nothing")


def test_all_at_once(tap, command):
    """One result line per input line, however it ends."""
    for end in "\n", "\r\n":
        text = "".join(name + end for name, *_ in NAMES)
        for verb, column in ("encode", 1), ("decode", 2):
            status, out, errors = command(verb, stdin=text)
            tap.equal(status, 1, f"{verb} from standard input: status")
            tap.equal(out.decode().split("\n")[:-1], [printable(row[column]) for row in NAMES], f"{verb} from standard input")
            number = 1 + next(i for i, row in enumerate(NAMES) if row[3])
            tap.equal(f"line {number}: " in errors, True, f"{verb} from standard input: the line is named")
    tap.equal(command("decode", stdin="xn--tda")[1], "ü\n".encode(), "a last line without an end")
    tap.equal(command("decode", stdin="xn--tda\r\r\n")[1].decode(), "xn--tda\\u{D}\n", "one carriage return is removed, not two")


def test_as_json(tap, command):
    text = "".join(name + "\n" for name, *_ in NAMES)
    for verb in "encode", "decode":
        _, out, _ = command(verb, "--json", stdin=text)
        rows = [json.loads(line) for line in out.decode().splitlines()]
        tap.equal(len(rows), len(NAMES), f"{verb} --json: a line each")
        for (name, ascii, shown, words, _), row in zip(NAMES, rows):
            short = name[:40]
            tap.equal(list(row), ["input", "host", "ascii", "unicode", "display", "valid", "findings"], f"{verb} --json {short}: members")
            tap.equal((row["input"], row["host"], row["ascii"], row["display"]), (name, None, ascii, shown), f"{verb} --json {short}")
            tap.equal(row["valid"], not any(word.startswith("invalid") for word in words), f"{verb} --json {short}: valid")
            wanted = [word for word in words if ":" in word]
            tap.equal([f"{f['status']}:{f['reason'][0]}" for f in row["findings"]], wanted, f"{verb} --json {short}: findings")
    row = json.loads(command("decode", "--json", "xn--e28h.la")[1])
    tap.equal(row["unicode"], "😀.la", "--json: unicode is exact where display escapes")
    row = json.loads(command("decode", "--json", stdin=b"a\0b.example\n")[1])
    tap.equal((row["valid"], row["ascii"], row["display"]), (False, "", "a\\u{0}b.example"), "--json: NUL is in no valid name")
    hostile = command("decode", "--json", "a\u202eb.\x1b[31m")[1]
    tap.equal(all(0x20 <= octet < 0x7F or octet == 0x0A for octet in hostile), True, "--json: what display would not print is escaped")


def test_hosts(tap, command):
    """URLs: one line each, and what was looked at; the rows are in tests/unit/test_host.c."""
    rows = [("https://xn--bcher-kva.example/x", "xn--bcher-kva.example", "bücher.example", ": xn--bcher-kva.example"),
            ("https://a@ü:80?b@c", "xn--tda", "ü", ": ü"),
            ("https://a.b/\x1b[31m\u202e", "a.b", "a.b", ": a.b"), ("https://a%1B.b/", "a\\027.b", "a\\027.b", ": a\\027.b"),
            ("http://[::1]/", "", "", " is an IP address, not a name"), ("http:///", "", "", " is missing"),
            ("http://%FF/", "", "", " is not UTF-8")]
    text = "".join(row[0] + "\n" for row in rows)
    for verb, column in ("encode", 1), ("decode", 2):
        status, out, errors = command(verb, stdin=text)
        tap.equal((status, out.decode().split("\n")[:-1][:3]), (1, [row[column] for row in rows[:3]]), f"{verb}: the host of each line")
        said = {int(line.split(": ")[1].split()[1]): line for line in reversed(errors.splitlines())}
        for number, (address, _, _, what) in enumerate(rows, 1):
            quoted = address.replace("\x1b", "\\u{1B}").replace("\u202e", "\\u{202E}")
            tap.equal(said[number], f"unbound-idn: line {number}: the host of {quoted}{what}", f"{verb}: {quoted}: what is said")
        tap.equal(command(verb, rows[0][0])[0], 0, f"{verb}: a URL is no finding")
    objects = [json.loads(line) for line in command("decode", "--json", stdin=text)[1].splitlines()]
    tap.equal([row["host"] for row in objects], ["xn--bcher-kva.example", "ü", "a.b", "a\\027.b", "[::1]", "", "\ufffd"], "--json: host")
    tap.equal([row["input"] for row in objects], [row[0] for row in rows], "--json: input, of a URL")
    tap.equal([row["findings"][0]["reason"][0] for row in objects[3:]], ["disallowed", "address", "no-host", "utf-8"], "--json: why there is no host")
    tap.equal(command("encode", "--punycode", "a@ü.b")[1], b"a@.b-1ra\n", "encode --punycode: no hosts")


def test_bad_utf8(tap, command):
    for verb in "encode", "decode":
        status, out, errors = command(verb, stdin=b"ok.example\nb\xfccher.de\nok.example\n")
        tap.equal((status, out), (1, b"ok.example\n\nok.example\n"), f"{verb}: a line in Latin-1 gives an empty line")
        tap.equal(errors, "unbound-idn: line 2: b\\252cher.de: is not UTF-8\n", f"{verb}: and a reason")
    row = json.loads(command("decode", "--json", stdin=b"\xff.de\n")[1])
    tap.equal((row["valid"], row["findings"][0]["reason"]), (False, ["utf-8"]), "--json: not UTF-8")


def test_long_lines(tap, command):
    """Messages about a line have a bound, however long the line is."""
    for what, line in ("bad labels", b"xn--a." * 3000), ("dots", b"." * 5000), ("controls", b"\x01" * 1_000_000), ("Latin-1", b"\xfc" * 1_000_000):
        for verb in "encode", "decode":
            _, out, errors = command(verb, stdin=line + b"\nxn--tda\n")
            tap.equal((out.count(b"\n"), 0 < len(errors) < 1_000_000), (2, True), f"{verb}: a line of {what}")
    lines = command("decode", stdin=b"xn--a." * 1000 + b"\n")[2].splitlines()
    name = "unbound-idn: line 1: " + ("xn--a." * 1000)[:1024] + "…: "
    tap.equal((len(lines), {line.startswith(name) for line in lines}), (129, {True}), "decode: a line of 1000 labels: what is said of the first 127")
    tap.equal([line.removeprefix(name) for line in lines[126:]], ["label 127 has a character that is not allowed in a label (invalid:disallowed)", "and 873 more",
              "is too long: at most 63 octets as an A-label, 253 in all (invalid:too-long)"], "decode: and that there are more")
    lines = command("decode", stdin=("ü" * 600).encode() + b"\n")[2]
    tap.equal("ü" * 512 + "…" in lines, True, "decode: no character is cut")
