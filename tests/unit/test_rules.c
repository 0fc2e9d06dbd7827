/* SPDX-License-Identifier: BSD-3-Clause */
/* What good rules say. */
#include "tests/unit/rulesread.h"

#include "module/ruletable.h"

#include <arpa/inet.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- a rule as text --- */

struct output {
    char text[4096];
    size_t len;
};

static void __attribute__((format(printf, 2, 3)))
put(struct output *output, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    output->len += (size_t)vsnprintf(output->text + output->len, sizeof output->text - output->len,
                                     format, args);
    va_end(args);
    assert_true(output->len < sizeof output->text);
}

static void put_name(struct output *output, const uint8_t *wire)
{
    char name[XN_WIRE_TEXT_MAX + 1];

    name[xn_wire_to_text(wire, name)] = '\0';
    put(output, "%s", name);
}

static void put_record(struct output *output, const struct xnm_record *record)
{
    char address[INET6_ADDRSTRLEN];

    put(output, " [%u %u ", record->type, record->ttl);
    if (record->type == 1 || record->type == 28)
        put(output, "%s",
            inet_ntop(record->type == 1 ? AF_INET : AF_INET6, record->rdata, address,
                      sizeof address));
    else if (record->type == 5)
        put_name(output, record->rdata);
    else
        for (size_t i = 0; i < record->rdata_len; i++)
            put(output, "%02x", record->rdata[i]);
    put(output, "]");
}

/* Every member but file, line and column; those of no meaning for the rule are checked to be as
 * they were made. */
static const char *describe(struct output *output, const struct xnm_rule *rule)
{
    bool name = rule->trigger == XNM_TRIGGER_NAME || rule->trigger == XNM_TRIGGER_ZONE;

    *output = (struct output){0};
    put(output, "%s %s ", xnm_action_word(rule->action), xnm_trigger_word(rule->trigger));
    if (name) {
        put(output, "%s",
            rule->scope == XNM_SCOPE_BELOW  ? "*."
            : rule->scope == XNM_SCOPE_ZONE ? "**."
                                            : "");
        put_name(output, rule->name.octets);
        assert_null(rule->path);
        assert_int_equal(rule->path_column, 0);
    } else {
        put(output, "%s@%u", rule->path, rule->path_column);
        assert_int_equal(rule->name.len, 0);
    }
    for (size_t i = 0; i < rule->type_count; i++)
        put(output, " type=%u", rule->types[i]);
    put(output, " ttl=%u%s ede=%d", rule->ttl, rule->has_ttl ? "!" : "", rule->ede);
    if (rule->ede_text)
        put(output, ":\"%s\"", rule->ede_text);
    if (rule->tag)
        put(output, " tag=%s", rule->tag);
    if (rule->suffixes)
        put(output, " suffixes");
    if (rule->origin) {
        put(output, " origin=");
        put_name(output, rule->origin->octets);
    }
    for (size_t i = 0; i < rule->record_count; i++)
        put_record(output, &rule->records[i]);
    return output->text;
}

/* --- one line, one rule --- */

#define IDN_EXAMPLE "xn--e1afmkfd.example." /* пример.example */
#define HELLO "0cd0bfd180d0b8d0b2d0b5d182"  /* "привет" as a string of RDATA */

