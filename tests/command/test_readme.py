# SPDX-License-Identifier: BSD-3-Clause
"""Every example of README.md that runs the command gives what stands there."""

import re
import shlex
import subprocess


def seen(arguments, folder):
    """The output that a person in this folder sees: standard output and error in their order."""
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          cwd=folder, check=False).stdout.decode()


def run(tap, command, readme):
    examples = re.findall(r"^\$ unbound-idn (.*)\n((?:(?!\$ |```).*\n)*)", readme.read_text(encoding="utf-8"), re.M)
    tap.equal(len(examples) > 2, True, "README.md has examples of the command")
    for words, shown in examples:
        tap.equal(seen([command.path, *shlex.split(words)], readme.parent), shown, f"README.md: {words}")
