/* SPDX-License-Identifier: BSD-3-Clause */
/* The fast Punycode decoder for labels. It differs from RFC 3492, section 6.2, in these ways, none
 * of which changes the result:
 * - It multiplies by a reciprocal instead of dividing: divisors are small and known.
 * - It does not move code points to insert one. It records where each is inserted, and computes the
 *   final places at the end.
 * - It does not branch on whether a delta has one digit or two, which most deltas of alphabets
 * have. The processor would predict that badly.
 * - It leaves all input that no label has to core/punycode/punycode.c. Nothing overflows: a
 *   delta above 2^21 has at least five digits, so a label has at most eleven of them, each at most
 *   PUNY_DELTA_MAX, and n and i stay below 2^32. */
#include "core/punycode/pace.h"
#include "core/punycode/punylabel.h"
#include "core/text/cpu.h"
#include "core/text/utf8.h"

#include <string.h>

/* The insertions in order: n[k] and i[k] are n and i of section 6.2 for the insertion that makes
 * the output k code points long, for k from first to last. */
struct insertions {
    uint32_t n[XN_PUNYLABEL_MAX + 1];
    uint8_t i[XN_PUNYLABEL_MAX + 1];
    uint32_t first, last;
};

/* --- reading --- */

struct reading {
    const uint8_t *pos; /* end of the delta; NULL if it is malformed or larger than a label needs */
    uint64_t delta;
};

/* Section 6.2, the inner loop. */
PUNY_IN_EACH struct reading read_delta(const uint8_t *pos, const uint8_t *end, uint32_t bias)
{
    uint64_t w = 1, delta = 0;

    for (uint32_t k = base; pos < end; k += base) {
        uint32_t digit = xn_pace_digit_of[*pos++], t = puny_threshold(k, bias);
        delta += digit * w;
        if (digit == PUNY_NO_DIGIT || delta > PUNY_DELTA_MAX)
            break;
        if (digit < t)
            return (struct reading){pos, delta};
        w *= base - t;
    }
    return (struct reading){NULL, 0};
}

/* Returns the digit at pos[at]. Past the end, returns that of pos[0]; the caller detects the
 * overrun. */
PUNY_IN_EACH uint32_t digit_at(const uint8_t *pos, const uint8_t *end, ptrdiff_t at)
{
    return xn_pace_digit_of[pos[at & -(ptrdiff_t)(end - pos > at)]];
}

/* The state of section 6.2 between two deltas. out is length(output). */
struct progress {
    uint32_t n, i, out;
    const struct puny_row *row; /* the row of out */
};

PUNY_IN_EACH void insert(struct progress *at, uint32_t delta, struct insertions *insertions)
{
    at->out++;
    at->row++;
    at->i += delta;
    uint32_t turns = (uint32_t)(at->i * at->row->reciprocal >> 34); /* puny_divide(i, out) */
    at->n += turns;
    at->i -= turns * at->out;
    insertions->n[at->out] = at->n;
    insertions->i[at->out] = (uint8_t)at->i++;
}

/* Section 6.2, the main loop. out is the number of literals. Returns false to give up. */
PUNY_IN_EACH bool read_insertions(const uint8_t *pos, const uint8_t *end, uint32_t out,
                                  struct insertions *insertions)
{
    struct progress at = {initial_n, 0, out, xn_pace_rows + out};
    struct reading read = read_delta(pos, end, initial_bias);
    if (!read.pos)
        return false;
    pos = read.pos;
    insert(&at, (uint32_t)read.delta, insertions);
    uint32_t bias = puny_adapt_first((uint32_t)read.delta, at.out);

    while (pos < end) {
        uint32_t delta = xn_pace_digit_of[*pos], second = digit_at(pos, end, 1);
        uint32_t more = puny_goes_on(delta, bias);

        if (bias <= PUNY_FLAT_MAX && (second & -more) < tmax) {
            delta += second * bias & -more;
            pos += 1 + more;
        } else {
            read = read_delta(pos, end, bias);
            if (!read.pos)
                return false;
            pos = read.pos;
            delta = (uint32_t)read.delta;
        }
        insert(&at, delta, insertions);
        if (delta >= PUNY_QUICK && (pos > end || xn_pace_digit_of[pos[-2]] == PUNY_NO_DIGIT))
            return false;
        bias = puny_adapt(delta, at.out, at.row);
    }
    insertions->first = out + 1;
    insertions->last = at.out;
    return pos == end && puny_are_scalar_values(insertions->n + out + 1, at.out - out, 0);
}

