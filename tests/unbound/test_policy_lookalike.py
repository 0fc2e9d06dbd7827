# SPDX-License-Identifier: BSD-3-Clause
"""Look-alike rules at work: what clients get, what the line and the metrics say, aliases that lead to a look-alike, the cache, and
lists that change. Which name resembles which is a matter of tests/unit/test_policy_lookalike.c and test_near.c."""

import re

import dns.flags

import dnsname
from daemon import eventually
from question import CD, RD, Tcp, Udp, ask
from rulefile import IDN, changed, rules
from test_policy_answers import check, edes, every_way, section, soa
from test_policy_clients import is_silent
from test_targets import METRICS

# Letters of Cyrillic, which one takes for those of Latin.
A, C, I, O = "\u0430", "\u0441", "\u0456", "\u043e"
PAYPAL = f"p{A}ypal"
SLOW, WILD = "paypal.slow.example", "paypal.wild.example"  # protected; one is not signed
SLOW_LIKE, WILD_LIKE = f"{PAYPAL}.slow.example", f"{PAYPAL}.wild.example"
LIKE = dnsname.a_label(PAYPAL).decode()
LEADING = f"alias-{LIKE}.slow.example"  # the upstream has a CNAME to the name after `alias-`
ADDRESS = "192.0.2.200"


# ---- each option, and names as large as they can be -------------------------------------------------------------------


def check_all(tap, resolver, rows):
    """Rows of what is asked, and the protected name, key and label that its line names, with the number of the rule; or None. A name
    that no rule is about is answered and cached as ever."""
    for asked, *found in rows:
        for hit in (0, 1):
            reply, line = resolver.logged(ask(asked))
            what = f"{str(asked)[:60]}, time {hit + 1}"
            if found == [None]:
                tap.equal((line.policy, line.why, line.cached), (None, None, hit), f"{what}: no rule")
                tap.ok("192.0.2.80" not in reply.answers() and reply.rcode != "SERVFAIL", f"{what}: its own answer", reply.message)
                continue
            protected, key, label, number = found
            match = f"lookalike {protected}"
            check(tap, what, reply, ede=[(4, "")])
            tap.equal((reply.answers(), line.policy), (["192.0.2.80"], ("redirect", f"rules.conf:{number}", match, None, None)), what)
            tap.equal((line.why, line.cached), ((match, key, label), 0), f"{what}: key and label")


OPTIONS = (
    "paypal.com min=3", "google.co.uk tld=any key=strict", "apple.com label=any", "bücher.example key=strict", "ibm.com min=3",
    "facebook.com near=1 ascii=safe", "amazon.com within=yes", "booking.com elsewhere=yes", "пример.испытание", "PayLife.COM.")
FOUND = (
    ("paypal.com", None), ("a.b.paypal.com", None), ("paypal.net", None), (f"{PAYPAL}.net", None), ("páypal.com", None), ("paypa1.com", None),
    (f"{PAYPAL}-login.com", None), (f"{PAYPAL}.com", "paypal.com", "exact", 1, 1), (f"a.www.{PAYPAL}.com", "paypal.com", "exact", 3, 1),
    (f"paypal.c{O}m", "paypal.com", "exact", 2, 1), ("pay\u200bpal.com", "paypal.com", "exact", 1, 1),
    (f"g{O}{O}gle.com", "google.co.uk", "exact", 1, 2), ("www.góogle.uk", "google.co.uk", "strict", 2, 2),
    (f"{A}pple.com.wild.example", "apple.com", "exact", 1, 3), ("apple.com.wild.example", None),
    ("www.bucher.example", "bücher.example", "strict", 2, 4), ("www.bücher.example", None), (f"bü{C}her.example", "bücher.example", "exact", 1, 4),
    (f"{I}bm.com", "ibm.com", "exact", 1, 5), ("facebok.com", "facebook.com", "near", 1, 6), (f"my-{A}mazon-login.com", "amazon.com", "within", 1, 7),
    ("www.booking.xyz", "booking.com", "elsewhere", 2, 8), ("booking.com", None), ("пример.испытaние", "пример.испытание", "exact", 2, 9),
    (f"p{A}ylife.com", "paylife.com", "exact", 1, 10))


