#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests that other resolvers with the zone that `unbound-idn rpz` writes give the policy's answers. Prints TAP."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "unbound"), str(HERE.parent / "operations")]
sys.dont_write_bytecode = True

import dnsname  # noqa: E402
import guide  # noqa: E402
from daemon import eventually, free_port  # noqa: E402
from options import parser  # noqa: E402
from question import ask, exchange  # noqa: E402
from rpz_client import Client, Upstream  # noqa: E402
from rpz_policy import UPSTREAM, Imported, Policy  # noqa: E402
from rpz_servers import ORIGIN, Servers  # noqa: E402
from tap import Report  # noqa: E402

RULES = HERE.parent / "rpz"
NAMES = 10000
FEW = 1500  # names for resolvers that read zones alike
ENDS = 150  # policies
TRIES = 3
SEED = 6
ROOT = "127.0.0.53"  # the address of Knot Resolver's root server


def spelled(wanted):
    """Returns an expected result with an alias's name in the form of rpz_client.seen."""
    return ("alias", dnsname.column(dnsname.parse(wanted[1]))) if wanted[0] == "alias" else wanted


class World:
    def __init__(self, options):
        self.folder = Path(tempfile.mkdtemp(prefix="idn-rpz-"))
        self.folder.chmod(0o755)
        self.upstream = Upstream(UPSTREAM)
        self.command = Path(options.command).resolve()
        self.servers = Servers(self.folder, options.unbound, options.peers, self.upstream.port)
        trixie = Path(options.peers).resolve().with_name("hosts-trixie")
        self.trixie = Servers(self.folder / "trixie", options.unbound, trixie, self.upstream.port) if (trixie / "packages").exists() else None
        self.policy = Policy(self.folder, random.Random(SEED), ENDS)
        self.zone = self.folder / "rpz.zone"
        self.names = self.policy.random_names(NAMES)
        self.expected = {name: spelled(wanted) for name, wanted in self.policy.expected(self.command, self.names).items()}

    def export(self, serial, rules=None):
        """Writes the zone. Returns the exit status and the errors."""
        new = self.zone.with_suffix(".new")
        with new.open("wb") as out:
            done = subprocess.run([self.command, "rpz", "--origin", ORIGIN, "--serial", str(serial), rules or self.policy.path],
                                  stdout=out, stderr=subprocess.PIPE, check=False, text=True)
        new.rename(self.zone)
        return done.returncode, done.stderr

    def close(self):
        for servers in filter(None, (self.servers, self.trixie)):
            servers.stop()
        self.upstream.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def compare(tap, port, expected, resolver, least=20, qtype="A"):
    """Asks for all names, with one point for each kind of decision."""
    client = Client(port, qtype)
    got = client.ask_all(expected)
    for _ in range(TRIES):  # a busy server sometimes fails or is late; what the zone decides does not change
        failed = {name: wanted for name, wanted in expected.items() if got[name] in (("servfail",), ("drop",)) and got[name] != wanted}
        got.update(client.ask_all(failed))
    client.close()
    for kind in sorted({wanted[0] for wanted in expected.values()}):
        names = [name for name, wanted in expected.items() if wanted[0] == kind]
        wrong = [name for name in names if got[name] != expected[name]]
        tap.ok(not wrong and len(names) >= least, f"{resolver}: {len(names)} names with {kind}",
               "".join(f"{name}: {got[name]}, not {expected[name]}\n" for name in wrong[:20]) + f"{len(wrong)} in all")


def few(world):
    chosen = random.Random(SEED).sample(world.names, FEW)
    return {name: world.expected[name] for name in chosen}


def compare_other_type(tap, port, expected, resolver):
    """Asks for TXT, a type that neither the rules nor the server have."""
    none = {name: ("nodata",) if wanted[0] == "data" else wanted for name, wanted in expected.items()}
    compare(tap, port, none, f"{resolver}, asked for TXT", qtype="TXT")


def test_zone(world, tap):
    status, errors = world.export(7)
    tap.equal((status, errors), (0, ""), "the zone expresses all rules")
    first = world.zone.read_bytes()
    world.export(7)
    tap.equal(world.zone.read_bytes() == first, True, "a second run writes the same")
    status, said = world.servers.run("named-checkzone", "-i", "local", ORIGIN, world.zone)
    tap.ok(status == 0 and "warning" not in said and "loaded serial 7" in said, "named-checkzone", said)
    status, said = world.servers.run("nsd-checkzone", ORIGIN, world.zone)
    tap.ok(status == 0 and f"zone {ORIGIN} is ok" in said, "nsd-checkzone", said)


