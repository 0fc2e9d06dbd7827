/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules as text, and lines of one rule each. */
#ifndef XN_TESTS_UNIT_RULETEXT_H
#define XN_TESTS_UNIT_RULETEXT_H

#include "core/lookalike/shape.h"
#include "core/wire/wire.h"
#include "tests/unit/rulesread.h"

#include "module/policy/policy.h"
#include "module/rule/ruletable.h"

#include <arpa/inet.h>

/* --- a rule as text --- */

struct output {
    char text[4096];
    size_t len;
};

static inline void __attribute__((format(printf, 2, 3)))
put(struct output *output, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    output->len += (size_t)vsnprintf(output->text + output->len, sizeof output->text - output->len,
                                     format, args);
    va_end(args);
    assert_true(output->len < sizeof output->text);
}

static inline void put_name(struct output *output, const uint8_t *wire)
{
    char name[XN_WIRE_TEXT_MAX + 1];

    name[xn_wire_to_text(wire, name)] = '\0';
    put(output, "%s", name);
}

static inline void put_record(struct output *output, const struct xnm_record *record)
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

/* Writes the text after the trigger, and checks that members without a meaning for the rule are
 * unchanged. */
static inline void put_subject(struct output *output, const struct xnm_rule *rule)
{
    bool path = xnm_trigger_has_path(rule->trigger),
         condition = xnm_trigger_is_condition(rule->trigger);

    if (condition) {
        put(output, "%s", rule->subject);
    } else if (path) {
        put(output, "%s@%u", rule->path, rule->path_column);
    } else {
        put(output, "%s",
            rule->scope == XNM_SCOPE_BELOW  ? "*."
            : rule->scope == XNM_SCOPE_ZONE ? "**."
                                            : "");
        put_name(output, rule->name.octets);
    }
    assert_int_equal(rule->path != NULL, path);
    assert_int_equal(rule->path_column > 0, path);
    assert_int_equal(rule->name.len == 0, path || condition);
    assert_true(condition || rule->subject[0] == '\0');
    assert_int_equal(rule->subject[0] != '\0', rule->trigger == XNM_TRIGGER_SCRIPT ||
                                                   rule->trigger == XNM_TRIGGER_SCRIPT_LEVEL);
}

static inline void put_protection(struct output *output, const struct xnm_rule *rule)
{
    const struct xnm_protection *protection = &rule->protection;
    static const struct xnm_protection none;

    if (!xnm_trigger_is_lookalike(rule->trigger)) {
        assert_memory_equal(protection, &none, sizeof none);
        return;
    }
    put(output, " key=%s%s%s ascii=%s min=%u%s%s%s", xn_key_word(protection->key),
        protection->any_tld ? " any-tld" : "", protection->any_label ? " any-label" : "",
        xn_ascii_word(protection->ascii), protection->min, protection->near ? " near" : "",
        protection->within ? " within" : "", protection->elsewhere ? " elsewhere" : "");
    if (rule->words)
        put(output, " words=%s@%u", rule->words, rule->words_column);
}

/* The file of a look-alike rule's except=, which is a rule of its own for list readers. */
static inline void put_spared(struct output *output, const struct xnm_rule *rule)
{
    const struct xnm_rule *spared = rule->except;

    if (!spared)
        return;
    assert_true(xnm_trigger_is_lookalike(rule->trigger));
    assert_int_equal(spared->action, XNM_PASSTHRU);
    assert_int_equal(spared->trigger, XNM_TRIGGER_ZONES);
    assert_int_equal(spared->shrink, XNM_RULE_SHRINK_ANY);
    assert_ptr_equal(spared->file, rule->file);
    assert_int_equal(spared->line, rule->line);
    assert_null(spared->except);
    put(output, " except=%s@%u", spared->path, spared->path_column);
}

static inline void put_condition(struct output *output, const struct xnm_rule *rule)
{
    const struct xnm_condition *condition = &rule->condition;
    static const struct xn_script_set no_scripts;
    bool script = rule->trigger == XNM_TRIGGER_SCRIPT;

    assert_int_equal(memcmp(&condition->scripts, &no_scripts, sizeof no_scripts) != 0, script);
    assert_true(script || !condition->outside);
    if (condition->outside)
        put(output, " outside");
    if (rule->trigger == XNM_TRIGGER_SCRIPT_LEVEL)
        put(output, " level=%s", xn_level_word(condition->level));
    else
        assert_int_equal(condition->level, 0);
    assert_true(condition->except_count == 0 || rule->trigger == XNM_TRIGGER_WHOLESCRIPT);
    for (size_t i = 0; i < condition->except_count; i++) {
        put(output, " except=");
        put_name(output, condition->except[i].octets);
    }
}

/* Every member but file, line and column. */
static inline const char *describe(struct output *output, const struct xnm_rule *rule)
{
    *output = (struct output){0};
    put(output, "%s %s ", xnm_action_word(rule->action), xnm_trigger_word(rule->trigger));
    put_subject(output, rule);
    put_protection(output, rule);
    put_spared(output, rule);
    put_condition(output, rule);
    for (size_t i = 0; i < rule->type_count; i++)
        put(output, " type=%u", rule->types[i]);
    put(output, " ttl=%u%s ede=%d", rule->ttl, rule->has_ttl ? "!" : "", rule->ede);
    if (rule->ede_text)
        put(output, ":\"%s\"", rule->ede_text);
    if (rule->why)
        put(output, " why=\"%s\"", rule->why);
    if (rule->sub_error)
        put(output, " sub-error=%s", xnm_sub_error_word(rule->sub_error));
    if (rule->tag)
        put(output, " tag=%s", rule->tag);
    if (rule->client)
        put(output, " client=%s", rule->client);
    if (rule->when)
        put(output, " when=%s", rule->when);
    if (rule->suffixes)
        put(output, " suffixes");
    if (rule->log_only)
        put(output, " log-only");
    if (rule->override != XNM_ACTION_NONE)
        put(output, " action=%s", xnm_action_word(rule->override));
    if (rule->shrink != XNM_RULE_SHRINK)
        put(output, " shrink=%d%%", rule->shrink);
    if (rule->origin) {
        put(output, " origin=");
        put_name(output, rule->origin->octets);
    }
    for (xnm_unmet kind = 0; kind < XNM_UNMET_COUNT; kind++)
        if (rule->skip >> kind & 1)
            put(output, "%s%s", rule->skip >> kind << kind == rule->skip ? " skip=" : ",",
                xnm_unmet_word(kind));
    if (rule->expire != XNM_EXPIRE_REPORT)
        put(output, " expire=%s", rule->expire == XNM_EXPIRE_YES ? "yes" : "no");
    if (rule->url)
        put(output, " url=%s", rule->url);
    for (size_t i = 0; i < rule->record_count; i++)
        put_record(output, &rule->records[i]);
    return output->text;
}

/* --- one line, one rule --- */

#define IDN_EXAMPLE "xn--e1afmkfd.example." /* пример.example */

struct rule_line {
    const char *text; /* in dir/f */
    const char *rule;
};

/* Each with the rule in it, and no other. */
static const char *const layouts[] = {
    "%s", "%s\n", "%s\r\n", "\xEF\xBB\xBF%s\n", " \t%s \t\n", "# комментарий\n\n%s # nxdomain\n#",
};

static inline void test_line(void **state)
{
    const struct rule_line *row = *state;
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

#endif
