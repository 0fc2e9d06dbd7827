# SPDX-License-Identifier: BSD-3-Clause
"""The guide's configurations of log shippers run over a log that grows and is rotated."""

import os
import subprocess
from contextlib import contextmanager

import guide
from daemon import Daemon, eventually
from elastic import Elastic
from question import ask
from rulefile import write

NAMES = ["www.shop.wild.example", "www.xn--bcher-kva.example", "xn--80aodfsg.example", "xn--pypal-4ve.wild.example", "xn--31m-dda.example",
         "a.xn--4gbrim.wild.example", "bad\\001label.wild.example", ".".join(["xn--a"] * 40 + ["example"])]
RULES = "log lookalike paypal.wild.example tag=watch\nnxdomain zone казино.example\n"


@contextmanager
def logging(operations, tap, idn="log: json\nlog-to: log/idn.log"):
    with operations.world.resolver(tap, f"{idn}\npolicy: rules", prepare=lambda folder: write(folder, RULES, "rules"), check=False) as resolver:
        yield resolver


def ask_all(resolver, times):
    """Asks, and waits until the log has it all."""
    log = resolver.folder / "log/idn.log"
    before = log.read_bytes().count(b"\n") if log.exists() else 0
    for _ in range(times):
        for name in NAMES:
            resolver.exchange(ask(name))
    wanted = before + times * len(NAMES)
    assert eventually(lambda: log.exists() and log.read_bytes().count(b"\n") >= wanted), "the log has not all lines"


def state_folder(operations, name):
    folder = operations.world.new_folder(name)
    (folder / "state").mkdir()
    return folder


def started(operations, tap, folder, check, command):
    """A shipper whose configuration has no fault."""
    done = subprocess.run(check, cwd=folder, env=operations.environment, capture_output=True, text=True, timeout=60, check=False)
    tap.equal(done.returncode, 0, f"{command[0].name} finds no fault in the configuration")
    tap.note(done.stdout + done.stderr)
    return Daemon(command, folder, operations.environment)


def ship(operations, tap, name, configure):
    """`configure(folder, log, port)` writes the shipper's configuration, and returns two commands as rsyslog() does."""
    elastic = Elastic()
    folder = state_folder(operations, name)
    try:
        with logging(operations, tap) as resolver:
            log = resolver.folder / "log/idn.log"
            ask_all(resolver, 20)
            daemon = started(operations, tap, folder, *configure(folder, log, elastic.port))
            try:
                tap.ok(eventually(lambda: len(elastic.documents) >= 20 * len(NAMES)), "what was there arrives", daemon.log())
                ask_all(resolver, 20)
                log.rename(log.with_name("idn.log.1"))
                assert eventually(log.exists), "there is no new log"
                ask_all(resolver, 20)
                tap.ok(eventually(lambda: len(elastic.documents) >= 60 * len(NAMES)), "what comes arrives, over a rotation",
                       f"{len(elastic.documents)}\n{daemon.log()}")
            finally:
                daemon.stop()
            lines = [line for file in (log.with_name("idn.log.1"), log) for line in file.read_text().splitlines()]
        tap.equal(elastic.faults, [], "the server understands all of it")
        tap.ok(sorted(elastic.lines()) == sorted(lines), "each line arrives once, octet for octet", f"{len(elastic.lines())} of {len(lines)}")
        tap.equal({index for index, _ in elastic.documents}, {"unbound-idn"}, "in its index")
        tap.note(daemon.log())
    finally:
        elastic.close()


def as_written(block, log, port, server="127.0.0.1:9200"):
    """A configuration of the guide for a log and a server of the test's."""
    return guide.replaced(block, {f"{guide.STATE}/idn.log": log, server: f"127.0.0.1:{port}"})


def rsyslog(operations, folder, text):
    """Writes a configuration; returns the command that checks it, and the one that runs it."""
    # Debian's rsyslog.conf says where a queue and the place in a file are kept.
    (folder / "rsyslog.conf").write_text(f'$WorkDirectory {folder}/state\n{text}')
    modules, = operations.peers.glob("usr/lib/*/rsyslog")
    command = [operations.program("rsyslogd"), "-M", modules, "-f", folder / "rsyslog.conf"]
    return [*command, "-N1"], [*command, "-n", "-i", folder / "pid"]


def syslog_ng(operations, folder, text):
    modules, = operations.peers.glob("usr/lib/syslog-ng/[0-9]*")  # named by its version, 3.38 on Debian 12
    (folder / "syslog-ng.conf").write_text(f"@version: {modules.name}\n{text.replace('reliable(yes)', f'reliable(yes) dir({folder}/state)')}")
    command = [operations.program("syslog-ng"), f"--module-path={modules}", "--no-caps", "-f", folder / "syslog-ng.conf"]
    state = [f"--persist-file={folder}/state/persist", f"--control={folder}/control", f"--pidfile={folder}/pid"]
    return [*command, "--syntax-only"], [*command, *state, "-F", "-e"]


def test_rsyslog(operations, tap):
    ship(operations, tap, "rsyslogd", lambda folder, log, port: rsyslog(operations, folder, as_written(guide.the_block("rsyslog"), log, port)))


def test_syslog_ng(operations, tap):
    ship(operations, tap, "syslog-ng", lambda folder, log, port: syslog_ng(operations, folder, as_written(guide.the_block("syslog-ng"), log, port)))


OWN_MOUNTS = ("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")


def in_journal(operations, log, commands):
    """A shell's output for commands that may ask a journal which holds the lines of `log`."""
    done = subprocess.run([*OWN_MOUNTS, guide.ROOT / "tests/operations/journal.sh", operations.peers, log],
                          input=commands, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout, done.stderr


def test_journald(operations, tap):
    if os.geteuid() != 0:
        tap.skip("journald", "no right to mount")
        return
    if subprocess.run([*OWN_MOUNTS, "true"], capture_output=True, check=False).returncode != 0:
        tap.skip("journald", "nothing can be mounted here")
        return
    with logging(operations, tap, "log: json\nlog-to: /dev/stdout") as resolver:
        for name in NAMES:
            resolver.exchange(ask(name))
        lines = resolver.daemon.stdout.wait(lambda octets: octets.count(b"\n") >= len(NAMES) and octets)
    folder = operations.world.new_folder("journal")
    (folder / "lines").write_bytes(lines)
    out, error = in_journal(operations, folder / "lines", guide.the_block("journal"))
    if not out and "cgroup" in error:
        tap.skip("journald", f"it does not start here: {error.strip().splitlines()[-1]}")
        return
    tap.ok(out.encode() == lines, "journalctl gives back each line", f"{out}\n{error}")
    (folder / "lines").write_bytes(b"".join(b"line %d\n" % number for number in range(400000)))
    out, error = in_journal(operations, folder / "lines", "journalctl -u unbound -o cat | grep -c '^line'\n")
    tap.ok(10000 <= int(out or 0) < 400000, "lines beyond the journal's limit are dropped", f"{out}\n{error}")


def test_jq(operations, tap):
    with logging(operations, tap) as resolver:
        ask_all(resolver, 1)
        done = subprocess.run(["bash", "-c", guide.the_block("jq").replace(guide.STATE, f"{resolver.folder}/log")], capture_output=True, text=True, check=False)
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    tap.equal([row[1:] for row in rows], [["127.0.0.1", "xn--80aodfsg.example", "rules:2"], ["127.0.0.1", "xn--pypal-4ve.wild.example", "rules:1"]],
              "jq shows what rules decided")
    tap.equal((done.returncode, done.stderr), (0, ""), "and complains of nothing")
