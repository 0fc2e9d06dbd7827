# SPDX-License-Identifier: BSD-3-Clause
"""check: rule files, the lists and RPZ zones that they name, and lists by themselves; every message at its place, as
tests/samples has them."""

import json
import os
import pathlib
import pwd
import re
import shutil
import subprocess

import samples
from test_check import CONF, Box, can_become, summary

ROOT = pathlib.Path(__file__).resolve().parents[2]

DOUBTFUL = ("{}: read as a rule file, because it does not begin with a key of a configuration; use --names, --zones or --protected for a list, --rpz for a response policy zone [note]")
NOT_IN_FORCE = "none of its entries is in force"
NO_FILE = "cannot be read: No such file or directory"

LIST = """# names
plain.example
two names
||x.example^$third-party
com
straße.example
xn--a.example
"""
PROTECTED = """0.0.0.0 paypal.com bücher.example
.google.co.uk
*.apple.com
localhost
co.uk
"""
# The places of the errors and warnings in the two lists; tests/samples has their messages.
PROTECTED_TOLD = ["{}:3:1", "{}:5:1", "{}:4:1 [warning]"]
LIST_TOLD = ["{}:3:5", "{}:5:1", "{}:4:1 [warning]"]

DOES_NOTHING = ("has triggers on addresses or name servers, which do nothing here: load the zone in Unbound's own rpz: for them "
                "too, and write skip=client-ip here")
ZONE = """$TTL 60
rpz.example. SOA ns.example. admin.example. 1 2 3 86400 5
blocked.example CNAME .
8.0.0.0.10.rpz-client-ip CNAME .
com CNAME .
"""


def fixtures(command, folder):
    return {"box": Box(command, folder)}


def without_memory(lines):
    """Hides how much memory a policy takes: this test looks only whether the line is there."""
    return [re.sub(r" [0-9]+ kB \[note\]$| [0-9]+\.[0-9] MB \[note\]$", " MEMORY [note]", line) for line in lines]


def message(line):
    """A message without its place, the words that it quotes, and how often there was reason for it."""
    return re.sub(r"'\S*'( \(U\+\w+ at character \d+\))?|, \d+ in all, the first one here", "", re.sub(r"^.*?:\d+:\d+: ", "", line))


SAMPLES = {message(line) for path in ROOT.glob("tests/*/*.expected") for line in path.read_text(encoding="utf-8").splitlines()}
SAMPLES |= {message(line) for path in samples.FOLDER.iterdir() for *_, messages in samples.read(path) for line in messages}


def placed(lines):
    """Cuts messages that a sample has, and test_samples compares, to their place and severity."""
    return [re.sub(r"(:\d+:\d+): .*?( \[\w+\])?$", r"\1\2", line) if message(line) in SAMPLES else line for line in lines]


def check_verbatim(box, *arguments, **options):
    status, lines = box.run(*arguments, **options)
    return status, without_memory(lines)


def check(box, *arguments, **options):
    status, lines = check_verbatim(box, *arguments, **options)
    return status, placed(lines)


def note(name, text):
    return f"{name}: {text}, MEMORY [note]"


def read_as(box, *arguments, **options):
    """Leaves of each message at a place only the word that tells rules from a configuration."""
    status, lines = check_verbatim(box, *arguments, **options)
    return status, [re.sub(r"(:\d+:\d+): .*?\b(action|trigger|rule|key)\b.*", r"\1 \2", line) for line in lines]


