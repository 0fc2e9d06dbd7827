# SPDX-License-Identifier: BSD-3-Clause
"""compile: what is written, that it decides as the rules do, what is said where nothing is written, and what other
subcommands make of a compiled policy."""

import os
import pathlib
import random
import subprocess
import tempfile

RULES = """\
nxdomain zones list
redirect 192.0.2.80 2001:db8::80 zone пример.испытание ttl=60 type=A,AAAA
answer name hallo.example TXT "привет"
answer name hallo.example TXT "zwei"
cname walled.example.net zone straße.example
nodata zone bücher.example type=AAAA ede=15:"Blocked by policy — blockiert"
rpz zone.rpz
log zone example tag=watch
nxdomain lookalike paypal.com tld=any
log lookalikes protected key=strict tag=alike
log script not-in Latn,Grek
log wholescript except=ru,рф
refuse invalid
"""
ZONE = "$TTL 60\nrpz.example. SOA ns. admin. 1 2 3 86400 5\n*.wild.test.rpz.example. CNAME .\nown.test.rpz.example. A 192.0.2.9\n" \
    "pre.test.rpz.example. CNAME *.garden.example.\n"
NAMES = ["one.test", "x.two.test", "a.пример.испытание", "hallo.example", "www.straße.example", "bücher.example", "x.wild.test",
         "own.test", "pre.test", "nothing.test", "xn--pypal-4ve.com", "xn--pypal-4ve.org", "xn--ggle-0nda.com", "xn--a-.com", "xn--80ak6aa92e.com", "xn--ng-mja.com",
         "xn--e1afmkfd.example", "xn--fiqs8s"]
AS_WRITTEN = "expected the file as 'unbound-idn compile' wrote it"
ONLY = "'compiled' goes with no other rule, in any rule file: compile the other rules with it"


class Folder:
    """A folder, and the command run in it. Output and errors are text."""

    def __init__(self, command, path):
        self.command, self.path = command, pathlib.Path(path)

    def write(self, name, text):
        (self.path / name).write_text(text)

    def __call__(self, *arguments, **options):
        done = subprocess.run([self.command.path, *arguments], cwd=self.path, capture_output=True, timeout=300, check=False, **options)
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def files(self):
        return sorted(path.name for path in self.path.iterdir())


def fill(folder):
    folder.write("rules", RULES)
    folder.write("list", "one.test\ntwo.test\n")
    folder.write("zone.rpz", ZONE)
    folder.write("protected", "google.com\ning.com min=3\n")
    folder.write("compiled.conf", "compiled policy\n")


def run(tap, command):
    for part in written, decides, said, sources, spoilt, configurations, others, interrupted:
        with tempfile.TemporaryDirectory(prefix="idn-compile-") as path:
            folder = Folder(command, path)
            fill(folder)
            part(tap, folder)


def written(tap, folder):
    for mask, mode in (0o022, 0o644), (0o077, 0o600):
        done = folder("compile", "rules", "-o", "policy", umask=mask)
        tap.equal(done, (0, "", ""), f"compile, umask {mask:o}: nothing is said")
        tap.equal((folder.path / "policy").stat().st_mode & 0o777, mode, "its mode")
    first = (folder.path / "policy").read_bytes()
    tap.equal(first[:28], b"unbound-idn compiled policy\n", "it says what it is")
    for name in "list", "rules":
        os.utime(folder.path / name)
    tap.equal(folder("compile", "-o", "again", "rules"), (0, "", ""), "again, with the option before the rules")
    tap.equal((folder.path / "again").read_bytes() == first, True, "the same octets")
    (folder.path / "link").symlink_to("policy")
    tap.equal(folder("compile", "rules", "-o", "link")[0], 0, "in the place of a link")
    tap.equal((folder.path / "link").is_symlink(), False, "… which is replaced")
    tap.equal(folder.files(), ["again", "compiled.conf", "link", "list", "policy", "protected", "rules", "zone.rpz"], "nothing is left beside it")


