/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/ulabel.h"

#include "core/idna/context.h"
#include "core/idna/misread.h"
#include "core/idna/property.h"
#include "core/idna/traits.h"
#include "core/punycode/punycode.h"
#include "core/text/utf8.h"
#include "core/wire/walk.h"

#include <string.h>

/* A label, with the traits of each code point, and in `any` all of them OR-ed. */
struct looked_up {
    const uint32_t *label;
    size_t len;
    uint32_t any;
    uint32_t of[XN_ULABEL_MAX];
};

/* Returns false if the label is empty or too long. */
static inline bool look_up(const uint32_t *label, size_t len, struct looked_up *traits)
{
    uint32_t any = 0;

    if (len - 1 >= XN_ULABEL_MAX)
        return false;
    for (size_t i = 0; i < len; i++)
        any |= traits->of[i] = xn_traits_of(label[i]);
    traits->label = label;
    traits->len = len;
    traits->any = any;
    return true;
}

static xn_reasons refuse_length(size_t len)
{
    return xn_reason_bit(len == 0 ? XN_EMPTY : XN_TOO_LONG);
}

/* --- validity --- */

/* UTS 46, section 4.1, items 2 and 3. ICU counts places in UTF-16 code units, and puts U+FFFD, one
 * unit, for a disallowed code point. So after one code point beyond the Basic Multilingual Plane,
 * "--" is in places 3 and 4. */
static bool has_odd_hyphen(const struct looked_up *l)
{
    const uint32_t *label = l->label;

    if (label[0] == '-' || label[l->len - 1] == '-')
        return true;
    for (size_t i = 0, unit = 0; i + 1 < l->len && unit <= 2; i++) {
        if (unit == 2 && label[i] == '-' && label[i + 1] == '-')
            return true;
        unit += label[i] > 0xFFFF && !(l->of[i] & TRAIT_DISALLOWED) ? 2 : 1;
    }
    return false;
}

/* The Bidi rule (RFC 5893, section 2) for a label that begins with R or AL. A code point whose
 * class the rule does not allow there has TRAIT_LEFT or TRAIT_MAPPED. */
static bool keeps_bidi_rule(const struct looked_up *l)
{
    static const uint32_t last = TRAIT_RIGHT | TRAIT_EUROPEAN | TRAIT_ARABIC;
    size_t len = l->len;

    if (l->any & TRAIT_LEFT || (l->any & TRAIT_EUROPEAN && l->any & TRAIT_ARABIC))
        return false;
    while (len > 1 && l->of[len - 1] & TRAIT_NONSPACING)
        len--;
    return l->of[0] & TRAIT_RIGHT && l->of[len - 1] & last;
}

/* Such a label would be decoded again. */
static bool has_ace_prefix(const struct looked_up *l)
{
    static const uint32_t prefix[] = {'x', 'n', '-', '-'};

    return l->len >= XN_WIRE_ACE_PREFIX_LEN && memcmp(l->label, prefix, sizeof prefix) == 0;
}

/* Returns whether UTS 46 changes the label. *joins is set to whether it has a joiner. */
static bool is_changed(const struct looked_up *l, bool *joins)
{
    *joins = false;
    if (l->any & TRAIT_MAPPED)
        for (size_t i = 0; i < l->len; i++) {
            if (!trait_is_mapped(l->of[i]))
                continue;
            if (!xn_unicode_is_joiner(l->label[i]))
                return true;
            *joins = true;
        }
    return l->any & (TRAIT_MAYBE | TRAIT_CLASS) && !xn_context_is_composed(l->label, l->of, l->len);
}

/* UTS 46, section 4.1. ICU does not apply the rules of Bidi and joiners to a label that contains
 * U+FFFD or begins with a mark. */
