/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast Punycode encoder for labels. It differs from RFC 3492, section 6.3, in these ways, none
 * of which changes the result:
 * - It sorts the code points and computes each delta from the places of two neighbours, instead of
 *   scanning the input for each.
 * - It multiplies by a reciprocal instead of dividing: divisors are small and known.
 * - It writes deltas of one or two digits, nearly all of them, without a branch, which the
 * processor would often predict wrong.
 * - It leaves all input that no label has to core/punycode/punycode.c. */
#include "core/punycode/pace.h"
#include "core/punycode/punylabel.h"
#include "core/text/cpu.h"

#include <string.h>

/* --- order --- */

/* A key is a non-basic code point with its place in the label in the low bits. In the order of
 * their keys, code points are inserted by n, and from left to right for the same n. */
typedef uint32_t keys8 __attribute__((vector_size(32)));
enum {
    KEYS_LANES = 8,
    KEYS_MAX = XN_PUNYLABEL_MAX / KEYS_LANES * KEYS_LANES + 2 * KEYS_LANES,
    PLACE_BITS = 6,
    NO_CODE_POINT = 0x110000,
    NO_KEY = INT32_MAX
};
_Static_assert(XN_PUNYLABEL_MAX < 1 << PLACE_BITS, "a place fits");
_Static_assert(NO_CODE_POINT < NO_KEY >> PLACE_BITS, "a code point fits");

PUNY_IN_EACH uint32_t code_point_of(uint32_t key)
{
    return key >> PLACE_BITS;
}

/* Separates literals from other code points. Writes the literals as octets, and may write beyond
 * them, up to len rounded up to KEYS_LANES. Writes a key for each other code point and fills the
 * last vector of keys with NO_KEY. Returns a bit for the place of each literal. */
typedef uint64_t take_apart(const uint32_t *src, size_t len, uint8_t *literals, uint32_t *keys);

static const keys8 no_keys = {NO_KEY, NO_KEY, NO_KEY, NO_KEY, NO_KEY, NO_KEY, NO_KEY, NO_KEY};

/* Sorts keys by rank: the rank of a key is the number of smaller keys. No two keys are equal except
 * NO_KEY, which goes to dst[count]. The highest bit of a difference serves as the comparison: where
 * the processor lacks vector comparisons, compilers would compare lane by lane. */
PUNY_IN_EACH void sort(const uint32_t *keys, size_t count, uint32_t *dst)
{
    for (size_t first = 0; first < count; first += KEYS_LANES) {
        keys8 key, rank = {0};

        memcpy(&key, keys + first, sizeof key);
        for (size_t j = 0; j < count; j += 4) {
            rank += (keys[j] - key) >> 31;
            rank += (keys[j + 1] - key) >> 31;
            rank += (keys[j + 2] - key) >> 31;
            rank += (keys[j + 3] - key) >> 31;
        }
#pragma GCC unroll 8
        for (size_t lane = 0; lane < KEYS_LANES; lane++)
            dst[rank[lane]] = key[lane];
    }
}

/* --- writing --- */

PUNY_IN_EACH uint32_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & UINT64_C(0x5555555555555555);
    bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
    bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
    return (uint32_t)(bits * UINT64_C(0x0101010101010101) >> 56);
}

/* The state of section 6.3 between two deltas. out is h + 1. */
struct progress {
    uint64_t present; /* a bit for the place of each code point written so far */
    uint32_t n, i, out;
};

/* Returns the delta to the next code point, and inserts it. The delta counts out states for each
 * increase of n, plus the difference of i (section 3.2). */
PUNY_IN_EACH uint32_t next_delta(struct progress *at, uint32_t key)
{
    uint32_t n = code_point_of(key);
    uint64_t place = UINT64_C(1) << (key & ((1 << PLACE_BITS) - 1));
    uint32_t i = count_bits(at->present & (place - 1));
    uint32_t delta = (n - at->n) * ++at->out + i - at->i;

    at->present |= place;
    at->n = n;
    at->i = i + 1;
    return delta;
}

