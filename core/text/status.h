/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a call into libxn. A status is about the call. A hostile name is data, not an
 * error: findings describe it (core/idna/finding.h). */
#ifndef XN_CORE_TEXT_STATUS_H
#define XN_CORE_TEXT_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define XN_MUST_CHECK __attribute__((warn_unused_result))
#else
#define XN_MUST_CHECK
#endif

typedef enum {
    XN_OK = 0,
    XN_NO_SPACE,  /* the caller's buffer is too small; its contents are unspecified unless the
                     function says otherwise */
    XN_NO_MEMORY, /* only from functions that allocate */

    /* Punycode input (RFC 3492, sections 6.2 and 6.4) */
    XN_PUNY_NOT_BASIC,         /* an octet above 0x7F before the last delimiter */
    XN_PUNY_LEADING_DELIMITER, /* nothing is before the last delimiter, as in "-90a" */
    XN_PUNY_BAD_DIGIT,         /* an octet is not a digit, after the last delimiter if any */
    XN_PUNY_TRUNCATED,         /* the input ends inside a variable-length integer */
    XN_PUNY_OVERFLOW,          /* a delta needs more than 32 bits */

    /* Code points */
    XN_CP_RANGE,     /* above U+10FFFF */
    XN_CP_SURROGATE, /* U+D800..U+DFFF */

    XN_BAD_UTF8, /* not UTF-8 as RFC 3629 defines it */
    XN_BAD_WIRE, /* not one whole uncompressed wire-format name (RFC 1035, section 3.1) */

    XN_UNICODE_DATA,   /* ICU could not be opened */
    XN_UNICODE_VERSION /* ICU has another Unicode version than this library (xn_unicode_fault) */
} xn_status;

/* Returns the meaning of a status, for people: English words without a full stop, for any value.
 * The string is in static storage. */
const char *xn_status_text(xn_status status);

#ifdef __cplusplus
}
#endif

#endif
