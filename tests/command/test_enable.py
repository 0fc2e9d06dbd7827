# SPDX-License-Identifier: BSD-3-Clause
"""enable: what would load the module is written if Unbound would start with it, else removed; what others wrote stays. The
daemons are programs of test_check's; tests/unbound/test_enable.py has real ones."""

import os
import pathlib
import pwd
import re
import resource
import shutil
import signal
import stat
import subprocess

from test_check import CHECKCONF, ID, OTHER_ID, Box

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONF = 'server:\n    username: ""\n    chroot: ""\ninclude-toplevel: "BOX/conf.d/*.conf"\n'
TEXT = """\
# Written by unbound-idn enable before each start of Unbound: changes made here are lost.
# To keep the module out for good, empty this file. To have it back, remove
# this file and restart Unbound. See unbound-idn(1), enable.
server:
    module-config: "{}"
dynlib:
    dynlib-file: "BOX/idn.so"
    dynlib-file: "BOX/idn.conf"
"""
PLAIN = TEXT.format("dynlib validator iterator")
NAME = "zz-unbound-idn.conf"
SNIPPET = f"BOX/conf.d/{NAME}"
PROGRAM = "BOX/unbound-checkconf"
OPTIONS = ["--unbound-conf", "BOX/u.conf", "--module", "BOX/idn.so", "--conf", "BOX/idn.conf", "--snippet", SNIPPET]
FITS = f"BOX/idn.so fits BOX/unbound: {SNIPPET} written"
OUT = "Unbound starts WITHOUT the module, and so without its rules and its log: {}. Correct this, and restart Unbound"
REQUIRED = "Unbound would not start with the module, which is required: {}"
UNABLE = "{0}: this Unbound cannot load modules: expected one that was configured with --with-dynlibmodule"
NO_DYNLIB = 'BOX/u.conf: no dynlib in module-config "{0}": expected "dynlib {0}"'


class Scene(Box):
    """A folder with daemons, modules and a configuration without the module."""

    def __init__(self, command, folder):
        super().__init__(command, folder)
        self.snippet = self.folder / "conf.d" / NAME
        self.fresh()

    def fresh(self, conf=CONF, **files):
        """The state before the first start; `files` of conf.d by their names."""
        shutil.rmtree(self.folder / "conf.d", ignore_errors=True)
        (self.folder / "conf.d").mkdir()
        self.write("u.conf", conf)
        for name, text in files.items():
            self.write(f"conf.d/{name}.conf", text)

    def text(self):
        return self.snippet.read_text().replace(str(self.folder), "BOX") if self.snippet.is_file() else None

    def beside(self):
        return sorted(path.name for path in self.snippet.parent.iterdir())

    def enable(self, *options, daemon="BOX/unbound", program=None, **how):
        """(exit status, the one line that is said, what is in the snippet's place)."""
        command = [*(program or [self.command.path, "enable"]), "--daemon", daemon, *OPTIONS, *options]
        done = subprocess.run([part.replace("BOX", str(self.folder)) for part in command], capture_output=True, cwd=self.folder, timeout=60, check=False,
                              **how)
        said = (done.stderr + done.stdout).decode().replace(str(self.folder), "BOX")
        return done.returncode, said.removeprefix("unbound-idn enable: ").removesuffix("\n"), self.text()


def fixtures(command, folder):
    folder.chmod(0o755)
    return {"scene": Scene(command, folder)}


def test_usage(tap, command):
    for arguments in (["x"], ["--unknown"], ["--unknown", "x"], ["--module", "idn.so"], ["--module", '/a"b'], ["--conf", "/a\nb"], ["--conf=/a\\b"],
                      ["--snippet", "a.conf"], ["--snippet", "/etc/"], ["--daemon"], ["--required", "x\x1b[31m"]):
        status, out, errors = command("enable", *arguments)
        tap.equal((status, out, errors.count("\n"), "try 'unbound-idn enable --help'" in errors, "\x1b" in errors), (2, b"", 1, True, False),
                  f"usage: enable {arguments}")