/* Section 6.3, the inner loop. Returns the end of the digits, or NULL if there is no room. */
PUNY_APART uint8_t *write_delta(uint8_t *dst, const uint8_t *end, uint32_t q, uint32_t bias)
{
    for (uint32_t k = base; dst < end; k += base) {
        uint32_t t = puny_threshold(k, bias);
        if (q < t) {
            *dst++ = (uint8_t)xn_pace_octet_of[q];
            return dst;
        }
        uint32_t left = puny_divide(q - t, base - t);
        *dst++ = (uint8_t)xn_pace_octet_of[q - left * (base - t)];
        q = left;
    }
    return NULL;
}

/* Does the same for one or two digits with a flat bias. Returns NULL if delta has more digits or
 * there is no room for two. */
PUNY_IN_EACH uint8_t *write_short_delta(uint8_t *dst, const uint8_t *end, uint32_t delta,
                                        uint32_t bias)
{
    uint32_t more = puny_goes_on(delta, bias);
    uint32_t second = puny_divide((delta + bias - base) & -more, bias);

    if (second >= tmax || end - dst < 2)
        return NULL;
    dst[more] = (uint8_t)xn_pace_octet_of[second];
    dst[0] = (uint8_t)xn_pace_octet_of[delta - second * bias];
    return dst + 1 + more;
}

/* Section 6.3, the main loop. Returns the end of the digits, or NULL if there is no room. */
PUNY_IN_EACH uint8_t *write_deltas(const uint32_t *keys, size_t count, uint64_t literals,
                                   uint32_t out, uint8_t *dst, const uint8_t *end)
{
    struct progress at = {literals, initial_n, 0, out};
    uint32_t delta = next_delta(&at, keys[0]), bias = puny_adapt_first(delta, at.out);
    const struct puny_row *row = xn_pace_rows + at.out;

    dst = write_delta(dst, end, delta, initial_bias);
    for (const uint32_t *key = keys + 1; dst && key < keys + count; key++) {
        uint8_t *next = NULL;

        delta = next_delta(&at, *key);
        if (bias <= PUNY_FLAT_MAX)
            next = write_short_delta(dst, end, delta, bias);
        dst = next ? next : write_delta(dst, end, delta, bias);
        bias = puny_adapt(delta, at.out, ++row);
    }
    return dst;
}

PUNY_IN_EACH bool encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len, take_apart *take)
{
    uint32_t keys[KEYS_MAX], sorted[KEYS_MAX];
    uint8_t octets_apart[KEYS_MAX];
    size_t whole = (src_len + KEYS_LANES - 1) & -(size_t)KEYS_LANES;

    if (src_len >= dst_cap) /* beyond this, literals and delimiter fit */
        return false;
    uint8_t *octets = whole <= dst_cap ? dst : octets_apart, *at = dst;
    uint64_t literals = take(src, src_len, octets, keys);
    size_t out = count_bits(literals), count = src_len - out;
    if (octets != dst)
        memcpy(dst, octets, out);
    if (out > 0) {
        at += out;
        *at++ = '-';
    }
    if (count > 0) {
        if (count == 1) /* half of all Latin labels */
            sorted[0] = keys[0];
        else
            sort(keys, count, sorted);
        if (!puny_are_scalar_values(sorted, (uint32_t)count, PLACE_BITS))
            return false;
        at = write_deltas(sorted, count, literals, (uint32_t)out, at, dst + dst_cap);
    }
    *dst_len = at ? (size_t)(at - dst) : 0;
    return at != NULL;
}

/* --- variants --- */

static uint64_t take_apart_generic(const uint32_t *src, size_t len, uint8_t *literals,
                                   uint32_t *keys)
{
    uint64_t basic = 0;
    size_t count = 0;

    for (size_t j = 0; j < len; j++) {
        uint32_t cp = src[j] < NO_CODE_POINT ? src[j] : NO_CODE_POINT;
        bool is_basic = cp < initial_n;

        literals[j - count] = (uint8_t)cp;
        keys[count] = (uint32_t)(cp << PLACE_BITS | j);
        count += !is_basic;
        basic |= (uint64_t)is_basic << j;
    }
    memcpy(keys + count, &no_keys, sizeof no_keys);
    return basic;
}

static bool encode_generic(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                           size_t *dst_len)
{
    return encode(src, src_len, dst, dst_cap, dst_len, take_apart_generic);
}

static bool (*variant)(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                       size_t *dst_len) = encode_generic;

