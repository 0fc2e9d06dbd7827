/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a policy and what is decided by it, what is said of it, and what is in it. */
#ifndef XN_TESTS_UNIT_POLICYROWS_H
#define XN_TESTS_UNIT_POLICYROWS_H

#include "module/base/diagnostics.h"
#include "tests/unit/policytext.h"

enum { A = 1, CNAME = 5, MX = 15, AAAA = 28, ANY = 255 };
enum { IN = 1, CH = 3, HS = 4, CLASS_NONE = 254, CLASS_ANY = 255 };

/* --- decisions --- */

struct decision_row {
    const char *name;
    const char *policy;
    const char *names; /* the query name, then targets */
    uint16_t qtype;
    const char *expected; /* decision_text */
};

static inline void test_decision(void **state)
{
    const struct decision_row *row = *state;
    static const uint16_t others[] = {0, CH, HS, CLASS_NONE, 65280, 65535};
    struct xnm_policy *policy = policy_of(row->policy, NULL, &xnm_diagnostics_ignored);
    struct xnm_decision decision;

    assert_string_equal(decided(policy, row->names, row->qtype, IN, &decision), row->expected);
    assert_string_equal(decided(policy, row->names, row->qtype, CLASS_ANY, &decision),
                        row->expected);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_string_equal(decided(policy, row->names, row->qtype, others[i], &decision), "-");
    xnm_policy_free(policy);
}

/* --- reports --- */

struct warning_row {
    const char *name;
    const char *policy;
    const char *expected; /* "line: message", each with a line end */
};

/* A diagnostics's, of warnings alone: adds "line: message" to a text. */
static inline void collect_warning(void *arg, xnm_severity severity, const struct xnm_place *place,
                                   const char *message)
{
    char *text = arg;

    assert_int_equal(severity, XNM_WARNING);
    assert_string_equal(place->file, "rules");
    assert_int_equal(place->column, place->line > 0 ? 1 : 0);
    sprintf(text + strlen(text), "%u: %s\n", place->line, message);
}

static inline void test_warning(void **state)
{
    const struct warning_row *row = *state;
    char text[1024] = "";
    const struct xnm_diagnostics diagnostics = {collect_warning, text};

    xnm_policy_free(policy_of(row->policy, NULL, &diagnostics));
    assert_string_equal(text, row->expected);
}

/* --- what there is --- */

struct summary_row {
    const char *name;
    const char *policy;
    size_t rules, entries, first_entries; /* of the first rule */
    bool changing;
};

static inline void test_summary(void **state)
{
    const struct summary_row *row = *state;
    struct xnm_policy *policy = policy_of(row->policy, NULL, &xnm_diagnostics_ignored);

    assert_int_equal(xnm_policy_rule_count(policy), row->rules);
    assert_int_equal(xnm_policy_entry_count(policy), row->entries);
    if (row->rules > 0)
        assert_int_equal(xnm_policy_rule(policy, 0)->entry_count, row->first_entries);
    assert_int_equal(xnm_policy_changes_answers(policy), row->changing);
    assert_int_equal(xnm_policy_settings(policy)->ttl, 60);
    assert_true(xnm_policy_memory(policy) > 0);
    xnm_policy_free(policy);
}

static inline void expect_subjects(const char *policy_text, const char *const *subjects,
                                   size_t count)
{
    struct xnm_policy *policy = policy_of(policy_text, NULL, &xnm_diagnostics_ignored);

    assert_int_equal(xnm_policy_rule_count(policy), count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(xnm_policy_rule(policy, i)->subject, subjects[i]);
    xnm_policy_free(policy);
}

#endif
