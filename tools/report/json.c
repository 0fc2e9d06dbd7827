/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the figures of the page as one JSON object. */
#include "core/idna/name.h"
#include "core/idna/property.h"
#include "core/names/display.h"
#include "core/wire/wire.h"
#include "tools/report/page.h"

#include <string.h>
#include <time.h>

/* Rows of an array, if nothing else is said: more than a page has room for. */
enum { JSON_ROWS = 100, JSON_ASKERS = 5 };

/* --- values --- */

/* Ends the value before. */
static void begin_key(struct buffer *out, const char *key)
{
    bool is_first = out->data[out->len - 1] == '{' || out->data[out->len - 1] == '[';

    buffer_format(out, is_first ? "\"%s\":" : ",\"%s\":", key);
}

static void begin_object(struct buffer *out)
{
    buffer_text(out, out->data[out->len - 1] == '[' ? "{" : ",{");
}

static void add_number(struct buffer *out, const char *key, uint64_t number)
{
    begin_key(out, key);
    buffer_format(out, "%llu", (unsigned long long)number);
}

static void add_text(struct buffer *out, const char *key, struct report_span text)
{
    begin_key(out, key);
    buffer_json(out, text.at, text.len);
}

static void add_string(struct buffer *out, const char *key, const char *text)
{
    add_text(out, key, (struct report_span){text, strlen(text)});
}

/* Adds a time, of a wall clock or, with a Z in the format, in UTC. */
static void add_time(struct buffer *out, const char *key, int64_t time, const char *format)
{
    char text[32];
    time_t seconds = (time_t)time;
    struct tm utc;

    if (gmtime_r(&seconds, &utc) && strftime(text, sizeof text, format, &utc) > 0)
        add_string(out, key, text);
}

static void add_count(struct buffer *out, const char *key, const struct distinct *distinct)
{
    bool estimated;
    uint64_t count = distinct_count(distinct, &estimated);

    begin_key(out, key);
    buffer_format(out, "{\"count\":%llu,\"estimated\":%s}", (unsigned long long)count,
                  estimated ? "true" : "false");
}

/* Adds a name as it is shown, and in A-labels. */
static void add_name(const struct report *report, struct buffer *out, const uint8_t *wire,
                     size_t len)
{
    struct xn_name name;
    char text[XN_DISPLAY_NAME_MAX];
    size_t shown;

    if (xn_name_read(report->unicode, wire, len, 0, &name) != XN_OK)
        return; /* impossible for a name that was read from a log */
    shown = xn_display_name(&name, 0, text);
    add_text(out, "name", (struct report_span){text, shown});
    shown = xn_wire_to_text(wire, text);
    add_text(out, "ascii", (struct report_span){text, shown > 1 ? shown - 1 : shown});
}

/* Adds the parts of an entry's key from *at on, each with its key. */
static void add_parts(struct buffer *out, const struct tally *tally,
                      const struct tally_entry *entry, size_t *at, const char *const *keys)
{
    for (; *keys; keys++)
        add_text(out, *keys, report_part(tally, entry, at));
}

/* --- arrays --- */

/* Adds what an object has before its counts. */
typedef void add_entry(const struct report *report, struct buffer *out, const struct tally *tally,
                       const struct tally_entry *entry);

/* Adds the most frequent entries as an array, and how much their figures may be too low. */
static void add_top(const struct report *report, struct buffer *out, const char *key,
                    const struct tally *tally, add_entry *add, bool with_changed)
{
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, JSON_ROWS));

    begin_key(out, key);
    buffer_format(out, "{\"too_low_by\":%llu,\"top\":[", (unsigned long long)tally->missed);
    for (size_t i = 0; i < count; i++) {
        begin_object(out);
        add(report, out, tally, top[i]);
        add_number(out, "queries", top[i]->counts[COUNT_ALL]);
        if (with_changed)
            add_number(out, "changed", top[i]->counts[COUNT_CHANGED]);
        buffer_text(out, "}");
    }
    buffer_text(out, "]}");
}

static void add_wire(const struct report *report, struct buffer *out, const struct tally *tally,
                     const struct tally_entry *entry)
{
    add_name(report, out, tally_key(tally, entry), entry->key_len);
}

static void add_idn(const struct report *report, struct buffer *out, const struct tally *tally,
                    const struct tally_entry *entry)
{
    struct report_facts facts;

    memcpy(&facts, tally_value(tally, entry), sizeof facts);
    add_wire(report, out, tally, entry);
    add_string(out, "status", xn_label_status_word(xn_reasons_status(facts.reasons)));
}

static void add_word(const struct report *report, struct buffer *out, const struct tally *tally,
                     const struct tally_entry *entry)
{
    (void)report;
    add_text(out, "value",
             (struct report_span){(const char *)tally_key(tally, entry), entry->key_len});
}

static void add_blocked(const struct report *report, struct buffer *out, const struct tally *tally,
                        const struct tally_entry *entry)
{
    static const char *const keys[] = {"rule", "action", "mode", NULL};
    size_t at = 0;
    struct report_span wire = report_part(tally, entry, &at);

    add_name(report, out, (const uint8_t *)wire.at, wire.len);
    add_parts(out, tally, entry, &at, keys);
}

