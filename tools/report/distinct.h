/* SPDX-License-Identifier: BSD-3-Clause */
/* How many different texts there were, in memory that has a bound. */
#ifndef XN_TOOLS_REPORT_DISTINCT_H
#define XN_TOOLS_REPORT_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISTINCT_REGISTERS = 1 << 14 };

/* Exact up to `cap`; beyond that HyperLogLog (Flajolet and others, 2007), whose standard error is
 * 0.8 % with so many registers. Names that somebody made for it can lead it astray: but never to
 * fewer than were found before, nor to more than were added. */
struct distinct {
    uint64_t *hashes; /* 0: free */
    size_t slot_count, cap, count;
    uint64_t added;
    unsigned slot_bits;
    bool estimated;
    uint64_t secret;
    uint8_t registers[DISTINCT_REGISTERS];
};

/* secret: where hashes lie in the table, so that nobody can know which of them meet; no count
 * depends on it. Without memory, the command ends as tools/text/buffer.h says. */
void distinct_open(struct distinct *distinct, size_t cap, uint64_t secret);
void distinct_close(struct distinct *distinct);
void distinct_add(struct distinct *distinct, const void *key, size_t len);

/* How many different keys were added; *estimated: about so many. */
uint64_t distinct_count(const struct distinct *distinct, bool *estimated);

#endif
