/* SPDX-License-Identifier: BSD-3-Clause */
/* What core/punycode/decode.c and core/punycode/encode.c have in common: the parameters of
 * Punycode, its digits, and how the bias follows from a delta (RFC 3492, sections 5 and 6.1). For
 * labels only: deltas are below PUNY_DELTA_MAX, and no more than 64 code points are counted. */
#ifndef XN_CORE_PUNYCODE_PACE_H
#define XN_CORE_PUNYCODE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Compiled once for each variant that calls it. */
#define PUNY_IN_EACH static inline __attribute__((always_inline))
/* Called so seldom that the caller should not be slower for it. */
#define PUNY_APART static __attribute__((noinline))

/* Section 5. */
enum { base = 36, tmin = 1, tmax = 26, skew = 38, damp = 700, initial_bias = 72, initial_n = 0x80 };

enum {
    PUNY_NO_DIGIT = 0xFF,
    /* (0x10FFFF - initial_n) * 60 + 59 is the largest delta between two code points of a label. */
    PUNY_DELTA_MAX = 1 << 27,
    /* What adapt's loop leaves is no larger. */
    PUNY_SCALED_MAX = (base - tmin) * tmax / 2,
    /* From here to there the first threshold is base - bias, and all others are tmax. With less,
     * all are tmax: the smallest bias of these does as well, and stands for it in the tables. */
    PUNY_FLAT_MIN = base - tmax,
    PUNY_FLAT_MAX = base * PUNY_SCALED_MAX / (PUNY_SCALED_MAX + skew),
    /* Deltas below this one have their bias in a table; what is no digit is not among them. */
    PUNY_QUICK = 112
};
_Static_assert(base - PUNY_FLAT_MAX >= tmin && 2 * base - PUNY_FLAT_MAX >= tmax, "thresholds");
_Static_assert((0x10FFFF - initial_n) * 60 + 59 < PUNY_DELTA_MAX, "every label's deltas are less");
_Static_assert((int)PUNY_NO_DIGIT >= (int)PUNY_QUICK, "so that it is noticed");

extern const uint8_t xn_puny_digit_of[256];
extern const char xn_puny_octet_of[];
extern const uint8_t xn_puny_bias_of[512]; /* section 6.1 behind its loop */

/* For each number of code points: its reciprocal, and the bias for half of a quick delta. As large
 * as a cache line. */
struct puny_row {
    uint64_t reciprocal;
    uint8_t bias[PUNY_QUICK / 2];
};
extern const struct puny_row xn_puny_rows[65];

/* With r = floor(2^34 / n) + 1 and n up to 64, x * r / 2^34 is x / n for every x below 2^28: r * n
 * is larger than 2^34 by 64 at most. */
PUNY_IN_EACH uint32_t puny_divide(uint32_t x, uint32_t n)
{
    return (uint32_t)(x * xn_puny_rows[n].reciprocal >> 34);
}

PUNY_IN_EACH uint32_t puny_threshold(uint32_t k, uint32_t bias)
{
    uint32_t t = k > bias + tmin ? k - bias : tmin;
    return t < tmax ? t : tmax;
}

/* With a flat bias: 1 if more digits than one stand for delta, else 0; delta may be the first of
 * them as well. A comparison, written so that no compiler makes a branch of it. */
PUNY_IN_EACH uint32_t puny_goes_on(uint32_t delta, uint32_t bias)
{
    return (base - 1 - bias - delta) >> 31;
}

/* Section 6.1 from its second division on. */
PUNY_IN_EACH uint32_t puny_scale(uint32_t delta, uint32_t numpoints)
{
    uint32_t k = 0;

    delta += puny_divide(delta, numpoints);
    for (; delta > PUNY_SCALED_MAX; k += base)
        delta /= base - tmin;
    return k + xn_puny_bias_of[delta];
}

/* Section 6.1, the first time. */
PUNY_IN_EACH uint32_t puny_adapt_first(uint32_t delta, uint32_t numpoints)
{
    return puny_scale(delta / damp, numpoints);
}

/* And later; row is that of numpoints. */
PUNY_IN_EACH uint32_t puny_adapt(uint32_t delta, uint32_t numpoints, const struct puny_row *row)
{
    return delta < PUNY_QUICK ? row->bias[delta / 2] : puny_scale(delta / 2, numpoints);
}

/* Code points in their order, each above so many other bits. */
PUNY_APART bool puny_has_surrogate(const uint32_t *sorted, uint32_t count, uint32_t shift)
{
    uint32_t k = 0;

    while (k < count && sorted[k] >> shift < 0xD800)
        k++;
    return k < count && sorted[k] >> shift < 0xE000;
}

/* Are all scalar values? Each is looked at only where there are some on both sides of the
 * surrogates. */
PUNY_IN_EACH bool puny_are_scalar_values(const uint32_t *sorted, uint32_t count, uint32_t shift)
{
    uint32_t first = sorted[0] >> shift, last = sorted[count - 1] >> shift;

    return last < 0xD800 ||
           (last <= 0x10FFFF && (first >= 0xE000 || !puny_has_surrogate(sorted, count, shift)));
}

#endif
