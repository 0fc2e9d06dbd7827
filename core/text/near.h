/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the keyword that a misspelt word is nearest to. Private to this project. */
#ifndef XN_CORE_TEXT_NEAR_H
#define XN_CORE_TEXT_NEAR_H

#include <stddef.h>

/* Returns how many octets of a text have to be inserted, deleted, replaced, or swapped with their
 * neighbour, to get `word` (at most XN_NEAR_MAX octets); ASCII letters are compared without case.
 * Returns XN_NEAR_FAR for more than 2, or for more than 1 if the word has at most 4 octets. */
enum { XN_NEAR_MAX = 32, XN_NEAR_FAR = 3 };
unsigned xn_near_edits(const char *text, size_t len, const char *word);

/* The word nearest to a text among those passed to xn_near_try; NULL if none is near. Text and
 * words must outlive the struct. Initialize it with {.text = …, .len = …, .edits = XN_NEAR_FAR}. */
struct xn_near {
    const char *text;
    size_t len;
    unsigned edits;   /* of `word` */
    const char *word; /* the first of several that are equally near */
};
void xn_near_try(struct xn_near *near, const char *word);

#endif
