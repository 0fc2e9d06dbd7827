# SPDX-License-Identifier: BSD-3-Clause
"""Colors: on a terminal, as NO_COLOR, TERM and --color say, around the same text; and messages that name the value they refuse."""

import os
import re
import subprocess

from tap import open_terminal

COLOR = re.compile("\x1b\\[(?:1;31|1;35|0)m")
NAMES = ["xn--pypal-4ve.com", "bücher.example", "so\u00adft.x", "例え" * 8 + ".x", "\x1b[31m\x1b[1;31m.ü", "x://ü/\x1b[0m", "ρ" * 20 + "a" * 3 + ".example"]
RULES = "nxdomain zone straße.example type=A\nnxdomain zone stra\x1b[1;31msse.example\nlog zone faß.example\nlog zone fass.example\n"


def on_terminal(tap, arguments, environment):
    ends = open_terminal(tap)
    if not ends:
        return None
    terminal, end = ends
    process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=end, stderr=subprocess.DEVNULL, env=environment)
    os.close(end)
    out = b""
    try:
        while part := os.read(terminal, 65536):
            out += part
    except OSError:  # all of its ends are closed
        pass
    os.close(terminal)
    process.wait()
    return out.decode().replace("\r\n", "\n")


def test_colors(tap, command, folder):
    rules, conf = folder / "rules", folder / "empty.conf"
    rules.write_text(RULES, encoding="utf-8")
    conf.write_text("idn:\n", encoding="utf-8")
    base = {"UNBOUND_IDN_CONF": str(conf), "PATH": os.environ["PATH"], "TERM": "xterm"}
    for what in ["explain", *NAMES], ["check", str(rules)]:
        colors(tap, command, what, base)


def colors(tap, command, what, base):
    name, *arguments = what
    plain = subprocess.run([command.path, *what], capture_output=True, env=base, check=False).stdout.decode()
    colored = subprocess.run([command.path, name, "--color", "always", *arguments], capture_output=True, env={**base, "NO_COLOR": "1", "TERM": "dumb"}, check=False).stdout.decode()
    tap.equal(plain.isprintable() or not COLOR.search(plain), True, f"{name}: no colors in a file")
    tap.equal((len(COLOR.findall(colored)) > 3, COLOR.sub("", colored)), (True, plain), f"{name} --color always: colors around the same text")
    tap.equal([c for c in COLOR.sub("", colored) if c != "\n" and not c.isprintable()], [], f"{name}: no other control character")
    tap.equal({"explain": "\x1b[1;35mU+0430 а\x1b[0m  Cyrl", "check": f"\x1b[1;31m{arguments[0]}:1:30: \x1b[0m"}[name] in colored, True, f"{name}: what has a color")
    for options, environment, want in (([], {}, colored), (["--color", "auto"], {"NO_COLOR": ""}, colored), ([], {"NO_COLOR": "0"}, plain), ([], {"TERM": "dumb"}, plain),
                                       (["--color=never"], {}, plain), (["--color=always"], {"NO_COLOR": "1"}, colored)):
        out = on_terminal(tap, [command.path, name, *options, *arguments], {**base, **environment})
        if out is None:
            return
        tap.equal(out, want, f"{name} {options} on a terminal, {environment}")
    json_out = on_terminal(tap, [command.path, name, "--json", *arguments], base)
    tap.equal("\x1b" in json_out, False, f"{name} --json: no colors on a terminal")


def test_refusals(tap, command):
    for arguments in (["explain", "--client", "{}", "a"], ["explain", "--time", "{}", "a"], ["explain", "--type", "{}", "a"], ["explain", "--color", "{}", "a"], ["check", "--color", "{}"],
                      ["rpz", "--origin", "{}"], ["rpz", "--origin", "x", "--serial", "{}"], ["rpz", "--origin", "x", "--group", "{}"], ["tap", "--listen", "{}"],
                      ["fetch", "--time-max", "{}"], ["fetch", "--size-max", "{}"]):
        option = arguments[arguments.index("{}") - 1]
        for value, seen in ("no\x1b[2J..", "no\\u{1B}[2J.."), ("", "''"):
            status, out, errors = command(*(value if word == "{}" else word for word in arguments))
            tap.equal((status, out, errors.startswith(f"unbound-idn {arguments[0]}: {option} {seen}: "), errors.count("\n")), (2, b"", True, 1),
                      f"{arguments[0]} {option} {seen}: the value that is refused")
