/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/display.h"

#include "core/hexadecimal.h"
#include "core/utf8.h"

#include <string.h>

size_t xn_display_escape(uint32_t cp, char *dst)
{
    unsigned digits = (35 - (unsigned)__builtin_clz(cp)) / 4;

    memcpy(dst, "\\u{", 3);
    xn_hexadecimal_write(cp << 4 * (XN_HEXADECIMAL_LEN - digits), dst + 3);
    dst[3 + digits] = '}';
    return 3 + digits + 1;
}

/* xn_name_read took code points from the Punycode decoder, which lets no surrogate through: each
 * can be written. */
static size_t write_decoded(const struct xn_label *label, const uint32_t *cps, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < label->cps_len; i++) {
        if (xn_display_escapes(label, cps[i]))
            out += xn_display_escape(cps[i], dst + out);
        else
            out += xn_utf8_put(cps[i], (uint8_t *)dst + out);
    }
    return out;
}

size_t xn_display_label(const struct xn_name *name, const struct xn_label *label, int flags,
                        char *dst)
{
    if (!xn_display_is_decoded(label))
        return xn_wire_label_to_text(name->wire + label->at, label->len, dst);

    const uint32_t *cps = name->code_points + label->cps_at;
    size_t out = 0;

    if (!(flags & XN_DISPLAY_ISOLATES) || label->reasons != 0 ||
        !xn_unicode_is_rtl(cps, label->cps_len))
        return write_decoded(label, cps, dst);
    out += xn_utf8_put(0x2068, (uint8_t *)dst);
    out += write_decoded(label, cps, dst + out);
    return out + xn_utf8_put(0x2069, (uint8_t *)dst + out);
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
    if (name->ace_count == 0)
        return false;
    for (size_t i = 0; i < name->label_count; i++)
        if (xn_display_is_decoded(&name->labels[i]))
            return true;
    return false;
}
