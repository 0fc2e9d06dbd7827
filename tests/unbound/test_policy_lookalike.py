# SPDX-License-Identifier: BSD-3-Clause
"""A lookalike rule finds names like a protected one: by which key, in which label, and how the log line says it."""

import dnsname
from daemon import eventually
from question import ask
from rulefile import IDN, changed, rules
from test_loading import starts_not
from test_policy_answers import check, policy, soa

# Letters of Cyrillic, which one takes for those of Latin; and the other way round.
A, C, E, I, O, P, L = "\u0430", "\u0441", "\u0435", "\u0456", "\u043e", "\u0440", "\u04cf"
LATIN_A, LATIN_P = "a", "p"
PAYPAL, GOOGLE, APPLE, COM = f"p{A}ypal", f"g{O}{O}gle", f"{A}{P}{P}{L}{E}", f"c{O}m"

ASCII = ("off", "safe", "wide")
PLACES = ("tld=same", "tld=any", "label=any")
PROTECTED = ("paypal.com", "google.co.uk", "apple.com", "bücher.example")


def of(protected, key, label):
    return protected, key, label


def everywhere(*hit):
    return (hit,) * len(PLACES)


NOWHERE = (None,) * len(PLACES)

# A question; the ascii= from which it matches; for each of PLACES: the protected name, key and label.
TABLE = [
    # A protected name, and what is below it, is exempt.
    ("paypal.com", "off", NOWHERE),
    ("www.paypal.com", "off", NOWHERE),
    ("a.b.c.paypal.com", "off", NOWHERE),
    ("bücher.example", "off", NOWHERE),
    ("www.bücher.example", "off", NOWHERE),
    # One letter of another script; subdomains are covered.
    (f"{PAYPAL}.com", "off", everywhere("paypal.com", "exact", 1)),
    (f"www.{PAYPAL}.com", "off", everywhere("paypal.com", "exact", 2)),
    (f"a.b.www.{PAYPAL}.com", "off", everywhere("paypal.com", "exact", 4)),
    (f"p{A}yp{A}l.com", "off", everywhere("paypal.com", "exact", 1)),
    # Under another suffix, of one label or two.
    (f"{PAYPAL}.net", "off", (None, of("paypal.com", "exact", 1), of("paypal.com", "exact", 1))),
    (f"{PAYPAL}.co.uk", "off", (None, of("paypal.com", "exact", 1), of("paypal.com", "exact", 1))),
    (f"www.{PAYPAL}.co.uk", "off", (None, of("paypal.com", "exact", 2), of("paypal.com", "exact", 2))),
    (f"{PAYPAL}.рф", "off", (None, of("paypal.com", "exact", 1), of("paypal.com", "exact", 1))),
    (f"{GOOGLE}.uk", "off", (None, of("google.co.uk", "exact", 1), of("google.co.uk", "exact", 1))),
    (f"{GOOGLE}.co.uk", "off", everywhere("google.co.uk", "exact", 1)),
    (f"{GOOGLE}.com", "off", (None, of("google.co.uk", "exact", 1), of("google.co.uk", "exact", 1))),
    # The suffix itself.
    (f"paypal.{COM}", "off", (of("paypal.com", "exact", 2), None, None)),
    (f"www.paypal.{COM}", "off", (of("paypal.com", "exact", 3), None, None)),
    (f"{PAYPAL}.{COM}", "off", everywhere("paypal.com", "exact", 1)),
    (f"google.c{O}.uk", "off", (of("google.co.uk", "exact", 2), None, None)),
    (f"google.{C}o.uk", "off", (of("google.co.uk", "exact", 2), None, None)),
    # Further left than where it would be registered.
    (f"{PAYPAL}.com.evil.example", "off", (None, None, of("paypal.com", "exact", 1))),
    (f"www.{PAYPAL}.com.evil.example", "off", (None, None, of("paypal.com", "exact", 2))),
    ("paypal.com.evil.example", "off", NOWHERE),
    ("paypal.evil.example", "off", NOWHERE),
    ("paypal.net", "off", NOWHERE),
    ("com", "off", NOWHERE),
    # Diacritics, for the strict key alone.
    ("páypal.com", "off", everywhere("paypal.com", "strict", 1)),
    ("páypal.net", "off", (None, of("paypal.com", "strict", 1), of("paypal.com", "strict", 1))),
    ("www.páypal.com", "off", everywhere("paypal.com", "strict", 2)),
    (f"p\u00e1yp{A}l.com", "off", everywhere("paypal.com", "strict", 1)),
    # All in another script.
    (f"{APPLE}.com", "off", everywhere("apple.com", "exact", 1)),
    # Only ASCII.
    ("paypa1.com", "safe", everywhere("paypal.com", "exact", 1)),
    ("g00gle.co.uk", "safe", everywhere("google.co.uk", "exact", 1)),
    ("www.paypa1.com", "safe", everywhere("paypal.com", "exact", 2)),
    ("paypa1.net", "safe", (None, of("paypal.com", "exact", 1), of("paypal.com", "exact", 1))),
    ("paypai.com", "wide", everywhere("paypal.com", "exact", 1)),
    ("paypal.corn", "safe", (of("paypal.com", "exact", 2), None, None)),
    ("paypel.com", "off", NOWHERE),
    ("paypal-login.com", "off", NOWHERE),
    # Both: what is ASCII does not count with ascii=off, and may accompany.
    (f"paypa1.{COM}", "off", (of("paypal.com", "exact", 2), None, None)),
    # A protected name that is an IDN: ASCII looks like it, whatever ascii= says.
    ("bucher.example", "off", everywhere("bücher.example", "strict", 1)),
    ("www.bucher.example", "off", everywhere("bücher.example", "strict", 2)),
    ("búcher.example", "off", everywhere("bücher.example", "strict", 1)),
    ("bucher.net", "off", (None, of("bücher.example", "strict", 1), of("bücher.example", "strict", 1))),
    ("bücher.net", "off", NOWHERE),
    (f"b\u00fc{C}her.example", "off", everywhere("bücher.example", "exact", 1)),
    # A part of a label, or more than one.
    (f"{PAYPAL}-login.com", "off", NOWHERE),
    (f"p{A}y.pal.com", "off", NOWHERE),
    (f"{A}.com", "off", NOWHERE),
]


