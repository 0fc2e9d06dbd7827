/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the parts of a compiled policy that become structs: rules, and whom they are for. */
#include "core/wire/wire.h"
#include "module/compiled/layout.h"

#include "core/lookalike/script.h"
#include "module/base/rrtype.h"
#include "module/build/audience.h"
#include "module/build/line.h"
#include "module/build/verdicts.h"
#include "module/rule/rule.h"
#include "module/zone/zonefile.h"

#include <limits.h>
#include <string.h>

static const char bad_rules[] = "rules", bad_tags[] = "tags", bad_clients[] = "groups or audiences",
                  bad_sources[] = "names of files";

/* --- parts --- */

/* The text at a place. NULL: there is no such place, or the text is longer than any path (its users
 * would have to read it all). */
static const char *text_at(const struct xnm_compiled_reading *reading, uint32_t at)
{
    const char *text = xnm_compiled_part(reading->head, XNM_COMPILED_TEXT);

    return at < reading->head->sections[XNM_COMPILED_TEXT].len &&
                   strnlen(text + at, PATH_MAX) < PATH_MAX
               ? text + at
               : NULL;
}

static bool is_name(const uint8_t *octets, size_t len)
{
    struct xn_wire_cursor cursor;

    return xn_wire_open(&cursor, octets, len) == XN_OK;
}

/* --- tags and sources --- */

static const char *read_tags(struct xnm_compiled_reading *reading)
{
    const uint32_t *at = xnm_compiled_part(reading->head, XNM_COMPILED_TAGS);
    uint32_t count;

    if (!xnm_compiled_count(reading, XNM_COMPILED_TAGS, sizeof *at, &count) || count > XNM_TAGS_MAX)
        return bad_tags;
    for (uint32_t i = 0; i < count; i++) {
        const char *tag = text_at(reading, at[i]);
        if (!tag || !xnm_rule_is_tag(tag, strlen(tag)))
            return bad_tags;
        reading->policy->tags[i] = tag;
    }
    reading->policy->tag_count = count;
    return NULL;
}

static const char *check_sources(const struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_source *sources =
        xnm_compiled_part(reading->head, XNM_COMPILED_SOURCES);
    uint32_t count;

    if (!xnm_compiled_count(reading, XNM_COMPILED_SOURCES, sizeof *sources, &count))
        return bad_sources;
    for (uint32_t i = 0; i < count; i++)
        if (!xnm_compiled_goes_on(reading, i) || !text_at(reading, sources[i].path))
            return bad_sources;
    return NULL;
}

/* --- clients --- */

/* Takes a set's ranges at *at, and moves it after them. False: they do not fit, or are no set. */
static bool take_ranges(const struct xnm_compiled_reading *reading,
                        const struct xnm_compiled_client_set *from, uint64_t *at,
                        struct xnm_ranges *ranges)
{
    const uint8_t *octets = xnm_compiled_part(reading->head, XNM_COMPILED_RANGES);
    uint64_t left = reading->head->sections[XNM_COMPILED_RANGES].len - *at;

    for (unsigned family = 0; family < XNM_FAMILIES; family++) {
        uint64_t len = from->count[family] * 2ULL * xnm_family_len(family);
        if (len > left)
            return false;
        ranges->octets[family] = octets + *at;
        ranges->count[family] = from->count[family];
        *at += len;
        left -= len;
    }
    return xnm_ranges_are_good(ranges);
}

static bool read_client_set(const struct xnm_compiled_reading *reading,
                            const struct xnm_compiled_client_set *from, uint64_t *at,
                            struct xnm_client_set *set)
{
    bool has_path = from->path != XNM_COMPILED_NONE;

    set->group = text_at(reading, from->group);
    set->path = has_path ? text_at(reading, from->path) : NULL;
    return set->group && xnm_group_is_name(set->group, strlen(set->group)) &&
           (set->path || !has_path) && take_ranges(reading, from, at, &set->ranges);
}

static const char *read_client_sets(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_client_set *from =
        xnm_compiled_part(reading->head, XNM_COMPILED_CLIENT_SETS);
    struct xnm_policy *policy = reading->policy;
    uint64_t at = 0;
    uint32_t count;

    if (!xnm_compiled_count(reading, XNM_COMPILED_CLIENT_SETS, sizeof *from, &count) ||
        count > XNM_CLIENT_SETS_MAX)
        return bad_clients;
    for (uint32_t i = 0; i < count; i++) {
        struct xnm_client_set *set = xnm_arena_add(&policy->client_sets, sizeof *set);
        if (!set)
            return xnm_compiled_no_memory;
        if (!xnm_compiled_goes_on(reading, i) || !read_client_set(reading, &from[i], &at, set))
            return bad_clients;
    }
    return at == reading->head->sections[XNM_COMPILED_RANGES].len ? NULL : bad_clients;
}

