# SPDX-License-Identifier: BSD-3-Clause
"""A random unbound.conf for the zone model.: modules, settings, zones, servers, and aliases of Unbound's own."""

import itertools
import random

import dns.name

from model import Asked
from modelupstream import NAMES, REWRITTEN, SUBTREES, ZONE, record

MODULES = ("validator iterator", "iterator", "respip validator iterator", "dns64 validator iterator", "dns64 iterator",
           "subnetcache validator iterator", "validator cachedb iterator", "dns64 subnetcache validator cachedb iterator",
           "dns64 respip validator iterator", "respip subnetcache validator cachedb iterator")
YES_OR_NO = ("minimal-responses", "qname-minimisation", "qname-minimisation-strict", "prefetch", "prefetch-key", "serve-expired",
             "serve-expired-ttl-reset", "aggressive-nsec", "harden-glue", "harden-referral-path", "val-clean-additional",
             "use-caps-for-id", "harden-below-nxdomain")
SETTINGS = {"cache-max-ttl": (1, 2, 86400), "cache-max-negative-ttl": (1, 60), "serve-expired-client-timeout": (0, 1, 50, 1800),
            "serve-expired-reply-ttl": (0, 30), "target-fetch-policy": ('"0 0 0 0 0"', '"3 2 1 0 0"'), "max-query-restarts": (2, 11),
            "outbound-msg-retry": (1, 5), "discard-timeout": (60000, 60000, 400), "wait-limit": (1000, 1000, 3),
            "edns-buffer-size": (512, 1232), "max-udp-size": (512, 1232),
            "ignore-cd-flag": ("no", "no", "yes"), "ede": ("yes",), "incoming-num-tcp": (200,), "infra-host-ttl": (1,),
            "domain-insecure": ('"model."',), "unblock-lan-zones": ("yes",)}
ALIASES = [dns.name.from_text(f"l{n}.alias.") for n in range(6)]
REVERSED = [dns.name.from_text("200.2.0.192.in-addr.arpa."),  # 192.0.2.200, as it is and behind dns64's prefix
            dns.name.from_text("8.c.2.0.0.0.0.c." + "0." * 16 + "b.9.f.f.4.6.0.0.ip6.arpa.")]
TARGETS = [name for name in NAMES if b"xn--" not in name.to_wire()]  # a condition on them decides what is asked for alone
ABSENT_KEY = 'trust-anchor: "{} DS 20326 8 2 ' + "AB" * 32 + '"'


