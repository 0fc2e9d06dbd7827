/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/traits.h"

#include "core/traitword.h"

/* Made by tools/build/traits: xn_traits_unicode_version, traits_scripts, traits_lower,
 * traits_begin_of, traits_words. */
#include "traits_table.h"

enum { LABEL_MAX = 63 - 4, MARKS_MAX = 4 /* as in core/unicode.c */ };

static uint32_t traits_of(uint32_t cp)
{
    return cp < TRAITS_END ? traits_words[traits_begin_of[cp / TRAITS_BLOCK] + cp % TRAITS_BLOCK]
                           : TRAIT_ASK | TRAIT_HIDDEN;
}

/* Returns the traits that any code point has; each one's own are in dst. */
static uint32_t look_up(const uint32_t *label, size_t len, uint32_t dst[LABEL_MAX])
{
    uint32_t any = 0;

    for (size_t i = 0; i < len; i++)
        any |= dst[i] = traits_of(label[i]);
    return any;
}

/* --- validity --- */

/* UTS 46, section 4.1, items 2 and 3. ICU counts places in UTF-16: behind one code point beyond the
 * Basic Multilingual Plane, "--" is in the third and fourth. */
static bool may_have_odd_hyphen(const uint32_t *label, size_t len)
{
    return label[0] == '-' || label[len - 1] == '-' ||
           (len >= 4 && label[2] == '-' && (label[1] == '-' || label[3] == '-'));
}

/* Is it in NFC? Marks are in canonical order, and no starter composes with a mark behind it, nor
 * does a part of one: U+1E27 U+0323 is U+1E25 U+0308 there. */
static bool is_composed(const uint32_t *label, size_t len)
{
    uint32_t class_before = 0, starter = 0;

    for (size_t i = 0; i < len; i++) {
        uint32_t traits = traits_of(label[i]), class = traits & TRAIT_CLASS;

        if ((class != 0 && class < class_before) ||
            (traits & TRAIT_MAYBE && starter & (TRAIT_COMPOSES | TRAIT_DECOMPOSES)))
            return false;
        class_before = class;
        if (class == 0)
            starter = traits;
    }
    return true;
}

/* The Bidi rule (RFC 5893, section 2) for a label that begins with R or AL: whatever has a class
 * that it does not allow there is TRAIT_LEFT or TRAIT_ASK. */
static bool keeps_bidi_rule(const uint32_t *label, size_t len, uint32_t any)
{
    static const uint32_t last = TRAIT_RIGHT | TRAIT_EUROPEAN | TRAIT_ARABIC;

    if (any & TRAIT_LEFT || (any & TRAIT_EUROPEAN && any & TRAIT_ARABIC))
        return false;
    while (len > 1 && traits_of(label[len - 1]) & TRAIT_NONSPACING)
        len--;
    return traits_of(label[0]) & TRAIT_RIGHT && traits_of(label[len - 1]) & last;
}

bool xn_traits_is_valid(const uint32_t *label, size_t len)
{
    uint32_t any = 0;

    if (len == 0 || may_have_odd_hyphen(label, len))
        return false;
    for (size_t i = 0; i < len; i++)
        any |= traits_of(label[i]);
    if (any & TRAIT_ASK || (any & TRAIT_MARK && traits_of(label[0]) & TRAIT_MARK))
        return false;
    if (any & (TRAIT_MAYBE | TRAIT_CLASS) && !is_composed(label, len))
        return false;
    return !(any & (TRAIT_RIGHT | TRAIT_ARABIC)) || keeps_bidi_rule(label, len, any);
}

/* --- display --- */

/* UTS 39, section 5.4: neither many marks in a row nor one of them twice, where no mark hides in
 * the code point before it. */
static bool has_plain_marks(const uint32_t *label, const uint32_t *traits, size_t len)
{
    size_t run = 0; /* marks just before */

    for (size_t i = 0; i < len; i++) {
        if (!(traits[i] & TRAIT_STACKS)) {
            run = 0;
            continue;
        }
        if (run == MARKS_MAX || traits[i] & TRAIT_DECOMPOSES ||
            (i > 0 && traits[i - 1] & TRAIT_DECOMPOSES))
            return false;
        for (size_t before = 1; before <= run; before++)
            if (label[i - before] == label[i])
                return false;
        run++;
    }
    return true;
}

/* UTS 39, section 5.2, up to Highly Restrictive: one script, or Latin beside a set of scripts that
 * Chinese, Japanese or Korean is written with. */
static bool has_plain_scripts(const uint32_t *traits, size_t len)
{
    uint64_t resolved = UINT64_MAX, beside_latin = UINT64_MAX;

    for (size_t i = 0; i < len; i++) {
        uint64_t scripts = traits_scripts[traits[i] & TRAIT_SCRIPTS];
        resolved &= scripts;
        beside_latin &= scripts & TRAIT_LATN ? UINT64_MAX : scripts;
    }
    return resolved != 0 || (beside_latin & (TRAIT_HANB | TRAIT_JPAN | TRAIT_KORE)) != 0;
}

/* Do two code points have a script in common that is not Common, Inherited or one that UTS 39 adds?
 */
static bool share_a_script(uint32_t a, uint32_t b)
{
    uint64_t first = traits_scripts[a & TRAIT_SCRIPTS], second = traits_scripts[b & TRAIT_SCRIPTS];
    uint64_t added = TRAIT_HANB | TRAIT_JPAN | TRAIT_KORE;

    return first != UINT64_MAX && second != UINT64_MAX && (first & second & ~added) != 0;
}

/* A letter that looks like punctuation stands between letters of its own script. */
static bool has_plain_punctuation(const uint32_t *traits, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (traits[i] & TRAIT_PUNCTUATION &&
            (len == 1 || (i > 0 && !share_a_script(traits[i], traits[i - 1])) ||
             (i + 1 < len && !share_a_script(traits[i], traits[i + 1]))))
            return false;
    return true;
}

bool xn_traits_is_plain(const uint32_t *label, size_t len)
{
    uint32_t traits[LABEL_MAX];

    if (len > LABEL_MAX)
        return false;
    uint32_t any = look_up(label, len, traits);
    return !(any & TRAIT_HIDDEN) && has_plain_scripts(traits, len) &&
           (!(any & TRAIT_STACKS) || has_plain_marks(label, traits, len)) &&
           (!(any & TRAIT_PUNCTUATION) || has_plain_punctuation(traits, len));
}

/* --- single code points --- */

void xn_traits_lower(uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        uint32_t traits = traits_of(label[i]);
        uint32_t far = traits & TRAIT_LOWERS ? (traits & TRAIT_LOWER) >> TRAIT_LOWER_SHIFT : 0;
        label[i] += traits_lower[far];
    }
}

bool xn_traits_is_displayed(uint32_t cp)
{
    return cp >= 0x80 && !(traits_of(cp) & TRAIT_HIDDEN);
}

bool xn_traits_is_punctuation(uint32_t cp)
{
    return (traits_of(cp) & TRAIT_PUNCTUATION) != 0;
}
