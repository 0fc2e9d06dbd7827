/* SPDX-License-Identifier: BSD-3-Clause */
/* One name as zone files have it. */
#ifndef XN_TESTS_UNIT_ZONENAME_H
#define XN_TESTS_UNIT_ZONENAME_H

#include "module/zone/zonerdata.h"

#include <string.h>

/* Returns false, with name->len 0, for what is not one token, or no name. */
static inline bool read_zone_name(const struct xn_unicode *unicode, const char *text,
                                  struct xnm_wirename *name)
{
    struct xnm_zonetokens tokens;
    struct xnm_zonetoken token;
    struct xnm_zonefault fault;
    bool indented;

    name->len = 0;
    xnm_zonetokens_open(&tokens, text, strlen(text));
    tokens.no_comments = true;
    return xnm_zonetokens_next_entry(&tokens, &indented) &&
           xnm_zonetokens_next(&tokens, &token, &fault) == XNM_ZONETOKEN_FOUND &&
           token.at == text && token.len == strlen(text) &&
           xnm_zonerdata_name(unicode, &token, NULL, name, &fault);
}

#endif
