# SPDX-License-Identifier: BSD-3-Clause
"""Questions and the policy's answers, the same for every host. A host's exceptions and their reasons are in its `differences`."""

from dataclasses import asdict, dataclass

import dns.edns
import dns.flags
import dns.rdatatype

import dnsname
from question import CD, RD, Tcp, Udp, ask

SHOP = "xn--bcher-kva.example"
WWW = f"www.{SHOP}."

RULES = """\
nxdomain zone sücher.wild.example
nodata zone nodata.wild.example ttl=7
refuse zone refuse.wild.example
drop zone drop.wild.example
redirect 192.0.2.80 2001:db8::80 zone redirect.wild.example
cname www.bücher.example zone cname.wild.example
answer name answer.wild.example TXT "matrix"
tcp-only zone tcp.wild.example
log zone log.wild.example tag=scene
passthru zone frei.sücher.wild.example
nxdomain lookalike paypal.example
nodata name bücher.example type=TXT
nxdomain zone ede.wild.example ede=17:"Gesperrt: ä"
nxdomain zone still.wild.example ede=off
cname nowhere.example zone gone.wild.example
nxdomain zone nxdomain.slow.example
nodata zone nodata.slow.example
refuse zone refuse.slow.example
drop zone drop.slow.example
redirect 192.0.2.80 2001:db8::80 zone redirect.slow.example
cname www.bücher.example zone cname.slow.example
answer name answer.slow.example TXT "matrix"
tcp-only zone tcp.slow.example
log zone log.slow.example tag=scene
passthru zone passthru.slow.example
nxdomain name straße.example
"""


@dataclass(frozen=True)
class Scene:
    """A question and its expected reply and log line. `answer` has texts "TYPE DATA"; `line` 0: no rule matched."""

    name: str
    qtype: str = "A"
    transport: type = Udp
    flags: int = RD
    mixed: bool = False
    edns: bool = True
    rcode: str = "NOERROR"  # "-": no reply
    answer: tuple = ()
    soa: str = ""  # owner of the policy's SOA; "": none, unless `soa` does not matter: "*"
    ede: tuple = ()  # (code, text)
    tc: bool = False
    action: str = ""  # in the log
    line: int = 0
    target: str = ""

    @property
    def title(self):
        extras = [word for word, on in (("CD", self.flags & CD), ("mixed", self.mixed), ("no EDNS", not self.edns)) if on]
        return " ".join([self.name, self.qtype, self.transport.__name__, *extras])

    @property
    def question(self):
        labels = dnsname.parse(self.name)
        return ask(dnsname.mixed_case(labels) if self.mixed else labels, self.qtype, flags=self.flags, edns=self.edns)


NX = "xn--scher-kva.wild.example"
BLOCKED, FORGED = ((15, ""),), ((4, ""),)
WILD = {"A": "A 192.0.2.77", "AAAA": "AAAA 2001:db8::77", "TXT": 'TXT "wild"'}
GIVEN = {"A": "A 192.0.2.80", "AAAA": "AAAA 2001:db8::80"}
SHOPS = {"A": "A 192.0.2.11", "AAAA": "AAAA 2001:db8::11", "TXT": 'TXT "books, and a shop that sells them"'}


