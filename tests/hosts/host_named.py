# SPDX-License-Identifier: BSD-3-Clause
"""BIND's named, by a plugin in C."""

import functools
import json
import re
import signal
import threading
import urllib.request

import dns.edns
import dns.flags

import policy
import trixie
from daemon import eventually, free_port
from encrypted import Doh, Dot, make_certificate
from harness import write_idn
from host import IDN, Host, version_of
from question import Tcp, ask, exchange
from rpz_servers import NAMED
from rulefile import write
from scenes import RULES

ZONES = """zone "example" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {nsd}; }}; }};
zone "slow.example" {{ type forward; forward only; forwarders {{ 127.0.0.1 port {upstream}; }}; }};
"""
PLUGIN = 'plugin query "{plugin}" {{ config "{config}"; library "{library}"; }};'


class Named(Host):
    name = "named"
    threads = 2
    plugin = None  # another one
    options = "servfail-ttl 0; dnssec-validation no; clients-per-query 0; max-clients-per-query 0;"
    trust = zones = ""  # more statements
    views = {"": "idn.conf"}  # idn.conf of each; "": outside of views

    @functools.cached_property
    def version(self):
        return version_of(self.run("named", "-v"))

    @property
    def knows_proxies(self):
        return self.version >= (9, 20)

    @property
    def longest(self):
        """(octets of a text, what is sent of it)."""
        return (65, "t" * 64) if self.version >= (9, 20) else (64, "")

    @property
    def waits_for_newer(self):
        """Whether stale-answer-client-timeout may be other than 0."""
        return self.version < (9, 20)

    def missing(self):
        return "" if self.built().exists() else "the plugin is not built, since bind9-dev is missing"

    def built(self):
        return self.library.parent / "named-idn.so"

    def view(self, name, config, folder, library):
        """Its zones and the plugin. A view is for the clients of its name."""
        text = ZONES.format(nsd=self.world.nsd_port, upstream=self.world.upstream.port) + self.zones
        if self.glue:
            text += PLUGIN.format(plugin=self.plugin or self.built(), config=folder / config, library=library) + "\n"
        return f'view "{name}" {{ match-clients {{ {name}; }}; {text} }};\n' if name else text

    def write(self, folder, port, library):
        views = "".join(self.view(name, config, folder, library) for name, config in self.views.items())
        (folder / "named.conf").write_text(
            NAMED.format(folder=folder, port=port, options=self.options, statements=f"{self.trust}\n{views}"))

    def configure(self, folder, port, library):
        self.write(folder, port, library)
        return [*self.program("named"), "-g", "-n", self.threads, "-c", folder / "named.conf"]

    def behind_proxy(self, proxy, port):
        self.options += f"listen-on port {port} proxy plain {{ 127.0.0.1; }}; allow-proxy {{ {proxy}; }}; allow-recursion {{ any; }};"
        return port

    def is_started(self, octets):
        return b"all zones loaded" in octets


class TrixieNamed(trixie.Trixie, Named):
    unpacked = "named-trixie"

    def missing(self):
        return super().missing() or ("" if self.built().exists() else "the plugin for Debian 13's is not built")

    def built(self):
        return self.library.parent / "named-trixie-idn.so"


HOST = Named
NONE = "nxdomain name none.example\n"
LONG = " ".join(f'"{letter * 200}"' for letter in "abcd")


def another(host, **attributes):
    other = type(host)(host.world, host.library)
    vars(other).update(attributes)
    return other


def reload(running):
    """By SIGHUP, as `rndc reload` does; returns what named has said since."""
    before = len(running.said())
    running.daemon.process.send_signal(signal.SIGHUP)
    eventually(lambda: re.search(rb"reloading configuration failed|all zones loaded", running.said()[before:]))
    return running.said()[before:].decode("utf-8", "replace")


def no_policy(text):
    return [line for line in text.splitlines() if "idn: no policy" in line]


def test_other_named(host, tap):
    """A plugin that was built for another version of BIND says so, and named does not start."""
    octets = host.built().read_bytes()
    version = re.search(rb"\0(9\.\d+\.\d+[^\0]*)\0", octets)[1]
    plugin = host.world.new_folder("other") / "idn.so"
    plugin.write_bytes(octets.replace(version, b"8" + version[1:]))
    running = another(host, plugin=plugin).launch(RULES)
    tap.ok(running.daemon.wait_exit() > 0, "named ends")
    lines = no_policy(running.said().decode())
    words = [f"built for BIND 8{version[1:].decode()}, and this is {version.decode()}"]
    tap.ok(len(lines) == 1 and words[0] in lines[0], "in one line it says why", lines)


