/* SPDX-License-Identifier: BSD-3-Clause */
/* A rule: what one line of a rule file asks for, checked and complete. */
#ifndef XNM_MODULE_RULE_RULE_H
#define XNM_MODULE_RULE_RULE_H

#include "core/lookalike/lookalike.h"
#include "core/lookalike/script.h"
#include "module/base/arena.h"
#include "module/base/diagnostics.h"
#include "module/base/record.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words of the rule file (RPZ's names for what RPZ has). XNM_ACTION_NONE stands for "no rule",
 * and for a rule line whose action is in the RPZ zone it names. */
typedef enum {
    XNM_ACTION_NONE,
    XNM_PASSTHRU, /* leave the answer alone, whatever other rules say */
    XNM_NXDOMAIN,
    XNM_NODATA,
    XNM_REFUSE,
    XNM_DROP,
    XNM_REDIRECT, /* addresses of the operator's */
    XNM_CNAME,    /* an alias for a name of the operator's */
    XNM_ANSWER,   /* records of the operator's */
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
    XNM_TRIGGER_LOOKALIKES, /* … like one of a file of protected names */
    /* Conditions: is an A-label of the name … */
    XNM_TRIGGER_INVALID,      /* none that is valid */
    XNM_TRIGGER_SCRIPT,       /* in one of these scripts, or in one that is none of them */
    XNM_TRIGGER_SCRIPT_LEVEL, /* more mixed than that level */
    XNM_TRIGGER_MIXED_DIGITS, /* … with digits of two kinds */
    XNM_TRIGGER_RESTRICTED,   /* … with a character outside UTS 39's Allowed set */
    XNM_TRIGGER_WHOLESCRIPT,  /* ASCII to a reader, though no letter of it is Latin */
    XNM_TRIGGER_EMOJI,        /* … with an emoji */
    XNM_TRIGGER_BIDI,         /* … with a right-to-left character */
    XNM_TRIGGER_COUNT
} xnm_trigger;

/* "nxdomain", "tcp-only"; "zone", "names". Never NULL; static storage. XNM_ACTION_NONE: "rpz". */
const char *xnm_action_word(xnm_action action);
const char *xnm_trigger_word(xnm_trigger trigger);

/* LOOKALIKE or LOOKALIKES; one of the conditions; one with a file of entries, RPZ included. */
bool xnm_trigger_is_lookalike(xnm_trigger trigger);
bool xnm_trigger_is_condition(xnm_trigger trigger);
bool xnm_trigger_has_path(xnm_trigger trigger);

/* What of the name space an entry covers, relative to its name. */
typedef enum {
    XNM_SCOPE_EXACT, /* the name */
    XNM_SCOPE_ZONE,  /* the name and all below it */
    XNM_SCOPE_BELOW, /* all below it, not the name itself: `*.` */
    XNM_SCOPE_NONE   /* nothing: a response policy zone has the name, and says nothing of it */
} xnm_scope;

/* Triggers of response policy zones that are not looked at here: on addresses and name servers. */
typedef enum {
    XNM_UNMET_CLIENT_IP,
    XNM_UNMET_IP,
    XNM_UNMET_NSDNAME,
    XNM_UNMET_NSIP,
    XNM_UNMET_COUNT
} xnm_unmet;

/* "client-ip", "nsip": what stands behind rpz- in the zone, and in skip=. Static storage. */
const char *xnm_unmet_word(xnm_unmet kind);

enum {
    XNM_RULE_TYPES_MAX = 16,
    XNM_RULE_LINE_MAX = 65536,   /* octets */
    XNM_RULES_ERRORS_MAX = 1000, /* of a file: behind so many it is not read on */
    XNM_RULE_TAG_MAX = 32,       /* octets: [A-Za-z0-9._-] */
    XNM_RULE_EDE_TEXT_MAX = 200  /* octets of UTF-8 */
};

/* Can a rule have this tag, or this text of ede=? */
bool xnm_rule_is_tag(const char *text, size_t len);
bool xnm_rule_is_ede_text(const char *text, size_t len);

/* Extended DNS error of an answer: an info code (RFC 8914, section 4), or one of the negative
 * values. */
