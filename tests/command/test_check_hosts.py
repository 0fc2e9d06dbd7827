# SPDX-License-Identifier: BSD-3-Clause
"""check: a configuration as each host reads it, and what Unbound's Python module leaves out of it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path

from test_check import CONF, Box


def run(tap, command):
    with tempfile.TemporaryDirectory(prefix="idn-check-") as folder:
        box = Box(command, folder)
        hosts(tap, box)
        python(tap, box)
        lacks(tap, box)
        no_rules(tap, box)
        written(tap, box)


def hosts(tap, box):
    """--host: a configuration is read as the host's user; how many rules are in force; whether a rule file is named at all."""
    zero = "{}: 0 rules in force: there is no 'policy: FILE' that names a rule file [note]"
    tap.equal(box.run("--host", "bind"), (2, ["unbound-idn check: --host bind: expected module, python, kresd, recursor or dnsdist; try 'unbound-idn check --help'"]), "--host of no such host")
    tap.equal((box.run("--host", "kresd", "--rpz", "x")[0], box.run("--host", "kresd", "a", "b")[0]), (2, 2), "--host takes one configuration")
    box.write("host.rules", "nxdomain zone a.example\n")
    box.write("host.conf", "idn:\n    policy: host.rules\n    policy-mode: log-only\n    log-to: /nowhere/idn.log\n")
    me = pwd.getpwuid(os.geteuid()).pw_name
    for word in "module", "python", "kresd", "recursor", "dnsdist":
        status, lines = box.run("--host", word, "--user", me, "host.conf")
        tap.equal((status, [line for line in lines if "host.rules" not in line and "kB" not in line]), (1, [
            f"host.conf: as {me} reads it, for --host {word} [note]", f"host.conf: read as user '{me}' [note]", "host.conf: policy-mode: log-only: these rules change no answer [note]",
            f"host.conf: user '{me}' cannot write /nowhere/idn.log: No such file or directory", "host.conf: 1 error"]), f"--host {word}")
    tap.equal(any("host.conf: 1 rule (1 nxdomain)" in line for line in lines), True, "--host: the rules in force")
    tap.equal(zero.format("idn.conf") in box.run("--host", "kresd", "--user", me, "idn.conf")[1], True, "--host: no rules in force")
    status, lines = box.run("--host", "kresd", "--user", "no.such.user", "idn.conf")
    tap.equal((status, "idn.conf: user 'no.such.user' does not exist: expected the user that the daemon runs as" in lines), (1, True), "--host: no such user")
    for named, text in (True, "idn:\n    policy: host.rules\n"), (False, "idn:\n"):
        box.write("other.conf", text)
        lines = box.run("host.rules", environment={"UNBOUND_IDN_CONF": "other.conf"})[1]
        tap.equal([line for line in lines if "not in force" in line], [] if named else ["host.rules: not in force: other.conf does not name this file: expected a line 'policy: FILE' there [note]"],
                  f"a rule file that is {'named' if named else 'not named'}")


def python(tap, box):
    """The script of Unbound's python module needs no dynlib, and no Unbound that has it."""
    conf = CONF.replace('"dynlib validator', '"python validator') + "python:\n    python-script: /usr/share/unbound-idn/unbound.py\n"
    box.write("idn.conf", "idn:\n")
    for daemon in "BOX/unbound", "BOX/stock":
        status, lines = box.resolver(conf, daemon=daemon, environment={"UNBOUND_IDN_CONF": "idn.conf"})
        tap.equal((status, lines), (0, ["u.conf: the policy is /usr/share/unbound-idn/unbound.py, which reads idn.conf [note]", "idn.conf: fine", "u.conf: fine"]), f"python: {daemon}")
    status, lines = box.resolver(conf.replace("unbound-idn/unbound.py", "other.py"))
    tap.equal((status, any("expected \"python dynlib" in line for line in lines)), (1, True), "python: another script")