#ifdef XN_HASWELL
#include <immintrin.h>

/* Returns a bit for each lane that is all ones. */
XN_HASWELL static inline uint64_t bits_of(__m256i lanes)
{
    return (uint64_t)_mm256_movemask_ps(_mm256_castsi256_ps(lanes));
}

/* Widens each bit to an octet, 0xFF or 0. */
XN_HASWELL static inline uint64_t octets_of(uint64_t bits)
{
    return _pdep_u64(bits, 0x0101010101010101) * 0xFF;
}

/* Moves the keys whose bits are set in `kept` to the front and fills the rest with NO_KEY. */
XN_HASWELL static inline __m256i close_gaps(__m256i keys, uint64_t kept)
{
    uint64_t lanes = _pext_u64(0x0706050403020100, octets_of(kept));
    __m256i index = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)lanes));
    __m256i count = _mm256_set1_epi32((int)_mm_popcnt_u64(kept));
    __m256i behind = _mm256_cmpgt_epi32(_mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), count);

    return _mm256_blendv_epi8(_mm256_permutevar8x32_epi32(keys, index), _mm256_set1_epi32(NO_KEY),
                              behind);
}

/* Returns the lowest octet of each lane. */
XN_HASWELL static inline uint64_t low_octets(__m256i lanes)
{
    __m128i halves =
        _mm_packus_epi32(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256(lanes, 1));

    return (uint64_t)_mm_cvtsi128_si64(_mm_packus_epi16(halves, halves));
}

/* Writes the octets whose bits are set in `kept`, without gaps. Returns their end. Always writes
 * eight octets. */
XN_HASWELL static inline uint8_t *put_octets(uint64_t octets, uint64_t kept, uint8_t *dst)
{
    octets = _pext_u64(octets, octets_of(kept));
    memcpy(dst, &octets, sizeof octets);
    return dst + _mm_popcnt_u64(kept);
}

XN_HASWELL static inline uint64_t take_apart_haswell(const uint32_t *src, size_t len,
                                                     uint8_t *literals, uint32_t *keys)
{
    __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), end = _mm256_set1_epi32((int)len);
    uint64_t all = 0;
    size_t kept = 0; /* keys from the last eight code points */

    for (size_t j = 0; j < len; j += KEYS_LANES, keys += kept) {
        __m256i there = _mm256_cmpgt_epi32(end, place);
        __m256i cp = _mm256_maskload_epi32((const int *)(src + j), there);
        cp = _mm256_min_epu32(cp, _mm256_set1_epi32(NO_CODE_POINT));
        __m256i other = _mm256_cmpgt_epi32(cp, _mm256_set1_epi32(initial_n - 1));
        __m256i key = _mm256_or_si256(_mm256_slli_epi32(cp, PLACE_BITS), place);

        place = _mm256_add_epi32(place, _mm256_set1_epi32(KEYS_LANES));
        key = _mm256_blendv_epi8(_mm256_set1_epi32(NO_KEY), key, other);
        if (_mm256_testc_si256(other, there)) { /* no literal: no gaps to close */
            _mm256_storeu_si256((__m256i *)keys, key);
            kept = KEYS_LANES;
            continue;
        }
        uint64_t others = bits_of(other), basics = bits_of(there) & ~others;
        _mm256_storeu_si256((__m256i *)keys, close_gaps(key, others));
        kept = (size_t)_mm_popcnt_u64(others);
        literals = put_octets(low_octets(cp), basics, literals);
        all |= basics << j;
    }
    /* After the last vector, not inside it: a vector loaded exactly as it was stored does not have
     * to wait for both stores to reach memory. */
    memcpy(keys + KEYS_LANES - kept, &no_keys, sizeof no_keys);
    return all;
}

XN_HASWELL static bool encode_haswell(const uint32_t *src, size_t src_len, uint8_t *dst,
                                      size_t dst_cap, size_t *dst_len)
{
    return encode(src, src_len, dst, dst_cap, dst_len, take_apart_haswell);
}

__attribute__((constructor)) static void choose_variant(void)
{
    if (xn_cpu_is_haswell())
        variant = encode_haswell;
}
#endif

bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    return variant(src, src_len, dst, dst_cap, dst_len);
}
