# SPDX-License-Identifier: BSD-3-Clause
"""Daemons under test: started in the foreground, their output read all the time, waited for by what they say, and
stopped by their own pid."""

import collections
import ctypes
import os
import random
import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

TIMEOUT = 30  # seconds for a start or a stop
LOOK_MS = "25"  # between two looks of the module or libidnpolicy at its files, where it is 250 otherwise
PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h
# Below those that the kernel gives to clients (ip_local_port_range): none of them takes a port before its daemon does. Daemons
# that choose ports for their own questions are configured to keep away.
PORTS = range(20000, 30000)
given_out = collections.deque(maxlen=1000)  # ports that may be about to be taken


def patience(seconds):
    """None: TIMEOUT, which may have been set since, as for daemons under callgrind."""
    return TIMEOUT if seconds is None else seconds


class DaemonError(Exception):
    pass


class Output:
    """The lines a daemon has written to a pipe so far; waiting for one wakes up when it is written."""

    def __init__(self, pipe):
        self.chunks = []  # joined on demand: a log may have a hundred thousand lines
        self.closed = False
        self.condition = threading.Condition()
        self.flowing = threading.Event()  # cleared: the pipe is not read, and fills
        self.flowing.set()
        self.chunk, self.pause = 65536, 0  # how much is read at a time, and seconds between
        threading.Thread(target=self._read, args=(pipe,), daemon=True).start()

    def _read(self, pipe):
        while True:
            self.flowing.wait()
            data = os.read(pipe.fileno(), self.chunk)
            with self.condition:
                self.chunks.append(data)
                self.closed = not data
                self.condition.notify_all()
            if not data:
                pipe.close()
                return
            time.sleep(self.pause)

    @property
    def octets(self):
        with self.condition:
            self.chunks = [b"".join(self.chunks)]
            return self.chunks[0]

    def wait(self, found, timeout=None):
        """Waits until found(octets) is true or the pipe is closed; returns what it returned last."""
        with self.condition:
            self.condition.wait_for(lambda: self.closed or found(self.octets), patience(timeout))
            return found(self.octets)


class FileOutput:
    """The same of a file that a daemon appends to."""

    def __init__(self, path):
        self.path = Path(path)

    @property
    def octets(self):
        return self.path.read_bytes() if self.path.exists() else b""

    def wait(self, found, timeout=None):
        return eventually(lambda: found(self.octets), timeout)


def eventually(found, timeout=None, interval=0.01):
    """Asks again until the answer is true; for changes without an event, such as a growing file."""
    deadline = time.monotonic() + patience(timeout)
    pause = threading.Event()
    while True:
        result = found()
        if result or time.monotonic() > deadline:
            return result
        pause.wait(interval)


class Daemon:
    """One process in the foreground with standard error and output in pipes."""

    def __init__(self, command, folder, environment=None):
        self.command = [str(part) for part in command]
        self.folder, self.environment = folder, environment
        self.process = subprocess.Popen(
            self.command,
            cwd=folder,
            env={**os.environ, "XN_LOOK_MS": LOOK_MS, **(environment or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
        )
        self.stdout = Output(self.process.stdout)
        self.stderr = Output(self.process.stderr)

    @property
    def pid(self):
        return self.process.pid

    def log(self):
        return self.stderr.octets.decode("utf-8", "replace")

    def wait_started(self, text):
        if not self.stderr.wait(lambda octets: text in octets):
            self.process.kill()
            raise DaemonError(f"{self.command[0]} did not start:\n{self.log()}")

    def wait_exit(self, timeout=None):
        """The exit status; negative for a signal, as subprocess has it."""
        try:
            status = self.process.wait(patience(timeout))
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise DaemonError(f"{self.command[0]} did not stop:\n{self.log()}") from None
        self.stderr.wait(lambda _: False)  # until the pipes are read to their end
        self.stdout.wait(lambda _: False)
        return status

    def resume(self):
        """Reads again what a test let stand."""
        for output in (self.stdout, self.stderr):
            output.chunk, output.pause = 65536, 0
            output.flowing.set()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.wait_exit()

    def again(self):
        """Another one of the same, after this one has stopped."""
        return Daemon(self.command, self.folder, self.environment)


def free_port():
    """A port of PORTS free for UDP and TCP on 127.0.0.1 a moment ago, and not one that this process was given shortly before."""
    while True:
        port = random.choice(PORTS)
        with socket.socket(type=socket.SOCK_STREAM) as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
            try:
                tcp.bind(("127.0.0.1", port))
                udp.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in given_out:
            given_out.append(port)
            return port


def adopt_orphans():
    """From now on this process is the parent of whatever a process that it has started leaves running."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """The ids of this process's own, with those that it has adopted."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(path.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.add(int(path.parent.name))
        except (FileNotFoundError, ProcessLookupError):
            pass  # ended meanwhile
    return found


def end_children(which=children, number=signal.SIGKILL):
    """Ends all that which() tells, and what these leave, until there are none. Returns whether there are."""
    def are_gone():
        for pid in which():
            try:
                os.kill(pid, number)
                os.waitpid(pid, os.WNOHANG)
            except (ProcessLookupError, ChildProcessError):
                pass
        return not which()

    return eventually(are_gone)


def has_ipv6():
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as probe:
            probe.bind(("::1", 0))
            return True
    except OSError:
        return False


def unbound_conf(folder, port, modules, server="", clauses=""):
    """Writes folder/unbound.conf, for an Unbound in the foreground on 127.0.0.1 that changes nothing outside `folder`, and
    returns its path. `server` are more lines of its server: clause, `clauses` more clauses."""
    path = Path(folder) / "unbound.conf"
    path.write_text(f"""\
server:
    directory: "{folder}"
    chroot: ""
    username: ""
    pidfile: ""
    use-syslog: no
    logfile: ""
    verbosity: 1
    num-threads: 1
    interface: 127.0.0.1
    port: {port}
    outgoing-port-avoid: "{PORTS.start}-{PORTS.stop - 1}"
    do-not-query-localhost: no
    module-config: "{modules}"
{server}
remote-control:
    control-enable: no
{clauses}
""")
    return path


def nsd(peers, folder, zone, zonefile, statements=""):
    """NSD, unpacked below `peers`, serving one zone on a loopback port; `statements` are more lines of its zone: clause.
    Returns (daemon, port)."""
    peers = Path(peers).resolve()
    binary = peers / "usr/sbin/nsd"
    if not binary.exists():
        raise DaemonError(f"no NSD at {binary}: run 'make deps'")
    libraries = [str(path) for path in sorted([*peers.glob("usr/lib/*"), *peers.glob("lib/*")]) if path.is_dir()]
    port = free_port()
    config = Path(folder) / "nsd.conf"
    config.write_text(f"""\
server:
    ip-address: 127.0.0.1@{port}
    username: ""
    database: ""
    zonesdir: "{folder}"
    pidfile: ""
    xfrdfile: "{folder}/xfrd.state"
    xfrdir: "{folder}"
    zonelistfile: "{folder}/zone.list"
    server-count: 1
    rrl-ratelimit: 0
    rrl-whitelist-ratelimit: 0
    verbosity: 1
remote-control:
    control-enable: no
zone:
    name: "{zone}"
    zonefile: "{zonefile}"
{statements}""")
    daemon = Daemon([binary, "-d", "-c", config], folder, {"LD_LIBRARY_PATH": ":".join(libraries)})
    daemon.wait_started(b"nsd started")
    return daemon, port
