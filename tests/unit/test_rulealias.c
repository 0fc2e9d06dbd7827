/* SPDX-License-Identifier: BSD-3-Clause */
/* Aliases that lead to a name of their own rule, and those that lead out of it. */
#include "module/list/list.h"
#include "module/policy/policy.h"
#include "tests/unit/nomemory.h"
#include "tests/unit/rulesread.h"

static char reports[REPORTS_MAX];

static struct row {
    const char *target, *rest; /* of a rule `cname TARGET REST` */
    bool own;
} rows[] = {
    {"a.example", "name a.example", true},
    {"a.example", "name *.a.example", false},
    {"a.example", "zone a.example", true},
    {"a.example", "zone b.a.example", false},
    {"b.a.example", "name a.example", false},
    {"b.a.example", "name *.a.example", true},
    {"b.a.example", "zone a.example", true},
    {"ba.example", "zone a.example", false},
    {"a.example", "zone . suffixes=yes", true},
    {"a.example", "name .", false},
    {"a.example", "name *. suffixes=yes", true},
    {"пример.example", "script in Cyrl", true},
    {"пример.example", "script in Latn,Grek", false},
    {"пример.example", "script not-in Latn,Grek", true},
    {"latin.example", "script in Latn", false}, /* no A-label */
    {"www.пример.example", "script in Cyrl type=TXT", true},
    {"пример.example", "script-level minimal", false},
    {"раypal.example", "script-level highly", true},
    {"a१1.example", "mixed-digits", true},
    {"ab1.example", "mixed-digits", false},
    {"☃.example", "restricted", true},
    {"☃.example", "emoji", true},
    {"x.example", "emoji", false},
    {"א.example", "bidi", true},
    {"бук.example", "bidi", false},
    {"рау.com", "wholescript", true},
    {"рау.com", "wholescript except=рф", true},
    {"рау.рф", "wholescript except=рф", false},
    {"xn--a-z.example", "invalid", true},
    {"xn--e1afmkfd.example", "invalid", false},
    {"pаypal.example", "lookalike paypal.example", true},
    {"www.pаypal.example", "lookalike paypal.example type=AAAA,A", true},
    {"paypal.example", "lookalike paypal.example", false},
    {"www.paypal.example", "lookalike paypal.example key=strict", false},
    {"páypal.example", "lookalike paypal.example", false},
    {"páypal.example", "lookalike paypal.example key=strict", true},
    {"paypa1.example", "lookalike paypal.example", false},
    {"paypa1.example", "lookalike paypal.example ascii=safe", true},
    {"pаypal.net", "lookalike paypal.example", false},
    {"pаypal.net", "lookalike paypal.example tld=any", true},
    {"pаypal.evil.example", "lookalike paypal.example label=any", true},
    /* For whomever it is, it is so for them. */
    {"пример.example", "script in Cyrl client=192.0.2.7", true},
    {"пример.example", "script in Cyrl client=kids when=Mon/08:00-09:00", true},
    {"пример.example", "script in Latn client=!kids", false},
    {"a.example", "zone a.example client=kids", true},
    /* The content of a file is not known here. */
    {"a.example", "names list", false},
    {"pаypal.example", "lookalikes list", false},
};

static const char *title_of(const struct row *row)
{
    char *title = malloc(256);

    snprintf(title, 256, "%s %s", row->target, row->rest);
    return title;
}

static void test_row(void **state)
{
    const struct row *row = *state;
    struct xnm_rules rules = {0};
    char text[256], *warning;

    int len = snprintf(text, sizeof text, "  cname  %s  %s\n", row->target, row->rest);
    bool good = read_rules(&rules, "f", text, (size_t)len, reports);
    while ((warning = strstr(reports, "f:1:10: warning: "))) /* a target that is odd in itself */
        memmove(warning, strchr(warning, '\n') + 1, strlen(strchr(warning, '\n')));
    assert_string_equal(reports, row->own
                                     ? "f:1:10: this alias leads to a name that the rule itself "
                                       "matches: expected a target that it does not match\n"
                                     : "");
    assert_int_equal(good, !row->own);
    assert_int_equal(rules.count, good);
    xnm_rules_free(&rules);
}

/* A policy knows what a list has, a.example here, and which rule wins for which type: by line, the
 * rules that decide where their own aliases lead. */
