/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-alikes: which names a rule about protected ones is about, and which rule wins. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

/* Letters of others that look like ours. */
#define CYRILLIC_A "\u0430"
#define CYRILLIC_O "\u043E"
#define CYRILLIC_APPLE "\u0430\u0440\u0440\u04CF\u0435"
#define A_ACUTE "\u00E1"
#define U_ACUTE "\u00FA"
#define U_DIAERESIS "\u00FC"

/* --- the table of what is compared: four protected names --- */

#define PROTECTED "\n+ paypal.com\n+ google.co.uk\n+ apple.com\n+ b" U_DIAERESIS "cher.example"
#define BUECHER "~xn--bcher-kva.example"

static struct table_row {
    const char *name; /* that is asked for */
    const char *same, *any_tld, *any_label;
} table[] = {
    {"paypal.com", "-", "-", "-"},
    {"www.paypal.com", "-", "-", "-"},
    {"p" CYRILLIC_A "ypal.com", "~paypal.com exact #1", "~paypal.com exact #1",
     "~paypal.com exact #1"},
    {"www.p" CYRILLIC_A "ypal.com", "~paypal.com exact #2", "~paypal.com exact #2",
     "~paypal.com exact #2"},
    {"p" CYRILLIC_A "ypal.net", "-", "~paypal.com exact #1", "~paypal.com exact #1"},
    {"p" CYRILLIC_A "ypal.co.uk", "-", "~paypal.com exact #1", "~paypal.com exact #1"},
    {"p" CYRILLIC_A "ypal.no-such-tld", "-", "~paypal.com exact #1", "~paypal.com exact #1"},
    {"a.b.p" CYRILLIC_A "ypal.co.uk", "-", "~paypal.com exact #3", "~paypal.com exact #3"},
    {"paypal.c" CYRILLIC_O "m", "~paypal.com exact #2", "-", "-"},
    {"p" CYRILLIC_A "ypal.c" CYRILLIC_O "m", "~paypal.com exact #1", "~paypal.com exact #1",
     "~paypal.com exact #1"},
    {"p" CYRILLIC_A "ypal.com.evil.example", "-", "-", "~paypal.com exact #1"},
    {"paypal.com.evil.example", "-", "-", "-"},
    {"p" A_ACUTE "ypal.com", "~paypal.com strict #1", "~paypal.com strict #1",
     "~paypal.com strict #1"},
    {CYRILLIC_APPLE ".com", "~apple.com exact #1", "~apple.com exact #1", "~apple.com exact #1"},
    {"g" CYRILLIC_O CYRILLIC_O "gle.uk", "-", "~google.co.uk exact #1", "~google.co.uk exact #1"},
    {"g" CYRILLIC_O "ogle.co.uk", "~google.co.uk exact #1", "~google.co.uk exact #1",
     "~google.co.uk exact #1"},
    {"paypa1.com", "-", "-", "-"},
    {"paypai.com", "-", "-", "-"},
    {"bucher.example", BUECHER " strict #1", BUECHER " strict #1", BUECHER " strict #1"},
    {"www.bucher.example", BUECHER " strict #2", BUECHER " strict #2", BUECHER " strict #2"},
    {"bucher.test", "-", BUECHER " strict #1", BUECHER " strict #1"},
    {"b" U_ACUTE "cher.example", BUECHER " strict #1", BUECHER " strict #1", BUECHER " strict #1"},
    {"b" U_DIAERESIS "cher.example", "-", "-", "-"},
    {"xn--bcher-kva.www.example", "-", "-", "-"},
    {"p" CYRILLIC_A "ypal-login.com", "-", "-", "-"},
    {"my-p" CYRILLIC_A "ypal.com", "-", "-", "-"},
    {"p" CYRILLIC_A "ypal", "-", "-", "-"},
    {"com", "-", "-", "-"},
    {"c" CYRILLIC_O "m", "-", "-", "-"},
};

