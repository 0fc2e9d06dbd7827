# SPDX-License-Identifier: BSD-3-Clause
"""dnsdist, with its packet cache, in front of an Unbound without the module."""

import copy
import socket
import struct
import threading
import time

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype

import dnsname
import guide
import policy
import suites
from daemon import Daemon, eventually, free_port, nsd
from host import GLUE, Host
from question import Tcp, ask
from rpz_servers import NAMED_FORWARDS
from scenes import SCENES

# With several listeners, dnsdist 1.7.3 sometimes counts too many queued TCP connections and drops one, unless there is no limit.
CONF = """\
setMaxTCPQueuedConnections(0)
setMaxTCPClientThreads({tcp})
setLocal('127.0.0.1:{port}', {{ reusePort = true }})
{more}
setACL('127.0.0.0/8')
newServer({{address = '127.0.0.1:{backend}', healthCheckMode = 'up'}})
getPool(''):setCache(newPacketCache(10000))
{early}
{policy}
{rules}
print('the configuration is read')
"""
POLICY = "dofile('{glue}/dnsdist.lua') {{ config = '{folder}/idn.conf', library = '{library}' }}"

NO_LOOKUP = "dnsdist cannot look up the target of an alias: the alias comes alone"


def aliases_alone():
    for scene in SCENES:
        if scene.action == "cname":
            last = max(n for n, record in enumerate(scene.answer) if record.startswith("CNAME "))
            yield scene.title, (NO_LOOKUP, {"rcode": "NOERROR", "answer": scene.answer[: last + 1]})


class Dnsdist(Host):
    name = "dnsdist"
    knows_messages = True
    ends_at_once = True
    threads = 2
    tcp_threads = 1
    asks = None  # the port of its backend, if that is not backend()
    early = rules = ""  # more lines of its configuration, before the policy and after it
    differences = dict(aliases_alone())
    upstream_errors = ((), (6,))  # it passes on the backend's extended error

    def configure(self, folder, port, library):
        config = folder / "dnsdist.conf"
        config.write_text(CONF.format(
            port=port, tcp=self.tcp_threads, backend=self.asks or self.backend(), early=self.early, rules=self.rules, more=f"addLocal('127.0.0.1:{port}', {{ reusePort = true }})\n" * (self.threads - 1),
            policy=POLICY.format(glue=GLUE, folder=folder, library=library) if self.glue else ""))
        return [*self.program("dnsdist"), "--supervised", "--disable-syslog", "-C", config]

    def behind_proxy(self, proxy, port):
        self.early += f"setProxyProtocolACL({{'{proxy}'}})\n"

    def is_started(self, octets):
        return b"the configuration is read" in octets


HOST = Dnsdist
LONG = " ".join(f'"{letter * 200}"' for letter in "abcd")


def another(host, **attributes):
    other = copy.copy(host)
    vars(other).update(attributes)
    return other


def test_packet_cache(host, tap):
    """The packet cache stores an answer only if no rule matches its aliases and the policy has not made it."""
    rules = "nxdomain zone refused.slow.example\nlog zone logged.slow.example tag=x\nlog name x.wild.example tag=y\npassthru name a.wild.example\n"
    with host.running(tap, rules) as running:
        for name, cached, action in (("plain.wild.example", [0, 1, 1], None), ("x.wild.example", [0, 1, 1], "log"),
                                     ("a.wild.example", [0, 1, 1], "passthru"),
                                     ("hop-logged.slow.example", [0, 0, 0], "log"), ("hop-refused.slow.example", [0, 0, 0], "nxdomain")):
            lines = [running.logged(ask(name))[1] for _ in range(3)]
            tap.equal([line.cached for line in lines], cached, f"{name}: from the cache")
            tap.equal([line.policy and line.policy[0] for line in lines], [action] * 3, f"{name}: the rule")
        tap.ok(running.changed("nxdomain name none.example\n"), "a swap")
        tap.equal(running.exchange(ask("hop-refused.slow.example")).rcode, "NOERROR", "allowed by a swap: the policy's old answer is not cached")


