/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy decides how to answer a query for a name. It is immutable once built, except for the
 * counters; any number of threads decide by it without a lock or an allocation. Host-free.
 *
 * Which rule wins. (1) Rules of rule files and every passthru list: the longest match; exact beats
 * `*.` and zone, and the longer name beats the shorter. Between equals passthru wins, else the
 * earlier line. (2) Lists (lists and RPZ zones) in file order: the first list with a match, and its
 * longest match. (3) Look-alikes and conditions (scripts, validity) in file order. A name that any
 * look-alike rule protects, and every name below it, is exempt from look-alike rules. A passthru of
 * (1) or (2) skips (3).
 *
 * In a list with modifiers (struct xnm_modifiers) the strongest match decides, and the longest of
 * equally strong ones; if it is an exemption, the list has no match. A list or zone with
 * mode=log-only is in none of the three: a match that would decide is handled like a log rule's.
 *
 * tcp-only is decided separately: all other rules decide as if there were no tcp-only rules. If
 * they refuse the name, that decides over every transport. Else tcp-only decides, unless a passthru
 * comes before it in the order above. If the longest match in an RPZ zone is tcp-only, the zone's
 * other entries do not decide.
 *
 * A rule whose types do not contain the query's type does not match; the next best is tried. A
 * query for ANY matches every rule with types, except that a passthru must list ANY. Every matching
 * log rule adds its tag. Only class IN is decided, and class ANY like IN.
 *
 * A rule with client= or when= has its place in this order. For other clients, and at other times,
 * the policy decides as if the line were absent: its list or zone has no names, and a name that it
 * protects from look-alikes is not exempt by it.
 *
 * In an RPZ zone a wildcard covers names as in RFC 4592: if a name between the wildcard and the
 * query name exists in the zone, itself or because a name below it does, the wildcard covers
 * neither that name nor any name below it.
 *
 * The first action at an owner name of an RPZ zone counts; a wildcard is an owner name like others.
 * If it answers with records, all records of that owner name are used, as are the records of all
 * `answer` lines with one trigger. */
#ifndef XNM_MODULE_POLICY_POLICY_H
#define XNM_MODULE_POLICY_POLICY_H

#include "core/lookalike/lookalike.h"
#include "module/base/address.h"
#include "module/base/record.h"
#include "module/base/rrtype.h"
#include "module/rule/action.h"
#include "module/rule/why.h"

#include <stdatomic.h>
#include <time.h>

struct xnm_counters;
struct xnm_rule;
struct xnm_table;
struct xnm_policy;

/* --- making (module/build/build.h) --- */

enum { XNM_LIMITS_MAX = 256 }; /* limits: different pairs of client= and when= */

struct xnm_policy_settings {
    uint32_t ttl;                             /* policy-ttl, seconds */
    struct xnm_wirename soa_mname, soa_rname; /* policy-soa */
    struct xnm_why_settings why;              /* structured-errors and error-… */
    struct xnm_counters *counters; /* must outlive the policy; NULL: its rules have no counters */
};

void xnm_policy_free(struct xnm_policy *policy); /* NULL is fine */

/* --- what there is --- */

/* The public part of a line of a rule file. */
struct xnm_policy_rule {
    const char *file; /* path */
    unsigned line;
    xnm_action action; /* XNM_ACTION_NONE: rpz */
    xnm_trigger trigger;
    const char *subject; /* the words after the trigger: a name as A-labels (with `*.`), a path, or
                            a condition's words; "" if the trigger takes none */
    size_t entry_count;
    size_t typed_count; /* entries for some types only */
    int8_t tag;         /* number of its tag; -1: none */
    const char *client; /* client= as in struct xnm_rule; NULL: every client */
    const char *when;   /* when= as in struct xnm_rule; NULL: always */
    _Atomic uint64_t
        *counter; /* see module/rule/counters.h; NULL if the settings have no counters */
};

/* Addresses of a group of clients. */
struct xnm_client_set {
    const char *group;
    const char *path; /* the file that has them; NULL: they are in rule files */
    struct xnm_ranges ranges;
};
size_t xnm_policy_client_set_count(const struct xnm_policy *policy);
const struct xnm_client_set *xnm_policy_client_set(const struct xnm_policy *policy, size_t n);

