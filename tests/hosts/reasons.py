# SPDX-License-Identifier: BSD-3-Clause
"""Tests the structured errors of every host, which only clients that ask for them get."""

import dns.flags
import dnsname
from host import IDN
from question import Tcp, Udp, ask
from test_structured import KEYS, OPERATORS, asking, structured, with_operator

LIST = 'This name is on a "list" \\ of malware.'
RULES = """\
tag listed sub-error=malware why="This name is on a \\"list\\" \\\\ of malware."
nxdomain zone nx.wild.example tag=listed
nodata zone nodata.wild.example
refuse zone refuse.wild.example why="Ärger" sub-error=dns-policy
redirect 192.0.2.80 zone redirect.wild.example
redirect 192.0.2.80 zone walled.wild.example why="Pay."
nxdomain lookalike paypal.example
nxdomain zone off.wild.example ede=off
nxdomain zone listed.slow.example tag=listed
redirect 192.0.2.80 zone forged.slow.example
"""
WALLED = (15, with_operator(j="Pay."))
CASES = (("nx.wild.example", "NXDOMAIN", (15, ""), (15, with_operator(j=LIST, s=1))),
         ("nodata.wild.example", "NOERROR", (15, ""), (15, with_operator())),
         ("refuse.wild.example", "REFUSED", (15, ""), (15, with_operator(j="Ärger", s=6))),
         ("redirect.wild.example", "NOERROR", (4, ""), None),
         ("walled.wild.example", "NOERROR", (4, ""), WALLED),
         ("xn--pypal-4ve.example", "NXDOMAIN", (15, ""), (15, with_operator(j="xn--pypal-4ve.example imitates paypal.example"))),
         ("off.wild.example", "NXDOMAIN", None, None))
ALIASES = (("alias-listed.slow.example", "NXDOMAIN", (15, ""), (15, with_operator(j=LIST, s=1))),
           ("alias-forged.slow.example", "NOERROR", (4, ""), None))


def plain(reply):
    errors = [(int(option.code), option.text or "") for option in reply.message.options if option.otype == 15]
    assert len(errors) < 2, errors
    return errors[0] if errors else None


def test_structured(host, tap):
    """At a question and at an alias, over UDP and TCP, for clients that ask for structured errors and for others."""
    with host.running(tap, RULES, f"{IDN}\n{KEYS}") as running:
        for name, rcode, without, wanted in (*CASES, *ALIASES):
            for transport in (Udp, Tcp):
                reply = running.exchange(asking(name), transport)
                what = f"{name}, {transport.__name__}"
                tap.equal((reply.rcode, structured(reply)), (rcode, wanted), f"{what}: structured")
                reply = running.exchange(ask(name), transport)
                tap.equal((reply.rcode, plain(reply)), (rcode, without), f"{what}: plain")
        tap.equal(plain(running.exchange(asking("www.example"))), None, "no error where no rule matches")


def test_structured_size(host, tap):
    """Keeps replies over UDP within the client's limit without truncation, with a text that is complete JSON."""
    label = "x" * 63
    names = ("nx.wild.example", f"{label}.nx.wild.example", f"{label}.{label}.nx.wild.example")
    forms = set()
    with host.running(tap, f"nxdomain zone nx.wild.example why={'y' * 195} sub-error=spam\n", f"{IDN}\n{KEYS}") as running:
        for name in names:
            most = len(running.exchange(asking(name), Tcp).wire)
            for size in (512, most - 1, most, 1232):
                reply = running.exchange(asking(name, size=size))
                found = structured(reply)
                what = f"{dnsname.column(asking(name).labels)[:20]} {size}"
                tap.ok(len(reply.wire) <= max(size, 512) and not reply.has(dns.flags.TC), f"{what}: its size", str(len(reply.wire)))
                tap.equal(found and found[0], 15, f"{what}: info code")
                forms.add("whole" if found[1] and "j" in found[1] else "brief" if found[1] else "none")
                tap.ok(not found[1] or "c" in found[1] and found[1]["c"] == OPERATORS["c"], f"{what}: the contact", str(found))
        tap.ok({"whole", "brief"} <= forms, "the whole text where it fits, otherwise the brief one", str(forms))


def test_structured_joined(host, tap):
    """Gives each of several clients that wait for one answer the kind of error that it asks for."""
    label = f"gate-reasons-{host.name}"  # a name of its own, since the backend caches answers
    name, gate = f"{label}.slow.example", host.world.upstream.gate(label)
    with host.running(tap, "nxdomain name other.example\n", f"{IDN}\n{KEYS}", check=False) as running:
        clients = []
        for question in (ask(name), asking(name), ask(name), asking(name)):
            client = Udp(running.address())
            client.send(question)
            tap.ok(gate.arrived.wait(20), "the upstream is asked")
            clients.append((client, question))
        running.exchange(ask("version.bind", "TXT", cls="CH"))
        tap.ok(running.changed(f"refuse name {name} why=Slow.\n"), "the rule is in force")
        gate.open()
        for client, question in clients:
            reply = client.receive()
            client.close()
            tap.equal(reply.rcode, "REFUSED", f"refused, {question.option.hex()}")
            if question.option:
                tap.equal(structured(reply), (15, with_operator(j="Slow.")), "structured")
            else:
                tap.equal(plain(reply), (15, ""), "plain")


# Names with an extended error of the server, beside an answer, and of the resolver that hosts with backend() ask, beside SERVFAIL.
UPSTREAM_ERRORS = "told-a.slow.example", "mangled.example"


def test_upstream_error(host, tap):
    """Treats an upstream server's extended error as without the policy, and replaces it by a rule's."""
    rules = "refuse name other.example\nrefuse name replaced.slow.example why=Ours.\nlog name told-a.slow.example tag=seen\n"
    with host.running(tap, rules, f"{IDN}\n{KEYS}") as running:
        for again in range(2):
            for name, codes in zip(UPSTREAM_ERRORS, host.upstream_errors):
                for question in (ask(name), asking(name)):
                    reply = running.exchange(question)
                    found = tuple(int(option.code) for option in reply.message.options if option.otype == 15)
                    tap.equal(found, codes, f"{name}, {again}, {question.option.hex()}: extended errors")
        reply = running.exchange(asking("replaced.slow.example"))
        tap.equal(structured(reply), (15, with_operator(j="Ours.")), "a rule's own")


def check_security(tap, host, insecure="insecure"):
    """Checks that log lines have the result of validation, except for the policy's own answers."""
    with host.running(tap, "refuse zone refused.wild.example\nlog zone logged.wild.example\n") as running:
        for name, wanted in (("host.wild.example", "secure"), ("logged.wild.example", "secure"), ("a.slow.example", insecure),
                             ("mangled.example", "bogus"), ("refused.wild.example", None)):
            reply, line = running.logged(ask(name))
            rcode = "REFUSED" if name.startswith("refused.") else "SERVFAIL" if wanted == "bogus" else "NOERROR"
            tap.equal((reply.rcode, line.rcode, line.security), (rcode, rcode, wanted), name)
