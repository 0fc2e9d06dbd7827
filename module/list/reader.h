/* SPDX-License-Identifier: BSD-3-Clause */
/* A list of names that is being read. Private to module/list. Texts from `at` to `end` are in the
 * current line. */
#ifndef XNM_MODULE_LIST_READER_H
#define XNM_MODULE_LIST_READER_H

#include "module/base/record.h"
#include "module/file/textline.h"
#include "module/list/listtally.h"

#include <string.h>
#include <strings.h>

/* The most octets of names in all $denyallow= of a list together: a query may have to compare
 * each. */
enum { XNM_LIST_DENIED_MAX = 4 * XNM_DENIED_MAX };

struct xnm_list_reader {
    struct xnm_list_tally tally;
    struct xnm_textline line;
    const char *name; /* the current bad name, in the line */
    bool reported;    /* the fault of the current bad name was reported */
    bool modified;    /* the current entry has modifiers */
    struct xnm_modifiers modifiers;
    uint8_t min; /* min= of the protected names on the line; 0: the rule's */
    uint8_t denied[XNM_DENIED_MAX];
    uint64_t variants[XNM_MODIFIERS_MAX]; /* hashes of the sets of modifiers so far */
    uint64_t variant_seed;                /* the seed of these hashes */
    unsigned variant_count;
    size_t variants_denied; /* octets of names in their $denyallow= */
};

/* Returns whether the text begins with another one, in upper or lower case. The first octet is
 * compared first, since it nearly always differs. `text` has an octet at least. */
static inline bool xnm_list_begins(const char *at, const char *end, const char *text)
{
    return at < end && ((*at ^ *text) & 0xDF) == 0 && (size_t)(end - at) >= strlen(text) &&
           strncasecmp(at, text, strlen(text)) == 0;
}

/* Report and count a mistake, or an entry that is left out. */
void xnm_list_bad(struct xnm_list_reader *list, const char *at, const char *message);
void xnm_list_skip(struct xnm_list_reader *list, const char *at, xnm_list_reason kind);

/* Reads a name of letters, digits, hyphens and underscores only, A-labels included. Returns whether
 * it is one. Nearly every line of nearly every list is: this takes a seventh of the time of
 * xnm_rulename_read, which reads all other names, and has the same result. Reports nothing. */
bool xnm_list_plain_name(const char *at, const char *end, struct xnm_wirename *name);

/* Reads a name as people write it, or `*.name`; a bad one is counted and reported. It gets no
 * warnings (another spelling, an xn-- label that is not an A-label), since the author of a list
 * does not see the log, and each reload would repeat them. */
bool xnm_list_name(struct xnm_list_reader *list, const char *at, const char *end,
                   struct xnm_wirename *name, bool *wildcard);

/* Passes a name on with the current modifiers, or counts it as left out. */
void xnm_list_take(struct xnm_list_reader *list, const char *at, const struct xnm_wirename *name,
                   xnm_scope scope);

/* Reads and passes on a name. With `*.` before it its scope is XNM_SCOPE_BELOW, or XNM_SCOPE_ZONE
 * in a list of zones, whose authors mean the name, too. */
void xnm_list_take_written(struct xnm_list_reader *list, const char *at, const char *end,
                           xnm_scope scope);

/* Returns whether it is a list of protected names. */
bool xnm_list_is_protected(const struct xnm_list_reader *list);

/* Reads a word as a rule of DNS filter syntax. Returns false if nothing in the word marks it as
 * one. */
bool xnm_list_filter(struct xnm_list_reader *list, const char *at, const char *end);

#endif