def test_few_lines(host, tap):
    """Only the replies that idn.conf selects have a line, cached or not."""
    rules = "log zone logged.wild.example tag=x\nrefuse name refused.wild.example\n"
    for names, wanted in (("policy", ("refused", "x.logged")), ("idn", ("xn--bcher-kva",))):
        with host.running(tap, rules, f"policy: rules.conf\nlog-to: log/idn.log\nlog-names: {names}\n", check=False) as running:
            for label in ("plain", "x.logged", "refused", "xn--bcher-kva"):
                for _ in range(3):
                    running.exchange(ask(f"{label}.wild.example"))
            wanted = [f"{label}.wild.example." for label in wanted for _ in range(3)]
            eventually(lambda count=len(wanted): len(running.log.lines()) >= count, timeout=5)
            tap.equal(sorted(line.name for line in running.log.lines()), wanted, f"log-names: {names}")


def test_unknown_cache(host, tap):
    """Answers from a packet cache of another pool, made before the script was read, are decided each time."""
    early = f"newServer({{address = '127.0.0.1:{host.backend()}', pool = 'own', healthCheckMode = 'up'}})\n" \
            "getPool('own'):setCache(newPacketCache(10000))\n"
    own = another(host, early=early, rules="addAction(AllRule(), PoolAction('own'))")
    policy.test_swap_aliases(own, tap)
    suites.again(another(suites.of("trixie", Dnsdist)(host.world, host.library), early=early, rules=own.rules), tap, tests=[policy.test_swap_aliases])
    with own.running(tap, policy.NONE) as running:
        running.exchange(ask("ascii.example"))
        tap.ok(eventually(lambda: b"a packet cache was made before" in running.said()), "it logs a warning")
        tap.equal([running.logged(ask("ascii.example"))[1].cached for _ in range(2)], [1, 1], "one line for each cached answer")


def test_additional(host, tap):
    """Also, a record in the answer to which nothing leads is not passed on."""
    host = another(host, asks=host.world.upstream.port)
    policy.additional(host, tap)
    with host.running(tap, "refuse zone refused.slow.example\n") as running:
        for name, rcode in (("stray-refused.slow.example", "SERVFAIL"), ("stray-allowed.slow.example", "NOERROR")):
            for _ in range(3):
                tap.equal(running.exchange(ask(name)).rcode, rcode, name)


def test_transfer(host, tap):
    """Passes a zone transfer (RFC 5936) of several messages unchanged, with refused names in it. Refuses one of a refused zone."""
    names = ["x.refused", "refused", *(f"host-{n}" for n in range(3000))]
    folder = host.world.new_folder("primary")
    (folder / "zone").write_text("$ORIGIN zone.example.\n$TTL 60\n@ SOA ns.invalid. nobody.invalid. 1 3600 600 86400 60\n@ NS ns.invalid.\n" +
                                 "".join(f"{name} A 192.0.2.1\n" for name in names))
    primary, port = nsd(host.world.peers, folder, "zone.example", "zone", "    provide-xfr: 127.0.0.0/8 NOKEY\n")
    try:
        for rules, count in ("refuse zone refused.zone.example\n", len(names) + 3), ("refuse zone zone.example\n", 0):
            with another(host, asks=port).running(tap, rules, check=False) as running:
                client = Tcp(running.address())
                client.send(ask("zone.example", "AXFR"))
                records, soas = 0, 0
                while soas < 2:
                    message = client.receive().message
                    if message.rcode() != dns.rcode.NOERROR:
                        break
                    records += sum(len(rrset) for rrset in message.answer)
                    soas += sum(len(rrset) for rrset in message.answer if rrset.rdtype == dns.rdatatype.SOA)
                client.close()
                tap.equal(records, count, f"its records: {rules.strip()}")
    finally:
        primary.stop()


