/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a decision that is being made. Private to decide.c, lists.c, audience.c and
 * labelrule.c. */
#ifndef XNM_MODULE_POLICY_SEARCH_H
#define XNM_MODULE_POLICY_SEARCH_H

#include "module/base/rrtype.h"
#include "module/policy/data.h"
#include "module/policy/qname.h"

struct xnm_search_match {
    uint32_t line; /* number of the rule */
    const struct xnm_table_answer *says;
    const struct xnm_table_entry *entry;        /* NULL: a label rule's, about the whole name */
    const struct xnm_protected_name *lookalike; /* … of a look-alike */
    xnm_match_kind match_kind;
    unsigned label;
    unsigned rank; /* which of one line's matches is shown: the greatest, of equal ones the first */
    unsigned target;
};

/* tcp-only says how a client has to ask, all other actions say what it gets: the best of either is
 * looked for as if there were no rule of the other. A zone says one of the two of a name: of its
 * owners only the closest encloser's wildcard or the name itself matches. */
enum { WHAT, HOW, SIDES };

/* The suffixes of the name in hand, by their number of labels. */
struct xnm_suffixes {
    struct xnm_depths depths; /* those that some table may have */
    struct {
        uint64_t hash, bits;      /* xnm_filter_bits(hash) */
    } at[XN_WIRE_LABELS_MAX + 1]; /* up to the longest of them */
};

/* Apart from the search, since most names touch none of them. */
struct xnm_search_matches {
    struct xnm_search_match logs[XNM_DECISION_LOGS_MAX];
    struct xnm_search_match best[SIDES]; /* of a rule about names, or else of a label rule */
    struct xnm_suffixes suffixes;        /* of the name in hand */
    /* A bit for each audience, by its number - 1; set when the search meets it: */
    uint64_t tested[XNM_AUDIENCES_MAX / 64], held[XNM_AUDIENCES_MAX / 64];
    time_t time;              /* 0: not asked yet */
    uint64_t open_key[SIDES]; /* the greatest of rules that have one, for the name in hand */
    uint64_t spare_key;       /* … that exempt others */
    bool spares;              /* the answer is this client's alone if it is a refusal */
};

struct xnm_search {
    const struct xnm_policy *policy;
    const struct xnm_question *question;
    struct xnm_search_matches *matches;
    /* For each decision, all below is set to 0: 80 octets that a handful of stores fill. */
    const struct xnm_qname *name; /* in hand; NULL between names */
    uint64_t best_key[SIDES];
    const struct xnm_search_match *best[SIDES]; /* for the name in hand, or NULL */
    uint64_t tags;
    uint32_t label_rule_end[SIDES]; /* a label rule of a line before it may decide */
    unsigned log_count;
    unsigned target;       /* the name in hand; 0: the query name */
    bool below;            /* it is all that is below the name */
    bool varies, personal; /* xnm_decision; matches->tested and so on are set if varies */
};

static inline const struct xnm_policy_line *xnm_match_line(const struct xnm_search *search,
                                                           const struct xnm_search_match *match)
{
    return xnm_policy_line(search->policy, match->line);
}

static inline unsigned xnm_side_of(xnm_action action)
{
    return action == XNM_TCP_ONLY ? HOW : WHAT;
}

/* An answer to ANY may hold every type, and DNS64 makes answers from A records. A refusal for such
 * a type refuses the answer; an exemption must name the query's type. */
static inline bool xnm_may_hold(const struct xnm_question *question, uint16_t type)
{
    return question->qtype == XNM_TYPE_ANY || (question->from_a && type == XNM_TYPE_A);
}

static inline bool xnm_asks_for(const struct xnm_policy_line *line, xnm_action action,
                                const struct xnm_question *question)
{
    bool exempts = action == XNM_PASSTHRU;

    for (unsigned i = 0; i < line->type_count; i++) {
        if (line->types[i] == question->qtype ||
            (!exempts && xnm_may_hold(question, line->types[i])))
            return true;
    }
    return line->type_count == 0;
}

static inline xnm_action xnm_match_action(const struct xnm_search *search,
                                          const struct xnm_search_match *match)
{
    return xnm_line_action(xnm_match_line(search, match), match->says);
}

/* Is a match shown rather than another one of its line that was found before it? Protected names
 * that parts of labels look like are not found in their order. */
static inline bool xnm_search_is_better(const struct xnm_search_match *match,
                                        const struct xnm_search_match *other)
{
    if (match->rank != other->rank)
        return match->rank > other->rank;
    return match->label == other->label && match->lookalike < other->lookalike;
}

/* Finds the entry of a list that decides a name in hand, whose suffixes are in search->matches, and
 * its number of labels. `left`: those that it may have. Of a plain list that is the longest; of one
 * with modifiers the strongest, and of equal ones the longest, unless it is an exemption; of a
 * response policy zone that of the name, or else the wildcard of its closest encloser (RFC 4592,
 * section 3.3.1). Returns NULL if there is none. */
const struct xnm_table_entry *xnm_search_list(const struct xnm_search *search,
                                              const struct xnm_table *table, struct xnm_depths left,
                                              unsigned *depth);

/* Returns whether a list that is not one of the policy's own matches the name in hand. Writes the
 * suffixes of that name to search->matches. */
bool xnm_search_has_name(struct xnm_search *search, const struct xnm_table *table);

/* Keeps a match of a rule that only logs: each line once, with its best match for the first name
 * that it matches. */
void xnm_search_add_log(struct xnm_search *search, const struct xnm_search_match *match);

/* Finds look-alikes and conditions for a name. Apart, to keep its stack frame out of its caller,
 * which runs for every name. */
void xnm_search_shapes(struct xnm_search *search, const struct xnm_qname *name, bool has_ace);

/* Is a line with this audience for the client of the question? */
bool xnm_search_is_for_client(struct xnm_search *search, unsigned audience);

/* The same for a rule about names that would be the best so far. What others get hangs on it,
 * unless a better rule follows that is for everybody: xnm_search_settle. */
bool xnm_search_may_decide(struct xnm_search *search, xnm_action action, unsigned audience,
                           uint64_t key);

/* Concludes from the rules with audiences that the name met. */
void xnm_search_settle(struct xnm_search *search);

/* Writes what rules with audiences say. */
void xnm_search_show_audience(const struct xnm_search *search, struct xnm_decision *decision);

#endif