static struct listed {
    const char *name, *rules, *own;
} listed[] = {
    {"its own list", "cname a.example names list", "1"},
    {"no name of the list", "cname b.example names list", ""},
    {"exempt", "passthru name a.example\ncname a.example names list", ""},
    {"exempt for a type", "passthru name a.example type=A\ncname a.example names list", "2"},
    {"… for three", "passthru name a.example type=A,AAAA,TYPE65535\ncname a.example names list",
     "2"},
    {"… for its one", "passthru name a.example type=A\ncname a.example names list type=A", ""},
    {"… for the first of two",
     "passthru name a.example type=A\ncname a.example names list type=A,AAAA", "2"},
    {"… for both", "passthru name a.example type=A,AAAA\ncname a.example names list type=AAAA,A",
     ""},
    {"two, each of its types", "cname a.example names list type=A\ncname a.example names list",
     "12"},
    {"two, the first of all", "cname a.example names list\ncname a.example names list type=A", "1"},
    {"an earlier one", "nxdomain names list\ncname a.example names list type=MX", ""},
    {"for one client", "cname a.example names list client=192.0.2.7", "1"},
    {"for a group", "cname a.example names list client=kids", "1"},
    {"for all but a group", "cname a.example names list client=!kids,!0.0.0.0/1", "1"},
    {"for nobody", "cname a.example names list client=192.0.2.7,!kids", ""},
    {"at a time", "cname a.example names list when=Mon/08:00-16:00", "1"},
    {"for a group at a time", "cname a.example names list client=kids when=Sat/22:00-06:00", "1"},
    {"exempt for the same clients",
     "passthru name a.example client=kids\ncname a.example names list client=kids", ""},
    {"exempt for more clients",
     "passthru name a.example client=192.0.2.0/23\ncname a.example names list client=kids", ""},
    {"exempt for some of them",
     "passthru name a.example client=192.0.2.0/25\ncname a.example names list client=kids", "2"},
    {"exempt at other times",
     "passthru name a.example when=Mon/08:00-12:00\n"
     "cname a.example names list when=Mon/08:00-16:00,Tue/08:00-09:00",
     "2"},
};

static struct xnm_policy *policy_with_list(const struct xnm_rules *rules)
{
    const struct xnm_policy_settings settings = {0};
    const struct xnm_list_entry entry = {.name = (const uint8_t *)"\1a\7example", .name_len = 11};
    const struct xnm_prefix kids = {{4, {192, 0, 2}}, 24};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);

    assert_true(xnm_policy_builder_group(builder, "kids", NULL, &kids, 1));
    for (size_t i = 0; i < rules->count; i++) {
        assert_true(xnm_policy_builder_rule(builder, &rules->rules[i], NULL));
        if (rules->rules[i].path)
            assert_true(xnm_policy_builder_entry(builder, &entry));
    }
    return xnm_policy_finish(builder, &xnm_diagnose_silently, NULL);
}

static void test_listed(void **state)
{
    const struct listed *row = *state;
    struct xnm_rules rules = {0};
    char own[8] = "";

    assert_true(read_rules(&rules, "f", row->rules, strlen(row->rules), reports));
    struct xnm_policy *policy = policy_with_list(&rules);
    for (size_t i = 0; i < rules.count; i++) {
        if (xnm_rulealias_leads_back(policy, &rules.rules[i]))
            strcat(own, (char[]){(char)('0' + rules.rules[i].line), '\0'});
    }
    assert_string_equal(own, row->own);
    xnm_policy_free(policy);
    xnm_rules_free(&rules);
}

/* Wherever it ends: the error is said, and no alias is taken that was not looked at. */
static void test_no_memory(void **state)
{
    static const char text[] = "cname p\xD0\xB0ypal.example lookalike paypal.example\n";
    struct xnm_rules_options options = {unicode(), &(struct xnm_diagnostics){collect, reports},
                                        DEFAULT_TTL, xnm_rulealias_check};
    unsigned long calls = 0;

    (void)state;
    do {
        struct xnm_rules rules = {0};
        reports[0] = '\0';
        calls_left = calls++;
        assert_false(xnm_rules_parse(&rules, &options, "f", text, sizeof text - 1));
        calls_left = ULONG_MAX;
        assert_int_equal(rules.count, 0);
        xnm_rules_free(&rules);
    } while (strstr(reports, "out of memory"));
    assert_true(calls > 10);
    assert_string_equal(reports, "f:1:7: this alias leads to a name that the rule itself matches: "
                                 "expected a target that it does not match\n");
}

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(rows); i++)
        add_test(&group, title_of(&rows[i]), test_row, &rows[i]);
    ADD_TESTS(&group, listed, name, test_listed);
    add_test(&group, "no memory", test_no_memory, NULL);
    return run_group("rulealias", &group);
}
