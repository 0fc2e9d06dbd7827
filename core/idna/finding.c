/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/finding.h"

static const struct {
    const char *word, *text;
} reason_texts[] = {
    [XN_RAW_UTF8] = {"raw-utf8", "is raw UTF-8, not an A-label"},
    [XN_PUNYCODE] = {"punycode", "is not Punycode after \"xn--\""},
    [XN_NOT_CANONICAL] = {"not-canonical", "decodes to text that has a different A-label"},
    [XN_ASCII_ONLY] = {"ascii-only", "decodes to ASCII alone, or to nothing"},
    [XN_DISALLOWED] = {"disallowed", "has a character that is not allowed in a label"},
    [XN_BIDI] = {"bidi", "mixes text directions in a way that IDNA forbids"},
    [XN_CONTEXTJ] = {"contextj", "has a joiner outside the contexts of RFC 5892"},
    [XN_LEADING_MARK] = {"leading-mark", "begins with a combining mark"},
    [XN_HYPHEN] = {"hyphen", "begins or ends with a hyphen, or has two in places 3 and 4"},
    [XN_TOO_LONG] = {"too-long", "is too long: at most 63 octets as an A-label, 253 in all"},
    [XN_EMPTY] = {"empty", "is empty"},
    [XN_CHARSET] = {"charset", "has a character that identifiers do not use, or too many marks"},
    [XN_SCRIPT_MIX] = {"script-mix", "mixes scripts that words do not mix"},
    [XN_PUNCTUATION] = {"punctuation", "has a letter that looks like ASCII punctuation"},
    [XN_EMOJI] = {"emoji", "has an emoji or a symbol"},
    [XN_WHOLESCRIPT] = {"wholescript", "looks like ASCII, and is not of its TLD's script"},
    [XN_DIGITS] = {"digits", "has digits of two kinds"},
    [XN_LOOKALIKE] = {"lookalike", "looks like a protected name"},
};
_Static_assert(sizeof reason_texts / sizeof *reason_texts == XN_REASON_COUNT,
               "every reason has a text");

const char *xn_reason_word(xn_reason reason)
{
    return (unsigned)reason < XN_REASON_COUNT ? reason_texts[reason].word : "unknown";
}

const char *xn_reason_text(xn_reason reason)
{
    return (unsigned)reason < XN_REASON_COUNT ? reason_texts[reason].text : "is odd";
}

const char *xn_label_status_word(xn_label_status status)
{
    static const char *const words[] = {"ok", "restricted", "invalid"};

    return (unsigned)status < sizeof words / sizeof *words ? words[status] : "unknown";
}
