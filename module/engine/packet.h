/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a DNS message (RFC 1035, section 4), whose octets may be anything. */
#ifndef XNM_MODULE_ENGINE_PACKET_H
#define XNM_MODULE_ENGINE_PACKET_H

#include "core/wire/expand.h"
#include "module/answer/aliaschain.h"
#include "module/base/record.h"

enum {
    XNM_PACKET_MAX = 65535,
    XNM_PACKET_QR = 0x8000,
    XNM_PACKET_OPCODE = 0x7800,
    XNM_PACKET_TC = 0x0200,
    XNM_PACKET_RD = 0x0100,
    XNM_PACKET_RA = 0x0080,
    XNM_PACKET_CD = 0x0010,
    XNM_PACKET_RCODE = 0x000F,
    XNM_TYPE_OPT = 41 /* RFC 6891 */
};

typedef enum { XNM_IN_ANSWER, XNM_IN_AUTHORITY, XNM_IN_ADDITIONAL, XNM_IN_NONE } xnm_section;

struct xnm_packet {
    const uint8_t *octets; /* borrowed */
    size_t len;
    uint16_t id, flags;
    uint16_t counts[XNM_IN_NONE]; /* of records, from the header */
    bool qname_is_whole;          /* not compressed: a pointer to it is the whole name */
    uint8_t qname[XN_WIRE_NAME_MAX];
    size_t qname_len;
    uint16_t qtype, qclass;
    size_t records_at;
};

/* Opens a message. Returns false if it has no whole header with one question. */
bool xnm_packet_open(struct xnm_packet *packet, const uint8_t *octets, size_t len);

/* Returns whether the message asks this question. */
bool xnm_packet_asks(const struct xnm_packet *packet, const uint8_t *qname, size_t qname_len,
                     uint16_t qtype, uint16_t qclass);

struct xnm_packet_record {
    size_t at; /* the offset at which it begins */
    xnm_section section;
    const uint8_t *owner; /* in `storage`, or the packet's qname */
    size_t owner_len;
    uint8_t storage[XN_WIRE_NAME_MAX];
    uint16_t type, rclass;
    uint32_t ttl;
    size_t rdata_at, rdata_len;
};

/* A walk over all records. */
struct xnm_packet_walk {
    const struct xnm_packet *packet;
    size_t at; /* the offset at which the next one begins */
    xnm_section section;
    unsigned left; /* records of the section */
    bool is_malformed;
};
struct xnm_packet_walk xnm_packet_walk(const struct xnm_packet *packet);

/* Reads the next record. Returns false at the end, or if no record follows, which sets
 * walk->is_malformed. */
bool xnm_packet_next(struct xnm_packet_walk *walk, struct xnm_packet_record *record);

/* Returns whether the record is additional data: any in the additional section except OPT, and in
 * the authority section any of other types than these: NS, SOA, DS, NSEC, NSEC3 and their RRSIG.
 */
bool xnm_packet_is_additional(const struct xnm_packet *packet,
                              const struct xnm_packet_record *record);

/* Writes the RDATA, without compression for types that may have it (RFC 3597, section 4). dst has
 * room for XNM_PACKET_RDATA_MAX octets. Returns the octets written; -1: it is malformed, or longer
 * than XNM_PACKET_MAX. */
enum { XNM_PACKET_RDATA_MAX = XNM_PACKET_MAX + 2 * XN_WIRE_NAME_MAX };
long xnm_packet_rdata(const struct xnm_packet *packet, const struct xnm_packet_record *record,
                      uint8_t *dst);

/* The contents of a query's OPT record. */
struct xnm_packet_edns {
    bool present, dnssec_ok;
    uint8_t version;
    uint16_t size; /* octets of a reply over UDP */
    size_t options_at, options_len;
};

/* Reads the OPT record. Returns false if the message is malformed, or has several OPT records. */
bool xnm_packet_edns(const struct xnm_packet *packet, struct xnm_packet_edns *edns);

/* An EDNS option (RFC 6891, section 6.1.2). */
struct xnm_packet_edns_option {
    uint16_t code;
    size_t len; /* octets of its data */
    const uint8_t *data;
};

/* Reads the option at *at, of the *left octets of options, and moves both behind it. Returns false
 * at the end, or if the option is cut. */
bool xnm_packet_next_option(const uint8_t **at, size_t *left,
                            struct xnm_packet_edns_option *option);

/* Returns the data of the OPT record's first option of this code, *len octets; NULL: it has none.
 */
const uint8_t *xnm_packet_option(const struct xnm_packet *packet,
                                 const struct xnm_packet_edns *edns, uint16_t code, size_t *len);

/* The CNAME and DNAME records of an answer, in the order in which they continue its question.
 */
enum { XNM_PACKET_ALIASES_MAX = 64 };
struct xnm_packet_alias {
    uint8_t owner[XN_WIRE_NAME_MAX], target[XN_WIRE_NAME_MAX];
    size_t owner_len, target_len;
    uint32_t ttl;
    uint16_t type;
    bool used;
};
struct xnm_packet_aliases {
    struct xnm_packet_alias list[XNM_PACKET_ALIASES_MAX];
    size_t count;
};

/* Walks over all records. Writes the chain, whose links point into *aliases, and sets *others to
 * the number of records that may have another owner than the chain's names: additional ones, and
 * those of the answer section that are not the question's name's. If a DNAME leads on and its CNAME
 * is missing, the CNAME is made (RFC 6672, section 3.1). Returns false if a record is malformed, a
 * name of the chain has two CNAMEs (RFC 2181, section 10.1), two DNAMEs above it, or a CNAME that
 * its DNAME does not make, or there are more aliases than fit. */
bool xnm_packet_chain(const struct xnm_packet *packet, struct xnm_packet_aliases *aliases,
                      struct xnm_aliaschain *chain, size_t *others);

/* Returns whether a record of the answer section has an owner that the question or its chain leads
 * to: the question's name, the target of a CNAME, or the owner of a DNAME. */
bool xnm_packet_leads_to(const struct xnm_packet *packet, const struct xnm_packet_aliases *aliases,
                         const struct xnm_packet_record *record);

#endif
