/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the tables of the page that have names in them. */
#include "tools/report/page.h"

#include "core/idna/name.h"
#include "tools/logs/name.h"
#include "tools/text/html.h"

#include <string.h>

enum { ROWS_MAX = 20, SHORT_MAX = 12, MATCHES_MAX = 3, ASKERS_MAX = 5 };
enum { BELOW_MAX = ASKERS_MAX }; /* the larger of the two */

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- parts of tables --- */

void report_begin_table(struct buffer *out, const char *caption, const char *const *columns,
                        size_t column_count)
{
    buffer_format(out, "<table><caption>%s</caption><thead><tr>", caption);
    for (size_t i = 0; i < column_count; i++) {
        bool is_number = columns[i][0] == '#';
        buffer_format(out, "<th scope=\"col\"%s>%s</th>", is_number ? " class=\"n\"" : "",
                      columns[i] + is_number);
    }
    buffer_text(out, "</tr></thead><tbody>\n");
}

void report_end_table(struct buffer *out, uint64_t left_out, uint64_t missed)
{
    buffer_text(out, "</tbody></table>");
    if (missed > 0) {
        buffer_text(
            out, "<p class=\"more\">There were too many to count each: figures here may be up to ");
        html_number(out, missed);
        buffer_text(out, " too low, and what is missing here was seen no more often.</p>");
    } else if (left_out > 0) {
        buffer_text(out, "<p class=\"more\">And ");
        html_number(out, left_out);
        buffer_text(out, " more.</p>");
    }
    buffer_text(out, "\n");
}

static void add_span(struct buffer *out, struct report_span text)
{
    html_text(out, text.at, text.len);
}

/* Adds the action, such as "nxdomain", or a note that it was only logged. */
static void add_action_cell(struct buffer *out, struct report_span action, struct report_span mode)
{
    bool changes = report_changes_answer(action, mode);

    buffer_format(out, "<td><span class=\"badge%s\">", changes ? " did" : "");
    add_span(out, action);
    buffer_text(out, "</span>");
    if (mode.len > 0) {
        buffer_text(out, "<small>");
        add_span(out, mode);
        buffer_text(out, ": nothing was changed</small>");
    }
    buffer_text(out, "</td>");
}

/* --- entries below another --- */

static bool begins_with(const struct tally *tally, const struct tally_entry *entry,
                        const uint8_t *start, size_t len)
{
    return entry->key_len >= len && memcmp(tally_key(tally, entry), start, len) == 0;
}

/* Finds the most frequent entries whose keys begin with the key of `above`, an entry of another
 * tally. Returns how many there are in top, which has room for `max`. */
static size_t top_below(const struct tally *above_tally, const struct tally_entry *above,
                        const struct tally *tally, const struct tally_entry **top, size_t max,
                        size_t *left_out)
{
    const uint8_t *start = tally_key(above_tally, above);
    size_t found = 0;

    *left_out = 0;
    for (size_t i = 0; i < tally->count; i++) {
        const struct tally_entry *entry = &tally->entries[i];
        if (!begins_with(tally, entry, start, above->key_len))
            continue;
        *left_out += found == max;
        found = tally_insert(tally, COUNT_ALL, top, found, max, entry);
    }
    return found;
}

/* Adds the part of an entry's key that begins at `at`, and its count. */
static void add_part_below(struct buffer *out, const struct tally *tally,
                           const struct tally_entry *entry, size_t at)
{
    struct report_span part = report_part(tally, entry, &at);

    if (part.len == 0)
        return;
    buffer_text(out, "<li><bdi dir=\"ltr\">");
    add_span(out, part);
    buffer_text(out, "</bdi> <span class=\"count\">");
    buffer_text(out, entry->missed > 0 ? "at least " : "");
    html_number(out, entry->counts[COUNT_ALL]);
    buffer_text(out, "</span></li>");
}