static struct line {
    const char *text; /* in dir/f */
    const char *rule;
} lines[] = {
    /* DESIGN's examples: every action */
    {"passthru name пример.example", "passthru name " IDN_EXAMPLE " ttl=60 ede=-1"},
    {"nxdomain zone пример.example", "nxdomain zone **." IDN_EXAMPLE " ttl=60 ede=15"},
    {"refuse name *.пример.example", "refuse name *." IDN_EXAMPLE " ttl=60 ede=15"},
    {"nodata zone пример.example type=AAAA",
     "nodata zone **." IDN_EXAMPLE " type=28 ttl=60 ede=15"},
    {"drop zone xn--e1afmkfd.example", "drop zone **." IDN_EXAMPLE " ttl=60 ede=-1"},
    {"redirect 192.0.2.80 2001:db8::80 zone пример.example ttl=5",
     "redirect zone **." IDN_EXAMPLE " ttl=5! ede=4 [1 5 192.0.2.80] [28 5 2001:db8::80]"},
    {"cname walled.example.net zone пример.example",
     "cname zone **." IDN_EXAMPLE " ttl=60 ede=4 [5 60 walled.example.net.]"},
    {"answer name пример.example ttl=5 TXT \"привет\"",
     "answer name " IDN_EXAMPLE " ttl=5! ede=4 [16 5 " HELLO "]"},
    {"tcp-only name пример.example", "tcp-only name " IDN_EXAMPLE " ttl=60 ede=-1"},
    {"log zone пример.example tag=watch", "log zone **." IDN_EXAMPLE " ttl=60 ede=-1 tag=watch"},
    {"nxdomain zones /etc/b.txt ede=15:\"Blocked by policy\"",
     "nxdomain zones /etc/b.txt@16 ttl=60 ede=15:\"Blocked by policy\""},
    {"rpz /etc/rpz.zone", "rpz rpz /etc/rpz.zone@5 ttl=60 ede=-2"},

    /* names */
    {"nxdomain zone .", "nxdomain zone **.. ttl=60 ede=15"},
    {"nxdomain name .", "nxdomain name . ttl=60 ede=15"},
    {"nxdomain name a.example.", "nxdomain name a.example. ttl=60 ede=15"},
    {"nxdomain name A.Example", "nxdomain name a.example. ttl=60 ede=15"},
    {"nxdomain name name", "nxdomain name name. ttl=60 ede=15"},
    {"nxdomain zone names", "nxdomain zone **.names. ttl=60 ede=15"},
    {"nxdomain name \"пример.example\"", "nxdomain name " IDN_EXAMPLE " ttl=60 ede=15"},
    {"nxdomain name _dmarc.пример.example", "nxdomain name _dmarc." IDN_EXAMPLE " ttl=60 ede=15"},

    /* what stands before the trigger */
    {"redirect ::1 name a.b", "redirect name a.b. ttl=60 ede=4 [28 60 ::1]"},
    {"redirect \"192.0.2.1\" name a.b", "redirect name a.b. ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"redirect ::ffff:192.0.2.1 192.0.2.1 name a.b",
     "redirect name a.b. ttl=60 ede=4 [28 60 ::ffff:192.0.2.1] [1 60 192.0.2.1]"},
    {"cname zone. zone a.b", "cname zone **.a.b. ttl=60 ede=4 [5 60 zone.]"},
    {"cname \"zone\" zone a.b", "cname zone **.a.b. ttl=60 ede=4 [5 60 zone.]"},
    {"cname Пример.example name a.b", "cname name a.b. ttl=60 ede=4 [5 60 " IDN_EXAMPLE "]"},
    {"cname b name a.b", "cname name a.b. ttl=60 ede=4 [5 60 b.]"},
    {"cname x.a.b name a.b", "cname name a.b. ttl=60 ede=4 [5 60 x.a.b.]"},
    {"cname a.b name *.a.b", "cname name *.a.b. ttl=60 ede=4 [5 60 a.b.]"},
    {"cname xa.b zone a.b", "cname zone **.a.b. ttl=60 ede=4 [5 60 xa.b.]"},
    {"cname b zone a.b", "cname zone **.a.b. ttl=60 ede=4 [5 60 b.]"},

    /* lists */
    {"passthru names l", "passthru names dir/l@16 ttl=60 ede=-1"},
    {"log zones l tag=t suffixes=yes", "log zones dir/l@11 ttl=60 ede=-1 tag=t suffixes"},
    {"nxdomain names ../l suffixes=no", "nxdomain names dir/../l@16 ttl=60 ede=15"},
    {"nxdomain names \"my list\"", "nxdomain names dir/my list@16 ttl=60 ede=15"},
    {"nxdomain names \"a \\\"b\\\" \\\\ c\"", "nxdomain names dir/a \"b\" \\ c@16 ttl=60 ede=15"},
    {"nxdomain names список", "nxdomain names dir/список@16 ttl=60 ede=15"},
    {"nxdomain names a=b", "nxdomain names dir/a=b@16 ttl=60 ede=15"},
    {"nxdomain names \"ttl=5\"", "nxdomain names dir/ttl=5@16 ttl=60 ede=15"},
    {"nxdomain names a#b", "nxdomain names dir/a#b@16 ttl=60 ede=15"},
    {"nxdomain names a\"b", "nxdomain names dir/a\"b@16 ttl=60 ede=15"},
    {"redirect 192.0.2.1 names l", "redirect names dir/l@26 ttl=60 ede=4 [1 60 192.0.2.1]"},
    {"cname a.b zones l", "cname zones dir/l@17 ttl=60 ede=4 [5 60 a.b.]"},
    {"answer names l ttl=7 A 192.0.2.1", "answer names dir/l@14 ttl=7! ede=4 [1 7 192.0.2.1]"},
    {"rpz r origin=Пример.example suffixes=yes ede=off",
     "rpz rpz dir/r@5 ttl=60 ede=-1 suffixes origin=" IDN_EXAMPLE},
    {"rpz r ede=17:x", "rpz rpz dir/r@5 ttl=60 ede=17:\"x\""},
    {"rpz rpz", "rpz rpz dir/rpz@5 ttl=60 ede=-2"},

    /* options */
    {"refuse name a.b type=A,TYPE28,mx", "refuse name a.b. type=1 type=28 type=15 ttl=60 ede=15"},
    {"nxdomain name a.b ttl=0", "nxdomain name a.b. ttl=0! ede=15"},
    {"nxdomain name a.b ttl=2147483647", "nxdomain name a.b. ttl=2147483647! ede=15"},
    {"nxdomain name a.b ede=0", "nxdomain name a.b. ttl=60 ede=0"},
    {"nxdomain name a.b ede=65535:\"\"", "nxdomain name a.b. ttl=60 ede=65535"},
    {"nxdomain name a.b ede=off", "nxdomain name a.b. ttl=60 ede=-1"},
    {"nxdomain name a.b ede=\"15:нет: да\"", "nxdomain name a.b. ttl=60 ede=15:\"нет: да\""},
    {"nxdomain name a.b ede=1:\"a \\\"b\\\" # c\"",
     "nxdomain name a.b. ttl=60 ede=1:\"a \"b\" # c\""},
    {"log name a.b tag=\"a.B_9-\"", "log name a.b. ttl=60 ede=-1 tag=a.B_9-"},
    {"log name a.b tag=abcdefghijklmnopqrstuvwxyz012345",
     "log name a.b. ttl=60 ede=-1 tag=abcdefghijklmnopqrstuvwxyz012345"},
    {"log name a.b type=A tag=x", "log name a.b. type=1 ttl=60 ede=-1 tag=x"},

    /* RDATA */
    {"answer name a.b TXT \"a # b\"", "answer name a.b. ttl=60 ede=4 [16 60 056120232062]"},
    {"answer name a.b TXT \"a\\\" # b\" # c",
     "answer name a.b. ttl=60 ede=4 [16 60 06612220232062]"},
    {"answer name a.b TXT a#b", "answer name a.b. ttl=60 ede=4 [16 60 03612362]"},
    {"answer name a.b TXT \"ttl=5\"", "answer name a.b. ttl=60 ede=4 [16 60 0574746c3d35]"},
    {"answer name a.b TXT v=spf1", "answer name a.b. ttl=60 ede=4 [16 60 06763d73706631]"},
    {"answer name a.b aaaa 2001:db8::1 # c", "answer name a.b. ttl=60 ede=4 [28 60 2001:db8::1]"},
    {"answer name a.b ede=off ttl=1 MX 10 пример.example",
     "answer name a.b. ttl=1! ede=-1 [15 1 000a0c786e2d2d653161666d6b6664076578616d706c6500]"},
};