static xn_reasons check_ulabel(const struct looked_up *l)
{
    bool joins;

    if (has_ace_prefix(l))
        return xn_reason_bit(XN_HYPHEN);
    if (is_changed(l, &joins))
        return xn_reason_bit(XN_NOT_CANONICAL);
    xn_reasons reasons = has_odd_hyphen(l) ? xn_reason_bit(XN_HYPHEN) : 0;
    if (l->any & TRAIT_DISALLOWED)
        reasons |= xn_reason_bit(XN_DISALLOWED);
    if (l->of[0] & TRAIT_MARK)
        reasons |= xn_reason_bit(XN_LEADING_MARK);
    if (reasons & (xn_reason_bit(XN_LEADING_MARK) | xn_reason_bit(XN_DISALLOWED)))
        return reasons;
    if (l->any & (TRAIT_RIGHT | TRAIT_ARABIC) && !keeps_bidi_rule(l))
        reasons |= xn_reason_bit(XN_BIDI);
    if (joins && xn_context_find_joiner(l->label, l->len) < l->len)
        reasons |= xn_reason_bit(XN_CONTEXTJ);
    if (reasons == 0 && l->any & TRAIT_CONTEXT && !xn_context_is_kept(l->label, l->len))
        reasons |= xn_reason_bit(XN_PUNCTUATION);
    return reasons;
}

xn_reasons xn_ulabel_check_valid(const uint32_t *label, size_t len)
{
    struct looked_up traits;

    return look_up(label, len, &traits) ? check_ulabel(&traits) : refuse_length(len);
}

/* --- mapping --- */

/* Puts in lower case, in place, each code point that UTS 46 maps to its simple lower case and no
 * further, ASCII included, and looks it up. Leaves all others unchanged. */
static void lower(uint32_t *label, struct looked_up *l)
{
    l->any = 0;
    for (size_t i = 0; i < l->len; i++) {
        uint32_t traits = l->of[i];

        if (traits & TRAIT_LOWERS) {
            label[i] += xn_traits_lower[(traits & TRAIT_LOWER) >> TRAIT_LOWER_SHIFT];
            l->of[i] = xn_traits_of(label[i]);
        }
        l->any |= l->of[i];
    }
}

/* Lower case is all that nearly every label needs. */
bool xn_ulabel_map(const uint8_t *label, size_t len, uint8_t *dst, size_t *dst_len)
{
    uint32_t cps[XN_ULABEL_MAX];
    struct looked_up traits;
    size_t count, encoded;

    if (xn_utf8_decode(label, len, cps, XN_ULABEL_MAX, &count, NULL) != XN_OK ||
        !look_up(cps, count, &traits))
        return false;
    if (check_ulabel(&traits) != 0) {
        lower(cps, &traits);
        if (check_ulabel(&traits) != 0)
            return false;
    }
    if (xn_punycode_encode(cps, count, dst + XN_WIRE_ACE_PREFIX_LEN,
                           XN_WIRE_LABEL_MAX - XN_WIRE_ACE_PREFIX_LEN, &encoded) != XN_OK ||
        dst[XN_WIRE_ACE_PREFIX_LEN + encoded - 1] == '-')
        return false; /* at a '-', nothing follows the literals: the label is ASCII */
    memcpy(dst, "xn--", XN_WIRE_ACE_PREFIX_LEN);
    *dst_len = XN_WIRE_ACE_PREFIX_LEN + encoded;
    return true;
}

/* --- display --- */

/* Copies the label without its joiners to dst. */
static void drop_joiners(const struct looked_up *l, uint32_t *dst, struct looked_up *rest)
{
    rest->label = dst;
    rest->len = 0;
    rest->any = l->any;
    for (size_t i = 0; i < l->len; i++)
        if (!xn_unicode_is_joiner(l->label[i])) {
            rest->of[rest->len] = l->of[i];
            dst[rest->len++] = l->label[i];
        }
}

static inline xn_reasons reasons_to_hide(uint32_t traits)
{
    if (!(traits & TRAIT_HIDDEN))
        return 0;
    return xn_reason_bit(traits & TRAIT_EMOJI ? XN_EMOJI : XN_CHARSET);
}

