# SPDX-License-Identifier: BSD-3-Clause
"""Every way an answer comes about gets its one line, with the rcode and the cached flag the client saw."""

import dnsname
from question import AD, CD, RD, Tcp, Udp, ask, exchange

BUECHER = "xn--bcher-kva.example."


def check(tap, resolver, question, what, *, rcode="NOERROR", cached=0, u=None, idn=None, name=None, answer=None, **how):
    """Asks, and makes one point of the answer and its line."""
    reply, line = resolver.logged(question, name=name, **how)
    got = (reply.rcode, line.client, line.type, line.cls, line.rcode, line.cached, line.u, line.idn)
    client = how.get("source") or ("::1" if how.get("ipv6") else "127.0.0.1")
    want = (rcode, client, question.type, question.cls, rcode, cached, u, idn)
    tap.equal(got, want, what)
    if answer is not None:
        tap.equal(sorted(reply.answers()), sorted(answer), f"{what}: the answer")
    return reply, line


def test_miss_and_hit(world, tap):
    with world.resolver(tap) as resolver:
        www = ask("www." + BUECHER)
        check(tap, resolver, www, "cache miss", u="www.bücher.example", answer=["192.0.2.11"])
        check(tap, resolver, www, "cache hit", cached=1, u="www.bücher.example", answer=["192.0.2.11"])
        check(tap, resolver, ask("www." + BUECHER, "AAAA"), "another type misses", u="www.bücher.example",
              answer=["2001:db8::11"])
        check(tap, resolver, ask("ascii.example"), "ASCII name", answer=["192.0.2.60"])
        check(tap, resolver, ask("ascii.example"), "ASCII name, hit", cached=1)
        check(tap, resolver, ask("r3---sn-4g5e6nzl.example"), "hyphens in places three and four are no A-label")
        check(tap, resolver, ask("_dmarc." + BUECHER, "TXT"), "underscore beside an A-label", u="_dmarc.bücher.example")
        nope = ask("xn--nave-6pa.xn--bcher-kva.example.")
        check(tap, resolver, nope, "NXDOMAIN", rcode="NXDOMAIN", u="naïve.bücher.example")
        check(tap, resolver, nope, "NXDOMAIN, hit", rcode="NXDOMAIN", cached=1, u="naïve.bücher.example")
        check(tap, resolver, ask(BUECHER, "LOC"), "NODATA", u="bücher.example", answer=[])
        check(tap, resolver, ask(BUECHER, "LOC"), "NODATA, hit", cached=1, u="bücher.example", answer=[])
        check(tap, resolver, ask(BUECHER, "TYPE65280"), "a type without a name", u="bücher.example", answer=[])
        check(tap, resolver, ask(BUECHER, "ANY"), "type ANY", u="bücher.example")
        check(tap, resolver, ask(BUECHER, edns=False), "a question without EDNS", u="bücher.example",
              answer=["192.0.2.10"])


def test_hit_with_odd_flags(world, tap):
    """On a hit Unbound hands the callback the question's own low flag bits as rcode."""
    with world.resolver(tap) as resolver:
        check(tap, resolver, ask("ascii.example"), "plain")
        check(tap, resolver, ask("ascii.example", flags=RD | 3), "low flag bits set in the question", cached=1)


