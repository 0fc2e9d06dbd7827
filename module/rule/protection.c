/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/protection.h"

#include "core/lookalike/lookalike.h"
#include "core/wire/walk.h"
#include "module/name/suffix.h"
#include "module/rule/rule.h"

#include <stddef.h>

void xnm_protection_set_min(struct xnm_protection *protection, uint8_t min)
{
    protection->min = min > 0 ? min : XNM_PROTECTION_MIN;
}

struct xnm_protection_part xnm_protection_part(const struct xnm_protection *protection,
                                               const uint8_t *name, size_t len)
{
    struct xnm_protection_part part = {0, len - 1};

    if (protection->any_tld || protection->any_label)
        part.end = xnm_suffix_find(name, len);
    while (protection->any_label && part.start + name[part.start] + 1 < part.end)
        part.start += name[part.start] + 1u;
    return part;
}

struct xnm_protection_part xnm_protection_registrable(const uint8_t *name, size_t len)
{
    return xnm_protection_part(&(struct xnm_protection){.any_label = true}, name, len);
}

bool xnm_protection_is_long(const uint8_t *label, uint8_t min)
{
    struct xn_shape shape;

    if (label[0] < min)
        return false; /* a label has no more code points than octets */
    if (!xn_wire_has_ace_prefix(label + 1, label[0]))
        return true;
    xn_shape_read(label + 1, label[0], &shape);
    return shape.len >= min;
}

uint8_t xnm_protection_least(const struct xnm_protection *protection, uint8_t least)
{
    return protection->min > least ? protection->min : least;
}

/* Returns whether the first label is enough to match. In lists of 100,000 names it nearly always
 * is, and their public suffixes need no lookup. */
static bool first_is_enough(const struct xnm_protection *protection, const uint8_t *name)
{
    const uint8_t *second = name + name[0] + 1;
    bool two_labels = second[0] != 0 && second[second[0] + 1u] == 0;

    return (!protection->any_label || two_labels) && xnm_protection_is_long(name, protection->min);
}

bool xnm_protection_can_match(const struct xnm_protection *protection, const uint8_t *name,
                              size_t len)
{
    if (protection->min <= 1 || first_is_enough(protection, name))
        return true;
    struct xnm_protection_part part = xnm_protection_part(protection, name, len);
    for (size_t at = part.start; at < part.end; at += name[at] + 1u)
        if (xnm_protection_is_long(name + at, protection->min))
            return true;
    return false;
}