def table(place, key, ascii_):
    """The rows for one way to write the rules, each for the line of its protected name."""
    for asked, needed, by_place in TABLE:
        hit = by_place[PLACES.index(place)]
        if asked == f"paypa1.{COM}" and ascii_ != "off":
            hit = of("paypal.com", "exact", 1)  # its first label counts too
        if hit and (ASCII.index(ascii_) < ASCII.index(needed) or (hit[1] == "strict" and key == "exact")):
            hit = None
        yield asked, hit, hit and 1 + PROTECTED.index(hit[0])


def check_answer(tap, what, reply, hit):
    if hit:
        check(tap, what, reply, ede=[(4, "")])
        tap.equal(reply.answers(), ["192.0.2.80"], f"{what}: answer")
    else:
        tap.ok("192.0.2.80" not in reply.answers() and reply.rcode != "SERVFAIL", f"{what}: no rule's answer",
               reply.message)


def check_line(tap, what, line, hit, line_number):
    if hit:
        match = f"lookalike {hit[0]}"
        tap.equal(line.policy, ("redirect", f"rules.conf:{line_number}", match, None, None), f"{what}: rule")
        tap.equal((line.why, line.cached), ((match, *hit[1:]), 0), f"{what}: key and label")
    else:
        tap.equal((line.policy, line.why), (None, None), f"{what}: no rule in the line")


