# SPDX-License-Identifier: BSD-3-Clause
"""report: the page's figures beside a count of its own, where the page goes, --json; and nothing in a log becomes markup."""

import bz2
import collections
import gzip
import html.parser
import json
import lzma
import os
import pathlib
import re
import select
import stat
import subprocess
import sys
import time

import report_log
from tap import open_terminal

ROOT = pathlib.Path(__file__).resolve().parents[2]
VOID = {"meta", "wbr"}
ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "p", "dl", "dt", "dd", "div", "section", "figure",
            "figcaption", "span", "svg", "desc", "g", "rect", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "code", "small",
            "b", "ul", "li", "wbr", "footer", "nav", "a"}
ATTRIBUTES = {"lang", "dir", "charset", "http-equiv", "content", "name", "class", "id", "scope", "style", "title", "role", "aria-hidden",
              "aria-labelledby", "aria-label", "href", "viewbox", "preserveaspectratio", "x", "y", "width", "height"}


class Page(html.parser.HTMLParser):
    """The parts of a page: its elements and attributes, the text of each table's cells."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.open, self.broken = collections.Counter(), [], [], []
        self.tables, self.tiles, self.text, self.unread = {}, {}, [], None
        self.section = None
        self.feed(text)
        self.close()
        self.broken += self.open

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += attrs
        if tag == "section":
            self.section = dict(attrs).get("id")
            self.tables[self.section] = []
        if tag == "tr":
            self.tables[self.section].append([])
        if tag in ("td", "th"):
            self.tables[self.section][-1].append([])
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.broken.append(f"</{tag}>")

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)
        if "td" in self.open or "th" in self.open:
            self.tables[self.section][-1][-1].append(data.strip())
        if "dt" in self.open and "footer" not in self.open:
            self.tile = data
        if "dd" in self.open and "footer" not in self.open and "small" not in self.open and data.strip():
            self.tiles[self.tile] = data.partition("\u202f")[0] if "%" in data else number(data)
        if data.startswith("Lines of the log that are no query"):
            self.unread = number(data.split(": ")[1])

    def rows(self, section):
        """The cells of a table's rows, each the list of its texts."""
        return [[[text for text in cell if text] for cell in row] for row in self.tables.get(section, [])[1:]]

    def faults(self):
        """Parts that no page of ours has."""
        found = [f"<{tag}>" for tag in self.tags if tag not in ELEMENTS] + self.broken
        found += [f"{key}={value}" for key, value in self.attributes if key not in ATTRIBUTES]
        found += [f"href={value}" for key, value in self.attributes if key == "href" and not re.fullmatch("#[a-z-]+", value)]
        found += [f"style={value}" for key, value in self.attributes if key == "style" and not re.fullmatch(r"(width|left):\d+\.\d+%", value)]
        if self.tags["html"] != 1 or self.tags["style"] != 1 or self.tags["title"] < 1:
            found.append("no whole page")
        return found


def number(text):
    return int(text.replace(",", "").strip(". "))


class Report:
    def __init__(self, command, folder):
        os.environ["TZ"] = "UTC"
        self.command = command
        self.folder = pathlib.Path(folder)

    def file(self, name, text):
        path = self.folder / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (1795300000, 1795300000))
        return str(path)

    def __call__(self, *arguments, stdin=b""):
        status, out, errors = self.command("report", *arguments, stdin=stdin)
        return status, out.decode(), errors

    def page(self, text, *arguments):
        status, out, errors = self(*arguments, "-", stdin=text)
        assert (status, errors) == (0, ""), (status, errors)
        return Page(out)


REPLIES = list(report_log.Day(20000).replies())
TEXT = "".join(report_log.text_line(reply) + "\n" for reply in REPLIES)
JSON = "".join(report_log.json_line(reply) + "\n" for reply in REPLIES)


def changes(reply):
    return reply.get("action", "log") not in ("log", "passthru") and not reply["mode"]


def is_idn(reply):
    return any(label.startswith("xn--") for label in report_log.ascii_name(reply["name"]).split("."))


