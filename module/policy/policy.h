/* SPDX-License-Identifier: BSD-3-Clause */
/* The compiled policy: what to do about a name. Built once, immutable afterwards (but for hit
 * counters), decided by any number of threads at a time without a lock or an allocation. Host-free;
 * usable without Unbound.
 *
 * Which rule wins. (1) Rules of rule files and every passthru list: the longest match, exact over
 * `*.` and zone, longer over shorter; between equals passthru, else the earlier line. (2) Lists
 * (lists and RPZ zones) in file order: the first with a match, inside it the longest. (3)
 * Look-alikes and conditions (scripts, validity) in file order; a protected name of any look-alike
 * rule and all below it looks like none; a passthru of (1) or (2) skips them all.
 *
 * tcp-only stands outside: the rest decides as if there were no such rule, and where it refuses the
 * name, that is the decision over every transport. Else tcp-only decides, unless a passthru stands
 * before it in the order above. Of an RPZ zone whose longest match is tcp-only there is no rest.
 *
 * A rule whose types do not contain the query's does not match: the next best is tried. A query for
 * ANY is one for all types, and matches every rule with types but a passthru, which must list ANY.
 * Every matching log rule adds its tag. Class IN is decided, and class ANY as IN; no other one.
 *
 * In an RPZ zone a wildcard covers what RFC 4592 has it cover: not what is at or below a name that
 * the zone has, itself or by one below it, between the wildcard and the name asked for.
 *
 * Of one owner of an RPZ zone the first action counts; where that is to answer with records, all
 * its records do, as do those of all `answer` lines with one trigger. */
#ifndef XNM_MODULE_POLICY_POLICY_H
#define XNM_MODULE_POLICY_POLICY_H

#include "module/rule/rule.h"

#include <stdatomic.h>

struct xnm_policy;
struct xnm_policy_builder;

/* --- building --- */

struct xnm_policy_settings {
    const struct xn_unicode *unicode;         /* must outlive the policy */
    uint32_t ttl;                             /* policy-ttl, seconds */
    struct xnm_wirename soa_mname, soa_rname; /* policy-soa */
};

/* NULL: no memory. */
struct xnm_policy_builder *xnm_policy_builder_new(const struct xnm_policy_settings *settings);
void xnm_policy_builder_free(struct xnm_policy_builder *builder); /* NULL is fine */

/* Adds a rule; later ones count as later lines. What is kept of it is copied. A NAME or ZONE rule
 * is complete with it; for a list, entries follow by xnm_policy_builder_entry until the next rule.
 * False: no memory, and *why (may be NULL) is NULL; or there are more than 64 different tags, or
 * one condition or list too many, which *why says. */
enum { XNM_CONDITIONS_MAX = 1000, XNM_LISTS_MAX = 10000 };
bool xnm_policy_builder_rule(struct xnm_policy_builder *builder, const struct xnm_rule *rule,
                             const char **why);

struct xnm_list_entry;
/* Adds an entry of the list whose rule came last. Entries that say the same twice are kept once.
 * False: no memory. */
bool xnm_policy_builder_entry(struct xnm_policy_builder *builder,
                              const struct xnm_list_entry *entry);

/* Takes the entries of the list whose rule came last back, for a file that turned out bad in its
 * middle; or puts into it the entries that `from` has for the same rule, or else for a list of its
 * trigger and path; public suffixes (module/name/suffix.h) only where `suffixes`. keep returns
 * their number, or -1: no memory. held: how many its file gave to `from` for the same rule, the
 * same ones twice; 0 where `from` has none. */
void xnm_policy_builder_forget_list(struct xnm_policy_builder *builder);
size_t xnm_policy_builder_held(const struct xnm_policy_builder *builder,
                               const struct xnm_policy *from);
long xnm_policy_builder_keep_list(struct xnm_policy_builder *builder, const struct xnm_policy *from,
                                  bool suffixes);

/* Gives xnm_policy_finish a flag that another thread sets when the policy is not wanted any more;
 * it must outlive the builder. */
void xnm_policy_builder_stop(struct xnm_policy_builder *builder, const atomic_bool *stop);

/* Makes the policy of the builder, which is freed whatever happens. Hand-written rules with the
 * same trigger after mapping, of which the later one can never decide, are reported: a warning at
 * the later line that names the earlier one (`answer` lines with the same trigger are merged
 * instead); so is, as an error, a list of protected names of which more than 64 look alike as a
 * whole: those beyond are exempt, and nothing else. NULL: no memory, or there are more than 256
 * hand-written rules with the same trigger of which each may have a say, an error at the 257th; or
 * it was told to stop. *failure (may be NULL) is set then. */
struct xnm_policy_failure {
    bool no_memory;
    bool of_rule; /* … for what this one needs, as xnm_policy_builder_rule was given them: */
    uint32_t rule;
};
struct xnm_policy *xnm_policy_finish(struct xnm_policy_builder *builder,
                                     const struct xnm_diagnostics *diagnostics,
                                     struct xnm_policy_failure *failure);
void xnm_policy_free(struct xnm_policy *policy); /* NULL is fine */

/* --- what there is --- */