def test_kinds(tap, box):
    """A file that begins with a key is a configuration; any other is a rule file."""
    rule = "nxdomain zone a.example\n"
    one = note("f", "1 rule (1 nxdomain), 1 name")
    status, lines = check(box, "README.md", cwd=ROOT)
    tap.equal((status, len(lines), lines[1:], re.sub(r"\d+", "N", lines[0])), (1, 2, ["README.md: 1 error"],
              "README.md: this is not a rule file: N of its N lines begin with no action; use --names, --zones or --protected for a list, "
              "--rpz for a response policy zone"), "a text of another kind")
    cases = [
        (rule, [one]),
        ("\ufeff" + rule, [one]),
        ("\ufeff# first\r\n\r\n \t" + rule.strip(), [one]),
        ("# idn:\n" + rule, [one]),
        ('answer name x.example TXT "a:b"\n', [note("f", "1 rule (1 answer), 1 name")]),
        ("redirect 2001:db8::1 zone x.example\n", [note("f", "1 rule (1 redirect), 1 name")]),
        (rule + "idn:\n", ["f:2:1 action"]),
        ("nxdomain", ["f:1:9 trigger"]),
        ("", []),
        ("\ufeff", []),
        ("# nothing\n\n", []),
        ("idn:\n", []),
        ("\ufeff\r\n# x\r\n  idn:\r\n", []),
        ("log: text\n", ["f:1:1 key"]),
        ("log:text\nidn:\n", ["f:1:1 key"]),
        ("log zone a.example\n", [note("f", "1 rule (1 log), 1 name")]),
        ("server:\n", ["f:1:1 key", "f:1:1 key"]),
        ("idn\n", ["f:1:1 action"]),
        (": x\n", ["f:1:1 action", DOUBTFUL.format("f")]),
        ("::1 localhost\n", ["f:1:1 rule", DOUBTFUL.format("f")]),
        ("a.example\nb.example\n", ["f:1:1 action", "f:2:1 action", DOUBTFUL.format("f")]),
        ("$TTL 60\n", ["f:1:1 action", DOUBTFUL.format("f")]),
    ]
    for text, told in cases:
        box.write("f", text)
        tap.equal(read_as(box, "f"), (int(any(not line.endswith("]") for line in told)), told + [f"f: {summary(told)}"]), f"kind of {text!r}")
    box.write("f", rule)
    status, lines = read_as(box, environment={"UNBOUND_IDN_CONF": "f"})
    tap.equal((status, lines), (1, ["f:1:1 key", "f: 1 error"]), "the default is always a configuration")


def test_too_large(tap, box):
    """No configuration is so large: the message names the limit of rule files."""
    box.write("large", "nxdomain zone a.example\n")
    os.truncate(box.folder / "large", (1 << 26) + 1)
    said = "large: larger than 64 MiB: expected a smaller file"
    tap.equal(check(box, "large"), (1, [said, "large: 1 error"]), "check of a rule file that is too large")
    for arguments in ["explain", "--policy", "large", "a.example"], ["rpz", "--origin", "x", "large"]:
        done = subprocess.run([box.command.path, *arguments], cwd=box.folder, capture_output=True, check=False)
        tap.equal((done.returncode, done.stderr.decode()), (2, said + "\n"), f"{arguments[0]} of a rule file that is too large")


def test_summaries(tap, box):
    """Rules by action, names, memory."""
    box.write("every",
              "log zone a.example tag=x\nnxdomain name a.example\nnxdomain zone b.example\npassthru name c.example\nnodata name d.example type=A\n"
              "refuse name e.example\ndrop name f.example\nredirect 192.0.2.1 name g.example\ncname w.example name h.example\n"
              "answer name i.example A 192.0.2.1\nanswer name i.example A 192.0.2.2\ntcp-only name *.j.example\nrpz rpz.zone\n")
    box.write("rpz.zone", ZONE.replace("com CNAME .\n", "").replace("8.0.0.0.10.rpz-client-ip CNAME .\n", ""))
    actions = "1 rpz, 1 passthru, 2 nxdomain, 1 nodata, 1 refuse, 1 drop, 1 redirect, 1 cname, 2 answer, 1 tcp-only, 1 log"
    status, lines = check(box, "every")
    tap.equal((status, lines), (0, [note("every", f"13 rules ({actions}), 12 names"), "every: fine"]), "a summary of every action")
    box.write("warned", "nxdomain zone straße.example\nnxdomain zone a.example\ndrop name a.example\nrefuse zone a.example\n")
    status, lines = check(box, "warned")
    tap.equal((status, lines[0], lines[-1]),
              (0, "warned:1:19 [warning]", f"warned: {summary(lines[:-1])}"),
              "warnings are no failure, and name the other spelling")
    tap.equal([re.match(r"\w+:\d+:\d+", line)[0] for line in lines if line.endswith("[warning]")], ["warned:1:19", "warned:4:1"], "a rule that can never decide")
    tap.equal(check(box, "warned", "every", "none")[1][-3:], ["every: fine", "none: No such file or directory", "none: 1 error"],
              "several files, each by itself")
    box.write("-", "drop name a.example\n")
    tap.equal(check(box, "-"), (0, [note("-", "1 rule (1 drop), 1 name"), "-: fine"]), "a rule file named -")
    os.mkfifo(box.folder / "fifo")
    (box.folder / "folder").mkdir()
    for name, why in [("fifo", "not a regular file"), ("folder", "Is a directory"), ("/dev/stdin", "not a regular file"),
                      ("", "No such file or directory")]:
        tap.equal(check(box, name), (1, [f"{name}: {why}", f"{name}: 1 error"]), f"no file to read: {name!r}")