def check_all(tap, what, resolver, rows):
    """Rows of what is asked, (protected name, key, label) or None, and the rule's line. Asks them all, twice what is
    refused, and then looks at the lines."""
    for asked, hit, _ in rows:
        for _ in range(2 if hit else 1):
            check_answer(tap, f"{what}: {asked}", resolver.exchange(ask(asked)), hit)
    for asked, hit, line_number in rows:
        column = dnsname.column(dnsname.parse(asked) if isinstance(asked, str) else asked)
        for line in resolver.log.wait(column, 2 if hit else 1):
            check_line(tap, f"{what}: {asked}", line, hit, line_number)


def check_none(tap, what, resolver, asked):
    check_all(tap, what, resolver, [(asked, None, None)])


def test_table(world, tap):
    for place in PLACES:
        for key in ("exact", "strict"):
            for ascii_ in ASCII:
                options = f"{place} key={key} ascii={ascii_} min=1"
                lines = [f"redirect 192.0.2.80 lookalike {name} {options}" for name in PROTECTED]
                with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", prepare=rules("\n".join(lines))) as resolver:
                    check_all(tap, options, resolver, list(table(place, key, ascii_)))


# Options, protected name, what is asked, and key and label or None.
OPTIONS = [
    # The defaults: key=exact, tld=same, label=right, ascii=off, min=4.
    ("", "paypal.com", f"{PAYPAL}.com", ("exact", 1)),
    ("", "paypal.com", "páypal.com", None),
    ("", "paypal.com", f"{PAYPAL}.net", None),
    ("", "paypal.com", f"{PAYPAL}.com.example", None),
    ("", "paypal.com", "paypa1.com", None),
    ("", "ibm.com", f"{I}bm.com", None),
    ("min=3", "ibm.com", f"{I}bm.com", ("exact", 1)),
    ("key=strict", "ibm.com", "íbm.com", None),
    ("key=strict min=3", "ibm.com", "íbm.com", ("strict", 1)),
    ("key=strict min=3", "ibm.com", f"{I}bm.com", ("exact", 1)),
    ("key=strict min=3", "paypal.com", f"paypal.{COM}", ("exact", 2)),
    ("key=strict", "paypal.com", f"paypal.{COM}", None),
    ("key=strict", "mango.ibm.com", "mángo.íbm.com", ("strict", 1)),
    ("key=strict", "ibm.mango.com", "íbm.mángo.com", ("strict", 2)),
    ("key=strict", "ibm.mango.com", "íbm.mango.com", None),
    ("min=6", "paypal.com", f"{PAYPAL}.com", ("exact", 1)),
    ("min=7", "paypal.com", f"{PAYPAL}.com", None),
    ("min=7", "paypal.com", f"{PAYPAL}.{COM}", None),
    ("key=strict min=6", "bücher.example", "bucher.example", ("strict", 1)),
    ("key=strict min=7", "bücher.example", "bucher.example", None),
    # One label of several is enough, and none may be another.
    ("", "www.paypal.com", f"www.{PAYPAL}.com", ("exact", 2)),
    ("", "www.paypal.com", f"{PAYPAL}.com", None),
    ("", "www.paypal.com", f"mail.{PAYPAL}.com", None),
    ("tld=any", "www.paypal.com", f"www.{PAYPAL}.net", ("exact", 2)),
    ("tld=any", "paypal.com", f"{PAYPAL}.uk.com", None),
    ("tld=private", "paypal.com", f"{PAYPAL}.uk.com", ("exact", 1)),
    ("tld=private", "paypal.com", f"www.{PAYPAL}.net", ("exact", 2)),
    ("label=any", "www.paypal.com", f"{PAYPAL}.net", ("exact", 1)),
    ("label=any", "www.paypal.com", "ẃww.net", None),
    # One edit, and a part of a label.
    ("near=1", "facebook.com", f"f{A}cebok.com", ("near", 1)),
    ("near=1 tld=any", "facebook.com", f"www.f{A}ceboook.net", ("near", 2)),
    ("near=1", "facebook.com", "facebok.com", None),
    ("near=1 ascii=safe", "facebook.com", "facebok.com", ("near", 1)),
    ("within=yes", "facebook.com", f"my-f{A}cebook-login.com", ("within", 1)),
    ("within=yes", "facebook.com", f"f{A}cebok.com", None),
    ("within=yes ascii=safe", "facebook.com", "facebook-login.com", ("within", 1)),
    # The label itself, in another domain.
    ("elsewhere=yes", "paypal.com", "www.paypal.xyz", ("elsewhere", 2)),
    ("elsewhere=yes", "paypal.com", "paypal.com.evil.example", ("elsewhere", 1)),
    ("elsewhere=yes", "paypal.com", "paypal.com", None),
    # All of it is an IDN, the suffix too.
    ("", "пример.испытание", f"п{LATIN_P}имер.испытание", ("exact", 1)),
    ("", "пример.испытание", f"пример.испыт{LATIN_A}ние", ("exact", 2)),
    ("tld=any", "пример.рф", f"п{LATIN_P}имер.com", ("exact", 1)),
    ("label=any", "пример.рф", f"www.п{LATIN_P}имер.com", ("exact", 2)),
    # Letter by letter the same, but in other case: names have none.
    ("", "PayPal.COM.", f"{PAYPAL}.com", ("exact", 1)),
    ("", "BÜCHER.example", f"bü{C}her.example", ("exact", 1)),
    # A label that is no U-label counts with what it decodes to; here with a character one does not see.
    ("", "paypal.com", "pay\u200bpal.com", ("exact", 1)),
]


