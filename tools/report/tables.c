/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the sections of the page. */
#include "tools/report/report.h"

#include "core/idna/name.h"
#include "tools/logs/logname.h"
#include "tools/text/html.h"

#include <string.h>

enum { ROWS_MAX = 20, SHORT_MAX = 12, TAGS_MAX = 8 }; /* rows of tables */
enum { MATCHES_MAX = 3, ASKERS_MAX = 5 };             /* entries below a row */
enum { BELOW_MAX = ASKERS_MAX };                      /* the larger of these */

/* --- parts of tables --- */

/* Ends a table, with a note on how many rows were left out, or, if not everything could be counted,
 * by how much figures may be too low. */
static void end_table(struct buffer *out, uint64_t left_out, uint64_t missed)
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

static void add_span(struct buffer *out, struct logs_span text)
{
    html_text(out, text.at, text.len);
}

/* Adds the action, such as "nxdomain", or a note that it was only logged. */
static void add_action_cell(struct buffer *out, struct logs_span action, struct logs_span mode)
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
        if (entry->key_len < above->key_len ||
            memcmp(tally_key(tally, entry), start, above->key_len) != 0)
            continue;
        *left_out += found == max;
        found = tally_insert(tally, COUNT_ALL, top, found, max, entry);
    }
    return found;
}

/* Adds the most frequent entries, up to `max`, of the table `id` whose keys are that of `above` and
 * one part more: the part of this number, and its count. */
