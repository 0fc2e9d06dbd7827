# SPDX-License-Identifier: BSD-3-Clause
"""Options, help and exit statuses; what can go wrong with any of them."""

import fcntl
import os
import pathlib
import re
import struct
import subprocess
import termios
import time


def fixtures(command, _):
    return {"commands": re.findall(r"^  ([a-z]+) ", command("--help")[1].decode(), re.M)}


def test_commands(tap, command, commands):
    for arguments in [], ["unknown"], ["decode", "--unknown"], ["decode", "--trace", "x"], ["encode", "--punycode", "--json"], ["decode", "--json", "--punycode"]:
        status, out, errors = command(*arguments)
        tap.equal((status, out, bool(errors)), (2, b"", True), f"usage: {' '.join(arguments) or 'nothing'}")
    tap.equal(commands, sorted(commands), "--help: the commands, sorted")
    for arguments in ["--help"], *([name, "--help"] for name in commands):
        status, out, errors = command(*arguments)
        lines = out.decode().splitlines()
        tap.equal((status, errors, len(lines) < 24, max(map(len, lines)) <= 80), (0, "", True, True), f"{' '.join(arguments)} fits a screen")
    for name in commands:
        status, out, errors = command(name, "--nonsense")
        tap.equal((status, out, errors), (2, b"", f"unbound-idn {name}: --nonsense: no such option; try 'unbound-idn {name} --help'\n"),
                  f"{name}: an unknown option: which, and what to do")
    status, out, _ = command("--version")
    tap.equal((status, out.decode().split()[0]), (0, "unbound-idn"), "--version")
    for arguments in ["decode", "xn--tda"], ["--help"], ["--version"], *([name, "--help"] for name in commands):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([command.path, *arguments], stdout=full, stderr=subprocess.PIPE, check=False)
        writer = b"cat: write error" if arguments[0] == "enable" else b"unbound-idn: standard output"
        tap.equal((done.returncode, done.stderr), (2, writer + b": No space left on device\n"), f"{' '.join(arguments)}: a full disk is an error")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([command.path, "decode", "xn--tda"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    tap.equal(done.returncode != 0, True, "a reader that is gone ends it")


def until_it_waits(process, writer):
    """All input was read, and the command sleeps or has terminated. No event reports that."""
    while process.poll() is None:
        state = pathlib.Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        unread, = struct.unpack("i", fcntl.ioctl(writer, termios.FIONREAD, bytes(4)))
        if state == "S" and unread == 0:
            return
        time.sleep(0.001)


def test_waiting(tap, command):
    """A pipe that does not block is waited for, in the middle of a line too."""
    for arguments, text, want in ((["decode"], b"xn--tda.exam|ple\n|xn--tda\n", "ü.example\nü\n"), (["encode"], "ü|\n|".encode(), "xn--tda\n"), (["explain", "--json"], b"xn--t|da\n", '"unicode":"ü"'),
                                  (["report", "-"], b"192.0.2.7 a.exam|ple. A IN NOERROR 0.1 0 -\n", "<bdi>example</bdi>")):
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        with subprocess.Popen([command.path, *arguments], stdin=reader, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            os.close(reader)
            for part in text.split(b"|"):
                until_it_waits(process, writer)
                try:
                    os.write(writer, part)
                except BrokenPipeError:
                    pass
            os.close(writer)
            out, errors = process.communicate(timeout=60)
        tap.equal((process.returncode, want in out.decode(), errors), (0, True, b""), f"{' '.join(arguments)}: standard input that does not block")


def test_lost_output(tap, command):
    """Input that has no end is read no longer than its result can be written."""
    for name in "decode", "encode", "explain":
        reader, gone = os.pipe()
        os.close(reader)
        for what, writer, said in ("a full disk", os.open("/dev/full", os.O_WRONLY), "No space left on device"), ("a reader that is gone, without SIGPIPE", gone, "Broken pipe"):
            with subprocess.Popen(["yes", "xn--tda"], stdout=subprocess.PIPE) as endless:
                try:
                    done = subprocess.run([command.path, name], stdin=endless.stdout, stdout=writer, stderr=subprocess.PIPE, timeout=60, restore_signals=False, check=False)
                    got = (done.returncode, done.stderr.decode())
                except subprocess.TimeoutExpired:
                    got = "no end"
                endless.terminate()
            os.close(writer)
            tap.equal(got, (2, f"unbound-idn: standard output: {said}\n"), f"{name}: {what} ends it")


def test_wrong_options(tap, command):
    """The message names the wrong option, wherever it stands and however it is written."""
    for arguments, said in ((["check", "--json", "--non=1", "file"], "check: --non=1: no such option"), (["check", "--json", "-xy", "file"], "check: -x: no such option"),
                            (["check", "--jsn"], "check: --jsn: no such option: did you mean --json?"), (["report", "--polcy=x"], "report: --polcy=x: no such option: did you mean --policy?"),
                            (["decode", "-ü"], "decode: -ü: no such option"),
                            (["check", "--user=x", "-€x", "file"], "check: -€x: no such option"), (["check", "--json", "-\x1b[31m"], "check: -\\u{1B}[31m: no such option"),
                            (["check", "--user=x", "-\x01"], "check: -\\u{1}: no such option"), (["check", "--u", "x"], "check: --u: several options begin like this"),
                            (["check", "--u=x"], "check: --u=x: several options begin like this"), (["check", "--json=1"], "check: --json=1: this option takes no value"),
                            (["check", "--help=1"], "check: --help=1: this option takes no value"), (["report", "log", "-o"], "report: -o: this option needs a value"),
                            (["explain", "name", "--policy"], "explain: --policy: this option needs a value")):
        status, out, errors = command(*arguments)
        tap.equal((status, out, errors), (2, b"", f"unbound-idn {said}; try 'unbound-idn {arguments[0]} --help'\n"), f"usage: {' '.join(arguments)}")


def test_near_words(tap, command):
    for word, near in ("chekc", "check"), ("Explain", "explain"), ("fitler", "filter"), ("rps", "rpz"):
        tap.equal(command(word), (2, b"", f"unbound-idn: '{word}' is not a command: did you mean '{near}'?\n"), f"not a command: {word}")
    for arguments in ["-h"], ["check", "-h"], ["explain", "-h"]:
        tap.equal(command(*arguments), command(*arguments[:-1], "--help"), f"{' '.join(arguments)}: as --help")
    tap.equal(command("-V"), command("--version"), "-V: as --version")


def test_terminals(tap, command, commands):
    """A wrong name in a message moves no cursor; the script of enable shows its characters as question marks."""
    hostile = "no\x1b[2J\u202e\u200b\n"
    seen = "no\\u{1B}[2J\\u{202E}\\u{200B}\\u{A}"
    runs = [[hostile], *([name, f"--{hostile}"] for name in commands), ["filter", hostile], ["report", hostile], ["check", hostile], ["check", "--names", hostile],
            ["rpz", "--origin", "x", hostile], ["explain", "--policy", hostile, "a"], ["check", "--unbound-conf", hostile]]
    for arguments in runs:
        status, out, errors = command(*arguments)
        text = out.decode() + errors
        shown = "no?[2J" if arguments[0] == "enable" else seen
        tap.equal((status in (1, 2), shown in text, [c for c in text if c not in "\n…" and not c.isprintable()]), (True, True, []),
                  f"{' '.join(arguments)}: it is shown")


def test_unreadable(tap, command):
    """Standard input that is no text is no end of it."""
    for name in "encode", "decode", "explain":
        folder = os.open("/", os.O_RDONLY)
        done = subprocess.run([command.path, name], stdin=folder, capture_output=True, check=False)
        os.close(folder)
        tap.equal((done.returncode, done.stdout, done.stderr), (2, b"", b"unbound-idn: standard input: Is a directory\n"), f"{name}: a folder as standard input")
        done = subprocess.run(["/bin/sh", "-c", 'exec "$@" <&-', "sh", command.path, name], capture_output=True, check=False)
        tap.equal((done.returncode, done.stdout, done.stderr), (2, b"", b"unbound-idn: standard input: Bad file descriptor\n"), f"{name}: no standard input")
