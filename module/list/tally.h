/* SPDX-License-Identifier: BSD-3-Clause */
/* What lists and RPZ zones have in common on their way in: public suffixes are refused, entries and
 * what is left out are counted, and of each kind the first are said, then how many there were.
 * Host-free. */
#ifndef XNM_MODULE_LIST_TALLY_H
#define XNM_MODULE_LIST_TALLY_H

#include "module/list/list.h"

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
    size_t short_names;    /* as in struct xnm_list_counts */
    unsigned unmet;        /* as in struct xnm_list_counts */
    size_t skipped_unsaid; /* more of XNM_LIST_TALLY_SKIPPED, of which the caller says what there is */
    bool stopped;          /* entry() said so: nothing more is wanted */
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