def test_checkconf(host, tap):
    """named-checkconf loads the plugin, and writes no log."""
    for idn, words in ((IDN, None), (None, "idn.conf: No such file"), (IDN, "unknown option 'colour'")):
        folder = host.world.new_folder("checkconf")
        if idn:
            write_idn(folder, idn)
        host.write(folder, 53, host.library)
        if words and "colour" in words:
            config = folder / "named.conf"
            config.write_text(config.read_text().replace('config "', 'colour "blue"; config "'))
        status, said = host.run("named-checkconf", folder / "named.conf")
        tap.equal((status == 0, words is None or words in said), (words is None, True), f"named-checkconf: {words}: {said}")
        tap.ok(not (folder / "log").exists(), "there is no log")


def test_views(host, tap):
    """Views share a policy if they name the same idn.conf, and have their own if not."""
    host = another(host, views={"127.0.0.2": "other.conf", "127.0.0.3": "idn.conf", "any": "idn.conf"}, logs=False)

    def rcodes(running):
        return [running.exchange(ask("x.views.example"), source=f"127.0.0.{n}").rcode for n in (1, 2, 3)]

    def lists(folder):
        write_idn(folder, "policy: other-rules.conf")
        (folder / "idn.conf").rename(folder / "other.conf")
        write_idn(folder, IDN)
        write(folder, "refuse zone views.example\n", "other-rules.conf")

    host.prepare = lists
    with host.running(tap, "nodata zone views.example\n") as running:
        tap.equal(rcodes(running), ["NOERROR", "REFUSED", "NOERROR"], "each view's own")
        tap.equal(running.swaps(), 2, "two policies for three views")
        tap.ok(running.changed("nxdomain zone views.example\n"), "a swap of one")
        tap.equal(rcodes(running), ["NXDOMAIN", "REFUSED", "NXDOMAIN"], "is for its views")
        reload(running)
        tap.equal(rcodes(running), ["NXDOMAIN", "REFUSED", "NXDOMAIN"], "after a reload")
        tap.equal(running.swaps(), 3, "and it has opened nothing again")


def test_reload(host, tap):
    """A reload reads idn.conf if it has changed; a broken one leaves everything as it was. The plugin can be taken away."""
    with host.running(tap, "refuse zone wild.example\n") as running:
        def rcode():
            return running.exchange(ask("x.wild.example")).rcode

        tap.equal(rcode(), "REFUSED", "refused")
        write(running.folder, "nxdomain zone wild.example\n", "new.conf")
        write_idn(running.folder, IDN.replace("rules.conf", "new.conf"))
        reload(running)
        tap.equal(rcode(), "NXDOMAIN", "by the rules that a new idn.conf names")
        write_idn(running.folder, "no-such-key: 1")
        lines = no_policy(reload(running))
        tap.ok(len(lines) == 1 and "no-such-key" in lines[0], "a broken idn.conf: in one line it says why", lines)
        tap.equal(rcode(), "NXDOMAIN", "… and leaves what was")
        tap.ok(running.changed("nodata zone wild.example\n", "new.conf"), "… which follows its rules")
        tap.equal(rcode(), "NOERROR", "still")
        config = running.folder / "named.conf"
        text = config.read_text()
        config.write_text(re.sub("plugin query.*\n", "", text))
        reload(running)
        tap.equal(exchange(running.address(), ask("x.wild.example")).answers(), ["192.0.2.77"], "without the plugin")
        config.write_text(text)
        write_idn(running.folder, IDN)
        reload(running)
        tap.equal(rcode(), "REFUSED", "with it again")


def test_denied(host, tap):
    """Who may not ask is refused by named, whatever the policy has; there is a line, without a rule."""
    with another(host, options="allow-query { none; };").running(tap, "redirect 192.0.2.80 zone wild.example\n") as running:
        reply, line = running.logged(ask("x.wild.example"))
        tap.equal((reply.rcode, reply.answers(), line.rcode, line.policy), ("REFUSED", [], "REFUSED", None), "refused by named")


def test_errors(host, tap):
    """A failed lookup has its line, also from the SERVFAIL cache, and fails an alias that leads there."""
    rules = "cname servfail.slow.example name to-servfail.example\nlog name servfail.slow.example tag=x\n"
    with another(host, options="servfail-ttl 30; dnssec-validation no;").running(tap, rules) as running:
        for _ in range(2):
            reply, line = running.logged(ask("servfail.slow.example"))
            tap.equal((reply.rcode, line.rcode, line.policy[0]), ("SERVFAIL", "SERVFAIL", "log"), "it cannot be resolved")
            reply, line = running.logged(ask("to-servfail.example"))
            tap.equal((reply.rcode, reply.answers(), line.rcode, line.policy[0]), ("SERVFAIL", [], "SERVFAIL", "cname"), "an alias to it")
        tap.ok(running.changed("refuse name servfail.slow.example\n"), "a swap")
        tap.equal(running.exchange(ask("servfail.slow.example")).rcode, "REFUSED", "refused, whatever the SERVFAIL cache has")


