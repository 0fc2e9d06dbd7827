/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/name/warning.h"

#include "core/idna/label.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/names/display.h"
#include "core/names/presentation.h"
#include "core/text/utf8char.h"
#include "module/name/fault.h"

#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_MAX = 512,
    /* The longest name, in octets as written, whose other spellings are looked for. A name of 255
     * octets in wire format has at most 234 code points, of up to four octets each. Only marks that
     * combine with a character into one could take more. */
    WRITTEN_NAME_MAX = 1024
};

struct warning {
    const struct xn_unicode *unicode;
    const uint8_t *text; /* the name as written */
    size_t len, at;      /* its length, and its offset in the caller's text */
    const struct xnm_wirename *name;
    xnm_rulename_diagnose *report;
    void *arg;
};

static void warn(const struct warning *warning, const uint8_t *at, const char *message)
{
    warning->report(warning->arg, XNM_WARNING, warning->at + (size_t)(at - warning->text), message);
}

/* Walks the labels of the name as written and in wire format, side by side. */
struct walk {
    struct xn_presentation_cursor written;
    struct xn_wire_cursor wire;
    const uint8_t *text, *octets;
    size_t text_len, octets_len;
};

static void walk_open(const struct warning *warning, struct walk *walk)
{
    xn_presentation_open(&walk->written, warning->text, warning->len);
    walk->wire.pos = warning->name->octets;
}

static bool walk_next(struct walk *walk)
{
    return xn_presentation_next(&walk->written, &walk->text, &walk->text_len) &&
           xn_wire_next(&walk->wire, &walk->octets, &walk->octets_len);
}

/* --- invalid A-labels, punctuation, Bidi --- */

static void warn_bad_alabel(const struct warning *warning)
{
    struct walk walk;
    uint32_t cps[XN_ULABEL_MAX];
    size_t cps_len;
    char message[MESSAGE_MAX];

    walk_open(warning, &walk);
    while (walk_next(&walk)) {
        if (!xn_wire_has_ace_prefix(walk.text, walk.text_len))
            continue;
        xn_reasons reasons =
            xn_label_decode(warning->unicode, walk.octets, walk.octets_len, cps, &cps_len);
        if (!(reasons & XN_INVALID_REASONS))
            continue;
        snprintf(message, sizeof message,
                 "'%.*s' is not a valid A-label (it %s): it matches these octets only",
                 (int)walk.text_len, (const char *)walk.text,
                 xn_reason_text(xn_reasons_worst(reasons)));
        warn(warning, walk.text, message);
        return;
    }
}

/* RFC 5892, appendix A.3 to A.7 */
static bool is_contextual_punctuation(uint32_t cp)
{
    return cp == 0xB7 || cp == 0x375 || cp == 0x5F3 || cp == 0x5F4 || cp == 0x30FB;
}

static void warn_punctuation_at(const struct warning *warning, const uint8_t *label, size_t len)
{
    char character[XNM_CHARACTER_MAX], message[MESSAGE_MAX];
    size_t at = 0, step;
    uint32_t cp;

    while ((step = xn_utf8_read(label + at, len - at, &cp)) > 0 && !is_contextual_punctuation(cp))
        at += step;
    if (step == 0)
        return;
    snprintf(
        message, sizeof message,
        "%s stands where registries do not allow it (RFC 5892, appendix A): is the name right?",
        xnm_namefault_character(cp, character));
    warn(warning, label + at, message);
}

/* Writes the code points of a label in wire format, or the octets of one that is not an A-label.
 * Returns their number. */
static size_t code_points(const struct xn_unicode *unicode, const uint8_t *octets, size_t len,
                          uint32_t *cps, xn_reasons *reasons)
{
    size_t cps_len = 0;

    *reasons = 0;
    if (xn_wire_has_ace_prefix(octets, len))
        *reasons = xn_label_decode(unicode, octets, len, cps, &cps_len);
    if (cps_len > 0 && !(*reasons & XN_INVALID_REASONS))
        return cps_len;
    for (size_t i = 0; i < len; i++)
        cps[i] = octets[i];
    return len;
}

