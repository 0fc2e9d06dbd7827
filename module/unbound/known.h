/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers messages and RRsets of Unbound's caches that match no rule for any client. Nearly every
 * hit is one of them, so that it costs a comparison of names instead of a decision.
 *
 * Each thread has a table of its own (0.7 MB, allocated when it first remembers something, freed
 * when the thread ends), so there is no lock. The address of the message chooses the row, so there
 * is no hash of a name: a message that is hit again is still at its address. Each row holds a copy
 * of the message's names and all octets are compared, so that another message at the same address
 * is never mistaken for it. */
#ifndef XNM_MODULE_UNBOUND_KNOWN_H
#define XNM_MODULE_UNBOUND_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reply_info;

/* The key of an entry. All pointers are borrowed. */
struct xnm_known {
    const void *at;      /* the cached message or RRset; its address alone is used */
    uint64_t generation; /* of the policy that decided */
    uint16_t qtype, qclass;
    const uint8_t *name; /* wire format: the name asked for, or the RRset's owner */
    size_t name_len;
    const struct reply_info *rep; /* the message; NULL: an RRset */
};

/* Returns whether this thread remembers it. The name must be in lower case to be found. False also
 * if an RRset of the answer section has an owner that is not the end of the chain of CNAME records
 * before it. */
bool xnm_known_has(const struct xnm_known *known);

/* Remembers it, in place of the oldest of its row. Does nothing if there is no memory, or if the
 * names have more than 144 octets in all. */
void xnm_known_add(const struct xnm_known *known);

#endif
