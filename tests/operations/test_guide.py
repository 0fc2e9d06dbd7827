# SPDX-License-Identifier: BSD-3-Clause
"""The guide's commands, section by section, and what must come of them."""

import gzip
import os
import re
import shutil
import subprocess
import textwrap

import guide
from daemon import eventually
from desk import ALSO_BLOCKED, BLOCKED, PLAIN, desk
from question import ask
from rulefile import write

LIST = ("blocklist.txt", "казино.example\nbücher.example\n")
RUN = {"Woken at night", "The log", "Rotation", "Rolling out a policy", "Upgrades of Unbound", "Metrics, dashboard, alerts"}
KINDS = {"sh", "idn.conf", "rsyslog", "syslog-ng", "journal", "jq", "node-exporter",
         "systemd", "dnstap-unbound", "dnstap-named", "dnstap-kresd", "dnstap-dnsdist",  # by tests/tap/: test_units.py, test_resolvers.py
         "dnsmasq", "dnsdist-subnet",  # by tests/unbound/test_forwarders.py
         "container", "compose"}  # by tests/container/run.py, in make check-container


def test_every_block(_, tap):
    """Each kind of block, and each section with commands, has a test that runs it."""
    tap.equal({block.kind for block in guide.blocks()}, KINDS, "each kind of block is run by a test, and each test has its block")
    tap.equal({block.heading for block in guide.blocks("sh")}, RUN, "each section's commands are run")


def test_woken_at_night(operations, tap):
    status, whose, passthru, log_only, out = guide.blocks("sh", "Woken at night")
    with desk(operations, tap, "nxdomain zones blocklist.txt\nnxdomain name казино.example\n", lists=[LIST]) as seat:
        seat.run(status)
        tap.ok("is running" in seat.said, "the daemon says that it runs", seat.said)
        tap.equal([seat.answer(name)[0] for name in (BLOCKED, ALSO_BLOCKED)], ["NXDOMAIN"] * 2, "both names are refused")
        seat.last_line(BLOCKED)
        seat.run(whose)
        tap.ok(re.search(r" policy=nxdomain rule=idn-policy\.conf:2 ", seat.said), "the log says which rule", seat.said)
        tap.ok(re.search(r"^=> nxdomain: .*казино\.example", seat.said, re.M), "and so does explain", seat.said)
        seat.run(passthru)
        tap.ok(eventually(lambda: seat.answer(BLOCKED)[0] == "NOERROR", timeout=10, interval=0.2), "the name works", seat.daemon.log())
        tap.equal(seat.answer(ALSO_BLOCKED)[0], "NXDOMAIN", "the other is still refused")
        seat.run(log_only)
        tap.ok(eventually(lambda: seat.answer(ALSO_BLOCKED)[0] == "NOERROR", timeout=10), "log-only: no answer is changed", seat.daemon.log())
        tap.ok(eventually(lambda: b" mode=log-only" in seat.resolver.log.target.octets), "and the log says so")
        tap.ok(re.search(r" policy: 3 rules, .* read in .* s; log-only\n", seat.daemon.log()), "and so does Unbound's, as the guide has it", seat.daemon.log())
        seat.run(out)
        size = len(seat.resolver.log.target.octets)
        tap.equal((seat.answer(BLOCKED)[0], seat.answer(PLAIN)[0]), ("NOERROR", "NOERROR"), "without the module it answers")
        tap.equal((len(seat.resolver.log.target.octets) - size, "dynlib" in seat.daemon.log()), (0, False), "and the module is not there")


def test_log(operations, tap):
    look, report = guide.blocks("sh", "The log")
    with desk(operations, tap, "log invalid\n", idn="log-answers: addresses") as seat:
        seat.answer(ALSO_BLOCKED)
        seat.answer(PLAIN)
        seat.last_line(PLAIN)
        seat.run(look)
        tap.equal([line.split()[2] for line in seat.said.splitlines()], [f"{ALSO_BLOCKED}."], "who was sent to an address")
        seat.run(report)
        page = (seat.folder / "report.html").read_text()
        tap.equal(("bücher" in page, "127.0.0.1" in page), (True, False), "the report has names and no clients")

    beginning = textwrap.dedent(guide.the_block("idn.conf").split("\n", 1)[1]).replace(f"{guide.STATE}/", "log/")

    with operations.world.resolver(tap, beginning, check=False,
                                   prepare=lambda folder: write(folder, "nxdomain zone казино.example\n", "idn-policy.conf")) as resolver:
        for name in BLOCKED, PLAIN:
            tap.equal(resolver.exchange(ask(name)).rcode, "NOERROR", f"to begin with, {name} is answered")
        resolver.log.wait(f"{BLOCKED}.", 1)
        tap.ok(eventually(lambda: (resolver.folder / "log/idn.prom").exists()), "there are metrics")
        text = resolver.log.target.octets.decode()
        tap.equal((PLAIN in text, "127.0.0.1" in text, " mode=log-only" in text), (False, False, True),
                  "only IDNs are logged, without the client's last octet, and with what a rule would do")