static xn_reasons check_characters(const struct looked_up *l)
{
    xn_reasons reasons = 0;

    if (l->any & TRAIT_HIDDEN)
        for (size_t i = 0; i < l->len; i++)
            reasons |= reasons_to_hide(l->of[i]);
    return reasons;
}

/* Returns true for almost all labels. Reads only the first word of each set, which has every script
 * that characters of the display set are used with. */
static bool has_one_script(const struct looked_up *l)
{
    uint64_t resolved = UINT64_MAX;
    uint32_t before = UINT32_MAX;

    for (size_t i = 0; i < l->len; i++) {
        uint32_t scripts = l->of[i] & TRAIT_SCRIPTS;
        if (scripts != before)
            resolved &= xn_traits_script_sets[scripts].used_with[0];
        before = scripts;
    }
    return resolved != 0;
}

/* all: the scripts that all code points of a label are used with (UTS 39, section 5.1).
 * beside_latin: the scripts, in the first word, that all its code points not used with Latin are
 * used with. */
struct resolved {
    uint64_t all[TRAIT_SCRIPT_WORDS], beside_latin;
};

static struct resolved resolve(const struct looked_up *l)
{
    struct resolved resolved;
    uint32_t before = UINT32_MAX;

    memset(&resolved, 0xFF, sizeof resolved);
    for (size_t i = 0; i < l->len; i++) {
        uint32_t scripts = l->of[i] & TRAIT_SCRIPTS;
        const uint64_t *used_with = xn_traits_script_sets[scripts].used_with;

        if (scripts == before)
            continue;
        before = scripts;
        for (size_t word = 0; word < TRAIT_SCRIPT_WORDS; word++)
            resolved.all[word] &= used_with[word];
        resolved.beside_latin &= used_with[0] & TRAIT_LATN ? UINT64_MAX : used_with[0];
    }
    return resolved;
}

static bool is_empty(const uint64_t scripts[TRAIT_SCRIPT_WORDS])
{
    uint64_t any = 0;

    for (size_t word = 0; word < TRAIT_SCRIPT_WORDS; word++)
        any |= scripts[word];
    return any == 0;
}

/* Returns whether a label is Highly Restrictive or better (UTS 39, section 5.2): of one script, or
 * of Latin and the scripts of Chinese, Japanese or Korean. */
static bool is_highly_restrictive(const struct looked_up *l)
{
    struct resolved resolved = resolve(l);

    return !is_empty(resolved.all) ||
           (resolved.beside_latin & (TRAIT_HANB | TRAIT_JPAN | TRAIT_KORE)) != 0;
}

/* Returns whether a label is Moderately Restrictive: of Latin and one other script, except
 * Cyrillic, Greek and Cherokee, which look like Latin. */
static bool is_moderately_restrictive(const struct looked_up *l)
{
    uint64_t beside_latin[TRAIT_SCRIPT_WORDS];

    memset(beside_latin, 0xFF, sizeof beside_latin);
    for (size_t i = 0; i < l->len; i++) {
        const uint64_t *used_with = xn_traits_script_sets[l->of[i] & TRAIT_SCRIPTS].used_with;

        for (size_t word = 0; !(used_with[0] & TRAIT_LATN) && word < TRAIT_SCRIPT_WORDS; word++)
            beside_latin[word] &= used_with[word];
    }
    return !is_empty(beside_latin) && !(beside_latin[0] & (TRAIT_CYRL | TRAIT_GREK | TRAIT_CHER));
}

static bool is_ascii(const struct looked_up *l)
{
    uint32_t any = 0;

    for (size_t i = 0; i < l->len; i++)
        any |= l->label[i];
    return any < 0x80;
}

/* UTS 39, section 5.2, with every character taken as Allowed. */
static xn_level mix(const struct looked_up *l)
{
    if (is_ascii(l))
        return XN_LEVEL_ASCII;
    if (is_highly_restrictive(l))
        return is_empty(resolve(l).all) ? XN_LEVEL_HIGHLY : XN_LEVEL_SINGLE;
    return is_moderately_restrictive(l) ? XN_LEVEL_MODERATE : XN_LEVEL_MINIMAL;
}

