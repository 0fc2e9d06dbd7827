/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of clients in rule files: how many there may be, what is said twice, and what they warn
 * of. */
#include "tests/unit/rulesread.h"

#include "module/rule/limit.h"

static char reports[REPORTS_MAX];

/* Returns whether the rules are good; leaves what was reported in `reports`. */
static bool read_text(const char *text, struct xnm_rules *rules)
{
    memset(rules, 0, sizeof *rules);
    return read_rules(rules, "f", text, strlen(text), reports);
}

static struct text_row {
    const char *name, *text, *expected; /* the reports; "": none */
} texts[] = {
    {"a prefix twice", "group a 192.0.2.0/24 192.0.2.0/24",
     "f:1:22: warning: '192.0.2.0/24' is in '192.0.2.0/24', which group a already has\n"},
    {"a prefix in another one", "group a 192.0.2.0/24 198.51.100.1 192.0.2.7",
     "f:1:35: warning: '192.0.2.7' is in '192.0.2.0/24', which group a already has\n"},
    {"… that comes after it", "group a 198.51.100.1 192.0.2.7 192.0.2.0/24",
     "f:1:32: warning: '192.0.2.0/24' holds '192.0.2.7', which group a already has\n"},
    {"… of another group", "group a 192.0.2.0/24\ngroup b 192.0.2.7", ""},
    {"… of the same one on another line", "group a 192.0.2.0/24\ngroup a 192.0.2.7",
     "f:2:9: warning: '192.0.2.7' is in '192.0.2.0/24', which group a already has\n"},
    {"a file twice", "group a file=x file=y file=x",
     "f:1:28: 'x' was already given for this group: expected each file once\n"},
    {"… of two groups", "group a file=x\ngroup b file=x", ""},
    {"no path", "group a file=", "f:1:14: this path is empty: expected the path of a file\n"},
    {"no clients after a bad word", "group a client=x",
     "f:1:9: 'client' is not an option of group: expected file=\n"},
    {"a client twice", "drop name b.example client=192.0.2.1,192.0.2.1/32",
     "f:1:38: '192.0.2.1/32' was already given: expected each part once\n"},
    {"a time twice", "drop name b.example when=Sun-Sat,Mon-Sun",
     "f:1:34: 'Mon-Sun' was already given: expected each part once\n"},
    {"every name for some clients", "refuse zone . client=192.0.2.1 suffixes=yes",
     "f:1:15: warning: this rule is about every name, but not for every client: so no answer is "
     "stored "
     "in the cache (to refuse clients altogether, use the resolver's own access "
     "control)\n"},
    {"… at some times", "refuse name *. when=Sat suffixes=yes",
     "f:1:16: warning: this rule is about every name, but not for every time: so no answer is "
     "stored "
     "in the cache\n"},
    {"the root's own name", "refuse name . client=192.0.2.1", ""},
    {"every name passes for some", "passthru zone . client=192.0.2.1", ""},
    {"every name is logged for some", "log zone . client=192.0.2.1", ""},
    {"every name of a list", "drop names l client=192.0.2.1", ""},
};

static void test_text(void **state)
{
    const struct text_row *row = *state;
    struct xnm_rules rules;

    read_text(row->text, &rules);
    assert_string_equal(reports, row->expected);
    xnm_rules_free(&rules);
}

/* --- how many --- */

/* `begin`, and then so many pieces with a number each. */
static char *put_many(const char *begin, const char *piece, unsigned count)
{
    char *text = malloc(strlen(begin) + count * (strlen(piece) + 16) + 1), *at = text;

    at += sprintf(at, "%s", begin);
    for (unsigned i = 0; i < count; i++)
        at += sprintf(at, piece, i);
    return text;
}

static struct many_row {
    const char *name, *begin, *piece;
    unsigned most;
    const char *expected; /* of one more */
} many[] = {
    {"groups", "", "group g%u ::1\n", XNM_GROUPS_MAX,
     "f:257:7: too many groups: expected 256 at most\n"},
    {"files of a group", "group a", " file=%u", XNM_GROUP_FILES_MAX,
     "too many files of one group: expected 64 at most\n"},
    {"parts of client=", "drop name a.example client=::ffff", ",::%u", XNM_LIMIT_PARTS_MAX - 1,
     "too many parts: expected 32 at most\n"},
};

static void test_many(void **state)
{
    const struct many_row *row = *state;

    for (unsigned extra = 0; extra < 2; extra++) {
        char *text = put_many(row->begin, row->piece, row->most + extra);
        struct xnm_rules rules;
        assert_int_equal(read_text(text, &rules), extra == 0);
        const char *end = reports + strlen(reports) - strlen(row->expected);
        assert_string_equal(extra ? end : reports, extra ? row->expected : "");
        xnm_rules_free(&rules);
        free(text);
    }
}

/* Parts are stored in one order, however they are written. */
static void test_order(void **state)
{
    static const char *const clients[] = {"k,kids,kids2", "kids2,kids,k", "kids,kids2,k",
                                          "kids2,k,kids"};

    (void)state;
    for (size_t i = 0; i < sizeof clients / sizeof *clients; i++) {
        char text[64];
        struct xnm_rules rules;
        snprintf(text, sizeof text, "drop name a.example client=%s", clients[i]);
        assert_true(read_text(text, &rules));
        assert_string_equal(rules.rules[0].client, clients[0]);
        xnm_rules_free(&rules);
    }
}

/* A name at the end of a line with many errors does not tell more of its own than the line may
 * have, and nothing after it is read. */
static void test_many_errors_before_a_name(void **state)
{
    enum { TOLD = 20 };
    char text[128] = "redirect";
    struct xnm_rules rules;
    unsigned lines = 0;

    (void)state;
    for (unsigned i = 0; i < TOLD - 1; i++)
        strcat(text, " x");
    strcat(text, " name @.@.@ ttl=x");
    assert_false(read_text(text, &rules));
    for (const char *at = reports; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, TOLD + 1);
    assert_non_null(strstr(reports, "the rest of the line was not read after 20 errors\n"));
    xnm_rules_free(&rules);
}

/* Only the first thousand prefixes are compared with all others. */
static void test_many_prefixes(void **state)
{
    enum { COMPARED = 1000 };

    (void)state;
    for (unsigned extra = 0; extra < 2; extra++) {
        char *text = put_many("", "group a 2001:db8::%x\n", COMPARED + extra - 1);
        struct xnm_rules rules;
        text = realloc(text, strlen(text) + 64);
        assert_non_null(text);
        strcat(text, "group a 2001:db8::1\n");
        assert_true(read_text(text, &rules));
        assert_int_equal(reports[0] == '\0', extra);
        assert_int_equal(xnm_group_prefix_count(&rules.groups[0]), COMPARED + extra);
        xnm_rules_free(&rules);
        free(text);
    }
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, texts, name, test_text);
    ADD_TESTS(&group, many, name, test_many);
    add_test(&group, "the order of parts", test_order, NULL);
    add_test(&group, "errors of a name after many others", test_many_errors_before_a_name, NULL);
    add_test(&group, "as many prefixes as are compared, and one more", test_many_prefixes, NULL);
    return run_group("rules: groups", &group);
}
