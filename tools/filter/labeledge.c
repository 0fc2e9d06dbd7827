/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/filter/labeledge.h"

#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/names/presentation.h"
#include "core/text/hexadecimal.h"
#include "core/text/utf16.h"
#include "core/text/utf8char.h"

#include <string.h>
#include <strings.h>

/* The octets after a label. Past the end of the text, a line feed is read, which ends everything;
 * `seen` tells whether that happened. */
struct ahead {
    const uint8_t *text;
    size_t len;
    size_t seen; /* how many were looked at */
};

static uint8_t peek(struct ahead *ahead, size_t at)
{
    if (at >= ahead->seen)
        ahead->seen = at + 1;
    return at < ahead->len ? ahead->text[at] : '\n';
}

static bool is_one_of(uint8_t octet, const char *set)
{
    return octet != '\0' && strchr(set, octet) != NULL;
}

/* --- characters, and how programs write them --- */

/* Returns whether a character may be part of a label. For an octet that they do not print,
 * Unbound's log has `?`, tshark has U+FFFD, and other programs write a backslash and more.
 * Characters that UTS 46 drops, such as a soft hyphen, join their neighbours, except U+FEFF, which
 * begins files. */
static bool continues_label(const struct xn_unicode *unicode, uint32_t cp)
{
    if (cp < 0x80)
        return xn_presentation_is_plain((uint8_t)cp) || cp == '\\' || cp == '?';
    return xn_unicode_is_letter(cp) || xn_unicode_is_mark(cp) || xn_unicode_digit_zero(cp) != 0 ||
           xn_unicode_is_joiner(cp) || cp == 0xFFFD ||
           (cp != 0xFEFF &&
            xn_unicode_judge_character(unicode, cp, 'a', 0) == XN_CHARACTER_DROPPED);
}

/* Reads `count` hexadecimal digits. */
static bool peek_hex(struct ahead *ahead, size_t at, size_t count, uint32_t *value)
{
    *value = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t digit = xn_hexadecimal_value(peek(ahead, at + i));

        if (digit == XN_HEXADECIMAL_NONE)
            return false;
        *value = *value * 16 + digit;
    }
    return true;
}

static bool peek_unit(struct ahead *ahead, size_t at, uint32_t *unit)
{
    return peek(ahead, at) == '\\' && peek(ahead, at + 1) == 'u' &&
           peek_hex(ahead, at + 2, 4, unit);
}

/* Reads `\uXXXX`, or two of them for a character that takes two UTF-16 units (RFC 8259, section 7).
 * Returns the number of octets read, or 0 if there is no such escape, or only half a pair. */
static size_t peek_json(struct ahead *ahead, uint32_t *cp)
{
    uint32_t low;

    if (!peek_unit(ahead, 0, cp))
        return 0;
    if (!xn_utf16_is_surrogate(*cp))
        return 6;
    if (*cp >= 0xDC00 || !peek_unit(ahead, 6, &low))
        return 0;
    *cp = xn_utf16_join(*cp, low);
    return *cp > 0 ? 12 : 0;
}

/* Reads an escape such as `%2F` (RFC 3986, section 2.1). An octet that is not ASCII is part of a
 * character, most often a letter, and `%25` may begin an escape of an escape: both count as a
 * letter. */
static bool peek_percent(struct ahead *ahead, uint32_t *cp)
{
    if (peek(ahead, 0) != '%' || !peek_hex(ahead, 1, 2, cp))
        return false;
    if (*cp >= 0x80 || *cp == '%')
        *cp = 'a';
    return true;
}

/* --- before a label --- */

static inline bool ends_in(const uint8_t *text, size_t len, const char *what)
{
    size_t what_len = strlen(what);

    if (len < what_len || (text[len - 1] | 0x20) != ((uint8_t)what[what_len - 1] | 0x20))
        return false;
    return strncasecmp((const char *)text + len - what_len, what, what_len) == 0;
}

