/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/name.h"

#include "core/idna/label.h"
#include "core/idna/labelcache.h"
#include "core/idna/misread.h"

/* The parameters for reading A-labels. */
struct reader {
    const struct xn_unicode *unicode;
    xn_label_cache_source *source;
    xn_reasons ignored;
};

static xn_reasons decode(const struct reader *reader, const uint8_t *label, size_t len,
                         uint32_t *dst, size_t *dst_len)
{
    struct xn_label_cache *labels = reader->source ? reader->source() : NULL;

    return labels ? xn_label_cache_decode(labels, reader->unicode, label, len, dst, dst_len)
                  : xn_label_decode(reader->unicode, label, len, dst, dst_len);
}

/* Returns the offset after the label's code points. Not inlined, since most names have no A-label.
 */
__attribute__((noinline)) static uint8_t read_alabel(const struct reader *reader,
                                                     struct xn_label *label, struct xn_name *name)
{
    size_t len = 0;

    label->ace = true;
    label->reasons = decode(reader, name->wire + label->at, label->len,
                            name->code_points + label->cps_at, &len) &
                     (xn_reasons)~reader->ignored;
    label->cps_len = (uint8_t)len;
    name->ace_count++;
    name->reasons |= label->reasons;
    return (uint8_t)(label->cps_at + len);
}

/* Clears XN_WHOLESCRIPT where the label's script is at home under the TLD. */
__attribute__((noinline)) static void judge_by_tld(struct xn_name *name)
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

xn_status xn_name_read_cached(const struct xn_unicode *unicode, xn_label_cache_source *source,
                              const uint8_t *wire, size_t wire_len, xn_reasons ignored,
                              struct xn_name *name)
{
    const struct reader reader = {unicode, source, ignored};
    struct xn_label *label = &name->labels[0];
    size_t at = 0, len;
    uint8_t cps_at = 0;

    if (wire_len == 0 || wire_len > XN_WIRE_NAME_MAX)
        return XN_BAD_WIRE;
    name->wire = wire;
    name->ace_count = 0;
    name->reasons = 0;
    for (; (len = wire[at]) != 0; label++) {
        if (!xn_wire_fits(len, at, wire_len))
            return XN_BAD_WIRE;
        *label = (struct xn_label){.at = (uint8_t)(at + 1), .len = (uint8_t)len, .cps_at = cps_at};
        if (xn_wire_has_ace_prefix(wire + at + 1, len))
            cps_at = read_alabel(&reader, label, name);
        at += len + 1;
    }
    name->label_count = (uint8_t)(label - name->labels);
    if (name->reasons & xn_reason_bit(XN_WHOLESCRIPT))
        judge_by_tld(name);
    return at + 1 == wire_len ? XN_OK : XN_BAD_WIRE;
}

xn_status xn_name_read(const struct xn_unicode *unicode, const uint8_t *wire, size_t wire_len,
                       xn_reasons ignored, struct xn_name *name)
{
    return xn_name_read_cached(unicode, NULL, wire, wire_len, ignored, name);
}
