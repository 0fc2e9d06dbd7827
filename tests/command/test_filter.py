# SPDX-License-Identifier: BSD-3-Clause
"""filter: what comes out is what went in, but for the A-labels that may be shown."""

import fcntl
import json
import os
import pathlib
import random
import select
import subprocess
import sys
import tempfile
import threading

import alabels
from tap import open_terminal

B, U = "xn--bcher-kva", "bücher"
MEASURED = pathlib.Path(__file__).with_name("measured.py")
PATIENCE = 60  # seconds for what should come at once

# Lines in the formats of programs that Debian has not, as their documentation has them. What may be beside a label:
# tests/unit/test_labelscan.c.
# {} is where the A-label stands.
LINES = {
    "Unbound, log-queries": "[1700000000] unbound[412:0] info: 192.0.2.7 www.{}.example. A IN",
    "Unbound, log-replies": "Nov 21 23:00:01 ns unbound[412:0] info: 192.0.2.7 {}.example. A IN NOERROR 0.000214 1 61",
    "this module's log": "192.0.2.7 www.{}.example. A IN NOERROR 0.000214 1 - idn=invalid(2:disallowed)",
    "BIND": "client @0x7f2a0c 192.0.2.7#4711 ({0}.example): query: {0}.example IN A +E(0)K (192.0.2.1)",
    "Knot Resolver": "[plan  ][00000.00] plan '{}.example.' type 'A' uid [65536.00]",
    "PowerDNS Recursor": "Nov 21 23:00:01 2 [5/1] question for '{}.example|A' from 192.0.2.7:4711",
    "dnsdist": "Packet from 192.0.2.7:4711 for {}.example. A with id 4711",
    "Pi-hole, pihole.log": "Nov 21 23:00:01 dnsmasq[412]: gravity blocked {}.example is 0.0.0.0",
    "Pi-hole, a regular expression": "Nov 21 23:00:01 dnsmasq[412]: 17 192.0.2.7/4711 regex denied {}.example is 0.0.0.0",
    "mail": "From: \"B\" <info@{0}.example>, info@mail.{0}.example; to=<x@{0}>,",
    "a zone file": "{0}\tIN\tA\t192.0.2.1\n*.{0} 60 IN CNAME {0}.example.\n_dmarc.{0} TXT \"v=DMARC1\" ; {0}",
}

JSON = {
    "AdGuard Home, query log": {"T": "2026-11-21T23:00:01Z", "QH": "{}.example", "QT": "A", "IP": "192.0.2.7", "Result": {"Rules": [{"Text": "||{}.example^"}]}},
    "Pi-hole, API": {"queries": [{"domain": "{}.example", "cname": None, "client": {"ip": "192.0.2.7", "name": "{}.lan"}, "status": "GRAVITY"}]},
    "this module's log": {"dns.question.name": "www.{}.example", "idn.labels": [{"index": 2, "a": "{}", "u": "bücher"}]},
}


def test_options(tap, command):
    tap.equal(command("filter", stdin=f"{B}\n"), (0, f"{U}\n".encode(), ""), "filter: standard input")
    tap.equal(command("filter", stdin=b"")[:2], (0, b""), "filter: nothing")


def test_formats(tap, command):
    for name, line in LINES.items():
        fields = max(line.count("{}"), 1)
        text = line.format(*[B] * fields) + "\n"
        tap.equal(command("filter", stdin=text)[1].decode(), text.replace(B, U), f"filter: {name}")
        invalid = line.format(*["xn--31m-dda"] * fields) + "\n"
        tap.equal(command("filter", stdin=invalid)[1].decode(), invalid, f"filter: {name}, nothing to show")


def filled(value, label):
    """The same JSON value with labels in it."""
    if isinstance(value, dict):
        return {key: filled(item, label) for key, item in value.items()}
    if isinstance(value, list):
        return [filled(item, label) for item in value]
    return value.replace("{}", label) if isinstance(value, str) else value


def test_as_json(tap, command):
    for name, value in JSON.items():
        for ascii in True, False:
            text = json.dumps(filled(value, B), ensure_ascii=ascii)
            want = filled(value, U)
            out = command("filter", stdin=text)[1].decode()
            tap.equal(json.loads(out), want, f"filter: JSON, {name}, ASCII {ascii}")


def test_hostile(tap, command, vectors):
    """No hostile label is shown but as an A-label, wherever it stands."""
    rows = [row["a_label"] for row in json.loads((vectors / "hostile-alabels.json").read_text()) if row["idn"] not in (None, "restricted:wholescript")]  # a label alone is its own TLD
    text = "".join(f"{row} www.{row}.example. \"{row}\" //{row}/ {row.upper()}\n" for row in rows)
    tap.equal(command("filter", stdin=text)[1].decode(), text, "filter: hostile labels")


