/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests which parts of rules and lists become part of a policy, and the messages about them. */
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/policy/data.h"
#include "tests/unit/exact.h"
#include "tests/unit/policyrows.h"

/* --- what answers say --- */

static struct answer_row {
    const char *name;
    const char *policy;
    const char *expected; /* of a.example: the action's line, TTL, EDE, records, prefix */
} answers[] = {
    {"the settings' TTL, the action's EDE", "nxdomain name a.example", "nxdomain:1 60 15"},
    {"the line's TTL and EDE", "nxdomain name a.example ttl=7 ede=17", "nxdomain:1 7 17"},
    {"EDE off", "nxdomain name a.example ede=-1", "nxdomain:1 60 -1"},
    {"a list's records", "redirect names l 1 2\n+ b.example\n+ a.example", "redirect:1 60 4 1,2"},
    {"answer lines",
     "answer name a.example 1\nanswer name a.example 2 ttl=9\n"
     "answer name a.example 3",
     "answer:1 60 4 1,2,3"},
    {"… with another name between",
     "answer name a.example 1\nanswer name b.example 9\n"
     "answer name a.example 2",
     "answer:1 60 4 1,2"},
    {"… with another action between",
     "answer name a.example 1\nanswer name *.a.example 9\n"
     "answer name a.example 2",
     "answer:1 60 4 1,2"},
    {"… that say the same",
     "answer name a.example 1\nanswer name a.example 1\n"
     "answer name a.example 2\nanswer name a.example 1",
     "answer:1 60 4 1,2"},
    {"answer zones are no answer names", "answer zone a.example 1\nanswer name a.example 2",
     "answer:2 60 4 2"},
    {"answer lists are not answer lines",
     "answer names l 1\n+ a.example\nanswer names m 2\n"
     "+ a.example",
     "answer:1 60 4 1"},
    {"redirect lines are not put together", "redirect name a.example 1\nredirect name a.example 2",
     "redirect:1 60 4 1"},
    {"an RPZ zone without an EDE", "rpz rpz z ede=-1\n+ a.example nodata", "nodata:1 60 -1"},
    {"an RPZ override with an EDE", "rpz rpz z action=nodata ede=17\n+ a.example drop",
     "nodata:1 60 17"},
    {"an RPZ passthru has no EDE", "rpz rpz z ede=17\n+ a.example passthru", "passthru:1 60 -1"},
    {"an RPZ owner's records",
     "rpz rpz z\n+ a.example answer 1\n+ b.example answer 1\n"
     "+ a.example answer 2\n+ a.example answer 1",
     "answer:1 60 4 1,2"},
    {"records behind an RPZ alias", "rpz rpz z\n+ a.example cname 2\n+ a.example answer 1",
     "cname:1 60 4 2"},
    {"records with another action between",
     "rpz rpz z\n+ a.example answer 1\n+ a.example drop\n"
     "+ a.example answer 2",
     "answer:1 60 4 1,2"},
    {"an RPZ override", "rpz rpz z action=nodata\n+ a.example drop", "nodata:1 60 15"},
    {"an RPZ override by an alias", "rpz rpz z action=cname 2\n+ a.example answer 1",
     "cname:1 60 4 2"},
    {"an RPZ override of an exemption", "rpz rpz z action=nxdomain\n+ a.example passthru",
     "nxdomain:1 60 15"},
    {"a list that is tried, and one in force",
     "nxdomain names l mode=log-only\n+ a.example\nrefuse zones m\n+ .example", "refuse:3 60 15"},
    {"a zone that is tried, and one in force",
     "rpz rpz y mode=log-only action=drop\n+ a.example nodata\nrpz rpz z\n+ a.example nodata",
     "nodata:3 60 15"},
    {"an RPZ alias with a prefix", "rpz rpz z\n+ b.example cname 3\n+ a.example cname 3 prefix",
     "cname:1 60 4 3 prefix"},
};

static const char *answer_text(const struct xnm_policy_answer *answer)
{
    static char text[512];
    int len = sprintf(text, "%s:%u %u %d", xnm_action_word(answer->action), answer->rule->line,
                      answer->ttl, answer->ede);

    for (size_t i = 0; i < answer->record_count; i++) {
        assert_int_equal(answer->records[i].ttl, 300);
        len += sprintf(text + len, "%s%u", i == 0 ? " " : ",", answer->records[i].rdata[3]);
    }
    if (answer->prefix)
        sprintf(text + len, " prefix");
    return text;
}

