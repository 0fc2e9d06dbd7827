/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/compose.h"

#include <string.h>

enum {
    OPT_HEAD = 11,    /* RFC 6891, section 6.1.2: root, type, size, flags, length */
    OPTION_HEAD = 4,  /* code and length */
    OPTION_EDE = 15,  /* RFC 8914 */
    UDP_SIZE = 1232,  /* octets that we take over UDP, as other resolvers say */
    POINTER = 0xC000, /* RFC 1035, section 4.1.4 */
    POINTER_MAX = 0x3FFF,
    DNSSEC_OK = 0x8000
};

static void put_u16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    put_u16(at, value >> 16);
    put_u16(at + 2, value & 0xFFFF);
}

static size_t opt_len(size_t ede_len)
{
    return OPT_HEAD + (ede_len > 0 ? OPTION_HEAD + ede_len : 0);
}

bool xnm_compose_begin(struct xnm_compose *reply, const struct xnm_packet *query, uint16_t flags,
                       const struct xnm_packet_edns *edns, size_t ede_len)
{
    reply->question_end = XN_WIRE_HEADER_LEN + query->qname_len + 4;
    reply->kept = edns->present ? opt_len(ede_len) : 0;
    reply->len = reply->question_end;
    reply->owner_at = XN_WIRE_HEADER_LEN;
    reply->owner_len = query->qname_len;
    reply->is_full = false;
    if (reply->len + reply->kept > reply->limit)
        return false;
    memset(reply->dst, 0, XN_WIRE_HEADER_LEN);
    put_u16(reply->dst, query->id);
    put_u16(reply->dst + 2, flags);
    put_u16(reply->dst + 4, 1);
    memcpy(reply->dst + XN_WIRE_HEADER_LEN, query->qname, query->qname_len);
    put_u16(reply->dst + XN_WIRE_HEADER_LEN + query->qname_len, query->qtype);
    put_u16(reply->dst + XN_WIRE_HEADER_LEN + query->qname_len + 2, query->qclass);
    return true;
}

static void count_record(struct xnm_compose *reply, xnm_section section)
{
    uint8_t *count = reply->dst + 6 + 2 * (size_t)section;

    put_u16(count, (size_t)(count[0] << 8 | count[1]) + 1);
}

/* Returns the offset at which an equal owner was written, or 0 if none is near. */
static size_t find_owner(const struct xnm_compose *reply, const uint8_t *owner, size_t len)
{
    if (len > 2 && len == reply->owner_len && memcmp(reply->dst + reply->owner_at, owner, len) == 0)
        return reply->owner_at;
    if (len > 2 && len + 4 == reply->question_end - XN_WIRE_HEADER_LEN &&
        memcmp(reply->dst + XN_WIRE_HEADER_LEN, owner, len) == 0)
        return XN_WIRE_HEADER_LEN;
    return 0;
}

void xnm_compose_record(struct xnm_compose *reply, xnm_section section, const uint8_t *owner,
                        size_t owner_len, uint16_t type, uint16_t rclass, uint32_t ttl,
                        const uint8_t *rdata, size_t rdata_len)
{
    enum { FIXED = 10 };
    size_t pointer = find_owner(reply, owner, owner_len), name_len = pointer ? 2 : owner_len;
    uint8_t *at = reply->dst + reply->len;

    if (reply->is_full || name_len + FIXED + rdata_len > reply->limit - reply->kept - reply->len) {
        reply->is_full = true;
        return;
    }
    if (pointer) {
        put_u16(at, POINTER | pointer);
    } else {
        memcpy(at, owner, owner_len);
        if (reply->len <= POINTER_MAX) {
            reply->owner_at = reply->len;
            reply->owner_len = owner_len;
        }
    }
    at += name_len;
    put_u16(at, type);
    put_u16(at + 2, rclass);
    put_u32(at + 4, ttl);
    put_u16(at + 8, rdata_len);
    if (rdata_len > 0)
        memcpy(at + FIXED, rdata, rdata_len);
    reply->len += name_len + FIXED + rdata_len;
    count_record(reply, section);
}

void xnm_compose_opt(struct xnm_compose *reply, const struct xnm_packet_edns *edns,
                     const uint8_t *ede, size_t ede_len)
{
    uint8_t *at = reply->dst + reply->len;

    if (!edns->present)
        return;
    at[0] = 0;
    put_u16(at + 1, XNM_TYPE_OPT);
    put_u16(at + 3, UDP_SIZE);
    put_u32(at + 5, edns->dnssec_ok ? DNSSEC_OK : 0);
    put_u16(at + 9, opt_len(ede_len) - OPT_HEAD);
    if (ede_len > 0) {
        put_u16(at + OPT_HEAD, OPTION_EDE);
        put_u16(at + OPT_HEAD + 2, ede_len);
        memcpy(at + OPT_HEAD + OPTION_HEAD, ede, ede_len);
    }
    reply->len += opt_len(ede_len);
    count_record(reply, XNM_IN_ADDITIONAL);
}

void xnm_compose_truncate(struct xnm_compose *reply)
{
    reply->len = reply->question_end;
    reply->dst[2] |= XNM_PACKET_TC >> 8;
    memset(reply->dst + 6, 0, 6);
}
