/* SPDX-License-Identifier: BSD-3-Clause */
/* What encode and decode share: options, the loop over the input, the lines that come out. */
#ifndef XN_TOOLS_CODEC_CODEC_H
#define XN_TOOLS_CODEC_CODEC_H

#include "tools/codec/convert.h"

#include "core/punycode/punycode.h"

/* One direction. */
struct codec {
    const char *name;
    const char *help;
    strict_operation strict;
    /* The line that a name gives: `exact`, or for people. */
    const struct buffer *(*result)(const struct conversion *conversion, bool exact);
    /* RFC 3492's own operation between the input's code points and the result's; steps and their
     * count as in core/punycode/punycode.h. */
    xn_status (*convert)(const uint32_t *input, size_t input_len, struct buffer *result,
                         struct xn_punycode_step *steps, size_t *step_count);
    /* The states of that operation in the words of RFC 3492, section 7. */
    void (*trace)(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                  size_t step_count, const struct buffer *result, struct buffer *out);
};

int codec_main(const struct codec *codec, int argc, char **argv);

#endif