def test_options(world, tap):
    text = "".join(f"redirect 192.0.2.80 lookalike {option}\n" for option in OPTIONS)
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        check_all(tap, resolver, FOUND)


def longest_label(letter, other):
    """(A-label of as many of `letter` as 63 octets hold, the same number of `other`)."""
    count = 1
    while len(dnsname.a_label(letter * (count + 1))) <= 63:
        count += 1
    return dnsname.a_label(letter * count), (other * count).encode()


def test_large_names(world, tap):
    cyrillic, latin = longest_label(A, "a")
    tap.equal((len(cyrillic), len(latin) > 50), (63, True), "a label of 63 octets")
    one, three, all_labels = latin.decode(), ".".join([latin.decode()] * 3), ".".join(["o"] * 126 + ["d"])
    text = "".join(f"redirect 192.0.2.80 lookalike {rule}\n" for rule in (
        "l.o min=1 ascii=safe label=any", f"{all_labels} min=1 ascii=safe", f"{one}.com", f"{three}.example key=strict", f"{three}.uk",
        f"{three}.{'o' * 40}", f"{cyrillic.decode()}.org"))
    with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        check_all(tap, resolver, (
            ((b"x",) * 125 + (b"1", b"o"), "l.o", "exact", 126, 1), ((b"1",) + (b"x",) * 126, "l.o", "exact", 1, 1),
            ((b"o",) * 125 + (b"0", b"d"), all_labels, "exact", 126, 2), ((cyrillic, b"com"), f"{one}.com", "exact", 1, 3),
            ((cyrillic, latin, cyrillic, b"example"), f"{three}.example", "exact", 1, 4),
            ((b"x" * 48, b"y", cyrillic, cyrillic, cyrillic, b"uk"), f"{three}.uk", "exact", 3, 5),
            ((cyrillic, cyrillic, cyrillic, dnsname.a_label(O * 40)), f"{three}.{'o' * 40}", "exact", 1, 6),
            ((latin, b"org"), "\\u{430}" * len(latin) + ".org", "exact", 1, 7), ((b"q", b"com"), None)))


# ---- the line -----------------------------------------------------------------------------------------------------------


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


# ---- every action, of conditions too ------------------------------------------------------------------------------------

ACTIONS = {  # the start of the rule: rcode, answer, whether a SOA comes with it, extended error
    "nxdomain": ("NXDOMAIN", [], True, 15),
    "nodata": ("NOERROR", [], True, 15),
    "refuse": ("REFUSED", [], False, 15),
    "redirect 192.0.2.80": ("NOERROR", ["192.0.2.80"], False, 4),
    "cname ascii.example": ("NOERROR", ["ascii.example.", "192.0.2.60"], None, 4),
    "answer": ("NOERROR", [], True, 4),  # its record is TXT
}
CONDITIONS = {  # a condition for each action, and a label that fulfils it alone
    "emoji": "😀", "invalid": "xn--a-z", "bidi": "קפה", "mixed-digits": "हि2२", "script in Grek": "σίσυφος", "script-level moderate": f"{PAYPAL}b"}


def plain(reply):
    """The records of the answer, without signatures, in lower case: names are compressed against the question."""
    return [text.lower() for text in reply.answers() if " " not in text]


def column(name):
    return dnsname.column(dnsname.parse(name))


