# SPDX-License-Identifier: BSD-3-Clause
"""The world the tests live in: a signed zone on NSD, a small server for what NSD cannot do, and as many Unbounds as a
test wants."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from daemon import PORTS, Daemon, DaemonError, adopt_orphans, end_children, free_port, has_ipv6, nsd
from resolver import Resolver, log_target, tail
from upstream import Upstream

HERE = Path(__file__).resolve().parent

BOGUS = ("mangled.example.", "xn--flschung-0za.example.")  # their address is altered after signing

# infra-cache-min-rtt: of a server that was fast Unbound expects as much again, in milliseconds, and tells a client after
# some tries that it has failed. The machine may be busy: so long as with a server that it does not know.
SERVER = """\
server:
    directory: "{folder}"
    chroot: ""
    username: "{user}"
    pidfile: ""
    use-syslog: no
    logfile: ""
    verbosity: 1
    port: {port}
    interface: 127.0.0.1
{ipv6}    num-threads: {threads}
    outgoing-interface: 127.0.0.1
    outgoing-port-avoid: "{ports}"
    do-not-query-localhost: no
    module-config: "{modules}"
    trust-anchor-file: "example.anchor"
    trust-anchor-signaling: no
    domain-insecure: "slow.example."
    domain-insecure: "dead.example."
    rrset-roundrobin: no
    discard-timeout: 60000
    infra-cache-min-rtt: 376
    aggressive-nsec: no
{server}
{clauses}
{dynlib}
stub-zone:
    name: "example."
    stub-addr: 127.0.0.1@{nsd}
stub-zone:
    name: "."
    stub-addr: 127.0.0.1@{upstream}
stub-zone:
    name: "slow.example."
    stub-addr: 127.0.0.1@{upstream}
stub-zone:
    name: "dead.example."
    stub-addr: 127.0.0.1@{dead}
remote-control:
    control-enable: yes
    control-use-cert: no
    control-interface: "{folder}/control"
"""


def open_world(*of, **more):
    """Returns the World, or exits if it cannot be had. SIGTERM runs the caller's `finally`. All processes that the program has
    started end with the World."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    adopt_orphans()
    try:
        return World(*of, **more)
    except (DaemonError, OSError) as error:
        print(f"Bail out! {error}")
        sys.exit(2)


