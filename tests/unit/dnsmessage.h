/* SPDX-License-Identifier: BSD-3-Clause */
/* DNS messages: made octet by octet, and shown as ldns reads them. */
#ifndef XN_TESTS_UNIT_DNSMESSAGE_H
#define XN_TESTS_UNIT_DNSMESSAGE_H

#include <ldns/ldns.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/wirenames.h"

enum { QR = 0x8000, AA = 0x0400, TC = 0x0200, RD = 0x0100, RA = 0x0080, AD = 0x0020, CD = 0x0010 };
enum { ANSWER = 6, AUTHORITY = 8, ADDITIONAL = 10 }; /* where a section is counted */

struct dns {
    uint8_t octets[65535];
    size_t len;
};

static inline void put_u16(struct dns *dns, unsigned value)
{
    dns->octets[dns->len++] = (uint8_t)(value >> 8);
    dns->octets[dns->len++] = (uint8_t)value;
}

static inline void put_wire(struct dns *dns, const char *name)
{
    dns->len += wire_of(name, dns->octets + dns->len);
}

static inline void begin_dns(struct dns *dns, unsigned flags, const char *qname, unsigned qtype)
{
    memset(dns->octets, 0, 12);
    dns->len = 0;
    put_u16(dns, 4711);
    put_u16(dns, flags);
    put_u16(dns, 1);
    dns->len = 12;
    put_wire(dns, qname);
    put_u16(dns, qtype);
    put_u16(dns, 1);
}

/* Adds a record whose owner, a name or at "" the question's, has been put, and its fixed fields. */
static inline void put_fixed(struct dns *dns, unsigned section, unsigned type, unsigned ttl,
                             unsigned rdata_len)
{
    dns->octets[section + 1]++; /* no test has more than 255 */
    put_u16(dns, type);
    put_u16(dns, 1);
    put_u16(dns, ttl >> 16);
    put_u16(dns, ttl & 0xFFFF);
    put_u16(dns, rdata_len);
}

static inline void put_owner(struct dns *dns, const char *owner)
{
    if (*owner)
        put_wire(dns, owner);
    else
        put_u16(dns, 0xC00C);
}

static inline void put_octets(struct dns *dns, unsigned section, const char *owner, unsigned type,
                              const void *rdata, size_t len)
{
    put_owner(dns, owner);
    put_fixed(dns, section, type, 300, (unsigned)len);
    memcpy(dns->octets + dns->len, rdata, len);
    dns->len += len;
}

static inline void put_a(struct dns *dns, unsigned section, const char *owner)
{
    put_octets(dns, section, owner, 1, "\300\0\2\11", 4);
}

/* CNAME, DNAME, NS: `target` uncompressed. */
static inline void put_alias(struct dns *dns, const char *owner, unsigned type, const char *target)
{
    uint8_t wire[XN_WIRE_NAME_MAX];
    size_t len = wire_of(target, wire);

    put_octets(dns, ANSWER, owner, type, wire, len);
}

static inline void put_edns(struct dns *dns, unsigned size, bool dnssec_ok)
{
    dns->octets[ADDITIONAL + 1]++;
    dns->octets[dns->len++] = 0;
    put_u16(dns, 41);
    put_u16(dns, size);
    put_u16(dns, 0);
    put_u16(dns, dnssec_ok ? 0x8000 : 0);
    put_u16(dns, 0);
}

/* --- shown --- */

static inline char *show_records(char *dst, const char *what, const ldns_rr_list *list)
{
    for (size_t i = 0; i < ldns_rr_list_rr_count(list); i++) {
        char *text = ldns_rr2str(ldns_rr_list_rr(list, i));
        for (char *at = text; *at; at++)
            if (*at == '\t')
                *at = ' ';
        dst += sprintf(dst, "%s %s", what, text);
        free(text);
    }
    return dst;
}

/* "NXDOMAIN qr rd ra\nquestion …\nanswer …\nauthority …\nadditional …\nedns 1232 do ede 15
 * "text"\n". Static storage. */
static inline const char *show_dns(const uint8_t *octets, size_t len)
{
    static char shown[1 << 18];
    ldns_pkt *packet;
    char *out = shown;

    if (ldns_wire2pkt(&packet, octets, len) != LDNS_STATUS_OK)
        return "malformed";
    const ldns_lookup_table *rcode =
        ldns_lookup_by_id(ldns_rcodes, (int)ldns_pkt_get_rcode(packet));
    out += sprintf(out, "%s%s%s%s%s%s%s%s\n", rcode ? rcode->name : "?",
                   ldns_pkt_qr(packet) ? " qr" : "", ldns_pkt_aa(packet) ? " aa" : "",
                   ldns_pkt_tc(packet) ? " tc" : "", ldns_pkt_rd(packet) ? " rd" : "",
                   ldns_pkt_ra(packet) ? " ra" : "", ldns_pkt_ad(packet) ? " ad" : "",
                   ldns_pkt_cd(packet) ? " cd" : "");
    out = show_records(out, "answer", ldns_pkt_answer(packet));
    out = show_records(out, "authority", ldns_pkt_authority(packet));
    out = show_records(out, "additional", ldns_pkt_additional(packet));
    if (ldns_pkt_edns(packet)) {
        const ldns_rdf *data = ldns_pkt_edns_data(packet);
        out += sprintf(out, "edns %u%s", ldns_pkt_edns_udp_size(packet),
                       ldns_pkt_edns_do(packet) ? " do" : "");
        if (data && ldns_rdf_size(data) >= 6 && ldns_rdf_data(data)[1] == 15)
            out += sprintf(out, " ede %u \"%.*s\"", ldns_rdf_data(data)[5],
                           (int)ldns_rdf_size(data) - 6, (const char *)ldns_rdf_data(data) + 6);
        sprintf(out, "\n");
    }
    ldns_pkt_free(packet);
    return shown;
}

#endif
