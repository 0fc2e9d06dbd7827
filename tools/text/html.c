/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/html.h"

#include "core/names/display.h"

#include <stdio.h>

static const char *reference_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

static void add_escaped(struct buffer *out, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        const char *reference = reference_of(text[i]);

        if (reference)
            buffer_text(out, reference);
        else
            buffer_add(out, text + i, 1);
    }
}

void html_text(struct buffer *out, const char *text, size_t len)
{
    struct buffer shown = {0};

    buffer_shown(&shown, text, len);
    add_escaped(out, shown.data, shown.len);
    buffer_free(&shown);
}

/* --- numbers --- */

void html_number(struct buffer *out, uint64_t number)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number);

    for (int i = 0; i < len; i++)
        buffer_format(out, i > 0 && (len - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
}

void html_share(struct buffer *out, uint64_t part, uint64_t whole)
{
    double percent = whole > 0 ? 100.0 * (double)part / (double)whole : 0;

    if (part == 0)
        buffer_text(out, "0&#8239;%");
    else if (percent < 0.01)
        buffer_text(out, "&lt; 0.01&#8239;%");
    else
        buffer_format(out, "%.*f&#8239;%%", percent < 1 ? 2 : percent < 10 ? 1 : 0, percent);
}

/* --- names --- */

static void add_label(struct buffer *out, const struct xn_name *name, const struct xn_label *label)
{
    char text[XN_DISPLAY_LABEL_MAX];
    size_t len = xn_display_label(name, label, text);

    buffer_text(out, "<bdi>");
    html_text(out, text, len);
    buffer_text(out, "</bdi>");
}

bool html_name(struct buffer *out, const struct xn_unicode *unicode, const uint8_t *wire,
               size_t len, xn_reasons reasons)
{
    struct xn_name name;

    if (xn_name_read(unicode, wire, len, 0, &name) != XN_OK)
        return false; /* impossible for a name that was read from a log */
    buffer_text(out, "<bdi class=\"name\" dir=\"ltr\">");
    for (size_t i = 0; i < name.label_count; i++) {
        buffer_text(out, i > 0 ? ".<wbr>" : "");
        if (name.labels[i].ace)
            name.labels[i].reasons |= reasons;
        add_label(out, &name, &name.labels[i]);
    }
    buffer_text(out, name.label_count == 0 ? ".</bdi>" : "</bdi>");
    return xn_display_differs(&name);
}

void html_a_labels(struct buffer *out, const uint8_t *wire)
{
    char text[XN_WIRE_TEXT_MAX];
    size_t len = xn_wire_to_text(wire, text);

    buffer_text(out, "<code dir=\"ltr\">");
    html_text(out, text, len > 1 ? len - 1 : len);
    buffer_text(out, "</code>");
}

/* --- cells --- */

void html_number_cell(struct buffer *out, uint64_t number)
{
    buffer_text(out, "<td class=\"n\">");
    if (number > 0)
        html_number(out, number);
    else
        buffer_text(out, "<span class=\"none\">0</span>");
    buffer_text(out, "</td>");
}

void html_bar_cell(struct buffer *out, uint64_t number, uint64_t largest)
{
    double percent = largest > 0 ? 100.0 * (double)number / (double)largest : 0;

    buffer_text(out, "<td class=\"n\">");
    html_number(out, number);
    buffer_format(out, "<span class=\"bar\" style=\"width:%.1f%%\"></span></td>", percent);
}
