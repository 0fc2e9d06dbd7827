/* SPDX-License-Identifier: BSD-3-Clause */
/* Hashes names, label by label from the right, for the tables of a policy. A file that hashes names
 * of queries defines XXH_INLINE_ALL first, which inlines XXH3 but takes long to compile. */
#ifndef XNM_MODULE_TABLE_HASH_H
#define XNM_MODULE_TABLE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include <xxhash.h>

/* Returns the hash of a name: `label` is its first label, `behind` the hash of the labels after
 * it. */
static inline uint64_t xnm_table_hash(uint64_t behind, const uint8_t *label)
{
    return XXH3_64bits_withSeed(label, (size_t)*label + 1, behind);
}

#endif
