# SPDX-License-Identifier: BSD-3-Clause
"""Look-alike rules and conditions at work: what clients get, what the line and the metrics say, aliases, the cache, and lists that
change. Which name matches is a matter of tests/unit: test_policy_lookalike.c, test_near.c and test_policy_condition.c."""

import re

import dns.flags

import dnsname
from daemon import eventually
from question import ask
from rulefile import IDN, changed, rules
from test_policy_answers import check, edes, every_way, soa
from test_targets import METRICS

# A letter of Cyrillic, which one takes for that of Latin.
A = "\u0430"
SOSO = "\u0441\u043e\u0441\u043e"  # all Cyrillic, and coco to a reader
PAYPAL = f"p{A}ypal"
SLOW, WILD = "paypal.slow.example", "paypal.wild.example"  # protected; one is not signed
SLOW_LIKE, WILD_LIKE = f"{PAYPAL}.slow.example", f"{PAYPAL}.wild.example"
LIKE = dnsname.a_label(PAYPAL).decode()
LEADING = f"alias-{LIKE}.slow.example"  # the upstream has a CNAME to the name after `alias-`
ADDRESS = "192.0.2.200"


# ---- names as large as they can be --------------------------------------------------------------------------------------


def longest_label(letter, other):
    """(A-label of as many of `letter` as 63 octets hold, the same number of `other`)."""
    count = 1
    while len(dnsname.a_label(letter * (count + 1))) <= 63:
        count += 1
    return dnsname.a_label(letter * count), (other * count).encode()


def test_large_names(world, tap):
    """Look-alikes and conditions in labels of 63 octets, and in the first and last of as many labels as a name has."""
    cyrillic, latin = longest_label(A, "a")
    tap.equal((len(cyrillic), len(latin) > 50), (63, True), "a label of 63 octets")
    three, all_labels, emoji = ".".join([latin.decode()] * 3), ".".join(["o"] * 126 + ["d"]), dnsname.a_label("😀")
    text = f"log lookalike l.o min=1 ascii=safe label=any\nlog lookalike {all_labels} min=1 ascii=safe\n" \
        f"log lookalike {three}.uk\nlog emoji\nlog invalid\n"
    with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        for labels, why in (
                ((b"x",) * 125 + (b"1", b"o"), ("lookalike l.o", "exact", 126)), ((b"1",) + (b"x",) * 126, ("lookalike l.o", "exact", 1)),
                ((b"o",) * 125 + (b"0", b"d"), (f"lookalike {all_labels}", "exact", 126)),
                ((b"x" * 48, b"y", cyrillic, cyrillic, cyrillic, b"uk"), (f"lookalike {three}.uk", "exact", 3)),
                ((emoji,) + (b"x",) * 122, ("emoji", None, 1)), ((b"x",) * 122 + (emoji,), ("emoji", None, 123)),
                ((b"xn--",) * 50, ("invalid", None, 1)), ((b"xn--a",) * 42, ("invalid", None, 1)), ((b"x",) * 127, None)):
            _, line = resolver.logged(ask(labels))
            tap.equal(line.why, why, f"{labels[0]}, {len(labels)} labels")


# ---- the line -----------------------------------------------------------------------------------------------------------


def column(name):
    return dnsname.column(dnsname.parse(name))


def columns_and_fields(resolver, name):
    """The fields of the last line for a name up to those of the reply's status, as logged."""
    text = resolver.log.target.octets.decode()
    line = [line for line in text.split("\n") if f" {name} " in line][-1]
    return re.search(r" [01] -(.*?)(?: f=[a-z,-]+)?(?: sec=[a-z]+)?(?: ede=\d+)?$", line).group(1)


