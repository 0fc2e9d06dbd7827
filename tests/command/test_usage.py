# SPDX-License-Identifier: BSD-3-Clause
"""Options, help and exit statuses."""

import os
import re
import subprocess


def run(tap, command):
    for arguments in [], ["unknown"], ["decode", "--unknown"], ["decode", "--trace", "x"], ["encode", "--punycode", "--json"], [
            "decode", "--punycode", "--strict"], ["decode", "--json", "--codepoints"]:
        status, out, errors = command(*arguments)
        tap.equal((status, out, bool(errors)), (2, b"", True), f"usage: {' '.join(arguments) or 'nothing'}")
    commands = re.findall(r"^  ([a-z]+) ", command("--help")[1].decode(), re.M)
    tap.equal(commands, sorted(commands), "--help: the commands, sorted")
    for arguments in ["--help"], *([name, "--help"] for name in commands):
        status, out, errors = command(*arguments)
        lines = out.decode().splitlines()
        tap.equal((status, errors, len(lines) < 24, max(map(len, lines)) <= 80), (0, "", True, True), f"{' '.join(arguments)} fits a screen")
    for name in commands:
        status, out, errors = command(name, "--nonsense")
        tap.equal((status, out, errors.startswith(f"unbound-idn {name}: "), f"'unbound-idn {name} --help'" in errors), (2, b"", True, True),
                  f"{name}: an unknown option: what to do")
    status, out, _ = command("--version")
    tap.equal((status, out.decode().split()[0]), (0, "unbound-idn"), "--version")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([command.path, "decode", "xn--tda"], stdout=full, stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, b"standard output" in done.stderr), (2, True), "a full disk is an error")
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([command.path, "decode", "xn--tda"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    tap.equal(done.returncode != 0, True, "a reader that is gone ends it")
