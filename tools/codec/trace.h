/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes traces of Punycode's two procedures in the words of RFC 3492, sections 7.2 and 7.3. */
#ifndef XN_TOOLS_CODEC_TRACE_H
#define XN_TOOLS_CODEC_TRACE_H

#include "tools/codec/rfc3492.h"

/* string is what the procedure was given, notes what it did. result is NULL if the string was
 * refused; the trace then ends with the last step before that. Lines are separated by line feeds,
 * with none at the end. */
void trace_decoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                    const struct codepoints *result, struct buffer *out);
void trace_encoding(const struct codepoints *string, const struct xn_punycode_notes *notes,
                    const struct codepoints *result, struct buffer *out);

#endif
