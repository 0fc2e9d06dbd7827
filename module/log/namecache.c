/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/namecache.h"

#include "core/text/octets8.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct xnm_namecache_entry places[2]; /* of one hash */

static _Thread_local struct {
    places *names;
    bool tried;
} mine;
static pthread_key_t at_exit;
static bool has_key;

static void free_names(void *names)
{
    free(names);
    mine.names = NULL;
}

/* Runs when the module is loaded, before there are workers. */
__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&at_exit, free_names) == 0;
}

static places *make_names(void)
{
    places *names = has_key ? calloc(1, XNM_NAME_CACHE_SIZE) : NULL;

    if (names && pthread_setspecific(at_exit, names) != 0) {
        free(names);
        names = NULL;
    }
    mine.tried = true; /* do not try again for each name */
    return mine.names = names;
}

static uint64_t mix(uint64_t hash)
{
    hash *= 0x9E3779B97F4A7C15; /* 2^64 / the golden ratio */
    return hash ^ hash >> 32;
}

/* Hashes the last eight octets, then all before them. */
static size_t hash_of(const uint8_t *wire, size_t len)
{
    uint64_t hash = xn_octets8_load(wire + len - XN_OCTETS8) ^ len;

    for (size_t at = 0; at + XN_OCTETS8 < len; at += XN_OCTETS8)
        hash = mix(hash) ^ xn_octets8_load(wire + at);
    return mix(hash) % (XNM_NAME_CACHE_NAMES / 2);
}

static bool is_of(const struct xnm_namecache_entry *place, uint64_t owner, const uint8_t *wire,
                  size_t len)
{
    uint64_t differ;

    if (place->wire_len != len || place->owner != owner)
        return false;
    differ =
        xn_octets8_load(place->wire + len - XN_OCTETS8) ^ xn_octets8_load(wire + len - XN_OCTETS8);
    for (size_t at = 0; at + XN_OCTETS8 < len; at += XN_OCTETS8)
        differ |= xn_octets8_load(place->wire + at) ^ xn_octets8_load(wire + at);
    return differ == 0;
}

static struct xnm_namecache_entry *begin(struct xnm_namecache_entry *place, uint64_t owner,
                                         const uint8_t *wire, size_t len)
{
    place->owner = owner;
    place->has_reasons = place->has_text = false;
    place->wire_len = (uint8_t)len;
    memcpy(place->wire, wire, len);
    return place;
}

struct xnm_namecache_entry *xnm_namecache_find(uint64_t owner, const uint8_t *wire, size_t wire_len)
{
    places *names = mine.names || mine.tried ? mine.names : make_names();

    if (!names || wire_len < XN_OCTETS8 || wire_len > XNM_NAME_CACHE_WIRE_MAX)
        return NULL;
    struct xnm_namecache_entry *place = names[hash_of(wire, wire_len)];
    for (size_t i = 0; i < 2; i++) {
        if (is_of(&place[i], owner, wire, wire_len)) {
            place[i].is_older = false;
            place[1 - i].is_older = true;
            return &place[i];
        }
    }
    size_t older = place[1].is_older;
    place[older].is_older = false;
    place[1 - older].is_older = true;
    return begin(&place[older], owner, wire, wire_len);
}

void xnm_namecache_store(struct xnm_namecache_entry *known, const char *column, size_t column_len,
                         const char *fields, size_t fields_len)
{
    if (column_len > UINT8_MAX || column_len + fields_len > sizeof known->text)
        return;
    memcpy(known->text, column, column_len);
    memcpy(known->text + column_len, fields, fields_len);
    known->column_len = (uint8_t)column_len;
    known->text_len = (uint16_t)(column_len + fields_len);
    known->has_text = true;
}
