/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lists with modifiers that have a name and many names above it: however their entries
 * alternate, each list is searched for its winner once. */
#include "module/policy/contest.h"
#include "module/policy/search.h"
#include "tests/unit/vectors.h"

#include "tests/unit/policytext.h"

enum { A = 1, IN = 1, LABELS = 100, LISTS = 3 };

static unsigned searches;

const struct xnm_policy_entry *__real_xnm_contest_winner(const struct xnm_policy *policy,
                                                         uint32_t line,
                                                         const struct xnm_question *question,
                                                         const struct xnm_qname *name, bool below);
const struct xnm_policy_entry *__wrap_xnm_contest_winner(const struct xnm_policy *policy,
                                                         uint32_t line,
                                                         const struct xnm_question *question,
                                                         const struct xnm_qname *name, bool below);

const struct xnm_policy_entry *__wrap_xnm_contest_winner(const struct xnm_policy *policy,
                                                         uint32_t line,
                                                         const struct xnm_question *question,
                                                         const struct xnm_qname *name, bool below)
{
    searches++;
    return __real_xnm_contest_winner(policy, line, question, name, below);
}

/* a.a. … .example, of so many labels. */
static size_t put_labels(char *text, unsigned labels)
{
    size_t len = 0;

    for (unsigned i = 1; i < labels; i++)
        len += (size_t)sprintf(text + len, "a.");
    return len + (size_t)sprintf(text + len, "example");
}

static struct xnm_policy *policy_of_lists(void)
{
    char *text = malloc((size_t)LISTS * LABELS * (2 * LABELS + 64));
    size_t len = 0;

    for (unsigned list = 0; list < LISTS; list++) {
        len += (size_t)sprintf(text + len, "%snxdomain zones list%u", list > 0 ? "\n" : "", list);
        for (unsigned labels = 2; labels <= LABELS; labels++) {
            len += (size_t)sprintf(text + len, "\n+ .");
            len += put_labels(text + len, labels);
            len += (size_t)sprintf(text + len, " / exempt");
        }
    }
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    free(text);
    return policy;
}

static void test_searches(void **state)
{
    struct xnm_policy *policy = policy_of_lists();
    struct xnm_decision decision;
    char name[2 * LABELS + 64];

    (void)state;
    put_labels(name, LABELS);
    searches = 0;
    assert_string_equal(decided(policy, name, A, IN, &decision), "-");
    assert_int_equal(searches, LISTS);
    xnm_policy_free(policy);
}

/* More lists than are remembered for a name, of which the last has the one entry that decides. */
static void test_many_lists(void **state)
{
    enum { MANY = XNM_CONTESTS_MAX + 2 };
    char text[MANY * 64];
    size_t len = 0;
    struct xnm_decision decision;

    (void)state;
    for (unsigned list = 0; list < MANY; list++)
        len += (size_t)sprintf(text + len, "%snxdomain zones list%u\n+ .b.example / exempt",
                               list > 0 ? "\n" : "", list);
    sprintf(text + len, "\n+ .example");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    assert_string_not_equal(decided(policy, "a.example", A, IN, &decision), "-");
    searches = 0;
    assert_string_equal(decided(policy, "b.example", A, IN, &decision), "-");
    assert_in_range(searches, MANY, 2 * MANY);
    xnm_policy_free(policy);
}

/* The name that a modifier denies begins with a label: its octets inside one do not count. */
static void test_denied(void **state)
{
    static const struct {
        const char *wire;
        size_t len;
        bool holds;
    } rows[] = {
        {"\7example\3com", 13, false},    {"\1a\7example\3com", 15, false},
        {"\11a\7example\3com", 15, true}, {"\3com", 5, true},
        {"\11a\7example\3net", 15, true},
    };
    static uint8_t denied[] = "\7example\3com";
    const struct xnm_modifiers modifiers = {.denied = denied, .denied_len = sizeof denied};
    const struct xnm_question question = {.qtype = A, .qclass = IN};

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct xnm_qname name = {.len = rows[i].len};

        memcpy(name.octets, rows[i].wire, rows[i].len);
        for (size_t at = 0; name.octets[at] != 0; at += name.octets[at] + 1U)
            name.label_at[name.labels++] = (uint8_t)at;
        assert_int_equal(xnm_modifiers_hold(&modifiers, &question, &name), rows[i].holds);
    }
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "lists whose entries alternate", test_searches, NULL);
    add_test(&group, "more lists than are remembered", test_many_lists, NULL);
    add_test(&group, "names that a modifier denies", test_denied, NULL);
    return run_group("policy_contest", &group);
}
