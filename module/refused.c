/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/refused.h"

#include "core/wire.h"
#include "module/rrtype.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* What a table takes of memory is at most XNM_REFUSED_MAX times XNM_REFUSED_CHAIN_MAX and the
 * places themselves. A chain is one allocation: its links, then the octets they point to. */
struct stored {
    size_t link_count;
    struct xnm_refused_link links[];
};

struct place {
    struct stored *chain; /* NULL: free */
    uint64_t generation;
    time_t since, until; /* until: the first second in which it is not valid */
    uint16_t qtype;
    uint8_t qname_len;
    uint8_t qname[XN_WIRE_NAME_MAX]; /* in lower case */
};

struct table {
    struct place places[XNM_REFUSED_MAX];
};

static _Thread_local struct table *own_table;
static pthread_key_t at_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool has_key;

/* --- chains --- */

bool xnm_refused_next_target(void *chain_, const uint8_t **target, size_t *len)
{
    struct xnm_refused_chain *chain = chain_;

    while (chain->next < chain->count) {
        const struct xnm_refused_link *link = &chain->links[chain->next++];

        *target = link->rdata;
        *len = link->rdata_len;
        if (link->type == XNM_TYPE_CNAME)
            return true;
    }
    return false;
}

bool xnm_refused_cut(struct xnm_refused_chain *chain, unsigned target)
{
    size_t kept = 0;

    while (target > 0 && kept < chain->count)
        target -= chain->links[kept++].type == XNM_TYPE_CNAME;
    chain->count = kept;
    chain->next = 0;
    return target == 0;
}

/* --- the table of a thread --- */

static void free_table(void *table_)
{
    struct table *table = table_;

    for (size_t i = 0; i < XNM_REFUSED_MAX; i++)
        free(table->places[i].chain);
    free(table);
    own_table = NULL;
}

static void make_key(void)
{
    has_key = pthread_key_create(&at_exit, free_table) == 0;
}

static struct table *make_table(void)
{
    struct table *table;

    if (pthread_once(&once, make_key) != 0 || !has_key)
        return NULL;
    table = calloc(1, sizeof *table);
    if (table && pthread_setspecific(at_exit, table) != 0) {
        free(table);
        return NULL;
    }
    return own_table = table;
}

/* --- its places --- */

struct key {
    uint16_t qtype;
    uint8_t qname_len;
    uint8_t qname[XN_WIRE_NAME_MAX];
};

static bool read_key(struct key *key, const uint8_t *qname, size_t qname_len, uint16_t qtype)
{
    if (qname_len == 0 || qname_len > sizeof key->qname)
        return false;
    xn_wire_lower(key->qname, qname, qname_len);
    key->qname_len = (uint8_t)qname_len;
    key->qtype = qtype;
    return true;
}

/* FNV-1a. Whoever makes names fall into one place has an upstream asked for each of them, as for
 * any new name, and once more for what they displace. */
static struct place *place_of(struct table *table, const struct key *key)
{
    uint64_t hash = 0xcbf29ce484222325 ^ key->qtype;

    for (size_t i = 0; i < key->qname_len; i++)
        hash = (hash ^ key->qname[i]) * 0x100000001b3;
    return &table->places[(hash ^ hash >> 32) % XNM_REFUSED_MAX];
}

static bool is_place_of(const struct place *place, const struct key *key)
{
    return place->chain && place->qtype == key->qtype && place->qname_len == key->qname_len &&
           memcmp(place->qname, key->qname, key->qname_len) == 0;
}

/* --- remembering --- */

/* 0: too long. */
static size_t chain_octets(const struct xnm_refused_link *links, size_t link_count)
{
    size_t octets = sizeof(struct stored);

    for (size_t i = 0; i < link_count; i++) {
        octets += sizeof *links + links[i].owner_len + links[i].rdata_len;
        if (octets > XNM_REFUSED_CHAIN_MAX)
            return 0;
    }
    return octets;
}

static const uint8_t *put(uint8_t **at, const uint8_t *octets, size_t len)
{
    uint8_t *copy = memcpy(*at, octets, len);

    *at += len;
    return copy;
}

static struct stored *copy_chain(const struct xnm_refused_link *links, size_t link_count)
{
    size_t octets = chain_octets(links, link_count);
    struct stored *chain = octets > 0 ? malloc(octets) : NULL;

    if (!chain)
        return NULL;
    uint8_t *at = (uint8_t *)&chain->links[link_count];
    chain->link_count = link_count;
    for (size_t i = 0; i < link_count; i++) {
        chain->links[i] = links[i];
        chain->links[i].owner = put(&at, links[i].owner, links[i].owner_len);
        chain->links[i].rdata = put(&at, links[i].rdata, links[i].rdata_len);
    }
    return chain;
}

static time_t seconds_valid(const struct xnm_refused_link *links, size_t link_count)
{
    time_t seconds = XNM_REFUSED_SECONDS_MAX;

    for (size_t i = 0; i < link_count; i++) {
        if (links[i].ttl < seconds)
            seconds = (time_t)links[i].ttl;
    }
    return seconds;
}

void xnm_refused_remember(const uint8_t *qname, size_t qname_len, uint16_t qtype,
                          uint64_t generation, time_t now, const struct xnm_refused_link *links,
                          size_t link_count)
{
    time_t seconds = seconds_valid(links, link_count);
    struct table *table = own_table;
    struct key key;

    if (link_count == 0 || link_count > XNM_REFUSED_LINKS_MAX || seconds == 0 ||
        !read_key(&key, qname, qname_len, qtype))
        return;
    if (!table && !(table = make_table()))
        return;
    struct stored *chain = copy_chain(links, link_count);
    if (!chain)
        return;
    struct place *place = place_of(table, &key);
    free(place->chain);
    *place = (struct place){.chain = chain,
                            .generation = generation,
                            .since = now,
                            .until = now + seconds,
                            .qtype = qtype,
                            .qname_len = key.qname_len};
    memcpy(place->qname, key.qname, key.qname_len);
}

/* A clock that was set back makes it invalid too. */
static size_t find(struct table *table, const struct key *key, uint64_t generation, time_t now,
                   struct xnm_refused_link *links, size_t cap)
{
    const struct place *place = place_of(table, key);

    if (!is_place_of(place, key) || place->generation != generation || now < place->since ||
        now >= place->until)
        return 0;
    const struct stored *chain = place->chain;
    for (size_t i = 0; i < chain->link_count && i < cap; i++) {
        links[i] = chain->links[i];
        links[i].ttl -= (uint32_t)(now - place->since);
    }
    return chain->link_count;
}

/* Not in the frame of threads that have none, which are nearly all. */
__attribute__((noinline)) static size_t find_by_name(const uint8_t *qname, size_t qname_len,
                                                     uint16_t qtype, uint64_t generation,
                                                     time_t now, struct xnm_refused_link *links,
                                                     size_t cap)
{
    struct key key;

    return read_key(&key, qname, qname_len, qtype)
               ? find(own_table, &key, generation, now, links, cap)
               : 0;
}

size_t xnm_refused_find(const uint8_t *qname, size_t qname_len, uint16_t qtype, uint64_t generation,
                        time_t now, struct xnm_refused_link *links, size_t cap)
{
    return own_table ? find_by_name(qname, qname_len, qtype, generation, now, links, cap) : 0;
}
