/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/display.h"

#include "core/utf8.h"

#include <string.h>

/* `\u{430}`: as many hexadecimal digits as the code point needs. */
static size_t write_escape(uint32_t cp, char *dst)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t out = 3;
    int shift = 20;

    memcpy(dst, "\\u{", out);
    while (shift > 0 && cp >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        dst[out++] = digits[cp >> shift & 0xF];
    dst[out++] = '}';
    return out;
}

/* xn_name_read took code points from the Punycode decoder, which lets no surrogate through: each
 * can be written. */
static size_t write_code_point(uint32_t cp, bool escaped, char *dst)
{
    return escaped ? write_escape(cp, dst) : xn_utf8_write(cp, (uint8_t *)dst);
}

static size_t write_ulabel(const uint32_t *cps, size_t len, bool restricted, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        bool escaped = cps[i] >= 0x80 && (restricted || xn_unicode_is_joiner(cps[i]));
        out += write_code_point(cps[i], escaped, dst + out);
    }
    return out;
}

static bool is_shown_decoded(const struct xn_label *label)
{
    return label->ace && xn_reasons_status(label->reasons) != XN_LABEL_INVALID;
}

size_t xn_display_label(const struct xn_name *name, const struct xn_label *label, int flags,
                        char *dst)
{
    if (!is_shown_decoded(label))
        return xn_wire_label_to_text(name->wire + label->at, label->len, dst);

    const uint32_t *cps = name->code_points + label->cps_at;
    bool restricted = label->reasons != 0;
    bool isolated =
        flags & XN_DISPLAY_ISOLATES && !restricted && xn_unicode_is_rtl(cps, label->cps_len);
    size_t out = 0;

    if (isolated)
        out += write_code_point(0x2068, false, dst);
    out += write_ulabel(cps, label->cps_len, restricted, dst + out);
    if (isolated)
        out += write_code_point(0x2069, false, dst + out);
    return out;
}

size_t xn_display_name(const struct xn_name *name, int flags, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < name->label_count; i++) {
        if (i > 0)
            dst[out++] = '.';
        out += xn_display_label(name, &name->labels[i], flags, dst + out);
    }
    if (out == 0)
        dst[out++] = '.';
    return out;
}

bool xn_display_differs(const struct xn_name *name)
{
    for (size_t i = 0; i < name->label_count; i++)
        if (is_shown_decoded(&name->labels[i]))
            return true;
    return false;
}
