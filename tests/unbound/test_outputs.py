# SPDX-License-Identifier: BSD-3-Clause
"""Log injection, from end to end: strangers choose names and where aliases lead, and whatever a daemon and the command make
of that is read by those who read such things: a terminal, syslog, Python's json and csv. Pages and filtered logs:
tests/command/test_report.py and test_filter.py."""

import collections
import csv
import json
import os
import re
import socket
import subprocess
import threading

import dnsname
import logline
from daemon import free_port
from metrics import Metrics
from question import ask, exchange
from rulefile import rules
from test_names import VECTORS, WILD

# Text that acts on a program or person that shows, splits, evaluates or formats it.
RAW = [b"\x1b[31mred", b"\x1b]0;title\x07", b"\x9b31m", b"a\nb", b"a\r\nb", b"a\x00b", b"\x08\x08\x7f", b"\x85", b"\xe2\x80\xa8\xe2\x80\xae",
       b"\nnot 192.0.2.1 fake.example. A IN NOERROR 0.000001 0 -", b'" policy=passthru rule=x:1 u="', b"a b\tc", b'a"b,c;d', b"=1+1", b"@SUM(1)",
       b"+1", b"-1", b"=HYPERLINK(\"http://x\",\"y\")", b"<script>alert(1)</script>", b"\"><img src=x onerror=alert(1)>", b"</td></table><!--",
       b"&lt;b&gt;", b"${jndi:ldap://x/y}", b"%s%n%x", b"$(id)`id`;|id", b"\\u001b\\n\\", b"{\"a\":1}", b"'--", bytes(range(1, 33)), bytes(range(0x7F, 0xA1))]
COLORS = re.compile(rb"\x1b\[(?:1;31|1;35|0)m")  # those of tools/text/color.c
LABELS = [row["a_label"].encode() for row in VECTORS] + RAW
RULES = "log names hostile.list tag=hostile\nlog zone wild.example\nlog invalid\nlog lookalike paypal.example\n" \
    "log script not-in Latn\n"
ALIASES = [label for label in LABELS if label.startswith(b"xn--") and label.replace(b"-", b"").isalnum() and len(label) <= 57]
LISTED = "".join(f"{label.decode()}.slow.example\n" for label in ALIASES)


def questions():
    """Each label in a name, and as the target of an alias that a stranger's server gives."""
    return [ask((label, *WILD)) for label in LABELS] + [ask((b"alias-" + label, b"slow", b"example")) for label in ALIASES]


def ask_all(resolver):
    for question in questions():
        resolver.exchange(question)


def clean(tap, octets, what):
    """Nothing that acts, and lines that are ended by line feeds alone."""
    tap.equal(logline.forbidden_in_log(octets), [], f"{what}: nothing that a terminal or a reader acts on")
    text = octets.decode("utf-8", "replace")
    tap.equal(text.splitlines(), text.split("\n")[:-1], f"{what}: Python splits it where a line feed is")


def lines_of(resolver, tap, what, is_line):
    octets = resolver.log.target.octets
    clean(tap, octets, what)
    lines = [line for line in octets.decode().split("\n") if is_line(line)]
    tap.equal(len(lines), len(questions()), f"{what}: one line a reply")
    return lines


def command(world, *arguments, stdin=b""):
    done = subprocess.run([world.command, *arguments], input=stdin, capture_output=True, timeout=300, check=False)
    return done.returncode, done.stdout, done.stderr


def hostile_rules(folder):
    rules(RULES, hostile_list=LISTED)(folder)


# ---- the log ---------------------------------------------------------------------------------------------------------------


def test_text(world, tap):
    """The text line, what reads it, and the metrics."""
    idn = "policy: rules.conf\nmetrics-file: log/idn.prom\nmetrics-interval: 1\nlog-to: log/idn.log"
    with world.resolver(tap, idn, prepare=hostile_rules) as resolver:
        ask_all(resolver)
    lines = lines_of(resolver, tap, "text", bool)
    tap.ok(sum(" target=" in line for line in lines) >= len(ALIASES), "targets are in it", len(lines))
    names = collections.Counter(dnsname.column(question.labels) for question in questions())
    for delimiter in " ", ",", ";", "\t":
        rows = list(csv.reader(lines, delimiter=delimiter))
        tap.equal(len(rows), len(lines), f"csv, by {delimiter!r}: a row a line")
    rows = list(csv.reader(lines, delimiter=" "))
    tap.equal([row[:9] for row in rows], [line.split(" ")[:9] for line in lines], "csv: the columns are those of the line")
    tap.equal(collections.Counter(row[2] for row in rows), names, "csv: the third is the name")
    tap.equal({(row[1], row[3], row[4], row[8]) for row in rows}, {("127.0.0.1", "A", "IN", "-")}, "csv: nothing has moved the others")
    text = (resolver.folder / "log/idn.prom").read_bytes()
    clean(tap, text, "metrics")
    tap.equal(Metrics(text.decode()).replies, len(lines), "metrics: read strictly")


def test_json(world, tap):
    with world.resolver(tap, "log: json\npolicy: rules.conf\nlog-to: log/idn.log", prepare=hostile_rules) as resolver:
        ask_all(resolver)
    lines = lines_of(resolver, tap, "JSON", bool)
    parsed = [json.loads(line, object_pairs_hook=no_key_twice) for line in lines]
    tap.equal(collections.Counter(entry["dns.question.name"] + "." for entry in parsed),
              collections.Counter(dnsname.column(question.labels) for question in questions()), "JSON: the names")
    shown = [value for entry in parsed for value in strings(entry)]
    tap.equal(sorted({value for value in shown if any(logline.forbidden(c) for c in value)}), [], "JSON: nor in what a parser makes of it")


