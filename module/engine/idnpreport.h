/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a reply's message for the log. */
#ifndef XNM_MODULE_ENGINE_IDNPREPORT_H
#define XNM_MODULE_ENGINE_IDNPREPORT_H

#include "module/engine/packet.h"
#include "module/log/logreply.h"

/* A reply's message, and memory for one of its records. */
struct xnm_idnpreport {
    struct xnm_packet packet;
    struct xnm_packet_record record;
};

/* Sets the members of a reply that its message has: has_flags, flags, dnssec_ok, error, next_answer
 * and answer_source. Returns its rcode, with the upper bits of an OPT record (RFC 6891,
 * section 6.1.3). *message, whose packet is open, and its octets must outlive the reply. A walk
 * over the answers ends at the first malformed record. */
int xnm_idnpreport_read(struct xnm_idnpreport *message, struct xnm_reply *reply);

#endif
