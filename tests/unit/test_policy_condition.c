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
#define MALAYALAM "\u0D28\u0D4D\u200D" /* chillu, as it was once written */
#define BENGALI "\u09B0\u09CD" ZWNJ "\u09AF"

static struct condition_row {
    const char *condition, *name;
    unsigned label; /* that fulfils it; 0: none */
} conditions[] = {
    {"invalid", "a.example", 0},
    {"invalid", "a." FOREIGN ".example", 0},
    {"invalid", MIX ".example", 0},
    {"invalid", EMOJI ".example", 0},
    {"invalid", PERSIAN ".example", 0},
    {"invalid", "a.xn--9999999999.example", 2},       /* no Punycode */
    {"invalid", "xn--.example", 1},                   /* no octets */
    {"invalid", "xn--abc-.example", 1},               /* ASCII alone */
    {"invalid", "a." FOREIGN ".XN--abc-.example", 3}, /* in any case */
    {"invalid", "p\u202Eaypal.example", 1},
    {"invalid", "\u00C4.example", 1},     /* UTS 46 maps it */
    {"invalid", "a" ZWNJ "b.example", 1}, /* a joiner out of context */
    {"invalid", "-\u00E4.example", 1},    /* a hyphen */
    {"invalid", "\u0301a.example", 1},    /* a mark first */
    {"invalid", "\u05D0a.example", 1},    /* Bidi */
    {"invalid", "a.example.xn--9999999999", 3},
    {"invalid", "xn-.a-.example", 0},

    {"script in Cyrl", FOREIGN ".example", 1},
    {"script in Cyrl", "a." MIX ".example", 2},
    {"script in Cyrl", "a.\u00E4.example", 0},
    {"script in Latn", "abc.example", 0}, /* no A-label */
    {"script in Latn", "\u00E4.example", 1},
    {"script in Latn", "a1-" FOREIGN ".example", 1}, /* its ASCII letter */
    {"script in Latn", "1-" FOREIGN ".example", 0},
    {"script in Grek,Hebr", HEBREW ".example", 1},
    {"script in Cyrl", "p\u202E\u0430ypal.example", 1}, /* though it is invalid */
    {"script in Cyrl", "xn--9999999999.example", 0},
    {"script not-in Latn,Cyrl", FOREIGN "." MIX ".example", 0},
    {"script not-in Latn,Cyrl", FOREIGN "." HEBREW ".example", 2},
    {"script not-in Latn", EMOJI "1-.example", 0}, /* Common */
    {"script not-in Arab", PERSIAN ".example", 0},
    {"script not-in Mlym", MALAYALAM ".example", 0},
    {"script not-in Beng", BENGALI ".example", 0},

    {"script-level highly", FOREIGN ".example", 0},
    {"script-level highly", "a." MIX ".example", 2},
    {"script-level moderate", MIX ".example", 1},
    {"script-level moderate", "ab\u05D0.example", 0},
    {"script-level highly", "ab\u05D0.example", 1},
    {"script-level minimal", MIX ".example", 0},
    {"script-level moderate", "p\u2C81ypal.example", 1}, /* Coptic is not recommended */
    {"script-level minimal", "p\u2C81ypal.example", 1},
    {"script-level highly", "\u4E2D\u3042a.example", 0}, /* Japanese beside Latin */
    {"script-level highly", PERSIAN ".example", 0},
    {"script-level highly", MALAYALAM ".example", 0},
    {"script-level highly", BENGALI ".example", 0},

    {"mixed-digits", "1\u00E42.example", 0},
    {"mixed-digits", "a." ARABIC_DIGITS ".example", 2},
    {"mixed-digits", "\u06611.example", 1},
    {"mixed-digits", "\u0661." ARABIC_DIGITS ".example", 2},

    {"restricted", FOREIGN ".example", 0},
    {"restricted", EMOJI ".example", 1},
    {"restricted", "a.\u2D30.example", 2}, /* Tifinagh */
    {"restricted", PERSIAN ".example", 0},
    {"restricted", MALAYALAM ".example", 0},
    {"restricted", BENGALI ".example", 0},

    {"wholescript", CYRILLIC ".example", 1},
    {"wholescript", "a." CYRILLIC ".example", 2},
    {"wholescript", MIX ".example", 0},
    {"wholescript", FOREIGN ".example", 0},
    {"wholescript", CYRILLIC FOREIGN ".example", 0},
    {"wholescript", CYRILLIC ".ru", 0}, /* where it is at home */
    {"wholescript", "www." CYRILLIC ".UA", 0},
    {"wholescript", CYRILLIC ".\u0440\u0444", 0},
    {"wholescript", CYRILLIC ".XN--P1ACF", 0}, /* .рус */
    {"wholescript", CYRILLIC ".ru.example", 1},
    {"wholescript", CYRILLIC ".gr", 1},
    {"wholescript", CYRILLIC ".\u03B5\u03BB", 1},
    {"wholescript", CYRILLIC "." CYRILLIC, 0},
    {"wholescript", CYRILLIC, 0}, /* the TLD itself */
    {"wholescript except=com,org", CYRILLIC ".example", 1},
    {"wholescript except=com,org", CYRILLIC ".com", 0},
    {"wholescript except=com,org", "www." CYRILLIC ".ORG", 0},
    {"wholescript except=com,org", CYRILLIC ".comm", 1},
    {"wholescript except=com,org", CYRILLIC ".com.example", 1},
    {"wholescript except=com,\u03B5\u03BB", CYRILLIC ".\u03B5\u03BB", 0},
    {"wholescript except=com,\u03B5\u03BB", CYRILLIC ".\u03B5\u03BB\u03BB", 1},

    {"emoji", EMOJI ".example", 1},
    {"emoji", "a.b\U0001F1E9\U0001F1EA.example", 2}, /* regional indicators */
    {"emoji", "\u2764.example", 1},
    {"emoji", "1.\u00E41.example", 0}, /* digits are Emoji, and no emoji */
    {"emoji", FOREIGN ".example", 0},

    {"bidi", HEBREW ".example", 1},
    {"bidi", "a.\u0628.example", 2},
    {"bidi", "\u0661.example", 1}, /* an Arabic digit */
    {"bidi", "\u06F1.example", 0}, /* a Persian one is EN */
    {"bidi", FOREIGN ".example", 0},
    {"bidi", "\u05D0a.example", 1}, /* though it is invalid */
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
    {"the whole name is shown", "drop invalid", "a.XN--abc-.b.example", A,
     "drop:1 a.xn--abc-.b.example #2"},
    {"the first line", "drop script in Cyrl\nrefuse script in Latn", MIX ".com", A,
     "drop:1 " MIX_NAME " #1"},
    {"… which is fulfilled", "drop script in Hebr\nrefuse script in Latn", MIX ".com", A,
     "refuse:2 " MIX_NAME " #1"},
    {"… and is for the type", "drop script in Cyrl type=28\nrefuse script in Latn", MIX ".com", A,
     "refuse:2 " MIX_NAME " #1"},
    {"… whose type it is", "drop script in Cyrl type=28\nrefuse script in Latn", MIX ".com", AAAA,
     "drop:1 " MIX_NAME " #1"},
    {"a look-alike before a condition", "drop lookalike paypal.com\nrefuse script in Cyrl",
     MIX ".com", A, "drop:1 " MIX_NAME " ~paypal.com exact #1"},
    {"a condition before a look-alike", "refuse script in Cyrl\ndrop lookalike paypal.com",
     MIX ".com", A, "refuse:1 " MIX_NAME " #1"},
    {"a condition between look-alikes",
     "drop lookalike apple.com\nrefuse script in Cyrl\ndrop lookalike paypal.com", MIX ".com", A,
     "refuse:2 " MIX_NAME " #1"},
    {"a protected name is no exception", "refuse script in Cyrl\ndrop lookalike " MIX ".com",
     MIX ".com", A, "refuse:1 " MIX_NAME " #1"},
    {"logs", "log script in Cyrl tag=x\nlog script-level highly tag=y\nlog emoji tag=z", MIX ".com",
     A, "- " MIX_NAME " #1 log:1,2 tags=x,y"},
    {"logs behind what decides",
     "drop script in Cyrl\nlog script in Cyrl tag=x\nlog lookalike paypal.com tag=y", MIX ".com", A,
     "drop:1 " MIX_NAME " #1 log:2,3 tags=x,y"},
    {"logs of look-alikes and conditions by their lines",
     "log script in Cyrl tag=x\nlog lookalike paypal.com tag=y\nlog script in Latn tag=z",
     MIX ".com", A, "- " MIX_NAME " #1 log:1,2,3 tags=x,y,z"},
    {"the look-alike's is the first", "log lookalike paypal.com tag=y\nlog script in Cyrl tag=x",
     MIX ".com", A, "- " MIX_NAME " ~paypal.com exact #1 log:1,2 tags=y,x"},
    {"a rule about the name wins", "drop script in Cyrl\nrefuse zone com suffixes=yes", MIX ".com",
     A, "refuse:2 .com"},
    {"… and the condition logs", "log script in Cyrl tag=x\nrefuse zone com suffixes=yes",
     MIX ".com", A, "refuse:2 .com log:1 tags=x"},
    {"a list wins", "drop script in Cyrl\nrefuse zones l\n+ .com", MIX ".com", A, "refuse:2 .com"},
    {"a list that logs does not", "drop script in Cyrl\nlog zones l tag=x\n+ .com", MIX ".com", A,
     "drop:1 " MIX_NAME " #1 log:2 tags=x"},
    {"passthru wins", "drop script in Cyrl\nlog script in Cyrl tag=x\npassthru zone com",
     MIX ".com", A, "passthru:3 .com"},
    {"a condition's passthru", "passthru script in Cyrl\ndrop lookalike paypal.com", MIX ".com", A,
     "passthru:1 " MIX_NAME " #1"},
    {"… and the name is for TCP alone", "passthru script in Cyrl\ntcp-only name " MIX ".com",
     MIX ".com", A, "tcp-only:2 xn--pypal-4ve.com"},
    {"… exempts the chain", "passthru script in Cyrl\ndrop name b.example", MIX ".com b.example", A,
     "passthru:1 " MIX_NAME " #1"},
    {"… but not from lists", "passthru script in Cyrl\ndrop names l\n+ " MIX ".com", MIX ".com", A,
     "drop:2 " MIX_NAME},
    {"targets are not looked at", "drop script in Cyrl\nlog invalid tag=x",
     "a.example " MIX ".com xn--abc-.example", A, "-"},
    {"no rule but for names without A-labels", "drop invalid", "a.example b.example", A, "-"},
    {"octets that are no ASCII are no A-label", "drop invalid\ndrop script not-in Latn",
     "\xFF\xD0\xB0.example", A, "-"},
    {"the root", "drop invalid\ndrop script not-in Latn\nlog wholescript except=ru tag=x", ".", A,
     "-"},
    {"records", "answer invalid 1 2\nredirect script in Cyrl 3", MIX ".com", A,
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
