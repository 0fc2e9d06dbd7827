/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the places of errors in rule files, and their limits; tests/rules has their texts. */

#include "module/rule/limit.h"
#include "tests/unit/places.h"
#include "tests/unit/rulesread.h"

static char reports[REPORTS_MAX];

/* --- places --- */

static struct text {
    const char *name;
    const char *text;
    const char *places; /* of errors (places.h) */
} texts[] = {
    {"the column behind a byte-order mark", "\xEF\xBB\xBF drop name a ttl=x", "1:14"},
    {"the line behind CRLF", "# a\r\n\r\nnxdomain name a ttl=x\r\n", "3:21"},
    {"spaces that do not separate",
     "drop\u00A0name a\ndrop name\u202Fa\ndrop name a\u205F\ndrop name\u1680a",
     "1:5 2:10 3:12 4:10"},
    {"octets that a URL cannot have",
     "drop names l url=https://h/a\\b\ndrop names l url=https://h/\x7F\n"
     "drop names l url=\"https://h/\\\"a\"",
     "1:29 2:28 3:29"},

    {"errors on several lines, rules between them", "x\ndrop name a\ny\n", "1:1 3:1"},
    {"one that is not UTF-8 does not hide the next", "drop name \x80\ndrop name b ttl=\x80",
     "1:11 2:17"},
};

TEST_ROWS(test_text, texts, name)
{
    const struct text *row = *state;
    struct xnm_rules rules = {0};
    bool good = read_rules(&rules, "f", row->text, strlen(row->text), reports);

    assert_string_equal(places_of(reports), row->places);
    assert_false(good);
    xnm_rules_free(&rules);
}

/* --- limits --- */

/* A line of `len` octets: a rule, and a comment that fills it up. */
static void expect_line_of(size_t len, bool good, const char *expected)
{
    static const char rule[] = "drop name a #";
    struct xnm_rules rules = {0};
    char *text = malloc(len + 2);

    assert_non_null(text);
    memset(text, 'x', len);
    memcpy(text, rule, sizeof rule - 1);
    memcpy(text + len, "\r\n", 2);
    assert_int_equal(read_rules(&rules, "f", text, len + 2, reports), good);
    assert_string_equal(places_of(reports), expected);
    assert_int_equal(rules.count, good);
    free(text);
    xnm_rules_free(&rules);
}

TEST(test_longest_line, "the longest line")
{
    expect_line_of(XNM_RULE_LINE_MAX, true, "");
    expect_line_of(XNM_RULE_LINE_MAX + 1, false, "1:1");
}

/* A line of 64 KiB that is one word in quotes, with escapes. */
TEST(test_longest_word, "the longest word")
{
    static const char head[] = "nxdomain names \"";
    static char text[XNM_RULE_LINE_MAX];
    struct xnm_rules rules = {0};

    for (size_t i = 0; i < sizeof text; i += 2)
        memcpy(text + i, "\\\\", 2);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof text - 2, "x\"", 2);
    assert_true(read_rules(&rules, "f", text, sizeof text, reports));
    assert_int_equal(strlen(rules.rules[0].path), (sizeof text - (sizeof head - 1) - 2) / 2 + 1);
    xnm_rules_free(&rules);
}

