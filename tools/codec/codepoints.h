/* SPDX-License-Identifier: BSD-3-Clause */
/* Strings of code points, and how RFC 3492 writes them: "u+00FC U+0062". */
#ifndef XN_TOOLS_CODEC_CODEPOINTS_H
#define XN_TOOLS_CODEC_CODEPOINTS_H

#include "tools/text/buffer.h"

#include <stdbool.h>
#include <stdint.h>

/* The time of RFC 3492's procedures grows with the square of the length. No label, and no word, has
 * more code points, or octets, than this. */
enum { CODEPOINTS_MAX = 10000 };

/* It grows as a buffer does (tools/text/buffer.h). */
struct codepoints {
    uint32_t *cps; /* owned */
    bool *upper;   /* owned; the flags of appendix A: suggests upper case for cps[i] */
    bool flagged;  /* upper says something */
    size_t len, cap;
};

void codepoints_free(struct codepoints *string);

/* Makes room for `more` code points and their flags after those that there are. */
void codepoints_reserve(struct codepoints *string, size_t more);

/* Does every word of a text look like a code point, whether there is such a code point or not? A
 * text without words does not. text may be NULL if len is 0, here and below. */
bool codepoints_are_written(const char *text, size_t len);

/* A word that cannot be read, in the text that was given. */
struct codepoints_fault {
    const char *at;
    size_t len;
    const char *what; /* what is wrong, and what was expected; static storage */
};

/* Adds the code points of a text: words of u+ or U+, which sets the flag, and hexadecimal digits,
 * separated by white space. Returns false at the first word that is none, is a surrogate, lies
 * above U+10FFFF or is one more than CODEPOINTS_MAX. */
bool codepoints_read(struct codepoints *string, const char *text, size_t len,
                     struct codepoints_fault *fault);

/* Adds a string as "U+0062" and "u+00FC", one code point a line: what codepoints_read reads. */
void codepoints_write(const struct codepoints *string, struct buffer *out);

#endif
