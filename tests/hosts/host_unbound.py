# SPDX-License-Identifier: BSD-3-Clause
"""Tests Debian's Unbound with the policy in its Python module."""

import os
import pwd
import re
import shutil
import signal
import time

import clients
import faults
import policy
import reasons
import suites
from daemon import eventually
from harness import write_idn
from host import GLUE, IDN, Host
from question import CD, Udp, ask, exchange
from rulefile import write
from scenes import RULES, SCENES

TOP = GLUE.parents[1]

NO_LOOKUP = "a Python module cannot look up the alias's target"
NO_TRANSPORT = "a Python module does not learn the transport, and cannot drop a query"
MINIMISED = "query name minimisation has cached the name: the reply comes from the cache, without records"


def difference(scene):
    """Returns the scene's entry of Host.differences; None: it has none."""
    if scene.action == "cname":
        alias = tuple(record for record in scene.answer if record.startswith("CNAME "))
        return NO_LOOKUP, {"answer": alias, "rcode": "NOERROR"}
    if scene.action == "tcp-only":  # the rule is left out
        over_tcp = next(other for other in SCENES if other.name == scene.name and other.qtype == scene.qtype and not other.tc)
        return NO_TRANSPORT, {"answer": over_tcp.answer, "tc": False, "action": "", "line": 0, "target": ""}
    if scene.rcode == "-":
        return NO_TRANSPORT, {"rcode": "REFUSED"}
    if scene.flags & CD:
        return MINIMISED, {"soa": "*"}
    return None


# The modules after python in the package's configuration: the line in force, and the commented one, for rules with client=.
MODULES = re.findall(r'(?m)^    #?module-config: "python (.*)"$', (TOP / "conf/hosts/unbound.conf").read_text())


class Unbound(Host):
    name = "unbound"
    threads = 1
    server = ""
    modules, modules_for_clients = MODULES  # python is put before them if they do not have it
    bare_first = True
    differences = {scene.title: difference(scene) for scene in SCENES if difference(scene)}

    def for_clients(self):
        other = type(self)(self.world, self.library)
        other.modules = other.modules_for_clients
        return other

    def configure(self, folder, port, library):
        modules, clauses = self.modules, ""
        script = folder / "unbound.py"
        shutil.copy(GLUE / "unbound.py", script)
        (folder / "log").rmdir()
        if self.glue:
            modules, clauses = modules if "python" in modules else f"python {modules}", f'python:\n    python-script: "{script}"'
        self.world.configure(folder, port, None, None, self.threads, modules, self.server, clauses)
        if not all(above.stat().st_mode & 0o001 for above in self.peers.resolve().parents):  # only root can read this clone
            conf = folder / "unbound.conf"
            conf.write_text(conf.read_text().replace('username: "nobody"', 'username: ""'))
        self.environment.update(IDNPOLICY_LIBRARY=str(library), IDNPOLICY_CONFIG=str(folder / "idn.conf"),
                                PYTHONPATH=str(self.peers / "usr/lib/python3/dist-packages"))
        return [*self.program("unbound"), "-d", "-c", folder / "unbound.conf"]

    def behind_proxy(self, proxy, port):
        self.server += f"proxy-protocol-port: {port}\ninterface: 127.0.0.1@{port}\n" \
                       "access-control: 127.0.0.0/8 allow\naccess-control: 2001:db8::/32 allow"
        return port

    def is_started(self, octets):
        return b"start of service" in octets


def test_version(host, tap):
    """Unbound calls the script for its own answers of class CH without a question. An exception there would fail all later queries."""
    with host.running(tap, "nxdomain name none.example\n") as running:
        exchange(running.address(), ask("version.bind", "TXT", cls="CH"))
        tap.equal(running.exchange(ask("none.example")).rcode, "NXDOMAIN", "a rule still refuses")
        tap.equal(running.exchange(ask("host.wild.example")).rcode, "NOERROR", "and other names are looked up")


def test_validation(host, tap):
    reasons.check_security(tap, host)


def test_alias_later(host, tap):
    """Decides an alias beside other records of its name, at any place in the answer."""
    with host.running(tap, "refuse name refused.slow.example\n") as running:
        for _ in range(2):
            tap.equal(running.exchange(ask("both-refused.slow.example")).rcode, "REFUSED", "refused")


def test_forked_alias(host, tap):
    """Unbound answers ANY with both aliases if one of class CH comes first."""
    host = type(host)(host.world, host.library)
    host.server = "qname-minimisation: no"
    policy.forked(host, tap, "ANY", "ANY")


