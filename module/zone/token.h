/* SPDX-License-Identifier: BSD-3-Clause */
/* Splits the text of a zone file (RFC 1035, section 5.1) into entries and tokens. An entry is a
 * line, or several lines that parentheses join; `;` begins a comment. Nothing is copied or
 * allocated, whatever the text is. */
#ifndef XNM_MODULE_ZONE_TOKEN_H
#define XNM_MODULE_ZONE_TOKEN_H

#include "module/name/namefault.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    XNM_ZONEFAULT_MAX = XNM_NAMEFAULT_MAX,
    /* Octets of an entry, with its comments and the white space before it. A record has at most
     * 65,535 octets of data: 262,140 if each is written as an escape. */
    XNM_ZONE_ENTRY_MAX = 1 << 20
};

/* A fault at `at`, described in one line without a full stop. */
struct xnm_zonefault {
    const char *at;
    char message[XNM_ZONEFAULT_MAX];
};

/* Fills *fault in, as printf does. Returns false. */
bool xnm_zonefault_set(struct xnm_zonefault *fault, const char *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The caller owns it and may read the entry's place. The text must outlive it. */
struct xnm_zonetokens {
    const char *entry; /* start of the current entry's first line */
    unsigned line;     /* that line's number, counted from 1 */
    bool no_comments;  /* set by the caller: `;` is a fault */
    const atomic_bool
        *stop; /* set by the caller: the text ends when another thread sets it; NULL: none does */
    const char *at, *end; /* private, as is the rest */
    unsigned at_line;
    const char *open; /* the first `(` that is not closed yet; NULL: none */
    size_t depth;
    bool in_entry,
        too_long; /* the current text has more than XNM_ZONE_ENTRY_MAX octets to its line's end */
};

/* A word without quotes around it, with its escapes, and inner quotes as in `key="a b"`; or the
 * text between quotes. */
struct xnm_zonetoken {
    const char *at;
    size_t len;
    bool quoted;
};

typedef enum { XNM_ZONETOKEN_NONE, XNM_ZONETOKEN_FOUND, XNM_ZONETOKEN_BAD } xnm_zonetoken_result;

/* Starts a walk. A byte-order mark is skipped. */
void xnm_zonetokens_open(struct xnm_zonetokens *tokens, const char *text, size_t len);

/* Moves to the next entry that has a token, past the unread rest of the current one. *indented:
 * white space comes before its first token. An entry that is too long has a bad token, and is the
 * last one. Returns false if there is no entry left. */
bool xnm_zonetokens_next_entry(struct xnm_zonetokens *tokens, bool *indented);

/* Reads the next token of the entry. XNM_ZONETOKEN_NONE: the entry has no more. XNM_ZONETOKEN_BAD:
 * *fault has the error; the caller may continue reading after it. */
xnm_zonetoken_result xnm_zonetokens_next(struct xnm_zonetokens *tokens, struct xnm_zonetoken *token,
                                         struct xnm_zonefault *fault);

#endif
