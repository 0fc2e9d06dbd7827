/* SPDX-License-Identifier: BSD-3-Clause */
/* near= and within=: protected labels that one edit makes of a label, or that are a part of it. */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "core/lookalike/letters.h"

#include "core/lookalike/shape.h"
#include "module/policy/lookalikewalk.h"

#include <string.h>

/* --- comparing --- */

static bool is_near(const struct xnm_lookalike_part *part, const struct xn_shape *protected,
                    const struct xnm_protection *protection)
{
    bool ascii = !protected->ace && !part->shape->ace;
    xn_key key = ascii ? XN_KEY_EXACT : protection->key;
    struct xn_letters a, b;

    if (protected->len < xnm_protection_near_min(protection) ||
        (ascii && protection->ascii == XN_ASCII_OFF) || (part->second && key != XN_KEY_STRICT))
        return false;
    xn_letters_read(protected, key, protection->ascii, &a);
    xn_letters_read(part->shape, key, protection->ascii, &b);
    return xn_letters_are_near(&a, &b);
}

/* A label that has an ASCII name in it, unchanged, counts if labels of ASCII alone do. */
static bool is_within(const struct xnm_lookalike_part *part, const struct xn_shape *protected,
                      const struct xnm_protection *protection)
{
    xn_looks looks = XN_LOOKS_OTHER;

    if (protected->len < xnm_protection_within_min(protection))
        return false;
    if (!part->second)
        looks = xn_lookalike_compare(protected, part->shape, XN_KEY_EXACT, protection->ascii);
    if (looks == XN_LOOKS_OTHER && protection->key == XN_KEY_STRICT)
        looks = xn_lookalike_compare(protected, part->shape, XN_KEY_STRICT, protection->ascii);
    if (looks == XN_LOOKS_SAME)
        return protected->ace || protection->ascii != XN_ASCII_OFF;
    return looks == XN_LOOKS_ALIKE;
}

bool xnm_lookalike_part_is_alike(struct xnm_lookalike_walk *walk,
                                 const struct xnm_lookalike_part *part, const uint8_t *protected,
                                 const struct xnm_protection *protection)
{
    struct xn_shape shape;

    xn_shape_read(protected + 1, protected[0], &shape);
    xnm_lookalike_charge(walk, &shape, part->shape);
    return part->likeness == XNM_LIKENESS_NEAR ? is_near(part, &shape, protection)
                                               : is_within(part, &shape, protection);
}

/* --- finding --- */

/* The search for parts of one label. */
struct part_search {
    struct xnm_lookalike_walk *walk;
    const struct xnm_filter *filter;
    const struct xn_shape *shape;   /* of the label, as the walk reads it */
    const struct xn_shape *written; /* … by first readings: which letters are not ASCII */
    unsigned label;
    bool second;     /* the shape has second readings */
    bool has_suffix; /* some rule compares as many labels as follow this one: */
    uint64_t suffix; /* … their hash */
    struct xn_letters letters;
};

/* Has a rule the option that the label is looked up for, and does it compare that label? */
static bool is_compared(const struct xnm_candidate *candidate, compared kind,
                        const struct xnm_protection *protection)
{
    compared of_rule = compared_of(protection);
    bool near = candidate->part->likeness == XNM_LIKENESS_NEAR;

    if (!(near ? protection->near : protection->within))
        return false;
    if (kind == WHOLE || of_rule == WHOLE)
        return of_rule == kind;
    unsigned next = candidate->first + 1;
    return of_rule == ANY_LABEL || next == xnm_lookalike_left_of(candidate->walk) ||
           (protection->private && next == xnm_lookalike_left_of_private(candidate->walk));
}

/* Gives the candidates with this hash: of the label and those after it (WHOLE), or of the label
 * alone. False: the name is exempt. */
static bool look_up(struct part_search *search, uint64_t hash, compared kind,
                    const struct xnm_lookalike_part *part)
{
    struct xnm_lookalike_walk *walk = search->walk;
    struct xnm_candidate candidate = {.first = search->label,
                                      .count =
                                          kind == WHOLE ? walk->name->labels - search->label : 1,
                                      .part = part,
                                      .second = walk->second,
                                      .walk = walk};

    return xnm_lookalike_look_up(&candidate, &walk->policy->lookalikes.parts.table, hash, kind,
                                 is_compared);
}

/* Looks up a key that is that of the letters from `first` to `end`, or of the label with an edit.
 * False: the name is exempt. */