def decides(tap, folder):
    folder("compile", "rules", "-o", "policy")
    for kind in "A", "AAAA", "TXT":
        for json in [], ["--json"]:
            rules = folder("explain", "--policy", "rules", "--type", kind, *json, *NAMES)
            tap.equal(folder("explain", "--policy", "compiled.conf", "--type", kind, *json, *NAMES), rules, f"explain: the same of {kind} {json}")
            tap.equal(folder("explain", "--policy", "policy", "--type", kind, *json, *NAMES), rules, f"explain: of the compiled policy itself {json}")
    draw = random.Random(7)
    twice = "answer lookalike paypal.com A 192.0.2.1\nanswer lookalike paypal.com A 192.0.2.2\nrefuse invalid\nrefuse invalid\n"
    folder.write("twice", twice)
    tap.equal(folder("compile", "twice", "-o", "policy"), (0, "", ""), "shadowed rules")
    tap.equal(folder("explain", "--policy", "policy", *NAMES), folder("explain", "--policy", "twice", *NAMES), "… explain: the same")
    folder.write("list", "".join(f"n{number}.{draw.choice(['test', 'example', 'de'])}\n" for number in range(20000)))
    folder("compile", "rules", "-o", "policy")
    names = [f"{draw.choice(['', 'www.', 'a.b.'])}n{draw.randrange(40000)}.{draw.choice(['test', 'example', 'de'])}" for _ in range(2000)]
    tap.equal(folder("explain", "--policy", "policy", "--json", *names) == folder("explain", "--policy", "rules", "--json", *names), True,
              "2,000 names: the same")


def said(tap, folder):
    usage = "unbound-idn compile: expected rule files, and -o with the file to write; try 'unbound-idn compile --help'\n"
    for wrong in [], ["rules"], ["-o", "policy"], ["rules", "-o", ""]:
        tap.equal(folder("compile", *wrong), (2, "", usage), f"compile {' '.join(wrong)}: usage")
    tap.equal(folder("compile", "rules", "-o")[0], 2, "-o without its value")
    folder("compile", "rules", "-o", "policy")
    before = (folder.path / "policy").read_bytes()

    def refuses(title, expected, *files, output="policy", status=2):
        tap.equal(folder("compile", *files, "-o", output), (status, "", expected), title)
        tap.equal((folder.path / "policy").read_bytes() == before, True, f"{title}: what was there stays")

    refuses("no such file", "nothing: No such file or directory\n", "nothing")
    refuses("no such file beside rules", "nothing: No such file or directory\n", "rules", "nothing")
    folder.write("bad", "nxdomain name a.example\nnxdoman zone b.example\n")
    refuses("an error in the rules", "bad:2:1: 'nxdoman' is not an action: did you mean 'nxdomain'?\n", "bad")
    folder.write("lost", "refuse names nowhere\n")
    refuses("a list that is not there", "lost:1:14: 'nowhere' cannot be read: No such file or directory: none of its entries is in force\n"
            "lost:1:1: nothing is written: this list has no names: if it is meant to be empty, remove the rule\n", "lost")
    folder.write("empty", "")
    folder.write("lost", "refuse names empty\n")
    refuses("an empty list", "lost:1:1: nothing is written: this list has no names: if it is meant to be empty, remove the rule\n", "lost")
    folder.write("lost", "group kids 192.0.2.1 file=empty\nrefuse zone a client=kids\n")
    refuses("an empty file of a group", "lost:1:27: 'empty' has no address: group kids has 0 addresses and prefixes of it\n"
            "empty: nothing is written: group kids has no address of this file: if it is meant to be empty, remove the file= from the group\n", "lost")
    folder.write("list", "||a.example^$denyallow=" + "|".join(f"n{number:04}.a.example" for number in range(950)))
    folder.write("lost", "refuse zones list\n" * 70)
    refuses("too many names of $denyallow", "policy: nothing is written: entries that have one place in the hash table have more than 1 MiB of $denyallow= names: "
            "expected lists with fewer of them for the same name\n", "lost")
    refuses("a compiled policy", "policy: nothing is written: is already compiled: expected the rule files that it was compiled from\n", "policy")
    refuses("a line of one", "compiled.conf:1:1: is already compiled: expected the rule files that it was compiled from\n", "compiled.conf")
    refuses("its own rules", "rules: is one of the files to be compiled: name another file\n", "rules", output="rules")
    refuses("its own list", "./list: is one of the files to be compiled: name another file\n", "rules", output="./list")
    refuses("a folder", ".: is not a regular file: expected one, or none\n", "rules", output=".")
    refuses("a device", "/dev/null: is not a regular file: expected one, or none\n", "rules", output="/dev/null")
    refuses("no such folder", "no/policy: cannot be written: No such file or directory\n", "rules", output="no/policy")
    for name, text in ("mine", "nxdomain name mine.example\n"), ("idn.conf", "idn:\npolicy: rules\n"):
        folder.write(name, text)
        refuses(f"what somebody wrote: {name}", f"{name}: exists and is not a compiled policy: name another file, or remove this one\n",
                "idn.conf" if name == "idn.conf" else "rules", output=name)
        tap.equal((folder.path / name).read_text(), text, f"{name}: stays")
    folder.write("empty", "")
    tap.equal(folder("compile", "rules", "-o", "empty"), (0, "", ""), "an empty file, as mktemp makes one")
    folder.write("empty", "")
    (folder.path / "stdout").symlink_to("empty")
    refuses("a link to an empty file, as /dev/stdout may be", "stdout: is a link to an empty file: name that file itself\n", "rules",
            output="stdout")
    tap.equal((folder.path / "stdout").is_symlink(), True, "… which stays")
    full = pathlib.Path("/dev/full")
    if full.exists():
        refuses("a full disk, or no disk", "/dev/full: is not a regular file: expected one, or none\n", "rules", output="/dev/full")
    folder.write("none", "# no rules\n")
    refuses("no rules at all", "none: nothing is written: this configuration names no rule file\n", "none")
    tap.equal(folder("compile", "rules", "none", "-o", "policy"), (0, "", ""), "a file without rules beside rules")
    tap.equal((folder.path / "policy").read_bytes() == before, False, "… which is one of the policy's")
    folder.write("list", "one.test\nno name\n")
    tap.equal(folder("compile", "rules", "-o", "policy"),
              (0, "", "list:2:4: text follows the name: expected one name a line, or an address and its names\n"), "a bad line is left out")
    tap.equal([name for name in folder.files() if name.startswith("policy")], ["policy"], "nothing is left beside it")


