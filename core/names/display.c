/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names/display.h"

#include "core/idna/property.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf8char.h"

#include <string.h>

/* xn_utf8_put always succeeds here: the Punycode decoder accepts scalar values only. */
static char *put_plain(const struct xn_label *label, const uint32_t *cps, char *dst)
{
    for (const uint32_t *end = cps + label->cps_len; cps < end;) {
        uint32_t cp = *cps++;
        if (xn_unicode_is_joiner(cp))
            dst += xn_hexadecimal_escape(cp, dst);
        else
            dst += xn_utf8_put(cp, (uint8_t *)dst);
    }
    return dst;
}

/* The ASCII of raw UTF-8 may be any; that of an A-label is letters, digits and hyphens. */
static char *put_escaped(const struct xn_label *label, const uint32_t *cps, char *dst)
{
    for (const uint32_t *end = cps + label->cps_len; cps < end;) {
        uint32_t cp = *cps++;
        uint8_t octet = (uint8_t)cp;
        if (cp >= 0x80)
            dst += xn_hexadecimal_escape(cp, dst);
        else if (label->raw)
            dst += xn_wire_label_to_text(&octet, 1, dst);
        else
            *dst++ = (char)cp;
    }
    return dst;
}

/* Writes the code points of a label, and escapes those that xn_display_escapes names. */
static char *put_decoded(const struct xn_name *name, const struct xn_label *label, char *dst)
{
    const uint32_t *cps = name->code_points + label->cps_at;

    return xn_display_is_plain(label->reasons) ? put_plain(label, cps, dst)
                                               : put_escaped(label, cps, dst);
}

size_t xn_display_label(const struct xn_name *name, const struct xn_label *label, char *dst)
{
    if (!xn_display_is_decoded(label))
        return xn_wire_label_to_text(name->wire + label->at, label->len, dst);
    return (size_t)(put_decoded(name, label, dst) - dst);
}

size_t xn_display_name_by_text(const struct xn_name *name, const char *text, char *dst)
{
    const struct xn_label *label = name->labels, *end = label + name->label_count;
    const char *from = text;
    char *out = dst;

    if (label == end)
        return xn_display_name(name, dst);
    for (; label < end; label++) {
        if (!xn_display_is_decoded(label))
            continue;
        const char *at = text + label->at - 1;
        memcpy(out, from, (size_t)(at - from));
        out = put_decoded(name, label, out + (at - from));
        from = at + label->len;
    }
    size_t rest = (size_t)(text + xn_display_text_len(name) - 1 - from);
    memcpy(out, from, rest);
    return (size_t)(out + rest - dst);
}

size_t xn_display_name(const struct xn_name *name, char *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < name->label_count; i++) {
        if (i > 0)
            dst[out++] = '.';
        out += xn_display_label(name, &name->labels[i], dst + out);
    }
    if (out == 0)
        dst[out++] = '.';
    return out;
}

bool xn_display_differs(const struct xn_name *name)
{
    if (name->ace_count == 0 && !(name->reasons & xn_reason_bit(XN_RAW_UTF8)))
        return false;
    for (size_t i = 0; i < name->label_count; i++)
        if (xn_display_is_decoded(&name->labels[i]))
            return true;
    return false;
}
