# SPDX-License-Identifier: BSD-3-Clause
"""Look-alike rules at work: what clients get, aliases that lead to a look-alike, the cache, lists that change, what
goes before, and what is written down and counted."""

import re
import subprocess

import dns.flags

import dnsname
from daemon import TIMEOUT, eventually
from load import Load
from question import CD, RD, Tcp, Udp, ask
from rulefile import IDN, changed, rules
from test_policy_answers import check, edes, every_way, fence, received, section, soa, waiting
from test_policy_clients import is_silent
from test_policy_lookalike import A, C, PAYPAL, check_none
from test_targets import METRICS

SLOW, WILD = "paypal.slow.example", "paypal.wild.example"  # protected; one is not signed
SLOW_LIKE, WILD_LIKE = f"{PAYPAL}.slow.example", f"{PAYPAL}.wild.example"
LIKE = dnsname.a_label(PAYPAL).decode()
LEADING = f"alias-{LIKE}.slow.example"  # the upstream has a CNAME to the name after `alias-`
ADDRESS = "192.0.2.200"


def leading_of(test):
    """LEADING for a test that counts the questions for it: others may ask at the same time."""
    return f"alias-{LIKE}.{test}.slow.example"


# ---- the line -----------------------------------------------------------------------------------------------------


def columns_and_fields(resolver, name):
    """The fields of the last line for a name up to those of the reply's status, as logged."""
    text = resolver.log.target.octets.decode()
    line = [line for line in text.split("\n") if f" {name} " in line][-1]
    return re.search(r" [01] -(.*?)(?: f=[a-z,-]+)?(?: sec=[a-z]+)?(?: ede=\d+)?$", line).group(1)


def test_line(world, tap):
    text = """\
nxdomain   lookalike  bücher.example  key=strict
refuse     lookalikes brands.txt      tld=any
log        lookalikes brands.txt      tld=any  tag=brands
refuse     zone       straße.example
log        lookalike  bücher.slow.example  key=strict  tag=slow
"""
    findings = "idn=restricted(1:script-mix)"
    for idn, found in (
            ("", {f"{PAYPAL}.net": f'u="p\\u{{430}}ypal.net" {findings} policy=refuse rule=rules.conf:2 '
                                   'match="lookalikes paypal.com" key=exact label=1 tags=brands',
                  "www.bucher.example": 'policy=nxdomain rule=rules.conf:1 match="lookalike bücher.example" '
                                        'key=strict label=2',
                  "alias.example": 'policy=refuse rule=rules.conf:4 match="zone straße.example" '
                                   'target=xn--strae-oqa.example',
                  "alias-bucher.slow.example": 'policy=log rule=rules.conf:5 match="lookalike bücher.slow.example" '
                                               'key=strict label=1 target=bucher.slow.example tags=slow',
                  "bü\u0441her.example": 'u="b\\u{FC}\\u{441}her.example" ' + findings + ' policy=nxdomain '
                                         'rule=rules.conf:1 match="lookalike bücher.example" key=exact label=1'}),
            ("log-name: ascii", {"www.bucher.example": 'policy=nxdomain rule=rules.conf:1 '
                                                       'match="lookalike xn--bcher-kva.example" key=strict label=2'}),
            ("policy-mode: log-only", {f"{PAYPAL}.net": f'u="p\\u{{430}}ypal.net" {findings} policy=refuse '
                                                        'rule=rules.conf:2 match="lookalikes paypal.com" key=exact '
                                                        'label=1 tags=brands mode=log-only'})):
        with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{idn}",
                            prepare=rules(text, brands_txt="paypal.com\n")) as resolver:
            for name, fields in found.items():
                resolver.logged(ask(name))
                column = dnsname.column(dnsname.parse(name))
                tap.equal(columns_and_fields(resolver, column), f" {fields}", f"{idn}: {name}")


def test_shown(world, tap):
    """A label that a look-alike rule matched is shown with escapes, whatever its letters; without the rule as it is, also if lines
    before had it."""
    name, other = "b\u00fbcher.example", "nxdomain name other.example\n"
    for form, shown in (("text", "u"), ("json", "dns.question.name_unicode")):
        with world.resolver(tap, f"{IDN}\nlog: {form}", prepare=rules(other)) as resolver:
            for turn in range(2):
                for _ in range(2):
                    _, line = resolver.logged(ask(name))
                    tap.equal((line.fields.get(shown), line.u, line.idn or None), (name, name, None), f"{form} {turn}: no rule")
                tap.ok(changed(resolver, "log lookalike bücher.example key=strict\n"), "a rule")
                for _ in range(2):
                    _, line = resolver.logged(ask(name))
                    tap.equal((line.u, line.idn), ("b\\u{FB}cher.example", "restricted(1:lookalike)"), f"{form} {turn}: a look-alike")
                tap.ok(changed(resolver, other), "no rule")


