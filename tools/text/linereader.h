/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the lines of a file of any size, in large blocks. A line is copied only where a block ends.
 */
#ifndef XN_TOOLS_TEXT_LINEREADER_H
#define XN_TOOLS_TEXT_LINEREADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All fields are private except `octets`, `lines` and `error`. */
struct linereader {
    int file;
    uint64_t octets; /* read so far */
    uint64_t lines;
    int error; /* errno if a read failed, else 0 */
    char *block;
    size_t cap, line_max, at, len;
    bool ended;
};

/* Starts reading from an open file, which the caller closes. A line of more than line_max octets is
 * returned empty, with *too_long set. */
void linereader_open(struct linereader *reader, int file, size_t line_max);
void linereader_close(struct linereader *reader);

/* Gets the next line, without its line feed and one carriage return before that. It is valid until
 * the next call. Returns false at the end or on an error. */
bool linereader_next(struct linereader *reader, const char **line, size_t *len, bool *too_long);

#endif
