/* SPDX-License-Identifier: BSD-3-Clause */
/* ToASCII and ToUnicode of whole names exactly as UTS 46, section 4, defines them, with its flags.
 * core/names/idna.h is for names of the DNS, where "_dmarc" and a final dot are none of UTS 46's
 * business. */
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
    XN_UTS46_STD3 = 1,          /* UseSTD3ASCIIRules: of ASCII only letters, digits and hyphens */
    XN_UTS46_HYPHENS = 2,       /* CheckHyphens */
    XN_UTS46_BIDI = 4,          /* CheckBidi, across labels */
    XN_UTS46_JOINERS = 8,       /* CheckJoiners */
    XN_UTS46_DNS_LENGTH = 16,   /* VerifyDnsLength; ToUnicode tests empty labels alone */
    XN_UTS46_TRANSITIONAL = 32, /* Transitional_Processing, which is deprecated; only ToASCII */
    XN_UTS46_ROOT_DOT = 64      /* no flag of UTS 46: ToASCII lets a final dot stand */
};

/* Profiles that others use. */
enum {
    /* Every test, as in UTS 46's own test file. */
    XN_UTS46_STRICT =
        XN_UTS46_STD3 | XN_UTS46_HYPHENS | XN_UTS46_BIDI | XN_UTS46_JOINERS | XN_UTS46_DNS_LENGTH,
    /* Domain to ASCII and domain to Unicode of the URL standard, with beStrict false, up to its
     * last step: that an empty result is a failure, and so is one with a forbidden domain code
     * point. */
    XN_UTS46_WHATWG = XN_UTS46_BIDI | XN_UTS46_JOINERS,
    /* The tests of libidn2 as curl calls it. */
    XN_UTS46_CURL = XN_UTS46_HYPHENS | XN_UTS46_BIDI | XN_UTS46_JOINERS | XN_UTS46_DNS_LENGTH |
                    XN_UTS46_ROOT_DOT
};

/* Convert a name (UTF-8) by the flags given. *reasons says what is wrong with the name; dst holds
 * what UTS 46 makes of it in any case, and a NUL that *dst_len does not count. Without
 * XN_UTS46_STD3 any ASCII is allowed, so there may be a NUL inside, or what has a meaning in a URL:
 * U+2100 becomes "a/c". In ASCII, a name that passes XN_UTS46_DNS_LENGTH needs 255 octets. ICU's
 * time grows with the square of the length, so a name over XN_STRICT_NAME_MAX octets is XN_TOO_LONG
 * unseen, with *dst_len 0. Without XN_UTS46_ROOT_DOT, XN_UTS46_DNS_LENGTH makes a final dot
 * XN_EMPTY: since Unicode 15 it allows no root label. Both return XN_OK, XN_BAD_UTF8, XN_NO_SPACE
 * or XN_NO_MEMORY; the contents of dst are meaningful only with XN_OK. ICU may allocate. */
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