def test_long(host, tap):
    """Truncates an answer of the policy that is too long for UDP, at the question and at an alias."""
    rules = f"answer name long.slow.example TXT {LONG}\n"
    with host.running(tap, rules) as running:
        for name in ("long.slow.example", "hop-long.slow.example"):
            reply = running.exchange(ask(name, "TXT", edns=False))
            tap.equal((reply.has(dns.flags.TC), reply.answers()), (True, []), f"{name} over UDP: truncated")
            reply = running.exchange(ask(name, "TXT", edns=False), Tcp)
            tap.equal((reply.has(dns.flags.TC), LONG in reply.answers()), (False, True), f"{name} over TCP: whole")
        reply = running.exchange(ask("long.slow.example", "TXT"))
        tap.equal(reply.answers(), [LONG], "long.slow.example over UDP with EDNS: whole")


def test_own_rules(host, tap):
    """Logs answers by dnsdist's other rules, and decides before they do."""
    spoof = "addAction({'spoofed.example.', 'refused.example.'}, SpoofAction('192.0.2.99'))"
    with another(host, rules=spoof).running(tap, "refuse name refused.example\n") as running:
        reply, line = running.logged(ask("spoofed.example"))
        tap.equal((reply.answers(), line.rcode, line.policy), (["192.0.2.99"], "NOERROR", None), "answered by dnsdist's rule")
        reply, line = running.logged(ask("refused.example"))
        tap.equal((reply.rcode, line.rcode, line.policy[0]), ("REFUSED", "REFUSED", "refuse"), "refused")


def test_foreign_tag(host, tap):
    """Does not take a tag of the same name, set by a rule before or after the script, for an answer of the policy."""
    tag = "addAction(AllRule(), SetTagAction('idn', '1 12'))\n"
    spoof = "addAction('spoofed.example.', SpoofAction('192.0.2.99'))"
    for rules in {"early": tag, "rules": spoof}, {"rules": tag + spoof}:
        with another(host, **rules).running(tap, "refuse name refused.example\n") as running:
            for name, wanted in (("spoofed.example", ("NOERROR", ["192.0.2.99"])), ("refused.example", ("REFUSED", [])),
                                 ("ascii.example", ("NOERROR", ["192.0.2.60"]))):
                reply = running.exchange(ask(name))
                tap.equal((reply.rcode, reply.answers()), wanted, f"{name}: {', '.join(rules)}")


class Careless:
    """A server that answers every question with one record, whose octets after the owner are given. `opcode`: the answers'; None: the
    question's. `counts`: of the sections. Questions for names with the label `bare` get SERVFAIL without a question, and `bare` records
    of refused.example."""

    def __init__(self, record, opcode=None, counts=(1, 0, 0), bare=1):
        self.record, self.opcode, self.counts, self.bare = record, opcode, counts, bare
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def answer(self, query):
        first = query[2] if self.opcode is None else query[2] & 0x87 | self.opcode << 3
        if b"\4bare" in query:
            records = (dnsname.wire(dnsname.parse("refused.example")) + self.record) * self.bare
            return query[:2] + bytes([first | 0x80, 0x82]) + struct.pack("!4H", 0, self.bare, 0, 0) + records
        head = query[:2] + bytes([first | 0x80, 0x80]) + struct.pack("!4H", 1, *self.counts)
        return head + query[12 : query.index(b"\0", 12) + 5] + b"\xc0\x0c" + self.record

    def serve(self):
        while True:
            query, client = self.socket.recvfrom(4096)
            self.socket.sendto(self.answer(query), client)


def test_malformed(host, tap):
    """Answers SERVFAIL instead of passing on an answer that cannot be read."""
    cut_off = struct.pack("!HHIH", 5, 1, 300, 9) + b"\xc0"
    address = struct.pack("!HHIH4B", 1, 1, 300, 4, 192, 0, 2, 66)
    for title, server in (("a record that is cut off", Careless(cut_off)), ("another opcode", Careless(address, opcode=2)),
                          ("too few authority records", Careless(address, counts=(0, 2, 0))),
                          ("too few additional records", Careless(address, counts=(0, 0, 2)))):
        with another(host, asks=server.port).running(tap, "refuse name refused.example\n") as running:
            for _ in range(2):
                reply, line = running.logged(ask("ascii.example"))
                records = reply.message.answer + reply.message.authority + reply.message.additional
                tap.equal((reply.rcode, records, line.rcode), ("SERVFAIL", [], "SERVFAIL"), f"{title}: SERVFAIL, and no records")