def check_soa(tap, port, serial):
    reply = exchange(("127.0.0.1", port), ask(ORIGIN, "SOA"))
    tap.equal(reply.answers(), [f". nobody.invalid. {serial} 3600 600 1209600 60"], "knotd serves the zone")


# Owners with their actions, among them wildcards (RFC 4592), and names with their answers. For the names in the last column, Unbound
# finds another closest encloser.
CORNERS = (
    ("an owner below a wildcard", {"*.own": "CNAME .", "a.own": "CNAME rpz-passthru."},
     {"q.own": "nxdomain", "x.q.own": "nxdomain", "a.own": None, "x.a.own": None, "y.x.a.own": None, "own": None}, ()),
    ("a name with another one below it", {"*.ent": "CNAME .", "x.y.ent": "CNAME *."},
     {"q.ent": "nxdomain", "y.ent": None, "z.y.ent": None, "a.y.ent": None, "x.y.ent": "nodata", "w.x.y.ent": None},
     ("y.ent", "a.y.ent")),
    ("two wildcards", {"*.two": "CNAME .", "*.m.two": "CNAME *."},
     {"q.two": "nxdomain", "m.two": None, "q.m.two": "nodata", "x.q.m.two": "nodata"}, ("m.two",)),
    ("a wildcard as a name", {"*.ast": "CNAME ."},
     {"\\042.ast": "nxdomain", "q.ast": "nxdomain", "x.\\042.ast": None}, ()),
    ("an owner with records", {"*.rec": "CNAME .", "a.rec": "TXT x"},
     {"q.rec": "nxdomain", "a.rec": "nodata", "x.a.rec": None}, ()),
    ("an owner with no data", {"*.ds": "CNAME .", "a.ds": "DNAME x.invalid."},
     {"q.ds": "nxdomain", "x.a.ds": None}, ("x.a.ds",)),
)


def test_corners(world, tap):
    """Decides names of zones with wildcards as other resolvers do."""
    zone, rules = world.folder / "corners.zone", world.folder / "corners.conf"
    lines = [f"{owner} 60 {data}" for _, owners, _, _ in CORNERS for owner, data in owners.items()]
    zone.write_text(f"$ORIGIN {ORIGIN}.\n@ 60 SOA ns.invalid. nobody.invalid. 1 2 3 4 5\n@ 60 NS ns.invalid.\n" +
                    "".join(f"{line}\n" for line in lines))
    rules.write_text("rpz corners.zone suffixes=yes\n")
    names = [name for _, _, seen, _ in CORNERS for name in seen]
    found = subprocess.run([world.command, "explain", "--json", "--policy", rules], text=True, check=False,
                           input="".join(f"{name}\n" for name in names), capture_output=True).stdout.splitlines()
    decided = {name: (json.loads(line)["decision"] or {}).get("action") for name, line in zip(names, found)}
    ports = {"BIND": world.servers.named(["type primary", f'file "{zone}"', "check-names ignore"]),
             "Unbound": world.servers.unbound([f'zonefile: "{zone}"'])}
    for title, _, seen, others in CORNERS:
        here = {name: None if decided[name] == "passthru" else {"answer": "nodata"}.get(decided[name], decided[name]) for name in seen}
        tap.equal(here, seen, title)
        for resolver, port in ports.items():
            wanted = {name: (value,) if value else ("data", UPSTREAM) for name, value in seen.items()
                      if resolver == "BIND" or name not in others}
            client = Client(port)
            tap.equal(client.ask_all(wanted), wanted, f"{title}: {resolver}")
            client.close()


