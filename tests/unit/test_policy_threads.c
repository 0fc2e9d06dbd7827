/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads decide by one policy and count, with one more that builds another meanwhile. */
#include "tests/unit/vectors.h"

#include "module/policy/match.h"
#include "tests/unit/policytext.h"

#include <pthread.h>

enum { A = 1, THREADS = 4, ROUNDS = 5000, ENTRIES = 500 };

struct work {
    const struct xnm_policy *policy;
    pthread_t thread;
    unsigned number, blocked;
};

static const char *policy_text(void)
{
    static char text[64 * ENTRIES + 256];
    char *at = text;

    at += sprintf(at, "log zone example tag=watch\nnxdomain zones list\n");
    for (unsigned i = 0; i < ENTRIES; i++)
        at += sprintf(at, "+ .n%u.example\n", i);
    sprintf(at, "log lookalikes protected label=any\n+ paypal.example\nlog emoji");
    return text;
}

/* Half of the names are blocked, and half look like a protected one. */
static void *decide(void *arg)
{
    struct work *work = arg;

    for (unsigned i = 0; i < ROUNDS; i++) {
        char name[64];
        struct xnm_wirename qname;
        struct xnm_decision decision;
        struct xnm_match match;
        snprintf(name, sizeof name, "%s.n%u.example", i % 2 ? "www" : "p\u0430ypal",
                 (i + work->number) % (2 * ENTRIES));
        wirename_of(name, &qname);
        struct xnm_question question = {
            .qname = qname.octets, .qname_len = qname.len, .qtype = A, .qclass = 1};
        if (!xnm_policy_decide(work->policy, &question, &decision))
            continue;
        xnm_match_from(work->policy, &decision, false, &match);
        xnm_match_count(&match);
        work->blocked += decision.answer != NULL;
    }
    return NULL;
}

TEST(test_threads, "threads that decide and count")
{
    struct xnm_policy *policy = policy_of(policy_text(), NULL, NULL);
    struct work works[THREADS];
    uint64_t blocked = 0;

    for (unsigned i = 0; i < THREADS; i++) {
        works[i] = (struct work){.policy = policy, .number = i * 100};
        assert_int_equal(pthread_create(&works[i].thread, NULL, decide, &works[i]), 0);
    }
    for (unsigned i = 0; i < 10; i++) /* its rules have the same counters */
        xnm_policy_free(policy_of(policy_text(), policy, NULL));
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(works[i].thread, NULL);
        blocked += works[i].blocked;
    }
    assert_int_equal(blocked, THREADS * ROUNDS / 2);
    assert_int_equal(*xnm_policy_rule(policy, 1)->counter, blocked);
    assert_int_equal(*xnm_policy_rule(policy, 0)->counter, THREADS * ROUNDS);
    assert_int_equal(*xnm_policy_rule(policy, 2)->counter, THREADS * ROUNDS / 2);
    xnm_policy_free(policy);
}

TEST_MAIN
