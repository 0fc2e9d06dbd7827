/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the entry of one list or zone that decides a name. */
#include "module/policy/search.h"
#include "module/table/hash.h"

#include <string.h>

/* --- modifiers --- */

/* Returns whether an entry with types is about the question. An answer to ANY may contain every
 * type, and DNS64 makes answers from A records, as for the types of rules (policy.h). An exemption
 * or an entry of a passthru list must name the query's type. */
static bool has_type(const struct xnm_search *search, const struct xnm_modifiers *modifiers)
{
    const struct xnm_question *question = search->question;
    bool exempts = modifiers->exempts || search->list_exempts;
    bool any = question->qtype == XNM_TYPE_ANY, listed = false, has_a = false, may_hold = false;

    for (unsigned i = 0; i < modifiers->type_count; i++) {
        listed |= modifiers->types[i] == question->qtype;
        has_a |= modifiers->types[i] == XNM_TYPE_A;
        may_hold |= xnm_search_may_contain(question, modifiers->types[i]);
    }
    if (!modifiers->but_types)
        return listed || (may_hold && !exempts);
    if (exempts)
        return !listed && !any;
    return !listed || (question->from_a && !has_a);
}

static bool is_within(const struct xnm_qname *name, const uint8_t *other, size_t len)
{
    return len <= name->len && memcmp(name->octets + name->len - len, other, len) == 0 &&
           (len == name->len || memchr(name->label_at, (int)(name->len - len), name->labels));
}

/* Returns whether an entry is about the current name and the question. An entry with types is not
 * about a question without a type (0). */
static bool is_about(const struct xnm_search *search, const struct xnm_modifiers *modifiers)
{
    if (!modifiers)
        return true;
    if (modifiers->type_count > 0 && (search->question->qtype == 0 || !has_type(search, modifiers)))
        return false;
    for (uint32_t at = 0, len; at < modifiers->denied_len; at += len) {
        const uint8_t *other = modifiers->denied + at;
        for (len = 0; other[len] != 0; len += other[len] + 1u)
            ;
        if (is_within(search->name, other, ++len))
            return false;
    }
    return true;
}

/* The sets of modifiers of a list that were compared with the current name: bit n is of the set
 * with number n + 1. Without this, a list that has each set at each name above a deep name would
 * compare its names of $denyallow= a hundred times. */
struct compared {
    uint64_t sets[XNM_MODIFIERS_MAX / 64], about[XNM_MODIFIERS_MAX / 64];
};

static bool is_about_once(const struct xnm_search *search, const struct xnm_modifiers *modifiers,
                          struct compared *compared)
{
    if (!modifiers || modifiers->number == 0)
        return is_about(search, modifiers);
    unsigned n = modifiers->number - 1U, word = n / 64;
    uint64_t bit = 1ULL << n % 64;
    if (!(compared->sets[word] & bit)) {
        compared->sets[word] |= bit;
        compared->about[word] |= is_about(search, modifiers) ? bit : 0;
    }
    return compared->about[word] & bit;
}

/* --- one suffix --- */

/* A suffix of the current name. */
struct suffix {
    const uint8_t *octets;
    size_t len;
    uint64_t hash;
    bool whole; /* it is the current name itself, not a name above it */
};

static struct suffix suffix_of(const struct xnm_search *search, unsigned depth)
{
    const struct xnm_qname *name = search->name;
    size_t at = depth == 0 ? name->len - 1 : name->label_at[name->labels - depth];

    return (struct suffix){.octets = name->octets + at,
                           .len = name->len - at,
                           .hash = search->matches->suffixes.at[depth].hash,
                           .whole = depth == name->labels && !search->below};
}

static bool is_at(const struct xnm_table_entry *entry, const struct suffix *suffix)
{
    return entry->len == suffix->len && memcmp(entry->octets, suffix->octets, suffix->len) == 0;
}

/* --- one list --- */

/* Returns the strongest entry at a suffix that covers the current name and is stronger than
 * *strength. */
static const struct xnm_table_entry *strongest_at(const struct xnm_search *search,
                                                  const struct xnm_table *table,
                                                  const struct suffix *suffix, unsigned *strength,
                                                  struct compared *compared)
{
    const struct xnm_table_entry *best = NULL;
    size_t place = xnm_table_begin(table, suffix->hash);
    const struct xnm_table_entry *entry;

