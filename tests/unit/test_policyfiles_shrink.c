/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and zones that have lost entries since the policy in force, as one whose download was cut
 * off. */
#include "tests/unit/policyfilesread.h"

enum { LIST_MAX = 4096 };

static void write_rule(const char *rule, const char *options)
{
    char text[256];

    snprintf(text, sizeof text, "%s list %s\n", rule, options);
    write_in("rules", text);
}

/* Names with `first` in them, each in so many lines. */
static void write_names(const char *head, const char *first, unsigned names, unsigned lines,
                        const char *tail)
{
    char text[LIST_MAX];
    size_t len = (size_t)snprintf(text, sizeof text, "%s", head);

    for (unsigned i = 0; i < names * lines; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%c.example%s\n", first,
                                'a' + (int)(i / lines), tail);
    write_in("list", text);
}

/* A list before and after a loss, and whether it keeps its old entries. */
static const struct loss {
    const char *options;
    unsigned before, after, lines;
    const char *told; /* "": it is taken */
} losses[] = {
    {"", 10, 10, 1, ""},
    {"", 10, 5, 1, ""},
    {"", 10, 4, 1, "list' has 4 entries, but had 10: a loss of more than shrink=50%: what"},
    {"", 10, 1, 1, "list' has 1 entry, but had 10: a loss of more than shrink=50%: what"},
    {"", 3, 1, 1, "list' has 1 entry, but had 3: "},
    {"", 2, 1, 1, ""},
    {"", 1, 10, 1, ""},
    {"shrink=60%", 10, 4, 1, ""},
    {"shrink=60%", 10, 3, 1, "list' has 3 entries, but had 10: a loss of more than shrink=60%"},
    {"shrink=0%", 10, 10, 1, ""},
    {"shrink=0%", 10, 9, 1, "list' has 9 entries, but had 10: a loss of more than shrink=0%"},
    {"shrink=99%", 10, 1, 1, ""},
    {"shrink=99%", 10, 0, 1, "list' has become empty: what"},
    {"shrink=any", 10, 1, 1, ""},
    {"shrink=any", 10, 0, 1, ""},
    /* the same names twice on both sides: nine lines of twenty */
    {"", 10, 5, 2, ""},
    {"", 10, 4, 2, "list' has 8 entries, but had 20: "},
};

static const struct kind {
    const char *rule, *head, *tail, *first, *asked;
} kinds[] = {
    {"nxdomain names", "", "", "n", "n"},
    {"nxdomain zones", "# a head\n", "", "n", "n"},
    {"nxdomain lookalikes", "", "", "bank", ""},
    {"rpz", "$ORIGIN list.invalid.\n@ 60 SOA ns nobody 1 2 3 4 5\n", " CNAME .", "n", "n"},
};

/* Returns whether the n-th name, or a name that looks like it, is decided. */
static bool has(const struct xnm_policy *policy, const struct kind *kind, unsigned n)
{
    char name[64];

    snprintf(name, sizeof name, "%s%c.example", kind->asked, 'a' + (int)n);
    return decides(policy, name);
}

static void expect_taken(const struct xnm_policyfiles *read, const struct kind *kind,
                         unsigned names)
{
    size_t written = names < 10 ? names : 10;

    for (unsigned i = 0; i < 10; i++)
        assert_int_equal(has(read->policy, kind, i), i < written);
}

static void try_loss(const struct loss *row, const struct kind *kind)
{
    struct xnm_policyfiles first, second, third;
    bool kept = row->told[0];

    write_rule(kind->rule, row->options);
    write_names(kind->head, kind->first, row->before, row->lines, kind->tail);
    assert_true(read_all(ONE, NULL, &first));
    expect_reports("");
    write_names(kind->head, kind->first, row->after, row->lines, kind->tail);
    assert_true(read_all(ONE, first.policy, &second));
    free_policyfiles(&first);
    if (!strstr(read_reports(), row->told) || (!kept && read_reports()[0]))
        fail_msg("%s %s %u to %u: %s", kind->rule, row->options, row->before, row->after,
                 read_reports());
    assert_int_equal(second.bad_lists, kept);
    expect_taken(&second, kind, kept ? row->before : row->after);
    /* However often the same file is read, the same is said of it. */
    assert_true(read_all(ONE, second.policy, &third));
    free_policyfiles(&second);
    assert_int_equal(third.bad_lists, kept);
    expect_taken(&third, kind, kept ? row->before : row->after);
    /* A start knows of no policy before, and takes what is there. */
    free_policyfiles(&third);
    assert_true(read_all(ONE, NULL, &third));
    expect_taken(&third, kind, row->after);
    free_policyfiles(&third);
    empty_folder();
}

