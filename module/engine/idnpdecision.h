/* SPDX-License-Identifier: BSD-3-Clause */
/* A decision of the library: its memory, and how it is made. */
#ifndef XNM_MODULE_ENGINE_IDNPDECISION_H
#define XNM_MODULE_ENGINE_IDNPDECISION_H

#include "module/answer/response.h"
#include "module/answer/structured.h"
#include "module/engine/handle.h"
#include "module/engine/packet.h"
#include "module/policy/match.h"

struct xnm_idnpdecision_memory {
    struct idnp_decision decision; /* must be first */
    struct xnm_match match;        /* if `matched` */
    struct xnm_aliaschain chain;
    char subject[XNM_MATCH_SUBJECT_MAX + 1], target[XN_WIRE_TEXT_MAX + 1];
    char ede_text[XNM_RULE_EDE_TEXT_MAX + 1];
    uint8_t ede_option[XNM_EDE_OPTION_MAX]; /* its data in an OPT record */
    size_t ede_option_len;                  /* 0: none */
    /* The same for a client that asks for structured errors, whole and brief, each with a NUL. */
    uint8_t structured[XNM_STRUCTURED_MAX + 1], brief[XNM_STRUCTURED_MAX + 1];
    size_t structured_len, brief_len;
    struct xnm_response response;
    struct idnp_record records[XNM_RESPONSE_RECORDS_MAX];
    uint8_t octets[XNM_RESPONSE_OCTETS_MAX]; /* of the records */
    struct xnm_packet_aliases aliases;       /* of a message's answer */
    uint8_t rdata[XNM_PACKET_RDATA_MAX];     /* of a record that is copied */
};

static inline struct xnm_idnpdecision_memory *
xnm_idnpdecision_memory(struct idnp_decision *decision)
{
    return (struct xnm_idnpdecision_memory *)(void *)decision;
}

/* Returns whether these octets are a name, uncompressed. */
bool xnm_idnpdecision_is_name(const uint8_t *name, size_t len);

/* Forgets an earlier decision. */
void xnm_idnpdecision_clear(struct idnp_decision *decision);

/* Reads the address of a question, whose len is 0 if it is unknown. False: no address has that
 * length. */
bool xnm_idnpdecision_client(const uint8_t address[16], uint32_t len, struct xnm_prefix *client);

/* Replaces *client, if its address is a forwarder's, by the client that the forwarder names.
 * `subnet` is the data of the query's EDNS Client Subnet option; NULL: it has none. Returns whether
 * a forwarder names one.
 */
bool xnm_idnpdecision_name_client(const struct xnm_state *state, const uint8_t *subnet, size_t len,
                                  struct xnm_prefix *client);

/* Decides the question and memory->chain, whose links borrow their memory until the call returns.
 * flags are those of a question. Returns the result, which is also in the decision. */
int32_t xnm_idnpdecision_decide(const struct xnm_state *state, const struct xnm_question *question,
                                uint32_t flags, struct xnm_idnpdecision_memory *memory);

#endif
