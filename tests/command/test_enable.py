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
import tempfile

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
FITS = f"BOX/idn.so fits BOX/unbound: {SNIPPET} "
OUT = "the module is left out: {}; " + SNIPPET + " {}"
REQUIRED = "Unbound would not start with the module, which is required: {}; " + SNIPPET + " {}"
UNABLE = "{0}: this Unbound cannot load modules: expected one that was configured with --with-dynlibmodule"


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

    def enable(self, *options, daemon="BOX/unbound", program=None, **how):
        """(exit status, the one line that is said, what is in the snippet's place)."""
        command = [str(program or self.command.path), "enable", *(["--daemon", daemon] if daemon else []), *OPTIONS, *options]
        done = subprocess.run([part.replace("BOX", str(self.folder)) for part in command], capture_output=True, cwd=self.folder, timeout=60, check=False,
                              **how)
        said = (done.stderr + done.stdout).decode().replace(str(self.folder), "BOX")
        return done.returncode, said.removeprefix("unbound-idn enable: ").removesuffix("\n"), self.text()


def run(tap, command):
    folder = tempfile.mkdtemp(prefix="idn-enable-")
    try:
        os.chmod(folder, 0o755)
        scene = Scene(command, folder)
        usage(tap, command)
        again(tap, scene)
        daemons(tap, scene)
        modules(tap, scene)
        orders(tap, scene)
        configurations(tap, scene)
        programs(tap, scene)
        killed(tap, scene)
        patterns(tap, scene)
        policies(tap, scene)
        required(tap, scene)
        others(tap, scene)
        meanwhile(tap, scene)
        failures(tap, scene)
        journal(tap, scene)
        drop_in(tap, scene)
    finally:
        shutil.rmtree(folder)


def usage(tap, command):
    for arguments in (["--if-fits", "--required"], ["x"], ["--unknown"], ["--module", "idn.so"], ["--module", '/a"b'], ["--conf", "/a\nb"], ["--conf", "/a\\b"],
                      ["--snippet", "a.conf"], ["--snippet", "/etc/"], ["--daemon"]):
        status, out, errors = command("enable", *arguments)
        tap.equal((status, out, errors.count("\n"), "try 'unbound-idn enable --help'" in errors), (2, b"", 1, True), f"usage: enable {arguments}")
    status, out, errors = command("enable", "--help")
    lines = out.decode().splitlines()
    tap.equal((status, errors, len(lines) < 26, max(map(len, lines)) <= 80), (0, "", True, True), "enable --help fits a screen")


def again(tap, scene):
    """Written once, and not touched as long as it is what would be written."""
    old = os.umask(0o077)
    tap.equal(scene.enable(), (0, FITS + "written", PLAIN), "it fits: written")
    os.umask(old)
    before = scene.snippet.stat()
    tap.equal(stat.S_IMODE(before.st_mode), 0o644, "for all to read, whatever the umask")
    tap.equal(scene.enable("--if-fits"), (0, FITS + "left as it is", PLAIN), "it still fits")
    after = scene.snippet.stat()
    tap.equal((after.st_ino, after.st_mtime_ns), (before.st_ino, before.st_mtime_ns), "and is the same file")
    scene.snippet.write_text(PLAIN.replace("BOX", str(scene.folder)) + "# x\n")
    tap.equal(scene.enable(), (0, FITS + "written", PLAIN), "one that was changed is written anew")
    scene.snippet.write_text("# Written by unbound-idn enable, as another version of it may say\n")
    tap.equal(scene.enable(), (0, FITS + "written", PLAIN), "one of another version, too")
    tap.equal(sorted(path.name for path in scene.snippet.parent.iterdir()), [NAME], "nothing else is left beside it")


def half(scene):
    """A daemon that is being written."""
    whole = (scene.folder / "unbound").read_bytes()
    (scene.folder / "half").write_bytes(whole[:200])
    with open(scene.folder / "huge", "wb") as huge:
        huge.truncate((1 << 28) + 1)
    os.mkfifo(scene.folder / "fifo")
    scene.write("script", "#!/bin/sh\nexec /usr/sbin/unbound.real\n")
    scene.write("empty", "")


