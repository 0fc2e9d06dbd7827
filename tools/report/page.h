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

/* Adds the bars over time; nothing if no time is known. */
void report_add_chart(const struct report *report, struct buffer *out);

/* Adds the sections to `body` and, for each that has content, an entry to `contents`. */
void report_add_sections(const struct report *report, struct buffer *contents, struct buffer *body);

#endif
