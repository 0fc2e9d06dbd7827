/* SPDX-License-Identifier: BSD-3-Clause */
/* The states of Punycode's two operations in the words of RFC 3492, sections 7.2 and 7.3. */
#ifndef XN_TOOLS_CODEC_TRACE_H
#define XN_TOOLS_CODEC_TRACE_H

#include "core/punycode/punycode.h"
#include "tools/text/buffer.h"

/* input and steps are what the operation was given and did; result is NULL where it was refused:
 * the trace then ends with the last step before. Lines are joined by line lists, none at the end.
 */
void trace_decoding(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                    size_t step_count, const struct buffer *result, struct buffer *out);
void trace_encoding(const uint32_t *input, size_t input_len, const struct xn_punycode_step *steps,
                    size_t step_count, const struct buffer *result, struct buffer *out);

#endif
