# SPDX-License-Identifier: BSD-3-Clause
"""Random questions about a random graph of aliases, compared with a daemon that has no rules."""

import os
import random
import socket
import struct
import threading
import time

import dns.flags
import dns.message
import dns.name
import dns.rcode
import dns.rdataclass
import dns.rdatatype
import dns.rrset

from question import AD, CD, RD, Reply, Tcp, Udp, ask
from rulefile import changed, rules
from upstream import Upstream, _soa

ZONES = tuple(dns.name.from_text(f"{z}.model.") for z in ("a", "b", "c", "d.a"))
TYPES = ("A", "A", "A", "AAAA", "AAAA", "TXT", "CNAME", "ANY", "DNAME", "DS", "NS", "SOA", "MX", "HTTPS", "PTR")
SEED = int(os.environ.get("MODEL_SEED", "1"))
ROUNDS = int(os.environ.get("MODEL_ROUNDS", "6"))


def zone_of(name):
    fits = [zone for zone in ZONES if name.is_subdomain(zone)]
    return max(fits, key=len) if fits else None


class Graph(Upstream):
    """Serves it."""

    def __init__(self, rng, count=40):
        self.rng = rng
        self.names = [dns.name.from_text(f"n{i}", rng.choice(ZONES)) for i in range(count)]
        self.data = {}  # name: {type: [text]}
        self.ttl = {}
        self.style = {}
        self.lag = 0.0
        outside = ["ascii.example.", "alias.example.", "good.slow.example.", "nothing.slow.example."]
        for name in self.names:
            kind = rng.random()
            self.ttl[name] = rng.choice((300, 300, 300, 0, 1))
            self.style[name] = rng.choice(("bare", "whole", "whole", "extra"))
            target = rng.choice(self.names).to_text() if rng.random() < 0.9 else rng.choice(outside)
            if kind < 0.5:
                self.data[name] = {"CNAME": [target]}
            elif kind < 0.6:
                self.data[name] = {"DNAME": [rng.choice(self.names).to_text()], "A": ["192.0.2.50"]}
            elif kind < 0.7:
                self.data[dns.name.from_text("*", name)] = {"CNAME": [target]} if rng.random() < 0.6 else {"A": ["192.0.2.51"]}
                self.data[name] = {"TXT": ['"top"']}
            elif kind < 0.95:
                self.data[name] = {"A": [f"192.0.2.{rng.randrange(100, 250)}"]}
                if rng.random() < 0.5:
                    self.data[name]["AAAA"] = ["2001:db8::7"]
                if rng.random() < 0.4:
                    self.data[name]["TXT"] = ['"text"']
                if rng.random() < 0.4:
                    self.data[name]["MX"] = [f"10 {target}"]
        if rng.random() < 0.7:  # a long chain
            long = [dns.name.from_text(f"l{i}", rng.choice(ZONES)) for i in range(rng.choice((8, 11, 12, 14)))]
            for i, name in enumerate(long):
                self.data[name] = {"CNAME": [long[i + 1].to_text()]} if i + 1 < len(long) else {"A": ["192.0.2.90"]}
                self.ttl[name], self.style[name] = 300, "bare"
            self.names += long
        super().__init__()

    def find(self, name):
        """(RRsets by type, owner at which a DNAME stands) or None"""
        zone = zone_of(name)
        if not zone:
            return None, None
        above = name
        while above != zone:
            above = above.parent()
            if "DNAME" in self.data.get(above, {}):
                return None, above
        if name in self.data:
            return self.data[name], None
        closest = name.parent() if name != zone else name
        while closest != zone and not self.exists(closest):
            closest = closest.parent()
        if self.exists(name):
            return {}, None
        return self.data.get(dns.name.from_text("*", closest)), None

    def exists(self, name):
        return name in ZONES or any(known.is_subdomain(name) for known in self.data)

    def respond(self, packet):
        query = dns.message.from_wire(packet)
        name = query.question[0].name
        if self.lag:
            time.sleep(self.rng.random() * self.lag)
        if not name.is_subdomain(dns.name.from_text("model.")):
            return super().respond(packet)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.AA
        try:
            self.fill(response, name, query.question[0].rdtype)
        except Exception as error:
            print("# model:", repr(error), name, flush=True)
            response.set_rcode(dns.rcode.SERVFAIL)
        return response.to_wire(max_size=65535)

    def fill(self, response, asked, rdtype):
        name, first, qtype = asked, zone_of(asked), dns.rdatatype.to_text(rdtype)
        if not first:
            response.set_rcode(dns.rcode.NXDOMAIN)
            response.authority.append(_soa(dns.name.from_text("model.")))
            return
        seen = set()
        while name not in seen and len(seen) < 16:
            seen.add(name)
            ttl = self.ttl.get(name, 300)
            zone = zone_of(name)
            if not zone:
                return
            data, dname = self.find(name)
            style = self.style.get(dname or name, "bare")
            if dname is not None:
                target = dns.name.from_text(self.data[dname]["DNAME"][0])
                ttl = self.ttl.get(dname, 300)
                set_ = dns.rrset.from_text(dname, ttl, "IN", "DNAME", target.to_text())
                if set_ not in response.answer:
                    response.answer.append(set_)
                try:
                    new = name.relativize(dname).concatenate(target)
                except dns.name.NameTooLong:
                    response.set_rcode(dns.rcode.YXDOMAIN)
                    return
                response.answer.append(dns.rrset.from_text(name, ttl, "IN", "CNAME", new.to_text()))
                name = new
            elif data is None:
                if self.exists(name):
                    response.authority.append(_soa(zone))
                    return
                response.set_rcode(dns.rcode.NXDOMAIN)
                response.authority.append(_soa(zone))
                return
            elif qtype == "ANY":
                for kind, texts in data.items():
                    response.answer.append(dns.rrset.from_text(name, ttl, "IN", kind, *texts))
                if not data:
                    response.authority.append(_soa(zone))
                return
            elif "CNAME" in data and qtype != "CNAME":
                response.answer.append(dns.rrset.from_text(name, ttl, "IN", "CNAME", *data["CNAME"]))
                name = dns.name.from_text(data["CNAME"][0])
            elif qtype in data:
                response.answer.append(dns.rrset.from_text(name, ttl, "IN", qtype, *data[qtype]))
                if qtype == "MX":
                    to = dns.name.from_text(data["MX"][0].split()[1])
                    if zone_of(to) == zone and "A" in self.data.get(to, {}):
                        response.additional.append(dns.rrset.from_text(to, 300, "IN", "A", *self.data[to]["A"]))
                return
            else:
                response.authority.append(_soa(zone))
                return
            if style == "bare" or zone_of(name) != first and style != "extra":
                return