/* --- placing --- */

/* Writes each inserted code point to its final place: later insertions at or before its place move
 * it to the right. Returns a bit for each place that is left, for the literals. */
typedef uint64_t place_insertions(const struct insertions *insertions, uint32_t *dst);

/* Writes the literals, in order, to the places that are left. Returns false if one is not ASCII. */
PUNY_IN_EACH bool write_literals(const uint8_t *literals, size_t len, uint64_t left, uint32_t *dst)
{
    uint32_t any = 0;

    /* Counting literals ends the loop sooner than waiting for `left` to become 0. */
    for (size_t j = 0; j < len; j++, left &= left - 1)
        any |= dst[__builtin_ctzll(left)] = literals[j];
    return any < initial_n;
}

/* A label, decoded. */
struct decoded {
    uint32_t *dst;
    size_t len;
    size_t literal_count;
    uint64_t literals; /* a bit for the place of each literal */
};

PUNY_IN_EACH bool decode(const uint8_t *src, size_t src_len, struct decoded *decoded,
                         place_insertions *place)
{
    const uint8_t *delimiter = memrchr(src, '-', src_len), *pos = delimiter ? delimiter + 1 : src;
    size_t literals = delimiter ? (size_t)(delimiter - src) : 0;
    struct insertions insertions;

    if (pos == src + src_len || delimiter == src ||
        !read_insertions(pos, src + src_len, (uint32_t)literals, &insertions))
        return false;
    decoded->len = insertions.last;
    decoded->literal_count = literals;
    decoded->literals = place(&insertions, decoded->dst);
    return write_literals(src, literals, decoded->literals, decoded->dst);
}

/* --- writing UTF-8 --- */

enum { RUN = 16, LITERALS_MAX = 64 };
_Static_assert((int)LITERALS_MAX >= (int)XN_PUNYLABEL_MAX, "room for all");
_Static_assert((int)XN_PUNYLABEL_TEXT >= (int)XN_UTF8_MAX * XN_PUNYLABEL_MAX + LITERALS_MAX,
               "and for octets that are overwritten later");

/* Copies len octets, seldom more than RUN, and perhaps some after them. */
PUNY_IN_EACH void copy_run(uint8_t *dst, const uint8_t *src, size_t len)
{
    memcpy(dst, src, RUN);
    if (len > RUN)
        memcpy(dst + RUN, src + RUN, LITERALS_MAX - RUN);
}

/* Writes the label as UTF-8: runs of literals, and the code points between them. */
PUNY_IN_EACH size_t write_runs(const uint8_t *src, const struct decoded *decoded, uint8_t *text)
{
    uint8_t literals[2 * LITERALS_MAX], *at = text;
    const uint8_t *literal = literals;
    uint64_t others = decoded->literals ^ ((UINT64_C(1) << decoded->len) - 1);
    size_t next = 0;

    memcpy(literals, src, decoded->literal_count);
    for (; others != 0; others &= others - 1) {
        size_t place = (size_t)__builtin_ctzll(others), run = place - next;
        copy_run(at, literal, run);
        literal += run;
        at += run + xn_utf8_put(decoded->dst[place], at + run);
        next = place + 1;
    }
    size_t run = decoded->len - next;
    copy_run(at, literal, run);
    return (size_t)(at + run - text);
}

PUNY_IN_EACH bool decode_only(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                              place_insertions *place)
{
    struct decoded decoded = {.dst = dst};
    bool good = decode(src, src_len, &decoded, place);

    *dst_len = decoded.len;
    return good;
}

