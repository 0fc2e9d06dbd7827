# SPDX-License-Identifier: BSD-3-Clause
"""A small authoritative server for what NSD cannot do: answers that wait for an event, SERVFAIL, and a root zone.

By the first label of the question: `gate-…` is answered when its gate opens (`a-gate-…`: its A), `servfail…` with SERVFAIL,
`alias-X` (also behind `gate-` and `a-gate-`) with a CNAME to X.slow.example. and its address; `hop-X` (likewise) with that
CNAME alone, `turn-X` too, but asked for its DS with one to other-X.slow.example. that lasts for a second, `fork-X` too, but
with one to other-X.slow.example. besides (for ANY also one of class CH before them), `both-X` too, but after an address of its
own, `once-X` too, but with one to dname-good.slow.example. when a type is first asked for; `gone-X` like X, but NXDOMAIN;
`cross-X` with one to X.example., of another server; a name below `dname-X` with a DNAME to X.slow.example. (below `bare-X`
without its CNAME, but with the target's address), and `dname-X` asked for a DNAME with that alone; `mx-X` has the MX
X.slow.example., with its address besides; `ns-X` has the NS X.ns-X.slow.example., likewise; `hosts-N` has N hosts as MX,
likewise; `spread-N` has N addresses; `odd` has texts and names of every octet, for TXT and MX; `ref-X` refers to the servers of that name's zone, X below it, with the address; `stray-X` has an address, and one of
X.slow.example. beside it; `beside-X` has the HTTPS record of X.slow.example. in the authority section, `beside-hesiod…` a text
of class HS there; `nothing…` is answered with NXDOMAIN and no record at all; `ecs` with an address for each client subnet, `ecs-alias` with a CNAME to
ecs.subnet-N.slow.example., alone, `ecs-hop` with one to hop-N.slow.example.; `here…` has the
address 127.0.0.1, all else under slow.example. 192.0.2.200. What has "brief" in its label lasts for a second. Outside
slow.example. it is a root server that knows two top-level domains, hosted. and gated., whose name servers are in slow.example.
and cannot be reached (that of gated. has a gate), and that 192.0.2.11 is host.example."""

import collections
import socketserver
import struct
import threading

import dns.edns
import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdtypes.ANY.MX
import dns.rdtypes.ANY.TXT
import dns.rrset

from daemon import free_port

ZONE = dns.name.from_text("slow.example.")
HOSTED = {dns.name.from_text("hosted."): "ns.hoster.slow.example.", dns.name.from_text("gated."): "gate-ns.slow.example."}
REVERSE = dns.name.from_text("11.2.0.192.in-addr.arpa.")
ADDRESS = "192.0.2.200"


ODD_TEXTS = (bytes(range(32)), bytes(range(32, 127)), bytes(range(127, 256)), "\u202E\u2066\u200B\u0085\u2028 п".encode(), b"")


def odd_data(rdtype):
    if rdtype == dns.rdatatype.TXT:
        return [dns.rdtypes.ANY.TXT.TXT("IN", rdtype, [text]) for text in ODD_TEXTS]
    labels = [bytes(range(first, first + 61)) for first in (0, 61, 122, 183)]
    names = [dns.name.Name([*labels, b"\xF4\xFF", b""]), dns.name.Name([b"xn--bcher-kva", b"a,b", b""]), dns.name.root]
    return [dns.rdtypes.ANY.MX.MX("IN", rdtype, number, name) for number, name in enumerate(names)]


class Gate:
    def __init__(self):
        self.arrived = threading.Event()  # a question is waiting
        self.opened = threading.Event()
        self.questions = 0

    def open(self):
        self.opened.set()


