/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what `explain` found as text. */
#include "tools/explain/explain.h"

#include "core/idna/context.h"
#include "core/idna/mapping.h"
#include "core/idna/property.h"
#include "core/idna/ulabel.h"
#include "core/lookalike/shape.h"
#include "core/text/utf8.h"
#include "tools/text/color.h"
#include "tools/text/fold.h"

#include <string.h>

enum {
    LABEL_INDENT = 4, /* of the lines about a label */
    NAME_INDENT = 22  /* of a character's name */
};

/* --- characters --- */

/* Adds the ASCII that a character looks like: by the exact key, else by the strict one. */
static void add_imitation(struct buffer *line, uint32_t cp)
{
    uint8_t like[XN_KEY_MAX];

    for (xn_key key = XN_KEY_EXACT; cp >= 0x80 && key <= XN_KEY_STRICT; key++) {
        size_t len = xn_lookalike_sequence(cp, key, like);
        if (len == 0 || !xn_presentation_is_ascii(like, len))
            continue;
        buffer_text(line, key == XN_KEY_EXACT ? " = " : " ~ ");
        buffer_add(line, like, len);
        return;
    }
}

/* Returns what is wrong with a character at its place, or NULL. */
static const char *fault_of(const struct explain_policy *policy,
                            const struct explained_label *label, size_t at)
{
    const uint32_t *cps = label->code_points;
    size_t len = label->code_point_count;
    xn_reasons reasons = label->reasons;

    switch (xn_unicode_judge_character(policy->unicode, cps[at], at > 0 ? cps[at - 1] : 0,
                                       at + 1 < len ? cps[at + 1] : 0)) {
    case XN_CHARACTER_DROPPED:
        return "invisible, not allowed";
    case XN_CHARACTER_REFUSED:
        return "not allowed";
    default:
        break;
    }
    if (at == 0 && reasons & xn_reason_bit(XN_LEADING_MARK))
        return "not allowed at the start";
    if (reasons & xn_reason_bit(XN_CONTEXTJ) && at == xn_context_find_joiner(cps, len))
        return "not allowed here";
    if (reasons & xn_reason_bit(XN_BIDI) && at == xn_unicode_bidi_fault(cps, len))
        return "not allowed here";
    return label->decoded && !xn_unicode_is_joiner(cps[at]) && !xn_unicode_is_shown(cps[at])
               ? "restricted"
               : NULL;
}

/* "     2 U+0430 а Cyrl ". A combining mark is not shown, as it has no base letter here. What is
 * not ASCII in a label that could mislead has a color, as it is escaped in the name. */
static void add_character(const struct explained_label *label, size_t at, struct buffer *out)
{
    uint32_t cp = label->code_points[at];
    color which = cp >= 0x80 && label->reasons != 0 ? COLOR_WARNING : COLOR_NONE;

    uint8_t text[XN_UTF8_MAX] = " ";
    bool shown = xn_unicode_is_shown(cp) && !xn_unicode_is_mark(cp);
    size_t len = shown ? xn_utf8_write(cp, text) : 1;
    struct xn_scripts scripts = {0};

    xn_ulabel_add_scripts(&cp, 1, &scripts);
    fold_indent(out, LABEL_INDENT);
    buffer_format(out, "%2zu ", at + 1);
    color_begin(out, which);
    buffer_format(out, "U+%04X ", (unsigned)cp);
    buffer_add(out, text, len);
    color_end(out, which);
    buffer_format(out, "%s%-4s ", shown && xn_unicode_is_wide(cp) ? " " : "  ",
                  scripts.count > 0 ? scripts.codes[0] : "-");
}

static void add_characters(const struct explain_policy *policy, const struct explained_label *label,
                           struct buffer *out)
{
    struct buffer line = {0};

