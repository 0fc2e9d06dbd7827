# SPDX-License-Identifier: BSD-3-Clause
"""Conditions on the A-labels of a name: which names fulfil them, which do not, and what follows from it."""

import re

import dnsname
from daemon import eventually
from question import Tcp, Udp, ask
from rulefile import IDN, changed, rules, write
from test_loading import starts_not
from test_policy_lookalike import columns_and_fields

ZWNJ, ZWJ = "\u200c", "\u200d"
SOSO = "\u0441\u043e\u0441\u043e"  # all Cyrillic, and coco to a reader

RULES = """\
log  invalid                                                                  tag=invalid
log  script not-in Latn,Cyrl,Grek,Arab,Hebr,Deva,Beng,Mlym,Sinh,Thai,Jpan,Hang  tag=foreign
log  script in Grek,Armn                                                      tag=greek
log  script-level highly                                                      tag=highly
log  script-level moderate                                                    tag=moderate
log  script-level minimal                                                     tag=minimal
log  mixed-digits                                                             tag=digits
log  restricted                                                               tag=restricted
log  wholescript except=ee,ua                                                 tag=whole
log  emoji                                                                    tag=emoji
log  bidi                                                                     tag=bidi
"""
SHOWN = {"invalid": "invalid", "greek": "script in Grek,Armn", "highly": "script-level highly",
         "moderate": "script-level moderate", "minimal": "script-level minimal", "digits": "mixed-digits",
         "foreign": "script not-in Latn,Cyrl,Grek,Arab,Hebr,Deva,Beng,Mlym,Sinh,Thai,Jpan,Hang",
         "restricted": "restricted", "whole": "wholescript", "emoji": "emoji", "bidi": "bidi"}

# The label (of a longer name, the first), and the conditions that it fulfils, in the order of the rules.
LABELS = [
    # Words of many languages fulfil none.
    ("bücher", ""), ("казино", ""), ("例え", ""), ("カフェ", ""), ("中文", ""), ("한국", ""), ("हिन्दी", ""), ("ไทย", ""),
    ("naïve", ""), ("straße", ""), ("l·l", ""), ("ecサイト", ""), ("lg전자", ""),
    ("ascii", ""), ("xn", ""), ("r3---sn-4g5e6nzl", ""), ("_dmarc", ""),
    # Joiners where these languages have them.
    (f"نامه{ZWNJ}ای", "bidi"), (f"می{ZWNJ}خواهم", "bidi"), (f"ശ്{ZWJ}രീ", ""), (f"അവന്{ZWJ}", ""), (f"കാര്{ZWJ}", ""),
    (f"উত্{ZWJ}সব", ""), (f"হঠাত্{ZWNJ}", ""), (f"ශ්{ZWJ}රී", ""), (f"क्{ZWJ}ष", ""),
    # No A-label.
    ("xn--a-z", "invalid"), ("xn--", "invalid"), ("xn--abc-", "invalid"), ("xn--31m-dda", "invalid restricted"),
    (f"a{ZWJ}b", "invalid"), ("Über", "invalid"),
    # Scripts.
    ("σίσυφος", "greek"), ("հայ", "foreign greek"), ("བོད", "foreign"), ("საქართველო", "foreign"),
    ("ბabc", "foreign highly"), ("α-carotene", "greek highly moderate"),
    # Labels of mixed scripts.
    ("abcไทย", "highly"), ("shop-של", "invalid highly bidi"), ("шоп-shop", "highly moderate"),
    ("p\u0430ypal", "highly moderate"), ("онлайнtv", "highly moderate"), ("例えไทย", "highly moderate"),
    # Digits.
    ("हि2२", "digits"), ("हि22", ""), ("हि२२", ""), ("ไทย๑2", "digits"),
    # Characters that identifiers do not have.
    ("ƿynn", "restricted"), ("ⵣⵣⵣ", "foreign restricted"),
    # Taken for ASCII.
    (SOSO, "whole"), ("\u0430\u0440\u0440\u04cf\u0435", "whole"), ("\u0445\u0445\u0445", "whole"), ("ӏ-1", "whole"),
    # Emoji and other signs.
    ("😀", "restricted emoji"), ("i❤", "restricted emoji"), ("👍🏽", "restricted emoji"), ("🇩🇪", "restricted emoji"),
    ("☃", "restricted emoji"), ("♀", "restricted emoji"), ("≡", "restricted"),
    # Right to left.
    ("קפה", "bidi"), ("موقع", "bidi"),
]


def test_labels(world, tap):
    with world.resolver(tap, f"{IDN}\nlog-to: log/idn.log", threads=2, prepare=rules(RULES)) as resolver:
        for label, wanted in LABELS:
            labels = (*dnsname.parse(label), b"wild", b"example")
            for asked, number in ((labels, 1), ((b"a", *labels), 2)):
                for transport in (Udp, Tcp):
                    reply, line = resolver.logged(ask(asked), transport)
                    what = f"{label}, label {number}"
                    tap.equal(reply.answers(), ["192.0.2.77"], f"{what}: the answer is as it was")
                    tags = line.policy[3] if line.policy else ""
                    tap.equal(tags, wanted.replace(" ", ","), f"{what}: tags")
                    first = wanted.split()[0] if wanted else None
                    tap.equal(line.why, first and (SHOWN[first], None, number), f"{what}: what the line names")


