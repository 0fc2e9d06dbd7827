/* SPDX-License-Identifier: BSD-3-Clause */
/* Protected names as a whole: what becomes of lists, and what is said of them. */
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "tests/unit/policyrows.h"

/* --- what there is --- */

static struct summary_row summaries[] = {
    {"a look-alike", "drop lookalike a.example", 1, 1, 1, true},
    {"one that logs", "log lookalike a.example", 1, 1, 1, false},
    {"an empty list", "drop lookalikes l", 1, 0, 0, false},
    {"a name twice", "drop lookalikes l\n+ a.example\n+ b.example\n+ a.example", 1, 2, 2, true},
    {"most names twice",
     "drop lookalikes l\n+ a.example\n+ b.example\n+ a.example\n+ a.example\n+ b.example\n"
     "+ a.example\n+ a.example\n+ b.example\n+ a.example\n+ a.example\n+ c.example",
     1, 3, 3, true},
    {"a name in two lists", "drop lookalikes l\n+ a.example\nlog lookalikes m\n+ a.example", 2, 2,
     1, true},
    {"a condition that logs", "log invalid", 1, 0, 0, false},
    {"a condition's passthru", "passthru emoji", 1, 0, 0, false},
    {"a condition and a passthru", "drop emoji\npassthru invalid", 2, 0, 0, true},
    {"a rule twice", "drop lookalike a.example\nrefuse lookalike a.example", 2, 1, 1, true},
    {"what was taken back", "log lookalikes l\n+ a.example\nforget", 1, 0, 0, false},
    {"… and what came behind",
     "log lookalikes l\n+ a.example\nforget\n+ b.example\n+ c.example\ndrop emoji", 2, 2, 2, true},
    {"… and what stood before", "log lookalike a.example\nrpz rpz z\n+ b answer 1\nforget", 2, 1, 1,
     false},
};

TEST(test_subjects, "subjects")
{
    static const char *const subjects[] = {"xn--bcher-kva.example", "/etc/list", "", "in Latn,Cyrl",
                                           "moderate"};

    expect_subjects("drop lookalike b\u00FCcher.example\ndrop lookalikes /etc/list\ndrop invalid\n"
                    "drop script in Latn,Cyrl\ndrop script-level moderate",
                    subjects, COUNT(subjects));
}

/* Rules that differ count by themselves, be it in one option alone, or in where one part ends and
 * the next begins. */
TEST(test_hits, "counters")
{
    static const char policy_text[] = "log lookalike a.example\n"
                                      "log lookalike a.example key=strict min=1\n"
                                      "log lookalike a.example key=strict min=2\n"
                                      "log lookalike a.example tld=any\n"
                                      "log lookalike a.example label=any\n"
                                      "log lookalike a.example ascii=safe\n"
                                      "log lookalike a.example ascii=wide\n"
                                      "log lookalike a.example near=1\n"
                                      "log lookalike a.example within=yes\n"
                                      "log lookalike a.example except=n\n"
                                      "log lookalikes a.example\n"
                                      "log invalid\nlog emoji\n"
                                      "log script in Latn\nlog script not-in Latn\n"
                                      "log script in Cyrl\n"
                                      "log script-level highly\nlog script-level minimal\n"
                                      "log wholescript\nlog wholescript except=ru\n"
                                      "log wholescript except=ru,ua\nlog wholescript tag=x\n"
                                      /* parts that would be one without their borders */
                                      "log name b.example tag=aXX\n"
                                      "log name b.example tag=a type=22616\n"
                                      "redirect name b.example type=1 type=192 type=258 2\n"
                                      "redirect name b.example 1 2\n"
                                      "nxdomain zones list\nnxdomain zones list suffixes=yes\n"
                                      "rpz rpz zone\nrpz rpz zone origin=a\nrpz rpz zone origin=b";
    struct xnm_policy *policy = policy_of(policy_text, NULL, NULL);
    struct xnm_policy *again = policy_of(policy_text, NULL, NULL);

    for (size_t i = 0; i < xnm_policy_rule_count(policy); i++) {
        assert_ptr_equal(xnm_policy_rule(policy, i)->counter, xnm_policy_rule(again, i)->counter);
        for (size_t j = 0; j < i; j++) {
            if (xnm_policy_rule(policy, i)->counter == xnm_policy_rule(policy, j)->counter)
                print_error("lines %zu and %zu\n", j + 1, i + 1);
            assert_ptr_not_equal(xnm_policy_rule(policy, i)->counter,
                                 xnm_policy_rule(policy, j)->counter);
        }
    }
    xnm_policy_free(policy);
    xnm_policy_free(again);
}

TEST(test_answer, "answers")
{
    struct xnm_policy *policy =
        policy_of("answer lookalike paypal.com 1 2\nanswer name a.example 9\n"
                  "answer lookalike paypal.com 2 3\nanswer invalid 4\nanswer invalid 5 ttl=7",
                  NULL, NULL);
    struct xnm_decision decision;

    decided(policy, "p\u0430ypal.com", A, IN, &decision);
    assert_int_equal(decision.answer->record_count, 3);
    assert_int_equal(decision.answer->ttl, 60);
    assert_int_equal(decision.answer->ede, 4);
    decided(policy, "xn--abc-.com", A, IN, &decision);
    assert_int_equal(decision.answer->record_count, 2);
    assert_int_equal(decision.answer->records[1].rdata[3], 5);
    assert_int_equal(decision.answer->rule->line, 4);
    xnm_policy_free(policy);
}

