/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls to ICU at run time are in this file, which is why it is longer than others, and in
 * core/idna/uts46.c and context.c. Of a whole label that was decoded, the table of
 * core/idna/traits.c is asked, and ICU only if it has another Unicode version than the table. */
#include "core/idna/unicode.h"

#include "core/idna/alabel.h"
#include "core/idna/context.h"
#include "core/idna/icu.h"
#include "core/idna/misread.h"
#include "core/idna/traits.h"
#include "core/text/utf8char.h"
#include "core/wire/size.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/ustring.h>
#include <unicode/utrans.h>

enum { UTF16_MAX = 2 * XN_ULABEL_MAX }; /* units of a U-label */

static atomic_uint lacks;

unsigned xn_unicode_lacks(void)
{
    return atomic_load_explicit(&lacks, memory_order_relaxed);
}

/* If ICU has no memory for a copy of its input, it calls the input an illegal argument, which ours
 * never are. */
static bool is_success(UErrorCode error)
{
    if (error == U_MEMORY_ALLOCATION_ERROR || error == U_ILLEGAL_ARGUMENT_ERROR)
        atomic_fetch_add_explicit(&lacks, 1, memory_order_relaxed);
    return U_SUCCESS(error);
}

const char *xn_unicode_version(void)
{
    return U_UNICODE_VERSION;
}

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

