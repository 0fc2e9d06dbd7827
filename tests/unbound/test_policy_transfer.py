# SPDX-License-Identifier: BSD-3-Clause
"""Rules of a zone that comes by transfer, from NSD, and that Unbound's own auth-zone or Knot writes to the file that an
`rpz` line names."""

import os
import signal

from daemon import Daemon, eventually, free_port, nsd
from question import ask
from rulefile import IDN, swaps, write

ORIGIN = "feed.example"
AUTH_ZONE = """\
auth-zone:
    name: "{origin}"
    primary: 127.0.0.1@{port}
    zonefile: "{file}"
    for-downstream: no
    for-upstream: no
"""
KNOT = """\
server:
    rundir: "{folder}"
    listen: 127.0.0.1@{own}
{user}database:
    storage: "{folder}"
log:
  - target: stderr
    any: info
remote:
  - id: primary
    address: 127.0.0.1@{port}
zone:
  - domain: {origin}
    storage: "{folder}"
    file: "{file}"
    master: primary
    zonefile-sync: 0
"""


def zone(serial, *names):
    """Its client asks for another one every second."""
    return f"$ORIGIN {ORIGIN}.\n$TTL 60\n@ SOA ns.invalid. nobody.invalid. {serial} 1 1 3600 60\n@ NS ns.invalid.\n" + \
        "".join(f"{name} CNAME .\n" for name in names)


def rcode(resolver, name):
    return resolver.exchange(ask(f"{name}.wild.example")).rcode


def check_news(tap, resolver, primary, folder, what):
    """Two serials, one after the other: each is in force soon, and whole."""
    tap.ok(eventually(lambda: rcode(resolver, "first") == "NXDOMAIN", 30), f"{what}: the zone is transferred, and in force",
           "\n".join(line for line in resolver.daemon.log().splitlines() if " IN NOERROR " not in line))
    tap.equal(rcode(resolver, "second"), "NOERROR", f"{what}: no other name is refused")
    for serial, now, before in (2, "second", "first"), (3, "third", "second"):
        count = len(swaps(resolver))
        write(folder, zone(serial, f"{now}.wild.example"), "feed.zone")
        primary.process.send_signal(signal.SIGHUP)
        tap.ok(eventually(lambda name=now: rcode(resolver, name) == "NXDOMAIN", 30), f"{what}: serial {serial} is in force",
               "\n".join(line for line in resolver.daemon.log().splitlines() if " IN NOERROR " not in line))
        tap.equal(rcode(resolver, before), "NOERROR", f"{what}: serial {serial}: the old name is not refused any more")
        tap.ok(eventually(lambda wanted=count + 1: len(swaps(resolver)) == wanted), f"{what}: serial {serial}: one swap, of a whole file")


def primary_of(world):
    folder = world.new_folder("primary")
    write(folder, zone(1, "first.wild.example"), "feed.zone")
    daemon, port = nsd(world.peers, folder, ORIGIN, "feed.zone", "    provide-xfr: 127.0.0.0/8 NOKEY\n")
    return folder, daemon, port


def rule_of(file):
    """Writes a rule whose zone file is missing at first: an error in a list stops nothing."""
    return lambda folder: write(folder, f"rpz {file} origin={ORIGIN}\n")


def test_auth_zone(world, tap):
    """Unbound itself transfers the zone."""
    folder, primary, port = primary_of(world)
    try:
        with world.resolver(tap, IDN, clauses=AUTH_ZONE.format(origin=ORIGIN, port=port, file="log/transferred.zone"),
                            prepare=rule_of("log/transferred.zone")) as resolver:
            check_news(tap, resolver, primary, folder, "auth-zone")
    finally:
        primary.stop()


def test_knot(world, tap):
    """Knot transfers it, as a secondary beside the resolver."""
    folder, primary, port = primary_of(world)
    knot = world.new_folder("knot")
    knot.chmod(0o777)
    config = knot / "knot.conf"
    # Its files are for its own user and group alone; the resolver has to be one of these.
    user = "    user: nobody:nogroup\n" if os.geteuid() == 0 else ""
    config.write_text(KNOT.format(user=user, folder=knot, own=free_port(), origin=ORIGIN, port=port, file="transferred.zone"))
    environment = {"LD_LIBRARY_PATH": (world.peers / "libraries").read_text().strip()}
    secondary = Daemon([world.peers / "usr/sbin/knotd", "-c", config], knot, environment)
    try:
        tap.ok(eventually((knot / "transferred.zone").exists, 30), "Knot writes the zone", secondary.log())
        with world.resolver(tap, IDN, prepare=rule_of(knot / "transferred.zone")) as resolver:
            check_news(tap, resolver, primary, folder, "Knot")
    finally:
        secondary.stop()
        primary.stop()
