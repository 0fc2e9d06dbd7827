/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/known.h"

#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/net_help.h>

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW_BITS = 9,
    ROWS = 1 << ROW_BITS,
    PLACES = 8,     /* per row; the first is the newest */
    NAMES_MAX = 144 /* octets of all names of a message */
};

struct place {
    uint64_t generation;
    uint16_t qtype, qclass;
    uint32_t names_len;
    uint8_t names[NAMES_MAX]; /* the name asked for, then the target of each CNAME */
};

struct row {
    uint32_t tags[PLACES]; /* a hash of the address and type: compared before a place is read */
    struct place places[PLACES];
};

/* --- a thread's table --- */

static pthread_key_t table_of_thread; /* frees the table when its thread ends */
static bool has_key;
static _Thread_local struct row *table __attribute__((tls_model("initial-exec")));

__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&table_of_thread, free) == 0;
}

/* Returns whether the thread has a table now. */
static bool make_table(void)
{
    struct row *made = has_key ? calloc(ROWS, sizeof *made) : NULL;

    if (!made || pthread_setspecific(table_of_thread, made) != 0) {
        free(made);
        return false;
    }
    table = made;
    return true;
}

/* Multiplies by 2^64 divided by the golden ratio: the upper bits, which depend on all bits of the
 * address, choose the row, and those below are the tag. */
static uint64_t mix(const struct xnm_known *known)
{
    return ((uintptr_t)known->at / 16 + known->qtype) * 0x9E3779B97F4A7C15ULL;
}

static struct row *row_of(uint64_t mixed)
{
    return &table[mixed >> (64 - ROW_BITS)];
}

static uint32_t tag_of(uint64_t mixed)
{
    return (uint32_t)(mixed >> (32 - ROW_BITS));
}

/* --- the names of a message --- */

static bool is_cname(const struct ub_packed_rrset_key *rrset)
{
    return rrset->rk.type == htons(LDNS_RR_TYPE_CNAME);
}

/* Reads the target of a CNAME, whose rdata begins with two octets of length. Returns whether there
 * is one. */
static bool read_target(const struct ub_packed_rrset_key *cname, const uint8_t **name, size_t *len)
{
    const struct packed_rrset_data *data = cname->entry.data;

    if (data->count == 0 || data->rr_len[0] <= 2)
        return false;
    *name = data->rr_data[0] + 2;
    *len = data->rr_len[0] - 2;
    return true;
}

/* Returns whether the message's names are those of the place, octet by octet, and each RRset of its
 * answer section belongs to the name that the chain has reached. */
static bool has_names(const struct place *place, const struct xnm_known *known)
{
    const uint8_t *names = place->names, *name = known->name;
    size_t left = place->names_len, len = known->name_len;

    if (left < len || memcmp(names, name, len) != 0)
        return false;
    for (size_t i = 0; known->rep && i < known->rep->an_numrrsets; i++) {
        const struct ub_packed_rrset_key *rrset = known->rep->rrsets[i];

        if (rrset->rk.dname_len != len || memcmp(rrset->rk.dname, names, len) != 0)
            return false;
        if (!is_cname(rrset))
            continue;
        names += len;
        left -= len;
        if (!read_target(rrset, &name, &len) || left < len || memcmp(names, name, len) != 0)
            return false;
    }
    return left == len;
}

bool xnm_known_has(const struct xnm_known *known)
{
    if (!table)
        return false;
    const uint64_t mixed = mix(known);
    const struct row *row = row_of(mixed);
    for (size_t i = 0; i < PLACES; i++) {
        const struct place *place = &row->places[i];

        if (row->tags[i] == tag_of(mixed) && place->generation == known->generation &&
            place->qtype == known->qtype && place->qclass == known->qclass &&
            has_names(place, known))
            return true;
    }
    return false;
}

/* Returns whether the name fitted. */
static bool add_name(struct place *place, const uint8_t *name, size_t len)
{
    if (sizeof place->names - place->names_len < len)
        return false;
    memcpy(place->names + place->names_len, name, len);
    place->names_len += (uint32_t)len;
    return true;
}

static bool add_names(struct place *place, const struct xnm_known *known)
{
    bool has_room = add_name(place, known->name, known->name_len);

    for (size_t i = 0; has_room && known->rep && i < known->rep->an_numrrsets; i++) {
        const struct ub_packed_rrset_key *rrset = known->rep->rrsets[i];
        const uint8_t *name;
        size_t len;

        if (is_cname(rrset))
            has_room = read_target(rrset, &name, &len) && add_name(place, name, len);
    }
    return has_room;
}

void xnm_known_add(const struct xnm_known *known)
{
    struct place place = {known->generation, known->qtype, known->qclass, 0, {0}};

    if (!add_names(&place, known) || (!table && !make_table()))
        return;
    const uint64_t mixed = mix(known);
    struct row *row = row_of(mixed);
    memmove(row->tags + 1, row->tags, (PLACES - 1) * sizeof *row->tags);
    memmove(row->places + 1, row->places, (PLACES - 1) * sizeof *row->places);
    row->tags[0] = tag_of(mixed);
    row->places[0] = place;
}