def test_by_tld(tap, command):
    """A label that looks like ASCII is shown where its TLD or that one's country is of its script; also across a cut."""
    a = "xn--80ak6aa92e"
    for text, want in [(f"{a}.com", None), (f"{a}.ru", "аррӏе.ru"), (f"{a}.ru.", "аррӏе.ru."), (f"www.{a}.b.COM. ", None), (f"//{a}.XN--P1AI/", "//аррӏе.рф/"),
                       (a, "аррӏе"), (f"{a}.", "аррӏе."), (f"{a}.{a}", "аррӏе.аррӏе"), (f"{a}..com", "аррӏе..com"), (f"{a}.gr {a}.bg", f"{a}.gr аррӏе.bg"),
                       (f"{a}." + "a." * 118 + "ru", "аррӏе." + "a." * 118 + "ru"), (f"{a}." + "a." * 119 + "ru", None), (f"{a}.{'a' * 64}", None)]:
        for before in "", "x" * 65_500 + "\n", "x" * 65_520 + "\n", "x" * 65_530 + "\n":
            tap.equal(command("filter", stdin=before + text)[1].decode() == before + (want or text), True, f"filter: {text[:40]}, at {len(before)}")


def test_at_random(tap, command, vectors):
    """Against a tokenizer of its own, on octets at random and on pieces that matter."""
    shown = alabels.shown(vectors / "labels.tsv")
    source = random.Random(6)
    labels = [*shown, *(label.upper() for label in shown), "xn--pypal-4ve", "xn--31m-dda", "xn--", "xn--a", "a" * 70]
    parts = ["\\", "\\\\", "\\n", "\\\"", "\\u002e", "\\u00fc", "\\ud83d", "\\udd12", "%2F", "%25", "%41", "%C3%BC", "\n", "\0", " ", ".", "..", "…", "\\u2026", "\"", "/", "?", "^", "^A",
             "[", "-", "_", "a", "9", "M-,", "ü", "・", "。", "🔒", "\u0301", "\u200d", "\ufeff", "\u00a0", "“", ";", "\x1b[1m", "\x1b", "\u009b", "#033", "#011", "\\u001b", "m", "1;", "032", "@", "|"]
    text = b""
    for _ in range(60000):
        piece = source.choice(labels if source.random() < 0.4 else parts).encode()
        text += piece if source.random() < 0.99 else bytes([source.randrange(256)])
    out = command("filter", stdin=text)[1]
    want = alabels.filtered(text, alabels.asked(command, text))
    tap.equal(out == want or first_difference(out, want), True, "filter: 60,000 pieces at random")
    tap.equal(want != text, True, "filter: of which some are shown")
    octets = source.randbytes(4_000_000)
    tap.equal(command("filter", stdin=octets)[1] == octets, True, "filter: octets at random stay as they are")
    text = b" ".join(label.encode() for label in shown)
    tap.equal(len(command("filter", stdin=text)[1].decode().split(" ")), len(shown), "filter: every label that is shown")
    back = b" ".join(alabels.to_ascii(label).encode() for label in command("filter", stdin=text)[1].decode().split(" "))
    tap.equal(back, text, "filter: and back")


def first_difference(got, want):
    at = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
    return at, got[max(at - 60, 0):at + 60], want[max(at - 60, 0):at + 60]


def test_files(tap, command):
    with tempfile.TemporaryDirectory() as folder:
        first, second = pathlib.Path(folder, "first"), pathlib.Path(folder, "second")
        first.write_bytes(f"{B}\nxn--bch".encode())
        second.write_bytes(b"er-kva.example")
        both = f"{U}\n{U}.example".encode()
        tap.equal(command("filter", str(first), str(second)), (0, both, ""), "filter: two files are one text")
        tap.equal(command("filter", str(first), "-", stdin=b"er-kva.example"), (0, both, ""), "filter: - is standard input")
        status, out, errors = command("filter", "/nowhere", str(second), folder)
        tap.equal((status, out), (2, b"er-kva.example"), "filter: what cannot be read does not keep it from the rest")
        tap.equal(errors, f"unbound-idn: /nowhere: No such file or directory\nunbound-idn: {folder}: Is a directory\n", "filter: and is named")
        with open(first, "ab") as output:
            done = subprocess.run([command.path, "filter", str(first)], stdout=output, stderr=subprocess.PIPE, timeout=60, check=False)
        tap.equal((done.returncode, first.read_bytes()), (2, f"{B}\nxn--bch".encode()), "filter: a file is not written to itself")
        tap.equal(b"also standard output" in done.stderr, True, "filter: and it says so")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([command.path, "filter"], input=B.encode(), stdout=full, stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, b"standard output" in done.stderr), (2, True), "filter: a full disk is an error")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([command.path, "filter"], input=B.encode(), stdout=writer, stderr=subprocess.PIPE, check=False, restore_signals=True)
    os.close(writer)
    tap.equal((done.returncode, done.stderr), (-13, b""), "filter: a reader that is gone ends it without a word")


