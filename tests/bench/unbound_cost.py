# SPDX-License-Identifier: BSD-3-Clause
"""Measures what a query costs Unbound with and without the module: instructions, as callgrind counts them in the whole process
(the log's writer with it), and CPU time as a ratio to the same Unbound without the module in the same run."""

import argparse
import itertools
import json
import re
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "unbound"))
from daemon import Daemon, DaemonError, FileOutput, eventually, free_port, unbound_conf  # noqa: E402  (found by the line above)
from question import Question  # noqa: E402

STARTED = b"start of service"
TIMEOUT = 300  # seconds, for a start under valgrind
ROUNDS = 3
WINDOW = 64  # questions that wait for their answers
NAMES = 2000  # of each kind; more than the branch predictor remembers
LISTED = 10_000  # names of RPZ and local-zone
CALLGRIND = ("valgrind", "--quiet", "--tool=callgrind", "--callgrind-out-file=profile")

ZONE = "example. 3600 SOA ns.example. admin.example. 1 2 3 4 3600\nexample. NS ns.example.\n*.example. 3600 A 192.0.2.1\n"

SERVER = """\
    logfile: "unbound.log"
    trust-anchor-signaling: no
    so-rcvbuf: 4m
    msg-cache-size: 64m
    rrset-cache-size: 64m
"""
CLAUSES = """\
stub-zone:
    name: "."
    stub-addr: 127.0.0.1@{port}
auth-zone:
    name: "example."
    zonefile: "example.zone"
    for-downstream: no
    for-upstream: yes
    fallback-enabled: no
"""

# Words of ten scripts, ours; numbered syllables make as many different labels of them as are wanted.
SCRIPTS = {
    "Latn": ("büro", "straße", "crème", "señor", "fjørd", "žluťoučký"),
    "Cyrl": ("книга", "россия", "почта", "школа", "новости"),
    "Grek": ("ελλάδα", "βιβλίο", "θάλασσα"),
    "Arab": ("كتاب", "مدرسة", "اخبار"),
    "Hebr": ("ספר", "שלום", "ירושלים"),
    "Deva": ("भारत", "समाचार", "विद्यालय"),
    "Thai": ("ประเทศไทย", "โรงเรียน"),
    "Hang": ("한국", "도서관", "신문"),
    "Hani": ("中国", "新闻", "图书馆"),
    "Kana": ("ニュース", "さくら", "としょかん"),
}


def ascii_names():
    return [(f"host{n % 97}", f"service{n}", "dept", "example") for n in range(NAMES)]


def a_label(text):
    return "xn--" + text.encode("punycode").decode()


