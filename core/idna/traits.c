/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/traits.h"

/* tools/tables/traits makes xn_traits_unicode_version, xn_traits_script_sets,
 * traits_countries, xn_traits_lower, traits_allowed_ascii, traits_allowed, xn_traits_begin_of and
 * xn_traits_words. */
#include "traits_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- scripts --- */

const char *xn_traits_script(const uint32_t *label, size_t len, size_t *same)
{
    uint32_t first = xn_traits_of(label[0]) & TRAIT_SCRIPTS;
    size_t i = 1;

    while (i < len && ((xn_traits_of(label[i]) ^ first) & TRAIT_SCRIPTS) == 0)
        i++;
    *same = i;
    return xn_traits_script_sets[first].code;
}

bool xn_traits_is_kana_or_han(uint32_t cp)
{
    return xn_traits_script_sets[xn_traits_of(cp) & TRAIT_SCRIPTS].kana_or_han != 0;
}

uint64_t xn_traits_scripts(const uint32_t *label, size_t len)
{
    uint64_t all = UINT64_MAX;

    for (size_t i = 0; i < len; i++)
        all &= xn_traits_script_sets[xn_traits_of(label[i]) & TRAIT_SCRIPTS].used_with[0];
    return all;
}

uint64_t xn_traits_country(const uint8_t tld[2])
{
    for (size_t i = 0; i < COUNT(traits_countries); i++)
        if ((tld[0] | 0x20) == traits_countries[i].tld[0] &&
            (tld[1] | 0x20) == traits_countries[i].tld[1])
            return traits_countries[i].scripts;
    return 0;
}

/* --- single code points --- */

bool xn_traits_is_displayed(uint32_t cp)
{
    return cp >= 0x80 && !(xn_traits_of(cp) & TRAIT_HIDDEN);
}

bool xn_traits_is_ambiguous(uint32_t cp)
{
    return (xn_traits_of(cp) & TRAIT_AMBIGUOUS) != 0;
}

bool xn_traits_is_allowed(uint32_t cp)
{
    size_t first = 0, end = COUNT(traits_allowed);

    if (cp < 0x80)
        return traits_allowed_ascii[cp / 64] >> cp % 64 & 1;
    if (!(xn_traits_of(cp) & TRAIT_HIDDEN))
        return true;
    while (first < end) {
        size_t middle = (first + end) / 2;
        if (traits_allowed[middle] == cp)
            return true;
        if (traits_allowed[middle] < cp)
            first = middle + 1;
        else
            end = middle;
    }
    return false;
}
