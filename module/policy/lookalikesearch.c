/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/policy/hash.h */
#include "module/policy/lookalike.h"

#include "module/name/suffix.h"
#include "module/policy/lookalikehash.h"

#include <string.h>

/* The most that one name may cost: 512 comparisons of labels that differ, fewer of long labels.
 * Each comparison makes the keys anew, which takes up to 35 us. */
enum { COST_EQUAL = 1, COST_COMPARED = 8, COST_MAX = 512 * COST_COMPARED };

struct xnm_lookalike_walk {
    const struct xnm_policy *policy;
    const struct xnm_qname *name;
    struct xnm_qlabels *labels;
    const struct xnm_filter *filter;
    xnm_candidate_sink *sink;
    xnm_exemption_test *exempts;
    void *arg;
    int cost_left;
    bool second;     /* labels are read by the second readings of their letters */
    bool exempt;     /* the name is; then not_exempt is false */
    bool not_exempt; /* false: not known yet */
    unsigned hashed; /* labels, from the right end, whose hashes are known */
    uint64_t hashes[XN_WIRE_LABELS_MAX];
};

/* --- exemption --- */

static bool is_protected(const struct xnm_lookalike_walk *walk, const uint8_t *octets, size_t len)
{
    const struct xnm_policy *policy = walk->policy;
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    const uint32_t *places = (const uint32_t *)(const void *)lookalikes->exempt.octets;
    size_t place =
        xnm_hash_place(xnm_lookalike_hash(policy, octets, len), lookalikes->exempt_count);

    for (; places[place] != 0; place = xnm_hash_next(place, lookalikes->exempt_count)) {
        const struct xnm_protected_name *name =
            xnm_lookalike_name(lookalikes, (size_t)places[place] * XNM_LOOKALIKE_UNIT);
        if (name->len == len && memcmp(name->octets, octets, len) == 0 &&
            walk->exempts(walk->arg, name->line))
            return true;
    }
    return false;
}

/* Is it a protected name, or below one? */
static bool is_exempt(const struct xnm_lookalike_walk *walk)
{
    const struct xnm_policy *policy = walk->policy;
    const struct xnm_qname *name = walk->name;

    for (unsigned label = 0; label < name->labels; label++) {
        unsigned at = name->label_at[label];
        if (xnm_depths_has(&policy->lookalikes.depths, name->labels - label) &&
            is_protected(walk, name->octets + at, name->len - at))
            return true;
    }
    return false;
}

/* --- comparing --- */

static xn_looks compare_labels(struct xnm_lookalike_walk *walk, const uint8_t *protected,
                               unsigned label, const struct xnm_protection *protection, xn_key *key)
{
    const uint8_t *asked = walk->name->octets + walk->name->label_at[label];
    struct xn_shape shape;
    const struct xn_shape *other;
    struct xn_shape second;
    uint8_t min = protection->min;
    xn_looks looks = XN_LOOKS_OTHER;

    if (protected[0] == asked[0] && memcmp(protected + 1, asked + 1, asked[0]) == 0) {
        walk->cost_left -= COST_EQUAL;
        return XN_LOOKS_SAME;
    }
    xn_shape_read(protected + 1, protected[0], &shape);
    other = xnm_qlabels_at(walk->labels, label);
    walk->cost_left -= COST_COMPARED + (shape.len + other->len) / 2;
    if (walk->second && xn_shape_read_second(other, &second))
        other = &second;
    else
        looks = xn_lookalike_compare(&shape, other, XN_KEY_EXACT, protection->ascii);
    if (looks == XN_LOOKS_OTHER && protection->key == XN_KEY_STRICT) {
        looks = xn_lookalike_compare(&shape, other, XN_KEY_STRICT, protection->ascii);
        min = protection->strict_min;
        *key = XN_KEY_STRICT;
    }
    return looks == XN_LOOKS_ALIKE && shape.len < min ? XN_LOOKS_NEAR : looks;
}

