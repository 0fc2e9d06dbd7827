/* SPDX-License-Identifier: BSD-3-Clause */
/* The counts of `unbound-idn report`, and the page that shows them. */
#ifndef XN_TOOLS_REPORT_REPORT_H
#define XN_TOOLS_REPORT_REPORT_H

#include "core/idna/finding.h"
#include "core/wire/size.h"
#include "tools/logs/line.h"
#include "tools/report/rules.h"
#include "tools/report/tally.h"
#include "tools/report/timeline.h"
#include "tools/text/buffer.h"

/* The value in the table of look-alikes: the first name of those that count together. */
struct report_example {
    uint8_t len;
    bool several; /* other names were seen, too */
    uint8_t octets[XN_WIRE_NAME_MAX];
};

enum { REPORT_TOP_MAX = 1000 };

/* The counts of a tally that has more than one, and the series of the timeline. */
enum { COUNT_ALL, COUNT_IDN, COUNT_CHANGED };
_Static_assert((int)TALLY_COUNTS == COUNT_CHANGED + 1 && (int)TIMELINE_SERIES == (int)TALLY_COUNTS,
               "a count for each");

/* The tables of counts, in the order of the JSON object. */
typedef enum {
    REPORT_LOOK_ALIKES, /* with struct report_example */
    REPORT_ASKERS,      /* a look-alike's key, and the client that asked for it */
    REPORT_BLOCKED,
    REPORT_RULES,
    REPORT_MATCHES, /* a rule's key, and what matched */
    REPORT_TAGS,
    REPORT_NAMES,
    REPORT_ANSWERS,
    REPORT_IDN_NAMES, /* with their xn_reasons */
    REPORT_CLIENTS,
    REPORT_TABLES
} report_table_id;

enum { REPORT_PARTS_MAX = 6 };

extern const struct report_table {
    const char *word; /* its member in the JSON object */
    size_t entries_max, octets_max, value_len;
    bool changed;                        /* whether changed answers are shown, too */
    const char *parts[REPORT_PARTS_MAX]; /* the key's parts; `.` begins those that are wire names */
} report_tables[REPORT_TABLES];

struct report {
    const struct xn_unicode *unicode;
    size_t top;            /* rows of a table, up to REPORT_TOP_MAX; 0: each table's own number */
    struct logs_zone zone; /* of the wall clock whose times the page has */
    bool with_clients;
    struct report_rules *given;   /* owned: they decide, not those of the log, and `changed`
                                     counts what they would have changed; NULL: none */
    uint64_t replies, unread;     /* lines about a reply, and other lines */
    uint64_t untimed, by_unbound; /* replies without a time, and those that log-replies wrote */
    uint64_t idn, ruled, changed, lookalike;
    uint64_t by_status[XN_LABEL_INVALID + 1], by_reason[XN_REASON_COUNT];
    struct timeline timeline;
    struct tally tallies[REPORT_TABLES];
};

/* Allocates the tables for the counts: 90 MB at most, for any log. It takes the rules, which may be
 * NULL. The caller closes the report, and may set report->top. */
void report_open(struct report *report, const struct xn_unicode *unicode,
                 struct report_rules *rules, bool with_clients);
void report_close(struct report *report);

/* Counts a reply, which report->given decides first. Returns false, with nothing counted, if its
 * name is not a DNS name. */
bool report_count(struct report *report, struct logs_line *line);

/* Gets the parts of an entry's key; those that it lacks are empty. */
void report_parts(const struct report *report, report_table_id id, const struct tally_entry *entry,
                  struct logs_span parts[REPORT_PARTS_MAX]);

/* Returns whether a rule with this action and mode changes the answer. */
bool report_changes_answer(struct logs_span action, struct logs_span mode);

/* Returns the text about changed answers: `did`, or `would` if they are what the rules given would
 * have changed. */
static inline const char *report_changed(const struct report *report, const char *did,
                                         const char *would)
{
    return report->given ? would : did;
}

/* Returns how many rows a table has at most, if its own number is `own`. */
static inline size_t report_rows(const struct report *report, size_t own)
{
    return report->top > 0 ? report->top : own;
}

/* The head of each page and each JSON object. */
extern const char report_page_beginning[], report_json_beginning[];

/* Writes the page: HTML that runs nothing and fetches nothing. */
void report_write_page(const struct report *report, struct buffer *out);

/* Writes the page's figures as one JSON object. Rows are in the page's order, and up to
 * REPORT_TOP_MAX if no number is given; names are A-labels, with "display" as the page has them. */
void report_write_json(const struct report *report, struct buffer *out);

/* --- the parts of the page, from top to bottom --- */

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
