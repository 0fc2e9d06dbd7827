#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Shows what the module does: runs conf/unbound.conf on a free loopback port, asks a dozen names, and prints each with
its answer and its log line. With --foreground it runs the resolver on the port of that file until interrupted. With
--stock it runs Debian's own Unbound instead, unmodified, and `unbound-idn tap` beside it."""

import argparse
import errno
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import unicodedata
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
sys.path[:0] = [str(HERE), str(HERE.parent / "operations")]
sys.dont_write_bytecode = True

import dns.edns  # noqa: E402
import dnsname  # noqa: E402
import logline  # noqa: E402
import guide  # noqa: E402
from daemon import Daemon, DaemonError, eventually, free_port  # noqa: E402
from question import AD, RD, ask, exchange  # noqa: E402

WIDTH = 100

# The words typed, the type, the result (rcode or first address), and what the reader should see.
QUESTIONS = [
    ("www.bücher.example", "A", "192.0.2.11", "the name in Unicode stands beside the A-label"),
    ("www.bücher.example", "A", "192.0.2.11", "again: from the cache, hence the 1"),
    ("קפה.example", "A", "192.0.2.41", "right to left"),
    ("نامه\u200cای.example", "A", "192.0.2.42", "Persian, with a joiner one cannot see"),
    ("brücke.example", "A", "192.0.2.14", "an alias: the log has the name that was asked"),
    ("p\u0430ypal.example", "A", "NXDOMAIN", "not PayPal: nxdomain lookalike paypal.example"),
    ("\u0430\u0440\u0440\u04cf\u0435.example", "A", "192.0.2.53", "all Cyrillic: log lookalike apple.example"),
    ("xn--31m-dda.example", "A", "NXDOMAIN", "no A-label (a control character): log invalid"),
    ("казино.example", "A", "NXDOMAIN", "blocked: nxdomain zone казино.example"),
    ("лотерея.example", "A", "192.0.2.80", "redirected: an address of the operator's"),
    ("www.例え.example", "A", "REFUSED", "refused: refuse name *.例え.example"),
    ("шлюз.example", "A", "192.0.2.20", "exempt: passthru name шлюз.example"),
]


