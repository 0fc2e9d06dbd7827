/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the figures of the page as one JSON object, with a line for each row of a table. */
#include "tools/report/report.h"

#include "core/names/display.h"
#include "core/text/version.h"

const char report_json_beginning[] = "{\"report\":\"unbound-idn ";

static void add_number(struct buffer *out, const char *key, uint64_t number)
{
    buffer_format(out, ",\"%s\":%llu", key, (unsigned long long)number);
}

static void add_text(struct buffer *out, const char *key, const char *text, size_t len)
{
    buffer_format(out, ",\"%s\":", key);
    buffer_json(out, text, len);
}

/* Adds a name as it is in the DNS, without its final dot, and as the page shows it if that differs.
 */
static void add_name(const struct report *report, struct buffer *out, const char *key,
                     struct logs_span wire, bool is_look_alike)
{
    const uint8_t *octets = (const uint8_t *)wire.at;
    char text[XN_WIRE_TEXT_MAX], shown[XN_DISPLAY_NAME_MAX];
    size_t len = xn_wire_to_text(octets, text);
    struct xn_name name;

    add_text(out, key, text, len > 1 ? len - 1 : len);
    if (xn_name_read(report->unicode, octets, wire.len, 0, &name) != XN_OK)
        return; /* impossible for a name that was read from a log */
    for (size_t i = 0; is_look_alike && i < name.label_count; i++)
        if (name.labels[i].ace)
            name.labels[i].reasons |= xn_reason_bit(XN_LOOKALIKE);
    if (xn_display_differs(&name))
        add_text(out, "display", shown, xn_display_name(&name, shown));
}

static void add_row(const struct report *report, struct buffer *out, report_table_id id,
                    const struct tally_entry *entry)
{
    const struct report_table *table = &report_tables[id];
    bool is_look_alike = id == REPORT_LOOK_ALIKES || id == REPORT_ASKERS;
    struct logs_span parts[REPORT_PARTS_MAX];

    report_parts(report, id, entry, parts);
    buffer_format(out, "{\"queries\":%llu", (unsigned long long)entry->counts[COUNT_ALL]);
    if (id == REPORT_CLIENTS)
        add_number(out, "idn", entry->counts[COUNT_IDN]);
    if (table->changed)
        add_number(out, "changed", entry->counts[COUNT_CHANGED]);
    for (size_t i = 0; i < REPORT_PARTS_MAX && table->parts[i]; i++) {
        const char *word = table->parts[i];
        if (*word == '.' && parts[i].len > 0)
            add_name(report, out, word + 1, parts[i], is_look_alike);
        else if (parts[i].len > 0)
            add_text(out, word, parts[i].at, parts[i].len);
    }
    buffer_text(out, "}");
}

/* `more` are the rows left out; each figure may be too low by `missed`. */
static void add_table(const struct report *report, struct buffer *out, report_table_id id)
{
    const struct tally *tally = &report->tallies[id];
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, REPORT_TOP_MAX));

    buffer_format(out, ",\n\"%s\":{\"more\":%zu", report_tables[id].word, tally->count - count);
    add_number(out, "missed", tally->missed);
    buffer_text(out, ",\"rows\":[");
    for (size_t i = 0; i < count; i++) {
        buffer_text(out, i > 0 ? ",\n" : "\n");
        add_row(report, out, id, top[i]);
    }
    buffer_text(out, "]}");
}

static void add_findings(const struct report *report, struct buffer *out)
{
    buffer_format(out, ",\n\"findings\":{\"ok\":%llu",
                  (unsigned long long)report->by_status[XN_LABEL_OK]);
    for (xn_reason reason = XN_REASON_COUNT; reason-- > 0;)
        if (report->by_reason[reason] > 0)
            add_number(out, xn_reason_word(reason), report->by_reason[reason]);
    buffer_text(out, "}");
}

static void add_time(struct buffer *out, const char *before, int64_t seconds)
{
    buffer_format(out, "%s\"", before);
    report_add_time(out, seconds, false);
    buffer_text(out, "\"");
}

static void add_timeline(const struct report *report, struct buffer *out)
{
    const struct timeline *timeline = &report->timeline;

    buffer_format(out, ",\n\"time\":{\"zone\":\"%s\"", logs_zone_word());
    if (timeline->count > 0) {
        add_time(out, ",\"first\":", timeline->first);
        add_time(out, ",\"last\":", timeline->last);
        add_number(out, "width", (uint64_t)timeline_width(timeline));
    }
    buffer_text(out, ",\"rows\":[");
    for (size_t i = 0; timeline->count > 0 && i < timeline->len; i++) {
        add_time(out, i > 0 ? ",\n{\"start\":" : "\n{\"start\":", timeline_start(timeline, i));
        add_number(out, "queries", timeline->values[i][COUNT_ALL]);
        add_number(out, "idn", timeline->values[i][COUNT_IDN]);
        add_number(out, "changed", timeline->values[i][COUNT_CHANGED]);
        buffer_text(out, "}");
    }
    buffer_text(out, "]}");
}

void report_write_json(const struct report *report, struct buffer *out)
{
    buffer_format(out, "%s%s\"", report_json_beginning, XN_VERSION);
    add_number(out, "queries", report->replies);
    add_number(out, "idn", report->idn);
    add_number(out, "ruled", report->ruled);
    add_number(out, "changed", report->changed);
    add_number(out, "lookalike", report->lookalike);
    add_number(out, "unread", report->unread);
    add_number(out, "untimed", report->untimed);
    add_timeline(report, out);
    for (report_table_id id = 0; id < REPORT_TABLES; id++)
        add_table(report, out, id);
    add_findings(report, out);
    buffer_text(out, "}\n");
}
