/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the values of client= and when=, which limit a rule to clients and times. */
#ifndef XNM_MODULE_RULE_LIMIT_H
#define XNM_MODULE_RULE_LIMIT_H

#include "module/base/address.h"

#include <time.h>

enum {
    XNM_GROUP_NAME_MAX = 32,  /* octets: a letter of ASCII, then [A-Za-z0-9._-] */
    XNM_GROUPS_MAX = 256,     /* in a policy */
    XNM_GROUP_FILES_MAX = 64, /* of a group */
    XNM_LIMIT_PARTS_MAX = 32, /* in one client= or when= */
    XNM_LIMIT_PART_MAX = 64   /* octets of a part as text, with its NUL */
};

/* Returns whether the text is a valid name of a group. */
bool xnm_group_is_name(const char *text, size_t len);

/* A part of client=: a group, an address or a prefix. */
struct xnm_limit_client {
    bool but; /* `!` before it: all other clients */
    char group[XNM_GROUP_NAME_MAX + 1];
    struct xnm_prefix prefix; /* if group is "" */
};

/* A part of when=. Its days are numbered as in struct tm, from Sunday, 0. */
struct xnm_limit_span {
    uint8_t first, last;   /* day; last may be before first: Fri-Mon */
    uint16_t from, before; /* minutes of the day; the span ends the next day unless from < before */
};

/* Read one part. Return NULL, or an error that follows the quoted part in a message; the thread's
 * next call may overwrite it. */
const char *xnm_limit_client_read(const char *text, size_t len, struct xnm_limit_client *client);
const char *xnm_limit_span_read(const char *text, size_t len, struct xnm_limit_span *span);

/* Write a part in a canonical form. Return dst. */
char *xnm_limit_client_text(const struct xnm_limit_client *client, char dst[XNM_LIMIT_PART_MAX]);
char *xnm_limit_span_text(const struct xnm_limit_span *span, char dst[XNM_LIMIT_PART_MAX]);

/* Returns whether a span contains a minute of a day. */
bool xnm_limit_span_has(const struct xnm_limit_span *span, unsigned day, unsigned minute);

/* Finds the part of a comma list that begins at *at, and moves *at to the next one. Returns false
 * at the end. */
bool xnm_limit_next(const char **at, const char **part, size_t *len);

#endif