class Rules:
    """Some exact names and zones with actions, and what they make of an answer."""

    ACTIONS = ("nxdomain", "nxdomain", "nodata", "refuse", "redirect 192.0.2.9", "tcp-only", "drop", "passthru", "cname ascii.example")

    def __init__(self, rng, names):
        self.of = {}
        for name in rng.sample(names, min(len(names), rng.randrange(1, 9))):
            action = rng.choice(self.ACTIONS)
            self.of[name] = action, rng.random() < 0.3
        self.salt = rng.random()

    def text(self):
        return "".join(f"{action} {'zone' if zone else 'name'} {name.to_text(True)}\n"
                       for name, (action, zone) in self.of.items()) + f"# {self.salt}\n"

    def decide(self, name):
        """(action, owner): the longest match"""
        best = None
        for owner, (action, zone) in self.of.items():
            if name == owner or zone and name.is_subdomain(owner):
                if best is None or len(owner) > len(best[1]):
                    best = action, owner
        return best

    def first_refused(self, names):
        for i, name in enumerate(names):
            found = self.decide(name)
            if found and found[0] == "passthru":
                if i == 0:
                    return None
                continue
            if found:
                return i, *found
        return None

    def with_shadow(self):
        return any(action == "tcp-only" for action, _ in self.of.values())


