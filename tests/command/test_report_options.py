# SPDX-License-Identifier: BSD-3-Clause
"""report: where the page goes, its times and its length."""

import os
import pathlib
import re
import stat
import subprocess
import tempfile
import time

import report_log
from tap import open_terminal
from test_report import Report

REPLIES = list(report_log.Day(3000).replies())
TEXT = "".join(report_log.text_line(reply) + "\n" for reply in REPLIES)
LINE = "2026-11-26T{}Z {} {}. A IN NXDOMAIN 0.1 {} -{}\n"


def run(tap, command):
    with tempfile.TemporaryDirectory(prefix="idn-report-") as folder:
        report = Report(command, folder)
        output(tap, report)
        spared(tap, report)
        refused(tap, report)
        origin(tap, report)
        zones(tap, report)
        top(tap, report)
        names(tap, report)
        domains(tap, report)
        decided_only_logged(tap, report)
        selected(tap, report)


def output(tap, report):
    """The file is the page or what was there before, with a new file's permissions; nothing else is replaced."""
    page = report.folder / "page.html"
    page.write_text(report("-", stdin=TEXT.splitlines(True)[0])[1], encoding="utf-8")
    os.chmod(page, 0o600)
    before = page.stat().st_ino
    done = report("-", "-o", str(page), stdin=TEXT)
    text = re.sub('<p class="origin">.*</p>', "", page.read_text(encoding="utf-8"))
    tap.equal((done, text), ((0, "", ""), report("-", stdin=TEXT)[1]), "-o: the same page")
    umask = os.umask(0)
    os.umask(umask)
    tap.equal((page.stat().st_ino != before, stat.S_IMODE(page.stat().st_mode)), (True, 0o666 & ~umask), "-o: another file, with the permissions of a new one")
    kept = page.read_bytes()
    for arguments, stdin in ((["-"], b"no query\n"), (["-", "/nowhere"], TEXT)):
        status, _, errors = report(*arguments, "-o", str(page), stdin=stdin)
        tap.equal((status, bool(errors), page.read_bytes() == kept), (2, True, True), f"-o: {arguments} fails, and the old page stays")
    link = report.folder / "link.html"
    link.symlink_to("page.html")
    for target, why in (report.folder, "is not a regular file"), ("/dev/null", "is not a regular file"), (link, "is not a regular file"), ("/nowhere/a.html", "No such file or directory"):
        done = report("-", "-o", str(target), stdin=TEXT)
        tap.equal(done, (2, "", f"unbound-idn report: {target}: {why}\n"), f"-o {target}")
    tap.equal((stat.S_ISCHR(os.stat("/dev/null").st_mode), link.is_symlink(), sorted(path.name for path in report.folder.iterdir())),
              (True, True, ["link.html", "page.html"]), "-o: nothing else was replaced, and nothing is left over")
    # In a container, each run has the process number of the run before, which was killed in the middle.
    script = ': > "$1.$$.new"; exec "$0" report - -o "$1"'
    done = subprocess.run(["sh", "-c", script, report.command.path, page], input=TEXT.encode(), capture_output=True, check=False)
    tap.equal((done.returncode, done.stderr, sorted(path.name for path in report.folder.iterdir())), (0, b"", ["link.html", "page.html"]),
              "-o: what a killed process of the same number left is no obstacle")


def spared(tap, report):
    """-o replaces a page of report or an empty file; no log, and no file of another kind."""
    logs = [pathlib.Path(report.file(name, TEXT)) for name in ("a.log", "b.log", "c.log")]
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
    tap.equal((done.returncode, logs[0].read_text(encoding="utf-8") == TEXT), (2, True), "-o spares the log on standard input")
    page = report.folder / "out"
    page.write_text("", encoding="utf-8")
    for what in "an empty file", "a page":
        tap.equal(report(str(logs[0]), "-o", str(page)), (0, "", ""), f"-o replaces {what}")
    for path in (*logs, other, empty, alias, page):
        path.unlink()


def refused(tap, report):
    for arguments, message in ((["--top", "0", "-"], "--top 0: expected a number up to 1000"), (["--top", "1001", "-"], "--top 1001: "), (["--top", "x", "-"], "--top x: "),
                               ([], "expected a query log")):
        status, out, errors = report(*arguments, stdin=TEXT)
        tap.equal((status, out, errors.startswith(f"unbound-idn report: {message}"), errors.count("\n")), (2, "", True, 1), f"refused: {' '.join(arguments)}")
    ends = open_terminal(tap)
    if not ends:
        return
    log = report.file("terminal.log", TEXT)
    done = subprocess.run([report.command.path, "report", log], stdout=ends[1], stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, b"standard output is a terminal" in done.stderr, b"-o report.html" in done.stderr), (2, True, True), "no HTML on a terminal")
    for end in ends:
        os.close(end)


