# SPDX-License-Identifier: BSD-3-Clause
"""Starts and queries every host: an unmodified resolver with the policy, connected by its script of module/hosts/."""

import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager
from pathlib import Path

from daemon import Daemon, DaemonError, FileOutput, children, end_children, eventually, free_port
from harness import write_idn
from question import Udp, ask
from resolver import Resolver, tail
from rulefile import rules as prepare_rules
from rulefile import write

GLUE = Path(__file__).resolve().parents[2] / "module/hosts"
IDN = "policy: rules.conf\nlog-to: log/idn.log"
SWAP = re.compile(rb"idn: policy: \d+ rules?, ")
PROBE = "ascii.example"  # no rule matches it


class Host:
    """A kind of host. It forwards questions to world.nsd_port (example.) and world.upstream.port (slow.example.), or all of them to
    backend().

    A subclass defines `name` and `configure`, and overrides those of the attributes and methods below that differ."""

    name = ""
    executable = ""  # the program, if its name is not `name`
    processes = 1  # number of processes; each reads the rules
    starters = 1  # number of threads that may each report why there is no policy
    differences = {}  # {title of a scene of scenes.py: (reason, {field: the host's value})}
    glue = True  # False: the host without the policy, for comparison
    logs = True  # the library writes a line for each reply
    knows_messages = False  # it passes the reply to the library, so lines have its flags and extended error
    bare_first = False  # the first reply for a name that was cached and is refused since has no records
    upstream_errors = ((), ())  # the codes of extended errors that a client gets for UPSTREAM_ERRORS in reasons.py
    settles = 0  # seconds from the message about a swap until every answer follows the new rules
    ends_at_once = False  # at SIGTERM it exits without writing its last lines: wait for them before
    refuses_to_start = True  # if required rules cannot be read; False: it resolves without rules and logs that

    def __init__(self, world, library):
        self.world = world
        self.library = Path(library).resolve()
        self.peers = world.peers
        self.environment = {"LD_LIBRARY_PATH": (self.peers / "libraries").read_text().strip()}

    def missing(self):
        """Returns why the host cannot run here; "" if it can."""
        return "" if self.tool(self.executable or self.name) else f"its package is not in {self.peers}"

    def configure(self, folder, port, library):
        """Writes the host's configuration in a folder that has idn.conf and the rules. Returns the command that runs the host in the
        foreground. `library` is the path of libidnpolicy.so.1, or of a test's replacement."""
        raise NotImplementedError

    def is_started(self, octets):
        """Returns whether its output, standard output and error, says that the host serves."""
        raise NotImplementedError

    def control(self, running, *command):
        """Runs a command of the host's control program, for the tests of one host."""
        raise NotImplementedError

    def prepare(self, folder):
        """Adds other files that the host needs."""

    def loader(self):
        """Returns the command of another libc's dynamic loader; [] for this system's own."""
        return []

    def program(self, name):
        """Returns the command that runs a program of the resolver."""
        return [*self.loader(), self.tool(name)]

    def for_clients(self):
        """Returns the host with the configuration that rules with client= need."""
        return self

    def behind_proxy(self, proxy, port):
        """Configures the host to accept the PROXY protocol from the address `proxy`, and clients of 127.0.0.0/8 and 2001:db8::/32. Returns
        the port for it, `port`, or None if it is the host's usual one."""
        raise NotImplementedError

    def run(self, name, *arguments):
        """Runs a program of the host's package. Returns its exit status and its output."""
        done = subprocess.run([*self.program(name), *arguments], env={**os.environ, **self.environment}, text=True, check=False,
                              capture_output=True)
        return done.returncode, done.stdout + done.stderr

    # ---- common to all hosts -------------------------------------------------------------------------------------------------

    def tool(self, name):
        found = (self.peers / folder / name for folder in ("usr/bin", "usr/sbin"))
        return next((path for path in found if path.exists()), None)

    def backend(self):
        """Returns the port of an Unbound without a policy that resolves all names. All hosts share it."""
        if not hasattr(self.world, "backend_port"):
            folder, port = self.world.new_folder("backend"), free_port()
            server = 'ede: yes\nincoming-num-tcp: 100\nlocal-zone: "2.0.192.in-addr.arpa." transparent'
            self.world.configure(folder, port, None, None, 1, "validator iterator", server, "")
            self.world.start(folder).wait_started(b"start of service")
            self.world.backend_port = port
        return self.world.backend_port

    def launch(self, rules, idn=IDN, library=None, lists=None):
        """Starts the host, and returns a Running as soon as it answers or has exited."""
        folder, port = self.world.new_folder(self.name), free_port()
        folder.chmod(0o777)  # the host changes to another user
        (folder / "log").mkdir()
        (folder / "log").chmod(0o777)
        if idn is not None:
            write_idn(folder, idn)
        if rules is not None:
            prepare_rules(rules, **(lists or {}))(folder)
        shutil.copy(library or self.library, folder / "libidnpolicy.so.1")
        self.prepare(folder)
        command = self.configure(folder, port, folder / "libidnpolicy.so.1")
        before = children()
        daemon = Daemon(command, folder, self.environment)
        self.world.processes.append(daemon.process)
        running = Running(self, daemon, folder, port, before | {daemon.pid})
        if not eventually(lambda: running.has_ended() or self.is_started(running.said()) and running.has_answered()):
            running.stop()
            raise DaemonError(f"{self.name} does not start:\n{running.said().decode()}")
        return running

    @contextmanager
    def running(self, tap, rules, idn=IDN, check=True, **options):
        """A context with a running host. With `check`, its log must have one line for each answer at the end."""
        running = self.launch(rules, idn, **options)
        failed_before = tap.failed
        try:
            if running.has_ended():
                raise DaemonError(f"{self.name} exits at once")
            tap.ok(running.has_loaded(self.processes), "it logs that the policy is in force")
            yield running
        except Exception:
            tap.raised("no exception")
        finally:
            if check and self.logs and self.ends_at_once:
                running.wait_lines()
            running.stop()
            tap.equal(running.others(), set(), "no process is left")
            if check and self.logs:
                running.check_lines(tap)
            if tap.failed > failed_before:
                tap.note(f"log of {self.name}:\n{tail(running.said().decode('utf-8', 'replace'))}")
                tap.note(f"the library's log:\n{tail(running.log.target.octets.decode('utf-8', 'replace'))}")


