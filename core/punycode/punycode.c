/* SPDX-License-Identifier: BSD-3-Clause */
/* RFC 3492 in C. Read it beside section 6 of the RFC: names and order are the same, and section
 * numbers and text in quotes are the RFC's. This code adds a reason for each failure, and records
 * the steps taken, if the caller asks. Annotations that begin with @ are for Frama-C
 * (doc/testing.md). At the end, the two functions without a trace try the fast path of
 * core/punycode/punylabel.h first. */
#include "core/punycode/trace.h"

#include "core/punycode/punylabel.h"

/* Section 5: the parameter values that make Bootstring into Punycode. */
enum {
    base = 36,
    tmin = 1,
    tmax = 26,
    skew = 38,
    damp = 700,
    initial_bias = 72,
    initial_n = 0x80,
    delimiter = '-'
};

static const uint32_t maxint = UINT32_MAX;

static bool is_basic(uint32_t cp)
{
    return cp < initial_n;
}

/* Section 5: the letters a-z and A-Z have the digit-values 0 to 25, the digits 0-9 have 26 to 35.
 * Returns base for any other octet. */
static uint32_t decode_digit(uint8_t cp)
{
    uint32_t letter = (cp | 0x20u) - 'a';
    uint32_t decimal = cp - (uint32_t)'0';
    return letter < 26 ? letter : decimal < 10 ? decimal + 26 : base;
}

static uint8_t encode_digit(uint32_t digit)
{
    return (uint8_t)(digit < 26 ? 'a' + digit : '0' + (digit - 26));
}

/* Section 5 says that Unicode code points are "integers in the range 0..10FFFF (but not D800..DFFF
 * …)". The procedures of section 6 do not check this; we do. */
static xn_status check_code_point(uint32_t cp)
{
    if (cp > 0x10FFFF)
        return XN_CP_RANGE;
    return cp - 0xD800 < 0x800 ? XN_CP_SURROGATE : XN_OK;
}

static void note_step(struct xn_punycode_notes *notes, size_t number, struct xn_punycode_step step)
{
    if (notes->steps) {
        notes->steps[number] = step;
        notes->step_count = number + 1;
    }
}

static xn_status refuse(struct xn_punycode_notes *notes, xn_status status, size_t at)
{
    notes->bad_at = at;
    return status;
}

/* Section 6.1: the bias adaptation function. */
static uint32_t adapt(uint32_t delta, uint32_t numpoints, bool firsttime)
{
    uint32_t k = 0;

    delta = firsttime ? delta / damp : delta / 2;
    delta += delta / numpoints;
    /*@ loop unroll 5; */
    for (; delta > (base - tmin) * tmax / 2; k += base)
        delta /= base - tmin;
    return k + (base - tmin + 1) * delta / (delta + skew);
}

/* Sections 6.2 and 6.3: "let t = tmin if k <= bias {+ tmin}, or tmax if k >= bias + tmax, or k -
 * bias otherwise". The part in braces "can always be omitted". */
static uint32_t threshold(uint32_t k, uint32_t bias)
{
    return k <= bias ? tmin : k >= bias + tmax ? tmax : k - bias;
}

/* Section 6.2: "let w = w * (base - t), fail on overflow". Section 6.4 explains the test. */
static bool multiply(uint32_t *w, uint32_t factor)
{
    /*@ split factor; */
    if (*w > maxint / factor)
        return false;
    *w *= factor;
    return true;
}

/* Section 6.2, the inner loop: reads one generalized variable-length integer (section 3.3) at *pos
 * and moves *pos past it. The RFC adds each digit to i directly. Here the caller adds the whole
 * delta to i, because traces show the delta. */
static xn_status read_delta(const uint8_t **pos, const uint8_t *end, uint32_t bias, uint32_t *delta)
{
    uint32_t w = 1;

    *delta = 0;
    for (uint32_t k = base;; k += base) {
        if (*pos >= end)
            return XN_PUNY_TRUNCATED;
        uint32_t digit = decode_digit(*(*pos)++);
        if (digit == base)
            return XN_PUNY_BAD_DIGIT;
        if (digit > (maxint - *delta) / w)
            return XN_PUNY_OVERFLOW;
        *delta += digit * w;
        uint32_t t = threshold(k, bias);
        if (digit < t)
            return XN_OK;
        if (!multiply(&w, base - t))
            return XN_PUNY_OVERFLOW;
    }
}

/* Section 6.2: "consume all code points before the last delimiter (if there is one) and copy them
 * to output, fail on any non-basic code point; if more than zero code points were consumed then
 * consume one more". By that rule, a delimiter with nothing before it is left to fail as a digit;
 * here it has its own status. *consumed counts octets, the delimiter included. */
