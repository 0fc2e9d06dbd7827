# SPDX-License-Identifier: BSD-3-Clause
"""Structured errors: who gets one, that no other client's answer changes, and how much fits."""

import json
import struct

import dns.edns
import dns.flags
from daemon import eventually
from harness import write_idn
from question import Tcp, Udp, ask, exchange, masked
from rulefile import changed, rules, swaps
from test_policy_answers import edes, fence, policy, received, waiting

CODE = 65001
OPTION = struct.pack("!HH", CODE, 0)
KEYS = f"""\
structured-errors: {CODE}
error-contact: mailto:help@example.net tel:+1-555-0100
error-organization: "Bücher \\"& Co\\" \\\\ GmbH"
"""
OPERATORS = {"c": ["mailto:help@example.net", "tel:+1-555-0100"], "o": 'Bücher "& Co" \\ GmbH', "l": "en"}
WHY = "Listed as \"phishing\" \\ см. правила"

RULES = """\
tag phishing sub-error=phishing why="This name is on the list of \\"phishing\\" sites."
tag ads why="An advertisement."
nxdomain zone why.example why="Listed as \\"phishing\\" \\\\ см. правила" sub-error=malware
nxdomain zone plain.example
nodata zone text.example ede=17:"Blocked by policy"
refuse zone refuse.example sub-error=network-policy
nxdomain zone filtered.example ede=17 tag=phishing
nxdomain zone other.example ede=18:"prohibited"
nxdomain zone off.example ede=off
redirect 192.0.2.80 zone forged.example
redirect 192.0.2.80 zone walled.example why="Pay your bill."
answer name answer.example sub-error=dns-policy TXT "x"
cname www.example zone cname.example tag=ads
drop zone drop.example
refuse lookalike paypal.com label=any
"""


def unlike_json(pairs):
    names = [name for name, _ in pairs]
    assert len(names) == len(set(names)), f"a name occurs twice: {names}"
    return dict(pairs)


def parsed(text):
    """The object, read by a parser that is not ours; it must be I-JSON (RFC 7493), without white space around its parts."""
    value = json.loads(text, object_pairs_hook=unlike_json)
    text.encode("utf-8")  # no lone surrogate
    assert text == json.dumps(value, separators=(",", ":"), ensure_ascii=False), f"not minified: {text}"
    return value


def structured(reply):
    """(info code, object or text) of its one extended error; None: it has none."""
    told = edes(reply)
    assert len(told) < 2, told
    return (told[0][0], parsed(told[0][1]) if told[0][1] else None) if told else None


def asking(name, qtype="A", **options):
    return ask(name, qtype, option=OPTION, **options)


def with_operator(**members):
    return {**{name: OPERATORS[name] for name in "col"}, **members}


# A name; what a client without the option gets; what one with it gets. Each text is a row of tests/unit/test_structured.c.
CASES = (
    ("a.why.example", (15, ""), (15, with_operator(j=WHY, s=1))),
    ("plain.example", (15, ""), (15, with_operator())),
    ("text.example", (17, "Blocked by policy"), (17, with_operator(j="Blocked by policy"))),
    ("refuse.example", (15, ""), (15, with_operator(s=5))),
    ("filtered.example", (17, ""), (17, with_operator(j='This name is on the list of "phishing" sites.', s=2))),
    ("off.example", None, None),
    ("forged.example", (4, ""), None),
    ("walled.example", (4, ""), (15, with_operator(j="Pay your bill."))),
    ("cname.example", (4, ""), (15, with_operator(j="An advertisement."))),
    ("xn--pypal-4ve.com.evil.example", (15, ""),
     (15, with_operator(j="xn--pypal-4ve.com.evil.example imitates paypal.com"))),
)