def test_figures(tap, report):
    """The figures of the page, and the same counted here."""
    page = report.page(TEXT)
    count = collections.Counter
    idn = count(report_log.ascii_name(reply["name"]) for reply in REPLIES if is_idn(reply))
    ruled = [reply for reply in REPLIES if "action" in reply]
    alike = count((report_log.ascii_name(reply["name"]), reply["match"].split()[1]) for reply in ruled if reply["match"].startswith("lookalike"))
    tap.equal(page.tiles, {"Queries": 20000, "Internationalized names": idn.total(), "Changed by a rule": sum(map(changes, ruled)),
                           "Look-alikes": alike.total(),
                           "Clients": len({reply["client"] for reply in REPLIES})}, "the figures at the top")

    rows = page.rows("names")
    order = sorted(idn, key=lambda name: (-idn[name], wire(name)))[:20]
    tap.equal([(name if name in cells[0] or "".join(cells[0]).startswith(name) else cells[0], number(cells[1][0])) for cells, name in zip(rows, order)],
              [(name, idn[name]) for name in order], "the names asked for most, with their A-labels")
    tap.equal([number(cells[2][0]) for cells in rows],
              [sum(changes(reply) for reply in REPLIES if report_log.ascii_name(reply["name"]) == name) for name in order], "… how often changed")
    got = {(max((name for name, _ in alike if name in "".join(cells[0])), key=len), "".join(cells[1]).removeprefix("looks like").split("by the")[0].strip()): number(cells[3][0]) for cells in page.rows("look-alikes")}
    tap.equal(got, dict(alike), "look-alikes")
    rules = count((reply["rule"], reply["action"]) for reply in ruled)
    tap.equal(sorted((cells[0][0], cells[1][0], number(cells[3][0])) for cells in page.rows("rules")),
              sorted((*rule, times) for rule, times in rules.items()), "rules")
    answers = count()
    for reply in REPLIES:
        for kind, value in (("response code", reply["rcode"].strip("-")), ("validation", reply["security"]), ("extended error", str(reply.get("ede", "")))):
            if value:
                answers[kind, value, "all"] += 1
                answers[kind, value, "changed"] += changes(reply)
    tap.equal(sorted((*cells[0], number(cells[1][0]), number(cells[2][0])) for cells in page.rows("answers")),
              sorted((kind, value, times, answers[kind, value, "changed"]) for (kind, value, all_), times in answers.items() if all_ == "all"), "answers")
    clients = {client: [0, 0, 0] for client in {reply["client"] for reply in REPLIES}}
    for reply in REPLIES:
        clients[reply["client"]][0] += 1
        clients[reply["client"]][1] += is_idn(reply)
        clients[reply["client"]][2] += changes(reply)
    order = sorted(clients, key=lambda client: (-clients[client][2], -clients[client][0], client))[:12]
    tap.equal([(cells[0][0], [number(cell[0]) for cell in cells[1:]]) for cells in page.rows("clients")],
              [(client, clients[client]) for client in order], "clients")
    bars = sum(number(title.rsplit(": ", 1)[1]) for title in re.findall(r"[0-9]+:[0-9]+: [0-9,]+", " ".join(page.text)))
    tap.equal(bars, 20000 + idn.total() + sum(map(changes, ruled)), "the bars add up")
    first, last = report_log.stamp(REPLIES[0]["time"]), report_log.stamp(REPLIES[-1]["time"])
    tap.equal(re.findall("DNS queries, .*", "".join(page.text)), [f"DNS queries, {first[:10]} {first[11:19]} to {last[11:19]} UTC"], "the title")


def wire(name):
    return b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"


def test_forms(tap, report):
    """Every form of the same log gives the same page."""
    page = report("-", stdin=TEXT)
    tap.equal(page[0], 0, "the same page: of text")
    for name, text in (("again", TEXT), ("JSON", JSON), ("CRLF", TEXT.replace("\n", "\r\n")), ("no last newline", TEXT[:-1]),
                       ("text and JSON", "".join(a + b for a, b in zip(TEXT.splitlines(True)[::2], JSON.splitlines(True)[1::2]))),
                       ("backwards", "".join(reversed(TEXT.splitlines(True)))), ("empty lines", TEXT.replace("\n", "\n\n"))):
        tap.equal(report("-", stdin=text) == page, True, f"the same page: {name}")
    prefixed = "".join(f"[{int(reply['time'])}] unbound[1:0] info: {report_log.text_line(reply).split(' ', 1)[1]}\n" for reply in REPLIES)
    tap.equal(report("-", stdin=prefixed)[1] == page[1], True, "the same page: Unbound's own log")
    half = len(TEXT) // 2
    cut = TEXT.index("\n", half) + 1
    first, second = report.file("first.log", TEXT[:cut]), report.file("second.log", TEXT[cut:])
    tap.equal(report(first, second)[1] == page[1], True, "the same page: two files")
    tap.equal(report(first, "-", stdin=TEXT[cut:])[1] == page[1], True, "the same page: a file and standard input")


def test_shown(tap, report):
    """A look-alike is shown with its suspicious letters as numbers, and as the DNS has it."""
    line = "2026-11-26T00:00:00.000000Z 192.0.2.1 {} A IN NXDOMAIN 0.1 1 - policy=nxdomain rule=f:1 match=\"lookalike {}\" key=exact{}\n"
    for name, model, target, wanted in (
            ("www.xn--pypal-4ve.com.", "paypal.com", "", ["www", ".", "p\\u{430}ypal", ".", "com", "www.xn--pypal-4ve.com"]), ("rnall.com.", "mall.com", "", ["rnall", ".", "com"]),
            ("other.example.", "paypal.com", " target=xn--pypal-4ve.com", ["p\\u{430}ypal", ".", "com", "xn--pypal-4ve.com"]),
            ("www.xn--bcher-eva.example.", "bücher.example", "", ["www", ".", "b\\u{FB}cher", ".", "example", "www.xn--bcher-eva.example"]),
            ("xn--pypal-4ve.com.", "<b>", "", ["p\\u{430}ypal", ".", "com", "xn--pypal-4ve.com"])):
        page = report.page(line.format(name, model, target), "--no-clients")
        tap.equal((page.rows("look-alikes")[0][0], page.faults()), (wanted, []), f"shown: {name}{target} for {model}")


def test_askers(tap, report):
    """The page lists the clients that asked for a look-alike: most first, five at most, those of this name alone; escaped, and hidden on demand."""
    line = "2026-11-26T00:00:00.000000Z {} {}. A IN NXDOMAIN 0.1 1 - policy=nxdomain rule=f:1 match=\"lookalike {}\" key=exact\n"
    log = "".join(line.format(f"192.0.2.{i}", "xn--pypal-4ve.com", "paypal.com") * i for i in range(1, 8))
    log += line.format("2001:db8::9", "rnall.com", "mall.com") * 2 + line.format("<b>", "rnall.com", "mall.com")
    def lists(text, *arguments):
        page = report.page(text, *arguments)
        assert page.faults() == [], page.faults()
        return [" ".join(row[0]) for row in page.rows("look-alikes")]
    first, second = lists(log)
    tap.equal(first.endswith(" 192.0.2.7 7 192.0.2.6 6 192.0.2.5 5 192.0.2.4 4 192.0.2.3 3 and 2 more"), True, f"who asked for a look-alike: {first}")
    tap.equal("192.0.2" in second, False, "… not who asked for another")
    tap.equal("2001:db8::9 2" in second, True, f"… {second}")
    tap.equal([text for text in lists(log, "--no-clients") if "192.0.2" in text or "2001:db8" in text], [], "--no-clients: not there either")