def test_secure_and_bogus(world, tap):
    with world.resolver(tap) as resolver:
        for flags, dnssec, what in ((RD | AD, False, "AD asked"), (RD, True, "DO asked"),
                                    (RD | AD, False, "secure, hit")):
            reply, line = resolver.logged(ask("www." + BUECHER, flags=flags, dnssec=dnssec))
            tap.equal((reply.rcode, reply.has(AD), line.rcode), ("NOERROR", True, "NOERROR"), f"{what}: secure")
        for name, u in (("mangled.example.", None), ("xn--flschung-0za.example.", "fälschung.example")):
            check(tap, resolver, ask(name, dnssec=True), f"bogus {name}", rcode="SERVFAIL", u=u)
            check(tap, resolver, ask(name, dnssec=True), f"bogus {name} from the cache", rcode="SERVFAIL", cached=1,
                  u=u)
            check(tap, resolver, ask(name, flags=RD | CD), f"bogus {name} with CD", cached=1, u=u,
                  answer=["192.0.2.67"])
            check(tap, resolver, ask(name), f"bogus {name} again", rcode="SERVFAIL", cached=1, u=u)
        fresh = "mangled.example."
    with world.resolver(tap) as resolver:
        check(tap, resolver, ask(fresh, flags=RD | CD), "bogus with CD, fresh", answer=["192.0.2.67"])


def test_upstream_servfail(world, tap):
    with world.resolver(tap) as resolver:
        name = "servfail.xn--bcher-kva.slow.example."
        check(tap, resolver, ask(name), "SERVFAIL of the upstream", rcode="SERVFAIL", u="servfail.bücher.slow.example")
        check(tap, resolver, ask(name), "the same from the cache", rcode="SERVFAIL", cached=1,
              u="servfail.bücher.slow.example")


def test_dead_upstream(world, tap):
    """dead.example. is delegated to a server that does not listen."""
    with world.resolver(tap) as resolver:
        name = "www.xn--bcher-kva.dead.example."
        _, line = check(tap, resolver, ask(name), "SERVFAIL", rcode="SERVFAIL", u="www.bücher.dead.example")
        tap.ok(line.seconds > 0.001, "takes its time", line)
        check(tap, resolver, ask(name), "the same from the cache", rcode="SERVFAIL", cached=1,
              u="www.bücher.dead.example")


test_dead_upstream.slow = True


LOCAL = f"""\
local-data: "local.{BUECHER} 300 A 192.0.2.130"
local-zone: "xn--gesprrt-eya.example." refuse
local-zone: "xn--80aodfsg.local.example." always_nxdomain
local-zone: "nodata.local.example." always_nodata
local-zone: "deny.local.example." deny
local-zone: "xn--g1ah2bza.local.example." redirect
local-data: "xn--g1ah2bza.local.example. 300 CNAME www.{BUECHER}"
local-zone: "address.local.example." redirect
local-data: "address.local.example. 300 A 192.0.2.131"
"""


def test_local_data(world, tap):
    with world.resolver(tap, server=LOCAL) as resolver:
        for again in ("", ", again"):
            check(tap, resolver, ask("local." + BUECHER), "local-data" + again, u="local.bücher.example",
                  answer=["192.0.2.130"])
            check(tap, resolver, ask("x.xn--gesprrt-eya.example"), "local-zone refuse" + again, rcode="REFUSED",
                  u="x.gespérrt.example")
            check(tap, resolver, ask("xn--80aodfsg.local.example"), "always_nxdomain" + again, rcode="NXDOMAIN",
                  u="казино.local.example")
            check(tap, resolver, ask("nodata.local.example"), "always_nodata" + again, answer=[])
            check(tap, resolver, ask("x.address.local.example"), "redirect to an address" + again,
                  answer=["192.0.2.131"])
        check(tap, resolver, ask("localhost"), "Unbound's own localhost", answer=["127.0.0.1"])
        check(tap, resolver, ask("7.2.0.192.in-addr.arpa", "PTR"), "Unbound's own reverse zone", rcode="NXDOMAIN")


def test_denied(world, tap):
    """No reply, no line: that a later question on the same socket is answered shows that the first one was read."""
    with world.resolver(tap, server=LOCAL) as resolver:
        client = Udp(resolver.address())
        client.send(ask("deny.local.example"))
        fence = client.send(ask("local." + BUECHER))
        resolver.answered(ask("local." + BUECHER))
        tap.equal(client.receive().ident, fence, "only the second question is answered")
        client.close()


