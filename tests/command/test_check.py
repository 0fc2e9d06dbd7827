# SPDX-License-Identifier: BSD-3-Clause
"""check: idn.conf as the module and as each host reads it, and whether an unbound.conf loads the module."""

import json
import os
import pathlib
import pwd
import shutil
import subprocess
from pathlib import Path

import samples

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKCONF = pathlib.Path(__file__).with_name("checkconf")
ID = "0123456789abcdef0123456789abcdef01234567"
OTHER_ID = "76543210fedcba9876543210fedcba9876543210"
USUAL_PLACES = ["/usr/sbin/unbound", "/usr/local/sbin/unbound"]

CONF = """server:
    module-config: "dynlib validator iterator"
    username: ""
    chroot: ""
dynlib:
    dynlib-file: "BOX/idn.so"
    dynlib-file: "BOX/idn.conf"
"""

# The output for CONF if the daemon is BOX/unbound: m, c and f in the table below.
USUAL = {"m": f"u.conf: BOX/idn.so was made for BOX/unbound, build id {ID} [note]",
         "c": "u.conf: BOX/idn.conf is the module's configuration [note]",
         "f": "BOX/idn.conf: fine"}

SAYS = "u.conf: BOX/unbound-checkconf: exit status 1: "
ORDER = SAYS + "fatal error: module conf '{}' is not known to work"
BEFORE = '"{}": {} is before dynlib and would cache what a policy answers: put dynlib first [warning]'
LIBRARY = "'{}' has no '/', so it is looked for among the system's libraries: expected a path [warning]"
NO_DYNLIB = 'u.conf: no dynlib in module-config "{}": expected "{}"'
NOT_SET = NO_DYNLIB.format("validator iterator", "dynlib validator iterator")
NOT_MODULE = "cannot read {}: expected a module"
MODULES = '"dynlib validator iterator"'

# A change of CONF, which of the usual messages are left, and the others that it gives.
CHANGES = [
    # module-config
    ("module-config: " + MODULES, "", "", [NOT_SET]),
    ('"dynlib validator', '"validator', "", [NOT_SET]),
    ('"dynlib validator', '"dns64 validator', "", [NO_DYNLIB.format("dns64 validator iterator", "dynlib dns64 validator iterator")]),
    ('"dynlib validator', '"python  validator', "", [NO_DYNLIB.format("python  validator iterator", "python dynlib validator iterator")]),
    ('"dynlib validator', '"mydynlib validator', "", [ORDER.format("mydynlib validator iterator"), NO_DYNLIB.format("mydynlib validator iterator", "dynlib mydynlib validator iterator")]),
    ('"dynlib validator', '"respip dynlib validator', "mcf",
     [ORDER.format("respip dynlib validator iterator"), "u.conf: " + BEFORE.format("respip dynlib validator iterator", "respip")]),
    ('"dynlib validator', '"dynlib  validator', "mcf", [ORDER.format("dynlib  validator iterator")]),
    ('"dynlib validator', '"dynlib nonsense', "mcf", [ORDER.format("dynlib nonsense iterator")]),
    ('"dynlib validator', '"dns64 dynlib validator', "mcf", ["u.conf: " + BEFORE.format("dns64 dynlib validator iterator", "dns64")]),
    ('"dynlib validator', '"validator dynlib', "mcf", ["u.conf: " + BEFORE.format("validator dynlib iterator", "validator")]),
    # The module and its configuration
    ('"BOX/idn.so"', '"BOX/none.so"', "cf", ["u.conf: " + NOT_MODULE.format("BOX/none.so: No such file or directory")]),
    ('"BOX/idn.so"', '"BOX"', "cf", ["u.conf: cannot read BOX: Is a directory: expected a module"]),
    ('"BOX/idn.so"', "/dev/null", "cf", ["u.conf: " + NOT_MODULE.format("/dev/null: not a regular file")]),
    ('"BOX/idn.so"', '""', "cf", ["u.conf: " + LIBRARY.format("")]),
    ('"BOX/idn.so"', "idn.so", "cf", ["u.conf: " + LIBRARY.format("idn.so")]),
    ('"BOX/idn.so"', '"BOX/idn.conf"', "cf", ["u.conf: BOX/idn.conf is not the idn module: expected idn.so in this entry"]),
    ('"BOX/idn.so"', '"BOX/foreign.so"', "cf", ["u.conf: BOX/foreign.so is not the idn module: expected idn.so in this entry"]),
    ('"BOX/idn.so"', '"BOX/other.so"', "cf",
     [f"u.conf: BOX/other.so was made for an Unbound with build id {OTHER_ID}, and that of BOX/unbound is {ID}: install the module that was made for it"]),
    ('"BOX/idn.conf"', '"BOX/none.conf"', "m",
     ["u.conf: BOX/none.conf is the module's configuration [note]", "BOX/none.conf: No such file or directory", "BOX/none.conf: 1 error"]),
    ('"BOX/idn.conf"', '"BOX/bad.conf"', "m",
     ["u.conf: BOX/bad.conf is the module's configuration [note]", "BOX/bad.conf:2:1: 'nonsense' is not a key of idn.conf", "BOX/bad.conf: 1 error"]),
    ('"BOX/idn.conf"', '"BOX/idn.conf"\n    dynlib-file: further', "mcf", []),
    ('username: ""', "username: no.such.user", "mcf", ["u.conf: user 'no.such.user' does not exist: expected the user that the daemon runs as"]),
    # unbound-checkconf's message about the file
    ('chroot: ""', 'chroot: "', "", [SAYS + "u.conf:4: error: stray '\"'; read u.conf failed: 1 errors in configuration file"]),
    ("server:", "include: none/*.conf\nserver:", "",
     [SAYS + "u.conf:1: error: cannot open include file 'none/*.conf': No such file or directory; read u.conf failed: 1 errors in configuration file"]),
    ("module-config: " + MODULES, 'include: "modconf/b.inc"', "mcf", ["u.conf: " + BEFORE.format("validator dynlib iterator", "validator")]),
]


