# SPDX-License-Identifier: BSD-3-Clause
"""A compiled policy in a resolver: it decides and is logged as its rules are, is exchanged under load, and a damaged one
changes nothing."""

import re
import subprocess

from daemon import eventually
from question import ask
from rulefile import IDN, swaps, write
from test_loading import starts_not
from test_policy_swap import HARMLESS, QUIET, swap_under_load

LINE = "compiled policy.bin\n"


def compiled(world, folder, text, output="policy.bin", **lists):
    """Compiles rules in the daemon's folder, to a file that the daemon may read."""
    write(folder, text, "source.conf")
    for name, content in lists.items():
        write(folder, content, name.replace("_", "."))
    subprocess.run([world.command, "compile", "source.conf", "-o", output], cwd=folder, check=True, timeout=60)
    (folder / output).chmod(0o644)


def prepared(world, text, **lists):
    def prepare(folder):
        compiled(world, folder, text, **lists)
        write(folder, LINE)
    return prepare


def swapped(world, resolver, text):
    """Compiles other rules, and waits until the watcher has told of the swap."""
    before = len(swaps(resolver))
    compiled(world, resolver.folder, text)
    return eventually(lambda: len(swaps(resolver)) > before)


def spoil(path):
    """A bit in the middle of a file, which is replaced."""
    octets = bytearray(path.read_bytes())
    octets[len(octets) // 2] ^= 1
    new = path.with_suffix(".new")
    new.write_bytes(octets)
    new.chmod(0o644)
    new.rename(path)


def test_decides(world, tap):
    text = "refuse zones list.txt\nredirect 192.0.2.80 name straße.example\nnxdomain lookalike paypal.com\n" \
        "log zone wild.example tag=seen\npassthru name good.listed.example\n"
    prepare = prepared(world, text, list_txt="listed.example\n")
    with world.resolver(tap, QUIET, prepare=prepare) as resolver:
        tap.ok(re.search(r"policy: 5 rules, 5 names, 0\.0 MB, read in", swaps(resolver)[0]), "it is told", swaps(resolver))
        for name, rcode, said in (
                ("www.listed.example", "REFUSED", 'policy=refuse rule=source.conf:1 match="zones listed.example"'),
                ("xn--strae-oqa.example", "NOERROR", 'rule=source.conf:2'),
                ("xn--pypal-4ve.com", "NXDOMAIN", 'rule=source.conf:3 match="lookalike paypal.com" key=exact'),
                ("a.wild.example", "NOERROR", "tags=seen")):
            reply = resolver.exchange(ask(name))
            tap.equal(reply.rcode, rcode, name)
            tap.ok(eventually(lambda text=said: text in resolver.log.target.octets.decode()), f"{name}: {said}",
                   resolver.log.target.octets.decode())
        replies = "rule_replies_total"
        tap.ok(eventually(lambda: resolver.metrics().sum(replies, action="refuse", line="1") == 1), "its rules are counted")
        (resolver.folder / "source.conf").rename(resolver.folder / "rules.conf")
        tap.ok(eventually(lambda: len(swaps(resolver)) == 2), "the rules themselves take its place")
        tap.equal(resolver.exchange(ask("b.listed.example")).rcode, "REFUSED", "and decide the same")


def test_swap_under_load(world, tap):
    """None is lost, each answer is right."""
    with world.resolver(tap, QUIET, threads=2, prepare=prepared(world, HARMLESS), check=False) as resolver:
        swap_under_load(tap, resolver, lambda text: swapped(world, resolver, text))
        tap.equal(resolver.metrics().sum("cache_leaked_total"), 0, "none leaked")


def test_damaged(world, tap):
    """At a start it stops the daemon; at a reload, or while it is watched, one line is said and the last one stays."""
    def damaged(folder):
        prepared(world, "nxdomain name victim.wild.example\n")(folder)
        spoil(folder / "policy.bin")

    said = r" error: idn: \./rules\.conf:1:10: '\./policy\.bin' is damaged: its checksum does not match: "
    log = starts_not(world, tap, "a damaged one", IDN, world.module, said, damaged)
    tap.equal(len(re.findall(r" error: idn: .*policy\.bin", log)), 1, "one line")
    prepare = prepared(world, "nxdomain name victim.wild.example\n")
    with world.resolver(tap, QUIET, prepare=prepare, check=False) as resolver:
        spoil(resolver.folder / "policy.bin")
        tap.ok(eventually(lambda: len(resolver.errors()) == 2), "watched: it is said, and what stays in force", resolver.errors())
        tap.ok(re.search(said, resolver.daemon.log()), "… what is wrong", resolver.errors())
        tap.equal(resolver.exchange(ask("victim.wild.example")).rcode, "NXDOMAIN", "the last one stays in force")
        for kind in "reload", "SIGHUP":
            resolver.reload(kind)
            tap.equal(resolver.exchange(ask("victim.wild.example")).rcode, "NXDOMAIN", f"{kind}: it stays in force")
        tap.equal(len(swaps(resolver)), 1, "no swap")
        (resolver.folder / "policy.bin").unlink()
        tap.ok(eventually(lambda: any("cannot be read: No such file" in error for error in resolver.errors())), "gone: it is said")
        tap.equal(resolver.exchange(ask("victim.wild.example")).rcode, "NXDOMAIN", "gone: it stays in force")
        tap.ok(swapped(world, resolver, "nxdomain name other.wild.example\n"), "a good one is taken")
        tap.equal([resolver.exchange(ask(f"{name}.wild.example")).rcode for name in ("victim", "other")], ["NOERROR", "NXDOMAIN"],
                  "and decides")


def test_sources(world, tap):
    """The log says from which files a policy was compiled, and when. The command finds out whether they have changed; the daemon opens no path that
    the file names is opened."""
    def changed_since(folder):
        prepared(world, "nxdomain names list.txt\n", list_txt="victim.wild.example\n")(folder)
        write(folder, "victim.wild.example\nother.wild.example\n", "list.txt")

    with world.resolver(tap, QUIET, prepare=changed_since) as resolver:
        told = r" info: idn: compiled policy: '\./policy\.bin', made 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC from 2 files, the first of them 'source\.conf'\n"
        tap.equal(len(re.findall(told, resolver.daemon.log())), 1, "it is said, once")
        tap.equal([resolver.exchange(ask(f"{name}.wild.example")).rcode for name in ("victim", "other")], ["NXDOMAIN", "NOERROR"],
                  "what was compiled is in force")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_rules") == 1), "there are metrics", resolver.metrics())
        tap.equal(resolver.metrics().sum("policy_bad_lists"), 0, "no list is bad")
        compiled(world, resolver.folder, "nxdomain names list.txt\nlog name a.example\n")
        tap.ok(eventually(lambda: len(re.findall(told, resolver.daemon.log())) == 2), "and of the next one", resolver.daemon.log())


def test_not_alone(world, tap):
    prepare = prepared(world, HARMLESS)

    def more(folder):
        prepare(folder)
        write(folder, LINE + "passthru name wild.example\n")

    starts_not(world, tap, "a rule beside it", IDN, world.module,
               r"rules\.conf:1:1: 'compiled' goes with no other rule", more)


def test_writable(world, tap):
    """Who else may write to it is said, as of a rule file."""
    def open_to_all(folder):
        prepared(world, HARMLESS)(folder)
        (folder / "policy.bin").chmod(0o666)

    with world.resolver(tap, QUIET, prepare=open_to_all, check=False) as resolver:
        tap.ok("policy.bin: everyone may write to this file" in resolver.daemon.log(), "it is said", resolver.daemon.log())