static bool ends_in_backslash(const uint8_t *text, size_t len)
{
    return ends_in(text, len, "\\") || ends_in(text, len, "%5C") || ends_in(text, len, "\\u005C");
}

static size_t json_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    for (size_t octets = 12; octets >= 6; octets -= 6) {
        if (len < octets)
            continue;
        struct ahead ahead = {text + len - octets, octets, 0};
        if (peek_json(&ahead, cp) == octets)
            return octets;
    }
    return 0;
}

static size_t percent_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    if (len < 3)
        return 0;
    struct ahead ahead = {text + len - 3, 3, 0};
    return peek_percent(&ahead, cp) ? 3 : 0;
}

/* Reads white space or a control character before a place, as JSON (`\n`) or rsyslog (`#012`)
 * writes it. Returns its length, or 0 if there is none. */
static size_t space_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    *cp = '\n';
    if (len >= 2 && text[len - 2] == '\\' && is_one_of(text[len - 1], "nrtbf"))
        return 2;
    bool rsyslog =
        ends_in(text, len, "#011") || ends_in(text, len, "#012") || ends_in(text, len, "#015");
    return rsyslog ? 4 : 0;
}

/* Returns the length of the ESC that ends a text, as it is or as JSON or rsyslog writes it, or 0.
 */
static size_t escape_before(const uint8_t *text, size_t len)
{
    if (ends_in(text, len, "\x1B"))
        return 1;
    return ends_in(text, len, "\\u001B") ? 6 : ends_in(text, len, "#033") ? 4 : 0;
}

/* Reads a colour sequence before a place: ESC `[`, digits and separators, a letter (ECMA-48,
 * section 5.4). Returns its length, or 0 if there is none. */
static size_t colour_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    enum { PARAMETERS_MAX = 24 };
    size_t at = len - 1;

    *cp = '\n';
    if ((uint8_t)((text[at] | 0x20) - 'a') >= 26)
        return 0;
    while (at > 0 && len - at <= PARAMETERS_MAX && is_one_of(text[at - 1], "0123456789;:?"))
        at--;
    if (at == 0 || text[at - 1] != '[')
        return 0;
    size_t escape = escape_before(text, at - 1);
    return escape > 0 ? len - at + 1 + escape : 0;
}

/* Returns whether a terminal would take what comes next for part of an escape sequence. `ESC x`
 * does nothing, but `ESC c` resets the terminal, and a label that is shown may begin with c. Before
 * the final octet of a sequence come octets from 0x20 to 0x3F (ECMA-48, section 5.4; ECMA-35,
 * section 13). */
static bool is_in_sequence(const uint8_t *text, size_t len)
{
    enum { SEQUENCE_MAX = 32 };
    size_t at = len;

    while (at > 0 && len - at < SEQUENCE_MAX && text[at - 1] >= 0x20 && text[at - 1] <= 0x3F)
        at--;
    if (at > 0 && text[at - 1] == '[')
        at--;
    return escape_before(text, at) > 0 || ends_in(text, at, "\xC2\x9B");
}

static size_t utf8_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    for (size_t octets = 1; octets <= XN_UTF8_MAX && octets <= len; octets++)
        if (xn_utf8_read(text + len - octets, octets, cp) == octets)
            return octets;
    return 0;
}

/* Reads the character before a place. len is at least 1. Returns the number of octets that it is
 * written with, or 0 if there is no character. */
static size_t character_before(const uint8_t *text, size_t len, uint32_t *cp)
{
    size_t octets;

    *cp = text[len - 1];
    /* A character written with more octets ends in a letter, a digit, or not in ASCII. */
    if (*cp < 0x80 && !xn_presentation_is_plain((uint8_t)*cp))
        return 1;
    if ((octets = space_before(text, len, cp)) > 0 || (octets = json_before(text, len, cp)) > 0 ||
        (octets = percent_before(text, len, cp)) > 0 || (octets = colour_before(text, len, cp)) > 0)
        return octets;
    return utf8_before(text, len, cp);
}