def test_cached(host, tap):
    """Counts the lines that say that an answer came from the cache."""
    with host.running(tap, RULES) as running:
        for name, cached in (("plain.wild.example", [0, 1, 1]), ("hop-log.slow.example", [0, 1, 1]), ("x.refuse.wild.example", [0, 0]),
                             ("x.cname.wild.example", [0, 0])):
            tap.equal([running.logged(ask(name))[1].cached for _ in cached], cached, name)


def test_additional(host, tap):
    """Records of refused names leave the additional section, and the rest stays."""
    with host.running(tap, "refuse zone refused.slow.example\n") as running:
        for name, count in (("mx-refused.slow.example", 0), ("mx-allowed.slow.example", 1)):
            running.exchange(ask(name.removeprefix("mx-")))
            for _ in range(3):
                message = running.exchange(ask(name, "MX")).message
                tap.equal((len(message.answer), len(message.additional)), (1, count), f"{name}: its sections")


def test_long(host, tap):
    """An answer of the policy's that is too long for UDP is truncated, at the question and at an alias."""
    with host.running(tap, f"answer name long.slow.example TXT {LONG}\n") as running:
        for name in ("long.slow.example", "hop-long.slow.example"):
            reply = running.exchange(ask(name, "TXT", edns=False))
            tap.equal((reply.has(dns.flags.TC), LONG in reply.answers()), (True, False), f"{name} over UDP: truncated")
            reply = running.exchange(ask(name, "TXT", edns=False), Tcp)
            tap.equal((reply.has(dns.flags.TC), LONG in reply.answers()), (False, True), f"{name} over TCP: whole")


def test_long_text(host, tap):
    """An extended error's text of 64 octets or more is left out by BIND 9.18, which has no room for it; 9.20 cuts what is longer."""
    texts = ((63, "t" * 63), host.longest)
    rules = "".join(f'refuse name t{length}.example ede=15:"{"t" * length}"\n' for length, _ in texts)
    with host.running(tap, rules) as running:
        for length, text in texts:
            options = running.exchange(ask(f"t{length}.example")).message.options
            tap.equal([(int(o.code), o.text or "") for o in options if o.otype == dns.edns.EDE], [(15, text)], f"{length} octets")


def anchor_of(host):
    anchor = re.search(r"DS\s+(\d+ \d+ \d+) (\w+)", (host.world.zone / "example.anchor").read_text())
    return f'trust-anchors {{ "example." static-ds {anchor[1]} "{anchor[2]}"; }};'


def test_validated(host, tap):
    """named validates; no answer of the policy's has AD, and all others have."""
    host = another(host, options="dnssec-validation yes; validate-except { slow.example; };", trust=anchor_of(host))
    with host.running(tap, RULES) as running:
        for name, secure in (("ascii.example", True), ("xn--bcher-kva.example", True), ("alias.example", False),
                             ("redirect.wild.example", False), ("x.cname.wild.example", False), ("x.log.wild.example", True),
                             ("nodata.wild.example", False), ("x.refuse.wild.example", False), ("x.tcp.wild.example", False)):
            for _ in range(2):
                reply = running.exchange(ask(name, flags=dns.flags.RD | dns.flags.AD, dnssec=True))
                tap.equal(reply.has(dns.flags.AD), secure, f"{name}: AD")


def test_synthesis(host, tap):
    """Answers that named makes from validated NSEC records (synth-from-dnssec) are decided like all others, also at a swap."""
    port = free_port()
    trust = f"{anchor_of(host)} statistics-channels {{ inet 127.0.0.1 port {port} allow {{ 127.0.0.1; }}; }};"
    host = another(host, options="dnssec-validation yes; validate-except { slow.example; }; synth-from-dnssec yes;", trust=trust)

    def made():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json/v1/server") as page:
            counters = json.load(page)["nsstats"]
        return [counters.get(name, 0) for name in ("SynthNXDOMAIN", "SynthWILDCARD")]

    with host.running(tap, NONE) as running:
        for rules, nowhere, wild in ((NONE, ("NXDOMAIN", []), ("NOERROR", ["192.0.2.77"])),
                                     ("redirect 192.0.2.80 name *.nowhere.example\nrefuse zone wild.example\n",
                                      ("NOERROR", ["192.0.2.80"]), ("REFUSED", [])),
                                     (NONE, ("NXDOMAIN", []), ("NOERROR", ["192.0.2.77"]))):
            tap.ok(rules == NONE and running.swaps() == 1 or running.changed(rules), "a swap")
            before = made()
            for number in range(10):
                for name, expected in ((f"{rules[0]}{number}.nowhere.example", nowhere), (f"{rules[0]}{number}.wild.example", wild)):
                    reply = running.exchange(ask(name, dnssec=True))
                    addresses = [rdata for rdata in reply.answers() if rdata.startswith("192.")]
                    tap.equal((reply.rcode, addresses), expected, f"{rules.strip()}: {name}")
            has_made = [after - number for after, number in zip(made(), before)]
            tap.ok(min(has_made) >= 8 if rules == NONE else max(has_made) == 0, "answers that named makes, where no rule decides", has_made)


