/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/names.h"

#include "module/policy/data.h"

#include <stdlib.h>
#include <string.h>

/* An item is an entry's place in units, with three symbols of nine bits of its name above. A symbol
 * is a label's octet plus two; 1 at the end of a label; 0 at the end of the name. Read from the
 * last label to the first, symbols sort names in canonical order. Items with equal symbols are
 * sorted by the next three. */
enum { SYMBOLS = 3, SYMBOL_BITS = 9, LABEL_END = 1, OCTET = 2 };

static unsigned find_labels(const uint8_t *name, uint8_t label_at[XN_WIRE_LABELS_MAX])
{
    unsigned labels = 0;

    for (size_t at = 0; name[at] != 0; at += name[at] + 1u)
        label_at[labels++] = (uint8_t)at;
    return labels;
}

static uint64_t symbols_behind(const uint8_t *name, size_t passed)
{
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels = find_labels(name, label_at);
    uint64_t symbols = 0;

    while (labels > 0 && passed > name[label_at[labels - 1]])
        passed -= name[label_at[--labels]] + 1u;
    for (unsigned i = 0; i < SYMBOLS; i++) {
        const uint8_t *label = labels > 0 ? name + label_at[labels - 1] : NULL;
        symbols <<= SYMBOL_BITS;
        if (!label)
            continue;
        symbols |= passed < label[0] ? label[passed + 1] + (unsigned)OCTET : LABEL_END;
        if (passed++ < label[0])
            continue;
        labels--;
        passed = 0;
    }
    return symbols;
}

static size_t common_octets(const uint8_t *a, const uint8_t *b)
{
    size_t at = 1;

    while (at <= *a && at <= *b && a[at] == b[at])
        at++;
    return at - 1;
}

/* The number of leading symbols that two names share. */
static size_t common_symbols(const uint8_t *a, const uint8_t *b)
{
    uint8_t a_at[XN_WIRE_LABELS_MAX], b_at[XN_WIRE_LABELS_MAX];
    unsigned a_labels = find_labels(a, a_at), b_labels = find_labels(b, b_at);
    size_t common = 0;

    while (a_labels > 0 && b_labels > 0) {
        const uint8_t *x = a + a_at[--a_labels], *y = b + b_at[--b_labels];
        size_t octets = common_octets(x, y);
        common += octets;
        if (octets < *x || octets < *y)
            break;
        common++;
    }
    return common;
}

static const uint8_t *name_of(const struct xnm_policy *policy, uint64_t item)
{
    return xnm_policy_entry(policy, (size_t)(uint32_t)item * XNM_ENTRY_UNIT)->octets;
}

/* Returns how many symbols all items share, if that is worth a look. Otherwise a crafted list could
 * have each name read once for every three symbols. */
static size_t pass_common(const struct xnm_policy *policy, const uint64_t *items, size_t count,
                          size_t passed)
{
    size_t least = SIZE_MAX;

    for (size_t i = 1; i < count && least >= passed + SYMBOLS; i++) {
        size_t common = common_symbols(name_of(policy, items[0]), name_of(policy, items[i]));
        least = common < least ? common : least;
    }
    return least >= passed + SYMBOLS && count > 1 ? least : passed;
}

static int compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static bool is_ended(uint64_t item)
{
    return (item >> 32 & ((1 << SYMBOL_BITS) - 1)) == 0;
}

/* Sorts items whose names share their first symbols. A name of 255 octets has as many symbols,
 * which bounds the recursion. */
static void sort(const struct xnm_policy *policy, uint64_t *items, size_t count, size_t passed)
{
    passed = pass_common(policy, items, count, passed);
    for (size_t i = 0; i < count; i++)
        items[i] = symbols_behind(name_of(policy, items[i]), passed) << 32 | (uint32_t)items[i];
    qsort(items, count, sizeof *items, compare);
    for (size_t begin = 0, end; begin < count; begin = end) {
        for (end = begin + 1; end < count && items[end] >> 32 == items[begin] >> 32;)
            end++;
        if (end - begin > 1 && !is_ended(items[begin]))
            sort(policy, items + begin, end - begin, passed + SYMBOLS);
    }
}

bool xnm_policy_names_open(struct xnm_policy_names *names, const struct xnm_policy *policy)
{
    size_t count = policy->entry_count, number = 0;
    uint64_t *items;

    *names = (struct xnm_policy_names){.policy = policy};
    if (count == 0)
        return true;
    items = xnm_arena_add(&names->order, count * sizeof *items);
    if (!items)
        return false;
    for (size_t at = XNM_ENTRY_FIRST; at < policy->entries.len;) {
        items[number++] = at / XNM_ENTRY_UNIT;
        at += xnm_entry_size(xnm_policy_entry(policy, at)->len);
    }
    sort(policy, items, count, 0);
    return true;
}

/* The number of last labels that the current name and another one share. */
static unsigned common_labels(const struct xnm_policy_names *names, const uint8_t *other,
                              const uint8_t *label_at, unsigned labels)
{
    unsigned common = 0;

    while (common < names->labels && common < labels) {
        const uint8_t *a = names->octets + names->label_at[names->labels - common - 1];
        const uint8_t *b = other + label_at[labels - common - 1];
        if (a[0] != b[0] || memcmp(a, b, a[0] + 1u) != 0) /* the other name may be shorter */
            break;
        common++;
    }
    return common;
}

/* Moves to the next entry with another name. */
static bool advance(struct xnm_policy_names *names)
{
    const uint64_t *items = (const uint64_t *)(const void *)names->order.octets;
    uint8_t label_at[XN_WIRE_LABELS_MAX];

    while (names->next < names->policy->entry_count) {
        const uint8_t *octets = name_of(names->policy, items[names->next++]);
        unsigned labels = find_labels(octets, label_at);
        unsigned common = common_labels(names, octets, label_at, labels);
        if (common == labels) /* a duplicate: a name never comes after one below it */
            continue;
        names->octets = octets;
        memcpy(names->label_at, label_at, labels);
        names->labels = labels;
        names->given = common;
        return true;
    }
    return false;
}

bool xnm_policy_names_next(struct xnm_policy_names *names, const uint8_t **name, size_t *len)
{
    static const uint8_t root[1] = {0};

    if (names->policy->entry_count == 0)
        return false;
    if (!names->begun) {
        names->begun = true;
        *name = root;
        *len = 1;
        return true;
    }
    if (names->given == names->labels && !advance(names))
        return false;
    names->given++;
    *name = names->octets + names->label_at[names->labels - names->given];
    *len = 1;
    for (size_t at = 0; (*name)[at] != 0; at += (*name)[at] + 1u)
        *len += (*name)[at] + 1u;
    return true;
}

void xnm_policy_names_free(struct xnm_policy_names *names)
{
    xnm_arena_free(&names->order);
}