/* Each with the rule in it, and no other. */
static const char *const layouts[] = {
    "%s", "%s\n", "%s\r\n", "\xEF\xBB\xBF%s\n", " \t%s \t\n", "# комментарий\n\n%s # nxdomain\n#",
};

static void test_line(void **state)
{
    const struct line *row = *state;
    static char reports[REPORTS_MAX];
    char text[512];
    struct output output;

    for (size_t i = 0; i < COUNT(layouts); i++) {
        struct xnm_rules rules = {0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        int len = snprintf(text, sizeof text, layouts[i], row->text);
#pragma GCC diagnostic pop
        bool good = read_rules(&rules, "dir/f", text, (size_t)len, reports);
        assert_string_equal(reports, "");
        assert_true(good);
        assert_int_equal(rules.count, 1);
        assert_int_equal(rules.file_count, 1);
        assert_string_equal(rules.rules[0].file, "dir/f");
        assert_int_equal(rules.rules[0].line, i == 5 ? 3 : 1);
        assert_int_equal(rules.rules[0].column, i == 4 ? 3 : 1);
        if (i != 4) /* where path_column is another one */
            assert_string_equal(describe(&output, &rules.rules[0]), row->rule);
        xnm_rules_free(&rules);
        assert_null(rules.rules);
    }
}

/* --- the table --- */

/* What a line of each action has before its trigger and behind its options, and its default. */
static const struct form {
    const char *before, *behind;
    int ede;
} forms[XNM_ACTION_COUNT] = {
    [XNM_ACTION_NONE] = {"", "", XNM_EDE_DEFAULT},
    [XNM_PASSTHRU] = {"", "", XNM_EDE_OFF},
    [XNM_NXDOMAIN] = {"", "", 15},
    [XNM_NODATA] = {"", "", 15},
    [XNM_REFUSE] = {"", "", 15},
    [XNM_DROP] = {"", "", XNM_EDE_OFF},
    [XNM_REDIRECT] = {"192.0.2.1", "", 4},
    [XNM_CNAME] = {"walled.example", "", 4},
    [XNM_ANSWER] = {"", "A 192.0.2.1", 4},
    [XNM_TCP_ONLY] = {"", "", XNM_EDE_OFF},
    [XNM_LOG] = {"", "", XNM_EDE_OFF},
};

static const char *const values[XNM_OPTION_COUNT] = {
    [XNM_OPTION_TYPE] = "type=A",
    [XNM_OPTION_TTL] = "ttl=5",
    [XNM_OPTION_EDE] = "ede=17",
    [XNM_OPTION_TAG] = "tag=t",
    [XNM_OPTION_SUFFIXES] = "suffixes=yes",
    [XNM_OPTION_ORIGIN] = "origin=o",
};

static int write_form(char *text, size_t cap, xnm_action action, xnm_trigger trigger,
                      const char *option)
{
    if (action == XNM_ACTION_NONE)
        return snprintf(text, cap, "rpz x %s", option);
    return snprintf(text, cap, "%s %s %s x %s %s", xnm_action_word(action), forms[action].before,
                    xnm_trigger_word(trigger), option, forms[action].behind);
}

static void expect_form(xnm_action action, xnm_trigger trigger, const char *option, bool goes)
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    char text[256];
    int len = write_form(text, sizeof text, action, trigger, option);
    bool good = read_rules(&rules, "f", text, (size_t)len, reports);

    if (good != goes)
        fail_msg("%s: %s", text, reports);
    assert_int_equal(rules.count, goes);
    if (goes && strstr(option, "ede=") == NULL)
        assert_int_equal(rules.rules[0].ede, forms[action].ede);
    xnm_rules_free(&rules);
}