def sources(tap, folder):
    folder("compile", "rules", "-o", "policy")
    os.utime(folder.path / "list")
    tap.equal(folder("check", "policy")[0], 0, "touched, and the same: fine")
    folder.write("list", "one.test\nfor.test\n")
    stale = "policy: is stale: 'list' has changed since it was compiled; compile it again"
    status, out, _ = folder("check", "policy")
    tap.equal((status, out.splitlines()[0], out.splitlines()[-1]), (0, f"{stale} [warning]", "policy: 1 warning"), "a changed list of the same size")
    status, out, _ = folder("check", "compiled.conf")
    tap.equal((status, out.splitlines()[0]), (0, "compiled.conf:1:10: 'policy' is stale, and in force: 'list' has changed since it was "
                                              "compiled; compile it again [warning]"), "… where a rule file names it")
    for file in "policy", "compiled.conf":
        tap.equal(folder("explain", "--policy", file, "ascii.example")[2], f"{stale}\n", f"explain by {file} says it")
    folder("compile", "rules", "-o", "policy")
    tap.equal(folder("check", "compiled.conf")[0], 0, "compiled again: fine")
    (folder.path / "there").mkdir()
    folder.write("there/rules", "nxdomain name there.example\n")
    tap.equal(folder("compile", "rules", "-o", "there/policy"),
              (2, "", "rules: leads to another file from the folder of 'there/policy': use an absolute path, or run this in that folder\n"),
              "a relative path that is another file there")
    for name in "list", "rules":
        (folder.path / name).unlink()
    tap.equal(folder("check", "policy", "compiled.conf")[0], 0, "no sources, as on another machine: fine")
    tap.equal(folder("explain", "--policy", "compiled.conf", "ascii.example")[2], "", "… and explain says nothing")


