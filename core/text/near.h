/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the keyword that somebody may have meant. Private to this project. */
#ifndef XN_CORE_TEXT_NEAR_H
#define XN_CORE_TEXT_NEAR_H

#include <stddef.h>

/* Counts the octets of a text that have to be inserted, deleted, exchanged, or swapped with their
 * neighbour, to make `word` (at most XN_NEAR_MAX octets) of it; capitals of ASCII count as small
 * letters. Returns XN_NEAR_FAR for more than 2, or for more than 1 if the word has at most 4. */
enum { XN_NEAR_MAX = 32, XN_NEAR_FAR = 3 };
unsigned xn_near_edits(const char *text, size_t len, const char *word);

/* The word nearest to a text among those tried; NULL if none is near. Both are borrowed. Begin with
 * {.text = …, .len = …, .edits = XN_NEAR_FAR}. */
struct xn_near {
    const char *text;
    size_t len;
    unsigned edits;   /* of `word` */
    const char *word; /* of several that are as near, the first */
};
void xn_near_try(struct xn_near *near, const char *word);

#endif
