/* SPDX-License-Identifier: BSD-3-Clause */
/* Inputs of any length, on the heap in exactly their size: what reads or writes beyond them is for
 * AddressSanitizer to see (make SAN=address). */
#ifndef XN_TESTS_UNIT_LIMITS_H
#define XN_TESTS_UNIT_LIMITS_H

#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"

#define BIT(reason) ((xn_reasons)1 << (reason))

/* len times the octet, or the code point. The caller frees it. */
static inline uint8_t *octets_of(uint8_t octet, size_t len)
{
    uint8_t *octets = calloc(len, 1);

    assert_true(octets || len == 0);
    for (size_t i = 0; i < len; i++)
        octets[i] = octet;
    return octets;
}

static inline uint32_t *cps_of(uint32_t cp, size_t len)
{
    uint32_t *cps = calloc(len, sizeof *cps);

    assert_true(cps || len == 0);
    for (size_t i = 0; i < len; i++)
        cps[i] = cp;
    return cps;
}

/* "xn--", and "tda" with as many "a" behind it as are missing: U+00FC, len - 6 times. */
static inline uint8_t *alabel_of(size_t len)
{
    uint8_t *alabel = octets_of('a', len);

    memcpy(alabel, "xn--tda", 7);
    return alabel;
}

static const size_t too_long[] = {60, 63, 64, 127, 140, 255, 256, 400, 2000};
#define FOR_EACH_TOO_LONG(len, least)                                                              \
    for (size_t at_ = 0, len; at_ < sizeof too_long / sizeof *too_long; at_++)                     \
        if ((len = too_long[at_]) >= (least))

#endif