/* "nxdomain:1 NAME ~paypal.com exact #1", with the whole of the name that was asked for. */
static void expect_row(const char *policy_text, const char *name, const char *expected)
{
    struct xnm_policy *policy = policy_of(policy_text, NULL, NULL);
    struct xnm_decision decision;
    char full[2048] = "-";

    if (strcmp(expected, "-") != 0)
        snprintf(full, sizeof full, "nxdomain:1 %s %s", ascii_of(name), expected);
    assert_string_equal(decided(policy, name, A, IN, &decision), full);
    if (decision.answer)
        assert_int_equal(decision.scope, XNM_SCOPE_EXACT);
    xnm_policy_free(policy);
}

static void test_table(void **state)
{
    const struct table_row *row = *state;

    expect_row("nxdomain lookalikes l key=strict min=1" PROTECTED, row->name, row->same);
    expect_row("nxdomain lookalikes l key=strict min=1 tld=any" PROTECTED, row->name, row->any_tld);
    expect_row("nxdomain lookalikes l key=strict min=1 label=any" PROTECTED, row->name,
               row->any_label);
}

/* By the exact key the same, less what the strict one alone finds. */
static void test_table_exact(void **state)
{
    const struct table_row *row = *state;

    expect_row("nxdomain lookalikes l min=1" PROTECTED, row->name,
               strstr(row->same, "strict") ? "-" : row->same);
    expect_row("nxdomain lookalikes l min=1 tld=any" PROTECTED, row->name,
               strstr(row->any_tld, "strict") ? "-" : row->any_tld);
    expect_row("nxdomain lookalikes l min=1 label=any" PROTECTED, row->name,
               strstr(row->any_label, "strict") ? "-" : row->any_label);
}

/* --- rows with a policy of their own --- */

#define PAYPAL "p" CYRILLIC_A "ypal.com"
#define IS_PAYPAL "xn--pypal-4ve.com ~paypal.com exact #1"

