/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a reply in wire format. Owners are compressed where they repeat the question's name or the
 * record's before. */
#ifndef XNM_MODULE_ENGINE_COMPOSE_H
#define XNM_MODULE_ENGINE_COMPOSE_H

#include "module/engine/packet.h"

struct xnm_compose {
    uint8_t *dst; /* borrowed */
    size_t limit; /* octets that the reply may have */
    size_t kept;  /* … that are kept for the OPT record */
    size_t len;
    size_t question_end;
    size_t owner_at, owner_len; /* the last owner that was written whole */
    bool is_full;               /* something did not fit, and was left out */
};

/* Writes the header, with `flags` and no records, and the query's question. The OPT record keeps
 * room for `opt_len` octets of options, if the query has EDNS. False: no room. */
bool xnm_compose_begin(struct xnm_compose *reply, const struct xnm_packet *query, uint16_t flags,
                       const struct xnm_packet_edns *edns, size_t opt_len);

/* Appends a record of a section; sections must come in their order. */
void xnm_compose_record(struct xnm_compose *reply, xnm_section section, const uint8_t *owner,
                        size_t owner_len, uint16_t type, uint16_t rclass, uint32_t ttl,
                        const uint8_t *rdata, size_t rdata_len);

/* Appends the OPT record: with the extended error, if option_len is not 0. */
void xnm_compose_opt(struct xnm_compose *reply, const struct xnm_packet_edns *edns,
                     const uint8_t *ede, size_t ede_len);

/* Removes all records, and sets TC. */
void xnm_compose_truncate(struct xnm_compose *reply);

#endif
