/* SPDX-License-Identifier: BSD-3-Clause */
/* Undoes the content encoding of an answer (RFC 9110, section 8.4). libcurl could, but takes half
 * of a gzip or zstd stream for all of it. */
#ifndef XN_TOOLS_FETCH_DECODE_H
#define XN_TOOLS_FETCH_DECODE_H

#include "tools/text/buffer.h"

#include <stdatomic.h>

/* The encodings that decode_body knows, as a request lists them. */
#define DECODE_ENCODINGS "zstd, gzip"

/* Replaces the body by what it stands for, at most `max` octets. `encoding` is what the answer
 * says: zstd, gzip, identity or "". Returns NULL, or what is wrong: another encoding, data that is
 * damaged or cut off, or too much of it, or *stop was set meanwhile; the body is then undefined.
 * Static storage. */
const char *decode_body(const char *encoding, struct buffer *body, size_t max,
                        const atomic_bool *stop);

#endif