def test_again(tap, scene):
    """Written at each start, whatever an earlier run has left there."""
    old = os.umask(0o077)
    tap.equal(scene.enable(), (0, FITS, PLAIN), "it fits: written")
    os.umask(old)
    tap.equal(stat.S_IMODE(scene.snippet.stat().st_mode), 0o644, "for all to read, whatever the umask")
    for text in PLAIN.replace("BOX", str(scene.folder)) + "# x\n", "# Written by unbound-idn enable, as another version of it may say\n":
        scene.snippet.write_text(text)
        (scene.snippet.parent / f".{NAME}.new").write_text("of a run that was killed\n")
        tap.equal(scene.enable(), (0, FITS, PLAIN), f"instead of {text[-20:]!r}")
    tap.equal(scene.beside(), [NAME], "nothing else is left beside it")


def half(scene):
    """A daemon that is being written."""
    whole = (scene.folder / "unbound").read_bytes()
    (scene.folder / "half").write_bytes(whole[:200])
    with open(scene.folder / "huge", "wb") as huge:
        huge.truncate((1 << 28) + 1)
    os.mkfifo(scene.folder / "fifo")
    scene.write("script", "#!/bin/sh\nexec /usr/sbin/unbound.real\n")
    scene.write("empty", "")


def test_daemons(tap, scene):
    half(scene)
    expected = ": expected the program of Unbound"
    differs = f"BOX/u.conf: BOX/idn.so was made for an Unbound with build id {ID}, and that of BOX/{{}} is {{}}: install the module that was made for it"
    scene.program("later", OTHER_ID, "int dynlibmod_init(void) { return 0; }\n")
    for daemon, why in (("stock", UNABLE.format("BOX/stock")), ("later", differs.format("later", OTHER_ID)), ("bare", differs.format("bare", "none")),
                        ("script", UNABLE.format("BOX/script")), ("half", UNABLE.format("BOX/half")), ("empty", UNABLE.format("BOX/empty")),
                        ("none", f"BOX/none: No such file or directory{expected}"), ("fifo", f"BOX/fifo: not a regular file{expected}"),
                        ("huge", f"BOX/huge: larger than 256 MiB: expected a smaller file{expected}"), ("conf.d", f"BOX/conf.d: Is a directory{expected}"),
                        ("idn.so/x", f"BOX/idn.so/x: Not a directory{expected}")):
        scene.fresh()
        scene.enable()
        tap.equal(scene.enable(daemon=f"BOX/{daemon}"), (1, OUT.format(why), None), f"{daemon}: removed")
    tap.equal(scene.enable(), (0, FITS, PLAIN), "and when one that fits is back, so is the file")


def test_modules(tap, scene):
    scene.program("lacking.so", OTHER_ID, f'#include <stdio.h>\nconst char marker[] = "unbound-idn-build-id={ID}";\nint out(void) {{ return puts(marker); }}\n', "-shared")
    image = (scene.folder / "lacking.so").read_bytes()
    (scene.folder / "cut.so").write_bytes(image[:image.index(f"build-id={ID}".encode()) + 60])
    (scene.folder / "lacking.so").write_bytes(image.replace(b"libc.so.6", b"libc.so.0"))
    line = "BOX/u.conf: "
    for module, why in (("none.so", "cannot read BOX/none.so: No such file or directory: expected a module"),
                        ("fifo", "cannot read BOX/fifo: not a regular file: expected a module"),
                        ("foreign.so", "BOX/foreign.so is not the idn module: expected idn.so in this entry"),
                        ("cut.so", "BOX/cut.so cannot be loaded: install it again ("),
                        ("lacking.so", "BOX/lacking.so needs a library that cannot be loaded: libc.so.0")):
        scene.fresh()
        status, said, text = scene.enable("--module", f"BOX/{module}")
        wanted = OUT.format(line + why)
        tap.equal((status, said.startswith(wanted.split(". Correct")[0]), text), (1, True, None), f"the module is {module}: {said}")


