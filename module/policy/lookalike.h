/* SPDX-License-Identifier: BSD-3-Clause */
/* Protected names, and what looks like one of them. A part of the compiled policy, for policy*.c
 * and image*.c alone.
 *
 * A protected name stands in two tables. One has it by its octets: it and all below it look like
 * none. The other has what of it is compared (the whole, what stands left of its public suffix, or
 * one label) by the loose keys of its labels (core/lookalike/lookalike.h), joined from the right
 * end as the policy joins labels: what may look like it is found by one probe for each suffix of a
 * name, and then compared. A filter ends that walk where nothing of the kind is at or below a
 * suffix; names without an A-label have one of their own, of what can look like such names at all.
 */
#ifndef XNM_MODULE_POLICY_LOOKALIKE_H
#define XNM_MODULE_POLICY_LOOKALIKE_H

#include "module/policy/filter.h"
#include "module/policy/policy.h"
#include "module/policy/qname.h"

struct xnm_shadowed;

/* {0} is an empty one. */
struct xnm_lookalike_index {
    struct xnm_arena names;  /* struct xnm_protected_name, each at a multiple of four octets, in the
                                order of lines, and within a list in that of its file */
    struct xnm_arena slots;  /* struct xnm_policy_slot */
    struct xnm_arena exempt; /* of uint32_t: a name's place, in units; 0: free */
    struct xnm_filter every, plain; /* for names with an A-label, and without one */
    uint64_t slot_count, exempt_count;
    struct xnm_depths depths;                        /* of names */
    struct xnm_depths compared_whole, compared_left; /* of what is compared: whole names, or what
                                                        stands left of public suffixes */
    size_t count;                                    /* of names */
    bool whole, any_tld, any_label;                  /* which kinds there are of what is compared */
};

static inline struct xnm_protected_name *
xnm_lookalike_name(const struct xnm_lookalike_index *lookalikes, size_t at)
{
    return (struct xnm_protected_name *)(void *)(lookalikes->names.octets + at);
}

/* Octets of a name of so many, in their arena. */
enum { XNM_LOOKALIKE_UNIT = 4, XNM_LOOKALIKE_FIRST = XNM_LOOKALIKE_UNIT };
static inline size_t xnm_lookalike_name_size(size_t name_len)
{
    size_t size = offsetof(struct xnm_protected_name, octets) + name_len;

    return (size + XNM_LOOKALIKE_UNIT - 1) / XNM_LOOKALIKE_UNIT * XNM_LOOKALIKE_UNIT;
}

/* --- building --- */

/* Adds a protected name of the line: wire format, lower case. False: no memory. */
bool xnm_lookalike_add(struct xnm_policy *policy, uint32_t line, const uint8_t *name, size_t len);

/* Names of one rule that look alike as a whole: of more the rest only stay exempt, so that no list
 * makes a query slow. */
enum { XNM_LOOKALIKE_ALIKE_MAX = 64 };

/* Octets of the tables for so many names, at most. */
size_t xnm_lookalike_tables_memory(size_t names);

/* Puts all names where they are found; those that say the same twice are left out. Reports where
 * one rule has too many names that look alike. False: no memory, or xnm_shadowed_is_over. */
bool xnm_lookalike_make_index(struct xnm_shadowed *shadowed);

/* Puts them there again, after the policy has another seed. As xnm_policy_reindex. */
bool xnm_lookalike_reindex(struct xnm_policy *policy, struct xnm_run_limit *limit);

void xnm_lookalike_trim(struct xnm_lookalike_index *lookalikes);
void xnm_lookalike_free(struct xnm_lookalike_index *lookalikes);
size_t xnm_lookalike_memory(const struct xnm_lookalike_index *lookalikes);

/* --- asking --- */

struct xnm_lookalike_walk;

/* A protected name that one may look like. */
struct xnm_candidate {
    const struct xnm_protected_name *name;
    unsigned first, count; /* labels of the name asked for that it is compared with */
    struct xnm_lookalike_walk *walk;
};

/* Does it look like that, as its rule has it? By which key, and the number of the first label that
 * does, from the left, the first is 1. */
bool xnm_candidate_compare(const struct xnm_candidate *candidate, xn_key *key, unsigned *label);

typedef void xnm_candidate_sink(void *arg, const struct xnm_candidate *candidate);

/* Can a name without an A-label look like a protected one? */
static inline bool xnm_lookalike_has_plain(const struct xnm_lookalike_index *lookalikes)
{
    return lookalikes->plain.count > 0;
}

/* Gives all protected names that a name may look like, with `label=any` by its labels from the
 * left, and else first those of which fewest labels are compared; none where the name is exempt.
 * Bounded, whatever is protected and asked: after some hundred comparisons xnm_candidate_compare
 * finds no more. */
void xnm_lookalike_search(const struct xnm_policy *policy, struct xnm_shapes *shapes, bool has_ace,
                          xnm_candidate_sink *sink, void *arg);

#endif
