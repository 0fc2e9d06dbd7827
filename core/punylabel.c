/* SPDX-License-Identifier: BSD-3-Clause */
/* What differs from section 6 of RFC 3492, and why it comes to the same:
 * - Divisors are small and known: a multiplication by the reciprocal replaces each division.
 * - The decoder does not insert: it notes where each code point goes at its time, and works out at
 *   the end where those before it have gone.
 * - The encoder does not count steps: it sorts, and a delta follows from two places.
 * - One digit or two, which is nearly all, are read and written without a branch.
 * - A delta that no label needs is left to core/punycode.c, so that nothing overflows here. */
#include "core/punylabel.h"

#include <stdlib.h>
#include <string.h>

/* Compiled once for each variant that calls it: see the end of the file. */
#define IN_EACH static inline __attribute__((always_inline))

/* Section 5. */
enum { base = 36, tmin = 1, tmax = 26, skew = 38, damp = 700, initial_bias = 72, initial_n = 0x80 };

enum {
    NO_DIGIT = 0x80,
    /* (0x10FFFF - initial_n) * 60 + 59 is the largest delta between two code points of a label. */
    DELTA_MAX = 1 << 27,
    /* adapt's delta at which its loop ends, and the bias there: with no more than that, each
     * threshold but the first is tmax. */
    SCALED_MAX = (base - tmin) * tmax / 2,
    FLAT_BIAS_MAX = base * SCALED_MAX / (SCALED_MAX + skew)
};
_Static_assert(2 * base - FLAT_BIAS_MAX >= tmax, "the second threshold is tmax");
_Static_assert((0x10FFFF - initial_n) * 60 + 59 < DELTA_MAX, "every label's deltas are smaller");

/* --- tables --- */

#define FOUR(of, n) of(n), of((n) + 1), of((n) + 2), of((n) + 3)
#define SIXTEEN(of, n) FOUR(of, n), FOUR(of, (n) + 4), FOUR(of, (n) + 8), FOUR(of, (n) + 12)
#define SIXTY_FOUR(of, n)                                                                          \
    SIXTEEN(of, n), SIXTEEN(of, (n) + 16), SIXTEEN(of, (n) + 32), SIXTEEN(of, (n) + 48)
#define OF_256(of, n)                                                                              \
    SIXTY_FOUR(of, n), SIXTY_FOUR(of, (n) + 64), SIXTY_FOUR(of, (n) + 128),                        \
        SIXTY_FOUR(of, (n) + 192)

#define IN(octet, first, last) ((octet) >= (first) && (octet) <= (last))
#define DIGIT(octet)                                                                               \
    (IN(octet, 'a', 'z')   ? (octet) - 'a'                                                         \
     : IN(octet, 'A', 'Z') ? (octet) - 'A'                                                         \
     : IN(octet, '0', '9') ? (octet) - '0' + 26                                                    \
                           : NO_DIGIT)
static const uint8_t digit_of[256] = {OF_256(DIGIT, 0)};

/* The last line of section 6.1, and the first threshold with that bias. */
#define BIAS(delta) (base * (delta) / ((delta) + skew))
#define WITHIN(low, value, high) ((value) < (low) ? (low) : (value) > (high) ? (high) : (value))
#define FIRST_THRESHOLD(delta) WITHIN(tmin, base - BIAS(delta), tmax)
static const uint8_t bias_of[512] = {OF_256(BIAS, 0), OF_256(BIAS, 256)};
static const uint8_t first_threshold_of[512] = {OF_256(FIRST_THRESHOLD, 0),
                                                OF_256(FIRST_THRESHOLD, 256)};

/* With r = floor(2^34 / n) + 1 and n up to 64, x * r / 2^34 is x / n for every x below 2^28: r * n
 * is larger than 2^34 by 64 at most. */
#define RECIPROCAL(n) ((UINT64_C(1) << 34) / (n) + 1)
static const uint64_t reciprocal_of[65] = {0, SIXTY_FOUR(RECIPROCAL, 1)};

static const uint8_t octet_of[] = "abcdefghijklmnopqrstuvwxyz0123456789";

IN_EACH uint32_t divide(uint32_t x, uint32_t n)
{
    return (uint32_t)(x * reciprocal_of[n] >> 34);
}