static void expect_answer(const struct xnm_policy *policy, const char *expected)
{
    struct xnm_decision decision;

    decided(policy, "a.example", A, IN, &decision);
    assert_non_null(decision.answer);
    assert_string_equal(answer_text(decision.answer), expected);
}

TEST_ROWS(test_answer, answers, name)
{
    const struct answer_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, &xnm_diagnostics_ignored);

    expect_answer(policy, row->expected);
    xnm_policy_free(policy);
}

/* The old content of a list, in the words of the rule that keeps it. */
static struct keep_row {
    const char *name;
    const char *older, *policy;
    const char *expected;
} keeps[] = {
    {"a list", "nxdomain names l\n+ b.example\n+ a.example", "nxdomain names l\nkeep",
     "nxdomain:1 60 15"},
    {"a list with another action", "nxdomain names l\n+ a.example", "drop names l ttl=3\nkeep",
     "drop:1 3 -1"},
    {"an RPZ zone", "rpz rpz z\n+ b.example drop\n+ a.example answer 1\n+ a.example answer 2",
     "nxdomain name b\nrpz rpz z ede=17\nkeep", "answer:2 60 17 1,2"},
    {"an RPZ zone's alias", "rpz rpz z\n+ a.example cname 1 prefix", "rpz rpz z\nkeep",
     "cname:1 60 4 1 prefix"},
    {"of several lists the right one", "drop names k\n+ a.example\nrefuse names l\n+ b.example",
     "nodata names l\nkeep\n+ a.example", "nodata:1 60 15"},
    {"of a path the same trigger", "drop names l\n+ b.example\nrefuse zones l\n+ .a.example",
     "nodata zones l\nkeep", "nodata:1 60 15"},
    {"a kept list and its own lines", "drop names l\n+ b.example",
     "drop names l\n+ a.example\nforget\nkeep\n+ a.example", "drop:1 60 -1"},
};

TEST_ROWS(test_keep, keeps, name)
{
    const struct keep_row *row = *state;
    struct xnm_policy *older = policy_of(row->older, NULL, &xnm_diagnostics_ignored);
    struct xnm_policy *policy = policy_of(row->policy, older, &xnm_diagnostics_ignored);

    xnm_policy_free(older); /* nothing is shared */
    expect_answer(policy, row->expected);
    xnm_policy_free(policy);
}

TEST(test_keep_counts, "how many are kept")
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy *older =
        policy_of("drop names l\n+ a\n+ b\n+ a\n+ c", NULL, &xnm_diagnostics_ignored);
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    char known[] = "l", unknown[] = "m";
    struct xnm_rule rule = {
        .action = XNM_DROP, .trigger = XNM_TRIGGER_NAMES, .file = "rules", .path = known};

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    assert_int_equal(keep_text_list(builder, older, &rule), 3);
    rule.path = unknown;
    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    assert_null(xnm_policy_table(older, &rule, false));
    xnm_policy_builder_free(builder);
    xnm_policy_free(older);
}

/* A list never keeps what protected names held, nor the reverse, even if it is the same file. */
TEST(test_keep_kind, "a kept list is one of its kind")
{
    struct xnm_decision decision;

    struct xnm_policy *older =
        policy_of("drop names a\n+ a.example\ndrop lookalikes b\n+ paypal.com", NULL, NULL);
    struct xnm_policy *policy =
        policy_of("drop lookalikes a\nkeep\ndrop names b\nkeep", older, NULL);
    xnm_policy_free(older);
    assert_int_equal(xnm_policy_entry_count(policy), 0);
    assert_string_equal(decided(policy, "a.example", A, IN, &decision), "-");
    assert_string_equal(decided(policy, "p\u0430ypal.com", A, IN, &decision), "-");
    xnm_policy_free(policy);
}

/* --- what is reported --- */

