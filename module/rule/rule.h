/* SPDX-License-Identifier: BSD-3-Clause */
/* A rule: one line of a rule file, checked and complete. */
#ifndef XNM_MODULE_RULE_RULE_H
#define XNM_MODULE_RULE_RULE_H

#include "core/lookalike/lookalike.h"
#include "core/lookalike/script.h"
#include "module/base/record.h"
#include "module/rule/action.h"
#include "module/rule/why.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_diagnostics;

/* Triggers of RPZ zones that are not supported: on addresses and name servers. */
typedef enum {
    XNM_UNMET_CLIENT_IP,
    XNM_UNMET_IP,
    XNM_UNMET_NSDNAME,
    XNM_UNMET_NSIP,
    XNM_UNMET_COUNT
} xnm_unmet;

/* Returns the word for a trigger, "client-ip" or "nsip", as it follows rpz- in the zone, and in
 * skip=. Static storage. */
const char *xnm_unmet_word(xnm_unmet kind);

/* An answer's extended DNS error: an info code (RFC 8914, section 4), or one of the negative
 * values. */
enum {
    XNM_EDE_OFF = -1,     /* none */
    XNM_EDE_DEFAULT = -2, /* for RPZ: each entry has the code of its action, xnm_action_ede */
    XNM_EDE_FORGED = 4,   /* Forged Answer: redirect, cname and answer */
    XNM_EDE_BLOCKED = 15, /* Blocked: nxdomain, nodata and refuse */
    XNM_EDE_CENSORED = 16,
    XNM_EDE_FILTERED = 17
};

/* The largest numbers that a rule or a configuration may have. */
enum {
    XNM_TTL_MAX = 0x7FFFFFFF, /* seconds: RFC 2181, section 8 */
    XNM_EDE_MAX = 0xFFFF      /* an info code: RFC 8914, section 2 */
};

/* Returns the extended DNS error in the answers of an action, unless the line has ede=;
 * XNM_EDE_DEFAULT only for XNM_ACTION_NONE. */
int xnm_action_ede(xnm_action action);

/* The argument of LOOKALIKE and LOOKALIKES: how close a name must come to a protected one, and in
 * which part. */
struct xnm_protection {
    xn_key key; /* XN_KEY_EXACT or XN_KEY_STRICT */
    xn_ascii ascii;
    bool any_tld;   /* compare the labels left of the public suffix, under any public suffix */
    bool any_label; /* compare the label left of the public suffix with every label */
    bool near;      /* one edit in that label counts, too */
    bool within;    /* that label counts as a part of another label, too */
    bool
        elsewhere; /* that label counts unchanged, under another suffix or left of another domain */
    uint8_t words; /* words=: the number of the set of words that may be beside it; 0: none. Only
                      set in a policy */
    uint8_t min;   /* code points that a protected label must have for a difference to count */
};

/* The arguments of a condition. */
enum { XNM_RULE_SCRIPTS_MAX = 32, XNM_RULE_EXCEPT_MAX = 64 };
struct xnm_condition {
    struct xn_script_set scripts; /* of SCRIPT */
    bool outside;                 /* of SCRIPT: `not-in`: any other script */
    xn_level level;               /* of SCRIPT_LEVEL: matches labels that are more mixed */
    struct xnm_wirename *except;  /* of WHOLESCRIPT: except in these top-level domains; owned */
    size_t except_count;
};

/* Values of shrink=, in percent: without it; and `any`. */
enum { XNM_RULE_SHRINK = 50, XNM_RULE_SHRINK_ANY = 100 };

/* The treatment of an RPZ zone whose file was not refreshed for as long as the EXPIRE of its SOA
 * record says (RFC 1035, section 3.3.13). */
typedef enum {
    XNM_EXPIRE_REPORT, /* its entries stay in force, with a warning: the line has no expire= */
    XNM_EXPIRE_NO,     /* nothing */
    XNM_EXPIRE_YES     /* its entries are dropped, which is an error */
} xnm_expire;

enum { XNM_RULE_URL_MAX = 2048 /* octets */ };

/* Returns whether a top-level domain (a wire name of one label, lower case) is one of the
 * condition's exceptions. */
bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len);

/* One line of a rule file. */
struct xnm_rule {
    xnm_action action; /* XNM_ACTION_NONE only with XNM_TRIGGER_RPZ */
    xnm_trigger trigger;
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, column;
    uint64_t text_hash; /* of its line without the blanks around it: identifies its counter */
    xnm_scope scope;    /* of NAME, ZONE and LOOKALIKE (XNM_SCOPE_ZONE) */
    struct xnm_wirename
        name;   /* of the same triggers, without `*.`; of LOOKALIKE: the protected name */
    char *path; /* of NAMES, ZONES, RPZ and LOOKALIKES: in the rule file's folder, if it was
                   relative */
    struct xnm_protection protection;
    char *words; /* of LOOKALIKE and LOOKALIKES: the file of words=, in the rule file's folder if it
                    was relative; NULL: none */
    unsigned words_column;
    struct xnm_condition condition;
    char subject[XNM_RULE_SUBJECT_MAX]; /* of conditions, as logged: "not-in Latn,Cyrl", "moderate";
                                           "" if the trigger's word says all */
    unsigned path_column;
    struct xnm_rule *except; /* of LOOKALIKE and LOOKALIKES: the file of except=, as a rule with
                                ZONES and PASSTHRU that only list readers use, in one allocation
                                with its path; NULL: the line has no except= */
    uint16_t types[XNM_RULE_TYPES_MAX]; /* query types that the rule covers */
    uint8_t type_count;                 /* 0: every type */
    bool has_ttl;
    uint32_t ttl; /* seconds; the records of redirect, cname and answer already have it */
    int ede; /* without ede=, that of the action; for RPZ XNM_EDE_DEFAULT. Else of RPZ: for each
                entry that answers */
    char *ede_text;    /* UTF-8; NULL: none */
    char *why;         /* why=: UTF-8, visible characters; NULL: none */
    uint8_t sub_error; /* an xnm_sub_error */
    char *tag;         /* NULL: none */
    const struct xnm_tag_reason
        *tag_reason;     /* set by xnm_rules_apply_tags; NULL: the tag has no line */
    bool log_only;       /* of NAMES, ZONES and RPZ: its matches are only logged */
    xnm_action override; /* of RPZ: the action of every entry; XNM_ACTION_NONE: its own. The record
                            of a CNAME is in records */
    char *client; /* the parts of client=, each once, in order, as written by xnm_limit_client_text;
                     NULL: every client */
    char *when;   /* the parts of when=, as written by xnm_limit_span_text; NULL: always */
    unsigned client_column;
    bool suffixes;  /* the rule may be about a public suffix; its list may have them */
    uint8_t skip;   /* of RPZ: bit n: triggers of xnm_unmet n are skipped without an error */
    uint8_t shrink; /* percent of the list's entries that one reading may lose; XNM_RULE_SHRINK_ANY:
                       all of them */
    xnm_expire expire; /* of RPZ */
    char *url; /* where `unbound-idn fetch` gets the file from: https: or http:, ASCII without
                  blanks; NULL: the line has no url= */
    struct xnm_wirename *origin; /* of RPZ; NULL: the line has no origin= */
    struct xnm_record *records;  /* of REDIRECT (A and AAAA), CNAME (one CNAME; or its override),
                                    ANSWER (one) */
    size_t record_count;
};

/* The settings of the reader of a rule file. */
struct xnm_rules_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    uint32_t default_ttl; /* seconds: policy-ttl */
};

#endif
