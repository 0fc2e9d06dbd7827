/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and records in wire format, for rules and zones. */
#ifndef XNM_MODULE_BASE_RECORD_H
#define XNM_MODULE_BASE_RECORD_H

#include "core/wire/size.h"

#include <stdint.h>
#include <string.h>

/* A wire-format name in lower case. */
struct xnm_wirename {
    uint8_t len; /* octets, including the root label; 0: no name */
    uint8_t octets[XN_WIRE_NAME_MAX];
};

/* Returns the length of the name that octets begin with; 0: there is none, or it is compressed. */
static inline size_t xnm_wirename_len(const uint8_t *octets, size_t len)
{
    size_t at = 0;

    while (at < len && octets[at] != 0 && octets[at] <= XN_WIRE_LABEL_MAX)
        at += octets[at] + 1U;
    return at >= len || at >= XN_WIRE_NAME_MAX || octets[at] != 0 ? 0 : at + 1;
}

/* Returns the octets before `tail` in a name: 0 if they are the same name. SIZE_MAX: the name is
 * neither `tail` nor below it. */
static inline size_t xnm_wirename_before(const uint8_t *name, size_t len, const uint8_t *tail,
                                         size_t tail_len)
{
    size_t at = 0;

    while (len - at > tail_len)
        at += name[at] + 1U;
    return len - at == tail_len && memcmp(name + at, tail, tail_len) == 0 ? at : SIZE_MAX;
}

/* One of the operator's records; its owner is the qname. */
struct xnm_record {
    uint16_t type;
    uint16_t rdata_len;
    uint32_t ttl;   /* seconds */
    uint8_t *rdata; /* wire format, uncompressed; owned along with the record */
};

#endif