static const char *read_audiences(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_audience *from =
        xnm_compiled_part(reading->head, XNM_COMPILED_AUDIENCES);
    uint32_t count;

    if (!xnm_compiled_count(reading, XNM_COMPILED_AUDIENCES, sizeof *from, &count))
        return bad_clients;
    for (uint32_t i = 0; i < count; i++) {
        bool has_client = from[i].client != XNM_COMPILED_NONE;
        bool has_when = from[i].when != XNM_COMPILED_NONE;
        const char *client = has_client ? text_at(reading, from[i].client) : NULL;
        const char *when = has_when ? text_at(reading, from[i].when) : NULL, *why;
        uint16_t number;
        if ((has_client && !client) || (has_when && !when))
            return bad_clients;
        if (!xnm_audience_number(reading->policy, client, when, &number, &why))
            return why ? bad_clients : xnm_compiled_no_memory;
        if (number != i + 1)
            return bad_clients;
    }
    reading->audience_count = count;
    return NULL;
}

/* --- label rules --- */

static const char *read_excepts(struct xnm_compiled_reading *reading)
{
    const struct xnm_wirename *from = xnm_compiled_part(reading->head, XNM_COMPILED_EXCEPTS);

    if (!xnm_compiled_count(reading, XNM_COMPILED_EXCEPTS, sizeof *from, &reading->except_count))
        return bad_rules;
    reading->excepts = xnm_pool_take(&reading->policy->pool, reading->except_count * sizeof *from);
    if (!reading->excepts)
        return xnm_compiled_no_memory;
    for (uint32_t i = 0; i < reading->except_count; i++) {
        if (!xnm_compiled_goes_on(reading, i) || !is_name(from[i].octets, from[i].len))
            return bad_rules;
        reading->excepts[i] = from[i];
    }
    return NULL;
}

/* The verdict of a label rule must belong to the same line. A shadowed rule's verdict is unused. */
static bool is_own_verdict(const struct xnm_compiled_reading *reading,
                           const struct xnm_label_rule *label_rule)
{
    const struct xnm_policy_verdict *verdict;

    if (label_rule->verdict >= reading->verdict_count)
        return false;
    verdict = xnm_policy_verdict(reading->policy, label_rule->verdict);
    return !verdict->used ||
           xnm_policy_line(reading->policy, verdict->line)->label_rule == label_rule;
}

static bool check_label_rule(const struct xnm_compiled_reading *reading,
                             const struct xnm_compiled_label_rule *from)
{
    return from->key <= XN_KEY_STRICT && from->ascii <= XN_ASCII_WIDE &&
           from->level <= XN_LEVEL_UNRESTRICTED && from->except_at <= reading->except_count &&
           from->except_count <= reading->except_count - from->except_at;
}

static bool read_label_rule(const struct xnm_compiled_reading *reading,
                            const struct xnm_compiled_label_rule *from,
                            struct xnm_label_rule *label_rule)
{
    if (!check_label_rule(reading, from))
        return false;
    *label_rule = (struct xnm_label_rule){
        .verdict = from->verdict,
        .protection = {.key = from->key,
                       .ascii = from->ascii,
                       .any_tld = from->any_tld != 0,
                       .private = from->private != 0,
                       .any_label = from->any_label != 0,
                       .near = from->near != 0,
                       .within = from->within != 0,
                       .min = from->min,
                       .strict_min = from->strict_min},
        .condition = {.outside = from->outside != 0,
                      .level = from->level,
                      .except = reading->excepts + from->except_at,
                      .except_count = from->except_count},
    };
    memcpy(label_rule->condition.scripts.bits, from->scripts, sizeof from->scripts);
    return is_own_verdict(reading, label_rule);
}

static const char *read_label_rules(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_label_rule *from =
        xnm_compiled_part(reading->head, XNM_COMPILED_LABEL_RULES);

    for (uint32_t i = 0; i < reading->label_rule_count; i++)
        if (!xnm_compiled_goes_on(reading, i) ||
            !read_label_rule(reading, &from[i], &reading->label_rules[i]))
            return bad_rules;
    return NULL;
}

/* --- lines --- */

/* Checks the number of a line's label rule: it must be the next one, or none if the trigger has no
 * label rule. */
static bool check_late_number(const struct xnm_compiled_reading *reading,
                              const struct xnm_compiled_line *from)
{
    if (!xnm_policyline_is_label_rule(from->trigger))
        return from->label_rule == XNM_COMPILED_NONE;
    return from->label_rule == reading->label_rules_taken &&
           from->label_rule < reading->label_rule_count;
}

