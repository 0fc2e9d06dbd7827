/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/rules/policynames.h"

#include "core/wire/walk.h"
#include "module/policy/data.h"

#include <stdlib.h>
#include <string.h>

static int compare_labels(const uint8_t *a, const uint8_t *b)
{
    int order = memcmp(a + 1, b + 1, *a < *b ? *a : *b);

    return order != 0 ? order : *a - *b;
}

/* Compares two entries in canonical order: labels from the right, each octet by octet; a name comes
 * before those below it. */
static int compare(const void *a, const void *b)
{
    const uint8_t *x = (*(const struct xnm_table_entry *const *)a)->octets;
    const uint8_t *y = (*(const struct xnm_table_entry *const *)b)->octets;
    uint8_t x_at[XN_WIRE_LABELS_MAX], y_at[XN_WIRE_LABELS_MAX];
    unsigned x_labels = xn_wire_find_labels(x, x_at), y_labels = xn_wire_find_labels(y, y_at);

    while (x_labels > 0 && y_labels > 0) {
        int order = compare_labels(x + x_at[--x_labels], y + y_at[--y_labels]);
        if (order != 0)
            return order;
    }
    return (x_labels > 0) - (y_labels > 0);
}

/* Adds the entries of a table. Returns false when out of memory. */
static bool add_table(struct policynames *names, const struct xnm_table *table)
{
    const struct xnm_table_entry **entries;

    if (table->entry_count == 0)
        return true;
    entries = xnm_arena_add(&names->entries, table->entry_count * sizeof *entries);
    if (!entries)
        return false;
    for (const struct xnm_table_entry *entry = NULL; (entry = xnm_table_walk(table, entry));)
        *entries++ = entry;
    names->count += table->entry_count;
    return true;
}

static bool add_tables(struct policynames *names, const struct xnm_policy *policy)
{
    bool good = add_table(names, policy->written);

    for (size_t i = 0; i < policy->line_count && good; i++) {
        const struct xnm_table *table = xnm_policy_line_list(xnm_policy_line(policy, i));
        good = !table || add_table(names, table);
    }
    return good;
}

bool policynames_open(struct policynames *names, const struct xnm_policy *policy)
{
    *names = (struct policynames){0};
    if (!add_tables(names, policy)) {
        policynames_free(names);
        return false;
    }
    if (names->count > 0)
        qsort(names->entries.octets, names->count, sizeof(struct xnm_table_entry *), compare);
    return true;
}

/* Returns the number of last labels that the current name and another one share. */
static unsigned common_labels(const struct policynames *names, const uint8_t *other,
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
static bool advance(struct policynames *names)
{
    const struct xnm_table_entry *const *entries = (const void *)names->entries.octets;
    uint8_t label_at[XN_WIRE_LABELS_MAX];

    while (names->next < names->count) {
        const uint8_t *octets = entries[names->next++]->octets;
        unsigned labels = xn_wire_find_labels(octets, label_at);
        unsigned common = common_labels(names, octets, label_at, labels);
        if (common == labels) /* a duplicate: a name never comes after one below it */
            continue;
        names->octets = octets;
        memcpy(names->label_at, label_at, labels);
        names->labels = labels;
        names->returned = common;
        return true;
    }
    return false;
}

bool policynames_next(struct policynames *names, const uint8_t **name, size_t *len)
{
    static const uint8_t root[1] = {0};

    if (names->count == 0)
        return false;
    if (!names->begun) {
        names->begun = true;
        *name = root;
        *len = 1;
        return true;
    }
    if (names->returned == names->labels && !advance(names))
        return false;
    names->returned++;
    *name = names->octets + names->label_at[names->labels - names->returned];
    *len = 1;
    for (size_t at = 0; (*name)[at] != 0; at += (*name)[at] + 1u)
        *len += (*name)[at] + 1u;
    return true;
}

void policynames_free(struct policynames *names)
{
    xnm_arena_free(&names->entries);
}