# Appended to the script: its functions whose names are in the file `raising` raise an exception.
RAISE = """

def broken(function):
    def call(*given, **named):
        with open(os.environ["IDNPOLICY_CONFIG"].replace("idn.conf", "raising")) as raising:
            if function.__name__ in raising.read().split():
                raise ValueError(f"{function.__name__} raises")
        return function(*given, **named)
    return call


decide, sift, add_ede, report = map(broken, (decide, sift, add_ede, report))
"""


def test_exceptions(host, tap):
    """Sends no refused answer, cached or not, if a function of the script raises an exception. Later questions are decided again."""
    host = type(host)(host.world, host.library)
    configure = host.configure

    def configured(folder, *more):
        (folder / "raising").write_text("")
        command = configure(folder, *more)
        with (folder / "unbound.py").open("a") as script:
            script.write(RAISE)
        return command

    host.configure = configured
    with host.running(tap, policy.NONE, check=False) as running:
        raising = running.folder / "raising"
        for number, function in enumerate(("decide", "sift", "add_ede", "report")):
            for name, *_ in faults.DECIDED:
                faults.seen(running, name, Udp)
            tap.ok(running.changed(f"{RULES}nxdomain name {number}.none.example\n"), "a swap")
            raising.write_text(function)
            faults.decided(tap, running, f"{function} raises", True)
            raising.write_text("")
            tap.ok(f"idn: SERVFAIL: ValueError('{function} raises')".encode() in running.said(), f"{function}: the exception is logged")
            faults.decided(tap, running, f"{function} has raised, cached before", True)
            faults.decided(tap, running, f"{function} has raised", False)
            tap.ok(running.changed(policy.NONE), "a swap")


def test_threads(host, tap):
    """Swaps the policy of one thread under load."""
    policy.swap_under_load(host, tap)


def test_more_threads(host, tap):
    """Refuses to start with two threads, which could deadlock: one waits for Python, the other for a cache entry."""
    host = Unbound(host.world, host.library)
    host.threads = 2
    faults.check(tap, host, "two threads", "num-threads")


def test_reload(host, tap):
    """Keeps the policy over reloads, each of which starts a new Python, also if it cannot read idn.conf or the rules."""
    with host.running(tap, "refuse name refuse.example\n") as running:
        for change, word in ((lambda: None, b"start of service"), (lambda: write_idn(running.folder, "no-such-key: 1\nrequired: yes"), b"no-such-key"),
                             (lambda: write_idn(running.folder, IDN) or write(running.folder, "nonsense\n"), b"rules.conf:1:1: ")):
            change()
            starts = running.daemon.stderr.octets.count(b"start of service")
            running.daemon.process.send_signal(signal.SIGHUP)
            tap.ok(running.daemon.stderr.wait(lambda octets, n=starts: octets.count(b"start of service") > n), "it serves again")
            tap.equal(running.exchange(ask("refuse.example")).rcode, "REFUSED", "it refuses")
            tap.equal(running.exchange(ask("ascii.example")).rcode, "NOERROR", "it answers")
            tap.ok(eventually(lambda w=word: w in running.said()), "it logs the error, if any")
        tap.ok(running.changed("refuse name other.example\n"), "the rules are repaired")
        tap.equal(running.exchange(ask("other.example")).rcode, "REFUSED", "the new rules are in force")


def test_additional(host, tap):
    host = Unbound(host.world, host.library)
    host.server = "minimal-responses: no"
    policy.additional(host, tap)


def test_dns64(host, tap):
    """Decides an address that dns64 has made as the A record of which it is made, also from the cache."""
    host = Unbound(host.world, host.library)
    host.modules = "dns64 validator iterator"
    name = "dns64.slow.example"
    with host.running(tap, "nxdomain name none.example\n") as running:
        for rule, rcode, made in ((None, "NOERROR", ["64:ff9b::c000:2c8"]), ("refuse name dns64.slow.example type=A\n", "REFUSED", [])):
            if rule:
                tap.ok(running.changed(rule), "a swap")
            for asked, alias in ((name, []), (f"hop-{name}", [f"{name}."])) * 2:
                reply = running.exchange(ask(asked, "AAAA"))
                tap.equal((reply.rcode, reply.answers()), (rcode, alias + made if made else []), f"{asked}: {rcode}")
    host.modules = "dns64 python validator iterator"
    faults.check(tap, host, "dns64 before python", "expected python before dns64")


