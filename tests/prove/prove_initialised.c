/* SPDX-License-Identifier: BSD-3-Clause */
/* The decoder reads of its output only what it has written there, and has written all that it says:
 * every Punycode of up to LEN_MAX octets, with room for LAST elements, to which nothing was written
 * before. What Eva has to look at one by one, prove.py writes into a copy of
 * core/punycode/punycode.c. */
#include "core/punycode/punycode.c"
#include "tests/prove/any.h"

enum { LEN_MAX = 63 };

bool xn_punylabel_decode(const uint8_t *src, size_t src_len, uint32_t *dst, size_t *dst_len)
{
    (void)src, (void)src_len, (void)dst, (void)dst_len;
    return false;
}

bool xn_punylabel_encode(const uint32_t *src, size_t src_len, uint8_t *dst, size_t dst_cap,
                         size_t *dst_len)
{
    (void)src, (void)src_len, (void)dst, (void)dst_cap, (void)dst_len;
    return false;
}

static uint8_t octets[LEN_MAX];

int main(void)
{
    uint32_t dst[LAST], last_read;
    size_t len = 0;
    xn_status status;

    fill(octets, sizeof octets);
    /*@ dynamic_split len; */
    status = xn_punycode_decode(octets, any_size(LEN_MAX), dst, LAST, &len);
    if (status == XN_OK && len > 0)
        last_read = dst[any_size(len - 1)];
    return 0;
}