def test_json_line(world, tap):
    text = "nxdomain lookalike bücher.example key=strict\nlog lookalikes brands.txt tag=brands\n" \
           "nxdomain lookalike bücher.slow.example key=strict\n"
    wanted = {
        f"b\u00fc{C}her.example": {
            "idn.lookalike": "bücher.example", "policy.action": "nxdomain", "policy.match": "lookalike bücher.example",
            "policy.key": "exact", "policy.label": 1, "policy.rule": "rules.conf:1", "policy.line": 1},
        "a.b.bucher.example": {
            "idn.lookalike": "bücher.example", "policy.action": "nxdomain", "policy.match": "lookalike bücher.example",
            "policy.key": "strict", "policy.label": 3, "policy.rule": "rules.conf:1", "policy.line": 1},
        f"www.{PAYPAL}.com": {
            "idn.lookalike": "paypal.com", "policy.action": "log", "policy.match": "lookalikes paypal.com",
            "policy.key": "exact", "policy.label": 2, "policy.rule": "rules.conf:2", "policy.line": 2,
            "tags": ["brands"]},
        "alias-bucher.slow.example": {
            "idn.lookalike": "bücher.slow.example", "policy.action": "nxdomain",
            "policy.match": "lookalike bücher.slow.example", "policy.key": "strict", "policy.label": 1,
            "policy.target": "bucher.slow.example", "policy.rule": "rules.conf:3", "policy.line": 3},
        "paypal.com": {}}
    with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log",
                        prepare=rules(text, brands_txt="paypal.com\n")) as resolver:
        for name, fields in wanted.items():
            _, line = resolver.logged(ask(name))
            path = line.fields.pop("policy.file", None)
            tap.equal(path, "./rules.conf" if fields else None, f"{name}: the rule's file")
            tap.equal({key: value for key, value in line.fields.items()
                       if key.startswith("policy.") or key in ("idn.lookalike", "tags")}, fields, name)
            tap.equal("denied" in line.fields["event.type"], fields.get("policy.action") == "nxdomain",
                      f"{name}: denied")


# ---- every action -------------------------------------------------------------------------------------------------

ACTIONS = {  # the start of the rule: rcode, answer, whether a SOA comes with it, extended error
    "nxdomain": ("NXDOMAIN", [], True, 15),
    "nodata": ("NOERROR", [], True, 15),
    "refuse": ("REFUSED", [], False, 15),
    "redirect 192.0.2.80": ("NOERROR", ["192.0.2.80"], False, 4),
    "cname ascii.example": ("NOERROR", ["ascii.example.", "192.0.2.60"], None, 4),
    "answer": ("NOERROR", [], True, 4),  # its record is TXT
}


def plain(reply):
    """The records of the answer, without signatures, in lower case: names are compressed against the question."""
    return [text.lower() for text in reply.answers() if " " not in text]


def target_of(name):
    """target= is right for a name that a client asks for."""
    return dnsname.column(dnsname.parse(SLOW_LIKE))[:-1] if name == LEADING else None


def rule(action, trigger):
    return f"{action} {trigger}" + (' TXT "so"' if action == "answer" else "")


def check_action(tap, what, action, reply, line, owner, why, chain=()):
    """The answer by a rule with that action about `owner`, behind the records of `chain`, and its line."""
    rcode, answer, has_soa, ede = ACTIONS[action]
    check(tap, what, reply, rcode, ede=[(ede, "")])
    tap.equal(plain(reply), [] if action == "refuse" else [*chain, *answer], f"{what}: answer")
    if has_soa is not None:
        tap.equal(section(reply.message.authority), soa(owner) if has_soa else [], f"{what}: authority")
    tap.equal((line.policy[0], line.policy[2], line.why, line.target),
              (action.split()[0], why[0], why, owner[:-1] if chain else None), f"{what}: the line")


