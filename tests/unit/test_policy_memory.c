/* SPDX-License-Identifier: BSD-3-Clause */
/* Building a policy with memory that ends somewhere: it says so, and nothing is lost. */
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "tests/unit/nomemory.h"
#include "tests/unit/policytext.h"

#include "module/base/budget.h"

#include <malloc.h>

enum { A = 1, IN = 1, MANY = 3000, ENOUGH = 500, RECORDS = 40 };

/* Every kind of rule, lists with answers of their own, a list kept and one taken back; with so
 * many names in each, at least ENOUGH, that each piece of memory has to grow. */
static char *text_with_everything(bool keep, unsigned names)
{
    static char text[128 * MANY];
    char *at = text;

    at += sprintf(at, "nxdomain zone z.example\nlog name l.example tag=watch\n"
                      "answer name a.example 1\nanswer name a.example 2\n"
                      "redirect name r.example 1 2 3\nrpz rpz zone\n");
    if (keep)
        at += sprintf(at, "keep\n");
    for (unsigned i = 0; !keep && i < names; i++)
        at += sprintf(at, "+ n%u.example answer %u\n+ n%u.example answer %u\n", i, i % 200, i,
                      i % 30);
    for (unsigned i = 0; !keep && i < 2 * RECORDS; i++) /* of one owner, twice each */
        at += sprintf(at, "+ many.example answer %u\n", i % RECORDS);
    at += sprintf(at, "rpz rpz bad\n+ b.example answer 7\nforget\n+ b.example answer 8\n"
                      "log wholescript except=ru,ua tag=whole\nanswer emoji 1\nanswer emoji 2\n"
                      "nxdomain lookalike z.example except=n\nexcept\n+ .zz.example\n"
                      "log lookalikes protected ascii=safe\n");
    if (keep)
        at += sprintf(at, "keep\n");
    for (unsigned i = 0; !keep && i < names; i++)
        at += sprintf(at, "+ paypal%u.example\n", i / 2);
    return text;
}

/* Octets that are allocated; a sanitizer's allocator counts none, but reports what is lost. */
static size_t allocated(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* Lets one more call succeed each time, until the policy is built. */
static void test_ends_anywhere(void **state)
{
    struct xnm_policy *older = policy_of(text_with_everything(false, MANY), NULL, NULL);
    const bool *keep = *state;
    struct xnm_policy *policy = NULL;
    struct xnm_decision decision;
    unsigned long calls = 0;

    assert_non_null(older);
    text_with_everything(*keep, MANY);
    for (; !policy; calls++) {
        calls_left = calls;
        policy = policy_of(text_with_everything(*keep, MANY), older, NULL);
        calls_left = ULONG_MAX;
    }
    assert_true(calls > 20);
    assert_string_equal(decided(policy, "n7.example", A, IN, &decision), "answer:6 n7.example");
    assert_int_equal(decision.answer->record_count, 1); /* 7 and 7 */
    assert_string_equal(decided(policy, "n77.example", A, IN, &decision), "answer:6 n77.example");
    assert_int_equal(decision.answer->record_count, 2);
    assert_string_equal(decided(policy, "many.example", A, IN, &decision), "answer:6 many.example");
    assert_int_equal(decision.answer->record_count, RECORDS);
    decided(policy, "www.payp\u0430l7.example", A, IN, &decision);
    assert_non_null(decision.lookalike);
    assert_memory_equal(decision.lookalike->octets, "\7paypal7", 8);
    decided(policy, "\U0001F600.example", A, IN, &decision);
    assert_int_equal(decision.answer->record_count, 2);
    xnm_policy_free(policy);
    xnm_policy_free(older);
}

BEFORE_MAIN(endings)
{
    static bool no = false, yes = true;

    add_test("memory ends anywhere", test_ends_anywhere, &no);
    add_test("memory ends anywhere, with a list kept", test_ends_anywhere, &yes);
}

/* Gives a zone's names to the builder as long as there is room. */
static void give_names(struct xnm_policy_builder *builder, const char *first, xnm_scope scope)
{
    for (unsigned i = 0; i < MANY; i++) {
        struct xnm_wirename name;
        char text[64];
        snprintf(text, sizeof text, first, i);
        wirename_of(text, &name);
        if (!xnm_policy_builder_entry(builder, &(struct xnm_list_entry){.name = name.octets,
                                                                        .name_len = name.len,
                                                                        .scope = scope,
                                                                        .action = XNM_NXDOMAIN}))
            return;
    }
}

/* A list that was taken does not have the whole policy fail when the tables are made: however many
 * names of a zone are below wildcards. */
TEST(test_taken_fits, "what is taken fits")
{
    struct xnm_rule rule = {.trigger = XNM_TRIGGER_RPZ, .file = "rules", .path = "zone"};
    const struct xnm_policy_settings settings = {.ttl = 60};
    bool whole = false;

    for (size_t max = 1 << 16; !whole; max += 1 << 12) {
        struct xnm_budget budget = {.max = max};
        xnm_budget_open(&budget);
        struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
        if (builder && xnm_policy_builder_rule(builder, &rule, NULL)) {
            give_names(builder, "n%u.example", XNM_SCOPE_BELOW);
            give_names(builder, "a.b.n%u.example", XNM_SCOPE_EXACT);
            whole = !budget.exceeded && xnm_policy_builder_end_list(builder);
            if (!whole)
                xnm_policy_builder_forget_list(builder);
            struct xnm_policy *policy = xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
            if (!policy)
                fail_msg("of %zu octets", max);
            xnm_policy_free(policy);
        } else {
            xnm_policy_builder_free(builder);
        }
        xnm_budget_open(NULL);
    }
}

TEST(test_gives_all_back, "all memory is given back")
{
    size_t before = 0;

    for (unsigned round = 0; round < 20; round++) {
        xnm_policy_free(policy_of(text_with_everything(false, ENOUGH), NULL, NULL));
        for (unsigned long calls = 0; calls < 60; calls++) {
            calls_left = calls;
            xnm_policy_free(policy_of(text_with_everything(false, ENOUGH), NULL, NULL));
            calls_left = ULONG_MAX;
        }
        if (round == 9) /* the allocator has its own by now */
            before = allocated();
    }
    assert_true(allocated() <= before);
}

TEST_MAIN
