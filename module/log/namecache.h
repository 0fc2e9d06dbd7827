/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread's cache of what log lines say of names with A-labels, so that a name that comes again
 * is copied, and not decoded, checked and written again. A hash of its octets gives each name two
 * places, and a hit compares all octets: whoever makes names collide only has them read each time.
 * The cache belongs to its thread: nothing is locked. */
#ifndef XNM_MODULE_LOG_NAMECACHE_H
#define XNM_MODULE_LOG_NAMECACHE_H

#include "core/idna/finding.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum {
    XNM_NAME_CACHE_NAMES = 4096,
    XNM_NAME_CACHE_SIZE = 3 << 20, /* octets of memory, all told */
    XNM_NAME_CACHE_WIRE_MAX = 112  /* a longer name is not kept */
};

/* An entry of the cache: a name, what was found about it, and what log lines say of it. */
struct xnm_known_name {
    uint64_t owner; /* whose lines these are; 0: a free place */
    xn_reasons reasons;
    bool has_reasons, has_text; /* what is known */
    bool is_older;              /* of the two places of a hash: the next name gets this one */
    uint8_t wire_len, column_len;
    uint16_t text_len;
    uint8_t wire[XNM_NAME_CACHE_WIRE_MAX];
    char text[XNM_NAME_CACHE_SIZE / XNM_NAME_CACHE_NAMES - XNM_NAME_CACHE_WIRE_MAX - 24];
};
_Static_assert(sizeof(struct xnm_known_name) ==
                   (int)XNM_NAME_CACHE_SIZE / (int)XNM_NAME_CACHE_NAMES,
               "as it says");

/* Returns the place of a name in this thread's cache: what is known of it, or a place where nothing
 * is known yet, for the caller to fill. `owner`, not 0, stands for the configuration that lines are
 * written by: names of another owner are not found. The wire name is well-formed. NULL: such a name
 * is not kept, or there is no memory. The place is this thread's until the next call. */
struct xnm_known_name *xnm_known_name(uint64_t owner, const uint8_t *wire, size_t wire_len);

/* Keeps what a line says of a name: the name's column, and the fields about it. Does nothing if
 * both together are too long. */
void xnm_know_text(struct xnm_known_name *known, const char *column, size_t column_len,
                   const char *fields, size_t fields_len);

/* Can a line be written with what is known? `known` may be NULL. */
static inline bool xnm_known_has_text(const struct xnm_known_name *known)
{
    return known && known->has_text;
}

/* Copy the column, or the fields, of a name that has a text. Return the place after the copy. */
static inline char *xnm_known_column(const struct xnm_known_name *known, char *dst)
{
    memcpy(dst, known->text, known->column_len);
    return dst + known->column_len;
}

static inline char *xnm_known_fields(const struct xnm_known_name *known, char *dst)
{
    size_t len = (size_t)known->text_len - known->column_len;

    memcpy(dst, known->text + known->column_len, len);
    return dst + len;
}

#endif
