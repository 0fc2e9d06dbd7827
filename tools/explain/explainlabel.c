/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what `explain` reports of one label: its code points, scripts, findings and keys. */
#include "tools/explain/explain.h"

#include "core/idna/mapping.h"
#include "core/idna/ulabel.h"
#include "core/names/display.h"
#include "core/names/written.h"
#include "core/text/utf8.h"
#include "module/policy/searchcondition.h"
#include "module/rule/ruletable.h"

#include <string.h>

static void take_written(struct explained_label *label)
{
    uint32_t cp;

    for (size_t at = 0; at < label->written_len;) {
        at += xn_utf8_read(label->written + at, label->written_len - at, &cp);
        if (label->code_point_count < XN_ULABEL_MAX)
            label->code_points[label->code_point_count++] = cp;
        else
            label->left_out++;
    }
}

/* Returns whether a key equals the label itself, or its text in NFC. */
static bool is_label(const struct xn_unicode *unicode, const struct explained_label *label,
                     const struct explained_key *key)
{
    uint8_t mapped[XN_WIRE_LABEL_MAX];
    const uint8_t *text = key->octets;
    size_t len = key->len;

    if (label->idn && !label->raw) {
        text = mapped;
        if (!xn_utf8_is_valid(key->octets, key->len) ||
            xn_unicode_map_label(unicode, key->octets, key->len, mapped, &len) != 0)
            return false;
    }
    return len == label->wire[0] && memcmp(text, label->wire + 1, len) == 0;
}

static void take_key(const struct xn_unicode *unicode, const struct explained_label *label,
                     xn_key kind, struct explained_key *key)
{
    key->len = xn_lookalike_key(label->wire + 1, label->wire[0], kind, key->octets);
    key->differs = !is_label(unicode, label, key);
}

/* Raw UTF-8 may have more than a U-label. */
static void take_code_points(const struct xn_name *name, struct explained_label *label)
{
    size_t count = name->labels[0].cps_len;

    label->left_out = count > XN_ULABEL_MAX ? count - XN_ULABEL_MAX : 0;
    label->code_point_count = count - label->left_out;
    memcpy(label->code_points, name->code_points + name->labels[0].cps_at,
           label->code_point_count * sizeof *name->code_points);
}

/* Fills in a label that has a form in the DNS. */
static void take_wire(const struct xn_unicode *unicode, struct explained_label *label)
{
    struct xn_name name;

    if (xn_name_read(unicode, label->wire, label->wire_len, 0, &name) != XN_OK)
        return; /* labels of at most 63 octets and the root make a valid name */
    xn_name_decode_raw(0, &name);
    label->raw = name.labels[0].raw;
    label->idn = name.labels[0].ace || label->raw;
    label->reasons |= name.labels[0].reasons;
    take_code_points(&name, label);
    label->decoded = label->code_point_count > 0 && !label->raw;
    take_key(unicode, label, XN_KEY_EXACT, &label->exact);
    take_key(unicode, label, XN_KEY_STRICT, &label->strict);
}

static void take_scripts(struct explained_label *label)
{
    xn_ulabel_add_scripts(label->code_points, label->code_point_count, &label->scripts);
    label->level = xn_script_level(label->code_points, label->code_point_count);
    for (size_t i = 0; !label->idn && i < label->wire[0]; i++) {
        uint32_t octet = label->wire[1 + i];
        xn_ulabel_add_scripts(&octet, octet < 0x80, &label->scripts);
    }
}

static void take_conditions(struct explained_label *label)
{
    const struct xnm_condition no_words = {.except_count = 0};
    struct xn_shape shape;

    if (!xn_wire_has_ace_prefix(label->wire + 1, label->wire[0]))
        return;
    xn_shape_read(label->wire + 1, label->wire[0], &shape);
    for (xnm_trigger trigger = 0; trigger < XNM_TRIGGER_COUNT; trigger++)
        if (xnm_trigger_is_condition(trigger) &&
            xnm_ruletable_subject(trigger) == XNM_SUBJECT_NONE &&
            xnm_searchcondition_is_met(trigger, &no_words, &shape,
                                       label->wire + 1 + label->wire[0]))
            label->conditions[label->condition_count++] = trigger;
}

static void take_label(const struct xn_unicode *unicode, const struct xn_toplevel *tld,
                       struct explained_label *label)
{
    if (xn_written_to_alabel(unicode, label->written, label->written_len, label->ascii,
                             &label->ascii_len, &label->reasons) != XN_OK)
        return; /* the name is known to be valid UTF-8 */
    if (label->ascii_len > 0)
        label->wire[0] =
            (uint8_t)xn_presentation_to_octets(label->ascii, label->ascii_len, label->wire + 1);
    if (label->wire[0] > 0) {
        label->wire_len = xn_toplevel_append(tld, label->wire);
        take_wire(unicode, label);
    } else {
        label->idn = true;
        take_written(label);
    }
    take_scripts(label);
    take_conditions(label);
}

bool explain_next_label(const struct xn_unicode *unicode, const struct explained_name *name,
                        struct explained_label *label)
{
    struct explained_label next = {.number = label->number + 1, .cursor = label->cursor};

    if (label->number == 0)
        xn_presentation_open(&next.cursor, (const uint8_t *)name->conversion.text.data,
                             name->conversion.fault ? 0 : name->conversion.text.len);
    if (!xn_presentation_next(&next.cursor, &next.written, &next.written_len))
        return false;
    *label = next;
    take_label(unicode, &name->tld, label);
    return true;
}

void explain_add_display(struct buffer *out, const struct xn_unicode *unicode,
                         const struct explained_label *label)
{
    struct xn_name name;

    if (label->wire[0] == 0)
        buffer_shown(out, (const char *)label->written, label->written_len);
    else if (!label->idn)
        buffer_shown(out, (const char *)label->ascii, label->ascii_len);
    else if (xn_name_read(unicode, label->wire, label->wire_len, 0, &name) == XN_OK) {
        xn_name_decode_raw(0, &name);
        out->len +=
            xn_display_label(&name, &name.labels[0], buffer_reserve(out, XN_DISPLAY_LABEL_MAX));
    }
}

/* Adds a label of raw UTF-8 as people write it. */
static void add_unescaped(struct buffer *out, const struct explained_label *label)
{
    for (size_t i = 1; i <= label->wire[0]; i++) {
        const uint8_t *octet = label->wire + i;
        if (*octet >= 0x80)
            buffer_add(out, octet, 1);
        else
            out->len += xn_wire_label_to_text(octet, 1, buffer_reserve(out, 4));
    }
}

void explain_find_ask(const struct explain_policy *policy, struct explained_name *name)
{
    struct explained_label label = {0};
    struct buffer text = {0};
    struct conversion conversion = {0};

    while (explain_next_label(policy->unicode, name, &label)) {
        buffer_text(&text, label.number > 1 ? "." : "");
        if (label.raw)
            add_unescaped(&text, &label);
        else
            buffer_add(&text, label.written, label.written_len);
    }
    convert_name(policy->unicode, &(const struct host){.name = text.data, .len = text.len},
                 &conversion);
    if (conversion.valid)
        buffer_add(&name->ask, conversion.ascii.data, conversion.ascii.len);
    conversion_free(&conversion);
    buffer_free(&text);
}