def test_options(world, tap):
    for options, protected, asked, hit in OPTIONS:
        rule = f"redirect 192.0.2.80 lookalike {protected} {options}\n"
        shown = protected.lower().removesuffix(".")
        with world.resolver(tap, IDN, prepare=rules(rule)) as resolver:
            check_all(tap, rule.strip(), resolver, [(asked, hit and (shown, *hit), 1)])


def test_exempt(world, tap):
    """Every protected name, whatever rule or list has it, and all below: who owns two that look alike lists both."""
    text = """\
redirect 192.0.2.80 lookalike bücher.example key=strict tld=any
redirect 192.0.2.80 lookalikes brands.txt key=strict label=any
log lookalike paypal.net tag=net
"""
    brands = f"# ours\nbucher.example\npaypal.com\nshop.{PAYPAL}.com\n"
    with world.resolver(tap, IDN, prepare=rules(text, brands_txt=brands)) as resolver:
        for asked in ("bucher.example", "www.bucher.example", "bücher.example", "a.b.bücher.example", "paypal.com",
                      f"shop.{PAYPAL}.com", f"a.shop.{PAYPAL}.com", "paypal.net", "www.paypal.net"):
            check_none(tap, "none", resolver, asked)
        for asked, word, protected, key, label, line_number in (
                ("búcher.example", "lookalike", "bücher.example", "strict", 1, 1),
                ("bucher.net", "lookalike", "bücher.example", "strict", 1, 1),
                (f"{PAYPAL}.com", "lookalikes", "paypal.com", "exact", 1, 2),
                (f"mail.{PAYPAL}.com", "lookalikes", "paypal.com", "exact", 2, 2),
                (f"shop.{PAYPAL}.net", "lookalikes", "paypal.com", "exact", 2, 2)):
            reply, line = resolver.logged(ask(asked))
            tap.equal(reply.answers(), ["192.0.2.80"], f"{asked}: answer")
            tap.equal((line.policy[1], line.why), (f"rules.conf:{line_number}", (f"{word} {protected}", key, label)),
                      f"{asked}: the line")