def records(message):
    return [(rrset.name, rrset.rdtype, tuple(sorted(r.to_text().lower() for r in rrset))) for rrset in message.answer]


def lower(name):
    return dns.name.from_text(name.to_text().lower())


def chain_of(message, qname):
    """The names of the chain, as CNAMEs lead, and the records up to each."""
    names, cut, out = [lower(qname)], [[]], []
    for rrset in message.answer:
        if rrset.rdtype in (dns.rdatatype.RRSIG, dns.rdatatype.DNAME):  # of TTL 0 a DNAME may be left out
            continue
        out.append((lower(rrset.name), rrset.rdtype, tuple(sorted(r.to_text().lower() for r in rrset))))
        if rrset.rdtype == dns.rdatatype.CNAME:
            names.append(lower(rrset[0].target))
            cut.append(list(out))
    return names, cut, out


def expected(ruleset, question, reference, udp):
    """A set of (rcode, TC, records or None) that may be the answer; None: no answer, too."""
    message = reference.message
    qname = dns.name.from_text(".".join(l.decode() for l in question.labels))
    names, cut, whole = chain_of(message, qname)
    own = (reference.rcode, False, frozenset(whole))
    found = ruleset.first_refused(names)
    if not found:
        return [own]
    i, action, _ = found
    prefix = frozenset(cut[i])
    if action == "nxdomain":
        return [("NXDOMAIN", False, prefix)]
    if action == "nodata":
        return [("NOERROR", False, prefix)]
    if action == "refuse":
        return [("REFUSED", False, frozenset())]
    if action == "drop":
        return [("REFUSED", False, frozenset()), None]
    if action.startswith("redirect"):
        if question.type in ("A", "ANY"):
            return [("NOERROR", False, prefix | {(names[i], dns.rdatatype.A, ("192.0.2.9",))})]
        return [("NOERROR", False, prefix)]
    if action.startswith("cname"):
        return [("*", False, prefix | {(names[i], dns.rdatatype.CNAME, ("ascii.example.",))})]
    # tcp-only
    rest = Rules.__new__(Rules)
    rest.of = {n: a for n, a in ruleset.of.items() if a[0] != "tcp-only"}
    more = expected(rest, question, reference, udp) if rest.of else [own]
    if udp:
        return [("NOERROR", True, frozenset()), *(m for m in more if m != own)]
    return more


def fits(reply, wants, question):
    if reply is None:
        return None in wants
    _, _, got = chain_of(reply.message, dns.name.from_text(".".join(l.decode() for l in question.labels)))
    tc = reply.has(dns.flags.TC)
    for want in wants:
        if want is None:
            continue
        if want[0] == "*":
            if frozenset(got) >= want[2]:
                return True
        elif (reply.rcode, tc, frozenset(got)) == want:
            return True
    return False


class Batch:
    """Questions that are under way at once, some of them on one TCP connection."""

    def __init__(self, resolver, questions, meanwhile=None):
        self.items = []
        tcp = Tcp(resolver.address())
        by_id = {}
        for question, is_udp in questions:
            client = Udp(resolver.address()) if is_udp else tcp
            ident = client.send(question)
            item = [question, is_udp, client, None]
            self.items.append(item)
            if not is_udp:
                by_id[ident] = item
        if meanwhile:
            meanwhile()
        deadline = time.monotonic() + 8
        for _ in range(len(by_id)):
            try:
                reply = tcp.receive(max(0.01, deadline - time.monotonic()))
                by_id[reply.ident][3] = reply
            except (TimeoutError, ConnectionError) as error:
                print("# tcp", error)
                break
        self.late = []
        for item in self.items:
            if item[1]:
                try:
                    item[3] = item[2].receive(max(0.01, min(deadline - time.monotonic(), item[4] if len(item) > 4 else 8)))
                except TimeoutError:
                    pass
                item[2].close()
        tcp.close()


