/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of the record types, and of the classes, that this code treats specially, each with its
 * source. Only ldns knows the other types. */
#ifndef XNM_MODULE_BASE_RRTYPE_H
#define XNM_MODULE_BASE_RRTYPE_H

enum {
    XNM_TYPE_A = 1, /* RFC 1035, section 3.2.2, as are all below 28 */
    XNM_TYPE_NS = 2,
    XNM_TYPE_CNAME = 5,
    XNM_TYPE_SOA = 6,
    XNM_TYPE_PTR = 12,
    XNM_TYPE_HINFO = 13,
    XNM_TYPE_MX = 15,
    XNM_TYPE_TXT = 16,
    XNM_TYPE_AAAA = 28,             /* RFC 3596 */
    XNM_TYPE_SRV = 33,              /* RFC 2782 */
    XNM_TYPE_NAPTR = 35,            /* RFC 3403 */
    XNM_TYPE_DNAME = 39,            /* RFC 6672 */
    XNM_TYPE_DS = 43,               /* RFC 4034 */
    XNM_TYPE_SSHFP = 44,            /* RFC 4255 */
    XNM_TYPE_RRSIG = 46,            /* RFC 4034 */
    XNM_TYPE_NSEC = 47,             /* RFC 4034 */
    XNM_TYPE_DNSKEY = 48,           /* RFC 4034 */
    XNM_TYPE_NSEC3 = 50,            /* RFC 5155 */
    XNM_TYPE_NSEC3PARAM = 51,       /* RFC 5155 */
    XNM_TYPE_TLSA = 52,             /* RFC 6698 */
    XNM_TYPE_CDS = 59,              /* RFC 7344 */
    XNM_TYPE_CDNSKEY = 60,          /* RFC 7344 */
    XNM_TYPE_ZONEMD = 63,           /* RFC 8976 */
    XNM_TYPE_SVCB = 64,             /* RFC 9460 */
    XNM_TYPE_HTTPS = 65,            /* RFC 9460 */
    XNM_TYPE_ANY = 255,             /* RFC 1035, section 3.2.3: in queries only */
    XNM_TYPE_CAA = 257,             /* RFC 8659 */
    XNM_TYPE_PRIVATE_FIRST = 65280, /* RFC 6895, section 3.1 */
    XNM_TYPE_PRIVATE_LAST = 65534
};

enum { XNM_CLASS_IN = 1, XNM_CLASS_ANY = 255 }; /* RFC 1035, sections 3.2.4 and 3.2.5 */

#endif
