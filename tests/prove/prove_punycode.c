/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call of core/punycode/punycode.c with FIRST to LAST octets, code points or elements of
 * room. */
#include "core/punycode/label.h"
#include "core/punycode/punycode.c"
#include "tests/prove/any.h"

#include <string.h>

enum { LEN_MAX = 63 };

/* The fast ways are compared with these by tests/prove/equal.c. Here they do what they may. */
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
static bool uppers[LEN_MAX];
static struct xn_punycode_step steps[LEN_MAX];

static xn_status status;
static size_t len, step_count;

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
    bool *upper = EXACT(bool, room);
    struct xn_punycode_step *taken = EXACT(struct xn_punycode_step, room);

    fill(dst, room * sizeof *dst);
    memset(upper, any_bool(), room * sizeof *upper);
    status = xn_punycode_decode(octets, any_size(LEN_MAX), dst, room, &len);
    status = xn_punycode_decode_annotated(octets, any_size(LEN_MAX), dst, upper, room, &len);
    status =
        xn_punycode_decode_traced(octets, any_size(LEN_MAX), dst, room, &len, taken, &step_count);
    status = xn_punycode_decode(octets, UINT32_MAX, dst, room, &len);
    free(dst);
    free(upper);
    free(taken);
}

static void read_code_points(size_t length)
{
    uint32_t *src = EXACT(uint32_t, length);
    bool *upper = EXACT(bool, length);
    struct xn_punycode_step *taken = EXACT(struct xn_punycode_step, length);

    fill(src, length * sizeof *src);
    memset(upper, any_bool(), length * sizeof *upper);
    status = xn_punycode_encode(src, length, octets, LEN_MAX, &len);
    status = xn_punycode_encode_annotated(src, upper, length, octets, LEN_MAX, &len);
    status = xn_punycode_encode_traced(src, length, octets, LEN_MAX, &len, taken, &step_count);
    free(src);
    free(upper);
    free(taken);
}

static void write_octets(size_t room)
{
    uint8_t *dst = EXACT(uint8_t, room);

    status = xn_punycode_encode(cps, any_size(LEN_MAX), dst, room, &len);
    status = xn_punycode_encode_annotated(cps, uppers, any_size(LEN_MAX), dst, room, &len);
    status = xn_punycode_encode_traced(cps, any_size(LEN_MAX), dst, room, &len, steps, &step_count);
    status = xn_punycode_encode(cps, UINT32_MAX, dst, room, &len);
    free(dst);
}

int main(void)
{
    fill(octets, sizeof octets);
    fill(cps, sizeof cps);
    memset(uppers, any_bool(), sizeof uppers);
    /*@ loop unroll LAST + 1 - FIRST; */
    for (size_t length = FIRST; length <= LAST; length++) {
        read_octets(length);
        write_code_points(length);
        read_code_points(length);
        write_octets(length);
    }
    return 0;
}
