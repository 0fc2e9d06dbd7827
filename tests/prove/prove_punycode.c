/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call of core/punycode/punycode.c with FIRST to LAST octets, code points or elements of
 * room. */
#include "core/punycode/punycode.c"
#include "core/punycode/punylabel.h"
#include "tests/prove/any.h"

enum { LEN_MAX = 63 };

/* The fast ways are compared with these by tests/unit/test_punylabel.c. Here they do what they may.
 */
bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    (void)src;
    *dst_len = any_size(src_len);
    fill(dst, src_len * sizeof *dst);
    return any_bool();
}

bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    (void)src, (void)src_len;
    *dst_len = any_size(dst_cap);
    fill(dst, dst_cap);
    return any_bool();
}

static uint8_t octets[LEN_MAX];
static uint32_t cps[LEN_MAX];
static struct xn_punycode_step steps[LEN_MAX];

static xn_status status;
static size_t len;
static struct xn_punycode_notes notes;

static void read_octets(size_t length)
{
    uint8_t *src = EXACT(uint8_t, length);

    fill(src, length);
    status = xn_punycode_decode(src, length, cps, LEN_MAX, &len);
    free(src);
}

static void write_code_points(size_t room)
{
    uint32_t *dst = EXACT(uint32_t, room);
    struct xn_punycode_step *taken = EXACT(struct xn_punycode_step, room);

    fill(dst, room * sizeof *dst);
    status = xn_punycode_decode(octets, any_size(LEN_MAX), dst, room, &len);
    notes.steps = taken;
    status = xn_punycode_decode_traced(octets, any_size(LEN_MAX), dst, room, &len, &notes);
    status = xn_punycode_decode(octets, UINT32_MAX, dst, room, &len);
    free(dst);
    free(taken);
}

static void read_code_points(size_t length)
{
    uint32_t *src = EXACT(uint32_t, length);
    struct xn_punycode_step *taken = EXACT(struct xn_punycode_step, length);

    fill(src, length * sizeof *src);
    status = xn_punycode_encode(src, length, octets, LEN_MAX, &len);
    notes.steps = taken;
    status = xn_punycode_encode_traced(src, length, octets, LEN_MAX, &len, &notes);
    free(src);
    free(taken);
}

static void write_octets(size_t room)
{
    uint8_t *dst = EXACT(uint8_t, room);

    status = xn_punycode_encode(cps, any_size(LEN_MAX), dst, room, &len);
    notes.steps = steps;
    status = xn_punycode_encode_traced(cps, any_size(LEN_MAX), dst, room, &len, &notes);
    status = xn_punycode_encode(cps, UINT32_MAX, dst, room, &len);
    free(dst);
}

int main(void)
{
    fill(octets, sizeof octets);
    fill(cps, sizeof cps);
    /*@ loop unroll LAST + 1 - FIRST; */
    for (size_t length = FIRST; length <= LAST; length++) {
        read_octets(length);
        write_code_points(length);
        read_code_points(length);
        write_octets(length);
    }
    return 0;
}
