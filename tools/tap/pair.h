/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers when queries arrived, for senders whose responses do not say it. The table has a fixed
 * size; a later query may take an earlier one's place. */
#ifndef XN_TOOLS_TAP_PAIR_H
#define XN_TOOLS_TAP_PAIR_H

#include <stdint.h>

struct tap_pairs;

/* Makes a table. NULL: no memory. The caller owns it. */
struct tap_pairs *tap_pairs_new(void);
void tap_pairs_free(struct tap_pairs *pairs); /* NULL is fine */

struct tap_exchange {
    uint64_t sender; /* its number */
    const uint8_t *address, *qname;
    uint8_t address_len, qname_len;
    uint16_t port, id, qtype;
};

/* Remembers a query's time. */
void tap_pairs_ask(struct tap_pairs *pairs, const struct tap_exchange *exchange,
                   uint64_t microseconds);

/* Returns the time of the query for a response, and forgets it; 0: it is not known. */
uint64_t tap_pairs_answer(struct tap_pairs *pairs, const struct tap_exchange *exchange);

#endif
