/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options and the protected name of look-alike rules. */
#include "core/idna/property.h"
#include "core/lookalike/shape.h"
#include "core/names/presentation.h"
#include "core/wire/walk.h"
#include "module/base/number.h"
#include "module/name/suffix.h"
#include "module/rule/protection.h"
#include "module/rule/ruleline.h"

#include <string.h>

/* --- options --- */

void xnm_rulelookalike_min(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    uint32_t min;

    if (xnm_number_read(value->text, value->len, XN_WIRE_LABEL_MAX, &min) && min > 0)
        line->rule.protection.min = (uint8_t)min;
    else
        xnm_ruleline_refuse(line, value, 0,
                            "is not a length of labels: expected 1 to %d characters",
                            XN_WIRE_LABEL_MAX);
}

void xnm_rulelookalike_words(struct xnm_ruleline *line, const struct xnm_ruleline_part *value)
{
    line->rule.words = xnm_ruleline_path(line, xnm_ruleline_place(value, 0), value->text,
                                         value->len, "", &line->rule.words_column);
}

/* --- the name, and the line as a whole --- */

void xnm_rulelookalike_name(struct xnm_ruleline *line, bool wildcard)
{
    struct xnm_rule *rule = &line->rule;

    if (wildcard)
        xnm_textline_error(&line->text, line->subject_at,
                           "'*.' does not go with lookalike, which finds names below a look-alike "
                           "anyway: expected the name without '*.'");
    else if (rule->name.len == 1)
        xnm_textline_error(&line->text, line->subject_at,
                           "nothing looks like the root: expected a name such as paypal.com");
    else if (xnm_suffix_is_public(rule->name.octets, rule->name.len))
        xnm_textline_error(&line->text, line->subject_at,
                           "this is a top-level domain or another public suffix, below which "
                           "anyone may have a name: expected a name below it");
}

/* Warns if no compared label is as long as min= requires. */
static void check_min(struct xnm_ruleline *line)
{
    const struct xnm_protection *protection = &line->rule.protection;
    const char *at = line->option_at[XNM_OPTION_MIN];

    if (!xnm_protection_can_match(protection, line->rule.name.octets, line->rule.name.len))
        xnm_textline_warning(&line->text, at ? at : line->subject_at,
                             "this rule never matches: no compared label of the name has the %d "
                             "characters that min= requires (by default %d)",
                             protection->min, XNM_PROTECTION_MIN);
}

/* Warns if an option cannot match, because the label that it compares is too short. */
static void check_part(struct xnm_ruleline *line, xnm_option option, bool wanted, uint8_t least)
{
    const struct xnm_wirename *name = &line->rule.name;
    uint8_t min = xnm_protection_least(&line->rule.protection, least);
    struct xnm_protection_part part = xnm_protection_registrable(name->octets, name->len);

    if (wanted && !xnm_protection_is_long(name->octets + part.start, min))
        xnm_textline_warning(&line->text, line->option_at[option],
                             "'%s=' has no effect: the label left of the public suffix has less "
                             "than %d characters",
                             xnm_option_word(option), min);
}

/* If a label has letters of a script other than Latin and looks like ASCII, writes that ASCII to
 * text, which has room for XN_KEY_MAX octets. Returns its length, or 0. */
static size_t read_imitated(const struct xn_shape *shape, uint8_t *text)
{
    uint8_t sequence[XN_KEY_MAX];
    bool strange = false;
    size_t len = 0;

    for (unsigned i = 0; i < shape->len; i++) {
        uint32_t cp = shape->code_points[i];
        size_t written = 1;

        if (cp < 0x80)
            sequence[0] = (uint8_t)cp; /* its key may differ: that of m is rn */
        else
            written = xn_lookalike_sequence(cp, XN_KEY_EXACT, sequence);
        if (!xn_presentation_is_ascii(sequence, written) || written > XN_KEY_MAX - len)
            return 0;
        memcpy(text + len, sequence, written);
        strange |=
            cp >= 0x80 && xn_unicode_is_letter(cp) && xn_unicode_script(cp) != XN_SCRIPT_LATN;
        len += written;
    }
    return strange ? len : 0;
}

/* Warns about a protected name that is a look-alike, as when that was pasted instead of the
 * imitated name: such a rule would block the imitated name and not the look-alike. */
static void check_imitation(struct xnm_ruleline *line)
{
    const struct xnm_wirename *name = &line->rule.name;
    uint8_t imitated[XN_KEY_MAX];
    struct xn_shape shape;
    unsigned number = 0;

    for (size_t at = 0; name->octets[at] != 0; at += name->octets[at] + 1u) {
        number++;
        if (!xn_wire_has_ace_prefix(name->octets + at + 1, name->octets[at]))
            continue;
        xn_shape_read(name->octets + at + 1, name->octets[at], &shape);
        size_t len = shape.ace ? read_imitated(&shape, imitated) : 0;
        if (len > 0)
            xnm_textline_warning(&line->text, line->subject_at,
                                 "label %u of this name looks like '%.*s', so this rule would find "
                                 "that name: expected the name that is imitated",
                                 number, (int)len, (const char *)imitated);
    }
}

void xnm_rulelookalike_finish(struct xnm_ruleline *line)
{
    struct xnm_protection *protection = &line->rule.protection;

    xnm_protection_set_min(protection, protection->min);
    /* Imitations of a brand use any top-level domain that is free; see idn-policy(5). */
    if (line->rule.trigger == XNM_TRIGGER_LOOKALIKES && !line->option_at[XNM_OPTION_TLD])
        protection->any_tld = !protection->any_label;
    if (protection->any_label && line->option_at[XNM_OPTION_TLD])
        xnm_textline_error(&line->text, line->option_at[XNM_OPTION_TLD],
                           "'tld=' does not go with label=any, which covers every top-level "
                           "domain: expected one of the two options");
    else if (line->text.errors == line->errors_before && line->rule.name.len > 0) {
        check_min(line);
        check_part(line, XNM_OPTION_NEAR, protection->near, XNM_PROTECTION_NEAR_MIN);
        check_part(line, XNM_OPTION_WITHIN, protection->within, XNM_PROTECTION_APART_MIN);
        check_part(line, XNM_OPTION_WORDS, line->rule.words, XNM_PROTECTION_APART_MIN);
        check_part(line, XNM_OPTION_ELSEWHERE, protection->elsewhere, XNM_PROTECTION_ELSEWHERE_MIN);
        check_imitation(line);
    }
}