/* Adds the most frequent entries of a tally below another's entry, whose keys have one part more,
 * and that there are more. */
static void add_below(struct buffer *out, const struct tally *above_tally,
                      const struct tally_entry *above, const struct tally *tally, size_t max)
{
    const struct tally_entry *top[BELOW_MAX];
    size_t left_out, count = top_below(above_tally, above, tally, top, max, &left_out);
    uint64_t listed = 0;

    for (size_t i = 0; i < count; i++) {
        add_part_below(out, tally, top[i], above->key_len);
        listed += top[i]->counts[COUNT_ALL];
    }
    if (tally->missed > 0 && listed < above->counts[COUNT_ALL]) {
        buffer_text(out, "<li>and others, too many to count each</li>");
    } else if (left_out > 0) {
        buffer_text(out, "<li>and ");
        html_number(out, left_out);
        buffer_text(out, " more</li>");
    }
}

/* --- look-alikes --- */

/* Returns the protected name: the rest of `match` after "lookalike " or "lookalikes ". */
static struct report_span protected_name(struct report_span match)
{
    const char *blank = memchr(match.at, ' ', match.len);
    size_t word_len = blank ? (size_t)(blank + 1 - match.at) : match.len;

    return (struct report_span){match.at + word_len, match.len - word_len};
}

/* The log shows it as html_name would. */
static void add_model(struct buffer *out, struct report_span match)
{
    buffer_text(out, "<bdi class=\"name\" dir=\"ltr\">");
    add_span(out, protected_name(match));
    buffer_text(out, "</bdi>");
}

/* Adds the clients that asked for a look-alike. */
static void add_askers(const struct report *report, struct buffer *out,
                       const struct tally_entry *entry)
{
    if (report->askers.count == 0)
        return;
    buffer_text(out, "<ul class=\"matches askers\" title=\"Clients that asked for it\">");
    add_below(out, &report->look_alikes, entry, &report->askers, ASKERS_MAX);
    buffer_text(out, "</ul>");
}

static void add_look_alike(const struct report *report, struct buffer *out,
                           const struct tally_entry *entry, uint64_t largest)
{
    const struct tally *tally = &report->look_alikes;
    size_t at = 0;
    struct report_example example;
    struct report_span domain = report_part(tally, entry, &at),
                       match = report_part(tally, entry, &at), key = report_part(tally, entry, &at),
                       action = report_part(tally, entry, &at),
                       mode = report_part(tally, entry, &at);

    memcpy(&example, tally_value(tally, entry), sizeof example);
    buffer_text(out, "<tr><td>");
    if (html_imitation(out, report->unicode, example.octets, example.len))
        html_a_labels(out, example.octets);
    if (example.several) {
        buffer_text(out, "<small>and other names of the domain ");
        html_imitation(out, report->unicode, (const uint8_t *)domain.at, domain.len);
        buffer_text(out, "</small>");
    }
    add_askers(report, out, entry);
    buffer_text(out, "</td><td><span class=\"narrow\">looks like </span>");
    add_model(out, match);
    if (key.len > 0) {
        buffer_text(out, "<small>by the <bdi>");
        add_span(out, key);
        buffer_text(out, "</bdi> key</small>");
    }
    buffer_text(out, "</td>");
    add_action_cell(out, action, mode);
    html_bar_cell(out, entry->counts[COUNT_ALL], largest);
    buffer_text(out, "</tr>\n");
}