class Box:
    """A folder with a daemon, modules and configurations, and the command run in it."""

    def __init__(self, command, folder):
        self.command = command
        self.folder = pathlib.Path(folder)
        folder = self.folder
        self.program("unbound", ID, 'int dynlibmod_init(void) { return 0; }\n')
        self.program("stock", OTHER_ID, 'const char line[] = "dynlib-file:";\n')
        self.program("bare", None, "int dynlibmod_init(void) { return 0; }\n")
        for name, build_id in ("idn.so", ID), ("other.so", OTHER_ID), ("foreign.so", None):
            marker = f"unbound-idn-build-id={build_id}" if build_id else "no mark"
            self.program(name, OTHER_ID, f'const char marker[] = "{marker}";\n', "-shared")
        self.write("idn.conf", "idn:\n")
        self.write("bad.conf", "idn:\nnonsense: 1\n")
        self.write("modconf/b.inc", "module-config: 'validator dynlib iterator'\n")
        self.checkconf()

    def program(self, name, build_id, source, kind="-rdynamic"):
        option = f"-Wl,--build-id=0x{build_id}" if build_id else "-Wl,--build-id=none"
        main = "" if kind == "-shared" else "int main(void) { return 0; }\n"
        subprocess.run(["gcc", "-fPIC", kind, option, "-s", "-x", "c", "-", "-o", self.folder / name], input=(source + main).encode(), check=True)

    def checkconf(self, script=None):
        """A stand-in for unbound-checkconf, or a shell script that does something else."""
        program = self.folder / "unbound-checkconf"
        program.write_text(f"#!/bin/sh\n{script}\n" if script else CHECKCONF.read_text())
        program.chmod(0o755)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("BOX", str(self.folder)))

    def run(self, *arguments, environment=None, cwd=None):
        """Exit status and lines of standard output; standard error must stay empty."""
        variables = {name: value for name, value in os.environ.items() if name != "UNBOUND_IDN_CONF"} | (environment or {})
        arguments = [argument.replace("BOX", str(self.folder)) for argument in arguments]
        done = subprocess.run([self.command.path, "check", *arguments], capture_output=True, cwd=cwd or self.folder, env=variables, check=False)
        return done.returncode, (done.stdout + done.stderr).decode().replace(str(self.folder), "BOX").splitlines()

    def resolver(self, conf, *arguments, daemon="BOX/unbound", environment=None):
        self.write("u.conf", conf)
        if 'chroot: ""' not in conf:  # where LeakSanitizer finds no /proc
            environment = {"ASAN_OPTIONS": "detect_leaks=0"} | (environment or {})
        return self.run("--unbound-conf", "u.conf", *(["--daemon", daemon] if daemon else []), *arguments, environment=environment)


