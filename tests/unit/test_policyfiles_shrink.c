/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists and zones that have lost entries since the policy in force, as one whose download was cut
 * off. */
#include "tests/unit/policyfilesread.h"

enum { LIST_MAX = 4096 };

#define ANY "(10 entries; write shrink=any on this rule to take it as it is)\n"

/* A list before and after a loss, and whether it keeps its old entries. */
static const struct loss {
    const char *rule_before, *rule;
    unsigned before, after; /* names */
    unsigned lines;         /* of each name */
    const char *told;       /* "": it is taken */
} losses[] = {
    {"nxdomain names list", "nxdomain names list", 10, 10, 1, ""},
    {"nxdomain names list", "nxdomain names list", 10, 5, 1, ""},
    {"nxdomain names list", "nxdomain names list", 10, 4, 1,
     "list' has 4 entries, but had 10: a loss of more than shrink=50%: what it held before stays "
     "in force " ANY},
    {"nxdomain names list", "nxdomain names list", 10, 1, 1,
     "list' has 1 entry, but had 10: a loss of more than shrink=50%: what"},
    {"nxdomain names list", "nxdomain names list", 3, 1, 1, "list' has 1 entry, but had 3: "},
    {"nxdomain names list", "nxdomain names list", 2, 1, 1, ""},
    {"nxdomain names list", "nxdomain names list", 1, 10, 1, ""},
    /* the same names twice on both sides: nine lines of twenty */
    {"nxdomain names list", "nxdomain names list", 10, 5, 2, ""},
    {"nxdomain names list", "nxdomain names list", 10, 4, 2, "list' has 8 entries, but had 20: "},
    {"nxdomain names list", "nxdomain names list shrink=60%", 10, 4, 1, ""},
    {"nxdomain names list", "nxdomain names list shrink=60%", 10, 3, 1,
     "list' has 3 entries, but had 10: a loss of more than shrink=60%"},
    {"nxdomain names list", "nxdomain names list shrink=59%", 10, 4, 1,
     "list' has 4 entries, but had 10: a loss of more than shrink=59%"},
    {"nxdomain names list", "nxdomain names list shrink=0%", 10, 10, 1, ""},
    {"nxdomain names list", "nxdomain names list shrink=0%", 10, 9, 1,
     "list' has 9 entries, but had 10: a loss of more than shrink=0%"},
    {"nxdomain names list", "nxdomain names list shrink=99%", 10, 1, 1, ""},
    {"nxdomain names list", "nxdomain names list shrink=99%", 10, 0, 1,
     "list' has become empty: what"},
    {"nxdomain names list", "nxdomain names list shrink=any", 10, 1, 1, ""},
    {"nxdomain names list", "nxdomain names list shrink=any", 10, 0, 1, ""},
    /* other kinds of lists; the SOA record of a zone is no entry */
    {"nxdomain zones list", "nxdomain zones list", 10, 4, 1, "list' has 4 entries, but had 10: "},
    {"nxdomain lookalikes list", "nxdomain lookalikes list", 10, 4, 1,
     "list' has 4 entries, but had 10: "},
    {"rpz list", "rpz list", 10, 4, 1, "list' has 4 entries, but had 10: "},
    {"rpz list", "rpz list", 10, 5, 1, ""},
    /* another rule that still has the list, or a list that is another's now */
    {"nxdomain names list", "nxdomain names list ttl=5", 10, 4, 1,
     "list' has 4 entries, but had 10: "},
    {"nxdomain names list", "refuse names list", 10, 4, 1, "list' has 4 entries, but had 10: "},
    {"nxdomain names list", "nxdomain zones list", 10, 4, 1, ""},
    {"nxdomain names list", "nxdomain names list suffixes=yes", 10, 4, 1, ""},
};

static void write_rule(const char *rule)
{
    char text[256];

    snprintf(text, sizeof text, "%s\n", rule);
    write_in("rules", text);
}

static void write_names(const char *rule, unsigned names, unsigned lines)
{
    bool zone = strncmp(rule, "rpz", 3) == 0;
    char text[LIST_MAX];
    size_t len =
        (size_t)snprintf(text, sizeof text, "%s",
                         zone ? "$ORIGIN list.invalid.\n@ 60 SOA ns nobody 1 2 3 4 5\n" : "");

    for (unsigned i = 0; i < names * lines; i++)
        len += (size_t)snprintf(text + len, sizeof text - len, "bank%c.example%s\n",
                                'a' + (int)(i / lines), zone ? " CNAME ." : "");
    write_in("list", text);
}

static void reads_loss(void **state)
{
    const struct loss *row = *state;
    bool kept = row->told[0];
    struct xnm_policyfiles first, second;

    write_rule(row->rule_before);
    write_names(row->rule, row->before, row->lines);
    assert_true(read_all(ONE, NULL, &first));
    expect_reports("");
    write_rule(row->rule);
    write_names(row->rule, row->after, row->lines);
    for (unsigned i = 0; i < 2; i++) { /* the same is reported each time the file is read */
        assert_true(read_all(ONE, first.policy, &second));
        free_policyfiles(&first);
        if (!strstr(read_reports(), row->told) || (!kept && read_reports()[0]))
            fail_msg("%s", read_reports());
        assert_int_equal(second.bad_lists, kept);
        assert_int_equal(xnm_policy_entry_count(second.policy), kept ? row->before : row->after);
        first = second;
    }
    free_policyfiles(&first);
    assert_true(read_all(ONE, NULL, &first)); /* a start takes what is there */
    assert_int_equal(xnm_policy_entry_count(first.policy), row->after);
    free_policyfiles(&first);
    empty_folder();
}

/* The file of except= is read, and kept where it is lost, like any other list. */
TEST(keeps_excepted_names, "the list of except=")
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
        add_named_test(reads_loss, &losses[i], "%s: %u to %u names, %u lines each", losses[i].rule,
                       losses[i].before, losses[i].after, losses[i].lines);
}

TEST_MAIN_OF_POLICYFILES
