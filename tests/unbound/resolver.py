# SPDX-License-Identifier: BSD-3-Clause
"""A running Unbound as tests see it: its clients, the module's log, reloads, metrics."""

import collections
import contextlib
import os
import re
import signal
import subprocess
import threading

import dns.edns
import dns.flags
import dnsname
import jsonline
import logline
from daemon import TIMEOUT, FileOutput
from metrics import Metrics
from question import Question, Tcp, Udp, exchange

# Messages of Unbound itself at level info. Every other line at that level must be the module's.
UNBOUNDS_OWN = re.compile(
    r"(start of service|service stopped|server stats for|average recursion|histogram of|\[25%\]=|lower\(secs\)|  +\d"
    r"|generate keytag|validation failure|failed to prime trust anchor|idn: |policy: )"
)


def tail(text, lines=60):
    return "\n".join(text.splitlines()[-lines:])


def log_target(idn, folder, daemon):
    """Where the module writes by its configuration. Paths below the daemon's folder are written as log/NAME."""
    match = re.search(r"^log-to: *\"?([^\"\s]+)", idn or "", re.MULTILINE)
    target = match.group(1) if match else "unbound"
    if target in ("unbound", "/dev/stderr"):
        return daemon.stderr
    return daemon.stdout if target == "/dev/stdout" else FileOutput(folder / target)


class Log:
    """The module's lines in a daemon's log, parsed."""

    def __init__(self, target, is_json=False):
        self.target = target
        self.is_json = is_json

    def lines(self):
        """All lines so far; one that is neither Unbound's nor the module's is an error, and so is half a line."""
        text = self.target.octets.decode("utf-8", "strict")
        if text and not text.endswith("\n"):
            raise logline.GrammarError(f"the last line has no end: {text[-80:]!r}")
        return [entry for entry in map(self._line, text.split("\n")[:-1]) if entry]

    def _line(self, line):
        prefix = logline.UNBOUND_PREFIX.match(line) or logline.FILE_PREFIX.match(line)
        if not prefix and not (self.is_json and line.startswith("{")):
            raise logline.GrammarError(f"a line that begins with neither Unbound's prefix nor a time: {line!r}")
        rest = line[prefix.end():] if prefix else line
        if prefix and prefix.re is logline.UNBOUND_PREFIX and (prefix.group(4) != "info" or UNBOUNDS_OWN.match(rest)):
            return None
        entry = jsonline.parse(rest) if self.is_json else logline.parse(rest)
        entry.stamp = prefix.group() if prefix else ""
        return entry

    def wait(self, name, count, timeout=TIMEOUT):
        """The first `count` lines whose name column is `name`, as soon as they are there."""
        key = jsonline.needle(name) if self.is_json else f" {name} ".encode()

        def found(octets):
            if octets.count(key) < count:
                return None
            whole = octets[: octets.rfind(b"\n") + 1]
            entries = [self._line(line.decode()) for line in whole.split(b"\n") if key in line]
            entries = [entry for entry in entries if entry and entry.name == name]
            return entries if len(entries) >= count else None

        entries = self.target.wait(found, timeout)
        if not entries:
            raise AssertionError(f"no line number {count} for {name} in the log")
        return entries


def is_withheld(reply):
    """Returns whether the gate withheld this reply. Unbound sets AA beside TC, since it takes the reply for one with a
    local alias that does not fit; a long answer of the policy's own is truncated without AA."""
    return reply.has(dns.flags.TC) and reply.has(dns.flags.AA)


def differences(reply, line):
    """Returns what a line says wrong of the flags and the extended error that the client got. TC that Unbound set for want
    of room is not in the line."""
    flags, (code, text) = reply.flag_words, reply.ede
    if "tc" in flags and "tc" not in line.flags:
        flags.remove("tc")
    if line.flags != flags:
        yield f"{line.name}: flags {line.flags}, not {flags}"
    if line.ede != (code, text and logline.ede_text(text)):
        yield f"{line.name}: extended error {line.ede}, not {code, text}"


