/* SPDX-License-Identifier: BSD-3-Clause */
/* Marks what differs between two names that look alike. */
#include "tools/report/page.h"

#include "core/idna/name.h"
#include "core/idna/property.h"
#include "core/lookalike/shape.h"
#include "tools/logs/name.h"
#include "tools/text/html.h"

#include <string.h>

enum { LISTED_MAX = 6 };

/* The labels of a name, as readers see them. */
struct shapes {
    size_t count;
    struct xn_shape labels[XN_WIRE_LABELS_MAX];
};

/* The characters that differ, each listed once. */
struct listed {
    size_t count, left_out;
    uint32_t code_points[LISTED_MAX];
};

static void read_shapes(const uint8_t *wire, struct shapes *shapes)
{
    shapes->count = 0;
    for (size_t at = 0; wire[at] > 0; at += 1u + wire[at])
        xn_shape_read(wire + at + 1, wire[at], &shapes->labels[shapes->count++]);
}

static bool is_same(const struct xn_shape *a, const struct xn_shape *b)
{
    return a->len == b->len &&
           memcmp(a->code_points, b->code_points, a->len * sizeof *a->code_points) == 0;
}

static bool is_loosely_same(const struct xn_shape *a, const struct xn_shape *b)
{
    uint8_t key[XN_KEY_MAX], other[XN_KEY_MAX];
    size_t len = xn_shape_key(a, XN_KEY_LOOSE, key);

    return len == xn_shape_key(b, XN_KEY_LOOSE, other) && memcmp(key, other, len) == 0;
}

/* Returns the label of the protected name that this label looks like, or NULL if there is none, or
 * if the protected name has the same label. */
static const struct xn_shape *model_of(const struct xn_shape *label, const struct shapes *models)
{
    const struct xn_shape *found = NULL;

    for (size_t i = 0; i < models->count; i++) {
        if (is_same(label, &models->labels[i]))
            return NULL;
        if (!found && is_loosely_same(label, &models->labels[i]))
            found = &models->labels[i];
    }
    return found;
}

/* Finds the code points that are not in the longest common subsequence with the model. For rnall
 * and mall, they are the first two. */
static void find_differences(const struct xn_shape *label, const struct xn_shape *model,
                             bool differs[XN_WIRE_LABEL_MAX])
{
    uint8_t common[XN_WIRE_LABEL_MAX + 1][XN_WIRE_LABEL_MAX + 1] = {0};
    size_t i = 0, j = 0;

    for (size_t a = label->len; a-- > 0;) {
        for (size_t b = model->len; b-- > 0;) {
            if (label->code_points[a] == model->code_points[b])
                common[a][b] = (uint8_t)(common[a + 1][b + 1] + 1);
            else
                common[a][b] =
                    common[a + 1][b] > common[a][b + 1] ? common[a + 1][b] : common[a][b + 1];
        }
    }
    while (i < label->len) {
        if (j < model->len && label->code_points[i] == model->code_points[j]) {
            differs[i++] = false;
            j++;
        } else if (j < model->len && common[i][j + 1] >= common[i + 1][j]) {
            j++;
        } else {
            differs[i++] = true;
        }
    }
}

/* --- writing --- */

static void add_name_of(struct buffer *out, uint32_t cp)
{
    char name[XN_CHARACTER_NAME_MAX];

    xn_unicode_character_name(cp, name);
    buffer_format(out, "U+%04X ", (unsigned)cp);
    html_text(out, name, strlen(name));
}

static void list(struct listed *listed, uint32_t cp)
{
    for (size_t i = 0; i < listed->count; i++)
        if (listed->code_points[i] == cp)
            return;
    if (listed->count < LISTED_MAX)
        listed->code_points[listed->count++] = cp;
    else
        listed->left_out++;
}

/* An octet that is not text is written as `\DDD`, and has no name. */
static void add_code_point(struct buffer *out, uint32_t cp, bool differs, struct listed *listed)
{
    bool marked = differs && cp < XN_SHAPE_OCTET;

    if (marked) {
        buffer_text(out, "<mark title=\"");
        add_name_of(out, cp);
        buffer_text(out, "\">");
        list(listed, cp);
    }
    if (cp < XN_SHAPE_OCTET)
        html_character(out, cp);
    else
        buffer_format(out, "\\%03u", (unsigned)(cp - XN_SHAPE_OCTET));
    buffer_text(out, marked ? "</mark>" : "");
}

static void add_label(struct buffer *out, const struct xn_shape *label,
                      const struct xn_shape *model, struct listed *listed)
{
    bool differs[XN_WIRE_LABEL_MAX] = {false};

    if (model)
        find_differences(label, model, differs);
    buffer_text(out, "<bdi>");
    for (size_t i = 0; i < label->len; i++)
        add_code_point(out, label->code_points[i], differs[i], listed);
    buffer_text(out, "</bdi>");
}

static void add_listed(struct buffer *out, const struct listed *listed)
{
    if (listed->count == 0)
        return;
    buffer_text(out, "<ul class=\"chars\">");
    for (size_t i = 0; i < listed->count; i++) {
        buffer_text(out, "<li><bdi>");
        if (xn_unicode_is_mark(listed->code_points[i]))
            buffer_text(out, "\xE2\x97\x8C"); /* U+25CC, to carry the mark */
        html_character(out, listed->code_points[i]);
        buffer_text(out, "</bdi> ");
        add_name_of(out, listed->code_points[i]);
        buffer_text(out, "</li>");
    }
    if (listed->left_out > 0)
        buffer_text(out, "<li>and others</li>");
    buffer_text(out, "</ul>");
}

struct report_span report_protected_name(struct report_span match)
{
    const char *blank = memchr(match.at, ' ', match.len);
    size_t word_len = blank ? (size_t)(blank + 1 - match.at) : match.len;

    return (struct report_span){match.at + word_len, match.len - word_len};
}

static void read_models(const struct report *report, struct report_span match,
                        struct shapes *models)
{
    struct report_span text = report_protected_name(match);
    uint8_t wire[XN_WIRE_NAME_MAX];
    bool idn;

    models->count = 0;
    if (report_name_read(report->unicode, text.at, text.len, wire, &idn) > 0)
        read_shapes(wire, models);
}

void report_add_marked(const struct report *report, struct buffer *out, const uint8_t *wire,
                       struct report_span match)
{
    struct shapes shapes, models; /* 33 kB each */
    struct listed listed = {0};

    read_shapes(wire, &shapes);
    read_models(report, match, &models);
    buffer_text(out, "<bdi class=\"name\" dir=\"ltr\">");
    for (size_t i = 0; i < shapes.count; i++) {
        buffer_text(out, i > 0 ? ".<wbr>" : "");
        add_label(out, &shapes.labels[i], model_of(&shapes.labels[i], &models), &listed);
    }
    buffer_text(out, "</bdi>");
    html_a_labels(out, wire);
    add_listed(out, &listed);
}