def test_actions(world, tap):
    """The SOA of an answer without records is owned by the name that was decided."""
    owner = dnsname.column(dnsname.parse(f"x.{WILD_LIKE}"))
    for action in ACTIONS:
        with world.resolver(tap, IDN, prepare=rules(rule(action, f"lookalike {WILD}"))) as resolver:
            for way, question, transport in every_way(f"x.{WILD_LIKE}", "A"):
                reply, line = resolver.logged(question, transport)
                check_action(tap, f"{action}, {way}", action, reply, line, owner, (f"lookalike {WILD}", "exact", 2))
            reply = resolver.exchange(ask(WILD, dnssec=True))
            tap.ok(reply.has(dns.flags.AD) and edes(reply) == [], f"{action}: the protected name is as it was",
                   reply.message)
            if action == "answer":
                reply = resolver.exchange(ask(WILD_LIKE, "TXT"))
                tap.equal(reply.answers(), ['"so"'], "answer: its record")


def test_drop_and_tcp_only(world, tap):
    with world.resolver(tap, IDN, prepare=rules(f"drop lookalike {WILD}\ntcp-only lookalike {SLOW}\n")) as resolver:
        client = Udp(resolver.address())
        for _ in range(2):
            tap.ok(is_silent(resolver, client, ask(WILD_LIKE)), "drop: no answer")
        client.close()
        line = resolver.log.wait(dnsname.column(dnsname.parse(WILD_LIKE)), 2)[1]
        tap.equal((line.rcode, line.why), ("-", (f"lookalike {WILD}", "exact", 1)), "drop: the line")
        check(tap, "drop on TCP", resolver.exchange(ask(WILD_LIKE), Tcp), "REFUSED", [], [], [])
        for transport in (Udp, Tcp, Udp, Tcp):
            for name, count in ((SLOW_LIKE, 1), (LEADING, 2)):
                reply, line = resolver.logged(ask(name), transport)
                tap.equal((reply.has(dns.flags.TC), len(reply.answers())),
                          (True, 0) if transport is Udp else (False, count), f"tcp-only: {name}")
                tap.equal((line.why, line.target), ((f"lookalike {SLOW}", "exact", 1), target_of(name)),
                          f"tcp-only: {name}, the line")


def test_by_type(world, tap):
    text = f"nodata lookalike {WILD} type=AAAA\nredirect 192.0.2.80 lookalike {WILD} type=A,TXT\n"
    with world.resolver(tap, IDN, prepare=rules(text)) as resolver:
        for _ in range(2):
            for qtype, line_number, answer in (("A", 2, ["192.0.2.80"]), ("AAAA", 1, []), ("TXT", 2, []),
                                               ("HTTPS", None, []), ("MX", None, [])):
                reply, line = resolver.logged(ask(WILD_LIKE, qtype))
                tap.equal(reply.answers(), answer, f"{qtype}: answer")
                tap.equal(line.policy and line.policy[1], line_number and f"rules.conf:{line_number}", f"{qtype}: rule")
        reply = resolver.exchange(ask(WILD_LIKE, cls="CH"))
        tap.equal((reply.rcode, edes(reply)), ("REFUSED", []), "another class is not decided")


# ---- aliases ------------------------------------------------------------------------------------------------------


def test_targets(world, tap):
    """An alias of another name that leads to a look-alike: it stays in the answer, then the action's for its target."""
    target = dnsname.column(dnsname.parse(SLOW_LIKE))
    leading = leading_of("targets")
    for action in ACTIONS:
        with world.resolver(tap, IDN, prepare=rules(rule(action, f"lookalike {SLOW}"))) as resolver:
            before, ways = world.upstream.asked[f"{leading}.", "A"], list(every_way(leading, "A"))
            for way, question, transport in ways:
                reply, line = resolver.logged(question, transport)
                check_action(tap, f"{action}, {way}", action, reply, line, target, (f"lookalike {SLOW}", "exact", 1),
                             [target])
                tap.equal((line.idn, line.u), (None, None), f"{action}, {way}: the query name is no IDN")
            asked = world.upstream.asked[f"{leading}.", "A"] - before  # Unbound asks again by itself after a third of a second
            tap.ok(0 < asked < len(ways), f"{action}: the upstream was not asked each time", asked)
            tap.equal(resolver.cached(leading) + resolver.cached(SLOW_LIKE), [], f"{action}: nothing is cached")
            reply, line = resolver.logged(ask(f"alias-{SLOW}"))
            tap.equal((reply.answers(), line.why), ([f"{SLOW}.", ADDRESS], None), f"{action}: the protected name")


