/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/display.h"

#include "core/utf8.h"

#include <endian.h>
#include <string.h>

/* The eight hexadecimal digits of a number: an octet for each half octet, and seven more between
 * '9' and 'A'. */
static void write_digits(uint64_t number, char *dst)
{
    static const uint64_t ones = 0x0101010101010101;

    number = (number | number << 16) & 0x0000FFFF0000FFFF;
    number = (number | number << 8) & 0x00FF00FF00FF00FF;
    number = (number | number << 4) & 0x0F0F0F0F0F0F0F0F;
    uint64_t letters = (number + ones * 6) >> 4 & ones;
    number = htobe64(number + ones * '0' + letters * 7);
    memcpy(dst, &number, sizeof number);
}

/* `\u{430}`: as many hexadecimal digits as the code point, which is not 0, needs. Eleven octets are
 * written to, one more than a code point takes: XN_DISPLAY_LABEL_MAX and XN_DISPLAY_NAME_MAX have
 * room for it behind the last one. */
static size_t write_escape(uint32_t cp, char *dst)
{
    unsigned digits = (35 - (unsigned)__builtin_clz(cp)) / 4;

    memcpy(dst, "\\u{", 3);
    write_digits((uint64_t)cp << 4 * (8 - digits), dst + 3);
    dst[3 + digits] = '}';
    return 3 + digits + 1;
}

static size_t write_escaped(const uint32_t *cps, size_t len, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        if (cps[i] >= 0x80)
            out += write_escape(cps[i], dst + out);
        else
            dst[out++] = (char)cps[i];
    }
    return out;
}

/* xn_name_read took code points from the Punycode decoder, which lets no surrogate through: each
 * can be written. */
static size_t write_shown(const uint32_t *cps, size_t len, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++) {
        if (xn_unicode_is_joiner(cps[i]))
            out += write_escape(cps[i], dst + out);
        else
            out += xn_utf8_put(cps[i], (uint8_t *)dst + out);
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
    size_t out = 0;

    if (label->reasons != 0)
        return write_escaped(cps, label->cps_len, dst);
    if (!(flags & XN_DISPLAY_ISOLATES) || !xn_unicode_is_rtl(cps, label->cps_len))
        return write_shown(cps, label->cps_len, dst);
    out += xn_utf8_put(0x2068, (uint8_t *)dst);
    out += write_shown(cps, label->cps_len, dst + out);
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
        if (is_shown_decoded(&name->labels[i]))
            return true;
    return false;
}
