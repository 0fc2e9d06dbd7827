/* SPDX-License-Identifier: BSD-3-Clause */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "module/policy/lookalike.h"

#include "core/lookalike/shape.h"
#include "module/name/suffix.h"
#include "module/policy/lookalikewalk.h"

#include <string.h>

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
                               unsigned label, const struct xnm_protection *protection,
                               xnm_likeness *likeness)
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
    xnm_lookalike_charge(walk, &shape, other);
    if (walk->second && xn_shape_read_second(other, &second))
        other = &second;
    else
        looks = xn_lookalike_compare(&shape, other, XN_KEY_EXACT, protection->ascii);
    if (looks == XN_LOOKS_OTHER && protection->key == XN_KEY_STRICT) {
        looks = xn_lookalike_compare(&shape, other, XN_KEY_STRICT, protection->ascii);
        min = protection->strict_min;
        *likeness = XNM_LIKENESS_STRICT;
    }
    return looks == XN_LOOKS_ALIKE && shape.len < min ? XN_LOOKS_NEAR : looks;
}

bool xnm_candidate_compare(const struct xnm_candidate *candidate, xnm_likeness *likeness,
                           unsigned *label)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    const struct xnm_protected_name *name = candidate->name;
    const struct xnm_lookalike_part *part = candidate->part;
    const struct xnm_protection protection = xnm_lookalike_protection(walk->policy, name);
    const uint8_t *protected = name->octets, *end = name->octets + name->end;

    protected += part ? xnm_lookalike_part_start(walk->policy, name) : name->start;
    *likeness = XNM_LIKENESS_EXACT;
    *label = 0;
    for (unsigned i = 0; i < candidate->count; i++) {
        xn_looks looks = XN_LOOKS_OTHER;
        if (protected == end || walk->cost_left <= 0)
            return false;
        if (i > 0 || !part)
            looks = compare_labels(walk, protected, candidate->first + i, &protection, likeness);
        else if (xnm_lookalike_part_is_alike(walk, part, protected, &protection))
            looks = XN_LOOKS_ALIKE;
        if (looks == XN_LOOKS_OTHER)
            return false;
        if (looks == XN_LOOKS_ALIKE && *label == 0)
            *label = candidate->first + i + 1;
        protected += protected[0] + 1;
    }
    if (part)
        *likeness = part->likeness;
    return protected == end && *label > 0;
}

/* --- finding --- */

bool xnm_lookalike_offer(struct xnm_lookalike_walk *walk, const struct xnm_candidate *candidate)
{
    walk->exempt = !walk->not_exempt && is_exempt(walk);
    if (walk->exempt)
        return false;
    walk->not_exempt = true;
    walk->sink(walk->arg, candidate);
    return true;
}

static bool is_of_kind(const struct xnm_candidate *candidate, compared kind,
                       const struct xnm_protection *protection)
{
    (void)candidate;
    return kind == PRIVATE ? protection->private : compared_of(protection) == kind;
}

/* Gives the candidates whose compared labels have this hash. False: the name is exempt. */
static bool look_up(struct xnm_lookalike_walk *walk, uint64_t hash, compared kind, unsigned first,
                    unsigned count)
{
    struct xnm_candidate candidate = {
        .first = first, .count = count, .second = walk->second, .walk = walk};

    return xnm_lookalike_look_up(&candidate, &walk->policy->lookalikes.labels, hash, kind,
                                 is_of_kind);
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

uint64_t xnm_lookalike_hash_at(struct xnm_lookalike_walk *walk, unsigned label)
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
        hash = xnm_lookalike_join(hash, xnm_lookalike_hash_at(walk, first));
        if (!xnm_filter_has(walk->filter, hash))
            break;
        if (xnm_depths_has(depths, count) && !look_up(walk, hash, kind, first, count))
            return false;
    }
    return true;
}

static int labels_before(const struct xnm_qname *name, size_t end)
{
    int labels = 0;

    while ((unsigned)labels < name->labels && name->label_at[labels] < end)
        labels++;
    return labels;
}

unsigned xnm_lookalike_left_of(struct xnm_lookalike_walk *walk)
{
    const struct xnm_qname *name = walk->name;

    if (walk->left < 0)
        walk->left = labels_before(name, xnm_suffix_find(name->octets, name->len));
    return (unsigned)walk->left;
}

unsigned xnm_lookalike_left_of_private(struct xnm_lookalike_walk *walk)
{
    const struct xnm_qname *name = walk->name;

    if (walk->left_private < 0)
        walk->left_private = labels_before(name, xnm_suffix_find_private(name->octets, name->len));
    return (unsigned)walk->left_private;
}

/* Searches the labels left of the private suffix, if that is not the public one. */
static bool search_private(struct xnm_lookalike_walk *walk)
{
    unsigned end = xnm_lookalike_left_of_private(walk);

    return end == 0 || end == xnm_lookalike_left_of(walk) || search_from(walk, PRIVATE, end - 1);
}

/* Searches the labels left of the public suffix, which is determined only if the filter has some
 * label. */
static bool search_any_tld(struct xnm_lookalike_walk *walk)
{
    uint64_t left = xnm_lookalike_left(walk->policy);

    for (unsigned label = 0; label < walk->name->labels; label++) {
        if (!xnm_filter_has(walk->filter,
                            xnm_lookalike_join(left, xnm_lookalike_hash_at(walk, label))))
            continue;
        unsigned end = xnm_lookalike_left_of(walk);
        if (end > 0 && !search_from(walk, ANY_TLD, end - 1))
            return false;
        return !walk->policy->lookalikes.private || search_private(walk);
    }
    return true;
}

/* Searches each A-label by itself, or each other label: those look only like what a name without
 * A-labels can look like. */
static bool search_labels(struct xnm_lookalike_walk *walk, bool ace)
{
    const struct xnm_lookalike_table *table = &walk->policy->lookalikes.labels;
    const struct xnm_filter *filter = ace ? &table->every : &table->plain;
    uint64_t left = xnm_lookalike_left(walk->policy);

    for (unsigned label = 0; label < walk->name->labels; label++) {
        if (xnm_qname_is_ace(walk->name, label) != ace)
            continue;
        uint64_t hash = xnm_lookalike_join(left, xnm_lookalike_hash_at(walk, label));
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

/* Searches by all kinds of compared labels, until the name turns out to be exempt. */
static void search_all(struct xnm_lookalike_walk *walk, bool has_ace)
{
    const struct xnm_lookalike_index *lookalikes = &walk->policy->lookalikes;

    if (lookalikes->whole && !search_from(walk, WHOLE, walk->name->labels - 1))
        return;
    if (lookalikes->any_tld && !search_any_tld(walk))
        return;
    if (lookalikes->any_label)
        search_any_label(walk, has_ace);
    if (lookalikes->parts.table.slot_count > 0 && !walk->exempt)
        xnm_lookalike_search_parts(walk, has_ace);
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
    walk.filter = has_ace ? &lookalikes->labels.every : &lookalikes->labels.plain;
    walk.sink = sink;
    walk.exempts = exempts;
    walk.arg = arg;
    walk.cost_left = COST_MAX;
    walk.left = walk.left_private = -1;
    walk.second = walk.exempt = walk.not_exempt = false;
    walk.hashed = 0;
    if (walk.name->labels == 0 || walk.filter->count == 0)
        return;
    search_all(&walk, has_ace);
    if (walk.exempt || !lookalikes->strict || !has_ace || !has_second(&walk))
        return;
    walk.second = true;
    walk.hashed = 0;
    search_all(&walk, has_ace);
}
