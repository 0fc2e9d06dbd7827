/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of names, protected ones too, and RPZ zone files, as others make them -> entries.
 * Host-free. */
#ifndef XNM_MODULE_LIST_LIST_H
#define XNM_MODULE_LIST_LIST_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/rule/rules.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* What was read and left out, for metrics and `check`. */
struct xnm_list_counts {
    size_t entries;  /* given to entry(), but those with XNM_SCOPE_NONE */
    size_t skipped;  /* lines or records with a reason that is no fault: @@, modifiers, triggers on
                        addresses … */
    size_t bad;      /* lines that are no name, or a single label that is refused */
    size_t suffixes; /* public suffixes that were refused */
    unsigned unmet; /* bit n: of an RPZ: it has triggers of xnm_unmet n, which the rule does not say
                       may be skipped */
    size_t short_names; /* protected ones, among the entries, that nothing can look like: no label
                           has min= code points */
};

typedef bool xnm_list_sink(void *arg, const struct xnm_list_entry *entry); /* false: stop */

/* Who reads. */
struct xnm_list_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    const atomic_bool *stop; /* set by another thread: it is not wanted any more. NULL: no */
    xnm_list_sink *entry;
    void *arg; /* entry()'s */
};

/* Reads the text of a list (rule->trigger XNM_TRIGGER_NAMES, ZONES or LOOKALIKES, whose entries
 * have XNM_SCOPE_ZONE) or of an RPZ zone file (XNM_TRIGGER_RPZ), `file`, as the rule asks. A bad
 * line of a list is reported as an error and left out; a skipped one as a warning; of each kind the
 * first 20, then their number in one line. Nothing is said of names that are taken. Public suffixes
 * (libpsl's ICANN section) and other single labels are errors, and left out, unless rule->suffixes,
 * which lists of protected names never have. Of protected names that nothing can look like the
 * number is said, as a warning. Returns false where the file is refused whole, which is reported:
 * an RPZ zone with an error, or what is no list and no zone at all (a web page, a compressed file).
 * entry() may have been called by then. Returns false, too, where entry() did, and behind the line
 * at which *stop was found to be set. *counts is set whatever is returned. */
bool xnm_list_read(const struct xnm_list_options *options, const struct xnm_rule *rule,
                   const char *file, const char *text, size_t len, struct xnm_list_counts *counts);

#endif
