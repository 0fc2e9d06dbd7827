#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests filter and report with the logs of Debian's programs, unpacked in build/peers. Each program answers the same questions on the
loopback interface. filter changes exactly the A-labels in its log that may be shown. report counts each question in the logs of BIND
and dnsmasq. Prints TAP."""

import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE.parent / "unbound"), str(HERE.parent / "command")]
sys.dont_write_bytecode = True

import alabels  # noqa: E402
from daemon import Daemon, DaemonError, FileOutput, free_port  # noqa: E402
from harness import open_world  # noqa: E402
from options import parser  # noqa: E402
from ownroot import may_change_root, own_root  # noqa: E402
from question import Question, exchange  # noqa: E402
from tap import Report, Tap  # noqa: E402

ZONE = b"example"
GOOD = [(b"www", b"xn--bcher-kva", ZONE), (b"Xn--BcHeR-kVa", ZONE), (b"xn--80aodfsg", ZONE), (b"xn--r8jz45g", b"xn--bcher-kva", ZONE),
        (b"*", b"XN--4GBRIM", ZONE), (b"_dmarc", b"xn--bcher-kva", ZONE), (b"xn--fa-hia", ZONE), (b"xn--pypal-4ve", b"xn--bcher-kva", ZONE),
        (b"xn--31m-dda", b"xn--strae-oqa", ZONE), (b"xn--e28h", ZONE), (b"xn--mgba3gch31f060k", ZONE), (b"xn--kxa6ajbbmh", ZONE)]
SHOWN = {"xn--bcher-kva": "bücher", "xn--80aodfsg": "казино", "xn--r8jz45g": "例え", "xn--4gbrim": "موقع", "xn--fa-hia": "faß", "xn--strae-oqa": "straße",
         "xn--kxa6ajbbmh": "σίσυφος"}
SHOWN_HERE = re.compile("|".join(SHOWN), re.I)
# Labels that contain the text of an A-label but are none: filter must not change them.
HOSTILE = [b"xn--bcher-kva\x01", b"\x01xn--bcher-kva", b"xn--bcher-kva\xfcx", b"\xfcxn--bcher-kva", b"a\\xn--bcher-kva",
           b"xn--bcher-kva\\", b"xn--bcher-kva\x1b[0m", b"\xacxn--bcher-kva", b"xn--bcher-kva\xc3\xbc", b"\xc3\xbcxn--bcher-kva", b"axn--bcher-kva", b"xn--bcher-kva-"]
# More of these, which some programs do not escape in their logs.
BLANK = [b"a xn--bcher-kva", b"xn--bcher-kva b"]
DOTTED = [b"a.xn--bcher-kva", b"xn--bcher-kva.a"]
PARENT = b"hostile"  # the label above these names, by which their lines are found
LAST = b"all-are-done"  # asked at the end


class Scene:
    """The programs, an NSD that they query, and the command under test."""

    def __init__(self, options, world):
        self.command = Path(options.command).resolve()
        self.peers = world.peers
        self.world = world
        self.environment = {"LD_LIBRARY_PATH": (self.peers / "libraries").read_text().strip()}

    def program(self, path):
        return self.peers / "usr" / path

    def start(self, name, write):
        """Starts a daemon in its own folder. `write(folder, port)` fills the folder, and returns the command and the text that the daemon
        prints, to standard output or error, when it is ready. Returns the daemon, the port and the folder."""
        folder, port = self.world.new_folder(name), free_port()
        command, ready = write(folder, port)
        daemon = Daemon(command, folder, self.environment)
        deadline = time.monotonic() + 20
        while ready not in daemon.stdout.octets + daemon.stderr.octets:
            if daemon.process.poll() is not None or time.monotonic() > deadline:
                daemon.stop()
                raise DaemonError(f"{name} did not start:\n{daemon.log()}{daemon.stdout.octets.decode(errors='replace')}")
            daemon.stderr.wait(lambda octets: ready in octets, 0.05)
        return daemon, port, folder

    def filtered(self, octets, *options):
        return subprocess.run([self.command, "filter", *options], input=octets, capture_output=True, timeout=60, check=True).stdout

    def run(self, *command):
        return subprocess.run([str(part) for part in command], env={**os.environ, **self.environment}, capture_output=True, timeout=30, check=False).stdout


# --- the questions, and the expected changes of a log ---

def ask_all(port, hostile, log):
    """Asks all questions, and waits until the log, which has octets and wait(), has the last one."""
    for labels in [*GOOD, *((label, PARENT, ZONE) for label in hostile), (LAST, ZONE)]:
        try:
            exchange(("127.0.0.1", port), Question(labels), timeout=10 if PARENT not in labels else 2)
        except TimeoutError:
            if PARENT not in labels:
                raise  # some programs log hostile questions and do not answer
    log.wait(lambda octets: LAST in octets, 10)


def as_shown(line):
    """Returns a line of a log with every A-label in Unicode that may be shown, unless the line has a hostile name."""
    return line if PARENT.decode() in line.lower() else SHOWN_HERE.sub(lambda found: SHOWN[found.group().lower()], line)


def unlike(got, want):
    """Returns the first pairs of lines that differ, or the difference in the number of lines."""
    got, want = got.split("\n"), want.split("\n")
    return [pair for pair in zip(got, want) if pair[0] != pair[1]][:3] or len(got) - len(want)


def judge(tap, scene, log, hostile=2):
    """Checks filter with a log. `hostile`: the least number of hostile names in it; some programs hide these, or were not asked."""
    text = log.decode()
    missing = [labels for labels in GOOD if not re.search(re.escape(b".".join(labels)).replace(rb"\*", rb"(\*|\\052)"), log, re.I)]
    tap.equal((missing, LAST in log), ([], True), "the log has every question")
    tap.note(log.decode(errors="replace"))
    if hostile:
        tap.ok(len(re.findall(rb"xn--bcher-kva[^ \n]*\.hostile", log, re.I)) >= hostile, "the log has hostile names")
    want = "\n".join(as_shown(line) for line in text.split("\n"))
    tap.equal(unlike(scene.filtered(log).decode(), want), 0, "exactly the A-labels that may be shown are changed")


def include(tap, one, what):
    """Adds the points of a test of one of several logs."""
    tap.points += [(ok, f"{what}: {name}", skip, diagnostic) for ok, name, skip, diagnostic in one.points]
    tap.notes += one.notes


def report_reads(tap, scene, log, question):
    """Checks report with a log. `question`: a pattern that each line of a question matches."""
    done = subprocess.run([scene.command, "report", "-"], input=log, capture_output=True, timeout=60, check=False)
    page = done.stdout.decode()
    replies = re.search(r"<dt>Queries</dt><dd>([0-9,]+)</dd>", page)
    tap.equal((done.returncode, replies and int(replies[1].replace(",", ""))), (0, len(re.findall(question, log))), "report counts each question")
    names = {b".".join(labels).decode().lower() for labels in GOOD if b"*" not in labels}
    tap.equal([name for name in sorted(names) if name not in page], [], "the page has their names")
    tap.note(done.stderr.decode())


def filtered(tap, scene, daemon, port, log, hostile):
    try:
        ask_all(port, hostile, log)
    finally:
        daemon.stop()
    judge(tap, scene, log.octets)


def asked(tap, scene, daemon, port, log, hostile, question):
    filtered(tap, scene, daemon, port, log, hostile)
    report_reads(tap, scene, log.octets, question)


# --- the programs ---

def bind(tap, scene):
    def write(folder, port):
        (folder / "named.conf").write_text(f"""\