/* The old entries of a list go into a rule with other options. */
TEST(test_keep, "a list kept")
{
    struct xnm_policy *older = policy_of("drop lookalikes k\n+ a.example\n"
                                         "drop lookalikes l tld=any\n+ paypal.com\n+ b.example\n"
                                         "drop names l\n+ c.example",
                                         NULL, NULL);
    struct xnm_policy *policy = policy_of("drop emoji\nlog lookalikes l tag=x\nkeep", older, NULL);
    struct xnm_decision decision;

    xnm_policy_free(older); /* nothing is shared */
    assert_int_equal(xnm_policy_entry_count(policy), 2);
    assert_int_equal(xnm_policy_rule(policy, 1)->entry_count, 2);
    assert_string_equal(decided(policy, "p\u0430ypal.com", A, IN, &decision),
                        "- xn--pypal-4ve.com ~paypal.com exact #1 log:2 tags=x");
    assert_string_equal(decided(policy, "p\u0430ypal.net", A, IN, &decision), "-");
    assert_string_equal(decided(policy, "\u0430.example", A, IN, &decision), "-");
    xnm_policy_free(policy);
}

/* --- what is reported --- */

static struct warning_row warnings[] = {
    {"a name twice", "drop lookalike a.b\nrefuse lookalike a.b",
     "2: this rule never decides: line 1 already has 'lookalike a.b'\n"},
    {"… with other options",
     "drop lookalike a.b\ndrop lookalike a.b key=strict min=1\ndrop lookalike a.b tld=any\n"
     "drop lookalike a.b label=any\ndrop lookalike a.b ascii=wide\ndrop lookalike a.b min=2\n"
     "drop lookalike a.b near=1\ndrop lookalike a.b within=yes\n"
     "drop lookalike a.b elsewhere=yes",
     ""},
    {"… with the same", "drop lookalike a.b ascii=safe\ndrop lookalike a.b ascii=safe type=1",
     "2: this rule never decides: line 1 already has 'lookalike a.b'\n"},
    {"… for a type before all", "drop lookalike a.b type=1\ndrop lookalike a.b", ""},
    {"a list", "drop lookalikes l\n+ a.b\n+ a.b\ndrop lookalike a.b\ndrop lookalikes m\n+ a.b", ""},
    {"answers", "answer lookalike a.b 1\nanswer lookalike a.b 2\nanswer emoji 1\nanswer emoji 2",
     ""},
    {"a condition twice", "drop emoji\nrefuse emoji",
     "2: this rule never decides: line 1 already has 'emoji'\n"},
    {"… its passthru", "drop emoji\npassthru emoji",
     "1: this rule never decides: line 2 already has 'emoji'\n"},
    {"other conditions", "drop emoji\ndrop bidi\ndrop invalid\ndrop restricted", ""},
    {"scripts",
     "drop script in Latn\ndrop script not-in Latn\ndrop script in Latn,Cyrl\n"
     "drop script in Cyrl,Latn",
     "4: this rule never decides: line 3 already has 'script in Latn,Cyrl'\n"},
    {"levels", "drop script-level highly\ndrop script-level minimal\ndrop script-level highly",
     "3: this rule never decides: line 1 already has 'script-level highly'\n"},
};

/* Conditions with the same TLDs are the same. */
TEST(test_warning_of_exceptions, "exceptions")
{
    static const struct {
        const char *tlds[2];
        size_t count;
    } lines[] = {{{"ru", "ua"}, 2}, {{"ru", "ua"}, 2}, {{"ru"}, 1}, {{"ru", "de"}, 2}, {{"ru"}, 1}};
    struct xnm_wirename names[2];
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    struct xnm_rule rule = {.action = XNM_DROP,
                            .trigger = XNM_TRIGGER_WHOLESCRIPT,
                            .file = "rules",
                            .column = 1,
                            .condition = {.except = names}};
    char text[1024] = "";
    const struct xnm_diagnostics diagnostics = {collect_warning, text};

    for (size_t i = 0; i < COUNT(lines); i++) { /* what is kept is copied */
        for (size_t j = 0; j < lines[i].count; j++)
            wirename_of(lines[i].tlds[j], &names[j]);
        rule.line = (unsigned)i + 1;
        rule.condition.except_count = lines[i].count;
        assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    }
    xnm_policy_free(xnm_policy_finish(builder, &diagnostics, NULL));
    assert_string_equal(text, "2: this rule never decides: line 1 already has 'wholescript'\n"
                              "5: this rule never decides: line 3 already has 'wholescript'\n");
}

/* So many names differ in one letter that near= cannot find them all. */
TEST(test_warning_of_edits, "edits left out")
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    char policy_text[8192] = "log lookalikes l near=1", text[1024] = "";
    const struct xnm_diagnostics diagnostics = {collect_warning, text};
    char *end = policy_text + strlen(policy_text);
    struct xnm_decision decision;

    for (const char *letter = letters; *letter; letter++)
        end += sprintf(end, "\n+ campus%c.de\n+ camp%cus.de", *letter, *letter);
    struct xnm_policy *policy = policy_of(policy_text, NULL, &diagnostics);
    assert_string_equal(
        text, "1: near=, within=, words= or elsewhere= finds not all look-alikes of 8 names "
              "of 'l': too many names of that list are alike, 64 or more\n");
    assert_string_equal(decided(policy, "c\u0430mpus.de", A, IN, &decision),
                        "- xn--cmpus-4ve.de ~campusa.de near #1 log:1");
    assert_string_equal(decided(policy, "c\u0430mp9us.de", A, IN, &decision),
                        "- xn--cmp9us-3nf.de ~camp9us.de exact #1 log:1");
    xnm_policy_free(policy);
}

ADD_ROWS(test_summary, summaries, name)
ADD_ROWS(test_warning, warnings, name)
TEST_MAIN