void report_add_look_alikes(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Name", "Looks like", "Action", "#Queries"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(&report->look_alikes, COUNT_ALL, top, report_rows(report, ROWS_MAX));

    if (count == 0)
        return;
    report_begin_table(
        out,
        report->askers.count > 0
            ? "Names that a reader could take for a protected one. Below each name: the clients "
              "that asked for it, and how often."
            : "Names that a reader could take for a protected one.",
        columns, COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_look_alike(report, out, top[i], top[0]->counts[COUNT_ALL]);
    report_end_table(out, report->look_alikes.count - count, report->look_alikes.missed);
}

/* --- rules --- */

static void add_rule(const struct report *report, struct buffer *out,
                     const struct tally_entry *entry, uint64_t largest)
{
    size_t at = 0;
    struct report_span rule = report_part(&report->rules, entry, &at),
                       action = report_part(&report->rules, entry, &at),
                       mode = report_part(&report->rules, entry, &at);

    buffer_text(out, "<tr><td><bdi class=\"rule\">");
    add_span(out, rule);
    buffer_text(out, "</bdi></td>");
    add_action_cell(out, action, mode);
    buffer_text(out, "<td><ul class=\"matches\">");
    add_below(out, &report->rules, entry, &report->matches, MATCHES_MAX);
    buffer_text(out, "</ul></td>");
    html_bar_cell(out, entry->counts[COUNT_ALL], largest);
    buffer_text(out, "</tr>\n");
}

void report_add_rules(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Rule", "Action", "What matched most", "#Queries"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(&report->rules, COUNT_ALL, top, report_rows(report, ROWS_MAX));

    if (count == 0)
        return;
    report_begin_table(out, "Which line of the policy decided, and how often.", columns,
                       COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_rule(report, out, top[i], top[0]->counts[COUNT_ALL]);
    report_end_table(out, report->rules.count - count, report->rules.missed);
}

/* --- names --- */

void report_add_top_names(const struct report *report, struct buffer *out)
{
    const char *const columns[] = {"Name", "#Queries", report_changed_column(report)};
    const struct tally_entry *top[REPORT_TOP_MAX];
    const struct tally *tally = &report->top_names;
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, SHORT_MAX));

    if (count == 0)
        return;
    report_begin_table(out, "The most frequent names of all.", columns, COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        buffer_text(out, "<tr><td>");
        html_name(out, report->unicode, tally_key(tally, top[i]), top[i]->key_len);
        buffer_text(out, "</td>");
        html_bar_cell(out, top[i]->counts[COUNT_ALL], top[0]->counts[COUNT_ALL]);
        html_number_cell(out, top[i]->counts[COUNT_CHANGED]);
        buffer_text(out, "</tr>\n");
    }
    report_end_table(out, tally->count - count, tally->missed);
}

void report_add_blocked(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Name", "Action", "Rule", "#Queries"};
    const struct tally_entry *top[REPORT_TOP_MAX];
    const struct tally *tally = &report->blocked;
    size_t count = tally_top(tally, COUNT_ALL, top, report_rows(report, SHORT_MAX));

    if (count == 0)
        return;
    report_begin_table(out, "Names whose answers a rule changed, or would have changed.", columns,
                       COUNT(columns));
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        struct report_span wire = report_part(tally, top[i], &at),
                           rule = report_part(tally, top[i], &at),
                           action = report_part(tally, top[i], &at),
                           mode = report_part(tally, top[i], &at);

        buffer_text(out, "<tr><td>");
        html_name(out, report->unicode, (const uint8_t *)wire.at, wire.len);
        buffer_text(out, "</td>");
        add_action_cell(out, action, mode);
        buffer_text(out, "<td><bdi>");
        add_span(out, rule);
        buffer_text(out, "</bdi></td>");
        html_bar_cell(out, top[i]->counts[COUNT_ALL], top[0]->counts[COUNT_ALL]);
        buffer_text(out, "</tr>\n");
    }
    report_end_table(out, tally->count - count, tally->missed);
}

static xn_reasons reasons_of(const struct report *report, const struct tally_entry *entry)
{
    xn_reasons reasons;

    memcpy(&reasons, tally_value(&report->idn_names, entry), sizeof reasons);
    return reasons;
}

