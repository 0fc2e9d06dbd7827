/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lookalike/letters.h"

#include <string.h>

/* The octets that two keys share at their starts and at their ends. */
struct shared {
    size_t start, end;
};

static struct shared share(const struct xn_letters *a, const struct xn_letters *b)
{
    size_t a_len = xn_letters_len(a), b_len = xn_letters_len(b);
    size_t least = a_len < b_len ? a_len : b_len;
    struct shared shared = {0, 0};

    while (shared.start < least && a->key[shared.start] == b->key[shared.start])
        shared.start++;
    while (shared.end < least && a->key[a_len - 1 - shared.end] == b->key[b_len - 1 - shared.end])
        shared.end++;
    return shared;
}

/* Returns whether the letters from n of a are equal to the letters from m of b. */
static bool ends_same(const struct xn_letters *a, unsigned n, const struct xn_letters *b,
                      unsigned m, const struct shared *shared)
{
    if (n > a->count || m > b->count)
        return false;
    size_t left = xn_letters_len(a) - a->at[n];
    return left == xn_letters_len(b) - b->at[m] && left <= shared->end;
}

bool xn_letters_same(const struct xn_letters *a, unsigned n, const struct xn_letters *b, unsigned m)
{
    size_t len = (size_t)(a->at[n + 1] - a->at[n]);

    return len == (size_t)(b->at[m + 1] - b->at[m]) &&
           memcmp(a->key + a->at[n], b->key + b->at[m], len) == 0;
}

void xn_letters_cut(const struct xn_letters *letters, const struct xn_shape *shape, unsigned first,
                    unsigned end, struct xn_shape *part)
{
    part->len = (uint8_t)(letters->first[end] - letters->first[first]);
    memcpy(part->code_points, shape->code_points + letters->first[first],
           part->len * sizeof *part->code_points);
    part->ace = false;
    for (unsigned i = 0; i < part->len; i++)
        part->ace |= shape->ace && part->code_points[i] >= 0x80;
}

/* Returns the edit at letters n and m, before which both are equal. */
static xn_edit edit_at(const struct xn_letters *a, unsigned n, const struct xn_letters *b,
                       unsigned m, const struct shared *shared)
{
    if (ends_same(a, n + 1, b, m, shared))
        return XN_EDIT_OMITTED;
    if (ends_same(a, n, b, m + 1, shared))
        return XN_EDIT_ADDED;
    if (ends_same(a, n + 1, b, m + 1, shared))
        return XN_EDIT_REPLACED;
    if (ends_same(a, n + 2, b, m + 2, shared) && xn_letters_same(a, n, b, m + 1) &&
        xn_letters_same(a, n + 1, b, m))
        return XN_EDIT_SWAPPED;
    return XN_EDIT_NONE;
}

xn_edit xn_letters_edit(const struct xn_letters *a, const struct xn_letters *b, unsigned *n,
                        unsigned *m)
{
    struct shared shared = share(a, b);
    size_t len = xn_letters_len(a);

    *m = 0;
    if (len == xn_letters_len(b) && len == shared.start)
        return XN_EDIT_NONE;
    for (*n = 0; *n <= a->count && a->at[*n] <= shared.start; ++*n) {
        while (*m < b->count && b->at[*m] < a->at[*n])
            ++*m;
        xn_edit edit = b->at[*m] == a->at[*n] ? edit_at(a, *n, b, *m, &shared) : XN_EDIT_NONE;
        if (edit != XN_EDIT_NONE)
            return edit;
    }
    return XN_EDIT_NONE;
}
