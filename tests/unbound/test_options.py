# SPDX-License-Identifier: BSD-3-Clause
"""idn.conf: where it comes from, where lines go, and what they show."""

import datetime
import os
import stat
from pathlib import Path

from daemon import FileOutput
from question import ask
from resolver import Log
from test_answers import check

BUECHER = "xn--bcher-kva.example."
EMOJI = "xn--e28h.example."
PAYPAL = "xn--pypal-4ve.example."


def test_defaults(world, tap):
    """Without any key: text, to Unbound's log, all names, both forms, the full client."""
    with world.resolver(tap) as resolver:
        check(tap, resolver, ask(BUECHER), "an IDN", u="bücher.example")
        check(tap, resolver, ask("ascii.example"), "an ASCII name is logged too")
        check(tap, resolver, ask(EMOJI), "an emoji is escaped", u="\\u{1F600}.example", idn="restricted(1:emoji)")
        check(tap, resolver, ask("a.xn--31m-dda.b." + BUECHER), "an invalid label stays as it is beside a good one",
              rcode="NXDOMAIN",
              u="a.xn--31m-dda.b.bücher.example", idn="invalid(2:disallowed)")


def test_log_to_unbound(world, tap):
    with world.resolver(tap, "log: text\nlog-to: unbound") as resolver:
        _, line = check(tap, resolver, ask(BUECHER), "a line", u="bücher.example")
        tap.ok(line.stamp.startswith("[") and line.stamp.endswith("info: "), "behind Unbound's own prefix", line.stamp)
        tap.ok(f"unbound[{resolver.daemon.pid}:" in line.stamp, "with its pid", line.stamp)


def test_log_to_file(world, tap):
    with world.resolver(tap, 'log-to: "log/idn.log"') as resolver:
        before = datetime.datetime.now(datetime.timezone.utc)
        _, line = check(tap, resolver, ask(BUECHER), "a line", u="bücher.example")
        stamp = datetime.datetime.strptime(line.stamp.strip(),
                                           "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
        late = abs((stamp - before).total_seconds())
        tap.ok(late < 30, "at the time of the answer, in UTC", f"{stamp} {before}")
        for number in range(20):
            check(tap, resolver, ask(f"n{number}.wild.example"), f"line {number}")
        mode = stat.S_IMODE(os.stat(resolver.log.target.path).st_mode)
        tap.equal(oct(mode), oct(0o640), "the file's mode")
        tap.ok(b"bcher" not in resolver.daemon.stderr.octets, "nothing of it in Unbound's log")


def test_log_to_standard_output(world, tap):
    for target in ("/dev/stdout", "/dev/stderr"):
        with world.resolver(tap, f"log-to: {target}") as resolver:
            _, line = check(tap, resolver, ask(BUECHER), target, u="bücher.example")
            tap.ok(line.stamp.endswith("Z "), "with a time, as in a file", line.stamp)


def test_log_none(world, tap):
    with world.resolver(tap, "log: none", check=False) as resolver:
        for name in (BUECHER, BUECHER, "nope." + BUECHER):
            resolver.exchange(ask(name))
    tap.equal(resolver.log.lines(), [], "no line at all")


def test_keys(world, tap):
    """The keys reach the log; what each of them shows is in tests/unit/test_logline.c."""
    with world.resolver(tap, "log-names: idn\nlog-client: prefix\nshow-emoji: yes", check=False) as resolver:
        resolver.exchange(ask("ascii.example"))
        for name, u in (BUECHER, "bücher.example"), (EMOJI, "😀.example"):
            _, line = resolver.logged(ask(name), source="127.0.3.77")
            tap.equal((line.u, line.client.removesuffix("/24")), (u, "127.0.3.0"), f"{name}: its text, and the client's network")
        if world.ipv6:
            _, line = resolver.logged(ask(PAYPAL), ipv6=True)
            tap.equal((line.client.removesuffix("/56"), line.idn), ("::", "restricted(1:script-mix)"), "IPv6")
    tap.equal(len(resolver.log.lines()), 3 if world.ipv6 else 2, "no line for a name without an A-label")
    with world.resolver(tap, "log-name: ascii\nlog-client: none") as resolver:
        _, line = resolver.logged(ask(PAYPAL))
        tap.equal((line.u, line.idn, line.client in ("-", None)), (None, "restricted(1:script-mix)", True), "no Unicode, and no client")
    tap.ok(resolver.log.target.octets.isascii(), "nothing but ASCII in the log")


# ---- where the file comes from. Its mistakes: test_loading.py, tests/unit/test_config.c and `check`. ----------------------

DEFAULT = Path("/etc/unbound/idn.conf")


def without_second_entry(folder):
    """unbound.conf names the module and no configuration; idn.conf becomes other.conf."""
    text = (folder / "unbound.conf").read_text()
    entry = '    dynlib-file: "./idn.conf"\n'
    assert entry in text
    (folder / "unbound.conf").write_text(text.replace(entry, ""))
    (folder / "idn.conf").rename(folder / "other.conf")


def test_environment(world, tap):
    """The environment names the file if unbound.conf does not."""
    for prepare, named in (without_second_entry, "./other.conf"), (None, "/nowhere/idn.conf"):
        with world.resolver(tap, "log-to: log/idn.log", prepare=prepare, environment={"UNBOUND_IDN_CONF": named}) as resolver:
            resolver.logged(ask(BUECHER))
            tap.equal(resolver.errors(), [], f"UNBOUND_IDN_CONF={named}: no error")


def test_unreadable(world, tap):
    """A file that is named has to be there. Root may read it, the daemon's user may not: at the start the daemon is that user already."""
    for prepare, environment, error in ((without_second_entry, {"UNBOUND_IDN_CONF": "./gone.conf"}, "./gone.conf: No such file or directory"),
                                        (lambda folder: (folder / "idn.conf").chmod(0), {}, "idn.conf: Permission denied")):
        with world.resolver(tap, "log: none", prepare=prepare, environment=environment, check=False) as resolver:
            tap.equal(sum(error in said for said in resolver.errors()), 1, error)


def test_default_path(world, tap):
    """Nothing is named and nothing is there: every key has its default."""
    if DEFAULT.exists():
        tap.skip("no configuration anywhere", f"this machine has {DEFAULT}")
        return
    for environment in ({}, {"UNBOUND_IDN_CONF": ""}):
        with world.resolver(tap, "", prepare=without_second_entry, environment=environment) as resolver:
            _, line = resolver.logged(ask("xn--bcher-kva.example"))
            tap.equal(line.u, "bücher.example", f"{environment}: a text line in Unbound's log")
            tap.equal(resolver.errors(), [], f"{environment}: no error")


def test_relative_paths(world, tap):
    """They begin at the folder of the file that names them, not at the daemon's."""
    def elsewhere(folder):
        (folder / "etc").mkdir()
        (folder / "etc/log").mkdir()
        (folder / "etc/log").chmod(0o777)
        (folder / "idn.conf").rename(folder / "etc/idn.conf")
        text = (folder / "unbound.conf").read_text()
        (folder / "unbound.conf").write_text(text.replace('"./idn.conf"', '"etc/idn.conf"'))

    with world.resolver(tap, "log-to: log/idn.log", prepare=elsewhere, check=False) as resolver:
        resolver.log = Log(FileOutput(resolver.folder / "etc/log/idn.log"))
        resolver.logged(ask("xn--bcher-kva.example"))
        tap.ok(not (resolver.folder / "log/idn.log").exists(), "none in the daemon's own folder")
