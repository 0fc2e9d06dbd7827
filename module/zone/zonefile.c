/* SPDX-License-Identifier: BSD-3-Clause */
/* libldns 1.8 accepts many wrong texts: numbers that do not fit, octets after a number, text that
 * is not Base64, an SVCB key twice, `TYPE99999`; and some of its readers write beyond their buffers
 * (an ipv6hint of 46 characters or of 4,096 addresses, an NSEC of 65,537 types). So the form of
 * each field is checked before ldns reads it, and the structure of the RDATA afterwards. */
#include "module/zone/zonefile.h"

#include "core/wire/wire.h"
#include "module/base/number.h"
#include "module/base/rrtype.h"
#include "module/zone/field.h"
#include "module/zone/form.h"
#include "module/zone/zonerdata.h"

#include <errno.h>
#include <ldns/ldns.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names --- */

/* Copies ldns's name in lower case. */
static bool take_name(ldns_rdf *rdf, struct xnm_wirename *name)
{
    size_t len = ldns_rdf_size(rdf);
    struct xn_wire_cursor cursor;

    if (len > sizeof name->octets)
        return false;
    xn_wire_lower(name->octets, ldns_rdf_data(rdf), len);
    name->len = (uint8_t)len;
    return xn_wire_open(&cursor, name->octets, len) == XN_OK;
}

static const char *name_fault(ldns_status status)
{
    switch (status) {
    case LDNS_STATUS_DOMAINNAME_OVERFLOW:
        return "this name is too long: expected at most 255 octets in wire format";
    case LDNS_STATUS_MEM_ERR:
        return "out of memory";
    default:
        return "this is not a domain name";
    }
}

const char *xnm_zonefield_read_name(const char *text, struct xnm_wirename *name)
{
    ldns_rdf *rdf = NULL;
    ldns_status status = ldns_str2rdf_dname(&rdf, text);

    name->len = 0;
    if (status != LDNS_STATUS_OK || !rdf)
        return name_fault(rdf || status != LDNS_STATUS_OK ? status : LDNS_STATUS_MEM_ERR);
    bool good = take_name(rdf, name);
    ldns_rdf_deep_free(rdf);
    return good ? NULL : name_fault(LDNS_STATUS_DOMAINNAME_OVERFLOW);
}

/* --- types --- */

enum { MNEMONIC_MAX = 31 };

/* Returns whether a type is OPT or 128 to 254, which belong to messages and queries, not to data
 * (RFC 6895, section 3.1). The caller decides about ANY. */
static bool is_meta(uint16_t type)
{
    return type == LDNS_RR_TYPE_OPT || (type >= 128 && type <= 255 && type != LDNS_RR_TYPE_ANY);
}

uint16_t xnm_zonefile_type(const char *text, size_t len)
{
    char name[MNEMONIC_MAX + 1];
    uint32_t type = 0;

    if (len == 0 || len > MNEMONIC_MAX || memchr(text, '\0', len))
        return 0;
    memcpy(name, text, len);
    name[len] = '\0';
    if (len > 4 && strncasecmp(name, "TYPE", 4) == 0)
        xnm_number_read(name + 4, len - 4, UINT16_MAX, &type);
    else
        type = (uint16_t)ldns_get_rr_type_by_name(name);
    return is_meta((uint16_t)type) ? 0 : (uint16_t)type;
}

const char *xnm_zonefield_type_word(uint16_t type, char word[XNM_ZONEFIELD_TYPE_MAX])
{
    const ldns_rr_descriptor *descriptor = ldns_rr_descript(type);

    if (descriptor->_name)
        return descriptor->_name;
    snprintf(word, XNM_ZONEFIELD_TYPE_MAX, "TYPE%u", type);
    return word;
}

bool xnm_zonefile_is_dnssec(uint16_t type)
{
    static const uint8_t types[] = {XNM_TYPE_DS,     XNM_TYPE_RRSIG,   XNM_TYPE_NSEC,
                                    XNM_TYPE_DNSKEY, XNM_TYPE_NSEC3,   XNM_TYPE_NSEC3PARAM,
                                    XNM_TYPE_CDS,    XNM_TYPE_CDNSKEY, XNM_TYPE_ZONEMD};

    return type <= XNM_TYPE_ZONEMD && memchr(types, type, sizeof types);
}

