/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/names/toplevel.h"

#include "core/idna/name.h"
#include "core/names/presentation.h"
#include "core/names/written.h"

#include <string.h>

void xn_toplevel_find(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                      struct xn_toplevel *tld)
{
    struct xn_presentation_cursor cursor;
    uint8_t alabel[XN_WRITTEN_ALABEL_MAX];
    const uint8_t *label;
    size_t label_len, alabel_len = 0;
    xn_reasons reasons;
    bool found = false;

    tld->len = 0;
    xn_presentation_open(&cursor, text, len);
    while (xn_presentation_next(&cursor, &label, &label_len))
        found = true;
    if (!found)
        return;
    if (xn_written_to_alabel(unicode, label, label_len, alabel, &alabel_len, &reasons) == XN_OK)
        tld->len = (uint8_t)xn_presentation_to_octets(alabel, alabel_len, tld->octets);
    if (tld->len == 0)
        tld->octets[tld->len++] = '-';
}

size_t xn_toplevel_append(const struct xn_toplevel *tld, uint8_t *wire)
{
    size_t at = 1U + wire[0];

    if (tld->len > 0) {
        wire[at++] = tld->len;
        memcpy(wire + at, tld->octets, tld->len);
        at += tld->len;
    }
    wire[at] = 0;
    return at + 1;
}

static xn_status read_under(const struct xn_unicode *unicode, const struct xn_toplevel *tld,
                            uint8_t *wire, struct xn_name *name)
{
    return xn_name_read(unicode, wire, xn_toplevel_append(tld, wire), 0, name);
}

xn_status xn_toplevel_read(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                           struct xn_toplevel *tld, uint8_t *wire, struct xn_name *name)
{
    static const struct xn_toplevel of_no_script = {1, "-"};
    xn_status status = read_under(unicode, &of_no_script, wire, name);

    if (status != XN_OK || !(name->labels[0].reasons & xn_reason_bit(XN_WHOLESCRIPT)))
        return status;
    if (tld->len == 0)
        xn_toplevel_find(unicode, text, len, tld);
    return read_under(unicode, tld, wire, name);
}
