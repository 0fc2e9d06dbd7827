/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the look-alike index of a policy: the protected names of all rules and lists, and the
 * names exempt from them. */
#include "module/base/diagnostics.h"
#include "module/base/same.h"
#include "module/build/lookalikefill.h"
#include "module/build/shadowed.h"
#include "module/policy/lookalikehash.h"
#include "module/rule/protection.h"

#include <string.h>

void xnm_lookalikeindex_trim(struct xnm_lookalikeindex *lookalikes)
{
    xnm_arena_trim(&lookalikes->names);
    xnm_arena_trim(&lookalikes->exempt);
    xnm_arena_trim(&lookalikes->slots);
    xnm_arena_trim(&lookalikes->every.words);
    xnm_arena_trim(&lookalikes->plain.words);
}

/* --- adding names --- */

enum { PROTECTED_LINE_MAX = (1 << 26) - 1 }; /* this many lines would take more than 10 GB */

/* Adds a protected name to a line, with its own min= (0: it has none). The name is in wire format,
 * lower case. Returns false when out of memory. */
static bool add_name(struct xnm_policy *policy, uint32_t line, const struct xnm_table_entry *entry,
                     uint32_t min)
{
    struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    const struct xnm_policy_line *rule = xnm_policy_line(policy, line);
    struct xnm_protection_part part =
        xnm_protection_part(&rule->label_rule->protection, entry->octets, entry->len);
    size_t at = lookalikes->names.len;

    if (at / XNM_LOOKALIKE_UNIT > UINT32_MAX || line > PROTECTED_LINE_MAX)
        return false;
    struct xnm_protected_name *name =
        xnm_arena_add(&lookalikes->names, xnm_lookalike_name_size(entry->len));
    if (!name)
        return false;
    name->line = line & PROTECTED_LINE_MAX;
    name->start = (uint8_t)part.start;
    name->end = (uint8_t)part.end;
    name->len = entry->len;
    name->min = min & XN_WIRE_LABEL_MAX;
    memcpy(name->octets, entry->octets, entry->len);
    lookalikes->count++;
    return true;
}

/* Adds all names of a list. */
static bool add_list(struct xnm_policy *policy, uint32_t line, const struct xnm_table *table)
{
    for (const struct xnm_table_entry *entry = NULL;
         table && (entry = xnm_table_walk(table, entry));) {
        if (!add_name(policy, line, entry, entry->answer_scope >> 2))
            return false;
    }
    return true;
}

/* Returns the octets of all names. */
static size_t names_size(const struct xnm_table *table)
{
    size_t size = 0;

    for (const struct xnm_table_entry *entry = NULL;
         table && (entry = xnm_table_walk(table, entry));) {
        size += xnm_lookalike_name_size(entry->len);
    }
    return size;
}

/* Makes room for all names, and no more: the budget was charged for that. */
static bool make_room(struct xnm_policy *policy, const struct xnm_table *written)
{
    size_t size = XNM_LOOKALIKE_FIRST + names_size(written);

    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (line->label_rule)
            size += names_size(line->table);
    }
    if (size == XNM_LOOKALIKE_FIRST)
        return true;
    return xnm_arena_reserve(&policy->lookalikes.names, size) &&
           xnm_arena_add(&policy->lookalikes.names, XNM_LOOKALIKE_FIRST);
}

/* Adds the names of all lines, in line order. `written` has those of rule files. */
static bool add_names(struct xnm_policy *policy, const struct xnm_table *written)
{
    size_t at = XNM_TABLE_FIRST;

    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (line->rule.trigger == XNM_TRIGGER_LOOKALIKE) {
            const struct xnm_table_entry *entry = xnm_table_entry(written, at);
            if (!add_name(policy, (uint32_t)i, entry, 0))
                return false;
            at += xnm_table_entry_size(entry->len);
        } else if (line->label_rule && !add_list(policy, (uint32_t)i, line->table)) {
            return false;
        }
    }
    return true;
}

/* --- the table of exempt names --- */

static bool make_exempt(struct xnm_lookalikeindex *lookalikes)
{
    lookalikes->exempt_count = xnm_lookalikefill_places(lookalikes->count);
    xnm_arena_free(&lookalikes->exempt);
    return lookalikes->exempt_count <= UINT32_MAX &&
           xnm_arena_add(&lookalikes->exempt, lookalikes->exempt_count * sizeof(uint32_t));
}

/* Returns whether a protected name shadows a later one that is equal to it. */
static bool replaces(struct xnm_shadowed *shadowed, const struct xnm_protected_name *earlier,
                     const struct xnm_protected_name *later)
{
    const struct xnm_policy_line *a = xnm_policy_line(shadowed->policy, earlier->line);
    const struct xnm_policy_line *b = xnm_policy_line(shadowed->policy, later->line);
    const struct xnm_protection *p = &a->label_rule->protection, *q = &b->label_rule->protection;

    if (earlier->line == later->line)
        return earlier->min == later->min;
    return a->rule.trigger == XNM_TRIGGER_LOOKALIKE && b->rule.trigger == XNM_TRIGGER_LOOKALIKE &&
           p->key == q->key && p->ascii == q->ascii && p->any_tld == q->any_tld &&
           p->any_label == q->any_label && p->min == q->min && p->near == q->near &&
           p->within == q->within && p->elsewhere == q->elsewhere && p->words == q->words &&
           xnm_same(a->label_rule->except_path, b->label_rule->except_path) &&
           xnm_shadowed_is(shadowed, XNM_OWNER_OF_LINE(earlier->line), &a->label_rule->answer,
                           b->label_rule->answer);
}