# The answers of Debian's own Unbound where a rule would have given another one, and what its log cannot contain.
STOCK = {
    1: ("192.0.2.11", "again: where from, dnstap does not say"),
    5: ("192.0.2.52", "not PayPal: nxdomain lookalike paypal.example"),
    8: ("192.0.2.21", "would be blocked: nxdomain zone казино.example"),
    9: ("NXDOMAIN", "would be redirected"),
    10: ("NXDOMAIN", "would be refused: refuse name *.例え.example"),
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unbound", help="folder with sbin/unbound")
    parser.add_argument("--stock", type=Path, help="folder where Debian's own package is unpacked, and its libraries")
    parser.add_argument("--command", default=TOP / "build/unbound-idn", help="unbound-idn, for --stock")
    parser.add_argument("--module", default=TOP / "build/idn.so", help="idn.so built for it")
    parser.add_argument("--zone", default=TOP / "build/zone", help="folder with example.zone.signed and example.anchor")
    parser.add_argument("--foreground", action="store_true", help="run the resolver until interrupted")
    return parser.parse_args()


def changed(name, changes):
    """The text of conf/NAME, with each of these, which occurs once, replaced."""
    text = (TOP / "conf" / name).read_text()
    for old, new in changes:
        pattern = rf"^( *[a-z-]*:? *){re.escape(old)}"
        text, count = re.subn(pattern, lambda match, new=new: match.group(1) + new, text, flags=re.MULTILINE)
        if count != 1:
            raise DaemonError(f"conf/{name} has {count} times {old}, not once")
    return text


def configure(folder, module, zone, port=None, more=()):
    """conf/unbound.conf and conf/idn.conf with the paths of this run put in, and the policy switched on; nothing else
    differs from what a reader sees there, except `more`. Returns the path of the first."""
    zone = Path(zone).resolve()
    idn, unbound = Path(folder) / "idn.conf", Path(folder) / "unbound.conf"
    changes = [
        ('"conf/idn.conf"', f'"{idn}"'),
        ('directory: "."', f'directory: "{TOP}"'),
        ('"build/idn.so"', f'"{Path(module).resolve()}"'),
        ('"build/zone/example.anchor"', f'"{zone}/example.anchor"'),
        ('"build/zone/example.zone.signed"', f'"{zone}/example.zone.signed"'),
    ]
    if port:
        changes.append(("port: 5335", f"port: {port}"))
    changes += more
    idn.write_text(changed("idn.conf", [("# policy: idn-policy.conf", f'policy: "{TOP}/conf/idn-policy.conf"')]))
    unbound.write_text(changed("unbound.conf", changes))
    return unbound


# ---- a screen -----------------------------------------------------------------------------------------------------


def width(text):
    """Columns on a terminal."""
    return sum(map(columns, text))


def columns(char):
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def pad(text, count):
    return text + " " * max(0, count - width(text))


class Style:
    def __init__(self):
        self.on = sys.stdout.isatty() and not os.environ.get("NO_COLOR")

    def __call__(self, code, text):
        return f"\033[{code}m{text}\033[0m" if self.on else text


def folded(line):
    """The line in as many pieces as the screen needs, cut between fields, the later ones indented."""
    pieces = [""]
    for word in re.findall(r'(?:[^ "]|"[^"]*")+', line):
        if pieces[-1] and width(f"    {pieces[-1]} {word}") > WIDTH:
            pieces.append("   ")
        pieces[-1] += (" " if pieces[-1] else "") + word
    return pieces


def show(style, shown, qtype, answer, remark, line):
    print(f"{style('1', pad(f'{shown} {qtype}', 30))}{pad(answer, 23)}{style('2', remark)}")
    for part in folded(line):
        print(f"    {style('36', part)}")


def short(reply, line):
    """`192.0.2.11, secure`: the last record of the answer, which after CNAMEs is the address; `NXDOMAIN, EDE 15`."""
    message = reply.message
    answers = reply.answers()
    errors = [f", EDE {option.code}" for option in message.options if isinstance(option, dns.edns.EDEOption)]
    return (answers[-1] if answers else reply.rcode) + (", secure" if (reply.has(AD) or " sec=secure" in line) and answers else "") + "".join(errors)


class Module:
    """Unbound with the module; the lines are in Unbound's log."""

    questions, flags = QUESTIONS, RD  # the lines say what validation found

    def __init__(self, options, folder):
        self.port = free_port()
        config = configure(folder, options.module, options.zone, self.port)
        self.unbound = Daemon([Path(options.unbound).resolve() / "sbin/unbound", "-d", "-c", config], TOP)
        self.output = self.unbound.stderr

    def start(self):
        self.unbound.wait_started(b"start of service")
        version = re.search(r"start of service \(unbound ([^)]*)\)", self.unbound.log()).group(1)
        return f"Unbound {version} with the idn module, 127.0.0.1 port {self.port}"

    def stop(self):
        return self.unbound.stop()

    def log(self):
        return self.unbound.log()

    def lines_for(self, question):
        """The lines about this name, without their prefixes."""
        name = f" {dnsname.column(question.labels)} {question.type} "
        lines = self.output.octets.decode("utf-8", "replace").split("\n")[:-1]
        return [logline.UNBOUND_PREFIX.sub("", re.sub(r"^\d{4}-[^ ]*Z ", "", text)) for text in lines if name in text]


class Stock(Module):
    """Debian's Unbound as it is, and tap, which writes the lines."""

    questions = [(name, qtype, *STOCK.get(number, (expected, remark))) for number, (name, qtype, expected, remark) in enumerate(QUESTIONS)]
    flags = RD | AD

    def __init__(self, options, folder):
        self.port = free_port()
        self.socket = Path(folder) / "tap.sock"
        dnstap = guide.the_block("dnstap-unbound").replace("/run/unbound-idn/tap.sock", str(self.socket))
        modules = [('"dynlib validator iterator"', '"validator iterator"'), ("dynlib:\n", dnstap + "dynlib:\n")]
        config = configure(folder, options.module, options.zone, self.port, modules)
        config.write_text(re.sub(r"^dynlib:\n( +.*\n)+", "", config.read_text(), flags=re.MULTILINE))
        libraries = {"LD_LIBRARY_PATH": (options.stock / "libraries").read_text().strip()}
        self.tap = Daemon([Path(options.command).resolve(), "tap", "--config", Path(folder) / "idn.conf", "--listen", f"unix:{self.socket}"], TOP)
        self.output = self.tap.stdout
        if not eventually(self.socket.exists):
            self.tap.stop()
            raise DaemonError(f"tap did not start:\n{self.tap.log()}")
        self.unbound = Daemon([options.stock.resolve() / "usr/sbin/unbound", "-d", "-c", config], TOP, libraries)

    def start(self):
        return Module.start(self).replace("with the idn module", "as Debian has it, with unbound-idn tap beside it")

    def stop(self):
        return self.unbound.stop() or self.tap.stop()

    def log(self):
        return self.unbound.log() + self.tap.log()


def demo(options):
    style = Style()
    with tempfile.TemporaryDirectory(prefix="idn-demo-") as folder:
        running = (Stock if options.stock else Module)(options, folder)
        try:
            print(style("1", f"{running.start()}:"), style("1", "each question, its answer, its log line"), sep="\n" if options.stock else " ")
            print()
            right = sum(one_question(style, running, *question) for question in running.questions)
        finally:
            status = running.stop()
    print()
    if right != len(running.questions) or status != 0:
        print(f"{len(running.questions) - right} of {len(running.questions)} answers or lines are not as they should be,")
        print(f"exit status {status}. Said was:\n{running.log()}")
        return 1
    if options.stock:
        print("Next: doc/operations.md has these lines of configuration, and those of other resolvers.")
        print("No question left this machine.")
        return 0
    print("Next: `make run` keeps this resolver on 127.0.0.1 port 5335: conf/unbound.conf, with its options")
    print("in conf/idn.conf and its rules in conf/idn-policy.conf. No question left this machine.")
    return 0


def one_question(style, running, shown, qtype, expected, remark):
    """Asks, prints, and tells whether all was as it should be."""
    question = ask(shown, qtype, flags=running.flags)
    before = len(running.lines_for(question))
    reply = exchange(("127.0.0.1", running.port), question, timeout=5)
    running.output.wait(lambda _: len(running.lines_for(question)) > before, 5)
    lines = running.lines_for(question)
    line = lines[-1] if len(lines) > before else "(no line in the log)"
    show(style, logline.visible(shown), qtype, short(reply, line), remark, line)
    return len(lines) == before + 1 and expected in (reply.rcode, *reply.answers())


RUN_PORT = 5335  # of conf/unbound.conf


def is_taken(port):
    """Returns whether a program has the port of 127.0.0.1 already."""
    for kind in socket.SOCK_DGRAM, socket.SOCK_STREAM:
        with socket.socket(socket.AF_INET, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, kind == socket.SOCK_STREAM)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    return True
                raise
    return False


def foreground(options):
    """The child has this terminal: its log is what one sees."""
    if is_taken(RUN_PORT):
        raise DaemonError(f"port {RUN_PORT} of 127.0.0.1 is taken: is `make run` running already? Stop that program first, or ask it.")
    with tempfile.TemporaryDirectory(prefix="idn-run-") as folder:
        config = configure(folder, options.module, options.zone)
        print("Unbound with the idn module on 127.0.0.1 port 5335; interrupt to stop. From another terminal:")
        print("    drill -p 5335 www.xn--bcher-kva.example @127.0.0.1", flush=True)
        child = subprocess.Popen([Path(options.unbound).resolve() / "sbin/unbound", "-d", "-c", config], cwd=TOP)
        for signum in (signal.SIGTERM, signal.SIGINT):
            signal.signal(signum, lambda *_: child.poll() is None and child.send_signal(signal.SIGTERM))
        return child.wait()


def main():
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # the daemon is stopped on the way out
    try:
        return foreground(options) if options.foreground else demo(options)
    except (DaemonError, OSError) as error:
        print(f"The demo could not run: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