def test_clients(host, tap):
    """Without subnetcache, leaves out rules with client=, at the start and later, and applies all others."""
    rules = f"refuse name alone.example client=127.0.0.1\nrefuse name refuse.example when={clients.span(0)}\n"
    word = f'left out: a rule with client=, which this resolver cannot apply as it is configured (module-config: "python {MODULES[1]}")'
    with host.running(tap, rules) as running:
        for line in 1, 3:
            tap.ok(eventually(lambda n=line: f"rules.conf:{n}:1: {word}".encode() in running.said()), "it logs that", running.said().decode())
            for name, rcode in ("alone.example", "NXDOMAIN"), ("refuse.example", "REFUSED"):
                tap.equal(running.exchange(ask(name)).rcode, rcode, f"line {line}: {name}")
            if line == 1:
                tap.ok(running.changed(f"# more\n\n{rules}"), "a swap")
    host = Unbound(host.world, host.library)
    host.modules = "subnetcache python validator iterator"
    faults.check(tap, host, "subnetcache before python", "expected python before subnetcache")


def test_checkconf(host, tap):
    """unbound-checkconf reports the errors that Unbound would, and creates a log, if any, that Unbound can write to."""
    host = type(host)(host.world, host.library)
    running = host.launch("refuse name refuse.example\n")  # for its folder
    running.stop()
    folder = running.folder
    log = folder / "log/idn.log"
    named = re.search(r'username: "(.*)"', (folder / "unbound.conf").read_text())[1]
    unbound = pwd.getpwnam(named).pw_uid if named else os.geteuid()
    for text, status, words in ((None, 0, "idn: policy: 1 rule"), ("no such rule", 0, "rules.conf:1:1"), ("refuse name a.example\n", 0, "idn: policy: 1 rule")):
        log.unlink(missing_ok=True)
        if text:
            (folder / "rules.conf").write_text(text)
        exited, said = host.run("unbound-checkconf", folder / "unbound.conf")
        tap.equal((exited, words in said), (status, True), f"{text}: {words}: {said}")
        tap.equal({path.stat().st_uid for path in (folder / "log").iterdir()} - {unbound}, set(), "its files belong to Unbound's user")


def test_transport(host, tap):
    """Reports when it reads the rules that drop refuses and that tcp-only is left out."""
    with host.running(tap, "drop name drop.wild.example\ntcp-only name tcp.wild.example\n") as running:
        tap.ok(b"rules.conf:1:1: this resolver cannot drop a query: clients get REFUSED instead" in running.said(), "drop is reported")
        tap.ok(b"rules.conf:2:1: left out: tcp-only" in running.said(), "tcp-only is reported")
        tap.equal(running.exchange(ask("drop.wild.example")).rcode, "REFUSED", "drop refuses")
        tap.equal(running.exchange(ask("tcp.wild.example")).answers(), ["192.0.2.77"], "tcp-only does nothing")


def test_stale(host, tap):
    """Even with serve-expired, which must be off, sends no expired record of a refused name while the name is looked up."""
    for timeout in (200, 0):
        host = type(host)(host.world, host.library)
        host.server = f"serve-expired: yes\nserve-expired-client-timeout: {timeout}\ncache-max-ttl: 1"
        label = f"gate-old-{timeout}"
        name, gate = f"{label}.slow.example", host.world.upstream.gate(label)
        names = name, f"hop-{name}"
        gate.opened.set()
        with host.running(tap, policy.NONE, check=False) as running:
            for asked in names:
                running.exchange(ask(asked))
            time.sleep(2.1)
            gate.opened.clear()
            for asked in names:  # on a busy machine the first question may fail
                given = any("192.0.2.200" in running.exchange(ask(asked)).answers() for _ in range(5))
                tap.ok(given, f"{timeout} ms: {asked}: the expired answer is given")
            tap.ok(running.changed(f"refuse name {name}\n"), "a swap")
            for asked in names * 3:
                reply = running.exchange(ask(asked))
                tap.equal((reply.rcode in ("REFUSED", "SERVFAIL"), reply.answers()), (True, []), f"{timeout} ms: {asked}: not if refused")
            gate.open()


def test_internal(host, tap):
    """Does not refuse Unbound's own lookups, here the address of a name server."""
    with host.running(tap, "refuse zone hoster.slow.example\n") as running:
        running.exchange(ask("x.hosted"))
        tap.ok(host.world.upstream.asked["ns.hoster.slow.example.", "A"] > 0, "the name server's address is looked up")
        tap.equal(running.exchange(ask("ns.hoster.slow.example")).rcode, "REFUSED", "a client does not get it")


class OwnPython(Unbound):
    """Another suite's Unbound, with that suite's Python."""

    def configure(self, *where):
        command = super().configure(*where)
        self.environment["PYTHONHOME"] = str(self.peers / "usr")
        return command


def test_debian_testing(host, tap):
    """Runs the common tests with Debian testing's Unbound, which Debian 13 has, too."""
    suites.again(suites.of("testing", OwnPython)(host.world, host.library), tap, test_checkconf, test_stale, test_exceptions)


HOST = Unbound
