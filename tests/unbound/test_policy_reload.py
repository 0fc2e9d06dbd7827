# SPDX-License-Identifier: BSD-3-Clause
"""Tests new rules about cached answers: once the log reports the swap, no client gets a refused one."""

import re
import time

from daemon import eventually
from harness import write_idn
from question import CD, RD, ask
from rulefile import IDN, changed, rules, swaps, write
from test_targets import METRICS

KINDS = ("SIGHUP", "reload", "reload_keep_cache")
BEFORE = "refuse name elsewhere.example\n"
RULES = """\
refuse zone blocked.wild.example
refuse name straße.example        # alias, brücke and www.brücke lead there
refuse name nowhere.example       # dangling leads there, and it does not exist
refuse names list.txt
refuse lookalike paypal.wild.example
refuse lookalike paypal.slow.example
refuse emoji
"""
LIST = "listed.wild.example\n"

# Questions before and after the swap; the answers are in the cache by then.
QUESTIONS = [
    ask("blocked.wild.example"),
    ask("BLOCKED.wild.example", "AAAA"),
    ask("blocked.wild.example", "AAAA", flags=RD | CD),  # another hash than without CD
    ask("a.blocked.wild.example", "TXT"),
    ask("listed.wild.example"),
    ask("alias.example"),
    ask("www.xn--brcke-lva.example"),
    ask("www.xn--brcke-lva.example", "AAAA", flags=RD | CD, dnssec=True),
    ask("xn--strae-oqa.example", flags=RD | CD),
    ask("dangling.example"),
    ask("x.p\u0430ypal.wild.example"),
    ask("alias-xn--pypal-4ve.slow.example"),
    ask("😀.wild.example", flags=RD | CD),
]
ALLOWED = [ask("free.wild.example"), ask("wild.wild.example", "TXT", flags=RD | CD)]


def prepare(text):
    return rules(text, list_txt=LIST)


def fill_cache(tap, resolver, title):
    for question in QUESTIONS + ALLOWED:
        rcode = resolver.exchange(question).rcode
        again = resolver.exchange(question).rcode  # from the cache
        wanted = "NXDOMAIN" if question.labels[0] == b"dangling" else "NOERROR"
        tap.equal((rcode, again), (wanted, wanted), f"{title}: {question} before")


def all_refused(tap, resolver, title):
    for _ in range(2):
        for question in QUESTIONS:
            tap.equal(resolver.exchange(question).rcode, "REFUSED", f"{title}: {question} flags {question.flags:x}")
        for question in ALLOWED:
            tap.equal(resolver.exchange(question).rcode, "NOERROR", f"{title}: {question}")


def test_reloads(world, tap):
    for kind in KINDS:
        with world.resolver(tap, f"{IDN}\nwatch: no", prepare=prepare(BEFORE), threads=2) as resolver:
            fill_cache(tap, resolver, kind)
            write(resolver.folder, RULES)
            resolver.reload(kind)
            all_refused(tap, resolver, kind)
            tap.equal(len(swaps(resolver)), 2, f"{kind}: and the log tells of it")
            resolver.reload(kind)
            tap.equal(len(swaps(resolver)), 3, f"{kind}: the rules are read at each reload")
            all_refused(tap, resolver, f"{kind} again")


def test_watched(world, tap):
    expired = "serve-expired: yes\nserve-expired-client-timeout: 0\ncache-max-ttl: 1\ncache-max-negative-ttl: 1"
    for server in ("", expired):
        with world.resolver(tap, IDN, prepare=prepare(BEFORE), threads=2, server=server) as resolver:
            title = "watched" + (", serve-expired" if server else "")
            fill_cache(tap, resolver, title)
            if server:
                served = eventually(lambda: is_expired(resolver), interval=2.5)
                tap.ok(served, f"{title}: it is answered after its time", served or
                       f"{resolver.exchange(ask('free.wild.example')).message}\n{resolver.cached('free.wild.example')}\n{resolver.control('stats_noreset')}")
            written = time.monotonic()
            tap.ok(changed(resolver, RULES), f"{title}: the log tells of the swap")
            tap.note(f"{title}: {time.monotonic() - written:.2f} s after the file was written")
            all_refused(tap, resolver, title)


def is_expired(resolver):
    """The daemon counts what it serves after its time. Call it at intervals longer than the TTL: a record may expire a second
    before its message, and a question in that second fetches both again."""
    resolver.exchange(ask("free.wild.example"))
    return re.search(r"total\.num\.expired=[1-9]", resolver.control("stats_noreset")[1])


def test_list_alone(world, tap):
    """The list is another; the rule file is not. Then the list goes, and what it held stays."""
    with world.resolver(tap, IDN, prepare=prepare(RULES), threads=2) as resolver:
        tap.equal(resolver.exchange(ask("late.wild.example")).rcode, "NOERROR", "not listed yet")
        tap.ok(changed(resolver, LIST + "late.wild.example\n", "list.txt"), "the list is another")
        tap.equal(resolver.exchange(ask("late.wild.example")).rcode, "REFUSED", "listed")
        (resolver.folder / "list.txt").unlink()
        tap.ok(eventually(lambda: len(swaps(resolver)) == 3), "the list is gone")
        tap.equal(resolver.exchange(ask("late.wild.example")).rcode, "REFUSED", "what it held stays")
        tap.ok(any("list.txt' cannot be read" in error for error in resolver.errors()), "and that is said",
               resolver.errors())