def daemons(tap, scene):
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
        tap.equal(scene.enable("--if-fits", daemon=f"BOX/{daemon}"), (0, OUT.format(why, "removed"), None), f"{daemon}: removed")
        tap.equal(scene.enable("--if-fits", daemon=f"BOX/{daemon}"), (0, OUT.format(why, "is not there"), None), f"{daemon}: stays away")
        tap.equal(scene.enable(daemon=f"BOX/{daemon}"), (1, OUT.format(why, "is not there"), None), f"{daemon}: without --if-fits it is a finding")
    tap.equal(scene.enable(), (0, FITS + "written", PLAIN), "and when one that fits is back, so is the file")


def modules(tap, scene):
    scene.program("lacking.so", OTHER_ID, f'#include <stdio.h>\nconst char marker[] = "unbound-idn-build-id={ID}";\nint out(void) {{ return puts(marker); }}\n', "-shared")
    image = (scene.folder / "lacking.so").read_bytes()
    (scene.folder / "cut.so").write_bytes(image[:image.index(f"build-id={ID}".encode()) + 60])
    (scene.folder / "lacking.so").write_bytes(image.replace(b"libc.so.6", b"libc.so.0"))
    line = "BOX/u.conf: "
    for module, why in (("none.so", "cannot read BOX/none.so: No such file or directory: expected a module"),
                        ("fifo", "cannot read BOX/fifo: not a regular file: expected a module"),
                        ("foreign.so", "BOX/foreign.so is not the idn module: expected idn.so in this entry"),
                        ("cut.so", "BOX/cut.so is truncated: install it again"),
                        ("lacking.so", "BOX/lacking.so needs a library that cannot be loaded: libc.so.0: cannot open shared object file: No such file or directory")):
        scene.fresh()
        scene.enable()
        tap.equal(scene.enable("--if-fits", "--module", f"BOX/{module}"), (0, OUT.format(line + why, "removed"), None), f"the module is {module}")


def orders(tap, scene):
    """module-config is what it is without the snippet, and dynlib before it, or behind python."""
    for order, written in (("validator iterator", "dynlib validator iterator"), ("iterator", "dynlib iterator"), ("respip validator iterator",
                           "dynlib respip validator iterator"), ("  dns64   validator\titerator ", "dynlib dns64 validator iterator"),
                           ("subnetcache validator iterator", "dynlib subnetcache validator iterator"), ("python validator iterator",
                           "python dynlib validator iterator"), ("python  iterator", "python dynlib iterator")):
        for name in "a", "z":
            scene.fresh(**{name: f'server:\n    module-config: "{order}"\n'})
            tap.equal(scene.enable(), (0, FITS + "written", TEXT.format(written)), f"{name}.conf has {order!r}")
            tap.equal(scene.enable(), (0, FITS + "left as it is", TEXT.format(written)), f"{name}.conf has {order!r}: the same again")
    scene.write("built", "module-config subnetcache validator iterator\n")
    scene.fresh()
    _, _, text = scene.enable()
    tap.equal(text, TEXT.format("dynlib subnetcache validator iterator"), "a daemon with the default of Debian's")
    (scene.folder / "built").unlink()
    scene.fresh(a='server:\n    module-config: "validator respip iterator"\n')
    why = f"BOX/u.conf: {PROGRAM}: exit status 1: fatal error: module conf 'dynlib validator respip iterator' is not known to work"
    tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), "an order that nobody knows")
    status, said, text = scene.enable("--required")
    tap.equal((status, said, text), (1, REQUIRED.format(why, "written"), TEXT.format("dynlib validator respip iterator")), "an order that nobody knows: --required")