def test_imported(world, tap):
    """Compares a random zone, and the zone that the policy writes after reading it."""
    policy = Imported(world.folder, random.Random(SEED), ENDS, ORIGIN)
    names = policy.random_names(NAMES)
    expected = {name: spelled(wanted) for name, wanted in policy.expected(world.command, names).items()}
    port = world.servers.named(["type primary", f'file "{policy.zone}"', "check-names ignore"])
    compare(tap, port, expected, "BIND, the zone as read")
    status, errors = world.export(7, policy.path)
    tap.equal((status, errors), (0, ""), "the zone is written again")
    shutil.copy(world.zone, policy.zone)
    world.export(7)
    again = {name: spelled(wanted) for name, wanted in policy.expected(world.command, names).items()}
    tap.equal({name: wanted for name, wanted in again.items() if wanted != expected[name]}, {}, "the written zone decides the same")
    ports = {"BIND": world.servers.named(["type primary", f'file "{policy.zone}"', "check-names ignore"]),
             "Unbound": world.servers.unbound([f'zonefile: "{policy.zone}"']),
             "PowerDNS Recursor": world.servers.recursor(policy.zone)}
    some = {name: expected[name] for name in random.Random(SEED).sample(names, FEW)}
    for resolver, port in ports.items():
        compare(tap, port, some, f"{resolver}, the zone as written")


def test_odd(world, tap):
    """Tests zones with every kind of record, and with names that look like options, comments or special owners."""
    for rules in sorted(RULES.glob("*.conf")):
        world.export(7, rules)
        zone = world.zone.rename(world.folder / f"{rules.stem}.zone")
        status, said = world.servers.run("named-checkzone", "-i", "local", "-k", "ignore", ORIGIN, zone)
        tap.ok(status == 0 and "warning" not in said, f"named-checkzone {zone.name}", said)
        status, said = world.servers.run("nsd-checkzone", ORIGIN, zone)
        tap.ok(status == 0, f"nsd-checkzone {zone.name}", said)
    world.export(7)
    zone = world.folder / "odd.zone"
    ports = {"Unbound": world.servers.unbound([f'zonefile: "{zone}"']),
             "BIND": world.servers.named(["type primary", f'file "{zone}"', "check-names ignore"]),
             "PowerDNS Recursor": world.servers.recursor(zone)}
    owners = [line.split()[0] for line in zone.read_text().splitlines() if line.endswith("IN CNAME .")]
    expected = {name: ("nxdomain",) for name in owners} | {"two.zone": ("data", "192.0.2.1", "192.0.2.2")}
    for resolver, port in ports.items():
        compare(tap, port, expected, f"{resolver}, odd names", least=1)
    _, port = world.servers.knot(zone, [])
    check_soa(tap, port, 7)


def test_unbound(world, tap):
    port = world.servers.unbound([f'zonefile: "{world.zone}"'])
    compare(tap, port, world.expected, "Unbound")
    compare_other_type(tap, port, few(world), "Unbound")


def test_bind(world, tap):
    port = world.servers.named(["type primary", f'file "{world.zone}"', "check-names ignore"])
    compare(tap, port, world.expected, "BIND")
    compare_other_type(tap, port, few(world), "BIND")


def test_bind_trixie(world, tap):
    """Compares Debian 13's BIND."""
    if not world.trixie:
        tap.skip("Debian 13's", "it is not there (make hosts-trixie)")
        return
    port = world.trixie.named(["type primary", f'file "{world.zone}"', "check-names ignore"])
    compare(tap, port, few(world), "BIND 9.20")
    compare_other_type(tap, port, few(world), "BIND 9.20")


def check_lines(world, tap, servers, release):
    """The lines for BIND in doc/hosts.md: its configuration first, then its command after each change."""
    folder = world.folder / f"lines-{release}"
    folder.mkdir()
    folder.chmod(0o777)
    options, zone = re.fullmatch(r"options \{ (.*) \};\n(.*\n)", guide.the_block("named-rpz", guide.HOSTS)).groups()
    port, rndc = servers.named_by(options, guide.replaced(zone, {"/var/cache/bind": folder}))
    command = guide.replaced(guide.the_block("rpz-bind", guide.HOSTS), {
        "/etc/bind/idn-policy.conf": folder / "rules", "/var/cache/bind": folder, "unbound-idn rpz": f"{world.command} rpz", "rndc ": f"{rndc} "})
    for rules, refused, answered in (("nxdomain zone one.example\nlog lookalike paypal.com\n", "a.one.example", "a.two.example"),
                                     ("nxdomain zone two.example\n", "a.two.example", "a.one.example")):
        (folder / "rules").write_text(rules)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
        tap.equal(done.returncode, 0, f"BIND {release}: the command")
        tap.note(done.stdout + done.stderr)
        tap.ok(wait_seen(port, refused, ("nxdomain",)), f"BIND {release}: {refused} is refused")
        tap.ok(wait_seen(port, answered, ("data", UPSTREAM)), f"BIND {release}: {answered} is answered")