def rotation(operations, folder):
    """conf/logrotate as it stands, for a log and a user of the test's."""
    user = "nobody nogroup" if os.geteuid() == 0 else None
    text = guide.placed((guide.ROOT / "conf/logrotate/unbound-module-idn").read_text(encoding="utf-8"), folder)
    (folder / "logrotate.conf").write_text(text.replace("su unbound unbound", f"su {user}" if user else ""))
    (folder / "logrotate.conf").chmod(0o644)
    if not user:
        (folder / "log").chmod(0o755)


def test_rotation(operations, tap):
    by_logrotate, by_hand = guide.blocks("sh", "Rotation")
    with desk(operations, tap, "log invalid\n") as seat:
        rotation(operations, seat.folder)
        for run in range(1, 4):
            seat.answer(f"n{run}.wild.example")
            seat.resolver.log.wait(f"n{run}.wild.example.", 1)
            seat.run(by_logrotate)
            tap.equal("error" in seat.said.lower(), False, f"rotation {run}: no error")
            tap.ok(eventually((seat.folder / "log/idn.log").exists), f"rotation {run}: there is a new log")
        seat.answer("last.wild.example")
        seat.resolver.log.wait("last.wild.example.", 1)
        seat.run(by_hand)
        tap.ok(eventually((seat.folder / "log/idn.log").exists), "by hand: there is a new log")
        files = sorted((seat.folder / "log").glob("idn.log*"))
        lines = b"".join(gzip.open(file).read() if file.suffix == ".gz" else file.read_bytes() for file in files)
        tap.equal([lines.count(f" {name}.wild.example. ".encode()) for name in ("n1", "n2", "n3", "last")], [1] * 4, "each line is in one file")
        tap.equal(sorted(file.name for file in files if file.suffix == ".gz"), ["idn.log.2.gz", "idn.log.3.gz"], "all but the last are compressed")
        tap.equal((seat.folder / "log/idn.log").stat().st_mode & 0o777, 0o640, "the new log has the mode of the old one")
        tap.equal(seat.resolver.errors(), [], "the module has nothing to say of it")


def test_rolling_out(operations, tap):
    log_only, look, enforce, feed, neighbours, back = guide.blocks("sh", "Rolling out a policy")
    with desk(operations, tap, "nxdomain zones blocklist.txt\nlog invalid\n", mode="log-only", lists=[("blocklist.txt", "казино.example\n")]) as seat:
        seat.run(log_only)
        tap.ok(eventually(lambda: seat.answer(BLOCKED)[0] == "NOERROR"), "log-only: answered")
        eventually(lambda: b" mode=log-only" in seat.resolver.log.target.octets)
        seat.run(look)
        tap.ok(re.search(r'1 +rule=idn-policy\.conf:1 match="zones казино\.example"', seat.said), "which rules would have matched, and how often", seat.said)
        tap.ok((seat.folder / "report.html").stat().st_size > 1000, "there is a report")
        seat.run(enforce)
        tap.ok(eventually(lambda: seat.answer(BLOCKED)[0] == "NXDOMAIN"), "enforced: refused")
        tap.equal(seat.answer(ALSO_BLOCKED)[0], "NOERROR", "what is not listed is answered")

        (seat.folder / "new-blocklist.txt").write_text("казино.example\nbücher.example\n")
        seat.run(feed)
        tap.ok(eventually(lambda: seat.answer(ALSO_BLOCKED)[0] == "NXDOMAIN", timeout=10, interval=0.2), "a new list is in force")
        for bad, why in (("co.uk\n", "a public suffix"), ("<html>\n", "a web page")):
            (seat.folder / "new-blocklist.txt").write_text(bad)
            done = subprocess.run([operations.command, "check", "--zones", seat.folder / "new-blocklist.txt"], capture_output=True, check=False)
            tap.equal(done.returncode, 1, f"{why} is not taken for a list")

        (seat.folder / "ranking.csv").write_text("1,booking.com\n2,cooking.com\n3,cooking.example\n")
        (seat.folder / "idn-policy.conf").write_text("log lookalike booking.com ascii=safe near=1\n")
        seat.run(neighbours)
        tap.equal((seat.folder / "neighbours.new").read_text(), "cooking.com  # lookalike booking.com\n", "honest neighbours, from a ranking")

        (seat.folder / "idn-policy.conf").write_text("nxdomain zone wild.example\n")
        tap.ok(eventually(lambda: seat.answer(PLAIN)[0] == "NXDOMAIN", timeout=10, interval=0.2), "a mistake")
        starts = seat.daemon.log().count("start of service")
        seat.run(back)
        tap.ok(eventually(lambda: seat.answer(PLAIN)[0] == "NOERROR", timeout=10, interval=0.2), "is rolled back")
        tap.equal(seat.daemon.log().count("start of service"), starts, "without a reload")


