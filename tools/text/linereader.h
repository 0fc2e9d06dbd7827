/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines of a file of any size, read in large blocks: no line is copied but where a block ends.
 */
#ifndef XN_TOOLS_TEXT_LINEREADER_H
#define XN_TOOLS_TEXT_LINEREADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All fields are private but `octets`, `lines` and `error`. */
struct linereader {
    int file;
    uint64_t octets; /* read so far */
    uint64_t lines;
    int error; /* errno, where reading ended before the end */
    char *block;
    size_t cap, line_max, at, len;
    bool ended;
};

/* Reads from an open file, which stays the caller's. Lines of more than line_max octets come empty,
 * with too_long set. */
void linereader_open(struct linereader *reader, int file, size_t line_max);
void linereader_close(struct linereader *reader);

/* The next line, without its line feed and one carriage return before that; valid until the next
 * call. False at the end or at an error. */
bool linereader_next(struct linereader *reader, const char **line, size_t *len, bool *too_long);

#endif