def test_lists(tap, box):
    """Bad lines inside a list are reported, but do not fail; a list without any entry in force does."""
    told = [line.format("BOX/list") for line in LIST_TOLD]
    box.write("list", LIST)
    box.write("empty", "")
    box.write("page", "<html>\n")
    box.write("bad", "a/b\n")
    for rules, wanted, names in [("nxdomain names BOX/list", told, 3), ("nxdomain names BOX/list suffixes=yes", told[::2], 4),
                                 ("nxdomain names BOX/empty", [], 0)]:
        box.write("r", rules + "\n")
        status, lines = check(box, "r")
        inside = sum(not line.endswith("]") for line in wanted)
        counted = lines[-1].removeprefix("r: ")
        tap.equal((status, [line for line in lines if line in wanted], lines[-2]),
                  (0, wanted, note("r", f"1 rule (1 nxdomain), {names} name{'s' * (names != 1)}")),
                  f"{rules}: what is said")
        tap.equal(counted.endswith(f"{inside} error{'s' * (inside > 1)} inside lists") if inside else counted == "fine", True,
                  f"{rules}: last line {counted!r}")
    for path, wanted in [("none", ["r:1:16: 'none' cannot be read: No such file or directory: " + NOT_IN_FORCE]),
                         ("folder", ["r:1:16: 'folder' cannot be read: Is a directory: " + NOT_IN_FORCE]),
                         ("fifo", ["r:1:16: 'fifo' cannot be read: not a regular file: " + NOT_IN_FORCE]),
                         ("page", ["page:1:1", "r:1:16: 'page' is refused as a whole: " + NOT_IN_FORCE]),
                         ("bad", ["bad:1:1",
                                  "r:1:16: 'bad' has no valid line: " + NOT_IN_FORCE])]:
        box.write("r", f"nxdomain names {path}\nlog name a.example tag=t\n")
        status, lines = check(box, "r")
        tap.equal((status, lines[:-2]), (1, wanted), f"a list that is no good: {path}")
        tap.equal(lines[-2:], [note("r", "2 rules (1 nxdomain, 1 log), 1 name"),
                               "r: 1 error" + ", 1 error inside lists" * (path in ("page", "bad"))], f"… {path}: the rest is in force")
    if os.geteuid() != 0:  # whom nothing is denied; see as_daemon
        box.write("r", "nxdomain names locked\n")
        box.write("locked", "a.example\n")
        (box.folder / "locked").chmod(0)
        tap.equal(check(box, "r"), (1, ["r:1:16: 'locked' cannot be read: Permission denied: " + NOT_IN_FORCE,
                                        note("r", "1 rule (1 nxdomain), 0 names"), "r: 1 error"]), "a list that may not be read")
        (box.folder / "r").chmod(0)
        tap.equal(check(box, "r"), (1, ["r: Permission denied", "r: 1 error"]), "a rule file that may not be read")
        (box.folder / "r").chmod(0o644)
    box.write("sub/r", "nxdomain zones ../plain\n")
    box.write("plain", "a.example\r\n\r\n# c\r\nB.example.")
    tap.equal(check(box, "sub/r"), (0, [note("sub/r", "1 rule (1 nxdomain), 2 names"), "sub/r: fine"]), "a list is looked for beside the rule file")
    box.write("r", "nxdomain names none type=A\nnxdomain names list\n")
    tap.equal(check(box, "r"), (1, ["r:1:21", "r: 1 error"]),
              "after an error in a rule no list is read, as in the module")


