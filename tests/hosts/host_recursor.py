# SPDX-License-Identifier: BSD-3-Clause
"""Tests PowerDNS Recursor. It does not validate, and has no packet cache, so that each reply has its line; some tests turn these on."""

import os
import subprocess
import time

import attacks
import clients
import faults
import policy
import reasons
import suites
from daemon import PORTS
from host import GLUE, Host
from policy import NONE
from question import RD, ask
from scenes import RULES, SCENES

SETTINGS = """\
local-address=127.0.0.1
local-port={port}
udp-source-port-min={ports.stop}
socket-dir={folder}
config-dir={folder}
forward-zones=example.=127.0.0.1:{nsd}
forward-zones+=slow.example.=127.0.0.1:{upstream}
dont-query=
dnssec=process-no-validate
daemon=no
disable-syslog=yes
security-poll-suffix=
export-etc-hosts=off
forward-zones+=2.0.192.in-addr.arpa.=127.0.0.1:{upstream}
threads={threads}
lua-maintenance-interval=1
"""
SCRIPT = "dofile('{glue}/recursor.lua') {{ config = '{folder}/idn.conf', library = '{library}', {options} }}\n"


LATER = "Recursor looks up the alias's target after its hooks, so the line has the rcode of the alias"


class Recursor(Host):
    name, executable = "recursor", "pdns_recursor"
    packet_cache = False
    settings = lua = options = ""  # more lines of recursor.conf; the text of its lua-config-file; options of recursor.lua
    threads = 2
    starters = 3  # two that resolve, one that distributes questions
    ends_at_once = True
    differences = {scene.title: (LATER, {"logged": "NOERROR"}) for scene in SCENES
                   if scene.action == "cname" and scene.rcode != "NOERROR"}

    def configure(self, folder, port, library):
        settings = SETTINGS.format(port=port, ports=PORTS, folder=folder, nsd=self.world.nsd_port, upstream=self.world.upstream.port,
                                   threads=self.threads)
        if not self.packet_cache:
            settings += "disable-packetcache=yes\n"
        if self.glue:
            settings += f"lua-dns-script={folder}/policy.lua\n"
        if self.lua:
            (folder / "config.lua").write_text(self.lua)
            settings += f"lua-config-file={folder}/config.lua\n"
        config = folder / "recursor.conf"
        config.write_text(settings + self.settings)
        status, yaml = self.run("rec_control", "show-yaml", config)
        if status == 0:  # this version reads YAML
            config.unlink()
            config.with_suffix(".yml").write_text(yaml)
        (folder / "policy.lua").write_text(SCRIPT.format(glue=GLUE, folder=folder, library=library, options=self.options))
        return [*self.program("pdns_recursor"), f"--config-dir={folder}"]

    def behind_proxy(self, proxy, port):
        self.settings += f"proxy-protocol-from={proxy}\nallow-from=127.0.0.0/8, 2001:db8::/32\n"

    def is_started(self, octets):
        return b"Enabled multiplexer" in octets and (not self.glue or octets.count(b"Loading Lua script") >= self.threads)

    def control(self, running, *command):
        done = subprocess.run([*self.program("rec_control"), f"--config-dir={running.folder}", *command], capture_output=True, text=True,
                              check=True, env={**os.environ, **self.environment})
        return done.stdout.strip()


class WithPacketCache(Recursor):
    """Recursor with its packet cache, whose answers no script can log."""

    packet_cache = True
    logs = False
    settings = "extended-resolution-errors=no\n"  # 5.4's errors mark answers from its negative cache, which differ after a swap


def check_hits(tap, running, *names):
    """Checks that the packet cache answers for the first name, to which no rule applies, and for no other."""
    for name in names:
        hits = []
        for _ in range(2):
            for _ in range(20):  # so that each thread is asked
                running.exchange(ask(name))
            hits.append(int(running.host.control(running, "get", "packetcache-hits")))
        tap.equal(hits[1] - hits[0], 20 if name == names[0] else 0, f"{name}: answers from the packet cache")


def test_bare_dname(host, tap):
    """A DNAME without its CNAME (RFC 6672, section 3.1) does not lead to records of a refused name below its target. For a client that
    wants no recursion, Recursor does not add the CNAME."""
    with host.running(tap, "refuse zone refused.slow.example\n") as running:
        for flags in (RD, 0, RD, 0):
            reply = running.exchange(ask("a.bare-refused.slow.example", flags=flags))
            owners = {rrset.name.to_text() for rrset in reply.message.answer}
            tap.ok("a.refused.slow.example." not in owners, f"flags {flags:04x}", reply.message)


def test_other_class(host, tap):
    """Decides an alias of another class, which Recursor passes on to a client that wants no recursion."""
    with attacks.attacked(host).running(tap, attacks.RULES) as running:
        tap.equal(running.exchange(ask("class-hesiod.slow.example", flags=0)).rcode, "REFUSED", "its target is refused")


def test_unanswered(host, tap):
    """Logs the SERVFAIL that Recursor sends for a type or class that it does not resolve."""
    with host.running(tap, NONE) as running:
        for question in ask("ascii.example", "RRSIG"), ask("ascii.example", "AXFR"), ask("ascii.example", cls="CH"):
            reply, line = running.logged(question)
            tap.equal((reply.rcode, line.rcode), ("SERVFAIL", "SERVFAIL"), str(question))