static struct decision_row decisions[] = {
    /* tld=private */
    {"below a private suffix", "drop lookalike paypal.com tld=private", "www.p\u0430ypal.uk.com", A,
     "drop:1 www.xn--pypal-4ve.uk.com ~paypal.com exact #2"},
    {"… with tld=any", "drop lookalike paypal.com tld=any", "www.p\u0430ypal.uk.com", A, "-"},
    {"left of the public suffix as well", "drop lookalike paypal.com tld=private",
     "p\u0430ypal.co.uk", A, "drop:1 xn--pypal-4ve.co.uk ~paypal.com exact #1"},
    {"of two rules, the one that says it",
     "drop lookalike paypal.com tld=any\nrefuse lookalike paypal.net tld=private",
     "p\u0430ypal.uk.com", A, "refuse:2 xn--pypal-4ve.uk.com ~paypal.net exact #1"},
    {"further left than a private suffix", "drop lookalike paypal.com tld=private",
     "p\u0430ypal.x.uk.com", A, "-"},
    {"a protected private suffix", "drop lookalike uk.com tld=private min=1", "\u03C5k.com", A,
     "drop:1 xn--k-3mb.com ~uk.com exact #1"},
    {"near= below a private suffix", "drop lookalike facebook.com tld=private near=1",
     "f\u0430cebok.uk.com", A, "drop:1 xn--fcebok-3nf.uk.com ~facebook.com near #1"},
    {"near= with tld=any", "drop lookalike facebook.com tld=any near=1", "f\u0430cebok.uk.com", A,
     "-"},
    {"below a protected private suffix", "drop lookalikes l tld=private\n+ paypal.com\n+ uk.com",
     "p\u0430ypal.uk.com", A, "-"},
    {"a protected name below a private suffix", "drop lookalike paypal.uk.com tld=private",
     "p\u0430ypal.uk.com", A, "drop:1 xn--pypal-4ve.uk.com ~paypal.uk.com exact #1"},
    {"below one that is protected otherwise",
     "drop lookalike paypal.com tld=private\nrefuse lookalike uk.com label=any",
     "p\u0430ypal.uk.com", A, "-"},
    /* min= of a list's entry */
    {"a short name's own min=", "drop lookalikes l key=strict\n+ ing.com / min=1\n+ uni.com",
     "\u00EDng.com", A, "drop:1 xn--ng-mja.com ~ing.com strict #1"},
    {"… is not its neighbour's", "drop lookalikes l key=strict\n+ ing.com / min=1\n+ uni.com",
     "un\u00ED.com", A, "-"},
    {"a long name's own min=", "drop lookalikes l\n+ paypal.com / min=7", PAYPAL, A, "-"},
    {"… against the rule's", "drop lookalikes l min=7\n+ paypal.com / min=6", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"two names of one label, one with min=",
     "drop lookalikes l key=strict tld=any\n+ ing.com\n+ ing.net / min=1", "\u00EDng.org", A,
     "drop:1 xn--ng-mja.org ~ing.net strict #1"},
    {"one name twice, once with min=", "drop lookalikes l key=strict\n+ ing.com\n+ ing.com / min=1",
     "\u00EDng.com", A, "drop:1 xn--ng-mja.com ~ing.com strict #1"},
    {"near= in spite of the rule's min=",
     "drop lookalikes l near=1 min=20\n+ facebook.com / min=7\n+ facebooks.com", "f\u0430cebok.com",
     A, "drop:1 xn--fcebok-3nf.com ~facebook.com near #1"},
    {"near= for no shorter name", "drop lookalikes l near=1\n+ ing.com / min=1", "\u0456nng.com", A,
     "-"},
    {"within= in spite of the rule's min=",
     "drop lookalikes l within=yes min=20\n+ facebook.com / min=8", "f\u0430cebook-x.com", A,
     "drop:1 xn--fcebook-x-0yh.com ~facebook.com within #1"},
    {"within= of a name with a larger min=", "drop lookalikes l within=yes\n+ facebook.com / min=9",
     "f\u0430cebook-x.com", A, "-"},
    /* ascii= */
    {"ASCII, off", "drop lookalike paypal.com", "paypa1.com", A, "-"},
    {"ASCII, off, by the strict key", "drop lookalike paypal.com key=strict", "paypa1.com", A, "-"},
    {"1 and l are safe", "drop lookalike paypal.com ascii=safe", "www.paypa1.com", A,
     "drop:1 www.paypa1.com ~paypal.com exact #2"},
    {"i and l are not", "drop lookalike paypal.com ascii=safe", "paypai.com", A, "-"},
    {"i and l are wide", "drop lookalike paypal.com ascii=wide", "paypai.com", A,
     "drop:1 paypai.com ~paypal.com exact #1"},
    {"rn and m", "drop lookalike mail.example ascii=safe", "rnail.example", A,
     "drop:1 rnail.example ~mail.example exact #1"},
    {"m and rn", "drop lookalike corner.example ascii=safe", "comer.example", A,
     "drop:1 comer.example ~corner.example exact #1"},
    {"0 and o", "drop lookalike g00d.example ascii=safe", "good.example", A,
     "drop:1 good.example ~g00d.example exact #1"},
    {"cl and d, vv and w, 5 and s", "drop lookalike dws.example ascii=wide min=3", "clvv5.example",
     A, "drop:1 clvv5.example ~dws.example exact #1"},
    {"any TLD", "drop lookalike paypal.com ascii=safe tld=any", "paypa1.net", A,
     "drop:1 paypa1.net ~paypal.com exact #1"},
    {"any label", "drop lookalike paypal.com ascii=safe label=any", "x.paypa1.y.net", A,
     "drop:1 x.paypa1.y.net ~paypal.com exact #2"},
    {"a difference in ASCII beside one that is none", "drop lookalike paypal.com min=3",
     "paypa1.c" CYRILLIC_O "m", A, "drop:1 paypa1.xn--cm-fmc ~paypal.com exact #2"},
    {"an A-label elsewhere makes no ASCII difference count", "drop lookalike paypal.com",
     CYRILLIC_APPLE ".paypa1.com", A, "-"},
    {"case is no difference", "drop lookalike paypal.com ascii=wide", "PayPal.com", A, "-"},
    {"a capital I is an i", "drop lookalike paypal.com ascii=wide", "paypaI.com", A,
     "drop:1 paypai.com ~paypal.com exact #1"},
    {"an A-label in capitals", "drop lookalike paypal.com", "XN--PYPAL-4VE.COM", A,
     "drop:1 " IS_PAYPAL},

