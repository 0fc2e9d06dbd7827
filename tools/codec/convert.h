/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one written name to all its forms, for encode and decode. */
#ifndef XN_TOOLS_CODEC_CONVERT_H
#define XN_TOOLS_CODEC_CONVERT_H

#include "core/idna/finding.h"
#include "tools/command/host.h"
#include "tools/text/buffer.h"

#include <stdbool.h>

struct xn_unicode;

struct conversion_finding {
    size_t label; /* counted from the left, from 1; 0 for the name as a whole */
    xn_reasons reasons;
};

struct conversion {
    struct buffer ascii;   /* exact; empty if a label has no form in the DNS */
    struct buffer unicode; /* exact */
    struct buffer display; /* safe to show; if it is read back, it is the same name or no name */
    struct conversion_finding *findings;
    size_t finding_count, finding_cap;
    bool valid;
    const struct name_fault *fault; /* why there is no name, or NULL; all forms are then empty */
    struct buffer text;             /* the name with its `\u{…}` escapes decoded */
};

void conversion_free(struct conversion *conversion);

/* Converts a name in the module's own profile: label by label, ASCII unchanged
 * (core/names/presentation.h). The text may be one that was displayed: `\u{430}` is the character.
 */
void convert_name(const struct xn_unicode *unicode, const struct host *host,
                  struct conversion *conversion);

/* Begins a JSON object with the input, its host, and the forms of the name. */
void convert_json(struct buffer *out, const char *input, size_t len, const struct host *host,
                  const struct conversion *conversion);

/* Adds a set of reasons as a JSON array of their words. */
void convert_reasons(struct buffer *buffer, xn_reasons reasons);

#endif