def test_aliases(world, tap):
    with world.resolver(tap, server=LOCAL) as resolver:
        for cached in (0, 1):
            # The line has the name that the client asked for, not the alias's target.
            check(tap, resolver, ask("xn--brcke-lva.example"), f"CNAME chain in the zone, cached {cached}",
                  cached=cached,
                  u="brücke.example", answer=["alias.example.", "xn--strae-oqa.example.", "192.0.2.14"])
            check(tap, resolver, ask("dangling.example"), f"CNAME to nothing, cached {cached}", rcode="NXDOMAIN",
                  cached=cached)
            check(tap, resolver, ask("a.xn--g1ah2bza.local.example"),
                  f"local-zone redirect to a CNAME, cached {cached}",
                  cached=cached, u="a.шлюз.local.example", answer=[f"www.{BUECHER}", "192.0.2.11"])


RPZ = """\
rpz:
    name: "rpz.internal."
    zonefile: "log/rpz.zone"
"""
RPZ_ZONE = f"""\
$ORIGIN rpz.internal.
@ 300 SOA ns.localhost. hostmaster.localhost. 1 7200 3600 1209600 300
@ 300 NS ns.localhost.
xn--80aodfsg.example 300 CNAME www.{BUECHER}
xn--strae-oqa.example 300 CNAME .
xn--nave-6pa.example 300 CNAME *.
xn--fa-hia.example 300 A 192.0.2.140
"""


def test_rpz(world, tap):
    """Unbound's own RPZ: the zone arrives with a file written before the daemon starts."""
    with rpz_resolver(world, tap) as resolver:
        for cached in (0, 1):
            check(tap, resolver, ask("xn--80aodfsg.example"), f"CNAME, cached {cached}", cached=cached,
                  u="казино.example", answer=[f"www.{BUECHER}", "192.0.2.11"])
            check(tap, resolver, ask("xn--strae-oqa.example"), f"NXDOMAIN, asked {cached + 1}", rcode="NXDOMAIN",
                  u="straße.example")
            check(tap, resolver, ask("xn--nave-6pa.example"), f"NODATA, asked {cached + 1}", u="naïve.example",
                  answer=[])
            check(tap, resolver, ask("xn--fa-hia.example"), f"local data, asked {cached + 1}", u="faß.example",
                  answer=["192.0.2.140"])


def rpz_resolver(world, tap):
    path = world.folder / "rpz.zone"
    path.write_text(RPZ_ZONE)
    path.chmod(0o644)
    return world.resolver(tap, modules="respip validator iterator", clauses=RPZ.replace("log/rpz.zone", str(path)))


def test_other_classes(world, tap):
    with world.resolver(tap) as resolver:
        reply, _ = check(tap, resolver, ask("version.bind", "TXT", cls="CH"), "version.bind")
        tap.ok(b"unbound" in reply.wire, "version.bind is answered", reply.wire)
        check(tap, resolver, ask("VERSION.Server", "TXT", cls="CH"), "version.server in mixed case")
        check(tap, resolver, ask("xn--bcher-kva.bind", "TXT", cls="CH"), "another CH name", rcode="REFUSED",
              u="bücher.bind")
        check(tap, resolver, ask(BUECHER, cls="HS"), "class HS", rcode="REFUSED", u="bücher.example")


