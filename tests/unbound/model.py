# SPDX-License-Identifier: BSD-3-Clause
"""The model of a policy with a few kinds of rules: it follows idn-policy(5) in plain Python, without the engine."""

import dns.edns
import dns.flags
import dns.name
import dns.rcode
import dns.rdatatype

from question import RD

CLIENTS = tuple(f"127.0.0.{n}" for n in range(2, 8))
RCODES = {"nxdomain": dns.rcode.NXDOMAIN, "nodata": dns.rcode.NOERROR, "redirect": dns.rcode.NOERROR,
          "refuse": dns.rcode.REFUSED, "drop": dns.rcode.REFUSED, "cname": None}  # its target's
OF_ZONES = {dns.rdatatype.NS, dns.rdatatype.SOA, dns.rdatatype.DS, dns.rdatatype.NSEC, dns.rdatatype.NSEC3}
DNS64 = "64:ff9b::"


def is_cyrillic(name):
    return any(label.lower().startswith(b"xn--") and
               any("\u0400" <= c <= "\u04ff" for c in label[4:].lower().decode("punycode")) for label in name.labels)


class Rule:
    """`types` and `clients` are sets, or None for all; `address` is the one that redirect gives, `target` the name that cname
    gives."""

    def __init__(self, rng, names, number, address):
        self.number = number
        self.address = address
        self.action = rng.choice(("nxdomain", "nodata", "refuse", "drop", "redirect", "redirect", "cname", "tcp-only", "passthru"))
        self.trigger = rng.choice(("name", "zone", "zone", "below", "script")) if self.action != "passthru" else "name"
        self.owner = rng.choice(names)
        self.target = rng.choice([name for name in names if not name.is_subdomain(self.owner) and not is_cyrillic(name)])
        self.types = self.clients = None
        if self.action != "nxdomain" and rng.random() < 0.25:
            self.types = frozenset(rng.sample(("A", "AAAA", "TXT", "HTTPS", "MX"), rng.randrange(1, 4)))
        if rng.random() < 0.3:
            self.clients = frozenset(rng.sample(CLIENTS, rng.randrange(1, 4)))

    def text(self):
        words = [self.action]
        if self.action in ("redirect", "cname"):
            words.append(self.address if self.action == "redirect" else self.target.to_text(True))
        words += ["script in Cyrl"] if self.trigger == "script" else \
            ["zone" if self.trigger == "zone" else "name", ("*." if self.trigger == "below" else "") + self.owner.to_text(True)]
        if self.types:
            words.append("type=" + ",".join(sorted(self.types)))
        if self.clients:
            words.append("client=" + ",".join(sorted(self.clients)))
        return " ".join(words)

    def applies(self, types, client):
        if self.clients and client not in self.clients:
            return False
        if self.action == "passthru":
            types = types[:1]
        elif "ANY" in types:
            return True
        return not self.types or not self.types.isdisjoint(types)

    def rank(self, name):
        """Returns how closely the rule matches a name, or None."""
        if self.trigger == "script":
            return None
        if name == self.owner:
            return (len(name), True) if self.trigger == "name" else (len(name), False) if self.trigger == "zone" else None
        return (len(self.owner), False) if self.trigger != "name" and name.is_subdomain(self.owner) else None


class Policy:
    """Some rules; their addresses are no other policy's."""

    def __init__(self, rng, names, serial):
        self.rules = [Rule(rng, names, number, f"198.18.{serial % 256}.{number}") for number in range(rng.randrange(6, 16))]
        self.serial = serial

    def text(self):
        return "".join(rule.text() + "\n" for rule in self.rules) + f"log name n{self.serial}.invalid\n"

    def _best(self, name, types, client, actions):
        """The rule that decides: the longest match, passthru before others, an earlier line before a later one."""
        found = [(rank, rule.action == "passthru", -rule.number, rule) for rule in self.rules
                 if rule.action in actions and rule.applies(types, client) and (rank := rule.rank(name))]
        return max(found, key=lambda entry: entry[:3], default=None)

    def decide(self, name, types, client, is_asked=False):
        """(the rule that says what a client gets of this name or None, whether it has to ask over TCP). `types` is the type
        asked for, and any from which its records are made."""
        best = self._best(name, types, client, {*RCODES, "passthru"})
        rule = best and best[3]
        if not rule and is_asked and is_cyrillic(name):
            rule = next((r for r in self.rules if r.trigger == "script" and r.action in RCODES and r.applies(types, client)), None)
        if rule and rule.action != "passthru":
            return rule, False
        tcp = self._best(name, types, client, {"tcp-only"})
        if not tcp and is_asked and is_cyrillic(name) and not rule:
            return rule, any(r.trigger == "script" and r.action == "tcp-only" and r.applies(types, client) for r in self.rules)
        return rule, bool(tcp and (not best or tcp[:2] > best[:2]))