static xn_status copy_literals(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                               struct xn_punycode_notes *notes, size_t *consumed)
{
    size_t b = src_len;

    *consumed = 0;
    while (b > 0 && src[b - 1] != delimiter)
        b--;
    if (b == 0)
        return XN_OK;
    b--; /* b is now the position of the last delimiter */
    if (b == 0)
        return refuse(notes, XN_PUNY_LEADING_DELIMITER, 0);
    if (b > dst_cap)
        return refuse(notes, XN_NO_SPACE, dst_cap);
    for (size_t j = 0; j < b; j++) {
        if (!is_basic(src[j]))
            return refuse(notes, XN_PUNY_NOT_BASIC, j);
        dst[j] = src[j];
    }
    *consumed = b + 1;
    return XN_OK;
}

/* Section 6.2: "insert n into output at position i". */
static void insert(uint32_t *dst, size_t out, uint32_t i, uint32_t n)
{
    size_t at = out;

    for (; at > i; at--)
        dst[at] = dst[at - 1];
    dst[at] = n;
}

/* Section 6.2, the main loop. *out is the number of code points in dst: on entry the literals. */
static xn_status decode_insertions(const uint8_t *src, size_t consumed, size_t src_len,
                                   uint32_t *dst, size_t dst_cap, size_t *out,
                                   struct xn_punycode_notes *notes)
{
    const uint8_t *pos = src + consumed, *end = src + src_len;
    uint32_t n = initial_n, i = 0, bias = initial_bias;
    size_t literals = *out, count = literals;

    /*@ loop invariant count <= dst_cap; */
    while (pos < end) {
        size_t digits_at = (size_t)(pos - src);
        uint32_t oldi = i, delta, numpoints = (uint32_t)count + 1;

        xn_status status = read_delta(&pos, end, bias, &delta);
        if (status != XN_OK)
            return refuse(notes, status, (size_t)(pos - src) - (status != XN_PUNY_TRUNCATED));
        if (delta > maxint - i)
            return refuse(notes, XN_PUNY_OVERFLOW, digits_at);
        i += delta;
        bias = adapt(delta, numpoints, oldi == 0);
        if (i / numpoints > maxint - n)
            return refuse(notes, XN_PUNY_OVERFLOW, digits_at);
        n += i / numpoints;
        i %= numpoints;
        status = check_code_point(n);
        if (status != XN_OK)
            return refuse(notes, status, digits_at);
        if (count >= dst_cap)
            return refuse(notes, XN_NO_SPACE, digits_at);
        insert(dst, count, i, n);
        note_step(notes, count - literals,
                  (struct xn_punycode_step){delta, n, i, bias, digits_at,
                                            (size_t)(pos - src) - digits_at});
        count++;
        i++;
    }
    *out = count;
    return XN_OK;
}

static xn_status decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                        size_t *dst_len, struct xn_punycode_notes *notes)
{
    size_t consumed, out;

    *dst_len = 0;
    if (src_len >= maxint) /* every count below must fit 32 bits */
        return refuse(notes, XN_PUNY_OVERFLOW, maxint - 1);
    if (src_len == 0) /* src may be NULL */
        return XN_OK;
    xn_status status = copy_literals(src, src_len, dst, dst_cap, notes, &consumed);
    if (status != XN_OK)
        return status;
    out = consumed > 0 ? consumed - 1 : 0;
    status = decode_insertions(src, consumed, src_len, dst, dst_cap, &out, notes);
    if (status == XN_OK)
        *dst_len = out;
    return status;
}

/* The encoder's output buffer. */
struct sink {
    uint8_t *dst;
    size_t cap, len;
};

static bool put(struct sink *sink, uint8_t octet)
{
    if (sink->len >= sink->cap)
        return false;
    sink->dst[sink->len++] = octet;
    return true;
}

/* Section 6.3, the inner loop: writes delta as a generalized variable-length integer (section 3.3).
 * Returns false if there is no room. */
static bool write_delta(struct sink *sink, uint32_t delta, uint32_t bias)
{
    uint32_t q = delta;

    /*@ loop unroll 11; */
    for (uint32_t k = base;; k += base) {
        uint32_t t = threshold(k, bias);
        if (q < t)
            return put(sink, encode_digit(q));
        if (!put(sink, encode_digit(t + (q - t) % (base - t))))
            return false;
        q = (q - t) / (base - t);
    }
}

/* Section 6.3: "let h = b = the number of basic code points in the input; copy them to the output
 * in order, followed by a delimiter if b > 0". Also checks every code point of the input. */
static xn_status write_literals(const uint32_t *src, size_t src_len, struct sink *sink, uint32_t *b,
                                struct xn_punycode_notes *notes)
{
    *b = 0;
    for (size_t j = 0; j < src_len; j++) {
        xn_status status = check_code_point(src[j]);
        if (status != XN_OK)
            return refuse(notes, status, j);
        if (!is_basic(src[j]))
            continue;
        if (!put(sink, (uint8_t)src[j]))
            return refuse(notes, XN_NO_SPACE, j);
        ++*b;
    }
    if (*b > 0 && !put(sink, delimiter))
        return refuse(notes, XN_NO_SPACE, src_len);
    return XN_OK;
}