class Resolver:
    """A running Unbound, its clients and its log."""

    knows_messages = True  # its lines have the flags and the extended error of what was sent

    def __init__(self, daemon, folder, port, target, is_json, control):
        self.daemon = daemon
        self.folder = folder
        self.port = port
        self.control_command = control
        self.log = Log(target, is_json)
        self.observe = None  # called with each answer and its line
        self.wrong = []  # what lines say of flags and extended errors that is not so
        self.answers = collections.Counter()  # by name column: answers that must have a line each
        self.lock = threading.Lock()

    def address(self, ipv6=False):
        return ("::1" if ipv6 else "127.0.0.1", self.port)

    def answered(self, question, name=None):
        """Counts an answer that must have a line; returns how many there are for its name."""
        name = name or dnsname.column(question.labels)
        with self.lock:
            self.answers[name] += 1
            return self.answers[name]

    def answered_many(self, name, number):
        with self.lock:
            self.answers[name] += number

    def exchange(self, question, transport=Udp, source=None, ipv6=False, name=None):
        reply = self._ask(question, transport, source, ipv6, name)
        self.answered(question, name)
        return reply

    def _ask(self, question, transport, source, ipv6, name):
        """Asks again if the gate withheld the reply, over TCP if it was UDP. Such a reply must have no records. Over UDP that
        of tcp-only, which has no extended error, is the policy's answer."""
        reply = exchange(self.address(ipv6), question, transport, source)
        has_error = any(option.otype == dns.edns.EDE for option in reply.message.options)
        if not is_withheld(reply) or (transport is Udp and not has_error):
            return reply
        message = reply.message
        assert not (message.answer or message.authority or message.additional), f"withheld, with records: {message}"
        self.answered(question, name)
        return exchange(self.address(ipv6), question, Tcp if transport is Udp else transport, source)

    def logged(self, question: Question, transport=Udp, source=None, ipv6=False, name=None):
        """Asks, and returns the answer with the line it got. `name` is what the name column will show, if not the
        name asked."""
        reply = self._ask(question, transport, source, ipv6, name)
        number = self.answered(question, name)
        line = self.log.wait(name or dnsname.column(question.labels), number)[number - 1]
        if self.knows_messages:
            self.wrong += differences(reply, line)
        if self.observe:
            self.observe(reply, line)
        return reply, line

    def check_lines(self, tap):
        """After the daemon has stopped: every line obeys the grammar, and there are as many of each name as answers."""
        try:
            lines = self.log.lines()
        except (logline.GrammarError, UnicodeDecodeError) as error:
            tap.ok(False, "every line of the log obeys the grammar", error)
            return
        counts = collections.Counter(entry.name for entry in lines)
        wrong = {n: (counts[n], self.answers[n]) for n in {*counts, *self.answers} if counts[n] != self.answers[n]}
        tap.equal(self.wrong, [], "each line has the flags and the extended error of its answer")
        tap.ok(not wrong, "exactly one line per answer", f"name: (lines, answers): {wrong}")

    # ---- what the daemon does and has --------------------------------------------------------------------------

    def control(self, *command, text=None):
        """unbound-control's exit status and what it printed; `text` is its standard input."""
        done = subprocess.run([self.control_command, "-c", self.folder / "unbound.conf", *command], timeout=TIMEOUT,
                              capture_output=True, text=True, input=text)
        return done.returncode, done.stdout + done.stderr

    def cached(self, name):
        """The message cache's entries for a name, as dump_cache has them."""
        status, text = self.control("dump_cache")
        assert status == 0, text
        start = f"msg {dnsname.column(dnsname.parse(name))} "
        return [line for line in text.splitlines() if line.lower().startswith(start)]

    def reload(self, kind):
        """By SIGHUP, or by unbound-control's reload or reload_keep_cache; returns when the service is there again."""
        starts = self.daemon.stderr.octets.count(b"start of service")
        if kind == "SIGHUP":
            self.daemon.process.send_signal(signal.SIGHUP)
        else:
            status, text = self.control(kind)
            assert status == 0, text
        back = self.daemon.stderr.wait(lambda octets: octets.count(b"start of service") > starts)
        assert back, f"{kind}: no new start of service"

    def wait_threads(self):
        """Until every thread of the daemon serves: each of them has to answer for its statistics."""
        status, text = self.control("stats_noreset")
        assert status == 0, text

    def metrics(self):
        """The file log/idn.prom."""
        return Metrics((self.folder / "log/idn.prom").read_text())

    def count_threads(self):
        return len(os.listdir(f"/proc/{self.daemon.pid}/task"))

    def open_files(self):
        """The targets of the daemon's descriptors, sorted, without the numbers of sockets and pipes."""
        folder = f"/proc/{self.daemon.pid}/fd"
        files = []
        for fd in os.listdir(folder):
            with contextlib.suppress(FileNotFoundError):  # closed since the folder was read
                files.append(re.sub(r"\d+", "N", os.readlink(f"{folder}/{fd}")))
        return sorted(files)

    def errors(self):
        """Lines that the module wrote to Unbound's log about itself."""
        return re.findall(r" (?:error|warning): idn: (.*)", self.daemon.log())
