/* SPDX-License-Identifier: BSD-3-Clause */
/* core/text/octets16.h for Frama-C, which knows no vectors: one octet stands for all sixteen, and may be
 * any. What is loaded and stored is checked: WP goes by the contracts, Eva by the code. */
#ifndef XN_TESTS_PROVE_MODEL_CORE_TEXT_OCTETS16_H
#define XN_TESTS_PROVE_MODEL_CORE_TEXT_OCTETS16_H

#include <__fc_builtin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef uint8_t xn_octets16;
static const xn_octets16 xn_octets16_places;
enum { XN_OCTETS16 = 16 };

static inline xn_octets16 xn_octets16_any_octets(void)
{
    return Frama_C_unsigned_char_interval(0, UINT8_MAX);
}

/*@ requires \valid_read(octets + (0 .. 15));
    assigns \result \from octets[0 .. 15]; */
static inline xn_octets16 xn_octets16_load(const uint8_t *octets)
{
    uint8_t loaded[XN_OCTETS16];

    memcpy(loaded, octets, sizeof loaded);
    return xn_octets16_any_octets();
}

/*@ requires \valid(dst + (0 .. 15));
    assigns dst[0 .. 15] \from octets; */
static inline void xn_octets16_store(uint8_t *dst, xn_octets16 octets)
{
    (void)octets;
    Frama_C_make_unknown((char *)dst, XN_OCTETS16);
}

/*@ assigns \result \from octets; */
static inline bool xn_octets16_any(xn_octets16 octets)
{
    (void)octets;
    return Frama_C_interval(0, 1);
}

/*@ assigns \result \from octets; */
static inline uint64_t xn_octets16_sum(xn_octets16 octets)
{
    (void)octets;
    return xn_octets16_any_octets();
}

/*@ requires \valid_read(octets + (0 .. 16));
    assigns \result \from octets[0 .. 16]; */
static inline xn_octets16 xn_octets16_hyphen_pairs(const uint8_t *octets)
{
    return xn_octets16_load(octets) & xn_octets16_load(octets + 1);
}

#endif