def test_orders(tap, scene):
    """module-config is what it is without the snippet, and dynlib before it, or behind python."""
    for order, written in (("validator iterator", "dynlib validator iterator"), ("iterator", "dynlib iterator"), ("respip validator iterator",
                           "dynlib respip validator iterator"), ("  dns64   validator\titerator ", "dynlib dns64 validator iterator"),
                           ("subnetcache validator iterator", "dynlib subnetcache validator iterator"), ("python validator iterator",
                           "python dynlib validator iterator"), ("python  iterator", "python dynlib iterator")):
        for name in "a", "z":
            scene.fresh(**{name: f'server:\n    module-config: "{order}"\n'})
            for _ in range(2):
                tap.equal(scene.enable(), (0, FITS, TEXT.format(written)), f"{name}.conf has {order!r}")
    scene.write("built", "module-config subnetcache validator iterator\n")
    scene.fresh()
    _, _, text = scene.enable()
    tap.equal(text, TEXT.format("dynlib subnetcache validator iterator"), "a daemon with the default of Debian's")
    (scene.folder / "built").unlink()
    scene.fresh(a='server:\n    module-config: "validator respip iterator"\n')
    why = f"BOX/u.conf: {PROGRAM}: exit status 1: fatal error: module conf 'dynlib validator respip iterator' is not known to work"
    tap.equal(scene.enable(), (1, OUT.format(why), None), "an order that nobody knows")
    tap.equal(scene.enable("--required"), (1, REQUIRED.format(why), TEXT.format("dynlib validator respip iterator")), "an order that nobody knows: --required")


def test_configurations(tap, scene):
    """Returns the status of the configuration with the snippet."""
    scene.fresh(zzz='server:\n    module-config: "validator iterator"\n')
    tap.equal(scene.enable(), (1, OUT.format(NO_DYNLIB.format("validator iterator")), None), "module-config is set again after it")
    tap.equal(scene.beside(), ["zzz.conf"], "and nothing is left beside it")
    for order in "dynlib validator iterator", "python dynlib iterator", "\tdynlib\titerator":
        scene.fresh()
        scene.enable()
        scene.write("conf.d/own.conf", f'server:\n    module-config: "{order}"\n')
        tap.equal(scene.enable(), (0, f"BOX/u.conf has dynlib in module-config: {SNIPPET} is not needed", None), f"it has {order!r} already")
    scene.fresh(own='dynlib:\n    dynlib-file: "BOX/foreign.so"\n')
    why = "BOX/u.conf: BOX/foreign.so is not the idn module: expected idn.so in this entry"
    tap.equal(scene.enable(), (1, OUT.format(why), None), "an entry of another module stands before ours")
    scene.fresh(zzz='dynlib:\n    dynlib-file: "BOX/foreign.so"\n')
    tap.equal(scene.enable(), (0, FITS, PLAIN), "one that stands after ours does no harm")
    for text, why in (('server:\n    chroot: "BOX/none"\n', "BOX/u.conf: chroot BOX/none is not a folder"),
                      ('server:\n    username: "no.such.user"\n', "BOX/u.conf: user 'no.such.user' does not exist: expected the user that the daemon runs as"),
                      ('server: "\n', "BOX/conf.d/own.conf:1: error: stray")):
        scene.fresh(own=text)
        status, said, text = scene.enable()
        tap.equal((status, why in said, text), (1, True, None), f"{why}: {said}")
    for make, why in (lambda path: None, "exit status 1: error: Could not open BOX/u.conf: No such file or directory"), (os.mkfifo, "not a regular file"):
        scene.fresh()
        (scene.folder / "u.conf").unlink()
        make(scene.folder / "u.conf")
        tap.equal(scene.enable(), (1, OUT.format(f"BOX/u.conf: {PROGRAM}: {why}"), None), f"a configuration that is no file: {why}")
        (scene.folder / "u.conf").unlink(missing_ok=True)


def test_programs(tap, scene):
    """unbound-checkconf does what it should not, or the command cannot run: the module is left out, in one line."""
    says = f"BOX/u.conf: {PROGRAM}"
    with_it = '[ -e "${0%/*}/conf.d/' + NAME + '" ]'
    for script, why in (("exit 3", f"{says}: exit status 3: "), ("kill -9 $$", f"{says}: it exited early"), ('[ "$1" = -- ]', f"{says} -o module-config: it does not print this option"),
                        (f'! {with_it} || {{ echo "not\nthis" >&2; exit 1; }}; exec "{CHECKCONF}" "$@"', "BOX/u.conf does not include")):
        scene.checkconf()
        scene.fresh()
        scene.enable()
        scene.checkconf(script)
        status, said, text = scene.enable()
        tap.equal((status, why in said, said.count("\n"), text, scene.beside()), (1, True, 0, None, []), f"unbound-checkconf: {script}: {said}")
        status, said, text = scene.enable("--required")
        tap.equal((status, said.startswith("Unbound would not start with the module, which is required")), (1, True), f"unbound-checkconf: {script}: --required: {said}")
    scene.checkconf()
    shutil.copy(ROOT / "tools/enable/unbound-idn-enable", scene.folder)
    for text, why in (None, "No such file or directory"), ("#!/bin/sh\nkill -9 $$\n", "Killed"), ("#!/bin/sh\necho 'error while loading shared libraries' >&2; exit 127\n", "shared libraries"):
        scene.fresh(**{NAME.removesuffix(".conf"): PLAIN})
        if text:
            scene.write("unbound-idn", text)
            (scene.folder / "unbound-idn").chmod(0o755)
        status, said, left = scene.enable(program=["BOX/unbound-idn-enable"])
        tap.equal((status, said.startswith("Unbound starts WITHOUT"), why in said, said.count("\n"), left), (1, True, True, 0, None), f"the command: {why}: {said}")
    (scene.folder / "unbound-idn").unlink()


