/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditions: which A-labels fulfil them, and which rule wins. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

#define MIX "p\u0430ypal"             /* Latin and Cyrillic */
#define CYRILLIC "\u0441\u0430\u0445" /* reads "cax" */
#define FOREIGN "\u0436\u0448"        /* Cyrillic, and no look-alike of ASCII */
#define EMOJI "\U0001F600"
#define HEBREW "\u05D0\u05D1"
#define ARABIC_DIGITS "\u0628\u0661\u06F2" /* of two systems */
#define ZWNJ "\u200C"
#define PERSIAN "\u0646\u0627\u0645\u0647" ZWNJ "\u0627\u06CC"

static struct condition_row {
    const char *condition, *name;
    unsigned label; /* that fulfils it; 0: none */
} conditions[] = {
    {"invalid", "a." FOREIGN ".example", 0},
    {"invalid", "a.xn--9999999999.example", 2},       /* no Punycode */
    {"invalid", "xn--.example", 1},                   /* no octets */
    {"invalid", "a." FOREIGN ".XN--abc-.example", 3}, /* in any case */
    {"invalid", "p\u202Eaypal.example", 1},
    {"invalid", "a" ZWNJ "b.example", 1}, /* a joiner out of context */
    {"invalid", "xn-.a-.example", 0},

    {"script in Cyrl", FOREIGN ".example", 1},
    {"script in Latn", "abc.example", 0}, /* no A-label */
    {"script in Grek,Hebr", HEBREW ".example", 1},
    {"script in Cyrl", "p\u202E\u0430ypal.example", 1}, /* though it is invalid */
    {"script in Cyrl", "xn--9999999999.example", 0},
    {"script not-in Latn,Cyrl", FOREIGN "." HEBREW ".example", 2},
    {"script not-in Latn", EMOJI "1-.example", 0}, /* Common */
    {"script not-in Arab", PERSIAN ".example", 0},

    {"script-level highly", "a." MIX ".example", 2},
    {"script-level moderate", "ab\u05D0.example", 0},
    {"script-level highly", "ab\u05D0.example", 1},
    {"script-level moderate", "p\u2C81ypal.example", 1}, /* Coptic is not recommended */
    {"script-level highly", PERSIAN ".example", 0},

    {"mixed-digits", "1\u00E42.example", 0},
    {"mixed-digits", "a." ARABIC_DIGITS ".example", 2},
    {"mixed-digits", "\u06611.example", 1},

    {"restricted", FOREIGN ".example", 0},
    {"restricted", EMOJI ".example", 1},
    {"restricted", "a.\u2D30.example", 2}, /* Tifinagh */
    {"restricted", PERSIAN ".example", 0},

    {"wholescript", CYRILLIC ".example", 1},
    {"wholescript", FOREIGN ".example", 0},
    {"wholescript", CYRILLIC FOREIGN ".example", 0},
    {"wholescript", CYRILLIC ".ru", 0}, /* where it is at home */
    {"wholescript", CYRILLIC ".ru.example", 1},
    {"wholescript", CYRILLIC ".\u03B5\u03BB", 1},
    {"wholescript", CYRILLIC "." CYRILLIC, 0},
    {"wholescript", CYRILLIC, 0}, /* the TLD itself */
    {"wholescript except=com,org", CYRILLIC ".com", 0},
    {"wholescript except=com,org", "www." CYRILLIC ".ORG", 0},
    {"wholescript except=com,org", CYRILLIC ".comm", 1},
    {"wholescript except=com,org", CYRILLIC ".com.example", 1},
    {"wholescript except=com,\u03B5\u03BB", CYRILLIC ".\u03B5\u03BB", 0},

    {"emoji", EMOJI ".example", 1},
    {"emoji", "1.\u00E41.example", 0}, /* digits are Emoji, and no emoji */
    {"emoji", FOREIGN ".example", 0},

    {"bidi", "a.\u0628.example", 2},
    {"bidi", "\u0661.example", 1}, /* an Arabic digit */
    {"bidi", "\u06F1.example", 0}, /* a Persian one is EN */
    {"bidi", FOREIGN ".example", 0},
};

