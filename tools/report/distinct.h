/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts different texts in bounded memory. */
#ifndef XN_TOOLS_REPORT_DISTINCT_H
#define XN_TOOLS_REPORT_DISTINCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DISTINCT_REGISTERS = 1 << 14 };

/* The count is exact up to `cap`. Beyond that it is an estimate by HyperLogLog (Flajolet and
 * others, 2007), with a standard error of 0.8 % for so many registers. Crafted names can falsify
 * the estimate, but it is never lower than the exact count before, nor higher than the number of
 * texts added. */
struct distinct {
    uint64_t *hashes; /* 0: free */
    size_t slot_count, cap, count;
    uint64_t added;
    unsigned slot_bits;
    bool estimated;
    uint64_t secret;
    uint8_t registers[DISTINCT_REGISTERS];
};

/* `secret` decides where hashes lie in the table, so that nobody can know which of them collide. No
 * count depends on it. Exits as tools/text/buffer.h says if there is no memory. */
void distinct_open(struct distinct *distinct, size_t cap, uint64_t secret);
void distinct_close(struct distinct *distinct);
void distinct_add(struct distinct *distinct, const void *key, size_t len);

/* Returns how many different keys were added; *estimated tells whether that is an estimate. */
uint64_t distinct_count(const struct distinct *distinct, bool *estimated);

#endif
