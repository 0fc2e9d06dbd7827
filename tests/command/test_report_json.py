# SPDX-License-Identifier: BSD-3-Clause
"""report --json: the figures of the page, and whatever a log holds."""

import json
import os
import subprocess
import tempfile

import report_log
from tap import open_terminal
from test_report import Report, number

TEXT = "".join(report_log.text_line(reply) + "\n" for reply in report_log.Day(3000).replies()) + "192.0.2.200 not a line\n"
# A page's section: the table, its rows on the page, and the cells with the figures of each row.
SECTIONS = {"look-alikes": ("look_alikes", {-1: "queries"}), "rules": ("rules", {-1: "queries"}), "blocked": ("blocked", {-1: "queries"}),
            "queries": ("names", {1: "queries", 2: "changed"}), "answers": ("answers", {1: "queries", 2: "changed"}),
            "names": ("idn_names", {1: "queries", 2: "changed"})}
TILES = {"Queries": "queries", "Internationalized names": "idn", "Changed by a rule": "changed", "Look-alikes": "lookalike"}
HOSTILE = ('192.0.2.7 \\000\\034\\092\\046.example. A IN NOERROR 0.1 0 60 policy=log rule=a.conf:1 match="name \\"\x01\u202e</script>\\\\\\""\n'
           '192.0.2.7 xn--pypal-4ve.example. A IN NOERROR 0.1 0 60\n')


def run(tap, command):
    with tempfile.TemporaryDirectory(prefix="idn-report-") as folder:
        report = Report(command, folder)
        figures(tap, report)
        output(tap, report)


def read(report, text, *arguments):
    status, out, errors = report("--json", *arguments, "-", stdin=text)
    assert (status, errors) == (0, ""), (status, errors)
    return json.loads(out)


def figures(tap, report):
    page, found = report.page(TEXT), read(report, TEXT)
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
    tap.equal({row["client"]: row["queries"] for row in found["clients"]["rows"]}, {line: TEXT.count(f" {line} ") for line in {line.split()[1] for line in TEXT.splitlines()[:-1]}},
              "each client's queries")
    few = read(report, TEXT, "--top", "2")
    tap.equal((few["names"]["rows"], few["names"]["more"]), (found["names"]["rows"][:2], len(found["names"]["rows"]) + found["names"]["more"] - 2), "--top 2")
    bare = report("--json", "--no-clients", "-", stdin=TEXT)[1]
    tap.equal((json.loads(bare)["clients"]["rows"], "192.0.2." in bare, "2001:db8" in bare), ([], False, False), "--no-clients")
    odd = read(report, HOSTILE)
    tap.equal({row["name"]: row.get("display") for row in odd["names"]["rows"]}, {"\\000\\034\\092\\046.example": None, "xn--pypal-4ve.example": "p\\u{430}ypal.example"},
              "names are shown as on the page")
    tap.equal(odd["matches"]["rows"][0]["match"], 'name "\x01\u202e</script>\\"', "what a rule matched is a string")


def output(tap, report):
    path, page = report.folder / "figures.json", report.folder / "page.html"
    for again in range(2):
        tap.equal(report("--json", "-", "-o", str(path), stdin=TEXT), (0, "", ""), f"-o: {'again' if again else 'once'}")
    tap.equal(path.read_text(encoding="utf-8"), report("--json", "-", stdin=TEXT)[1], "-o: the same object")
    report("-", "-o", str(page), stdin=TEXT)
    for arguments, target in ((["--json"], page), ([], path)):
        before = target.read_bytes()
        status = report(*arguments, "-", "-o", str(target), stdin=TEXT)[0]
        tap.equal((status, target.read_bytes() == before), (2, True), f"-o spares {target.name} from {arguments or 'a page'}")
    ends = open_terminal(tap)
    if ends:
        done = subprocess.run([report.command.path, "report", "--json", "-"], input=HOSTILE.encode(), stdout=ends[1], stderr=subprocess.PIPE, check=False)
        tap.equal((done.returncode, done.stderr), (0, b""), "JSON may go to a terminal")
        for end in ends:
            os.close(end)