def test_single_lists(tap, box):
    """A list by itself: here its bad lines are what was asked about."""
    told = [line.format("list") for line in LIST_TOLD]
    for option in "--names", "--zones":
        status, lines = check(box, option, "list")
        tap.equal((status, [line for line in lines if line in told], lines[-2:]),
                  (1, told, ["list: a list of names: 3 names, 1 bad, 1 skipped, 1 public suffix [note]", f"list: {summary(lines[:-1])}"]), f"{option}: what is said")
        tap.equal(box.run(option, "plain"), (0, ["plain: a list of names: 2 names, 0 bad, 0 skipped, 0 public suffixes [note]", "plain: fine"]),
                  f"{option}: a good list")
        tap.equal(box.run(option, "empty"), (0, ["empty: a list of names: 0 names, 0 bad, 0 skipped, 0 public suffixes [note]", "empty: fine"]),
                  f"{option}: an empty list")
        status, lines = check(box, option, "none", "fifo", "folder", "page", "plain")
        tap.equal((status, [line for line in lines if "note" not in line]),
                  (1, ["none: No such file or directory", "none: 1 error", "fifo: not a regular file", "fifo: 1 error",
                       "folder: Is a directory", "folder: 1 error",
                       "page:1:1", "page: 1 error", "plain: fine"]), f"{option}: no lists")
    for arguments in (["--names"], ["--zones"], ["--protected"], ["--names", "--zones", "list"], ["--names", "--protected", "list"], ["--rpz"], ["--rpz", "--zones", "list"],
                      ["--names", "--unbound-conf", "u.conf", "list"], ["--protected", "--unbound-conf", "u.conf", "list"]):
        status, lines = box.run(*arguments)
        tap.equal((status, len(lines)), (2, 1), f"usage: check {' '.join(arguments)}")


def test_single_zones(tap, box):
    box.write("zone", ZONE)
    status, lines = box.run("--rpz", "zone")
    tap.equal((status, [line.split(": ")[0] for line in lines[:-2]], lines[-2:]),
              (1, ["zone:5:1", "zone:4:1"], ["zone: a response policy zone: 1 name, 0 bad, 1 skipped, 1 public suffix [note]", f"zone: {summary(lines[:-1])}"]),
              "--rpz: what is said")
    box.write("zone", ZONE.split("com CNAME")[0])
    status, lines = check(box, "--rpz", "zone")
    tap.equal((status, lines[0], lines[-1]), (1, "zone:4:1", "zone: 1 error"), "--rpz: a trigger that does nothing")
    box.write("good", ZONE.split("8.0.0.0.10")[0])
    tap.equal(box.run("--rpz", "good"), (0, ["good: a response policy zone: 1 name, 0 bad, 0 skipped, 0 public suffixes [note]", "good: fine"]), "--rpz: a good zone")
    status, lines = box.run("--rpz", "plain", "none")
    tap.equal((status, lines[-1], any(line.startswith("plain:1:1: ") for line in lines)), (1, "none: 1 error", True), "--rpz: no zones")
    _, lines = box.run("--rpz", "--json", "zone")
    row = json.loads(lines[-1])
    tap.equal([row[key] for key in ("names", "bad", "skipped", "suffixes")], [1, 0, 1, 0], "--rpz --json: the summary")


def test_protected_names(tap, box):
    """Protected names and conditions, in rules, in a list that a rule names, and a list by itself."""
    box.write("list", PROTECTED)
    told = [line.format("list") for line in PROTECTED_TOLD]
    tap.equal(check(box, "--protected", "list"),
              (1, [*told, "list: a hosts file: 3 protected names, 1 bad, 1 skipped, 1 public suffix [note]", f"list: {summary(told)}"]), "--protected: what is said")
    tap.equal(box.run("--protected", "plain"), (0, ["plain: a list of names: 2 protected names, 0 bad, 0 skipped, 0 public suffixes [note]", "plain: fine"]),
              "--protected: a good list")
    tap.equal(box.run("--protected", "page")[0], 1, "--protected: no list")
    rules = "nxdomain lookalikes list\nlog lookalike a.example\nnxdomain zone b.example\nlog invalid\nlog script not-in Latn\n"
    box.write("r", rules)
    status, lines = check(box, "r")
    tap.equal((status, lines), (0, [*told, note("r", "5 rules (2 nxdomain, 3 log), 1 name, 4 protected names, 2 conditions"),
                                    "r: 1 warning, 2 errors inside lists"]), "a summary of protected names and conditions")
    _, lines = box.run("--json", "r")
    last = json.loads(lines[-1])
    tap.equal((last["names"], last["protected"], last["conditions"], list(last)[5:]),
              (1, 4, 2, ["rules", "names", "protected", "conditions", "memory"]), "… with --json")
    box.write("r", "log emoji\n")
    tap.equal(check(box, "r"), (0, [note("r", "1 rule (1 log), 0 names, 1 condition"), "r: fine"]), "… of a condition alone")
    # "example" is a label of its own in same top-level domains, and not compared in any.
    for options, short in (" tld=same", 2), ("", 3):
        box.write("r", f"log lookalikes list key=strict min=7{options}\nlog lookalikes none\n")
        short = f"list: {short} protected names without a compared label that is as long as min= says (by default 4 characters), so nothing can look like them [warning]"
        status, lines = check(box, "r")
        tap.equal((status, lines), (1, [*told, short, "r:2:16: 'none' cannot be read: No such file or directory: " + NOT_IN_FORCE,
                                        note("r", "2 rules (2 log), 0 names, 3 protected names"),
                                        "r: 1 error, 2 warnings, 2 errors inside lists"]), f"names that are too short, and a list that is missing:{options}")
    neighbours(tap, box)
    box.write("list", LIST)