options {{ directory "{folder}"; listen-on port {port} {{ 127.0.0.1; }}; listen-on-v6 {{ none; }}; pid-file none;
  session-keyfile none; recursion no; notify no; querylog yes; dnssec-validation no; }};
controls {{ }};
zone "example" {{ type primary; file "{scene.world.zone}/example.zone.signed"; check-names ignore; }};
""")
        return [scene.program("sbin/named"), "-g", "-c", folder / "named.conf"], b"all zones loaded"

    daemon, port, _ = scene.start("named", write)
    asked(tap, scene, daemon, port, daemon.stderr, HOSTILE + BLANK + DOTTED, rb": query: ")


def kresd(tap, scene):
    def write(folder, port):
        (folder / "kresd.conf").write_text(f"""\
log_target('stderr')
log_level('debug')
net.ipv6 = false
net.listen('127.0.0.1', {port})
trust_anchors.remove('.')
modules.unload('ta_update')
modules.unload('ta_signal_query')
modules.unload('priming')
policy.add(policy.all(policy.STUB('127.0.0.1@{scene.world.nsd_port}')))
cache.size = 1 * MB
""")
        # It needs its Lua files where Debian installs them.
        command = own_root(scene.peers, scene.program("sbin/kresd"), folder, [folder / "kresd.conf"], scene.environment)
        return [*command, "-n", "-c", folder / "kresd.conf", folder], b"postconfig"

    if not may_change_root():
        tap.skip("Knot Resolver", "no right to change the root folder")
        return
    daemon, port, _ = scene.start("kresd", write)
    filtered(tap, scene, daemon, port, daemon.stderr, HOSTILE + BLANK + DOTTED)


def recursor(tap, scene):
    def write(folder, port):
        # Options, because the format of the configuration file depends on the version.
        settings = {"config-dir": folder, "local-address": "127.0.0.1", "local-port": port, "forward-zones": f".=127.0.0.1:{scene.world.nsd_port}",
                    "dnssec": "off", "daemon": "no", "quiet": "no", "loglevel": 9, "socket-dir": folder, "security-poll-suffix": ""}
        return [scene.program("sbin/pdns_recursor"), *(f"--{name}={value}" for name, value in settings.items())], b"multiplexer"

    daemon, port, _ = scene.start("pdns_recursor", write)
    filtered(tap, scene, daemon, port, daemon.stderr, HOSTILE + BLANK + DOTTED)


def dnsdist(tap, scene):
    def write(folder, port):
        (folder / "dnsdist.conf").write_text(f"""\
