/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/alabel.h"

#include "core/punycode.h"
#include "core/unicode.h"
#include "core/wire.h"

enum { ACE_PREFIX_LEN = 4 };

/* RFC 4343: DNS compares ASCII letters without their case, and so do A-labels. Upper-case digits
 * have been understood by the Punycode decoder; what is left are literals. */
static void fold_ascii(uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        label[i] += label[i] - 'A' < 26 ? 'a' - 'A' : 0;
}

xn_reasons xn_alabel_decode(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len)
{
    if (xn_punycode_decode(label + ACE_PREFIX_LEN, len - ACE_PREFIX_LEN, dst, XN_ULABEL_MAX,
                           dst_len) != XN_OK)
        return xn_reason_bit(XN_PUNYCODE);
    /* Nothing behind the delimiter: nothing was inserted, and literals are ASCII. */
    if (label[len - 1] == '-') {
        *dst_len = 0;
        return xn_reason_bit(XN_ASCII_ONLY);
    }
    if (xn_wire_has_capitals(label + ACE_PREFIX_LEN, len - ACE_PREFIX_LEN))
        fold_ascii(dst, *dst_len);
    return 0;
}
