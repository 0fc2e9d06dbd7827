/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a decision while it is made. Private to search.c, searchlist.c, searchlimit.c and
 * searchlabel.c. */
#ifndef XNM_MODULE_POLICY_SEARCH_H
#define XNM_MODULE_POLICY_SEARCH_H

#include "module/base/rrtype.h"
#include "module/policy/data.h"
#include "module/policy/qname.h"

struct xnm_search_match {
    uint32_t line; /* number of the rule */
    const struct xnm_table_answer *answer;
    const struct xnm_table_entry *entry;        /* NULL: a label rule matched the whole name */
    const struct xnm_protected_name *lookalike; /* for a look-alike rule */
    xnm_match_kind match_kind;
    unsigned label;
    unsigned rank; /* the greatest of one line's matches is reported, the first of equal ones */
    unsigned target;
};

/* A tcp-only rule decides HOW a client has to ask; all other actions decide WHAT it gets. The best
 * rule of each side is found as if the other side had no rules. A zone has one of the two for a
 * name: only the owner of the name itself matches, or the closest encloser's wildcard. */
enum { WHAT, HOW, SIDES };

/* The suffixes of the current name, by their number of labels. */
struct xnm_suffixes {
    struct xnm_depths depths; /* of suffixes that some table may have */
    struct {
        uint64_t hash, bits;      /* xnm_filter_bits(hash) */
    } at[XN_WIRE_LABELS_MAX + 1]; /* up to the longest such suffix */
};

/* Separate from struct xnm_search, because most names use none of this. */
struct xnm_search_matches {
    struct xnm_search_match logs[XNM_DECISION_LOGS_MAX];
    struct xnm_search_match best[SIDES]; /* of a rule about names, or else of a label rule */
    struct xnm_suffixes suffixes;        /* of the current name */
    /* Set when a rule with a limit is met first. Bit n: the limit with number n + 1 was tested, and
     * includes the client and the time. */
    uint64_t tested[XNM_LIMITS_MAX / 64], met[XNM_LIMITS_MAX / 64];
    time_t time;                 /* 0: the clock was not read yet */
    uint64_t limited_key[SIDES]; /* the greatest key of rules with a limit, for the current name */
    uint64_t others_exempt_key;  /* the greatest key of rules that exempt other clients */
    bool others_exempt;          /* if the answer is a refusal, it is client-specific */
};

struct xnm_search {
    const struct xnm_policy *policy;
    const struct xnm_question *question;
    struct xnm_search_matches *matches;
    /* The members below are set to 0 for each decision: 80 octets, in a few stores. */
    const struct xnm_qname *name; /* the current name; NULL between names */
    uint64_t best_key[SIDES];
    const struct xnm_search_match *best[SIDES]; /* for the current name, or NULL */
    uint64_t tags;
    uint32_t label_rule_end[SIDES]; /* only label rules of lines before this one may decide */
    unsigned log_count;
    unsigned target;      /* number of the current name; 0: the query name */
    bool below;           /* all names below the name are decided, not the name */
    bool met_limit;       /* a rule with a limit was met */
    bool specific_answer; /* as in struct xnm_decision */
    bool list_exempts;    /* the current list is of passthru, or one of except= */
};

static inline const struct xnm_policy_line *
xnm_search_match_line(const struct xnm_search *search, const struct xnm_search_match *match)
{
    return xnm_policy_line(search->policy, match->line);
}

static inline unsigned xnm_search_side(xnm_action action)
{
    return action == XNM_TCP_ONLY ? HOW : WHAT;
}

/* An answer to ANY may contain every type, and DNS64 makes answers from A records. A refusal for
 * such a type refuses the answer; an exemption must name the query's type. */
static inline bool xnm_search_may_contain(const struct xnm_question *question, uint16_t type)
{
    return question->qtype == XNM_TYPE_ANY || (question->from_a && type == XNM_TYPE_A);
}

static inline bool xnm_search_asks_for(const struct xnm_policy_line *line, xnm_action action,
                                       const struct xnm_question *question)
{
    bool exempts = action == XNM_PASSTHRU;

    for (unsigned i = 0; i < line->type_count; i++) {
        if (line->types[i] == question->qtype ||
            (!exempts && xnm_search_may_contain(question, line->types[i])))
            return true;
    }
    return line->type_count == 0;
}

static inline xnm_action xnm_search_match_action(const struct xnm_search *search,
                                                 const struct xnm_search_match *match)
{
    return xnm_policy_line_action(xnm_search_match_line(search, match), match->answer);
}

/* Returns whether a match is reported instead of an earlier match of the same line. Protected names
 * that parts of labels look like are not found in the order of their list. */
static inline bool xnm_search_is_better(const struct xnm_search_match *match,
                                        const struct xnm_search_match *other)
{
    if (match->rank != other->rank)
        return match->rank > other->rank;
    return match->label == other->label && match->lookalike < other->lookalike;
}

/* Finds the entry of a list that decides the current name, whose suffixes are in search->matches,
 * and its number of labels. `left` has the label counts that the list may have. In a plain list the
 * longest entry decides; in a list with modifiers the strongest, and the longest of equally strong
 * ones, unless it is an exemption; in an RPZ zone the entry of the name, or else the wildcard of
 * its closest encloser (RFC 4592, section 3.3.1). Returns NULL if there is none. */
const struct xnm_table_entry *xnm_search_list(const struct xnm_search *search,
                                              const struct xnm_table *table, struct xnm_depths left,
                                              unsigned *depth);

/* Returns whether a table outside policy->lists matches the current name. Writes the suffixes of
 * that name to search->matches. */
bool xnm_search_has_name(struct xnm_search *search, const struct xnm_table *table);

/* Adds a match of a rule that only logs. Each line is stored once, with its best match for the
 * first name that it matches. */
void xnm_search_add_log(struct xnm_search *search, const struct xnm_search_match *match);

/* Finds the look-alikes and conditions that match a name. A function of its own, so that its stack
 * frame is not part of the caller's, which runs for every name. */
void xnm_search_shapes(struct xnm_search *search, const struct xnm_qname *name, bool has_ace);

/* Returns whether the limit with this number includes the question's client and time. */
bool xnm_search_limit_met(struct xnm_search *search, unsigned limit);

/* Returns the same for a rule about names that would be the best so far. The answer of other
 * clients depends on this rule, unless a better rule without a limit follows: xnm_search_settle. */
bool xnm_search_may_decide(struct xnm_search *search, xnm_action action, unsigned limit,
                           uint64_t key);

/* Decides whether the answer is client-specific because of rules that the current name met. */
void xnm_search_settle(struct xnm_search *search);

/* Writes the decision's group and whether it is client-specific. Call it if a limit was met. */
void xnm_search_write_limit(const struct xnm_search *search, struct xnm_decision *decision);

#endif
