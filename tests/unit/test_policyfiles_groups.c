/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of groups: who is in a group after the file has changed, broken or gone. */
#include "tests/unit/policyfilesread.h"

#define RULES "group kids 192.0.2.1 file=kids\nrefuse name a.example client=kids\n"
#define KEPT "what it held before stays in force for group kids"

/* Returns whether the rule is for this client. */
static bool is_for(const struct xnm_policy *policy, const char *client)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xnm_prefix prefix;
    struct xnm_decision decision;
    struct xnm_question question = {.qname = wire,
                                    .qname_len = wire_of("a.example", wire),
                                    .qtype = 1,
                                    .qclass = 1,
                                    .client = &prefix};

    assert_null(xnm_prefix_read(client, strlen(client), &prefix));
    bool decided = xnm_policy_decide(policy, &question, &decision);
    assert_true(decision.specific_answer);
    assert_int_equal(decision.group != NULL, decided);
    return decided;
}

/* The file was 10.0.0.0/8; then it is this, with 10.1.1.1 and 11.1.1.1 in it or not. */
static const struct change {
    const char *text; /* NULL: it is gone */
    bool ten, eleven;
    const char *told; /* "": nothing */
} changes[] = {
    {"11.0.0.0/8\n10.0.0.0/8", true, true, ""},
    {"# none of ten\r\n\n  11.0.0.0/8 # eleven\r\n", false, true, ""},
    {NULL, true, false, "kids' cannot be read: No such file or directory: " KEPT},
    {"", true, false, "kids' has no address: " KEPT},
    {"# nobody\n", true, false, "kids' has no address: " KEPT},
    {"11.0.0.0/8\n11.0.0.1/8\n", true, false,
     "kids:2:1: '11.0.0.1/8' has bits after the first 8: expected 11.0.0.0/8"},
    {"11.0.0.0/8\nx", true, false, "kids:2:1: 'x' is not an address or a prefix"},
    {"11.0.0.0/8\n11.0.0.0/9 11.0.0.1\n", true, false,
     "kids:2:12: '11.0.0.1' is a second word: expected one address or prefix a line"},
};

static void reads_changed_group(void **state)
{
    const struct change *row = *state;
    struct xnm_policyfiles first, second, third;
    bool good = row->told[0] == '\0';

    write_in("rules", RULES);
    write_in("kids", "10.0.0.0/8\n");
    assert_true(read_all(ONE, NULL, &first));
    expect_reports("");
    assert_int_equal(first.sources.count, 2); /* both are watched */
    assert_true(is_for(first.policy, "10.1.1.1") && !is_for(first.policy, "11.1.1.1"));
    if (row->text)
        write_in("kids", row->text);
    else
        remove_in("kids");
    assert_true(read_all(ONE, first.policy, &second));
    if (!strstr(read_reports(), row->told) || (good && read_reports()[0]) ||
        (!good && !strstr(read_reports(), KEPT)))
        fail_msg("%s", read_reports());
    free_policyfiles(&first);
    assert_int_equal(second.bad_lists, !good);
    assert_int_equal(is_for(second.policy, "10.1.1.1"), row->ten);
    assert_int_equal(is_for(second.policy, "11.1.1.1"), row->eleven);
    assert_true(is_for(second.policy, "192.0.2.1")); /* of the rule file, whatever the other has */
    /* However often it is read. */
    assert_true(read_all(ONE, second.policy, &third));
    free_policyfiles(&second);
    assert_int_equal(is_for(third.policy, "10.1.1.1"), row->ten);
    free_policyfiles(&third);
    /* A start has nothing to keep: it takes the good lines. */
    assert_true(read_all(ONE, NULL, &third));
    assert_int_equal(is_for(third.policy, "10.1.1.1"), good && row->ten);
    assert_int_equal(is_for(third.policy, "11.1.1.1"), row->text && strstr(row->text, "11"));
    free_policyfiles(&third);
    empty_folder();
}

/* Groups are known in every rule file, before and after their lines; others are an error. */
TEST(reports_unknown_group, "groups in other files, and none")
{
    struct xnm_policyfiles read;

    write_in("rules", "refuse name a.example client=kids\n");
    write_in("more", "group kids 10.0.0.0/8\ngroup idle ::/0\n");
    assert_true(read_all(TWO, NULL, &read));
    assert_non_null(strstr(read_reports(), "more:2:1: no client= names the group 'idle'"));
    assert_true(is_for(read.policy, "10.1.1.1"));
    free_policyfiles(&read);
    assert_false(read_all(ONE, NULL, &read));
    assert_non_null(strstr(read_reports(), "rules:1:30: there is no group 'kids'"));
    free_policyfiles(&read);
    empty_folder();
}

/* 100,000 prefixes in a file, every second /24 of a range, are found, and their neighbours not. */
TEST(finds_many_prefixes, "100,000 prefixes")
{
    enum { MANY = 100000 };
    FILE *stream;
    struct xnm_policyfiles read;

    write_in("rules", RULES);
    stream = fopen(path_in("kids"), "w");
    assert_non_null(stream);
    for (unsigned i = MANY; i-- > 0;)
        fprintf(stream, "%u.%u.%u.0/24\n", 20 + i / 32768, i / 128 % 256, i % 128 * 2);
    assert_int_equal(fclose(stream), 0);
    assert_true(read_all(ONE, NULL, &read));
    expect_reports("");
    for (unsigned i = 0; i < MANY; i += 997) {
        char client[32];
        snprintf(client, sizeof client, "%u.%u.%u.255", 20 + i / 32768, i / 128 % 256, i % 128 * 2);
        assert_true(is_for(read.policy, client));
        snprintf(client, sizeof client, "%u.%u.%u.0", 20 + i / 32768, i / 128 % 256,
                 i % 128 * 2 + 1);
        assert_false(is_for(read.policy, client));
    }
    assert_true(xnm_policy_memory(read.policy) < 2 << 20);
    free_policyfiles(&read);
    empty_folder();
}

BEFORE_MAIN(tests)
{
    for (size_t i = 0; i < COUNT(changes); i++)
        add_named_test(reads_changed_group, &changes[i], "change %zu", i + 1);
}

TEST_MAIN_OF_POLICYFILES
