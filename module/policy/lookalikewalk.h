/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the protected names that one name looks like. Private to lookalikesearch.c,
 * lookalikeparts.c and lookalikecompare.c. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEWALK_H
#define XNM_MODULE_POLICY_LOOKALIKEWALK_H

#include "module/policy/data.h"
#include "module/policy/lookalikehash.h"

#include <string.h>

/* The most that one name may cost: 512 comparisons of labels that differ, fewer of long labels.
 * Each comparison makes the keys again, which takes up to 35 us. */
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
    int left;        /* labels left of the public suffix; -1: not determined yet */
    bool second;     /* labels are read by the second readings of their letters */
    bool exempt;     /* the name is exempt; then not_exempt is false */
    bool not_exempt; /* the name is not exempt; false: not determined yet */
    const struct xnm_protected_name *tried; /* the last one compared with the label by near= */
    unsigned hashed;                        /* labels, from the right end, whose hashes are known */
    uint64_t hashes[XN_WIRE_LABELS_MAX];    /* of the labels' loose keys */
    uint16_t lens[XN_WIRE_LABELS_MAX];      /* octets of the labels' loose keys */
};

/* The labels that are compared. */
typedef enum { WHOLE, ANY_TLD, ANY_LABEL } compared;

static inline compared compared_of(const struct xnm_protection *protection)
{
    return protection->any_label ? ANY_LABEL : protection->any_tld ? ANY_TLD : WHOLE;
}

/* Appends the code points of another label. Returns whether the result is short enough for a
 * label. */
static inline bool xnm_lookalike_append(struct xn_shape *shape, const struct xn_shape *other)
{
    if (shape->len + other->len > XN_WIRE_LABEL_MAX)
        return false;
    memcpy(shape->code_points + shape->len, other->code_points,
           other->len * sizeof *other->code_points);
    shape->len = (uint8_t)(shape->len + other->len);
    shape->ace |= other->ace;
    return true;
}

/* Passes a candidate to the sink. Returns false if the name is exempt. */
bool xnm_lookalike_walk_offer(struct xnm_lookalike_walk *walk,
                              const struct xnm_candidate *candidate);

/* Returns whether a rule compares the candidate's labels, looked up as this kind. */
typedef bool xnm_lookalike_test(const struct xnm_candidate *candidate, compared kind,
                                const struct xnm_protection *protection);

/* Passes each protected name that the table has with this hash, and whose rule passes the test, as
 * the name of the candidate. Returns false if the queried name is exempt. */
static inline bool xnm_lookalike_look_up(struct xnm_candidate *candidate, uint64_t hash,
                                         compared kind, xnm_lookalike_test *test)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;
    const struct xnm_table_slot *slots = xnm_lookalike_slots(lookalikes);
    size_t place = xnm_hash_place(hash, lookalikes->slot_count);
    struct xnm_protection protection;

    for (; slots[place].at != 0; place = xnm_hash_next(place, lookalikes->slot_count)) {
        if (slots[place].tag != (uint32_t)hash)
            continue;
        walk->cost_left -= COST_EQUAL;
        if (walk->cost_left <= 0)
            return true;
        candidate->name =
            xnm_lookalike_name(lookalikes, (size_t)slots[place].at * XNM_LOOKALIKE_UNIT);
        protection = xnm_lookalike_protection(walk->policy, candidate->name);
        if (test(candidate, kind, &protection) && !xnm_lookalike_walk_offer(walk, candidate))
            return false;
    }
    return true;
}

/* Returns the hash of a label's loose key, which is computed once. */
uint64_t xnm_lookalike_hash_at(struct xnm_lookalike_walk *walk, unsigned label);

/* Returns the number of labels left of the public suffix, which is determined once. */
unsigned xnm_lookalike_walk_left_of(struct xnm_lookalike_walk *walk);

/* Looks up the names that near=, within= and words= find in a label: WHOLE if the labels after it,
 * which have this hash, are compared, too; ANY_TLD if not. Returns false if the name is exempt. */
bool xnm_lookalike_walk_parts(struct xnm_lookalike_walk *walk, unsigned label, uint64_t after,
                              compared kind);

/* Does the same for a label and the one before it, joined without the dot: pay.pal for paypal.
 * `label` is not the first. */
bool xnm_lookalike_walk_joined(struct xnm_lookalike_walk *walk, unsigned label, uint64_t after,
                               compared kind);

/* Returns whether a label or the one before it is an A-label. */
static inline bool xnm_lookalike_is_joined_ace(const struct xnm_qname *name, unsigned label)
{
    return xnm_qname_is_ace(name, label) || xnm_qname_is_ace(name, label - 1);
}

#endif
