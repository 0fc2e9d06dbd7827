# SPDX-License-Identifier: BSD-3-Clause
"""Runs `unbound-idn tap`, and senders for it."""

import os
import re
import socket
import struct
from contextlib import contextmanager

import dnstap
from daemon import TIMEOUT, Daemon, DaemonError, FileOutput, eventually, free_port
from harness import write_idn

IDN = "log-to: idn.log/lines\nmetrics-file: idn.log/metrics\nmetrics-interval: 1"


LISTEN = """import os, socket, sys
listening = socket.socket()
listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listening.bind(("127.0.0.1", int(sys.argv[1])))
listening.listen()
os.dup2(listening.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
os.execv(sys.argv[2], sys.argv[2:])"""


class Receiver:
    """A running tap and its log. It may not serve yet: wait_notified("READY=1") waits for that."""

    def __init__(self, world, *more, idn=IDN, listen=None, around=(), environment=None, files=None, folder=None):
        self.world = world
        self.folder = folder or world.new_folder("tap")
        (self.folder / "idn.log").mkdir(exist_ok=True)
        for name, text in (files or {}).items():
            (self.folder / name).write_text(text)
        write_idn(self.folder, idn)
        self.path = self.folder / "tap.sock"
        self.port = free_port()
        if listen is None:  # its socket, and a TCP port that is passed to it as by systemd
            listen = [f"unix:{self.path}"]
            around = [*around, "/usr/bin/python3", "-c", LISTEN, self.port]
        self.notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        notify = self.folder / "notify"
        notify.unlink(missing_ok=True)
        self.notify.bind(str(notify))
        notify.chmod(0o777)
        self.notify.settimeout(TIMEOUT)
        self.daemon = Daemon([*around, world.command, "tap", "--config", self.folder / "idn.conf", *(word for address in listen for word in ("--listen", address)), *more],
                             self.folder, {"NOTIFY_SOCKET": str(notify), **(environment or {})})
        world.processes.append(self.daemon.process)
        self.log = FileOutput(self.folder / "idn.log/lines")
        self.notified = []

    def wait_notified(self, state):
        """Waits until tap sends this state to systemd."""
        while state not in self.notified:
            try:
                self.notified += self.notify.recv(4096).decode().splitlines()
            except TimeoutError:
                raise DaemonError(f"tap does not send {state}: {self.daemon.log()}") from None

    def lines(self):
        return self.log.octets.decode().splitlines()

    def has_lines(self, count, timeout=TIMEOUT):
        return eventually(lambda: self.log.octets.count(b"\n") >= count, timeout)

    def said(self):
        """Lines of standard error."""
        return [line.removeprefix("unbound-idn tap: ") for line in self.daemon.log().splitlines()]

    def says(self, text, timeout=TIMEOUT):
        """Returns whether standard error has this text in time."""
        return bool(self.daemon.stderr.wait(lambda octets: text.encode() in octets, timeout))

    def metric(self, name):
        path = self.folder / "idn.log/metrics"
        found = re.search(rf"^unbound_idn_{re.escape(name)} (\d+)$", path.read_text() if path.exists() else "", re.MULTILINE)
        return int(found[1]) if found else None

    def memory(self):
        """Returns the resident memory of the process in KiB."""
        with open(f"/proc/{self.daemon.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read())[1])


@contextmanager
def receiving(world, *more, **options):
    receiver = Receiver(world, *more, **options)
    try:
        receiver.wait_notified("READY=1")
        yield receiver
    finally:
        receiver.daemon.stop()
        receiver.notify.close()


class Sender:
    """A connection to tap that sends dnstap frames."""

    def __init__(self, to, handshake=True):
        self.socket = socket.socket(socket.AF_UNIX if isinstance(to, (str, os.PathLike)) else socket.AF_INET)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(str(to) if isinstance(to, os.PathLike) else to)
        if handshake:
            self.send(dnstap.control(dnstap.READY))
            self.accepted = self.control()
            self.send(dnstap.control(dnstap.START))

    def send(self, octets):
        self.socket.sendall(octets)

    def frames(self, *frames):
        self.send(b"".join(map(dnstap.data, frames)))

    def octets(self, count):
        found = b""
        while len(found) < count and (part := self.socket.recv(count - len(found))):
            found += part
        return found

    def control(self):
        """Returns the type and the fields of a control frame; None at the end of the stream."""
        head = self.octets(8)
        if len(head) < 8:
            return None
        octets = self.octets(struct.unpack("!II", head)[1])
        return struct.unpack("!I", octets[:4])[0], octets[4:]

    def is_dropped(self):
        try:
            return self.socket.recv(1) == b""
        except ConnectionError:
            return True

    def finish(self):
        """Sends STOP, returns the control frame that answers it, and closes the connection."""
        self.send(dnstap.control(dnstap.STOP))
        found = self.control()
        self.socket.close()
        return found
