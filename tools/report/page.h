/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the parts of the page of `unbound-idn report`, in order from top to bottom. */
#ifndef XN_TOOLS_REPORT_PAGE_H
#define XN_TOOLS_REPORT_PAGE_H

#include "tools/report/report.h"

/* The CSS of the page in parts, without the element around it; NULL ends the list. */
extern const char *const report_style[];

/* Adds a time of the page's zone, such as "2026-11-20 21:56:03", without the date if it is the same
 * day. */
void report_add_time(struct buffer *out, int64_t seconds, bool same_day);

/* Returns the title of the column of changed answers. */
static inline const char *report_changed_column(const struct report *report)
{
    return report_changed(report, "#Changed", "#Would change");
}

/* Add what sections have below their headings. A section without content is left out. */
void report_add_chart(const struct report *report, struct buffer *out);
void report_add_look_alikes(const struct report *report, struct buffer *out);
void report_add_rules(const struct report *report, struct buffer *out);
void report_add_tags(const struct report *report, struct buffer *out);
void report_add_answers(const struct report *report, struct buffer *out);
void report_add_top_names(const struct report *report, struct buffer *out);
void report_add_blocked(const struct report *report, struct buffer *out);
void report_add_names(const struct report *report, struct buffer *out);
void report_add_findings(const struct report *report, struct buffer *out);
void report_add_clients(const struct report *report, struct buffer *out);

/* Begins a table. caption is our own markup. columns are the titles in its head; a `#` before a
 * title marks a column of numbers. */
void report_begin_table(struct buffer *out, const char *caption, const char *const *columns,
                        size_t column_count);
/* Ends it, with a note on how many rows were left out, or, if not everything could be counted, by
 * how much figures may be too low. */
void report_end_table(struct buffer *out, uint64_t left_out, uint64_t missed);

#endif
