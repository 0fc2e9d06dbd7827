/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/finding.h"

xn_reason xn_reasons_worst(xn_reasons reasons)
{
    xn_reason reason = 0;

    while (reason < XN_REASON_COUNT - 1 && !(reasons & xn_reason_bit(reason)))
        reason++;
    return reason;
}

const char *xn_reason_word(xn_reason reason)
{
    static const char *const words[] = {
        [XN_PUNYCODE] = "punycode",
        [XN_NOT_CANONICAL] = "not-canonical",
        [XN_ASCII_ONLY] = "ascii-only",
        [XN_DISALLOWED] = "disallowed",
        [XN_BIDI] = "bidi",
        [XN_CONTEXTJ] = "contextj",
        [XN_LEADING_MARK] = "leading-mark",
        [XN_HYPHEN] = "hyphen",
        [XN_TOO_LONG] = "too-long",
        [XN_CHARSET] = "charset",
        [XN_SCRIPT_MIX] = "script-mix",
        [XN_PUNCTUATION] = "punctuation",
        [XN_EMOJI] = "emoji",
    };
    _Static_assert(sizeof words / sizeof *words == XN_REASON_COUNT, "a word for each reason");

    return words[reason];
}

const char *xn_label_status_word(xn_label_status status)
{
    static const char *const words[] = {"ok", "restricted", "invalid"};

    return words[status];
}
