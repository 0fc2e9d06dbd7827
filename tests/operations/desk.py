# SPDX-License-Identifier: BSD-3-Clause
"""An operator's desk: a resolver with the module, and a shell in which the guide's commands mean that resolver."""

import os
import subprocess
import threading
from contextlib import contextmanager

import guide
from question import ask, exchange
from rulefile import write

BLOCKED = "xn--80aodfsg.example"  # казино, which the zone has
ALSO_BLOCKED = "www.xn--bcher-kva.example"
PLAIN = "www.plain.wild.example"
LOG = "log: text\nlog-to: log/idn.log\nmetrics-file: log/idn.prom\nmetrics-interval: 1"


class Desk:
    def __init__(self, operations, tap, resolver):
        self.tap, self.resolver = tap, resolver
        self.folder = resolver.folder
        self.daemon = resolver.daemon
        self.said = ""  # by the last block
        self.make_commands(operations)
        self.stopped = threading.Event()
        self.restarter = threading.Thread(target=self.restart_when_asked)
        self.restarter.start()

    def make_commands(self, operations):
        """Each is the real program, with the resolver's address added."""
        folder, sbin = self.folder, operations.world.unbound / "sbin"
        self.bin = folder / "bin"
        self.bin.mkdir()
        libraries = f"LD_LIBRARY_PATH={operations.environment['LD_LIBRARY_PATH']}"
        for name, line in {
            "unbound-control": f'exec {sbin}/unbound-control -c {folder}/unbound.conf "$@"',
            "unbound-checkconf": f"exec {sbin}/unbound-checkconf {folder}/unbound.conf",
            "unbound-idn": f'case "$*" in *--unbound-conf*) set -- "$@" --daemon {sbin}/unbound;; esac\nexec {operations.command} "$@"',
            "logrotate": f'{libraries} exec {operations.program("logrotate")} -s {folder}/logrotate.state "$@"',
            "promtool": f'exec {operations.program("promtool")} "$@"',
            # Replaces systemd. restart_when_asked() calls it.
            "systemctl": f'[ "$*" = "restart unbound" ] || exit 1\ntouch {folder}/restart\nwhile [ -e {folder}/restart ]; do sleep 0.05; done',
        }.items():
            (self.bin / name).write_text(f"#!/bin/sh\n{line}\n")
            (self.bin / name).chmod(0o755)

    def restart_when_asked(self):
        flag = self.folder / "restart"
        while not self.stopped.wait(0.05):
            if flag.exists():
                self.daemon.stop()
                self.daemon = self.daemon.again()
                self.daemon.wait_started(b"start of service")
                flag.unlink()

    def close(self):
        self.stopped.set()
        self.restarter.join()
        if self.daemon is not self.resolver.daemon:
            self.daemon.stop()

    def run(self, block):
        """Types a block of the guide. Every command of it must succeed."""
        text = guide.placed(block.text, self.folder).replace("/etc/logrotate.d/unbound-module-idn", f"{self.folder}/logrotate.conf")
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", text], cwd=self.folder, capture_output=True, timeout=120,
                              env={**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}, check=False)
        self.said = (done.stdout + done.stderr).decode("utf-8", "replace")
        self.tap.ok(done.returncode == 0, f"{block.heading}: {block.text.splitlines()[0]}", f"exit status {done.returncode}\n{self.said}")

    def answer(self, name):
        """(rcode, addresses) that a client gets."""
        reply = exchange(self.resolver.address(), ask(name))
        return reply.rcode, reply.answers()

    def last_line(self, name):
        """The last line of the log about a name, as soon as there is one."""
        lines = self.resolver.log.wait(f"{name}.", 1)
        return lines[-1]


@contextmanager
def desk(operations, tap, rules, mode="enforce", lists=(), idn="", **how):
    """`rules` are the lines of idn-policy.conf, `idn` more of idn.conf, `lists` (name, text) of more files beside it."""
    def prepare(folder):
        for name, text in (("idn-policy.conf", rules), *lists):
            write(folder, text, name)

    with operations.world.resolver(tap, f"{LOG}\npolicy: idn-policy.conf\npolicy-mode: {mode}\n{idn}", prepare=prepare, check=False, **how) as resolver:
        seat = Desk(operations, tap, resolver)
        try:
            yield seat
        finally:
            seat.close()