setSecurityPollSuffix("")
setLocal("127.0.0.1:{port}")
newServer({{address="127.0.0.1:{scene.world.nsd_port}", healthCheckMode="up"}})
addAction(AllRule(), LogAction("{folder}/log", false, true, false))
""")
        return [scene.program("bin/dnsdist"), "--supervised", "--disable-syslog", "-C", folder / "dnsdist.conf"], b"Listening on"

    daemon, port, folder = scene.start("dnsdist", write)
    filtered(tap, scene, daemon, port, FileOutput(folder / "log"), HOSTILE + BLANK + DOTTED)


def dnsmasq(tap, scene):
    def write(folder, port):
        return [scene.program("sbin/dnsmasq"), "-k", "-C", "/dev/null", f"--port={port}", "--listen-address=127.0.0.1", "--bind-interfaces", "--no-resolv",
                "--no-hosts", f"--server=127.0.0.1#{scene.world.nsd_port}", "--log-queries=extra", "--log-facility=-", "--user=", "--pid-file="], b"started"

    daemon, port, _ = scene.start("dnsmasq", write)
    asked(tap, scene, daemon, port, daemon.stderr, HOSTILE + DOTTED, rb"query\[")


def unbound(tap, scene):
    for form in "text", "json":
        one = Tap(f"{tap.title}, {form}")
        with scene.world.resolver(one, f"log: {form}", server="log-queries: yes\nlog-replies: yes\nlog-tag-queryreply: yes", check=False) as resolver:
            ask_all(resolver.port, HOSTILE + BLANK + DOTTED, resolver.daemon.stderr)
        log = resolver.daemon.stderr.octets
        # The module's own u="…" and the line's idn.labels hold the Unicode already.
        judge(one, scene, log)
        lines = [line.split("info: ", 1)[1] for line in log.decode().splitlines() if "info: {" in line]
        if form == "json":
            one.equal(len(lines) >= len(GOOD), True, "there are lines of JSON")
            one.equal(["xn--bcher-kva" in json.loads(scene.filtered(line.encode()))["dns.question.name"] for line in lines[:3]].count(True), 0, "they stay JSON")
        include(tap, one, form)


def capture(tap, scene):
    """Tests filter with tcpdump's text, and with tshark's text, fields and JSON of a capture."""
    port = scene.world.nsd_port

    def write(folder, _):
        return [scene.program("bin/tcpdump"), "-Z", "root", "-i", "lo", "-U", "-w", folder / "dump", "udp", "port", port], b"listening on"

    try:
        daemon, _, folder = scene.start("tcpdump", write)
    except DaemonError as error:
        if "permi" not in str(error).lower():
            raise
        tap.skip("tcpdump and tshark", "no right to capture packets")
        return
    try:
        ask_all(port, HOSTILE, FileOutput(folder / "dump"))
    finally:
        daemon.stop()
    dump = folder / "dump"
    tshark = [scene.program("bin/tshark"), "-n", "-r", dump, "-d", f"udp.port=={port},dns"]
    for name, command in (("tcpdump", [scene.program("bin/tcpdump"), "-Z", "root", "-n", "-vv", "-T", "domain", "-r", dump]),
                          ("tshark", tshark), ("tshark -V", [*tshark, "-V"]), ("tshark -T fields", [*tshark, "-T", "fields", "-e", "dns.qry.name"])):
        one = Tap(name)
        judge(one, scene, scene.run(*command))
        include(tap, one, name)
    text = scene.run(*tshark, "-T", "json")
    value = json.loads(text, object_pairs_hook=list)
    out = json.loads(scene.filtered(text), object_pairs_hook=list)
    tap.equal(list(shown_of(out, value)), [], "tshark -T json: only names are changed")
    tap.equal("bücher" in json.dumps(out, ensure_ascii=False), True, "tshark -T json: names are shown in Unicode")


def shown_of(got, was):
    """Yields the differences between two values, apart from A-labels that are shown."""
    if isinstance(was, (list, tuple)) and len(got) == len(was):
        for a, b in zip(got, was):
            yield from shown_of(a, b)
    elif isinstance(was, str):
        if got != as_shown(was):
            yield got, was
    elif got != was:
        yield got, was


def ask_tools(tap, scene):
    """Tests filter with the output of dig and drill, and with zone files."""
    port = scene.world.nsd_port
    for name, command in ("dig", [scene.program("bin/dig"), "+noidnin", "@127.0.0.1", "-p", port]), ("drill", ["drill", "-p", port, "@127.0.0.1"]):
        text = b"".join(scene.run(*command, b".".join(labels).decode()) for labels in [*GOOD, (LAST, ZONE)])
        judge(tap, scene, text, 0)
    for path in ROOT / "conf/example.zone", scene.world.zone / "example.zone.signed":
        text = path.read_bytes()
        table = alabels.asked(lambda *options, stdin: (0, subprocess.run([scene.command, *options], input=stdin.encode(), capture_output=True, check=False).stdout), text)
        tap.equal((scene.filtered(text) == alabels.filtered(text, table), len(table) > 15), (True, True), path.name)


PROGRAMS = {"BIND": bind, "Knot Resolver": kresd, "PowerDNS Recursor": recursor, "dnsdist": dnsdist, "dnsmasq": dnsmasq, "Unbound": unbound,
            "tcpdump and tshark": capture, "dig, drill and zone files": ask_tools}


def main():
    options = parser(__doc__, "--command", "--unbound", "--module", "--peers", "--zone", "-k").parse_args()
    world = open_world(options.unbound, options.module, options.peers, options.zone)
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    try:
        scene = Scene(options, world)
        for name, function in PROGRAMS.items():
            if options.k not in name:
                continue
            with report.test(name) as tap:
                function(tap, scene)
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
