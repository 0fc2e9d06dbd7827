/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests the errors in rule files: their texts and their places. */
#include "tests/unit/rulesread.h"

static char reports[REPORTS_MAX];

/* --- places --- */

#define NOT_UTF8 "octet 0x80 is not UTF-8: expected UTF-8 (is the file in Latin-1?)"
#define NO_TTL(text) "'" text "' is not a TTL: expected seconds, 0 to 2147483647\n"
#define NO_TYPE(text)                                                                              \
    "'" text "' is not a query type: expected types of data, such as A,AAAA or TYPE65280\n"
#define NO_TAG(text)                                                                               \
    "'" text "' is not a tag: expected 1 to 32 letters and digits of ASCII, '.', '_' or '-'\n"

#define NEVER(number)                                                                              \
    "warning: this rule never matches: no compared label of the name has the " number              \
    " characters that min= requires\n"

#define SHORT(option, number)                                                                      \
    "warning: '" option                                                                            \
    "=' has no effect: the label left of the public suffix has less than " number " characters\n"

#define IMITATES(number, text)                                                                     \
    "warning: label " number " of this name looks like '" text                                     \
    "', so this rule would find that name: "                                                       \
    "expected the name that is imitated\n"

static struct text {
    const char *name;
    const char *text;
    const char *reports; /* of a file called "f"; without a line end: how they begin */
} texts[] = {
    {"the column behind a byte-order mark", "\xEF\xBB\xBF drop name a ttl=x",
     "f:1:14: 'ttl=' does not go with drop: it goes with nxdomain, nodata, redirect, cname and "
     "answer\n"},
    {"the line behind CRLF", "# a\r\n\r\nnxdomain name a ttl=x\r\n", "f:3:21: " NO_TTL("x")},
    {"a column counts characters", "nxdomain name ÄÖ\xF0\x90\x8E\xA0 ttl=й",
     "f:1:23: " NO_TTL("й")},
    {"a column counts a tab as one", "\tnxdomain\tname\ta\tttl=x", "f:1:22: " NO_TTL("x")},
    {"a column in a list of types", "nodata name a type=A,AAAA,QQ,MX", "f:1:27: " NO_TYPE("QQ")},
    {"a column in a quoted list of types", "nodata name a type=\"A,QQ\"", "f:1:23: " NO_TYPE("QQ")},
    {"a column in a quoted value", "log name a tag=\"ab d\"", "f:1:19: " NO_TAG("ab d")},
    {"'/' in a tag", "log name a tag=a/", "f:1:17: " NO_TAG("a/")},
    {"':' in a tag", "log name a tag=a:", "f:1:17: " NO_TAG("a:")},
    {"'@' in a tag", "log name a tag=a@", "f:1:17: " NO_TAG("a@")},
    {"'[' in a tag", "log name a tag=a[", "f:1:17: " NO_TAG("a[")},
    {"'`' in a tag", "log name a tag=a`", "f:1:17: " NO_TAG("a`")},
    {"'{' in a tag", "log name a tag=a{", "f:1:17: " NO_TAG("a{")},
    {"a column behind escapes", "log name a tag=\"a\\\\b\"", "f:1:18: " NO_TAG("a\\b")},
    {"a column behind two escapes in ede=", "nxdomain name a ede=1:\"\\\"\\\\\xE2\x80\x8B\"",
     "f:1:28: U+200B in the text of ede= is invisible or changes how text is shown: expected "
     "visible characters\n"},
    {"a column in a quoted name", "nxdomain name \"a.b c\"",
     "f:1:19: not a domain name (contains ' ')"},
    {"a column in a name behind an escape", "nxdomain name \"a\\\"b\\\\ c\"",
     "f:1:17: '\"' is not allowed"},
    {"an extended error that drop does not send", "rpz r action=drop ede=15",
     "f:1:19: 'ede=' does not go with action=drop, which sends no extended error: expected one of "
     "them"},
    {"… nor passthru, in another order", "rpz r ede=off action=passthru",
     "f:1:7: 'ede=' does not go with action=passthru, which sends no extended error: expected one "
     "of them"},
    {"a column in an origin", "rpz r origin=a.b/c", "f:1:17: not a domain name (contains '/')"},
    {"a column in RDATA", "answer name a ttl=5  A \t 192.0.2.256 # c", "f:1:26: "},
    {"RDATA of a type seldom written", "answer name a EUI48 00-00-5e-00-53-2a",
     "f:1:21: EUI48 data cannot be read as text: expected '\\# LENGTH HEXADECIMAL' (RFC 3597)\n"},
    {"a column in a list of scripts", "log script in \"Latn,Xx\\\\x,Cyrl,Latn\"",
     "f:1:21: 'Xx\\x' is not a script: expected ISO 15924 codes such as Latn,Cyrl\n"
     "f:1:32: 'Latn' is among the scripts before it: expected each script once\n"},
    {"a column in a list of top-level domains", "log wholescript except=\"рф,\\\"\"",
     "f:1:28: '\"' is not allowed"},
    {"a warning spoils no rule", "nxdomain name faß.example", "f:1:17: warning: "},

    /* what is no error of look-alikes */
    {"a protected label that is no A-label", "log lookalike paypal.xn--a.example",
     "f:1:22: warning: "},
    {"another spelling of a protected name", "log lookalike faß.example", "f:1:17: warning: "},
    {"an exception that is no A-label", "log wholescript except=ru,xn--a", "f:1:27: warning: "},
    {"min= that no label has", "log lookalike pay.pal.example min=8", "f:1:31: " NEVER("8")},
    {"min= that a label has", "log lookalike pay.pal.example min=7", ""},
    {"min= of strict's own", "log lookalike kim.com key=strict", ""},
    {"min= that no label has, before key=", "log lookalike kim.com min=4 key=strict",
     "f:1:23: " NEVER("4")},
    {"min= that a short name has", "log lookalike kim.com key=strict min=3", ""},
    {"min= counts no octets of an A-label", "log lookalike ümläut.de min=7", "f:1:25: " NEVER("7")},
    {"min= counts characters of an A-label", "log lookalike ümläut.de min=6", ""},
    {"min= counts octets of what does not decode", "log lookalike xn--_.de min=6",
     "f:1:15: warning: 'xn--_' is not a valid A-label (it is not Punycode after \"xn--\"): it "
     "matches these octets only\nf:1:24: " NEVER("6")},
    {"min= counts octets of what does not decode, and has them",
     "drop lookalike \"xn--_.de\" min=5",
     "f:1:17: warning: 'xn--_' is not a valid A-label (it is not Punycode after \"xn--\"): it "
     "matches these octets only\n"},
    {"min= and a public suffix", "log lookalike abc.museum min=6", ""},
    {"min= and tld=any", "log lookalike abc.museum min=4 tld=any", "f:1:26: " NEVER("4")},
    {"min= and tld=any, with a long label", "log lookalike abcd.x.co.uk tld=any min=4", ""},
    {"min= and label=any", "log lookalike abcd.x.co.uk label=any min=4", "f:1:38: " NEVER("4")},
    {"min= and label=any, with a long label", "log lookalike x.abcd.co.uk label=any min=4", ""},
    {"near= and a short label", "log lookalike google.co.uk near=1", "f:1:28: " SHORT("near", "7")},
    {"near= and a long label", "log lookalike twitter.co.uk near=1", ""},
    {"near= and a longer min=", "log lookalike twitter.co.uk min=8 tld=same near=1",
     "f:1:29: " NEVER("8") "f:1:44: " SHORT("near", "8")},
    {"near= and a long label further left", "log lookalike twitter.x.de near=1",
     "f:1:28: " SHORT("near", "7")},
    {"within= and a short label", "log lookalike twitter.com within=yes",
     "f:1:27: " SHORT("within", "8")},
    {"within= counts characters", "log lookalike bücherl.de within=yes",
     "f:1:26: " SHORT("within", "8")},
    {"within= and a long label", "log lookalike facebook.com within=yes", ""},
    {"near=0 and a short label", "log lookalike x.com near=0 within=no", ""},
    {"a look-alike as the protected name", "drop lookalike www.pаypal.com key=strict",
     "f:1:16: " IMITATES("2", "paypal")},
    {"a look-alike as an A-label, of one script", "log lookalike  xn--80ak6aa92e.example ascii=off",
     "f:1:16: " IMITATES("1", "apple")},
    {"a look-alike of what has an m", "log lookalike  аmаzon-1.example",
     "f:1:16: " IMITATES("1", "amazon-1")},
    {"words with diacritics and a dotless i", "log lookalike çığ.bücher.example",
     "f:1:16: warning: çiğ.bücher.example is another name (ı is not i): write both if both are "
     "meant\n"},
    {"a word of another script", "log lookalike москва.example", ""},
    {"a word of two scripts that is not all like ASCII", "log lookalike pаypaж.example", ""},
    {"a word that looks like ASCII by a Latin letter alone", "log lookalike oꞮl.example", ""},
    {"a word that looks like ASCII by digits alone", "log lookalike g००gle.example", ""},
    {"a look-alike in a rule with an error", "drop lookalike pаypal.com key=x",
     "f:1:31: 'x' is not a value of key=: expected exact or strict\n"},

    {"spaces that do not separate",
     "drop\u00A0name a\ndrop name\u202Fa\ndrop name a\u205F\ndrop name\u1680a",
     "f:1:5: U+00A0 is another kind of space: expected U+0020 or a tab\n"
     "f:2:10: U+202F is another kind of space: expected U+0020 or a tab\n"
     "f:3:12: U+205F is another kind of space: expected U+0020 or a tab\n"
     "f:4:10: U+1680 is another kind of space: expected U+0020 or a tab\n"},
    {"a URL in place of a path", "drop zones https://h/p",
     "f:1:12: this is a URL: expected the path of a file, and after it url=https://h/p for "},
    {"a URL without a host", "drop names l url=https:///p", "f:1:18: 'https:///p' is not a URL"},
    {"a URL that ends before its host", "drop names l url=https://", "f:1:18: 'https://' is not"},
    {"a URL with a space", "drop names l url=\"https://h/a b\"",
     "f:1:30: 'https://h/a b' has a character that a URL cannot have"},
    {"octets that a URL cannot have",
     "drop names l url=https://h/a\\b\ndrop names l url=https://h/\x7F\n"
     "drop names l url=\"https://h/\\\"a\"",
     "f:1:29: 'https://h/a\\b' has a character that a URL cannot have: expected ASCII, with the "
     "others as %XX and the host as an A-label\n"
     "f:2:28: control character U+007F: expected text\n"
     "f:3:29: 'https://h/\"a' has a character that a URL cannot have: expected ASCII, with the "
     "others as %XX and the host as an A-label\n"},
    {"an action of a zone that is as long as cname:", "rpz r action=drops12",
     "f:1:14: 'drops12' is not a value of action=: expected given, nxdomain, nodata, refuse, drop, "
     "passthru, tcp-only or cname:NAME\n"},

    {"errors on several lines, rules between them", "x\ndrop name a\ny\n",
     "f:1:1: 'x' is not an action: expected passthru, nxdomain, nodata, refuse, drop, redirect, "
     "cname, answer, tcp-only, log, rpz or group\n"
     "f:3:1: 'y' is not an action: expected passthru, nxdomain, nodata, refuse, drop, redirect, "
     "cname, answer, tcp-only, log, rpz or group\n"},
    {"one that is not UTF-8 does not hide the next", "drop name \x80\ndrop name b ttl=\x80",
     "f:1:11: " NOT_UTF8 "\nf:2:17: " NOT_UTF8 "\n"},
};