def test_transports(world, tap):
    with world.resolver(tap) as resolver:
        check(tap, resolver, ask("www." + BUECHER), "TCP", transport=Tcp, u="www.bücher.example", answer=["192.0.2.11"])
        check(tap, resolver, ask("www." + BUECHER), "TCP, hit", transport=Tcp, cached=1, u="www.bücher.example")
        reply, _ = check(tap, resolver, ask("big.example", "TXT"), "too big for UDP")
        tap.ok(reply.has(0x0200), "the UDP answer is truncated")
        reply, _ = check(tap, resolver, ask("big.example", "TXT"), "and complete over TCP", transport=Tcp, cached=1)
        tap.ok(len(reply.wire) > 4000, "over 4,000 octets", len(reply.wire))
        check(tap, resolver, ask("ascii.example"), "from 127.0.0.9", source="127.0.0.9")
        if not world.ipv6:
            tap.skip("IPv6", "::1 cannot be bound on this machine")
            return
        check(tap, resolver, ask("xn--g1ah2bza.example"), "IPv6", ipv6=True, u="шлюз.example", answer=["192.0.2.20"])
        check(tap, resolver, ask("xn--g1ah2bza.example"), "IPv6, hit", ipv6=True, cached=1, u="шлюз.example")
        check(tap, resolver, ask("xn--g1ah2bza.example"), "IPv6 over TCP", ipv6=True, transport=Tcp, cached=1,
              u="шлюз.example")


def test_mixed_case(world, tap):
    with world.resolver(tap) as resolver:
        plain = dnsname.parse("www." + BUECHER)
        mixed = ask(dnsname.mixed_case(plain))
        for cached in (0, 1):
            reply, _ = check(tap, resolver, mixed, f"line in lower case, cached {cached}", cached=cached,
                             u="www.bücher.example")
            tap.equal(reply.question_octets(mixed), dnsname.wire(mixed.labels),
                      f"the client gets its own spelling back, cached {cached}")
        check(tap, resolver, ask(plain), "another spelling, hit", cached=1, u="www.bücher.example")
        check(tap, resolver, ask("XN--MNCHEN-3YA.WILD.EXAMPLE"), "A-label in capitals", u="münchen.wild.example")


def test_no_callback(world, tap):
    """Replies that Unbound refuses before it looks at the name get no line: it has no callback for these."""
    rules = ("127.0.0.0/8 allow", "127.0.0.5/32 allow_snoop", "127.0.0.6/32 refuse")
    with world.resolver(tap, server="\n".join(f"access-control: {rule}" for rule in rules)) as resolver:
        check(tap, resolver, ask("ascii.example"), "an ordinary question")
        for question, source in ((ask("ascii.example", flags=0), "127.0.0.1"), (ask("ascii.example"), "127.0.0.6")):
            reply = exchange(resolver.address(), question, source=source)
            tap.equal(reply.rcode, "REFUSED", f"refused: {source}, flags {question.flags:04x}")
        check(tap, resolver, ask("ascii.example", flags=0), "RD=0 from one who may snoop", cached=1, source="127.0.0.5")


def test_same_as_log_replies(world, tap):
    """Unbound's own log of replies is the yardstick for name, type, class, rcode and cached flag."""
    questions = ["www." + BUECHER, "www." + BUECHER, "nope.example.", "nope.example.", "mangled.example.",
                 "mangled.example.",
                 "servfail.slow.example.", "servfail.slow.example.", "local." + BUECHER,
                 "x.xn--80aodfsg.local.example.", "dangling.example."]
    with world.resolver(tap, server=LOCAL + "log-replies: yes\nlog-tag-queryreply: yes",
                        idn="log-to: log/idn.log") as resolver:
        for name in questions:
            _, line = resolver.logged(ask(name))
            wanted = f" reply: 127.0.0.1 {name} A IN "
            number = resolver.answers[name]
            theirs = resolver.daemon.stderr.wait(lambda octets: _nth(octets, wanted, number))
            if tap.ok(theirs, f"{name}: log-replies has a line", resolver.daemon.log()):
                rcode, _, cached = theirs.split()[:3]
                # To Unbound local data counts as cached; here it is what it is.
                ours = 1 if "local" in name else line.cached
                tap.equal((line.rcode, ours), (rcode, int(cached)), f"{name}, time {number}")


def _nth(octets, wanted, number):
    """The text after `wanted` in the number-th line that has it."""
    parts = octets.decode("utf-8", "replace").split(wanted)
    return len(parts) > number and "\n" in parts[number] and parts[number].split("\n")[0]