def test_each_rule(world, tap):
    """Each kind of rule's extended error, over UDP and TCP, the first time and again."""
    with policy(world, tap, RULES, KEYS) as resolver:
        for name, plain, wanted in CASES:
            for transport in (Udp, Tcp, Udp):
                reply = resolver.exchange(asking(name), transport)
                tap.equal(structured(reply), wanted, f"{name}, {transport.__name__}: structured")
                tap.equal(edes(resolver.exchange(ask(name), transport)), [plain] if plain else [], f"{name}: plain")
        reply = resolver.exchange(asking("answer.example", "TXT"))
        tap.equal(structured(reply), (15, with_operator(s=6)), "answer")
        reply = resolver.exchange(asking("other.example"))
        tap.equal(edes(reply), [(18, "prohibited")], "with another code the text is no JSON")
        tap.equal(edes(resolver.exchange(asking("drop.example"), Tcp)), [], "drop has no extended error")
        tap.equal(edes(resolver.exchange(asking("www.example"))), [], "nor has what no rule matches")
        reply = resolver.exchange(ask("plain.example", option=struct.pack("!HH", CODE, 3) + b"abc"))
        tap.equal(structured(reply), (15, with_operator()), "data in the option is ignored")
        reply = resolver.exchange(ask("plain.example", option=struct.pack("!HH", 65002, 0)))
        tap.equal(edes(reply), [(15, "")], "another option asks for nothing")


def test_nobody_else(world, tap):
    """A client without the option gets the same octets whether there are reasons or not."""
    names = [name for name, _, _ in CASES] + ["www.example", "tcp.example"]
    bare = "\n".join(line.split(" why=")[0].split(" sub-error=")[0] for line in RULES.splitlines() if not line.startswith("tag "))
    bare = bare.replace("answer name answer.example", "answer name answer.example TXT x")
    questions = [(ask(name, dnssec=dnssec, edns=edns), transport) for name in names for dnssec, edns, transport in
                 ((False, True, Udp), (True, True, Udp), (False, False, Udp), (False, True, Tcp))]
    seen = []
    for text, idn in ((RULES, KEYS), (RULES, ""), (bare, "")):
        with policy(world, tap, text + "\ntcp-only name tcp.example\n", idn) as resolver:
            seen.append([masked(resolver.exchange(*question).wire)[0] for question in questions])
    for number, (question, transport) in enumerate(questions):
        tap.ok(seen[0][number] == seen[1][number] == seen[2][number], f"{question}, {transport.__name__}: the same octets")


def test_without_key(world, tap):
    """Without structured-errors in idn.conf the option asks for nothing."""
    with policy(world, tap, RULES, "error-contact: mailto:a@example.net") as resolver:
        for name, plain, _ in CASES:
            tap.equal(edes(resolver.exchange(asking(name))), [plain] if plain else [], name)


LONG = f"""\
nxdomain zone why.example why="Listed as \\"phishing\\" \\\\ см. правила" sub-error=malware
answer name brief.example why="{'y' * 190}" TXT "{'x' * 250}"
answer name none.example why="{'y' * 190}" TXT "{'x' * 250}" "{'x' * 170}"
"""


def test_size(world, tap):
    """A structured error is cut to the client's UDP size: all, without justification and organization, no text. The reply is never longer, nor
    is it truncated for the sake of a text."""
    forms = {"whole": set(), "brief": set(), "none": set()}
    below = f"{'a' * 63}.{'b' * 63}.{'c' * 63}.why.example"
    with policy(world, tap, LONG, KEYS) as resolver:
        for name, qtype in (("a.why.example", "A"), (below, "A"), ("brief.example", "TXT"), ("none.example", "TXT")):
            most = len(resolver.exchange(asking(name, qtype), Tcp).wire)
            for size in sorted({0, 512, 513, 600, most - 1, most, most + 1, 1232}):
                reply = resolver.exchange(asking(name, qtype, size=size))
                code, told = structured(reply)
                what = f"{name[:20]} {size}"
                tap.ok(len(reply.wire) <= max(512, size), f"{what}: {len(reply.wire)} octets")
                tap.ok(not reply.has(dns.flags.TC), f"{what}: not truncated")
                tap.equal(code, 15, f"{what}: info code")
                form = "whole" if told and "j" in told else "brief" if told else "none"
                forms[form].add(size)
                tap.equal(form == "whole", most <= max(512, size), f"{what}: all of it, if that fits")
                if form == "brief":
                    tap.equal(sorted(told), ["c", "s"] if "why" in name else ["c"], f"{what}: what stays")
        tap.ok(all(forms.values()), "each form was met", str(forms))
        tap.ok(512 in forms["none"], "no text", str(forms))