static void add_status(struct buffer *out, xn_reasons reasons)
{
    xn_label_status status = xn_reasons_status(reasons);

    if (status == XN_LABEL_OK)
        return;
    const char *why = xn_reason_text(xn_reasons_worst(reasons));
    buffer_format(out, "<small class=\"%s\"><b>%s</b>: a label ", xn_label_status_word(status),
                  xn_label_status_word(status));
    html_text(out, why, strlen(why));
    buffer_text(out, "</small>");
}

static void add_idn(const struct report *report, struct buffer *out,
                    const struct tally_entry *entry, uint64_t largest)
{
    const uint8_t *wire = tally_key(&report->idn_names, entry);

    buffer_text(out, "<tr><td><div class=\"two\">");
    if (html_name(out, report->unicode, wire, entry->key_len))
        html_a_labels(out, wire);
    add_status(out, reasons_of(report, entry));
    buffer_text(out, "</div></td>");
    html_bar_cell(out, entry->counts[COUNT_ALL], largest);
    html_number_cell(out, entry->counts[COUNT_CHANGED]);
    buffer_text(out, "</tr>\n");
}

void report_add_names(const struct report *report, struct buffer *out)
{
    const char *const columns[] = {"Name", "#Queries", report_changed_column(report)};
    const struct tally_entry *top[REPORT_TOP_MAX];
    size_t count = tally_top(&report->idn_names, COUNT_ALL, top, report_rows(report, ROWS_MAX));

    if (count == 0)
        return;
    report_begin_table(out,
                       "Each with its form in the DNS. In a name that could mislead, letters "
                       "that are not ASCII are shown as numbers.",
                       columns, COUNT(columns));
    for (size_t i = 0; i < count; i++)
        add_idn(report, out, top[i], top[0]->counts[COUNT_ALL]);
    report_end_table(out, report->idn_names.count - count, report->idn_names.missed);
}

/* --- findings --- */

/* Returns the most queried name that has a reason, or NULL. */
static const struct tally_entry *example_of(const struct report *report, xn_reasons reasons)
{
    const struct tally *names = &report->idn_names;
    const struct tally_entry *top[1];
    size_t found = 0;

    for (size_t i = 0; i < names->count; i++)
        if (reasons_of(report, &names->entries[i]) & reasons)
            found = tally_insert(names, COUNT_ALL, top, found, 1, &names->entries[i]);
    return found > 0 ? top[0] : NULL;
}

static void add_finding(const struct report *report, struct buffer *out, xn_reason reason)
{
    xn_label_status status = xn_reasons_status(xn_reason_bit(reason));
    const struct tally_entry *example = example_of(report, xn_reason_bit(reason));
    const char *text = xn_reason_text(reason);

    buffer_format(out, "<tr><td><small class=\"%s\"><b>%s</b></small> a label ",
                  xn_label_status_word(status), xn_label_status_word(status));
    html_text(out, text, strlen(text));
    buffer_format(out, " <span class=\"word\">(%s)</span></td><td>", xn_reason_word(reason));
    if (example)
        html_name(out, report->unicode, tally_key(&report->idn_names, example), example->key_len);
    buffer_text(out, "</td>");
    html_bar_cell(out, report->by_reason[reason], report->idn);
    buffer_text(out, "</tr>\n");
}

void report_add_findings(const struct report *report, struct buffer *out)
{
    static const char *const columns[] = {"Finding", "Example", "#Queries"};

    if (report->idn == 0)
        return;
    report_begin_table(
        out, "What IDNA and Unicode say about the names. A name may have several findings.",
        columns, COUNT(columns));
    buffer_text(out,
                "<tr><td><small class=\"ok\"><b>ok</b></small> every label is valid, and can be "
                "shown as it is</td><td></td>");
    html_bar_cell(out, report->by_status[XN_LABEL_OK], report->idn);
    buffer_text(out, "</tr>\n");
    for (xn_reason reason = XN_REASON_COUNT; reason-- > 0;)
        if (report->by_reason[reason] > 0)
            add_finding(report, out, reason);
    report_end_table(out, 0, 0);
}