/* The parser does what the table says, of every option with every action and trigger. */
static void test_combination(void **state)
{
    xnm_action action = (xnm_action)(uintptr_t)*state;

    for (xnm_trigger trigger = 0; trigger < XNM_TRIGGER_COUNT; trigger++) {
        if ((action == XNM_ACTION_NONE) != (trigger == XNM_TRIGGER_RPZ))
            continue;
        expect_form(action, trigger, "", true);
        for (xnm_option option = 0; option < XNM_OPTION_COUNT; option++)
            expect_form(action, trigger, values[option],
                        xnm_ruletable_option_goes(option, action, trigger));
    }
}

/* What a cell of the manual's table says: the triggers that an option goes with. */
static const char *cell_of(xnm_action action, xnm_option option)
{
    bool names = xnm_ruletable_option_goes(option, action, XNM_TRIGGER_NAME);
    bool lists = xnm_ruletable_option_goes(option, action, XNM_TRIGGER_NAMES);

    if (action == XNM_ACTION_NONE)
        return xnm_ruletable_option_goes(option, action, XNM_TRIGGER_RPZ) ? "yes" : "-";
    assert_int_equal(names, xnm_ruletable_option_goes(option, action, XNM_TRIGGER_ZONE));
    assert_int_equal(lists, xnm_ruletable_option_goes(option, action, XNM_TRIGGER_ZONES));
    return names && lists ? "yes" : lists ? "lists" : names ? "names" : "-";
}

