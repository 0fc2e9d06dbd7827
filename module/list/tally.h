/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the entries of lists and RPZ zones as they are read: refuses public suffixes, counts what
 * is taken and what is left out, and reports the first of each kind, then their number.
 * Host-free. */
#ifndef XNM_MODULE_LIST_TALLY_H
#define XNM_MODULE_LIST_TALLY_H

#include "module/base/diagnostics.h"
#include "module/rule/entry.h"

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

/* "a hosts file", and the word "hosts". Static storage. */
const char *xnm_list_syntax_text(xnm_list_syntax syntax);
const char *xnm_list_syntax_word(xnm_list_syntax syntax);

/* Kinds of entries that are left out for a reason that is not a fault. Each is reported once, at
 * its first entry, with the number of all. */
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
    XNM_LIST_SKIP_KINDS
} xnm_list_reason;

/* The SOA record of an RPZ zone, if the zone has one. */
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
    size_t exemptions;  /* of the entries: they exempt names from the list */
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
    const atomic_bool *stop; /* another thread sets it to end the reading; NULL: nobody does */
    xnm_list_sink *entry;
    void *arg;                          /* passed to entry() */
    const struct xnm_list_watch *watch; /* told how far the reading is; NULL: none */
};

enum { XNM_LIST_TALLY_SAID_MAX = 20 }; /* that many of each kind are reported */

typedef enum {
    XNM_LIST_TALLY_BAD,    /* not a name: an error */
    XNM_LIST_TALLY_SUFFIX, /* a public suffix: an error */
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
    size_t exemptions;     /* likewise */
    size_t skipped_unsaid; /* entries left out that the caller reports itself */
    struct {
        size_t count;
        struct xnm_place first;
    } skipped[XNM_LIST_SKIP_KINDS];
    size_t of_syntax[XNM_LIST_SYNTAXES]; /* entries, except those of XNM_LIST_DOMAINS */
    bool stopped;                        /* entry() returned false: nothing more is wanted */
};

/* Reports to the options' watch, if any, how much of the list's text has been read. */
void xnm_list_tally_watch(const struct xnm_list_tally *tally, size_t done, size_t size);

/* True if nothing more is wanted. Ask for each line. */
bool xnm_list_tally_is_stopped(const struct xnm_list_tally *tally);

/* Passes an entry on. Returns false if it is a public suffix that the rule does not allow (an
 * exemption may be one: it takes nothing from anybody); the
 * caller counts it as XNM_LIST_TALLY_SUFFIX and reports it at its place. */
bool xnm_list_tally_take(struct xnm_list_tally *tally, const struct xnm_list_entry *entry);

/* Counts one more of a kind. Returns true if it is among the first, which are reported. */
bool xnm_list_tally_count(struct xnm_list_tally *tally, xnm_list_tally_kind kind);

/* Counts one more entry that is left out, at this place. */
void xnm_list_tally_skip(struct xnm_list_tally *tally, xnm_list_reason kind,
                         const struct xnm_place *place);

/* Reports the number of each kind, if not all of it was reported, and sets *counts. */
void xnm_list_tally_close(const struct xnm_list_tally *tally, struct xnm_list_counts *counts);

#endif