/* --- fields --- */

#define NUMBER8 "a number from 0 to 255"
#define NUMBER16 "a number from 0 to 65535"
#define NUMBER32 "a number from 0 to 4294967295"

static const struct xnm_zonefield fields[] = {
    {LDNS_RDF_TYPE_DNAME, XNM_ZONEFIELD_NAME, XNM_ZONEFIELD_WIRE_NAME, NULL, "a domain name"},
    {LDNS_RDF_TYPE_A, XNM_ZONEFIELD_WORD, 4, NULL, "an IPv4 address"},
    {LDNS_RDF_TYPE_AAAA, XNM_ZONEFIELD_WORD, 16, NULL, "an IPv6 address"},
    {LDNS_RDF_TYPE_STR, XNM_ZONEFIELD_TEXT, XNM_ZONEFIELD_STRING, NULL,
     "a text of at most 255 octets"},
    {LDNS_RDF_TYPE_INT8, XNM_ZONEFIELD_WORD, 1, xnm_zoneform_number8, NUMBER8},
    {LDNS_RDF_TYPE_INT16, XNM_ZONEFIELD_WORD, 2, xnm_zoneform_number16, NUMBER16},
    {LDNS_RDF_TYPE_INT32, XNM_ZONEFIELD_WORD, 4, xnm_zoneform_number32, NUMBER32},
    {LDNS_RDF_TYPE_PERIOD, XNM_ZONEFIELD_WORD, 4, xnm_zoneform_period,
     "a time such as 3600 or 1h30m, at most 2147483647 seconds"},
    {LDNS_RDF_TYPE_CERTIFICATE_USAGE, XNM_ZONEFIELD_WORD, 1, xnm_zoneform_mnemonic8,
     "a certificate usage, " NUMBER8 " or such as DANE-EE"},
    {LDNS_RDF_TYPE_SELECTOR, XNM_ZONEFIELD_WORD, 1, xnm_zoneform_mnemonic8,
     "a selector, " NUMBER8 ", or Cert or SPKI"},
    {LDNS_RDF_TYPE_MATCHING_TYPE, XNM_ZONEFIELD_WORD, 1, xnm_zoneform_mnemonic8,
     "a matching type, " NUMBER8 " or such as SHA2-256"},
    {LDNS_RDF_TYPE_TAG, XNM_ZONEFIELD_WORD, XNM_ZONEFIELD_STRING, NULL,
     "a tag of letters and digits, such as issue"},
    {LDNS_RDF_TYPE_LONG_STR, XNM_ZONEFIELD_TEXT, XNM_ZONEFIELD_REST, NULL, "a text"},
    {LDNS_RDF_TYPE_HEX, XNM_ZONEFIELD_DIGITS, XNM_ZONEFIELD_REST, xnm_zoneform_hex,
     "hexadecimal digits, two for each octet"},
    {LDNS_RDF_TYPE_SVCPARAMS, XNM_ZONEFIELD_WORDS, XNM_ZONEFIELD_SVCPARAMS, xnm_zoneform_svcparam,
     "service parameters such as alpn=h2,h3 or port=8443, each key once"},
};

const struct xnm_zonefield xnm_zonefield_length = {LDNS_RDF_TYPE_INT16, XNM_ZONEFIELD_WORD, 2,
                                                   xnm_zoneform_number16,
                                                   "the length of the data, " NUMBER16};
const struct xnm_zonefield xnm_zonefield_octets = {
    LDNS_RDF_TYPE_HEX, XNM_ZONEFIELD_DIGITS, XNM_ZONEFIELD_REST, xnm_zoneform_hex,
    "as many octets as the length says, two hexadecimal digits each"};

void xnm_zonefield_count(uint16_t type, size_t *least, size_t *most)
{
    const ldns_rr_descriptor *descriptor = ldns_rr_descript(type);

    *least = ldns_rr_descriptor_minimum(descriptor);
    *most = ldns_rr_descriptor_maximum(descriptor);
}