def spoilt(tap, folder):
    folder("compile", "rules", "-o", "policy")
    good = (folder.path / "policy").read_bytes()
    places = {"a flipped bit": (700, f"is damaged: its checksum does not match: {AS_WRITTEN}"),
              "its head": (36, "has format 263: expected 7; compile it again with this version of unbound-idn"),
              "its name": (3, None)}
    for title, (at, expected) in places.items():
        octets = bytearray(good)
        octets[at + (title == "its head")] ^= 1
        (folder.path / "policy").write_bytes(octets)
        if expected:
            tap.equal(folder("check", "compiled.conf"), (1, f"compiled.conf:1:10: 'policy' {expected}\ncompiled.conf: 1 error\n", ""), title)
            tap.equal(folder("check", "policy"), (1, f"policy: {expected}\npolicy: 1 error\n", ""), f"{title}, by itself")
            tap.equal(folder("explain", "--policy", "policy", "a.example"), (2, "", f"policy: {expected}\n"), f"{title}: explain")
        else:
            tap.equal(folder("check", "compiled.conf")[1].splitlines()[0], "compiled.conf:1:10: 'policy' is not a compiled policy: expected a "
                      "file that 'unbound-idn compile' wrote", title)
    (folder.path / "policy").write_bytes(good[:len(good) // 2])
    tap.equal(folder("check", "policy")[1].splitlines()[0], f"policy: is damaged: it has {len(good) // 2} octets, but its header says {len(good)}: "
              f"{AS_WRITTEN}", "half of it")
    (folder.path / "policy").write_bytes(good)
    folder.write("compiled.conf", "compiled policy\npassthru name a.example\n")
    tap.equal(folder("check", "compiled.conf"), (1, f"compiled.conf:1:1: {ONLY}\ncompiled.conf: 1 error\n", ""), "a rule beside it")


def configurations(tap, folder):
    folder.write("made.conf", "idn:\npolicy: rules\npolicy-ttl: 300\n")
    folder.write("idn.conf", "idn:\npolicy: compiled.conf\npolicy-ttl: 300\n")
    tap.equal(folder("compile", "made.conf", "-o", "policy"), (0, "", ""), "a configuration")
    tap.equal(folder("check", "idn.conf")[0], 0, "for one with the same policy-ttl")
    folder.write("idn.conf", "idn:\npolicy: compiled.conf\n")
    tap.equal(folder("check", "idn.conf")[1].splitlines()[0], "compiled.conf:1:10: 'policy' was compiled with policy-ttl: 300: expected 60, as in "
              "the configuration; compile one that has it", "for one with another")
    tap.equal(folder("check", "policy")[0], 0, "by itself it is fine")
    tap.equal(folder("check", "compiled.conf")[0], 0, "so it is where a rule file by itself names it")
    status, out, errors = folder("explain", "--policy", "compiled.conf", "one.test")
    tap.equal((status, "\n=> nxdomain" in out, errors), (1, True, ""), "… for explain, too")
    tap.equal(folder("compile", "made.conf", "rules", "-o", "x"),
              (2, "", "made.conf: nothing is written: a configuration must be the only file\n"), "a configuration stands alone")
    folder.write("made.conf", "idn:\n")
    tap.equal(folder("compile", "made.conf", "-o", "x"), (2, "", "made.conf: nothing is written: this configuration names no rule file\n"),
              "a configuration without rules")


def others(tap, folder):
    folder("compile", "rules", "-o", "policy")
    reason = "a compiled policy cannot be exported as a zone: expected the rule files that it was compiled from\n"
    tap.equal(folder("rpz", "--origin", "x", "policy"), (2, "", f"policy: no zone is written: {reason}"), "rpz of a compiled policy")
    tap.equal(folder("rpz", "--origin", "x", "compiled.conf"), (2, "", f"compiled.conf:1:1: {reason}"), "rpz of a line of one")
    status, out, _ = folder("check", "--json", "policy")
    tap.equal((status, '"protected":3,"conditions":3,"memory":' in out), (0, True), "check --json")


def interrupted(tap, folder):
    """The output is complete or not there, whenever the writer is killed."""
    folder.write("list", "".join(f"n{number}.test\n" for number in range(60000)))
    folder("compile", "rules", "-o", "policy")
    good = (folder.path / "policy").read_bytes()
    folder.write("list", "".join(f"m{number}.test\n" for number in range(60000)))
    folder("compile", "rules", "-o", "other")
    other = (folder.path / "other").read_bytes()
    for turn in range(12):
        process = subprocess.Popen([folder.command.path, "compile", "rules", "-o", "policy"], cwd=folder.path)
        try:
            process.wait(timeout=0.02 * turn)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        tap.equal((folder.path / "policy").read_bytes() in (good, other), True, f"killed after {20 * turn} ms: whole")
