/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/name.h"

#include "core/label.h"

static void read_alabel(const struct xn_unicode *unicode, xn_reasons ignored,
                        struct xn_label *label, struct xn_name *name)
{
    size_t len = 0;

    label->ace = true;
    label->reasons = xn_label_decode(unicode, name->wire + label->at, label->len,
                                     name->code_points + label->cps_at, &len) &
                     (xn_reasons)~ignored;
    label->cps_len = (uint8_t)len;
    name->ace_count++;
    name->reasons |= label->reasons;
}

xn_status xn_name_read(const struct xn_unicode *unicode, const uint8_t *wire, size_t wire_len,
                       xn_reasons ignored, struct xn_name *name)
{
    struct xn_wire_cursor cursor;
    const uint8_t *octets;
    size_t len;
    uint8_t cps_at = 0;

    xn_status status = xn_wire_open(&cursor, wire, wire_len);
    if (status != XN_OK)
        return status;
    name->wire = wire;
    name->label_count = name->ace_count = 0;
    name->reasons = 0;
    while (xn_wire_next(&cursor, &octets, &len)) {
        struct xn_label *label = &name->labels[name->label_count++];

        *label = (struct xn_label){
            .at = (uint8_t)(octets - wire), .len = (uint8_t)len, .cps_at = cps_at};
        if (!xn_wire_has_ace_prefix(octets, len))
            continue;
        read_alabel(unicode, ignored, label, name);
        cps_at = (uint8_t)(cps_at + label->cps_len);
    }
    return XN_OK;
}