/* --- sections 6.1 to 6.3: what both directions need --- */

IN_EACH uint32_t threshold(uint32_t k, uint32_t bias)
{
    uint32_t t = k > bias + tmin ? k - bias : tmin;
    return t < tmax ? t : tmax;
}

/* The bias, and the first of the thresholds that follow from it. */
struct pace {
    uint32_t bias, t;
};

IN_EACH struct pace adapt(uint32_t delta, uint32_t numpoints, bool firsttime)
{
    uint32_t k = 0;

    delta = firsttime ? delta / damp : delta / 2;
    delta += divide(delta, numpoints);
    if (delta <= SCALED_MAX)
        return (struct pace){bias_of[delta], first_threshold_of[delta]};
    for (; delta > SCALED_MAX; k += base)
        delta /= base - tmin;
    return (struct pace){k + bias_of[delta], threshold(base, k + bias_of[delta])};
}

static const struct pace initial_pace = {initial_bias, tmin};

IN_EACH bool is_scalar_value(uint32_t cp)
{
    return cp <= 0x10FFFF && cp - 0xD800 >= 0x800;
}

/* --- decoding --- */

/* What is to be inserted, in that order: n and i of section 6.2. */
struct insertions {
    uint32_t n[XN_PUNYLABEL_MAX];
    uint8_t i[XN_PUNYLABEL_MAX];
    size_t count;
};

/* The inner loop of section 6.2. Behind the end stands what is no digit. */
IN_EACH bool read_delta(const uint8_t **pos, uint32_t bias, uint32_t *delta)
{
    uint64_t w = 1, sum = 0;

    for (uint32_t k = base;; k += base) {
        uint32_t digit = *(*pos)++, t = threshold(k, bias);
        sum += digit * w;
        if (digit == NO_DIGIT || sum > DELTA_MAX)
            return false;
        *delta = (uint32_t)sum;
        if (digit < t)
            return true;
        w *= base - t;
    }
}

/* The main loop of section 6.2; out is the number of literals. */
IN_EACH bool read_insertions(const uint8_t *pos, const uint8_t *end, uint32_t out,
                             struct insertions *insertions)
{
    uint32_t n = initial_n, i = 0;
    struct pace pace = initial_pace;
    size_t count = 0;

    while (pos < end) {
        uint32_t delta = pos[0], second = pos[1], more = delta >= pace.t;

        /* A branch for the second digit would be guessed wrong half of the time. */
        if (pace.bias <= FLAT_BIAS_MAX && delta != NO_DIGIT && (second < tmax || !more)) {
            delta += second * (base - pace.t) & -more;
            pos += 1 + more;
        } else if (!read_delta(&pos, pace.bias, &delta)) {
            return false;
        }
        pace = adapt(delta, ++out, count == 0);
        i += delta;
        uint32_t turns = divide(i, out);
        n += turns;
        i -= turns * out;
        if (!is_scalar_value(n))
            return false;
        insertions->n[count] = n;
        insertions->i[count++] = (uint8_t)i++;
    }
    insertions->count = count;
    return true;
}

/* Where a code point is inserted is not where it ends up: those that are inserted later, there or
 * before it, move it on. Writes each to its place. Returns a bit for each place that is left. */
typedef uint64_t write_insertions(const struct insertions *insertions, size_t len, uint32_t *dst);

/* Literals take the places that are left, in their order. False: one is not ASCII. */
IN_EACH bool write_literals(const uint8_t *literals, uint64_t left, uint32_t *dst)
{
    uint32_t any = 0;

    for (; left != 0; left &= left - 1)
        any |= dst[__builtin_ctzll(left)] = *literals++;
    return any < initial_n;
}

IN_EACH bool decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                    write_insertions *write)
{
    uint8_t digits[XN_PUNYLABEL_MAX + 2]; /* the second of two may be behind the end */
    struct insertions insertions;
    size_t begin = src_len; /* of what is behind the last delimiter */

    digits[src_len] = NO_DIGIT;
    for (; begin > 0 && src[begin - 1] != '-'; begin--)
        digits[begin - 1] = digit_of[src[begin - 1]];
    size_t literals_len = begin > 0 ? begin - 1 : 0;
    if (src_len == 0 || begin == 1 ||
        !read_insertions(digits + begin, digits + src_len, (uint32_t)literals_len, &insertions))
        return false;
    *dst_len = literals_len + insertions.count;
    return write_literals(src, write(&insertions, *dst_len, dst), dst);
}