def test_other_rpz(host, tap):
    """A response policy zone of named's own decides what this policy leaves; where its aliases lead is decided."""
    zone = ("$TTL 60\n@ SOA ns.localhost. hostmaster.localhost. 1 3600 600 86400 60\n@ NS localhost.\n"
            "n1.wild.example CNAME .\nn2.wild.example CNAME refused.slow.example.\nn3.wild.example CNAME rpz-drop.\nn4.wild.example CNAME .\n")
    host = another(host, options='servfail-ttl 0; dnssec-validation no; response-policy { zone "rpz.test"; } qname-wait-recurse no;',
                   zones='zone "rpz.test" { type primary; file "rpz.zone"; };\n')
    host.prepare = lambda folder: (folder / "rpz.zone").write_text(zone)
    with host.running(tap, "refuse name refused.slow.example\nredirect 192.0.2.80 name n4.wild.example\n") as running:
        eventually(lambda: b"reload done: success" in running.said())
        for name, rcode in (("n1", "NXDOMAIN"), ("n2", "REFUSED"), ("n4", "NOERROR")):
            for _ in range(2):
                reply, line = running.logged(ask(f"{name}.wild.example"))
                tap.equal((reply.rcode, line.rcode), (rcode, rcode), name)
        tap.ok(running.is_silent(ask("n3.wild.example")), "n3: a drop of the zone's")


def test_encrypted(host, tap):
    """DNS over TLS and HTTPS: decided like TCP, and counted as what they are."""
    pem, key = make_certificate(host.world.new_folder("certificate"))
    ports = {Dot: free_port(), Doh: free_port()}
    listen = "".join(f"listen-on port {ports[kind]} tls idn {http} {{ 127.0.0.1; }}; " for kind, http in ((Dot, ""), (Doh, "http default")))
    host = another(host, trust=f'tls idn {{ cert-file "{pem}"; key-file "{key}"; }};', options=f"{host.options} {listen}")
    with host.running(tap, RULES, idn=f"{IDN}\nmetrics-file: log/idn.prom\nmetrics-interval: 1") as running:
        for kind in (Dot, Doh, Tcp):
            for name, rcode in (("x.tcp.wild.example", "NOERROR"), ("drop.wild.example", "REFUSED"), ("x.refuse.wild.example", "REFUSED")):
                reply = exchange(("127.0.0.1", ports.get(kind, running.port)), ask(name), kind)
                running.answered(ask(name))
                tap.equal((reply.rcode, reply.has(dns.flags.TC)), (rcode, False), f"{name}, {kind.__name__}")
            counted = eventually(lambda w=kind.__name__.lower(): running.metrics().sum("replies_total", transport=w) == 3)
            tap.ok(counted, f"{kind.__name__}: counted as such")


def test_dns64(host, tap):
    """An address that named makes is decided as what it is made of."""
    name = "dns64.slow.example"
    for rule, expected in (("nodata name dns64.slow.example type=A", []), ("nxdomain name other.example", ["64:ff9b::c000:2c8"])):
        with another(host, options=f"{host.options} dns64 64:ff9b::/96 {{ }};").running(tap, f"{rule}\n") as running:
            for _ in range(2):
                reply = running.exchange(ask(name, "AAAA"))
                tap.equal((reply.rcode, reply.answers()), ("NOERROR", expected), rule)
            tap.equal(running.exchange(ask(f"hop-{name}", "AAAA")).answers(), [f"{name}.", *expected], f"{rule}, by an alias")


STALE = "servfail-ttl 0; dnssec-validation no; max-cache-ttl 1; stale-cache-enable yes; stale-answer-enable yes; stale-answer-client-timeout {};"