static struct warning_row warnings[] = {
    {"two names", "nxdomain name a\ndrop name b", ""},
    {"a name twice", "nxdomain name a\ndrop name a",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"three times", "drop name *.a\nnodata name *.a\nrefuse name *.a",
     "2: this rule never decides: line 1 already has 'name *.a'\n"
     "3: this rule never decides: line 1 already has 'name *.a'\n"},
    {"another scope", "drop name a\ndrop zone a\ndrop name *.a", ""},
    {"passthru wins", "drop name a\npassthru name a",
     "1: this rule never decides: line 2 already has 'name a'\n"},
    {"… wherever it stands", "passthru zone a\nnxdomain zone a",
     "2: this rule never decides: line 1 already has 'zone a'\n"},
    {"… but for types alone, ANY is another", "passthru name a type=1\ndrop name a type=1", ""},
    {"… and never over a log rule", "passthru name a\nlog name a tag=x", ""},
    {"tcp-only behind a refusal", "drop name a\ntcp-only name a",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"… and before it", "tcp-only name a\ndrop name a",
     "1: this rule never decides: line 2 already has 'name a'\n"},
    {"… that is for one type", "tcp-only name a\nnodata name a type=1", ""},
    {"… whose condition is the same", "tcp-only invalid\ndrop invalid",
     "1: this rule never decides: line 2 already has 'invalid'\n"},
    {"tcp-only and passthru", "tcp-only name a\npassthru name a",
     "1: this rule never decides: line 2 already has 'name a'\n"},
    {"a type before all", "nodata name a type=1\ndrop name a", ""},
    {"all before a type", "drop name a\nnodata name a type=1",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"a type twice", "nodata name a type=1\ndrop name a type=1",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"passthru twice", "passthru name a\npassthru name a",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"tcp-only twice", "tcp-only name a\ntcp-only name a",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"log rules", "log name a\nlog name a\ndrop name a\nlog name a", ""},
    {"answer lines", "answer name a 1\nanswer name a 2", ""},
    {"an answer behind another", "drop name a\nanswer name a 2",
     "2: this rule never decides: line 1 already has 'name a'\n"},
    {"a list", "drop names l\n+ a\ndrop name a\npassthru names m\n+ a", ""},
};

/* Twenty of them, and how many more there are. */
static const char *told_after_line_21(unsigned shadowed, char *text)
{
    const struct xnm_diagnostics diagnostics = {collect_warning, text};
    char policy[4096] = "drop zone a.example\n";

    for (unsigned i = 0; i < shadowed; i++)
        strcat(policy, "drop zone a.example\n");
    xnm_policy_free(policy_of(policy, NULL, &diagnostics));
    const char *last = strstr(text, "21: ");
    assert_non_null(last);
    return strchr(last, '\n') + 1;
}

TEST(test_many_warnings, "of more than 20 shadowed rules the number is told")
{
    char of_20[4096] = "", of_23[4096] = "";

    assert_string_equal(told_after_line_21(20, of_20), "");
    assert_string_equal(told_after_line_21(23, of_23), "0: 3 more rules never decide\n");
}

TEST(test_warning_of_two_files, "a warning that names another file")
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    struct xnm_rule rule = {.action = XNM_DROP,
                            .trigger = XNM_TRIGGER_ZONE,
                            .scope = XNM_SCOPE_ZONE,
                            .file = "first",
                            .line = 3,
                            .name = {1, {0}}};
    char text[1024] = "";
    const struct xnm_diagnostics diagnostics = {collect_warning, text};

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    rule.file = "rules";
    rule.line = 7;
    rule.column = 1;
    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    xnm_policy_free(xnm_policy_finish(builder, &diagnostics, NULL));
    assert_string_equal(text, "7: this rule never decides: line 3 of first already has 'zone .'\n");
}

/* --- what there is --- */

static struct summary_row summaries[] = {
    {"nothing", "", 0, 0, 0, false},
    {"a rule", "nxdomain name a", 1, 1, 1, true},
    {"a passthru", "passthru name a", 1, 1, 1, false},
    {"a log rule", "log name a", 1, 1, 1, false},
    {"tcp-only", "tcp-only name a", 1, 1, 1, true},
    {"an empty list", "nxdomain names l", 1, 0, 0, false},
    {"a list with a name twice", "drop names l\n+ a\n+ b\n+ a\n+ .a", 1, 3, 3, true},
    {"two lists with the same name", "drop names l\n+ a\ndrop names m\n+ a", 2, 2, 1, true},
    {"an RPZ zone's passthru", "rpz rpz z\n+ a passthru", 1, 1, 1, false},
    {"an RPZ zone's records", "rpz rpz z\n+ an answer 1\n+ an answer 2\n+ b drop", 1, 2, 2, true},
    {"an RPZ zone's names without an action", "rpz rpz z\n+ *.b drop\n+ a.b none\n+ c none", 1, 1,
     1, true},
    {"what was taken back", "rpz rpz z\n+ an answer 1\n+ b passthru\nforget", 1, 0, 0, false},
};

