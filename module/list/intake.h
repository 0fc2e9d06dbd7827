/* SPDX-License-Identifier: BSD-3-Clause */
/* What lists and RPZ zones have in common on their way in: public suffixes are refused, entries and
 * what is left out are counted, and of each kind the first are said, then how many there were.
 * Host-free. */
#ifndef XNM_MODULE_LIST_INTAKE_H
#define XNM_MODULE_LIST_INTAKE_H

#include "module/list/feed.h"

enum { XNM_INTAKE_SAID_MAX = 20 }; /* of each kind */

typedef enum {
    XNM_INTAKE_BAD,     /* no name: an error */
    XNM_INTAKE_SUFFIX,  /* a public suffix: an error */
    XNM_INTAKE_SKIPPED, /* left out for a reason that is no fault: a warning */
    XNM_INTAKE_KINDS
} xnm_intake_kind;

/* The caller fills in what stands before `entries`, and owns what it points to. */
struct xnm_intake {
    const struct xnm_feed_options *options;
    const struct xnm_rule *rule;
    const char *file;
    size_t entries; /* as in struct xnm_feed_counts */
    size_t counts[XNM_INTAKE_KINDS];
    size_t short_names;    /* as in struct xnm_feed_counts */
    unsigned unmet;        /* as in struct xnm_feed_counts */
    size_t skipped_unsaid; /* more of XNM_INTAKE_SKIPPED, of which the caller says what there is */
    bool stopped;          /* entry() said so: nothing more is wanted */
};

/* Is nothing more wanted? To be asked with each line. */
bool xnm_intake_is_stopped(const struct xnm_intake *intake);

/* Gives an entry on. False: it is a public suffix, which the rule does not mean; the caller counts
 * it as XNM_INTAKE_SUFFIX and says so at its place. */
bool xnm_intake_take(struct xnm_intake *intake, const struct xnm_feed_entry *entry);

/* Counts one more of a kind. Is it among the first, which are said? */
bool xnm_intake_count(struct xnm_intake *intake, xnm_intake_kind kind);

/* Says how many of each kind there were where not all were said, and hands the counts over. */
void xnm_intake_close(const struct xnm_intake *intake, struct xnm_feed_counts *counts);

#endif