def neighbours(tap, box):
    """The names of except= count as none of the policy, and their errors as those of any list."""
    box.write("list", "google.com\n")
    box.write("near", "gogle.com\n||goggle.com^\nno name\n")
    box.write("r", "log lookalikes list near=1 except=near\nlog lookalike apple.com except=none\n")
    tap.equal(check(box, "r"),
              (1, ["near:3:4",
                   "r:2:32: 'none' cannot be read: No such file or directory: " + NOT_IN_FORCE,
                   note("r", "2 rules (2 log), 0 names, 2 protected names"), "r: 1 error, 1 error inside lists"]), "except=: what is said")


def test_zones(tap, box):
    box.write("rpz.zone", ZONE)
    box.write("r", "rpz rpz.zone\n")
    tap.equal(check(box, "r"),
              (1, ["rpz.zone:5:1", "rpz.zone:4:1", f"r:1:5: 'rpz.zone' {DOES_NOTHING}",
                   note("r", "1 rule (1 rpz), 1 name"), "r: 1 error, 2 errors inside lists"]), "an RPZ zone that a rule names")
    box.write("r", "rpz rpz.zone skip=nsip\n")
    tap.equal(check(box, "r")[1][2], f"r:1:5: 'rpz.zone' {DOES_NOTHING.replace('=client-ip', '=client-ip,nsip')}", "… with another skip=")
    box.write("r", "rpz rpz.zone skip=client-ip,nsip\n")
    tap.equal(check(box, "r"), (0, ["rpz.zone:5:1", note("r", "1 rule (1 rpz), 1 name"), "r: 1 error inside lists"]),
              "… that says what may be skipped")
    box.write("r", "rpz rpz.zone\n")
    for text, first in ("nonsense", "rpz.zone:1"), ("a CNAME .\n", "rpz.zone:1"), ("", "rpz.zone"), (ZONE + "$INCLUDE x\n", "rpz.zone:"):
        box.write("rpz.zone", text)
        status, lines = check(box, "r")
        tap.equal((status, lines[-3], any(line.startswith(first) for line in lines)),
                  (1, "r:1:5: 'rpz.zone' is refused as a whole: " + NOT_IN_FORCE, True), f"an RPZ zone that is refused: {text[-20:]!r}")
    (box.folder / "rpz.zone").unlink()
    tap.equal(check(box, "r")[1], ["r:1:5: 'rpz.zone' cannot be read: No such file or directory: " + NOT_IN_FORCE,
                                   note("r", "1 rule (1 rpz), 0 names"), "r: 1 error"],
              "an RPZ zone that is missing")