def configurations(tap, scene):
    """The message about the configuration with the snippet, or without it."""
    scene.enable()
    scene.fresh(zzz='server:\n    module-config: "validator iterator"\n')
    why = f'BOX/u.conf: module-config is set again after {SNIPPET}: expected "dynlib validator iterator", not "validator iterator"'
    tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), "module-config is set again after it")
    tap.equal(list(scene.snippet.parent.iterdir()), [scene.folder / "conf.d/zzz.conf"], "and nothing is left beside it")
    already = f"BOX/u.conf says which modules are loaded: {SNIPPET} "
    for order in "dynlib validator iterator", "python dynlib iterator":
        scene.fresh()
        scene.enable()
        scene.write("conf.d/own.conf", f'server:\n    module-config: "{order}"\n')
        tap.equal(scene.enable("--if-fits"), (0, already + "removed", None), f"it has {order!r} already")
        tap.equal(scene.enable(), (0, already + "is not there", None), f"it has {order!r} already, and no snippet")
    scene.fresh(own='dynlib:\n    dynlib-file: "BOX/foreign.so"\n')
    why = f"BOX/u.conf: BOX/foreign.so is not the idn module: expected no dynlib-file before those of {SNIPPET}"
    tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), "an entry of another module stands before ours")
    scene.fresh(zzz='dynlib:\n    dynlib-file: "BOX/foreign.so"\n')
    tap.equal(scene.enable("--if-fits"), (0, FITS + "written", PLAIN), "one that stands after ours does no harm")
    scene.fresh(own='server:\n    chroot: "BOX/none"\n')
    tap.equal(scene.enable("--if-fits"), (0, OUT.format("BOX/u.conf: chroot BOX/none is not a folder", "is not there"), None), "a chroot")
    scene.fresh(own='server:\n    username: "no.such.user"\n')
    status, said, text = scene.enable("--if-fits")
    tap.equal((status, "user 'no.such.user' does not exist" in said, text), (0, True, None), "a user that is none")
    scene.fresh(conf=CONF + 'server: "\n')
    status, said, text = scene.enable("--if-fits")
    tap.equal((status, "BOX/u.conf:5: error: stray" in said, text), (0, True, None), "a configuration with an error")
    (scene.folder / "u.conf").unlink()
    why = f"BOX/u.conf: {PROGRAM}: exit status 1: error: Could not open BOX/u.conf: No such file or directory"
    tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), "no configuration")
    scene.fresh()
    (scene.folder / "u.conf").unlink()
    os.mkfifo(scene.folder / "u.conf")
    tap.equal(scene.enable("--if-fits")[:2], (0, OUT.format(f"BOX/u.conf: {PROGRAM}: not a regular file", "is not there")), "a configuration that is a FIFO")
    (scene.folder / "u.conf").unlink()


def programs(tap, scene):
    """unbound-checkconf does what it should not: the module is left out, in one line, and what is required stays as it was."""
    saw = 'ls -A "${0%/*}/conf.d" >>"${0%/*}/seen"; ' + f'exec "{CHECKCONF}" "$@"'
    scene.checkconf(saw)
    scene.fresh()
    for _ in range(2):
        scene.write("seen", "")
        scene.enable()
        seen = [line for line in (scene.folder / "seen").read_text().splitlines() if line.endswith(".conf")]
        tap.equal((set(seen), len(seen)), ({NAME}, 6), "it is asked without the snippet, and then with it")
    says = f"BOX/u.conf: {PROGRAM}"
    with_it = '[ -e "${0%/*}/conf.d/' + NAME + '" ]'
    for script, why in (("exit 3", f"{says}: exit status 3: "), ("kill -9 $$", f"{says}: it ended early"), ('[ "$1" != -o ] || yes; yes >&2', f"{says}: it wrote too much"),
                        ('[ "$1" = -- ]', f"{says} does not say which modules the daemon has"),
                        (f'! {with_it} || {{ echo "not\nthis" >&2; exit 1; }}; exec "{CHECKCONF}" "$@"', f"{says}: exit status 1: not; this")):
        scene.checkconf()
        scene.fresh()
        scene.enable()
        scene.checkconf(script)
        tap.equal(scene.enable("--required"), (1, REQUIRED.format(why, "left as it is"), PLAIN), f"unbound-checkconf: {script}: --required")
        tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "removed"), None), f"unbound-checkconf: {script}: removed")
        tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), f"unbound-checkconf: {script}: stays away")
        tap.equal(list(scene.snippet.parent.iterdir()), [], f"unbound-checkconf: {script}: nothing is left")
        tap.equal(scene.enable("--required"), (1, REQUIRED.format(why, "written"), PLAIN), f"unbound-checkconf: {script}: --required, written")
    scene.checkconf()