def test_targets_by_every_option(world, tap):
    rows = (  # the protected name and options, the target's first label, key or None
        ("paypal.com label=any", LIKE, "exact"), ("paypal.com tld=any", LIKE, None), ("paypal.com", LIKE, None),
        ("paypal.slow.com tld=any", LIKE, "exact"), ("paypal.slow.com", LIKE, None),
        (SLOW, "xn--pypal-xqa", None), (f"{SLOW} key=strict", "xn--pypal-xqa", "strict"),
        (f"{SLOW} key=strict min=7", "xn--pypal-xqa", None),
        (SLOW, "paypa1", None), (f"{SLOW} ascii=safe", "paypa1", "exact"), (f"{SLOW} ascii=safe", "paypai", None),
        (f"{SLOW} ascii=wide", "paypai", "exact"), ("bücher.slow.example key=strict", "bucher", "strict"),
        ("bücher.slow.example key=strict", "xn--bcher-kva", None))
    for protected, label, key in rows:
        with world.resolver(tap, IDN, prepare=rules(f"nxdomain lookalike {protected}\n")) as resolver:
            for hit in (0, 1):
                reply, line = resolver.logged(ask(f"alias-{label}.slow.example"))
                what = f"{protected}: {label}"
                tap.equal(reply.rcode, "NXDOMAIN" if key else "NOERROR", f"{what}: rcode")
                tap.equal((line.why, line.cached), ((f"lookalike {protected.split()[0]}", key, 1), 0) if key
                          else (None, hit), f"{what}: the line")


def test_alias_for_a_look_alike(world, tap):
    """Our own aliases' targets are not decided; a client who asks for one is."""
    text = f"cname {SLOW_LIKE} name out.example\nnxdomain lookalike {SLOW}\n"
    with world.resolver(tap, IDN, prepare=rules(text)) as resolver:
        for _ in range(2):
            reply = resolver.exchange(ask("out.example"))
            tap.equal(reply.answers(), [dnsname.column(dnsname.parse(SLOW_LIKE)), ADDRESS], "the alias has its target")
            check(tap, "asked", resolver.exchange(ask(SLOW_LIKE)), "NXDOMAIN", [], ede=[(15, "")])


def test_alias_for_itself(world, tap):
    """A list that contains its rule's alias target, or a look-alike of it, is reported and stops nothing."""
    for text, target, others in (
            (f"cname {SLOW_LIKE} lookalikes list.txt", SLOW_LIKE, (f"www.{SLOW_LIKE}", LEADING)),
            (f"cname {SLOW} zones list.txt", SLOW, (f"www.{SLOW}", f"alias-{SLOW}"))):
        with world.resolver(tap, IDN, prepare=rules(text, list_txt=f"{SLOW}\n")) as resolver:
            tap.ok(re.search(r" error: idn: \S*rules\.conf:1:\d+: this alias leads to a name that the rule itself matches",
                             resolver.daemon.log()), f"{text}: told", resolver.daemon.log())
            for way, question, transport in every_way(target, "A"):
                reply = resolver.exchange(question, transport)
                tap.equal((reply.rcode, reply.answers()), ("SERVFAIL", []), f"{text}: {way}")
            for name in others:
                reply = resolver.exchange(ask(name))
                tap.equal((reply.rcode, reply.answers()[-1]), ("NOERROR", ADDRESS), f"{text}: {name}")


DNAMES = """\
$ORIGIN klinik.
@ 300 SOA ns h 1 2 3 4 5
@ NS ns
alt DNAME xn--pypal-4ve.klinik.
www.xn--pypal-4ve A 192.0.2.2
"""
DNAMES_ZONE = """\
auth-zone:
    name: "klinik."
    zonefile: "klinik.zone"
    for-downstream: no
    for-upstream: yes
"""