/* The row of the manual's table that the source's table makes. */
static void write_row(char *row, size_t cap, xnm_action action)
{
    static const char *const defaults[] = {"by entry", "off"};
    size_t len = (size_t)snprintf(row, cap, ".It Ic %s", xnm_action_word(action));
    int ede = forms[action].ede;

    for (xnm_option option = 0; option < XNM_OPTION_COUNT; option++)
        len += (size_t)snprintf(row + len, cap - len, " Ta %s", cell_of(action, option));
    if (ede < 0)
        snprintf(row + len, cap - len, " Ta %s\n", defaults[ede == XNM_EDE_OFF]);
    else
        snprintf(row + len, cap - len, " Ta %d\n", ede);
}

static void test_manual(void **state)
{
    size_t len;
    char *manual = file_text("doc/idn-policy.conf.5", &len), row[256];
    char head[256] = ".It Em action";

    (void)state;
    for (xnm_option option = 0; option < XNM_OPTION_COUNT; option++)
        snprintf(head + strlen(head), sizeof head - strlen(head),
                 " Ta Ic %s=", xnm_option_word(option));
    strcat(head, " Ta default EDE\n");
    const char *at = strstr(manual, head);
    if (!at)
        fail_msg("no line %s", head);
    at += strlen(head);
    for (unsigned n = 1; n <= XNM_ACTION_COUNT; n++) {
        write_row(row, sizeof row, n % XNM_ACTION_COUNT);
        if (strncmp(at, row, strlen(row)) != 0)
            fail_msg("expected %s, the manual has %.*s", row, (int)strcspn(at, "\n"), at);
        at += strlen(row);
    }
    assert_memory_equal(at, ".El\n", 4);
    free(manual);
}

/* The text of the first literal block of a section. */
static const char *literal_block(const char *manual, const char *section, size_t *len)
{
    static const char open[] = ".Bd -literal\n";
    const char *at = strstr(manual, section);

    assert_non_null(at);
    at = strstr(at, open) + sizeof open - 1;
    *len = (size_t)(strstr(at, ".Ed\n") - at);
    return at;
}

/* The manual's examples are rules, and its errors are said. */
static void test_manual_examples(void **state)
{
    static const char bad[] =
        "\nnxdomain  zone  a.example  type=A\n\n\nredirect 192.0.2.256 zone a.example\n";
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    size_t len, text_len;
    char *manual = file_text("doc/idn-policy.conf.5", &len);
    const char *text = literal_block(manual, ".Sh SYNOPSIS\n", &text_len);

    (void)state;
    assert_true(read_rules(&rules, "synopsis", text, text_len, reports));
    assert_string_equal(reports, "");
    text = literal_block(manual, ".Sh EXAMPLES\n", &text_len);
    assert_true(read_rules(&rules, "examples", text, text_len, reports));
    assert_string_equal(reports, "");
    assert_int_equal(rules.count, 4 + 6);
    text = literal_block(manual, ".Sh FILES AND ERRORS\n", &text_len);
    assert_false(read_rules(&rules, "idn-policy.conf", bad, sizeof bad - 1, reports));
    assert_int_equal(strlen(reports), text_len);
    assert_memory_equal(reports, text, text_len);
    free(manual);
    xnm_rules_free(&rules);
}

