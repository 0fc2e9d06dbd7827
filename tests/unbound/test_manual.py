# SPDX-License-Identifier: BSD-3-Clause
"""Claims of unbound-module-idn(8) that only a daemon can show: its log lines, its configuration of Unbound, which orders of
modules there are, and what a reload does."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys

from daemon import TIMEOUT, Daemon, free_port, unbound_conf
from harness import HERE
from question import ask
from rulefile import rules, write
from test_beside import ORDERS
from test_footprint import into_chroot

sys.path.append(str(HERE.parent / "command"))
import manpage  # noqa: E402

PAGE = manpage.Page(HERE.parents[1] / "doc/unbound-module-idn.8")
OWN = "nxdomain lookalike paypal.example\n"
VARIES = {"@timestamp": r"....-..-..T..:..:..\.\d{6}Z", "event.duration": r"\d+", "client.port": r"\d+", "dns.id": r"\d+"}
OURS = {"client.ip": "127.0.0.1", "policy.file": "./own.conf"}  # where the page has others


def example(beginning):
    """The log lines of the page that begin so."""
    found = [block for block in PAGE.blocks() if block.text.startswith(beginning)]
    assert found, f"{PAGE.name} has no example that begins with {beginning}"
    return [line for block in found for line in manpage.unfolded(block.text)]


def prepare(folder):
    rules(OWN)(folder)
    (folder / "rules.conf").rename(folder / "own.conf")


def seen_as(line):
    """A line with what no two runs have in common the same everywhere: client and seconds."""
    line = re.sub(r"^\S+", "CLIENT", line)
    return re.sub(r" \d+\.\d{6} ", " SECONDS ", line)


def test_text_lines(world, tap):
    lines = example("192.0.2.7 ")
    tap.equal(len(lines), 3, "the page has examples")
    with world.resolver(tap, "log-to: log/idn.log\npolicy: own.conf", prepare=prepare) as resolver:
        for line in lines:
            name, cached = line.split()[1], line.split()[6] == "1"
            for _ in range(1 + cached):
                _, got = resolver.logged(ask(name.rstrip(".")))
            text = resolver.log.target.octets.decode().splitlines()[-1].removeprefix(got.stamp)
            tap.equal(seen_as(text), seen_as(line), name)


def json_seen_as(line):
    pairs = json.loads(line, object_pairs_hook=list)
    for key, value in pairs:
        if key in VARIES:
            assert re.fullmatch(VARIES[key], str(value)), (key, value)
    return [(key, "…" if key in VARIES else OURS.get(key, value)) for key, value in pairs]


def test_json_line(world, tap):
    lines = example("{")
    tap.equal(len(lines), 1, "the page has an example")
    with world.resolver(tap, "log: json\nlog-to: log/idn.log\npolicy: own.conf", prepare=prepare) as resolver:
        resolver.logged(ask("xn--pypal-4ve.example"))
        text = resolver.log.target.octets.decode().splitlines()[-1]
        tap.equal(json_seen_as(text), json_seen_as(lines[0]), "as it is written")
        tap.note(text)


# ---- loading -----------------------------------------------------------------------------------------------------------


def checkconf(world, path):
    done = subprocess.run([world.unbound / "sbin/unbound-checkconf", path], capture_output=True, text=True, timeout=TIMEOUT)
    return done.returncode, done.stderr


def of_unbound():
    return [block for block in PAGE.blocks() if block.text.startswith("server:")]


def test_unbound_conf(world, tap):
    """The lines for unbound.conf, with paths in the test's folder: Unbound takes them and logs."""
    tap.equal(len(of_unbound()), 1, "the page has an example")
    for block in of_unbound():
        folder = world.new_folder("manual")
        port = free_port()
        shutil.copy(world.module, folder / "idn.so")
        (folder / "idn.conf").write_text("idn:\n")
        text = re.sub(r'"/(usr/lib|etc)/unbound/', f'"{folder}/', block.text)
        path = unbound_conf(folder, port, "iterator")
        path.write_text(path.read_text().replace('    module-config: "iterator"\n', "") + text)
        tap.equal(checkconf(world, path), (0, ""), f"{block.name}: unbound-checkconf")
        daemon = Daemon([world.unbound / "sbin/unbound", "-d", "-c", path], folder)
        daemon.wait_started(b"start of service")
        tap.ok("init module 0: dynlib" in daemon.log(), f"{block.name}: Unbound takes it", daemon.log())
        tap.equal(daemon.stop(), 0, f"{block.name}: and stops")


