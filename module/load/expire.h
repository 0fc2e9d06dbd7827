/* SPDX-License-Identifier: BSD-3-Clause */
/* Applies the EXPIRE of the SOA record to RPZ zones that other programs transfer (Knot, NSD,
 * Unbound's auth-zone): a zone that has not changed for so long is reported, and with expire=yes
 * dropped. */
#ifndef XNM_MODULE_LOAD_EXPIRE_H
#define XNM_MODULE_LOAD_EXPIRE_H

#include "module/file/textfile.h"
#include "module/list/listtally.h"

#include <time.h>

struct xnm_policy;
struct xnm_rule;
struct xnm_table;
struct xnm_table_file;

/* Sets when a zone expires that was read from a file with this stamp: EXPIRE seconds (RFC 1035,
 * section 3.3.13; 0: never) after its file was written, or after its serial changed from that in
 * `before`, the previous state of the file (NULL: unknown), whichever is later. */
void xnm_expire_note(struct xnm_table_file *file, const struct xnm_list_soa *soa,
                     const struct xnm_stamp *stamp, const struct xnm_table_file *before);

/* Reports a zone that has expired, unless the rule has expire=no. `table` is what is in force of
 * the rule's list; NULL: nothing. Returns whether its entries must be dropped. */
bool xnm_expire_drops(const struct xnm_diagnostics *diagnostics, const struct xnm_rule *rule,
                      const struct xnm_table *table);

/* Returns how many zones of a policy (NULL: none) have expired by `now`. Sets *due if one of them
 * must be dropped that had not expired by `last`; else leaves it alone. */
size_t xnm_expire_count(const struct xnm_policy *policy, time_t last, time_t now, bool *due);

#endif
