/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/namefault.h"

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

/* The label to explain. */
struct examined {
    const struct xn_unicode *unicode;
    const uint8_t *text;
    size_t len;
    bool ascii, wildcard;
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
    if (answer == XN_CHARACTER_DROPPED)
        describe(label, "invisible character %s: remove it", character);
    else
        describe(label, "%s is not allowed in a domain name: remove it", character);
}

/* Returns the octets of the character or escape at `at` if it is allowed; otherwise describes its
 * fault and returns 0. The label is UTF-8. */
static size_t pass_character(const struct examined *label, size_t at, uint32_t before)
{
    size_t left = label->len - at, escape = 0;
    uint32_t cp, after;
    size_t octets = xn_utf8_read(label->text + at, left, &cp);

    if (cp >= 0x80) {
        if (xn_utf8_read(label->text + at + octets, left - octets, &after) == 0)
            after = 0;
        xn_character answer = xn_unicode_judge_character(label->unicode, cp, before, after);
        if (answer != XN_CHARACTER_ALLOWED)
            describe_refused(label, cp, answer);
        return answer == XN_CHARACTER_ALLOWED ? octets : 0;
    }
    if (label->ascii)
        escape = xn_presentation_escape(label->text + at, left);
    if (escape == 0 && (!xn_presentation_is_plain((uint8_t)cp) || (cp == '_' && !label->ascii))) {
        describe_ascii(label, cp);
        return 0;
    }
    return escape > 0 ? escape : 1;
}

/* --- faults of the whole label --- */

static void describe_too_long(const struct examined *label)
{
    size_t octets = label->ascii ? xn_presentation_octets(label->text, label->len) : 0;

    /* A zone may have a million longer ones, and converting them takes too long. */
    if (!label->ascii && label->len <= XN_PRESENTATION_LABEL_LONG)
        octets = xn_unicode_alabel_overlength(label->unicode, label->text, label->len);
    if (octets > 0)
        describe(label, "label is %zu octets%s: expected at most 63", octets,
                 label->ascii ? "" : " as an A-label");
    else
        describe(label, "label is %zu octets of UTF-8: expected at most 63 octets as an A-label",
                 label->len);
}

static void describe_whole(const struct examined *label, xn_reasons reasons)
{
    if (!label->ascii && xn_wire_has_ace_prefix(label->text, label->len))
        describe(label, "label begins with 'xn--' but is not an A-label: expected only ASCII after "
                        "it, or the label in Unicode without it");
    else if (reasons & xn_reason_bit(XN_TOO_LONG))
        describe_too_long(label);
    else
        describe(label, "label %s: 'unbound-idn explain' shows where",
                 xn_reason_text(xn_reasons_worst(reasons)));
}

/* Returns the offset of the first octet that is not UTF-8, or the length. */
static size_t find_no_utf8(const uint8_t *text, size_t len)
{
    size_t at = 0, octets;
    uint32_t cp;

    while (at < len && (octets = xn_utf8_read(text + at, len - at, &cp)) > 0)
        at += octets;
    return at;
}

size_t xnm_namefault_find(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                          xn_reasons reasons, bool wildcard, char *message)
{
    const struct examined label = {.unicode = unicode,
                                   .text = text,
                                   .len = len,
                                   .ascii = xn_presentation_is_ascii(text, len),
                                   .wildcard = wildcard,
                                   .message = message};
    uint32_t before = 0;

    if (len == 0) {
        describe(&label, "empty label: expected text on both sides of a dot");
        return 0;
    }
    if (len > XN_PRESENTATION_LABEL_MAX) { /* not meant as a name: not worth the time */
        describe_too_long(&label);
        return 0;
    }
    size_t at = find_no_utf8(text, len);
    if (at < len) {
        describe(&label, "octet 0x%02X is not UTF-8: expected UTF-8 (is the file in Latin-1?)",
                 text[at]);
        return at;
    }
    for (size_t octets = at = 0; at < len; at += octets) {
        octets = pass_character(&label, at, before);
        if (octets == 0)
            return at;
        xn_utf8_read(text + at, len - at, &before);
    }
    describe_whole(&label, reasons);
    return 0;
}
