/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/label.h"

#include "core/idna/alabel.h"
#include "core/idna/ulabel.h"
#include "core/wire/walk.h"

_Static_assert((int)XN_ULABEL_TEXT >= (int)XN_PUNYLABEL_TEXT, "all that is written fits");

/* Returns whether no A-label has this length. */
static inline bool has_odd_length(size_t len)
{
    return len - XN_WIRE_ACE_PREFIX_LEN > XN_PUNYLABEL_MAX;
}

static xn_reasons refuse(size_t len, size_t *dst_len)
{
    *dst_len = 0;
    return xn_reason_bit(len > XN_WIRE_ACE_PREFIX_LEN ? XN_TOO_LONG : XN_PUNYCODE);
}

/* We need not encode the U-label again to see whether that gives the same A-label. The decoder
 * rejects all Punycode that the encoder would not write (RFC 3492, section 6.2, last paragraph),
 * and xn_ulabel_check rejects every label that UTS 46 would map before encoding. */
xn_reasons xn_label_decode(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                           uint32_t *dst, size_t *dst_len)
{
    (void)unicode;
    if (has_odd_length(len))
        return refuse(len, dst_len);
    xn_reasons reasons = xn_alabel_decode(label, len, dst, dst_len);
    if (reasons != 0)
        return reasons;
    return xn_ulabel_check(dst, *dst_len);
}

xn_reasons xn_label_decode_text(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint32_t *dst, size_t *dst_len, uint8_t *text, size_t *text_len)
{
    (void)unicode;
    *text_len = 0;
    if (has_odd_length(len))
        return refuse(len, dst_len);
    xn_reasons reasons = xn_alabel_decode_text(label, len, dst, dst_len, text, text_len);
    if (reasons != 0)
        return reasons;
    return xn_ulabel_check(dst, *dst_len);
}