def test_watch_no(operations, tap):
    """Rules are read only at a reload with watch: no."""
    with operations.world.resolver(tap, "log-to: log/idn.log\npolicy: rules\nwatch: no", check=False,
                                   prepare=lambda folder: write(folder, "log invalid\n", "rules")) as resolver:
        write(resolver.folder, "nxdomain zone казино.example\n", "rules")
        refused = eventually(lambda: resolver.exchange(ask(BLOCKED)).rcode == "NXDOMAIN", timeout=4, interval=0.2)
        tap.equal(refused, False, "four seconds after a change the old rules hold")
        resolver.reload("reload")
        tap.equal(resolver.exchange(ask(BLOCKED)).rcode, "NXDOMAIN", "after a reload the new ones do")


def test_upgrades(operations, tap):
    look, = guide.blocks("sh", "Upgrades of Unbound")
    stock, world = operations.program("unbound"), operations.world
    rows = {row[0]: re.sub(r" +", " ", row[1]) for row in guide.tables("Upgrades of Unbound")}
    with desk(operations, tap, "log invalid\n") as seat:
        seat.run(look)
        if not world.other_modules:
            tap.skip("a module of another Unbound", "only one Unbound is built here (--other-module)")
            return
        # Replaces the file as an installation does: with a new one.
        shutil.copy(world.other_modules[0], seat.folder / "idn.so.new")
        (seat.folder / "idn.so.new").rename(seat.folder / "idn.so")
        done = subprocess.run([seat.bin / "unbound-idn", "check", "--unbound-conf", seat.folder / "unbound.conf"], capture_output=True, text=True, check=False)
        tap.ok(done.returncode == 1 and "install the module that was made for it" in done.stderr + done.stdout, "check sees another build before the restart", done)
        seat.resolver.reload("reload")
        seat.answer(ALSO_BLOCKED)
        tap.ok(seat.last_line(ALSO_BLOCKED) and "made for" not in seat.daemon.log(), "a reload keeps the code that is loaded", seat.daemon.log())
        refused(tap, seat, None, rows["Unbound is another build, and the module is still the old one"])
        refused(tap, seat, [operations.environment["LD_LIBRARY_PATH"], stock], rows["Debian's own Unbound, which has no dynlib"])


def refused(tap, seat, other, row):
    """The daemon does not start, and its log has what the guide says, in its order."""
    environment, program = dict(os.environ), seat.daemon.command[0]
    if other:
        environment["LD_LIBRARY_PATH"], program = other
    done = subprocess.run([program, "-d", "-c", seat.folder / "unbound.conf"], cwd=seat.folder, env=environment, capture_output=True,
                          text=True, timeout=30, check=False)
    said = re.findall("`([^`]+)`", row)
    pattern = "[^~]*".join(".*".join(re.escape(part) for part in line.split("…")) for line in said)
    tap.ok(done.returncode == 1 and len(said) == 2 and re.search(pattern, done.stderr), f"{program}: what is seen", f"{pattern}\n{done.stderr}")