def test_configurations(tap, box):
    """A configuration with rule files: as the module, it reads them as one."""
    box.write("one", "nxdomain zone a.example\n")
    box.write("two", "drop zone A.example\n")
    box.write("conf/idn.conf", "idn:\npolicy: ../one\npolicy: ../two\n")
    status, lines = check(box, "conf/idn.conf")
    tap.equal((status, lines[-2:]), (0, [note("conf/idn.conf", "2 rules (1 nxdomain, 1 drop), 1 name"), "conf/idn.conf: 1 warning"]),
              "rule files that a configuration names")
    tap.equal((lines[0].startswith("conf/../two:1:1: "), lines[0].endswith(" [warning]"), "line 1 of conf/../one already has" in lines[0]),
              (True, True, True), "… of which a later rule never decides")
    box.write("two", "drop zone\n")
    box.write("bad.conf", "idn:\npolicy: one\npolicy: two\npolicy: none\n")
    tap.equal(check(box, "bad.conf"), (1, ["two:1:10: zone needs a name after it", "none: No such file or directory",
                                           "bad.conf: 2 errors"]), "errors of every rule file")
    box.write("bad.conf", "idn:\npolicy: two\nnonsense: 1\n")
    tap.equal(check(box, "bad.conf"), (1, ["bad.conf:3:1", "bad.conf: 1 error"]),
              "after an error in a configuration no rule is read")
    box.write("bad.conf", "idn:\npolicy: idn.conf\n")
    tap.equal(check(box, "bad.conf"), (1, ["idn.conf:1:1", "bad.conf: 1 error"]), "a configuration as a rule file")


def test_as_json(tap, box):
    box.write("list", LIST)
    box.write("r", "log name ü.example tag=t\nnxdomain names list\nnxdomain names none\n")
    status, lines = box.run("--json", "r")
    rows = [json.loads(line) for line in lines]
    tap.equal((status, [(row["file"], row["line"], row["column"], row["severity"]) for row in rows
                        if row["file"] != "list" or row["severity"] == "error"]),
              (1, [("list", 3, 5, "error"), ("list", 5, 1, "error"), ("r", 3, 16, "error"), ("r", 0, 0, "note")]), "--json: places and severities")
    tap.equal([list(row) for row in rows[:-1]], [["file", "line", "column", "severity", "message"]] * (len(rows) - 1), "--json: members")
    last = rows[-1]
    tap.equal((last["rules"], last["names"], last["memory"] > 0, list(last)[5:]),
              ({"nxdomain": 2, "log": 1}, 4, True, ["rules", "names", "protected", "conditions", "memory"]), "--json: the summary")
    _, lines = box.run("--json", "empty", "--names", "list")
    wanted = [{"syntax": "domains", "names": 0, "exemptions": 0, "bad": 0, "skipped": 0, "suffixes": 0},
              {"syntax": "domains", "names": 3, "exemptions": 0, "bad": 1, "skipped": 1, "suffixes": 1}]
    tap.equal([{name: row[name] for name in list(row)[5:]} for row in map(json.loads, lines) if row["severity"] == "note"], wanted,
              "--json --names: the summary")
    box.write("f", "")
    tap.equal(box.run("--json", "f"), (0, []), "--json: nothing to say of an empty file")
    box.write("f", "# rules\nnxdomain zone a.example\n" + "x\n" * 3)
    tap.equal([json.loads(line)["line"] for line in box.run("--json", "f")[1]], [3, 4, 5], "--json: no summary where the module would refuse")


def test_million(tap, box):
    box.write("million", "".join(f"n{i}.x{i % 1000}.example\n" for i in range(1000000)))
    box.write("r", "nxdomain zones million\n")
    tap.equal(check(box, "r"), (0, [note("r", "1 rule (1 nxdomain), 1000000 names"), "r: fine"]), "a list of a million names")
    tap.equal(box.run("--zones", "million")[1][0], "million: a list of names: 1000000 names, 0 bad, 0 skipped, 0 public suffixes [note]", "… by itself")
    box.write("million", "two names\n" * 1000000)
    status, lines = box.run("--zones", "million")
    tap.equal((status, lines[20:]), (1, ["million: 1000000 bad entries in all, left out: the first 20 are listed above",
                                         "million: a list of names: 0 names, 1000000 bad, 0 skipped, 0 public suffixes [note]", "million: 21 errors"]), "a million bad lines")
    (box.folder / "million").unlink()