static void test_text(void **state)
{
    const struct text *row = *state;
    struct xnm_rules rules = {0};
    bool good = read_rules(&rules, "f", row->text, strlen(row->text), reports);

    if (!row->reports[0] || row->reports[strlen(row->reports) - 1] == '\n')
        assert_string_equal(reports, row->reports);
    else if (strncmp(reports, row->reports, strlen(row->reports)) != 0)
        fail_msg("%s", reports);
    assert_int_equal(good, !row->reports[0] || strstr(reports, "warning: ") != NULL);
    assert_true(!good || rules.count == 1);
    xnm_rules_free(&rules);
}

/* bad-NAME.conf has its reports in bad-NAME.expected. */
static void test_bad_file(void **state)
{
    const char *file = *state;
    struct xnm_rules rules = {0};
    char path[256];
    size_t len, expected_len;

    snprintf(path, sizeof path, "%.*s.expected", (int)(strrchr(file, '.') - file), file);
    char *expected = file_text(path, &expected_len), *text = file_text(file, &len);
    assert_true(expected_len > 0);
    bool good = read_rules(&rules, file, text, len, reports);
    assert_string_equal(reports, expected);
    assert_false(good);
    assert_int_equal(rules.count, 0);
    free(text);
    free(expected);
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
    assert_string_equal(reports, expected);
    assert_int_equal(rules.count, good);
    free(text);
    xnm_rules_free(&rules);
}

