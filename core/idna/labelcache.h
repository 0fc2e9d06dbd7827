/* SPDX-License-Identifier: BSD-3-Clause */
/* What xn_label_decode found of labels before. The names of a day are few: a label that comes again
 * need not be decoded and tested again. Two places for each label, by a hash of its octets, which
 * are compared; who makes labels fall into the same two has them decoded, as without it. Of one
 * thread: nothing here is locked. */
#ifndef XN_CORE_IDNA_LABELCACHE_H
#define XN_CORE_IDNA_LABELCACHE_H

#include "core/idna/unicode.h"

struct xn_name;

struct xn_label_cache;

enum {
    XN_LABEL_CACHE_LABELS = 4096,
    XN_LABEL_CACHE_SIZE = 1 << 20 /* octets of memory, which are all it takes */
};

/* Returns NULL without memory. The caller owns it. */
struct xn_label_cache *xn_label_cache_new(void);
void xn_label_cache_free(struct xn_label_cache *labels); /* NULL is fine */

/* The same as xn_label_decode, which it calls for a label that it does not know. All calls for one
 * cache are with the same handle. Nothing is allocated, and what was found while ICU had no memory
 * is not kept. */
xn_reasons xn_label_cache_decode(struct xn_label_cache *labels, const struct xn_unicode *unicode,
                                 const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len);

/* The same as xn_name_read, with A-labels by a label cache, which is asked for at the first of them
 * and may be NULL. */
typedef struct xn_label_cache *xn_label_cache_source(void);
XN_MUST_CHECK xn_status xn_name_read_cached(const struct xn_unicode *unicode,
                                            xn_label_cache_source *source, const uint8_t *wire,
                                            size_t wire_len, xn_reasons ignored,
                                            struct xn_name *name);

#endif