def test_own_min(world, tap):
    """A name's own min= in its list holds from the change on, and after the list is lost."""
    asked = {"ing.com": "íng.com", "uni.com": "uní.com", "paypal.com": "páypal.com"}

    def check_found(what, *found):
        for protected, name in asked.items():
            line = resolver.logged(ask(name))[1]
            tap.equal(line.why, (f"lookalikes {protected}", "strict", 1) if protected in found else None, f"{what}: {name}")

    with world.resolver(tap, IDN, prepare=rules("redirect 192.0.2.80 lookalikes brands.txt key=strict\n",
                                                brands_txt="ing.com min=1\nuni.com\npaypal.com\n"), check=False) as resolver:
        check_found("at first", "ing.com", "paypal.com")
        tap.ok(changed(resolver, "ing.com\nuni.com  min=3  # short\npaypal.com min=7\n", "brands.txt"), "the list is changed")
        check_found("changed", "uni.com")
        (resolver.folder / "brands.txt").unlink()
        tap.ok(eventually(lambda: any("cannot be read" in error for error in resolver.errors())), "the list is lost")
        check_found("lost", "uni.com")


def test_words(world, tap):
    """A file of words is in force as lists are: from a change on, and after it is lost."""
    asked = {"login": "paypal-login.com", "вход": "paypal-вход.com", "kasse": "24kassepaypal.com"}

    def check_found(what, *found):
        for word, name in asked.items():
            line = resolver.logged(ask(name))[1]
            tap.equal(line.why, ("lookalike paypal.com", "words", 1) if word in found else None, f"{what}: {name}")

    with world.resolver(tap, IDN, prepare=rules("redirect 192.0.2.80 lookalike paypal.com ascii=safe words=words.txt\n",
                                                words_txt="# words\nlogin\nВход  # in Russian\n"), check=False) as resolver:
        check_found("at first", "login", "вход")
        tap.ok(changed(resolver, "login\nbad.word\nkasse\n", "words.txt"), "the file is changed")
        check_found("changed", "login", "kasse")
        tap.ok(any("words.txt:2:1: this has a dot: expected one word, such as login" in error for error in resolver.errors()),
               "the bad line is reported")
        (resolver.folder / "words.txt").unlink()
        tap.ok(eventually(lambda: any("the words that it held before stay in force (2)" in error for error in resolver.errors())),
               "the file is lost")
        check_found("lost", "login", "kasse")


def test_except(world, tap):
    """A name in the file of except=, and all below it, is no match of that rule; from the change on, and after the file is lost."""
    text = "redirect 192.0.2.80 lookalikes brands.txt ascii=safe near=1 except=neighbours.txt\nlog lookalike booking.com ascii=safe near=1 tag=all\n"
    names = "cooking.com", "www.cooking.com", "bo0king.com"

    def check_redirected(what, *redirected):
        for name in names:
            reply, line = resolver.logged(ask(name))
            tap.equal(reply.answers() == ["192.0.2.80"], name in redirected, f"{what}: {name}")
            tap.equal("all" in (line.fields.get("tags") or ""), True, f"{what}: the other rule logs {name}")

    with world.resolver(tap, IDN, prepare=rules(text, brands_txt="booking.com\n", neighbours_txt="# honest\ncooking.com # food\n"), check=False) as resolver:
        check_redirected("at first", "bo0king.com")
        tap.ok(changed(resolver, "bo0king.com\n", "neighbours.txt"), "the list is changed")
        check_redirected("changed", "cooking.com", "www.cooking.com")
        (resolver.folder / "neighbours.txt").unlink()
        tap.ok(eventually(lambda: any("cannot be read" in error for error in resolver.errors())), "the list is lost")
        check_redirected("lost", "cooking.com", "www.cooking.com")


# ---- names as large as they can be --------------------------------------------------------------------------------


def longest_label(letter, other):
    """(A-label of as many of `letter` as 63 octets hold, the same number of `other`)."""
    count = 1
    while len(dnsname.a_label(letter * (count + 1))) <= 63:
        count += 1
    return dnsname.a_label(letter * count), (other * count).encode()


