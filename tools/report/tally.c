/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/tally.h"

#include "tools/text/buffer.h"

#include <stdlib.h>
#include <string.h>

#include <xxhash.h>

enum { FREE = 0 }; /* a free slot; others hold the number of an entry + 1 */

void tally_open(struct tally *tally, size_t cap, size_t octets_cap, size_t value_len, uint64_t seed)
{
    *tally = (struct tally){.cap = cap,
                            .value_len = value_len,
                            .slot_count = 1,
                            .octets_cap = octets_cap,
                            .seed = seed};
    while (tally->slot_count < 2 * cap)
        tally->slot_count *= 2;
    tally->entries = buffer_zeros(cap, sizeof *tally->entries);
    tally->slots = buffer_zeros(tally->slot_count, sizeof *tally->slots);
    tally->octets = buffer_zeros(octets_cap, 1);
    tally->scratch = buffer_zeros(cap, sizeof *tally->scratch);
}

void tally_close(struct tally *tally)
{
    free(tally->entries);
    free(tally->slots);
    free(tally->octets);
    free(tally->scratch);
}

const uint8_t *tally_key(const struct tally *tally, const struct tally_entry *entry)
{
    return tally->octets + entry->at;
}

void *tally_value(const struct tally *tally, const struct tally_entry *entry)
{
    return tally->octets + entry->at + entry->key_len;
}

/* --- the table --- */

static bool is_key(const struct tally *tally, const struct tally_entry *entry, uint64_t hash,
                   const void *key, size_t len)
{
    return entry->hash == hash && entry->key_len == len &&
           memcmp(tally_key(tally, entry), key, len) == 0;
}

/* Returns the slot where the key is, or would be put. */
static size_t slot_of(const struct tally *tally, uint64_t hash, const void *key, size_t len)
{
    size_t slot = hash & (tally->slot_count - 1);

    while (tally->slots[slot] != FREE &&
           !is_key(tally, &tally->entries[tally->slots[slot] - 1], hash, key, len))
        slot = (slot + 1) & (tally->slot_count - 1);
    return slot;
}

/* --- thinning out --- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Returns the median of how often entries may have been seen. */
static uint64_t median(struct tally *tally)
{
    for (size_t i = 0; i < tally->count; i++)
        tally->scratch[i] = tally->entries[i].counts[0] + tally->entries[i].missed;
    qsort(tally->scratch, tally->count, sizeof *tally->scratch, by_number);
    return tally->scratch[tally->count / 2];
}

/* Removes the entries seen no more often than the median. The others keep their order, and so do
 * their octets. */
static void thin_out(struct tally *tally)
{
    size_t kept = 0, octets_len = 0;

    tally->missed = median(tally);
    for (size_t i = 0; i < tally->count; i++) {
        struct tally_entry entry = tally->entries[i];
        size_t len = entry.key_len + tally->value_len;

        if (entry.counts[0] + entry.missed <= tally->missed)
            continue;
        memmove(tally->octets + octets_len, tally->octets + entry.at, len);
        entry.at = (uint32_t)octets_len;
        octets_len += len;
        tally->entries[kept++] = entry;
    }
    tally->count = kept;
    tally->octets_len = octets_len;
    memset(tally->slots, 0, tally->slot_count * sizeof *tally->slots);
    for (size_t i = 0; i < kept; i++) {
        const struct tally_entry *entry = &tally->entries[i];
        size_t slot = slot_of(tally, entry->hash, tally_key(tally, entry), entry->key_len);

        tally->slots[slot] = (uint32_t)i + 1;
    }
}

struct tally_entry *tally_find(struct tally *tally, const void *key, size_t len, bool *fresh)
{
    uint64_t hash = XXH3_64bits_withSeed(key, len, tally->seed);
    size_t slot = slot_of(tally, hash, key, len), need = len + tally->value_len;

    if (fresh)
        *fresh = tally->slots[slot] == FREE;
    if (tally->slots[slot] != FREE)
        return &tally->entries[tally->slots[slot] - 1];
    while (tally->count == tally->cap || tally->octets_cap - tally->octets_len < need) {
        thin_out(tally);
        slot = slot_of(tally, hash, key, len);
    }
    struct tally_entry *entry = &tally->entries[tally->count++];
    *entry = (struct tally_entry){.hash = hash,
                                  .missed = tally->missed,
                                  .at = (uint32_t)tally->octets_len,
                                  .key_len = (uint16_t)len};
    memcpy(tally->octets + entry->at, key, len);
    memset(tally_value(tally, entry), 0, tally->value_len);
    tally->octets_len += need;
    tally->slots[slot] = (uint32_t)tally->count;
    return entry;
}

/* --- the most frequent --- */

/* Higher counts go first; equal counts are in the order of keys, so that the same log gives the
 * same page. */
static bool goes_before(const struct tally *tally, size_t which, const struct tally_entry *a,
                        const struct tally_entry *b)
{
    size_t len = a->key_len < b->key_len ? a->key_len : b->key_len;

    if (a->counts[which] != b->counts[which])
        return a->counts[which] > b->counts[which];
    if (a->counts[0] != b->counts[0])
        return a->counts[0] > b->counts[0];
    int order = memcmp(tally_key(tally, a), tally_key(tally, b), len);
    return order != 0 ? order < 0 : a->key_len < b->key_len;
}

size_t tally_insert(const struct tally *tally, size_t which, const struct tally_entry **top,
                    size_t count, size_t max, const struct tally_entry *entry)
{
    size_t place = count;

    while (place > 0 && goes_before(tally, which, entry, top[place - 1]))
        place--;
    if (place == max)
        return count;
    for (size_t i = count < max ? count : max - 1; i > place; i--)
        top[i] = top[i - 1];
    top[place] = entry;
    return count < max ? count + 1 : max;
}

size_t tally_top(const struct tally *tally, size_t which, const struct tally_entry **top,
                 size_t max)
{
    size_t count = 0;

    for (size_t i = 0; i < tally->count; i++)
        if (tally->entries[i].counts[which] > 0)
            count = tally_insert(tally, which, top, count, max, &tally->entries[i]);
    return count;
}