/* Returns whether the text ends in an octet as tcpdump writes it: `^A` for 0x01, `^[` for 0x1B,
 * `M-,` for 0xAC. */
static bool is_octet_of_tcpdump(const uint8_t *text, size_t len)
{
    return (len >= 2 && text[len - 2] == '^' && is_one_of(text[len - 1], "@[]^")) ||
           (len >= 3 && text[len - 3] == 'M' && text[len - 2] == '-');
}

bool labeledge_begins(const struct xn_unicode *unicode, const uint8_t *text, size_t at)
{
    uint32_t cp;

    if (at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r')
        return true;
    size_t octets = character_before(text, at, &cp);
    if (octets == 0 || continues_label(unicode, cp) || is_octet_of_tcpdump(text, at) ||
        is_in_sequence(text, at))
        return false;
    /* JSON writes a quote as `\"`, and some programs a slash as `\/`. */
    if (octets == 1 && (cp == '"' || cp == '/'))
        return true;
    /* `\.` is inside a label, and JSON writes it as `\\.`. A label with a backslash in it looks
     * like
     * `\\n` or `\\032`. */
    return !ends_in_backslash(text, at - octets);
}

/* --- after a label --- */

/* Programs write U+2026 where they cut a text short; what is left of a label may be another
 * A-label. */
static bool character_ends(const struct xn_unicode *unicode, uint32_t cp)
{
    return cp != 0x2026 && !continues_label(unicode, cp);
}

/* In JSON, a quote follows one backslash; in JSON inside a JSON string three, then seven. Before
 * anything else, more than one backslash is or may be a backslash in the label. */
static bool backslash_ends(const struct xn_unicode *unicode, struct ahead *ahead)
{
    enum { BACKSLASHES_MAX = 7 };
    size_t count = 1;
    uint32_t cp;

    while (count <= BACKSLASHES_MAX && peek(ahead, count) == '\\')
        count++;
    if (count > BACKSLASHES_MAX)
        return false;
    if (is_one_of(peek(ahead, count), "\"/"))
        return (count & (count + 1)) == 0;
    if (count > 1)
        return false;
    if (peek(ahead, 1) == 'u')
        return peek_json(ahead, &cp) > 0 && character_ends(unicode, cp);
    return is_one_of(peek(ahead, 1), "nrtbf");
}

static bool utf8_ends(const struct xn_unicode *unicode, struct ahead *ahead)
{
    uint8_t first = peek(ahead, 0);
    size_t octets = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2, len = 1;
    uint32_t cp;

    while (len < octets && (peek(ahead, len) & 0xC0) == 0x80)
        len++;
    return len == octets && xn_utf8_read(ahead->text, len, &cp) == len &&
           character_ends(unicode, cp);
}

static bool text_ends(const struct xn_unicode *unicode, struct ahead *ahead)
{
    uint8_t first = peek(ahead, 0);
    uint32_t cp;

    if (first == '\\')
        return backslash_ends(unicode, ahead);
    if (first == '%')
        return !peek_percent(ahead, &cp) || !continues_label(unicode, cp);
    if (first == '^') /* tcpdump writes `^A`; in an ad blocker's rule no letter follows `^` */
        return !is_one_of(peek(ahead, 1), "@ABCDEFGHIJKLMNOPQRSTUVWXYZ[^_?");
    if (first == '.') /* `...` is another way to write U+2026 */
        return peek(ahead, 1) != '.' || peek(ahead, 2) != '.';
    return first < 0x80 ? !continues_label(unicode, first) : utf8_ends(unicode, ahead);
}

labeledge_ending labeledge_ends(const struct xn_unicode *unicode, const uint8_t *text, size_t at,
                                size_t len, bool last)
{
    struct ahead ahead = {text + at, len - at, 0};
    bool ends = text_ends(unicode, &ahead);

    if (ahead.seen > ahead.len && !last)
        return LABELEDGE_UNDECIDED;
    return ends ? LABELEDGE_ENDS : LABELEDGE_GOES_ON;
}
