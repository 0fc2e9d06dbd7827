/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of a rule as tests write them: tests/unit/policytext.h. */
#ifndef XN_TESTS_UNIT_RULEWORDS_H
#define XN_TESTS_UNIT_RULEWORDS_H

#include "core/lookalike/shape.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"
#include "tests/unit/nametext.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline xnm_action action_of(const char *word)
{
    xnm_action action = XNM_ACTION_NONE;

    while (action < XNM_ACTION_COUNT && strcmp(word, xnm_action_word(action)) != 0)
        action++;
    assert_true(action < XNM_ACTION_COUNT);
    return action;
}

static inline xnm_trigger trigger_of(const char *word)
{
    xnm_trigger trigger = XNM_TRIGGER_NAME;

    while (trigger < XNM_TRIGGER_COUNT && strcmp(word, xnm_trigger_word(trigger)) != 0)
        trigger++;
    assert_true(trigger < XNM_TRIGGER_COUNT);
    return trigger;
}

static inline xnm_scope scope_of(const char **word)
{
    if (strncmp(*word, "*.", 2) == 0) {
        *word += 2;
        return XNM_SCOPE_BELOW;
    }
    if ((*word)[0] == '.' && (*word)[1] != '\0') {
        *word += 1;
        return XNM_SCOPE_ZONE;
    }
    return XNM_SCOPE_EXACT;
}

enum { TEXT_RECORDS_MAX = 8 };

struct text_records {
    struct xnm_record records[TEXT_RECORDS_MAX];
    uint8_t rdata[TEXT_RECORDS_MAX][4];
    size_t count;
};

static inline void add_text_record(struct text_records *records, const char *word)
{
    uint8_t *rdata = records->rdata[records->count];

    memcpy(rdata, (const uint8_t[]){192, 0, 2, (uint8_t)atoi(word)}, 4);
    records->records[records->count++] =
        (struct xnm_record){.type = 1, .rdata_len = 4, .ttl = 300, .rdata = rdata};
}

/* Returns the text after the option's word, or NULL if the word is another. */
static inline const char *option_value(const char *word, const char *option)
{
    size_t len = strlen(option);

    return strncmp(word, option, len) == 0 ? word + len : NULL;
}

static inline bool read_protection(const char *word, struct xnm_protection *protection)
{
    const char *value;

    if ((value = option_value(word, "key=")))
        protection->key = strcmp(value, "strict") == 0 ? XN_KEY_STRICT : XN_KEY_EXACT;
    else if ((value = option_value(word, "tld=")))
        protection->any_tld = strcmp(value, "any") == 0;
    else if ((value = option_value(word, "label=")))
        protection->any_label = strcmp(value, "any") == 0;
    else if ((value = option_value(word, "near=")))
        protection->near = strcmp(value, "1") == 0;
    else if ((value = option_value(word, "within=")))
        protection->within = strcmp(value, "yes") == 0;
    else if ((value = option_value(word, "words=")))
        protection->words = (uint8_t)atoi(value);
    else if ((value = option_value(word, "elsewhere=")))
        protection->elsewhere = strcmp(value, "yes") == 0;
    else if ((value = option_value(word, "min=")))
        protection->min = (uint8_t)atoi(value);
    else if ((value = option_value(word, "ascii=")))
        while (strcmp(value, xn_ascii_word(protection->ascii)) != 0)
            protection->ascii++;
    return value != NULL;
}

enum { TEXT_EXCEPT_MAX = 8 };
static inline void read_except(char *words, struct xnm_condition *condition)
{
    static struct xnm_wirename names[TEXT_EXCEPT_MAX];
    const char *word;

    condition->except = names;
    while ((word = strsep(&words, ",")))
        wirename_of(word, &names[condition->except_count++]);
}

static inline void read_spared(char *path, struct xnm_rule *rule)
{
    static struct xnm_rule spared;

    spared = (struct xnm_rule){
        .action = XNM_PASSTHRU, .trigger = XNM_TRIGGER_ZONES, .file = rule->file, .path = path};
    rule->except = &spared;
}

static inline bool read_list_option(const char *word, struct xnm_rule *rule)
{
    static struct xnm_wirename origin;
    const char *value = option_value(word, "origin=");

    if (value) {
        wirename_of(value, &origin);
        rule->origin = &origin;
        return true;
    }
    value = option_value(word, "action=");
    if (value)
        rule->override = action_of(value);
    rule->suffixes |= strcmp(word, "suffixes=yes") == 0;
    rule->log_only |= strcmp(word, "mode=log-only") == 0;
    return value || strcmp(word, "suffixes=yes") == 0 || strcmp(word, "mode=log-only") == 0;
}

static inline bool read_text_audience(const char *word, struct xnm_rule *rule)
{
    const char *client = option_value(word, "client="), *when = option_value(word, "when=");

    if (client)
        rule->client = (char *)(uintptr_t)client;
    if (when)
        rule->when = (char *)(uintptr_t)when;
    return client || when;
}

static inline void read_option(char *word, struct xnm_rule *rule, struct text_records *records)
{
    if (strncmp(word, "except=", 7) == 0) {
        if (xnm_trigger_is_lookalike(rule->trigger))
            read_spared(word + 7, rule);
        else
            read_except(word + 7, &rule->condition);
        return;
    }
    if (read_protection(word, &rule->protection) || read_list_option(word, rule) ||
        read_text_audience(word, rule))
        return;
    if (strncmp(word, "type=", 5) == 0) {
        rule->types[rule->type_count++] = (uint16_t)atoi(word + 5);
    } else if (strncmp(word, "tag=", 4) == 0) {
        rule->tag = (char *)(uintptr_t)(word + 4);
    } else if (strncmp(word, "ttl=", 4) == 0) {
        rule->has_ttl = true;
        rule->ttl = (uint32_t)atoi(word + 4);
    } else if (strncmp(word, "ede=", 4) == 0) {
        char *text = strchr(word, ':');
        rule->ede = atoi(word + 4);
        rule->ede_text = text ? text + 1 : NULL;
    } else {
        add_text_record(records, word);
    }
}

static inline void read_condition(char **words, struct xnm_rule *rule)
{
    const char *first, *codes;

    if (rule->trigger == XNM_TRIGGER_SCRIPT_LEVEL) {
        first = strsep(words, " ");
        while (strcmp(first, xn_level_word(rule->condition.level)) != 0)
            rule->condition.level++;
        strcpy(rule->subject, first);
    } else if (rule->trigger == XNM_TRIGGER_SCRIPT) {
        first = strsep(words, " ");
        codes = strsep(words, " ");
        rule->condition.outside = strcmp(first, "not-in") == 0;
        sprintf(rule->subject, "%s %s", first, codes);
        while (*codes) {
            size_t len = strcspn(codes, ",");
            assert_true(xn_script_set_add(&rule->condition.scripts, codes, len));
            codes += len + (codes[len] == ',');
        }
    }
}

static inline void read_subject(char **words, struct xnm_rule *rule)
{
    const char *subject = strsep(words, " ");

    rule->path = (char *)(uintptr_t)subject;
    if (xnm_trigger_has_path(rule->trigger))
        return;
    rule->scope = scope_of(&subject);
    if (rule->trigger != XNM_TRIGGER_NAME)
        rule->scope = XNM_SCOPE_ZONE;
    wirename_of(subject, &rule->name);
}

#endif