def killed(tap, scene):
    """Ended at any of its questions: there is no snippet, or the one that is good; the next run has it all in order."""
    for at in range(1, 12, 2):
        for before in None, PLAIN.replace("BOX", str(scene.folder)), "# Written by unbound-idn enable\n":
            scene.checkconf(f'echo >>"${{0%/*}}/count"; [ $(wc -l <"${{0%/*}}/count") != {at} ] || kill -9 $(cat "${{0%/*}}/pid"); exec "{CHECKCONF}" "$@"')
            scene.fresh(**({} if before is None else {NAME.removesuffix(".conf"): before}))
            scene.write("count", "")
            command = f'echo $$ >{scene.folder}/pid; exec "$0" "$@"'
            arguments = [part.replace("BOX", str(scene.folder)) for part in ["enable", "--daemon", "BOX/unbound", *OPTIONS]]
            subprocess.run(["/bin/sh", "-c", command, scene.command.path, *arguments], capture_output=True, timeout=60, check=False)
            scene.checkconf()
            tap.equal(scene.text() in (None, PLAIN), True, f"killed at question {at}: no snippet, or a good one")
            tap.equal((scene.enable()[0], scene.text()), (0, PLAIN), f"killed at question {at}: the next run")
            tap.equal([path.name for path in scene.snippet.parent.iterdir()], [NAME], f"killed at question {at}: and nothing else is left")


def patterns(tap, scene):
    """Some includes find the snippet, and some do not."""
    void = OUT.format(f"BOX/u.conf: it does not include {SNIPPET}", "is not there")
    for include, found in (('"BOX/conf.d/*.conf"', True), (f'"{SNIPPET}"', True), ("BOX/*.d/*.conf", True), ("conf.d/*.conf", True),
                           ('"BOX/conf.d/*.inc"', False), ("BOX/conf.d/[a-y]*", False)):
        for keyword in "include", "include-toplevel":
            scene.fresh(conf=CONF[:CONF.index("include")] + f"{keyword}: {include}\n")
            status, said, text = scene.enable("--if-fits")
            tap.equal((status, said, text), (0, FITS + "written", PLAIN) if found else (0, void, None), f"{keyword}: {include}")
            if found:
                tap.equal(scene.enable("--if-fits"), (0, FITS + "left as it is", PLAIN), f"{keyword}: {include}: the same again")
            tap.equal(sorted(path.name for path in scene.snippet.parent.iterdir()), [NAME] if found else [], f"{keyword}: {include}: nothing else is left")
    scene.fresh(conf=CONF[:CONF.index("include")])
    tap.equal(scene.enable("--if-fits"), (0, void, None), "no include")