def test_validation(host, tap):
    host = type(host)(host.world, host.library)
    host.settings += "dnssec=validate\n"
    host.lua = f"readTrustAnchorsFromFile('{host.world.zone.resolve()}/example.anchor')\naddNTA('slow.example')\n"
    reasons.check_security(tap, host)


def test_failed_decision(host, tap):
    """Does not resolve a name whose decision failed: its servers are not asked."""
    other, library = faults.faulty(host, "")
    upstream = host.world.upstream
    with other.running(tap, "refuse name undecided.slow.example\n", check=False, library=library) as running:
        (running.folder / "failing").write_text("idnp_decide")
        for _ in range(4):
            tap.equal(running.exchange(ask("undecided.slow.example")).rcode, "SERVFAIL", "a decision failed")
        tap.equal(upstream.asked["undecided.slow.example.", "A"], 0, "questions to its servers")


def test_packet_cache(host, tap):
    """Gives no answer from the packet cache under another policy than decided it, and stores none that a rule matched."""
    host = WithPacketCache(host.world, host.library)
    policy.test_swap(host, tap)
    policy.test_swap_aliases(host, tap)
    with host.running(tap, RULES) as running:
        check_hits(tap, running, "ascii.example", "x.log.wild.example", "x.refuse.wild.example", "alias-nxdomain.slow.example",
                   "alias-log.slow.example")


def test_clients(host, tap):
    """Stores no client-specific answer in the packet cache, and gives each client its own answer."""
    host = WithPacketCache(host.world, host.library)
    for function in (clients.test_scenes, clients.test_cached, clients.test_waiting, clients.test_load, clients.test_proxied):
        function(host, tap)
    with host.running(tap, clients.rules("kids", "staff"), lists={"listed_txt": clients.LIST}) as running:
        check_hits(tap, running, "calm.wild.example", "one.wild.example", "hop-each.slow.example")


def test_script_reloaded(host, tap):
    """A script that is read again goes on with the same policy and the same log."""
    with host.running(tap, RULES) as running:
        tap.equal(running.exchange(ask("x.refuse.wild.example")).rcode, "REFUSED", "refused")
        said = running.swaps()
        host.control(running, "reload-lua-script")
        tap.equal(running.exchange(ask("x.refuse.wild.example")).rcode, "REFUSED", "refused afterwards")
        tap.ok(running.changed("nxdomain name none.example\n"), "and it follows the rules")
        tap.equal(running.swaps(), said + 1, "by one policy for all threads")
        tap.equal(running.exchange(ask("x.refuse.wild.example")).rcode, "NOERROR", "allowed")


def test_threads(host, tap):
    """Swaps the policy of four threads under load, with the packet cache and without."""
    for kind in (Recursor, WithPacketCache):
        other = kind(host.world, host.library)
        other.threads = 4
        policy.swap_under_load(other, tap)


def test_debian_testing(host, tap):
    """Runs the common tests with Debian testing's Recursor, which Debian 13 has, too."""
    suites.again(suites.of("testing", Recursor)(host.world, host.library), tap)


def test_dns64(host, tap):
    """Decides addresses made by dns64-prefix, with the packet cache and without."""
    for kind in (Recursor, WithPacketCache):
        other = kind(host.world, host.library)
        other.settings, other.options, other.logs = "dns64-prefix=64:ff9b::/96\n", "dns64 = '64:ff9b::/96'", False
        policy.synthesis(other, tap)


def test_additional(host, tap):
    for kind in (Recursor, WithPacketCache):
        other = kind(host.world, host.library)
        other.lua = "addAllowedAdditionalQType(pdns.MX, {pdns.A}, { mode = pdns.AdditionalMode.ResolveImmediately })\n"
        policy.additional(other, tap)


def test_stale(host, tap):
    """Decides expired answers, which serve-stale-extensions gives while no server answers."""
    stale = ("gate-brief.slow.example", "gate-alias-brief.slow.example")
    for kind in (Recursor, WithPacketCache):
        other = kind(host.world, host.library)
        other.settings, other.logs = "serve-stale-extensions=10\nnetwork-timeout=200\n", False
        gates = [host.world.upstream.gate(name.partition(".")[0]) for name in stale]
        with other.running(tap, NONE) as running:
            for gate in gates:
                gate.opened.set()
            for name in stale:
                running.exchange(ask(name))
            for gate in gates:
                gate.opened.clear()
            time.sleep(1.5)
            for rules, rcode in ((NONE, "NOERROR"), ("refuse name gate-brief.slow.example\nrefuse name brief.slow.example\n", "REFUSED"), (NONE, "NOERROR")):
                tap.ok(rules == NONE and running.swaps() == 1 or running.changed(rules), "a swap")
                for name in stale * 3:
                    reply = running.exchange(ask(name))
                    tap.equal((reply.rcode, "192.0.2.200" in reply.answers()), (rcode, rcode == "NOERROR"), f"{name}: {rules.strip()}")
        for gate in gates:
            gate.open()


HOST = Recursor
