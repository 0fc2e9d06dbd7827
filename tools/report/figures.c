/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of the page that have no names in them. */
#include "tools/report/page.h"

#include "tools/text/html.h"

#include <string.h>

enum { CLIENTS_MAX = 12, TAGS_MAX = 8, ANSWERS_MAX = 20 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- clients --- */

static void begin_row(struct buffer *out, const struct tally *tally,
                      const struct tally_entry *entry)
{
    buffer_text(out, "<tr><td><code>");
    html_text(out, (const char *)tally_key(tally, entry), entry->key_len);
    buffer_text(out, "</code></td>");
}

/* Returns how many entries have a count. */
static size_t counted(const struct tally *tally, size_t which)
{
    size_t found = 0;

    for (size_t i = 0; i < tally->count; i++)
        found += tally->entries[i].counts[which] > 0;
    return found;
}

void report_add_clients(const struct report *report, struct buffer *out)
{
    const char *const columns[] = {"Client", "#Queries", "#IDN", report_changed_column(report)};
    const struct tally_entry *top[REPORT_TOP_MAX];
    const struct tally *tally = &report->client_use;
    size_t which = report->changed > 0 ? COUNT_CHANGED : COUNT_ALL;
    size_t count = tally_top(tally, which, top, report_rows(report, CLIENTS_MAX));

    if (count == 0)
        return;
    report_begin_table(
        out,
        which == COUNT_ALL
            ? "The clients that asked most."
            : report_changed(report, "The clients whose answers were changed most.",
                             "The clients whose answers would have been changed most."),
        columns, COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        begin_row(out, tally, top[i]);
        html_number_cell(out, top[i]->counts[COUNT_ALL]);
        html_number_cell(out, top[i]->counts[COUNT_IDN]);
        html_number_cell(out, top[i]->counts[COUNT_CHANGED]);
        buffer_text(out, "</tr>\n");
    }
    report_end_table(out, counted(tally, which) - count, tally->missed);
}

/* --- tags and answers --- */

/* Adds a table of what was counted, in whose rows `begin` adds the first cell. A bar shows the
 * share of `whole`; 0: of the most frequent one. */
static void add_counted(const struct report *report, struct buffer *out, const char *title,
                        const char *caption, const struct tally *tally, size_t rows, uint64_t whole,
                        void (*begin)(struct buffer *out, const struct tally *tally,
                                      const struct tally_entry *entry))
{
    const char *const columns[] = {title, "#Queries", report_changed_column(report)};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, rows));

    if (count == 0)
        return;
    report_begin_table(out, caption, columns, COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        begin(out, tally, top[i]);
        html_bar_cell(out, top[i]->counts[COUNT_ALL],
                      whole > 0 ? whole : top[0]->counts[COUNT_ALL]);
        html_number_cell(out, top[i]->counts[COUNT_CHANGED]);
        buffer_text(out, "</tr>\n");
    }
    report_end_table(out, tally->count - count, tally->missed);
}

void report_add_tags(const struct report *report, struct buffer *out)
{
    add_counted(report, out, "Tag", "Which tagged rules and lists matched, and how often.",
                &report->tags, TAGS_MAX, 0, begin_row);
}

/* Begins the row of an answer's part, such as "response code NXDOMAIN". */
static void begin_answer(struct buffer *out, const struct tally *tally,
                         const struct tally_entry *entry)
{
    size_t at = 0;
    struct report_span what = report_part(tally, entry, &at),
                       value = report_part(tally, entry, &at);

    buffer_text(out, "<tr><td>");
    html_text(out, what.at, what.len);
    buffer_text(out, " <code>");
    html_text(out, value.at, value.len);
    buffer_text(out, "</code></td>");
}

void report_add_answers(const struct report *report, struct buffer *out)
{
    add_counted(report, out, "Answer",
                "Response codes, what DNSSEC validation found, and extended errors (RFC 8914).",
                &report->answers, ANSWERS_MAX, report->replies, begin_answer);
}
