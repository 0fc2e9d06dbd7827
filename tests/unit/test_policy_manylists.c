/* SPDX-License-Identifier: BSD-3-Clause */
/* Several lists with modifiers that have a name and many names above it: what is decided, and that
 * a decision costs no more than its entries, however they alternate. */
#include "tests/unit/vectors.h"

#include "tests/unit/decisioncost.h"

enum { A = 1, IN = 1, LABELS = 100, LISTS = 3 };

/* a.a. … .example, of so many labels. */
static size_t put_labels(char *text, unsigned labels)
{
    size_t len = 0;

    for (unsigned i = 1; i < labels; i++)
        len += (size_t)sprintf(text + len, "a.");
    return len + (size_t)sprintf(text + len, "example");
}

static struct xnm_policy *policy_of_lists(unsigned lists)
{
    char *text = malloc((size_t)LISTS * LABELS * (2 * LABELS + 64));
    size_t len = 0;

    for (unsigned list = 0; list < lists; list++) {
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

TEST(test_alternate, "lists whose entries alternate")
{
    struct xnm_policy *policy = policy_of_lists(LISTS), *one = policy_of_lists(1);
    struct xnm_decision decision;
    char name[2 * LABELS + 64];

    put_labels(name, LABELS);
    assert_string_equal(decided(policy, name, A, IN, &decision), "-");
    /* if entries were looked at again for each that alternates, it would be 100 times as much */
    assert_true(decision_cost(policy, name) <= 10 * LISTS * decision_cost(one, name));
    xnm_policy_free(policy);
    xnm_policy_free(one);
}

/* One list, whose entries have the same names in $denyallow=, and their set of modifiers a number
 * or none. */
static struct xnm_policy *policy_of_denied(const char *number)
{
    enum { DENIED = 300, DENIED_TEXT = sizeof " denied=b" };
    char *text = malloc((size_t)LABELS * (2 * LABELS + 64 + DENIED * DENIED_TEXT));
    size_t len = (size_t)sprintf(text, "nxdomain zones list");

    for (unsigned labels = 2; labels <= LABELS; labels++) {
        len += (size_t)sprintf(text + len, "\n+ .");
        len += put_labels(text + len, labels);
        len += (size_t)sprintf(text + len, " / %s", number);
        for (unsigned i = 0; i < DENIED; i++)
            len += (size_t)sprintf(text + len, " denied=b");
        len += (size_t)sprintf(text + len, " denied=example");
    }
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    free(text);
    return policy;
}

TEST(test_denied_once, "a set of modifiers at each name above")
{
    struct xnm_policy *each = policy_of_denied("important"),
                      *once = policy_of_denied("important number=1");
    struct xnm_decision decision;
    char name[2 * LABELS + 64];

    put_labels(name, LABELS);
    assert_string_equal(decided(each, name, A, IN, &decision), "-");
    assert_string_equal(decided(once, name, A, IN, &decision), "-");
    assert_true(10 * decision_cost(once, name) <= decision_cost(each, name));
    xnm_policy_free(each);
    xnm_policy_free(once);
}

/* Of two lists that decide about a name the first one wins, however many without a say are before
 * it. */
TEST(test_many_lists, "many lists")
{
    enum { MANY = 514 };
    static char text[MANY * 96];
    char first[32], other[32];
    size_t len = 0;
    struct xnm_decision decision;

    sprintf(first, "nxdomain:%d .example", 3 * MANY - 2);
    sprintf(other, "nodata:%d .other log:%d", 3 * MANY + 2, 3 * MANY + 5);
    for (unsigned list = 0; list < MANY; list++)
        len += (size_t)sprintf(text + len,
                               "%snxdomain zones list%u\n+ .b.example / exempt"
                               "\n+ .a.b.example / exempt",
                               list > 0 ? "\n" : "", list);
    sprintf(text + len, "\n+ .example\nnodata zones last\n+ .a.example / important\n+ .other"
                        "\nlog zone other");
    struct xnm_policy *policy = policy_of(text, NULL, NULL);
    assert_string_equal(decided(policy, "a.example", A, IN, &decision), first);
    assert_string_equal(decided(policy, "a.other", A, IN, &decision), other);
    assert_string_equal(decided(policy, "a.b.example", A, IN, &decision), "-");
    xnm_policy_free(policy);
}

/* The name that a modifier denies begins with a label: its octets inside one do not count. */
TEST(test_denied, "names that a modifier denies")
{
    static const struct {
        const char *wire;
        size_t len;
        bool refused;
    } rows[] = {
        {"\7example\3com", 13, false},    {"\1a\7example\3com", 15, false},
        {"\11a\7example\3com", 15, true}, {"\3com", 5, true},
        {"\11a\7example\3net", 15, true},
    };
    struct xnm_policy *policy = policy_of(
        "nxdomain zones l\n+ .com / denied=example.com\n+ .net / denied=example.com", NULL, NULL);

    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct xnm_question question = {.qname = (const uint8_t *)rows[i].wire,
                                              .qname_len = rows[i].len,
                                              .qtype = A,
                                              .qclass = IN};
        struct xnm_decision decision;
        assert_int_equal(xnm_policy_decide(policy, &question, &decision), rows[i].refused);
    }
    xnm_policy_free(policy);
}

TEST_MAIN
