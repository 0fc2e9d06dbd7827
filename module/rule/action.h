/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions, triggers and scopes of rules with their words, and the limits of rules. */
#ifndef XNM_MODULE_RULE_ACTION_H
#define XNM_MODULE_RULE_ACTION_H

#include <stdbool.h>

/* Actions, by the words of the rule file (RPZ's names for RPZ's actions). XNM_ACTION_NONE is no
 * rule; in a rule it means that its RPZ zone has the actions. */
typedef enum {
    XNM_ACTION_NONE,
    XNM_PASSTHRU, /* leave the answer alone, despite other rules */
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

/* Return the word in a rule file: "nxdomain", "tcp-only"; "zone", "names". XNM_ACTION_NONE has the
 * word "rpz". Never NULL; static storage. */
const char *xnm_action_word(xnm_action action);
const char *xnm_trigger_word(xnm_trigger trigger);

/* Return whether the trigger is LOOKALIKE or LOOKALIKES; is a condition; has a file of entries, as
 * RPZ has. */
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

enum {
    XNM_RULE_TYPES_MAX = 16,
    XNM_RULE_SUBJECT_MAX = 200,
    XNM_RULE_LINE_MAX = 65536,   /* octets */
    XNM_RULES_ERRORS_MAX = 1000, /* reading a file stops after this many */
    XNM_RULE_TAG_MAX = 32,       /* octets: [A-Za-z0-9._-] */
    XNM_RULE_TAGS_MAX = 64,      /* different tags */
    XNM_RULE_EDE_TEXT_MAX = 200  /* octets of UTF-8, for why= too */
};

#endif