def test_hostile(tap, box):
    """A terminal shows text, and the command terminates, for any file."""
    image = (box.folder / "unbound").read_bytes()
    for name, octets in [("program", image[:20000]), ("utf-16", "nxdomain zone a\n".encode("utf-16")), ("nul", b"nxdomain zone a\0b\n"),
                         ("escape", b"nxdomain zone \x1b[31m\xc2\x9b\xe2\x80\xae.example\n"), ("octets", bytes(range(256)) * 8),
                         ("line", b"a" * 100000)]:
        (box.folder / "h").write_bytes(octets)
        for arguments in ["h"], ["--names", "h"], ["--json", "h"]:
            status, lines = box.run(*arguments)
            strange = [line for line in lines if not line.isprintable()]
            tap.equal((status, strange), (1, []), f"check {' '.join(arguments)}: {name}")
        box.write("r", "rpz h\nnxdomain names h\n")
        status, lines = box.run("r")
        tap.equal((status, [line for line in lines if not line.isprintable()]), (1, []), f"as a zone and a list: {name}")
    name = "r\x1b[31m\u202e"
    box.write(name, "drop zone\n")
    tap.equal(box.run(name)[1], ["r\\u{1B}[31m\\u{202E}:1:10: zone needs a name after it", "r\\u{1B}[31m\\u{202E}: 1 error"], "a hostile file name")


def with_policy(conf=CONF):
    return conf.replace("BOX/idn.conf", "BOX/policy.conf")


def test_orders(tap, box):
    """The module refuses a policy in an order of modules that would cache its answers."""
    box.write("policy.conf", "idn:\npolicy: rules\n")
    box.write("rules", "nxdomain zone a.example\nnxdomain names plain\n")
    before = 'u.conf: "{}": {} is before dynlib and would cache what {} policy answers: put dynlib first'
    for order, word in [("dynlib validator iterator", None), ("python dynlib validator iterator", None),
                        ("validator dynlib iterator", "validator"), ("subnetcache dynlib iterator", "subnetcache")]:
        told = [before.format(order, word, "the")] if word else []
        status, lines = box.resolver(with_policy().replace("dynlib validator iterator", order))
        tap.equal((status, [line for line in lines if "put dynlib first" in line]), (int(bool(word)), told), f"a policy, and module-config {order}")
        status, lines = box.resolver(CONF.replace("dynlib validator iterator", order))
        told = [before.format(order, word, "a") + " [warning]"] if word else []
        tap.equal((status, [line for line in lines if "put dynlib first" in line]), (0, told), f"no policy, and module-config {order}")


def test_as_daemon(tap, box):
    """The policy is read as the daemon's user, which may read less than we do."""
    other = "nobody" if os.geteuid() == 0 else "root"
    box.folder.chmod(0o711)
    conf = with_policy().replace('username: ""', f'username: "{other}"')
    read_as = [f"BOX/policy.conf: read as user '{other}' [note]"]
    read = note("BOX/policy.conf", "2 rules (2 nxdomain), 3 names")
    status, lines = box.resolver(with_policy())
    about = [line for line in without_memory(lines) if "u.conf" not in line]
    tap.equal((status, about), (0, [read, "BOX/policy.conf: fine"]), "a resolver's policy")
    box.write("rules", "nxdomain zone\n")
    status, lines = box.resolver(with_policy())
    tap.equal((status, [line for line in lines if "note" not in line]),
              (1, ["BOX/rules:1:14: zone needs a name after it", "BOX/policy.conf: 1 error",
                   "u.conf: fine"]), "a resolver whose rules have an error")
    box.write("rules", "nxdomain zone a.example\nnxdomain names plain\n")
    if not can_become(other):
        _, lines = box.resolver(conf)
        tap.equal([line for line in without_memory(lines) if "u.conf" not in line], [read, "BOX/policy.conf: fine"],
                  f"a policy for {other}, read by us")
        return
    may_write = f"the user this runs as (uid {pwd.getpwnam(other).pw_uid}) may write to {{}}: only the administrator should be able to [warning]"
    denied = "BOX/rules: Permission denied"
    lost = "BOX/rules:2:16: 'BOX/plain' cannot be read: Permission denied: " + NOT_IN_FORCE
    fewer = note("BOX/policy.conf", "2 rules (2 nxdomain), 1 name")
    for path, mode, told in [("rules", 0o644, [read, "BOX/policy.conf: fine"]),
                             ("rules", 0o600, [denied, "BOX/policy.conf: 0 rules in force: with this error, the resolver starts without rules [note]", "BOX/policy.conf: 1 error"]),
                             ("plain", 0o600, [lost, fewer, "BOX/policy.conf: 1 error"]),
                             ("rules", 0o666,
                              [read, "BOX/rules: everyone may write to this file: only the administrator should be able to [warning]",
                               "BOX/policy.conf: 1 warning"])]:
        (box.folder / path).chmod(mode)
        status, lines = box.resolver(conf)
        told = read_as + told
        tap.equal((status, [line for line in without_memory(lines) if "u.conf" not in line]), (int("error" in told[-1]), told),
                  f"{path} with mode {mode:o}, for {other}")
        (box.folder / path).chmod(0o644)
    shutil.chown(box.folder / "rules", other)
    tap.equal([line for line in box.resolver(conf)[1] if line.endswith("[warning]")], ["BOX/rules: " + may_write.format("this file")],
              f"a rule file that belongs to {other}")
    shutil.chown(box.folder / "rules", os.geteuid())
    tap.equal(box.resolver(conf, "--user", "")[0], 0, "no user: nothing is given up")