def test_line(world, tap):
    """The other forms of these fields, and those of JSON, are rows of tests/unit/test_logpolicy.c."""
    text = """\
nxdomain   lookalike  bücher.example  key=strict
refuse     lookalikes brands.txt      tld=any
log        lookalikes brands.txt      tld=any  tag=brands
refuse     zone       straße.example
log        lookalike  bücher.slow.example  key=strict  tag=slow
"""
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(text, brands_txt="paypal.com\n")) as resolver:
        for name, fields in (
                (f"{PAYPAL}.net", 'u="p\\u{430}ypal.net" idn=restricted(1:script-mix) policy=refuse rule=rules.conf:2 '
                                  'match="lookalikes paypal.com" key=exact label=1 tags=brands'),
                ("www.bucher.example", 'policy=nxdomain rule=rules.conf:1 match="lookalike bücher.example" key=strict label=2'),
                ("alias.example", 'policy=refuse rule=rules.conf:4 match="zone straße.example" target=xn--strae-oqa.example'),
                ("alias-bucher.slow.example", 'policy=log rule=rules.conf:5 match="lookalike bücher.slow.example" '
                                              'key=strict label=1 target=bucher.slow.example tags=slow')):
            resolver.logged(ask(name))
            tap.equal(columns_and_fields(resolver, column(name)), f" {fields}", name)


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


def test_condition_line(world, tap):
    """The fields as they stand; a trigger of one word needs no quotes."""
    text = "nxdomain invalid\nrefuse script in Grek,armn\nnodata script-level moderate\nlog mixed-digits tag=d\n"
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        for name, fields in (
                ("xn--a-z.example", "idn=invalid(1:punycode) policy=nxdomain rule=rules.conf:1 match=invalid label=1"),
                ("www.σίσυφος.example", 'u="www.σίσυφος.example" policy=refuse rule=rules.conf:2 '
                                        'match="script in Grek,Armn" label=2'),
                ("p\u0430ypal.example", 'u="p\\u{430}ypal.example" idn=restricted(1:script-mix) policy=nodata '
                                        'rule=rules.conf:3 match="script-level moderate" label=1'),
                ("हि2२.example", 'u="\\u{939}\\u{93F}2\\u{968}.example" idn=restricted(1:digits) policy=log rule=rules.conf:4 '
                                 'match=mixed-digits label=1 tags=d')):
            resolver.logged(ask(name))
            tap.equal(columns_and_fields(resolver, column(name)), f" {fields}", name)


def test_whole_scripts(world, tap):
    """A word of another script that looks like ASCII is shown where a rule compares names under every suffix and none matches."""
    name, hidden = f"{SOSO}.example", "\\u{441}\\u{43E}\\u{441}\\u{43E}.example"
    restricted = (hidden, "restricted(1:wholescript)")
    for form in ("text", "json"):
        with world.resolver(tap, f"{IDN}\nlog: {form}", prepare=rules("log name other.example\n", empty_txt="# none\n")) as resolver:
            for text, shown in (
                    (None, restricted),
                    ("log lookalike paypal.com tld=any", (name, None)),
                    ("log lookalike paypal.com", restricted),
                    ("log lookalike paypal.com label=any", (name, None)),
                    ("log lookalikes empty.txt", restricted),
                    ("log lookalike paypal.com tld=any type=MX", restricted),
                    ("log lookalike paypal.com tld=any client=192.0.2.9", restricted),
                    ("log lookalike paypal.com tld=any\nlog zone example", restricted),
                    ("log lookalike coco.com tld=any", restricted)):
                tap.ok(not text or changed(resolver, f"{text}\n"), f"{form}: {text}")
                for _ in range(2):
                    _, line = resolver.logged(ask(name))
                    tap.equal((line.u, line.idn or None), shown, f"{form}: {text}: {name}")


# ---- what clients get ---------------------------------------------------------------------------------------------------