def test_bind_lines(world, tap):
    check_lines(world, tap, world.servers, "9.18")
    if world.trixie:
        check_lines(world, tap, world.trixie, "9.20")
    else:
        tap.skip("Debian 13's", "it is not there (make hosts-trixie)")


def test_recursor(world, tap):
    port = world.servers.recursor(world.zone)
    compare(tap, port, few(world), "PowerDNS Recursor")
    compare_other_type(tap, port, few(world), "PowerDNS Recursor")


def test_kresd(world, tap):
    try:
        root = Upstream(UPSTREAM, ROOT, 53)
    except OSError:
        tap.skip("Knot Resolver", "port 53 cannot be bound here")
        return
    try:
        port = world.servers.kresd(world.zone, ROOT)
        if port is None:
            tap.skip("Knot Resolver", "no right to change the root folder")
            return
        expected = {name: ("servfail",) if wanted == ("drop",) else wanted for name, wanted in few(world).items()
                    if wanted[0] != "alias"}  # it does not support aliases, and answers SERVFAIL for drop
        compare(tap, port, expected, "Knot Resolver")
        decided = {name: wanted for name, wanted in expected.items() if wanted != ("data", UPSTREAM)}
        compare_other_type(tap, port, decided, "Knot Resolver")
    finally:
        root.stop()


def wait_seen(port, name, wanted):
    def is_seen():
        client = Client(port)
        try:
            return client.ask_all({name: wanted})[name] == wanted
        finally:
            client.close()

    return eventually(is_seen, interval=0.1)


def test_fleet(world, tap):
    """Feeds several resolvers from one primary by NOTIFY and transfers."""
    rules = world.folder / "fleet.conf"
    rules.write_text("nxdomain zone first.fleet\n")
    world.export(100, rules)
    secondaries = {"Unbound": free_port(), "BIND": free_port()}
    primary, port = world.servers.knot(world.zone, secondaries.values())
    check_soa(tap, port, 100)
    world.servers.unbound([f"primary: 127.0.0.1@{port}", "allow-notify: 127.0.0.1"], secondaries["Unbound"])
    world.servers.named(["type secondary", f"primaries {{ 127.0.0.1 port {port}; }}", "file \"rpz.db\"",
                         "allow-notify { 127.0.0.1; }"], secondaries["BIND"])
    # Recursor accepts no NOTIFY for these zones: it polls the primary.
    secondaries["PowerDNS Recursor"] = world.servers.recursor(primary=port)
    for resolver, secondary in secondaries.items():
        tap.ok(wait_seen(secondary, "a.first.fleet", ("nxdomain",)), f"{resolver} has transferred the zone")
    other, port = world.servers.nsd(world.zone, secondary := free_port())
    world.servers.unbound([f"primary: 127.0.0.1@{port}", "allow-notify: 127.0.0.1"], secondary)
    secondaries["Unbound of NSD"] = secondary
    tap.ok(wait_seen(secondary, "a.first.fleet", ("nxdomain",)), "Unbound has transferred it from NSD")
    rules.write_text("nodata zone second.fleet\n")
    world.export(101, rules)
    for server in primary, other:
        server.process.send_signal(signal.SIGHUP)
    for resolver, secondary in secondaries.items():
        tap.ok(wait_seen(secondary, "a.second.fleet", ("nodata",)), f"{resolver} applies a change")
        tap.ok(wait_seen(secondary, "b.first.fleet", ("data", UPSTREAM)), f"{resolver} applies the whole change")
    world.export(7)


def main():
    options = parser(__doc__, "--command", "--unbound", "--peers", "-k").parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the daemons are stopped
    report = Report(sys.stdout, os.environ.get("XN_NO_SKIP") == "1")
    world = World(options)
    try:
        world.export(7)
        for name, test in list(globals().items()):
            if not name.startswith("test_") or options.k not in name:
                continue
            started = {servers: len(servers.daemons) for servers in (world.servers, world.trixie) if servers}
            with report.test(name.removeprefix("test_")) as tap:
                try:
                    test(world, tap)
                finally:
                    tap.note("".join(servers.logs(first) for servers, first in started.items()))
    finally:
        world.close()
    return 0 if report.finish() else 1


if __name__ == "__main__":
    sys.exit(main())