def test_orders(world, tap):
    """The page has the orders that test_beside.py asks, and unbound-checkconf knows each."""
    listed = [block.text.splitlines() for block in PAGE.blocks() if block.title == "LOADING/The order of modules"]
    tap.equal(sorted(["iterator", *sum(listed, [])]), sorted(ORDERS), "those that are tested")
    for order in sum(listed, []):
        if world.lacks(tap, order):
            continue
        folder = world.new_folder("order")
        path = unbound_conf(folder, free_port(), f"dynlib {order}", clauses='dynlib:\n    dynlib-file: "idn.so"\n')
        tap.equal(checkconf(world, path), (0, ""), f"dynlib {order}")


# ---- a reload ----------------------------------------------------------------------------------------------------------


def reload_ends(resolver):
    """Reloads; True: the daemon ended itself."""
    starts = resolver.daemon.stderr.octets.count(b"start of service")
    resolver.daemon.process.send_signal(signal.SIGHUP)
    resolver.daemon.stderr.wait(lambda octets: octets.count(b"start of service") > starts or b"fatal error" in octets)
    return b"fatal error" in resolver.daemon.stderr.octets


def test_module_file(world, tap):
    """A reload continues with the code that is loaded, even if the file has changed or gone."""
    def gone(file):
        file.unlink()

    def rubbish(file):
        file.unlink()
        file.write_text("rubbish")

    def other(file):
        file.unlink()
        shutil.copy(world.other_modules[0], file)

    for change in gone, rubbish, *([other] if world.other_modules else []):
        with world.resolver(tap, "log: text") as resolver:
            resolver.logged(ask("xn--bcher-kva.example"))
            change(resolver.folder / "idn.so")
            tap.equal(reload_ends(resolver), False, f"{change.__name__}: the daemon goes on")
            _, line = resolver.logged(ask("xn--bcher-kva.example"))
            tap.equal(line.u, "bücher.example", f"{change.__name__}: and logs")


def test_other_module_file(world, tap):
    """Under another name it is loaded, and a module that is not there ends Unbound."""
    folder = world.new_folder("elsewhere")
    port = free_port()
    world.configure(folder, port, "log: text", world.module, 1, "validator iterator", "", "")
    daemon = world.start(folder)
    daemon.wait_started(b"start of service")
    conf = folder / "unbound.conf"
    conf.write_text(conf.read_text().replace('"./idn.so"', '"./gone.so"'))
    daemon.process.send_signal(signal.SIGHUP)
    tap.ok(daemon.wait_exit() > 0, "the daemon ends", daemon.log())
    tap.ok("unable to load dynamic library" in daemon.log(), "and says why", daemon.log())


def test_cache_size(world, tap):
    """A reload that changes it begins with an empty cache, where the cache would be kept; the policy goes on."""
    for size in "4m", "8m":
        with world.resolver(tap, "policy: rules.conf", threads=2, server="msg-cache-size: 4m",
                            prepare=rules("nxdomain zone nx.wild.example\n")) as resolver:
            for _ in range(2):
                _, line = resolver.logged(ask("a.wild.example"))
            tap.equal(line.cached, 1, f"{size}: cached before")
            conf = resolver.folder / "unbound.conf"
            conf.write_text(conf.read_text().replace("msg-cache-size: 4m", f"msg-cache-size: {size}"))
            write(resolver.folder, "nxdomain zone nx.wild.example\nnxdomain name b.wild.example\n")
            resolver.reload("reload_keep_cache")
            _, line = resolver.logged(ask("a.wild.example"))
            tap.equal(line.cached, int(size == "4m"), f"{size}: cached after")
            for name in "nx.wild.example", "b.wild.example":
                tap.equal(resolver.logged(ask(name))[0].rcode, "NXDOMAIN", f"{size}: {name}")


# ---- a chroot ----------------------------------------------------------------------------------------------------------


def test_standard_output_in_a_chroot(world, tap):
    """/dev and /proc are not there."""
    if os.geteuid() != 0:
        tap.skip("a chroot", "needs root")
        return
    for target in "/dev/stdout", "/dev/stderr":
        with world.resolver(tap, f"log-to: {target}", prepare=lambda folder: into_chroot(world, folder)) as resolver:
            _, line = resolver.logged(ask("xn--bcher-kva.example"))
            tap.equal(line.u, "bücher.example", f"{target}: it logs")
            inside = {path.name for path in resolver.folder.iterdir()}
            tap.equal(inside & {"dev", "proc", "etc"}, set(), f"{target}: with nothing of the system but libraries")
