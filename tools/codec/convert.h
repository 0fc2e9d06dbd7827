/* SPDX-License-Identifier: BSD-3-Clause */
/* One written name in all its forms, for encode and decode. */
#ifndef XN_TOOLS_CODEC_CONVERT_H
#define XN_TOOLS_CODEC_CONVERT_H

#include "tools/text/buffer.h"

struct conversion_finding {
    size_t label; /* from the left, 1 the first; 0: the name as a whole */
    xn_reasons reasons;
};

struct conversion {
    struct buffer ascii;   /* exact; empty where no A-label stands for some label */
    struct buffer unicode; /* exact */
    struct buffer display; /* safe; read again, it is the same name or none */
    struct conversion_finding *findings;
    size_t finding_count, finding_cap;
    bool valid;
    bool bad_utf8;      /* and then all else is empty */
    struct buffer text; /* private */
};

void conversion_free(struct conversion *conversion);

/* The module's own profile: label by label, ASCII as it is (core/idna/presentation.h). A text may
 * be what was shown: `\u{430}` is the character. */
void convert_name(const struct xn_unicode *unicode, const char *text, size_t len,
                  struct conversion *conversion);

/* UTS 46 ToASCII and ToUnicode of the whole name with every test on. What ToASCII finds, or what
 * ToUnicode finds, decides about `valid`; of a valid name what could mislead is found too. A text
 * of more than XN_STRICT_NAME_MAX octets is too long without a look at it. */
typedef enum { STRICT_TO_ASCII, STRICT_TO_UNICODE } strict_operation;
void convert_name_strictly(const struct xn_unicode *unicode, strict_operation operation,
                           const char *text, size_t len, struct conversion *conversion);

#endif
