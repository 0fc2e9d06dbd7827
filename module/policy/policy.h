/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy: what to do about a name. It is immutable once built, except for hit
 * counters; any number of threads decide by it without a lock or an allocation. Host-free; usable
 * without Unbound.
 *
 * Which rule wins. (1) Rules of rule files and every passthru list: the longest match; exact beats
 * `*.` and zone, and the longer name beats the shorter. Between equals passthru wins, else the
 * earlier line. (2) Lists (lists and RPZ zones) in file order: the first list with a match, and in
 * it the longest match. (3) Look-alikes and conditions (scripts, validity) in file order. A name
 * that any look-alike rule protects, and every name below it, looks like none. A passthru of (1) or
 * (2) skips them all.
 *
 * In a list with modifiers (struct xnm_modifiers) the strongest match decides, of equally strong
 * ones the longest; if it is an exemption, the list has no match. A list or zone with mode=log-only
 * is in none of the three: what would decide in it matches like a log rule.
 *
 * tcp-only is decided apart: all other rules decide as if tcp-only rules did not exist. If they
 * refuse the name, that is the decision over every transport. Else tcp-only decides, unless a
 * passthru comes before it in the order above. If the longest match in an RPZ zone is tcp-only, the
 * zone's other entries have no say.
 *
 * A rule whose types do not contain the query's type does not match; the next best is tried. A
 * query for ANY stands for all types: it matches every rule with types, except that a passthru must
 * list ANY. Every matching log rule adds its tag. Only class IN is decided, and class ANY like IN.
 *
 * A rule with client= or when= is in this order like any other; for other clients, and at other
 * times, the policy is as if that line were not there: its list or zone has no names, and a name
 * that it protects from look-alikes is not exempt by it.
 *
 * In an RPZ zone a wildcard covers what RFC 4592 says: if a name between the wildcard and the query
 * name exists in the zone, itself or because a name below it does, the wildcard covers neither that
 * name nor any name below it.
 *
 * At one owner name of an RPZ zone the first action counts; that of a wildcard is a name like
 * others. If it answers with records, the records of that owner name are all used; likewise the
 * records of all `answer` lines with one trigger. */
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

enum { XNM_LIMITS_MAX = 256 }; /* different client= and when= */

struct xnm_policy_settings {
    uint32_t ttl;                             /* policy-ttl, seconds */
    struct xnm_wirename soa_mname, soa_rname; /* policy-soa */
    struct xnm_why_settings why;              /* structured-errors and error-… */
    struct xnm_counters *counters; /* must outlive the policy; NULL: its rules have no counters */
};

void xnm_policy_free(struct xnm_policy *policy); /* NULL is fine */

/* --- what there is --- */

/* One line of a rule file, as the policy has it. */
struct xnm_policy_rule {
    const char *file; /* path */
    unsigned line;
    xnm_action action; /* XNM_ACTION_NONE: rpz */
    xnm_trigger trigger;
    const char *subject; /* what follows the trigger: a name as A-labels (with `*.`), a path, or a
                            condition's words; "" if the trigger says all */
    size_t entry_count;
    size_t typed_count;        /* entries that are for some types alone */
    int8_t tag;                /* number of its tag; -1: none */
    const char *client;        /* whom it is for, as in struct xnm_rule; NULL: every client */
    const char *when;          /* likewise; NULL: always */
    _Atomic uint64_t *counter; /* see module/rule/counters.h; NULL: of settings without counters */
};

/* Addresses of a group of clients. */
struct xnm_client_set {
    const char *group;
    const char *path; /* of the file that has them; NULL: rule files do */
    struct xnm_ranges ranges;
};
size_t xnm_policy_client_set_count(const struct xnm_policy *policy);
const struct xnm_client_set *xnm_policy_client_set(const struct xnm_policy *policy, size_t n);

size_t xnm_policy_rule_count(const struct xnm_policy *policy);
const struct xnm_policy_rule *xnm_policy_rule(const struct xnm_policy *policy, size_t n);
size_t xnm_policy_entry_count(const struct xnm_policy *policy); /* protected names included */
size_t xnm_policy_memory(const struct xnm_policy *policy);      /* octets */
const struct xnm_policy_settings *xnm_policy_settings(const struct xnm_policy *policy);

/* Returns the table of a rule's list in a policy: of the first list there with its trigger, path
 * and suffixes=. NULL: there is none, or the list is empty there. */
struct xnm_table *xnm_policy_table(const struct xnm_policy *policy, const struct xnm_rule *rule);

/* Returns the table of the first look-alike rule there with this file in except=. NULL: there is
 * none, or the list is empty there. */
struct xnm_table *xnm_policy_except_table(const struct xnm_policy *policy, const char *path);

/* Returns how many names of a table can decide something: an RPZ zone has others, too. */
size_t xnm_policy_table_names(const struct xnm_table *table);

/* Returns whether any rule changes an answer: not if all only log or exempt. */
bool xnm_policy_changes_answers(const struct xnm_policy *policy);

/* Returns whether some look-alike rule compares names under every public suffix (tld=any, private
 * or label=any), whoever asks for them, for whichever type and whenever. */
bool xnm_policy_protects(const struct xnm_policy *policy);

/* Has it rules with client= or when=? If not, a question need not tell the client. */
bool xnm_policy_has_limits(const struct xnm_policy *policy);

