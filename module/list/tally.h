/* SPDX-License-Identifier: BSD-3-Clause */
/* What lists and RPZ zones have in common on their way in: public suffixes are refused, entries and
 * what is left out are counted, and of each kind the first are said, then how many there were.
 * Host-free. */
#ifndef XNM_MODULE_LIST_TALLY_H
#define XNM_MODULE_LIST_TALLY_H

#include "core/idna/unicode.h"
#include "module/base/diagnostics.h"
#include "module/rule/entry.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

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

enum { XNM_LIST_TALLY_SAID_MAX = 20 }; /* of each kind */

typedef enum {
    XNM_LIST_TALLY_BAD,     /* no name: an error */
    XNM_LIST_TALLY_SUFFIX,  /* a public suffix: an error */
    XNM_LIST_TALLY_SKIPPED, /* left out for a reason that is no fault: a warning */
    XNM_LIST_TALLY_KINDS
} xnm_list_tally_kind;

/* The caller fills in what stands before `entries`, and owns what it points to. */
struct xnm_list_tally {
    const struct xnm_list_options *options;
    const struct xnm_rule *rule;
    const char *file;
    size_t entries; /* as in struct xnm_list_counts */
    size_t counts[XNM_LIST_TALLY_KINDS];
    size_t short_names; /* as in struct xnm_list_counts */
    unsigned unmet;     /* as in struct xnm_list_counts */
    size_t
        skipped_unsaid; /* more of XNM_LIST_TALLY_SKIPPED, of which the caller says what there is */
    bool stopped;       /* entry() said so: nothing more is wanted */
};

/* Is nothing more wanted? To be asked with each line. */
bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally);

/* Gives an entry on. False: it is a public suffix, which the rule does not mean; the caller counts
 * it as XNM_LIST_TALLY_SUFFIX and says so at its place. */
bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry);

/* Counts one more of a kind. Is it among the first, which are said? */
bool xnm_list_tally_count(struct xnm_list_tally *tally, xnm_list_tally_kind kind);

/* Says how many of each kind there were where not all were said, and hands the counts over. */
void xnm_list_tally_close(const struct xnm_list_tally *tally, struct xnm_list_counts *counts);

#endif