/* Section 6.3: "let m = the minimum {non-basic} code point >= n in the input". The part in braces
 * "can be omitted". There is such a code point, because the caller has some left to write. */
static uint32_t next_code_point(const uint32_t *src, size_t src_len, uint32_t n)
{
    uint32_t m = maxint;

    for (size_t j = 0; j < src_len; j++)
        if (src[j] >= n && src[j] < m)
            m = src[j];
    return m;
}

/* Returns the index at which a code point first occurs in the input. */
static size_t place_of(const uint32_t *src, size_t src_len, uint32_t cp)
{
    size_t j = 0;

    while (j + 1 < src_len && src[j] != cp)
        j++;
    return j;
}

/* Section 6.3, the main loop. */
static xn_status encode_insertions(const uint32_t *src, size_t src_len, struct sink *sink,
                                   uint32_t b, struct xn_punycode_notes *notes)
{
    uint32_t n = initial_n, delta = 0, bias = initial_bias, h = b;

    while (h < src_len) {
        uint32_t m = next_code_point(src, src_len, n);
        uint32_t i = 0; /* for traces: how many of src[0..j] the decoder has inserted by then */

        if (m - n > (maxint - delta) / (h + 1))
            return refuse(notes, XN_PUNY_OVERFLOW, place_of(src, src_len, m));
        delta += (m - n) * (h + 1);
        n = m;
        for (size_t j = 0; j < src_len && h < src_len; j++) {
            size_t digits_at = sink->len;

            if (src[j] > n)
                continue;
            i++;
            if (src[j] < n) {
                if (delta == maxint)
                    return refuse(notes, XN_PUNY_OVERFLOW, place_of(src, src_len, n));
                delta++;
                continue;
            }
            if (!write_delta(sink, delta, bias))
                return refuse(notes, XN_NO_SPACE, j);
            bias = adapt(delta, h + 1, h == b);
            note_step(
                notes, h - b,
                (struct xn_punycode_step){delta, n, i - 1, bias, digits_at, sink->len - digits_at});
            delta = 0;
            h++;
        }
        delta++; /* section 6.3, last paragraph, shows that this cannot overflow */
        n++;
    }
    return XN_OK;
}

static xn_status encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                        size_t *dst_len, struct xn_punycode_notes *notes)
{
    struct sink sink = {dst, dst_cap, 0};
    uint32_t b;

    *dst_len = 0;
    if (src_len >= maxint)
        return refuse(notes, XN_PUNY_OVERFLOW, maxint - 1);
    xn_status status = write_literals(src, src_len, &sink, &b, notes);
    if (status == XN_OK)
        status = encode_insertions(src, src_len, &sink, b, notes);
    if (status == XN_OK)
        *dst_len = sink.len;
    return status;
}

/* Not inlined, so that a label on the fast path pays nothing for the slow one. */
#define APART __attribute__((noinline)) static

APART xn_status decode_plainly(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                               size_t *dst_len)
{
    return decode(src, src_len, dst, dst_cap, dst_len, &(struct xn_punycode_notes){0});
}

APART xn_status encode_plainly(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                               size_t *dst_len)
{
    return encode(src, src_len, dst, dst_cap, dst_len, &(struct xn_punycode_notes){0});
}

xn_status xn_punycode_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t dst_cap,
                             size_t *dst_len)
{
    if (src_len - 1 < XN_PUNYLABEL_MAX && src_len <= dst_cap &&
        xn_punylabel_decode(src, src_len, dst, dst_len))
        return XN_OK;
    return decode_plainly(src, src_len, dst, dst_cap, dst_len);
}

xn_status xn_punycode_decode_traced(const uint8_t *src, size_t src_len, uint32_t *dst,
                                    size_t dst_cap, size_t *dst_len,
                                    struct xn_punycode_notes *notes)
{
    notes->step_count = 0;
    notes->bad_at = src_len;
    return decode(src, src_len, dst, dst_cap, dst_len, notes);
}

xn_status xn_punycode_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                             size_t *dst_len)
{
    if (src_len - 1 < XN_PUNYLABEL_MAX && xn_punylabel_encode(src, src_len, dst, dst_cap, dst_len))
        return XN_OK;
    return encode_plainly(src, src_len, dst, dst_cap, dst_len);
}

xn_status xn_punycode_encode_traced(const uint32_t *src, size_t src_len, uint8_t *dst,
                                    size_t dst_cap, size_t *dst_len,
                                    struct xn_punycode_notes *notes)
{
    notes->step_count = 0;
    notes->bad_at = src_len;
    return encode(src, src_len, dst, dst_cap, dst_len, notes);
}