def test_actions(world, tap):
    """Each action of a rule about a look-alike that is asked for, about one that an alias of another name leads to, and about a
    condition. An alias stays in the answer, and the upstream is not asked for it each time."""
    text, rows = "", []
    for number, (action, (condition, label)) in enumerate(zip(ACTIONS, CONDITIONS.items())):
        letter = "cdefgh"[number]
        protected, target = f"{letter}paypal.wild.example", f"{letter}paypal.slow.example"
        like = dnsname.a_label(f"{letter}{PAYPAL}").decode()
        for asked, owner, trigger, key, place in (
                (f"x.{like}.wild.example", f"x.{like}.wild.example", f"lookalike {protected}", "exact", 2),
                (f"alias-{like}.slow.example", f"{like}.slow.example", f"lookalike {target}", "exact", 1),
                (f"a.{label}.wild.example", f"a.{label}.wild.example", condition, None, 2)):
            text += f"{action} {trigger}" + (' TXT "so"' if action == "answer" else "") + "\n"
            rows.append((action, asked, column(owner), (trigger, key, place)))
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(text)) as resolver:
        for action, asked, owner, why in rows:
            rcode, answer, has_soa, ede = ACTIONS[action]
            chain, ways = [owner] if asked.startswith("alias-") else [], list(every_way(asked, "A"))
            for way, question, transport in ways:
                reply, line = resolver.logged(question, transport)
                what = f"{action}, {asked}, {way}"
                check(tap, what, reply, rcode, ede=[(ede, "")])
                tap.equal(plain(reply), [] if action == "refuse" else [*chain, *answer], f"{what}: answer")
                if has_soa is not None:
                    tap.equal(section(reply.message.authority), soa(owner) if has_soa else [], f"{what}: authority")
                tap.equal((line.policy[0], line.policy[2], line.why, line.target),
                          (action.split()[0], why[0], why, owner[:-1] if chain else None), f"{what}: the line")
            if chain:
                times = world.upstream.asked[column(asked), "A"]
                tap.ok(0 < times < len(ways), f"{action}: the upstream is not asked each time for an alias", times)
            tap.equal(resolver.cached(asked) + resolver.cached(owner), [], f"{action}, {asked}: nothing is cached")
        tap.equal(resolver.exchange(ask(rows[-3][1], "TXT")).answers(), ['"so"'], "answer: its record")
        for name in "cpaypal.wild.example", "a.wild.example":
            reply = resolver.exchange(ask(name, dnssec=True))
            tap.ok(reply.has(dns.flags.AD) and edes(reply) == [], f"{name}: as it was", reply.message)
        reply, line = resolver.logged(ask("alias-cpaypal.slow.example"))
        tap.equal((reply.answers(), line.why), (["cpaypal.slow.example.", ADDRESS], None), "an alias of the protected name")


def test_drop_and_tcp_only(world, tap):
    text = f"drop lookalike {WILD}\ntcp-only lookalike {SLOW}\ndrop invalid\ntcp-only bidi type=A\n"
    with world.resolver(tap, IDN, prepare=rules(text)) as resolver:
        for name, why in (WILD_LIKE, (f"lookalike {WILD}", "exact", 1)), ("xn--a-z.wild.example", ("invalid", None, 1)):
            client = Udp(resolver.address())
            for _ in range(2):
                tap.ok(is_silent(resolver, client, ask(name)), f"drop: {name}: no answer")
            client.close()
            line = resolver.log.wait(column(name), 2)[1]
            tap.equal((line.rcode, line.why), ("-", why), f"drop: {name}: the line")
            check(tap, "drop on TCP", resolver.exchange(ask(name), Tcp), "REFUSED", [], [], [])
        like, target = (f"lookalike {SLOW}", "exact", 1), column(SLOW_LIKE)[:-1]
        for transport in (Udp, Tcp, Udp, Tcp):
            for name, qtype, count, why, leads in ((SLOW_LIKE, "A", 1, like, None), (LEADING, "A", 2, like, target),
                                                   ("קפה.wild.example", "A", 1, ("bidi", None, 1), None), ("קפה.wild.example", "AAAA", 1, None, None)):
                reply, line = resolver.logged(ask(name, qtype), transport)
                tap.equal((reply.has(dns.flags.TC), len(reply.answers())), (True, 0) if transport is Udp and why else (False, count),
                          f"tcp-only: {name} {qtype}")
                tap.equal((line.why, line.target), (why, leads), f"tcp-only: {name} {qtype}, the line")


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


# ---- the cache, and files that change -----------------------------------------------------------------------------------


