/* SPDX-License-Identifier: BSD-3-Clause */
/* Look-alike index: the protected names of a policy, and the search for those that a name may look
 * like. Part of the policy (module/policy/data.h).
 *
 * Each protected name is in two tables. The first has the name itself: that name, and every name
 * below it, is exempt. The second has hashes of loose keys (core/lookalike/lookalike.h):
 * - of the compared part (the whole name, what is left of its public suffix, or one label): the
 *   hashes of its labels, joined from the right end. One probe for each suffix of a name finds the
 *   candidates. A filter ends that walk if no compared part is at or below a suffix.
 * - for near=, within= and words=, of the label left of the public suffix, joined to the labels
 * after it if the public suffix is compared; for near=1 also without each of its letters, and
 * joined to `www` and to its suffix. Two labels that are one edit apart have such a key in common.
 * - for elsewhere=yes, of that label alone.
 *
 * The hash of a key is a polynomial in its octets. So the hashes of its beginnings, which one pass
 * over the label gives, yield that of any part of it and of the label without any letter in two
 * multiplications, and each of these is one probe of the filter. Names without an A-label have a
 * filter of their own, with only what such names can look like. */
#ifndef XNM_MODULE_POLICY_LOOKALIKEINDEX_H
#define XNM_MODULE_POLICY_LOOKALIKEINDEX_H

#include "module/policy/policy.h"
#include "module/policy/qname.h"
#include "module/table/filter.h"

struct xnm_shadowed;
struct xnm_table;

/* {0} is empty. */
struct xnm_lookalikeindex {
    struct xnm_arena names;  /* struct xnm_protected_name, each at a multiple of four octets, in the
                                order of lines; names of a list in the order of its file */
    struct xnm_arena exempt; /* of uint32_t: the place of a name, in units; 0: free */
    uint64_t exempt_count;
    struct xnm_arena slots; /* struct xnm_table_slot */
    uint64_t slot_count;
    struct xnm_filter every, plain; /* for names with an A-label; for names without one */
    struct xnm_arena powers;        /* uint64_t: of the polynomials' base, up to the
                                       XN_KEY_MAX-th; empty without near=, within= and
                                       words= */
    struct xnm_depths depths;       /* label counts of protected names */
    struct xnm_depths whole_depths, left_depths; /* label counts of compared parts: whole names;
                                                    parts left of public suffixes */
    struct xnm_depths
        suffixes;    /* label counts of public suffixes that near=, within= and words= compare */
    size_t count;    /* protected names */
    size_t shortest; /* octets of the shortest key that near=, within= or words= looks up */
    size_t shortest_inside;  /* octets of the shortest key that within= finds inside a word */
    bool any_tld, any_label; /* the kinds of compared parts left of public suffixes that exist */
    bool strict;             /* some rule has the strict key, by which labels have second
                                readings */
    bool near, within;       /* some rule has the option */
    bool words;              /* some rule has words= */
    bool parts_left; /* some rule with near=, within= or words= does not compare public suffixes */
    bool elsewhere;  /* some rule has the option */
};

static inline struct xnm_protected_name *
xnm_lookalike_name(const struct xnm_lookalikeindex *lookalikes, size_t at)
{
    return (struct xnm_protected_name *)(void *)(lookalikes->names.octets + at);
}

/* Returns the octets that a name of name_len octets takes in the arena of names. */
enum { XNM_LOOKALIKE_UNIT = 4, XNM_LOOKALIKE_FIRST = XNM_LOOKALIKE_UNIT };
static inline size_t xnm_lookalike_name_size(size_t name_len)
{
    size_t size = offsetof(struct xnm_protected_name, octets) + name_len;

    return (size + XNM_LOOKALIKE_UNIT - 1) / XNM_LOOKALIKE_UNIT * XNM_LOOKALIKE_UNIT;
}

/* --- building --- */

/* The most names of one rule that may look alike as a whole. Further names are only exempt, so that
 * no list makes a query slow. */
enum { XNM_LOOKALIKE_ALIKE_MAX = 64 };

/* Inserts the names of all lines into the tables, without duplicates. `written` has the names of
 * rule files, in line order. Reports a rule with too many names that look alike. Returns false when
 * out of memory, or if xnm_shadowed_is_over. */
bool xnm_lookalikeindex_make(struct xnm_shadowed *shadowed, const struct xnm_table *written);

void xnm_lookalikeindex_trim(struct xnm_lookalikeindex *lookalikes);

/* --- asking --- */

struct xnm_lookalike_walk;

/* A text that may look like a protected label: a part of a label, two labels joined, or a label
 * with an edit. */
struct xnm_lookalike_part {
    xnm_match_kind match_kind; /* WORDS, WITHIN, NEAR or ELSEWHERE */
    const struct xn_shape *shape;
    bool second; /* its letters have second readings */
    bool apart;  /* WITHIN: at each side is an end of the label, a hyphen or a digit. WORDS: true */
    uint8_t words;   /* WORDS: the number of their set */
    unsigned labels; /* of the queried name: 2 if joined */
};

/* A protected name that the queried name may look like. */
struct xnm_candidate {
    const struct xnm_protected_name *name;
    unsigned first; /* the first label of the queried name that is compared with it */
    unsigned count; /* compared labels of the protected name */
    const struct xnm_lookalike_part
        *part;   /* for its first label; NULL: labels are compared whole */
    bool second; /* letters that have a second reading are compared by that */
    struct xnm_lookalike_walk *walk;
};

/* Returns whether the name looks like the candidate, as its rule wants. *match_kind says how;
 * *label is the number of the first label that looks alike, counted from 1 at the left. */
bool xnm_candidate_compare(const struct xnm_candidate *candidate, xnm_match_kind *match_kind,
                           unsigned *label);

typedef void xnm_candidate_sink(void *arg, const struct xnm_candidate *candidate);

/* Returns whether names that this line protects are exempt. */
typedef bool xnm_exemption_test(void *arg, uint32_t line);

/* Returns whether a name without an A-label can look like a protected one. */
static inline bool xnm_lookalike_has_plain(const struct xnm_lookalikeindex *lookalikes)
{
    return lookalikes->plain.count > 0;
}

/* Calls the sink with each protected name that a name may look like; not at all if the name is
 * exempt. Candidates of `label=any` come in the order of the name's labels, from the left; the
 * others by the number of compared labels, fewest first. Candidates of near=, within= and words=
 * follow, in no order for one label, and then those by second readings
 * (core/lookalike/lookalike.h). The work is bounded for any policy and name: after some hundred
 * comparisons xnm_candidate_compare returns false. */
void xnm_lookalike_search(const struct xnm_policy *policy, struct xnm_qlabels *labels, bool has_ace,
                          xnm_candidate_sink *sink, xnm_exemption_test *exempts, void *arg);

#endif
