/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of the page that `unbound-idn report` writes, from top to bottom. */
#ifndef XN_TOOLS_REPORT_PAGE_H
#define XN_TOOLS_REPORT_PAGE_H

#include "tools/report/report.h"

/* CSS in parts, without the element around it; NULL behind the last. */
extern const char *const report_style[];

/* "2026-11-20 21:56:03", UTC; of the same day, without the date. */
void report_add_time(struct buffer *out, int64_t seconds, bool same_day);

/* Replies over time: three charts over one axis. */
void report_add_chart(const struct report *report, struct buffer *out);

/* Tables. Each has its own section, and none where it would have no row. */
void report_add_look_alikes(const struct report *report, struct buffer *out);
void report_add_rules(const struct report *report, struct buffer *out);
void report_add_names(const struct report *report, struct buffer *out);
void report_add_findings(const struct report *report, struct buffer *out);
void report_add_scripts(const struct report *report, struct buffer *out);
void report_add_clients(const struct report *report, struct buffer *out);
void report_add_words(const struct report *report, struct buffer *out);

/* Begins and ends what each of them consists of: heading and caption are markup of ours, columns
 * those of the head, of which those with a `#` before them hold numbers. */
void report_begin_table(struct buffer *out, const char *id, const char *heading,
                        const char *caption, const char *const *columns, size_t column_count);
/* … with how many rows were left out, or, where not all could be counted, by how much figures may
 * be too low. */
void report_end_table(struct buffer *out, uint64_t left_out, uint64_t missed);

/* The protected name: what stands behind "lookalike " or "lookalikes ". */
struct report_span report_protected_name(struct report_span match);

/* The name of a look-alike, with what differs from the name behind the trigger's word in `match`
 * marked; and the characters that do. */
void report_add_marked(const struct report *report, struct buffer *out, const uint8_t *wire,
                       struct report_span match);

#endif