def test_stale(host, tap):
    """Expired answers, which named gives at once and asks for again, are decided like all others."""
    names = ("stale.wild.example", "hop-stale.slow.example")
    rules = "{0} zone stale.wild.example\n{0} name stale.slow.example\n"
    with another(host, options=STALE.format(0)).running(tap, NONE) as running:
        for action, rcode in (("refuse", "REFUSED"), ("nxdomain", "NXDOMAIN"), ("cname ascii.example", "NOERROR")):
            for name in names:
                running.exchange(ask(name))
            threading.Event().wait(1.5)
            codes = [int(o.code) for name in names for o in running.exchange(ask(name)).message.options if o.otype == dns.edns.EDE]
            tap.equal(codes, [3, 3], "answers that have expired")
            tap.ok(running.changed(rules.format(action)), f"{action}: a swap")
            for name in names * 2:
                reply = running.exchange(ask(name))
                tap.equal((reply.rcode, "192.0.2.77" in reply.answers() or "192.0.2.200" in reply.answers()), (rcode, False), f"{name}: {action}")
            tap.ok(running.changed(NONE), "allowed")
            threading.Event().wait(1.2)
        tap.ok(running.changed(rules.format("drop")), "drop: a swap")
        for name in names:
            tap.ok(running.is_silent(ask(name)), f"{name}: drop")


def test_stale_timeout(host, tap):
    """A swap comes while named waits for a server, before it gives an expired answer instead."""
    if not host.waits_for_newer:
        with another(host, options=STALE.format(3000)).running(tap, NONE) as running:
            tap.ok(b"stale-answer-client-timeout, adjusted to 0" in running.said(), "it never waits, and says so")
        return
    name = "gate-timeout.slow.example"
    gate = host.world.upstream.gate("gate-timeout")
    for rule, expected in (("refuse", ("REFUSED", [])), ("redirect 192.0.2.80", ("NOERROR", ["192.0.2.80"])),
                           ("cname ascii.example", ("NOERROR", ["ascii.example."]))):
        gate.opened.set()
        with another(host, options=STALE.format(3000)).running(tap, NONE) as running:
            running.exchange(ask(name))
            threading.Event().wait(1.5)
            gate.opened.clear()
            replies = []
            client = threading.Thread(target=lambda: replies.append(running.exchange(ask(name))))
            client.start()
            tap.ok(running.changed(f"{rule} name {name}\n"), f"{rule}: a swap meanwhile")
            client.join()
            tap.equal((replies[0].rcode, replies[0].answers()), expected, rule)
            gate.opened.set()
            threading.Event().wait(0.3)
            tap.equal(running.exchange(ask("ascii.example")).rcode, "NOERROR", "named goes on")


def test_followed(host, tap):
    """Queries whose alias's target takes its time: rules are swapped, and threads have other queries, before it is there."""
    gate = host.world.upstream.gate("gate-followed")
    rules = "cname gate-followed.slow.example zone followed.example\n"
    with host.running(tap, rules) as running:
        replies = []
        clients = [threading.Thread(target=lambda n=n: replies.append(running.logged(ask(f"n{n}.followed.example")))) for n in range(8)]  # named drops more than 10
        for client in clients:
            client.start()
        gate.arrived.wait(10)
        for number in range(20):
            running.exchange(ask(f"n{number}.wild.example"))
        tap.ok(running.changed("refuse name gate-followed.slow.example\n"), "a swap meanwhile")
        gate.open()
        for client in clients:
            client.join()
        tap.equal({(tuple(reply.answers()), line.rcode, line.policy[0]) for reply, line in replies},
                  {(("gate-followed.slow.example.", "192.0.2.200"), "NOERROR", "cname")}, "each has its alias and the target")
        tap.equal(len(replies), 8, "all of them")


def test_signatures_followed(host, tap):
    """Questions for signatures, and for everything, where a rule's alias leads: named looks for all records of a name."""
    with host.running(tap, "cname www.bücher.example zone cname.example\n") as running:
        for qtype in ("RRSIG", "SIG", "ANY"):
            reply = running.exchange(ask("x.cname.example", qtype))
            tap.equal((reply.rcode, reply.answers()[:1]), ("NOERROR", ["www.xn--bcher-kva.example."]), qtype)
        tap.equal(running.exchange(ask("ascii.example")).rcode, "NOERROR", "named goes on")


def test_threads(host, tap):
    """Four threads."""
    policy.swap_under_load(another(host, threads=4), tap)


def test_trixie(host, tap):
    """Debian 13's named: everything again."""
    own = [function for name, function in globals().items() if name.startswith("test_") and name != "test_trixie"]
    trixie.again(TrixieNamed(host.world, host.library), tap, *own)