MARKUP = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "'><b>", "&lt;b&gt;", "]]><!--", "</style></title><svg/onload=1>",
          "javascript:alert(1)", "\u202e<b>", "\ufeff\u200b\u00ad", "\x1b]0;x\x07", "\x00<i>", "\u2028<i>"]


def test_hostile(tap, report, vectors):
    """Nothing of a log is an element or an attribute, or moves its neighbours."""
    labels = [row["a_label"] for row in json.loads((vectors / "hostile-alabels.json").read_text(encoding="utf-8"))]
    names = labels + ["".join(c if 0x20 < ord(c) < 0x7f and c not in '."\\' else f"\\{b:03}" for c in text for b in c.encode()[:1]) for text in MARKUP]
    names += [text.replace(" ", "\\032").replace(".", "\\.") for text in MARKUP]
    lines, rows = [], []
    for name in names:
        lines.append(f"[1795300000] unbound[1:0] info: 192.0.2.1 {name}.example. A IN NOERROR 0.1 1 -\n")
        rows.append({"dns.question.name": name + ".example", "dns.question.type": "A"})
    for text in MARKUP:
        quoted = text.replace("\\", "\\\\").replace('"', '\\"')
        for field in "policy", "rule", "match", "key", "target", "mode", "u", "idn", "tags", "sec", "ede", "<b>":
            fields = {"policy": "nxdomain", "rule": "f:1", "match": "lookalike x", "key": "exact", field: f'"{quoted}"'}
            fields["match"] = f'"{fields["match"]}"' if field != "match" else f'"lookalike {quoted}"'
            lines.append("192.0.2.1 xn--pypal-4ve.com. A IN NOERROR 0.1 1 - " + " ".join(f"{k}={v}" for k, v in fields.items()) + "\n")
        for key in "@timestamp", "client.ip", "dns.question.type", "dns.response_code", "policy.action", "policy.rule", "policy.match", "policy.key":
            row = {"dns.question.name": "xn--pypal-4ve.com", "dns.question.type": "A", "policy.action": "log", "policy.rule": "f:1", "policy.match": "invalid"}
            rows.append(row | {key: text})
            rows.append(row | {key: "lookalikes " + text})
        lines += [f"{text} a. A IN NOERROR 0.1 1 -\n", f"192.0.2.1 a. {text} IN NOERROR 0.1 1 -\n", text + "\n"]
    text = "".join(line for line in lines if "\n" in line) + "".join(json.dumps(row, ensure_ascii=i % 2 == 0) + "\n" for i, row in enumerate(rows))
    broken = b"\xff\xfe\x00" * 400000 + b"\n192.0.2.1 \xff\xfe. A IN NOERROR 0.1 1 -\n" + bytes(range(256)) + b"\n"
    page = report.page(text.encode() + broken)
    tap.equal(page.faults(), [], "hostile logs: elements and attributes are ours")
    unsafe = [f"U+{ord(c):04X}" for text in page.text for c in text if c not in "\n\u202f" and (not c.isprintable() or 0x202a <= ord(c) <= 0x202e)]
    tap.equal(unsafe, [], "hostile logs: what is not seen is escaped")
    tap.equal(page.tiles["Queries"] > 200 and page.unread > 40, True, "hostile logs: some lines count, others do not")
    shown = " ".join(page.text)
    tap.equal("<script>alert(1)</script>" in shown, True, "hostile logs: markup is text")
    for section in "look-alikes", "rules", "names", "findings":
        tap.equal(len(page.rows(section)) > 0, True, f"hostile logs: there are {section}")


def test_mixed(tap, report):
    noise = ["[1795300000] unbound[1:0] notice: init module 0: dynlib\n", "[1795300000] unbound[1:0] info: 192.0.2.1 a.example. A IN\n",
             "x" * 70000 + "\n", "{\"a\":1}\n", "2026-11-26T00:00:00.000000Z 192.0.2.1 a.exam\n", "192.0.2.1 a..b. A IN NOERROR 0.1 1 -\n"]
    page = report.page("".join(noise) + TEXT + "".join(noise)[:-1])
    tap.equal((page.tiles["Queries"], page.unread), (20000, 2 * len(noise)), "lines that are no replies are counted")
    tap.equal(report.page(TEXT).unread, None, "none is no matter")
    page = report.page("192.0.2.1 a.example. A IN NOERROR 0.1 1 -\n")
    tap.equal((page.tiles["Queries"], page.faults(), "time" in page.tables), (1, [], False), "a log without a time")
    page = report.page("192.0.2.1 a.example. A IN NOERROR 0.1 1 -\n[1795300000] unbound[1:0] info: 192.0.2.1 a.example. A IN NOERROR 0.1 1 9\n")
    tap.equal("Queries without a time, which are left out here: 1." in " ".join(page.text), True, "some lines without a time")
    page = report.page("[1795300000] unbound[1:0] info: 192.0.2.1 . A IN NOERROR 0.1 1 9\n[1795300001] unbound[1:0] info: 192.0.2.1 - - - FORMERR - - - \n")
    tap.equal((page.tiles["Queries"], len(page.rows("queries"))), (2, 1), "the root, and no question at all")
    decade = "".join(f"[{1400000000 + 3000000 * i}] unbound[1:0] info: 192.0.2.1 a. A IN NOERROR 0.1 1 9\n" for i in range(150))
    page = report.page(decade)
    tap.equal(("Queries in each 4 weeks" in " ".join(page.text).replace("  ", " "), sum(bool(re.fullmatch("20[0-9]{2}-[0-9]{2}-[0-9]{2}", text)) for text in page.text)), (True, 4), "years")