static void warn_punctuation(const struct warning *warning)
{
    struct walk walk;
    uint32_t cps[XN_WIRE_LABEL_MAX];
    xn_reasons reasons;

    walk_open(warning, &walk);
    while (walk_next(&walk)) {
        if (xn_presentation_is_ascii(walk.text, walk.text_len))
            continue;
        size_t len = code_points(warning->unicode, walk.octets, walk.octets_len, cps, &reasons);
        if ((reasons & xn_reason_bit(XN_PUNCTUATION)) &&
            (xn_ulabel_check_valid(cps, len) & xn_reason_bit(XN_PUNCTUATION))) {
            warn_punctuation_at(warning, walk.text, walk.text_len);
            return;
        }
    }
}

/* True if a label breaks the Bidi rule. Labels that DNS-SD and the like put before a name
 * ("_dmarc") are not text and are left out. */
static bool breaks_bidi_rule(const struct warning *warning, const struct walk *walk)
{
    uint32_t cps[XN_WIRE_LABEL_MAX];
    xn_reasons reasons;
    size_t len = code_points(warning->unicode, walk->octets, walk->octets_len, cps, &reasons);

    return walk->octets[0] != '_' && !(reasons & XN_INVALID_REASONS) &&
           xn_unicode_bidi_fault(cps, len) < len;
}

static bool has_rtl_label(const struct warning *warning)
{
    struct walk walk;
    uint32_t cps[XN_WIRE_LABEL_MAX];
    xn_reasons reasons;

    walk_open(warning, &walk);
    while (walk_next(&walk)) {
        size_t len = code_points(warning->unicode, walk.octets, walk.octets_len, cps, &reasons);
        if (!(reasons & XN_INVALID_REASONS) && xn_unicode_is_rtl(cps, len))
            return true;
    }
    return false;
}

/* A label that breaks the rule by itself is an error. One that breaks it beside another may well
 * exist, since the name's owner has no say in the labels above; it gets a warning. */
static void warn_bidi(const struct warning *warning)
{
    struct walk walk;
    char label[4 * XN_WIRE_LABEL_MAX], message[MESSAGE_MAX];

    if (!has_rtl_label(warning))
        return;
    walk_open(warning, &walk);
    while (walk_next(&walk)) {
        if (!breaks_bidi_rule(warning, &walk))
            continue;
        snprintf(message, sizeof message,
                 "'%.*s' may not stand beside a right-to-left label (RFC 5893): "
                 "many programs refuse this name",
                 (int)xn_wire_label_to_text(walk.octets, walk.octets_len, label), label);
        warn(warning, walk.text, message);
        return;
    }
}

/* --- other spellings --- */

typedef enum {
    SHARP_S,
    CAPITAL_SHARP_S,
    CAPITAL_SHARP_S_KEPT,
    FINAL_SIGMA,
    SIGMA_AT_END,
    CAPITAL_SIGMA_AT_END,
    DOTTED_I,
    DOTLESS_I,
    JOINERS,
    ARABIC_LETTERS,
    PERSIAN_LETTERS,
    HEH,
    HEH_GOAL,
    HAN,
    SPELLING_COUNT
} spelling_kind;

#define TWO_KEYBOARDS "U+064A and U+0643 are on Arabic keyboards, U+06CC, U+06A9 and U+06C1 are not"
#define TWO_HEHS "U+0647 is heh, U+06C1 is heh goal"

static const char *const differences[] = {
    [SHARP_S] = "ß is not ss",
    /* UTS 46 up to Unicode 15.0, and from 15.1 on. Only one of the two makes another name. */
    [CAPITAL_SHARP_S] = "ẞ is read as ss",
    [CAPITAL_SHARP_S_KEPT] = "ẞ is read as ß",
    [FINAL_SIGMA] = "ς is not σ",
    [SIGMA_AT_END] = "σ is not ς",
    [CAPITAL_SIGMA_AT_END] = "Σ is read as σ, not as ς",
    [DOTTED_I] = "İ is read as i with a second dot, not as i",
    [DOTLESS_I] = "ı is not i",
    [JOINERS] = "the invisible joiner in it makes the difference",
    [ARABIC_LETTERS] = TWO_KEYBOARDS,
    [PERSIAN_LETTERS] = TWO_KEYBOARDS,
    [HEH] = TWO_HEHS,
    [HEH_GOAL] = TWO_HEHS,
    [HAN] = "simplified and traditional characters are not the same",
};
_Static_assert(sizeof differences / sizeof *differences == SPELLING_COUNT, "each is told");