/* --- encoding --- */

/* Code points that are not basic, each with its place in the low bits: in their order, n never
 * decreases, nor i as long as n stays the same. */
typedef int32_t keys4 __attribute__((vector_size(16)));
enum {
    KEYS_LANES = 4,
    KEYS_VECTORS = (XN_PUNYLABEL_MAX + KEYS_LANES) / KEYS_LANES,
    PLACE_BITS = 6
};
_Static_assert(XN_PUNYLABEL_MAX < 1 << PLACE_BITS, "a place fits");

/* The rank of a key is how many are smaller; no two are the same. */
IN_EACH void sort(int32_t *keys, size_t count)
{
    keys4 key[KEYS_VECTORS], rank[KEYS_VECTORS];
    size_t vectors = (count + KEYS_LANES - 1) / KEYS_LANES;

    for (size_t v = 0; v < vectors; v++) {
        memcpy(&key[v], keys + v * KEYS_LANES, sizeof *key);
        rank[v] = (keys4){0};
    }
    for (size_t j = 0; j < count; j++) {
        keys4 other = (keys4){0} + keys[j];
        for (size_t v = 0; v < vectors; v++)
            rank[v] -= key[v] > other;
    }
    const int32_t *key_of = (const int32_t *)key, *rank_of = (const int32_t *)rank;
    for (size_t j = 0; j < count; j++)
        /* cppcheck-suppress uninitvar; the vectors hold `count` keys */
        keys[rank_of[j]] = key_of[j];
}

IN_EACH uint32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* The inner loop of section 6.3. Returns the place behind the digits, or NULL: no space. */
IN_EACH uint8_t *write_delta(uint8_t *dst, const uint8_t *end, uint32_t q, uint32_t bias)
{
    for (uint32_t k = base;; k += base) {
        uint32_t t = threshold(k, bias);
        if (dst == end)
            return NULL;
        if (q < t) {
            *dst++ = octet_of[q];
            return dst;
        }
        uint32_t left = divide(q - t, base - t);
        *dst++ = octet_of[q - left * (base - t)];
        q = left;
    }
}

/* The main loop of section 6.3; literals has a bit for the place of each. */
IN_EACH uint8_t *write_deltas(const int32_t *keys, size_t count, uint64_t literals, uint32_t out,
                              uint8_t *dst, const uint8_t *end)
{
    uint32_t n = initial_n, i = 0;
    uint64_t present = literals;
    struct pace pace = initial_pace;

    for (size_t j = 0; j < count; j++) {
        uint32_t cp = (uint32_t)keys[j] >> PLACE_BITS;
        uint64_t place = UINT64_C(1) << (keys[j] & ((1 << PLACE_BITS) - 1));
        uint32_t index = count_bits(present & (place - 1));
        uint32_t delta = (cp - n) * ++out + index - i;
        uint32_t more = delta >= pace.t, left = divide(delta - (pace.t & -more), base - pace.t);

        /* As when decoding. */
        if (pace.bias <= FLAT_BIAS_MAX && (left < tmax || !more) && end - dst >= 2) {
            dst[0] = octet_of[delta - (left * (base - pace.t) & -more)];
            dst[1] = octet_of[left];
            dst += 1 + more;
        } else {
            dst = write_delta(dst, end, delta, pace.bias);
            if (!dst)
                return NULL;
        }
        if (!is_scalar_value(cp))
            return NULL;
        pace = adapt(delta, out, j == 0);
        present |= place;
        n = cp;
        i = index + 1;
    }
    return dst;
}