def test_dname(world, tap):
    """The target of a DNAME is decided like that of any CNAME."""
    with world.resolver(tap, IDN, clauses=DNAMES_ZONE, server='domain-insecure: "klinik."',
                        prepare=rules("refuse lookalike paypal.klinik\n", klinik_zone=DNAMES)) as resolver:
        for way, question, transport in every_way("www.alt.klinik", "A"):
            reply, line = resolver.logged(question, transport)
            tap.equal((reply.rcode, reply.answers(), line.why), ("REFUSED", [], ("lookalike paypal.klinik", "exact", 2)), way)
        tap.equal(columns_and_fields(resolver, "www.alt.klinik."),
                  ' policy=refuse rule=rules.conf:1 match="lookalike paypal.klinik" key=exact label=2 '
                  "target=www.xn--pypal-4ve.klinik", "the line")
        changed(resolver, "log emoji\n")
        tap.equal(resolver.exchange(ask("www.alt.klinik")).answers()[-1], "192.0.2.2", "without the rule")


def test_exempt_chain(world, tap):
    """passthru on the query name exempts the chain; on the target, that target."""
    for text, first, second in ((f"passthru name {LEADING}\n", True, False),
                                (f"passthru name {SLOW_LIKE}\n", True, True)):
        with world.resolver(tap, IDN, prepare=rules(f"{text}nxdomain lookalike {SLOW}\n")) as resolver:
            for _ in range(2):
                for name, exempt in ((LEADING, first), (SLOW_LIKE, second)):
                    reply, line = resolver.logged(ask(name))
                    tap.equal((reply.rcode, line.policy[0]), ("NOERROR", "passthru") if exempt
                              else ("NXDOMAIN", "nxdomain"), f"{text.strip()}: {name}")


def test_chained_look_alikes_cost_one_question(world, tap):
    leading = leading_of("cost")
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", check=False,
                        prepare=rules(f"nxdomain lookalike {SLOW}\n")) as resolver:
        before = world.upstream.asked[f"{leading}.", "A"]
        result = Load(resolver, [leading], 1000, 0, 4).finish(tap, "the alias")
        tap.equal(result["rcodes"], {"3": 1000}, "every answer is refused")
        asked = world.upstream.asked[f"{leading}.", "A"] - before
        tap.ok(0 < asked <= 2, "one question to the upstream, or the same again", asked)


def test_internal(world, tap):
    """Unbound's own lookups are not decided; a client who joins such a lookup is."""
    for number, (text, label) in enumerate(((f"nxdomain lookalike {SLOW}\n", LIKE), ("nxdomain emoji\n", "xn--e28h"))):
        gate = world.upstream.gate(f"gate-alike{number}")
        host = f"gate-alike{number}.{label}.slow.example"
        with world.resolver(tap, IDN, prepare=rules(text), clauses='stub-zone:\n    name: "far.test.example."\n'
                            f'    stub-host: "{host}."') as resolver:
            first = waiting(tap, resolver, gate, ask("www.far.test.example"))
            client = Udp(resolver.address())
            client.send(ask(host))
            fence(tap, resolver)
            gate.open()
            check(tap, text.strip(), received(resolver, client, ask(host)), "NXDOMAIN", [], ede=[(15, "")])
            tap.equal(received(resolver, first, ask("www.far.test.example")).rcode, "SERVFAIL", "nobody serves there")
            tap.equal(resolver.cached(host), [], f"{text.strip()}: nothing is cached")
            check(tap, text.strip(), resolver.exchange(ask(host)), "NXDOMAIN", [], ede=[(15, "")])


# ---- the cache, and files that change -----------------------------------------------------------------------------


def test_cached_before(world, tap):
    """Earlier answers are refused as soon as the log reports the swap: by query name, and by target."""
    names = (SLOW_LIKE, f"www.{SLOW_LIKE}", LEADING, f"{PAYPAL}.com", f"x.{WILD_LIKE}")
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", threads=2, check=False,
                        prepare=rules("nxdomain lookalikes brands.txt shrink=any\n", brands_txt="ascii.example\n")) as resolver:
        for flags in (RD, RD | CD):
            for name in names:
                for qtype in ("A", "AAAA"):
                    rcode = "NXDOMAIN" if name.endswith(".com") else "NOERROR"
                    tap.equal(resolver.exchange(ask(name, qtype, flags=flags)).rcode, rcode, f"{name} {qtype}: before")
        for name in names:
            tap.ok(resolver.cached(name), f"{name}: cached before")
        brands = f"ascii.example\n{SLOW}\npaypal.com\n{WILD}\n"
        tap.ok(changed(resolver, brands, "brands.txt"), "the list is in force")
        for turn in range(2):
            for flags in (RD, RD | CD):
                for name in names:
                    for qtype in ("A", "AAAA"):
                        reply = resolver.exchange(ask(name, qtype, flags=flags))
                        check(tap, f"{name} {qtype} {turn}", reply, "NXDOMAIN", ede=[(15, "")])
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_withheld_total") >= len(names)), "and counted")
        tap.ok(changed(resolver, "ascii.example\n", "brands.txt"), "the list is as it was")
        for name in (SLOW_LIKE, LEADING):
            tap.equal(resolver.exchange(ask(name)).answers()[-1], ADDRESS, f"{name}: answered again")