def origin(tap, report):
    """The head says which logs, which host, and when."""
    def head(*arguments, stdin=b""):
        return re.search('<p class="origin">(.*)</p>', report.command("report", *arguments, stdin=stdin)[1].decode())[1]
    logs = [report.file(f"{name}.log", TEXT) for name in ("<b>", "b", "c", "d", "e", "f")]
    before = time.time() // 1
    first = re.sub("<.?bdi>", "", head(logs[0], "-", stdin=TEXT))
    made = re.fullmatch(re.escape(f"From {logs[0].replace('<', '&lt;').replace('>', '&gt;')}, standard input; made on {os.uname().nodename}, ") + "(.*) UTC", first)
    at = time.mktime(time.strptime(made[1], "%Y-%m-%d %H:%M:%S")) - time.timezone if made else 0
    tap.equal((bool(made), before <= at <= time.time()), (True, True), f"origin: {first}")
    tap.equal(" and 2 more; made on" in head(*logs), True, "origin: many logs")


def zones(tap, report):
    """Times are those of the wall clock, by TZ."""
    log = LINE.format("23:30:00.000000", "192.0.2.1", "a.example", 1, "")
    for name, first, word in (("UTC", "2026-11-26 23:30:00", "UTC"), ("Europe/Berlin", "2026-11-27 00:30:00", "local time"),
                              ("Asia/Kolkata", "2026-11-27 05:00:00", "local time"), ("America/St_Johns", "2026-11-26 20:00:00", "local time")):
        out = subprocess.run([report.command.path, "report", "-"], input=log.encode(), env=dict(os.environ, TZ=name), capture_output=True, check=True).stdout.decode()
        tap.equal((f"<title>DNS queries, {first} to {first[11:]} {word}</title>" in out, f"times are {word}. " in out), (True, True), f"TZ={name}")
    path = report.file("syslog.log", "Nov 20 23:30:00 ns1 unbound: 192.0.2.1 a.example. A IN NOERROR 0.1 1 60\n")
    out = subprocess.run([report.command.path, "report", path], env=dict(os.environ, TZ="Asia/Tokyo"), capture_output=True, check=True).stdout
    tap.equal("<title>DNS queries, 2026-11-20 23:30:00 to 23:30:00 local time</title>" in out.decode(), True, "syslog's local time")


def top(tap, report):
    for rows in 1, 3, 1000:
        page = report.page(TEXT, "--top", str(rows))
        counts = {section: len(page.rows(section)) for section in ("look-alikes", "blocked", "rules", "queries", "names", "clients")}
        alike = {reply["name"] for reply in REPLIES if reply.get("match", "").startswith("lookalike")}
        whole = {"look-alikes": len(alike), "queries": min(1000, len({reply["name"] for reply in REPLIES}))}
        tap.equal([section for section, count in counts.items() if count != rows and (rows == 3 or rows == 1)], [], f"--top {rows}: so many rows")
        if rows == 1000:
            tap.equal({section: counts[section] for section in whole}, whole, "--top 1000: all rows")


def names(tap, report):
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


def domains(tap, report):
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


def decided_only_logged(tap, report):
    """--policy: a list with mode=log-only would have changed nothing."""
    report.file("seen.names", "seen.example\n")
    rules = report.file("seen.conf", "nxdomain names seen.names mode=log-only\nnxdomain name a.example\n")
    log = "".join(f"[1795300000] unbound[1:0] info: 192.0.2.1 {name}. A IN NOERROR 0.1 0 58\n" for name in ("seen.example", "a.example", "b.example"))
    page = report.page(log, "--policy", rules)
    tap.equal((page.tiles["Would have changed"], sorted((row[0], row[1]) for row in page.rows("rules"))),
              (1, [(["seen.conf:1"], ["nxdomain", "log-only: nothing was changed"]), (["seen.conf:2"], ["nxdomain"])]), "--policy: mode=log-only")


def selected(tap, report):
    """A log as `log-names` makes it: the page says that other queries were not logged."""
    line = "2026-11-26T00:00:00.000000Z 192.0.2.1 {}. A IN NOERROR 0.1 1 -{}\n"
    idn, plain = line.format("xn--bcher-kva.example", ""), line.format("a.example", "")
    ruled = line.format("b.example", ' policy=log rule=f:1 match="zone b.example"')
    rules = report.file("all.conf", "log zone example suffixes=yes\n")
    for name, log, arguments, words in (("idn", idn * 3, (), ["idn"]), ("idn, --policy", idn * 3, ("--policy", rules), ["idn"]), ("policy", ruled * 2, (), ["policy"]),
                                        ("all", idn + plain, (), []), ("all, --policy", plain, ("--policy", rules), []), ("idn and a rule", idn + ruled, (), [])):
        text = "".join(report.page(log, *arguments).text)
        tap.equal(re.findall(r"With log-names: (\w+), only such queries are logged", text), words, f"log-names: {name}")