const struct xnm_zonefield *xnm_zonefield_of(uint16_t type, size_t n)
{
    ldns_rdf_type ldns_type = ldns_rr_descriptor_field_type(ldns_rr_descript(type), n);

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].ldns_type == (int)ldns_type)
            return &fields[i];
    return NULL;
}

bool xnm_zonefield_read(const struct xnm_zonefield *field, const char *text, uint8_t *dst,
                        size_t dst_cap, size_t *dst_len)
{
    errno = 0;
    ldns_rdf *rdf = ldns_rdf_new_frm_str((ldns_rdf_type)field->ldns_type, text);

    *dst_len = 0;
    if (!rdf)
        return false;
    size_t len = ldns_rdf_size(rdf);
    if (len > 0 && len <= dst_cap)
        memcpy(dst, ldns_rdf_data(rdf), len);
    *dst_len = len;
    ldns_rdf_deep_free(rdf);
    return true;
}

/* --- records of a rule --- */

/* Returns why no rule can answer with a type; NULL: one can. */
static const char *refusal(uint16_t type)
{
    static const char structure[] = "this type is part of a zone's structure, which rules cannot "
                                    "make: expected a type of data";

    if (xnm_zonefile_is_dnssec(type))
        return structure;
    switch (type) {
    case LDNS_RR_TYPE_CNAME:
        return "an alias is made by the action cname, not by answer";
    case LDNS_RR_TYPE_DNAME:
        return "DNAME cannot be answered: use the action cname";
    case LDNS_RR_TYPE_SOA:
    case LDNS_RR_TYPE_SIG:
    case LDNS_RR_TYPE_NXT:
        return structure;
    case 0:
    case LDNS_RR_TYPE_ANY:
        return "this is not a type of data: expected one such as A or TXT";
    default:
        return is_meta(type) ? refusal(0) : NULL;
    }
}

static bool read_record(const struct xn_unicode *unicode, uint16_t type, const char *text,
                        size_t len, struct xnm_zonerdata *rdata, struct xnm_zonefault *fault)
{
    struct xnm_zonetokens tokens;
    const char *newline = memchr(text, '\n', len);
    bool indented;

    rdata->len = 0;
    if (newline)
        return xnm_zonefault_set(fault, newline, "a record is one line");
    xnm_zonetokens_open(&tokens, text, len);
    tokens.no_comments = true;
    xnm_zonetokens_next_entry(&tokens, &indented);
    return xnm_zonerdata_read(unicode, type, &tokens, NULL, rdata, fault);
}

_Static_assert(sizeof((struct xnm_zonefile_error *)0)->message >= XNM_ZONEFAULT_MAX,
               "room for every fault");

/* Copies *rdata to *record. Returns false when out of memory. */
static bool take_rdata(uint16_t type, const struct xnm_zonerdata *rdata, struct xnm_record *record)
{
    uint8_t *copy = malloc(rdata->len > 0 ? rdata->len : 1);

    if (!copy)
        return false;
    memcpy(copy, rdata->octets, rdata->len);
    record->type = type;
    record->ttl = 0;
    record->rdata_len = (uint16_t)rdata->len;
    record->rdata = copy;
    return true;
}

bool xnm_zonefile_rdata(const struct xn_unicode *unicode, uint16_t type, const char *text,
                        size_t len, struct xnm_record *record, struct xnm_zonefile_error *error)
{
    struct xnm_zonefault fault = {text, "out of memory"};
    struct xnm_zonerdata *rdata = xnm_zonerdata_new(len);
    const char *refused = refusal(type);

    if (refused)
        xnm_zonefault_set(&fault, text, "%s", refused);
    bool good = !refused && rdata && read_record(unicode, type, text, len, rdata, &fault) &&
                take_rdata(type, rdata, record);
    free(rdata);
    if (good)
        return true;
    error->at = (size_t)(fault.at - text);
    memcpy(error->message, fault.message, sizeof fault.message);
    return false;
}