def test_answers(world, tap):
    """A look-alike that is asked for, one that an alias of another name leads to, and a condition: the SOA record is that of the name
    that matched, an alias stays in the answer, and the upstream is not asked for it each time. Each action: test_policy_matrix.py."""
    text = f"nxdomain lookalike {WILD}\nnxdomain lookalike {SLOW}\nnxdomain emoji\n"
    emoji = column("a.😀.wild.example")
    leading = f"hop-{LIKE}.slow.example"  # no other scene asks for it: the upstream counts questions
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        for asked, owner, why in ((f"x.{WILD_LIKE}", column(f"x.{WILD_LIKE}"), (f"lookalike {WILD}", "exact", 2)),
                                  (leading, column(SLOW_LIKE), (f"lookalike {SLOW}", "exact", 1)), (emoji, emoji, ("emoji", None, 2))):
            target = owner if asked == leading else None
            for way, question, transport in every_way(asked, "A"):
                reply, line = resolver.logged(question, transport)
                what = f"{asked}, {way}"
                check(tap, what, reply, "NXDOMAIN", authority=soa(owner), ede=[(15, "")])
                tap.equal([text.lower() for text in reply.answers() if " " not in text], [target] if target else [], f"{what}: the alias alone")
                tap.equal((line.policy[0], line.why, line.target), ("nxdomain", why, target and target[:-1]), f"{what}: the line")
            tap.equal(resolver.cached(asked) + resolver.cached(owner), [], f"{asked}: nothing is cached")
        times = world.upstream.asked[column(leading), "A"]
        tap.ok(0 < times < 7, "the upstream is not asked each time for an alias", times)
        reply = resolver.exchange(ask(WILD, dnssec=True))
        tap.ok(reply.has(dns.flags.AD) and edes(reply) == [], "the protected name: as it was", reply.message)
        reply, line = resolver.logged(ask(f"alias-{SLOW}"))
        tap.equal((reply.answers(), line.why), ([f"{SLOW}.", ADDRESS], None), "an alias of the protected name")


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


# ---- hits, and files that change ----------------------------------------------------------------------------------------


def test_hits_are_decided_again(world, tap):
    """For the log, if a log rule is about them; a refused name is never a hit."""
    text = f"log lookalike {SLOW} tag=like\nlog lookalike {SLOW} key=strict tag=strict\nlog emoji tag=e\n"
    like = f"lookalike {SLOW}"
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", prepare=rules(text)) as resolver:
        for name, why, tags in ((SLOW_LIKE, (like, "exact", 1), "like,strict"), ("páypal.slow.example", (like, "strict", 1), "strict"),
                                (LEADING, (like, "exact", 1), "like,strict"), ("😀.wild.example", ("emoji", None, 1), "e")):
            for hit in (0, 1, 1):
                reply, line = resolver.logged(ask(name))
                tap.equal((reply.rcode, line.cached, line.policy[0], line.policy[3], line.why), ("NOERROR", hit, "log", tags, why),
                          f"{name}: cached {hit}")
        for hit in (0, 1):
            _, line = resolver.logged(ask(SLOW))
            tap.equal((line.cached, line.policy), (hit, None), "the protected name")
        tap.ok(eventually(lambda: resolver.metrics().sum("rule_replies_total", line="2") == 9), "each reply is counted")
        metrics = resolver.metrics()
        tap.equal([metrics.sum("lookalike_replies_total", key=key) for key in ("exact", "strict")], [6, 3], "by key")
        tap.equal([metrics.sum("rule_replies_total", trigger="lookalike", subject=SLOW), metrics.sum("policy_rules")], [15, 3], "by subject; the rules")


# Rules; the file that changes; names, and the match kind of each; what the file has, and the numbers of the names that match.
LISTS = (
    ("log lookalikes list.txt", {f"{PAYPAL}.com": "exact", f"{A}scii.example": "exact"}, (("paypal.com\n", {0}), ("ascii.example\n", {1}))),
    ("log lookalike paypal.com ascii=safe words=list.txt", {"paypal-login.com": "words", "24kassepaypal.com": "words"},
     (("login\n", {0}), ("login\nkasse\n", {0, 1}))),
    ("log lookalikes brands.txt ascii=safe near=1 except=list.txt", {"bo0king.com": "exact", "www.cooking.com": "near"},
     (("cooking.com\n", {0}), ("bo0king.com\n", {1}))))


def test_lists_that_change(world, tap):
    """A list, the words of words= and the names of except= are watched. What stays of a lost one: tests/unit/test_policyfiles*.c."""
    for text, names, steps in LISTS:
        with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(f"{text}\n", list_txt=steps[0][0], brands_txt="booking.com\n")) as resolver:
            for number, (content, matched) in enumerate(steps):
                tap.ok(number == 0 or changed(resolver, content, "list.txt"), f"{text}: {content!r}: in force")
                for place, (name, kind) in enumerate(names.items()):
                    _, line = resolver.logged(ask(name))
                    tap.equal(line.why and line.why[1], kind if place in matched else None, f"{text}: {content!r}: {name}")
