/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/misread.h"

#include "core/idna/alabel.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/wire/walk.h"

static bool is_ascii_letter(const uint32_t *label, size_t len, size_t at)
{
    return at < len && (label[at] | 0x20) - 'a' < 26;
}

static bool is_cjk(uint32_t cp)
{
    uint8_t scripts[XN_SCRIPT_EXTENSIONS_MAX];

    for (size_t i = xn_unicode_script_extensions(cp, scripts); i > 0; i--)
        if (scripts[i - 1] == XN_SCRIPT_HANI || scripts[i - 1] == XN_SCRIPT_HIRA ||
            scripts[i - 1] == XN_SCRIPT_KANA)
            return true;
    return false;
}

static bool share_a_script(uint32_t a, uint32_t b)
{
    uint8_t first[XN_SCRIPT_EXTENSIONS_MAX], second[XN_SCRIPT_EXTENSIONS_MAX];
    size_t count = xn_unicode_script_extensions(a, first);
    size_t others = xn_unicode_script_extensions(b, second);

    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < others; j++)
            if (first[i] == second[j])
                return true;
    return false;
}

/* In a URL, a slash, dot or dash follows ASCII. */
static bool is_stroke(const uint32_t *label, size_t len, size_t at)
{
    if (at > 0 && is_ascii_letter(label, len, at - 1))
        return true;
    return is_ascii_letter(label, len, at + 1) && !(at > 0 && is_cjk(label[at - 1]));
}

/* A word may end with it before a hyphen. */
static bool is_loose(const uint32_t *label, size_t len, size_t at)
{
    return len == 1 || (at > 0 && !share_a_script(label[at], label[at - 1])) ||
           (at + 1 < len && label[at + 1] != '-' && !share_a_script(label[at], label[at + 1]));
}

/* Returns whether the character has a dot above, or would look like an i or j with one. */
static bool is_dotted(uint32_t cp)
{
    static const uint32_t dotted[] = {'i', 'j', 'l', 0x12F, 0x268, 0x456, 0x458, 0x1ECB};

    for (size_t i = 0; i < sizeof dotted / sizeof *dotted; i++)
        if (cp == dotted[i])
            return true;
    return false;
}

/* The mark makes a letter that looks like another one, or is on a letter of a script that has
 * no such marks. */
static bool is_odd_mark(const uint32_t *label, size_t at)
{
    size_t base = at;

    while (base > 0 && xn_unicode_is_mark(label[base]))
        base--;
    int script = xn_unicode_script(label[base]);
    return (script != XN_SCRIPT_LATN && script != XN_SCRIPT_GREK && script != XN_SCRIPT_CYRL) ||
           (label[at] == 0x307 && is_dotted(label[base]));
}

size_t xn_misread_mixed_digit(const uint32_t *label, size_t len)
{
    uint32_t first = 0;

    for (size_t i = 0; i < len; i++) {
        uint32_t zero = xn_unicode_digit_zero(label[i]);

        if (zero != 0 && first != 0 && zero != first)
            return i;
        first = first != 0 ? first : zero;
    }
    return len;
}

/* Returns the reasons for a label that has a digit which is not ASCII. */
static xn_reasons check_digits(const uint32_t *label, size_t len)
{
    if (xn_misread_mixed_digit(label, len) < len)
        return xn_reason_bit(XN_DIGITS);
    for (size_t i = 0; i < len; i++)
        if (label[i] != '-' && xn_unicode_digit_zero(label[i]) == 0)
            return 0;
    return xn_reason_bit(XN_WHOLESCRIPT);
}

static bool is_misread(const uint32_t *label, size_t len, size_t at, xn_misread kind)
{
    switch (kind) {
    case XN_MISREAD_SLASH:
        return len == 1 || is_stroke(label, len, at);
    case XN_MISREAD_STROKE:
        return is_stroke(label, len, at);
    case XN_MISREAD_BETWEEN:
        return at > 0 && is_ascii_letter(label, len, at - 1) && is_ascii_letter(label, len, at + 1);
    case XN_MISREAD_MARK:
        return is_odd_mark(label, at);
    case XN_MISREAD_DOTLESS:
        return at + 1 < len && label[at + 1] >= 0x300 && xn_unicode_is_mark(label[at + 1]);
    default: /* XN_MISREAD_SEPARATOR: no other kind comes here */
        return is_loose(label, len, at);
    }
}

static xn_misread kind_of(uint32_t cp)
{
    if (!xn_traits_is_ambiguous(cp))
        return XN_MISREAD_NEVER;
    xn_misread kind = xn_misread_listed(cp);
    if (kind != XN_MISREAD_NEVER)
        return kind;
    return xn_unicode_digit_zero(cp) != 0 ? XN_MISREAD_DIGIT : XN_MISREAD_SEPARATOR;
}

xn_reasons xn_misread_find(const uint32_t *label, size_t len)
{
    bool digits = false; /* one was seen: it decides for all */
    xn_reasons reasons = 0;

    for (size_t i = 0; i < len; i++) {
        xn_misread kind = label[i] < 0x80 ? XN_MISREAD_NEVER : kind_of(label[i]);

        if (kind == XN_MISREAD_NEVER)
            continue;
        if (kind == XN_MISREAD_DIGIT) {
            reasons |= digits ? 0 : check_digits(label, len);
            digits = true;
        } else {
            xn_reasons reason =
                xn_reason_bit(kind >= XN_MISREAD_MARK ? XN_CHARSET : XN_PUNCTUATION);
            if (!(reasons & reason) && is_misread(label, len, i, kind))
                reasons |= reason;
        }
    }
    return reasons;
}

/* --- whole labels --- */

static uint64_t scripts_of(const uint8_t *tld, size_t len)
{
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len = 0;

    if (len == 2)
        return xn_traits_country(tld);
    if (len > XN_WIRE_LABEL_MAX || !xn_wire_has_ace_prefix(tld, len) ||
        xn_alabel_decode(tld, len, cps, &cps_len) != 0)
        return 0;
    return xn_traits_scripts(cps, cps_len);
}

bool xn_misread_fits_tld(const uint8_t *tld, size_t tld_len, const uint32_t *label, size_t len)
{
    return (xn_traits_scripts(label, len) & scripts_of(tld, tld_len)) != 0;
}