def question(rng, names):
    name = rng.choice(names)
    if rng.random() < 0.35:
        name = dns.name.from_text(rng.choice(("x", "y", "x.y")), name)
    if rng.random() < 0.3:
        name = dns.name.Name([l.swapcase() for l in name.labels])
    cls = "IN" if rng.random() < 0.9 else rng.choice(("ANY", "CH"))
    flags = rng.choice((RD, RD, RD, RD | CD, RD | AD, RD | CD | AD, 0))
    return ask(name.labels[:-1], rng.choice(TYPES), flags=flags, cls=cls, dnssec=rng.random() < 0.3)


def server_lines(rng, modules):
    lines = [rng.choice(("qname-minimisation: yes", "qname-minimisation: no", "qname-minimisation: yes\nqname-minimisation-strict: yes")),
             rng.choice(("", "use-caps-for-id: yes")), rng.choice(("", "prefetch: yes")),
             rng.choice(("", "", "serve-expired: yes", "serve-expired: yes\nserve-expired-client-timeout: 5", "serve-expired: yes\nserve-expired-client-timeout: 1800")),
             rng.choice(("", "minimal-responses: no")), rng.choice(("", "harden-below-nxdomain: no")),
             "access-control: 127.0.0.0/8 allow_snoop", "use-caps-for-id: yes" if rng.random() < .2 else ""]
    if "subnetcache" in modules:
        lines.append("send-client-subnet: 127.0.0.1")
    return "\n".join(line for line in lines if line)


MODULES = ("validator iterator", "validator iterator", "iterator", "respip validator iterator", "dns64 validator iterator",
           "subnetcache validator iterator", "dns64 subnetcache validator iterator", "validator cachedb iterator", "dns64 iterator")


def test_model(world, tap):
    """MODEL_SEED and MODEL_ROUNDS say which graphs, each with questions, rules and a configuration of its own."""
    for number in range(ROUNDS):
        one_round(world, tap, SEED + number)


test_model.long = True