def policies(tap, scene):
    """Faults that stop Unbound leave the module out; others do not."""
    def with_files(rules, **files):
        scene.fresh()
        scene.write("idn.conf", "idn:\npolicy: rules.conf\n")
        scene.write("rules.conf", rules)
        for name, text in files.items():
            scene.write(name, text)
        status, said, _ = scene.enable("--if-fits")
        return status, said

    good = 0, FITS + "written"
    try:
        tap.equal(with_files("nxdomain zone a.example\n"), good, "rules")
        tap.equal(with_files("nxdomain zone a.example\nnonsense\n")[1].split(": ")[:2], ["the module is left out", "BOX/rules.conf:2:1"], "an error in the rules")
        tap.equal(with_files("nxdomain zones none.txt\n"), good, "a list that is missing")
        tap.equal(with_files("nxdomain zones list.txt\n", **{"list.txt": "a.example\n!!\n\xff\n"}), good, "a list with bad lines")
        tap.equal(with_files("nxdomain zones fifo\n"), good, "a list that is a FIFO")
        tags = "".join(f"log zones none.txt tag=t{n}\n" for n in range(65))
        tap.equal(with_files(tags), (0, OUT.format("BOX/rules.conf:65:1: too many tags: expected at most 64 different ones", "is not there")), "65 tags of lists")
        (scene.folder / "rules.conf").unlink()
        tap.equal(scene.enable("--if-fits")[1], OUT.format("BOX/rules.conf: No such file or directory", "removed"), "no rules")
        scene.write("idn.conf", "idn:\nlog-to: BOX/none/idn.log\n")
        tap.equal(scene.enable("--if-fits")[1], OUT.format(f"BOX/u.conf: cannot write BOX/none/idn.log: No such file or directory", "is not there"),
                  "a log that cannot be written")
        scene.write("idn.conf", "idn:\nmetrics-file: BOX/none/idn.prom\n")
        tap.equal(scene.enable("--if-fits")[:2], good, "metrics that cannot be written")
    finally:
        scene.write("idn.conf", "idn:\n")
    for file in "none.conf", "bad.conf", "fifo":
        scene.fresh()
        status, said, text = scene.enable("--if-fits", "--conf", f"BOX/{file}")
        tap.equal((status, said.startswith("the module is left out: BOX/"), text), (0, True, None), f"idn.conf is {file}")


def required(tap, scene):
    scene.fresh()
    tap.equal(scene.enable("--required"), (0, FITS + "written", PLAIN), "--required: it fits")
    why = UNABLE.format("BOX/stock")
    tap.equal(scene.enable("--required", daemon="BOX/stock"), (1, REQUIRED.format(why, "left as it is"), PLAIN), "--required: it stays where it does not fit")
    scene.fresh()
    tap.equal(scene.enable("--required", daemon="BOX/stock"), (1, REQUIRED.format(why, "written"), PLAIN), "--required: it is written where it does not fit")
    own = 'server:\n    module-config: "dynlib validator iterator"\ndynlib:\n    dynlib-file: "BOX/{}.so"\n    dynlib-file: "BOX/idn.conf"\n'
    scene.fresh(own=own.format("idn"))
    said = f"BOX/u.conf says which modules are loaded: {SNIPPET} is not there"
    tap.equal(scene.enable("--required"), (0, said, None), "--required: the configuration loads it by itself")
    scene.write("conf.d/own.conf", own.format("other"))
    status, told, text = scene.enable("--required")
    tap.equal((status, told.startswith(f"{said}; the module is required, but BOX/u.conf: BOX/other.so was made for"), text), (1, True, None),
              "--required: or one that does not fit")


def others(tap, scene):
    """Files in the snippet's place that the command did not write."""
    left = f"{SNIPPET} was not written by unbound-idn: left alone"
    off = f"{SNIPPET} is empty: the module is kept out"
    out = '; the module is required, but BOX/u.conf: no dynlib in module-config "validator iterator": expected "dynlib validator iterator"'
    for text, said in ("", off), ("server:\n", left), ("#\n" + PLAIN, left), ("x" * 70000, left), ("# Written by hand\n", left):
        scene.fresh(**{NAME.removesuffix(".conf"): text})
        before = scene.snippet.stat()
        good = text.endswith(PLAIN)
        for options, status, more in (["--if-fits"], 0, ""), ([], 0, ""), (["--required"], *((0, "") if good else (1, out))):
            got = scene.enable(*options)
            if text.startswith("x"):
                tap.equal((got[0], got[1].startswith(said)), (status, True), f"a large file: {options}")
            else:
                tap.equal(got, (status, said + more, text), f"{text[:20]!r}: {options}")
        tap.equal((scene.snippet.stat().st_ino, scene.snippet.stat().st_mtime_ns), (before.st_ino, before.st_mtime_ns), f"{text[:20]!r}: not touched")
    victim = scene.folder / "victim"
    for make in (lambda path: path.symlink_to(victim), lambda path: path.symlink_to("none"), lambda path: path.symlink_to("/dev/null"), os.mkfifo, os.mkdir):
        for daemon in "unbound", "stock":
            scene.fresh()
            victim.write_text(PLAIN)
            make(scene.snippet)
            before = scene.snippet.lstat()
            status, said, _ = scene.enable("--if-fits", daemon=f"BOX/{daemon}")
            after = scene.snippet.lstat()
            tap.equal((status, said, victim.read_text(), after.st_ino, after.st_mode), (0, left, PLAIN, before.st_ino, before.st_mode),
                      f"{stat.filemode(before.st_mode)}: not touched, {daemon}")
    planted(tap, scene)