def start(command, **streams):
    return subprocess.Popen([command.path, "filter"], bufsize=0, **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **streams})


def read_until(descriptor, enough):
    """Reads output until there is enough, or no more comes."""
    got, part = b"", b"."
    while part and not enough(got) and select.select([descriptor], [], [], PATIENCE)[0]:
        try:
            part = os.read(descriptor, 65536)
        except OSError:  # a terminal's end of file
            break
        got += part
    return got


def test_at_once(tap, command):
    """A line is out before the next comes, however it ends; so is what is decided of one."""
    with start(command) as process:
        for sent, want in [("{b}\n", "{u}\n"), ("one {b} two ", "one {u} two "), ("{b}\\\n", "{b}\\\n"), ("xn", ""), ("\n", "xn\n"),
                           ("password: ", "password: "), ("{b}", ""), (".\n", "{u}.\n")]:
            process.stdin.write(sent.format(b=B, u=U).encode())
            want = want.format(b=B, u=U).encode()
            got = read_until(process.stdout.fileno(), lambda octets, size=len(want): len(octets) >= size)
            tap.equal(got, want, f"filter: at once, {sent!r}")
        process.stdin.close()
        tap.equal((process.stdout.read(), process.wait(60)), (b"", 0), "filter: and nothing is left")


def test_waiting(tap, command):
    """Pipes that do not block are waited for, and a terminal is a file like another."""
    text = (B + "\n").encode() * 100_000
    reader, writer = os.pipe()
    for end in reader, writer:
        fcntl.fcntl(end, fcntl.F_SETFL, os.O_NONBLOCK)
    output, sink = os.pipe()
    fcntl.fcntl(sink, fcntl.F_SETFL, os.O_NONBLOCK)
    with start(command, stdin=reader, stdout=sink) as process:
        os.close(reader)
        os.close(sink)
        os.set_blocking(writer, True)

        def feed():
            at = 0
            while at < len(text):
                try:
                    at += os.write(writer, text[at:at + 5000])
                except BlockingIOError:
                    pass
            os.close(writer)

        feeder = threading.Thread(target=feed)
        feeder.start()
        with open(output, "rb") as file:
            got = file.read()
        feeder.join()
        tap.equal((got == text.replace(B.encode(), U.encode()), process.wait(60)), (True, 0), "filter: pipes that do not block")


def test_long_pieces(tap, command):
    """Text without an A-label is written from where it is, if it is long: a pipe takes as much of it as has room."""
    text = "".join(f"{B} {number} {'.' * (number * 7919 % 12000)}\n" for number in range(1000)).encode()
    output, sink = os.pipe()
    fcntl.fcntl(sink, fcntl.F_SETFL, os.O_NONBLOCK)
    with tempfile.TemporaryFile() as file:
        file.write(text)
        file.seek(0)
        with start(command, stdin=file, stdout=sink) as process:
            os.close(sink)
            with open(output, "rb") as pipe:
                got = pipe.read()
            tap.equal((got == text.replace(B.encode(), U.encode()), process.wait(60)), (True, 0), "filter: long pieces, a pipe that does not block")


def test_at_terminal(tap, command):
    ends = open_terminal(tap)
    if not ends:
        return
    terminal, other = ends
    with start(command, stdin=other, stdout=other) as process:
        os.close(other)
        os.write(terminal, f"{B}\n\x04".encode())
        got = read_until(terminal, lambda octets: U.encode() in octets)
        tap.equal((U in got.decode(), process.wait(60)), (True, 0), "filter: at a terminal")
    os.close(terminal)


def test_memory(tap, command):
    """A line of 100 MB takes no more than one of ten octets."""
    def peak(folder, feed):
        used = folder / "used"
        with subprocess.Popen([sys.executable, MEASURED, used, command.path, "filter"], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL) as process:
            for block in feed:
                process.stdin.write(block)
            process.stdin.close()
            status = process.wait(300)
        return status, json.loads(used.read_text())["mib"]

    with tempfile.TemporaryDirectory(prefix="idn-filter-") as name_of_folder:
        folder = pathlib.Path(name_of_folder)
        small = peak(folder, [f"{B}\n".encode()])[1]
        for megabytes, name, block in [(100, "x", b"x" * 1_000_000), (10, "labels", f"{B}.".encode() * 70_000), (10, "a label", b"xn--" + b"a" * 1_000_000),
                                       (10, "backslashes", b"\\" * 1_000_000), (10, "beginnings", b"xn--" * 250_000)]:
            status, mib = peak(folder, [block] * megabytes)
            tap.equal((status, mib - small < 2), (0, True), f"filter: {megabytes} MB of {name} in a line, in the memory of a few")