/* Returns whether the name is in a rule file, not in a list. */
static bool is_written(const struct xnm_policy *policy, const struct xnm_protected_name *name)
{
    return xnm_policy_line(policy, name->line)->rule.trigger == XNM_TRIGGER_LOOKALIKE;
}

/* Adds a name to the table of exempt names. Returns false if an earlier name replaces it. */
static bool put_exempt(struct xnm_shadowed *shadowed, size_t at)
{
    const struct xnm_policy *policy = shadowed->policy;
    const struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at), *other;
    uint64_t hash = xnm_lookalike_hash(policy, name->octets, name->len);
    size_t place = xnm_hash_place(hash, lookalikes->exempt_count);
    uint32_t *places = (uint32_t *)(void *)lookalikes->exempt.octets;
    unsigned written = 0; /* rules with the same name */

    for (; places[place] != 0; place = xnm_hash_next(place, lookalikes->exempt_count)) {
        other = xnm_lookalike_name(lookalikes, (size_t)places[place] * XNM_LOOKALIKE_UNIT);
        if (other->len != name->len || memcmp(other->octets, name->octets, name->len) != 0)
            continue;
        if (replaces(shadowed, other, name))
            return false;
        written += is_written(policy, other);
    }
    if (written >= XNM_NEEDED_MAX && is_written(policy, name))
        xnm_shadowed_refuse(shadowed, xnm_policy_line(policy, name->line));
    places[place] = (uint32_t)(at / XNM_LOOKALIKE_UNIT);
    return true;
}

static void note_name(struct xnm_policy *policy, size_t at)
{
    struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at);
    unsigned labels = 0;

    xnm_policy_line(policy, name->line)->rule.entry_count++;
    lookalikes->count++;
    for (const uint8_t *label = name->octets; label[0] != 0; label += label[0] + 1)
        labels++;
    xnm_depths_note(&lookalikes->depths, labels);
}

/* Inserts all names into a table of the right size, and closes the gaps that dropped names leave in
 * the arena. Returns false when out of memory, or if xnm_shadowed_is_over. */
static bool put_names(struct xnm_shadowed *shadowed)
{
    struct xnm_policy *policy = shadowed->policy;
    struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    size_t kept = XNM_LOOKALIKE_FIRST;

    if (!make_exempt(lookalikes))
        return false;
    lookalikes->count = 0;
    for (size_t i = 0; i < policy->line_count; i++) {
        struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (line->label_rule)
            line->rule.entry_count = 0;
    }
    for (size_t at = XNM_LOOKALIKE_FIRST;
         at < lookalikes->names.len && !xnm_shadowed_is_over(shadowed);) {
        size_t size = xnm_lookalike_name_size(xnm_lookalike_name(lookalikes, at)->len);
        memmove(xnm_lookalike_name(lookalikes, kept), xnm_lookalike_name(lookalikes, at), size);
        if (put_exempt(shadowed, kept)) {
            note_name(policy, kept);
            kept += size;
        }
        at += size;
    }
    lookalikes->names.len = kept;
    return !xnm_shadowed_is_over(shadowed);
}

static void report_left_out(const struct xnm_shadowed *shadowed)
{
    const struct xnm_policy *policy = shadowed->policy;

    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        const struct xnm_place place = {line->rule.file, line->rule.line, line->column};
        char path[512];
        if (!line->label_rule)
            continue;
        xnm_diagnostics_quote(line->rule.subject, strlen(line->rule.subject), path, sizeof path);
        if (line->label_rule->left_out > 0)
            xnm_diagnostics_add(
                shadowed->diagnostics, XNM_ERROR, &place,
                "%zu names of '%s' are not protected: each looks like %d other names of "
                "that list or more",
                line->label_rule->left_out, path, XNM_LOOKALIKE_ALIKE_MAX);
        if (line->label_rule->parts_left_out > 0)
            xnm_diagnostics_add(
                shadowed->diagnostics, XNM_WARNING, &place,
                "near=, within=, words= or elsewhere= finds not all look-alikes of %zu names of "
                "'%s': too many names of that list are alike, %d or more",
                line->label_rule->parts_left_out, path, XNM_LOOKALIKE_ALIKE_MAX);
    }
}

bool xnm_lookalikeindex_make(struct xnm_shadowed *shadowed, const struct xnm_table *written)
{
    struct xnm_policy *policy = shadowed->policy;
    struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    if (!make_room(policy, written) || !add_names(policy, written))
        return false;
    size_t expected = lookalikes->count;
    if (expected == 0)
        return true;
    if (!put_names(shadowed))
        return false;
    /* The table is too large for the names that are left: rebuild it. */
    if (expected - lookalikes->count > expected / 8 && !put_names(shadowed))
        return false;
    if (!xnm_lookalikefill_table(policy, shadowed->stop))
        return false;
    report_left_out(shadowed);
    return true;
}
