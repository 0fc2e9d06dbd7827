/* SPDX-License-Identifier: BSD-3-Clause */
/* A name that is asked about, as the policy reads it: for policy*.c, lookalikes*.c and condition.c.
 */
#ifndef XNM_MODULE_POLICY_QNAME_H
#define XNM_MODULE_POLICY_QNAME_H

#include "core/idna/unicode.h"
#include "core/lookalike/lookalike.h"
#include "core/wire/wire.h"

#include <string.h>

struct xnm_qname {
    unsigned labels;
    size_t len;
    uint8_t label_at[XN_WIRE_NAME_MAX / 2 + 1]; /* from the left; a label has two octets */
    uint8_t octets[XN_WIRE_NAME_MAX];           /* in lower case */
};

/* Reads a name in wire format, in any case. False: it is none. */
static inline bool xnm_qname_read(const uint8_t *wire, size_t len, struct xnm_qname *name)
{
    size_t at = 0;

    if (len == 0 || len > XN_WIRE_NAME_MAX)
        return false;
    xn_wire_lower(name->octets, wire, len);
    for (name->labels = 0; name->octets[at] != 0; name->labels++) {
        if (name->octets[at] > XN_WIRE_LABEL_MAX)
            return false;
        name->label_at[name->labels] = (uint8_t)at;
        at += (size_t)name->octets[at] + 1;
        if (at >= len)
            return false;
    }
    name->len = len;
    return at + 1 == len;
}

static inline bool xnm_qname_is_ace(const struct xnm_qname *name, unsigned label)
{
    const uint8_t *octets = name->octets + name->label_at[label];

    return octets[0] >= 4 && memcmp(octets + 1, "xn--", 4) == 0;
}

/* As many as can begin with "xn--". */
enum { XNM_SHAPES_MAX = (XN_WIRE_NAME_MAX - 1) / (1 + 4) };

/* What its labels look like: A-labels are decoded once. 13 kB, of which next to nothing is touched.
 */
struct xnm_shapes {
    const struct xnm_qname *name; /* must outlive it */
    /* Private: */
    unsigned count;
    uint8_t of_label[XN_WIRE_LABELS_MAX]; /* its shape's number, from 1; 0: not read yet */
    uint8_t validity[XNM_SHAPES_MAX];     /* of the shapes: enum validity of qname.c */
    struct xn_shape shapes[XNM_SHAPES_MAX];
    struct xn_shape other; /* of a label that is no A-label: the last one asked for */
};

void xnm_shapes_open(struct xnm_shapes *shapes, const struct xnm_qname *name);

/* The shape of a label, the leftmost is 0: valid until that of a label which does not begin with
 * "xn--" is asked for. */
const struct xn_shape *xnm_shapes_label(struct xnm_shapes *shapes, unsigned label);

/* Is what a label that begins with "xn--" decodes to a U-label? Found out once. False for a label
 * that does not begin so. */
bool xnm_shapes_is_valid(struct xnm_shapes *shapes, const struct xn_unicode *unicode,
                         unsigned label);

bool xnm_shape_is_valid(const struct xn_unicode *unicode, const struct xn_shape *shape);

#endif
