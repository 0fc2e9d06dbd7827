/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the entries of lists and RPZ zones while they are read: refuses public suffixes, counts
 * the entries that are used and left out, and reports the first of each kind, then their number.
 * Host-free. */
#ifndef XNM_MODULE_LIST_LISTTALLY_H
#define XNM_MODULE_LIST_LISTTALLY_H

#include "module/base/diagnostics.h"
#include "module/rule/entry.h"
#include "module/rule/rule.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xn_unicode;

/* The forms in which lists are written. */
typedef enum {
    XNM_LIST_DOMAINS,
    XNM_LIST_HOSTS,
    XNM_LIST_FILTER,
    XNM_LIST_RPZ,
    XNM_LIST_SYNTAXES
} xnm_list_syntax;

/* Return the description, such as "a hosts file", and the word, such as "hosts". Static storage. */
const char *xnm_list_syntax_text(xnm_list_syntax syntax);
const char *xnm_list_syntax_word(xnm_list_syntax syntax);

/* Kinds of entries that are left out or doubtful. Each is reported once, at its first entry, with
 * the number of all. */
typedef enum {
    XNM_LIST_SKIP_ROOT,
    XNM_LIST_SKIP_ADDRESS,
    XNM_LIST_SKIP_LOCAL,
    XNM_LIST_SKIP_COSMETIC,
    XNM_LIST_SKIP_REGEX,
    XNM_LIST_SKIP_PATTERN,
    XNM_LIST_SKIP_CLIENT,
    XNM_LIST_SKIP_REWRITE,
    XNM_LIST_SKIP_BADFILTER,
    XNM_LIST_SKIP_MODIFIER,
    XNM_LIST_SKIP_TOO_MANY,
    XNM_LIST_SKIP_PROTECTED,
    /* The next reasons are about RPZ zones. SKIP_UNMET + n: the zone has triggers of xnm_unmet n
     * that the rule does not skip, which is an error. */
    XNM_LIST_SKIP_UNMET,
    XNM_LIST_SKIP_TRIGGER = XNM_LIST_SKIP_UNMET + XNM_UNMET_COUNT,
    XNM_LIST_SKIP_TARGET,
    XNM_LIST_SKIP_AT_ORIGIN,
    XNM_LIST_SKIP_DELEGATION,
    XNM_LIST_TARGET_IN_ZONE, /* doubtful, but not left out */
    XNM_LIST_SKIP_KINDS
} xnm_list_reason;

/* The SOA record of an RPZ zone, if the zone has one. */
struct xnm_list_soa {
    bool found;
    uint32_t serial, expire; /* expire: seconds */
};

/* The counts of entries that were read and left out, for metrics and `check`. */
struct xnm_list_counts {
    size_t entries;  /* passed to entry(), except those with XNM_SCOPE_NONE */
    size_t skipped;  /* lines or records that are left out but not wrong: @@, modifiers, triggers on
                        addresses and the like */
    size_t bad;      /* lines without a valid name, and refused single labels */
    size_t suffixes; /* public suffixes that were refused */
    unsigned unmet;  /* bit n: an RPZ zone has triggers of xnm_unmet n, which the rule does not
                        skip */
    struct xnm_list_soa soa; /* of an RPZ zone */
    size_t short_names; /* protected names, among the entries, that nothing can look like: no label
                           has min= code points */
    size_t exemptions;  /* entries that exempt names from the list */
    xnm_list_syntax syntax; /* of most entries */
};

typedef bool xnm_list_sink(void *arg, const struct xnm_list_entry *entry); /* false: stop */

/* Called after each line or record of a list with the octets that have been read, of `size`. */
struct xnm_list_watch {
    void (*read)(void *arg, const char *file, size_t done, size_t size);
    void *arg; /* passed to read() */
};

/* The options for reading a list. */
struct xnm_list_options {
    const struct xn_unicode *unicode;
    const struct xnm_diagnostics *diagnostics;
    const atomic_bool *stop; /* another thread sets it to end the reading; NULL: none does */
    xnm_list_sink *entry;
    void *arg;                          /* passed to entry() */
    const struct xnm_list_watch *watch; /* called after each line or record; NULL: none */
};

enum {
    XNM_LIST_TALLY_REPORTED_MAX = 20
}; /* the most bad entries, and public suffixes, that are reported */

/* The caller sets the members before `counts`, and owns what they point to. */
struct xnm_list_tally {
    const struct xnm_list_options *options;
    const struct xnm_rule *rule;
    const char *file;
    size_t size; /* octets of the file's text */
    struct xnm_list_counts counts;
    struct {
        size_t count;
        struct xnm_place first;
    } skipped[XNM_LIST_SKIP_KINDS];
    size_t of_syntax[XNM_LIST_SYNTAXES]; /* entries, except those of XNM_LIST_DOMAINS */
    bool stopped;                        /* entry() returned false: the reading ends */
};

/* Calls the options' watch, if any, with the octets that have been read. */
static inline void xnm_list_tally_watch(const struct xnm_list_tally *tally, size_t left)
{
    const struct xnm_list_watch *watch = tally->options->watch;

    if (watch)
        watch->read(watch->arg, tally->file, tally->size - left, tally->size);
}

/* Returns whether the reading ends. Call it for each line. */
bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally);

/* Passes an entry on. Returns false if it is a public suffix that the rule does not allow (an
 * exemption may be one, since it blocks nothing); the caller counts it in counts.suffixes, and
 * reports it at its place. */
bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry);

/* Counts one more of counts.bad or counts.suffixes. Returns whether it is one of the first, which
 * are reported. */
bool xnm_list_tally_count(size_t *count);

/* Counts one more entry of a kind, at this place. */
void xnm_list_tally_skip(struct xnm_list_tally *tally, xnm_list_reason kind,
                         const struct xnm_place *place);

/* Reports the number of each kind, if not all of it was reported, and completes the counts. */
void xnm_list_tally_close(struct xnm_list_tally *tally);

#endif