    /* min= */
    {"long enough", "drop lookalike ibm.com key=strict min=3", "\u00EDbm.com", A,
     "drop:1 xn--bm-mja.com ~ibm.com strict #1"},
    {"not long enough", "drop lookalike ibm.com key=strict min=4", "\u00EDbm.com", A, "-"},
    {"not by default", "drop lookalike ibm.com key=strict", "\u00EDbm.com", A, "-"},
    {"… nor by the exact key", "drop lookalike ibm.com", "\u0456bm.com", A, "-"},
    {"strict finds what exact does", "drop lookalike paypal.com key=strict min=3",
     "paypal.c" CYRILLIC_O "m", A, "drop:1 paypal.xn--cm-fmc ~paypal.com exact #2"},
    {"any label is no public suffix", "drop lookalike po.st label=any", "a.\u0440\u0444", A, "-"},
    {"… by a part", "drop lookalike binance.com label=any ascii=safe near=1", "a.finance", A, "-"},
    {"… but a label left of it", "drop lookalike co.de label=any min=2", "\u0441o.uk", A,
     "drop:1 xn--o-6tb.uk ~co.de exact #1"},
    {"any length", "drop lookalike x.com min=1", "\u0445.com", A,
     "drop:1 xn--u1a.com ~x.com exact #1"},
    {"the label that differs counts", "drop lookalike paypal.com min=4", "paypal.c" CYRILLIC_O "m",
     A, "-"},
    {"of two that differ one is enough, and is shown", "drop lookalike ibm.paypal.com min=4",
     "\u0456bm." PAYPAL, A, "drop:1 xn--bm-goc.xn--pypal-4ve.com ~ibm.paypal.com exact #2"},
    {"code points, not octets", "drop lookalike b" U_DIAERESIS "ch.com key=strict min=5",
     "buch.com", A, "-"},
    {"… of the protected label", "drop lookalike vvvv.com ascii=wide min=4", "ww.com", A,
     "drop:1 ww.com ~vvvv.com exact #1"},
    {"… which is not the asked one", "drop lookalike ww.com ascii=wide min=4", "vvvv.com", A, "-"},

    /* second readings */
    {"by the second reading", "drop lookalike tiktok.com key=strict", "\u0142iktok.com", A,
     "drop:1 xn--iktok-j7a.com ~tiktok.com strict #1"},
    {"… of each such letter", "drop lookalike tiktok.com key=strict", "\u0142ik\u0142ok.com", A,
     "drop:1 xn--ikok-z1ac.com ~tiktok.com strict #1"},
    {"by the first one", "drop lookalike allegro.pl key=strict", "al\u0142egro.pl", A,
     "drop:1 xn--alegro-4db.pl ~allegro.pl strict #1"},
    {"not by the exact key", "drop lookalike tiktok.com", "\u0142iktok.com", A, "-"},
    {"not for the protected name", "drop lookalike \u0142iktok.com key=strict", "tiktok.com", A,
     "-"},
    {"any TLD", "drop lookalike tiktok.com key=strict tld=any", "a.\u0142iktok.co.uk", A,
     "drop:1 a.xn--iktok-j7a.co.uk ~tiktok.com strict #2"},
    {"any label", "drop lookalike tiktok.com key=strict label=any", "\u0142iktok.a.example", A,
     "drop:1 xn--iktok-j7a.a.example ~tiktok.com strict #1"},
    {"the first reading rather than the second",
     "drop lookalikes l key=strict tld=any\n+ tatata.com\n+ talata.com", "ta\u0142ata.com", A,
     "drop:1 xn--taata-l7a.com ~talata.com strict #1"},
    {"an exempt name", "drop lookalike tiktok.com key=strict\nlog lookalike \u0142iktok.com",
     "\u0142iktok.com", A, "-"},
    {"a short label", "drop lookalike ted.com key=strict", "\u0142ed.com", A, "-"},