def test_size_behind_an_alias(world, tap):
    """An alias of a local zone is in the reply, too, or its name is in the question: both take their room from the text."""
    labels = f"{'a' * 63}.{'b' * 63}.{'c' * 63}"
    server = f'local-zone: "l.alias." redirect\nlocal-data: "l.alias. 300 IN CNAME {labels}.why.example."\n' \
        f'local-zone: "{labels}.l." redirect\nlocal-data: "{labels}.l. 300 IN CNAME refuse.example."'
    why = f'why="{"y" * 190}"'
    with policy(world, tap, f"nxdomain zone why.example {why}\nrefuse zone refuse.example {why}", KEYS, server=server) as resolver:
        for name, answers in ("l.alias", [f"{labels}.why.example."]), (f"{labels}.l", []):
            most = len(resolver.exchange(asking(name), Tcp).wire)
            for size in 512, most - 1, most:
                what = f"{name[-10:]} {size}"
                reply = resolver.exchange(asking(name, size=size))
                tap.ok(len(reply.wire) <= size and not reply.has(dns.flags.TC), f"{what}: it fits: {len(reply.wire)}", reply.message)
                tap.equal(reply.answers(), answers, f"{what}: the alias")
                code, told = structured(reply)
                tap.equal((code, bool(told and "j" in told)), (15, size == most), f"{what}: all of it, if that fits")


def test_joined(world, tap):
    """Clients that wait for one answer: each gets the extended error that it understands."""
    name = "gate-structured.slow.example"
    gate = world.upstream.gate("gate-structured")
    with policy(world, tap, "nxdomain name other.example", KEYS) as resolver:
        clients = []
        first = waiting(tap, resolver, gate, ask(name))
        for question in (asking(name), ask(name), asking(name, size=512), ask(name, edns=False)):
            client = Udp(resolver.address())
            client.send(question)
            clients.append((client, question))
        fence(tap, resolver)
        assert changed(resolver, "nxdomain zone slow.example why=\"Slow.\"\n")
        gate.open()
        tap.equal(edes(received(resolver, first, ask(name))), [(15, "")], "the first: plain")
        for client, question in clients:
            reply = received(resolver, client, question)
            if question.option:
                tap.equal(structured(reply), (15, with_operator(j="Slow.")), f"{question.size}: structured")
            else:
                tap.equal(edes(reply), [(15, "")] if question.edns else [], "plain")


def test_withheld(world, tap):
    """A reply that the gate withholds has the code alone, and never Forged Answer; over TCP the client gets the reason."""
    name = "ascii.example"
    for rule, code in (("nxdomain name ascii.example why=\"Slow.\"", 15), ("redirect 192.0.2.9 name ascii.example", None),
                       ("redirect 192.0.2.9 name ascii.example why=\"Slow.\"", 15)):
        with policy(world, tap, "nxdomain name other.example", KEYS, check=False) as resolver:
            tap.equal(resolver.exchange(asking(name)).rcode, "NOERROR", "it is cached")
            assert changed(resolver, rule)
            reply = exchange(resolver.address(), asking(name))
            tap.ok(reply.has(dns.flags.TC), f"{rule}: withheld", reply.message)
            tap.equal(edes(reply), [(code, "")] if code else [], f"{rule}: the code alone")
            reply = exchange(resolver.address(), asking(name), Tcp)
            wanted = (15, with_operator(j="Slow.")) if code else None
            tap.equal(structured(reply), wanted, f"{rule}: over TCP")