def test_watched_list(world, tap):
    """The list alone changes: a name more, one less, one that is no name; and it may go."""
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log",
                        prepare=rules("refuse lookalikes brands.txt\n", brands_txt="paypal.com\n")) as resolver:
        def hits(*names):
            got = tuple(resolver.exchange(ask(name)).rcode == "REFUSED" for name in names)
            resolver.logged(ask("fence.example"))
            return got

        names = (f"{PAYPAL}.com", f"{A}scii.example")
        tap.equal(hits(*names), (True, False), "at the start")
        tap.ok(changed(resolver, "paypal.com\nascii.example\n", "brands.txt"), "a name more")
        tap.equal(hits(*names), (True, True), "a name more: hits")
        tap.ok(changed(resolver, "ascii.example\n", "brands.txt"), "a name less")
        tap.equal(hits(*names), (False, True), "a name less: hits")
        tap.ok(changed(resolver, "ascii.example\npay pal\nco.uk\npaypal.com\n", "brands.txt"),
               "bad lines")
        tap.equal(hits(*names), (True, True), "bad lines: the good ones hold")
        errors = "\n".join(resolver.errors())
        tap.ok("brands.txt:2:" in errors and "brands.txt:3:" in errors, "bad lines are reported", errors)
        (resolver.folder / "brands.txt").unlink()
        tap.ok(eventually(lambda: "brands.txt' cannot be read" in "\n".join(resolver.errors())), "the list is gone")
        tap.equal(hits(*names), (True, True), "what it held stays")


def test_hits_are_decided_again(world, tap):
    """For the log, where a log rule is about them; a refused name is never a hit."""
    text = f"log lookalike {SLOW} tag=like\nlog lookalike {SLOW} key=strict tag=strict\n"
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", prepare=rules(text)) as resolver:
        for name, key, tags in ((SLOW_LIKE, "exact", "like,strict"), ("páypal.slow.example", "strict", "strict"),
                                (LEADING, "exact", "like,strict")):
            for hit in (0, 1, 1):
                reply, line = resolver.logged(ask(name))
                tap.equal((reply.answers()[-1], line.cached, line.policy[0], line.policy[3]),
                          (ADDRESS, hit, "log", tags), f"{name}: cached {hit}")
                tap.equal(line.why, (f"lookalike {SLOW}", key, 1), f"{name}: cached {hit}, why")
        for hit in (0, 1):
            _, line = resolver.logged(ask(SLOW))
            tap.equal((line.cached, line.policy), (hit, None), "the protected name")
        tap.ok(eventually(lambda: resolver.metrics().sum("rule_replies_total", line="2") == 9), "each reply is counted")
        metrics = resolver.metrics()
        tap.equal([metrics.sum("lookalike_replies_total", key=key) for key in ("exact", "strict")], [6, 3], "by key")


def test_log_only(world, tap):
    text = f"nxdomain lookalike {SLOW}\ndrop lookalike {WILD}\n"
    with world.resolver(tap, f"{IDN}\npolicy-mode: log-only\n{METRICS}", prepare=rules(text)) as resolver:
        for hit in (0, 1, 1):
            for name, answer, why in ((SLOW_LIKE, ADDRESS, (f"lookalike {SLOW}", "exact", 1)),
                                      (LEADING, ADDRESS, (f"lookalike {SLOW}", "exact", 1)),
                                      (WILD_LIKE, "192.0.2.77", (f"lookalike {WILD}", "exact", 1))):
                reply, line = resolver.logged(ask(name))
                tap.equal((reply.rcode, reply.answers()[-1], edes(reply)), ("NOERROR", answer, []), f"{name}: as it is")
                tap.equal((line.cached, line.why, line.target, line.policy[4]), (hit, why, target_of(name), "log-only"),
                          f"{name}: written down")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_replies_total", mode="log-only") == 9), "counted")


