/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/match.h"

#include "core/wire/walk.h"
#include "module/base/format.h"

#include <string.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void write_file(const char *file, struct xnm_match *match)
{
    size_t len = strlen(file);

    if (len >= sizeof match->file) {
        file = base_of(file);
        len = strnlen(file, sizeof match->file - 1);
    }
    memcpy(match->file, file, len);
    match->file[len] = '\0';
}

static void write_tags(const struct xnm_policy *policy, uint64_t tags, struct xnm_match *match)
{
    size_t len = 0;

    for (unsigned number = 0; tags != 0; number++, tags >>= 1) {
        const char *tag = tags & 1 ? xnm_policy_tag(policy, number) : NULL;
        size_t tag_len = tag ? strlen(tag) : 0;
        if (tag_len == 0 || tag_len + (len > 0) >= sizeof match->tags - len)
            continue;
        if (len > 0)
            match->tags[len++] = ',';
        memcpy(match->tags + len, tag, tag_len);
        len += tag_len;
    }
    match->tags[len] = '\0';
}

static void add_counter(const struct xnm_policy_rule *rule, struct xnm_match *match)
{
    if (!rule->counter)
        return;
    for (unsigned i = 0; i < match->counter_count; i++) {
        if (match->counters[i] == rule->counter)
            return; /* the same line counts once */
    }
    match->counters[match->counter_count++] = rule->counter;
}

static void write_name(const uint8_t *octets, size_t len, struct xnm_wirename *name)
{
    name->len = (uint8_t)len;
    memcpy(name->octets, octets, len);
}

/* Takes the trigger from the rule, because the decision's answer may have been removed. */
static void write_subject(const struct xnm_decision *decision, const struct xnm_policy_rule *rule,
                          struct xnm_match *match)
{
    const struct xnm_protected_name *lookalike = decision->lookalike;

    match->name.len = 0;
    match->subject[0] = '\0';
    match->label = 0;
    if (xnm_trigger_is_condition(rule->trigger)) {
        match->label = decision->label;
        strncat(match->subject, rule->subject, sizeof match->subject - 1);
    } else if (!xnm_trigger_is_lookalike(rule->trigger)) {
        write_name(decision->name.octets, decision->name.len, &match->name);
    } else if (lookalike) {
        match->match_kind = decision->match_kind;
        match->label = decision->label;
        write_name(lookalike->octets, lookalike->len, &match->name);
    }
}

void xnm_match_from(const struct xnm_policy *policy, const struct xnm_decision *decision,
                    bool log_only, struct xnm_match *match)
{
    const struct xnm_policy_answer *answer =
        decision->answer ? decision->answer : &decision->logs[0];

    match->action = answer->action;
    match->trigger = answer->rule->trigger;
    match->log_only = decision->answer ? log_only && xnm_decision_changes_answer(decision)
                                       : answer->action != XNM_LOG;
    match->wildcard = decision->scope == XNM_SCOPE_BELOW;
    write_subject(decision, answer->rule, match);
    match->target.len = 0;
    if (decision->target > 0)
        write_name(decision->target_name.octets, decision->target_name.len, &match->target);
    match->line = answer->rule->line;
    match->group[0] = '\0';
    if (decision->group)
        strncat(match->group, decision->group, sizeof match->group - 1);
    match->counter_count = 0;
    add_counter(answer->rule, match);
    for (unsigned i = 0; i < decision->log_count; i++)
        add_counter(decision->logs[i].rule, match);
    write_file(answer->rule->file, match);
    write_tags(policy, decision->tags, match);
}

bool xnm_match_has_lookalike(const struct xnm_match *match)
{
    return xnm_trigger_is_lookalike(match->trigger) && match->name.len > 0;
}

bool xnm_match_refuses(const struct xnm_match *match)
{
    return !match->log_only && match->action != XNM_LOG && match->action != XNM_PASSTHRU &&
           match->action != XNM_TCP_ONLY;
}

void xnm_match_count(const struct xnm_match *match)
{
    for (unsigned i = 0; i < match->counter_count; i++)
        atomic_fetch_add_explicit(match->counters[i], 1, memory_order_relaxed);
}

const char *xnm_match_base(const struct xnm_match *match)
{
    return base_of(match->file);
}

/* Writes a name without its final dot; the root keeps it. */
static size_t put_name(char *dst, const struct xnm_wirename *name)
{
    return xn_wire_to_text(name->octets, dst) - (name->len > 1);
}

size_t xnm_match_escape_star(char *name, size_t len)
{
    static const char escape[] = {'\\', '0', '4', '2'};

    if (len == 0 || name[0] != '*' || (len > 1 && name[1] != '.'))
        return len;
    memmove(name + sizeof escape, name + 1, len - 1);
    memcpy(name, escape, sizeof escape);
    return len - 1 + sizeof escape;
}

size_t xnm_match_subject(const struct xnm_match *match, char *dst)
{
    bool is_condition = xnm_trigger_is_condition(match->trigger);
    char *out = xnm_format(dst, xnm_trigger_word(match->trigger));

    if (is_condition ? match->label == 0 : match->name.len == 0)
        return 0;
    if (is_condition) {
        out = xnm_format(xnm_format(out, match->subject[0] ? " " : ""), match->subject);
        return (size_t)(out - dst);
    }
    out = xnm_format(out, match->wildcard ? " *." : " ");
    if (match->wildcard && match->name.len == 1)
        return (size_t)(out - dst);
    return (size_t)(out - dst) + xnm_match_escape_star(out, put_name(out, &match->name));
}

size_t xnm_match_target(const struct xnm_match *match, char *dst)
{
    return match->target.len > 0 ? put_name(dst, &match->target) : 0;
}