def idn_names(count=NAMES):
    words = [word for words in SCRIPTS.values() for word in words]
    names = []
    for n in range(count):
        one, other = words[n % len(words)], words[(n // len(words) + n) % len(words)]
        if next((s for s, w in SCRIPTS.items() if one in w)) != next((s for s, w in SCRIPTS.items() if other in w)):
            other = one[:: -1] if one.isascii() else one[0] * (n % 3)
        names.append(("www", a_label(f"{one}{other}{n}"), "example"))
    return names


def hostile_names(first=0, count=NAMES):
    """Names as long as they can be, with A-labels that are refused late; no two are alike."""
    text = "".join(chr(0x1F600 + n) for n in range(9)) + "\u0430p"
    return [tuple([a_label(f"{text}{n * 4 + k}")[:60] for k in range(3)] + ["example"]) for n in range(first, first + count)]


def mapped_names():
    """The dearest label found that only ICU can judge: a character that UTS 46 maps to eighteen, which is refused."""
    return [tuple([a_label("\uFDFA" * 50 + str(n * 4 + k)) for k in range(3)] + ["example"]) for n in range(NAMES)]


def unique_names():
    return [(f"u{n}", "miss", "example") for n in range(NAMES)]


class Asked:
    """The questions that are counted; those asked once before (by default the same); and those asked before each time, so
    that the module remembers other labels."""

    def __init__(self, questions, warm=None, between=None):
        self.questions, self.warm, self.between = questions, warm or questions, between


def packed(names):
    packets = [Question(tuple(label.encode() for label in name), edns=True).wire(n & 0xFFFF) for n, name in enumerate(names)]
    return b"".join(struct.pack("!H", len(packet)) + packet for packet in packets)


# ---- the daemon -----------------------------------------------------------------------------------------------------

class Variant:
    def __init__(self, title, idn=None, rules=None, server="", clauses="", modules="", lists=(), watch="no"):
        self.title, self.idn, self.rules, self.server = title, idn, rules, server
        self.clauses, self.modules, self.lists, self.watch = clauses, modules, lists, watch

    def configure(self, folder, port, module):
        (folder / "example.zone").write_text(ZONE)
        for name, text in self.lists:
            (folder / name).write_text(text)
        dynlib, modules = "", f"{self.modules} validator iterator"
        if self.idn is not None:
            if self.rules is not None:
                (folder / "rules.conf").write_text(self.rules)
            policy = "    policy: rules.conf\n" if self.rules is not None else ""
            (folder / "idn.conf").write_text(f"idn:\n    watch: {self.watch}\n{policy}{self.idn}")
            dynlib = f'dynlib:\n    dynlib-file: "{module}"\n    dynlib-file: "{folder}/idn.conf"\n'
            modules = f"dynlib {modules}"
        unbound_conf(folder, port, modules, SERVER + self.server,
                     CLAUSES.format(port=free_port()) + dynlib + self.clauses.format(folder=folder))


@contextmanager
def running(options, variant, around=()):
    with tempfile.TemporaryDirectory(prefix="idn-bench-", dir="/tmp") as folder:
        folder, port = Path(folder), free_port()
        variant.configure(folder, port, options.module.resolve())
        with receiver(folder / "dnstap.sock"):
            daemon = Daemon([*around, options.unbound.resolve() / "sbin/unbound", "-d", "-c", "unbound.conf"], folder)
            try:
                wait_started(daemon, folder)
                yield daemon, folder, port
            finally:
                daemon.stop()


@contextmanager
def receiver(path):
    """Reads what Unbound's dnstap sends to a socket at `path`, and discards it."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def receive():
            with suppress(OSError):  # at the end
                with listener.accept()[0] as sender:
                    while sender.recv(1 << 16):
                        pass

        thread = threading.Thread(target=receive, daemon=True)
        thread.start()
        yield
        thread.join(5)


def wait_started(daemon, folder):
    log = FileOutput(folder / "unbound.log")
    eventually(lambda: STARTED in log.octets or daemon.process.poll() is not None, TIMEOUT)
    if STARTED not in log.octets:
        raise DaemonError(f"Unbound did not start:\n{daemon.log()}\n{log.octets.decode(errors='replace')}")


def ask(options, port, questions, window, rounds=1):
    subprocess.run([options.load.resolve(), str(port), str(window), str(rounds)], input=questions, check=True,
                   stdout=subprocess.DEVNULL, timeout=TIMEOUT)


# ---- instructions ---------------------------------------------------------------------------------------------------

def counted(daemon, folder, number):
    """The instructions since the dump before, all threads together. callgrind dumps when the process next runs."""
    subprocess.run(["callgrind_control", "--dump", str(daemon.pid)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   cwd=folder)
    text = eventually(lambda: (folder / f"profile.{number}").exists() and (folder / f"profile.{number}").read_text())
    return int(re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)[1])


def instructions(options, variant, asked):
    """The cost of one query. Another one always waits, so it does not matter how often the daemon asks the kernel."""
    with running(options, variant, CALLGRIND) as (daemon, folder, port):
        dumps = itertools.count(1)
        ask(options, port, asked.warm, WINDOW)
        counted(daemon, folder, next(dumps))
        figures = []
        for _ in range(1 if asked.questions != asked.warm else ROUNDS):  # what was not asked before can be asked once
            if asked.between:
                ask(options, port, asked.between, WINDOW)
                counted(daemon, folder, next(dumps))
            ask(options, port, asked.questions, WINDOW)
            figures.append(counted(daemon, folder, next(dumps)) / NAMES)
        return min(figures)  # timers of Unbound's own fall into some


# ---- CPU time -------------------------------------------------------------------------------------------------------

def cpu_ns(daemon):
    """The CPU time of all threads of a process (man 5 proc: /proc/PID/task/TID/schedstat)."""
    return sum(int(path.read_text().split()[0]) for path in Path(f"/proc/{daemon.pid}/task").glob("*/schedstat"))


def cpu_ratio(options, variant, base, questions, rounds):
    """The median of the ratios of rounds in which both are asked the same, in turn."""
    with running(options, variant) as (one, _, one_port), running(options, base) as (other, _, other_port):
        ratios = []
        for number in range(rounds + 1):
            costs = {}
            pairs = [("one", one, one_port), ("other", other, other_port)]
            for key, daemon, port in pairs if number % 2 else pairs[::-1]:
                before = cpu_ns(daemon)
                ask(options, port, questions, WINDOW, 10)
                costs[key] = cpu_ns(daemon) - before
            if number:  # the first fills the caches
                ratios.append(costs["one"] / costs["other"])
        return statistics.median(ratios)


# ---- the table ------------------------------------------------------------------------------------------------------

def which(blocked):
    return "blocked names" if blocked else "allowed names"


def rpz(count, blocked=False):
    zone = "$ORIGIN rpz.\n$TTL 60\n@ SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n"
    names = "".join(f"n{n}.blocked.example CNAME .\n" for n in range(count))
    names += "*.dept.example CNAME .\n" if blocked else ""
    return Variant(f"RPZ of {count} names, {which(blocked)}", modules="respip", lists=[("rpz.zone", zone + names)],
                   clauses='rpz:\n    name: "rpz."\n    zonefile: "{folder}/rpz.zone"\n')


def local_zones(count, blocked=False):
    lines = "".join(f'    local-zone: "n{n}.blocked.example" always_nxdomain\n' for n in range(count))
    lines += '    local-zone: "dept.example" always_nxdomain\n' if blocked else ""
    return Variant(f"local-zone, {count} names, {which(blocked)}", server=lines)


# A script as an operator would write it: the same columns, and u= with Python's own codec.
PYTHON = """\
from time import time

def show(label):
    try:
        return label.encode().decode("idna")
    except UnicodeError:
        return label

def log_line(qinfo, qstate, rep, rcode, edns, opt_list_out, region, **kwargs):
    name = qinfo.qname_str
    fields = [f"{time():.6f}", kwargs["repinfo"].addr, name, qinfo.qtype_str, qinfo.qclass_str, str(rcode), "1", "-"]
    if "xn--" in name:
        fields.append('u="' + ".".join(show(label) for label in name.split(".")) + '"')
    log.write(" ".join(fields) + "\\n")
    return True

def init_standard(id, env):
    global log
    log = open("python.log", "w", buffering=65536, encoding="utf-8")
    return register_inplace_cb_reply(log_line, env, id) and register_inplace_cb_reply_cache(log_line, env, id)

def deinit(id):
    log.close()
    return True

def inform_super(id, qstate, superqstate, qdata):
    return True

def operate(id, event, qstate, qdata):
    waiting = event in (MODULE_EVENT_NEW, MODULE_EVENT_PASS)
    qstate.ext_state[id] = MODULE_WAIT_MODULE if waiting else MODULE_FINISHED
    return True
"""


def python_lines(binding):
    return Variant("a Python module's line each", modules="python", lists=[("line.py", PYTHON), ("unboundmodule.py", binding.read_text())],
                   clauses='python:\n    python-script: "{folder}/line.py"\n')


TEXT = "    log: text\n    log-to: ./idn.log\n"
JSON = "    log: json\n    log-to: ./idn.log\n"
NONE = "    log: none\n"
BASE = Variant("Unbound without the module")

DNSTAP = Variant("dnstap, client responses", clauses="""\
dnstap:
    dnstap-enable: yes
    dnstap-bidirectional: no
    dnstap-socket-path: "{folder}/dnstap.sock"
    dnstap-log-client-response-messages: yes
""")

# (variant, kind of names, goal over the base of that kind)
ROWS = (
    (Variant("the module, silent", NONE), "ordinary", 60),
    (Variant("the module, silent, rules may come", NONE, watch="yes"), "ordinary", 250),
    (Variant("the module, silent, rules may come", NONE, watch="yes"), "unique", 800),
    (Variant("a text line each", TEXT), "ordinary", 1290),
    (Variant("… with log-answers: addresses", TEXT + "    log-answers: addresses\n"), "ordinary", 1590),
    (Variant("… with log-answers: all", TEXT + "    log-answers: all\n"), "ordinary", None),
    (Variant("… with a forwarder, no option", TEXT + "    client-subnet-from: 127.0.0.1\n"), "ordinary", None),
    (Variant("a text line each", TEXT), "IDN", 2000),
    (Variant("a text line each", TEXT), "IDN, few", 2000),
    (Variant("a text line each", TEXT), "IDN, new", None),
    (Variant("a text line each", TEXT), "hostile", 8000),
    (Variant("a text line each", TEXT), "for ICU", None),
    (Variant("a JSON line each", JSON), "ordinary", 2400),
    (Variant("a JSON line each", JSON), "IDN", 2400),
    (Variant("a JSON line each", JSON), "IDN, few", 2400),
    (Variant("a JSON line each", JSON), "IDN, new", None),
    (Variant("log-names: idn", TEXT + "    log-names: idn\n"), "ordinary", None),
    (Variant("log-names: policy, with a rule", TEXT + "    log-names: policy\n", "nxdomain zone blocked.example\n"), "ordinary", None),
    (Variant("decided again for a log rule", NONE, "log zone watched.example tag=w\n"), "ordinary", 600),
    (Variant("… for a log look-alike rule", NONE, "log lookalike pay.example tag=w\n"), "ordinary", 300),
    (Variant("… that protects an IDN", NONE, "log lookalike bücher.example tag=w\n"), "ordinary", 600),
    (Variant("blocked: NXDOMAIN with SOA and EDE", NONE, "nxdomain zone dept.example\n"), "ordinary", 3000),
    (Variant("blocked, a text line each", TEXT, "nxdomain zone dept.example\n"), "ordinary", None),
    (Variant("the module, silent, with a rule", NONE, "nxdomain zone blocked.example\n"), "unique", 600),
    (Variant("the module, silent, with a rule", NONE, "nxdomain zone blocked.example\n"), "ordinary", None),
    (Variant("the module, silent, with a rule", NONE, "nxdomain zone blocked.example\n"), "IDN", None),
    (Variant("log-queries", server="    log-queries: yes\n"), "ordinary", None),
    (Variant("log-replies", server="    log-replies: yes\n"), "ordinary", None),
    (rpz(LISTED), "ordinary", None),
    (rpz(LISTED, blocked=True), "ordinary", None),
    (local_zones(LISTED), "ordinary", None),
    (local_zones(LISTED, blocked=True), "ordinary", None),
)


def rows_of(options):
    """dnstap and a Python module have their rows where this Unbound has them."""
    version = subprocess.run([options.unbound.resolve() / "sbin/unbound", "-V"], check=True, capture_output=True, text=True).stdout
    rows = ROWS
    if "--enable-dnstap" in version:
        rows = (*rows, (DNSTAP, "ordinary", None))
    if " python " not in version or not options.python_binding:
        print("No Python in this Unbound: no rows of a Python module.")
        return rows
    python = python_lines(options.python_binding)
    return (*rows, (python, "ordinary", None), (python, "IDN", None))


def measure_instructions(options, kinds):
    bases = {kind: instructions(options, BASE, kinds[kind]) for kind in kinds}
    print(f"{'instructions a query':44}{'names':>10}{'':>10}{'over base':>11}{'goal':>8}")
    for kind, figure in bases.items():
        print(f"{BASE.title:44}{kind:>10}{figure:10.0f}")
    rows = []
    for variant, kind, goal in rows_of(options):
        figure = instructions(options, variant, kinds[kind])
        rows.append({"variant": variant.title, "names": kind, "instructions": round(figure), "over": round(figure - bases[kind]), "goal": goal})
        print(f"{variant.title:44}{kind:>10}{figure:10.0f}{figure - bases[kind]:+11.0f}{goal or '-':>8}", flush=True)
    return rows


def measure_cpu(options, kinds):
    print(f"\n{'CPU time, ratio to Unbound without the module':54}{'ratio':>8}{'goal':>8}")
    rows = []
    for variant, kind, goal in ((BASE, "ordinary", None), (Variant("a text line each", TEXT), "ordinary", 1.08), (Variant("a text line each", TEXT), "IDN", 1.15),
                                (Variant("log-queries", server="    log-queries: yes\n"), "ordinary", None),
                                (Variant("log-replies", server="    log-replies: yes\n"), "ordinary", None)):
        ratio = cpu_ratio(options, variant, BASE, kinds[kind].questions, options.rounds)
        rows.append({"variant": variant.title, "names": kind, "ratio": round(ratio, 3), "goal": goal})
        print(f"{variant.title:44}{kind:>10}{ratio:8.2f}{goal or '-':>8}", flush=True)
    return rows


def logged(folder):
    """Lines written, and lines that were said to be lost: a writer that had no processor for a while loses some."""
    log, lost = folder / "idn.log", re.findall(r"(\d+) log lines lost", (folder / "unbound.log").read_text())
    return log.read_bytes().count(b"\n") if log.exists() else 0, sum(map(int, lost))


def smoke(options, kinds):
    """Each row's daemon answers everything once, and each answer is a line or a counted loss; prints TAP."""
    rows = rows_of(options)
    for number, (variant, kind, _) in enumerate(rows, 1):
        is_logged = variant.idn and variant.idn.startswith((TEXT, JSON)) and "log-names:" not in variant.idn
        wanted = NAMES if is_logged else 0
        with running(options, variant) as (daemon, folder, port):
            ask(options, port, kinds[kind].questions, WINDOW)  # which fails where an answer is missing
            daemon.stop()
            written, lost = logged(folder)
        right = written + lost == wanted and bool(written) == bool(wanted)
        print(f"{'ok' if right else 'not ok'} {number} - {variant.title}, {kind} names: {NAMES} answers, {written} lines, {lost} lost", flush=True)
    print(f"1..{len(rows)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unbound", type=Path, required=True, help="folder of an Unbound with sbin/unbound")
    parser.add_argument("--module", type=Path, required=True, help="idn.so built for it")
    parser.add_argument("--load", type=Path, required=True, help="bench_udpload")
    parser.add_argument("--python-binding", type=Path, help="unboundmodule.py of that Unbound, for the rows of a Python module")
    parser.add_argument("--json", type=Path, help="where the figures go too")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--smoke", action="store_true", help="no figure: whether all rows work")
    options = parser.parse_args()

    # "few" is what a thread remembers the labels of, "new" and "hostile" what it does not; of "IDN" it does so of some.
    asked = {"ordinary": ascii_names(), "IDN": idn_names(), "IDN, few": idn_names(count=NAMES // 10) * 10, "for ICU": mapped_names()}
    kinds = {kind: Asked(packed(names)) for kind, names in asked.items()}
    others = packed(hostile_names(NAMES, 2 * NAMES))
    kinds["IDN, new"] = Asked(packed(idn_names()), between=others)
    kinds["hostile"] = Asked(packed(hostile_names()), between=others)
    kinds["unique"] = Asked(packed(unique_names()), packed(ascii_names()))
    if options.smoke:
        return smoke(options, kinds)
    figures = {"instructions": measure_instructions(options, kinds), "cpu": measure_cpu(options, kinds)}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