    for (size_t i = 0; i < label->code_point_count; i++) {
        char name[XN_CHARACTER_NAME_MAX];
        const char *fault = fault_of(policy, label, i);

        add_character(label, i, out);
        xn_unicode_character_name(label->code_points[i], name);
        buffer_text(&line, name);
        if (label->decoded)
            add_imitation(&line, label->code_points[i]);
        if (fault)
            buffer_format(&line, " (%s)", fault);
        fold_words(out, line.data, line.len, NAME_INDENT);
        line.len = 0;
    }
    if (label->left_out > 0) {
        buffer_format(&line, "and %zu more", label->left_out);
        fold_line(out, LABEL_INDENT, &line);
    }
    buffer_free(&line);
}

/* --- labels --- */

/* Adds to a reason what the label should be, or how long it is. */
static void add_detail(const struct explain_policy *policy, const struct explained_label *label,
                       xn_reason reason, struct buffer *line)
{
    uint8_t utf8[XN_ULABEL_MAX * XN_UTF8_MAX], own[XN_WIRE_LABEL_MAX];
    size_t len = 0;

    if (reason == XN_TOO_LONG && label->wire[0] == 0) {
        len = xn_unicode_alabel_overlength(policy->unicode, label->written, label->written_len);
        if (len > 0)
            buffer_format(line, "; it has %zu", len);
    } else if (reason == XN_NOT_CANONICAL &&
               xn_utf8_encode(label->code_points, label->code_point_count, utf8, sizeof utf8,
                              &len) == XN_OK &&
               xn_unicode_map_label(policy->unicode, utf8, len, own, &len) == 0) {
        buffer_format(line, ": %.*s", (int)len, (const char *)own);
    }
}

static void add_reasons(const struct explain_policy *policy, const struct explained_label *label,
                        struct buffer *out)
{
    struct buffer line = {0};

    for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++) {
        if (!(label->reasons & xn_reason_bit(reason)))
            continue;
        buffer_text(&line, xn_reason_text(reason));
        add_detail(policy, label, reason, &line);
        buffer_format(&line, " (%s)", xn_reason_word(reason));
        fold_line(out, LABEL_INDENT, &line);
    }
    buffer_free(&line);
}

static void add_scripts(const struct explained_label *label, struct buffer *out)
{
    struct buffer line = {0};

    buffer_text(&line, label->scripts.count > 0 ? "scripts " : "no script");
    for (size_t i = 0; i < label->scripts.count; i++)
        buffer_format(&line, "%s%s", i > 0 ? ", " : "", label->scripts.codes[i]);
    buffer_format(&line, "; level %s", xn_level_word(label->level));
    fold_line(out, LABEL_INDENT, &line);
    buffer_free(&line);
}

static void add_conditions(const struct explained_label *label, struct buffer *out)
{
    struct buffer line = {0};

    for (size_t i = 0; i < label->condition_count; i++)
        buffer_format(&line, "%s%s", i > 0 ? ", " : "conditions ",
                      xnm_trigger_word(label->conditions[i]));
    if (line.len > 0)
        fold_line(out, LABEL_INDENT, &line);
    buffer_free(&line);
}

/* Text that may be right-to-left ends its line, so that it moves nothing else. */
static void add_key(const char *words, const struct explained_key *key, struct buffer *out)
{
    fold_indent(out, LABEL_INDENT);
    buffer_text(out, words);
    buffer_shown(out, (const char *)key->octets, key->len);
    buffer_text(out, "\n");
}

static void add_keys(const struct explained_label *label, struct buffer *out)
{
    const struct explained_key *exact = &label->exact, *strict = &label->strict;
    bool same = exact->len == strict->len && memcmp(exact->octets, strict->octets, exact->len) == 0;

    if (exact->differs)
        add_key(same ? "both keys  = " : "exact key  = ", exact, out);
    if (strict->differs && !same)
        add_key("strict key ~ ", strict, out);
}

static color color_of(xn_label_status status)
{
    return status == XN_LABEL_INVALID      ? COLOR_ERROR
           : status == XN_LABEL_RESTRICTED ? COLOR_WARNING
                                           : COLOR_NONE;
}