size_t xnm_policy_rule_count(const struct xnm_policy *policy);
const struct xnm_policy_rule *xnm_policy_rule(const struct xnm_policy *policy, size_t n);
size_t xnm_policy_entry_count(const struct xnm_policy *policy); /* protected names included */
size_t xnm_policy_memory(const struct xnm_policy *policy);      /* octets */
const struct xnm_policy_settings *xnm_policy_settings(const struct xnm_policy *policy);

/* Returns the table of the first list in a policy that has the path of this rule: with `excepts` of
 * a list of except=, else of a list with the same trigger and suffixes=. NULL: there is none, or
 * the list is empty. */
struct xnm_table *xnm_policy_table(const struct xnm_policy *policy, const struct xnm_rule *rule,
                                   bool excepts);

/* Returns how many names of a table can decide. An RPZ zone also has others. */
size_t xnm_policy_table_names(const struct xnm_table *table);

/* Returns whether any rule changes an answer. False if all rules only log or exempt. */
bool xnm_policy_changes_answers(const struct xnm_policy *policy);

/* Returns whether some look-alike rule, without client=, when= and type=, compares names under
 * every public suffix (tld=any or label=any). */
bool xnm_policy_protects(const struct xnm_policy *policy);

/* Returns whether any rule uses client= or when=. If not, a question needs no client. */
bool xnm_policy_has_limits(const struct xnm_policy *policy);

enum { XNM_TAGS_MAX = XNM_RULE_TAGS_MAX };
const char *xnm_policy_tag(const struct xnm_policy *policy, unsigned number);

/* --- deciding --- */

/* A protected name, in the policy's memory. */
struct xnm_protected_name {
    uint32_t line : 26; /* its rule's number for xnm_policy_rule */
    uint32_t min : 6;   /* its own min=, from its list; 0: the rule's min= applies */
    uint8_t start, end; /* the compared part: xnm_protection_part */
    uint8_t len;
    uint8_t octets[]; /* wire format, lower case */
};

/* The ways in which a name looks like a protected one, from the narrowest to the widest. */
typedef enum {
    XNM_MATCH_KIND_EXACT,  /* by the exact key */
    XNM_MATCH_KIND_STRICT, /* by the strict key alone */
    XNM_MATCH_KIND_WORDS,  /* a label is the protected one with words of a list beside it: words= */
    XNM_MATCH_KIND_WITHIN, /* a part of a label looks like the protected label: within=yes */
    XNM_MATCH_KIND_NEAR,   /* by its rule's key, except for one edit: near=1 */
    XNM_MATCH_KIND_ELSEWHERE, /* the protected label itself, in another domain: elsewhere=yes */
    XNM_MATCH_KIND_COUNT
} xnm_match_kind;

/* Returns "exact", "strict", "words", "within", "near" or "elsewhere". */
const char *xnm_match_kind_word(xnm_match_kind match_kind);

/* The answer of an entry that decides. */
struct xnm_policy_answer {
    const struct xnm_policy_rule *rule;
    xnm_action action;       /* never XNM_ACTION_NONE; XNM_LOG only in xnm_decision.logs */
    uint32_t ttl;            /* seconds: of the SOA, and of records without a TTL of their own */
    int ede;                 /* an info code, or XNM_EDE_OFF */
    const char *ede_text;    /* UTF-8; NULL: none */
    const char *why;         /* the reason, from the rule or its tag; NULL: none */
    xnm_sub_error sub_error; /* from the rule or its tag; need not be valid with `ede` */
    const struct xnm_record *records; /* for REDIRECT, CNAME and ANSWER */
    size_t record_count;
    bool prefix; /* for CNAME: the query name is put before the target */
};

/* A decision. It points to itself, so it must not be copied. Its other pointers are valid as long
 * as the policy. */
