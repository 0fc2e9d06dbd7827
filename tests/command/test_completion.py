# SPDX-License-Identifier: BSD-3-Clause
"""Completion for bash: commands, each option that a command has, and its values."""

import re
import subprocess

ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_unbound_idn "$COMMAND" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


class Shell:
    def __init__(self, command, script):
        self.command, self.script = command, script

    def __call__(self, *words):
        done = subprocess.run(["bash", "-c", ASK, "bash", self.script, "unbound-idn", *words], capture_output=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "COMMAND": self.command.path})
        return [line for line in done.stdout.decode().splitlines() if line] + [f"error: {line}" for line in done.stderr.decode().splitlines()]


def run(tap, command, script):
    complete = Shell(command, script)
    _, text, _ = command("--help")
    commands = re.findall(r"^  ([a-z]+) ", text.decode(), re.M)
    tap.equal(complete(""), [*commands, "--help", "--version"], "completion: the commands")
    tap.equal((complete("dec"), complete("--v"), complete("nothing")), (["decode"], ["--version"], []), "completion: by what they begin with")
    for name in commands:
        _, text, _ = command(name, "--help")
        options = sorted({*re.findall(r"--[a-z-]+", text.decode().split("\n", 1)[1]), "--help"})
        tap.equal(sorted(set(complete(name, "--"))), options, f"completion: {name}: all of its options")
        tap.equal(complete(name, "xn--"), [], f"completion: {name}: no option in the place of a name")
    tap.equal(complete("explain", "--type", "AA"), ["AAAA"], "completion: types")
    tap.equal(complete("explain", "--type", "=", "a"), ["A", "AAAA"], "completion: a value behind '='")
    tap.equal(complete("check", "--user", "roo"), ["root"], "completion: users")
    tap.equal((complete("check", "--daemon", ""), complete("check", "--daemon", "=")), ([], []), "completion: files are the shell's own")
    tap.equal((complete("$(touch x)", "-"), complete("explain", "/.*[\\(", "a")), ([], []), "completion: what is no command and no option does nothing")