xn_level xn_ulabel_mix(const uint32_t *label, size_t len)
{
    struct looked_up traits;

    if (look_up(label, len, &traits))
        return mix(&traits);
    return len == 0 ? XN_LEVEL_ASCII : XN_LEVEL_UNRESTRICTED;
}

/* Returns whether a label has letters, and all of them look like ASCII. */
static bool is_like_ascii(const struct looked_up *l)
{
    bool letters = false;

    for (size_t i = 0; i < l->len; i++) {
        bool like = xn_traits_script_sets[l->of[i] & TRAIT_SCRIPTS].like_ascii;
        if (!like && l->label[i] != '-' && l->label[i] - '0' > 9)
            return false;
        letters |= like;
    }
    return letters;
}

static xn_reasons check_display(const struct looked_up *l)
{
    xn_reasons reasons = check_characters(l);

    if (l->any & TRAIT_STACKS && xn_context_has_odd_marks(l->label, l->of, l->len))
        reasons |= xn_reason_bit(XN_CHARSET);
    if ((l->any & TRAIT_HIDDEN || !has_one_script(l)) && !is_highly_restrictive(l))
        reasons |= xn_reason_bit(XN_SCRIPT_MIX);
    if (l->any & TRAIT_AMBIGUOUS)
        reasons |= xn_misread_find(l->label, l->len);
    if (is_like_ascii(l))
        reasons |= xn_reason_bit(XN_WHOLESCRIPT);
    return reasons;
}

static xn_reasons check_display_without_joiners(const struct looked_up *l)
{
    uint32_t label[XN_ULABEL_MAX];
    struct looked_up rest;

    if (!(l->any & TRAIT_MAPPED)) /* there are no joiners, which have TRAIT_MAPPED */
        return check_display(l);
    drop_joiners(l, label, &rest);
    return check_display(&rest);
}

xn_reasons xn_ulabel_check_display(const uint32_t *label, size_t len)
{
    struct looked_up traits;

    if (look_up(label, len, &traits))
        return check_display_without_joiners(&traits);
    return len == 0 ? 0 : refuse_length(len);
}

xn_reasons xn_ulabel_check(const uint32_t *label, size_t len)
{
    struct looked_up traits;

    if (!look_up(label, len, &traits))
        return refuse_length(len);
    xn_reasons reasons = check_ulabel(&traits);
    if (reasons & XN_INVALID_REASONS)
        return reasons & XN_INVALID_REASONS;
    return reasons | check_display_without_joiners(&traits);
}

/* --- parts of labels --- */

const char *xn_level_word(xn_level level)
{
    static const char *const words[] = {"ascii",    "single",  "highly",
                                        "moderate", "minimal", "unrestricted"};

    return (unsigned)level < sizeof words / sizeof *words ? words[level] : "unknown";
}

size_t xn_ulabel_drop_joiners(const uint32_t *label, size_t len, uint32_t *dst)
{
    size_t out = 0;

    for (size_t i = 0; i < len; i++)
        if (!xn_unicode_is_joiner(label[i]))
            dst[out++] = label[i];
    return out;
}

static void add_script(const char *code, struct xn_scripts *scripts)
{
    for (size_t i = 0; i < scripts->count; i++)
        if (strcmp(scripts->codes[i], code) == 0)
            return;
    if (scripts->count < XN_SCRIPTS_MAX)
        scripts->codes[scripts->count++] = code;
}

void xn_ulabel_add_scripts(const uint32_t *label, size_t len, struct xn_scripts *scripts)
{
    for (size_t at = 0, same; at < len; at += same) {
        const char *code = xn_traits_script(label + at, len - at, &same);
        if (code[0] != '\0')
            add_script(code, scripts);
    }
}
