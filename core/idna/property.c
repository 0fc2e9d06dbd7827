/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/property.h"

#include "core/idna/traits.h"

#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

bool xn_unicode_is_rtl(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        UCharDirection class = u_charDirection((UChar32)label[i]);
        if (class == U_RIGHT_TO_LEFT || class == U_RIGHT_TO_LEFT_ARABIC || class == U_ARABIC_NUMBER)
            return true;
    }
    return false;
}

/* --- scripts and kinds of characters --- */

_Static_assert(USCRIPT_CODE_LIMIT <= UINT8_MAX + 1, "xn_unicode_script_extensions writes octets");
_Static_assert((int)USCRIPT_LATIN == (int)XN_SCRIPT_LATN &&
                   (int)USCRIPT_GREEK == (int)XN_SCRIPT_GREK &&
                   (int)USCRIPT_HAN == (int)XN_SCRIPT_HANI &&
                   (int)USCRIPT_HEBREW == (int)XN_SCRIPT_HEBR &&
                   (int)USCRIPT_HIRAGANA == (int)XN_SCRIPT_HIRA &&
                   (int)USCRIPT_CYRILLIC == (int)XN_SCRIPT_CYRL &&
                   (int)USCRIPT_KATAKANA == (int)XN_SCRIPT_KANA,
               "ICU's numbers");

static bool is_script(UScriptCode script)
{
    return script != USCRIPT_COMMON && script != USCRIPT_INHERITED;
}

int xn_unicode_find_script(const char *code)
{
    for (int script = 0; script < USCRIPT_CODE_LIMIT; script++)
        if (is_script((UScriptCode)script) &&
            script != USCRIPT_UNKNOWN && /* the script of unassigned code points */
            uscript_getUsage((UScriptCode)script) != USCRIPT_USAGE_NOT_ENCODED &&
            strcmp(uscript_getShortName((UScriptCode)script), code) == 0)
            return script;
    return -1;
}

int xn_unicode_script(uint32_t cp)
{
    UErrorCode error = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript((UChar32)cp, &error);

    return U_SUCCESS(error) && is_script(script) ? (int)script : -1;
}

static int32_t script_extensions(UChar32 cp, UScriptCode scripts[XN_SCRIPT_EXTENSIONS_MAX])
{
    UErrorCode error = U_ZERO_ERROR;
    int32_t count = uscript_getScriptExtensions(cp, scripts, XN_SCRIPT_EXTENSIONS_MAX, &error);

    return U_SUCCESS(error) ? count : 0;
}

size_t xn_unicode_script_extensions(uint32_t cp, uint8_t dst[XN_SCRIPT_EXTENSIONS_MAX])
{
    UScriptCode scripts[XN_SCRIPT_EXTENSIONS_MAX];
    int32_t count = script_extensions((UChar32)cp, scripts);
    size_t out = 0;

    for (int32_t i = 0; i < count; i++)
        if (is_script(scripts[i]))
            dst[out++] = (uint8_t)scripts[i];
    return out;
}

uint32_t xn_unicode_digit_zero(uint32_t cp)
{
    int32_t value = u_charDigitValue((UChar32)cp); /* -1 unless General_Category is Nd */

    return value < 0 ? 0 : cp - (uint32_t)value;
}

bool xn_unicode_is_letter(uint32_t cp)
{
    return u_isalpha((UChar32)cp);
}

bool xn_unicode_is_emoji(uint32_t cp)
{
    bool modifier = cp - 0x1F3FB < 5, regional_indicator = cp - 0x1F1E6 < 26; /* all there are */

    return modifier || regional_indicator ||
           u_hasBinaryProperty((UChar32)cp, UCHAR_EXTENDED_PICTOGRAPHIC);
}

/* --- on a screen --- */

bool xn_unicode_is_shown(uint32_t cp)
{
    if (cp < 0x80)
        return cp >= 0x20 && cp != 0x7F;
    return !xn_unicode_is_joiner(cp) && xn_traits_is_displayed(cp);
}

bool xn_unicode_is_visible(uint32_t cp)
{
    static const uint32_t blanks[] = {0x2800, 0x13441, 0x13442, 0x16FE4, 0x1D159};

    if ((cp > ' ' && cp < 0x7F) || xn_traits_is_displayed(cp))
        return true;
    bool invisible = (U_MASK(u_charType((UChar32)cp)) & (U_GC_C_MASK | U_GC_Z_MASK)) != 0 ||
                     u_hasBinaryProperty((UChar32)cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);

    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++)
        invisible |= cp == blanks[i];
    return cp == ' ' || cp == 0xFE0E || cp == 0xFE0F || !invisible;
}

bool xn_unicode_is_wide(uint32_t cp)
{
    int32_t width = u_getIntPropertyValue((UChar32)cp, UCHAR_EAST_ASIAN_WIDTH);

    return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

/* --- for messages --- */

void xn_unicode_character_name(uint32_t cp, char *dst)
{
    UErrorCode error = U_ZERO_ERROR;

    if (u_charName((UChar32)cp, U_UNICODE_CHAR_NAME, dst, XN_CHARACTER_NAME_MAX, &error) > 0 &&
        U_SUCCESS(error))
        return;
    int8_t type = u_charType((UChar32)cp);
    const char *kind = type == U_CONTROL_CHAR       ? "control character"
                       : type == U_PRIVATE_USE_CHAR ? "private use character"
                                                    : "unassigned character";
    memcpy(dst, kind, strlen(kind) + 1);
}

bool xn_unicode_is_mark(uint32_t cp)
{
    return (U_MASK(u_charType((UChar32)cp)) & U_GC_M_MASK) != 0;
}