static void add_below(const struct report *report, struct buffer *out, report_table_id above_id,
                      const struct tally_entry *above, report_table_id id, size_t part, size_t max)
{
    const struct tally *tally = &report->tallies[id];
    const struct tally_entry *top[BELOW_MAX];
    size_t left_out,
        count = top_below(&report->tallies[above_id], above, tally, top, max, &left_out);
    struct logs_span parts[REPORT_PARTS_MAX];
    uint64_t listed = 0;

    for (size_t i = 0; i < count; i++) {
        listed += top[i]->counts[COUNT_ALL];
        report_parts(report, id, top[i], parts);
        if (parts[part].len == 0)
            continue;
        buffer_text(out, "<li><bdi dir=\"ltr\">");
        add_span(out, parts[part]);
        buffer_text(out, "</bdi> <span class=\"count\">");
        buffer_text(out, top[i]->missed > 0 ? "at least " : "");
        html_number(out, top[i]->counts[COUNT_ALL]);
        buffer_text(out, "</span></li>");
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

/* Adds the protected name, the rest of `match` after "lookalike " or "lookalikes ". The log shows
 * it as html_name would. */
static void add_model(struct buffer *out, struct logs_span match)
{
    const char *blank = memchr(match.at, ' ', match.len);
    size_t word_len = blank ? (size_t)(blank + 1 - match.at) : match.len;

    buffer_text(out, "<bdi class=\"name\" dir=\"ltr\">");
    html_text(out, match.at + word_len, match.len - word_len);
    buffer_text(out, "</bdi>");
}

static void add_look_alike(const struct report *report, struct buffer *out,
                           const struct tally_entry *entry, const struct logs_span *parts)
{
    enum { DOMAIN, MATCH, KEY, ACTION, MODE, CLIENT }; /* as in report_tables */
    struct report_example example;

    memcpy(&example, tally_value(&report->tallies[REPORT_LOOK_ALIKES], entry), sizeof example);
    buffer_text(out, "<td>");
    if (html_name(out, report->unicode, example.octets, example.len, xn_reason_bit(XN_LOOKALIKE)))
        html_a_labels(out, example.octets);
    if (example.several) {
        buffer_text(out, "<small>and other names of the domain ");
        html_name(out, report->unicode, (const uint8_t *)parts[DOMAIN].at, parts[DOMAIN].len,
                  xn_reason_bit(XN_LOOKALIKE));
        buffer_text(out, "</small>");
    }
    if (report->tallies[REPORT_ASKERS].count > 0) {
        buffer_text(out, "<ul class=\"matches askers\" title=\"Clients that asked for it\">");
        add_below(report, out, REPORT_LOOK_ALIKES, entry, REPORT_ASKERS, CLIENT, ASKERS_MAX);
        buffer_text(out, "</ul>");
    }
    buffer_text(out, "</td><td><span class=\"narrow\">looks like </span>");
    add_model(out, parts[MATCH]);
    if (parts[KEY].len > 0) {
        buffer_text(out, "<small>by the <bdi>");
        add_span(out, parts[KEY]);
        buffer_text(out, "</bdi> key</small>");
    }
    buffer_text(out, "</td>");
    add_action_cell(out, parts[ACTION], parts[MODE]);
}

/* --- the first cells of a row of other tables --- */

static void add_rule(const struct report *report, struct buffer *out,
                     const struct tally_entry *entry, const struct logs_span *parts)
{
    enum { RULE, ACTION, MODE, MATCH }; /* as in report_tables */

    buffer_text(out, "<td><bdi class=\"rule\">");
    add_span(out, parts[RULE]);
    buffer_text(out, "</bdi></td>");
    add_action_cell(out, parts[ACTION], parts[MODE]);
    buffer_text(out, "<td><ul class=\"matches\">");
    add_below(report, out, REPORT_RULES, entry, REPORT_MATCHES, MATCH, MATCHES_MAX);
    buffer_text(out, "</ul></td>");
}

static void add_name(const struct report *report, struct buffer *out,
                     const struct tally_entry *entry, const struct logs_span *parts)
{
    (void)entry;
    buffer_text(out, "<td>");
    html_name(out, report->unicode, (const uint8_t *)parts[0].at, parts[0].len, 0);
    buffer_text(out, "</td>");
}

static void add_blocked(const struct report *report, struct buffer *out,
                        const struct tally_entry *entry, const struct logs_span *parts)
{
    enum { NAME, RULE, ACTION, MODE }; /* as in report_tables */

    add_name(report, out, entry, parts);
    add_action_cell(out, parts[ACTION], parts[MODE]);
    buffer_text(out, "<td><bdi>");
    add_span(out, parts[RULE]);
    buffer_text(out, "</bdi></td>");
}

/* Adds a client or a tag. */
static void add_text(const struct report *report, struct buffer *out,
                     const struct tally_entry *entry, const struct logs_span *parts)
{
    (void)report;
    (void)entry;
    buffer_text(out, "<td><code>");
    add_span(out, parts[0]);
    buffer_text(out, "</code></td>");
}

/* Adds an answer's part, such as "response code NXDOMAIN". */
static void add_answer(const struct report *report, struct buffer *out,
                       const struct tally_entry *entry, const struct logs_span *parts)
{
    (void)report;
    (void)entry;
    buffer_text(out, "<td>");
    add_span(out, parts[0]);
    buffer_text(out, " <code>");
    add_span(out, parts[1]);
    buffer_text(out, "</code></td>");
}

static xn_reasons reasons_of(const struct report *report, const struct tally_entry *entry)
{
    xn_reasons reasons;

    memcpy(&reasons, tally_value(&report->tallies[REPORT_IDN_NAMES], entry), sizeof reasons);
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
                    const struct tally_entry *entry, const struct logs_span *parts)
{
    const uint8_t *wire = (const uint8_t *)parts[0].at;

    buffer_text(out, "<td><div class=\"two\">");
    if (html_name(out, report->unicode, wire, parts[0].len, 0))
        html_a_labels(out, wire);
    add_status(out, reasons_of(report, entry));
    buffer_text(out, "</div></td>");
}

/* --- findings --- */

/* Returns the most queried name that has a reason, or NULL. */
static const struct tally_entry *example_of(const struct report *report, xn_reasons reasons)
{
    const struct tally *names = &report->tallies[REPORT_IDN_NAMES];
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
        html_name(out, report->unicode, tally_key(&report->tallies[REPORT_IDN_NAMES], example),
                  example->key_len, 0);
    buffer_text(out, "</td>");
    html_bar_cell(out, report->by_reason[reason], report->idn);
    buffer_text(out, "</tr>\n");
}

static void add_findings(const struct report *report, struct buffer *out)
{
    if (report->idn == 0)
        return;
    buffer_text(out, "<table><caption>What IDNA and Unicode say about the names. A name may have "
                     "several findings.</caption><thead><tr><th scope=\"col\">Finding</th><th "
                     "scope=\"col\">Example</th><th scope=\"col\" class=\"n\">Queries</th></tr>"
                     "</thead><tbody>\n");
    buffer_text(out,
                "<tr><td><small class=\"ok\"><b>ok</b></small> every label is valid, and can be "
                "shown as it is</td><td></td>");
    html_bar_cell(out, report->by_status[XN_LABEL_OK], report->idn);
    buffer_text(out, "</tr>\n");
    for (xn_reason reason = XN_REASON_COUNT; reason-- > 0;)
        if (report->by_reason[reason] > 0)
            add_finding(report, out, reason);
    end_table(out, 0, 0);
}

/* --- sections --- */

static const char *look_alikes_caption(const struct report *report)
{
    return report->tallies[REPORT_ASKERS].count > 0
               ? "Names that a reader could take for a protected one. Below each name: the clients "
                 "that asked for it, and how often."
               : "Names that a reader could take for a protected one.";
}

static const char *clients_caption(const struct report *report)
{
    return report->changed == 0
               ? "The clients that asked most."
               : report_changed(report, "The clients whose answers were changed most.",
                                "The clients whose answers would have been changed most.");
}

static const struct section {
    const char *id, *heading;
    report_table_id table;
    size_t rows;
    /* Adds the cells of a row before those of numbers. */
    void (*add_cells)(const struct report *report, struct buffer *out,
                      const struct tally_entry *entry, const struct logs_span *parts);
    const char *caption;
    const char *titles[3];                                      /* of these cells' columns */
    const char *(*choose_caption)(const struct report *report); /* if caption is NULL */
    /* Adds a section that is not one table of counts. */
    void (*add)(const struct report *report, struct buffer *out);
} sections[] = {
    {"time", "Over time", .add = report_add_chart},
    {"look-alikes", "Look-alikes", REPORT_LOOK_ALIKES, ROWS_MAX, add_look_alike,
     .choose_caption = look_alikes_caption, .titles = {"Name", "Looks like", "Action"}},
    {"blocked", "Blocked names", REPORT_BLOCKED, SHORT_MAX, add_blocked,
     "Names whose answers a rule changed, or would have changed.",
     .titles = {"Name", "Action", "Rule"}},
    {"rules", "Rules", REPORT_RULES, ROWS_MAX, add_rule,
     "Which line of the policy decided, and how often.",
     .titles = {"Rule", "Action", "What matched most"}},
    {"tags", "Tags", REPORT_TAGS, TAGS_MAX, add_text,
     "Which tagged rules and lists matched, and how often.", .titles = {"Tag"}},
    {"queries", "Names", REPORT_NAMES, SHORT_MAX, add_name, "The most frequent names of all.",
     .titles = {"Name"}},
    {"answers", "Answers", REPORT_ANSWERS, ROWS_MAX, add_answer,
     "Response codes, what DNSSEC validation found, and extended errors (RFC 8914).",
     .titles = {"Answer"}},
    {"names", "Internationalized names", REPORT_IDN_NAMES, ROWS_MAX, add_idn,
     "Each with its form in the DNS. In a name that could mislead, letters that are not ASCII are "
     "shown as numbers.",
     .titles = {"Name"}},
    {"findings", "Findings", .add = add_findings},
    {"clients", "Clients", REPORT_CLIENTS, SHORT_MAX, add_text, .choose_caption = clients_caption,
     .titles = {"Client"}},
};
enum { SECTION_COUNT = sizeof sections / sizeof *sections };

static const char of_numbers[] = " class=\"n\"";

static void add_column(struct buffer *out, const char *class, const char *title)
{
    buffer_format(out, "<th scope=\"col\"%s>%s</th>", class, title);
}

static void add_head(const struct report *report, struct buffer *out, const struct section *section)
{
    buffer_format(out, "<table><caption>%s</caption><thead><tr>",
                  section->caption ? section->caption : section->choose_caption(report));
    for (size_t i = 0; i < sizeof section->titles / sizeof *section->titles; i++)
        if (section->titles[i])
            add_column(out, "", section->titles[i]);
    add_column(out, of_numbers, "Queries");
    if (section->table == REPORT_CLIENTS)
        add_column(out, of_numbers, "IDN");
    if (report_tables[section->table].changed)
        add_column(out, of_numbers, report_changed(report, "Changed", "Would change"));
    buffer_text(out, "</tr></thead><tbody>\n");
}

/* A bar is as long as the entry's share of `whole`. */
static void add_row(const struct report *report, struct buffer *out, const struct section *section,
                    const struct tally_entry *entry, uint64_t whole)
{
    struct logs_span parts[REPORT_PARTS_MAX];

    report_parts(report, section->table, entry, parts);
    buffer_text(out, "<tr>");
    section->add_cells(report, out, entry, parts);
    if (section->table == REPORT_CLIENTS) {
        html_number_cell(out, entry->counts[COUNT_ALL]);
        html_number_cell(out, entry->counts[COUNT_IDN]);
    } else {
        html_bar_cell(out, entry->counts[COUNT_ALL], whole);
    }
    if (report_tables[section->table].changed)
        html_number_cell(out, entry->counts[COUNT_CHANGED]);
    buffer_text(out, "</tr>\n");
}

/* Adds a table of counts: of clients, first those with the most changed answers. */
static void add_table(const struct report *report, struct buffer *out,
                      const struct section *section)
{
    const struct tally *tally = &report->tallies[section->table];
    const struct tally_entry *top[REPORT_TOP_MAX];
    bool by_changed = section->table == REPORT_CLIENTS && report->changed > 0;
    size_t which = by_changed ? COUNT_CHANGED : COUNT_ALL, all = 0;
    size_t count = tally_top(tally, which, top, report_rows(report, section->rows));

    if (count == 0)
        return;
    add_head(report, out, section);
    for (size_t i = 0; i < count; i++)
        add_row(report, out, section, top[i],
                section->table == REPORT_ANSWERS ? report->replies : top[0]->counts[COUNT_ALL]);
    for (size_t i = 0; i < tally->count; i++)
        all += tally->entries[i].counts[which] > 0;
    end_table(out, all - count, tally->missed);
}

void report_add_sections(const struct report *report, struct buffer *contents, struct buffer *body)
{
    for (const struct section *section = sections; section < sections + SECTION_COUNT; section++) {
        size_t before = body->len;

        buffer_format(body, "<section id=\"%s\"><h2>%s</h2>", section->id, section->heading);
        size_t empty = body->len;
        if (section->add)
            section->add(report, body);
        else
            add_table(report, body, section);
        if (body->len == empty) {
            body->len = before;
            continue;
        }
        buffer_text(body, "</section>\n");
        buffer_format(contents, "<li><a href=\"#%s\">%s</a></li>", section->id, section->heading);
    }
}