def test_any_label(world, tap):
    """One label is enough, wherever it stands; each condition may have another, and the line names that of its rule."""
    with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log", prepare=rules(RULES)) as resolver:
        for name, wanted, label in (
                (f"bücher.σίσυφος.казино.{SOSO}.wild.example", "greek,whole", 2),
                (f"😀.xn--a-z.{SOSO}.wild.example", "invalid,restricted,whole,emoji", 2),
                (f"www.{SOSO}.wild.example", "whole", 2),
                ("हि2.हि२.wild.example", None, None),  # each label has digits of one kind
                ("шоп.shop.wild.example", None, None),
                (f"{SOSO}.рф", None, None), (f"{SOSO}.ua", None, None), (f"a.{SOSO}.b.ua", None, None),
                (f"{SOSO}.com", "whole", 1), (f"ua.{SOSO}.com", "whole", 2), (f"{SOSO}.gr", "whole", 1),
                (f"{SOSO}.ee", None, None), (f"{SOSO}.ελ", "greek,whole", 2),
                # At home, or the TLD itself.
                (f"{SOSO}.ru", None, None), (f"{SOSO}.бг", None, None), (f"{SOSO}.{SOSO}", None, None), (SOSO, None, None),
                ("рф", None, None)):
            _, line = resolver.logged(ask(name))
            tap.equal(line.policy and line.policy[3], wanted, f"{name}: tags")
            tap.equal(line.why and line.why[2], label, f"{name}: label")


def test_large_names(world, tap):
    """All the labels that a name has room for, and labels as long as they can be."""
    longest = dnsname.a_label("ⵣ" * 56)
    with world.resolver(tap, f"{IDN}\nlog: json\nlog-to: log/idn.log", prepare=rules(RULES)) as resolver:
        while len(longest) < 63:
            longest = dnsname.a_label(longest[4:].decode().encode().decode("punycode") + "ⵣ")
        tap.equal(len(longest), 63, "a label of 63 octets")
        emoji = dnsname.a_label("😀")
        for what, labels, wanted, label in (
                ("its first", (emoji,) + (b"x",) * 122, "restricted,emoji", 1),
                ("its last", (b"x",) * 122 + (emoji,), "restricted,emoji", 123),
                ("127 labels", (b"x",) * 127, None, None),
                ("three of 63 octets", (longest,) * 3 + (b"wild", b"example"), "foreign,restricted", 1),
                ("… behind others", (b"x" * 48, longest, longest, longest), "foreign,restricted", 2),
                ("50 empty A-labels", (b"xn--",) * 50, "invalid", 1),
                ("the most that are none", (b"xn--a",) * 42, "invalid,restricted", 1)):
            _, line = resolver.logged(ask(labels))
            tap.equal((line.policy and line.policy[3], line.why and line.why[2]), (wanted, label), what)


def test_line(world, tap):
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
            column = dnsname.column(dnsname.parse(name))
            tap.equal(columns_and_fields(resolver, column), f" {fields}", name)


def test_alias_of_itself(world, tap):
    """An alias whose target fulfils the condition too would lead to itself for a client that asks for the target: such
    a rule stops a start, and after a reload the policy before it stays in force."""
    circular = "cname xn--e28h.example emoji\n"
    told = r"rules\.conf:1:1: this alias leads to a name that the rule itself matches"
    starts_not(world, tap, "an alias of itself", IDN, world.module, told, prepare=rules(circular))
    with world.resolver(tap, IDN, prepare=rules("cname walled.example emoji\n")) as resolver:
        write(resolver.folder, circular)
        tap.ok(eventually(lambda: re.search(told, resolver.daemon.log())), "told", resolver.daemon.log())
        for name in ("🙂.wild.example", "xn--e28h.example"):
            tap.equal(resolver.exchange(ask(name)).answers(), ["walled.example.", "192.0.2.90"], f"{name}: the rule before")


def test_targets(world, tap):
    """Conditions are about the query name alone."""
    with world.resolver(tap, IDN, prepare=rules("nxdomain emoji\nnxdomain restricted\nlog emoji tag=e\n")) as resolver:
        for _ in range(2):
            reply, line = resolver.logged(ask("cross-xn--e28h.slow.example"))
            tap.equal((reply.answers(), line.policy), (["xn--e28h.example.", "192.0.2.50"], None), "the alias")
            reply, line = resolver.logged(ask("xn--e28h.example"))
            tap.equal((reply.rcode, line.why, line.policy[3]), ("NXDOMAIN", ("emoji", None, 1), "e"), "its target")


def test_reloads(world, tap):
    """The policy outlives the module's instance; what it looks at names with does, too."""
    text = "refuse emoji\nnxdomain script-level highly\nnodata restricted\nredirect ::1 lookalike coco.wild.example\n"
    cases = {"😀.wild.example": "refuse", "шоп-shop.wild.example": "nxdomain", "ⵣⵣⵣ.wild.example": "nodata",
             f"{SOSO}.wild.example": "redirect", "казино.wild.example": None}
    with world.resolver(tap, IDN, threads=2, prepare=rules(text)) as resolver:
        for kind in ("start", "reload", "SIGHUP", "reload_keep_cache"):
            if kind != "start":
                resolver.reload(kind)
            for name, action in cases.items():
                _, line = resolver.logged(ask(name))
                tap.equal(line.policy and line.policy[0], action, f"{kind}: {name}")
        tap.equal(resolver.daemon.log().count("info: idn: policy: "), 4, "each reload reads it")


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