def fixtures(command, folder):
    return {"box": Box(command, folder)}


def summary(lines):
    """The last line, after lines with these messages."""
    warnings = sum(line.endswith(" [warning]") for line in lines)
    errors = sum(not line.endswith("]") for line in lines)
    parts = [f"{n} {word}{'s' if n > 1 else ''}" for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return ", ".join(parts) or "fine"


def test_configurations(tap, box):
    """Every message as the module gives it, then one line of its own for each file."""
    for title, _, octets, wanted in samples.read(samples.FOLDER / "configuration.samples"):
        (box.folder / "f").write_bytes(octets)
        tap.equal(box.run("f"), (1, [*wanted, f"f: {summary(wanted)}"]), f"check a configuration: {title}")
    for path in sorted((ROOT / "tests/config").glob("*.conf")):
        name = f"tests/config/{path.name}"
        status, lines = box.run(name, cwd=ROOT)
        if b"policy: first.rules" in path.read_bytes():
            mode = [f"{name}: policy-mode: log-only: these rules change no answer [note]"]
            tap.equal(lines[-2:-1] == mode, b"log-only" in path.read_bytes(), f"check {name}: its mode")
            lines = [line for line in lines if line not in mode]
            policy = lines.pop(-2)
            tap.equal((policy.startswith(f"{name}: 0 rules, 0 names, "), policy.endswith(" kB [note]")), (True, True), f"check {name}: its policy")
        tap.equal((status, lines), (0, [f"{name}: fine"]), f"check {name}")
    tap.equal(box.run("conf/idn.conf", cwd=ROOT), (0, ["conf/idn.conf: fine"]), "check the sample")
    tap.equal(box.run("idn.conf", "bad.conf", "none"), (1, ["idn.conf: fine", "bad.conf:2:1: 'nonsense' is not a key of idn.conf", "bad.conf: 1 error",
                                                            "none: No such file or directory", "none: 1 error"]), "several files")
    for text in "", "\n", "#", "# no key\n":
        box.write("empty", text)
        tap.equal(box.run("empty"), (0, ["empty: fine"]), f"{text!r} is a configuration")
    tap.equal(box.run("/dev/null"), (1, ["/dev/null: not a regular file", "/dev/null: 1 error"]), "no regular file")
    box.write("a\x1b[31m.conf", "idn:\n")
    tap.equal(box.run("a\x1b[31m.conf"), (0, ["a\\u{1B}[31m.conf: fine"]), "a hostile file name")


def test_environment(tap, box):
    tap.equal(box.run(), box.run("/etc/unbound/idn.conf") if os.path.exists("/etc/unbound/idn.conf") else (0, [
        "/etc/unbound/idn.conf: does not exist, so every key has its default [note]", "/etc/unbound/idn.conf: fine"]), "the default place")
    tap.equal(box.run(environment={"UNBOUND_IDN_CONF": "bad.conf"})[1][-1], "bad.conf: 1 error", "$UNBOUND_IDN_CONF")
    tap.equal(box.run(environment={"UNBOUND_IDN_CONF": "none"}), (1, ["none: No such file or directory", "none: 1 error"]), "… may not be missing")
    tap.equal(box.run(environment={"UNBOUND_IDN_CONF": ""})[1][-1].split(": ")[0], "/etc/unbound/idn.conf", "… and may be empty")


def test_usage(tap, command):
    for arguments in ["--user", "root"], ["--daemon", "x"], ["--checkconf", "x"], ["--unbound-conf"], ["--json=x"]:
        status, out, errors = command("check", *arguments)
        tap.equal((status, out, errors.count("\n")), (2, b"", 1), f"usage: check {' '.join(arguments)}")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([command.path, "check", "/"], stdout=full, stderr=subprocess.PIPE, check=False)
    tap.equal((done.returncode, b"standard output" in done.stderr), (2, True), "check: a full disk is an error")


def test_changes(tap, box):
    tap.equal(box.resolver(CONF), (0, [*map(USUAL.get, "mcf"), "u.conf: fine"]), "check --unbound-conf")
    for old, new, kept, told in CHANGES:
        conf = CONF.replace(old, new, 1)
        status, lines = box.resolver(conf)
        counted = [line for line in told if not line.startswith(("BOX/none.conf", "BOX/bad.conf"))]
        name = f"{old.strip()!r} is {new.strip()!r}"
        tap.equal(sorted(lines[:-1]), sorted([*map(USUAL.get, kept), *told]), name)
        tap.equal((status, lines[-1]), (int(any(not line.endswith("]") for line in told)), f"u.conf: {summary(counted)}"), f"{name}: result")


def test_numbers(tap, box):
    """There are as many entries as dynlib modules, then the configuration."""
    two = CONF.replace('"dynlib validator', '"dynlib dynlib validator')
    _, lines = box.resolver(two)
    few = "u.conf: BOX/idn.conf is not the idn module: expected idn.so in this entry or in an earlier one"
    tap.equal(few in lines, False, "the module in the first of two entries")
    _, lines = box.resolver(two.replace("idn.so", "foreign.so"))
    tap.equal(few in lines, True, "the module in neither of two entries")
    _, lines = box.resolver(two.replace('"BOX/idn.conf"', '"BOX/idn.so"\n    dynlib-file: BOX/idn.conf').replace("idn.so", "foreign.so", 1))
    tap.equal(lines, [USUAL["m"], USUAL["c"], USUAL["f"], "u.conf: fine"], "the module in the second of two entries")
    twice = two.replace('"BOX/idn.conf"', '"BOX/{}"\n    dynlib-file: BOX/idn.conf')
    usual = [USUAL["m"], USUAL["m"], USUAL["c"], USUAL["f"]]
    refused = "u.conf: BOX/{} is the idn module, which an earlier entry loads: expected one dynlib-file, and one dynlib in module-config, for it"
    (box.folder / "link.so").symlink_to("idn.so")
    shutil.copy(box.folder / "idn.so", box.folder / "copy.so")
    for name in "idn.so", "link.so", "copy.so":
        status, lines = box.resolver(twice.format(name))
        told = [line.replace(name, "idn.so") for line in lines[:-1] if refused.format(name) != line]
        tap.equal((status, len(lines) - len(told), sorted(told)), (1, 2, sorted(usual)), f"idn.so, and then {name}")
    one = two.replace('    dynlib-file: "BOX/idn.conf"\n', "")
    _, lines = box.resolver(one, environment={"UNBOUND_IDN_CONF": f"{box.folder}/bad.conf"})
    tap.equal([line for line in lines if "clauses" in line],
              ["u.conf: 2 dynlib in module-config, and 1 dynlib-file in dynlib: clauses: expected one for each"], "too few entries")
    without = "u.conf: no dynlib-file names the module's configuration, so it is the daemon's $UNBOUND_IDN_CONF or /etc/unbound/idn.conf; this checked {} [note]"
    for conf in one, CONF.replace('"BOX/idn.conf"', '""'), CONF.replace('    dynlib-file: "BOX/idn.conf"\n', ""):
        _, lines = box.resolver(conf, environment={"UNBOUND_IDN_CONF": f"{box.folder}/bad.conf"})
        tap.equal((without.format("BOX/bad.conf") in lines, "BOX/bad.conf: 1 error" in lines), (True, True), "no entry for the configuration")
    _, lines = box.resolver(CONF.replace('"BOX/idn.conf"', '""'))
    tap.equal(without.format("/etc/unbound/idn.conf") in lines, True, "no entry, and nothing in the environment")
    empty = CONF[:CONF.index("dynlib:")]
    _, lines = box.resolver(empty)
    tap.equal("u.conf: 1 dynlib in module-config, and 0 dynlib-file in dynlib: clauses: expected one for each" in lines, True, "no dynlib: clause")
    tap.equal(box.run("--unbound-conf", "none", "--daemon", "BOX/unbound"), (1, [
        "none: BOX/unbound-checkconf: exit status 1: error: Could not open none: No such file or directory", "none: 1 error"]), "no unbound.conf")


def test_checkconfs(tap, box):
    """A program that does anything else: its words are shown, and nothing that it does stops the command."""
    says = "u.conf: BOX/unbound-checkconf: "
    ends = "u.conf: BOX/unbound-checkconf -o module-config: "
    for script, told in (("exit 3", f"{says}exit status 3: "),
                         ("echo '[17] unbound-checkconf[1:0] warning: x' >&2; echo '[17] unbound-checkconf[1:0] fatal error: y' >&2; exit 1",
                          f"{says}exit status 1: fatal error: y"),
                         ("printf '\\033[31m\\377a\\0b' >&2; exit 1", f"{says}exit status 1: \\u{{1B}}[31m\\255a"),
                         ("kill -9 $$", f"{says}it exited early"), ("yes >&2", f"{says}it wrote too much"),
                         ('[ "$1" = -- ] || yes', f"{ends}it wrote too much"), ("exit 0", f"{ends}expected a line of text"),
                         ('[ "$1" = -- ] || printf "dynlib iterator"', f"{ends}expected a line of text"),
                         ('[ "$1" = -- ] || exit 1', f"{ends}it does not print this option"),
                         ('[ "$1" = -- ] || echo "$#$2" | grep -v dynlib-file || printf "a\\0b\\n"', ends.replace("module-config", "dynlib-file") + "expected a line of text"),
                         ('[ -z "$(env | grep -v ^PWD= | grep -v ^_= | grep -v ^SHLVL=)$(cat)" ] && exit 4', f"{says}exit status 4: ")):
        box.checkconf(script)
        tap.equal(box.resolver(CONF), (1, [told, "u.conf: 1 error"]), f"unbound-checkconf: {script}")
    (box.folder / "unbound-checkconf").write_text("no program")
    tap.equal(box.resolver(CONF), (1, [f"{says}Exec format error", "u.conf: 1 error"]), "unbound-checkconf is no program")
    box.checkconf()
    box.write("-o", CONF)
    tap.equal(box.run("--unbound-conf=-o", "--daemon", "BOX/unbound")[0], 0, "a file that looks like an option")
    (box.folder / "elsewhere").mkdir()
    (box.folder / "unbound-checkconf").rename(box.folder / "elsewhere/asked")
    tap.equal(box.resolver(CONF, "--checkconf", "BOX/elsewhere/asked")[0], 0, "--checkconf")
    if not any(os.path.exists(f"{os.path.dirname(path)}/unbound-checkconf") for path in USUAL_PLACES):
        missing = "u.conf: no unbound-checkconf beside the daemon, in /usr/sbin or /usr/local/sbin: expected the one that came with the daemon"
        tap.equal(box.resolver(CONF), (1, [missing, "u.conf: 1 error"]), "no unbound-checkconf")
    box.checkconf()
    os.mkfifo(box.folder / "pipe")
    tap.equal(box.run("--unbound-conf", "pipe", "--daemon", "BOX/unbound"), (1, ["pipe: BOX/unbound-checkconf: not a regular file", "pipe: 1 error"]), "a FIFO")


def test_daemons(tap, box):
    built = "this Unbound cannot load modules: expected one that was configured with --with-dynlibmodule"
    differs = f"u.conf: BOX/idn.so was made for an Unbound with build id {ID}, and that of {{}} is {{}}: install the module that was made for it"
    plain = [USUAL["c"], USUAL["f"]]
    cases = [("BOX/stock", [f"BOX/stock: {built}", differs.format("BOX/stock", OTHER_ID)]),
             ("stock", [f"stock: {built}", differs.format("stock", OTHER_ID)]),
             ("BOX/bare", [differs.format("BOX/bare", "none")]),
             ("BOX/idn.conf", [f"BOX/idn.conf: {built}", differs.format("BOX/idn.conf", "none")]),
             ("none", ["none: No such file or directory: expected the program of Unbound"])]
    for daemon, told in cases:
        tap.equal(box.resolver(CONF, daemon=daemon), (1, told + plain + [f"u.conf: {summary(told)}"]), f"--daemon {daemon}")
    found = [path for path in USUAL_PLACES if os.path.exists(path)]
    _, lines = box.resolver(CONF, "--checkconf", "BOX/unbound-checkconf", daemon=None)
    missing = "u.conf: no unbound in /usr/sbin or /usr/local/sbin: whether the module fits was not checked; name the daemon with --daemon FILE [warning]"
    tap.equal(missing in lines or any(f" {path}" in line or line.startswith(path) for path in found[:1] for line in lines), True, "the usual daemon")
    tap.equal(missing in lines, not found, "the usual daemon: told if there is none")


def test_chroots(tap, box):
    """Paths are those inside the chroot, as they stand."""
    box.write("root/etc/idn.conf", "idn:\n")
    box.write("root/etc/unbound/idn.conf", "idn:\nlog-to: logs/a.log\n")
    (box.folder / "root/etc/unbound/logs").mkdir()
    shutil.copy(box.folder / "idn.so", box.folder / "root/etc/idn.so")
    below = "paths are looked up below BOX/root, Unbound's chroot ('chroot: \"\"' for none), and so are the libraries that the module needs [note]"
    fits = f"BOX/root/etc/idn.so was made for BOX/unbound, build id {ID} [note]"
    reads = "BOX/root{} is the module's configuration [note]"
    conf = CONF.replace('chroot: ""', 'chroot: "BOX/root/"').replace("BOX/idn.so", "/etc/idn.so").replace("BOX/idn.conf", "/etc/idn.conf")
    wanted = [f"u.conf: {below}", f"u.conf: {fits}", "u.conf: " + reads.format("/etc/idn.conf"), "BOX/root/etc/idn.conf: fine", "u.conf: fine"]
    tap.equal(box.resolver(conf), (0, wanted), "inside a chroot")
    own = conf.replace('    chroot: "BOX/root/"\n', "\n")
    box.write("built", "chroot BOX/root\n")
    tap.equal(box.resolver(own), (0, wanted), "inside the chroot that the daemon was built with")
    (box.folder / "built").unlink()
    _, lines = box.resolver(CONF.replace('chroot: ""', "chroot: BOX/root"))
    tap.equal("u.conf: cannot read BOX/rootBOX/idn.so: No such file or directory: expected a module" in lines, True, "a path outside the chroot")
    _, lines = box.resolver(CONF.replace('chroot: ""', "chroot: BOX/idn.conf"))
    tap.equal(lines[0], "u.conf: chroot BOX/idn.conf is not a folder", "a chroot that is not a folder")
    for folder in "", "    directory: /etc/unbound\n", "    directory: BOX/root/etc/unbound\n":
        relative = conf.replace("/etc/idn.conf", "./idn.conf").replace("dynlib:", f"{folder}dynlib:")
        status, lines = box.resolver(relative)
        tap.equal((status, "BOX/root/etc/unbound/./idn.conf: fine" in lines), (0, True), f"relative paths in a chroot: {folder.strip() or 'default'}")
    for folder in "BOX/root", "/", ".", '""':
        _, lines = box.resolver(relative.replace("BOX/root/etc/unbound", folder).replace("BOX/root/\"", "BOX/root\""))
        tap.equal("BOX/root/./idn.conf: No such file or directory" in lines, True, f"relative paths in a chroot: its top, {folder}")
    for folder in ".", "BOX":
        conf = CONF.replace("BOX/", "").replace("idn.so", "./idn.so").replace("dynlib:", f"    directory: {folder}\ndynlib:")
        tap.equal(box.resolver(conf)[0], 0, f"relative paths in {folder}")


def test_log_files(tap, box):
    """log-to, as far as it can be checked without making the file."""
    (box.folder / "logs/link.log").parent.mkdir()
    (box.folder / "logs/link.log").symlink_to("other.log")
    os.mkfifo(box.folder / "logs/fifo.log")
    (box.folder / "logs/one.log").touch()
    os.link(box.folder / "logs/one.log", box.folder / "logs/two.log")
    (box.folder / "open").mkdir()
    (box.folder / "open").chmod(0o1777)
    for name in "open/way", "logs/way":
        (box.folder / name).symlink_to(box.folder / "logs")
    planted = "its path has a symbolic link in a folder that others may write to: use the path that the link leads to"
    regular = "expected a regular file"
    for target, told in [("logs/new.log", ""), ("BOX/logs/new.log", ""), ("/dev/stdout", ""), ("/dev/stderr", ""), ("unbound", ""),
                         ("logs/link.log", f"log-to: BOX/logs/link.log: a symbolic link: {regular}"),
                         ("logs/fifo.log", f"log-to: BOX/logs/fifo.log: not a regular file: {regular}"),
                         ("logs/two.log", "log-to: BOX/logs/two.log: root does not log to a file with a second name (a hard link): expected a file with one name"
                          if os.geteuid() == 0 else ""),
                         ("BOX/logs", f"log-to: BOX/logs: not a regular file: {regular}"),
                         ("none/new.log", "cannot write BOX/none/new.log: No such file or directory"),
                         ("logs/way/new.log", ""), ("open/way/new.log", f"cannot write BOX/open/way/new.log: {planted}"),
                         ("none/new.log\nlog: none", "")]:
        box.write("log.conf", f"idn:\nlog-to: {target}\n")
        status, lines = box.resolver(CONF.replace("BOX/idn.conf", "BOX/log.conf"))
        tap.equal((status, [line for line in lines if line.startswith("BOX/log.conf:")]),
                  (int(bool(told)), ["BOX/log.conf: " + told, "BOX/log.conf: 1 error"] if told else ["BOX/log.conf: fine"]), f"log-to: {target}")
    tap.equal((box.folder / "logs/new.log").exists(), False, "no log file is made")
    for target, told in (("idn.prom", []), ("none/idn.prom", ["BOX/log.conf: cannot write BOX/none/idn.prom: No such file or directory [warning]"]),
                         ("open/way/idn.prom", [f"BOX/log.conf: cannot write BOX/open/way/idn.prom: {planted} [warning]"])):
        box.write("log.conf", f"idn:\nmetrics-file: ./{target}\n")
        status, lines = box.resolver(CONF.replace("BOX/idn.conf", "BOX/log.conf"))
        tap.equal((status, [line.replace("/./", "/") for line in lines if line.endswith("[warning]")]), (0, told), f"metrics-file: {target}")
    tap.equal((box.folder / "idn.prom").exists(), False, "no metrics file is made")


def can_become(user):
    try:
        return subprocess.run(["true"], user=user, group=pwd.getpwnam(user).pw_gid, extra_groups=[], check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def test_privileges(tap, box):
    """The files are opened as the daemon's user if we can become that user; otherwise a note says so."""
    me, other = pwd.getpwuid(os.geteuid()).pw_name, "nobody" if os.geteuid() == 0 else "root"
    conf = CONF.replace('username: ""', f'username: "{other}"').replace("BOX/idn.conf", "BOX/private/idn.conf")
    box.write("private/idn.conf", "idn:\nlog-to: ../logs/idn.log\nmetrics-file: ./idn.prom\n")
    box.folder.chmod(0o711)
    for private, told in (0o700, ["BOX/private/idn.conf: Permission denied", "BOX/private/idn.conf: 1 error"]), \
            (0o755, [f"BOX/private/idn.conf: user '{other}' cannot write BOX/private/../logs/idn.log: Permission denied",
                     f"BOX/private/idn.conf: user '{other}' cannot write BOX/private/./idn.prom: Permission denied [warning]",
                     "BOX/private/idn.conf: 1 error, 1 warning"]):
        (box.folder / "private").chmod(private)
        (box.folder / "logs").chmod(0o700)
        for arguments in [], ["--user", other]:
            written = conf if not arguments else conf.replace(f'"{other}"', '"no.such.user"')
            status, lines = box.resolver(written, *arguments)
            if can_become(other):
                told_as = [f"BOX/private/idn.conf: read as user '{other}' [note]", *told]
                tap.equal((status, [line for line in lines if line.startswith("BOX/private") and ": 0 rules in force: " not in line]), (1, told_as), f"files of {me} for {other}: {private:o}")
            else:
                reason = "/usr/bin/setpriv cannot run this command" if os.geteuid() == 0 else "only root can check this"
                tap.equal((status, [line for line in lines if other in line]), (0, [f"u.conf: what user '{other}' may read and write was not checked: {reason} [note]"]),
                          f"files of {me} for {other}: {private:o}")
    for name, path, mode in ("the module", "idn.so", 0o600), ("the log", "logs", 0o777), ("an old log", "logs/idn.log", 0o600):
        fine = name == "the log"
        if name == "an old log":
            box.write("logs/idn.log", "")
        (box.folder / "private").chmod(0o755)
        (box.folder / path).chmod(mode)
        status, lines = box.resolver(conf)
        refused = any(f"user '{other}' cannot" in line and path in line and "idn.prom" not in line for line in lines)
        tap.equal((refused, status), (not fine, int(not fine)) if can_become(other) else (False, 0), f"{name} with mode {mode:o}")
        (box.folder / path).chmod(0o755)
    status, lines = box.resolver(conf, "--user", me)
    tap.equal((status, lines[-1]), (0, "u.conf: fine"), "as the user who runs the command")
    status, lines = box.resolver(conf, "--user", "")
    tap.equal((status, lines[-1]), (0, "u.conf: fine"), "no user: nothing is given up")
    (box.folder / "idn.so").chmod(0o000)
    status, _ = box.resolver(CONF)
    tap.equal(status, int(os.geteuid() != 0), "a module that nobody may read")
    (box.folder / "idn.so").chmod(0o755)
    default = box.resolver(CONF.replace('    username: ""\n', "\n"))[1]
    tap.equal(any("user 'unbound'" in line for line in default) or user_exists("unbound"), True, "the default user is unbound")


def user_exists(name):
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


def test_as_json(tap, box):
    box.write("ü\x07.conf", "idn:\n\n  ü: \"\n")
    _, lines = box.run("--json", "ü\x07.conf", "idn.conf")
    rows = [json.loads(line) for line in lines]
    tap.equal(rows, [{"file": "ü\x07.conf", "line": 3, "column": 3, "severity": "error", "message": "'\\xC3\\xBC' is not a key of idn.conf"}], "--json")
    tap.equal([list(row) for row in rows], [["file", "line", "column", "severity", "message"]], "--json: members")
    tap.equal("\x07" in "".join(lines), False, "--json: no control character")
    status, lines = box.resolver(CONF.replace('"dynlib validator', '"dns64 dynlib validator'), "--json", daemon="BOX/stock")
    rows = [json.loads(line) for line in lines]
    tap.equal((status, [(row["file"], row["line"], row["column"], row["severity"]) for row in rows]),
              (1, [("BOX/stock", 0, 0, "error"), ("u.conf", 0, 0, "error"), ("u.conf", 0, 0, "note"), ("u.conf", 0, 0, "warning")]),
              "--json: severities and places")


def test_hostile(tap, box):
    """Daemons and modules that are cut or changed at any place: no crash, and a build id or none."""
    image = (box.folder / "unbound").read_bytes()
    box.checkconf('case "$2" in module-config) echo dynlib iterator;; dynlib-file) echo "${0%/*}/idn.so";; -- | "$0") ;; *) echo;; esac')
    statuses = set()
    for at in [*range(0, 1024, 13), len(image) // 2, len(image) - 1]:
        for text in image[:at], image[:at] + b"\xff" * 8 + image[at + 8:]:
            (box.folder / "cut").write_bytes(text)
            statuses.add(box.resolver(CONF, daemon="BOX/cut")[0])
    tap.equal(statuses <= {0, 1}, True, "a daemon that is cut or changed")
    box.checkconf()
    statuses = set()
    for text in b"", b"unbound-idn-build-id=", b"unbound-idn-build-id=" + b"a" * 1000, b"unbound-idn-build-id=0\0", b"unbound-idn-build-id":
        (box.folder / "cut").write_bytes(text)
        statuses.add(box.resolver(CONF.replace("idn.so", "cut"))[0])
    tap.equal(statuses, {1}, "a module that is cut")


def test_hosts(tap, box):
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


def test_python(tap, box):
    """The script of Unbound's python module needs no dynlib, and no Unbound that has it."""
    conf = CONF.replace('"dynlib validator', '"python validator') + "python:\n    python-script: /usr/share/unbound-idn/unbound.py\n"
    box.write("idn.conf", "idn:\n")
    for daemon in "BOX/unbound", "BOX/stock":
        status, lines = box.resolver(conf, daemon=daemon, environment={"UNBOUND_IDN_CONF": "idn.conf"})
        tap.equal((status, lines), (0, ["u.conf: the policy is /usr/share/unbound-idn/unbound.py, which reads idn.conf [note]", "idn.conf: fine", "u.conf: fine"]), f"python: {daemon}")
    status, lines = box.resolver(conf.replace("unbound-idn/unbound.py", "other.py"))
    tap.equal((status, any("expected \"python dynlib" in line for line in lines)), (1, True), "python: another script")


def test_lacks(tap, box):
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


def test_no_rules(tap, box):
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


def test_written(tap, box):
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