IN_EACH bool encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                    size_t *dst_len)
{
    int32_t keys[KEYS_LANES * KEYS_VECTORS];
    size_t count = 0, out = 0;
    uint64_t literals = 0;

    if (src_len >= dst_cap) /* so that literals and delimiter fit */
        return false;
    for (size_t j = 0; j < src_len; j++) {
        bool basic = src[j] < initial_n;
        if (src[j] > 0x10FFFF)
            return false;
        dst[out] = (uint8_t)src[j];
        out += basic;
        literals |= (uint64_t)basic << j;
        keys[count] = (int32_t)(src[j] << PLACE_BITS | j);
        count += !basic;
    }
    uint8_t *at = dst + out;
    if (out > 0)
        *at++ = '-';
    if (count > 1)
        sort(keys, count);
    at = write_deltas(keys, count, literals, (uint32_t)out, at, dst + dst_cap);
    if (!at)
        return false;
    *dst_len = (size_t)(at - dst);
    return true;
}

/* --- variants --- */

/* Of C11 and vectors of sixteen octets, which compilers have for every processor. A comparison that
 * holds is -1, all bits set; so is a place before its code point is inserted. */
typedef int8_t places16 __attribute__((vector_size(16)));
enum { LANES = 16, PLACES_MAX = 64 };
_Static_assert((int)PLACES_MAX >= (int)XN_PUNYLABEL_MAX, "a place for each");

/* Sixteen of the places, those of code points number `first` and on. */
static void follow(const struct insertions *insertions, size_t first, int8_t *dst)
{
    places16 places = (places16){0} - 1;
    places16 ahead = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    for (size_t k = first; k < insertions->count; k++) {
        places16 i = (places16){0} + (int8_t)insertions->i[k];
        places -= places > i - 1;
        places &= i | (ahead != 0);
        ahead -= 1;
    }
    memcpy(dst, &places, sizeof places);
}

static uint64_t write_insertions_generic(const struct insertions *insertions, size_t len,
                                         uint32_t *dst)
{
    int8_t places[PLACES_MAX];
    uint64_t left = (UINT64_C(1) << len) - 1;

    for (size_t first = 0; first < insertions->count; first += LANES)
        follow(insertions, first, places + first);
    for (size_t k = 0; k < insertions->count; k++) {
        dst[places[k]] = insertions->n[k];
        left ^= UINT64_C(1) << places[k];
    }
    return left;
}

static bool decode_generic(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    return decode(src, src_len, dst, dst_len, write_insertions_generic);
}

static bool encode_generic(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                           size_t *dst_len)
{
    return encode(src, src_len, dst, dst_cap, dst_len);
}

struct variant {
    bool (*decode)(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len);
    bool (*encode)(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                   size_t *dst_len);
};

static struct variant variant = {decode_generic, encode_generic};

#ifdef __x86_64__
#include <immintrin.h>

#define HASWELL __attribute__((target("avx2,bmi,bmi2,popcnt")))

/* From the last to the first: each takes place number i of those that are left. */
HASWELL static inline uint64_t write_insertions_haswell(const struct insertions *insertions,
                                                        size_t len, uint32_t *dst)
{
    uint64_t left = (UINT64_C(1) << len) - 1;

    for (size_t k = insertions->count; k-- > 0;) {
        uint64_t place = _pdep_u64(UINT64_C(1) << insertions->i[k], left);
        left ^= place;
        dst[_tzcnt_u64(place)] = insertions->n[k];
    }
    return left;
}

HASWELL static bool decode_haswell(const uint8_t *src, size_t src_len, uint32_t *dst,
                                   size_t *dst_len)
{
    return decode(src, src_len, dst, dst_len, write_insertions_haswell);
}

HASWELL static bool encode_haswell(const uint32_t *src, size_t src_len, uint8_t *dst,
                                   size_t dst_cap, size_t *dst_len)
{
    return encode(src, src_len, dst, dst_cap, dst_len);
}

/* AMD's processors before Zen 3 have pdep, but take some hundred cycles for it. */
static bool has_haswell(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

__attribute__((constructor)) static void choose_variant(void)
{
    const char *asked = getenv("XN_CPU");

    __builtin_cpu_init();
    if (has_haswell() && !(asked && strcmp(asked, "generic") == 0))
        variant = (struct variant){decode_haswell, encode_haswell};
}
#endif

bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    return variant.decode(src, src_len, dst, dst_len);
}

bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    return variant.encode(src, src_len, dst, dst_cap, dst_len);
}
