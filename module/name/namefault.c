/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/namefault.h"

#include "core/idna/context.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/names/presentation.h"
#include "core/text/utf8char.h"
#include "core/wire/walk.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof "U+10FFFF  ''" + (XN_CHARACTER_NAME_MAX - 1) + XN_UTF8_MAX ==
                   XNM_CHARACTER_MAX,
               "room for the longest name, and for the character");

const char *xnm_namefault_character(uint32_t cp, char *dst)
{
    char name[XN_CHARACTER_NAME_MAX];
    uint8_t utf8[XN_UTF8_MAX];
    int utf8_len = (int)xn_utf8_write(cp, utf8);

    xn_unicode_character_name(cp, name);
    if (xn_unicode_is_shown(cp) && !xn_unicode_is_mark(cp)) /* a mark would sit on the quote */
        snprintf(dst, XNM_CHARACTER_MAX, "U+%04X %s '%.*s'", (unsigned)cp, name, utf8_len,
                 (const char *)utf8);
    else
        snprintf(dst, XNM_CHARACTER_MAX, "U+%04X %s", (unsigned)cp, name);
    return dst;
}

/* The label to explain. Its characters are filled in only if it has at most
 * XN_PRESENTATION_LABEL_MAX octets. */
struct examined {
    const struct xn_unicode *unicode;
    const uint8_t *text;
    size_t len;
    bool ascii, wildcard;
    xn_reasons reasons;
    uint32_t cps[XN_PRESENTATION_LABEL_MAX]; /* its characters */
    size_t at[XN_PRESENTATION_LABEL_MAX];    /* their offsets in the label */
    size_t count;
    char *message;
};

__attribute__((format(printf, 2, 3))) static void describe(const struct examined *label,
                                                           const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(label->message, XNM_NAMEFAULT_MAX, format, args);
    va_end(args);
}

/* --- characters that no label may have --- */

/* Octets by which one recognizes a text that is no name. */
static const struct {
    uint8_t octet;
    const char *expected;
} other_things[] = {
    {' ', "the name alone, without spaces"},
    {'/', "the host name alone, without scheme or path"},
    {':', "the host name alone, without scheme or port"},
    {'@', "the part after the '@'"},
    {'{', "the A-label, if it was copied from a log that shows a character as '\\u{430}'"},
};

static bool describe_other_thing(const struct examined *label, uint32_t cp)
{
    for (size_t i = 0; i < sizeof other_things / sizeof *other_things; i++) {
        if (cp != other_things[i].octet)
            continue;
        describe(label, "not a domain name (contains '%c'): expected %s", (char)cp,
                 other_things[i].expected);
        return true;
    }
    return false;
}

static void describe_star(const struct examined *label)
{
    describe(label, label->wildcard
                        ? "'*' must be the whole first label: expected '*.' before the name"
                        : "'*' is not allowed here: expected a name without it");
}

/* Describes an ASCII character that is not plain, in an ASCII label or beside other characters. */
static void describe_ascii(const struct examined *label, uint32_t cp)
{
    char character[XNM_CHARACTER_MAX];

    if (describe_other_thing(label, cp))
        return;
    if (cp == '*')
        describe_star(label);
    else if (cp < 0x20 || cp == 0x7F)
        describe(label, "%s is not allowed in a domain name: remove it",
                 xnm_namefault_character(cp, character));
    else if (!label->ascii)
        describe(label,
                 "'%c' cannot be used inside an internationalized label: "
                 "expected letters, digits and hyphens",
                 (char)cp);
    else if (cp == '\\')
        describe(label,
                 "'\\' begins no escape: expected three digits up to 255 after it, or an ASCII "
                 "character");
    else
        describe(label,
                 "'%c' is not allowed in a domain name: remove it, or write '\\%03u' if that octet "
                 "is meant",
                 (char)cp, (unsigned)cp);
}

static void describe_refused(const struct examined *label, uint32_t cp, xn_character answer)
{
    char character[XNM_CHARACTER_MAX];

    xnm_namefault_character(cp, character);
    if (cp == 0x3000)
        describe(label, "not a domain name (contains %s): remove it", character);
    else if (answer == XN_CHARACTER_DROPPED)
        describe(label, "invisible character %s: remove it", character);
    else
        describe(label, "%s is not allowed in a domain name: remove it", character);
}

/* Returns true, and moves *index past the character or escape, if it is allowed; otherwise
 * describes its fault. */
static bool pass_character(const struct examined *label, size_t *index)
{
    uint32_t cp = label->cps[*index], before = *index > 0 ? label->cps[*index - 1] : 0;
    uint32_t after = *index + 1 < label->count ? label->cps[*index + 1] : 0;
    size_t at = label->at[*index], escape = 0;

    if (cp >= 0x80) {
        xn_character answer = xn_unicode_judge_character(label->unicode, cp, before, after);
        ++*index;
        if (answer != XN_CHARACTER_ALLOWED)
            describe_refused(label, cp, answer);
        return answer == XN_CHARACTER_ALLOWED;
    }
    if (label->ascii)
        escape = xn_presentation_escape(label->text + at, label->len - at);
    if (escape == 0 && (!xn_presentation_is_plain((uint8_t)cp) || (cp == '_' && !label->ascii))) {
        describe_ascii(label, cp);
        return false;
    }
    *index += escape > 0 ? escape : 1;
    return true;
}

/* --- faults of the whole label --- */

static bool is_hyphen(uint32_t cp)
{
    return cp == '-' || cp == 0xFE63 || cp == 0xFF0D; /* small, fullwidth: mapped to it */
}