/* "  2 xn--pypal-4ve restricted p\u{430}ypal". */
static void add_heading(const struct explain_policy *policy, const struct explained_label *label,
                        size_t digits, struct buffer *out)
{
    xn_label_status status = xn_reasons_status(label->reasons);
    bool shown = label->idn && label->wire[0] > 0 && (status != XN_LABEL_INVALID || label->raw);
    struct buffer display = {0};

    explain_add_display(&display, policy->unicode, label);
    if (display.len == 0)
        buffer_text(&display, "\"\"");
    buffer_format(out, "  %*zu ", (int)digits, label->number);
    if (shown)
        buffer_add(out, label->ascii, label->ascii_len);
    else
        buffer_add(out, display.data, display.len);
    if (label->idn || status != XN_LABEL_OK) {
        buffer_text(out, " ");
        color_begin(out, color_of(status));
        buffer_text(out, xn_label_status_word(status));
        color_end(out, color_of(status));
    }
    if (shown && fold_column(out) + 1 + fold_width(display.data, display.len) > FOLD_COLUMNS) {
        buffer_text(out, "\n");
        fold_indent(out, LABEL_INDENT - 1);
    }
    if (shown) {
        buffer_text(out, " ");
        buffer_add(out, display.data, display.len);
    }
    buffer_text(out, "\n");
    buffer_free(&display);
}

/* Nearly every ASCII label with an m has a key of its own; only the deciding label's is shown. */
static void add_label(const struct explain_policy *policy, const struct explained_name *name,
                      const struct explained_label *label, size_t digits, struct buffer *out)
{
    bool decides = name->asked && name->decision.any &&
                   xnm_match_has_lookalike(&name->decision.match) &&
                   name->decision.match.label == label->number;

    add_heading(policy, label, digits, out);
    add_reasons(policy, label, out);
    if (label->idn && label->code_point_count > 0 && label->reasons != xn_reason_bit(XN_TOO_LONG)) {
        add_characters(policy, label, out);
        add_scripts(label, out);
    }
    add_conditions(label, out);
    if (label->decoded || decides)
        add_keys(label, out);
}

static void add_labels(const struct explain_policy *policy, const struct explained_name *name,
                       struct buffer *out)
{
    struct explained_label label = {0};
    size_t digits = 1;

    for (size_t count = name->label_count; count >= 10; count /= 10)
        digits++;
    while (explain_next_label(policy->unicode, name, &label))
        add_label(policy, name, &label, digits, out);
}

/* --- names --- */

static void add_first_line(const struct explained_name *name, struct buffer *out)
{
    const struct buffer *ascii = &name->conversion.ascii, *display = &name->conversion.display,
                        *text = &name->conversion.text;

    if (name->host.within) {
        host_describe(out, name->input, name->input_len);
        buffer_text(out, ":\n");
    }
    if (name->conversion.fault && text->len > 0)
        buffer_visible(out, text->data, text->len);
    else if (text->len == 0)
        buffer_text(out, "\"\"");
    else if (ascii->len == 0)
        buffer_add(out, display->data, display->len);
    else
        buffer_shown(out, ascii->data, ascii->len);
    if (ascii->len > 0 &&
        (ascii->len != display->len || memcmp(ascii->data, display->data, ascii->len) != 0)) {
        bool fits = fold_column(out) + 2 + fold_width(display->data, display->len) <= FOLD_COLUMNS;
        buffer_text(out, fits ? "  " : "\n");
        buffer_add(out, display->data, display->len);
    }
    buffer_text(out, "\n");
}

void explain_as_text(const struct explain_policy *policy, const struct explained_name *name,
                     struct buffer *out)
{
    explain_add_sentence(policy, name, out);
    add_first_line(name, out);
    add_labels(policy, name, out);
    explain_add_answer(policy, name, out);
}