static void test_loss(void **state)
{
    const struct loss *row = *state;

    try_loss(row, &kinds[0]);
    try_loss(row, &kinds[1]);
    if (row->lines == 1 && row->after > 0)
        try_loss(row, &kinds[3]);
}

/* The entries of an emptied zone are none either; of a zone the SOA is no entry. */
TEST_ROWS(test_kinds, kinds, rule)
{
    static const struct loss loss = {"", 10, 4, 1, "list' has 4 entries, but had 10: "};
    const struct kind *kind = *state;
    struct xnm_policyfiles first, second;

    write_rule(kind->rule, loss.options);
    write_names(kind->head, kind->first, loss.before, 1, kind->tail);
    assert_true(read_all(ONE, NULL, &first));
    write_names(kind->head, kind->first, loss.after, 1, kind->tail);
    assert_true(read_all(ONE, first.policy, &second));
    assert_non_null(strstr(read_reports(), loss.told));
    assert_non_null(strstr(read_reports(),
                           "(10 entries; write shrink=any on this rule to take it as it is)\n"));
    assert_int_equal(xnm_policy_entry_count(second.policy), 10);
    free_policyfiles(&first);
    free_policyfiles(&second);
    empty_folder();
}

/* Changes by the operator after a loss: each accepts the list as it is, or does not. */
static const struct change {
    const char *rule, *options;
    bool taken;
} changes[] = {
    {"nxdomain names", "shrink=any", true},
    {"nxdomain names", "shrink=60%", true},
    {"nxdomain names", "shrink=59%", false},
    {"nxdomain names", "ttl=5", false},
    {"nxdomain names", "# a comment", false},
    {"refuse names", "", false},
    {"nxdomain zones", "", true},
    {"nxdomain names", "suffixes=yes", true},
};

static void test_change(void **state)
{
    const struct change *row = *state;
    struct xnm_policyfiles first, second;

    write_rule("nxdomain names", "");
    write_names("", "n", 10, 1, "");
    assert_true(read_all(ONE, NULL, &first));
    write_rule(row->rule, row->options);
    write_names("", "n", 4, 1, "");
    assert_true(read_all(ONE, first.policy, &second));
    assert_int_equal(xnm_policy_entry_count(second.policy), row->taken ? 4 : 10);
    assert_int_equal(second.bad_lists, !row->taken);
    free_policyfiles(&first);
    free_policyfiles(&second);
    empty_folder();
}

/* The file of except= is read, and kept where it is lost, like any other list. */
TEST(test_spared, "names of except=")
{
    struct xnm_policyfiles first, second;

    write_in("rules", "nxdomain lookalikes list key=strict except=neighbours\n");
    write_in("list", "canon.example\n");
    write_in("neighbours", "# honest\nc\u00E1non.example\nno name\nc\u00E4non.com # in Malta\n");
    assert_true(read_all(ONE, NULL, &first));
    assert_non_null(strstr(read_reports(), "/neighbours:3:4: text follows the name"));
    assert_int_equal(first.bad_lines, 1);
    assert_int_equal(first.bad_lists, 1);
    assert_int_equal(xnm_policy_entry_count(first.policy), 1);
    assert_non_null(xnm_sources_find(&first.sources, path_in("neighbours")));
    assert_false(decides(first.policy, "www.xn--cnon-5na.example"));
    assert_false(decides(first.policy, "xn--cnon-loa.com"));
    assert_true(decides(first.policy, "xn--cnon-loa.example"));
    remove_in("neighbours");
    assert_true(read_all(ONE, first.policy, &second));
    assert_non_null(strstr(read_reports(), "/rules:1:44: '"));
    assert_non_null(strstr(read_reports(),
                           "cannot be read: No such file or directory: what it held "
                           "before stays in force (2 entries; "));
    assert_false(decides(second.policy, "www.xn--cnon-5na.example"));
    free_policyfiles(&first);
    write_in("neighbours", "c\u00E4non.example\n"); /* one is left: no loss is too large */
    assert_true(read_all(ONE, second.policy, &first));
    assert_string_equal(read_reports(), "");
    assert_true(decides(first.policy, "xn--cnon-5na.example"));
    assert_false(decides(first.policy, "xn--cnon-loa.example"));
    free_policyfiles(&first);
    free_policyfiles(&second);
    empty_folder();
}

BEFORE_MAIN(tests)
{
    for (size_t i = 0; i < COUNT(losses); i++)
        add_named_test(test_loss, &losses[i], "%u to %u names, %u lines each %s", losses[i].before,
                       losses[i].after, losses[i].lines, losses[i].options);
    for (size_t i = 0; i < COUNT(changes); i++)
        add_named_test(test_change, &changes[i], "the rule is '%s' now, %s", changes[i].rule,
                       changes[i].options);
}

TEST_MAIN_OF_POLICYFILES
