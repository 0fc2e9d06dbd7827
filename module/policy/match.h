/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rule matched, in a form of its own that outlives the policy: what a log line says of it.
 * Host-free. */
#ifndef XNM_MODULE_POLICY_MATCH_H
#define XNM_MODULE_POLICY_MATCH_H

#include "module/policy/policy.h"

enum { XNM_MATCH_FILE_MAX = 128, XNM_MATCH_TAGS_MAX = 256 };

struct xnm_match {
    xnm_action action; /* XNM_LOG where only log rules matched */
    xnm_trigger trigger;
    bool log_only;            /* decided, but the answer was left alone */
    bool wildcard;            /* the entry's name stands behind `*.` */
    struct xnm_wirename name; /* the entry's; of a look-alike the protected one; len 0: none (of
                                 conditions), or the decision does not know it any more */
    char subject[XNM_RULE_SUBJECT_MAX]; /* of a condition: what stands behind its trigger, or "" */
    xn_key key;                         /* of a look-alike with a name */
    unsigned label;                     /* of look-alikes and conditions: as in xnm_decision */
    struct xnm_wirename target; /* the CNAME target that it is about; len 0: about the query name */
    _Atomic uint64_t *hits[1 + XNM_DECISION_LOGS_MAX]; /* of the deciding rule and of log rules */
    unsigned hit_count;
    unsigned line;                 /* of the rule */
    char file[XNM_MATCH_FILE_MAX]; /* the rule file's path; of a longer one its base name, cut */
    char tags[XNM_MATCH_TAGS_MAX]; /* "a,b"; those that find no room are left out */
};

/* Writes what a decision with a match says. log_only: policy-mode is log-only. */
void xnm_match_from(const struct xnm_policy *policy, const struct xnm_decision *decision,
                    bool log_only, struct xnm_match *match);

/* Does it say what looks like what: is it of a look-alike rule, and has it the name? */
bool xnm_match_has_lookalike(const struct xnm_match *match);

/* Counts one reply for each rule in match->hits. By any thread. */
void xnm_match_count(const struct xnm_match *match);

/* The part of match->file behind its last slash. */
const char *xnm_match_base(const struct xnm_match *match);

/* Writes "zone xn--80aodfsg.example", "name *.example", "lookalike paypal.com" as match= has it:
 * the trigger's word, then the name as A-labels without its final dot (the root is "."), odd octets
 * as \DDD, a first label `*` too; of a condition its words: "script not-in Latn,Cyrl", "invalid".
 * No NUL. dst has room for XNM_MATCH_SUBJECT_MAX octets. Returns how many were written; 0 where the
 * decision does not know any more what matched. */
enum {
    XNM_MATCH_WORD_MAX = 16, /* a trigger's word, a blank, and `*.` */
    XNM_MATCH_SUBJECT_MAX = XNM_MATCH_WORD_MAX + XN_WIRE_TEXT_MAX
};
_Static_assert((int)XNM_RULE_SUBJECT_MAX <= (int)XN_WIRE_TEXT_MAX, "a condition's words fit");
size_t xnm_match_subject(const struct xnm_match *match, char *dst);

/* Escapes the first label of a name's text if it is `*`, which of a rule's name is `*.`. It has
 * room for 3 octets more. Returns its length. */
size_t xnm_match_escape_star(char *name, size_t len);

/* Writes the target as target= has it: as such a name. No NUL. dst has room for XN_WIRE_TEXT_MAX
 * octets. Returns how many were written; 0: it is about the query name. */
size_t xnm_match_target(const struct xnm_match *match, char *dst);

#endif