def questions():
    """Yields a scene for each action at the question's name."""
    for transport in (Udp, Tcp):
        for qtype in ("A", "AAAA", "TXT"):
            at = {"qtype": qtype, "transport": transport}
            for name in (NX, f"x.{NX}"):
                yield Scene(name, **at, rcode="NXDOMAIN", soa=f"{NX}.", ede=BLOCKED, action="nxdomain", line=1)
            yield Scene("nodata.wild.example", **at, soa="nodata.wild.example.", ede=BLOCKED, action="nodata", line=2)
            yield Scene("x.refuse.wild.example", **at, rcode="REFUSED", ede=BLOCKED, action="refuse", line=3)
            given = (GIVEN[qtype],) if qtype in GIVEN else ()
            yield Scene("redirect.wild.example", **at, answer=given, soa="" if given else "redirect.wild.example.", ede=FORGED,
                        action="redirect", line=5)
            yield Scene("x.cname.wild.example", **at, answer=(f"CNAME {WWW}", SHOPS[qtype]), soa="*", ede=FORGED,
                        action="cname", line=6)
            given = ('TXT "matrix"',) if qtype == "TXT" else ()
            yield Scene("answer.wild.example", **at, answer=given, soa="" if given else "answer.wild.example.", ede=FORGED,
                        action="answer", line=7)
            yield Scene("x.tcp.wild.example", **at, answer=() if transport is Udp else (WILD[qtype],), soa="*",
                        tc=transport is Udp, action="tcp-only", line=8)
            yield Scene("x.log.wild.example", **at, answer=(WILD[qtype],), soa="*", action="log", line=9)
            yield Scene(f"frei.{NX}", **at, answer=(WILD[qtype],), soa="*", action="passthru", line=10)
        yield Scene("drop.wild.example", transport=transport, rcode="-" if transport is Udp else "REFUSED", action="drop", line=4)
        yield Scene("xn--pypal-4ve.example", transport=transport, rcode="NXDOMAIN", soa="xn--pypal-4ve.example.", ede=BLOCKED,
                    action="nxdomain", line=11)
    refused = {"rcode": "NXDOMAIN", "soa": f"{NX}.", "ede": BLOCKED, "action": "nxdomain", "line": 1}
    yield Scene(NX, mixed=True, **refused)
    yield Scene(NX, flags=RD | CD, **refused)
    yield Scene(NX, edns=False, **{**refused, "ede": ()})
    yield Scene(SHOP, "TXT", soa=f"{SHOP}.", ede=BLOCKED, action="nodata", line=12)
    yield Scene(SHOP, answer=("A 192.0.2.10",), soa="*")
    yield Scene("ascii.example", answer=("A 192.0.2.60",), soa="*")
    yield Scene("ede.wild.example", rcode="NXDOMAIN", soa="ede.wild.example.", ede=((17, "Gesperrt: ä"),), action="nxdomain", line=13)
    yield Scene("still.wild.example", rcode="NXDOMAIN", soa="still.wild.example.", action="nxdomain", line=14)
    yield Scene("gone.wild.example", rcode="NXDOMAIN", answer=("CNAME nowhere.example.",), soa="*", ede=FORGED, action="cname", line=15)


def chains():
    """Yields a scene for each action at an alias's target: the policy's records replace those of the refused target."""
    for kind in ("alias", "hop"):  # the server's message has the target's address, or has not
        for transport in (Udp, Tcp):
            def scene(label, line, **more):
                to = f"{label}.slow.example."
                more = {"answer": (f"CNAME {to}",), "target": to[:-1], "action": label, **more}
                return Scene(f"{kind}-{label}.slow.example", transport=transport, line=line, **more)

            to_address = "A 192.0.2.200"
            yield scene("nxdomain", 16, rcode="NXDOMAIN", soa="nxdomain.slow.example.", ede=BLOCKED)
            yield scene("nodata", 17, soa="nodata.slow.example.", ede=BLOCKED)
            yield scene("refuse", 18, rcode="REFUSED", answer=(), ede=BLOCKED)
            yield scene("drop", 19, rcode="-" if transport is Udp else "REFUSED", answer=())
            yield scene("redirect", 20, answer=("CNAME redirect.slow.example.", "A 192.0.2.80"), ede=FORGED)
            yield scene("cname", 21, answer=("CNAME cname.slow.example.", f"CNAME {WWW}", "A 192.0.2.11"), soa="*", ede=FORGED)
            yield scene("answer", 22, answer=("CNAME answer.slow.example.",), soa="answer.slow.example.", ede=FORGED)
            yield scene("tcp", 23, action="tcp-only", answer=() if transport is Udp else ("CNAME tcp.slow.example.", to_address),
                        tc=transport is Udp, soa="*")
            yield scene("log", 24, answer=("CNAME log.slow.example.", to_address), soa="*")
            yield scene("passthru", 25, answer=("CNAME passthru.slow.example.", to_address), soa="*")
    answer = ("CNAME xn--brcke-lva.example.", "CNAME alias.example.", "CNAME xn--strae-oqa.example.")
    for position, name in enumerate(("www.xn--brcke-lva.example", "xn--brcke-lva.example", "alias.example")):
        yield Scene(name, rcode="NXDOMAIN", answer=answer[position:], soa="xn--strae-oqa.example.", ede=BLOCKED,
                    action="nxdomain", line=26, target="xn--strae-oqa.example")