static void add_rule(const struct report *report, struct buffer *out, const struct tally *tally,
                     const struct tally_entry *entry)
{
    static const char *const keys[] = {"rule", "action", "mode", NULL};
    size_t at = 0;

    (void)report;
    add_parts(out, tally, entry, &at, keys);
}

static void add_look_alike(const struct report *report, struct buffer *out,
                           const struct tally *tally, const struct tally_entry *entry)
{
    static const char *const keys[] = {"match", "key", "action", "mode", NULL};
    const struct tally_entry *top[JSON_ASKERS];
    struct report_example example;
    size_t at = 0, left_out;
    struct report_span domain = report_part(tally, entry, &at);

    memcpy(&example, tally_value(tally, entry), sizeof example);
    add_name(report, out, example.octets, example.len);
    begin_key(out, "domain");
    buffer_text(out, "{");
    add_name(report, out, (const uint8_t *)domain.at, domain.len);
    buffer_text(out, example.several ? "},\"several\":true" : "},\"several\":false");
    add_parts(out, tally, entry, &at, keys);
    begin_key(out, "clients");
    buffer_text(out, "[");
    size_t count = report_top_below(tally, entry, &report->askers, top, JSON_ASKERS, &left_out);
    for (size_t i = 0; i < count; i++) {
        at = entry->key_len;
        begin_object(out);
        add_text(out, "value", report_part(&report->askers, top[i], &at));
        add_number(out, "queries", top[i]->counts[COUNT_ALL]);
        buffer_text(out, "}");
    }
    buffer_text(out, "]");
}

/* --- the object --- */

static void add_findings(const struct report *report, struct buffer *out)
{
    begin_key(out, "findings");
    buffer_text(out, "{");
    for (xn_reason reason = 0; reason < XN_REASON_COUNT; reason++)
        if (report->by_reason[reason] > 0)
            add_number(out, xn_reason_word(reason), report->by_reason[reason]);
    buffer_text(out, "}");
    begin_key(out, "scripts");
    buffer_text(out, "{");
    for (int script = 0; script < XN_SCRIPT_NUMBERS; script++)
        if (report->by_script[script] > 0 && xn_unicode_script_name(script))
            add_number(out, xn_unicode_script_name(script), report->by_script[script]);
    buffer_text(out, "}");
}

static void add_durations(const struct report *report, struct buffer *out)
{
    static const char *const kinds[] = {"uncached", "cached", "unknown"};

    for (size_t i = 0; i < CACHED_KINDS; i++) {
        const struct durations *durations = &report->durations[i];
        begin_key(out, kinds[i]);
        buffer_text(out, "{");
        add_number(out, "queries", report->by_cached[i]);
        add_number(out, "timed", durations->count);
        add_number(out, "median_us", (uint64_t)durations_within(durations, 0.5));
        add_number(out, "p95_us", (uint64_t)durations_within(durations, 0.95));
        buffer_text(out, "}");
    }
}

static void add_origin(const struct report *report, struct buffer *out)
{
    begin_key(out, "logs");
    buffer_text(out, "[");
    for (char **log = report->about.logs; *log; log++) {
        buffer_text(out, log > report->about.logs ? "," : "");
        buffer_json(out, *log, strlen(*log));
    }
    buffer_text(out, "]");
    add_string(out, "host", report->about.host);
    add_time(out, "made", report->about.made, "%Y-%m-%dT%H:%M:%SZ");
    add_string(out, "zone", report->zone.word);
    if (report->timeline.count > 0) {
        add_time(out, "from", report->timeline.first, "%Y-%m-%dT%H:%M:%S");
        add_time(out, "to", report->timeline.last, "%Y-%m-%dT%H:%M:%S");
    }
}

void report_write_json(const struct report *report, struct buffer *out)
{
    buffer_text(out, "{");
    add_origin(report, out);
    add_number(out, "queries", report->replies);
    add_number(out, "idn", report->idn);
    add_number(out, "changed", report->changed);
    add_number(out, "look_alike", report->lookalike);
    add_number(out, "unread", report->unread);
    add_number(out, "untimed", report->untimed);
    add_count(out, "different_names", &report->names);
    if (report->with_clients)
        add_count(out, "different_clients", &report->clients);
    add_durations(report, out);
    add_findings(report, out);
    add_top(report, out, "look_alikes", &report->look_alikes, add_look_alike, false);
    add_top(report, out, "blocked", &report->blocked, add_blocked, false);
    add_top(report, out, "rules", &report->rules, add_rule, false);
    add_top(report, out, "tags", &report->tags, add_word, true);
    add_top(report, out, "names", &report->top_names, add_wire, true);
    add_top(report, out, "idn_names", &report->idn_names, add_idn, true);
    if (report->with_clients)
        add_top(report, out, "clients", &report->client_use, add_word, true);
    add_top(report, out, "rcodes", &report->rcodes, add_word, false);
    add_top(report, out, "types", &report->types, add_word, false);
    buffer_text(out, "}\n");
}
