/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the figures of the page as one JSON object, with a line for each row of a table. */
#include "tools/report/page.h"

#include "core/names/display.h"
#include "core/text/version.h"

#include <stddef.h>
#include <string.h>

const char report_json_beginning[] = "{\"report\":\"unbound-idn ";

enum { PARTS_MAX = 6 };

/* The tables. A part of a key whose word begins with `.` is a wire name. */
static const struct table {
    const char *key;
    size_t tally;  /* offset of the tally in struct report */
    bool changed;  /* whether changed answers are counted, too */
    bool is_parts; /* whether a key has parts, not just one text */
    const char *parts[PARTS_MAX];
} tables[] = {
#define OF(member) offsetof(struct report, member)
    {"look_alikes", OF(look_alikes), false, true, {".domain", "match", "key", "action", "mode"}},
    {"look_alike_clients",
     OF(askers),
     false,
     true,
     {".domain", "match", "key", "action", "mode", "client"}},
    {"blocked", OF(blocked), false, true, {".name", "rule", "action", "mode"}},
    {"rules", OF(rules), false, true, {"rule", "action", "mode"}},
    {"matches", OF(matches), false, true, {"rule", "action", "mode", "match"}},
    {"tags", OF(tags), true, false, {"tag"}},
    {"names", OF(top_names), true, false, {".name"}},
    {"answers", OF(answers), true, true, {"what", "value"}},
    {"idn_names", OF(idn_names), true, false, {".name"}},
    {"clients", OF(client_use), true, false, {"client"}},
#undef OF
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables };

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
                     struct report_span wire, bool is_look_alike)
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

static void add_row(const struct report *report, struct buffer *out, const struct table *table,
                    const struct tally *tally, const struct tally_entry *entry)
{
    struct report_span part = {(const char *)tally_key(tally, entry), entry->key_len};
    bool is_look_alike = tally == &report->look_alikes || tally == &report->askers;
    size_t at = 0;

    buffer_format(out, "{\"queries\":%llu", (unsigned long long)entry->counts[COUNT_ALL]);
    if (tally == &report->client_use)
        add_number(out, "idn", entry->counts[COUNT_IDN]);
    if (table->changed)
        add_number(out, "changed", entry->counts[COUNT_CHANGED]);
    for (size_t i = 0; i < PARTS_MAX && table->parts[i]; i++) {
        const char *word = table->parts[i];
        if (table->is_parts)
            part = report_part(tally, entry, &at);
        if (*word == '.' && part.len > 0)
            add_name(report, out, word + 1, part, is_look_alike);
        else if (part.len > 0)
            add_text(out, word, part.at, part.len);
    }
    buffer_text(out, "}");
}

/* `more` are the rows left out; each figure may be too low by `missed`. */
static void add_table(const struct report *report, struct buffer *out, const struct table *table)
{
    const struct tally *tally =
        (const struct tally *)(const void *)((const char *)report + table->tally);
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, REPORT_TOP_MAX));

    buffer_format(out, ",\n\"%s\":{\"more\":%zu", table->key, tally->count - count);
    add_number(out, "missed", tally->missed);
    buffer_text(out, ",\"rows\":[");
    for (size_t i = 0; i < count; i++) {
        buffer_text(out, i > 0 ? ",\n" : "\n");
        add_row(report, out, table, tally, top[i]);
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

    buffer_format(out, ",\n\"time\":{\"zone\":\"%s\"", zone_word());
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
    for (size_t i = 0; i < TABLE_COUNT; i++)
        add_table(report, out, &tables[i]);
    add_findings(report, out);
    buffer_text(out, "}\n");
}
