# SPDX-License-Identifier: BSD-3-Clause
"""Tests tap with Debian's unmodified resolvers, configured by the lines of doc/operations.md. For 1,000 mixed queries, the log has
exactly their names, clients and rcodes."""

import collections
import json
import random
import subprocess
import sys
import time

import demo
import dnsname
import guide
import suites
from daemon import eventually
from host_dnsdist import Dnsdist
from host_kresd import Kresd
from host_unbound import Unbound
from question import Tcp, Udp, ask
from receiver import Receiver
from rpz_servers import NAMED, NAMED_FORWARDS

QUERIES = 1000
SOCKET = "/run/unbound-idn/tap.sock"
IDN = "log: json\nlog-to: idn.log/lines\nmetrics-file: idn.log/metrics\nmetrics-interval: 1\npolicy: rules"
RULES = "nxdomain zone xn--80aodfsg.example\nrefuse name target.walled.example\nlog lookalikes protected\n"
NAMES = ("ascii.example", "bücher.example", "www.bücher.example", "fass.example", "казино.example", "r3---sn-4g5e6nzl.example", "_dmarc.bücher.example",
         "mangled.example", "alias.example", "a.wild.example", "big.example", "dangling.example", "nowhere.slow.example", "xn--pypal-4ve.example",
         "xn--zzzzzzzz99999.example", "nxdomain.none.example", "example", "a\\255b\\000c.wild.example", "MiXeD.WiLd.ExAmPlE", "long.example")
TYPES = ("A", "A", "AAAA", "MX", "TXT", "NS", "TYPE65280", "HTTPS")


def lines_of(name, path):
    """Returns the guide's lines for a resolver, with another socket."""
    text = guide.the_block(f"dnstap-{name}")
    assert SOCKET in text
    return text.replace(SOCKET, str(path))


class Tapped:
    """A mixin for a host that sends to a receiver. The receiver starts while the host is configured."""

    glue = False

    def configure(self, folder, port, library):
        self.receiver = Receiver(self.world, listen=[f"unix:{folder}/tap.sock"], idn=IDN,
                                 files={"rules": RULES, "protected": "paypal.example\n"})
        command = self.configure_with(folder, port, folder / "tap.sock")
        self.receiver.wait_notified("READY=1")
        (folder / "tap.sock").chmod(0o666)  # for the resolver's user
        return command


class TappedUnbound(Tapped, Unbound):
    def configure_with(self, folder, port, path):
        (folder / "log").rmdir()
        self.world.configure(folder, port, None, None, 1, "validator iterator", "", lines_of("unbound", path))
        return [*self.program("unbound"), "-d", "-c", folder / "unbound.conf"]


class TappedDnsdist(Tapped, Dnsdist):
    def configure_with(self, folder, port, path):
        self.rules = lines_of("dnsdist", path)
        return Dnsdist.configure(self, folder, port, None)


class TappedKresd(Tapped, Kresd):
    def configure(self, folder, port, library):
        """Knot Resolver runs in its own root folder, which has the socket, too."""
        self.rules = lines_of("kresd", folder / "tap.sock")
        command = Kresd.configure(self, folder, port, library)
        self.receiver = Receiver(self.world, listen=[f"unix:{folder}/tap.sock"], idn=IDN, files={"rules": RULES, "protected": "paypal.example\n"})
        self.receiver.wait_notified("READY=1")
        (folder / "tap.sock").chmod(0o666)  # for the resolver's user
        return command


class TappedNamed(Tapped, Unbound):
    name = "named"

    def configure_with(self, folder, port, path):
        config = folder / "named.conf"
        config.write_text(NAMED.format(folder=folder, port=port, statements="", options=NAMED_FORWARDS.format(upstream=self.backend()) + lines_of("named", path)))
        return [*self.program("named"), "-g", "-n", "1", "-c", config]

    def is_started(self, octets):
        return b" running\n" in octets


def questions():
    chosen = random.Random(4711)
    for number in range(QUERIES):
        name = chosen.choice(NAMES) if number % 3 else f"n{chosen.randrange(300)}.wild.example"
        yield ask(name, chosen.choice(TYPES), edns=chosen.random() < 0.8, dnssec=chosen.random() < 0.3), f"127.0.0.{chosen.randrange(2, 9)}", chosen.random() < 0.05


def exchanges(port, wait=lambda count: None):
    """Asks the questions, and returns what the log must have of each. Calls wait(count) after every hundred, because a resolver drops
    frames when its dnstap queue is full, as may happen on a busy machine."""
    clients, found = {}, collections.Counter()
    for number, (question, source, tcp) in enumerate(questions()):
        if number % 100 == 0:
            wait(number)
        kind = Tcp if tcp else Udp
        client = clients.get((source, kind))
        if not client or tcp:
            client = clients[source, kind] = kind(("127.0.0.1", port), source)
        ident = client.send(question)
        while (answer := client.receive()).ident != ident:
            pass
        name = dnsname.column(question.labels)
        found[source, client.socket.getsockname()[1], str(ident), name[:-1] if len(name) > 1 else name, question.type,
              answer.rcode, "tcp" if tcp else "udp"] += 1
        if tcp:
            client.close()
    for (_, kind), client in clients.items():
        if kind is Udp:
            client.close()
    return found