PUNY_IN_EACH bool decode_text(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                              uint8_t *text, size_t *text_len, place_insertions *place)
{
    struct decoded decoded = {.dst = dst};

    if (!decode(src, src_len, &decoded, place))
        return false;
    *dst_len = decoded.len;
    if (2 * decoded.literal_count < decoded.len)
        return xn_utf8_encode(dst, decoded.len, text, XN_PUNYLABEL_TEXT, text_len) == XN_OK;
    *text_len = write_runs(src, &decoded, text);
    return true;
}

/* --- variants --- */

/* The generic variant uses C11 and vectors of sixteen octets, which GCC and clang have for every
 * processor. A lane of a comparison is -1, all ones, where it holds. A place is -1 until its code
 * point is inserted. */
typedef int8_t places16 __attribute__((vector_size(16)));
enum { LANES = 16, PLACES_MAX = 64 };
_Static_assert((int)PLACES_MAX >= (int)XN_PUNYLABEL_MAX, "a place for each");

/* Computes the final places of sixteen insertions, from number `first` on. */
static void follow(const struct insertions *insertions, uint32_t first, int8_t *dst)
{
    places16 places = (places16){0} - 1;
    places16 ahead = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    for (uint32_t k = first; k <= insertions->last; k++) {
        places16 i = (places16){0} + (int8_t)insertions->i[k];
        places -= places > i - 1;
        places &= i | (ahead != 0);
        ahead -= 1;
    }
    memcpy(dst, &places, sizeof places);
}

static uint64_t place_generic(const struct insertions *insertions, uint32_t *dst)
{
    int8_t places[PLACES_MAX];
    uint64_t left = (UINT64_C(1) << insertions->last) - 1;

    for (uint32_t k = insertions->first; k <= insertions->last; k += LANES)
        follow(insertions, k, places + (k - insertions->first));
    for (uint32_t k = insertions->first; k <= insertions->last; k++) {
        /* cppcheck-suppress uninitvar; `follow` has written all that are read */
        int8_t place = places[k - insertions->first];
        dst[place] = insertions->n[k];
        left ^= UINT64_C(1) << place;
    }
    return left;
}

static bool decode_generic(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    return decode_only(src, src_len, dst, dst_len, place_generic);
}

static bool decode_text_generic(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                                uint8_t *text, size_t *text_len)
{
    return decode_text(src, src_len, dst, dst_len, text, text_len, place_generic);
}

static bool (*variant)(const uint8_t *src, size_t src_len, uint32_t *dst,
                       size_t *dst_len) = decode_generic;
static bool (*text_variant)(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                            uint8_t *text, size_t *text_len) = decode_text_generic;

#ifdef XN_HASWELL
#include <immintrin.h>

/* Places the insertions from the last to the first: each takes the i-th of the places left. */
XN_HASWELL static inline uint64_t place_haswell(const struct insertions *insertions, uint32_t *dst)
{
    uint64_t left = (UINT64_C(1) << insertions->last) - 1;

    for (uint32_t k = insertions->last; k >= insertions->first; k--) {
        uint64_t place = _pdep_u64(UINT64_C(1) << insertions->i[k], left);
        left ^= place;
        dst[_tzcnt_u64(place)] = insertions->n[k];
    }
    return left;
}

XN_HASWELL static bool decode_haswell(const uint8_t *src, size_t src_len, uint32_t *dst,
                                      size_t *dst_len)
{
    return decode_only(src, src_len, dst, dst_len, place_haswell);
}

XN_HASWELL static bool decode_text_haswell(const uint8_t *src, size_t src_len, uint32_t *dst,
                                           size_t *dst_len, uint8_t *text, size_t *text_len)
{
    return decode_text(src, src_len, dst, dst_len, text, text_len, place_haswell);
}

__attribute__((constructor)) static void choose_variants(void)
{
    if (!xn_cpu_is_haswell())
        return;
    variant = decode_haswell;
    text_variant = decode_text_haswell;
}
#endif

bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    return variant(src, src_len, dst, dst_len);
}

bool xn_punylabel_decode_text(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len,
                              uint8_t *text, size_t *text_len)
{
    return text_variant(src, src_len, dst, dst_len, text, text_len);
}
