/* SPDX-License-Identifier: BSD-3-Clause */
/* Determines the part of a protected name that is compared with query names. Host-free. */
#ifndef XNM_MODULE_RULE_PROTECTION_H
#define XNM_MODULE_RULE_PROTECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct xnm_protection;

/* Sets the length from which a difference counts: `min`, or XNM_PROTECTION_MIN if that is 0,
 * because the line has no min=. Shorter labels look alike by chance too often. */
enum { XNM_PROTECTION_MIN = 4 };
void xnm_protection_set_min(struct xnm_protection *protection, uint8_t min);

/* Returns whether a label (its length octet, then its octets) has this many code points. */
bool xnm_protection_is_long(const uint8_t *label, uint8_t min);

/* The least number of code points that the label left of the public suffix must have.
 * xnm_protection_least returns `least`, or min= if that is more. */
enum {
    XNM_PROTECTION_NEAR_MIN = 4,   /* a slight edit, or `www` or the suffix joined to it */
    XNM_PROTECTION_FIRST_MIN = 5,  /* any edit that keeps the first letter, or a dot added */
    XNM_PROTECTION_EDIT_MIN = 7,   /* any edit */
    XNM_PROTECTION_APART_MIN = 5,  /* a part between ends, hyphens and digits */
    XNM_PROTECTION_WITHIN_MIN = 8, /* any part at the start or the end */
    XNM_PROTECTION_ELSEWHERE_MIN = 4,
};
uint8_t xnm_protection_least(const struct xnm_protection *protection, uint8_t least);

/* The offsets at which the compared labels begin and end in a protected name (wire format, lower
 * case). All labels are compared; with any_tld, those left of its public suffix; with any_label,
 * the last of these. A public suffix has none in the last two cases, and both offsets are 0. */
struct xnm_protection_part {
    size_t start, end;
};
struct xnm_protection_part xnm_protection_part(const struct xnm_protection *protection,
                                               const uint8_t *name, size_t len);

/* Returns the label left of a name's public suffix, which near=, within= and elsewhere= compare. A
 * public suffix has none, and both offsets are 0. */
struct xnm_protection_part xnm_protection_registrable(const uint8_t *name, size_t len);

/* Returns whether a name can look like a protected one that is not a public suffix: one of the
 * compared labels has protection->min code points. */
bool xnm_protection_can_match(const struct xnm_protection *protection, const uint8_t *name,
                              size_t len);

#endif
