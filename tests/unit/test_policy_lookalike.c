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
    /* min= of a list's entry */
    {"min= of an entry replaces the rule's",
     "drop lookalikes l key=strict\n+ ing.com / min=1\n+ uni.com", "\u00EDng.com", A,
     "drop:1 xn--ng-mja.com ~ing.com strict #1"},
    {"min= of an entry leaves the others alone",
     "drop lookalikes l key=strict\n+ ing.com / min=1\n+ uni.com", "un\u00ED.com", A, "-"},
    {"min= of an entry lowers the rule's", "drop lookalikes l min=7\n+ paypal.com / min=6", PAYPAL,
     A, "drop:1 " IS_PAYPAL},
    {"takes min= of a name that a list has twice",
     "drop lookalikes l key=strict\n+ ing.com\n+ ing.com / min=1", "\u00EDng.com", A,
     "drop:1 xn--ng-mja.com ~ing.com strict #1"},
    /* ascii= */
    {"ascii=off does not match ASCII", "drop lookalike paypal.com", "paypa1.com", A, "-"},
    {"ascii=safe matches 1 for l", "drop lookalike paypal.com ascii=safe", "www.paypa1.com", A,
     "drop:1 www.paypa1.com ~paypal.com exact #2"},
    {"ascii=safe does not match i for l", "drop lookalike paypal.com ascii=safe", "paypai.com", A,
     "-"},
    {"ascii=wide matches i for l", "drop lookalike paypal.com ascii=wide", "paypai.com", A,
     "drop:1 paypai.com ~paypal.com exact #1"},
    {"ascii=off matches one A-label beside ASCII", "drop lookalike paypal.com min=3",
     "paypa1.c" CYRILLIC_O "m", A, "drop:1 paypa1.xn--cm-fmc ~paypal.com exact #2"},
    {"ascii=wide reads a capital I as i", "drop lookalike paypal.com ascii=wide", "paypaI.com", A,
     "drop:1 paypai.com ~paypal.com exact #1"},

    /* min= */
    {"min= matches a label that is long enough", "drop lookalike ibm.com key=strict min=3",
     "\u00EDbm.com", A, "drop:1 xn--bm-mja.com ~ibm.com strict #1"},
    {"min= does not match a shorter label", "drop lookalike ibm.com key=strict min=4",
     "\u00EDbm.com", A, "-"},
    {"min= measures the label that differs", "drop lookalike paypal.com min=4",
     "paypal.c" CYRILLIC_O "m", A, "-"},
    {"min= needs one label of several", "drop lookalike ibm.paypal.com min=4", "\u0456bm." PAYPAL,
     A, "drop:1 xn--bm-goc.xn--pypal-4ve.com ~ibm.paypal.com exact #2"},
    {"min= counts code points", "drop lookalike b" U_DIAERESIS "ch.com key=strict min=5",
     "buch.com", A, "-"},
    {"min= measures the protected label", "drop lookalike ww.com ascii=wide min=4", "vvvv.com", A,
     "-"},

    /* second readings */
    {"reads a letter by its second reading", "drop lookalike tiktok.com key=strict",
     "\u0142iktok.com", A, "drop:1 xn--iktok-j7a.com ~tiktok.com strict #1"},
    {"reads a letter by its first reading", "drop lookalike allegro.pl key=strict",
     "al\u0142egro.pl", A, "drop:1 xn--alegro-4db.pl ~allegro.pl strict #1"},
    {"prefers the first reading",
     "drop lookalikes l key=strict tld=any\n+ tatata.com\n+ talata.com", "ta\u0142ata.com", A,
     "drop:1 xn--taata-l7a.com ~talata.com strict #1"},

    /* Names that are exempt. */
    {"exempts another protected name", "drop lookalike paypal.com\nlog lookalike " PAYPAL, PAYPAL,
     A, "-"},
    {"exempts names below a protected name", "drop lookalike paypal.com\nlog lookalike " PAYPAL,
     "a.b." PAYPAL, A, "-"},
    {"does not exempt names above a protected name",
     "drop lookalike paypal.com\nlog lookalike www." PAYPAL, PAYPAL, A, "drop:1 " IS_PAYPAL},
    {"matches a third spelling beside two protected ones",
     "drop lookalikes l key=strict\n+ bucher.example\n+ b" U_DIAERESIS "cher.example",
     "b" U_ACUTE "cher.example", A, "drop:1 xn--bcher-7ua.example ~bucher.example strict #1"},

    /* The entry of a rule that is shown. */
    {"shows the longest entry", "drop lookalikes l\n+ paypal.com\n+ www.paypal.com", "www." PAYPAL,
     A, "drop:1 www.xn--pypal-4ve.com ~www.paypal.com exact #2"},
    {"shows the entry of the exact key",
     "drop lookalikes l key=strict\n+ p" A_ACUTE "ypal.com\n+ paypal.com", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"shows the first of equal entries", "drop lookalikes l ascii=safe\n+ paypa1.com\n+ paypal.com",
     PAYPAL, A, "drop:1 xn--pypal-4ve.com ~paypa1.com exact #1"},
    {"shows the leftmost label", "drop lookalikes l label=any\n+ apple.com\n+ paypal.com",
     "x." PAYPAL "." CYRILLIC_APPLE ".test", A,
     "drop:1 x.xn--pypal-4ve.com.xn--80ak6aa92e.test ~paypal.com exact #2"},
    {"shows the label of the exact key",
     "drop lookalikes l label=any key=strict\n+ apple.com\n+ paypal.com",
     "p" A_ACUTE "ypal." CYRILLIC_APPLE ".test", A,
     "drop:1 xn--pypal-xqa.xn--80ak6aa92e.test ~apple.com exact #2"},

    /* The rule that wins. */
    {"applies the earlier rule",
     "drop lookalike paypal.com key=strict\nrefuse lookalike paypal.com", PAYPAL, A,
     "drop:1 " IS_PAYPAL},
    {"applies a rule of the type", "drop lookalike paypal.com type=28\nrefuse lookalike paypal.com",
     PAYPAL, AAAA, "drop:1 " IS_PAYPAL},
    {"logs rules after the one that decides",
     "drop lookalike paypal.com\nlog lookalike paypal.com tag=y", PAYPAL, A,
     "drop:1 " IS_PAYPAL " log:2 tags=y"},
    {"logs the best match of a rule", "log lookalikes l tag=x\n+ paypal.com\n+ www.paypal.com",
     "www." PAYPAL, A, "- www.xn--pypal-4ve.com ~www.paypal.com exact #2 log:1 tags=x"},
    {"prefers a rule of a zone", "drop lookalike paypal.com\nrefuse zone com suffixes=yes", PAYPAL,
     A, "refuse:2 .com"},
    {"prefers a list", "drop lookalike paypal.com\nrefuse names l\n+ " PAYPAL, PAYPAL, A,
     "refuse:2 xn--pypal-4ve.com"},
    {"prefers a passthru list", "drop lookalike paypal.com\npassthru zones l\n+ .com", PAYPAL, A,
     "passthru:2 .com"},
    {"adds no tag of a look-alike under passthru",
     "log lookalike paypal.com tag=x\npassthru zone com", PAYPAL, A, "passthru:2 .com"},
    {"adds tags under a rule that refuses",
     "log lookalike paypal.com tag=x\nrefuse zone com suffixes=yes", PAYPAL, A,
     "refuse:2 .com log:1 tags=x"},
    {"logs names before look-alikes",
     "log lookalike paypal.com tag=x\nlog zone com tag=y\nlog lookalike paypal.com tag=z", PAYPAL,
     A, "- .com log:2,1,3 tags=x,y,z"},
    {"logs the first eight rules, and every tag",
     "log lookalike paypal.com tag=a\nlog lookalike paypal.com tag=b\n"
     "log lookalike paypal.com tag=c\nlog lookalike paypal.com tag=d\n"
     "log lookalike paypal.com tag=e\nlog lookalike paypal.com tag=f\n"
     "log lookalike paypal.com tag=g\nlog lookalike paypal.com tag=h\nlog zone com tag=i",
     PAYPAL, A, "- .com log:9,1,2,3,4,5,6,7 tags=a,b,c,d,e,f,g,h,i"},

    /* Chains. */
    {"passthru exempts all targets", "drop lookalike paypal.com\npassthru name a.example",
     "a.example " PAYPAL, A, "passthru:2 a.example"},
    {"passthru exempts a target", "drop lookalike paypal.com\npassthru zone com",
     "a.example " PAYPAL " " CYRILLIC_APPLE ".com", A, "passthru:2 .com @1"},
    {"passthru exempts no other target",
     "drop lookalikes l\n+ paypal.com\n+ apple.com\npassthru name " PAYPAL,
     "a.example " PAYPAL " " CYRILLIC_APPLE ".com", A,
     "drop:1 xn--80ak6aa92e.com ~apple.com exact #1 @2"},
    {"logs an earlier rule on a later target",
     "log lookalike apple.com tag=x\nlog lookalike paypal.com tag=y",
     PAYPAL " " CYRILLIC_APPLE ".com", A,
     "- xn--80ak6aa92e.com ~apple.com exact #1 @1 log:1,2 tags=x,y"},

    /* Names that are protected. */
    {"matches a protected IDN", "drop lookalike b" U_DIAERESIS "cher.example",
     "bu\u0308cher.example", A, "drop:1 xn--bucher-xyd.example ~xn--bcher-kva.example exact #1"},
    {"does not match ASCII under a TLD that is an IDN",
     "drop lookalike paypal.\u0440\u0444 tld=any", "paypa1.com", A, "-"},
    {"reads an invalid A-label as ASCII", "drop lookalike xn--9999999999.com ascii=safe",
     "xn--999999999l.com", A, "-"},
    {"does not protect a public suffix", "drop lookalike co.uk tld=any", "c" CYRILLIC_O ".uk", A,
     "-"},
    {"does not protect the root", "drop lookalike . tld=same", PAYPAL, A, "-"},
    {"does not match the root", "drop lookalike paypal.com ascii=wide label=any", ".", A, "-"},
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