def test_honest(tap, report):
    """The page says what is left out and what is not known."""
    line = "[1795300000] unbound[1:0] info: 192.0.2.{} {}. A IN {} 0.1 1 {}{}\n"
    rule = " policy=nxdomain rule=f:1 match=\"zones {}\""
    page = report.page("".join(line.format(i, "a", "NXDOMAIN", "-", rule.format("a") if i < 14 else "") for i in range(30)))
    tap.equal((len(page.rows("clients")), "And 2 more." in "".join(page.text)), (12, True), "clients whose answers were changed: how many more")
    page = report.page("".join(line.format(i, "a", "NOERROR", size, "") for i in range(30) for size in ("-", "60")))
    both = "Lines of Unbound's own log-replies: 30. A query that the module logged too counts twice."
    tap.equal((page.tiles["Queries"], both in "".join(page.text)), (60, True), "log-replies beside the module's log are told")
    for sizes in "-", "60":
        tap.equal("log-replies" in "".join(report.page(line.format(1, "a", "NOERROR", sizes, "")).text), False, f"one of them alone is not: {sizes}")
    early, late = (line.format(1, name, "NXDOMAIN", "-", rule.format(name)) * 100 for name in ("early", "late"))
    page = report.page(early + "".join(line.format(1, f"n{i}", "NXDOMAIN", "-", rule.format(f"n{i}")) for i in range(40000)) + late)
    cell = "".join(text + "|" for text in page.rows("rules")[0][2])
    tap.equal((page.tiles["Changed by a rule"], cell),
              (40200, "zones late|at least 100|zones early|100|zones n32767|at least 1|and others, too many to count each|"), "what a rule matched: too much to count each")


def test_decided(tap, report):
    """--policy: what the rules given say of any log, whatever the log says of others."""
    rules = report.file("rules.conf", "nxdomain lookalike paypal.com\nnxdomain zone казино.example\nnodata zone six.example type=AAAA\nlog zone watched.example\n")
    asked = [("xn--pypal-4ve.com", "A", "IN"), ("www.xn--80aodfsg.example", "A", "IN"), ("six.example", "A", "IN"), ("six.example", "AAAA", "IN"),
             ("a.watched.example", "A", "IN"), ("none.example", "A", "IN"), ("xn--pypal-4ve.com", "TXT", "CH")]
    stock = "".join(f"[{1795300000 + i}] unbound[1:0] info: 192.0.2.1 {name}. {qtype} {qclass} NOERROR 0.1 0 58\n" for i, (name, qtype, qclass) in enumerate(asked))
    ours = "".join(f'2026-11-20T21:56:0{i}Z 192.0.2.1 {name}. {qtype} {qclass} NXDOMAIN 0.1 0 - policy=nxdomain rule=old.conf:1 match="zone old"\n' for i, (name, qtype, qclass) in enumerate(asked))
    members = "".join(json.dumps({"@timestamp": f"2026-11-20T21:56:0{i}Z", "client.ip": "192.0.2.1", "dns.question.name": name, "dns.question.type": qtype,
                                  "dns.question.class": qclass, "dns.response_code": "NOERROR"}) + "\n" for i, (name, qtype, qclass) in enumerate(asked))
    hint = "No line says what a rule did"
    page = report.page(stock)
    tap.equal((page.tiles["Look-alikes"], hint in "".join(page.text)), (0, True), "a log that says nothing of rules: the page tells why there are no look-alikes")
    tap.equal(hint in "".join(report.page(ours).text), False, "one that does")
    for name, log in ("stock Unbound's", stock), ("ours, of other rules", ours), ("JSON", members):
        page = report.page(log, "--policy", rules)
        tap.equal((page.tiles["Look-alikes"], page.tiles["Would have changed"], page.faults()), (1, 3, []), f"--policy: {name}: look-alikes, and what would have changed")
        tap.equal(("Changed by a rule" in page.tiles, "observed" in "".join(page.text), "Would change" in "".join(page.text)), (False, False, True), f"--policy: {name}: nothing is said to be observed")
        tap.equal(sorted((row[0], row[1]) for row in page.rows("rules")),
                  sorted([(["rules.conf:1"], ["nxdomain"]), (["rules.conf:2"], ["nxdomain"]), (["rules.conf:3"], ["nodata"]), (["rules.conf:4"], ["log"])]), f"--policy: {name}: each rule, with its type and class")
        tap.equal(["paypal.com" in "".join(row[1]) for row in page.rows("look-alikes")], [True], f"--policy: {name}: of what")
        tap.equal(("The rules are those given with --policy" in "".join(page.text), hint in "".join(page.text)), (True, False), f"--policy: {name}: the page says so")
    one = report.page(stock, "--policy", rules).text
    config = report.file("idn.conf", f"idn:\n    policy: {rules}\n")
    tap.equal(report.page(stock, "--policy", config).text, one, "--policy: a configuration")
    for name, text in ("bad.conf", "nxdomain zome a\n"), ("none.conf", "idn:\n    log: text\n"):
        path = report.file(name, text)
        status, out, errors = report("--policy", path, "-", stdin=stock)
        tap.equal((status, out, errors.startswith(path)), (2, "", True), f"--policy: {name}")


