/* SPDX-License-Identifier: BSD-3-Clause */
/* An entry of a list or RPZ zone, as its reader passes it to a policy. */
#ifndef XNM_MODULE_RULE_ENTRY_H
#define XNM_MODULE_RULE_ENTRY_H

#include "module/rule/action.h"

#include <stddef.h>
#include <stdint.h>

/* The modifiers of a list's entry. Within a list the strongest match decides, and the longest of
 * equally strong ones. The strength is 0 for a plain entry, and for an exemption in a server's
 * configuration; 1 for an exemption of DNS filter syntax (@@), 2 for $important, 3 for an exemption
 * with $important. */
enum { XNM_STRENGTH_EXEMPT = 1, XNM_STRENGTH_IMPORTANT = 2 };
enum { XNM_DENIED_MAX = 16384 };  /* octets of names in $denyallow= */
enum { XNM_MODIFIERS_MAX = 256 }; /* different sets of modifiers in a list */
struct xnm_modifiers {
    uint16_t number; /* of this set in its list, from 1; 0: it has none, and each is compared */
    bool exempts;    /* if this match decides, the list has no match */
    uint8_t strength;
    bool but_types;     /* the entry is about all types but `types` */
    uint8_t type_count; /* 0: every type */
    uint16_t types[XNM_RULE_TYPES_MAX];
    const uint8_t *denied; /* wire names, one after another: the entry is not about them, nor about
                              names below them */
    uint32_t denied_len;
};

/* One entry. Its pointers are valid only during the call. */
struct xnm_list_entry {
    const uint8_t *name; /* wire format, lower case */
    size_t name_len;
    xnm_scope scope;   /* XNM_SCOPE_NONE: an RPZ owner without an action that is taken, which
                          still keeps the zone's wildcards from covering its name */
    xnm_action action; /* the action of an RPZ entry, XNM_PASSTHRU with XNM_SCOPE_NONE;
                          XNM_ACTION_NONE: the rule's own */
    uint32_t ttl;      /* seconds; the TTL of an RPZ entry */
    const struct xnm_record *record; /* of an RPZ entry with ANSWER: one of its owner's records, the
                                        others follow as entries of their own; of one with CNAME:
                                        that CNAME; else NULL */
    bool prefix;                     /* an RPZ CNAME to `*.w.`: the query name is put before w. */
    const struct xnm_modifiers *modifiers; /* of a list; NULL: none */
    uint8_t min; /* of a protected name: its own min=; 0: its rule's min= applies */
};

#endif
