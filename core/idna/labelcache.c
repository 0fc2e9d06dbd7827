/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/labelcache.h"

#include "core/idna/label.h"
#include "core/text/octets16.h"
#include "core/text/octets8.h"
#include "core/wire/walk.h"

#include <stdlib.h>
#include <string.h>

enum {
    CPS_MAX = 44, /* a longer label is not kept; a multiple of the four copied at a time */
    FOUR = XN_OCTETS16 / sizeof(uint32_t)
};

struct place {
    uint8_t label[XN_WIRE_LABEL_MAX];
    uint8_t len; /* 0: free */
    xn_reasons reasons;
    uint32_t cps_len;
    uint32_t cps[46]; /* makes a place 256 octets */
};
_Static_assert(CPS_MAX % FOUR == 0 && CPS_MAX <= 46, "room for the last four");
_Static_assert(CPS_MAX <= (int)XN_ULABEL_MAX, "here and where they are copied to");

/* A label may be in either place of its pair; the newer label is first. */
struct xn_label_cache {
    struct place pairs[XN_LABEL_CACHE_LABELS / 2][2];
};
_Static_assert(sizeof(struct xn_label_cache) == XN_LABEL_CACHE_SIZE, "as it says");

struct xn_label_cache *xn_label_cache_new(void)
{
    return calloc(1, sizeof(struct xn_label_cache));
}

void xn_label_cache_free(struct xn_label_cache *labels)
{
    free(labels);
}

static uint64_t mix(uint64_t hash)
{
    hash *= 0x9E3779B97F4A7C15; /* 2^64 / the golden ratio */
    return hash ^ hash >> 32;
}

/* Hashes a label of eight octets or more: the last eight, then all before them. */
static struct place *pair_of(struct xn_label_cache *labels, const uint8_t *label, size_t len)
{
    uint64_t hash = xn_octets8_load(label + len - XN_OCTETS8) ^ len;

    for (size_t at = 0; at + XN_OCTETS8 < len; at += XN_OCTETS8)
        hash = mix(hash) ^ xn_octets8_load(label + at);
    return labels->pairs[mix(hash) % (XN_LABEL_CACHE_LABELS / 2)];
}

static bool is_of(const struct place *place, const uint8_t *label, size_t len)
{
    uint64_t differ;

    if (place->len != len)
        return false;
    differ = xn_octets8_load(place->label + len - XN_OCTETS8) ^
             xn_octets8_load(label + len - XN_OCTETS8);
    for (size_t at = 0; at + XN_OCTETS8 < len; at += XN_OCTETS8)
        differ |= xn_octets8_load(place->label + at) ^ xn_octets8_load(label + at);
    return differ == 0;
}

static void copy_cps(uint32_t *dst, const uint32_t *src, size_t len)
{
    for (size_t at = 0; at < len; at += FOUR)
        memcpy(dst + at, src + at, XN_OCTETS16);
}

static void keep(struct place *place, const uint8_t *label, size_t len, const uint32_t *cps,
                 size_t cps_len, xn_reasons reasons)
{
    memcpy(place->label, label, len);
    place->len = (uint8_t)len;
    place->reasons = reasons;
    place->cps_len = (uint32_t)cps_len;
    memcpy(place->cps, cps, cps_len * sizeof *cps);
}

static xn_reasons take_cached(const struct place *place, uint32_t *dst, size_t *dst_len)
{
    *dst_len = place->cps_len;
    copy_cps(dst, place->cps, place->cps_len);
    return place->reasons;
}

xn_reasons xn_label_cache_decode(struct xn_label_cache *labels, const struct xn_unicode *unicode,
                                 const uint8_t *label, size_t len, uint32_t *dst, size_t *dst_len)
{
    if (len < XN_OCTETS8)
        return xn_label_decode(unicode, label, len, dst, dst_len);
    struct place *pair = pair_of(labels, label, len);
    if (is_of(&pair[0], label, len))
        return take_cached(&pair[0], dst, dst_len);
    if (is_of(&pair[1], label, len))
        return take_cached(&pair[1], dst, dst_len);
    unsigned lacks = xn_unicode_lacks();
    xn_reasons reasons = xn_label_decode(unicode, label, len, dst, dst_len);
    if (*dst_len <= CPS_MAX && xn_unicode_lacks() == lacks) {
        pair[1] = pair[0];
        keep(&pair[0], label, len, dst, *dst_len, reasons);
    }
    return reasons;
}