def test_ended(tap, scene):
    """Terminated at any of its questions: there is no snippet, or the one that is good; the next run has it all in order."""
    for at in range(1, 9):
        for before in None, PLAIN.replace("BOX", str(scene.folder)), "# Written by unbound-idn enable\n":
            scene.checkconf(f'echo >>"${{0%/*}}/count"; [ $(wc -l <"${{0%/*}}/count") != {at} ] || kill -TERM $(cat "${{0%/*}}/pid"); exec "{CHECKCONF}" "$@"')
            scene.fresh(**({} if before is None else {NAME.removesuffix(".conf"): before}))
            scene.write("count", "")
            command = f'echo $$ >{scene.folder}/pid; exec "$0" "$@"'
            arguments = [part.replace("BOX", str(scene.folder)) for part in ["enable", "--daemon", "BOX/unbound", *OPTIONS]]
            done = subprocess.run(["/bin/sh", "-c", command, scene.command.path, *arguments], capture_output=True, timeout=60, check=False)
            tap.equal((done.returncode != 0, scene.text()), (True, None), f"terminated at question {at}: no snippet")
            scene.checkconf()
            tap.equal((scene.enable()[0], scene.text(), scene.beside()), (0, PLAIN, [NAME]), f"terminated at question {at}: the next run")


def test_patterns(tap, scene):
    """Some includes find the snippet, and some do not."""
    void = OUT.format(f"BOX/u.conf does not include {SNIPPET}")
    for include, found in (('"BOX/conf.d/*.conf"', True), (f'"{SNIPPET}"', True), ("BOX/*.d/*.conf", True), ("conf.d/*.conf", True),
                           ('"BOX/conf.d/*.inc"', False), ("BOX/conf.d/[a-y]*", False)):
        for keyword in "include", "include-toplevel":
            scene.fresh(conf=CONF[:CONF.index("include")] + f"{keyword}: {include}\n")
            tap.equal(scene.enable(), (0, FITS, PLAIN) if found else (1, void, None), f"{keyword}: {include}")
            tap.equal(scene.beside(), [NAME] if found else [], f"{keyword}: {include}: nothing else is left")
    scene.fresh(conf=CONF[:CONF.index("include")])
    tap.equal(scene.enable(), (1, void, None), "no include")


