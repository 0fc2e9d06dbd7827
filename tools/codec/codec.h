/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts that encode and decode share: options, the loop over the input, and output lines. */
#ifndef XN_TOOLS_CODEC_CODEC_H
#define XN_TOOLS_CODEC_CODEC_H

#include "tools/codec/convert.h"

#include "core/punycode/punycode.h"

/* One direction, encode or decode. */
struct codec {
    const char *name;
    const char *help;
    strict_operation strict;
    /* Returns the output for a name: the `exact` form, or the form for people. */
    const struct buffer *(*result)(const struct conversion *conversion, bool exact);
    /* RFC 3492's procedure, from the code points of the input to the text of the result. steps and
     * step_count are those of core/punycode/punycode.h. */
    xn_status (*convert)(const uint32_t *input, size_t input_len, struct buffer *result,
                         struct xn_punycode_step *steps, size_t *step_count);
    /* Writes the trace of that procedure in the words of RFC 3492, sections 7.2 and 7.3. */
    void (*trace)(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                  size_t step_count, const struct buffer *result, struct buffer *out);
};

int codec_main(const struct codec *codec, int argc, char **argv);

#endif