class Upstream:
    def __init__(self):
        self.gates = {}
        self.asked = collections.Counter()  # by (name, type), in lower case
        self.lock = threading.Lock()
        upstream = self

        class Udp(socketserver.BaseRequestHandler):
            def handle(self):
                packet, sock = self.request
                sock.sendto(upstream.respond(packet), self.client_address)

        class Tcp(socketserver.StreamRequestHandler):
            def handle(self):
                header = self.rfile.read(2)
                while len(header) == 2:
                    answer = upstream.respond(self.rfile.read(struct.unpack("!H", header)[0]))
                    self.wfile.write(struct.pack("!H", len(answer)) + answer)
                    header = self.rfile.read(2)

        for server_class in (socketserver.ThreadingUDPServer, socketserver.ThreadingTCPServer):
            server_class.allow_reuse_address = server_class is socketserver.ThreadingTCPServer
            server_class.daemon_threads = True
            server_class.block_on_close = False
        self.port = free_port()
        self.udp = socketserver.ThreadingUDPServer(("127.0.0.1", self.port), Udp)
        self.tcp = socketserver.ThreadingTCPServer(("127.0.0.1", self.port), Tcp)
        for server in (self.udp, self.tcp):
            threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def stop(self):
        for gate in list(self.gates.values()):
            gate.open()
        for server in (self.udp, self.tcp):
            server.shutdown()
            server.server_close()

    def gate(self, label):
        with self.lock:
            return self.gates.setdefault(label.lower(), Gate())

    def respond(self, packet):
        query = dns.message.from_wire(packet)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.AA
        question = query.question[0]
        with self.lock:
            key = question.name.to_text().lower(), dns.rdatatype.to_text(question.rdtype)
            self.asked[key] += 1
            is_first = self.asked[key] == 1
        if question.name.is_subdomain(ZONE):
            self._slow(question, response, is_first, next((o for o in query.options if o.otype == dns.edns.ECS), None))
        else:
            self._root(question, response)
        return response.to_wire(max_size=65535)

    def _slow(self, question, response, is_first, subnet):
        first = question.name.labels[0].decode("latin-1").lower()
        if first.startswith("gate-") or first.startswith("a-gate-") and question.rdtype == dns.rdatatype.A:
            gate = self.gate(first)
            gate.questions += 1
            gate.arrived.set()
            gate.opened.wait()
        if first.startswith("told-"):
            response.use_edns(options=[dns.edns.EDEOption(17, "the upstream's reason")])
        second = question.name.labels[1].decode("latin-1").lower()
        if second.startswith("bare-"):
            old, new = question.name.parent(), dns.name.from_text(second.removeprefix("bare-"), ZONE)
            target = question.name.relativize(old).concatenate(new).to_text()
            response.answer += [dns.rrset.from_text(old, 300, "IN", "DNAME", new.to_text()), dns.rrset.from_text(target, 300, "IN", "A", ADDRESS)]
            return
        if second.startswith("dname-"):
            old, new = question.name.parent(), dns.name.from_text(second.removeprefix("dname-"), ZONE)
            response.answer.append(dns.rrset.from_text(old, 300, "IN", "DNAME", new.to_text()))
            synthesized = question.name.relativize(old).concatenate(new).to_text()
            response.answer.append(dns.rrset.from_text(question.name, 300, "IN", "CNAME", synthesized))
            return
        owner, alias = question.name, first.removeprefix("a-gate-").removeprefix("gate-")
        if alias.startswith("alias-"):
            owner = dns.name.from_text(alias.removeprefix("alias-"), ZONE)
            response.answer.append(dns.rrset.from_text(question.name, 300, "IN", "CNAME", owner.to_text()))
        if alias.startswith("turn-"):
            prefix, ttl = ("other-", 1) if question.rdtype == dns.rdatatype.DS else ("", 300)
            owner = dns.name.from_text(prefix + alias.removeprefix("turn-"), ZONE)
            response.answer.append(dns.rrset.from_text(question.name, ttl, "IN", "CNAME", owner.to_text()))
        if alias.startswith("fork-"):
            owner = dns.name.from_text(alias.removeprefix("fork-"), ZONE)
            aliases = [("IN", f"other-{owner}"), ("IN", owner.to_text())]
            if question.rdtype == dns.rdatatype.ANY:
                aliases.insert(0, ("CH", f"third-{owner}"))
            response.answer += [dns.rrset.from_text(question.name, 300, cls, "CNAME", target) for cls, target in aliases]
        if alias.startswith("stray-"):
            response.answer += [dns.rrset.from_text(name, 300, "IN", "A", ADDRESS)
                                for name in (question.name, dns.name.from_text(alias.removeprefix("stray-"), ZONE))]
            return
        if alias.startswith("both-"):
            response.answer += [dns.rrset.from_text(question.name, 300, "IN", "A", ADDRESS),
                                dns.rrset.from_text(question.name, 300, "IN", "CNAME", alias.removeprefix("both-") + "." + ZONE.to_text())]
            return
        if alias.startswith("gone-"):
            response.set_rcode(dns.rcode.NXDOMAIN)
            alias = alias.removeprefix("gone-")
        if alias.startswith(("cross-", "hop-", "once-")):
            kind, _, target = alias.partition("-")
            target = "dname-good" if kind == "once" and is_first else target
            owner = dns.name.from_text(target, ZONE.parent() if kind == "cross" else ZONE)
            response.answer.append(dns.rrset.from_text(question.name, 300, "IN", "CNAME", owner.to_text()))
        elif first in ("ecs", "ecs-alias", "ecs-hop") and question.rdtype == dns.rdatatype.A and subnet:
            number = subnet.address.split(".")[2]
            data = {"ecs": ("A", f"192.0.2.{number}"), "ecs-alias": ("CNAME", f"ecs.subnet-{number}.slow.example."),
                    "ecs-hop": ("CNAME", f"hop-{number}.slow.example.")}[first]
            response.answer.append(dns.rrset.from_text(owner, 300, "IN", *data))
            response.use_edns(options=[dns.edns.ECSOption(subnet.address, subnet.srclen, subnet.srclen)])
        elif first.startswith("mx-") and question.rdtype == dns.rdatatype.MX or \
                first.startswith("ns-") and question.rdtype == dns.rdatatype.NS:
            preference, zone = ("10 ", ZONE) if question.rdtype == dns.rdatatype.MX else ("", question.name)
            owner = dns.name.from_text(first[3:], zone)
            response.answer.append(dns.rrset.from_text(question.name, 300, "IN", question.rdtype, f"{preference}{owner}"))
            response.additional.append(dns.rrset.from_text(owner, 300, "IN", "A", ADDRESS))
        elif first.startswith("dname-") and question.rdtype == dns.rdatatype.DNAME:
            target = dns.name.from_text(first.removeprefix("dname-"), ZONE)
            response.answer.append(dns.rrset.from_text(question.name, 300, "IN", "DNAME", target.to_text()))
        elif first.startswith("hosts-") and question.rdtype == dns.rdatatype.MX:
            hosts = [f"host{n}.{question.name}" for n in range(int(first[6:]))]
            response.answer.append(dns.rrset.from_text_list(question.name, 300, "IN", "MX", [f"10 {host}" for host in hosts]))
            response.additional += [dns.rrset.from_text(host, 300, "IN", "A", ADDRESS) for host in hosts]
        elif first.startswith("spread-") and question.rdtype == dns.rdatatype.A:
            addresses = [f"10.0.{n >> 8}.{n & 255}" for n in range(int(first[7:]))]
            response.answer.append(dns.rrset.from_text_list(question.name, 300, "IN", "A", addresses))
        elif first == "odd" and question.rdtype in (dns.rdatatype.TXT, dns.rdatatype.MX):
            response.answer.append(dns.rrset.from_rdata_list(question.name, 300, odd_data(question.rdtype)))
        elif first.startswith("ref-"):
            owner = dns.name.from_text(first[4:], question.name)
            response.authority.append(dns.rrset.from_text(question.name, 300, "IN", "NS", owner.to_text()))
            response.additional.append(dns.rrset.from_text(owner, 300, "IN", "A", ADDRESS))
        elif first.startswith("beside-"):
            response.authority.append(_soa(ZONE))
            data = ("HS", "TXT", ADDRESS) if "hesiod" in first else ("IN", "HTTPS", f"1 . ipv4hint={ADDRESS}")
            response.authority.append(dns.rrset.from_text(f"{first[7:]}.{ZONE}", 300, *data))
        elif first.startswith("nothing"):
            response.set_rcode(dns.rcode.NXDOMAIN)
        elif first.startswith("servfail"):
            response.set_rcode(dns.rcode.SERVFAIL)
        elif question.rdtype == dns.rdatatype.A:
            response.answer.append(dns.rrset.from_text(owner, 300, "IN", "A", "127.0.0.1" if first.startswith("here") else ADDRESS))
        else:
            response.authority.append(_soa(ZONE))
        if "brief" in first:
            for rrset in response.answer:
                rrset.ttl = 1

    @staticmethod
    def _root(question, response):
        for zone, server in HOSTED.items():
            if question.name.is_subdomain(zone):  # a zone whose name server's address has to be looked up
                response.flags &= ~dns.flags.AA
                response.authority.append(dns.rrset.from_text(zone, 300, "IN", "NS", server))
                return
        if question.name == dns.name.root and question.rdtype == dns.rdatatype.NS:
            response.answer.append(dns.rrset.from_text(".", 300, "IN", "NS", "ns.localhost."))
            return
        if (question.name, question.rdtype) == (REVERSE, dns.rdatatype.PTR):
            response.answer.append(dns.rrset.from_text(REVERSE, 300, "IN", "PTR", "host.example."))
            return
        response.authority.append(_soa(dns.name.root))
        if not REVERSE.is_subdomain(question.name):
            response.set_rcode(dns.rcode.NXDOMAIN)


def _soa(owner):
    return dns.rrset.from_text(owner, 300, "IN", "SOA", "ns.localhost. hostmaster.localhost. 1 7200 3600 1209600 300")