def planted(tap, scene):
    """A link to conf.d: an administrator's is followed; in a folder for everyone it may be anybody's."""
    for name, mode, wanted in ("guarded", 0o755, (0, PLAIN)), ("open", 0o1777, (1, None)):
        scene.fresh()
        (scene.folder / name).mkdir()
        (scene.folder / name).chmod(mode)
        (scene.folder / name / "way").symlink_to("../conf.d")
        status, said, text = scene.enable("--required", "--snippet", f"BOX/{name}/way/{NAME}")
        tap.equal((status, text), wanted, f"a link in a folder of mode {mode:o}")
        tap.equal("its path has a symbolic link in a folder that others may write to" in said, mode != 0o755, "and is told of")
        shutil.rmtree(scene.folder / name)


def meanwhile(tap, scene):
    """Somebody writes to the snippet while unbound-checkconf is asked: it stays what they made of it, whichever question it was."""
    off = f"{SNIPPET} is empty: the module is kept out"
    edit = '[ $(wc -l <"${{0%/*}}/count") {} ] || {} "${{0%/*}}/conf.d/' + NAME + f'"; echo >>"${{{{0%/*}}}}/count"; exec "{CHECKCONF}" "$@"'
    for before, daemon, questions in (None, "unbound", 11), ("# Written by unbound-idn enable\n", "unbound", 5), (PLAIN, "unbound", 5), (PLAIN, "stock", 5):
        for at in range(questions):
            scene.fresh(**({} if before is None else {NAME.removesuffix(".conf"): before}))
            scene.write("count", "")
            scene.checkconf(edit.format(f"!= {at}", ": >"))
            got = scene.enable("--if-fits", daemon=f"BOX/{daemon}")
            tap.equal(got, (0, off, ""), f"emptied at question {at + 1}: {before and before[:9]!r}, {daemon}")
            tap.equal([path.name for path in scene.snippet.parent.iterdir()], [NAME], f"emptied at question {at + 1}: nothing else is left")
    mine = "# Written by unbound-idn enable, by hand\n"
    scene.fresh()
    scene.write("count", "")
    scene.checkconf(edit.format("= x", f"echo '{mine.strip()}' >"))
    tap.equal(scene.enable("--if-fits"), (1, f"cannot look at {SNIPPET}: somebody is writing to it: try again", mine), "written to again and again")
    scene.checkconf()


