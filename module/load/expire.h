/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds RPZ zones that others transfer (Knot, NSD, Unbound's auth-zone) to the EXPIRE of their SOA
 * record: a zone that has had no news for so long is reported, and with expire=yes dropped. */
#ifndef XNM_MODULE_LOAD_EXPIRE_H
#define XNM_MODULE_LOAD_EXPIRE_H

#include "module/list/tally.h"
#include "module/load/reading.h"

/* To be called when the list of a rule was read, as the last source of the reading. `soa` NULL: it
 * could not be read, and its time is that of the last reading. Notes in the source when the zone
 * expires: EXPIRE seconds (RFC 1035, section 3.3.13; 0: never) after its file was written, or after
 * another serial was found in it than at the last reading, whichever is later. Reports a zone that
 * has expired, unless the rule has expire=no. Returns true if its entries are to be dropped. False
 * for all that is no RPZ zone. */
bool xnm_expire_hold(struct xnm_reading *reading, const struct xnm_rule *rule,
                     const struct xnm_list_soa *soa);

#endif