class Running(Resolver):
    """A running host. It inherits exchange, logged, answered and check_lines from tests/unbound/resolver.py."""

    def __init__(self, host, daemon, folder, port, not_its):
        super().__init__(daemon, folder, port, FileOutput(folder / "log/idn.log"), False, None)
        self.host, self.not_its = host, not_its
        self.knows_messages = host.knows_messages

    def said(self):
        return self.daemon.stdout.octets + self.daemon.stderr.octets

    def has_ended(self):
        return self.daemon.process.poll() is not None

    def has_answered(self):
        """Returns whether the host answers a question now. Its message that it serves may come before its port is open."""
        try:
            self.exchange(ask(PROBE))
        except ConnectionRefusedError:
            return False
        except TimeoutError:
            return self.has_ended()  # it exited during the question
        return True

    def others(self):
        """Returns the host's processes besides the first, once that has exited."""
        return children() - self.not_its

    def stop(self):
        """Stops the host and returns its exit status. Processes that outlive the first one get SIGTERM, too, so that its pipes close."""
        if not self.has_ended():
            self.daemon.process.send_signal(signal.SIGTERM)
        eventually(self.has_ended)
        end_children(self.others, signal.SIGTERM)
        return self.daemon.wait_exit()

    def wait_lines(self):
        """Waits until the log has as many lines as there were answers."""
        return eventually(lambda: self.log.target.octets.count(b"\n") >= sum(self.answers.values()), timeout=5)

    def swaps(self):
        return len(SWAP.findall(self.said()))

    def changed(self, text, name="rules.conf"):
        """Writes the file, and returns whether each process logs the swap in time."""
        before = self.swaps()
        write(self.folder, text, name)
        return self.has_loaded(before + self.host.processes)

    def has_loaded(self, number):
        """Waits until the host has logged this many policies. Returns whether it did so in time."""
        def found():
            self.exchange(ask(PROBE))  # some hosts write messages only when they handle a question
            return self.swaps() >= number

        return eventually(found, interval=0.1)

    def is_silent(self, question):
        """Returns whether a question gets no answer: the first reply is that of the next question, and none follows."""
        client = Udp(self.address())
        client.send(question)
        self.answered(question)
        other = ask(PROBE)
        ident = client.send(other)
        reply = client.receive()
        self.answered(other)
        try:
            client.receive(0.3)
            late = True
        except TimeoutError:
            late = False
        client.close()
        return reply.ident == ident and not late
