/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/engine/packet.h"

#include "core/wire/walk.h"
#include "module/base/rrtype.h"

#include <string.h>

static uint16_t u16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

static uint32_t u32(const uint8_t *at)
{
    return (uint32_t)u16(at) << 16 | u16(at + 2);
}

bool xnm_packet_open(struct xnm_packet *packet, const uint8_t *octets, size_t len)
{
    size_t at = XN_WIRE_HEADER_LEN;

    if (!octets || len < XN_WIRE_HEADER_LEN || len > XNM_PACKET_MAX || u16(octets + 4) != 1)
        return false;
    packet->octets = octets;
    packet->len = len;
    packet->id = u16(octets);
    packet->flags = u16(octets + 2);
    for (size_t i = 0; i < XNM_IN_NONE; i++)
        packet->counts[i] = u16(octets + 6 + 2 * i);
    packet->qname_len = xn_wire_expand(octets, len, &at, packet->qname);
    if (packet->qname_len == 0 || len - at < 4)
        return false;
    packet->qname_is_whole = at == XN_WIRE_HEADER_LEN + packet->qname_len;
    packet->qtype = u16(octets + at);
    packet->qclass = u16(octets + at + 2);
    packet->records_at = at + 4;
    return true;
}

static bool is_same_name(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    uint8_t lower_a[XN_WIRE_NAME_MAX], lower_b[XN_WIRE_NAME_MAX];

    if (a_len != b_len)
        return false;
    xn_wire_lower(lower_a, a, a_len);
    xn_wire_lower(lower_b, b, b_len);
    return memcmp(lower_a, lower_b, a_len) == 0;
}

bool xnm_packet_asks(const struct xnm_packet *packet, const uint8_t *qname, size_t qname_len,
                     uint16_t qtype, uint16_t qclass)
{
    return packet->qtype == qtype && packet->qclass == qclass &&
           is_same_name(packet->qname, packet->qname_len, qname, qname_len);
}

/* --- records --- */

struct xnm_packet_walk xnm_packet_walk(const struct xnm_packet *packet)
{
    return (struct xnm_packet_walk){.packet = packet,
                                    .at = packet->records_at,
                                    .section = XNM_IN_ANSWER,
                                    .left = packet->counts[XNM_IN_ANSWER]};
}

/* Reads an owner; most are a pointer to the question. Returns where the name ends; 0: it is
 * malformed. */
static size_t read_owner(const struct xnm_packet *packet, size_t at,
                         struct xnm_packet_record *record)
{
    enum { TO_QUESTION = 0xC000 | XN_WIRE_HEADER_LEN };

    if (packet->len - at >= 2 && u16(packet->octets + at) == TO_QUESTION &&
        packet->qname_is_whole) {
        record->owner = packet->qname;
        record->owner_len = packet->qname_len;
        return at + 2;
    }
    record->owner = record->storage;
    record->owner_len = xn_wire_expand(packet->octets, packet->len, &at, record->storage);
    return record->owner_len > 0 ? at : 0;
}

bool xnm_packet_next(struct xnm_packet_walk *walk, struct xnm_packet_record *record)
{
    enum { FIXED = 10 }; /* type, class, TTL and length */
    const struct xnm_packet *packet = walk->packet;

    while (walk->left == 0 && walk->section < XNM_IN_ADDITIONAL)
        walk->left = packet->counts[++walk->section];
    if (walk->left == 0)
        return false;
    walk->is_malformed = true; /* until it is found to be whole */
    record->at = walk->at;
    record->section = walk->section;
    size_t at = read_owner(packet, walk->at, record);
    if (at == 0 || packet->len - at < FIXED)
        return false;
    record->type = u16(packet->octets + at);
    record->rclass = u16(packet->octets + at + 2);
    record->ttl = u32(packet->octets + at + 4);
    record->rdata_len = u16(packet->octets + at + 8);
    record->rdata_at = at + FIXED;
    if (packet->len - record->rdata_at < record->rdata_len)
        return false;
    walk->at = record->rdata_at + record->rdata_len;
    walk->left--;
    walk->is_malformed = false;
    return true;
}