def test_policies(tap, scene):
    """Faults that stop Unbound are reported, and others are not: an error in the rules stops it only if they are required."""
    def with_files(rules, required="yes", **files):
        scene.fresh()
        scene.write("idn.conf", f"idn:\npolicy: rules.conf\nrequired: {required}\n")
        scene.write("rules.conf", rules)
        for name, text in files.items():
            scene.write(name, text)
        status, said, _ = scene.enable()
        return status, said

    good = 0, FITS
    bad = "nxdomain zone a.example\nnonsense\nnonsense\n"
    try:
        tap.equal(with_files("nxdomain zone a.example\n"), good, "rules")
        status, said = with_files(bad)
        tap.equal((status, said.startswith(REQUIRED.format("BOX/rules.conf:2:1: 'nonsense' is not an action: expected "))), (1, True), f"an error in the rules: {said}")
        tap.equal(with_files(bad, "no"), good, "an error in rules that are not required")
        tap.equal(with_files("nxdomain zones none.txt\n"), good, "a list that is missing")
        tap.equal(with_files("nxdomain zones list.txt\n", **{"list.txt": "a.example\n!!\n\xff\n"}), good, "a list with bad lines")
        tap.equal(with_files("nxdomain zones fifo\n"), good, "a list that is a FIFO")
        tags = "".join(f"log zones none.txt tag=t{n}\n" for n in range(65))
        tap.equal(with_files(tags), (1, REQUIRED.format("BOX/rules.conf:65:1: too many tags: expected at most 64 different ones")), "65 tags of lists")
        (scene.folder / "rules.conf").unlink()
        tap.equal(scene.enable(), (1, REQUIRED.format("BOX/rules.conf: No such file or directory"), PLAIN), "no rules")
        for required in "", "required: no\n", "# required: yes\n", '  required: "no" # yes\n':
            scene.fresh()
            scene.write("idn.conf", f"idn:\n{required}policy: rules.conf\nlog-to: BOX/none/idn.log\n")
            tap.equal(scene.enable(), (*good, PLAIN), f"no rules and no log, which {required!r} does not require")
        for required in "required: yes", '\trequired:  "yes"  # no':
            scene.fresh()
            scene.write("idn.conf", f"idn:\n{required}\nlog-to: BOX/none/idn.log\n")
            tap.equal(scene.enable(), (1, REQUIRED.format("BOX/idn.conf: cannot write BOX/none/idn.log: No such file or directory"), PLAIN), f"a log that cannot be written, and {required!r}")
        scene.write("idn.conf", "idn:\nrequired: yes\nmetrics-file: BOX/none/idn.prom\n")
        tap.equal(scene.enable()[:2], good, "metrics that cannot be written")
    finally:
        scene.write("idn.conf", "idn:\n")
    for file in "none.conf", "bad.conf", "fifo":
        scene.fresh()
        status, said, text = scene.enable("--conf", f"BOX/{file}")
        tap.equal((status, said, text.replace(f"BOX/{file}", "BOX/idn.conf")), (0, FITS, PLAIN), f"idn.conf is {file}")


def test_required(tap, scene):
    scene.fresh()
    tap.equal(scene.enable("--required"), (0, FITS, PLAIN), "--required: it fits")
    tap.equal(scene.enable("--required", daemon="BOX/stock"), (1, REQUIRED.format(UNABLE.format("BOX/stock")), PLAIN), "--required: it stays where it does not fit")
    own = 'server:\n    module-config: "dynlib validator iterator"\ndynlib:\n    dynlib-file: "BOX/{}.so"\n    dynlib-file: "BOX/idn.conf"\n'
    scene.fresh(own=own.format("idn"))
    tap.equal(scene.enable("--required"), (0, f"BOX/u.conf has dynlib in module-config: {SNIPPET} is not needed", None), "--required: the configuration loads it by itself")
    scene.write("conf.d/own.conf", own.format("other"))
    status, said, text = scene.enable("--required")
    tap.equal((status, said.startswith(REQUIRED.format("BOX/u.conf: BOX/other.so was made for")), text), (1, True, None), "--required: or one that does not fit")


def test_others(tap, scene):
    """Files in the snippet's place that the command did not write."""
    left = f"{SNIPPET} was not written by unbound-idn: not changed"
    off = f"{SNIPPET} is empty: the module is kept out"
    for text, said in ("", off), ("server:\n", left), ("#\n" + PLAIN, left), ("x" * 70000, left), ("# Written by hand\n", left):
        scene.fresh(**{NAME.removesuffix(".conf"): text})
        before = scene.snippet.stat()
        tap.equal(scene.enable(), (0, said, text), f"{text[:20]!r}")
        status, told, _ = scene.enable("--required")
        good = text.endswith(PLAIN)
        tap.equal((status, told == left if good else told.startswith(REQUIRED.format("BOX/"))), (0 if good else 1, True), f"{text[:20]!r}: --required: {told[:200]}")
        tap.equal((scene.snippet.stat().st_ino, scene.snippet.stat().st_mtime_ns), (before.st_ino, before.st_mtime_ns), f"{text[:20]!r}: not touched")
    victim = scene.folder / "victim"
    for make in (lambda path: path.symlink_to(victim), lambda path: path.symlink_to("none"), lambda path: path.symlink_to("/dev/null"), os.mkfifo, os.mkdir):
        for daemon in "unbound", "stock":
            scene.fresh()
            victim.write_text(PLAIN)
            make(scene.snippet)
            before = scene.snippet.lstat()
            status, said, _ = scene.enable(daemon=f"BOX/{daemon}")
            after = scene.snippet.lstat()
            tap.equal((status, said, victim.read_text(), after.st_ino, after.st_mode), (0, left, PLAIN, before.st_ino, before.st_mode),
                      f"{stat.filemode(before.st_mode)}: not touched, {daemon}")