def test_hostile_names(world, tap):
    """Names that a client or a list's author makes up cannot leave their string."""
    with policy(world, tap, "refuse lookalikes brands.txt label=any\n", KEYS, {"brands_txt": "paypal.com\n"}) as resolver:
        labels = (b'p"ypal","s":9,"j":"\\\0\xe2\x80\xae', b"xn--pypal-4ve", b"com")
        reply = resolver.exchange(asking(labels))
        code, told = structured(reply)
        tap.equal((code, sorted(told)), (15, ["c", "j", "l", "o"]), "its members")
        tap.ok(told["j"].endswith(".xn--pypal-4ve.com imitates paypal.com"), "its justification", told["j"])
        tap.ok(told["j"].isascii() and told["j"].isprintable(), "nothing in it steers anything", told["j"])


def test_settings_change(world, tap):
    """The keys are applied as soon as idn.conf has changed."""
    with policy(world, tap, RULES, "") as resolver:
        tap.equal(edes(resolver.exchange(asking("plain.example"))), [(15, "")], "off")
        before = len(swaps(resolver))
        write_idn(resolver.folder, f"policy: rules.conf\nstructured-errors: {CODE}\nerror-contact: tel:110")
        assert eventually(lambda: len(swaps(resolver)) > before)
        tap.equal(structured(resolver.exchange(asking("plain.example"))), (15, {"c": ["tel:110"]}), "on")


def test_beside_other_options(world, tap):
    """Options of Unbound's own stay: its NSID, and its extended errors of what no rule decides."""
    nsid = struct.pack("!HH", 3, 0)
    with policy(world, tap, RULES, KEYS, server='nsid: "ascii_x"\nede: yes') as resolver:
        reply = resolver.exchange(ask("a.why.example", option=nsid + OPTION))
        tap.equal(structured(reply), (15, with_operator(j=WHY, s=1)), "structured")
        tap.ok(any(option.otype == dns.edns.NSID for option in reply.message.options), "and the NSID", reply.message)
        for question in (ask("mangled.example"), asking("mangled.example")):
            told = edes(resolver.exchange(question))
            tap.ok([code for code, _ in told] in ([6], [9]), "a bogus answer's extended error is Unbound's", str(told))



def test_upstream_error(world, tap):
    """The extended error of a zone's server: Unbound passes none on, with the module or without; a rule's is the rule's."""
    questions = [question(name) for name in ("told-a.slow.example", "told-b.slow.example") for question in (ask, asking)]
    with world.resolver(tap, None) as resolver:
        without = [edes(exchange(resolver.address(), question)) for question in questions]
    tap.equal(without, [[]] * len(questions), "Unbound alone")
    with policy(world, tap, "refuse name told-b.slow.example why=Ours.\nlog name told-a.slow.example tag=seen", KEYS) as resolver:
        for again in range(2):
            for question in questions[:2]:
                tap.equal(edes(resolver.exchange(question)), [], f"with the module, {again}")
        tap.equal(edes(resolver.exchange(questions[2])), [(15, "")], "a rule's own")
        tap.equal(structured(resolver.exchange(questions[3])), (15, with_operator(j="Ours.")), "a rule's own, structured")


def test_unused_tag(world, tap):
    """The line of a tag that no rule has is a warning; it may be in another file than the rules that have the tag."""
    with world.resolver(tap, f"policy: rules.conf\npolicy: tags.conf\n{KEYS}", prepare=rules(
            "nxdomain zone a.example tag=used\n", tags_conf="tag used why=Used.\ntag lost why=x\n")) as resolver:
        log = resolver.daemon.log()
        tap.ok("tags.conf:2:1: no rule has the tag lost: this line does nothing" in log, "a warning", log)
        tap.ok("the tag used" not in log, "and none", log)
        tap.equal(structured(resolver.exchange(asking("a.example"))), (15, with_operator(j="Used.")), "its reason")
