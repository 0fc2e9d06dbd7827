# SPDX-License-Identifier: BSD-3-Clause
"""Every example of README.md that runs the command prints what README shows, its rules do what their comments say, and
the sample lists flag no honest name."""

import json
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

HONEST = ("www.bücher.de", "bücher.example", "bucher.de", "mañana.es", "größe.de", "почта.рф", "παιδιά.gr")


def seen(arguments, folder):
    """The output that a person in this folder sees: standard output and error in their order."""
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          cwd=folder, check=False).stdout.decode()


def test_examples(tap, command, readme):
    text = readme.read_text(encoding="utf-8")
    examples = [(words, shown + "\n") for words, shown in re.findall(r"^unbound-idn ((?:en|de)code .*?) +# (.*)$", text, re.M)]
    examples += re.findall(r"^unbound-idn (filter .*)\n```\n\nThe last line prints:\n\n```\n((?:(?!```).*\n)*)", text, re.M)
    tap.equal(len(examples) > 2, True, "README.md has examples of the command")
    for words, shown in examples:
        tap.equal(seen([command.path, *shlex.split(words)], readme.parent), shown, f"README.md: {words}")


def test_shells(tap, readme):
    """Lines to paste use only what sh has: Debian's is dash."""
    for block in re.findall(r"^```\n((?:apt-get|\$ |unbound-idn ).*?)^```", readme.read_text(encoding="utf-8"), re.M | re.S):
        done = subprocess.run(["dash", "-n"], input=block.encode(), capture_output=True, check=False)
        tap.equal((done.stderr.decode(), re.findall(r"\{\w+,|^\$ ", block, re.M)), ("", []), f"README.md: a block for sh: {block.splitlines()[0][:50]}")


def test_targets(tap, root):
    """make help begins with the dozen targets that most people need, and lists each target once."""
    text = subprocess.run(["make", "-s", "help"], cwd=root, capture_output=True, text=True, check=False).stdout
    groups = [(title, re.findall(r"^  ([a-z-]+) ", body, re.M)) for title, body in re.findall(r"^(\w.*):\n((?:  .*\n)*)", text, re.M)]
    names = [name for _, group in groups for name in group]
    tap.equal([title for title, _ in groups], ["What most people need", "More to build and install", "More tests", "Measurements"], "make help: its groups")
    tap.equal((len(groups[0][1]), len(names) - len(set(names)), {"demo", "run", "check", "deb", "deb-hosts"} - set(groups[0][1])), (12, 0, set()), "make help: the first dozen")


def test_taken(tap, root):
    """make run where another one, or any program, has the port: says so, and starts nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as holder:
        try:
            holder.bind(("127.0.0.1", 5335))
        except OSError:
            pass  # a process that exists already is as good
        done = subprocess.run([sys.executable, root / "tests/unbound/demo.py", "--foreground", "--unbound", "/nowhere"], capture_output=True, text=True, check=False)
    tap.equal((done.returncode, done.stdout, done.stderr),
              (1, "", "The demo could not run: port 5335 of 127.0.0.1 is taken: is `make run` running already? Stop that program first, or ask it.\n"), "make run, twice")


def deciders(command, rules, name):
    """The numbers of the lines that match a name: first the one that decides, which the log names, then those that only log."""
    done = subprocess.run([command.path, "explain", "--policy", rules, name], capture_output=True, text=True, check=False)
    return [int(number) for number in re.findall(rf"^ +{re.escape(str(rules))}:(\d+)$", done.stdout, re.M)]


def test_pasted(tap, command, readme):
    """The names in the comments of the block of look-alike rules are decided by the rule of their line."""
    block = re.search(r"^## Find look-alikes\n\n```\n(.*?)^```", readme.read_text(encoding="utf-8"), re.M | re.S).group(1)
    with tempfile.TemporaryDirectory(prefix="idn-readme-") as folder:
        rules = Path(folder) / "rules"
        rules.write_text(block, encoding="utf-8")
        shutil.copy(readme.parent / "conf/protected.txt", folder)
        names = 0
        for number, line in enumerate(block.splitlines(), 1):
            for name in re.findall(r"(?<![\w.])\w+(?:\.\w+)+", line.partition("#")[2]):
                names += 1
                tap.equal(deciders(command, rules, name)[:1], [number], f"README.md's look-alike rules: line {number} decides {name}")
        tap.equal(names, 6, "README.md's look-alike rules: all names in comments")
        tap.equal([name for name in ("paypal.com", "www.bücher.de", "bücher.example") if deciders(command, rules, name)], [],
                  "README.md's look-alike rules: honest names")
        tap.equal(4 in deciders(command, rules, "сосо.ru"), False, "README.md's look-alike rules: line 4 passes .ru")
        tap.equal(block.count("nxdomain"), 1, "README.md's look-alike rules refuse look-alikes of one name alone")


def neighbours(tap, command, conf):
    """The recipe of conf/neighbours.txt lists the names of a ranking that a rule matches. With them in except=, it matches none."""
    listed = [line.split("  # ") for line in (conf / "neighbours.txt").read_text().splitlines() if not line.startswith("#")]
    ranking = [*(name for name, _ in listed), "example.com", "booking.com"]
    with tempfile.TemporaryDirectory(prefix="idn-readme-") as folder:
        shutil.copy(conf / "protected.txt", folder)
        rules = Path(folder) / "rules"
        for names, found in (("", listed), ("".join(f"{name}\n" for name, _ in listed), [])):
            (Path(folder) / "neighbours.txt").write_text(names)
            rules.write_text(re.search("^#(log .*except=.*)$", (conf / "idn-policy.conf").read_text(), re.M).group(1))
            done = subprocess.run([command.path, "explain", "--json", "--policy", rules], input="".join(f"{name}\n" for name in ranking),
                                  capture_output=True, text=True, check=False)
            told = [json.loads(line) for line in done.stdout.splitlines()]
            tap.equal(len(told), len(ranking), "conf/neighbours.txt: each name of a ranking is explained")
            tap.equal([[one["ascii"], one["decision"]["match"]] for one in told if one["decision"]], found,
                      f"conf/neighbours.txt: found, with {len(names.split())} names in except=")


def test_samples(tap, command, conf):
    neighbours(tap, command, conf)
    for name in HONEST:
        tap.equal(deciders(command, conf / "idn-policy.conf", name), [], f"conf/idn-policy.conf: {name} is an honest name")
