/* SPDX-License-Identifier: BSD-3-Clause */
/* One entry of a list or a response policy zone, on its way from its reader into a policy. */
#ifndef XNM_MODULE_RULE_ENTRY_H
#define XNM_MODULE_RULE_ENTRY_H

#include "module/rule/rule.h"

/* One entry of a list. Pointers are valid for the call alone. */
struct xnm_list_entry {
    const char *unread;  /* the text that is still looked at: what stands before it is not */
    const uint8_t *name; /* wire format, lower case */
    size_t name_len;
    xnm_scope scope;   /* XNM_SCOPE_NONE: of an RPZ owner without an action that is taken, which
                          keeps the zone's wildcards from its place all the same */
    xnm_action action; /* of an RPZ entry, XNM_PASSTHRU with XNM_SCOPE_NONE; XNM_ACTION_NONE: the
                          rule's own */
    uint32_t ttl;      /* of an RPZ entry, seconds */
    const struct xnm_record *record; /* of an RPZ entry with ANSWER: one of its owner's records, the
                                        others follow as entries of their own; of one with CNAME the
                                        CNAME; else NULL */
    bool prefix;                     /* of an RPZ CNAME `*.w.`: the query name is put before w. */
};

#endif
