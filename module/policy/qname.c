/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/qname.h"
#include "core/idna/ulabel.h"

#include <string.h>

enum validity { NOT_ASKED, VALID, INVALID };

void xnm_qlabels_open(struct xnm_qlabels *labels, const struct xnm_qname *name)
{
    labels->name = name;
    labels->count = 0;
    memset(labels->of_label, 0, name->labels);
}

const struct xn_shape *xnm_qlabels_at(struct xnm_qlabels *labels, unsigned label)
{
    const uint8_t *octets = labels->name->octets + labels->name->label_at[label];
    struct xn_shape *shape = &labels->other;

    if (labels->of_label[label] != 0)
        return &labels->shapes[labels->of_label[label] - 1];
    if (xnm_qname_is_ace(labels->name, label)) {
        labels->validity[labels->count] = NOT_ASKED;
        shape = &labels->shapes[labels->count++];
        labels->of_label[label] = (uint8_t)labels->count;
    }
    xn_shape_read(octets + 1, octets[0], shape);
    return shape;
}

bool xnm_qlabels_shape_is_valid(const struct xn_shape *shape)
{
    return shape->ace &&
           !(xn_ulabel_check_valid(shape->code_points, shape->len) & XN_INVALID_REASONS);
}

bool xnm_qlabels_is_valid(struct xnm_qlabels *labels, unsigned label)
{
    const struct xn_shape *shape = xnm_qlabels_at(labels, label);
    uint8_t *validity;

    if (shape == &labels->other) /* its result is not cached in `validity` */
        return false;
    validity = &labels->validity[shape - labels->shapes];
    if (*validity == NOT_ASKED)
        *validity = xnm_qlabels_shape_is_valid(shape) ? VALID : INVALID;
    return *validity == VALID;
}