def test_cached_before(world, tap):
    """Earlier answers are refused as soon as the log reports the swap: by query name, by target, and by a condition."""
    names = (SLOW_LIKE, f"www.{SLOW_LIKE}", LEADING, f"x.{WILD_LIKE}", "😀.wild.example")
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log\n{METRICS}", threads=2, check=False,
                        prepare=rules("nxdomain lookalikes brands.txt shrink=any\n", brands_txt="ascii.example\n")) as resolver:
        def ask_all(rcode, what):
            for flags in (RD, RD | CD):
                for name in names:
                    for qtype in ("A", "AAAA"):
                        reply = resolver.exchange(ask(name, qtype, flags=flags))
                        tap.equal((reply.rcode, edes(reply)), (rcode, [(15, "")] if rcode == "NXDOMAIN" else []), f"{name} {qtype} {what}")

        ask_all("NOERROR", "before")
        tap.equal([name for name in names if not resolver.cached(name)], [], "all are cached")
        tap.ok(changed(resolver, f"ascii.example\n{SLOW}\n{WILD}\n", "brands.txt"), "the list is in force")
        tap.ok(changed(resolver, "nxdomain lookalikes brands.txt shrink=any\nnxdomain emoji\n"), "the rule is in force")
        for turn in range(2):
            ask_all("NXDOMAIN", f"turn {turn}")
        tap.ok(eventually(lambda: resolver.metrics().sum("policy_withheld_total") >= len(names)), "and counted")
        tap.ok(changed(resolver, "# none\n"), "no rule")
        ask_all("NOERROR", "again")


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


# Rules; the file that changes; the names asked for, with the protected name and the key of their lines; and steps: what the file has
# (None: it is lost), the numbers of the names that match, and messages.
LISTS = (
    ("redirect 192.0.2.80 lookalikes list.txt", {f"{PAYPAL}.com": ("paypal.com", "exact"), f"{A}scii.example": ("ascii.example", "exact")}, (
        ("paypal.com\n", {0}), ("paypal.com\nascii.example\n", {0, 1}), ("ascii.example\n", {1}),
        ("ascii.example\npay pal\nco.uk\npaypal.com\n", {0, 1}, "list.txt:2:", "list.txt:3:"), (None, {0, 1}, "list.txt' cannot be read"))),
    ("redirect 192.0.2.80 lookalikes list.txt key=strict", {"íng.com": ("ing.com", "strict"), "uní.com": ("uni.com", "strict"), "páypal.com": ("paypal.com", "strict")}, (
        ("ing.com min=1\nuni.com\npaypal.com\n", {0, 2}), ("ing.com\nuni.com  min=3  # short\npaypal.com min=7\n", {1}), (None, {1}, "cannot be read"))),
    ("redirect 192.0.2.80 lookalike paypal.com ascii=safe words=list.txt", {name: ("paypal.com", "words") for name in ("paypal-login.com", "paypal-вход.com", "24kassepaypal.com")}, (
        ("# words\nlogin\nВход  # in Russian\n", {0, 1}),
        ("login\nbad.word\nkasse\n", {0, 2}, "list.txt:2:1: this has a dot: expected one word, such as login"),
        (None, {0, 2}, "the words that it held before stay in force (2)"))),
    ("redirect 192.0.2.80 lookalikes brands.txt ascii=safe near=1 except=list.txt\nlog lookalike booking.com ascii=safe near=1 tag=all",
     {"bo0king.com": ("booking.com", "exact"), "cooking.com": ("booking.com", "near"), "www.cooking.com": ("booking.com", "near")}, (
        ("# honest\ncooking.com # food\n", {0}), ("bo0king.com\n", {1, 2}), (None, {1, 2}, "cannot be read"))),
)


def test_lists_that_change(world, tap):
    """A list, the words of words= and the names of except= are in force from the change on, and after the file is lost."""
    for text, names, steps in LISTS:
        with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules(f"{text}\n", list_txt=steps[0][0], brands_txt="booking.com\n")) as resolver:
            for number, (content, matched, *messages) in enumerate(steps):
                what = f"{text[20:45]}: {content!r}"
                if content is None:
                    (resolver.folder / "list.txt").unlink()
                elif number > 0:
                    tap.ok(changed(resolver, content, "list.txt"), f"{what}: in force")
                for message in messages:
                    tap.ok(eventually(lambda m=message, r=resolver: any(m in error for error in r.errors())), f"{what}: {message}", resolver.errors())
                for place, (name, (protected, key)) in enumerate(names.items()):
                    reply, line = resolver.logged(ask(name))
                    tap.equal(reply.answers() == ["192.0.2.80"], place in matched, f"{what}: {name}")
                    if place in matched:
                        tap.equal(line.why[:2], (text.split()[2] + f" {protected}", key), f"{what}: {name}: the line")
                    if "tag=all" in text:
                        tap.equal(line.policy[3], "all", f"{what}: {name}: another rule logs it, whatever except= has")