class World:
    """Started once; every test gets it."""

    def __init__(self, unbound, module, peers, zone, other_modules=(), faults=None):
        self.unbound = Path(unbound).resolve()
        self.peers = Path(peers).resolve()
        self.module = Path(module).resolve() if module else None
        self.faults = Path(faults).resolve() if faults else None
        self.command = self.module.parent / "unbound-idn" if self.module else None
        self.other_modules = [Path(file).resolve() for file in other_modules]
        self.ipv6 = has_ipv6()
        self.zone = Path(zone).resolve()
        self.dead = socket.socket()  # keeps a port without a listener, on TCP or UDP
        self.dead.bind(("127.0.0.1", 0))
        self.upstream = Upstream()
        self.folder = Path(tempfile.mkdtemp(prefix="idn-tests-"))
        self.folder.chmod(0o755)
        self.count = 0
        self.lock = threading.Lock()
        self.processes = []
        self.closed = False
        self.nsd = None
        try:
            folder = self.new_folder("nsd")
            spoil(self.zone / "example.zone.signed", folder / "zone")
            self.nsd, self.nsd_port = nsd(peers, folder, "example.", folder / "zone")
        except Exception:
            self.close()
            raise

    def close(self):
        self.closed = True
        for process in self.processes:
            if process.poll() is None:  # a test has failed before it stopped this one
                process.kill()
                process.wait()
        if self.nsd:
            self.nsd.stop()
        end_children()  # what those have left that did not end, or not by themselves
        self.upstream.stop()
        self.dead.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @cached_property
    def linked(self):
        """The modules that this Unbound has, as `unbound -V` tells."""
        told = subprocess.run([self.unbound / "sbin/unbound", "-V"], capture_output=True, text=True, check=True).stdout
        return set(re.search("^Linked modules: (.*)$", told, re.MULTILINE)[1].split())

    def lacks(self, tap, modules):
        """Returns whether this Unbound lacks one of the modules; the test then reports it and is skipped."""
        missing = set(modules.split()) - self.linked
        if missing:
            tap.note(f"{modules}: this Unbound has no {missing}")
        return bool(missing)

    def new_folder(self, name):
        with self.lock:
            self.count += 1
            folder = self.folder / f"{self.count:02d}-{name}"
        folder.mkdir()
        folder.chmod(0o755)
        return folder

    def configure(self, folder, port, idn, module, threads, modules, server, clauses):
        """Writes what a daemon needs into its folder; the module and its configuration only if idn is not None."""
        dynlib = ""
        if idn is not None:
            if module is None:
                raise DaemonError("no module given (--module)")
            shutil.copy(module, folder / "idn.so")
            (folder / "idn.so").chmod(0o755)
            write_idn(folder, idn)
            dynlib = 'dynlib:\n    dynlib-file: "./idn.so"\n    dynlib-file: "./idn.conf"'
            modules = f"dynlib {modules}"
        shutil.copy(self.zone / "example.anchor", folder)
        (folder / "log").mkdir()
        (folder / "log").chmod(0o777)  # for the user the daemon becomes
        (folder / "unbound.conf").write_text(SERVER.format(
            folder=folder, user="nobody" if os.geteuid() == 0 else "", port=port, threads=threads, modules=modules,
            ports=f"{PORTS.start}-{PORTS.stop - 1}", ipv6="    interface: ::1\n" if self.ipv6 else "", dynlib=dynlib, clauses=clauses,
            server="".join(f"    {line}\n" for line in server.splitlines()),
            nsd=self.nsd_port, upstream=self.upstream.port, dead=self.dead.getsockname()[1]))
        for path in folder.iterdir():
            if path.is_file():
                path.chmod(path.stat().st_mode | 0o444)

    def start(self, folder, unbound=None, around=(), environment=None):
        """`around` is a command that runs the one it is given, `unbound` another folder with sbin/unbound."""
        if self.closed:
            raise DaemonError("the tests were stopped")
        command = [*around, (unbound or self.unbound) / "sbin/unbound", "-d", "-c", folder / "unbound.conf"]
        daemon = Daemon(command, folder, environment)
        self.processes.append(daemon.process)
        return daemon

    @contextmanager
    def resolver(self, tap, idn="", threads=1, modules="validator iterator", server="", clauses="", check=True,
                 prepare=None, disk=None, around=(), environment=None):
        """A running Unbound. `idn` is the text of idn.conf, None for one without the module; `server` are more lines of
        its server: clause, `clauses` more clauses. With `check`, its log must in the end hold one line per answer.
        `prepare` is called with the folder before the start; `disk` is the size of a file system at disk/ in it;
        `around` is a command that runs the one it is given."""
        folder = self.new_folder("unbound")
        port = free_port()
        self.configure(folder, port, idn, self.module, threads, modules, server, clauses)
        if disk:
            (folder / "disk").mkdir()
            around = (sys.executable, HERE / "tmpfs.py", folder / "disk", disk)
        if prepare:
            prepare(folder)
        daemon = self.start(folder, around=around, environment=environment)
        daemon.wait_started(b"start of service")
        failed_before = tap.failed
        resolver = Resolver(daemon, folder, port, log_target(idn, folder, daemon), "log: json" in (idn or ""),
                            self.unbound / "sbin/unbound-control")
        try:
            yield resolver
        except Exception:  # the test goes on with its other resolvers
            tap.raised("no exception")
        finally:
            daemon.resume()
            status = daemon.stop()
            tap.ok(status == 0, "the daemon stops with exit status 0", f"status {status}")
            if check and idn is not None:
                resolver.check_lines(tap)
            if tap.failed > failed_before:
                tap.note(f"idn.conf: {idn!r}\nlog of {daemon.command[0]}:\n{tail(daemon.log())}")
                if resolver.log.target is not daemon.stderr:
                    tap.note(f"the module's own log:\n{tail(resolver.log.target.octets.decode('utf-8', 'replace'))}")


def spoil(signed, target):
    """Copies a signed zone and alters the address of the BOGUS names, so that their signatures do not fit."""
    text = signed.read_text()
    for name in BOGUS:
        text, count = re.subn(rf"^({re.escape(name)}\s+\d+\s+IN\s+A\s+)192\.0\.2\.66$", r"\g<1>192.0.2.67", text,
                              flags=re.MULTILINE)
        if count != 1:
            raise DaemonError(f"{signed} has no address 192.0.2.66 for {name}")
    target.write_text(text)


def write_idn(folder, idn):
    """Replaces idn.conf by one with these lines."""
    new = folder / "idn.conf.new"
    new.write_text("idn:\n" + "".join(f"    {line}\n" for line in idn.splitlines()))
    new.chmod(0o644)
    new.rename(folder / "idn.conf")
