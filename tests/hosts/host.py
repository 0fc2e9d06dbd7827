# SPDX-License-Identifier: BSD-3-Clause
"""Starts and asks every host: a resolver that others wrote, with the policy in it by its glue of
module/hosts/."""

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
PROBE = "ascii.example"  # no rule decides it


class Host:
    """A kind of host. What it is asked it looks up at world.nsd_port (example.) and world.upstream.port (slow.example.), or
    all at backend().

    A subclass has `name`; `configure`; and, where it is not as others are, `processes`, `differences` and what is said of
    each below."""

    name = ""
    executable = ""  # if it has another name
    processes = 1  # that read the rules, each for itself
    starters = 1  # its threads that may each report why there is no policy
    differences = {}  # a scene's title, as scenes.py makes it: (why, the fields that are different)
    glue = True  # False: as it is without the policy, for comparison
    logs = True  # a line by the library for each reply
    knows_messages = False  # it passes the message that is sent, so that lines have its flags and extended error
    bare_first = False  # what is cached and refused since is refused without records at first
    upstream_errors = ((), ())  # the codes of extended errors that a client gets of UPSTREAM_ERRORS in reasons.py
    settles = 0  # seconds from its word of a swap until nothing is answered that the new rules refuse
    ends_at_once = False  # when it is told to: its last lines must be in the log before
    refuses_to_start = True  # without the policy; or else it resolves without one, and says so

    def __init__(self, world, library):
        self.world = world
        self.library = Path(library).resolve()
        self.peers = world.peers
        self.environment = {"LD_LIBRARY_PATH": (self.peers / "libraries").read_text().strip()}

    def missing(self):
        """Why it cannot run here; "" if it can."""
        return "" if self.tool(self.executable or self.name) else f"its package is not in {self.peers}"

    def configure(self, folder, port, library):
        """Writes its configuration, for a folder that has idn.conf and the rules, and returns the command that runs it in the
        foreground. `library` is the path of libidnpolicy.so.1, or what a test has in its place."""
        raise NotImplementedError

    def is_started(self, octets):
        """Has it said (on standard output or error) that it serves?"""
        raise NotImplementedError

    def control(self, running, *command):
        """For what its own tests ask of it."""
        raise NotImplementedError

    def prepare(self, folder):
        """Puts there what else it needs."""

    def loader(self):
        """Returns the loader of another libc, with its arguments; [] for this system's own."""
        return []

    def program(self, name):
        """Returns the command that runs a program of the resolver."""
        return [*self.loader(), self.tool(name)]

    def for_clients(self):
        """The same, as it has to be configured for rules with client=."""
        return self

    def behind_proxy(self, proxy, port):
        """Configures it to take the PROXY protocol from that address, and answer clients under 127.0.0.0/8 and 2001:db8::/32. Returns
        the port for that: a free one, `port`, or None for its own."""
        raise NotImplementedError

    def run(self, name, *arguments):
        """(exit status, what it said) of a program that comes with it."""
        done = subprocess.run([*self.program(name), *arguments], env={**os.environ, **self.environment}, text=True, check=False,
                              capture_output=True)
        return done.returncode, done.stdout + done.stderr

    # ---- of all -------------------------------------------------------------------------------------------------

    def tool(self, name):
        found = (self.peers / folder / name for folder in ("usr/bin", "usr/sbin"))
        return next((path for path in found if path.exists()), None)

    def backend(self):
        """The port of an Unbound without a policy that looks up everything; one for all."""
        if not hasattr(self.world, "backend_port"):
            folder, port = self.world.new_folder("backend"), free_port()
            server = 'ede: yes\nincoming-num-tcp: 100\nlocal-zone: "2.0.192.in-addr.arpa." transparent'
            self.world.configure(folder, port, None, None, 1, "validator iterator", server, "")
            self.world.start(folder).wait_started(b"start of service")
            self.world.backend_port = port
        return self.world.backend_port

    def launch(self, rules, idn=IDN, library=None, lists=None):
        """Starts one, and returns it as soon as it answers or has ended."""
        folder, port = self.world.new_folder(self.name), free_port()
        folder.chmod(0o777)  # for the user that it becomes
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
        """One that serves; with `check`, its log must in the end hold one line per answer."""
        running = self.launch(rules, idn, **options)
        failed_before = tap.failed
        try:
            if running.has_ended():
                raise DaemonError(f"{self.name} ends at once")
            tap.ok(running.has_told(self.processes), "it tells of the policy")
            yield running
        except Exception:
            tap.raised("no exception")
        finally:
            if check and self.logs and self.ends_at_once:
                running.wait_lines()
            running.stop()
            tap.equal(running.others(), set(), "it leaves no process behind")
            if check and self.logs:
                running.check_lines(tap)
            if tap.failed > failed_before:
                tap.note(f"log of {self.name}:\n{tail(running.said().decode('utf-8', 'replace'))}")
                tap.note(f"the library's log:\n{tail(running.log.target.octets.decode('utf-8', 'replace'))}")


class Running(Resolver):
    """One that runs. Besides what it has here: exchange, logged, answered, check_lines of tests/unbound/resolver.py."""

    def __init__(self, host, daemon, folder, port, not_its):
        super().__init__(daemon, folder, port, FileOutput(folder / "log/idn.log"), False, None)
        self.host, self.not_its = host, not_its
        self.knows_messages = host.knows_messages

    def said(self):
        return self.daemon.stdout.octets + self.daemon.stderr.octets

    def has_ended(self):
        return self.daemon.process.poll() is not None

    def has_answered(self):
        """To a question asked now. It may have told that it serves before its port is open."""
        try:
            self.exchange(ask(PROBE))
        except ConnectionRefusedError:
            return False
        except TimeoutError:
            return self.has_ended()  # in between
        return True

    def others(self):
        """Processes of its own besides the first, as soon as that has ended."""
        return children() - self.not_its

    def stop(self):
        """Its exit status. What does not end with the first process is told to end, too, before its pipes are read to their end."""
        if not self.has_ended():
            self.daemon.process.send_signal(signal.SIGTERM)
        eventually(self.has_ended)
        end_children(self.others, signal.SIGTERM)
        return self.daemon.wait_exit()

    def wait_lines(self):
        """For as many as there were answers."""
        return eventually(lambda: self.log.target.octets.count(b"\n") >= sum(self.answers.values()), timeout=5)

    def swaps(self):
        return len(SWAP.findall(self.said()))

    def changed(self, text, name="rules.conf"):
        """Writes the file, and waits until each process has told of the swap."""
        before = self.swaps()
        write(self.folder, text, name)
        return self.has_told(before + self.host.processes)

    def has_told(self, number):
        """Waits until the host has loaded this many policies."""
        def found():
            self.exchange(ask(PROBE))  # a host may tell only when it is asked
            return self.swaps() >= number

        return eventually(found, interval=0.1)

    def is_silent(self, question):
        """Does a question get no answer? The next one's has to be the first that comes, and later none."""
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