/* --- files --- */

static void test_good_file(void **state)
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    size_t len;
    char *text = file_text(*state, &len);
    bool good = read_rules(&rules, *state, text, len, reports);

    free(text);
    if (!good) /* warnings are fine */
        fail_msg("%s", reports);
    assert_true(rules.count > 0);
    xnm_rules_free(&rules);
}

/* The example has each action once, and no list that is not there. */
static void test_example(void **state)
{
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    unsigned seen[XNM_ACTION_COUNT] = {0};
    size_t len;
    char *text = file_text("conf/idn-policy.conf", &len);

    (void)state;
    assert_true(read_rules(&rules, "conf/idn-policy.conf", text, len, reports));
    assert_string_equal(reports, "");
    for (size_t i = 0; i < rules.count; i++) {
        seen[rules.rules[i].action]++;
        if (rules.rules[i].path)
            free(file_text(rules.rules[i].path, &len));
    }
    for (xnm_action action = XNM_PASSTHRU; action < XNM_ACTION_COUNT; action++)
        if (seen[action] == 0)
            fail_msg("%s is missing", xnm_action_word(action));
    free(text);
    xnm_rules_free(&rules);
}

/* Files one after the other; lines with an error leave the others alone. */
static void test_several_files(void **state)
{
    static const char first[] = "drop name a\nbad\nnxdomain name b", second[] = "rpz c";
    static char reports[REPORTS_MAX];
    struct xnm_rules rules = {0};
    struct output output;

    (void)state;
    assert_false(read_rules(&rules, "x/1", first, sizeof first - 1, reports));
    assert_true(read_rules(&rules, "/y/2", second, sizeof second - 1, reports));
    assert_true(read_rules(&rules, "3", "", 0, reports));
    assert_int_equal(rules.file_count, 3);
    assert_string_equal(rules.files[2], "3");
    assert_int_equal(rules.count, 3);
    assert_string_equal(describe(&output, &rules.rules[1]), "nxdomain name b. ttl=60 ede=15");
    assert_int_equal(rules.rules[1].line, 3);
    assert_ptr_equal(rules.rules[1].file, rules.files[0]);
    assert_string_equal(describe(&output, &rules.rules[2]), "rpz rpz /y/c@5 ttl=60 ede=-2");
    assert_int_equal(rules.rules[2].line, 1);
    assert_string_equal(rules.rules[2].file, "/y/2");
    xnm_rules_free(&rules);
    xnm_rules_free(&rules);
}

static void test_many(void **state)
{
    enum { MANY = 5000, ROOM = 40 };
    static char reports[REPORTS_MAX], text[MANY * ROOM];
    struct xnm_rules rules = {0};
    struct output output;
    size_t len = 0;

    (void)state;
    for (unsigned i = 0; i < MANY; i++)
        len += (size_t)snprintf(text + len, ROOM, "redirect 192.0.2.1 name x%u\n", i);
    assert_true(read_rules(&rules, "f", text, len, reports));
    assert_int_equal(rules.count, MANY);
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, ROOM, "redirect name x%u. ttl=60", i);
        assert_memory_equal(describe(&output, &rules.rules[i]), text, strlen(text));
        assert_int_equal(rules.rules[i].line, i + 1);
    }
    xnm_rules_free(&rules);
}

int main(void)
{
    struct test_group group = {0};

    for (size_t i = 0; i < COUNT(lines); i++)
        add_test(&group, lines[i].text, test_line, &lines[i]);
    for (uintptr_t action = 0; action < XNM_ACTION_COUNT; action++)
        add_test(&group, xnm_action_word((xnm_action)action), test_combination, (void *)action);
    add_test(&group, "the manual's table", test_manual, NULL);
    add_test(&group, "the manual's examples", test_manual_examples, NULL);
    add_files(&group, "tests/rules/good-*.conf", test_good_file);
    add_test(&group, "the example has every action", test_example, NULL);
    add_test(&group, "several files", test_several_files, NULL);
    add_test(&group, "many rules", test_many, NULL);
    return run_group("rules", &group);
}
