/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/qname.h"
#include "core/idna/unicode.h"

#include <string.h>

enum validity { NOT_ASKED, VALID, INVALID };

void xnm_shapes_open(struct xnm_shapes *shapes, const struct xnm_qname *name)
{
    shapes->name = name;
    shapes->count = 0;
    memset(shapes->of_label, 0, name->labels);
}

const struct xn_shape *xnm_shapes_label(struct xnm_shapes *shapes, unsigned label)
{
    const uint8_t *octets = shapes->name->octets + shapes->name->label_at[label];
    struct xn_shape *shape = &shapes->other;

    if (shapes->of_label[label] != 0)
        return &shapes->shapes[shapes->of_label[label] - 1];
    if (xnm_qname_is_ace(shapes->name, label)) {
        shapes->validity[shapes->count] = NOT_ASKED;
        shape = &shapes->shapes[shapes->count++];
        shapes->of_label[label] = (uint8_t)shapes->count;
    }
    xn_shape_read(octets + 1, octets[0], shape);
    return shape;
}

bool xnm_shape_is_valid(const struct xn_unicode *unicode, const struct xn_shape *shape)
{
    return shape->ace &&
           !(xn_unicode_check_ulabel(unicode, shape->code_points, shape->len) & XN_INVALID_REASONS);
}

bool xnm_shapes_is_valid(struct xnm_shapes *shapes, const struct xn_unicode *unicode,
                         unsigned label)
{
    const struct xn_shape *shape = xnm_shapes_label(shapes, label);
    uint8_t *validity;

    if (shape == &shapes->other) /* its result is not cached in `validity` */
        return false;
    validity = &shapes->validity[shape - shapes->shapes];
    if (*validity == NOT_ASKED)
        *validity = xnm_shape_is_valid(unicode, shape) ? VALID : INVALID;
    return *validity == VALID;
}