# ---- what goes before ---------------------------------------------------------------------------------------------


def test_tiers(world, tap):
    text = f"""\
nxdomain   lookalike {SLOW} key=strict
redirect 192.0.2.80 lookalike {SLOW}
log        lookalike {SLOW} tag=like
passthru   name  páypal.slow.example
passthru   names allowed.txt
refuse     zones feed.txt
nodata     name  y.{SLOW_LIKE}
log        zone  slow.example  tag=slow
"""
    lists = {"allowed_txt": f"x.{SLOW_LIKE}\n", "feed_txt": f"www.{SLOW_LIKE}\n"}
    cases = (  # asked, rcode, action, line, tags, why
        ("p\u00e4ypal.slow.example", "NXDOMAIN", "nxdomain", 1, "slow", (f"lookalike {SLOW}", "strict", 1)),
        (SLOW_LIKE, "NXDOMAIN", "nxdomain", 1, "like,slow", (f"lookalike {SLOW}", "exact", 1)),  # the earlier line
        ("páypal.slow.example", "NOERROR", "passthru", 4, "slow", None),
        (f"x.{SLOW_LIKE}", "NOERROR", "passthru", 5, "slow", None),  # and no look-alike's tag
        (f"www.{SLOW_LIKE}", "REFUSED", "refuse", 6, "like,slow", None),
        (f"a.www.{SLOW_LIKE}", "REFUSED", "refuse", 6, "like,slow", None),
        (f"y.{SLOW_LIKE}", "NOERROR", "nodata", 7, "like,slow", None),
        (SLOW, "NOERROR", "log", 8, "slow", None),
    )
    with world.resolver(tap, IDN, prepare=rules(text, **lists)) as resolver:
        for asked, rcode, action, line_number, tags, why in cases:
            for _ in range(2):
                reply, line = resolver.logged(ask(asked))
                tap.equal((reply.rcode, line.policy[0], line.policy[1]), (rcode, action, f"rules.conf:{line_number}"),
                          f"{asked}: rule")
                tap.equal((set(line.policy[3].split(",")), line.why), (set(tags.split(",")), why), f"{asked}: tags")


def test_metrics(world, tap):
    text = "nxdomain lookalike paypal.com key=strict\nlog lookalikes brands.txt tag=b\n"
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", threads=2,
                        prepare=rules(text, brands_txt="bücher.example\n")) as resolver:
        for name, count in ((f"{PAYPAL}.com", 3), ("páypal.com", 2), (f"www.bü{C}her.example", 4), ("paypal.com", 1)):
            for _ in range(count):
                resolver.exchange(ask(name))
        tap.ok(eventually(lambda: resolver.metrics().replies == 10), "counted")
        metrics = resolver.metrics()
        tap.equal([metrics.sum("lookalike_replies_total", key=key) for key in ("exact", "strict")], [7, 2], "by key")
        tap.equal(metrics.sum("rule_replies_total", trigger="lookalike", subject="paypal.com", line="1"), 5, "line 1")
        tap.equal([metrics.sum("rule_replies_total", trigger="lookalikes", line="2"),
                   metrics.sum("policy_rules")], [4, 2], "line 2, and the rules")
        promtool = world.peers / "usr/bin/promtool"
        if promtool.exists():
            done = subprocess.run([promtool, "check", "metrics"], input=(resolver.folder / "log/idn.prom").read_bytes(),
                                  capture_output=True, timeout=TIMEOUT, check=False)
            tap.equal((done.returncode, done.stdout, done.stderr), (0, b"", b""), "promtool")
        else:
            tap.skip("promtool", f"no {promtool}: run 'make deps'")


def test_names_without_rules(world, tap):
    """A policy of look-alikes alone: names that resemble none are answered and cached as ever."""
    text = "nxdomain lookalike paypal.com tld=any key=strict ascii=wide\n"
    with world.resolver(tap, IDN, prepare=rules(text)) as resolver:
        for name in ("ascii.example", "www.bücher.example", "例え.example", "alias.example", "xn--31m-dda.wild.example"):
            for hit in (0, 1):
                reply, line = resolver.logged(ask(name))
                tap.equal((reply.rcode, line.cached, line.policy), ("NOERROR", hit, None), name)
        check_none(tap, "the protected one", resolver, "paypal.com")
