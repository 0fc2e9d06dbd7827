/* SPDX-License-Identifier: BSD-3-Clause */
/* How often each of many texts was seen, in memory that has a bound: what is seen most is kept,
 * with a bound for what was missed of it. */
#ifndef XN_TOOLS_REPORT_TALLY_H
#define XN_TOOLS_REPORT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TALLY_COUNTS = 3 };

struct tally_entry {
    uint64_t hash;
    uint64_t counts[TALLY_COUNTS]; /* the first decides what is kept */
    uint64_t missed;               /* so many more of each there may have been, at most */
    uint32_t at;                   /* private: where its octets are */
    uint16_t key_len;              /* octets of its key */
};

/* Lossy counting (Manku and Motwani, 2002), by thinning out: where there is no room, what was seen
 * no more often than the median goes. All that was seen more often than `missed` is there. What is
 * kept depends on the keys and their order alone. */
struct tally {
    uint64_t missed; /* no key that is not there was seen more often; 0: all are there */
    struct tally_entry *entries; /* `count` of them, to be read by whoever owns the tally */
    size_t count;
    /* private */
    size_t cap, value_len;
    uint32_t *slots;
    size_t slot_count;
    uint8_t *octets; /* keys, each with its value behind it */
    size_t octets_len, octets_cap;
    uint64_t *scratch, seed;
};

/* Without memory, the command ends as tools/text/buffer.h says. `cap` entries whose keys and values
 * take `octets_cap` octets together; a key has at most octets_cap / 4 and 65,535. seed: for the
 * hash table, so that nobody can know which keys meet in it. */
void tally_open(struct tally *tally, size_t cap, size_t octets_cap, size_t value_len,
                uint64_t seed);
void tally_close(struct tally *tally);

/* The entry of a key; one that is new has counts of 0 and a value of zeros, and *fresh is set
 * (fresh may be NULL). Valid until the next call. */
struct tally_entry *tally_find(struct tally *tally, const void *key, size_t len, bool *fresh);

/* The octets of an entry; its value, unaligned, has value_len. */
const uint8_t *tally_key(const struct tally *tally, const struct tally_entry *entry);
void *tally_value(const struct tally *tally, const struct tally_entry *entry);

/* The `max` entries with the most of counts[which], at least 1, the most first; among equals by
 * counts[0], then by key. Returns how many there are in top. tally_insert: puts one more where it
 * belongs in a top of `count`, of which what is more than `max` falls off. */
size_t tally_insert(const struct tally *tally, size_t which, const struct tally_entry **top,
                    size_t count, size_t max, const struct tally_entry *entry);
size_t tally_top(const struct tally *tally, size_t which, const struct tally_entry **top,
                 size_t max);

#endif