def test_meanwhile(tap, scene):
    """If the snippet is emptied while unbound-checkconf runs, it stays empty, whichever question it was."""
    edit = '[ $(wc -l <"${{0%/*}}/count") != {} ] || : > "${{0%/*}}/conf.d/' + NAME + f'"; echo >>"${{{{0%/*}}}}/count"; exec "{CHECKCONF}" "$@"'
    for before, daemon in (None, "unbound"), ("# Written by unbound-idn enable\n", "unbound"), (PLAIN, "stock"):
        for at in range(8):
            scene.fresh(**({} if before is None else {NAME.removesuffix(".conf"): before}))
            scene.write("count", "")
            scene.checkconf(edit.format(at))
            scene.enable(daemon=f"BOX/{daemon}")
            tap.equal((scene.text(), scene.beside()), ("", [NAME]), f"emptied at question {at + 1}: {before and before[:9]!r}, {daemon}")
    scene.checkconf()


def limited():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_failures(tap, scene):
    """If the snippet cannot be written, Unbound starts without the module."""
    scene.fresh()
    tap.equal(scene.enable(preexec_fn=limited), (1, OUT.format(f"cannot write {SNIPPET}: File too large"), None), "a full disk")
    tap.equal(scene.beside(), [], "and nothing is left of it")
    shutil.rmtree(scene.snippet.parent)
    why = f"BOX/u.conf: {PROGRAM}: exit status 1: BOX/u.conf:4: error: cannot open include file 'BOX/conf.d/*.conf': No such file or directory; " \
        "read BOX/u.conf failed: 1 errors in configuration file"
    tap.equal(scene.enable(), (1, OUT.format(why), None), "no folder for it")
    tap.equal(scene.snippet.parent.exists(), False, "and none is made")
    scene.fresh()
    if os.geteuid() != 0 or scene.command.under_valgrind:
        print("# what an ordinary user may not do is tried by root alone, and without valgrind, whose files it may not read")
        return
    nobody = pwd.getpwnam("nobody")
    how = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    tap.equal(scene.enable(**how), (1, OUT.format(f"cannot write {SNIPPET}: Permission denied"), None), "it may not write it")
    scene.enable()
    status, said, text = scene.enable(**how)
    tap.equal((status, f"cannot remove {SNIPPET}" in said, text), (1, True, PLAIN), "it may not remove it")


def test_journal(tap, scene):
    """Lines for systemd's journal begin with a number if they are errors."""
    scene.fresh()
    with open(scene.folder / "journal", "wb+") as stream:
        status = os.fstat(stream.fileno())
        for number, shown in (status.st_ino, True), (status.st_ino + 1, False):
            for daemon, grave in ("unbound", False), ("stock", True):
                stream.truncate(0)
                command = [scene.command.path, "enable", "--daemon", f"BOX/{daemon}", *OPTIONS]
                subprocess.run([part.replace("BOX", str(scene.folder)) for part in command], stderr=stream, check=False,
                               env={**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{number}"})
                line = (scene.folder / "journal").read_bytes().lstrip(b"\0")
                tap.equal(line.startswith(b"<3>unbound-idn enable: "), shown and grave, f"JOURNAL_STREAM: {daemon}, {shown}")
                tap.equal(line.count(b"\n"), 1, f"JOURNAL_STREAM: {daemon}, {shown}: one line")


def test_drop_in(tap, scene):
    """The unit's drop-in runs the script itself, which works if the command does not; systemd ignores its status."""
    text = (ROOT / "conf/systemd/unbound-idn.conf").read_text()
    lines = re.findall(r"^ExecStartPre=(.*)$", text, re.M)
    tap.equal(lines[0], "+-/usr/bin/unbound-idn-enable", "conf/systemd: as root, and Unbound is started even if it fails")
    tap.equal(re.findall(r"^#     ExecStartPre=(.*)$", text, re.M), ["+/usr/bin/unbound-idn-enable --required"], "conf/systemd: --required stops the start")
    scene.fresh()
    tap.equal(scene.enable(program=[f"{os.path.dirname(scene.command.path)}/unbound-idn-enable"]) if not scene.command.under_valgrind else (0, FITS, PLAIN),
              (0, FITS, PLAIN), "the script by its own name")
