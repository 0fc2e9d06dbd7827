/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts how often each of many texts was seen, in bounded memory: keeps the most frequent texts,
 * and a bound for how often each was missed. */
#ifndef XN_TOOLS_REPORT_TALLY_H
#define XN_TOOLS_REPORT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TALLY_COUNTS = 3 };

struct tally_entry {
    uint64_t hash;
    uint64_t counts[TALLY_COUNTS]; /* the first decides which entries are kept */
    uint64_t missed;               /* each count may be too low by this much */
    uint32_t at;                   /* private: offset of its octets */
    uint16_t key_len;              /* octets of its key */
};

/* Lossy counting (Manku and Motwani, 2002), by thinning out: when there is no room, the entries
 * seen no more often than the median are removed. Every key seen more often than `missed` is
 * present. Which entries are kept depends only on the keys and their order. */
struct tally {
    uint64_t missed;             /* no absent key was seen more often; 0 if no key is absent */
    struct tally_entry *entries; /* `count` entries, for the owner of the tally to read */
    size_t count;
    /* private */
    size_t cap, value_len;
    uint32_t *slots;
    size_t slot_count;
    uint8_t *octets; /* keys, each followed by its value */
    size_t octets_len, octets_cap;
    uint64_t *scratch, seed;
};

/* Opens a tally for at most `cap` entries, whose keys and values take at most `octets_cap` octets
 * together. A key has at most octets_cap / 4 octets, and at most 65,535. `seed` is for the hash
 * table, so that an attacker cannot choose keys that collide. Exits with status 2 if
 * there is no memory. */
void tally_open(struct tally *tally, size_t cap, size_t octets_cap, size_t value_len,
                uint64_t seed);
void tally_close(struct tally *tally);

/* Returns the entry of a key, valid until the next call. A new entry has counts of 0 and a value of
 * zeros. *fresh is whether it is new (fresh may be NULL). */
struct tally_entry *tally_find(struct tally *tally, const void *key, size_t len, bool *fresh);

/* Return the octets of an entry: its key, and its value, which is unaligned and has value_len
 * octets. */
const uint8_t *tally_key(const struct tally *tally, const struct tally_entry *entry);
void *tally_value(const struct tally *tally, const struct tally_entry *entry);

/* tally_top finds the `max` entries with the highest counts[which], at least 1, highest first,
 * equal ones in the order of counts[0], then of keys. tally_insert puts one more entry where it
 * belongs in a top of `count`, and drops the last one if there are more than `max`. Both return how
 * many entries top has. */
size_t tally_insert(const struct tally *tally, size_t which, const struct tally_entry **top,
                    size_t count, size_t max, const struct tally_entry *entry);
size_t tally_top(const struct tally *tally, size_t which, const struct tally_entry **top,
                 size_t max);

#endif