class Configuration:
    """`server` are lines of the server: clause, `clauses` more clauses, `files` what the daemon's folder has besides.
    If `is_jostling`, new queries jostle out old ones."""

    def __init__(self, rng, linked, upstream):
        self.rng = rng
        self.modules = rng.choice([m for m in MODULES if set(m.split()) <= linked])
        self.server = [f"{switch}: {rng.choice(('yes', 'no'))}" for switch in YES_OR_NO]
        self.server += [f"{setting}: {rng.choice(values)}" for setting, values in SETTINGS.items()]
        self.clauses = upstream.clauses()
        self.files = {}
        self.aliases = {name: rng.choice(TARGETS) for name in ALIASES}
        self.names = NAMES * 4 + ALIASES * 3 + REWRITTEN * 3 + REVERSED
        self.is_jostling = rng.random() < 0.5
        if self.is_jostling:  # queries are jostled out
            self.server += [f"num-queries-per-thread: {rng.choice((8, 16, 40))}", f"jostle-timeout: {rng.choice((10, 50, 200))}",
                            "outgoing-range: 200", "use-caps-for-id: no"]  # 1.17.1 would then wait for ever, without the module too
        if rng.random() < 0.5:
            self.server.append("access-control: 127.0.0.0/8 allow_snoop")
        self._set_modules()
        self._add_zones(upstream.port)
        for alias, target in self.aliases.items():
            self.server += [f'local-zone: "{alias}" redirect', f'local-data: "{alias} 300 IN CNAME {target}"']
        if "respip" in self.modules and "cachedb" in linked and rng.random() < 0.7:  # else it is 1.17.1: doc/upstream/unbound.md
            self._add_rpz()

    def __str__(self):
        return "\n".join((self.modules, *self.server)) + f"\n{self.clauses}"

    def _set_modules(self):
        rng = self.rng
        if "validator" in self.modules and rng.random() < 0.7:  # which waits for keys that are slow, and not there
            self.server += [ABSENT_KEY.format(zone) for zone in rng.sample(SUBTREES, 3)]
            self.server += ["val-permissive-mode: yes", "disable-dnssec-lame-check: yes"]
        if "subnetcache" in self.modules:
            self.server += ["send-client-subnet: 127.0.0.1", f"client-subnet-always-forward: {rng.choice(('yes', 'no'))}",
                            f"max-ecs-tree-size-ipv4: {rng.choice((2, 100))}", "min-client-subnet-ipv4: 0"]
        if "dns64" in self.modules:
            self.server.append(f"dns64-synthall: {rng.choice(('yes', 'no'))}")
        if "respip" in self.modules and "serve-expired: no" in self.server and rng.random() < 0.7:  # doc/upstream/unbound.md: it crashes
            self.server += ["response-ip: 192.0.2.200/32 redirect",
                            f'response-ip-data: 192.0.2.200/32 "CNAME {rng.choice(TARGETS)}"']
        if "cachedb" in self.modules:
            self.clauses += 'cachedb:\n    backend: "testframe"\n'

    def _add_zones(self, port):
        rng = self.rng
        zones = rng.sample(SUBTREES, 4)
        for number, zone in enumerate(zones[:rng.choice((0, 1, 2))]):
            self.files[f"auth{number}.zone"] = zone_file(rng, zone)
            self.clauses += f'auth-zone:\n    name: "{zone}"\n    zonefile: "auth{number}.zone"\n    for-downstream: no\n' \
                            f'    fallback-enabled: {rng.choice(("yes", "no"))}\n'
        for kind, zone, settings in ("forward", zones[2], ("no-cache", "first")), ("stub", zones[3], ("no-cache", "prime")):
            if rng.random() < 0.6:
                self.clauses += f'{kind}-zone:\n    name: "{zone}"\n    {kind}-addr: 127.0.0.1@{port}\n' + "".join(
                    f"    {kind}-{setting}: {rng.choice(('yes', 'no'))}\n" for setting in settings)
        if self.files:  # doc/upstream/unbound.md: Unbound may crash
            self.clauses = self.clauses.replace("stub-prime: yes", "stub-prime: no")

    def _add_rpz(self):
        rewritten = {name: self.rng.choice(TARGETS) for name in REWRITTEN}
        self.files["rpz.zone"] = head("rpz.") + "".join(f"{name}rpz. 300 IN CNAME {target}\n" for name, target in rewritten.items())
        self.clauses += 'rpz:\n    name: "rpz."\n    zonefile: "rpz.zone"\n'
        self.aliases.update(rewritten)

    def decided(self, asked):
        """The question that the policy sees: a local alias is Unbound's own answer, and its target is looked up."""
        question = asked.question
        if asked.name not in self.aliases or question.cls != "IN" or question.type in ("CNAME", "DS"):
            return asked
        return Asked(self.aliases[asked.name], question, asked.client, asked.is_tcp)


def head(origin):
    return f"{origin} 300 IN SOA ns.{ZONE} admin.{ZONE} 1 60 60 60 60\n{origin} 300 IN NS ns.{ZONE}\n"


def lengthened(alias, origin):
    """The alias, or several to its target: more than a query restarts, or than the module follows."""
    count = random.Random(str(alias)).choice((0, 0, 3, 20, 40))
    names = [alias.name, *(f"{alias.name.labels[0].decode()}{n}.{origin}" for n in range(count)), alias[0].target]
    return [f"{name} 300 IN CNAME {target}" for name, target in itertools.pairwise(names)]


def zone_file(rng, origin):
    """A zone without a server, with aliases that may lead anywhere, in a circle too; even beside a DNAME."""
    records = []
    for label in ("", "x.", "y.x."):
        owner = dns.name.from_text(label + origin)
        kind = rng.choice(("CNAME", "CNAME", "DNAME", "data") if label else ("DNAME", "data", "data"))
        if kind == "CNAME":
            records += lengthened(record(rng, owner, kind), origin)
            continue
        records += [record(rng, owner, rtype).to_text() for rtype in ("A", "MX", "TXT", "HTTPS", "SRV") if rng.random() < 0.6]
        if kind == "DNAME":  # and nothing below it
            dname = record(rng, owner, kind)
            records.append(dname.to_text())
            more = random.Random(str(dname))
            if label and more.random() < 0.5:
                records += lengthened(record(more, owner, "CNAME"), origin)
            break
    return head(origin) + "\n".join(records) + "\n"