    /* Names that are exempt. */
    {"another protected name", "drop lookalike paypal.com\nlog lookalike " PAYPAL, PAYPAL, A, "-"},
    {"… and what is below it", "drop lookalike paypal.com\nlog lookalike " PAYPAL, "a.b." PAYPAL, A,
     "-"},
    {"… whatever its rule compares",
     "drop lookalike paypal.com\nlog lookalike p" CYRILLIC_A "ypal.net label=any",
     "p" CYRILLIC_A "ypal.net", A, "-"},
    {"… in any case", "drop lookalike paypal.com\nlog lookalike " PAYPAL, "XN--pYPAL-4ve.com", A,
     "-"},
    {"not what is above it", "drop lookalike paypal.com\nlog lookalike www." PAYPAL, PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"a longer name is below", "drop lookalike www.paypal.com\nlog lookalike paypal.com",
     "www.paypal.com", A, "-"},
    {"below an exempt name nothing is found",
     "drop lookalike www.example label=any\n"
     "log lookalike paypal.com",
     "\u0461ww.paypal.com", A, "-"},
    {"both spellings are listed",
     "drop lookalikes l key=strict\n+ bucher.example\n+ b" U_DIAERESIS "cher.example",
     "b" U_DIAERESIS "cher.example", A, "-"},
    {"a third is not",
     "drop lookalikes l key=strict\n+ bucher.example\n+ b" U_DIAERESIS "cher.example",
     "b" U_ACUTE "cher.example", A, "drop:1 xn--bcher-7ua.example ~bucher.example strict #1"},
    {"other TLDs that are listed",
     "drop lookalikes l tld=any\n+ paypal.com\n+ " PAYPAL "\n+ p" CYRILLIC_A "ypal.net",
     "p" CYRILLIC_A "ypal.net", A, "-"},

    /* The entry of a rule that is shown. */
    {"the longest", "drop lookalikes l\n+ paypal.com\n+ www.paypal.com", "www." PAYPAL, A,
     "drop:1 www.xn--pypal-4ve.com ~www.paypal.com exact #2"},
    {"the longest, in any order", "drop lookalikes l\n+ www.paypal.com\n+ paypal.com",
     "www." PAYPAL, A, "drop:1 www.xn--pypal-4ve.com ~www.paypal.com exact #2"},
    {"by the exact key rather than by the strict one",
     "drop lookalikes l key=strict\n+ p" A_ACUTE "ypal.com\n+ paypal.com", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"the first of equals", "drop lookalikes l ascii=safe\n+ paypa1.com\n+ paypal.com", PAYPAL, A,
     "drop:1 xn--pypal-4ve.com ~paypa1.com exact #1"},
    {"the first of those of which the same is compared",
     "drop lookalikes l tld=any\n+ paypal.net\n+ paypal.com", PAYPAL, A,
     "drop:1 xn--pypal-4ve.com ~paypal.net exact #1"},
    {"the leftmost label", "drop lookalikes l label=any\n+ apple.com\n+ paypal.com",
     "x." PAYPAL "." CYRILLIC_APPLE ".test", A,
     "drop:1 x.xn--pypal-4ve.com.xn--80ak6aa92e.test ~paypal.com exact #2"},
    {"a label further on, by the exact key",
     "drop lookalikes l label=any key=strict\n+ apple.com\n+ paypal.com",
     "p" A_ACUTE "ypal." CYRILLIC_APPLE ".test", A,
     "drop:1 xn--pypal-xqa.xn--80ak6aa92e.test ~apple.com exact #2"},

