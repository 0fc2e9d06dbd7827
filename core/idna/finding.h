/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be said about a label. Findings describe names; they are never errors of a call. */
#ifndef XN_CORE_IDNA_FINDING_H
#define XN_CORE_IDNA_FINDING_H

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a label is not shown as it is: a closed list, worst first. A set of them is a bit mask. */
typedef enum {
    /* The label looks like an A-label and is none (RFC 5890, section 2.3.2.1; UTS 46, section 4.1).
     */
    XN_PUNYCODE,      /* what follows "xn--" is not Punycode */
    XN_NOT_CANONICAL, /* it decodes to text whose own A-label is another one: not NFC, or mapped by
                         UTS 46 */
    XN_ASCII_ONLY,    /* it decodes to nothing, or to ASCII alone */
    XN_DISALLOWED,    /* a code point that UTS 46 (nontransitional, STD3) allows in no label */
    XN_BIDI,          /* against RFC 5893, section 2 */
    XN_CONTEXTJ,      /* a joiner outside the contexts of RFC 5892, appendix A.1 and A.2 */
    XN_LEADING_MARK,  /* begins with a combining mark */
    XN_HYPHEN,        /* a hyphen at either end or in places 3 and 4 of the U-label */
    XN_TOO_LONG,      /* its A-label has more than 63 octets (a name: more than 253) */
    XN_EMPTY,         /* nothing between two dots: only in written names, never in wire format */
    /* The label is valid, but a reader could be misled. */
    XN_CHARSET,    /* a code point outside the display set (core/idna/unicode.h), or marks heaped on
                      one    letter */
    XN_SCRIPT_MIX, /* more mixed than UTS 39's Highly Restrictive level */
    XN_PUNCTUATION, /* a letter that looks like ASCII punctuation alone or beside another script; a
                       loose middle dot */
    XN_EMOJI,       /* an emoji or a symbol */
    XN_REASON_COUNT
} xn_reason;

typedef uint16_t xn_reasons; /* bit 1 << xn_reason; 0 is "nothing to say" */

static_assert(XN_REASON_COUNT <= 16, "xn_reasons has a bit for each");

enum {
    XN_INVALID_REASONS = (1 << XN_CHARSET) - 1,
    XN_RESTRICTED_REASONS = (1 << XN_REASON_COUNT) - (1 << XN_CHARSET)
};

typedef enum {
    XN_LABEL_OK,
    XN_LABEL_RESTRICTED,
    XN_LABEL_INVALID
} xn_label_status; /* worst last */

static inline xn_reasons xn_reason_bit(xn_reason reason)
{
    return (xn_reasons)(1u << reason);
}

static inline xn_label_status xn_reasons_status(xn_reasons reasons)
{
    return reasons & XN_INVALID_REASONS ? XN_LABEL_INVALID
           : reasons                    ? XN_LABEL_RESTRICTED
                                        : XN_LABEL_OK;
}

/* The worst reason of a set, XN_REASON_COUNT of an empty one. */
static inline xn_reason xn_reasons_worst(xn_reasons reasons)
{
    return (xn_reason)__builtin_ctz(reasons | 1u << XN_REASON_COUNT);
}

/* The words that logs and rules use: "not-canonical", "restricted", or "unknown" of any other
 * value; and what a reason means, for people, as a clause behind "the label". Never NULL; static
 * storage.
 */
const char *xn_reason_word(xn_reason reason);
const char *xn_reason_text(xn_reason reason);
const char *xn_label_status_word(xn_label_status status);

#ifdef __cplusplus
}
#endif

#endif
