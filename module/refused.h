/* SPDX-License-Identifier: BSD-3-Clause */
/* Refused chains, remembered: an answer whose aliases lead to a refused name is kept out of the
 * resolver's cache, and would be fetched anew for each query. One table a thread, of
 * XNM_REFUSED_MAX places, in which newer ones take the place of older ones. Host-free. */
#ifndef XNM_MODULE_REFUSED_H
#define XNM_MODULE_REFUSED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    XNM_REFUSED_MAX = 8192,
    XNM_REFUSED_SECONDS_MAX = 60,
    XNM_REFUSED_CHAIN_MAX = 2048, /* octets, with 48 or so for each link; a longer chain is not
                                     remembered */
    XNM_REFUSED_LINKS_MAX = 32    /* nor one of more links */
};

/* One CNAME or DNAME RRset of a chain: a single record, without its signatures. */
struct xnm_refused_link {
    const uint8_t *owner;
    size_t owner_len;
    uint16_t type;
    uint32_t ttl; /* seconds */
    const uint8_t *rdata;
    size_t rdata_len;
};

/* What leads to a refused name. The links point elsewhere. */
struct xnm_refused_chain {
    struct xnm_refused_link links[XNM_REFUSED_LINKS_MAX];
    size_t count;
    size_t next; /* private: of the walk */
};

/* Gives the targets of the chain's CNAMEs in their order; false at the end, and the next call
 * begins again. An xnm_chain_next. */
bool xnm_refused_next_target(void *chain, const uint8_t **target, size_t *len);

/* Leaves of the chain what comes before the n-th target (counted from 1), and the CNAME that leads
 * to it; nothing for 0. False: it has not as many. */
bool xnm_refused_cut(struct xnm_refused_chain *chain, unsigned target);

/* Remembers the chain that begins at qname for qtype: valid for the least of its TTLs and a minute,
 * and for this generation of the policy. Silently does nothing without memory. `now` is in seconds,
 * of any one clock. */
void xnm_refused_remember(const uint8_t *qname, size_t qname_len, uint16_t qtype,
                          uint64_t generation, time_t now, const struct xnm_refused_link *links,
                          size_t link_count);

/* Finds it again. Returns how many links there are (0: not remembered), their TTLs lessened by the
 * time since; at most `cap` are written. They point into the table: valid until the thread's next
 * call. Names are compared without case. */
size_t xnm_refused_find(const uint8_t *qname, size_t qname_len, uint16_t qtype, uint64_t generation,
                        time_t now, struct xnm_refused_link *links, size_t cap);

#endif