    /* The rule that wins. */
    {"the earlier", "drop lookalike paypal.com key=strict\nrefuse lookalike paypal.com", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"the earlier, though another compares more",
     "drop lookalike paypal.com tld=any\nrefuse lookalike www.paypal.com", "www." PAYPAL, A,
     "drop:1 www.xn--pypal-4ve.com ~paypal.com exact #2"},
    {"the next for another type", "drop lookalike paypal.com type=28\nrefuse lookalike paypal.com",
     PAYPAL, A, "refuse:2 " IS_PAYPAL},
    {"its type", "drop lookalike paypal.com type=28\nrefuse lookalike paypal.com", PAYPAL, AAAA,
     "drop:1 " IS_PAYPAL},
    {"log rules", "log lookalike paypal.com tag=x\nlog lookalike paypal.com tld=any tag=y", PAYPAL,
     A, "- " IS_PAYPAL " log:1,2 tags=x,y"},
    {"a log rule for another type", "log lookalike paypal.com tag=x type=28", PAYPAL, A, "-"},
    {"log rules behind what decides", "drop lookalike paypal.com\nlog lookalike paypal.com tag=y",
     PAYPAL, A, "drop:1 " IS_PAYPAL " log:2 tags=y"},
    {"a log rule has its best match", "log lookalikes l tag=x\n+ paypal.com\n+ www.paypal.com",
     "www." PAYPAL, A, "- www.xn--pypal-4ve.com ~www.paypal.com exact #2 log:1 tags=x"},
    {"a name's rule wins", "drop lookalike paypal.com\nrefuse name " PAYPAL, PAYPAL, A,
     "refuse:2 xn--pypal-4ve.com"},
    {"a zone's rule wins", "drop lookalike paypal.com\nrefuse zone com suffixes=yes", PAYPAL, A,
     "refuse:2 .com"},
    {"a list wins", "drop lookalike paypal.com\nrefuse names l\n+ " PAYPAL, PAYPAL, A,
     "refuse:2 xn--pypal-4ve.com"},
    {"passthru wins", "passthru name " PAYPAL "\ndrop lookalike paypal.com", PAYPAL, A,
     "passthru:1 xn--pypal-4ve.com"},
    {"a passthru list wins", "drop lookalike paypal.com\npassthru zones l\n+ .com", PAYPAL, A,
     "passthru:2 .com"},
    {"an RPZ zone's passthru wins", "drop lookalike paypal.com\nrpz rpz z\n+ " PAYPAL " passthru",
     PAYPAL, A, "passthru:2 xn--pypal-4ve.com"},
    {"… for its type", "drop lookalike paypal.com\npassthru name " PAYPAL " type=28", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"… and leaves no tag of a look-alike", "log lookalike paypal.com tag=x\npassthru zone com",
     PAYPAL, A, "passthru:2 .com"},
    {"a rule that decides leaves tags",
     "log lookalike paypal.com tag=x\nrefuse zone com suffixes=yes", PAYPAL, A,
     "refuse:2 .com log:1 tags=x"},
    {"a list that decides leaves tags", "log lookalike paypal.com tag=x\nrefuse names l\n+ " PAYPAL,
     PAYPAL, A, "refuse:2 xn--pypal-4ve.com log:1 tags=x"},
    {"name triggers log before look-alikes",
     "log lookalike paypal.com tag=x\nlog zone com tag=y\nlog lookalike paypal.com tag=z", PAYPAL,
     A, "- .com log:2,1,3 tags=x,y,z"},
    {"the first eight, and every tag",
     "log lookalike paypal.com tag=a\nlog lookalike paypal.com tag=b\n"
     "log lookalike paypal.com tag=c\nlog lookalike paypal.com tag=d\n"
     "log lookalike paypal.com tag=e\nlog lookalike paypal.com tag=f\n"
     "log lookalike paypal.com tag=g\nlog lookalike paypal.com tag=h\nlog zone com tag=i",
     PAYPAL, A, "- .com log:9,1,2,3,4,5,6,7 tags=a,b,c,d,e,f,g,h,i"},