static void test_longest_line(void **state)
{
    (void)state;
    expect_line_of(XNM_RULE_LINE_MAX, true, "");
    expect_line_of(XNM_RULE_LINE_MAX + 1, false,
                   "f:1:1: this line has 65537 octets: expected 65536 at most\n");
}

/* A line of 64 KiB that is one word in quotes, with escapes. */
static void test_longest_word(void **state)
{
    static const char head[] = "nxdomain names \"";
    static char text[XNM_RULE_LINE_MAX];
    struct xnm_rules rules = {0};

    (void)state;
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
static void test_flood(void **state)
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
static void test_addresses(void **state)
{
    static const char tail[] = "name a";
    struct xnm_rules rules = {0};
    char text[4096] = "redirect ";

    (void)state;
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
static void test_scripts(void **state)
{
    static const char list[] = "not-in Arab,Armn,Beng,Bopo,Cher,Copt,Cyrl,Deva,Ethi,Geor,Grek,Gujr,"
                               "Guru,Hang,Hani,Hebr,Hira,Kana,Khmr,Knda,Laoo,Latn,Mlym,Mong,Mymr,"
                               "Ogam,Orya,Runr,Sinh,Syrc,Taml,Telu";
    struct xnm_rules rules = {0};
    char text[256];

    (void)state;
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
static void test_exceptions(void **state)
{
    struct xnm_rules rules = {0};
    char text[512] = "log wholescript except=";

    (void)state;
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

/* --- chance --- */

/* xorshift32 */
static uint32_t next_random(uint32_t *random)
{
    *random ^= *random << 13;
    *random ^= *random >> 17;
    *random ^= *random << 5;
    return *random;
}

/* Expects what holds for every report and every rule, whatever the input. */
static void expect_sane(const struct xnm_rules *rules, bool good)
{
    assert_true(good || reports[0] != '\0');
    for (size_t i = 0; i < rules->count; i++) {
        const struct xnm_rule *rule = &rules->rules[i];
        bool list = rule->path != NULL, condition = xnm_trigger_is_condition(rule->trigger);

        assert_in_range(rule->action, XNM_ACTION_NONE, XNM_LOG);
        assert_in_range(rule->trigger, 0, XNM_TRIGGER_COUNT - 1);
        assert_int_equal(rule->action == XNM_ACTION_NONE, rule->trigger == XNM_TRIGGER_RPZ);
        assert_int_equal(list, xnm_trigger_has_path(rule->trigger));
        assert_int_equal(list || condition, rule->name.len == 0);
        assert_int_equal(rule->protection.min > 0, xnm_trigger_is_lookalike(rule->trigger));
        assert_in_range(rule->protection.min, 0, XN_WIRE_LABEL_MAX);
        assert_true(memchr(rule->subject, '\0', sizeof rule->subject));
        assert_true(condition || rule->subject[0] == '\0');
        assert_true(rule->condition.except_count <= XNM_RULE_EXCEPT_MAX);
        assert_true(rule->line > 0 && rule->column > 0);
        assert_int_equal(rule->record_count > 0,
                         rule->action == XNM_REDIRECT || rule->action == XNM_CNAME ||
                             rule->action == XNM_ANSWER || rule->override == XNM_CNAME);
        assert_true(!rule->tag || strlen(rule->tag) > 0);
    }
}

static void change(char *text, size_t *len, uint32_t *random)
{
    static const char *const pieces[] = {"\"",         "\\",
                                         " ",          "\n",
                                         "#",          "=",
                                         ":",          ",",
                                         ".",          "*.",
                                         "name ",      "zone ",
                                         "names ",     "rpz ",
                                         "redirect ",  "cname ",
                                         "answer ",    "ttl=",
                                         "type=A",     "ede=",
                                         "tag=",       "TXT ",
                                         "ß",          "\xE3\x80\x80",
                                         "lookalike ", "lookalikes ",
                                         "invalid ",   "script in ",
                                         "not-in ",    "Cyrl",
                                         "Latn,",      "script-level ",
                                         "highly ",    "wholescript ",
                                         "except=",    "key=strict ",
                                         "tld=any ",   "label=any ",
                                         "min=4 ",     "ascii=wide ",
                                         "near=1 ",    "within=yes ",
                                         "\x80",       "xn--",
                                         "(",          ")",
                                         ";",          "\\# "};
    const char *piece = pieces[next_random(random) % COUNT(pieces)];
    size_t at = next_random(random) % (*len + 1), cut = next_random(random) % 4;
    size_t piece_len = next_random(random) % 3 ? strlen(piece) : 0;

    if (cut > *len - at)
        cut = *len - at;
    memmove(text + at + piece_len, text + at + cut, *len - at - cut);
    memcpy(text + at, piece, piece_len);
    *len = *len - cut + piece_len;
}

/* A file with pieces cut out and put in. */
static void test_chance(void **state)
{
    enum { ROUNDS = 1500, CHANGES = 12, ROOM = 1 << 15 };
    static char text[ROOM];
    uint32_t random = 20261121;
    size_t original_len;
    char *original = file_text(*state, &original_len);

    assert_true(original_len + CHANGES * 16 < ROOM);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct xnm_rules rules = {0};
        size_t len = original_len;

        memcpy(text, original, len);
        for (uint32_t n = next_random(&random) % CHANGES; n > 0; n--)
            change(text, &len, &random);
        expect_sane(&rules, read_rules(&rules, "f", text, len, reports));
        xnm_rules_free(&rules);
    }
    free(original);
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

/* A list that somebody named by policy: instead of by a rule. */
static void test_a_list(void **state)
{
    const size_t lines = 100000;
    unsigned seen[2] = {0};
    struct xnm_diagnostics diagnostics = {count_reports, seen};
    struct xnm_rules_options options = {unicode(), &diagnostics, DEFAULT_TTL, NULL};
    struct xnm_rules rules = {0};
    char *text = malloc(lines * 12);

    (void)state;
    for (size_t i = 0; i < lines; i++)
        memcpy(text + i * 12, "bad.example\n", 12);
    assert_false(xnm_rules_parse(&rules, &options, "f", text, lines * 12));
    assert_int_equal(seen[0], XNM_RULES_ERRORS_MAX + 1);
    assert_int_equal(seen[1], XNM_RULES_ERRORS_MAX + 1);
    xnm_rules_free(&rules);
    free(text);
}

int main(void)
{
    struct test_group group = {0};

    ADD_TESTS(&group, texts, name, test_text);
    add_files(&group, "tests/rules/bad-*.conf", test_bad_file);
    add_test(&group, "the longest line", test_longest_line, NULL);
    add_test(&group, "the longest word", test_longest_word, NULL);
    ADD_TESTS(&group, floods, name, test_flood);
    add_test(&group, "the most addresses", test_addresses, NULL);
    add_test(&group, "the most scripts", test_scripts, NULL);
    add_test(&group, "the most exceptions", test_exceptions, NULL);
    add_test(&group, "a list taken for rules", test_a_list, NULL);
    add_files(&group, "tests/rules/*.conf", test_chance);
    return run_group("rules: errors", &group);
}
