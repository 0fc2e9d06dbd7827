/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts shared by the fast encoder and decoder (core/punycode/encode.c, decode.c): Punycode's
 * parameters and digits (RFC 3492, section 5) and bias adaptation (section 6.1). They serve labels
 * only: a delta is below PUNY_DELTA_MAX, and numpoints is at most 64. */
#ifndef XN_CORE_PUNYCODE_PACE_H
#define XN_CORE_PUNYCODE_PACE_H

#include <stdbool.h>
#include <stdint.h>

/* Compiled into each variant that calls it, with the instructions of that variant. */
#define PUNY_IN_EACH static inline __attribute__((always_inline))
/* Rarely called: kept out of the caller to keep the caller small. */
#define PUNY_APART static __attribute__((noinline))

/* Section 5. */
enum { base = 36, tmin = 1, tmax = 26, skew = 38, damp = 700, initial_bias = 72, initial_n = 0x80 };

enum {
    PUNY_NO_DIGIT = 0xFF,
    /* No delta of a label exceeds (0x10FFFF - initial_n) * 60 + 59 (section 6.4). */
    PUNY_DELTA_MAX = 1 << 27,
    /* A delta has ten digits at most: each but the last is at least tmin, and weighs at least
     * base - tmax times as much as the one before. */
    PUNY_K_MAX = 10 * base,
    PUNY_BIAS_MAX = 256, /* after such a delta, the bias is even below 200 */
    /* The loop of section 6.1 leaves a delta no larger than this. */
    PUNY_SCALED_MAX = (base - tmin) * tmax / 2,
    /* A bias from PUNY_FLAT_MIN to PUNY_FLAT_MAX is "flat": the first threshold is base - bias, all
     * others are tmax. With a smaller bias all thresholds are tmax, as they are with PUNY_FLAT_MIN,
     * so the tables hold PUNY_FLAT_MIN in its place. */
    PUNY_FLAT_MIN = base - tmax,
    PUNY_FLAT_MAX = base * PUNY_SCALED_MAX / (PUNY_SCALED_MAX + skew),
    /* The bias after a delta below this comes from a table. PUNY_NO_DIGIT is not below it. */
    PUNY_QUICK = 112
};
_Static_assert(base - PUNY_FLAT_MAX >= tmin && 2 * base - PUNY_FLAT_MAX >= tmax, "thresholds");
_Static_assert((int64_t)tmin *(base - tmax) * 100000000 > PUNY_DELTA_MAX,
               "the tenth digit is too much");
_Static_assert((0x10FFFF - initial_n) * 60 + 59 < PUNY_DELTA_MAX, "every label's deltas are less");
_Static_assert((int)PUNY_NO_DIGIT >= (int)PUNY_QUICK, "so that it is noticed");

extern const uint8_t xn_pace_digit_of[256];
extern const char xn_pace_octet_of[];
extern const uint8_t xn_pace_thresholds[640]; /* t by k - bias, from -PUNY_BIAS_MAX on */
extern const uint8_t xn_pace_bias_of[512]; /* the fraction in section 6.1's last line, by delta */

/* One row for each numpoints: its reciprocal, and the bias for each delta below PUNY_QUICK, indexed
 * by delta / 2. A row has the size of a cache line. */
struct puny_row {
    uint64_t reciprocal;
    uint8_t bias[PUNY_QUICK / 2];
};
extern const struct puny_row xn_pace_rows[65];

/* Returns x / n without a division, for x below 2^28 and n from 1 to 64. With r = floor(2^34 / n)
 * + 1, r * n exceeds 2^34 by at most 64, so x * r / 2^34 rounds down to x / n. */
PUNY_IN_EACH uint32_t puny_divide(uint32_t x, uint32_t n)
{
    return (uint32_t)(x * xn_pace_rows[n].reciprocal >> 34);
}

/* Returns t of sections 6.2 and 6.3, for k up to PUNY_K_MAX. */
PUNY_IN_EACH uint32_t puny_threshold(uint32_t k, uint32_t bias)
{
    return xn_pace_thresholds[PUNY_BIAS_MAX + k - bias];
}

/* Returns 1 if delta has more than one digit, else 0, for a flat bias. The first digit gives the
 * same answer as the whole delta. This is delta >= base - bias, written so that no compiler makes
 * it a branch. */
PUNY_IN_EACH uint32_t puny_goes_on(uint32_t delta, uint32_t bias)
{
    return (base - 1 - bias - delta) >> 31;
}

/* Section 6.1 from "delta + (delta div numpoints)" on. */
PUNY_IN_EACH uint32_t puny_scale(uint32_t delta, uint32_t numpoints)
{
    uint32_t k = 0;

    delta += puny_divide(delta, numpoints);
    for (; delta > PUNY_SCALED_MAX; k += base)
        delta /= base - tmin;
    return k + xn_pace_bias_of[delta];
}

/* Section 6.1 for the first delta. */
PUNY_IN_EACH uint32_t puny_adapt_first(uint32_t delta, uint32_t numpoints)
{
    return puny_scale(delta / damp, numpoints);
}

/* Section 6.1 for any later delta. row is the row of numpoints. */
PUNY_IN_EACH uint32_t puny_adapt(uint32_t delta, uint32_t numpoints, const struct puny_row *row)
{
    return delta < PUNY_QUICK ? row->bias[delta / 2] : puny_scale(delta / 2, numpoints);
}

/* Returns whether sorted code points, each shifted left by `shift` bits, include a surrogate. The
 * last is not below 0xD800. */
PUNY_APART bool puny_has_surrogate(const uint32_t *sorted, uint32_t shift)
{
    while (*sorted >> shift < 0xD800)
        sorted++;
    return *sorted >> shift < 0xE000;
}

/* Returns whether sorted code points, each shifted left by `shift` bits, are all Unicode scalar
 * values. The first and last nearly always decide. */
PUNY_IN_EACH bool puny_are_scalar_values(const uint32_t *sorted, uint32_t count, uint32_t shift)
{
    uint32_t first = sorted[0] >> shift, last = sorted[count - 1] >> shift;

    return last < 0xD800 ||
           (last <= 0x10FFFF && (first >= 0xE000 || !puny_has_surrogate(sorted, shift)));
}

#endif