/* Returns the type; of an RRSIG record, the type that it covers. */
static uint16_t type_of_data(const struct xnm_packet *packet,
                             const struct xnm_packet_record *record)
{
    return record->type == XNM_TYPE_RRSIG && record->rdata_len >= 2
               ? u16(packet->octets + record->rdata_at)
               : record->type;
}

bool xnm_packet_is_additional(const struct xnm_packet *packet,
                              const struct xnm_packet_record *record)
{
    if (record->section != XNM_IN_AUTHORITY)
        return record->section == XNM_IN_ADDITIONAL && record->type != XNM_TYPE_OPT;
    switch (type_of_data(packet, record)) {
    case XNM_TYPE_NS:
    case XNM_TYPE_SOA:
    case XNM_TYPE_DS:
    case XNM_TYPE_NSEC:
    case XNM_TYPE_NSEC3:
        return false;
    default:
        return true;
    }
}

/* --- RDATA --- */

/* Describes the RDATA of types that may have compressed names (RFC 1035, section 3.3; RFC 3597,
 * section 4), and of addresses: `n` is a name, `s` a character-string, a digit is that many octets,
 * and after a dot nothing may follow. */
static const char *fields_of(uint16_t type)
{
    switch (type) {
    case 1: /* A */
        return "4.";
    case 28: /* AAAA */
        return "88.";
    case 2:  /* NS */
    case 3:  /* MD */
    case 4:  /* MF */
    case 5:  /* CNAME */
    case 7:  /* MB */
    case 8:  /* MG */
    case 9:  /* MR */
    case 12: /* PTR */
    case 39: /* DNAME */
        return "n.";
    case 14: /* MINFO */
    case 17: /* RP */
        return "nn.";
    case 6: /* SOA */
        return "nn992.";
    case 15: /* MX */
    case 18: /* AFSDB */
    case 21: /* RT */
    case 36: /* KX */
        return "2n.";
    case 26: /* PX */
        return "2nn.";
    case 33: /* SRV */
        return "6n.";
    case 35: /* NAPTR */
        return "4sssn.";
    case 24: /* SIG */
        return "99n";
    case 30: /* NXT */
        return "n";
    default:
        return "";
    }
}

/* Returns the octets of a field other than a name; 0: the message has fewer. */
static size_t field_len(char field, const uint8_t *at, size_t left)
{
    size_t len = field == 's' && left > 0 ? 1 + (size_t)*at : (size_t)(field - '0');

    return left > 0 && len <= left ? len : 0;
}

long xnm_packet_rdata(const struct xnm_packet *packet, const struct xnm_packet_record *record,
                      uint8_t *dst)
{
    size_t at = record->rdata_at, end = at + record->rdata_len, out = 0;

    for (const char *field = fields_of(record->type); *field; field++) {
        if (*field == '.')
            return at == end ? (long)out : -1;
        size_t octets = *field == 'n' ? xn_wire_expand(packet->octets, end, &at, dst + out)
                                      : field_len(*field, packet->octets + at, end - at);
        if (octets == 0)
            return -1;
        if (*field != 'n') {
            memcpy(dst + out, packet->octets + at, octets);
            at += octets;
        }
        out += octets;
    }
    memcpy(dst + out, packet->octets + at, end - at);
    out += end - at;
    return out <= XNM_PACKET_MAX ? (long)out : -1;
}

bool xnm_packet_edns(const struct xnm_packet *packet, struct xnm_packet_edns *edns)
{
    struct xnm_packet_walk walk = xnm_packet_walk(packet);
    struct xnm_packet_record record;

    *edns = (struct xnm_packet_edns){.present = false};
    while (xnm_packet_next(&walk, &record)) {
        if (record.type != XNM_TYPE_OPT)
            continue;
        if (edns->present || record.section != XNM_IN_ADDITIONAL || record.owner_len != 1)
            return false;
        edns->present = true;
        edns->size = record.rclass;
        edns->version = (uint8_t)(record.ttl >> 16);
        edns->dnssec_ok = record.ttl >> 15 & 1;
        edns->options_at = record.rdata_at;
        edns->options_len = record.rdata_len;
    }
    return !walk.is_malformed;
}