    while ((entry = xnm_table_next(table, suffix->hash, &place))) {
        if (!xnm_table_scope_covers(xnm_table_entry_scope(entry), suffix->whole) ||
            !is_at(entry, suffix))
            continue;
        const struct xnm_modifiers *modifiers = xnm_table_entry_answer(table, entry)->modifiers;
        unsigned mine = 2u + (xnm_table_entry_scope(entry) == XNM_SCOPE_EXACT ? 1u : 0u) +
                        4u * (modifiers ? modifiers->strength : 0);
        if (mine <= *strength || !is_about_once(search, modifiers, compared))
            continue;
        *strength = mine;
        best = entry;
    }
    return best;
}

/* Longer suffixes come first, so of equally strong entries the longest is found first. */
static const struct xnm_table_entry *find_in_list(const struct xnm_search *search,
                                                  const struct xnm_table *table,
                                                  struct xnm_depths left, unsigned *depth)
{
    const struct xnm_table_entry *best = NULL;
    struct compared compared = {0};
    unsigned strength = 0;

    while (!(best && !table->has_modifiers) && !xnm_depths_is_empty(&left)) {
        unsigned at = xnm_depths_take_greatest(&left);
        const struct suffix suffix = suffix_of(search, at);
        unsigned found = strength | 3; /* a shorter entry has to be stronger, not only exact */
        const struct xnm_table_entry *entry =
            strongest_at(search, table, &suffix, best ? &found : &strength, &compared);
        if (entry) {
            strength = best ? found : strength;
            best = entry;
            *depth = at;
        }
    }
    if (best) {
        const struct xnm_modifiers *modifiers = xnm_table_entry_answer(table, best)->modifiers;
        return modifiers && modifiers->exempts ? NULL : best;
    }
    return NULL;
}

/* --- one zone --- */

/* Returns whether the zone has a name at a suffix. *decides becomes its entry that covers the
 * current name, if there is one. */
static bool has_name(const struct xnm_table *table, const struct suffix *suffix,
                     const struct xnm_table_entry **decides)
{
    size_t place = xnm_table_begin(table, suffix->hash);
    const struct xnm_table_entry *entry;
    bool has = false;

    while ((entry = xnm_table_next(table, suffix->hash, &place))) {
        if (is_at(entry, suffix)) {
            has = true;
            if (xnm_table_scope_covers(xnm_table_entry_scope(entry), suffix->whole))
                *decides = entry;
        } else if (xnm_wirename_before(entry->octets, entry->len, suffix->octets, suffix->len) !=
                   SIZE_MAX) {
            has = true; /* a mark */
        }
    }
    return has;
}

static bool is_star(const uint8_t *label)
{
    return label[0] == 1 && label[1] == '*';
}

/* Returns whether the label before a suffix is `*`, and the current name is below that wildcard's
 * own name, below which the zone has nothing. */
static bool is_below_star(const struct xnm_search *search, unsigned depth)
{
    const struct xnm_qname *name = search->name;

    if (depth >= name->labels)
        return false;
    const uint8_t *label = name->octets + name->label_at[name->labels - depth - 1];
    return is_star(label) && depth + 1 < name->labels + search->below;
}

static const struct xnm_table_entry *find_in_zone(const struct xnm_search *search,
                                                  const struct xnm_table *table,
                                                  struct xnm_depths left, unsigned *depth)
{
    while (!xnm_depths_is_empty(&left)) {
        unsigned at = xnm_depths_take_greatest(&left);
        const struct xnm_table_entry *decides = NULL;
        const struct suffix suffix = suffix_of(search, at);
        if (!has_name(table, &suffix, &decides))
            continue;
        if (!decides && suffix.whole && is_star(suffix.octets))
            continue; /* a wildcard's own name: the table has its entry at the name above */
        *depth = at;
        return decides && !suffix.whole && is_below_star(search, at) ? NULL : decides;
    }
    return NULL;
}

const struct xnm_table_entry *xnm_search_list(const struct xnm_search *search,
                                              const struct xnm_table *table, struct xnm_depths left,
                                              unsigned *depth)
{
    return table->is_zone ? find_in_zone(search, table, left, depth)
                          : find_in_list(search, table, left, depth);
}

bool xnm_search_has_name(struct xnm_search *search, const struct xnm_table *table)
{
    const struct xnm_qname *name = search->name;
    struct xnm_suffixes *suffixes = &search->matches->suffixes;
    uint64_t hash = suffixes->at[0].hash = search->policy->seed;
    unsigned depth;

    for (unsigned labels = 1; labels <= name->labels; labels++) {
        hash = xnm_table_hash(hash, name->octets + name->label_at[name->labels - labels]);
        suffixes->at[labels].hash = hash;
    }
    const struct xnm_depths all = xnm_depths_up_to(name->labels);
    search->list_exempts = true;
    return xnm_search_list(search, table, xnm_depths_both(&table->depths, &all), &depth) != NULL;
}
