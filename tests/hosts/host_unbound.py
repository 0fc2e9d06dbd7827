# SPDX-License-Identifier: BSD-3-Clause
"""Debian's Unbound, by its Python module."""

import shutil
import signal

import dns.reversename

import faults
import policy
import trixie
from harness import write_idn
from host import GLUE, Host
from question import CD, ask
from scenes import SCENES

NO_LOOKUP = "a Python module cannot look up the alias's target"
NO_TRANSPORT = "a Python module is not told of the transport, nor can it drop a query"
MINIMISED = "Unbound has asked for it to find a name below: the reply comes from the cache, without records"


def difference(scene):
    """(why, what), or None."""
    if scene.action == "cname":
        alias = tuple(record for record in scene.answer if record.startswith("CNAME "))
        return NO_LOOKUP, {"answer": alias, "rcode": "NOERROR"}
    if scene.action == "tcp-only" and scene.tc:
        over_tcp = next(other for other in SCENES if other.name == scene.name and other.qtype == scene.qtype and not other.tc)
        return NO_TRANSPORT, {"answer": over_tcp.answer, "tc": False}
    if scene.rcode == "-":
        return NO_TRANSPORT, {"rcode": "REFUSED"}
    if scene.flags & CD:
        return MINIMISED, {"soa": "*"}
    return None


class Unbound(Host):
    name = "unbound"
    threads = 1
    server, modules = "", "validator iterator"
    bare_first = True
    differences = {scene.title: difference(scene) for scene in SCENES if difference(scene)}

    def configure(self, folder, port, library):
        modules, clauses = self.modules, ""
        script = folder / "unbound.py"
        shutil.copy(GLUE / "unbound.py", script)
        (folder / "log").rmdir()
        if self.glue:
            modules, clauses = f"python {modules}", f'python:\n    python-script: "{script}"'
        self.world.configure(folder, port, None, None, self.threads, modules, self.server, clauses)
        self.environment.update(IDNPOLICY_LIBRARY=str(library), IDNPOLICY_CONFIG=str(folder / "idn.conf"),
                                PYTHONPATH=str(self.peers / "usr/lib/python3/dist-packages"))
        return [*self.program("unbound"), "-d", "-c", folder / "unbound.conf"]

    def is_started(self, octets):
        return b"start of service" in octets


def test_threads(host, tap):
    """One thread, many clients and swaps."""
    policy.swap_under_load(host, tap)


def test_more_threads(host, tap):
    """Two threads of Unbound's wait for each other: one for Python, the other for an entry of the cache."""
    host = Unbound(host.world, host.library)
    host.threads = 2
    faults.check(tap, host, "two threads", "num-threads")


def test_reload(host, tap):
    """A reload ends Python, and begins with another one."""
    with host.running(tap, "refuse name refuse.example\n") as running:
        for _ in range(3):
            starts = running.daemon.stderr.octets.count(b"start of service")
            running.daemon.process.send_signal(signal.SIGHUP)
            tap.ok(running.daemon.stderr.wait(lambda octets, n=starts: octets.count(b"start of service") > n), "it is there again")
            tap.equal(running.exchange(ask("refuse.example")).rcode, "REFUSED", "and refuses")
            tap.equal(running.exchange(ask("ascii.example")).rcode, "NOERROR", "and answers")


def test_reload_broken(host, tap):
    """Unbound ends when a module does not start, at a reload, too."""
    running = host.launch("refuse name refuse.example\n")
    write_idn(running.folder, "no-such-key: 1")
    running.daemon.process.send_signal(signal.SIGHUP)
    tap.equal(running.daemon.wait_exit(), 1, "it ends")
    tap.equal(running.said().count(b"idn: no policy: "), 1, "and says why")


def test_internal(host, tap):
    """Unbound's own lookups are not refused: here the address of a name server."""
    with host.running(tap, "refuse zone hoster.slow.example\n") as running:
        running.exchange(ask("x.hosted"))
        tap.ok(host.world.upstream.asked["ns.hoster.slow.example.", "A"] > 0, "the name server's address is looked up")
        tap.equal(running.exchange(ask("ns.hoster.slow.example")).rcode, "REFUSED", "a client does not get it")


class TrixieUnbound(trixie.Trixie, Unbound):
    """1.26, with its own Python."""

    def configure(self, *where):
        command = super().configure(*where)
        self.environment["PYTHONHOME"] = str(self.peers / "usr")
        return command


def test_trixie(host, tap):
    """Debian 13's Unbound."""
    trixie.again(TrixieUnbound(host.world, host.library), tap)


def test_dns64(host, tap):
    """What does not hold: an address that dns64 makes is decided as an AAAA record alone. Reverse names it does not make here."""
    host = Unbound(host.world, host.library)
    host.modules = "dns64 validator iterator"
    host.server = 'dns64-prefix: 64:ff9b::/96\ndomain-insecure: "arpa."\nqname-minimisation: no\n' \
                  'local-zone: "2.0.192.in-addr.arpa." transparent\nlocal-zone: "ip6.arpa." transparent'
    name, pointer = "dns64.slow.example", dns.reversename.from_address("64:ff9b::c000:20b").to_text()
    with host.running(tap, f"nodata name {name} type=A\n") as running:
        tap.equal(running.exchange(ask("11.2.0.192.in-addr.arpa", "PTR")).answers(), ["host.example."], "of the IPv4 address")
        tap.equal(running.exchange(ask(pointer, "PTR")).rcode, "NXDOMAIN", "of the one that has it inside")
        tap.equal(running.exchange(ask(name, "AAAA")).answers(), ["64:ff9b::c000:2c8"], "made of a refused A record")
        tap.ok(running.changed(f"nodata name {name} type=A,AAAA\n"), "a rule that names both types")
        for _ in range(2):
            tap.equal(running.exchange(ask(name, "AAAA")).answers(), [], "nothing is made")


HOST = Unbound