static bool check_line(const struct xnm_compiled_reading *reading,
                       const struct xnm_compiled_line *from)
{
    if (from->action >= XNM_ACTION_COUNT || from->trigger >= XNM_TRIGGER_COUNT ||
        (from->action == XNM_ACTION_NONE) != (from->trigger == XNM_TRIGGER_RPZ))
        return false;
    return check_late_number(reading, from) && from->audience <= reading->audience_count &&
           from->type_count <= XNM_RULE_TYPES_MAX && from->tag >= -1 &&
           from->tag < (int)reading->policy->tag_count && from->ede >= XNM_EDE_DEFAULT &&
           from->ede <= XNM_EDE_MAX && from->ttl <= XNM_TTL_MAX;
}

/* Is it safe to log? A condition's words are logged unescaped. */
static bool is_shown_subject(xnm_trigger trigger, const char *subject)
{
    static const char octets[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-, ";

    return !xnm_trigger_is_condition(trigger) || subject[strspn(subject, octets)] == '\0';
}

static bool read_line(struct xnm_compiled_reading *reading, const struct xnm_compiled_line *from,
                      struct xnm_policy_line *line)
{
    bool has_text = from->ede_text != XNM_COMPILED_NONE;

    if (!check_line(reading, from))
        return false;
    line->shown.file = text_at(reading, from->file);
    line->shown.subject = text_at(reading, from->subject);
    line->shown.line = from->line;
    line->shown.action = from->action;
    line->shown.trigger = from->trigger;
    line->shown.tag = from->tag;
    line->column = from->column;
    line->rank =
        xnm_policyline_rank(from->action, from->trigger, from->log_only != 0, &reading->ranked);
    line->log_only = from->log_only != 0;
    reading->lists += xnm_trigger_has_path(from->trigger);
    line->ttl = from->ttl;
    line->ede = from->ede;
    line->ede_text = has_text ? text_at(reading, from->ede_text) : NULL;
    line->type_count = from->type_count;
    memcpy(line->types, from->types, sizeof line->types);
    line->audience = from->audience;
    if (from->audience > 0) {
        line->shown.client = xnm_policy_audience(reading->policy, from->audience)->client;
        line->shown.when = xnm_policy_audience(reading->policy, from->audience)->when;
    }
    line->label_rule = from->label_rule != XNM_COMPILED_NONE
                           ? &reading->label_rules[reading->label_rules_taken++]
                           : NULL;
    memcpy(line->unseen, from->unseen, sizeof line->unseen);
    return line->shown.file && line->shown.subject &&
           is_shown_subject(from->trigger, line->shown.subject) &&
           (!has_text ||
            (line->ede_text && xnm_rule_is_ede_text(line->ede_text, strlen(line->ede_text))));
}

static const char *read_lines(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_line *from = xnm_compiled_part(reading->head, XNM_COMPILED_LINES);
    struct xnm_policy *policy = reading->policy;

    if (!xnm_compiled_count(reading, XNM_COMPILED_LINES, sizeof *from, &reading->line_count) ||
        !xnm_compiled_count(reading, XNM_COMPILED_LABEL_RULES,
                            sizeof(struct xnm_compiled_label_rule), &reading->label_rule_count))
        return bad_rules;
    reading->label_rules =
        xnm_pool_take(&policy->pool, reading->label_rule_count * sizeof *reading->label_rules);
    if (!reading->label_rules ||
        !xnm_compiled_room(&policy->lines, reading->line_count * sizeof(struct xnm_policy_line)))
        return xnm_compiled_no_memory;
    policy->line_count = reading->line_count;
    for (uint32_t i = 0; i < reading->line_count; i++) {
        struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (!xnm_compiled_goes_on(reading, i) || !read_line(reading, &from[i], line))
            return bad_rules;
        xnm_policyline_name(policy, line);
        if (!xnm_policyline_count(policy, line))
            return xnm_compiled_no_memory;
    }
    return reading->label_rules_taken == reading->label_rule_count &&
                   reading->lists <= XNM_LISTS_MAX
               ? NULL
               : bad_rules;
}

/* --- together --- */

const char *xnm_compiled_read_rules(struct xnm_compiled_reading *reading)
{
    static const char *(*const steps[])(struct xnm_compiled_reading *) = {
        read_tags,  read_client_sets,           read_audiences,  read_excepts,
        read_lines, xnm_compiled_read_verdicts, read_label_rules};
    const char *fault = check_sources(reading);

    for (size_t i = 0; i < sizeof steps / sizeof *steps && !fault; i++)
        fault = steps[i](reading);
    if (!fault)
        xnm_verdicts_note_contests(reading->policy);
    return fault;
}
