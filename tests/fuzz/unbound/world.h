/* SPDX-License-Identifier: BSD-3-Clause */
/* An Unbound in one process, without a network: its own mesh, modules and caches, with ours before
 * the validator and the iterator. There are no trust anchors. The caller of these functions plays
 * the clients, the servers and the clock. */
#ifndef XN_TESTS_FUZZ_UNBOUND_WORLD_H
#define XN_TESTS_FUZZ_UNBOUND_WORLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A query that Unbound has sent and that no server has answered yet. */
struct sent {
    const uint8_t *qname;
    size_t qname_len;
    uint16_t qtype, qclass;
};

/* How a client asks: over TCP or UDP; from 192.0.2.1 or 198.51.100.1. */
struct client {
    bool is_tcp, is_inside;
};

/* Called for each reply to a client, with the message. */
typedef void on_reply(const uint8_t *message, size_t len, struct client client);

/* Starts Unbound with a configuration file of its own and one of the module; once. */
void world_start(const char *unbound_conf, const char *idn_conf, on_reply *reply);

/* A client asks; `flags` are those of the header. */
void world_ask(uint8_t *qname, size_t qname_len, uint16_t qtype, uint16_t flags,
               struct client client);

/* Something in Unbound asks, as for a trust anchor or a zone transfer. */
void world_ask_for_itself(uint8_t *qname, size_t qname_len, uint16_t qtype);

/* The number of queries that wait for an answer, and one of them. Valid until the next call. */
size_t world_sent_count(void);
struct sent world_sent(size_t i);

/* A server answers one of them; message NULL: none does, and time is over. */
void world_answer(size_t i, const uint8_t *message, size_t len);

void world_pass_time(unsigned seconds);

/* Each kind of client asks for each message in the cache, fresh or expired, and gets what a worker
 * would give it: on_reply is called. The cache stays as it is. */
void world_ask_for_cached(void);

/* Ends all queries, empties the caches, and begins again: with dns64 before the validator, and with
 * QNAME minimisation, or without. */
void world_reset(bool has_dns64, bool minimises);

#endif