bool xnm_candidate_compare(const struct xnm_candidate *candidate, xn_key *key, unsigned *label)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    const struct xnm_protected_name *name = candidate->name;
    const struct xnm_protection *protection = xnm_lookalike_protection(walk->policy, name);
    const uint8_t *protected = name->octets + name->start, *end = name->octets + name->end;

    *key = XN_KEY_EXACT;
    *label = 0;
    for (unsigned i = 0; i < candidate->count; i++) {
        xn_looks looks = XN_LOOKS_OTHER;
        if (protected < end && walk->cost_left > 0)
            looks = compare_labels(walk, protected, candidate->first + i, protection, key);
        if (looks == XN_LOOKS_OTHER)
            return false;
        if (looks == XN_LOOKS_ALIKE && *label == 0)
            *label = candidate->first + i + 1;
        protected += protected[0] + 1;
    }
    return protected == end && *label > 0;
}

/* --- finding --- */

typedef enum { WHOLE, ANY_TLD, ANY_LABEL } compared;

static compared compared_of(const struct xnm_protection *protection)
{
    return protection->any_label ? ANY_LABEL : protection->any_tld ? ANY_TLD : WHOLE;
}

/* Gives the candidates whose compared labels have this hash. False: the name is exempt. */
static bool look_up(struct xnm_lookalike_walk *walk, uint64_t hash, compared kind, unsigned first,
                    unsigned count)
{
    const struct xnm_lookalike_index *lookalikes = &walk->policy->lookalikes;
    const struct xnm_policy_slot *slots =
        (const struct xnm_policy_slot *)(const void *)lookalikes->slots.octets;
    size_t place = xnm_hash_place(hash, lookalikes->slot_count);

    for (; slots[place].at != 0; place = xnm_hash_next(place, lookalikes->slot_count)) {
        if (slots[place].tag != (uint32_t)hash)
            continue;
        struct xnm_candidate candidate = {
            xnm_lookalike_name(lookalikes, (size_t)slots[place].at * XNM_LOOKALIKE_UNIT), first,
            count, walk->second, walk};
        if (compared_of(xnm_lookalike_protection(walk->policy, candidate.name)) != kind)
            continue;
        walk->exempt = walk->exempt || (!walk->not_exempt && is_exempt(walk));
        if (walk->exempt)
            return false;
        walk->not_exempt = true;
        walk->sink(walk->arg, &candidate);
    }
    return true;
}

static uint64_t key_hash(struct xnm_lookalike_walk *walk, unsigned label)
{
    const uint8_t *octets = walk->name->octets + walk->name->label_at[label];
    bool ace = xnm_qname_is_ace(walk->name, label);
    struct xn_shape second;
    uint8_t key[XN_KEY_MAX];
    size_t len;

    if (ace && walk->second && xn_shape_read_second(xnm_qlabels_at(walk->labels, label), &second))
        len = xn_shape_key(&second, XN_KEY_LOOSE, key);
    else if (ace)
        len = xn_shape_key(xnm_qlabels_at(walk->labels, label), XN_KEY_LOOSE, key);
    else
        len = xn_lookalike_key(octets + 1, octets[0], XN_KEY_LOOSE, key);
    return xnm_lookalike_label_hash(walk->policy, key, len);
}

/* The hash of a label's loose key, computed once. */
static uint64_t label_hash(struct xnm_lookalike_walk *walk, unsigned label)
{
    while (walk->hashed < walk->name->labels - label) {
        unsigned next = walk->name->labels - ++walk->hashed;
        walk->hashes[next] = key_hash(walk, next);
    }
    return walk->hashes[label];
}

/* Searches from the label `last` to the left, as long as anything is at or below. */
static bool search_from(struct xnm_lookalike_walk *walk, compared kind, unsigned last)
{
    const struct xnm_policy *policy = walk->policy;
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    bool whole = kind == WHOLE;
    const struct xnm_depths *depths =
        whole ? &lookalikes->compared_whole : &lookalikes->compared_left;
    uint64_t hash = whole ? xnm_lookalike_whole(policy) : xnm_lookalike_left(policy);

    for (unsigned count = 1; count <= last + 1; count++) {
        unsigned first = last + 1 - count;
        hash = xnm_lookalike_join(hash, label_hash(walk, first));
        if (!xnm_filter_has(walk->filter, hash))
            break;
        if (xnm_depths_has(depths, count) && !look_up(walk, hash, kind, first, count))
            return false;
    }
    return true;
}