enum { XNM_DECISION_LOGS_MAX = 8 };
struct xnm_decision {
    const struct xnm_policy_answer *answer; /* `made`; NULL: nothing matched, or only log rules */
    struct xnm_policy_answer made;
    struct xnm_policy_answer
        logs[XNM_DECISION_LOGS_MAX]; /* matching log rules in line order, only the first that fit */
    unsigned log_count;
    uint64_t tags;   /* of all matching log rules; bit n is tag number n */
    unsigned target; /* 0: the query name matched; n: the n-th chain target matched */
    /* The next members describe the match of the answer's rule, or without an answer that of the
     * first log rule. */
    xnm_scope scope;
    struct xnm_wirename name; /* the entry's name, which is a suffix of the query name or target;
                                 for look-alikes and conditions, that whole name */
    const char *group; /* the group in client= that includes the client; NULL: the rule has no
                          client=, or includes the client without a group */
    const struct xnm_protected_name
        *lookalike; /* the protected name that the name looks like; NULL: the rule is not about
                       look-alikes. If the name looks like several names of a rule, the match kinds
                       rank whole labels, words, within, near, elsewhere; then more compared labels
                       rank higher; then the exact key above the strict one; then the first name is
                       chosen. */
    xnm_match_kind match_kind; /* for look-alikes */
    unsigned label; /* for look-alikes and conditions: number of the first label that makes the rule
                       match, counted from 1 at the left; 0 for other rules */
    /* Another client, or this client at another time, may get another answer: this answer must not
     * be stored for other clients, and an answer that was stored for others must not be sent. False
     * for a rule that only logs, and for one that exempts a name which no rule refuses. */
    bool specific_answer;
    /* Another client, or this client at another time, may get another decision, if only for the log
     * line. True if specific_answer is. */
    bool specific_decision;
    struct xnm_wirename target_name; /* if `target` is not 0: that target as a whole */
};

struct xnm_question {
    const uint8_t *qname; /* wire format, in upper or lower case */
    size_t qname_len;
    uint16_t qtype, qclass;
    bool from_a; /* AAAA records of the answer are made from A records (RFC 6147) */
    const struct xnm_wirename
        *looked_up; /* the resolver answers with the records of this name, which is decided like the
                       query name; NULL: with those of the query name */
    const struct xnm_prefix
        *client; /* its address, or the network that a forwarder names; NULL: the client is unknown,
                    as in a prefetch, and rules with client= do not apply */
    time_t time; /* seconds since 1970; 0: now; the clock is only read if a rule needs it */
};

/* Returns whether a policy decides queries of this class: IN, and ANY, which is answered with the
 * records of IN. */
static inline bool xnm_policy_decides_class(uint16_t qclass)
{
    return qclass == XNM_CLASS_IN || qclass == XNM_CLASS_ANY;
}

/* Decides the query name alone. Returns whether any rule matches. Does not count the match. */
bool xnm_policy_decide(const struct xnm_policy *policy, const struct xnm_question *question,
                       struct xnm_decision *decision);

/* Decides all names below a name, except those at or below a name that has an entry of its own, by
 * rules about names. Look-alikes and conditions are ignored, because they are about whole names.
 * Otherwise like xnm_policy_decide. */
bool xnm_policy_decide_below(const struct xnm_policy *policy, const struct xnm_question *question,
                             struct xnm_decision *decision);

/* Writes the next target of an answer's CNAMEs, including CNAMEs synthesized from DNAMEs, in order,
 * in wire format, in upper or lower case. Returns false at the end. */
typedef bool xnm_chain_next(void *chain, const uint8_t **target, size_t *len);

/* Decides a query name and the chain of its answer. The first refused name decides. A passthru on
 * the query name exempts the chain; a passthru on a target exempts only that target. If no name is
 * refused, the first passthru decides. Log rules add the tags of all names up to there. chain_next
 * NULL: no chain. */
bool xnm_policy_decide_answer(const struct xnm_policy *policy, const struct xnm_question *question,
                              xnm_chain_next *chain_next, void *chain,
                              struct xnm_decision *decision);

/* Returns whether a decision changes the answer over at least one transport. True for tcp-only. */
bool xnm_decision_changes_answer(const struct xnm_decision *decision);

/* Returns whether a decision changes the answer over every transport. False for tcp-only. */
bool xnm_decision_refuses(const struct xnm_decision *decision);

/* Returns whether the answer must stay out of a cache that all clients share: the decision changes
 * it, or another client might get another answer. */
bool xnm_decision_forbids_cache(const struct xnm_decision *decision);

#endif
