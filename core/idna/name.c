/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/name.h"

#include "core/idna/label.h"
#include "core/idna/misread.h"
#include "core/idna/ulabel.h"
#include "core/text/utf8char.h"

/* Clears XN_WHOLESCRIPT of the TLD, and of labels whose script fits the TLD. */
__attribute__((noinline)) static void clear_wholescript(struct xn_name *name)
{
    const struct xn_label *tld = &name->labels[name->label_count - 1];

    name->reasons = 0;
    for (struct xn_label *label = name->labels; label <= tld; label++) {
        if (label->reasons & xn_reason_bit(XN_WHOLESCRIPT) &&
            (label == tld ||
             xn_misread_fits_tld(name->wire + tld->at, tld->len, name->code_points + label->cps_at,
                                 label->cps_len)))
            label->reasons &= ~xn_reason_bit(XN_WHOLESCRIPT);
        name->reasons |= label->reasons;
    }
}

xn_status xn_name_split(const uint8_t *wire, size_t wire_len, struct xn_name *name)
{
    struct xn_label *label = &name->labels[0];
    size_t at = 0, len;

    if (wire_len == 0 || wire_len > XN_WIRE_NAME_MAX)
        return XN_BAD_WIRE;
    name->wire = wire;
    name->ace_count = 0;
    name->reasons = 0;
    for (; (len = wire[at]) != 0; label++) {
        if (!xn_wire_fits(len, at, wire_len))
            return XN_BAD_WIRE;
        *label = (struct xn_label){.at = (uint8_t)(at + 1), .len = (uint8_t)len};
        if (xn_wire_has_ace_prefix(wire + at + 1, len)) {
            label->ace = true;
            name->ace_count++;
        }
        at += len + 1;
    }
    name->label_count = (uint8_t)(label - name->labels);
    return at + 1 == wire_len ? XN_OK : XN_BAD_WIRE;
}

void xn_name_decode(const struct xn_unicode *unicode, xn_reasons ignored, struct xn_name *name)
{
    size_t cps_at = 0;

    for (size_t i = 0; i < name->label_count; i++) {
        struct xn_label *label = &name->labels[i];
        size_t len = 0;

        label->cps_at = (uint8_t)cps_at;
        if (!label->ace)
            continue;
        label->reasons = xn_label_decode(unicode, name->wire + label->at, label->len,
                                         name->code_points + cps_at, &len) &
                         (xn_reasons)~ignored;
        label->cps_len = (uint8_t)len;
        cps_at += len;
        name->reasons |= label->reasons;
    }
    if (name->reasons & xn_reason_bit(XN_WHOLESCRIPT))
        clear_wholescript(name);
}

xn_status xn_name_read(const struct xn_unicode *unicode, const uint8_t *wire, size_t wire_len,
                       xn_reasons ignored, struct xn_name *name)
{
    xn_status status = xn_name_split(wire, wire_len, name);

    if (status == XN_OK && name->ace_count > 0)
        xn_name_decode(unicode, ignored, name);
    return status;
}

/* --- raw UTF-8 --- */

_Static_assert((int)XN_WIRE_NAME_MAX <= (int)XN_NAME_CODE_POINTS_MAX + (int)XN_ULABEL_MAX,
               "a code point for each octet of a name fits, whichever labels are decoded");

static bool has_octets(const uint8_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (label[i] >= 0x80)
            return true;
    return false;
}

/* Returns whether the label is UTF-8 and not ASCII alone. dst has room for len code points. */
static bool decode_utf8(const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len)
{
    *dst_len = 0;
    if (!has_octets(label, len))
        return false;
    for (size_t at = 0; at < len;) {
        uint32_t cp;
        size_t octets = xn_utf8_read(label + at, len - at, &cp);
        if (octets == 0)
            return false;
        dst[(*dst_len)++] = cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp;
        at += octets;
    }
    return true;
}

bool xn_name_decode_raw(xn_reasons ignored, struct xn_name *name)
{
    size_t cps_at = 0, len;

    for (size_t i = 0; i < name->label_count; i++)
        if (name->labels[i].cps_len > 0)
            cps_at = (size_t)name->labels[i].cps_at + name->labels[i].cps_len;
    for (size_t i = 0; i < name->label_count; i++) {
        struct xn_label *label = &name->labels[i];
        uint32_t *cps = name->code_points + cps_at;

        if (label->ace || !decode_utf8(name->wire + label->at, label->len, cps, &len))
            continue;
        label->raw = true;
        label->cps_at = (uint8_t)cps_at;
        label->cps_len = (uint8_t)len;
        label->reasons =
            xn_reason_bit(XN_RAW_UTF8) | (xn_ulabel_check(cps, len) & (xn_reasons)~ignored);
        name->reasons |= label->reasons;
        cps_at += len;
    }
    return name->reasons & xn_reason_bit(XN_RAW_UTF8);
}