def no_key_twice(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), pairs
    return dict(pairs)


def strings(value):
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return [text for part in value for text in strings(part)]
    return [value] if isinstance(value, str) else []


# In a mount namespace of its own its /dev is a folder of ours, where syslog() finds our socket.
OWN_DEV = ("unshare", "--mount", "sh", "-c", 'for name in null zero urandom random; do mount --bind /dev/$name "$1/$name" || exit 1; done; '
           'mount --bind "$1" /dev || exit 1; shift; exec "$@"', "sh")


class Syslog:
    """/dev/log, and what came to it."""

    def __init__(self, folder):
        folder.mkdir()
        for name in "null", "zero", "urandom", "random":
            (folder / name).touch()
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(folder / "log"))
        (folder / "log").chmod(0o666)
        self.messages, self.condition = [], threading.Condition()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        while True:
            message = self.socket.recv(65536)
            with self.condition:
                self.messages.append(message)
                self.condition.notify_all()

    def wait(self, text, count=1):
        with self.condition:
            self.condition.wait_for(lambda: sum(text in message for message in self.messages) >= count, 30)
            return [message for message in self.messages if text in message]


def test_syslog(world, tap):
    """Unbound's own log may go to syslog: a message a reply, and nothing in it that ends a line."""
    for log in "text", "json":
        folder = world.new_folder("syslog")
        port = free_port()
        world.configure(folder, port, f"log: {log}\npolicy: rules.conf", world.module, 1, "validator iterator", "use-syslog: yes", "")
        hostile_rules(folder)
        syslog = Syslog(folder / "dev")
        probe = subprocess.run([*OWN_DEV, folder / "dev", "true"], capture_output=True, check=False)
        if probe.returncode != 0:
            tap.skip("syslog", "no /dev of its own can be mounted here")
            return
        daemon = world.start(folder, around=(*OWN_DEV, folder / "dev"))
        tap.ok(syslog.wait(b"start of service"), f"syslog, {log}: it starts", daemon.log())
        for question in questions():
            exchange(("127.0.0.1", port), question)
        replies = syslog.wait(b" NOERROR " if log == "text" else b'"dns.response_code":"NOERROR"', len(questions()))
        tap.equal(daemon.stop(), 0, f"syslog, {log}: it stops")
        tap.equal(len(replies), len(questions()), f"syslog, {log}: a message a reply")
        for message in replies:
            octets = message.rstrip(b"\0")
            if logline.forbidden_in_log(octets) or b"\n" in octets:
                tap.ok(False, f"syslog, {log}: nothing in a message that acts", octets)
        if log == "json":
            tap.equal(len([json.loads(m[m.index(b"{"):].rstrip(b"\0")) for m in replies]), len(replies), "syslog: JSON is whole")


# ---- what the command makes of it --------------------------------------------------------------------------------------------


def on_terminal(arguments, stdin):
    """The command's output to a terminal; None if there is no terminal."""
    try:
        ours, its = os.openpty()
    except OSError:
        return None
    with open(ours, "rb", buffering=0) as screen:
        process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=its, stderr=its)
        os.close(its)
        threading.Thread(target=lambda: (process.stdin.write(stdin), process.stdin.close()), daemon=True).start()
        octets = b""
        try:
            while part := screen.read(65536):
                octets += part
        except OSError:  # the terminal's end of file
            pass
        process.wait(60)
    return octets.replace(b"\r\n", b"\n")


def test_command(world, tap):
    """explain, decode, check and rpz, into a pipe and on a terminal, given the same names as a file or as arguments."""
    folder = world.new_folder("command")
    hostile_rules(folder)
    names = b"".join(dnsname.column((label, *WILD)).encode() + b"\n" for label in LABELS)
    (folder / "raw.list").write_bytes(b"".join(label.replace(b"\n", b"") + b"\n" for label in LABELS))
    (folder / "raw.conf").write_bytes(b"".join(b"nxdomain zone " + label.replace(b"\n", b"") + b"\n" for label in LABELS))
    runs = [(["explain"], names), (["explain", "--json"], names), (["explain", "--policy", folder / "rules.conf"], names), (["decode"], names),
            (["decode", "--json"], names), (["encode"], names), (["filter"], names), (["check", folder / "raw.conf"], b""),
            (["check", "--json", folder / "raw.conf"], b""), (["check", "--names", folder / "raw.list"], b""),
            (["check", folder / "rules.conf"], b""), (["rpz", "--origin", "rpz.example", folder / "raw.conf"], b""),
            (["rpz", "--origin", "rpz.example", "--ignore-unsupported", folder / "rules.conf"], b"")]
    for arguments, stdin in runs:
        what = " ".join(map(str, arguments)).replace(str(folder) + "/", "")
        status, out, errors = command(world, *arguments, stdin=stdin)
        tap.ok(status in (0, 1, 2) and out + errors, f"{what}: it ends, and says something", (status, out, errors))
        clean(tap, out, what)
        clean(tap, errors, f"{what}: what is said")
        screen = on_terminal(["env", "NO_COLOR=1", world.command, *arguments], stdin)
        if screen is None:
            tap.skip(f"{what}: on a terminal", "no terminal can be opened here")
            continue
        clean(tap, screen, f"{what}: on a terminal")
        colored = on_terminal(["env", "-u", "NO_COLOR", "TERM=xterm", world.command, *arguments], stdin)
        if arguments[0] in ("explain", "check"):  # what else there is on a terminal has no color
            tap.equal(COLORS.sub(b"", colored), screen, f"{what}: in color, it says the same")
        else:
            clean(tap, colored, f"{what}: on a terminal that could show colors")