def lacks(tap, box):
    """The rules that Unbound's Python module leaves out are named; those of another host are all in force."""
    me = pwd.getpwuid(os.geteuid()).pw_name
    rules = ["tcp-only zone t.example", "drop zone d.example", "nxdomain zone a.example", "nxdomain zone c.example client=192.0.2.0/24"]
    box.write("lacks.rules", "\n".join(rules) + "\n")
    box.write("lacks.conf", "idn:\n    policy: lacks.rules\n")
    transport = ["lacks.rules:1:1: left out: tcp-only, since this resolver does not say whether a client uses TCP",
                 "lacks.rules:2:1: this resolver cannot drop a query: clients get REFUSED instead [warning]"]
    client = "lacks.rules:4:1: left out: a rule with client=, which this resolver cannot apply as it is configured"
    conf = CONF.replace('"dynlib validator', '"python {}validator') + "python:\n    python-script: /usr/share/unbound-idn/unbound.py\n"
    for order, wanted, count in ("", [*transport, client], 2), ("subnetcache ", transport, 3):
        status, lines = box.resolver(conf.replace("{}", order), environment={"UNBOUND_IDN_CONF": "lacks.conf"})
        tap.equal((status, [line for line in lines if line.startswith("lacks.rules")], [line for line in lines if f"lacks.conf: {count} rules" in line] != []),
                  (1, wanted, True), f"python lacks: {order or 'no subnetcache'}")
    status, lines = box.run("--host", "python", "--user", me, "lacks.conf")
    tap.equal((status, [line for line in lines if line.startswith("lacks.rules") and line != client]), (1, transport), "--host python: what it lacks")
    if not os.path.exists("/etc/unbound/unbound.conf"):
        tap.equal((client in lines, any("lacks.conf: 2 rules" in line for line in lines)), (True, True), "--host python: no unbound.conf, so no subnetcache")
    for word in "module", "kresd", "recursor", "dnsdist":
        status, lines = box.run("--host", word, "--user", me, "lacks.conf")
        tap.equal((status, any("lacks.conf: 4 rules" in line for line in lines), [line for line in lines if line.startswith("lacks.rules")]), (0, True, []), f"--host {word}: all rules")


def no_rules(tap, box):
    """A policy that cannot be read is 0 rules at a start, or no start."""
    me = pwd.getpwuid(os.geteuid()).pw_name
    box.write("bad.rules", "nxdomian zone a.example\n")
    box.write("none.rules", "# nxdomain zone a.example\n")
    start, refused = "with this error, the resolver starts without rules", "with this error, the resolver does not start (required: yes)"
    for name, conf, words in (("a bad rule file", "idn:\n    policy: bad.rules\n", start), ("a missing one", "idn:\n    policy: missing.rules\n", start),
                              ("a bad idn.conf", "idn:\n    polcy: bad.rules\n", start), ("required: yes", "idn:\n    policy: bad.rules\n    required: yes\n", refused)):
        box.write("none.conf", conf)
        status, lines = box.run("--host", "kresd", "--user", me, "none.conf")
        tap.equal((status, [line for line in lines if "0 rules" in line]), (1, [f"none.conf: 0 rules in force: {words} [note]"]), f"no rules: {name}: {lines}")
    box.write("none.conf", "idn:\n    policy: none.rules\n")
    status, lines = box.run("--host", "kresd", "--user", me, "none.conf")
    tap.equal((status, any("none.conf: 0 rules, " in line for line in lines)), (0, True), f"no rules: none that is not a comment: {lines}")


def state(folder):
    """Everything that a check could change there."""
    paths = sorted(Path(folder).rglob("*")) + [Path(folder)]
    return [(str(path), *(getattr(path.lstat(), f"st_{key}") for key in ("ino", "mode", "size", "mtime_ns", "ctime_ns"))) for path in paths]


def written(tap, box):
    """The log is opened as the module opens it, and the metrics file's folder and text are looked at; nothing is made or changed."""
    me = pwd.getpwuid(os.geteuid()).pw_name
    folder = Path(box.folder) / "written"
    folder.mkdir()
    shutil.copy("/bin/sleep", folder / "busy")
    (folder / "log").write_text("a line without its end")
    (folder / "folder").mkdir()
    (folder / "ours").write_text("# HELP unbound_idn_replies_total x\n")
    (folder / "foreign").write_text("# HELP node_boot x\n")
    foreign = "the file has another text: expected none, or metrics of this program"
    with subprocess.Popen([folder / "busy", "600"]) as process:
        try:
            before = state(folder)
            for key, name, words in (("log-to", "log", None), ("log-to", "new", None), ("log-to", "busy", f"user '{me}' cannot write BOX/written/busy: Text file busy"),
                                     ("metrics-file", "new", None), ("metrics-file", "ours", None), ("metrics-file", "foreign", f"metrics-file: BOX/written/foreign: {foreign} [warning]"),
                                     ("metrics-file", "folder", f"user '{me}' cannot write BOX/written/folder: Is a directory [warning]"),
                                     ("metrics-file", "none/new", f"user '{me}' cannot write BOX/written/none/new: No such file or directory [warning]")):
                box.write("written.conf", f"idn:\n    {key}: {folder}/{name}\n")
                status, lines = box.run("--host", "kresd", "--user", me, "written.conf")
                wanted = [f"written.conf: {words}"] if words else []
                tap.equal((status, [line for line in lines if "BOX/written/" in line]), (int(name == "busy"), wanted), f"written: {key}: {name}")
            tap.equal(state(folder), before, "written: a check makes and changes nothing")
        finally:
            process.kill()
