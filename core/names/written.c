/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names/written.h"

#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/names/presentation.h"
#include "core/text/utf8.h"
#include "core/wire/escape.h"
#include "core/wire/walk.h"

static bool has_control(const uint8_t *octets, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (xn_escape_is_control(octets[i]))
            return true;
    return false;
}

/* Returns whether no octet is a control character and every backslash begins an escape. */
static bool is_readable(const uint8_t *label, size_t len)
{
    size_t step;

    for (size_t at = 0; at < len; at += step) {
        step = label[at] == '\\' ? xn_presentation_escape(label + at, len - at) : 1;
        if (step == 0 || xn_escape_is_control(label[at]) ||
            xn_escape_is_shown(label + at, len - at))
            return false;
    }
    return true;
}

/* Copies an ASCII label in lower case. */
static xn_reasons copy_ascii(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                             uint8_t *dst, size_t *dst_len)
{
    uint8_t octets[XN_WIRE_LABEL_MAX];
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len;

    if (xn_presentation_octets(label, len) > XN_WIRE_LABEL_MAX)
        return xn_reason_bit(XN_TOO_LONG);
    if (!is_readable(label, len))
        return xn_reason_bit(XN_DISALLOWED);
    xn_wire_lower(dst, label, len);
    *dst_len = len;
    size_t octets_len = xn_presentation_to_octets(label, len, octets);
    if (!xn_wire_has_ace_prefix(octets, octets_len))
        return has_control(octets, octets_len) ? xn_reason_bit(XN_DISALLOWED) : 0;
    return xn_label_decode(unicode, octets, octets_len, cps, &cps_len) & XN_INVALID_REASONS;
}

xn_status xn_written_to_alabel(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                               uint8_t *dst, size_t *dst_len, xn_reasons *reasons)
{
    *dst_len = 0;
    *reasons = 0;
    if (len == 0)
        *reasons = xn_reason_bit(XN_EMPTY);
    else if (xn_presentation_is_ascii(label, len))
        *reasons = copy_ascii(unicode, label, len, dst, dst_len);
    else if (!xn_utf8_is_valid(label, len))
        return XN_BAD_UTF8;
    else
        *reasons = xn_unicode_map_label(unicode, label, len, dst, dst_len);
    return XN_OK;
}