enum { XNM_TAGS_MAX = XNM_RULE_TAGS_MAX };
const char *xnm_policy_tag(const struct xnm_policy *policy, unsigned number);

/* --- deciding --- */

/* A protected name, in the policy's memory. */
struct xnm_protected_name {
    uint32_t line : 26; /* its rule's number for xnm_policy_rule */
    uint32_t min : 6;   /* its own min=, from its list; 0: its rule's */
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
    xnm_action action; /* never XNM_ACTION_NONE; XNM_LOG only in xnm_decision.log */
    uint32_t ttl;      /* seconds: of the SOA, and of records without a TTL of their own */
    int ede;
    const char *ede_text;             /* UTF-8; NULL: none */
    const char *why;                  /* the reason, as the rule or its tag has it; NULL: none */
    xnm_sub_error sub_error;          /* likewise; it need not go with `ede` */
    const struct xnm_record *records; /* for REDIRECT, CNAME and ANSWER */
    size_t record_count;
    bool prefix; /* for CNAME: the query name stands before the target */
};

/* A decision, which points to itself: it is not copied. Its other pointers are valid as long as the
 * policy. */
enum { XNM_DECISION_LOGS_MAX = 8 };
struct xnm_decision {
    const struct xnm_policy_answer *answer; /* `made`; NULL: nothing matched, or only log rules */
    struct xnm_policy_answer made;
    struct xnm_policy_answer logs[XNM_DECISION_LOGS_MAX]; /* matching log rules, in the order of
                                                       their lines; only the first that fit */
    unsigned log_count;
    uint64_t tags;   /* of all matching log rules; bit n is tag number n */
    unsigned target; /* 0: the query name matched; n: the n-th chain target matched */
    /* The next members say what the answer's rule matched, or else the log rule. */
    xnm_scope scope;
    struct xnm_wirename name; /* the entry's name, which is a suffix of the query name or target;
                                 for look-alikes and conditions that whole name */
    const char *group; /* by which the client is one of those that the rule is for; NULL: the rule
                          is for everybody, or names the client otherwise */
    const struct xnm_protected_name
        *lookalike; /* what the name looks like; NULL: not a look-alike. Of one rule's names, one
                       whose labels look alike as a whole, then one that is a label with words or
                       within one, then
                       one with an edit, then one that is elsewhere; of these, the one with the most
                       labels compared; then the exact key beats the strict one; then the first. */
    xnm_match_kind match_kind; /* … and how */
    unsigned label; /* for look-alikes and conditions: number of the first label that makes the rule
                       match, counted from 1 at the left; 0 for all other rules */
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
    const uint8_t *qname; /* wire format, in any case */
    size_t qname_len;
    uint16_t qtype, qclass;
    bool from_a; /* its AAAA records are made from A records (RFC 6147) */
    const struct xnm_wirename
        *looked_up; /* the resolver answers with the records of this name, which is decided like the
                       query name; NULL: of the query name itself */
    const struct xnm_prefix *client; /* its address, or the network that a forwarder names; NULL:
                                        nobody is known, as in a prefetch; a rule with client= is
                                        not for nobody */
    time_t time; /* seconds since 1970; 0: now, for which the clock is asked only if a rule needs
                    it */
};

/* Does a policy decide queries of this class? IN and ANY are decided; ANY is answered with the
 * records of IN. */
static inline bool xnm_policy_decides_class(uint16_t qclass)
{
    return qclass == XNM_CLASS_IN || qclass == XNM_CLASS_ANY;
}

/* Decides the query name alone. Returns whether any rule matches. Counts no hit. */
bool xnm_policy_decide(const struct xnm_policy *policy, const struct xnm_question *question,
                       struct xnm_decision *decision);

/* Decides what is below a name: rules about names say this for every name below it, except at and
 * below a name that has an entry of its own. Look-alikes and conditions look at the whole name and
 * are ignored. Otherwise like xnm_policy_decide. */
bool xnm_policy_decide_below(const struct xnm_policy *policy, const struct xnm_question *question,
                             struct xnm_decision *decision);

/* Gives the targets of an answer's CNAMEs in order, including CNAMEs synthesized from DNAMEs, in
 * wire format, any case; false at the end. */
typedef bool xnm_chain_next(void *chain, const uint8_t **target, size_t *len);

/* Decides a query name and the chain of its answer. The first refused name, in order, is the
 * decision. A passthru on the query name exempts the chain; a passthru on a target exempts that
 * target alone. If nothing is refused, the first passthru is the decision. Log rules add the tags
 * of all names up to there. chain_next NULL: no chain. */
bool xnm_policy_decide_answer(const struct xnm_policy *policy, const struct xnm_question *question,
                              xnm_chain_next *chain_next, void *chain,
                              struct xnm_decision *decision);

/* Does a decision change the answer over at least one transport? (tcp-only: yes.) */
bool xnm_decision_changes_answer(const struct xnm_decision *decision);

/* Does a decision change the answer over every transport? (tcp-only: no.) */
bool xnm_decision_refuses(const struct xnm_decision *decision);

/* Does a decision keep the answer out of a cache that all clients share: does it change the answer,
 * or might another client get another one? */
bool xnm_decision_forbids_cache(const struct xnm_decision *decision);

#endif
