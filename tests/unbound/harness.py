# SPDX-License-Identifier: BSD-3-Clause
"""The world the tests live in: a signed zone on NSD, a small server for what NSD cannot do, and as many Unbounds as a
test wants."""

import collections
import os
import re
import shutil
import socket
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import dnsname
import logline
from daemon import TIMEOUT, Daemon, DaemonError, FileOutput, free_port, has_ipv6, nsd
from question import Question, Udp, exchange
from upstream import Upstream

BOGUS = ("mangled.example.", "xn--flschung-0za.example.")  # their address is altered after signing

SERVER = """\
server:
    directory: "{folder}"
    chroot: ""
    username: "{user}"
    pidfile: ""
    use-syslog: no
    logfile: ""
    verbosity: 1
    port: {port}
    interface: 127.0.0.1
{ipv6}    num-threads: {threads}
    outgoing-interface: 127.0.0.1
    do-not-query-localhost: no
    module-config: "{modules}"
    trust-anchor-file: "example.anchor"
    trust-anchor-signaling: no
    domain-insecure: "slow.example."
    domain-insecure: "dead.example."
    rrset-roundrobin: no
    discard-timeout: 60000
    aggressive-nsec: no
{server}
{clauses}
{dynlib}
stub-zone:
    name: "example."
    stub-addr: 127.0.0.1@{nsd}
stub-zone:
    name: "."
    stub-addr: 127.0.0.1@{upstream}
stub-zone:
    name: "slow.example."
    stub-addr: 127.0.0.1@{upstream}
stub-zone:
    name: "dead.example."
    stub-addr: 127.0.0.1@{dead}
remote-control:
    control-enable: no
"""

# What Unbound itself writes at level info. Everything else at that level has to be a line of the module.
UNBOUNDS_OWN = re.compile(
    r"(start of service|service stopped|server stats for|average recursion|histogram of|\[25%\]=|lower\(secs\)|  +\d"
    r"|generate keytag|validation failure|idn: )"
)