def test_in_chroot(tap, box):
    box.write("root/etc/policy.conf", "idn:\npolicy: rules\n")
    box.write("root/etc/rules", "nxdomain zone a.example\nnxdomain names /etc/list\nnxdomain names none\n")
    box.write("root/etc/list", "a.example\nb c\n")
    shutil.copy(box.folder / "idn.so", box.folder / "root/etc/idn.so")
    conf = with_policy().replace('chroot: ""', 'chroot: "BOX/root/"')
    conf = conf.replace("BOX/idn.so", "/etc/idn.so").replace("BOX/policy.conf", "/etc/policy.conf")
    name = "BOX/root/etc/policy.conf"
    told = ["BOX/root/etc/list:2:3",
            "BOX/root/etc/rules:3:16: '/etc/none' cannot be read: No such file or directory: " + NOT_IN_FORCE,
            note(name, "3 rules (3 nxdomain), 2 names"), name + ": 1 error, 1 error inside lists"]
    if os.geteuid() != 0:
        told = [f"{name}: its rule files, which are inside the chroot, were not read: only root can check this [note]", f"{name}: fine"]
    elif not can_become("nobody"):
        return
    status, lines = box.resolver(conf)
    tap.equal((status, [line for line in placed(without_memory(lines)) if "u.conf" not in line]), (int(os.geteuid() == 0), told), "a policy inside a chroot")
    _, lines = box.resolver(conf, "--json")
    rows = [json.loads(line) for line in lines]
    wanted = {"BOX/root/etc/list", "BOX/root/etc/rules"} if os.geteuid() == 0 else set()
    tap.equal({row["file"] for row in rows if row["severity"] == "error"}, wanted, "… with --json")


def test_samples(tap, box):
    """Every message of a rule file at its place: those of tests/samples, and what good rules give."""
    for title, _, octets, wanted in samples.read(samples.FOLDER / "rules.samples"):
        (box.folder / "f").write_bytes(octets)
        status, lines = check_verbatim(box, "f")
        told = [line for line in lines[:-1] if not line.endswith("[note]")]
        tap.equal((status, told, lines[-1]), (1, wanted, f"f: {summary(told)}"), f"check rules: {title}")
    for path in sorted((ROOT / "tests/rules").iterdir()):
        name = f"tests/rules/{path.name}"
        status, lines = check_verbatim(box, name, cwd=ROOT)
        told = [line for line in lines[:-1] if not line.endswith("]")]
        lost = [line for line in told if NO_FILE in line]  # of the lists that it names
        tap.equal((status, told, lines[-1]), (int(bool(lost)), lost, f"{name}: {summary([line for line in lines[:-1] if not line.endswith('[note]')])}"),
                  f"check {name}")
    status, lines = check_verbatim(box, "conf/idn-policy.conf", cwd=ROOT)
    tap.equal((status, lines[-2:]), (0, [lines[-2], "conf/idn-policy.conf: fine"]), "check conf/idn-policy.conf")


def test_sample_lists(tap, box):
    """Every message of a list at its place."""
    for kind, option in samples.OPTIONS.items():
        for title, _, octets, wanted in samples.read(samples.FOLDER / f"{kind}.samples"):
            (box.folder / "f").write_bytes(octets)
            status, lines = box.run(*option, "f")
            told = [line for line in lines[:-1] if not line.endswith("[note]")]
            bad = any(not line.endswith("]") for line in wanted)
            tap.equal((status, told, lines[-1]), (int(bad), wanted, f"f: {summary(wanted)}"), f"check --{kind}: {title}")