static void test_condition(void **state)
{
    const struct condition_row *row = *state;
    char text[256];
    struct xnm_decision decision;

    snprintf(text, sizeof text, "nxdomain %s", row->condition);
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    decided(policy, row->name, A, IN, &decision);
    assert_int_equal(decision.answer != NULL, row->label > 0);
    assert_int_equal(decision.label, row->label);
    assert_null(decision.lookalike);
    decided(policy, row->name, A, CH, &decision);
    assert_null(decision.answer);
    xnm_policy_free(policy);
}

/* --- rows with a policy of their own --- */

#define MIX_NAME "xn--pypal-4ve.com"

static struct decision_row decisions[] = {
    {"shows the whole name", "drop invalid", "a.XN--abc-.b.example", A,
     "drop:1 a.xn--abc-.b.example #2"},
    {"applies the first line", "drop script in Cyrl\nrefuse script in Latn", MIX ".com", A,
     "drop:1 " MIX_NAME " #1"},
    {"applies the first line of the type", "drop script in Cyrl type=28\nrefuse script in Latn",
     MIX ".com", AAAA, "drop:1 " MIX_NAME " #1"},
    {"applies a condition before a look-alike", "refuse script in Cyrl\ndrop lookalike paypal.com",
     MIX ".com", A, "refuse:1 " MIX_NAME " #1"},
    {"does not exempt a protected name", "refuse script in Cyrl\ndrop lookalike " MIX ".com",
     MIX ".com", A, "refuse:1 " MIX_NAME " #1"},
    {"logs rules after the one that decides",
     "drop script in Cyrl\nlog script in Cyrl tag=x\nlog lookalike paypal.com tag=y", MIX ".com", A,
     "drop:1 " MIX_NAME " #1 log:2,3 tags=x,y"},
    {"shows a look-alike before a condition",
     "log lookalike paypal.com tag=y\nlog script in Cyrl tag=x", MIX ".com", A,
     "- " MIX_NAME " ~paypal.com exact #1 log:1,2 tags=y,x"},
    {"logs under a rule about the name", "log script in Cyrl tag=x\nrefuse zone com suffixes=yes",
     MIX ".com", A, "refuse:2 .com log:1 tags=x"},
    {"decides although a list logs", "drop script in Cyrl\nlog zones l tag=x\n+ .com", MIX ".com",
     A, "drop:1 " MIX_NAME " #1 log:2 tags=x"},
    {"passthru of a name prevails",
     "drop script in Cyrl\nlog script in Cyrl tag=x\npassthru zone com", MIX ".com", A,
     "passthru:3 .com"},
    {"tcp-only prevails over passthru of a condition",
     "passthru script in Cyrl\ntcp-only name " MIX ".com", MIX ".com", A,
     "tcp-only:2 xn--pypal-4ve.com"},
    {"passthru of a condition exempts targets", "passthru script in Cyrl\ndrop name b.example",
     MIX ".com b.example", A, "passthru:1 " MIX_NAME " #1"},
    {"passthru of a condition does not exempt from lists",
     "passthru script in Cyrl\ndrop names l\n+ " MIX ".com", MIX ".com", A, "drop:2 " MIX_NAME},
    {"does not look at targets", "drop script in Cyrl\nlog invalid tag=x",
     "a.example " MIX ".com xn--abc-.example", A, "-"},
    {"does not match a name without A-labels", "drop invalid", "a.example b.example", A, "-"},
    {"does not match other octets", "drop invalid\ndrop script not-in Latn", "\xFF\xD0\xB0.example",
     A, "-"},
    {"does not match the root",
     "drop invalid\ndrop script not-in Latn\nlog wholescript except=ru tag=x", ".", A, "-"},
    {"answers with records", "answer invalid 1 2\nredirect script in Cyrl 3", MIX ".com", A,
     "redirect:2 " MIX_NAME " #1"},
};

ADD_ROWS(test_decision, decisions, name)
int main(void)
{
    for (size_t i = 0; i < COUNT(conditions); i++)
        add_named_test(test_condition, &conditions[i], "%s: %s", conditions[i].condition,
                       conditions[i].name);
    return run_unit();
}