def test_tagged(tap, report):
    """The page says which list blocked a name: tags of text and JSON lines, and of rules that are given."""
    line = '2026-11-20T21:56:03Z 192.0.2.1 a.example. A IN NXDOMAIN 0.1 0 - policy={} rule=f:1 match="zones l.txt"{}\n'
    text = line.format("nxdomain", " tags=ads,kids") + line.format("log", " tags=ads") + line.format("nxdomain", "") + line.format("nxdomain", " tags=&lt;<b>")
    log = text + json.dumps({"@timestamp": "2026-11-20T21:56:03Z", "client.ip": "192.0.2.1", "dns.question.name": "a", "dns.question.type": "A",
                             "dns.response_code": "NXDOMAIN", "policy.action": "nxdomain", "policy.rule": "f:1", "policy.match": "zone a", "tags": ["kids", "x"]}) + "\n"
    def tags(*arguments):
        return [("".join(tag), *(number("".join(cell)) for cell in cells)) for tag, *cells in report.page(*arguments).rows("tags")]
    tap.equal(sorted(tags(log)), [("&lt;<b>", 1, 1), ("ads", 2, 1), ("kids", 2, 2), ("x", 1, 1)], "tags: replies, and changed ones")
    rules = report.file("tags.conf", "nxdomain zone a.example tag=own\nlog zone a.example tag=seen\n")
    tap.equal(sorted(tags(text, "--policy", rules)), [("own", 4, 4), ("seen", 4, 4)], "--policy: the tags of these rules")


def test_without_clients(tap, report):
    status, out, errors = report("--no-clients", "-", stdin=TEXT + "192.0.2.200 not a line\n")
    addresses = [client for client in {reply["client"] for reply in REPLIES} if re.search(rf"(?<![0-9.]){re.escape(client)}(?![0-9.])", out)]
    tap.equal((status, errors, addresses, "192.0.2" in out, "Client" in out), (0, "", [], False, False), "--no-clients")
    tap.equal("192.0.2" in report("-", stdin=TEXT)[1], True, "--no-clients: they are there without it")
    none = "".join(re.sub(r"Z \S+ ", "Z - ", line, count=1) for line in TEXT.splitlines(True))
    page = report.page(none)
    tap.equal(("Clients" in page.tiles, page.rows("clients")), (False, []), "log-client: none")


def test_bounds(tap, report):
    """Two million names (a tenth with sanitizers), clients, rules and words that are all different: 200 MB, and honest figures."""
    script = ("import sys\nout=sys.stdout\nfor i in range({n}):\n out.write(f'[{{1700000000+i}}] unbound[1:0] info: 2001:db8::{{i>>16:x}}:{{i&65535:x}} "
              "xn--{{i}}-{{i:x}}a.b{{i}}.example. TYPE{{i}} IN RCODE{{i}} 0.1 0 - policy=nxdomain rule=f{{i}}:{{i}} match=\"lookalike n{{i}}.example\" key=exact\\n')\n"
              "for i in range(60000): out.write('[1700000000] unbound[1:0] info: 192.0.2.77 xn--bcher-kva.example. A IN NOERROR 0.1 0 -\\n')\n")
    lines = 200000 if report.command.sanitized else 2000000
    with subprocess.Popen([sys.executable, "-c", script.format(n=lines)], stdout=subprocess.PIPE) as maker:
        used = report.folder / "used"
        done = subprocess.run([sys.executable, ROOT / "tests/command/measured.py", used, report.command.path, "report", "-"],
                              stdin=maker.stdout, stdout=subprocess.PIPE, check=False)
    page, mib = Page(done.stdout.decode()), json.loads(used.read_text())["mib"]
    tap.equal((done.returncode, page.tiles["Queries"], page.faults()), (0, lines + 60000, []), "millions of everything")
    tap.equal(mib < (800 if report.command.sanitized else 120), True, f"millions of everything: {mib:.0f} MiB")
    tap.equal(0 < page.tiles["Clients"] <= 131072, True, "… as many clients as can be counted")
    tap.equal("There were too many to count each" in " ".join(page.text), True, "… and that not all could be counted")
    tap.equal(page.rows("names")[0][0], ["bücher", ".", "example", "xn--bcher-kva.example"], "… a frequent name is found")
    low = number(re.search(r"up to ([0-9,]+) too low", "".join(page.text)).group(1))
    counted = number(page.rows("names")[0][1][0])
    tap.equal(60000 - low <= counted <= 60000, True, f"… and its figure is {counted}, at most {low} too low")