def limited():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def failures(tap, scene):
    """If the command cannot do its work, it says so and fails."""
    scene.fresh()
    tap.equal(scene.enable("--if-fits", preexec_fn=limited), (1, f"cannot write {SNIPPET}: File too large", None), "a full disk")
    tap.equal(list(scene.snippet.parent.iterdir()), [], "and nothing is left of it")
    scene.enable("--conf", "BOX/other.conf", "--required")
    old = scene.text()
    tap.equal(scene.enable("--if-fits", preexec_fn=limited), (1, f"cannot write {SNIPPET}: File too large", old), "a full disk: what was there is whole")
    shutil.rmtree(scene.snippet.parent)
    why = f"BOX/u.conf: {PROGRAM}: exit status 1: BOX/u.conf:4: error: cannot open include file 'BOX/conf.d/*.conf': No such file or directory; " \
        "read BOX/u.conf failed: 1 errors in configuration file"
    tap.equal(scene.enable("--if-fits"), (0, OUT.format(why, "is not there"), None), "no folder for it, and none is made")
    tap.equal(scene.snippet.parent.exists(), False, "none is made")
    status, said, _ = scene.enable("--required")
    tap.equal((status, said), (1, f"cannot write {SNIPPET}: No such file or directory"), "no folder for it: --required")
    scene.fresh()
    if os.geteuid() != 0 or scene.command.under_valgrind:
        print("# what an ordinary user may not do is tried by root alone, and without valgrind, whose files it may not read")
        return
    nobody = pwd.getpwnam("nobody")
    program = shutil.copy(scene.command.path, scene.folder / "unbound-idn")  # where anybody may run it
    for mode, verb, first in (0o755, "write", None), (0o755, "set aside", "BOX/unbound"), (0o700, "look at", "BOX/unbound"):
        scene.fresh()
        if first:
            scene.enable(daemon=first)
        os.chmod(scene.snippet.parent, mode)
        status, said, text = scene.enable("--if-fits", daemon="BOX/stock" if first else "BOX/unbound", program=program, user=nobody.pw_uid, group=nobody.pw_gid, extra_groups=[])
        tap.equal((status, said, text), (1, f"cannot {verb} {SNIPPET}: Permission denied", PLAIN if first else None), f"it may not {verb} it")


def journal(tap, scene):
    """Lines for systemd's journal begin with a number if they are errors."""
    scene.fresh()
    with open(scene.folder / "journal", "wb+") as stream:
        status = os.fstat(stream.fileno())
        for number, shown in (status.st_ino, True), (status.st_ino + 1, False):
            for daemon, grave in ("unbound", False), ("stock", True):
                stream.truncate(0)
                command = [scene.command.path, "enable", "--daemon", f"BOX/{daemon}", *OPTIONS]
                subprocess.run([part.replace("BOX", str(scene.folder)) for part in command], stderr=stream, check=False,
                               env={"JOURNAL_STREAM": f"{status.st_dev}:{number}"})
                line = (scene.folder / "journal").read_bytes().lstrip(b"\0")
                tap.equal(line.startswith(b"<3>unbound-idn enable: "), shown and grave, f"JOURNAL_STREAM: {daemon}, {shown}")
                tap.equal(line.count(b"\n"), 1, f"JOURNAL_STREAM: {daemon}, {shown}: one line")


def drop_in(tap, scene):
    """The line of the unit's drop-in, as a shell runs it: what cannot even start leaves no snippet of ours."""
    text = (ROOT / "conf/systemd/unbound-idn.conf").read_text()
    line = re.search(r"^ExecStartPre=\+-/bin/sh -c '(.*)'$", text, re.M)[1]
    arguments = " ".join(["--daemon BOX/unbound", *OPTIONS])
    line = line.replace("/etc/unbound/unbound.conf.d", "BOX/conf.d").replace("enable --if-fits", f"enable --if-fits {arguments}")
    tap.equal(("$" in line, "%" in line), (False, False), "conf/systemd: nothing that systemd would replace")
    killed = "/bin/sh -c 'kill -9 $$' "
    for command, kept in (scene.command.path, True), ("BOX/none", False), ("/bin/false", False), (killed, False):
        for before, ours in (PLAIN, True), ("#\n" + PLAIN, False), ("server:\n", False), ("", False), (None, True):
            scene.fresh(**({} if before is None else {NAME.removesuffix(".conf"): before}))
            script = line.replace("/usr/bin/unbound-idn", command).replace("BOX", str(scene.folder))
            subprocess.run(["/bin/sh", "-c", script], capture_output=True, timeout=60, check=False)
            wanted = (PLAIN if kept else None) if ours else before
            tap.equal(scene.text(), wanted, f"conf/systemd: {command.split('/')[-1]}: {before and before[:9]!r}")