enum {
    XNM_EDE_OFF = -1,     /* none */
    XNM_EDE_DEFAULT = -2, /* of RPZ alone: what the action of each entry has, xnm_action_ede */
    XNM_EDE_FORGED = 4,   /* Forged Answer: redirect, cname and answer */
    XNM_EDE_BLOCKED = 15  /* Blocked: nxdomain, nodata and refuse */
};

/* The largest numbers that a rule or a configuration may have. */
enum {
    XNM_TTL_MAX = 0x7FFFFFFF, /* seconds: RFC 2181, section 8 */
    XNM_EDE_MAX = 0xFFFF      /* an info code: RFC 8914, section 2 */
};

/* What the answers of an action have where no line says otherwise; never XNM_EDE_DEFAULT but for
 * XNM_ACTION_NONE. */
int xnm_action_ede(xnm_action action);

/* How near a name must come to a protected one, and where: of LOOKALIKE and LOOKALIKES. */
struct xnm_protection {
    xn_key key; /* XN_KEY_EXACT or XN_KEY_STRICT */
    xn_ascii ascii;
    bool any_tld;   /* compare what stands left of the public suffix, whatever that is */
    bool any_label; /* compare the label left of the public suffix with every label */
    /* Code points that a protected label must have for a difference in it to count; and where
     * labels look alike by the strict key alone. */
    uint8_t min, strict_min;
};

/* What the words of a condition ask for. */
enum { XNM_RULE_SCRIPTS_MAX = 32, XNM_RULE_EXCEPT_MAX = 64, XNM_RULE_SUBJECT_MAX = 200 };
struct xnm_condition {
    struct xn_script_set scripts; /* of SCRIPT */
    bool outside;                 /* … `not-in` */
    xn_level level;               /* of SCRIPT_LEVEL: more mixed than this */
    struct xnm_wirename *except;  /* of WHOLESCRIPT: not in these top-level domains; owned */
    size_t except_count;
};

enum { XNM_RULE_SHRINK = 50, XNM_RULE_SHRINK_ANY = 100 };

/* Is a top-level domain (a wire name of one label, lower case) one of the condition's exceptions?
 */
bool xnm_condition_excepts(const struct xnm_condition *condition, const uint8_t *tld, size_t len);

/* One line of a rule file. */
struct xnm_rule {
    xnm_action action; /* XNM_ACTION_NONE with XNM_TRIGGER_RPZ alone */
    xnm_trigger trigger;
    const char *file; /* the rule file's path; owned by struct xnm_rules */
    unsigned line, column;
    xnm_scope scope;          /* of NAME, ZONE and LOOKALIKE, which has XNM_SCOPE_ZONE */
    struct xnm_wirename name; /* … without `*.`; of LOOKALIKE: the protected name */
    char *path;               /* of NAMES, ZONES, RPZ and LOOKALIKES: already relative to the rule
                                 file */
    struct xnm_protection protection;
    struct xnm_condition condition;
    char subject[XNM_RULE_SUBJECT_MAX]; /* of conditions, as the log has it: "not-in Latn,Cyrl",
                                           "moderate"; "" where the trigger's word says all */
    unsigned path_column;
    uint16_t types[XNM_RULE_TYPES_MAX]; /* query types that it is about */
    uint8_t type_count;                 /* 0: every type */
    bool has_ttl;
    uint32_t ttl;   /* seconds; of redirect, cname and answer their records already have it */
    int ede;        /* where the line says nothing the action's; of RPZ XNM_EDE_DEFAULT, else what
                       every entry of it that answers has */
    char *ede_text; /* UTF-8; NULL: none */
    char *tag;      /* of LOG; NULL: none */
    bool suffixes;  /* public suffixes in its list are meant */
    uint8_t skip;   /* of RPZ: bit n: of xnm_unmet n may be left out */
    uint8_t shrink; /* percent of its list's entries that may be lost from one reading to the next;
                       XNM_RULE_SHRINK_ANY: all of them */
    struct xnm_wirename *origin; /* of RPZ; NULL: the line says none */
    struct xnm_record *records;  /* of REDIRECT (A and AAAA), CNAME (one CNAME), ANSWER (one) */
    size_t record_count;
};

/* What the reader of a rule file is given. */
struct xnm_rules_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    uint32_t default_ttl; /* seconds: policy-ttl */
};

#endif
