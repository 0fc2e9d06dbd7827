/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of a policy in order, and what is decided below a name. */
#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "tests/unit/vectors.h"

#include "tests/unit/policytext.h"
#include "tests/unit/randomnames.h"
#include "tools/rules/policynames.h"

/* --- names --- */

static const struct {
    const char *policy, *names;
} orders[] = {
    {"", ""},
    {"nxdomain invalid\nlog lookalike paypal.com", ""},
    {"drop zone . suffixes=yes", ". "},
    {"drop name x.example", ". example. x.example. "},
    {"drop name a.b.c.d\ndrop name b.c.d\ndrop zone . suffixes=yes", ". d. c.d. b.c.d. a.b.c.d. "},
    {"drop name x\nnodata zone x\nlog name *.x tag=a\ndrop names l\n+ x\n+ y.x\n+ x", ". x. y.x. "},
    {"drop names l\n+ b\n+ ab\n+ a-a\n+ a.a\n+ aa\n+ a.b.a\n+ b.a\n+ a\n+ aa.a\n+ a1.a",
     ". a. a.a. a1.a. aa.a. b.a. a.b.a. a-a. aa. ab. b. "},
    {"drop names l\n+ abcdefghi.example\n+ abcdefgh.example\n+ abcdefghi.exampl\n+ "
     "abcdefghj.example",
     ". exampl. abcdefghi.exampl. example. abcdefgh.example. abcdefghi.example. "
     "abcdefghj.example. "},
    {"drop names l\n+ \xFF.a\n+ \x01.a\n+ z.a\n+ *.a", ". a. \\001.a. z.a. \\255.a. "},
};

TEST(test_order, "names in order")
{
    for (size_t i = 0; i < COUNT(orders); i++) {
        struct xnm_policy *policy = policy_of(orders[i].policy, NULL, &xnm_diagnostics_ignored);
        struct policynames names;
        const uint8_t *name;
        char text[4096];
        size_t len, at = 0;
        assert_true(policynames_open(&names, policy));
        while (policynames_next(&names, &name, &len)) {
            at += xn_wire_to_text(name, text + at);
            text[at++] = ' ';
        }
        text[at] = '\0';
        assert_string_equal(text, orders[i].names);
        assert_false(policynames_next(&names, &name, &len));
        policynames_free(&names);
        xnm_policy_free(policy);
    }
}

/* RFC 4034, section 6.1, word by word. */
static int compare_canonically(const uint8_t *a, const uint8_t *b)
{
    const uint8_t *a_labels[128], *b_labels[128];
    unsigned a_count = 0, b_count = 0;

    for (; *a != 0; a += *a + 1)
        a_labels[a_count++] = a;
    for (; *b != 0; b += *b + 1)
        b_labels[b_count++] = b;
    while (a_count > 0 && b_count > 0) {
        const uint8_t *x = a_labels[--a_count], *y = b_labels[--b_count];
        int order = memcmp(x + 1, y + 1, *x < *y ? *x : *y);
        if (order != 0 || *x != *y)
            return order != 0 ? order : *x - *y;
    }
    return (int)a_count - (int)b_count;
}

static struct xnm_policy *random_names_policy(uint64_t *seed, struct xnm_wirename *given,
                                              unsigned count)
{
    const struct xnm_policy_settings settings = {0};
    struct xnm_policy_builder *builder = xnm_policy_builder_new(&settings);
    const struct xnm_rule rule = {
        .action = XNM_DROP, .trigger = XNM_TRIGGER_NAMES, .file = "rules", .path = (char[]){"l"}};

    assert_true(xnm_policy_builder_rule(builder, &rule, NULL));
    for (unsigned i = 0; i < count; i++) {
        given[i] = random_entry(seed);
        const struct xnm_list_entry entry = {
            .name = given[i].octets, .name_len = given[i].len, .scope = (xnm_scope)below(seed, 3)};
        assert_true(xnm_policy_builder_entry(builder, &entry));
    }
    return xnm_policy_finish(builder, &xnm_diagnostics_ignored, NULL);
}

/* Each name is behind the one before it, behind its parent, and a name that was given or is above
 * one; and none of those is missing. */
