/* SPDX-License-Identifier: BSD-3-Clause */
/* The rule that matched, as a log line reports it. A copy that outlives the policy. Host-free. */
#ifndef XNM_MODULE_POLICY_MATCH_H
#define XNM_MODULE_POLICY_MATCH_H

#include "module/policy/policy.h"
#include "module/rule/action.h"
#include "module/rule/limit.h"

enum { XNM_MATCH_FILE_MAX = 128, XNM_MATCH_TAGS_MAX = 256 };

struct xnm_match {
    xnm_action action; /* XNM_LOG if only log rules matched */
    xnm_trigger trigger;
    bool log_only;            /* a rule decided, but log-only mode left the answer alone */
    bool wildcard;            /* the entry has `*.` before its name */
    struct xnm_wirename name; /* of the entry, or the protected name of a look-alike; len 0: a
                                 condition matched, or the decision no longer has the name */
    char subject[XNM_RULE_SUBJECT_MAX]; /* for a condition: the words after its trigger, or "" */
    xnm_match_kind match_kind;          /* for a look-alike with a name */
    unsigned label;                     /* for look-alikes and conditions: as in xnm_decision */
    struct xnm_wirename target; /* the CNAME target that matched; len 0: the query name matched */
    _Atomic uint64_t
        *counters[1 + XNM_DECISION_LOGS_MAX]; /* counters of the deciding rule and of log rules */
    unsigned counter_count;
    unsigned line; /* line of the rule */
    char
        file[XNM_MATCH_FILE_MAX]; /* path of the rule file; if it is too long, its base name, cut */
    char group[XNM_GROUP_NAME_MAX + 1]; /* as in xnm_decision; "": none */
    char tags[XNM_MATCH_TAGS_MAX];      /* "a,b"; tags that do not fit are left out */
};

/* Writes the match of a decision, which must have one. log_only: policy-mode is log-only. */
void xnm_match_from(const struct xnm_policy *policy, const struct xnm_decision *decision,
                    bool log_only, struct xnm_match *match);

/* Returns whether the match has a look-alike rule and its protected name. */
bool xnm_match_has_lookalike(const struct xnm_match *match);

/* Returns whether the policy answers or drops the query. False for tcp-only, which leaves the
 * answer alone over TCP. */
bool xnm_match_refuses(const struct xnm_match *match);

/* Counts one reply for each rule in match->counters. Any thread may call it. */
void xnm_match_count(const struct xnm_match *match);

/* Returns the part of match->file after its last slash. */
const char *xnm_match_base(const struct xnm_match *match);

/* Writes the subject of the match, as match= has it: "zone xn--80aodfsg.example", "name *.example",
 * "lookalike paypal.com", "script not-in Latn,Cyrl", "invalid". The trigger's word is followed by
 * the name as A-labels without its final dot (the root is "."), in which odd octets and a first
 * label `*` are written as \DDD; or by the words of a condition. Writes no NUL. dst has room for
 * XNM_MATCH_SUBJECT_MAX octets. Returns the octets written; 0 if the decision no longer has the
 * name or label that matched. */
enum {
    XNM_MATCH_WORD_MAX = 16, /* a trigger's word, a blank, and `*.` */
    XNM_MATCH_SUBJECT_MAX = XNM_MATCH_WORD_MAX + XN_WIRE_TEXT_MAX
};
_Static_assert((int)XNM_RULE_SUBJECT_MAX <= (int)XN_WIRE_TEXT_MAX, "a condition's words fit");
size_t xnm_match_subject(const struct xnm_match *match, char *dst);

/* Escapes the first label of a name in presentation format if it is `*`, because a rule would read
 * that as a wildcard. `name` has room for 3 more octets. Returns its new length. */
size_t xnm_match_escape_star(char *name, size_t len);

/* Writes the target in the same format, as target= has it. Writes no NUL. dst has room for
 * XN_WIRE_TEXT_MAX octets. Returns the octets written; 0: the query name matched. */
size_t xnm_match_target(const struct xnm_match *match, char *dst);

#endif