static const struct substitution {
    spelling_kind spelling;
    uint32_t from;
    const char *to;
    bool at_end; /* only at the end of a label */
} substitutions[] = {
    {SHARP_S, 0xDF, "ss", false},
    {CAPITAL_SHARP_S, 0x1E9E, "\u00DF", false},
    {CAPITAL_SHARP_S_KEPT, 0x1E9E, "ss", false},
    {FINAL_SIGMA, 0x3C2, "\u03C3", false},
    {SIGMA_AT_END, 0x3C3, "\u03C2", true},
    {CAPITAL_SIGMA_AT_END, 0x3A3, "\u03C2", true},
    {DOTTED_I, 0x130, "i", false},
    {DOTLESS_I, 0x131, "i", false},
    {JOINERS, 0x200C, "", false},
    {JOINERS, 0x200D, "", false},
    {ARABIC_LETTERS, 0x6CC, "\u064A", false},
    {ARABIC_LETTERS, 0x6A9, "\u0643", false},
    {ARABIC_LETTERS, 0x6C1, "\u0647", false},
    {PERSIAN_LETTERS, 0x64A, "\u06CC", false},
    {PERSIAN_LETTERS, 0x643, "\u06A9", false},
    {HEH, 0x6C1, "\u0647", false},
    {HEH_GOAL, 0x647, "\u06C1", false},
};

static const struct substitution *substitution_of(spelling_kind spelling, uint32_t cp, bool at_end)
{
    for (size_t i = 0; i < sizeof substitutions / sizeof *substitutions; i++)
        if (substitutions[i].spelling == spelling && substitutions[i].from == cp &&
            (at_end || !substitutions[i].at_end))
            return &substitutions[i];
    return NULL;
}

static bool has_letter_of(spelling_kind spelling, const uint8_t *label, size_t len)
{
    size_t step;
    uint32_t cp;

    for (size_t at = 0; at < len; at += step) {
        step = xn_utf8_read(label + at, len - at, &cp);
        if (substitution_of(spelling, cp, at + step == len))
            return true;
    }
    return false;
}

/* The spelling whose letters a label must have for this one to be tried, normally the same. Letters
 * of Arabic and of Persian or Urdu keyboards that look alike are in nearly every name, and nobody
 * would read a warning about each; but a label with both is hardly meant, and the mix is not seen.
 * (Pashto has both yehs and is warned in vain.) */
static spelling_kind counterpart_of(spelling_kind spelling)
{
    switch (spelling) {
    case ARABIC_LETTERS:
        return PERSIAN_LETTERS;
    case PERSIAN_LETTERS:
        return ARABIC_LETTERS;
    case HEH:
        return HEH_GOAL;
    case HEH_GOAL:
        return HEH;
    default:
        return spelling;
    }
}

/* Replaces the letters of a spelling in a label. A substitute is never longer in UTF-8 than what it
 * replaces. Sets *first to the first character that changes, unless it is set already. Returns the
 * octets written to dst. */
static size_t substitute(spelling_kind spelling, const uint8_t *label, size_t len, uint8_t *dst,
                         const uint8_t **first)
{
    size_t out = 0, step;
    uint32_t cp;

    if (!has_letter_of(counterpart_of(spelling), label, len)) {
        memcpy(dst, label, len);
        return len;
    }
    for (size_t at = 0; at < len; at += step) {
        step = xn_utf8_read(label + at, len - at, &cp);
        const struct substitution *found = substitution_of(spelling, cp, at + step == len);
        const void *src = found ? (const void *)found->to : label + at;
        size_t src_len = found ? strlen(found->to) : step;

        if (found && !*first)
            *first = label + at;
        memcpy(dst + out, src, src_len);
        out += src_len;
    }
    return out;
}

/* True for Han characters without Kana or Hangul. In Japanese and Korean no other form of a Han
 * character is meant. */
static bool is_chinese(const uint8_t *label, size_t len)
{
    struct xn_scripts scripts = {0};
    size_t step;
    uint32_t cp;

    for (size_t at = 0; at < len; at += step) {
        step = xn_utf8_read(label + at, len - at, &cp);
        xn_ulabel_add_scripts(&cp, 1, &scripts);
    }
    bool han = false, other = false;
    for (size_t i = 0; i < scripts.count; i++) {
        han |= strcmp(scripts.codes[i], "Hani") == 0;
        other |= strcmp(scripts.codes[i], "Hira") == 0 || strcmp(scripts.codes[i], "Kana") == 0 ||
                 strcmp(scripts.codes[i], "Hang") == 0;
    }
    return han && !other;
}

