/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of core/punycode/pace.h, computed by the preprocessor. */
#include "core/punycode/pace.h"

#include "core/text/tabulate.h"

/* --- digits: RFC 3492, section 5 --- */

#define IN(octet, first, last) ((octet) >= (first) && (octet) <= (last))
#define DIGIT(octet)                                                                               \
    (uint8_t)(IN(octet, 'a', 'z')   ? (octet) - 'a'                                                \
              : IN(octet, 'A', 'Z') ? (octet) - 'A'                                                \
              : IN(octet, '0', '9') ? (octet) - '0' + 26                                           \
                                    : PUNY_NO_DIGIT)
const uint8_t xn_pace_digit_of[256] = {OF_256(DIGIT, 0)};

const char xn_pace_octet_of[] = "abcdefghijklmnopqrstuvwxyz0123456789";

/* --- thresholds: sections 6.2 and 6.3 --- */

#define DISTANCE(at) ((at)-PUNY_BIAS_MAX) /* k - bias */
#define THRESHOLD(at)                                                                              \
    (uint8_t)(DISTANCE(at) <= tmin ? tmin : DISTANCE(at) >= tmax ? tmax : DISTANCE(at))
const uint8_t xn_pace_thresholds[640] = {OF_256(THRESHOLD, 0), OF_256(THRESHOLD, 256),
                                         SIXTY_FOUR(THRESHOLD, 512), SIXTY_FOUR(THRESHOLD, 576)};
_Static_assert(PUNY_BIAS_MAX + PUNY_K_MAX < 640, "for every k");

/* --- bias adaptation: section 6.1 --- */

#define LAST_LINE(delta) (base * (delta) / ((delta) + skew))
#define BIAS(delta) (LAST_LINE(delta) < PUNY_FLAT_MIN ? PUNY_FLAT_MIN : LAST_LINE(delta))
const uint8_t xn_pace_bias_of[512] = {OF_256(BIAS, 0), OF_256(BIAS, 256)};

#define RECIPROCAL(n) ((UINT64_C(1) << 34) / (n) + 1)
#define QUICK_BIAS(n, half) BIAS((half) + (half) / (n))
#define TO_55(of, n)                                                                               \
    of(n, 0), of(n, 1), of(n, 2), of(n, 3), of(n, 4), of(n, 5), of(n, 6), of(n, 7), of(n, 8),      \
        of(n, 9), of(n, 10), of(n, 11), of(n, 12), of(n, 13), of(n, 14), of(n, 15), of(n, 16),     \
        of(n, 17), of(n, 18), of(n, 19), of(n, 20), of(n, 21), of(n, 22), of(n, 23), of(n, 24),    \
        of(n, 25), of(n, 26), of(n, 27), of(n, 28), of(n, 29), of(n, 30), of(n, 31), of(n, 32),    \
        of(n, 33), of(n, 34), of(n, 35), of(n, 36), of(n, 37), of(n, 38), of(n, 39), of(n, 40),    \
        of(n, 41), of(n, 42), of(n, 43), of(n, 44), of(n, 45), of(n, 46), of(n, 47), of(n, 48),    \
        of(n, 49), of(n, 50), of(n, 51), of(n, 52), of(n, 53), of(n, 54), of(n, 55)
#define ROW(n)                                                                                     \
    {                                                                                              \
        RECIPROCAL(n),                                                                             \
        {                                                                                          \
            TO_55(QUICK_BIAS, n)                                                                   \
        }                                                                                          \
    }
const struct puny_row xn_pace_rows[65] = {{0}, SIXTY_FOUR(ROW, 1)};
_Static_assert(PUNY_QUICK / 2 == 56, "as many as ROW has");
