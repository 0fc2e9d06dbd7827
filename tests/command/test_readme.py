# SPDX-License-Identifier: BSD-3-Clause
"""Every example of README.md that runs the command gives what stands there, on a terminal."""

import os
import pty
import re
import shlex
import subprocess


def on_a_terminal(arguments):
    """What a person sees: standard output and error in their order."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        seen = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        child.wait()
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


def run(tap, command, readme):
    examples = re.findall(r"^\$ unbound-idn (.*)\n((?:(?!\$ |```).*\n)*)", readme.read_text(encoding="utf-8"), re.M)
    tap.equal(len(examples) > 2, True, "README.md has examples of the command")
    for words, shown in examples:
        tap.equal(on_a_terminal([command.path, *shlex.split(words)]), shown, f"README.md: {words}")