def members_of(lines):
    """Counts the lines by their members, without the question that probed whether the resolver serves."""
    found = collections.Counter()
    for line in lines:
        members = json.loads(line)
        if members["client.ip"] == "127.0.0.1":
            continue
        found[members["client.ip"], members["client.port"], members["dns.id"], members["dns.question.name"], members["dns.question.type"],
              members["dns.response_code"], members["network.transport"]] += 1
    return found


def lines_to(receiver):
    """Returns the lines without the question that probed whether the resolver serves: it has another address."""
    return [line for line in receiver.lines() if '"client.ip":"127.0.0.1"' not in line]


def run(world, tap, kind, latency):
    host = kind(world, world.command)
    if why := host.missing():
        tap.skip("not here", why)
        return
    running = host.launch(None, idn=None)
    try:
        if not tap.ok(not running.has_ended(), f"{host.name} starts"):
            tap.note(running.said().decode("utf-8", "replace"))
            return
        receiver = host.receiver
        tap.ok(eventually(lambda: receiver.metric("tap_senders")), "it connects")
        want = exchanges(running.port, lambda count: receiver.has_lines(count))
        tap.ok(eventually(lambda: len(lines_to(receiver)) >= QUERIES), f"a line for each of {QUERIES} queries")
        got = members_of(lines_to(receiver))
        tap.equal((sum((want - got).values()), sum((got - want).values())), (0, 0), "exactly those names, clients, ports, ids, types, rcodes and transports")
        tap.note(f"missing: {list((want - got).items())[:5]}\nmore: {list((got - want).items())[:5]}")
        members = [json.loads(line) for line in lines_to(receiver)]
        times = [one["event.duration"] for one in members if "event.duration" in one]
        tap.equal(len(times) > 0.95 * QUERIES, latency, f"durations: {len(times)}")
        tap.ok(all(time < 10**10 for time in times), "no duration is longer than ten seconds")
        casino = [one for one in members if one["dns.question.name"] == "xn--80aodfsg.example"]
        tap.ok(casino and all((one["policy.action"], one["policy.mode"]) == ("nxdomain", "observed") for one in casino), "the action that the rule would have taken")
        tap.ok(any(one.get("policy.match") == "lookalikes paypal.example" for one in members), "a look-alike")
        tap.equal(receiver.metric('tap_frames_total{kind="malformed"}'), 0, "no frame is malformed")
        tap.equal(receiver.said()[1:], [], "no message but that about the rules")
    finally:
        tap.note(running.said().decode("utf-8", "replace")[-3000:])
        running.stop()
        if hasattr(host, "receiver"):
            tap.note(host.receiver.daemon.log())
            host.receiver.daemon.stop()


def test_unbound(world, tap):
    run(world, tap, TappedUnbound, latency=True)


def test_named(world, tap):
    run(world, tap, TappedNamed, latency=True)


def test_named_file(world, tap):
    """Reads a file that BIND wrote: the log has a line for each answer."""
    host = TappedNamed(world, world.command)
    running = host.launch(None, idn=None)
    try:
        host.receiver.daemon.stop()
        running.stop()
        config = running.folder / "named.conf"
        # BIND drops frames when the queue to its writing thread is full.
        config.write_text(config.read_text().replace('unix "', 'file "').replace("tap.sock", "capture")
                          .replace("dnstap-output", "fstrm-set-input-queue-size 16384;\n    dnstap-output"))
        daemon = running.daemon.again()
        world.processes.append(daemon.process)
        tap.ok(eventually(lambda: host.is_started(daemon.stderr.octets)), "named starts again")
        want = exchanges(running.port, lambda count: time.sleep(0.2))
        tap.equal(daemon.stop(), 0, "named stops")
        done = subprocess.run([world.command, "tap", "--config", host.receiver.folder / "idn.conf", running.folder / "capture"], capture_output=True, text=True, timeout=60, check=False)
        got = members_of(done.stdout.splitlines())
        tap.equal((done.returncode, sum((want - got).values()), sum((got - want).values())), (0, 0, 0), "exactly those names, clients and rcodes")
        tap.note(done.stderr)
    finally:
        tap.note((running.said() + daemon.stderr.octets).decode("utf-8", "replace")[-3000:])


def test_kresd(world, tap):
    run(world, tap, TappedKresd, latency=True)


def test_demo(world, tap):
    """Runs the demo of `make demo-stock`."""
    command = [sys.executable, demo.__file__, "--stock", world.peers, "--command", world.command, "--zone", world.zone]
    began = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    tap.equal((done.returncode, done.stderr), (0, ""), "runs")
    tap.ok(time.monotonic() - began < 60, "takes less than a minute")
    tap.note(done.stdout)
    lines = done.stdout.splitlines()
    tap.equal([line for line in lines if demo.width(line) > demo.WIDTH], [], f"has lines of at most {demo.WIDTH} columns")
    tap.ok(len(lines) <= 42, "fits on one screen", len(lines))


def test_dnsdist(world, tap):
    run(world, tap, TappedDnsdist, latency=True)


def test_trixie_unbound(world, tap):
    run(world, tap, suites.of("trixie", TappedUnbound), latency=True)


def test_trixie_named(world, tap):
    run(world, tap, suites.of("trixie", TappedNamed), latency=True)


def test_trixie_kresd(world, tap):
    run(world, tap, suites.of("trixie", TappedKresd), latency=True)


def test_trixie_dnsdist(world, tap):
    run(world, tap, suites.of("trixie", TappedDnsdist), latency=True)
