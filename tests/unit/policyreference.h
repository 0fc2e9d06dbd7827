/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rule wins, as the design says it word by word, by trying every rule on every name: slow,
 * and sharing nothing with the policy but its structs. */
#ifndef XN_TESTS_UNIT_POLICYREFERENCE_H
#define XN_TESTS_UNIT_POLICYREFERENCE_H

#include "module/policy.h"

#include <ctype.h>

enum { ITEMS_MAX = 4096, TAG_COUNT = 5 };

/* --- a policy as a list of what can match --- */

struct item {
    unsigned line; /* of its rule, from 1 */
    xnm_trigger trigger;
    xnm_action action;
    xnm_scope scope;
    struct xnm_wirename name;
    uint16_t types[3];
    unsigned type_count;
    unsigned tag;   /* of log; TAG_COUNT: none */
    unsigned value; /* of an answer: last octet of its address */
};

struct set {
    struct item items[ITEMS_MAX];
    unsigned count, lines;
};

static inline bool is_list(xnm_trigger trigger)
{
    return trigger == XNM_TRIGGER_NAMES || trigger == XNM_TRIGGER_ZONES;
}

static inline bool has_value(xnm_action action)
{
    return action == XNM_ANSWER || action == XNM_REDIRECT || action == XNM_CNAME;
}

/* --- the matcher --- */

/* Offsets of a name's labels. */
static inline unsigned labels_of(const struct xnm_wirename *name, unsigned *at)
{
    unsigned count = 0;

    for (unsigned i = 0; name->octets[i] != 0; i += name->octets[i] + 1U)
        at[count++] = i;
    return count;
}

static inline bool same_label(const uint8_t *a, const uint8_t *b)
{
    for (unsigned i = 0; i <= a[0]; i++) {
        if (tolower(a[i]) != tolower(b[i]))
            return false;
    }
    return true;
}

/* How many labels `name` has more than `end`, which it ends with; -1: it does not. */
static inline int labels_before(const struct xnm_wirename *name, const struct xnm_wirename *end)
{
    unsigned name_at[128], end_at[128];
    unsigned name_count = labels_of(name, name_at), end_count = labels_of(end, end_at);

    if (name_count < end_count)
        return -1;
    for (unsigned i = 1; i <= end_count; i++) {
        if (!same_label(name->octets + name_at[name_count - i],
                        end->octets + end_at[end_count - i]))
            return -1;
    }
    return (int)(name_count - end_count);
}

static inline bool matches(const struct item *item, const struct xnm_wirename *name, uint16_t qtype)
{
    int before = labels_before(name, &item->name);
    bool type_fits = item->type_count == 0;

    for (unsigned i = 0; i < item->type_count; i++)
        type_fits |= item->types[i] == qtype;
    if (!type_fits || before < 0)
        return false;
    if (item->scope == XNM_SCOPE_EXACT)
        return before == 0;
    return item->scope == XNM_SCOPE_ZONE || before > 0;
}

/* "Rules written in rule files, and every `passthru` list". */
static inline bool in_tier_1(const struct item *item)
{
    if (item->action == XNM_LOG || item->trigger == XNM_TRIGGER_RPZ)
        return false;
    return !is_list(item->trigger) || item->action == XNM_PASSTHRU;
}

static inline bool in_tier_2(const struct item *item)
{
    return item->action != XNM_LOG && !in_tier_1(item);
}

/* "exact over `*.` and zone, longer over shorter": 1 a, -1 b, 0 equals. */
static inline int longer(const struct item *a, const struct item *b)
{
    if ((a->scope == XNM_SCOPE_EXACT) != (b->scope == XNM_SCOPE_EXACT))
        return a->scope == XNM_SCOPE_EXACT ? 1 : -1;
    return (a->name.len > b->name.len) - (a->name.len < b->name.len);
}

/* "between equals `passthru`, else the earlier line": items are in the order of lines. */
static inline const struct item *decide_tier_1(const struct set *set,
                                               const struct xnm_wirename *name, uint16_t qtype)
{
    const struct item *best = NULL;

    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        if (!in_tier_1(item) || !matches(item, name, qtype))
            continue;
        if (!best || longer(item, best) > 0)
            best = item;
        else if (longer(item, best) == 0 && item->action == XNM_PASSTHRU &&
                 best->action != XNM_PASSTHRU)
            best = item;
    }
    return best;
}

/* "Feeds in file order; the first feed with a match decides, inside it the longest". */
static inline const struct item *decide_tier_2(const struct set *set,
                                               const struct xnm_wirename *name, uint16_t qtype)
{
    for (unsigned line = 1; line <= set->lines; line++) {
        const struct item *best = NULL;
        for (unsigned i = 0; i < set->count; i++) {
            const struct item *item = &set->items[i];
            if (item->line == line && in_tier_2(item) && matches(item, name, qtype) &&
                (!best || longer(item, best) > 0))
                best = item;
        }
        if (best)
            return best;
    }
    return NULL;
}

/* --- what is expected --- */

struct expected {
    const struct item *item; /* that decides */
    unsigned target;
    uint64_t tags;
    const struct item *logs[ITEMS_MAX]; /* the longest entry of each line, on the first name */
    unsigned log_targets[ITEMS_MAX];
    unsigned log_count;
};

static inline void expect_logs(const struct set *set, const struct xnm_wirename *name,
                               uint16_t qtype, unsigned target, struct expected *expected)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct item *item = &set->items[i];
        unsigned at = 0;
        if (item->action != XNM_LOG || !matches(item, name, qtype))
            continue;
        if (item->tag < TAG_COUNT)
            expected->tags |= 1ULL << item->tag;
        while (at < expected->log_count && expected->logs[at]->line < item->line)
            at++;
        bool known = at < expected->log_count && expected->logs[at]->line == item->line;
        if (!known) {
            for (unsigned j = expected->log_count++; j > at; j--) {
                expected->logs[j] = expected->logs[j - 1];
                expected->log_targets[j] = expected->log_targets[j - 1];
            }
        }
        if (!known ||
            (expected->log_targets[at] == target && longer(item, expected->logs[at]) > 0)) {
            expected->logs[at] = item;
            expected->log_targets[at] = target;
        }
    }
}

static inline void expect(const struct set *set, const struct xnm_wirename *names, unsigned count,
                          uint16_t qtype, struct expected *expected)
{
    *expected = (struct expected){.item = NULL};
    for (unsigned target = 0; target < count; target++) {
        const struct item *item = decide_tier_1(set, &names[target], qtype);
        if (!item)
            item = decide_tier_2(set, &names[target], qtype);
        expect_logs(set, &names[target], qtype, target, expected);
        if (!item)
            continue;
        if (item->action != XNM_PASSTHRU || !expected->item) {
            expected->item = item;
            expected->target = target;
        }
        if (item->action != XNM_PASSTHRU || target == 0)
            return;
    }
}

#endif
