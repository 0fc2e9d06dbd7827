/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/lookalike/script.h"

#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/idna/ulabel.h"
#include "core/lookalike/shape.h"
#include "core/names/presentation.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { CODE_LEN = 4 };

xn_level xn_script_level(const uint32_t *label, size_t len)
{
    uint32_t rest[XN_ULABEL_MAX];

    if (len > XN_ULABEL_MAX)
        return XN_LEVEL_UNRESTRICTED;
    size_t rest_len = xn_ulabel_drop_joiners(label, len, rest);
    xn_level level = xn_ulabel_mix(rest, rest_len);

    return level > XN_LEVEL_HIGHLY && xn_script_find_restricted(label, len) < len
               ? XN_LEVEL_UNRESTRICTED
               : level;
}

/* --- sets --- */

static bool has(const struct xn_script_set *set, size_t script)
{
    return set->bits[script / 64] >> script % 64 & 1;
}

static bool add(struct xn_script_set *set, const char *code)
{
    int script = xn_unicode_find_script(code);

    if (script < 0)
        return false;
    set->bits[script / 64] |= (uint64_t)1 << script % 64;
    return true;
}

bool xn_script_set_add(struct xn_script_set *set, const char *code, size_t len)
{
    /* ISO 15924 codes for scripts that are written together. No character has them as its Script.
     */
    static const struct {
        const char *code, *parts[3];
    } joined[] = {
        {"Jpan", {"Hira", "Kana", "Hani"}}, {"Hrkt", {"Hira", "Kana"}}, {"Kore", {"Hang", "Hani"}},
        {"Hanb", {"Hani", "Bopo"}},         {"Hans", {"Hani"}},         {"Hant", {"Hani"}}};
    char title[CODE_LEN + 1] = "";

    if (len != CODE_LEN)
        return false;
    for (size_t i = 0; i < CODE_LEN; i++) {
        uint8_t letter = (uint8_t)code[i] | 0x20;
        if (letter < 'a' || letter > 'z')
            return false;
        title[i] = (char)(i == 0 ? letter & ~0x20 : letter);
    }
    for (size_t i = 0; i < COUNT(joined); i++) {
        if (strcmp(joined[i].code, title) != 0)
            continue;
        for (size_t part = 0; part < COUNT(joined[i].parts) && joined[i].parts[part]; part++)
            if (!add(set, joined[i].parts[part]))
                return false;
        return true;
    }
    return add(set, title);
}

/* Returns how many of the scripts that a code point is used with are in a set; *count is how many
 * it is used with. */
static size_t count_in_set(const struct xn_script_set *set, uint32_t cp, size_t *count)
{
    uint8_t scripts[XN_SCRIPT_EXTENSIONS_MAX];
    size_t in_set = 0;

    *count = xn_unicode_script_extensions(cp, scripts);
    for (size_t i = 0; i < *count; i++)
        in_set += has(set, scripts[i]);
    return in_set;
}

static bool is_of_set(const struct xn_script_set *set, uint32_t cp)
{
    int script = xn_unicode_script(cp);

    return script >= 0 && has(set, (size_t)script);
}

size_t xn_script_find_in(const struct xn_script_set *set, const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        size_t count;

        if (is_of_set(set, label[i]) || (count_in_set(set, label[i], &count) == count && count > 0))
            return i;
    }
    return len;
}

size_t xn_script_find_outside(const struct xn_script_set *set, const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        size_t count;

        if (!is_of_set(set, label[i]) && count_in_set(set, label[i], &count) == 0 && count > 0)
            return i;
    }
    return len;
}

/* --- kinds of characters --- */

size_t xn_script_find_restricted(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (!xn_unicode_is_joiner(label[i]) && !xn_traits_is_allowed(label[i]))
            return i;
    return len;
}

size_t xn_script_find_emoji(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (xn_unicode_is_emoji(label[i]))
            return i;
    return len;
}

size_t xn_script_find_rtl(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (xn_unicode_is_rtl(label + i, 1))
            return i;
    return len;
}

/* --- whole labels --- */

bool xn_script_is_wholescript(const uint32_t *label, size_t len)
{
    struct xn_shape shape = {.ace = true};
    uint8_t key[XN_KEY_MAX];
    bool letters = false;

    for (size_t i = 0; i < len; i++) {
        if (xn_unicode_script(label[i]) == XN_SCRIPT_LATN)
            return false;
        letters |= xn_unicode_is_letter(label[i]);
    }
    if (!letters || len > XN_ULABEL_MAX)
        return false;
    shape.len = (uint8_t)xn_ulabel_drop_joiners(label, len, shape.code_points);
    return xn_presentation_is_ascii(key, xn_shape_key(&shape, XN_KEY_EXACT, key));
}
