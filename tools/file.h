/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole file in memory. */
#ifndef XN_TOOLS_FILE_H
#define XN_TOOLS_FILE_H

#include "tools/buffer.h"

/* Reads a regular file of at most `max` octets to the end of the text. Returns NULL, or why it
 * could not, in words that stay valid until the next call. */
const char *file_read(const char *path, size_t max, struct buffer *text);

#endif