SCENES = (*questions(), *chains())
FIELDS = ("rcode", "answer", "soa", "ede", "tc")


def records(rrsets):
    return tuple(f"{dns.rdatatype.to_text(rrset.rdtype)} {rdata.to_text()}" for rrset in rrsets
                 for rdata in rrset if rrset.rdtype != dns.rdatatype.RRSIG)


def seen(reply):
    """Describes a reply as the scenes do."""
    message = reply.message
    owners = [rrset.name.to_text().lower() for rrset in message.authority
              if rrset.rdtype == dns.rdatatype.SOA and rrset[0].to_text().startswith(". nobody.invalid. ")]
    return {"rcode": reply.rcode, "answer": records(message.answer), "soa": "".join(owners), "tc": reply.has(dns.flags.TC),
            "ede": tuple((int(o.code), o.text or "") for o in message.options if o.otype == dns.edns.EDE)}


def check_reply(tap, what, scene, reply, wanted):
    got = seen(reply)
    wanted = {field: wanted[field] for field in FIELDS}
    if wanted["soa"] == "*":
        got["soa"] = "*"
    tap.equal({field: got[field] for field in FIELDS}, wanted, what)
    tap.equal((reply.has(dns.flags.AD) and bool(scene.action in ("nxdomain", "nodata", "refuse", "redirect", "cname", "answer")),
               reply.has(dns.flags.AA), reply.has(dns.flags.CD)), (False, wanted.get("aa", False), bool(scene.flags & CD)),
              f"{what}: no AD on the policy's answers, no AA, CD as asked")
    tap.equal(reply.question_octets(scene.question), dnsname.wire(scene.question.labels), f"{what}: the question in the client's case")


def check_line(tap, what, scene, line, wanted):
    action, rule = (line.policy or ("", ""))[:2]
    tap.equal((action, rule, line.target or "", line.rcode, line.type),
              (wanted["action"], f"rules.conf:{wanted['line']}" if wanted["line"] else "", wanted["target"], wanted.get("logged", wanted["rcode"]), scene.qtype),
              f"{what}: the line of the log")


def play(tap, running, scene, time=""):
    """Asks a scene's question, and checks the reply and its log line."""
    host = running.host
    why, changes = host.differences.get(scene.title, ("", {}))
    wanted = {**asdict(scene), **changes}
    what = f"{scene.title}{time}" + (f" ({why})" if why else "")
    if wanted["rcode"] == "-":
        tap.ok(running.is_silent(scene.question), f"{what}: no answer")
        number = running.answers[dnsname.column(scene.question.labels)]
        lines = running.log.wait(dnsname.column(scene.question.labels), number) if host.logs else ()
        line = lines[number - 1] if lines else None
    elif host.logs:
        reply, line = running.logged(scene.question, scene.transport)
        check_reply(tap, what, scene, reply, wanted)
    else:
        reply, line = running.exchange(scene.question, scene.transport), None
        check_reply(tap, what, scene, reply, wanted)
    if line:
        check_line(tap, what, scene, line, wanted)
