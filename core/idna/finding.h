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

/* Why a label is not shown as it is: a closed list, worst first. A set of reasons is a bit mask.
 *
 * The display set is ASCII, and UTS 39's Allowed characters without U+0138, U+0338, U+058A, U+2010,
 * U+2019, U+2027, U+30A0, U+02BB, U+02BC and the Latin letters beyond U+017F that are in no main
 * exemplar set of CLDR. */
typedef enum {
    /* Invalid: the label begins with "xn--" but is not an A-label (RFC 5890, section 2.3.2.1; UTS
     * 46, section 4.1), or was asked in Unicode. */
    XN_RAW_UTF8,      /* it is UTF-8 without "xn--"; only in log lines and explain */
    XN_PUNYCODE,      /* what follows "xn--" is not Punycode */
    XN_NOT_CANONICAL, /* it decodes to text with another A-label: not in NFC, or mapped by UTS 46 */
    XN_ASCII_ONLY,    /* it decodes to nothing, or to ASCII alone */
    XN_DISALLOWED, /* it has a code point that UTS 46 (nontransitional, STD3) allows in no label */
    XN_BIDI,       /* it breaks the Bidi rule (RFC 5893, section 2) */
    XN_CONTEXTJ,   /* it has a joiner outside the contexts of RFC 5892, appendix A.1 and A.2 */
    XN_LEADING_MARK, /* it begins with a combining mark */
    XN_HYPHEN,       /* it has a hyphen at an end or in places 3 and 4 of the U-label; as for ICU, a
                        code point above U+FFFF takes two places */
    XN_TOO_LONG,     /* its A-label has more than 63 octets; of a name: it has more than 253 */
    XN_EMPTY,        /* nothing is between two dots: only in written names, never in wire format */
    /* Restricted: the label is valid, but could mislead a reader. */
    XN_CHARSET, /* it has a code point outside the display set, or more than four nonspacing marks
                   in a row (UTS 39, section 5.4) */
    XN_SCRIPT_MIX,  /* it mixes scripts more than UTS 39's Highly Restrictive level (section 5.2) */
    XN_PUNCTUATION, /* it has a letter that looks like ASCII punctuation, alone or beside another
                       script, or a middle dot out of its context (RFC 5892, appendix A.3 to A.7) */
    XN_EMOJI,       /* it has an emoji or a symbol */
    XN_WHOLESCRIPT, /* its letters are not Latin and all look like ASCII, or all its characters are
                       digits that are not ASCII, and neither the TLD nor the TLD's country is of
                       that script; a label alone counts as having no TLD */
    XN_DIGITS,      /* it has digits of two kinds */
    XN_LOOKALIKE,   /* a rule found that it looks like a protected name; only in log lines */
    XN_REASON_COUNT
} xn_reason;

typedef uint32_t xn_reasons; /* a set: bit 1 << xn_reason; 0: no reason */

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

/* Returns the set of one reason. */
static inline xn_reasons xn_reason_bit(xn_reason reason)
{
    return (xn_reasons)(1u << reason);
}

/* Returns the status of a label that has these reasons. */
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
 * "not-canonical" and "restricted". xn_reason_text returns what a reason means, for people: it
 * completes a sentence that begins with "the label". Each returns a string in static storage, for
 * any value. */
const char *xn_reason_word(xn_reason reason);
const char *xn_reason_text(xn_reason reason);
const char *xn_label_status_word(xn_label_status status);

#ifdef __cplusplus
}
#endif

#endif
