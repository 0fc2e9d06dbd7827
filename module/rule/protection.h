/* SPDX-License-Identifier: BSD-3-Clause */
/* What of a protected name is compared with names that are asked for. Host-free. */
#ifndef XNM_MODULE_RULE_PROTECTION_H
#define XNM_MODULE_RULE_PROTECTION_H

#include "module/rule/rule.h"

/* Sets from which length on a difference counts; 0: the line does not say. Then it always does
 * where labels are alike by the exact key. Of four characters there are so many words that a
 * shorter one is met by chance: those that are alike by the strict key alone need as many. */
enum { XNM_PROTECTION_STRICT_MIN = 4 };
void xnm_protection_set_min(struct xnm_protection *protection, uint8_t given);

/* Where in a protected name (wire format, lower case) the labels begin and end that are compared:
 * all of it; with any_tld those left of its public suffix; with any_label the one label left of
 * that. A public suffix has none then, and both are 0. */
struct xnm_protection_part {
    size_t start, end;
};
struct xnm_protection_part xnm_protection_part(const struct xnm_protection *protection,
                                               const uint8_t *name, size_t len);

/* Can anything look like a protected name that is no public suffix: has it a label of
 * protection->min code points among those that are compared? */
bool xnm_protection_can_match(const struct xnm_protection *protection, const uint8_t *name,
                              size_t len);

#endif
