# SPDX-License-Identifier: BSD-3-Clause
"""The keys of idn.conf: where lines go, and what they show."""

import datetime
import os
import stat

from question import ask
from test_answers import check

BUECHER = "xn--bcher-kva.example."
EMOJI = "xn--e28h.example."
HEART = "xn--i-7iq.example."
PAYPAL = "xn--pypal-4ve.example."
HEBREW = "xn--8db5ai.example."
PERSIAN = "xn--mgba3gch31f060k.example."


def test_defaults(world, tap):
    """Without any key: text, to Unbound's log, all names, both forms, the full client."""
    with world.resolver(tap) as resolver:
        check(tap, resolver, ask(BUECHER), "an IDN", u="bücher.example")
        check(tap, resolver, ask("ascii.example"), "an ASCII name is logged too")
        check(tap, resolver, ask(EMOJI), "an emoji is escaped", u="\\u{1F600}.example", idn="restricted(1:emoji)")
        check(tap, resolver, ask(HEART), "so is a symbol", u="i\\u{2764}.example", idn="restricted(1:emoji)")
        check(tap, resolver, ask(PAYPAL), "mixed scripts", u="p\\u{430}ypal.example", idn="restricted(1:script-mix)")
        check(tap, resolver, ask(HEBREW), "right to left", u="קפה.example")
        check(tap, resolver, ask(PERSIAN), "a joiner is written out", u="نامه\\u{200C}ای.example")
        check(tap, resolver, ask("a.xn--31m-dda.b." + BUECHER), "an invalid label stays as it is beside a good one",
              rcode="NXDOMAIN",
              u="a.xn--31m-dda.b.bücher.example", idn="invalid(2:disallowed)")
        check(tap, resolver, ask("xn--31m-dda.example"), "and alone there is nothing to show", rcode="NXDOMAIN",
              idn="invalid(1:disallowed)")


def test_log_to_unbound(world, tap):
    with world.resolver(tap, "log: text\nlog-to: unbound") as resolver:
        _, line = check(tap, resolver, ask(BUECHER), "a line", u="bücher.example")
        tap.ok(line.stamp.startswith("[") and line.stamp.endswith("info: "), "behind Unbound's own prefix", line.stamp)
        tap.ok(f"unbound[{resolver.daemon.pid}:" in line.stamp, "with its pid", line.stamp)


def test_log_to_file(world, tap):
    with world.resolver(tap, 'log-to: "log/idn.log"') as resolver:
        before = datetime.datetime.now(datetime.timezone.utc)
        _, line = check(tap, resolver, ask(BUECHER), "a line", u="bücher.example")
        stamp = datetime.datetime.strptime(line.stamp.strip(),
                                           "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=datetime.timezone.utc)
        late = abs((stamp - before).total_seconds())
        tap.ok(late < 30, "at the time of the answer, in UTC", f"{stamp} {before}")
        for number in range(20):
            check(tap, resolver, ask(f"n{number}.wild.example"), f"line {number}")
        mode = stat.S_IMODE(os.stat(resolver.log.target.path).st_mode)
        tap.equal(oct(mode), oct(0o640), "the file's mode")
        tap.ok(b"bcher" not in resolver.daemon.stderr.octets, "nothing of it in Unbound's log")


def test_log_to_standard_output(world, tap):
    for target in ("/dev/stdout", "/dev/stderr"):
        with world.resolver(tap, f"log-to: {target}") as resolver:
            _, line = check(tap, resolver, ask(BUECHER), target, u="bücher.example")
            tap.ok(line.stamp.endswith("Z "), "with a time, as in a file", line.stamp)


def test_log_none(world, tap):
    with world.resolver(tap, "log: none", check=False) as resolver:
        for name in (BUECHER, BUECHER, "nope." + BUECHER):
            resolver.exchange(ask(name))
    tap.equal(resolver.log.lines(), [], "no line at all")


def test_log_names_idn(world, tap):
    """Only names with at least one A-label; a valid one or not."""
    with world.resolver(tap, "log-names: idn", check=False) as resolver:
        for name in ("ascii.example", "r3---sn-4g5e6nzl.example", "mail.example", "xn-.wild.example"):
            resolver.exchange(ask(name))
        check(tap, resolver, ask(BUECHER), "an IDN", u="bücher.example")
        check(tap, resolver, ask("a.b.c.xn--31m-dda.wild.example"), "a broken A-label counts",
              idn="invalid(4:disallowed)")
        check(tap, resolver, ask("www.XN--g1ah2bza.wild.example"), "one in capitals too", u="www.шлюз.wild.example")
    tap.equal(len(resolver.log.lines()), 3, "nothing else")


def test_log_name_ascii(world, tap):
    with world.resolver(tap, "log-name: ascii", check=False) as resolver:
        check(tap, resolver, ask(BUECHER), "no Unicode anywhere")
        check(tap, resolver, ask(PAYPAL), "a finding stays", idn="restricted(1:script-mix)")
    tap.ok(resolver.log.target.octets.isascii(), "nothing but ASCII in the log")


def test_log_client(world, tap):
    sources = [("full", "127.0.0.77", "127.0.0.77", "::1"), ("prefix", "127.0.3.77", "127.0.3.0/24", "::/56"),
               ("none", "127.0.0.77", "-", "-")]
    for value, source, shown4, shown6 in sources:
        with world.resolver(tap, f"log-client: {value}") as resolver:
            _, line = resolver.logged(ask(BUECHER), source=source)
            tap.equal(line.client, shown4, f"log-client {value}, IPv4")
            if world.ipv6:
                _, line = resolver.logged(ask(BUECHER), ipv6=True)
                tap.equal(line.client, shown6, f"log-client {value}, IPv6")
            else:
                tap.skip(f"log-client {value}, IPv6", "::1 cannot be bound on this machine")


def test_show_emoji(world, tap):
    with world.resolver(tap, "show-emoji: yes") as resolver:
        check(tap, resolver, ask(EMOJI), "an emoji as it is", u="😀.example")
        check(tap, resolver, ask(HEART), "a symbol as it is", u="i❤.example")
        check(tap, resolver, ask(PAYPAL), "mixed scripts are escaped all the same", u="p\\u{430}ypal.example",
              idn="restricted(1:script-mix)")
        slash = ask("xn--bankevil-1f7d.wild.example")  # U+2215, a slash in all but name
        _, line = resolver.logged(slash)
        tap.equal(line.u, "bank\\u{2215}evil.wild.example", "what passes for punctuation is no emoji")