/* Like substitute, for Han characters. dst has room for twice the label: no character takes more
 * than 4 octets, and no Han character less than 3. */
static size_t respell_han(const uint8_t *label, size_t len, uint8_t *dst, const uint8_t **first)
{
    size_t same = 0;
    size_t out = is_chinese(label, len) ? xn_unicode_other_han(label, len, dst, 2 * len) : 0;

    if (out == 0) {
        memcpy(dst, label, len);
        return len;
    }
    while (same < out && same < len && label[same] == dst[same])
        same++;
    while (same > 0 && same < len && (label[same] & 0xC0) == 0x80) /* to its first octet */
        same--;
    if (!*first)
        *first = label + same;
    return out;
}

/* Writes the name in the other spelling, dots included, to dst, which has room for twice its
 * length. Returns the octets written. */
static size_t respell(const struct warning *warning, spelling_kind spelling, uint8_t *dst,
                      const uint8_t **first)
{
    struct xn_presentation_cursor cursor;
    const uint8_t *label, *copied = warning->text, *end = warning->text + warning->len;
    size_t len, out = 0;

    xn_presentation_open(&cursor, warning->text, warning->len);
    while (xn_presentation_next(&cursor, &label, &len)) {
        memcpy(dst + out, copied, (size_t)(label - copied));
        out += (size_t)(label - copied);
        out += spelling == HAN ? respell_han(label, len, dst + out, first)
                               : substitute(spelling, label, len, dst + out, first);
        copied = label + len;
    }
    memcpy(dst + out, copied, (size_t)(end - copied));
    return out + (size_t)(end - copied);
}

/* Writes a name in Unicode if that can be copied into a rule, else as A-labels. Whoever wrote the
 * rule knows the script, whatever the TLD. Returns its length. */
static size_t show(const struct xn_unicode *unicode, const struct xnm_wirename *wire, char *dst)
{
    enum { SHOWN_MAX = 500 };
    struct xn_name name;
    size_t len = SHOWN_MAX + 1;

    if (xn_name_read(unicode, wire->octets, wire->len, xn_reason_bit(XN_WHOLESCRIPT), &name) ==
        XN_OK)
        len = xn_display_name(&name, 0, dst);
    if (len <= SHOWN_MAX && !memchr(dst, '\\', len))
        return len;
    return xn_wire_to_text(wire->octets, dst) - 1; /* without the final dot */
}

/* Warns if this spelling is another name. */
static void warn_spelling(const struct warning *warning, spelling_kind spelling)
{
    uint8_t text[2 * WRITTEN_NAME_MAX];
    char shown[XN_DISPLAY_NAME_MAX], message[XN_DISPLAY_NAME_MAX + MESSAGE_MAX];
    const uint8_t *first = NULL;
    struct xnm_wirename other;
    struct xnm_nameread read = {.takes_wildcard = false};
    size_t len = respell(warning, spelling, text, &first);

    if (!first || !xnm_nameread(warning->unicode, (char *)text, len, &other, &read, NULL, NULL) ||
        (other.len == warning->name->len &&
         memcmp(other.octets, warning->name->octets, other.len) == 0))
        return;
    len = show(warning->unicode, &other, shown);
    snprintf(message, sizeof message, "%.*s is another name (%s): write both if both are meant",
             (int)len, shown, differences[spelling]);
    warn(warning, first, message);
}

static void warn_spellings(const struct warning *warning)
{
    if (warning->len > WRITTEN_NAME_MAX || xn_presentation_is_ascii(warning->text, warning->len))
        return;
    for (spelling_kind spelling = 0; spelling < SPELLING_COUNT; spelling++)
        warn_spelling(warning, spelling);
}

void xnm_namewarning_report(const struct xn_unicode *unicode, const uint8_t *text, size_t len,
                            size_t at, const struct xnm_wirename *name,
                            xnm_rulename_diagnose *report, void *arg)
{
    struct warning warning = {unicode, text, len, at, name, report, arg};

    warn_bad_alabel(&warning);
    warn_spellings(&warning);
    warn_punctuation(&warning);
    warn_bidi(&warning);
}
