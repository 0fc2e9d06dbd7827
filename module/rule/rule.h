/* SPDX-License-Identifier: BSD-3-Clause */
/* A rule: what one line of a rule file asks for, checked and complete. */
#ifndef XNM_MODULE_RULE_RULE_H
#define XNM_MODULE_RULE_RULE_H

#include "core/lookalike/lookalike.h"
#include "core/lookalike/script.h"
#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_diagnostics;

/* Actions, by the words of the rule file (RPZ's names for RPZ's actions). XNM_ACTION_NONE means "no
 * rule", and stands in a rule whose actions are those of the RPZ zone it names. */
typedef enum {
    XNM_ACTION_NONE,
    XNM_PASSTHRU, /* leave the answer alone, whatever other rules say */
    XNM_NXDOMAIN,
    XNM_NODATA,
    XNM_REFUSE,
    XNM_DROP,
    XNM_REDIRECT, /* answer with the operator's addresses */
    XNM_CNAME,    /* answer with an alias to the operator's name */
    XNM_ANSWER,   /* answer with the operator's records */
    XNM_TCP_ONLY, /* truncate over UDP, leave alone elsewhere */
    XNM_LOG,      /* change nothing, add a tag to the log */
    XNM_ACTION_COUNT
} xnm_action;

typedef enum {
    XNM_TRIGGER_NAME,       /* a name, or with `*.` all below it */
    XNM_TRIGGER_ZONE,       /* a name and all below it */
    XNM_TRIGGER_NAMES,      /* a file of names */
    XNM_TRIGGER_ZONES,      /* a file of zones */
    XNM_TRIGGER_RPZ,        /* an RPZ zone file */
    XNM_TRIGGER_LOOKALIKE,  /* names that look like a protected one */
    XNM_TRIGGER_LOOKALIKES, /* names that look like one in a file of protected names */
    /* Conditions on an A-label of the name: */
    XNM_TRIGGER_INVALID,      /* it is not valid */
    XNM_TRIGGER_SCRIPT,       /* it is in one of these scripts, or in one that is not among them */
    XNM_TRIGGER_SCRIPT_LEVEL, /* its scripts are more mixed than that level */
    XNM_TRIGGER_MIXED_DIGITS, /* it has digits of two kinds */
    XNM_TRIGGER_RESTRICTED,   /* it has a character outside UTS 39's Allowed set */
    XNM_TRIGGER_WHOLESCRIPT,  /* it looks like ASCII, though none of its letters is Latin */
    XNM_TRIGGER_EMOJI,        /* it has an emoji */
    XNM_TRIGGER_BIDI,         /* it has a right-to-left character */
    XNM_TRIGGER_COUNT
} xnm_trigger;

/* The word in a rule file: "nxdomain", "tcp-only"; "zone", "names". XNM_ACTION_NONE gives "rpz".
 * Never NULL; static storage. */
const char *xnm_action_word(xnm_action action);
const char *xnm_trigger_word(xnm_trigger trigger);

/* True for LOOKALIKE and LOOKALIKES; for conditions; for triggers with a file of entries, RPZ
 * included. */
bool xnm_trigger_is_lookalike(xnm_trigger trigger);
bool xnm_trigger_is_condition(xnm_trigger trigger);
bool xnm_trigger_has_path(xnm_trigger trigger);

/* The part of the name space that an entry covers, relative to its name. */
typedef enum {
    XNM_SCOPE_EXACT, /* the name */
    XNM_SCOPE_ZONE,  /* the name and all below it */
    XNM_SCOPE_BELOW, /* all below it, not the name itself: `*.` */
    XNM_SCOPE_NONE   /* nothing: an RPZ zone has the name, and no action for it */
} xnm_scope;

/* Triggers of RPZ zones that are not supported here: on addresses and name servers. */
typedef enum {
    XNM_UNMET_CLIENT_IP,
    XNM_UNMET_IP,
    XNM_UNMET_NSDNAME,
    XNM_UNMET_NSIP,
    XNM_UNMET_COUNT
} xnm_unmet;

/* The word for a trigger, "client-ip" or "nsip", as it follows rpz- in the zone, and in skip=.
 * Static storage. */
const char *xnm_unmet_word(xnm_unmet kind);

enum {
    XNM_RULE_TYPES_MAX = 16,
    XNM_RULE_LINE_MAX = 65536,   /* octets */
    XNM_RULES_ERRORS_MAX = 1000, /* reading a file stops after this many */
    XNM_RULE_TAG_MAX = 32,       /* octets: [A-Za-z0-9._-] */
    XNM_RULE_EDE_TEXT_MAX = 200  /* octets of UTF-8 */
};

/* True if a rule can have this tag, or this text of ede=. */
bool xnm_rule_is_tag(const char *text, size_t len);
bool xnm_rule_is_ede_text(const char *text, size_t len);

/* An answer's extended DNS error: an info code (RFC 8914, section 4), or one of the negative
 * values. */
