/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of names and records in wire format, as rules and zones hold them. */
#ifndef XNM_MODULE_BASE_RECORD_H
#define XNM_MODULE_BASE_RECORD_H

#include "core/wire/wire.h"

#include <stdint.h>

/* A wire-format name in lower case. */
struct xnm_wirename {
    uint8_t len; /* octets, including the root label; 0: no name */
    uint8_t octets[XN_WIRE_NAME_MAX];
};

/* One of the operator's records; its owner is the qname. */
struct xnm_record {
    uint16_t type;
    uint16_t rdata_len;
    uint32_t ttl;   /* seconds */
    uint8_t *rdata; /* wire format, uncompressed; owned along with the record */
};

#endif
