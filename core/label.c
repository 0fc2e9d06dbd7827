/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/label.h"

#include "core/punycode.h"

enum { ACE_PREFIX_LEN = 4 };

/* RFC 4343: DNS compares ASCII letters without their case, and so do A-labels. Upper-case digits
 * have been understood by the Punycode decoder; what is left are literals. Returns whether a code
 * point is not ASCII. */
static bool fold_ascii(uint32_t *label, size_t len)
{
    bool beyond_ascii = false;

    for (size_t i = 0; i < len; i++) {
        if (label[i] - 'A' < 26)
            label[i] |= 0x20;
        beyond_ascii |= label[i] >= 0x80;
    }
    return beyond_ascii;
}

/* That the U-label's own A-label is this one need not be tested by encoding it again: the decoder
 * refuses whatever the encoder would not write (RFC 3492, section 6.2, last paragraph), and
 * xn_unicode_check_ulabel refuses what would be mapped before. */
xn_reasons xn_label_decode(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                           uint32_t *dst, size_t *dst_len)
{
    if (xn_punycode_decode(label + ACE_PREFIX_LEN, len - ACE_PREFIX_LEN, dst, XN_ULABEL_MAX,
                           dst_len) != XN_OK)
        return xn_reason_bit(XN_PUNYCODE);
    if (!fold_ascii(dst, *dst_len)) {
        *dst_len = 0;
        return xn_reason_bit(XN_ASCII_ONLY);
    }
    xn_reasons reasons = xn_unicode_check_ulabel(unicode, dst, *dst_len);
    if (reasons & XN_INVALID_REASONS)
        return reasons & XN_INVALID_REASONS;
    return reasons | xn_unicode_check_display(unicode, dst, *dst_len);
}