TEST(test_random, "random names in order, none missing")
{
    enum { POLICIES = 400, NAMES_MAX = 200 };
    static struct xnm_wirename given[NAMES_MAX];
    uint64_t seed = 0x0DE5;

    for (unsigned n = 0; n < POLICIES; n++) {
        unsigned count = 1 + below(&seed, NAMES_MAX), found = 0;
        struct xnm_policy *policy = random_names_policy(&seed, given, count);
        struct policynames names;
        struct xnm_wirename last = {0};
        const uint8_t *name;
        size_t len;
        assert_true(policynames_open(&names, policy));
        while (policynames_next(&names, &name, &len)) {
            struct xn_wire_cursor cursor;
            bool is_above = false;
            assert_int_equal(xn_wire_open(&cursor, name, len), XN_OK);
            assert_true(last.len > 0 ? compare_canonically(last.octets, name) < 0 : len == 1);
            for (unsigned i = 0; i < count; i++) {
                bool same = given[i].len == len && memcmp(given[i].octets, name, len) == 0;
                found += same;
                is_above |= given[i].len >= len &&
                            memcmp(given[i].octets + given[i].len - len, name, len) == 0;
            }
            assert_true(is_above);
            last.len = (uint8_t)len;
            memcpy(last.octets, name, len);
        }
        assert_int_equal(found, count);
        policynames_free(&names);
        xnm_policy_free(policy);
    }
}

/* --- what is decided below --- */

static const struct {
    const char *policy, *name, *decided;
} belows[] = {
    {"nxdomain zone x", "x", "nxdomain:1 .x"},
    {"nxdomain name x", "x", "-"},
    {"nxdomain name *.x", "x", "nxdomain:1 *.x"},
    {"nxdomain name *.x\npassthru name x", "x", "nxdomain:1 *.x"},
    {"nxdomain zone x\npassthru name a.x", "a.x", "nxdomain:1 .x"},
    {"nxdomain zone x\npassthru zone a.x", "a.x", "passthru:2 .a.x"},
    {"nxdomain zone x\npassthru zone a.x", "x", "nxdomain:1 .x"},
    {"nxdomain zone x\npassthru zone a.x", "b.x", "nxdomain:1 .x"},
    {"nxdomain zone x\npassthru zone a.x", "y", "-"},
    {"nxdomain zone x", ".", "-"},
    {"nxdomain zone . suffixes=yes", ".", "nxdomain:1 .."},
    {"nodata zone x type=28\ndrop zone x", "x", "drop:2 .x"},
    {"drop zones l\n+ .x\nnodata zone x", "a.x", "nodata:3 .x"},
    {"log zone x tag=a\nlog name x tag=b", "x", "- .x log:1 tags=a"},
    {"drop invalid\ndrop lookalike paypal.com", "xn--pypal-4ve.com", "-"},
    {"", "x", "-"},
};

TEST(test_below, "what is decided below a name")
{
    for (size_t i = 0; i < COUNT(belows); i++) {
        struct xnm_policy *policy = policy_of(belows[i].policy, NULL, &xnm_diagnostics_ignored);
        struct xnm_wirename name;
        struct xnm_decision decision;
        wirename_of(belows[i].name, &name);
        struct xnm_question question = {
            .qname = name.octets, .qname_len = name.len, .qtype = 1, .qclass = 1};
        bool matched = xnm_policy_decide_below(policy, &question, &decision);
        assert_int_equal(matched, strcmp(belows[i].decided, "-") != 0);
        assert_string_equal(decision_text(policy, &decision), belows[i].decided);
        question.qclass = 3;
        assert_false(xnm_policy_decide_below(policy, &question, &decision));
        xnm_policy_free(policy);
    }
}

/* The same as for a name below that no entry has a word of. */
TEST(test_below_random, "… is what is decided of a new name there")
{
    enum { POLICIES = 500, QUESTIONS = 40, NAMES_MAX = 40 };
    static struct xnm_wirename given[NAMES_MAX];
    uint64_t seed = 0xBE10;

    for (unsigned n = 0; n < POLICIES; n++) {
        unsigned count = 1 + below(&seed, NAMES_MAX);
        struct xnm_policy *policy = random_names_policy(&seed, given, count);
        for (unsigned i = 0; i < QUESTIONS; i++) {
            struct xnm_wirename name = random_entry(&seed), child = name;
            struct xnm_decision a, b;
            prepend_label(&child, "~", 1);
            if (child.len == name.len)
                continue;
            const struct xnm_question about = {
                .qname = name.octets, .qname_len = name.len, .qtype = 1, .qclass = 1};
            const struct xnm_question of_child = {
                .qname = child.octets, .qname_len = child.len, .qtype = 1, .qclass = 1};
            assert_int_equal(xnm_policy_decide_below(policy, &about, &a),
                             xnm_policy_decide(policy, &of_child, &b));
            assert_ptr_equal(a.answer ? a.answer->rule : NULL, b.answer ? b.answer->rule : NULL);
        }
        xnm_policy_free(policy);
    }
}

TEST_MAIN