bool xnm_packet_next_option(const uint8_t **at, size_t *left, struct xnm_packet_edns_option *option)
{
    enum { HEAD = 4 }; /* octets: the code and the length */
    const uint8_t *head = *at;

    if (*left < HEAD || (size_t)(head[2] << 8 | head[3]) > *left - HEAD)
        return false;
    option->code = (uint16_t)(head[0] << 8 | head[1]);
    option->len = (size_t)(head[2] << 8 | head[3]);
    option->data = head + HEAD;
    *at += HEAD + option->len;
    *left -= HEAD + option->len;
    return true;
}

const uint8_t *xnm_packet_option(const struct xnm_packet *packet,
                                 const struct xnm_packet_edns *edns, uint16_t code, size_t *len)
{
    const uint8_t *at = packet->octets + edns->options_at;
    size_t left = edns->options_len;
    struct xnm_packet_edns_option option;

    while (xnm_packet_next_option(&at, &left, &option)) {
        *len = option.len;
        if (option.code == code)
            return option.data;
    }
    return NULL;
}

/* --- aliases --- */

/* Adds the record to *aliases if it is one. Returns false if it is malformed or does not fit. */
static bool keep_alias(const struct xnm_packet *packet, const struct xnm_packet_record *record,
                       struct xnm_packet_aliases *aliases)
{
    if ((record->type != XNM_TYPE_CNAME && record->type != XNM_TYPE_DNAME) ||
        record->rclass != XNM_CLASS_IN)
        return true;
    size_t at = record->rdata_at;
    if (aliases->count == XNM_PACKET_ALIASES_MAX)
        return false;
    struct xnm_packet_alias *alias = &aliases->list[aliases->count++];
    alias->target_len =
        xn_wire_expand(packet->octets, record->rdata_at + record->rdata_len, &at, alias->target);
    alias->owner_len = record->owner_len;
    memcpy(alias->owner, record->owner, record->owner_len);
    alias->ttl = record->ttl;
    alias->type = record->type;
    alias->used = false;
    return alias->target_len > 0 && at == record->rdata_at + record->rdata_len;
}

static bool keep_aliases(const struct xnm_packet *packet, struct xnm_packet_aliases *aliases,
                         size_t *others)
{
    struct xnm_packet_walk walk = xnm_packet_walk(packet);
    struct xnm_packet_record record;

    aliases->count = *others = 0;
    while (xnm_packet_next(&walk, &record)) {
        *others += record.section == XNM_IN_ANSWER ? record.owner != packet->qname
                                                   : xnm_packet_is_additional(packet, &record);
        if (record.section == XNM_IN_ANSWER && !keep_alias(packet, &record, aliases))
            return false;
    }
    return !walk.is_malformed;
}

static struct xnm_packet_alias *find_cname(struct xnm_packet_aliases *aliases, const uint8_t *name,
                                           size_t len)
{
    for (size_t i = 0; i < aliases->count; i++) {
        struct xnm_packet_alias *alias = &aliases->list[i];
        if (!alias->used && alias->type == XNM_TYPE_CNAME &&
            is_same_name(alias->owner, alias->owner_len, name, len))
            return alias;
    }
    return NULL;
}

/* Returns the octets of `name` before `parent`; 0: it is not below that. */
static size_t octets_below(const uint8_t *name, size_t len, const struct xnm_packet_alias *parent)
{
    size_t at = 0;

    while (len - at > parent->owner_len)
        at += (size_t)name[at] + 1;
    return is_same_name(name + at, len - at, parent->owner, parent->owner_len) ? at : 0;
}

/* Finds a DNAME above the name, from alias *at on, and moves *at past it. Sets *below to the octets
 * of the name before the DNAME's owner. */
static struct xnm_packet_alias *find_dname(struct xnm_packet_aliases *aliases, size_t *at,
                                           const uint8_t *name, size_t len, size_t *below)
{
    while (*at < aliases->count) {
        struct xnm_packet_alias *alias = &aliases->list[(*at)++];
        if (alias->type != XNM_TYPE_DNAME)
            continue;
        *below = octets_below(name, len, alias);
        if (*below > 0)
            return alias;
    }
    return NULL;
}