def test_no_question(host, tap):
    """Passes no record of an answer without a question, for a short name and a long one, with few records and many."""
    address = struct.pack("!HHIH4B", 1, 1, 300, 4, 192, 0, 2, 66)
    for bare in 1, 8:
        with another(host, asks=Careless(address, bare=bare).port).running(tap, "refuse name refused.example\n") as running:
            for name in "bare.example", f"bare.{'x' * 60}.{'y' * 60}.example":
                reply, line = running.logged(ask(name, edns=False))
                tap.equal((reply.rcode, line.rcode, address[-4:] in reply.wire), ("SERVFAIL", "SERVFAIL", False), f"{bare} records: {name}")


def test_opcodes(host, tap):
    """Passes no answer about a refused name to a message that is not an ordinary query."""
    asks = Careless(struct.pack("!HHIH4B", 1, 1, 300, 4, 192, 0, 2, 66)).port
    with another(host, asks=asks).running(tap, "refuse name refused.example\nlog name logged.example tag=x\n", check=False) as running:
        for opcode in (1, 2, 4):
            for name, expected in (("refused.example", ("NOTIMP", [])), ("logged.example", ("NOERROR", ["192.0.2.66"])),
                                   ("other.example", ("NOERROR", ["192.0.2.66"]))):
                reply = running.exchange(ask(name, flags=opcode << 11))
                tap.equal((reply.rcode, reply.answers()), expected, f"opcode {opcode}: {name}")
    alias = struct.pack("!HHIH", 5, 1, 300, 17) + dnsname.wire(dnsname.parse("refused.example"))
    for answers, rcode in (0, "REFUSED"), (None, "SERVFAIL"):
        with another(host, asks=Careless(alias, opcode=answers).port).running(tap, "refuse name refused.example\n", check=False) as running:
            for opcode in (1, 2, 4):
                reply = running.exchange(ask("other.example", flags=opcode << 11))
                tap.equal((reply.rcode, reply.answers()), (rcode, []), f"opcode {opcode}, in the answer {answers}: an alias to a refused name")
            newer = ask("refused.example").wire(7)
            newer = newer[:-5] + b"\1" + newer[-4:]  # EDNS of version 1
            client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            client.settimeout(5)
            client.sendto(newer, running.address())
            reply = dns.message.from_wire(client.recv(4096))
            client.close()
            tap.equal((dns.rcode.to_text(reply.rcode()), reply.answer), ("REFUSED", []), "EDNS of another version")


def test_threads(host, tap):
    """Swaps the policy of four listeners under load."""
    policy.swap_under_load(another(host, threads=4), tap)


def test_trixie(host, tap):
    """Runs the common tests with Debian 13's dnsdist."""
    suites.again(suites.of("trixie", Dnsdist)(host.world, host.library), tap, test_packet_cache, test_few_lines, test_additional, test_long)


def test_debian_testing(host, tap):
    """Runs the common tests with Debian testing's dnsdist 2."""
    suites.again(suites.of("testing", Dnsdist)(host.world, host.library), tap, test_packet_cache, test_few_lines, test_additional, test_long)


YAML = """\
binds: [{{listen_address: 127.0.0.1:{port}, protocol: Do53, reuseport: true, threads: 2}}]
acl: [127.0.0.0/8]
backends: [{{address: 127.0.0.1:{backend}, protocol: Do53, health_checks: {{mode: up}}}}]
packet_caches: [{{name: all, size: 10000}}]
pools: [{{name: '', packet_cache: all}}]
"""


class YamlDnsdist(Dnsdist):
    """dnsdist 2, configured by YAML, with the policy in dnsdist.lua beside that file."""

    def configure(self, folder, port, library):
        lua = (f"enableLuaConfiguration()\n{POLICY.format(glue=GLUE, folder=folder, library=library)}\nprint('the configuration is read')\n")
        (folder / "dnsdist.lua").write_text(lua)
        (folder / "dnsdist.yml").write_text(YAML.format(port=port, backend=self.backend()))
        return [*self.program("dnsdist"), "--supervised", "--disable-syslog", "-C", folder / "dnsdist.yml"]


