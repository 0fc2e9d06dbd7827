/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/text/utf8run.h"

#include "core/text/cpu.h"

typedef struct xn_utf8run write_run(const uint32_t *src, size_t src_len, uint8_t *dst,
                                    size_t dst_cap);
static struct xn_utf8run write_none(const uint32_t *src, size_t src_len, uint8_t *dst,
                                    size_t dst_cap)
{
    (void)src, (void)src_len, (void)dst, (void)dst_cap;
    return (struct xn_utf8run){0, 0};
}

static write_run *variant = write_none;

#ifdef XN_HASWELL
#include <immintrin.h>

enum { LANES = 8 };

#define EACH(value) _mm256_set1_epi32((int)(value))

/* --- writing: first the octets of each code point in its lane, then all without gaps --- */

/* Writes the octets whose bits are set in `kept`, without gaps. Returns their end. Always writes
 * eight octets. */
XN_HASWELL static inline uint8_t *put_kept(uint64_t octets, uint64_t kept, uint8_t *dst)
{
    _mm_storeu_si64(dst, _mm_cvtsi64_si128((long long)_pext_u64(octets, kept)));
    return dst + (_mm_popcnt_u64(kept) >> 3);
}

XN_HASWELL static inline uint8_t *put_halves(__m128i octets, __m128i kept, uint8_t *dst)
{
    dst = put_kept((uint64_t)_mm_cvtsi128_si64(octets), (uint64_t)_mm_cvtsi128_si64(kept), dst);
    return put_kept((uint64_t)_mm_extract_epi64(octets, 1), (uint64_t)_mm_extract_epi64(kept, 1),
                    dst);
}

/* Returns continuation octets with the last six bits of each code point. */
XN_HASWELL static inline __m256i tail_of(__m256i cps)
{
    return _mm256_or_si256(_mm256_and_si256(cps, EACH(0x3F)), EACH(0x80));
}

/* Writes code points of one or two octets. */
XN_HASWELL static inline uint8_t *put_narrow(__m256i cps, __m256i there, uint8_t *dst)
{
    __m256i two = _mm256_cmpgt_epi32(cps, EACH(0x7F));
    __m256i lead = _mm256_or_si256(_mm256_srli_epi32(cps, 6), EACH(0xC0));
    __m256i pair = _mm256_or_si256(lead, _mm256_slli_epi32(tail_of(cps), 8));
    __m256i octets = _mm256_blendv_epi8(cps, pair, two);
    __m256i kept =
        _mm256_and_si256(there, _mm256_or_si256(EACH(0xFF), _mm256_and_si256(two, EACH(0xFFFF))));
    __m256i packed = _mm256_packus_epi32(octets, kept);
    return put_halves(
        _mm_unpacklo_epi64(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1)),
        _mm_unpackhi_epi64(_mm256_castsi256_si128(packed), _mm256_extracti128_si256(packed, 1)),
        dst);
}

/* Writes code points of one to three octets. */
XN_HASWELL static inline uint8_t *put_wide(__m256i cps, __m256i there, uint8_t *dst)
{
    __m256i two = _mm256_cmpgt_epi32(cps, EACH(0x7F)), three = _mm256_cmpgt_epi32(cps, EACH(0x7FF));
    __m256i rest = _mm256_srli_epi32(cps, 6), last = tail_of(cps);
    __m256i pair = _mm256_or_si256(_mm256_or_si256(rest, EACH(0xC0)), _mm256_slli_epi32(last, 8));
    __m256i lead = _mm256_or_si256(_mm256_srli_epi32(cps, 12), EACH(0xE0));
    __m256i triple = _mm256_or_si256(
        lead, _mm256_or_si256(_mm256_slli_epi32(tail_of(rest), 8), _mm256_slli_epi32(last, 16)));
    __m256i octets = _mm256_blendv_epi8(_mm256_blendv_epi8(cps, pair, two), triple, three);
    __m256i kept = _mm256_or_si256(EACH(0xFF), _mm256_and_si256(two, EACH(0xFFFF)));

    kept = _mm256_or_si256(kept, _mm256_and_si256(three, EACH(0xFFFFFF)));
    kept = _mm256_and_si256(kept, there);
    dst = put_halves(_mm256_castsi256_si128(octets), _mm256_castsi256_si128(kept), dst);
    return put_halves(_mm256_extracti128_si256(octets, 1), _mm256_extracti128_si256(kept, 1), dst);
}

/* Returns whether a code point is a surrogate or needs four octets. */
XN_HASWELL static inline int has_rare(__m256i cps)
{
    __m256i surrogate = _mm256_cmpeq_epi32(_mm256_srli_epi32(cps, 11), EACH(0xD800 >> 11));
    __m256i large = _mm256_andnot_si256(EACH(0xFFFF), cps);

    return !_mm256_testz_si256(_mm256_or_si256(surrogate, large), EACH(-1));
}

XN_HASWELL static struct xn_utf8run write_haswell(const uint32_t *src, size_t src_len, uint8_t *dst,
                                                  size_t dst_cap)
{
    enum { ROOM = 4 * LANES }; /* 3 * LANES, and room for the last store of eight octets */
    __m256i place = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    uint8_t *at = dst;
    size_t i = 0;

    for (; i < src_len && dst_cap - (size_t)(at - dst) >= ROOM; i += LANES) {
        int left = src_len - i < LANES ? (int)(src_len - i) : LANES;
        __m256i there = _mm256_cmpgt_epi32(EACH(left), place);
        __m256i cps = _mm256_maskload_epi32((const int *)(src + i), there);

        if (_mm256_testz_si256(cps, EACH(~0x7FF)))
            at = put_narrow(cps, there, at);
        else if (!has_rare(cps))
            at = put_wide(cps, there, at);
        else
            break;
    }
    return (struct xn_utf8run){i < src_len ? i : src_len, (size_t)(at - dst)};
}

__attribute__((constructor)) static void choose_variant(void)
{
    if (xn_cpu_is_haswell())
        variant = write_haswell;
}
#endif

struct xn_utf8run xn_utf8run_write(const uint32_t *src, size_t src_len, uint8_t *dst,
                                   size_t dst_cap)
{
    return variant(src, src_len, dst, dst_cap);
}