const char *xn_unicode_script_name(int script)
{
    return uscript_getName((UScriptCode)script);
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

static bool has_same_unicode(void)
{
    UVersionInfo version;

    u_getUnicodeVersion(version);
    return memcmp(version, xn_traits_unicode_version, sizeof version) == 0;
}

/* Returns the ISO 15924 code of the first *same code points, or NULL for Common and Inherited. */
static const char *script_code(const uint32_t *label, size_t len, bool same_unicode, size_t *same)
{
    const char *code = same_unicode ? xn_traits_script(label, len, same) : NULL;

    if (code)
        return code[0] ? code : NULL;
    int script = xn_unicode_script(label[0]);
    *same = 1;
    return script >= 0 ? uscript_getShortName((UScriptCode)script) : NULL;
}

static void add_script(const char *code, struct xn_scripts *scripts)
{
    for (size_t i = 0; i < scripts->count; i++)
        if (strcmp(scripts->codes[i], code) == 0)
            return;
    if (scripts->count < XN_SCRIPTS_MAX)
        scripts->codes[scripts->count++] = code;
}

void xn_unicode_add_scripts(const uint32_t *label, size_t len, struct xn_scripts *scripts)
{
    bool same_unicode = has_same_unicode();

    for (size_t at = 0, same; at < len; at += same) {
        const char *code = script_code(label + at, len - at, same_unicode, &same);
        if (code)
            add_script(code, scripts);
    }
}

static int32_t to_utf16(const uint32_t *label, size_t len, UChar *units)
{
    int32_t out = 0;

    for (size_t i = 0; i < len; i++)
        U16_APPEND_UNSAFE(units, out, label[i]);
    return out;
}

/* UTS 39, section 5.4: a mark twice looks like one, and many marks reach into other lines. */
static bool has_odd_marks(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    UChar units[UTF16_MAX];
    UErrorCode error = U_ZERO_ERROR;
    size_t marks = 0;

    for (size_t i = 0; i < len && marks <= XN_MARKS_MAX; i++)
        marks = u_charType((UChar32)label[i]) == U_NON_SPACING_MARK ? marks + 1 : 0;
    return marks > XN_MARKS_MAX ||
           uspoof_check(unicode->marks, units, to_utf16(label, len, units), NULL, &error) != 0 ||
           !is_success(error);
}

_Static_assert((int)USPOOF_UNRESTRICTIVE == ((int)XN_LEVEL_UNRESTRICTED + 1) << 28, "in its order");

static xn_level mix_by_icu(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    UChar units[UTF16_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t found = uspoof_check(unicode->level, units, to_utf16(label, len, units), NULL, &error);
    int32_t level = (found & USPOOF_RESTRICTION_LEVEL_MASK) >> 28;

    return is_success(error) && level > 0 ? (xn_level)(level - 1) : XN_LEVEL_UNRESTRICTED;
}

/* --- opening --- */

static void open_uts46(struct xn_unicode *u, UErrorCode *error)
{
    static const uint32_t options =
        UIDNA_NONTRANSITIONAL_TO_UNICODE | UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ;

    for (int i = 0; i < XN_ICU_VARIANTS; i++)
        u->uts46[i] =
            uidna_openUTS46(options | (i & XN_ICU_STD3 ? UIDNA_USE_STD3_RULES : 0) |
                                (i & XN_ICU_TRANSITIONAL ? 0 : UIDNA_NONTRANSITIONAL_TO_ASCII),
                            error);
    u->idna = u->uts46[XN_ICU_STD3];
}

static USet *open_allowed_set(UErrorCode *error)
{
    const USet *recommended = uspoof_getRecommendedSet(error);
    const USet *inclusion = uspoof_getInclusionSet(error);

    if (U_FAILURE(*error))
        return NULL;
    USet *set = uset_cloneAsThawed(recommended);
    if (set) {
        uset_addAll(set, inclusion);
        uset_freeze(set);
    }
    return set;
}

/* If ICU had no memory for its data, sets are empty, often without an error and for the life of
 * the process: every letter would be restricted, and no character an emoji. */
static bool is_complete(const struct xn_unicode *u)
{
    static const uint32_t letter = 0xFC, heap[] = {0x300, 0x300};

    return u->allowed && xn_unicode_is_allowed(u, letter) && xn_unicode_is_allowed(u, 0xB7) &&
           xn_unicode_is_emoji(0x1F600) && mix_by_icu(u, &letter, 1) == XN_LEVEL_SINGLE &&
           has_odd_marks(u, heap, 2) && !has_odd_marks(u, &letter, 1);
}

xn_status xn_unicode_open(struct xn_unicode **unicode)
{
    UErrorCode error = U_ZERO_ERROR;
    struct xn_unicode *u = calloc(1, sizeof *u);

    *unicode = NULL;
    if (!u)
        return XN_NO_MEMORY;
    open_uts46(u, &error);
    u->level = uspoof_open(&error);
    uspoof_setChecks(u->level, USPOOF_RESTRICTION_LEVEL | USPOOF_AUX_INFO, &error);
    uspoof_setRestrictionLevel(u->level, USPOOF_HIGHLY_RESTRICTIVE);
    u->marks = uspoof_open(&error);
    uspoof_setChecks(u->marks, USPOOF_INVISIBLE, &error);
    u->allowed = open_allowed_set(&error);
    u->same_unicode = has_same_unicode();
    if (U_SUCCESS(error) && is_complete(u)) {
        *unicode = u;
        return XN_OK;
    }
    xn_unicode_close(u);
    return U_SUCCESS(error) || error == U_MEMORY_ALLOCATION_ERROR ? XN_NO_MEMORY : XN_UNICODE_DATA;
}

void xn_unicode_close(struct xn_unicode *unicode)
{
    if (!unicode)
        return;
    uset_close(unicode->allowed);
    uspoof_close(unicode->marks);
    uspoof_close(unicode->level);
    for (int i = 0; i < XN_ICU_VARIANTS; i++)
        uidna_close(unicode->uts46[i]);
    free(unicode);
}

/* --- validity --- */

xn_reasons xn_icu_reasons(uint32_t errors)
{
    static const struct {
        uint32_t errors;
        xn_reason reason;
    } table[] = {
        {UIDNA_ERROR_LABEL_HAS_DOT, XN_NOT_CANONICAL}, /* U+3002 and the like are mapped to it */
        {UIDNA_ERROR_DISALLOWED, XN_DISALLOWED},
        {UIDNA_ERROR_BIDI, XN_BIDI},
        {UIDNA_ERROR_CONTEXTJ, XN_CONTEXTJ},
        {UIDNA_ERROR_LEADING_COMBINING_MARK, XN_LEADING_MARK},
        {UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4,
         XN_HYPHEN},
        {UIDNA_ERROR_PUNYCODE, XN_PUNYCODE},
        {UIDNA_ERROR_INVALID_ACE_LABEL, XN_NOT_CANONICAL},
        {UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG, XN_TOO_LONG},
        {UIDNA_ERROR_EMPTY_LABEL, XN_EMPTY},
    };
    xn_reasons reasons = 0;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (errors & table[i].errors)
            reasons |= xn_reason_bit(table[i].reason);
    return reasons;
}

/* ICU does not say whether an invalid A-label decodes to ASCII alone. */
xn_reasons xn_icu_reasons_of_mapping(uint32_t errors, const void *mapped, int32_t len)
{
    xn_reasons reasons = xn_icu_reasons(errors & ~(uint32_t)UIDNA_ERROR_INVALID_ACE_LABEL);

    if (errors & UIDNA_ERROR_INVALID_ACE_LABEL)
        reasons |= xn_alabel_marked(mapped, (size_t)len);
    return reasons;
}

/* A label is valid if UTS 46's ToUnicode finds no fault in it and does not change it: then every
 * code point has the status valid or deviation, and the label is in NFC. */
static xn_reasons ask_icu(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    UChar units[UTF16_MAX], mapped[4 * UTF16_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (len == 0 || len > XN_ULABEL_MAX)
        return xn_reason_bit(len == 0 ? XN_EMPTY : XN_TOO_LONG);
    if (len >= 4 && memcmp(label, U"xn--", 4 * sizeof *label) == 0) /* it would be decoded again */
        return xn_reason_bit(XN_HYPHEN);
    int32_t units_len = to_utf16(label, len, units);
    int32_t mapped_len =
        uidna_labelToUnicode(unicode->idna, units, units_len, mapped, 4 * UTF16_MAX, &info, &error);
    if (!is_success(error)) /* a valid label of 59 code points does not grow so far */
        return xn_reason_bit(XN_NOT_CANONICAL);
    xn_reasons reasons = xn_icu_reasons(info.errors);
    /* The label is mapped to an "xn--" (from U+FF58 or the like), or to nothing. */
    if (reasons & (xn_reason_bit(XN_PUNYCODE) | xn_reason_bit(XN_EMPTY)))
        return xn_reason_bit(XN_NOT_CANONICAL);
    if (reasons != 0)
        return reasons;
    if (mapped_len != units_len || u_memcmp(units, mapped, units_len) != 0)
        return xn_reason_bit(XN_NOT_CANONICAL);
    return xn_context_is_kept(label, len) ? 0 : xn_reason_bit(XN_PUNCTUATION);
}

xn_reasons xn_unicode_check_ulabel(const struct xn_unicode *unicode, const uint32_t *label,
                                   size_t len)
{
    return unicode->same_unicode ? xn_traits_check_ulabel(label, len)
                                 : ask_icu(unicode, label, len);
}

/* --- mapping --- */

/* Tells whether UTS 46 silently drops a character, except U+FE0E and U+FE0F after an emoji, where
 * everyone expects it. Digits have the property Emoji, but are emoji only before U+20E3. */
static bool is_dropped(uint32_t cp, uint32_t before, uint32_t after)
{
    bool presentation = (cp == 0xFE0E || cp == 0xFE0F) && (before >= 0x80 || after == 0x20E3);

    return u_hasBinaryProperty((UChar32)cp, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) &&
           !xn_unicode_is_joiner(cp) &&
           !(presentation && u_hasBinaryProperty((UChar32)before, UCHAR_EMOJI));
}

static bool drops_characters(const uint8_t *label, size_t len)
{
    uint32_t before = 0, cp = 0, after = 0;

    for (size_t at = 0, step; at < len; at += step, before = cp, cp = after) {
        step = xn_utf8_read(label + at, len - at, &after);
        if (step == 0 || is_dropped(cp, before, after)) /* 0: malformed UTF-8 */
            return true;
    }
    return is_dropped(cp, before, 0);
}

/* Tells whether a long label maps to more than 63 code points. ICU would encode all of them, in
 * time that grows with the square of their number, so we map without encoding first. */
static bool is_hopeless(const struct xn_unicode *unicode, const uint8_t *label, size_t len)
{
    char mapped[4 * XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;
    int32_t code_points = 0;

    if (len <= XN_PRESENTATION_LABEL_LONG)
        return false;
    int32_t mapped_len = uidna_labelToUnicodeUTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                  mapped, sizeof mapped, &info, &error);
    for (int32_t at = 0; U_SUCCESS(error) && at < mapped_len; at++)
        code_points += !U8_IS_TRAIL(mapped[at]);
    return !is_success(error) || code_points > 63;
}

static xn_reasons map_by_icu(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                             uint8_t *dst, size_t *dst_len)
{
    char mapped[XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (len > XN_PRESENTATION_LABEL_MAX)
        return xn_reason_bit(XN_TOO_LONG);
    if (drops_characters(label, len))
        return xn_reason_bit(XN_DISALLOWED);
    if (is_hopeless(unicode, label, len))
        return xn_reason_bit(XN_TOO_LONG);
    int32_t mapped_len = uidna_labelToASCII_UTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                 mapped, sizeof mapped, &info, &error);
    bool fits = is_success(error);
    xn_reasons reasons = xn_icu_reasons_of_mapping(info.errors, mapped, fits ? mapped_len : 0);
    if (!fits || mapped_len > 63)
        reasons |= xn_reason_bit(XN_TOO_LONG);
    if (reasons == 0) {
        memcpy(dst, mapped, (size_t)mapped_len);
        *dst_len = (size_t)mapped_len;
    }
    return reasons;
}

xn_reasons xn_unicode_map_label(const struct xn_unicode *unicode, const uint8_t *label, size_t len,
                                uint8_t *dst, size_t *dst_len)
{
    *dst_len = 0;
    if (unicode->same_unicode && xn_traits_map_label(label, len, dst, dst_len))
        return 0;
    return map_by_icu(unicode, label, len, dst, dst_len);
}

/* --- display --- */

bool xn_unicode_is_allowed(const struct xn_unicode *unicode, uint32_t cp)
{
    return uset_contains(unicode->allowed, (UChar32)cp);
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

xn_level xn_unicode_mix(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    if (unicode->same_unicode)
        return xn_traits_mix(label, len);
    return len > XN_ULABEL_MAX ? XN_LEVEL_UNRESTRICTED : mix_by_icu(unicode, label, len);
}

xn_reasons xn_unicode_check_display(const struct xn_unicode *unicode, const uint32_t *label,
                                    size_t len)
{
    uint32_t rest[XN_ULABEL_MAX];
    xn_reasons reasons;

    if (unicode->same_unicode)
        return xn_traits_check_display(label, len);
    if (len > XN_ULABEL_MAX)
        return xn_reason_bit(XN_TOO_LONG);
    size_t rest_len = xn_unicode_drop_joiners(label, len, rest);
    reasons = xn_traits_check_characters(rest, rest_len);
    if (has_odd_marks(unicode, rest, rest_len))
        reasons |= xn_reason_bit(XN_CHARSET);
    if (xn_unicode_mix(unicode, rest, rest_len) > XN_LEVEL_HIGHLY)
        reasons |= xn_reason_bit(XN_SCRIPT_MIX);
    if (xn_traits_is_like_ascii(rest, rest_len))
        reasons |= xn_reason_bit(XN_WHOLESCRIPT);
    return reasons | xn_misread_find(rest, rest_len);
}

xn_reasons xn_unicode_check_label(const struct xn_unicode *unicode, const uint32_t *label,
                                  size_t len)
{
    if (unicode->same_unicode)
        return xn_traits_check_label(label, len);
    xn_reasons reasons = xn_unicode_check_ulabel(unicode, label, len);
    if (reasons & XN_INVALID_REASONS)
        return reasons & XN_INVALID_REASONS;
    return reasons | xn_unicode_check_display(unicode, label, len);
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

/* ICU's errors about hyphens, joiners and marks depend on their place, and are ignored here. */
xn_character xn_unicode_judge_character(const struct xn_unicode *unicode, uint32_t cp,
                                        uint32_t before, uint32_t after)
{
    enum { MAPPED_MAX = 64 }; /* the longest mapping of a character, that of U+FDFA, has 18 */
    static const uint32_t refused = UIDNA_ERROR_DISALLOWED | UIDNA_ERROR_LABEL_HAS_DOT;
    UChar units[2], mapped[MAPPED_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (is_dropped(cp, before, after))
        return XN_CHARACTER_DROPPED;
    uidna_labelToUnicode(unicode->idna, units, to_utf16(&cp, 1, units), mapped, MAPPED_MAX, &info,
                         &error);
    return U_FAILURE(error) || (info.errors & refused) ? XN_CHARACTER_REFUSED
                                                       : XN_CHARACTER_ALLOWED;
}

size_t xn_unicode_alabel_overlength(const struct xn_unicode *unicode, const uint8_t *label,
                                    size_t len)
{
    char mapped[8 * XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    UIDNAInfo info = UIDNA_INFO_INITIALIZER;

    if (len > XN_PRESENTATION_LABEL_MAX)
        return 0;
    int32_t mapped_len = uidna_labelToASCII_UTF8(unicode->idna, (const char *)label, (int32_t)len,
                                                 mapped, sizeof mapped, &info, &error);
    bool too_long = U_SUCCESS(error) && info.errors == UIDNA_ERROR_LABEL_TOO_LONG;
    return too_long ? (size_t)mapped_len : 0;
}

size_t xn_unicode_bidi_fault(const uint32_t *label, size_t len)
{
    static const uint32_t any = U_MASK(U_EUROPEAN_NUMBER) | U_MASK(U_EUROPEAN_NUMBER_SEPARATOR) |
                                U_MASK(U_EUROPEAN_NUMBER_TERMINATOR) |
                                U_MASK(U_COMMON_NUMBER_SEPARATOR) | U_MASK(U_OTHER_NEUTRAL) |
                                U_MASK(U_BOUNDARY_NEUTRAL) | U_MASK(U_DIR_NON_SPACING_MARK);
    static const uint32_t rtl = U_MASK(U_RIGHT_TO_LEFT) | U_MASK(U_RIGHT_TO_LEFT_ARABIC);
    static const uint32_t ltr = U_MASK(U_LEFT_TO_RIGHT), arabic = U_MASK(U_ARABIC_NUMBER);
    static const uint32_t digits = U_MASK(U_EUROPEAN_NUMBER) | U_MASK(U_ARABIC_NUMBER);
    uint32_t first = len > 0 ? U_MASK(u_charDirection((UChar32)label[0])) : 0, seen = 0;
    uint32_t letters = first & rtl ? rtl : ltr;
    size_t last = 0; /* the last code point that is not a mark */

    if (!(first & (rtl | ltr)))
        return 0; /* rule 1 */
    for (size_t i = 0; i < len; i++) {
        uint32_t class = U_MASK(u_charDirection((UChar32)label[i]));
        if (!(class & (letters | any | (letters == rtl ? arabic : 0))))
            return i; /* rules 2 and 5 */
        seen |= class;
        if (letters == rtl && (seen & digits) == digits)
            return i; /* rule 4 */
        last = class == U_MASK(U_DIR_NON_SPACING_MARK) ? last : i;
    }
    uint32_t end = U_MASK(u_charDirection((UChar32)label[last]));
    return end & (letters | U_MASK(U_EUROPEAN_NUMBER) | (letters == rtl ? arabic : 0))
               ? len
               : last; /* rules 3 and 6 */
}

/* ICU tells only whether there is such a joiner, so we try the label with each joiner alone. */
size_t xn_unicode_joiner_fault(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    for (size_t at = 0; at < len && len <= XN_ULABEL_MAX; at++) {
        UChar units[UTF16_MAX], mapped[4 * UTF16_MAX];
        UErrorCode error = U_ZERO_ERROR;
        UIDNAInfo info = UIDNA_INFO_INITIALIZER;
        int32_t units_len = 0;

        if (!xn_unicode_is_joiner(label[at]))
            continue;
        for (size_t i = 0; i < len; i++)
            if (i == at || !xn_unicode_is_joiner(label[i]))
                U16_APPEND_UNSAFE(units, units_len, label[i]);
        uidna_labelToUnicode(unicode->idna, units, units_len, mapped, 4 * UTF16_MAX, &info, &error);
        if (U_SUCCESS(error) && (info.errors & UIDNA_ERROR_CONTEXTJ))
            return at;
    }
    return len;
}

/* Returns whether the text changed. If it would grow beyond `cap`, ICU reports an error. */
static bool transliterate(const UChar *id, UChar *text, int32_t *len, int32_t cap)
{
    UErrorCode error = U_ZERO_ERROR;
    UChar before[XN_PRESENTATION_LABEL_MAX];
    int32_t before_len = *len, limit = before_len;
    UTransliterator *transliterator = utrans_openU(id, -1, UTRANS_FORWARD, NULL, 0, NULL, &error);

    u_memcpy(before, text, *len);
    if (U_SUCCESS(error))
        utrans_transUChars(transliterator, text, len, cap, 0, &limit, &error);
    utrans_close(transliterator);
    return U_SUCCESS(error) && u_strCompare(before, before_len, text, *len, false) != 0;
}

size_t xn_unicode_other_han(const uint8_t *label, size_t len, uint8_t *dst, size_t dst_cap)
{
    UChar text[XN_PRESENTATION_LABEL_MAX];
    UErrorCode error = U_ZERO_ERROR;
    int32_t units = 0, out = 0;

    if (len > XN_PRESENTATION_LABEL_MAX)
        return 0;
    u_strFromUTF8(text, XN_PRESENTATION_LABEL_MAX, &units, (const char *)label, (int32_t)len,
                  &error);
    if (U_FAILURE(error) ||
        (!transliterate(u"Traditional-Simplified", text, &units, XN_PRESENTATION_LABEL_MAX) &&
         !transliterate(u"Simplified-Traditional", text, &units, XN_PRESENTATION_LABEL_MAX)))
        return 0;
    u_strToUTF8((char *)dst, (int32_t)dst_cap, &out, text, units, &error);
    return U_SUCCESS(error) ? (size_t)out : 0;
}