static bool find(struct part_search *search, xnm_likeness likeness, const uint8_t *key, size_t len,
                 unsigned first, unsigned end)
{
    const struct xnm_policy *policy = search->walk->policy;
    const struct xnm_lookalike_parts *parts = &policy->lookalikes.parts;
    struct xnm_lookalike_part part = {likeness, search->shape, search->second};
    uint64_t left = 0, whole = 0;
    struct xn_shape cut;

    if (!(parts->lengths & xnm_lookalike_length(len)))
        return true;
    if (parts->left)
        left = xnm_lookalike_part_hash(xnm_lookalike_left(policy), key, len);
    if (search->has_suffix)
        whole = xnm_lookalike_part_hash(search->suffix, key, len);
    bool in_left = parts->left && xnm_filter_has(search->filter, left);
    bool in_whole = search->has_suffix && xnm_filter_has(search->filter, whole);
    if (!in_left && !in_whole)
        return true;
    if (likeness == XNM_LIKENESS_WITHIN) {
        xn_letters_cut(&search->letters, search->written, first, end, &cut);
        bool ace = cut.ace;
        xn_letters_cut(&search->letters, search->shape, first, end, &cut);
        cut.ace = ace;
        part.shape = &cut;
    }
    return (!in_left || look_up(search, left, ANY_TLD, &part)) &&
           (!in_whole || look_up(search, whole, WHOLE, &part));
}

static bool search_near(struct part_search *search)
{
    const struct xn_letters *letters = &search->letters;
    uint8_t key[XN_KEY_MAX];

    if (!find(search, XNM_LIKENESS_NEAR, letters->key, xn_letters_len(letters), 0, letters->count))
        return false;
    for (unsigned n = 0; n < letters->count; n++) {
        if (xn_letters_repeat(letters, n))
            continue;
        size_t len = xn_letters_without(letters, n, key);
        if (!find(search, XNM_LIKENESS_NEAR, key, len, 0, letters->count))
            return false;
    }
    return true;
}

static bool is_hyphen(const struct xn_letters *letters, unsigned n)
{
    return letters->at[n + 1] - letters->at[n] == 1 && letters->key[letters->at[n]] == '-';
}

/* Looks up the letters from `first` to `end`. */
static bool find_within(struct part_search *search, unsigned first, unsigned end)
{
    const struct xn_letters *letters = &search->letters;

    return find(search, XNM_LIKENESS_WITHIN, letters->key + letters->at[first],
                (size_t)(letters->at[end] - letters->at[first]), first, end);
}

/* A part begins or ends its label, or stands between hyphens. */
static bool search_within(struct part_search *search)
{
    const struct xn_letters *letters = &search->letters;

    for (unsigned n = 1; n < letters->count; n++) {
        if (!find_within(search, 0, n) || !find_within(search, n, letters->count))
            return false;
        if (!is_hyphen(letters, n - 1))
            continue;
        for (unsigned end = n + 1; end < letters->count; end++)
            if (is_hyphen(letters, end) && !find_within(search, n, end))
                return false;
    }
    return true;
}

/* The hash of the labels after one. */
static uint64_t hash_after(struct xnm_lookalike_walk *walk, unsigned label)
{
    uint64_t hash = xnm_lookalike_whole(walk->policy);

    for (unsigned next = walk->name->labels; next-- > label + 1;)
        hash = xnm_lookalike_join(hash, xnm_lookalike_hash_at(walk, next));
    return hash;
}

static bool search_label(struct xnm_lookalike_walk *walk, unsigned label,
                         const struct xnm_filter *filter)
{
    const struct xnm_lookalike_parts *parts = &walk->policy->lookalikes.parts;
    struct part_search search;
    struct xn_shape second;

    search.walk = walk;
    search.filter = filter;
    search.label = label;
    search.shape = search.written = xnm_qlabels_at(walk->labels, label);
    search.second = walk->second && xn_shape_read_second(search.shape, &second);
    if (search.second)
        search.shape = &second;
    search.has_suffix = xnm_depths_has(&parts->suffixes, walk->name->labels - label - 1);
    search.suffix = search.has_suffix ? hash_after(walk, label) : 0;
    xn_letters_read(search.shape, XN_KEY_STRICT, XN_ASCII_WIDE, &search.letters);
    return (!parts->near || search_near(&search)) && (!parts->within || search_within(&search));
}

/* Searches each A-label, or each other label: those look only like what a name without A-labels can
 * look like. */
static bool search_labels(struct xnm_lookalike_walk *walk, bool ace)
{
    const struct xnm_lookalike_table *table = &walk->policy->lookalikes.parts.table;

    for (unsigned label = 0; label < walk->name->labels; label++)
        if (xnm_qname_is_ace(walk->name, label) == ace &&
            !search_label(walk, label, ace ? &table->every : &table->plain))
            return false;
    return true;
}

void xnm_lookalike_search_parts(struct xnm_lookalike_walk *walk, bool has_ace)
{
    if (has_ace && !search_labels(walk, true))
        return;
    if (walk->policy->lookalikes.parts.table.plain.count > 0)
        search_labels(walk, false);
}