TEST(test_subjects, "subjects")
{
    static const char *const subjects[] = {"a.example", "*.a.example", ".", "*.", "/etc/list"};

    expect_subjects("drop name a.example\ndrop name *.a.example\ndrop zone . suffixes=yes\ndrop "
                    "name *.. suffixes=yes\n"
                    "drop names /etc/list",
                    subjects, COUNT(subjects));
}

/* 64 tags, one of them twice; not one more. */
TEST(test_tags, "64 tags")
{
    const struct xnm_policy_settings settings = {.ttl = 60};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    char tag[16];
    struct xnm_rule rule = {.action = XNM_LOG,
                            .trigger = XNM_TRIGGER_ZONE,
                            .scope = XNM_SCOPE_ZONE,
                            .file = "rules",
                            .name = {1, {0}},
                            .tag = tag};
    const char *why = NULL;

    for (unsigned i = 0; i <= XNM_TAGS_MAX; i++) {
        snprintf(tag, sizeof tag, "tag%u", i % XNM_TAGS_MAX);
        assert_true(xnm_policy_builder_rule(builder, &rule, &why));
    }
    snprintf(tag, sizeof tag, "another");
    assert_false(xnm_policy_builder_rule(builder, &rule, &why));
    assert_string_equal(why, "too many tags: expected at most 64 different ones");
    assert_false(xnm_policy_builder_rule(builder, &rule, NULL));
    struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
    assert_int_equal(xnm_policy_rule_count(policy), XNM_TAGS_MAX + 1);
    assert_int_equal(xnm_policy_rule(policy, XNM_TAGS_MAX)->tag, 0);
    assert_string_equal(xnm_policy_tag(policy, 63), "tag63");
    assert_null(xnm_policy_tag(policy, 64));
    xnm_policy_free(policy);
}

/* --- names that are none, and the largest --- */

static struct hostile_row {
    const char *name;
    const char *wire;
    size_t len;
} hostiles[] = {
    {"no octets", "", 0},           {"a label beyond the end", "\5a", 2},
    {"no root", "\1a", 2},          {"a compression pointer", "\xC0\x0C", 2},
    {"octets behind", "\1a\0b", 4}, {"a label of 64", "\x40", 1},
};

TEST_ROWS(test_hostile, hostiles, name)
{
    const struct hostile_row *row = *state;
    struct xnm_policy *policy =
        policy_of("drop zone . suffixes=yes", NULL, &xnm_diagnostics_ignored);
    uint8_t *exact = exact_copy(row->wire, row->len);
    struct xnm_question question = {
        .qname = exact, .qname_len = row->len, .qtype = A, .qclass = IN};
    struct xnm_decision decision;

    assert_false(xnm_policy_decide(policy, &question, &decision));
    free(exact);
    xnm_policy_free(policy);
}

/* Records that say the same for a million owners are one; more of one owner than a message holds
 * are left out. */
TEST(test_many_records, "many records")
{
    struct xnm_policy_builder *builder = rpz_builder();
    uint32_t rdata;
    struct xnm_record record = {.type = 1, .rdata_len = 4, .rdata = (uint8_t *)&rdata};
    struct xnm_list_entry entry = {.action = XNM_ANSWER, .record = &record};
    struct xnm_wirename name;

    for (uint32_t i = 0; i < 20000; i++) {
        char text[32];
        snprintf(text, sizeof text, i % 2 ? "a.example" : "n%u.example", i);
        entry.name_len = wirename_of(text, &name);
        entry.name = name.octets;
        rdata = i % 2 ? i : 0;
        assert_true(xnm_policy_builder_entry(builder, &entry));
    }
    struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
    struct xnm_decision decision;
    decided(policy, "a.example", A, IN, &decision);
    assert_int_equal(decision.answer->record_count, 65535 / 12);
    decided(policy, "n18.example", A, IN, &decision);
    assert_int_equal(decision.answer->record_count, 1);
    const struct xnm_policy_answer *shared = decision.answer;
    decided(policy, "n16.example", A, IN, &decision);
    assert_ptr_equal(decision.answer, shared);
    xnm_policy_free(policy);
}

ADD_ROWS(test_warning, warnings, name)
ADD_ROWS(test_summary, summaries, name)
TEST_MAIN