enum {
    XNM_EDE_OFF = -1,     /* none */
    XNM_EDE_DEFAULT = -2, /* only of RPZ: each entry has that of its action, xnm_action_ede */
    XNM_EDE_FORGED = 4,   /* Forged Answer: redirect, cname and answer */
    XNM_EDE_BLOCKED = 15  /* Blocked: nxdomain, nodata and refuse */
};

/* The largest numbers that a rule or a configuration may have. */
enum {
    XNM_TTL_MAX = 0x7FFFFFFF, /* seconds: RFC 2181, section 8 */
    XNM_EDE_MAX = 0xFFFF      /* an info code: RFC 8914, section 2 */
};

/* The extended DNS error in the answers of an action, unless the line gives one; XNM_EDE_DEFAULT
 * only for XNM_ACTION_NONE. */
int xnm_action_ede(xnm_action action);

/* The argument of LOOKALIKE and LOOKALIKES: how close a name must come to a protected one, and in
 * which part. */
struct xnm_protection {
    xn_key key; /* XN_KEY_EXACT or XN_KEY_STRICT */
    xn_ascii ascii;
    bool any_tld;   /* compare the labels left of the public suffix, whatever that is */
    bool any_label; /* compare the label left of the public suffix with every label */
    /* Code points that a protected label must have for a difference in it to count: at all, and
     * where labels look alike only by the strict key. */
    uint8_t min, strict_min;
};

/* The arguments of a condition. */
enum { XNM_RULE_SCRIPTS_MAX = 32, XNM_RULE_EXCEPT_MAX = 64, XNM_RULE_SUBJECT_MAX = 200 };
struct xnm_condition {
    struct xn_script_set scripts; /* of SCRIPT */
    bool outside;                 /* of SCRIPT: `not-in`, so any other script */
    xn_level level;               /* of SCRIPT_LEVEL: more mixed than this */
    struct xnm_wirename *except;  /* of WHOLESCRIPT: not in these top-level domains; owned */
    size_t except_count;
};

enum { XNM_RULE_SHRINK = 50, XNM_RULE_SHRINK_ANY = 100 };

/* True if a top-level domain (a wire name of one label, lower case) is one of the condition's
 * exceptions. */
bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len);

/* One line of a rule file. */
struct xnm_rule {
    xnm_action action; /* XNM_ACTION_NONE only with XNM_TRIGGER_RPZ */
    xnm_trigger trigger;
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, column;
    xnm_scope scope;          /* of NAME, ZONE and LOOKALIKE, which has XNM_SCOPE_ZONE */
    struct xnm_wirename name; /* likewise, without `*.`; of LOOKALIKE: the protected name */
    char *path; /* of NAMES, ZONES, RPZ and LOOKALIKES: in the rule file's folder, if it was
                   relative */
    struct xnm_protection protection;
    struct xnm_condition condition;
    char subject[XNM_RULE_SUBJECT_MAX]; /* of conditions, as logged: "not-in Latn,Cyrl", "moderate";
                                           "" if the trigger's word says all */
    unsigned path_column;
    uint16_t types[XNM_RULE_TYPES_MAX]; /* query types that the rule covers */
    uint8_t type_count;                 /* 0: every type */
    bool has_ttl;
    uint32_t ttl; /* seconds; the records of redirect, cname and answer already have it */
    int ede; /* the action's if the line has no ede=; of RPZ then XNM_EDE_DEFAULT, else that of each
                entry that answers */
    char *ede_text;      /* UTF-8; NULL: none */
    char *tag;           /* NULL: none */
    bool log_only;       /* of NAMES, ZONES and RPZ: its matches are logged as observed, and decide
                            nothing */
    xnm_action override; /* of RPZ: the action of every entry; XNM_ACTION_NONE: its own. The record
                            of a CNAME is in records */
    char *client;        /* whom it is for: the parts of client=, each once, in order, as written by
                            xnm_audience_client_text; NULL: every client */
    char *when;          /* likewise of when=, by xnm_span_text; NULL: always */
    unsigned client_column;
    bool suffixes;  /* the list may have public suffixes */
    uint8_t skip;   /* of RPZ: bit n: triggers of xnm_unmet n may be left out */
    uint8_t shrink; /* percent of the list's entries that may be lost from one reading to the next;
                       XNM_RULE_SHRINK_ANY: all of them */
    struct xnm_wirename *origin; /* of RPZ; NULL: the line has no origin= */
    struct xnm_record *records;  /* of REDIRECT (A and AAAA), CNAME (one CNAME; or its override),
                                    ANSWER  (one) */
    size_t record_count;
};

struct xnm_ruleline;

/* The means that the reader of a rule file needs. */
struct xnm_rules_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    uint32_t default_ttl; /* seconds: policy-ttl */
    void (*check)(
        struct xnm_ruleline *line); /* at the end of each rule that was understood: reports
                                       what else is wrong with it; NULL: nothing is */
};

#endif
