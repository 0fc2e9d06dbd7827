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

/* Is all that follows letter n of the one equal to all that follows letter m of the other? */
static bool ends_same(const struct xn_letters *a, unsigned n, const struct xn_letters *b,
                      unsigned m, const struct shared *shared)
{
    if (n > a->count || m > b->count)
        return false;
    size_t left = xn_letters_len(a) - a->at[n];
    return left == xn_letters_len(b) - b->at[m] && left <= shared->end;
}

static bool is_same_letter(const struct xn_letters *a, unsigned n, const struct xn_letters *b,
                           unsigned m)
{
    size_t len = (size_t)(a->at[n + 1] - a->at[n]);

    return len == (size_t)(b->at[m + 1] - b->at[m]) &&
           memcmp(a->key + a->at[n], b->key + b->at[m], len) == 0;
}

bool xn_letters_repeat(const struct xn_letters *letters, unsigned n)
{
    return n > 0 && is_same_letter(letters, n - 1, letters, n);
}

size_t xn_letters_without(const struct xn_letters *letters, unsigned n, uint8_t dst[XN_KEY_MAX])
{
    size_t before = letters->at[n], after = xn_letters_len(letters) - letters->at[n + 1];

    memcpy(dst, letters->key, before);
    memcpy(dst + before, letters->key + letters->at[n + 1], after);
    return before + after;
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

/* Does the one edit stand at letters n and m, before which both are equal? */
static bool is_edit(const struct xn_letters *a, unsigned n, const struct xn_letters *b, unsigned m,
                    const struct shared *shared)
{
    if (ends_same(a, n + 1, b, m, shared) || ends_same(a, n, b, m + 1, shared) ||
        ends_same(a, n + 1, b, m + 1, shared))
        return true;
    return ends_same(a, n + 2, b, m + 2, shared) && is_same_letter(a, n, b, m + 1) &&
           is_same_letter(a, n + 1, b, m);
}

bool xn_letters_are_near(const struct xn_letters *a, const struct xn_letters *b)
{
    struct shared shared = share(a, b);
    size_t len = xn_letters_len(a);

    if (len == xn_letters_len(b) && len == shared.start)
        return false;
    for (unsigned n = 0, m = 0; n <= a->count && a->at[n] <= shared.start; n++) {
        while (m < b->count && b->at[m] < a->at[n])
            m++;
        if (b->at[m] == a->at[n] && is_edit(a, n, b, m, &shared))
            return true;
    }
    return false;
}
