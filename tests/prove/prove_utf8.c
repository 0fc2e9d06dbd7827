/* SPDX-License-Identifier: BSD-3-Clause */
/* Every call of core/text/utf8.c with FIRST to LAST octets, code points or octets of room. */
#include "core/text/utf8.c"
#include "core/text/utf8run.h"
#include "tests/prove/any.h"

enum { CPS_MAX = 63, OCTETS_MAX = XN_UTF8_MAX * CPS_MAX };

static uint8_t octets[OCTETS_MAX], few[XN_UTF8_MAX];
static uint32_t cps[OCTETS_MAX];

static xn_status status;
static size_t len, bad_at;
static bool valid;

/* The result of a variant for one processor, which may stop anywhere. */
static struct xn_utf8run stop;

struct xn_utf8run xn_utf8run_write(const uint32_t *src, size_t src_len, uint8_t *dst,
                                   size_t dst_cap)
{
    (void)src, (void)src_len;
    fill(dst, dst_cap);
    return stop;
}

static void read_octets(size_t length)
{
    uint8_t *src = EXACT(uint8_t, length);
    uint32_t cp;

    fill(src, length);
    len = xn_utf8_read(src, any_bool() ? length : 0, &cp);
    valid = xn_utf8_is_valid(src, length);
    status = xn_utf8_decode(src, length, cps, OCTETS_MAX, &len, any_bool() ? &bad_at : NULL);
    free(src);
}

static void write_code_points(size_t room)
{
    uint32_t *dst = EXACT(uint32_t, room);

    status = xn_utf8_decode(octets, OCTETS_MAX, dst, room, &len, &bad_at);
    free(dst);
}

static void read_code_points(size_t length)
{
    uint32_t *src = EXACT(uint32_t, length);

    fill(src, length * sizeof *src);
    stop = (struct xn_utf8run){0, 0};
    status = xn_utf8_encode(src, length, octets, OCTETS_MAX, &len);
    free(src);
}

static void write_octets(size_t room)
{
    uint8_t *dst = EXACT(uint8_t, room), *behind_run = EXACT(uint8_t, OCTETS_MAX);

    stop = (struct xn_utf8run){0, 0};
    status = xn_utf8_encode(cps, any_size(CPS_MAX), dst, room, &len);
    stop = (struct xn_utf8run){room % XN_UTF8RUN_MIN, OCTETS_MAX - room};
    status = xn_utf8_encode(cps, XN_UTF8RUN_MIN + any_size(CPS_MAX - XN_UTF8RUN_MIN), behind_run,
                            OCTETS_MAX, &len);
    free(dst);
    free(behind_run);
}

int main(void)
{
    fill(octets, sizeof octets);
    fill(cps, sizeof cps);
    len = xn_utf8_write(Frama_C_unsigned_int_interval(0, UINT32_MAX), few);
    /*@ loop unroll LAST + 1 - FIRST; */
    for (size_t length = FIRST; length <= LAST; length++) {
        read_octets(length);
        write_code_points(length);
        if (length <= CPS_MAX)
            read_code_points(length);
        write_octets(length);
    }
    return 0;
}
