/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings: what can be wrong or misleading about a label. They describe names and are never errors
 * of a call. */
#ifndef XN_CORE_IDNA_FINDING_H
#define XN_CORE_IDNA_FINDING_H

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a label is not shown as it is: a closed list, worst first. A set of reasons is a bit mask. */
typedef enum {
    /* Invalid: the label looks like an A-label but is not one (RFC 5890, section 2.3.2.1; UTS 46,
     * section 4.1), or was asked in Unicode. */
    XN_RAW_UTF8,      /* no "xn--", but the octets of UTF-8; in log lines and explain alone */
    XN_PUNYCODE,      /* what follows "xn--" is not Punycode */
    XN_NOT_CANONICAL, /* it decodes to text with a different A-label: not NFC, or mapped by UTS 46
                       */
    XN_ASCII_ONLY,    /* it decodes to nothing, or to ASCII alone */
    XN_DISALLOWED,    /* a code point that UTS 46 (nontransitional, STD3) allows in no label */
    XN_BIDI,          /* breaks the Bidi rule (RFC 5893, section 2) */
    XN_CONTEXTJ,      /* a joiner outside the contexts of RFC 5892, appendix A.1 and A.2 */
    XN_LEADING_MARK,  /* begins with a combining mark */
    XN_HYPHEN,        /* a hyphen at either end or in places 3 and 4 of the U-label; as for ICU, a
                         code point above U+FFFF takes two places */
    XN_TOO_LONG,      /* its A-label has more than 63 octets (a name: more than 253) */
    XN_EMPTY,         /* nothing between two dots: only in written names, never in wire format */
    /* Restricted: the label is valid, but could mislead a reader. */
    XN_CHARSET,     /* a code point outside the display set (libxn(3)), or marks heaped on one
                       letter */
    XN_SCRIPT_MIX,  /* more mixed than UTS 39's Highly Restrictive level */
    XN_PUNCTUATION, /* a letter that looks like ASCII punctuation, alone or beside another script;
                       or a middle dot or the like out of its context */
    XN_EMOJI,       /* an emoji or a symbol */
    XN_WHOLESCRIPT, /* letters of another script that all look like ASCII, or only digits that are
                       not ASCII, where neither the TLD nor its country is of that script; of a
                       label alone, as if it had no TLD */
    XN_DIGITS,      /* digits of two kinds */
    XN_LOOKALIKE,   /* looks like a protected name, by a rule; in log lines alone */
    XN_REASON_COUNT
} xn_reason;

typedef uint32_t xn_reasons; /* bit 1 << xn_reason; 0: nothing was found */

static_assert(XN_REASON_COUNT < 31, "a bit for each, and the sets below are enumerators");

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

/* Returns the worst reason of a set, or XN_REASON_COUNT for the empty set. */
static inline xn_reason xn_reasons_worst(xn_reasons reasons)
{
    return (xn_reason)__builtin_ctz(reasons | 1u << XN_REASON_COUNT);
}

/* xn_reason_word and xn_label_status_word return the words that logs and rules use, such as
 * "not-canonical" and "restricted", or "unknown" for any other value. xn_reason_text says what a
 * reason means, for people: it completes a sentence that begins with "the label". Never NULL;
 * static storage. */
const char *xn_reason_word(xn_reason reason);
const char *xn_reason_text(xn_reason reason);
const char *xn_label_status_word(xn_label_status status);

#ifdef __cplusplus
}
#endif

#endif
