/* SPDX-License-Identifier: BSD-3-Clause */
/* A cache of what xn_label_decode found: the same labels come again and again, and need not be
 * decoded and checked each time. A hash of its octets gives each label two places, and a hit
 * compares all octets. Whoever makes labels collide only has them decoded, as without a cache. A
 * cache belongs to one thread: nothing is locked. */
#ifndef XN_CORE_IDNA_LABELCACHE_H
#define XN_CORE_IDNA_LABELCACHE_H

#include "core/idna/unicode.h"

struct xn_name;

struct xn_label_cache;

enum {
    XN_LABEL_CACHE_LABELS = 4096,
    XN_LABEL_CACHE_SIZE = 1 << 20 /* octets of memory, all told */
};

/* Returns an empty cache, which the caller owns, or NULL if there is no memory. */
struct xn_label_cache *xn_label_cache_new(void);
void xn_label_cache_free(struct xn_label_cache *labels); /* NULL is fine */

/* Does the same as xn_label_decode, and calls it for a label that is not in the cache. All calls
 * for one cache use the same handle. Allocates nothing. Results found while ICU had no memory are
 * not kept. */
xn_reasons xn_label_cache_decode(struct xn_label_cache *labels, const struct xn_unicode *unicode,
                                 const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len);

/* Does the same as xn_name_read, but looks A-labels up in the label cache that source returns.
 * source is called for each A-label, and may return NULL. */
typedef struct xn_label_cache *xn_label_cache_source(void);
XN_MUST_CHECK xn_status xn_name_read_cached(const struct xn_unicode *unicode,
                                            xn_label_cache_source *source, const uint8_t *wire,
                                            size_t wire_len, xn_reasons ignored,
                                            struct xn_name *name);

#endif