    /* Chains. */
    {"a target", "drop lookalike paypal.com", "a.example " PAYPAL, A, "drop:1 " IS_PAYPAL " @1"},
    {"passthru on the query name", "drop lookalike paypal.com\npassthru name a.example",
     "a.example " PAYPAL, A, "passthru:2 a.example"},
    {"passthru on the target", "drop lookalike paypal.com\npassthru zone com",
     "a.example " PAYPAL " " CYRILLIC_APPLE ".com", A, "passthru:2 .com @1"},
    {"… exempts that one alone",
     "drop lookalikes l\n+ paypal.com\n+ apple.com\npassthru name " PAYPAL,
     "a.example " PAYPAL " " CYRILLIC_APPLE ".com", A,
     "drop:1 xn--80ak6aa92e.com ~apple.com exact #1 @2"},
    {"a protected target", "drop lookalike paypal.com", PAYPAL " paypal.com", A,
     "drop:1 " IS_PAYPAL},
    {"a target that looks like the query name, which is protected", "drop lookalike paypal.com",
     "paypal.com " PAYPAL, A, "drop:1 " IS_PAYPAL " @1"},
    {"logs of targets", "log lookalikes l tag=x\n+ paypal.com\n+ apple.com",
     "a.example " PAYPAL " " CYRILLIC_APPLE ".com", A, "- " IS_PAYPAL " @1 log:1 tags=x"},
    {"an earlier line's log on a later target",
     "log lookalike apple.com tag=x\nlog lookalike paypal.com tag=y",
     PAYPAL " " CYRILLIC_APPLE ".com", A,
     "- xn--80ak6aa92e.com ~apple.com exact #1 @1 log:1,2 tags=x,y"},
    {"a name's log on a later target", "log lookalike paypal.com tag=x\nlog name b.example tag=y",
     PAYPAL " b.example", A, "- b.example @1 log:2,1 tags=x,y"},
    {"a target refused behind a logged name", "log lookalike paypal.com tag=x\ndrop name b.example",
     PAYPAL " b.example", A, "drop:2 b.example @1 log:1 tags=x"},

    /* Names that are protected. */
    {"a protected IDN by its exact look-alike", "drop lookalike b" U_DIAERESIS "cher.example",
     "bu\u0308cher.example", A, "drop:1 xn--bucher-xyd.example ~xn--bcher-kva.example exact #1"},
    {"a protected name in a TLD that is an IDN", "drop lookalike paypal.\u0440\u0444 tld=any",
     "p" CYRILLIC_A "ypal.com", A, "drop:1 xn--pypal-4ve.com ~paypal.xn--p1ai exact #1"},
    {"… is no IDN left of it", "drop lookalike paypal.\u0440\u0444 tld=any", "paypa1.com", A, "-"},
    {"a subdomain that is protected", "drop lookalike www.paypal.com", PAYPAL, A, "-"},
    {"… with any TLD", "drop lookalike www.paypal.com tld=any", "a.www.p" CYRILLIC_A "ypal.de", A,
     "drop:1 a.www.xn--pypal-4ve.de ~www.paypal.com exact #3"},
    {"… of which any label is the one left of the suffix",
     "drop lookalike www.paypal.com label=any", "\u0461ww." PAYPAL, A,
     "drop:1 xn--ww-epc.xn--pypal-4ve.com ~www.paypal.com exact #2"},
    {"all labels differ", "drop lookalike a.o.e min=1", CYRILLIC_A "." CYRILLIC_O ".\u0435", A,
     "drop:1 xn--80a.xn--n1a.xn--e1a ~a.o.e exact #1"},
    {"an A-label that is none is ASCII", "drop lookalike xn--9999999999.com ascii=safe",
     "xn--999999999l.com", A, "-"},
    {"… and looks like ASCII", "drop lookalike xn--a-l-.com ascii=safe", "xn--a-1-.com", A,
     "drop:1 xn--a-1-.com ~xn--a-l-.com exact #1"},
    {"a public suffix protects nothing", "drop lookalike co.uk tld=any", "c" CYRILLIC_O ".uk", A,
     "-"},
    {"the root protects nothing", "drop lookalike . tld=same", PAYPAL, A, "-"},
    {"the root looks like nothing", "drop lookalike paypal.com ascii=wide label=any", ".", A, "-"},
};

ADD_ROWS(test_decision, decisions, name)
int main(void)
{
    for (size_t i = 0; i < COUNT(table); i++) {
        add_test(table[i].name, test_table, &table[i]);
        add_test(table[i].name, test_table_exact, &table[i]);
    }
    return run_unit();
}
