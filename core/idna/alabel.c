/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/alabel.h"

#include "core/punycode/punycode.h"
#include "core/punycode/punylabel.h"
#include "core/text/utf8.h"
#include "core/wire/walk.h"

#include <string.h>

/* DNS ignores the case of ASCII letters (RFC 4343), and so A-labels do. The Punycode decoder has
 * accepted upper-case digits; what is left to fold are the literals. */
static void fold_ascii(uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        label[i] += label[i] - 'A' < 26 ? 'a' - 'A' : 0;
}

xn_reasons xn_alabel_decode(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len)
{
    if (xn_punycode_decode(label + XN_WIRE_ACE_PREFIX_LEN, len - XN_WIRE_ACE_PREFIX_LEN, dst,
                           XN_ULABEL_MAX, dst_len) != XN_OK)
        return xn_reason_bit(XN_PUNYCODE);
    /* Nothing follows the delimiter: nothing was inserted, and literals are ASCII. */
    if (label[len - 1] == '-') {
        *dst_len = 0;
        return xn_reason_bit(XN_ASCII_ONLY);
    }
    if (xn_wire_has_capitals(label + XN_WIRE_ACE_PREFIX_LEN, len - XN_WIRE_ACE_PREFIX_LEN))
        fold_ascii(dst, *dst_len);
    return 0;
}

xn_reasons xn_alabel_decode_text(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len,
                                 uint8_t *text, size_t *text_len)
{
    const uint8_t *punycode = label + XN_WIRE_ACE_PREFIX_LEN;
    size_t punycode_len = len - XN_WIRE_ACE_PREFIX_LEN;

    /* In this order, the processor looks for capitals while the decoder waits for memory. */
    if (xn_punylabel_decode_text(punycode, punycode_len, dst, dst_len, text, text_len) &&
        !xn_wire_has_capitals(punycode, punycode_len))
        return 0;
    xn_reasons reasons = xn_alabel_decode(label, len, dst, dst_len);
    /* The decoder accepts scalar values only, and these can be encoded. */
    return xn_utf8_encode(dst, *dst_len, text, XN_PUNYLABEL_TEXT, text_len) == XN_OK
               ? reasons
               : xn_reason_bit(XN_PUNYCODE);
}

/* U+FFFD, which ICU appends to a label, or writes in place of a disallowed character. */
static const uint8_t mark[] = {0xEF, 0xBF, 0xBD};

static xn_reasons check_marked(const uint8_t *label, size_t len)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len;

    if (memcmp(label + len - sizeof mark, mark, sizeof mark) == 0)
        len -= sizeof mark;
    if (len == XN_WIRE_ACE_PREFIX_LEN || label[len - 1] == '-')
        return xn_reason_bit(XN_ASCII_ONLY);
    xn_status status = xn_punycode_decode(
        label + XN_WIRE_ACE_PREFIX_LEN, len - XN_WIRE_ACE_PREFIX_LEN, cps, XN_ULABEL_MAX, &cps_len);
    return status == XN_OK || status == XN_NO_SPACE ? xn_reason_bit(XN_NOT_CANONICAL) : 0;
}

xn_reasons xn_alabel_marked(const uint8_t *name, size_t len)
{
    xn_reasons reasons = 0;

    for (size_t at = 0, end; at < len; at = end + 1) {
        const uint8_t *dot = memchr(name + at, '.', len - at);
        end = dot ? (size_t)(dot - name) : len;
        if (xn_wire_has_ace_prefix(name + at, end - at) &&
            memmem(name + at, end - at, mark, sizeof mark))
            reasons |= check_marked(name + at, end - at);
    }
    return reasons != 0 ? reasons : xn_reason_bit(XN_NOT_CANONICAL);
}
