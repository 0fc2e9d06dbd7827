/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of the page that have no names in them. */
#include "core/idna/property.h"
#include "tools/report/page.h"

#include "tools/text/html.h"

#include <string.h>

enum { CLIENTS_MAX = 12, WORDS_MAX = 8, SCRIPTS_MAX = 10 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- scripts --- */

struct script {
    const char *name;
    uint64_t replies;
};

static bool is_more(const struct script *a, const struct script *b)
{
    return a->replies != b->replies ? a->replies > b->replies : strcmp(a->name, b->name) < 0;
}

/* Lists the scripts of the names, the most frequent first. */
static size_t sort_scripts(const struct report *report, struct script sorted[XN_SCRIPT_NUMBERS])
{
    size_t count = 0;

    for (int number = 0; number < XN_SCRIPT_NUMBERS; number++) {
        struct script script = {xn_unicode_script_name(number), report->by_script[number]};
        size_t place = count;

        if (script.replies == 0 || !script.name)
            continue;
        for (; place > 0 && is_more(&script, &sorted[place - 1]); place--)
            sorted[place] = sorted[place - 1];
        sorted[place] = script;
        count++;
    }
    return count;
}

static void add_script(struct buffer *out, const struct script *script, uint64_t largest)
{
    buffer_text(out, "<tr><td>");
    for (const char *c = script->name; *c; c++) /* ICU writes "Old_Italic" */
        buffer_add(out, *c == '_' ? " " : c, 1);
    buffer_text(out, "</td>");
    html_bar_cell(out, script->replies, largest);
    buffer_text(out, "</tr>\n");
}

void report_add_scripts(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Script", "#Queries"};
    struct script sorted[XN_SCRIPT_NUMBERS];
    size_t count = sort_scripts(report, sorted);

    if (count == 0)
        return;
    report_begin_table(out, "The scripts of valid A-labels. A name in two scripts counts for both.",
                       columns, COUNT(columns));
    size_t rows = report_rows(report, SCRIPTS_MAX), shown = count < rows ? count : rows;
    for (size_t i = 0; i < shown; i++)
        add_script(out, &sorted[i], sorted[0].replies);
    report_end_table(out, count - shown, 0);
}

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
    static const char *const columns[] = {"Client", "#Queries", "#IDN", "#Changed"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    const struct tally *tally = &report->client_use;
    size_t which = report->changed > 0 ? COUNT_CHANGED : COUNT_ALL;
    size_t count = tally_top(tally, which, top, report_rows(report, CLIENTS_MAX));

    if (count == 0)
        return;
    report_begin_table(out,
                       which == COUNT_CHANGED ? "Those whose answers were changed most."
                                              : "Those who asked most.",
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

/* --- tags --- */

void report_add_tags(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Tag", "#Queries", "#Changed"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(&report->tags, COUNT_ALL, top, report_rows(report, WORDS_MAX));

    if (count == 0)
        return;
    report_begin_table(out, "Which tagged rules and lists matched, and how often.", columns,
                       COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        begin_row(out, &report->tags, top[i]);
        html_bar_cell(out, top[i]->counts[COUNT_ALL], top[0]->counts[COUNT_ALL]);
        html_number_cell(out, top[i]->counts[COUNT_CHANGED]);
        buffer_text(out, "</tr>\n");
    }
    report_end_table(out, report->tags.count - count, report->tags.missed);
}

/* --- response codes and types --- */

static void add_words(const struct report *report, struct buffer *out, const struct tally *tally,
                      const char *caption, const char *column)
{
    const char *const columns[] = {column, "#Queries", "#Share"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, WORDS_MAX));

    report_begin_table(out, caption, columns, COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        begin_row(out, tally, top[i]);
        html_bar_cell(out, top[i]->counts[COUNT_ALL], top[0]->counts[COUNT_ALL]);
        buffer_text(out, "<td class=\"n\">");
        html_share(out, top[i]->counts[COUNT_ALL], report->replies);
        buffer_text(out, "</td></tr>\n");
    }
    report_end_table(out, tally->count - count, tally->missed);
}

void report_add_rcodes(const struct report *report, struct buffer *out)
{
    add_words(report, out, &report->rcodes, "Of all queries; - means that no answer was sent.",
              "Code");
}

void report_add_types(const struct report *report, struct buffer *out)
{
    add_words(report, out, &report->types, "Of all queries.", "Type");
}
