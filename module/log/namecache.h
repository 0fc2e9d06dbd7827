/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread's cache of the texts that log lines have for names with A-labels, so that a repeated
 * name is copied, and not decoded, checked and written again. A hash of its octets gives each name
 * two places, and a hit compares all octets: names that collide are only read each time. The cache
 * belongs to its thread, so nothing is locked. */
#ifndef XNM_MODULE_LOG_NAMECACHE_H
#define XNM_MODULE_LOG_NAMECACHE_H

#include "core/idna/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    XNM_NAME_CACHE_NAMES = 4096,
    XNM_NAME_CACHE_SIZE = 3 << 20, /* octets of memory in all */
    XNM_NAME_CACHE_WIRE_MAX = 112  /* a longer name is not kept */
};

/* An entry of the cache: a name, its findings, and its text in log lines. */
struct xnm_namecache_entry {
    uint64_t owner; /* of the text; 0: a free place */
    xn_reasons reasons;
    bool has_reasons, has_text; /* what is known */
    bool is_older;              /* of the two places of a hash: the next name gets this one */
    uint8_t wire_len, column_len;
    uint16_t text_len;
    uint8_t wire[XNM_NAME_CACHE_WIRE_MAX];
    char text[XNM_NAME_CACHE_SIZE / XNM_NAME_CACHE_NAMES - XNM_NAME_CACHE_WIRE_MAX - 24];
};
_Static_assert(sizeof(struct xnm_namecache_entry) ==
                   (int)XNM_NAME_CACHE_SIZE / (int)XNM_NAME_CACHE_NAMES,
               "the entries take the memory");

/* Returns the place of a name in this thread's cache: its entry, or an empty one for the caller to
 * fill. `owner`, not 0, identifies the configuration of the log: names of another owner are not
 * found. The wire name is well-formed. NULL: such a name
 * is not kept, or there is no memory. The place is this thread's until the next call. */
struct xnm_namecache_entry *xnm_namecache_find(uint64_t owner, const uint8_t *wire,
                                               size_t wire_len);

/* Stores the text of a name: its column in a line, and the fields about it. Does nothing if both
 * together are too long. */
void xnm_namecache_store(struct xnm_namecache_entry *known, const char *column, size_t column_len,
                         const char *fields, size_t fields_len);

/* Returns whether the entry has a text. `known` may be NULL. */
static inline bool xnm_namecache_has_text(const struct xnm_namecache_entry *known)
{
    return known && known->has_text;
}

/* Copy the column, or the fields, of a name that has a text. Return the end of the copy. */
static inline char *xnm_namecache_column(const struct xnm_namecache_entry *known, char *dst)
{
    memcpy(dst, known->text, known->column_len);
    return dst + known->column_len;
}

static inline char *xnm_namecache_fields(const struct xnm_namecache_entry *known, char *dst)
{
    size_t len = (size_t)known->text_len - known->column_len;

    memcpy(dst, known->text + known->column_len, len);
    return dst + len;
}

#endif