static unsigned lines_of(const char *text)
{
    unsigned count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Text that a line repeats until it is full, with the text before and after it. */
static struct flood {
    const char *name, *before, *again, *behind;
} floods[] = {
    {"a flood of options", "nxdomain name a ", "a= ", "ttl=5"},
    {"a flood of types", "nodata name a type=", "x,", "A"},
    {"a flood of scripts", "log script in ", "Zyyy,", "Latn"},
    {"a flood of the same script", "log script not-in ", "Latn,", "Latn"},
    {"a flood of commas", "log script in ", ",", ","},
    {"a flood of exceptions", "log wholescript except=", "ru,", "su"},
    {"a flood of bad exceptions", "log wholescript except=", "⿰⿰⿰⿰⿰⿰⿰⿰⿰⿰⿰⿰,", "⿰"},
    {"a flood of dots in an exception", "log wholescript except=", ".", "."},
    {"a flood of addresses", "redirect ", "1.2.3.4.5 ", "name a"},
    {"a flood of words", "nxdomain ", "a ", "name a"},
    {"a flood of words behind the rule", "nxdomain name a ", "a ", "b"},
    {"a flood of characters", "nxdomain name ", "/", "/"},
    {"a flood of dots", "nxdomain name ", ".", "."},
    {"a flood of labels", "nxdomain name ", "/.", "a"},
    {"a flood of quotes", "nxdomain names ", "\"\" ", "\"\""},
    {"a flood of words that may be options in RDATA", "answer name a TXT ", "t ", "ttl="},
};

/* Errors of a line end at some number: a line made to have thousands costs no more. */
TEST_ROWS(test_flood, floods, name)
{
    const struct flood *row = *state;
    static char text[XNM_RULE_LINE_MAX];
    struct xnm_rules rules = {0};
    size_t len = strlen(row->before), again_len = strlen(row->again);

    memcpy(text, row->before, len);
    for (; len + again_len + strlen(row->behind) <= sizeof text; len += again_len)
        memcpy(text + len, row->again, again_len);
    memcpy(text + len, row->behind, strlen(row->behind));
    len += strlen(row->behind);
    assert_false(read_rules(&rules, "f", text, len, reports));
    assert_in_range(lines_of(reports), 1, 21);
    assert_int_equal(rules.count, 0);
    xnm_rules_free(&rules);
}

/* 64 addresses, and one more. */
TEST(test_addresses, "the most addresses")
{
    static const char tail[] = "name a";
    struct xnm_rules rules = {0};
    char text[4096] = "redirect ";

    for (unsigned i = 0; i < 64; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "192.0.2.%u ", i);
    size_t len = strlen(text);
    strcat(text, tail);
    assert_true(read_rules(&rules, "f", text, strlen(text), reports));
    assert_int_equal(rules.rules[0].record_count, 64);
    xnm_rules_free(&rules);
    strcpy(text + len, "::1 name a");
    assert_false(read_rules(&rules, "f", text, strlen(text), reports));
    assert_non_null(strstr(reports, ": too many addresses: expected 64 at most\n"));
    xnm_rules_free(&rules);
}

/* 32 scripts, whose list is a subject; and one more. */
TEST(test_scripts, "the most scripts")
{
    static const char list[] = "not-in Arab,Armn,Beng,Bopo,Cher,Copt,Cyrl,Deva,Ethi,Geor,Grek,Gujr,"
                               "Guru,Hang,Hani,Hebr,Hira,Kana,Khmr,Knda,Laoo,Latn,Mlym,Mong,Mymr,"
                               "Ogam,Orya,Runr,Sinh,Syrc,Taml,Telu";
    struct xnm_rules rules = {0};
    char text[256];

    snprintf(text, sizeof text, "log script %s", list);
    assert_true(read_rules(&rules, "f", text, strlen(text), reports));
    assert_string_equal(rules.rules[0].subject, list);
    xnm_rules_free(&rules);
    strcat(text, ",Thai");
    assert_false(read_rules(&rules, "f", text, strlen(text), reports));
    assert_string_equal(reports, "f:1:179: too many scripts: expected 32 at most\n");
    xnm_rules_free(&rules);
}

/* 64 exceptions, and one more. */
TEST(test_exceptions, "the most exceptions")
{
    struct xnm_rules rules = {0};
    char text[512] = "log wholescript except=";

    for (unsigned i = 0; i < XNM_RULE_EXCEPT_MAX; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sx%u", i > 0 ? "," : "", i);
    assert_true(read_rules(&rules, "f", text, strlen(text), reports));
    assert_int_equal(rules.rules[0].condition.except_count, XNM_RULE_EXCEPT_MAX);
    xnm_rules_free(&rules);
    strcat(text, ",y");
    assert_false(read_rules(&rules, "f", text, strlen(text), reports));
    assert_non_null(strstr(reports, ": too many top-level domains: expected 64 at most\n"));
    xnm_rules_free(&rules);
}

static void count_reports(void *arg, xnm_severity severity, const struct xnm_place *place,
                          const char *message)
{
    unsigned *lines = arg; /* how many reports, and the line of the last */

    (void)message;
    assert_int_equal(severity, XNM_ERROR);
    lines[0]++;
    lines[1] = place->line;
}

/* A list that policy: names instead of a rule. */
TEST(test_a_list, "a list taken for rules")
{
    const size_t lines = 100000;
    unsigned seen[2] = {0};
    struct xnm_diagnostics diagnostics = {count_reports, seen};
    struct xnm_rules_options options = {unicode(), &diagnostics, DEFAULT_TTL};
    struct xnm_rules rules = {0};
    char *text = malloc(lines * 12);

    for (size_t i = 0; i < lines; i++)
        memcpy(text + i * 12, "bad.example\n", 12);
    assert_false(xnm_rules_parse(&rules, &options, "f", text, lines * 12));
    assert_int_equal(seen[0], XNM_RULES_ERRORS_MAX + 1);
    assert_int_equal(seen[1], XNM_RULES_ERRORS_MAX + 1);
    xnm_rules_free(&rules);
    free(text);
}

/* --- groups --- */

/* Returns whether the rules are good; leaves what was reported in `reports`. */
static bool read_text(const char *text, struct xnm_rules *rules)
{
    memset(rules, 0, sizeof *rules);
    return read_rules(rules, "f", text, strlen(text), reports);
}

static struct text_row {
    const char *name, *text, *expected; /* the reports; "": none */
} group_texts[] = {
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

TEST_ROWS(test_group_text, group_texts, name)
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

TEST_ROWS(test_many, many, name)
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
TEST(test_order, "the order of parts")
{
    static const char *const clients[] = {"k,kids,kids2", "kids2,kids,k", "kids,kids2,k",
                                          "kids2,k,kids"};

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
TEST(test_many_errors_before_a_name, "errors of a name after many others")
{
    enum { TOLD = 20 };
    char text[128] = "redirect";
    struct xnm_rules rules;
    unsigned lines = 0;

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
TEST(test_many_prefixes, "as many prefixes as are compared, and one more")
{
    enum { COMPARED = 1000 };

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

TEST_MAIN
