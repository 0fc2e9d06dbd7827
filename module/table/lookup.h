/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up one name in a table. */
#ifndef XNM_MODULE_TABLE_LOOKUP_H
#define XNM_MODULE_TABLE_LOOKUP_H

#include "module/table/table.h"

/* Returns whether a table has an entry or a mark at a name in wire format, which has this hash. */
bool xnm_table_has_name(const struct xnm_table *table, uint64_t hash, const uint8_t *name,
                        size_t len);

/* Returns whether it has an entry for all that is below a name. */
bool xnm_table_has_wildcard(const struct xnm_table *table, uint64_t hash, const uint8_t *name,
                            size_t len);

#endif