/* One line of a rule file, as the compiled policy has it. */
struct xnm_policy_rule {
    const char *file; /* path */
    unsigned line;
    xnm_action action; /* XNM_ACTION_NONE: rpz */
    xnm_trigger trigger;
    const char *subject; /* what stands behind the trigger: a name as A-labels (with `*.`), a path,
                            or a condition's words; "" where its trigger says all */
    size_t entry_count;
    int8_t tag;             /* its number, -1: none */
    _Atomic uint64_t *hits; /* of module/policy/hits.h */
};

size_t xnm_policy_rule_count(const struct xnm_policy *policy);
const struct xnm_policy_rule *xnm_policy_rule(const struct xnm_policy *policy, size_t n);
size_t xnm_policy_entry_count(const struct xnm_policy *policy); /* protected names with them */
size_t xnm_policy_memory(const struct xnm_policy *policy);      /* octets */
const struct xnm_policy_settings *xnm_policy_settings(const struct xnm_policy *policy);

/* Has it rules that leave answers alone, log or passthru? Then cache hits are worth a decision, for
 * the log. Has it rules that change answers? */
bool xnm_policy_has_quiet_rules(const struct xnm_policy *policy);
bool xnm_policy_changes_answers(const struct xnm_policy *policy);

enum { XNM_TAGS_MAX = 64 };
const char *xnm_policy_tag(const struct xnm_policy *policy, unsigned number);

/* --- deciding --- */

/* A protected name: in the policy's memory. */
struct xnm_protected_name {
    uint32_t line;      /* its rule, as xnm_policy_rule counts them */
    uint8_t start, end; /* of what is compared: xnm_protection_part */
    uint8_t len;
    uint8_t octets[]; /* wire format, lower case */
};

/* What a deciding entry says. */
struct xnm_verdict {
    const struct xnm_policy_rule *rule;
    xnm_action action; /* never XNM_ACTION_NONE; XNM_LOG only in xnm_decision.log */
    uint32_t ttl;      /* seconds: of the SOA, and of what the records do not say themselves */
    int ede;
    const char *ede_text;             /* UTF-8; NULL: none */
    const struct xnm_record *records; /* of REDIRECT, CNAME and ANSWER */
    size_t record_count;
    bool prefix; /* of CNAME: query name before the target */
};

/* Everything in it is valid as long as the policy. */
enum { XNM_DECISION_LOGS_MAX = 8 };
struct xnm_decision {
    const struct xnm_verdict *verdict;                     /* NULL: no rule but log rules matched */
    const struct xnm_verdict *logs[XNM_DECISION_LOGS_MAX]; /* log rules that matched, by their lines
                                                              (more than find room: the first) */
    unsigned log_count;
    uint64_t tags;   /* of all log rules that matched; bit n: tag number n */
    unsigned target; /* 0: it is about the query name; n: the n-th chain target */
    /* What matched, of the verdict or else of the log rule: */
    xnm_scope scope;
    struct xnm_wirename name; /* the entry's name: the query name's or target's own tail; of
                                 look-alikes and conditions the whole of that name */
    const struct xnm_protected_name *lookalike; /* what it looks like; NULL: no look-alike. Of a
                                                   rule's names that of which most labels are
                                                   compared, by the exact key rather than by the
                                                   strict one; of equal ones the first. */
    xn_key key;                                 /* … by which key */
    unsigned label; /* of look-alikes and conditions: the first label that makes it match, from the
                       left, the first is 1; 0 for all others */
    struct xnm_wirename target_name; /* where `target` is not 0: the whole of that name */
};

struct xnm_question {
    const uint8_t *qname; /* wire format, in any case */
    size_t qname_len;
    uint16_t qtype, qclass;
    bool from_a;                          /* its AAAA records are made of A records (RFC 6147) */
    const struct xnm_wirename *looked_up; /* the resolver answers with the records of this name,
                                             which is decided as the query name is; NULL: of its
                                             own */
};

/* Does a policy decide queries of that class? ANY is answered with the records of IN. */
bool xnm_policy_decides_class(uint16_t qclass);

/* Decides the query name alone. Pure: nothing is counted. Does any rule match? */
bool xnm_policy_decide(const struct xnm_policy *policy, const struct xnm_question *question,
                       struct xnm_decision *decision);

/* Decides what is below a name: for every name below it that is neither an entry's own nor below
 * another one that is, rules about names say the same. What looks at the whole of a name,
 * look-alikes and conditions, has no say here. Else as xnm_policy_decide. */
bool xnm_policy_decide_below(const struct xnm_policy *policy, const struct xnm_question *question,
                             struct xnm_decision *decision);

/* Gives the targets of an answer's CNAMEs (those that DNAMEs synthesize with them), in their order,
 * wire format in any case; false at the end. */
typedef bool xnm_chain_next(void *chain, const uint8_t **target, size_t *len);

/* Decides a query name and the chain of its answer: the first of them that is refused, in order. A
 * passthru on the query name exempts the chain, one on a target that target alone; the first of
 * them is the decision where nothing is refused. Log rules add the tags of all names up to there.
 * chain_next NULL: no chain. */
bool xnm_policy_decide_answer(const struct xnm_policy *policy, const struct xnm_question *question,
                              xnm_chain_next *chain_next, void *chain,
                              struct xnm_decision *decision);

/* Does a decision mean that the answer is another one than without a policy? (tcp-only: yes.) */
bool xnm_decision_changes_answer(const struct xnm_decision *decision);

/* … and over every transport? (tcp-only: no.) */
bool xnm_decision_refuses(const struct xnm_decision *decision);

#endif
