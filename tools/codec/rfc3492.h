/* SPDX-License-Identifier: BSD-3-Clause */
/* --punycode: RFC 3492's own operation, without names and prefixes. */
#ifndef XN_TOOLS_CODEC_RFC3492_H
#define XN_TOOLS_CODEC_RFC3492_H

#include "core/punycode/trace.h"
#include "tools/command/input.h"
#include "tools/text/buffer.h"

#include <stdbool.h>

/* A string of code points. For Punycode they are its octets. */
struct codepoints {
    uint32_t *cps; /* owned */
    size_t len;
};

/* One of the two procedures of RFC 3492, encoding or decoding. */
struct rfc3492 {
    /* The result has at most `growth` code points for each of the string, and one more. */
    size_t growth;
    /* Converts a string. result->cps has room for that. notes: see core/punycode/trace.h. */
    xn_status (*convert)(const struct codepoints *string, struct codepoints *result,
                         struct xn_punycode_notes *notes);
    /* Writes the trace in the words of RFC 3492, sections 7.2 and 7.3 (tools/codec/trace.h). */
    void (*trace)(const struct codepoints *string, const struct xn_punycode_notes *notes,
                  const struct codepoints *result, struct buffer *out);
};

/* Converts each argument or line, with `trace` its steps. Returns the exit status. */
int rfc3492_run(const struct rfc3492 *procedure, bool trace, struct input *input);

#endif