/* Adds the CNAME that a DNAME makes of a name; *aliases must have room for it. Returns NULL if the
 * target would be too long: the chain then ends (RFC 6672, section 2.2). */
static struct xnm_packet_alias *make_cname(struct xnm_packet_aliases *aliases,
                                           const struct xnm_packet_alias *dname,
                                           const uint8_t *name, size_t len, size_t below)
{
    if (below + dname->target_len > XN_WIRE_NAME_MAX)
        return NULL;
    struct xnm_packet_alias *alias = &aliases->list[aliases->count++];
    memcpy(alias->owner, name, alias->owner_len = len);
    memcpy(alias->target, name, below);
    memcpy(alias->target + below, dname->target, dname->target_len);
    alias->target_len = below + dname->target_len;
    alias->ttl = dname->ttl;
    alias->type = XNM_TYPE_CNAME;
    alias->used = false;
    return alias;
}

/* Returns whether a CNAME of `name` is the one that the DNAME makes. */
static bool is_made_of(const struct xnm_packet_alias *cname, const struct xnm_packet_alias *dname,
                       const uint8_t *name, size_t below)
{
    return cname->target_len == below + dname->target_len &&
           is_same_name(cname->target, below, name, below) &&
           is_same_name(cname->target + below, dname->target_len, dname->target, dname->target_len);
}

static bool add_link(struct xnm_aliaschain *chain, struct xnm_packet_alias *alias)
{
    if (chain->count == XNM_ALIASCHAIN_MAX)
        return false;
    alias->used = true;
    chain->links[chain->count++] = (struct xnm_aliaschain_link){
        alias->owner, alias->owner_len, alias->type, alias->ttl, alias->target, alias->target_len};
    return true;
}

bool xnm_packet_chain(const struct xnm_packet *packet, struct xnm_packet_aliases *aliases,
                      struct xnm_aliaschain *chain, size_t *others)
{
    const uint8_t *name = packet->qname;
    size_t len = packet->qname_len;

    chain->count = chain->next = 0;
    if (!keep_aliases(packet, aliases, others))
        return false;
    if (aliases->count == 0)
        return true;
    for (;;) {
        size_t at = 0, below, other_below;
        struct xnm_packet_alias *dname = find_dname(aliases, &at, name, len, &below);
        struct xnm_packet_alias *cname = find_cname(aliases, name, len);

        if (dname && ((cname && !is_made_of(cname, dname, name, below)) ||
                      find_dname(aliases, &at, name, len, &other_below)))
            return false; /* it is not known which one clients follow */
        if (dname && !dname->used) {
            if (!add_link(chain, dname) || (!cname && aliases->count == XNM_PACKET_ALIASES_MAX))
                return false;
            if (!cname)
                cname = make_cname(aliases, dname, name, len, below);
        }
        if (!cname)
            return true;
        if (!add_link(chain, cname))
            return false;
        if (find_cname(aliases, name, len)) /* likewise, with two CNAMEs */
            return false;
        name = cname->target;
        len = cname->target_len;
    }
}

bool xnm_packet_leads_to(const struct xnm_packet *packet, const struct xnm_packet_aliases *aliases,
                         const struct xnm_packet_record *record)
{
    if (record->owner == packet->qname ||
        is_same_name(record->owner, record->owner_len, packet->qname, packet->qname_len))
        return true;
    for (size_t i = aliases->count; i-- > 0;) { /* most records have the last one's target */
        const struct xnm_packet_alias *alias = &aliases->list[i];
        bool is_cname = alias->type == XNM_TYPE_CNAME;

        if (alias->used && (is_cname || type_of_data(packet, record) == XNM_TYPE_DNAME) &&
            is_same_name(record->owner, record->owner_len, is_cname ? alias->target : alias->owner,
                         is_cname ? alias->target_len : alias->owner_len))
            return true;
    }
    return false;
}