class Asked:
    """A question of a client, and how it came."""

    def __init__(self, name, question, client, is_tcp):
        self.name, self.question, self.client, self.is_tcp = name, question, client, is_tcp

    def __str__(self):
        q = self.question
        return f"{self.client} {'TCP' if self.is_tcp else 'UDP'} {q} flags {q.flags:#x} DO {q.dnssec} ECS {q.option.hex()}"


def has_refusal(message):
    """Returns whether the reply has a refusal's extended error."""
    return any(o.otype == dns.edns.EDE and o.code in (4, 15) for o in message.options)


def own_alias(decisions, answer):
    """The place of the alias that a cname rule gives, since nothing after it is decided, and the rule; or the end, and None."""
    for place, rrset in enumerate(answer):
        for rule in decisions(rrset.name):
            if rrset.rdtype == dns.rdatatype.CNAME and rule and rule.action == "cname" and rrset[0].target == rule.target:
                return place, rule
    return len(answer), None


def complaints(policy, asked, message, has_dns64):
    """Lists the reasons why the policy forbids this answer to this client."""
    qtype = asked.question.type

    def decide(name, types=(qtype,)):
        return policy.decide(name, types, asked.client, name == asked.name)

    def types_of(rrset):
        """Returns the types as which a record is decided if it was not asked for, or is made from another type."""
        if rrset not in message.answer:
            return (dns.rdatatype.to_text(rrset.rdtype),)
        return (qtype, "A") if has_dns64 and any(r.to_text().startswith(DNS64) for r in rrset) else (qtype,)

    rule, _ = decide(asked.name)
    made_from = (qtype, "A") if has_dns64 and qtype == "AAAA" else (qtype,)
    end, giver = own_alias(lambda name: (decide(name)[0], decide(name, made_from)[0]), message.answer)
    chain = [asked.name, *(rrset[0].target for rrset in message.answer[:end] if rrset.rdtype == dns.rdatatype.CNAME)]
    is_exempt = rule is not None and rule.action == "passthru"
    refusals = [found for found in (giver, *(decide(name)[0] for name in chain)) if found and found.action != "passthru"]
    if is_exempt:
        refusals = []
    # A refusal of A records, of which dns64 would have made others: it is for them, and wins over tcp-only like any other.
    is_refused = bool(refusals) or has_refusal(message) and any(
        found and found.action != "passthru" for found in (decide(name, made_from)[0] for name in chain))
    bad = []
    # what other policies, or rules for other clients, would have given
    own = {found.address for found in refusals if found.action == "redirect"}
    for rrset in message.answer:
        given = {r.to_text() for r in rrset if r.to_text().startswith("198.18.")}
        if not given <= own:
            bad.append(f"another's address: {rrset}")
    if not refusals and has_refusal(message) and not message.flags & dns.flags.TC and \
            message.rcode() != dns.rcode.REFUSED and not (has_dns64 and qtype in ("AAAA", "ANY")):  # which leaves out the aliases
        bad.append("the extended error of a refusal")
    # These answer without aliases, so that the name for which they do is not known.
    can_refuse = any(rule.action in ("refuse", "drop") for rule in policy.rules)
    if message.rcode() == dns.rcode.REFUSED and asked.question.flags & RD and not can_refuse and not has_dns64:
        bad.append("a refusal that no rule gives")
    if is_exempt:
        return bad
    # what it refuses
    for section in message.answer[:end], message.authority, message.additional:
        for rrset in section:
            rule, tcp = decide(rrset.name, types_of(rrset))
            if section is message.authority and rrset.rdtype in OF_ZONES and \
                    (rrset.rdtype == dns.rdatatype.SOA or rrset.name != asked.name or tcp):
                continue  # it is about the zone
            if rrset.rdtype == dns.rdatatype.DNAME and any(name != rrset.name and name.is_subdomain(rrset.name) for name in chain):
                continue  # what it says is about names below it
            if tcp and not asked.is_tcp and not is_refused:
                bad.append(f"over UDP: {rrset}")
            if not rule or rule.action == "passthru":
                continue
            if rule.action == "redirect" and {r.to_text() for r in rrset} == {rule.address}:
                continue
            bad.append(f"'{rule.text()}' refuses {rrset}")
    if message.flags & dns.flags.TC and not message.answer:
        return bad  # the gate has withheld it
    rule, _ = decide(asked.name)
    if rule and rule.action == "cname":
        if message.rcode() == dns.rcode.NOERROR and not message.flags & dns.flags.TC and not giver:
            bad.append(f"'{rule.text()}' gives no alias")
    elif rule and message.rcode() not in (RCODES[rule.action], dns.rcode.SERVFAIL) and \
            not (message.rcode() == dns.rcode.REFUSED and not asked.question.flags & RD):
        bad.append(f"'{rule.text()}' gives no {dns.rcode.to_text(message.rcode())}")
    return bad