def test_large_names(world, tap):
    cyrillic, latin = longest_label(A, "a")
    tap.equal((len(cyrillic), len(latin) > 50), (63, True), "a label of 63 octets")
    whole = (latin, latin, latin)
    cases = [
        ("127 labels", "l.o", "min=1 ascii=safe", (b"x",) * 125 + (b"1", b"o"), "l.o", "exact", 126),
        ("127 labels, the first of them", "l.o", "min=1 ascii=safe label=any", (b"1",) + (b"x",) * 126, "l.o", "exact", 1),
        ("127 labels, all protected", ".".join(["l"] * 126 + ["o"]), "min=1 ascii=safe", (b"l",) * 125 + (b"1", b"o"),
         ".".join(["l"] * 126 + ["o"]), "exact", 126),
        ("a label of 63 octets", f"{latin.decode()}.com", "", (cyrillic, b"com"), f"{latin.decode()}.com", "exact", 1),
        ("a protected label of 63 octets", f"{cyrillic.decode()}.com", "", (latin, b"com"), "\\u{430}" * len(latin) + ".com",
         "exact", 1),
        ("three labels of 63 octets", b".".join(whole).decode() + ".example", "key=strict",
         (cyrillic, latin, cyrillic, b"example"), b".".join(whole).decode() + ".example", "exact", 1),
        ("… and what is left of a name of 255", b".".join(whole).decode() + ".com", "tld=any",
         (b"x" * 48, b"y", cyrillic, cyrillic, cyrillic, b"net"), b".".join(whole).decode() + ".com", "exact", 3),
        ("all of it A-labels", ".".join([latin.decode()] * 3 + ["o" * 40]), "",
         (cyrillic, cyrillic, cyrillic, dnsname.a_label(O * 40)), ".".join([latin.decode()] * 3 + ["o" * 40]), "exact",
         1),
    ]
    for what, protected, options, labels, shown, key, label in cases:
        with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log",
                            prepare=rules(f"redirect 192.0.2.80 lookalike {protected} {options}\n")) as resolver:
            check_all(tap, what, resolver, [(labels, (shown, key, label), 1), ((b"q", *labels[-1:]), None, None)])


# ---- what may be protected ----------------------------------------------------------------------------------------


def test_protected_suffix(world, tap):
    """A public suffix, a top-level domain or the root in a rule file stops Unbound; in a list it is left out."""
    for name in ("com", "co.uk", "рф", "испытание", "."):
        starts_not(world, tap, f"lookalike {name}", IDN, world.module, r" error: idn: .*rules\.conf:2:\d+: ",
                   rules(f"log zone example\nnxdomain lookalike {name}\n"))
    brands = "paypal.com\nco.uk\ncom\nнесуществующее\nbücher.example\n"
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log",
                        prepare=rules("nxdomain lookalikes brands.txt key=strict\n", brands_txt=brands)) as resolver:
        errors = "\n".join(resolver.errors())
        for number in (2, 3, 4):
            tap.ok(f"brands.txt:{number}:" in errors, f"line {number} of the list is reported", errors)
        for asked, protected, key in ((f"{PAYPAL}.com", "paypal.com", "exact"),
                                      ("bucher.example", "bücher.example", "strict")):
            reply, line = resolver.logged(ask(asked))
            check(tap, asked, reply, "NXDOMAIN", [], soa(dnsname.column(dnsname.parse(asked))), [(15, "")])
            tap.equal(line.why, (f"lookalikes {protected}", key, 1), f"{asked}: the rest is protected")
        for asked in (COM, f"x.{COM}", f"a.c{O}.uk"):
            check_none(tap, "none", resolver, asked)


def test_passthru(world, tap):
    """passthru does not go with lookalike: protected names are exempt by themselves."""
    starts_not(world, tap, "passthru lookalike", IDN, world.module, r" error: idn: .*rules\.conf:1:\d+: ",
               rules("passthru lookalike paypal.com\n"))
    with policy(world, tap, "redirect 192.0.2.80 lookalike paypal.com\n") as resolver:
        check_none(tap, "its own name", resolver, "paypal.com")
