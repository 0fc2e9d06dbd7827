/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/near.h"

#include <string.h>

static unsigned char folded(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The table of optimal string alignment (a Levenshtein distance with swaps), of which three rows
 * are kept. */
unsigned xn_near_edits(const char *text, size_t len, const char *word)
{
    size_t word_len = strlen(word);
    unsigned rows[3][XN_NEAR_MAX + 1], limit = word_len > 4 ? 2 : 1;

    if (word_len > XN_NEAR_MAX || len > word_len + limit)
        return XN_NEAR_FAR;
    for (size_t i = 0; i <= word_len; i++)
        rows[0][i] = (unsigned)i;
    for (size_t at = 1; at <= len; at++) {
        unsigned *row = rows[at % 3];
        const unsigned *before = rows[(at + 2) % 3], *last = rows[(at + 1) % 3];
        row[0] = (unsigned)at;
        for (size_t i = 1; i <= word_len; i++) {
            unsigned char c = folded(text[at - 1]), w = folded(word[i - 1]);
            row[i] = least(least(before[i], row[i - 1]) + 1, before[i - 1] + (c != w));
            if (at > 1 && i > 1 && c == folded(word[i - 2]) && folded(text[at - 2]) == w)
                row[i] = least(row[i], last[i - 2] + 1);
        }
    }
    return rows[len % 3][word_len] > limit ? XN_NEAR_FAR : rows[len % 3][word_len];
}

void xn_near_try(struct xn_near *near, const char *word)
{
    unsigned edits = xn_near_edits(near->text, near->len, word);

    if (edits < near->edits) {
        near->edits = edits;
        near->word = word;
    }
}
