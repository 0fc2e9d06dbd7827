/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for what one name looks like. Private to lookalikesearch.c and lookalikeparts.c. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEWALK_H
#define XNM_MODULE_POLICY_LOOKALIKEWALK_H

#include "module/policy/data.h"
#include "module/policy/lookalikehash.h"

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
    int left;         /* labels left of the public suffix; -1: not known yet */
    int left_private; /* … of the private one; as many, if there is none */
    bool second;      /* labels are read by the second readings of their letters */
    bool exempt;      /* the name is; then not_exempt is false */
    bool not_exempt;  /* false: not known yet */
    unsigned hashed;  /* labels, from the right end, whose hashes are known */
    uint64_t hashes[XN_WIRE_LABELS_MAX];
};

/* The labels that are compared. A rule that also looks left of private suffixes is of the kind
 * ANY_TLD; PRIVATE is that second look. */
typedef enum { WHOLE, ANY_TLD, ANY_LABEL, PRIVATE } compared;

static inline compared compared_of(const struct xnm_protection *protection)
{
    return protection->any_label ? ANY_LABEL : protection->any_tld ? ANY_TLD : WHOLE;
}

static inline void xnm_lookalike_charge(struct xnm_lookalike_walk *walk, const struct xn_shape *a,
                                        const struct xn_shape *b)
{
    walk->cost_left -= COST_COMPARED + (a->len + b->len) / 2;
}

/* Gives a candidate to the sink. False: the name is exempt. */
bool xnm_lookalike_offer(struct xnm_lookalike_walk *walk, const struct xnm_candidate *candidate);

/* Does a rule compare the candidate's labels, looked up as this kind? */
typedef bool xnm_lookalike_test(const struct xnm_candidate *candidate, compared kind,
                                const struct xnm_protection *protection);

/* Gives each protected name that a table has with this hash, and whose rule passes the test, as the
 * name of the candidate. False: the name asked about is exempt. */
static inline bool xnm_lookalike_look_up(struct xnm_candidate *candidate,
                                         const struct xnm_lookalike_table *table, uint64_t hash,
                                         compared kind, xnm_lookalike_test *test)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    const struct xnm_table_slot *slots = xnm_lookalike_slots(table);
    size_t place = xnm_hash_place(hash, table->slot_count);
    struct xnm_protection protection;

    for (; slots[place].at != 0; place = xnm_hash_next(place, table->slot_count)) {
        if (slots[place].tag != (uint32_t)hash)
            continue;
        walk->cost_left -= COST_EQUAL;
        if (walk->cost_left <= 0)
            return true;
        candidate->name = xnm_lookalike_name(&walk->policy->lookalikes,
                                             (size_t)slots[place].at * XNM_LOOKALIKE_UNIT);
        protection = xnm_lookalike_protection(walk->policy, candidate->name);
        if (test(candidate, kind, &protection) && !xnm_lookalike_offer(walk, candidate))
            return false;
    }
    return true;
}

/* The hash of a label's loose key, computed once. */
uint64_t xnm_lookalike_hash_at(struct xnm_lookalike_walk *walk, unsigned label);

/* The number of labels left of the public suffix, and of the private one, determined once. */
unsigned xnm_lookalike_left_of(struct xnm_lookalike_walk *walk);
unsigned xnm_lookalike_left_of_private(struct xnm_lookalike_walk *walk);

/* Gives the candidates of near= and within=, until the name turns out to be exempt. */
void xnm_lookalike_search_parts(struct xnm_lookalike_walk *walk, bool has_ace);

/* Does a part of a label look like the protected label, which begins with its length? */
bool xnm_lookalike_part_is_alike(struct xnm_lookalike_walk *walk,
                                 const struct xnm_lookalike_part *part, const uint8_t *protected,
                                 const struct xnm_protection *protection);

#endif
