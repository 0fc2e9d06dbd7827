/* SPDX-License-Identifier: BSD-3-Clause */
/* Whom a rule is for, and when: the values of client= and when=. */
#ifndef XNM_MODULE_RULE_LIMIT_H
#define XNM_MODULE_RULE_LIMIT_H

#include "module/base/address.h"

#include <time.h>

enum {
    XNM_GROUP_NAME_MAX = 32,  /* octets: a letter of ASCII, then [A-Za-z0-9._-] */
    XNM_GROUPS_MAX = 256,     /* of a policy */
    XNM_GROUP_FILES_MAX = 64, /* of a group */
    XNM_LIMIT_PARTS_MAX = 32, /* of one client= or when= */
    XNM_LIMIT_PART_MAX = 64   /* octets of one, as written by xnm_…_text, with its NUL */
};

bool xnm_group_is_name(const char *text, size_t len);

/* A part of client=. */
struct xnm_limit_client {
    bool but; /* `!`: all but these */
    char group[XNM_GROUP_NAME_MAX + 1];
    struct xnm_prefix prefix; /* if group is "" */
};

/* A part of when=. Its days are numbered as in struct tm, from Sunday, 0. */
struct xnm_limit_span {
    uint8_t first, last;   /* day; last may be before first: Fri-Mon */
    uint16_t from, before; /* minutes of the day; the span ends the next day unless from < before */
};

/* Read one part. Return NULL, or what is wrong with it: a text that follows the quoted part; it may
 * be overwritten by the thread's next call. */
const char *xnm_limit_client_read(const char *text, size_t len, struct xnm_limit_client *client);
const char *xnm_limit_span_read(const char *text, size_t len, struct xnm_limit_span *span);

/* Write a part so that equal ones are written alike. Return dst. */
char *xnm_limit_client_text(const struct xnm_limit_client *client, char dst[XNM_LIMIT_PART_MAX]);
char *xnm_limit_span_text(const struct xnm_limit_span *span, char dst[XNM_LIMIT_PART_MAX]);

/* Is a time, a minute of a day, in a span? */
bool xnm_limit_span_has(const struct xnm_limit_span *span, unsigned day, unsigned minute);

/* Finds the part of a comma list that begins at *at, and moves *at to the next one. False: there is
 * none. */
bool xnm_limit_next(const char **at, const char **part, size_t *len);

#endif