class World:
    """Started once; every test gets it."""

    def __init__(self, unbound, module, peers, zone, other_module=None):
        self.unbound = Path(unbound).resolve()
        self.module = Path(module).resolve() if module else None
        self.other_module = Path(other_module).resolve() if other_module else None
        self.ipv6 = has_ipv6()
        self.zone = Path(zone).resolve()
        self.dead = socket.socket()  # keeps a port where nobody listens, on TCP or UDP
        self.dead.bind(("127.0.0.1", 0))
        self.upstream = Upstream()
        self.folder = Path(tempfile.mkdtemp(prefix="idn-tests-", dir="/tmp"))
        self.folder.chmod(0o755)
        self.count = 0
        self.lock = threading.Lock()
        self.nsd = None
        try:
            folder = self.new_folder("nsd")
            spoil(self.zone / "example.zone.signed", folder / "zone")
            self.nsd, self.nsd_port = nsd(peers, folder, "example.", folder / "zone")
        except Exception:
            self.close()
            raise

    def close(self):
        if self.nsd:
            self.nsd.stop()
        self.upstream.stop()
        self.dead.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_folder(self, name):
        with self.lock:
            self.count += 1
            folder = self.folder / f"{self.count:02d}-{name}"
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def configure(self, folder, port, idn, module, threads, modules, server, clauses):
        """Writes what a daemon needs into its folder; the module and its configuration only if idn is not None."""
        dynlib = ""
        if idn is not None:
            if module is None:
                raise DaemonError("no module given (--module)")
            shutil.copy(module, folder / "idn.so")
            (folder / "idn.so").chmod(0o755)
            (folder / "idn.conf").write_text("idn:\n" + "".join(f"    {line}\n" for line in idn.splitlines()))
            dynlib = 'dynlib:\n    dynlib-file: "./idn.so"\n    dynlib-file: "./idn.conf"'
            modules = f"dynlib {modules}"
        shutil.copy(self.zone / "example.anchor", folder)
        (folder / "log").mkdir()
        (folder / "log").chmod(0o777)  # for the user the daemon becomes
        (folder / "unbound.conf").write_text(SERVER.format(
            folder=folder, user="nobody" if os.geteuid() == 0 else "", port=port, threads=threads, modules=modules,
            ipv6="    interface: ::1\n" if self.ipv6 else "", dynlib=dynlib, clauses=clauses,
            server="".join(f"    {line}\n" for line in server.splitlines()),
            nsd=self.nsd_port, upstream=self.upstream.port, dead=self.dead.getsockname()[1]))
        for path in folder.iterdir():
            if path.is_file():
                path.chmod(path.stat().st_mode | 0o444)

    def start(self, folder):
        return Daemon([self.unbound / "sbin/unbound", "-d", "-c", folder / "unbound.conf"], folder)

    @contextmanager
    def resolver(self, tap, idn="", threads=1, modules="validator iterator", server="", clauses="", check=True):
        """A running Unbound. `idn` is the text of idn.conf, None for one without the module; `server` are more lines of
        its server: clause, `clauses` more clauses. With `check`, its log must in the end hold one line per answer."""
        folder = self.new_folder("unbound")
        port = free_port()
        self.configure(folder, port, idn, self.module, threads, modules, server, clauses)
        daemon = self.start(folder)
        daemon.wait_started(b"start of service")
        failed_before = tap.failed
        resolver = Resolver(daemon, folder, port, log_target(idn, folder, daemon))
        try:
            yield resolver
        except Exception:  # the test goes on with its other resolvers
            tap.raised("no exception")
        finally:
            status = daemon.stop()
            tap.ok(status == 0, "the daemon stops with exit status 0", f"status {status}")
            if check and idn is not None:
                resolver.check_lines(tap)
            if tap.failed > failed_before:
                tap.note(f"idn.conf: {idn!r}\nlog of {daemon.command[0]}:\n{tail(daemon.log())}")
                if resolver.log.target is not daemon.stderr:
                    tap.note(f"the module's own log:\n{tail(resolver.log.target.octets.decode('utf-8', 'replace'))}")


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

    def __init__(self, target):
        self.target = target
        self.unicode_names = False

    def lines(self):
        """All lines so far; one that is neither Unbound's nor the module's is an error."""
        text = self.target.octets.decode("utf-8", "strict")
        return [entry for entry in map(self._line, text.split("\n")[:-1]) if entry]

    def _line(self, line):
        prefix = logline.UNBOUND_PREFIX.match(line) or logline.FILE_PREFIX.match(line)
        if not prefix:
            raise logline.GrammarError(f"a line that begins with neither Unbound's prefix nor a time: {line!r}")
        rest = line[prefix.end():]
        if prefix.re is logline.UNBOUND_PREFIX and (prefix.group(4) != "info" or UNBOUNDS_OWN.match(rest)):
            return None
        entry = logline.parse(rest, self.unicode_names)
        entry.stamp = prefix.group()
        return entry

    def wait(self, name, count, timeout=TIMEOUT):
        """The first `count` lines whose name column is `name`, as soon as they are there."""
        key = f" {name} ".encode()

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


class Resolver:
    """A running Unbound, its clients and its log."""

    def __init__(self, daemon, folder, port, target):
        self.daemon = daemon
        self.folder = folder
        self.port = port
        self.log = Log(target)
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

    def exchange(self, question, transport=Udp, source=None, ipv6=False, name=None):
        reply = exchange(self.address(ipv6), question, transport, source)
        self.answered(question, name)
        return reply

    def logged(self, question: Question, transport=Udp, source=None, ipv6=False, name=None):
        """Asks, and returns the answer with the line it got. `name` is what the name column will show, if not the
        name asked."""
        reply = exchange(self.address(ipv6), question, transport, source)
        number = self.answered(question, name)
        return reply, self.log.wait(name or dnsname.column(question.labels), number)[number - 1]

    def check_lines(self, tap):
        """After the daemon has stopped: every line obeys the grammar, and there are as many of each name as answers."""
        try:
            lines = self.log.lines()
        except (logline.GrammarError, UnicodeDecodeError) as error:
            tap.ok(False, "every line of the log obeys the grammar", error)
            return
        counts = collections.Counter(entry.name for entry in lines)
        wrong = {n: (counts[n], self.answers[n]) for n in {*counts, *self.answers} if counts[n] != self.answers[n]}
        tap.ok(not wrong, "exactly one line per answer", f"name: (lines, answers): {wrong}")


def spoil(signed, target):
    """Copies a signed zone and alters the address of the BOGUS names, so that their signatures do not fit."""
    text = signed.read_text()
    for name in BOGUS:
        text, count = re.subn(rf"^({re.escape(name)}\s+\d+\s+IN\s+A\s+)192\.0\.2\.66$", r"\g<1>192.0.2.67", text,
                              flags=re.MULTILINE)
        if count != 1:
            raise DaemonError(f"{signed} has no address 192.0.2.66 for {name}")
    target.write_text(text)
