/* SPDX-License-Identifier: BSD-3-Clause */
/* --punycode: RFC 3492's own operation, without names and prefixes. */
#ifndef XN_TOOLS_CODEC_RFC3492_H
#define XN_TOOLS_CODEC_RFC3492_H

#include "tools/codec/codepoints.h"
#include "tools/command/input.h"

#include "core/punycode/trace.h"

/* One of the two procedures of RFC 3492, encoding or decoding. */
struct rfc3492 {
    /* Strings may be written as code points (tools/codec/codepoints.h): for the encoder those that
     * it reads, for the decoder those that it writes. */
    bool encodes;
    /* Converts a string, with mixed-case annotation (appendix A). The result replaces what was
     * there. steps has room for string->len elements and is, as step_count is, that of
     * core/punycode/punycode.h. */
    xn_status (*convert)(const struct codepoints *string, struct codepoints *result,
                         struct xn_punycode_step *steps, size_t *step_count);
    /* Returns the place in a refused string that the refusal is about, from 1. NULL: all of it. */
    size_t (*fault_column)(const struct codepoints *string);
    /* Writes the trace in the words of RFC 3492, sections 7.2 and 7.3. */
    void (*trace)(const struct codepoints *string, const struct xn_punycode_step *steps,
                  size_t step_count, const struct codepoints *result, struct buffer *out);
};

struct rfc3492_options {
    int trace;
    int codepoints; /* read, or written, in place of text, as by appendix C's program */
    int text;       /* what could be code points is read as text, too */
};

/* Converts each argument or line, or with `codepoints` all that the encoder reads as one string.
 * Returns the exit status. */
int rfc3492_run(const struct rfc3492 *procedure, const struct rfc3492_options *options,
                struct input *input);

#endif
