# SPDX-License-Identifier: BSD-3-Clause
"""Progress of check and rpz: on a terminal, after two seconds, a line with a percentage, which is gone at the end."""

import os
import re
import signal
import subprocess
import time

from tap import open_terminal

NAMES = 400_000  # read in a fifth of a second, while a message of the first line is read and the command is stopped
SHOWN = rb"\r\x1b\[K%s: [0-9]+ %%(?=\r\x1b\[K)"
ZONE = "@ 1 IN SOA localhost. root.localhost. 1 1 1 1 1\n"


def rest_of(terminal):
    shown = b""
    while True:
        try:
            shown += os.read(terminal, 65536)
        except OSError:  # the other end is closed
            os.close(terminal)
            return shown


def stopped_for_two_seconds(tap, child, terminal):
    """Stops the child as soon as it writes its first message, which is about the beginning of what it reads."""
    first = os.read(terminal, 65536)
    child.send_signal(signal.SIGSTOP)
    tap.equal(os.WIFSTOPPED(os.waitpid(child.pid, os.WUNTRACED)[1]), True, "the command has not come to its end yet")
    time.sleep(2.1)
    child.send_signal(signal.SIGCONT)
    return first


def list_progress(tap, command, words, name):
    """Returns the progress of the list that is read when the first message, about another line, comes."""
    ends = open_terminal(tap)
    if not ends:
        return
    terminal, other = ends
    with subprocess.Popen([command.path, *words], stdout=other if words[0] == "check" else subprocess.DEVNULL, stderr=other) as child:
        os.close(other)
        shown = stopped_for_two_seconds(tap, child, terminal) + rest_of(terminal)
    tap.equal(re.search(SHOWN % re.escape(name.encode()[:40]), shown) is not None, True, f"{words[0]}: {shown}")
    after = shown.rpartition(b" %")[2]
    tap.equal(after.startswith(b"\r\x1b[K"), True, f"… and it is gone: {after}")


def no_progress(tap, command, words):
    """Where standard error is a file, nothing is added to the messages, however long it takes."""
    ends = open_terminal(tap)
    if not ends:
        return
    terminal, other = ends
    with subprocess.Popen([command.path, *words], stdout=other, stderr=subprocess.PIPE) as child:
        os.close(other)
        stopped_for_two_seconds(tap, child, terminal)
        rest_of(terminal)
        tap.equal(child.stderr.read(), b"", "nothing on a standard error that is no terminal")


def zone_progress(tap, command, rules):
    """The zone itself: its reader waits for two seconds, so the writer has to wait."""
    ends = open_terminal(tap)
    if not ends:
        return
    terminal, other = ends
    with subprocess.Popen([command.path, "rpz", "--origin", "rpz.example", rules], stdout=subprocess.PIPE, stderr=other) as child:
        os.close(other)
        child.stdout.read(1)
        time.sleep(2.1)
        zone = child.stdout.read()
        shown = rest_of(terminal)
    tap.equal((zone.count(b"CNAME"), re.search(SHOWN % b"the zone", shown) is not None), (2 * NAMES, True), f"rpz, while it writes: {shown}")


def test_progress(tap, command, folder):
    if command.sanitized:
        return
    names = "".join(f"n{number}.example\n" for number in range(NAMES))
    (folder / "good").write_text(names)
    (folder / "list").write_text(f"a b\n{names}")
    (folder / "short").write_text("a b\nc.example\n")
    (folder / "zone").write_text(f"$ORIGIN feed.\n{ZONE}" + names.replace("\n", " CNAME .\n"))
    for name, rule in ("good", "nxdomain zones good"), ("list", "nxdomain zones list"), ("zone", "nxdomain zones short\nrpz zone"):
        (folder / f"{name}.conf").write_text(rule + "\n")
    for name in "list", "zone":
        list_progress(tap, command, ["check", str(folder / f"{name}.conf")], str(folder / name))
    list_progress(tap, command, ["check", "--zones", str(folder / "list")], str(folder / "list"))
    list_progress(tap, command, ["rpz", "--origin", "rpz.example", str(folder / "list.conf")], str(folder / "list"))
    no_progress(tap, command, ["check", str(folder / "list.conf")])
    zone_progress(tap, command, str(folder / "good.conf"))