def test_yaml(host, tap):
    """Swaps policies in dnsdist 2, whose YAML makes the packet cache."""
    other = suites.of("testing", YamlDnsdist)(host.world, host.library)
    suites.again(other, tap, test_packet_cache, tests=[policy.test_swap, policy.test_swap_aliases])
    if not other.missing():
        with other.running(tap, policy.NONE, check=False) as running:
            running.exchange(ask("ascii.example"))
            time.sleep(3)
            tap.equal(b"a packet cache was made before" in running.said(), False, "the script knows the cache")


# ---- in front of BIND, by the lines of doc/hosts.md ----------------------------------------------------------------------

NAMED = """\
options {{
    directory "{folder}";
    pid-file none;
    session-keyfile none;
    {forwards}
    {more}
{lines}}};
controls {{ }};
"""


class BeforeBind(Dnsdist):
    """dnsdist in front of named, which answers all questions. `proxy`: dnsdist reports the clients to named by the PROXY protocol."""

    proxy = False
    more = ""  # more options of named
    upstream_errors = ((), ())  # BIND sends no extended error with this SERVFAIL

    def configure(self, folder, port, library):
        behind = free_port()
        lines = guide.the_block("named-bind-proxy" if self.proxy else "named-bind", guide.HOSTS)
        (folder / "named.conf").write_text(NAMED.format(folder=folder, forwards=NAMED_FORWARDS.format(upstream=self.backend()), more=self.more,
                                                        lines=guide.replaced(lines, {"5300": behind})))
        named = Daemon([*self.program("named"), "-g", "-n", "1", "-c", folder / "named.conf"], folder, self.environment)
        self.world.processes.append(named.process)
        named.wait_started(b"all zones loaded")
        lines = guide.replaced(guide.the_block("dnsdist-bind", guide.HOSTS), {
            "192.0.2.53:53": f"127.0.0.1:{port}", "5300'": f"{behind}', useProxyProtocol = true" if self.proxy else f"{behind}'",
            "/usr/share/unbound-idn": GLUE, "{}": f"{{ config = '{folder}/idn.conf', library = '{library}' }}",
            **({"getPool(''):setCache(newPacketCache(100000))\n": ""} if self.proxy else {})})
        (folder / "dnsdist.conf").write_text(f"{lines}print('the configuration is read')\n")
        return [*self.program("dnsdist"), "--supervised", "--disable-syslog", "-C", folder / "dnsdist.conf"]


def check_bind(host, tap):
    """Refuses a name and an alias to a refused name, passes named's other answers, and logs each."""
    with host.running(tap, "refuse zone refused.slow.example\nnxdomain zone wild.example\n") as running:
        for _ in range(2):
            for name, rcode, action in (("x.wild.example", "NXDOMAIN", "nxdomain"), ("hop-refused.slow.example", "REFUSED", "refuse"),
                                        ("ascii.example", "NOERROR", None)):
                reply, line = running.logged(ask(name))
                tap.equal((reply.rcode, line.rcode, line.policy and line.policy[0]), (rcode, rcode, action), name)


def test_bind(host, tap):
    """Runs dnsdist in front of Debian 12's BIND."""
    check_bind(BeforeBind(host.world, host.library), tap)


def test_trixie_bind(host, tap):
    """Runs dnsdist in front of Debian 13's BIND, also with the clients' addresses for named."""
    behind = suites.of("trixie", BeforeBind)(host.world, host.library)
    if why := behind.missing():
        tap.skip("Debian 13's", why)
        return
    check_bind(behind, tap)
    behind.proxy = True
    check_bind(behind, tap)
    behind.more = "allow-query { 127.0.0.1; };"
    with behind.running(tap, "nxdomain zone none.example\n") as running:
        tap.equal([running.exchange(ask("ascii.example", "MX"), source=f"127.0.0.{number}").rcode for number in (2, 1)], ["REFUSED", "NOERROR"],
                  "named applies allow-query to the client")
