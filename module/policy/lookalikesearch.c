/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the look-alike index for the labels of a name. */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "module/policy/lookalikeindex.h"

#include "core/lookalike/shape.h"
#include "module/name/suffix.h"
#include "module/policy/lookalikewalk.h"

#include <string.h>

/* --- exemption --- */

static bool is_protected(const struct xnm_lookalike_walk *walk, const uint8_t *octets, size_t len)
{
    const struct xnm_policy *policy = walk->policy;
    const struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
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

/* Returns whether the name is a protected one, or below one. */
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

/* --- finding --- */

bool xnm_lookalike_walk_offer(struct xnm_lookalike_walk *walk,
                              const struct xnm_candidate *candidate)
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
    if (kind == ANY_LABEL && candidate->first >= xnm_lookalike_walk_left_of(candidate->walk))
        return false;
    return compared_of(protection) == kind;
}

/* Passes the candidates whose compared labels have this hash to the sink. Returns false if the name
 * is exempt. */
static bool look_up(struct xnm_lookalike_walk *walk, uint64_t hash, compared kind, unsigned first,
                    unsigned count)
{
    struct xnm_candidate candidate = {
        .first = first, .count = count, .second = walk->second, .walk = walk};

    return xnm_lookalike_look_up(&candidate, hash, kind, is_of_kind);
}

static uint64_t hash_key(struct xnm_lookalike_walk *walk, unsigned label)
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
    walk->lens[label] = (uint16_t)len;
    return xnm_lookalike_key_hash(walk->policy, 0, key, len);
}

uint64_t xnm_lookalike_hash_at(struct xnm_lookalike_walk *walk, unsigned label)
{
    while (walk->hashed < walk->name->labels - label) {
        unsigned next = walk->name->labels - ++walk->hashed;
        walk->hashes[next] = hash_key(walk, next);
    }
    return walk->hashes[label];
}

/* Searches from the label `last` to the left, as long as a compared part is at or below the
 * suffix. */
static bool search_from(struct xnm_lookalike_walk *walk, compared kind, unsigned last)
{
    const struct xnm_policy *policy = walk->policy;
    const struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    bool whole = kind == WHOLE;
    const struct xnm_depths *depths = whole ? &lookalikes->whole_depths : &lookalikes->left_depths;
    uint64_t hash = whole ? xnm_lookalike_whole(policy) : xnm_lookalike_left(policy);

    for (unsigned count = 1; count <= last + 1; count++) {
        unsigned first = last + 1 - count;
        if (whole && xnm_depths_has(&lookalikes->suffixes, count - 1) &&
            ((first > 0 && !xnm_lookalike_walk_joined(walk, first, hash, kind)) ||
             !xnm_lookalike_walk_parts(walk, first, hash, kind)))
            return false;
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

unsigned xnm_lookalike_walk_left_of(struct xnm_lookalike_walk *walk)
{
    const struct xnm_qname *name = walk->name;

    if (walk->left < 0)
        walk->left = labels_before(name, xnm_suffix_find(name->octets, name->len));
    return (unsigned)walk->left;
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
        unsigned end = xnm_lookalike_walk_left_of(walk);
        return end == 0 || search_from(walk, ANY_TLD, end - 1);
    }
    return true;
}

static bool is_elsewhere(const struct xnm_candidate *candidate, compared kind,
                         const struct xnm_protection *protection)
{
    (void)kind;
    return protection->elsewhere && candidate->first < xnm_lookalike_walk_left_of(candidate->walk);
}

/* Looks up a label by itself, for label=any and for elsewhere=. Returns false if the name is
 * exempt. */
static bool search_label(struct xnm_lookalike_walk *walk, const struct xnm_filter *filter,
                         unsigned label)
{
    static const struct xnm_lookalike_part itself = {.match_kind = XNM_MATCH_KIND_ELSEWHERE};
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;
    uint64_t left = xnm_lookalike_left(walk->policy);
    uint64_t hash = xnm_lookalike_join(left, xnm_lookalike_hash_at(walk, label));
    struct xnm_candidate candidate = {.first = label, .count = 1, .part = &itself, .walk = walk};

    if (!xnm_filter_has(filter, hash))
        return true;
    if (lookalikes->any_label && !look_up(walk, hash, ANY_LABEL, label, 1))
        return false;
    return !lookalikes->elsewhere || walk->second ||
           xnm_lookalike_look_up(&candidate, hash, ANY_LABEL, is_elsewhere);
}

/* Searches each A-label by itself, or each other label. Other labels only look like names that a
 * name without A-labels can look like. */
static bool search_labels(struct xnm_lookalike_walk *walk, bool ace)
{
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;
    const struct xnm_filter *filter = ace ? &lookalikes->every : &lookalikes->plain;
    uint64_t left = xnm_lookalike_left(walk->policy);

    for (unsigned label = 0; label + 1 < walk->name->labels; label++) { /* the last is a suffix */
        if (lookalikes->parts_left && label > 0 &&
            xnm_lookalike_is_joined_ace(walk->name, label) == ace &&
            !xnm_lookalike_walk_joined(walk, label, left, ANY_TLD))
            return false;
        if (xnm_qname_is_ace(walk->name, label) != ace)
            continue;
        if ((lookalikes->any_label || lookalikes->elsewhere) && !search_label(walk, filter, label))
            return false;
        if (lookalikes->parts_left && !xnm_lookalike_walk_parts(walk, label, left, ANY_TLD))
            return false;
    }
    return true;
}

/* Searches by all kinds of compared labels, until the name turns out to be exempt. A-labels come
 * before other labels: a name full of ASCII labels that almost look alike must not use up the work
 * that its one A-label needs. */
static void search_all(struct xnm_lookalike_walk *walk, bool has_ace)
{
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;

    if (!xnm_depths_is_empty(&lookalikes->whole_depths) &&
        !search_from(walk, WHOLE, walk->name->labels - 1))
        return;
    if (lookalikes->any_tld && !search_any_tld(walk))
        return;
    if (!lookalikes->any_label && !lookalikes->parts_left && !lookalikes->elsewhere)
        return;
    if ((!has_ace || search_labels(walk, true)) && xnm_lookalike_has_plain(lookalikes))
        search_labels(walk, false);
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
    const struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    struct xnm_lookalike_walk walk;

    walk.policy = policy;
    walk.name = labels->name;
    walk.labels = labels;
    walk.filter = has_ace ? &lookalikes->every : &lookalikes->plain;
    walk.sink = sink;
    walk.exempts = exempts;
    walk.arg = arg;
    walk.cost_left = COST_MAX;
    walk.left = -1;
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
