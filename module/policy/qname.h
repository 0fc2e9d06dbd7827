/* SPDX-License-Identifier: BSD-3-Clause */
/* The current name of a decision, and its labels, each decoded once. */
#ifndef XNM_MODULE_POLICY_QNAME_H
#define XNM_MODULE_POLICY_QNAME_H

#include "core/lookalike/lookalike.h"
#include "core/wire/size.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct xnm_qname {
    unsigned labels;
    size_t len;
    uint8_t
        label_at[XN_WIRE_NAME_MAX / 2 + 1]; /* from the left; a label takes at least two octets */
    uint8_t octets[XN_WIRE_NAME_MAX];       /* in lower case */
};

static inline bool xnm_qname_is_ace(const struct xnm_qname *name, unsigned label)
{
    const uint8_t *octets = name->octets + name->label_at[label];

    return octets[0] >= 4 && memcmp(octets + 1, "xn--", 4) == 0;
}

/* The most labels of one name that can begin with "xn--". */
enum { XNM_QLABELS_MAX = (XN_WIRE_NAME_MAX - 1) / (1 + 4) };

/* The decoded labels of a name: each as the shape with which libxn compares it. The struct has
 * 13 kB, of which almost nothing is touched. */
struct xnm_qlabels {
    const struct xnm_qname *name; /* must outlive the struct */
    /* Private: */
    unsigned count;
    uint8_t of_label[XN_WIRE_LABELS_MAX]; /* for each label, the number of its shape, from 1; 0: not
                                             read yet */
    uint8_t validity[XNM_QLABELS_MAX];    /* of each shape: enum validity of qname.c */
    struct xn_shape shapes[XNM_QLABELS_MAX];
    struct xn_shape other; /* shape of the last requested label that does not begin with "xn--" */
};

void xnm_qlabels_open(struct xnm_qlabels *labels, const struct xnm_qname *name);

/* Returns the shape of a label, where 0 is the leftmost. It is valid until the shape of a label
 * that does not begin with "xn--" is requested. */
const struct xn_shape *xnm_qlabels_at(struct xnm_qlabels *labels, unsigned label);

/* Returns whether a label that begins with "xn--" decodes to a valid U-label. The result is cached.
 * False for other labels. */
bool xnm_qlabels_is_valid(struct xnm_qlabels *labels, unsigned label);

bool xnm_qlabels_shape_is_valid(const struct xn_shape *shape);

#endif
