/* SPDX-License-Identifier: BSD-3-Clause */
/* ToASCII and ToUnicode of whole names exactly as UTS 46, section 4, defines them, with its flags.
 * For names of the DNS, such as "_dmarc.example.", use core/names/idna.h. */
#ifndef XN_CORE_IDNA_UTS46_H
#define XN_CORE_IDNA_UTS46_H

#include "core/idna/finding.h"
#include "core/idna/unicode.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The flags of UTS 46, section 4.2; combine them with `|`. */
enum {
    XN_UTS46_STD3 = 1,          /* UseSTD3ASCIIRules: no ASCII but letters, digits and hyphens */
    XN_UTS46_HYPHENS = 2,       /* CheckHyphens */
    XN_UTS46_BIDI = 4,          /* CheckBidi, across labels */
    XN_UTS46_JOINERS = 8,       /* CheckJoiners */
    XN_UTS46_DNS_LENGTH = 16,   /* VerifyDnsLength; ToUnicode only tests for empty labels */
    XN_UTS46_TRANSITIONAL = 32, /* Transitional_Processing, which is deprecated; only ToASCII */
    XN_UTS46_ROOT_DOT = 64      /* not a flag of UTS 46: ToASCII keeps a final dot */
};

/* Sets of flags. */
enum {
    /* Every test, as in UTS 46's test file. */
    XN_UTS46_STRICT =
        XN_UTS46_STD3 | XN_UTS46_HYPHENS | XN_UTS46_BIDI | XN_UTS46_JOINERS | XN_UTS46_DNS_LENGTH,
    /* "Domain to ASCII" and "domain to Unicode" of the URL standard, with beStrict false, without
     * the last step, which rejects an empty result and forbidden domain code points. */
    XN_UTS46_WHATWG = XN_UTS46_BIDI | XN_UTS46_JOINERS,
    /* The tests of libidn2 as curl calls it. */
    XN_UTS46_CURL = XN_UTS46_HYPHENS | XN_UTS46_BIDI | XN_UTS46_JOINERS | XN_UTS46_DNS_LENGTH |
                    XN_UTS46_ROOT_DOT
};

/* Convert a name (len octets of UTF-8; it may be NULL if len is 0) by a set of flags. *reasons gets
 * what is wrong with the name. dst gets the result of UTS 46 even if something is wrong, with a NUL
 * that dst_cap counts and *dst_len does not. A name that passes XN_UTS46_DNS_LENGTH needs 255
 * octets in ASCII. ICU may allocate. Both return XN_OK, XN_BAD_UTF8, XN_NO_SPACE or XN_NO_MEMORY.
 * Unless the result is XN_OK, *dst_len and *reasons are 0, and dst is unspecified.
 *
 * Without XN_UTS46_STD3 any ASCII is allowed, so the result may contain a NUL, or characters with a
 * meaning in URLs: U+2100 becomes "a/c". ICU's time grows with the square of the length, so a name
 * over XN_STRICT_NAME_MAX octets is not read: it is XN_TOO_LONG, and *dst_len is 0.
 * XN_UTS46_DNS_LENGTH allows no root label since Unicode 15: without XN_UTS46_ROOT_DOT, a final dot
 * is XN_EMPTY. */
enum { XN_STRICT_NAME_MAX = 10000 };
XN_MUST_CHECK xn_status xn_uts46_to_ascii(const struct xn_unicode *unicode, const char *name,
                                          size_t len, int flags, char *dst, size_t dst_cap,
                                          size_t *dst_len, xn_reasons *reasons);
XN_MUST_CHECK xn_status xn_uts46_to_unicode(const struct xn_unicode *unicode, const char *name,
                                            size_t len, int flags, char *dst, size_t dst_cap,
                                            size_t *dst_len, xn_reasons *reasons);

#ifdef __cplusplus
}
#endif

#endif