def test_progress(tap, report):
    """A line on the terminal after two seconds, gone at the end; none where it is no terminal."""
    ends = open_terminal(tap)
    if not ends:
        return
    terminal, other = ends
    lines = iter((TEXT + TEXT).encode().splitlines(True))
    started = time.monotonic()
    with subprocess.Popen([report.command.path, "report", "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=other) as child:
        os.close(other)
        for line in lines:
            child.stdin.write(line)
            child.stdin.flush()
            if select.select([terminal], [], [], 0.001)[0]:
                break
        took = time.monotonic() - started
        out = child.communicate(b"".join(lines))[0]
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:
            break
    os.close(terminal)
    tap.equal(Page(out.decode()).tiles["Queries"], 40000, "progress: the page is as ever")
    tap.equal(re.fullmatch(rb"(\r\x1b\[Kstandard input: [0-9]+ lines)+\r\x1b\[K", shown) is not None and took >= 2, True, f"progress: {shown[:80]}")


def test_usage(tap, report):
    log = report.file("a.log", TEXT)
    for arguments in [], ["--unknown", log], ["--no-clients"], ["/nonexistent"], [log, "/nonexistent"], [str(report.folder)]:
        status, out, errors = report(*arguments)
        tap.equal((status, out, errors.startswith("unbound-idn report: ")), (2, "", True), f"usage: report {' '.join(arguments)}")
    path = report.file("other.log", "\nfirst \x1b[31mline\nsecond\n")
    status, out, errors = report(path)
    tap.equal((status, out, f"{path}:2: " in errors, "first \\u{1B}[31mline" in errors, "\x1b" in errors), (2, "", True, True, False), "no reply at all")
    tap.equal(report("-", stdin=b"")[:2], (2, ""), "nothing at all")
    for program, octets in ("zcat", gzip.compress(TEXT.encode())), ("xzcat", lzma.compress(TEXT.encode())), ("bzcat", bz2.compress(TEXT.encode())), ("zstdcat", b"\x28\xb5\x2f\xfd\x04"):
        path = report.file("a.log.1", octets)
        said = f"unbound-idn report: {path}: is compressed; try '{program} … | unbound-idn report -'\n"
        tap.equal(report(path), (2, "", said), f"a compressed file: {program}")
        tap.equal(report(log, path), (2, "", said), f"… behind another: {program}")
    epoch = report.file("syslog", "Nov 20 21:56:03 ns unbound[1]: [1:0] info: 192.0.2.1 a. A IN NOERROR 0.1 0 9\n")
    tap.equal("2026-11-20" in report(epoch)[1], True, "the year is the file's")


def fixtures(command, folder):
    return {"report": Report(command, folder)}


FEW = list(report_log.Day(3000).replies())
SHORT = "".join(report_log.text_line(reply) + "\n" for reply in FEW)
LINE = "2026-11-26T{}Z {} {}. A IN NXDOMAIN 0.1 {} -{}\n"


def test_output(tap, report):
    """The file is the page or what was there before, with a new file's permissions; nothing else is replaced."""
    report = Report(report.command, report.folder / "output")
    report.folder.mkdir()
    page = report.folder / "page.html"
    page.write_text(report("-", stdin=SHORT.splitlines(True)[0])[1], encoding="utf-8")
    os.chmod(page, 0o600)
    before = page.stat().st_ino
    done = report("-", "-o", str(page), stdin=SHORT)
    tap.equal((done, page.read_text(encoding="utf-8")), ((0, "", ""), report("-", stdin=SHORT)[1]), "-o: the same page")
    umask = os.umask(0)
    os.umask(umask)
    tap.equal((page.stat().st_ino != before, stat.S_IMODE(page.stat().st_mode)), (True, 0o666 & ~umask), "-o: another file, with the permissions of a new one")
    kept = page.read_bytes()
    for arguments, stdin in ((["-"], b"no query\n"), (["-", "/nowhere"], SHORT)):
        status, _, errors = report(*arguments, "-o", str(page), stdin=stdin)
        tap.equal((status, bool(errors), page.read_bytes() == kept), (2, True, True), f"-o: {arguments} fails, and the old page stays")
    link = report.folder / "link.html"
    link.symlink_to("page.html")
    for target, why in (report.folder, "is not a regular file"), ("/dev/null", "is not a regular file"), (link, "is not a regular file"), ("/nowhere/a.html", "No such file or directory"):
        done = report("-", "-o", str(target), stdin=SHORT)
        tap.equal(done, (2, "", f"unbound-idn report: {target}: {why}\n"), f"-o {target}")
    tap.equal((stat.S_ISCHR(os.stat("/dev/null").st_mode), link.is_symlink(), sorted(path.name for path in report.folder.iterdir())),
              (True, True, ["link.html", "page.html"]), "-o: nothing else was replaced, and nothing is left over")
    # In a container, each run has the process number of the run before, which was killed in the middle.
    script = ': > "$1.$$.new"; exec "$0" report - -o "$1"'
    done = subprocess.run(["sh", "-c", script, report.command.path, page], input=SHORT.encode(), capture_output=True, check=False)
    tap.equal((done.returncode, done.stderr, sorted(path.name for path in report.folder.iterdir())), (0, b"", ["link.html", "page.html"]),
              "-o: what a killed process of the same number left is no obstacle")


def test_spared(tap, report):
    """-o replaces a page of report or an empty file; no log, and no file of another kind."""
    logs = [pathlib.Path(report.file(name, SHORT)) for name in ("a.log", "b.log", "c.log")]
    other = pathlib.Path(report.file("index.html", "<!DOCTYPE html>\n<html><title>mine</title></html>\n"))
    empty = pathlib.Path(report.file("empty.log", ""))
    alias = report.folder / "alias.log"
    alias.hardlink_to(logs[0])
    for arguments, kept, why in (([logs[0], "-o", logs[0]], logs[0], "is one of the query logs: "), ([logs[0], "-o", alias], alias, "is one of the query logs: "),
                                 ([empty, "-o", empty], empty, "is one of the query logs: "),
                                 (["-o", *logs], logs[0], "exists and is not a page of report, so it is not replaced; -o takes one file: "),
                                 ([logs[0], "-o", other], other, "exists and is not a page of report")):
        before = kept.read_bytes()
        status, out, errors = report(*map(str, arguments))
        tap.equal((status, out, errors.startswith(f"unbound-idn report: {kept}: {why}"), errors.count("\n"), kept.read_bytes() == before),
                  (2, "", True, 1, True), f"-o spares {kept.name}: {' '.join(map(str, arguments)).replace(str(report.folder), '')}")
    with open(logs[0], encoding="utf-8") as stdin:
        done = subprocess.run([report.command.path, "report", "-", "-o", logs[0]], stdin=stdin, capture_output=True, check=False)
    tap.equal((done.returncode, logs[0].read_text(encoding="utf-8") == SHORT), (2, True), "-o spares the log on standard input")
    page = report.folder / "out"
    page.write_text("", encoding="utf-8")
    for what in "an empty file", "a page":
        tap.equal(report(str(logs[0]), "-o", str(page)), (0, "", ""), f"-o replaces {what}")
    for path in (*logs, other, empty, alias, page):
        path.unlink()


def test_refused(tap, report):
    for arguments, message in ((["--top", "0", "-"], "--top 0: expected a number up to 1000"), (["--top", "1001", "-"], "--top 1001: "), (["--top", "x", "-"], "--top x: "),
                               ([], "expected a query log")):
        status, out, errors = report(*arguments, stdin=SHORT)
        tap.equal((status, out, errors.startswith(f"unbound-idn report: {message}"), errors.count("\n")), (2, "", True, 1), f"refused: {' '.join(arguments)}")
    ends = open_terminal(tap)
    if not ends:
        return
    log = report.file("terminal.log", SHORT)
    done = subprocess.run([report.command.path, "report", log], stdout=ends[1], stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, b"standard output is a terminal" in done.stderr, b"-o report.html" in done.stderr), (2, True, True), "no HTML on a terminal")
    for end in ends:
        os.close(end)


def test_zones(tap, report):
    """Times are those of the wall clock, by TZ."""
    log = LINE.format("23:30:00.000000", "192.0.2.1", "a.example", 1, "")
    for name, first, word in (("UTC", "2026-11-26 23:30:00", "UTC"), ("Europe/Berlin", "2026-11-27 00:30:00", "local time"),
                              ("Asia/Kolkata", "2026-11-27 05:00:00", "local time"), ("America/St_Johns", "2026-11-26 20:00:00", "local time")):
        out = subprocess.run([report.command.path, "report", "-"], input=log.encode(), env=dict(os.environ, TZ=name), capture_output=True, check=True).stdout.decode()
        tap.equal((f"<title>DNS queries, {first} to {first[11:]} {word}</title>" in out, f"times are {word}. " in out), (True, True), f"TZ={name}")
    path = report.file("syslog.log", "Nov 20 23:30:00 ns1 unbound: 192.0.2.1 a.example. A IN NOERROR 0.1 1 60\n")
    out = subprocess.run([report.command.path, "report", path], env=dict(os.environ, TZ="Asia/Tokyo"), capture_output=True, check=True).stdout
    tap.equal("<title>DNS queries, 2026-11-20 23:30:00 to 23:30:00 local time</title>" in out.decode(), True, "syslog's local time")


def test_top(tap, report):
    for rows in 1, 3, 1000:
        page = report.page(SHORT, "--top", str(rows))
        counts = {section: len(page.rows(section)) for section in ("look-alikes", "blocked", "rules", "queries", "names", "clients")}
        alike = {reply["name"] for reply in FEW if reply.get("match", "").startswith("lookalike")}
        whole = {"look-alikes": len(alike), "queries": min(1000, len({reply["name"] for reply in FEW}))}
        tap.equal([section for section, count in counts.items() if count != rows and (rows == 3 or rows == 1)], [], f"--top {rows}: so many rows")
        if rows == 1000:
            tap.equal({section: counts[section] for section in whole}, whole, "--top 1000: all rows")


def test_names(tap, report):
    """The names asked for most, and those that rules blocked or would have."""
    rule = ' policy={} rule=f:{} match="zone x"{}'
    asked = [("a.example", ""), ("xn--bcher-kva.example", ""), ("b.example", rule.format("nxdomain", 1, "")), ("c.example", rule.format("refuse", 2, " mode=log-only")),
             ("d.example", rule.format("log", 3, "")), ("e.example", rule.format("passthru", 4, "")), ("b.example", rule.format("drop", 5, ""))]
    log = "".join(LINE.format("21:56:03.000000", "192.0.2.1", name, 1, fields) * (9 - place) for place, (name, fields) in enumerate(asked))
    page = report.page(log)
    flat = lambda section: [tuple("".join(cell) for cell in row) for row in page.rows(section)]
    tap.equal(flat("queries"), [("b.example", "10", "10"), ("a.example", "9", "0"), ("bücher.example", "8", "0"), ("c.example", "6", "0"), ("d.example", "5", "0"), ("e.example", "4", "0")],
              "names: most first, and how often changed")
    tap.equal(flat("blocked"), [("b.example", "nxdomain", "f:1", "7"), ("c.example", "refuselog-only: nothing was changed", "f:2", "6"), ("b.example", "drop", "f:5", "3")], "blocked names")


def test_domains(tap, report):
    """A thousand names below one look-alike are one row, with any prefix; those of two domains are two."""
    rule = ' policy=nxdomain rule=f:1 match="lookalike paypal.com" key=exact'
    asked = [f"w{i}.xn--pypal-4ve.com" for i in range(1000)] + [f"xn--pypal-4ve.w{i}.evil.co.uk" for i in range(500)] + ["xn--pypal-4ve.co.uk"] * 3
    log = "".join(LINE.format("21:56:03.000000", f"192.0.2.{i % 2}", name, 1, rule) for i, name in enumerate(asked))
    page = report.page(log)
    rows = [("".join(row[0]), row[3]) for row in page.rows("look-alikes")]
    tap.equal([row[1] for row in rows], [["1,000"], ["500"], ["3"]], "look-alikes: a row for each registrable domain")
    tap.equal([text.split("192.0.2")[0].partition("and other names of the domain")[2] or "alone" for text, _ in rows],
              ["p\\u{430}ypal.com", "evil.co.uk", "alone"], f"look-alikes: that there are others: {rows}")
    tap.equal(["192.0.2.0500" in text for text, _ in rows], [True, False, False], "look-alikes: the clients of all of them")
    tap.equal(page.faults(), [], "look-alikes: a whole page")


def test_decided_only_logged(tap, report):
    """--policy: a list with mode=log-only would have changed nothing."""
    report.file("seen.names", "seen.example\n")
    rules = report.file("seen.conf", "nxdomain names seen.names mode=log-only\nnxdomain name a.example\n")
    log = "".join(f"[1795300000] unbound[1:0] info: 192.0.2.1 {name}. A IN NOERROR 0.1 0 58\n" for name in ("seen.example", "a.example", "b.example"))
    page = report.page(log, "--policy", rules)
    tap.equal((page.tiles["Would have changed"], sorted((row[0], row[1]) for row in page.rows("rules"))),
              (1, [(["seen.conf:1"], ["nxdomain", "log-only: nothing was changed"]), (["seen.conf:2"], ["nxdomain"])]), "--policy: mode=log-only")


UNREAD = "".join(report_log.text_line(reply) + "\n" for reply in report_log.Day(3000).replies()) + "192.0.2.200 not a line\n"
# A page's section: the table, its rows on the page, and the cells with the figures of each row.
SECTIONS = {"look-alikes": ("look_alikes", {-1: "queries"}), "rules": ("rules", {-1: "queries"}), "blocked": ("blocked", {-1: "queries"}),
            "queries": ("names", {1: "queries", 2: "changed"}), "answers": ("answers", {1: "queries", 2: "changed"}),
            "names": ("idn_names", {1: "queries", 2: "changed"})}
TILES = {"Queries": "queries", "Internationalized names": "idn", "Changed by a rule": "changed", "Look-alikes": "lookalike"}
ODD = ('192.0.2.7 \\000\\034\\092\\046.example. A IN NOERROR 0.1 0 60 policy=log rule=a.conf:1 match="name \\"\x01\u202e</script>\\\\\\""\n'
           '192.0.2.7 xn--pypal-4ve.example. A IN NOERROR 0.1 0 60\n')


def read(report, text, *arguments):
    status, out, errors = report("--json", *arguments, "-", stdin=text)
    assert (status, errors) == (0, ""), (status, errors)
    return json.loads(out)


def test_json_figures(tap, report):
    page, found = report.page(UNREAD), read(report, UNREAD)
    tap.equal({key: found[key] for key in TILES.values()}, {key: page.tiles[tile] for tile, key in TILES.items()}, "the figures at the page's top")
    tap.equal((found["unread"], found["untimed"]), (page.unread, 0), "and how many lines are no query")
    for section, (table, cells) in SECTIONS.items():
        shown = [{key: number(row[cell][0]) for cell, key in cells.items()} for row in page.rows(section)]
        rows = [{key: row[key] for key in cells.values()} for row in found[table]["rows"]]
        tap.equal((rows[:len(shown)], len(shown) > 2, found[table]["missed"]), (shown, True, 0), f"the rows of {table}, and no fewer")
    tap.equal(sum(row["queries"] for row in found["time"]["rows"]), found["queries"], "each query has its time")
    tap.equal((found["time"]["zone"], found["time"]["width"], found["time"]["rows"][0]["start"]), ("UTC", 600, "2026-11-26 00:00:00"), "from the first on")
    tap.equal(sum(row["queries"] for row in found["look_alike_clients"]["rows"]), found["lookalike"], "each look-alike has its client")
    tap.equal(sum(row["queries"] for row in found["matches"]["rows"]), found["ruled"], "and each decision its match")
    tap.equal({row["client"]: row["queries"] for row in found["clients"]["rows"]}, {line: UNREAD.count(f" {line} ") for line in {line.split()[1] for line in UNREAD.splitlines()[:-1]}},
              "each client's queries")
    few = read(report, UNREAD, "--top", "2")
    tap.equal((few["names"]["rows"], few["names"]["more"]), (found["names"]["rows"][:2], len(found["names"]["rows"]) + found["names"]["more"] - 2), "--top 2")
    bare = report("--json", "--no-clients", "-", stdin=UNREAD)[1]
    tap.equal((json.loads(bare)["clients"]["rows"], "192.0.2." in bare, "2001:db8" in bare), ([], False, False), "--no-clients")
    odd = read(report, ODD)
    tap.equal({row["name"]: row.get("display") for row in odd["names"]["rows"]}, {"\\000\\034\\092\\046.example": None, "xn--pypal-4ve.example": "p\\u{430}ypal.example"},
              "names are shown as on the page")
    tap.equal(odd["matches"]["rows"][0]["match"], 'name "\x01\u202e</script>\\"', "what a rule matched is a string")


def test_json_output(tap, report):
    path, page = report.folder / "figures.json", report.folder / "page.html"
    for again in range(2):
        tap.equal(report("--json", "-", "-o", str(path), stdin=UNREAD), (0, "", ""), f"-o: {'again' if again else 'once'}")
    tap.equal(path.read_text(encoding="utf-8"), report("--json", "-", stdin=UNREAD)[1], "-o: the same object")
    report("-", "-o", str(page), stdin=UNREAD)
    for arguments, target in ((["--json"], page), ([], path)):
        before = target.read_bytes()
        status = report(*arguments, "-", "-o", str(target), stdin=UNREAD)[0]
        tap.equal((status, target.read_bytes() == before), (2, True), f"-o spares {target.name} from {arguments or 'a page'}")
    ends = open_terminal(tap)
    if ends:
        done = subprocess.run([report.command.path, "report", "--json", "-"], input=ODD.encode(), stdout=ends[1], stderr=subprocess.PIPE, check=False)
        tap.equal((done.returncode, done.stderr), (0, b""), "JSON may go to a terminal")
        for end in ends:
            os.close(end)
