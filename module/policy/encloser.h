/* SPDX-License-Identifier: BSD-3-Clause */
/* The closest encloser of a name in a response policy zone. */
#ifndef XNM_MODULE_POLICY_ENCLOSER_H
#define XNM_MODULE_POLICY_ENCLOSER_H

#include "module/policy/data.h"
#include "module/policy/qname.h"

/* Has a line an entry or a mark at a name, which has this hash? */
bool xnm_policy_line_has(const struct xnm_policy *policy, uint32_t line, uint64_t hash,
                         const uint8_t *name, size_t len);

/* A zone's wildcard matches at the closest encloser alone (RFC 4592, section 3.3.1). The zone of
 * this line has one below the suffix of `depth` labels, with this hash, of a name in hand: does it
 * match nothing, because the zone has the name one label longer, or because that is the wildcard's
 * own, which has nothing below it? `below`: all that is below the name is in hand. */
bool xnm_encloser_is_below(const struct xnm_policy *policy, uint32_t line,
                           const struct xnm_qname *name, bool below, uint64_t hash, unsigned depth);

#endif
