/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lists with modifiers that have a name and many names above it: however their entries
 * alternate, each list is searched for its winner once. */
#include "module/policy/contest.h"
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

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "lists whose entries alternate", test_searches, NULL);
    return run_group("policy_contest", &group);
}