/* The number of labels left of the public suffix. */
static unsigned labels_left(const struct xnm_qname *name)
{
    size_t end = xnm_suffix_find(name->octets, name->len);
    unsigned labels = 0;

    while (labels < name->labels && name->label_at[labels] < end)
        labels++;
    return labels;
}

/* Searches the labels left of the public suffix, which is determined only if the filter has some
 * label. */
static bool search_any_tld(struct xnm_lookalike_walk *walk)
{
    uint64_t left = xnm_lookalike_left(walk->policy);

    for (unsigned label = 0; label < walk->name->labels; label++) {
        if (!xnm_filter_has(walk->filter, xnm_lookalike_join(left, label_hash(walk, label))))
            continue;
        unsigned end = labels_left(walk->name);
        return end == 0 || search_from(walk, ANY_TLD, end - 1);
    }
    return true;
}

/* Searches each A-label by itself, or each other label: those look only like what a name without
 * A-labels can look like. */
static bool search_labels(struct xnm_lookalike_walk *walk, bool ace)
{
    const struct xnm_lookalike_index *lookalikes = &walk->policy->lookalikes;
    const struct xnm_filter *filter = ace ? &lookalikes->every : &lookalikes->plain;
    uint64_t left = xnm_lookalike_left(walk->policy);

    for (unsigned label = 0; label < walk->name->labels; label++) {
        if (xnm_qname_is_ace(walk->name, label) != ace)
            continue;
        uint64_t hash = xnm_lookalike_join(left, label_hash(walk, label));
        if (xnm_filter_has(filter, hash) && !look_up(walk, hash, ANY_LABEL, label, 1))
            return false;
    }
    return true;
}

/* Searches A-labels first: a name full of ASCII labels that almost look alike must not use up the
 * work that its one A-label needs. */
static void search_any_label(struct xnm_lookalike_walk *walk, bool has_ace)
{
    if (has_ace && !search_labels(walk, true))
        return;
    if (xnm_lookalike_has_plain(&walk->policy->lookalikes))
        search_labels(walk, false);
}

/* Searches by all kinds of compared parts, until the name turns out to be exempt. */
static void search_parts(struct xnm_lookalike_walk *walk, bool has_ace)
{
    const struct xnm_lookalike_index *lookalikes = &walk->policy->lookalikes;

    if (lookalikes->whole && !search_from(walk, WHOLE, walk->name->labels - 1))
        return;
    if (lookalikes->any_tld && !search_any_tld(walk))
        return;
    if (lookalikes->any_label)
        search_any_label(walk, has_ace);
}

static bool has_second(struct xnm_lookalike_walk *walk)
{
    for (unsigned label = 0; label < walk->name->labels; label++)
        if (xnm_qname_is_ace(walk->name, label) &&
            xn_shape_read_second(xnm_qlabels_at(walk->labels, label), NULL))
            return true;
    return false;
}

void xnm_lookalike_search(const struct xnm_policy *policy, struct xnm_qlabels *labels, bool has_ace,
                          xnm_candidate_sink *sink, xnm_exemption_test *exempts, void *arg)
{
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    struct xnm_lookalike_walk walk;

    walk.policy = policy;
    walk.name = labels->name;
    walk.labels = labels;
    walk.filter = has_ace ? &lookalikes->every : &lookalikes->plain;
    walk.sink = sink;
    walk.exempts = exempts;
    walk.arg = arg;
    walk.cost_left = COST_MAX;
    walk.second = walk.exempt = walk.not_exempt = false;
    walk.hashed = 0;
    if (walk.name->labels == 0 || walk.filter->count == 0)
        return;
    search_parts(&walk, has_ace);
    if (walk.exempt || !lookalikes->strict || !has_ace || !has_second(&walk))
        return;
    walk.second = true;
    walk.hashed = 0;
    search_parts(&walk, has_ace);
}
