/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a message says of the reply that it is, for the log. */
#ifndef XNM_MODULE_ENGINE_SAID_H
#define XNM_MODULE_ENGINE_SAID_H

#include "module/engine/packet.h"
#include "module/log/logreply.h"

/* A reply's message, and room for one of its records. */
struct xnm_said {
    struct xnm_packet packet;
    struct xnm_packet_record record;
};

/* Sets what a reply says: has_flags, flags, dnssec_ok, error, next_answer and answer_source.
 * Returns its rcode, with the upper bits of an OPT record (RFC 6891, section 6.1.3). *said, whose
 * packet is open, and its octets must outlive the reply. A walk over the answers ends at the first
 * malformed record. */
int xnm_said_read(struct xnm_said *said, struct xnm_reply *reply);

#endif
