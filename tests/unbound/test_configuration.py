# SPDX-License-Identifier: BSD-3-Clause
"""Where the configuration comes from. Its mistakes: test_loading.py, tests/unit/test_config_errors.c and `check`."""

import re
from pathlib import Path

from daemon import FileOutput, free_port
from question import ask
from resolver import Log

DEFAULT = Path("/etc/unbound/idn.conf")


def without_second_entry(folder):
    """unbound.conf names the module and no configuration; idn.conf becomes other.conf."""
    text = (folder / "unbound.conf").read_text()
    entry = '    dynlib-file: "./idn.conf"\n'
    assert entry in text
    (folder / "unbound.conf").write_text(text.replace(entry, ""))
    (folder / "idn.conf").rename(folder / "other.conf")


def test_environment(world, tap):
    with world.resolver(tap, "log-to: log/idn.log", prepare=without_second_entry,
                        environment={"UNBOUND_IDN_CONF": "./other.conf"}) as resolver:
        resolver.logged(ask("xn--bcher-kva.example"))
        tap.equal(resolver.errors(), [], "UNBOUND_IDN_CONF names the file")


def test_environment_and_entry(world, tap):
    """A file named in unbound.conf comes first: the environment is not read."""
    with world.resolver(tap, "log-to: log/idn.log", environment={"UNBOUND_IDN_CONF": "/nowhere/idn.conf"}) as resolver:
        resolver.logged(ask("xn--bcher-kva.example"))
        tap.equal(resolver.errors(), [], "no error")


def test_environment_names_nothing(world, tap):
    """A file that is named has to be there, wherever it is named."""
    folder = world.new_folder("refused")
    world.configure(folder, free_port(), "log: none", world.module, 1, "validator iterator", "", "")
    without_second_entry(folder)
    daemon = world.start(folder, environment={"UNBOUND_IDN_CONF": "./gone.conf"})
    daemon.wait_started(b"start of service")
    daemon.stop()
    tap.equal(len(re.findall(r" error: idn: \./gone\.conf: No such file or directory", daemon.log())), 1,
              "and says why")
    if tap.failed:
        tap.note(daemon.log())


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


def test_unreadable_after_the_privilege_drop(world, tap):
    """Root may read it, the daemon's user may not: at the start the daemon is that user already."""
    folder = world.new_folder("refused")
    world.configure(folder, free_port(), "log: none", world.module, 1, "validator iterator", "", "")
    (folder / "idn.conf").chmod(0o000)
    daemon = world.start(folder)
    daemon.wait_started(b"start of service")
    daemon.stop()
    tap.ok("idn.conf: Permission denied" in daemon.log(), "and says why", daemon.log())