def one_round(world, tap, seed):
    rng = random.Random(seed)
    graph = Graph(random.Random(seed + 100000))
    modules = rng.choice([m for m in MODULES if not set(m.split()) - world.linked])
    server = server_lines(rng, modules)
    threads = rng.choice((1, 2))
    clauses = 'cachedb:\n    backend: "testframe"\n' if "cachedb" in modules else ""
    kind = rng.choice(("stub", "stub", "forward"))
    for zone in ZONES:
        clauses += f'{kind}-zone:\n    name: "{zone}"\n    {kind}-addr: 127.0.0.1@{graph.port}\n'
        if rng.random() < 0.15:
            clauses += f"    {kind}-no-cache: yes\n"
    what = f"seed {seed}: {modules}, {threads}, {kind}, {server!r}"
    server += '\ndomain-insecure: "model."\noutgoing-range: 512'
    print("#", what, flush=True)
    policies = [Rules(rng, graph.names) for _ in range(4)]
    bad = 0
    with world.resolver(tap, None, modules=modules, server=server, clauses=clauses, threads=threads) as plain, \
            world.resolver(tap, "policy: rules.conf", modules=modules, server=server, clauses=clauses, threads=threads,
                           prepare=rules(policies[0].text()), check=False) as resolver:
        reference = {}

        def plain_answer(q):
            key = (tuple(l.lower() for l in q.labels), q.type, q.cls, q.flags & CD)
            if key not in reference:
                client = Udp(plain.address())
                client.send(ask(q.labels, q.type, cls=q.cls, flags=RD | q.flags & CD))
                try:
                    reference[key] = client.receive(8)
                except TimeoutError:
                    reference[key] = None
                client.close()
            return reference[key]

        for policy in policies:
            if policy is not policies[0]:
                assert changed(resolver, policy.text())
            old = policy
            for lag in (0, 0.01, 0.03, 0.05):
                old = policy
                hook = None
                if lag == 0.05:  # the policy changes while they are under way
                    policy = Rules(rng, graph.names)
                    for name, (action, _) in list(policy.of.items()):
                        if action == "drop":
                            del policy.of[name]
                    hook = lambda: changed(resolver, policy.text())
                elif rng.random() < 0.15:
                    resolver.reload("reload_keep_cache")
                pool = [(question(rng, graph.names), rng.random() < 0.6) for _ in range(25)]
                batch = [rng.choice(pool) for _ in range(50)]
                graph.lag = 0
                plains = {}
                for q, _ in batch:
                    plains[q] = plain_answer(q)
                graph.lag = lag
                sendable = [(q, u) for q, u in batch if plains[q] is not None]
                # what a drop rule gives no answer over UDP is asked on TCP
                final = [(q, u if None not in expected(old, q, plains[q], True) else False) for q, u in sendable]
                for q, is_udp, _, reply in Batch(resolver, final, hook).items:
                    ref = plains[q]
                    if q.cls == "ANY" and "cachedb" in modules and reply is not None and reply.rcode == "SERVFAIL":
                        continue  # so does a daemon without rules, now and then
                    if q.cls == "CH":
                        good = reply is not None and reply.rcode == ref.rcode
                        wants = [ref.rcode]
                    else:
                        wants = expected(policy, q, ref, is_udp)
                        if old is not policy:
                            wants = wants + expected(old, q, ref, is_udp)
                        good = fits(reply, wants, q)
                        if reply is not None and not good and not q.flags & RD:
                            # from the cache or not at all
                            got = chain_of(reply.message, dns.name.from_text(b".".join(q.labels).decode()))[0]
                            good = reply.rcode in ("REFUSED", "SERVFAIL") or not policy.first_refused(got)
                        if reply is not None and not good and ref.rcode == "SERVFAIL":
                            # a chain that is too long or a loop: the refusal, or SERVFAIL
                            got = chain_of(reply.message, dns.name.from_text(".".join(l.decode() for l in q.labels)))
                            found = policy.first_refused(got[0])
                            if found and found[1].startswith("cname"):
                                good = True
                            elif found and found[1].startswith("redirect"):
                                good = found[0] == len(got[0]) - 1
                            else:
                                good = not policy.first_refused(got[0][:-1]) and not (got[2] and got[2][-1][1] != dns.rdatatype.CNAME)
                        if reply is not None and not good and reply.rcode == "SERVFAIL" and not reply.message.answer:
                            owners = chain_of(ref.message, dns.name.from_text(b".".join(q.labels).decode()))[0]
                            # how many links Unbound follows, and where it sees a loop, depends on its cache
                            good = len(owners) > 10 or len(set(owners)) < len(owners)
                        if reply is None and ref.rcode == "SERVFAIL":
                            good = any(a == "drop" for a, _ in policy.of.values())
                        if reply is not None and not good and (q.type == "ANY" or "ANY" == q.cls or q.type == "AAAA" and "dns64" in modules):
                            got = chain_of(reply.message, dns.name.from_text(".".join(l.decode() for l in q.labels)))
                            last = got[2][-1][1] == dns.rdatatype.CNAME if got[2] else True
                            found = policy.first_refused(got[0])
                            good = reply.rcode != "SERVFAIL" and (not found or found[0] == len(got[0]) - 1 and last and reply.rcode != "NOERROR")
                    if not good and old is not policy and reply is not None:
                        loose = ref.rcode == "SERVFAIL" or q.type == "ANY" or q.cls == "ANY" or q.type == "AAAA" and "dns64" in modules
                        good = loose or reply.rcode == "SERVFAIL" and "servfail-ok" == "no"
                    if not good:
                        bad += 1
                        if bad < 6:
                            tap.ok(False, f"{what}: {q} flags {q.flags:#x} do {q.dnssec} {'udp' if is_udp else 'tcp'} lag {lag}",
                                   f"rules:\n{policy.text()}\nwants {wants}\nplain {ref.message if ref else None}\n"
                                   f"got {reply.message if reply else None}")
        tap.ok(bad == 0, f"{what}: {bad} bad")
    graph.stop()