static size_t describe_too_long(const struct examined *label)
{
    /* A zone may have a million longer ones, and converting them takes too long. */
    size_t alabel = label->len <= XN_PRESENTATION_LABEL_LONG
                        ? xn_unicode_alabel_overlength(label->unicode, label->text, label->len)
                        : 0;

    if (label->ascii)
        describe(label, "label is %zu octets: expected at most 63",
                 xn_presentation_octets(label->text, label->len));
    else if (alabel > 0)
        describe(label, "label is %zu octets as an A-label: expected at most 63", alabel);
    else
        describe(label, "label is %zu octets of UTF-8: expected at most 63 octets as an A-label",
                 label->len);
    return 0;
}

static size_t describe_leading_mark(const struct examined *label)
{
    char character[XNM_CHARACTER_MAX];

    if (!xn_unicode_is_mark(label->cps[0]))
        return SIZE_MAX;
    describe(label, "label begins with combining mark %s: expected a letter or a digit before it",
             xnm_namefault_character(label->cps[0], character));
    return 0;
}

static size_t describe_hyphen(const struct examined *label)
{
    size_t last = label->count - 1;
    bool first = is_hyphen(label->cps[0]), inside = !first && !is_hyphen(label->cps[last]);
    size_t index = first ? 0 : !inside ? last : last > 1 ? 2 : 0;

    if (!is_hyphen(label->cps[index]))
        return SIZE_MAX;
    describe(label, "hyphen %s of an internationalized label: expected none there",
             first    ? "at the start"
             : inside ? "in the third and fourth place"
                      : "at the end");
    return label->at[index];
}

static size_t describe_joiner(const struct examined *label)
{
    char character[XNM_CHARACTER_MAX];
    size_t index = xn_context_find_joiner(label->cps, label->count);

    if (index >= label->count)
        return SIZE_MAX;
    describe(label, "%s is only allowed after a virama%s: remove it",
             xnm_namefault_character(label->cps[index], character),
             label->cps[index] == 0x200C ? " or between joining letters" : "");
    return label->at[index];
}

static size_t describe_bidi(const struct examined *label)
{
    char character[XNM_CHARACTER_MAX];
    size_t index = xn_unicode_bidi_fault(label->cps, label->count);

    if (index >= label->count)
        return SIZE_MAX;
    describe(label,
             "label mixes left-to-right and right-to-left text in a way that IDNA forbids, at %s: "
             "write its A-label if there is such a name",
             xnm_namefault_character(label->cps[index], character));
    return label->at[index];
}

/* The label was read as an A-label, and its faults are in the decoded text, not in what was
 * written. */
static size_t describe_ace(const struct examined *label)
{
    describe(label,
             "label begins with 'xn--' but is not an A-label: expected only ASCII after it, or the "
             "label in Unicode without it");
    return 0;
}

static const struct {
    xn_reason reason;
    size_t (*describe)(const struct examined *label); /* SIZE_MAX: the fault was not found */
} whole_labels[] = {
    {XN_TOO_LONG, describe_too_long}, {XN_LEADING_MARK, describe_leading_mark},
    {XN_HYPHEN, describe_hyphen},     {XN_CONTEXTJ, describe_joiner},
    {XN_BIDI, describe_bidi},
};

/* Returns whether the label begins with "xn--", in any width or case. */
static bool has_wide_ace_prefix(const struct examined *label)
{
    uint8_t prefix[4];

    for (size_t i = 0; i < sizeof prefix; i++) {
        uint32_t cp = i < label->count ? label->cps[i] : 0;
        prefix[i] = (uint8_t)(is_hyphen(cp)                ? '-'
                              : cp > 0xFF00 && cp < 0xFF5F ? cp - 0xFEE0
                              : cp < 0x80                  ? cp
                                                           : 0);
    }
    return xn_wire_has_ace_prefix(prefix, sizeof prefix);
}

static size_t describe_whole(const struct examined *label)
{
    size_t at;

    if (!label->ascii && has_wide_ace_prefix(label))
        return describe_ace(label);
    for (size_t i = 0; i < sizeof whole_labels / sizeof *whole_labels; i++)
        if ((label->reasons & xn_reason_bit(whole_labels[i].reason)) &&
            (at = whole_labels[i].describe(label)) != SIZE_MAX)
            return at;
    describe(label, "label %s", xn_reason_text(xn_reasons_worst(label->reasons)));
    return 0;
}

/* Fills in the characters. Returns false, with a message, if the label is not UTF-8. */
static bool read_characters(struct examined *label)
{
    size_t at = 0, step;

    for (; at < label->len; at += step) {
        step = xn_utf8_read(label->text + at, label->len - at, &label->cps[label->count]);
        label->at[label->count] = at;
        if (step == 0) {
            describe(label, "octet 0x%02X is not UTF-8: expected UTF-8 (is the file in Latin-1?)",
                     label->text[at]);
            return false;
        }
        label->count++;
    }
    return true;
}

size_t xnm_namefault_find(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                          xn_reasons reasons, bool wildcard, char *message)
{
    struct examined label = {.unicode = unicode, .text = text, .len = len, .reasons = reasons};

    label.ascii = xn_presentation_is_ascii(text, len);
    label.wildcard = wildcard;
    label.message = message;
    if (len == 0) {
        describe(&label, "empty label: expected text on both sides of a dot");
        return 0;
    }
    if (len > XN_PRESENTATION_LABEL_MAX) /* not meant as a name: not worth the time */
        return describe_too_long(&label);
    if (!read_characters(&label))
        return label.at[label.count];
    for (size_t index = 0; index < label.count;) {
        size_t at = label.at[index];
        if (!pass_character(&label, &index))
            return at;
    }
    return describe_whole(&label);
}
