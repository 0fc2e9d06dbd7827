/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the entries of lists and RPZ zones as they are read: refuses public suffixes, counts what
 * is taken and what is left out, and reports the first of each kind, then their number.
 * Host-free. */
#ifndef XNM_MODULE_LIST_TALLY_H
#define XNM_MODULE_LIST_TALLY_H

#include "module/rule/entry.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;
struct xnm_diagnostics;

/* What the SOA record of an RPZ zone says. */
struct xnm_list_soa {
    bool found;
    uint32_t serial, expire; /* expire: seconds */
};

/* Counts what was read and left out, for metrics and `check`. */
struct xnm_list_counts {
    size_t entries;  /* given to entry(), except those with XNM_SCOPE_NONE */
    size_t skipped;  /* lines or records left out for a reason that is not a fault: @@, modifiers,
                        triggers on addresses … */
    size_t bad;      /* lines that are not a name, or a single label that is refused */
    size_t suffixes; /* public suffixes that were refused */
    unsigned unmet;  /* bit n: an RPZ zone has triggers of xnm_unmet n, which the rule does not
                        skip */
    struct xnm_list_soa soa; /* of an RPZ zone */
    size_t short_names; /* protected names, among the entries, that nothing can look like: no label
                           has min= code points */
};

typedef bool xnm_list_sink(void *arg, const struct xnm_list_entry *entry); /* false: stop */

/* How to read a list. */
struct xnm_list_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    const atomic_bool *stop; /* another thread sets it to end the reading; NULL: nobody does */
    xnm_list_sink *entry;
    void *arg; /* passed to entry() */
};

enum { XNM_LIST_TALLY_SAID_MAX = 20 }; /* that many of each kind are reported */

typedef enum {
    XNM_LIST_TALLY_BAD,     /* not a name: an error */
    XNM_LIST_TALLY_SUFFIX,  /* a public suffix: an error */
    XNM_LIST_TALLY_SKIPPED, /* left out for a reason that is not a fault: a warning */
    XNM_LIST_TALLY_KINDS
} xnm_list_tally_kind;

/* The caller fills in the fields before `entries`, and owns what they point to. */
struct xnm_list_tally {
    const struct xnm_list_options *options;
    const struct xnm_rule *rule;
    const char *file;
    size_t entries; /* as in struct xnm_list_counts */
    size_t counts[XNM_LIST_TALLY_KINDS];
    size_t short_names; /* as in struct xnm_list_counts */
    unsigned unmet;     /* as in struct xnm_list_counts */
    struct xnm_list_soa soa;
    size_t skipped_unsaid; /* more of XNM_LIST_TALLY_SKIPPED, which the caller reports itself */
    bool stopped;          /* entry() returned false: nothing more is wanted */
};

/* True if nothing more is wanted. Ask for each line. */
bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally);

/* Passes an entry on. Returns false if it is a public suffix that the rule does not allow; the
 * caller counts it as XNM_LIST_TALLY_SUFFIX and reports it at its place. */
bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry);

/* Counts one more of a kind. Returns true if it is among the first, which are reported. */
bool xnm_list_tally_count(struct xnm_list_tally *tally, xnm_list_tally_kind kind);

/* Reports the number of each kind, if not all of it was reported, and sets *counts. */
void xnm_list_tally_close(const struct xnm_list_tally *tally, struct xnm_list_counts *counts);

#endif