def told(resolver, what):
    return sum(what in error for error in resolver.errors())


def test_cut_list(world, tap):
    """A list whose download was cut off: what it held stays, over a reload too, until the operator says otherwise."""
    names = [f"n{number}.wild.example" for number in range(10)]
    whole, cut = ("".join(f"{name}\n" for name in part) for part in (names, names[:4]))
    text = "refuse names list.txt\n"
    with world.resolver(tap, f"{IDN}\n{METRICS}", prepare=rules(text, list_txt=whole), threads=2) as resolver:
        def refused():
            return sum(resolver.exchange(ask(name)).rcode == "REFUSED" for name in names)

        def bad_lists(count):
            return eventually(lambda: resolver.metrics().sum("policy_bad_lists") == count)

        tap.equal(refused(), 10, "the list is in force")
        (resolver.folder / "list.txt").write_text(cut)  # in its place, as a download does
        loss = "has 4 entries, but had 10: a loss of more than shrink=50%"
        tap.ok(eventually(lambda: told(resolver, loss)), "the loss is told", resolver.errors())
        tap.equal(refused(), 10, "all of it stays")
        tap.ok(bad_lists(1), "it is counted")
        for kind in KINDS:
            resolver.reload(kind)
            tap.equal(refused(), 10, f"{kind}: all of it stays")
        tap.ok(changed(resolver, text + "# a comment\n"), "the rules are read again")
        tap.equal((refused(), told(resolver, loss)), (10, 2 + len(KINDS)), "all of it stays, and each reading tells it")
        tap.ok(changed(resolver, "refuse names list.txt shrink=any\n"), "shrink=any")
        tap.equal(refused(), 4, "shrink=any: the list is taken as it is")
        tap.ok(bad_lists(0), "and no list is bad")
        tap.ok(changed(resolver, "", "list.txt"), "shrink=any: an empty list")
        tap.equal(refused(), 0, "is taken, too")


def test_mode_alone(world, tap):
    """A reload with another policy-mode, and the same rules: Unbound's log says that it took effect. The module may have looked at
    idn.conf just before, so that it reads twice."""
    def told(resolver):
        return re.findall(r" info: idn: policy: .*read in .* s(?:; )?(.*)", resolver.daemon.log())

    def enforced(resolver):
        return resolver.metrics().sum("policy_enforced")

    idn = f"{IDN}\n{METRICS}\n"
    for kind in KINDS:
        with world.resolver(tap, idn, prepare=prepare(RULES), threads=2) as resolver:
            all_refused(tap, resolver, kind)
            tap.equal(enforced(resolver), 1, f"{kind}: the metrics say enforce")
            write_idn(resolver.folder, idn + "policy-mode: log-only\n")
            resolver.reload(kind)
            tap.ok(eventually(lambda: enforced(resolver) == 0), f"{kind}: … and log-only")
            tap.equal(told(resolver)[-1], "log-only", f"{kind}: log-only is told")
            fill_cache(tap, resolver, f"{kind}: log-only")
            write_idn(resolver.folder, idn)
            resolver.reload(kind)
            tap.equal(told(resolver).count("enforce"), 1, f"{kind}: enforce is told")
            all_refused(tap, resolver, kind)
            resolver.reload(kind)
            tap.equal((told(resolver).count("enforce"), told(resolver)[-1]), (1, ""), f"{kind}: … once")


def test_broken(world, tap):
    """A typo costs a line, not the policy; and it is said once."""
    with world.resolver(tap, IDN, prepare=prepare(RULES), threads=2) as resolver:
        write(resolver.folder, "refus zone example\n")
        tap.ok(resolver.daemon.stderr.wait(lambda octets: b"rules.conf:1:1" in octets), "the mistake is reported")
        all_refused(tap, resolver, "broken")
        tap.ok(changed(resolver, RULES), "mended, it is read")
        tap.equal(sum("rules.conf:1:1" in error for error in resolver.errors()), 1, "the mistake was reported once")


def test_expired_zone(world, tap):
    """A transferred zone that has no more news: its entries go when its SOA record says so, and come back with the next serial."""
    def zone(serial):
        return f"@ SOA ns.invalid. nobody.invalid. {serial} 1 1 6 60\n*.wild.example CNAME rpz-drop.\nzoned.wild.example CNAME .\n"

    text = "rpz zone.rpz origin=rpz.example expire=yes\n"
    with world.resolver(tap, f"{IDN}\n{METRICS}", prepare=rules(text, zone_rpz=zone(1)), threads=2) as resolver:
        def rcode():
            return resolver.exchange(ask("zoned.wild.example")).rcode

        expired = "zone.rpz' has expired: it last changed at "
        tap.equal((rcode(), told(resolver, expired)), ("NXDOMAIN", 0), "the zone is in force")
        tap.ok(eventually(lambda: told(resolver, expired), timeout=20), "it expires", resolver.errors())
        tap.ok(eventually(lambda: rcode() == "NOERROR"), "none of its entries is in force")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_expired_zones") == 1), "it is counted")
        for kind in KINDS:
            resolver.reload(kind)
            tap.equal(rcode(), "NOERROR", f"{kind}: nor is any")
        time.sleep(2)
        tap.ok(told(resolver, expired) <= 1 + len(KINDS), "it is told once for each reading, not for each look")
        tap.ok(changed(resolver, zone(2), "zone.rpz"), "news")
        tap.equal(rcode(), "NXDOMAIN", "it is in force again")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_expired_zones") == 0), "and not counted any more")
