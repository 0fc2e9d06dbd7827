/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of `unbound-idn report`, from top to bottom. */
#include "tools/report/report.h"

#include "core/idna/unicode.h"
#include "tools/logs/time.h"
#include "tools/text/html.h"

#include "core/text/version.h"

#include <string.h>

/* The page runs nothing and fetches nothing, even if markup got into it. */
const char report_page_beginning[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"generator\" content=\"unbound-idn ";

static void add_range(const struct report *report, struct buffer *out)
{
    const struct timeline *timeline = &report->timeline;

    if (timeline->count == 0) {
        buffer_text(out, report->replies > 0 ? "at unknown times" : "no query yet");
        return;
    }
    report_add_time(out, timeline->first, false);
    buffer_text(out, " to ");
    report_add_time(out, timeline->last, timeline->first / DAY == timeline->last / DAY);
    buffer_format(out, " %s", logs_zone_word());
}

/* --- the figures at the top --- */

static void begin_tile(struct buffer *out, const char *class, const char *title)
{
    buffer_format(out, "<div class=\"%s\"><dt>%s</dt><dd>", class, title);
}

static void add_share_tile(const struct report *report, struct buffer *out, const char *class,
                           const char *title, uint64_t count)
{
    begin_tile(out, class, title);
    html_number(out, count);
    buffer_text(out, " <small>");
    html_share(out, count, report->replies);
    buffer_text(out, "</small></dd></div>\n");
}

static void add_tiles(const struct report *report, struct buffer *out)
{
    buffer_text(out, "<dl class=\"tiles\">\n");
    begin_tile(out, "all", "Queries");
    html_number(out, report->replies);
    buffer_text(out, "</dd></div>\n");
    add_share_tile(report, out, "idn", "Internationalized names", report->idn);
    add_share_tile(report, out, "changed",
                   report_changed(report, "Changed by a rule", "Would have changed"),
                   report->changed);
    add_share_tile(report, out, "alike", "Look-alikes", report->lookalike);
    if (report->with_clients && report->tallies[REPORT_CLIENTS].count > 0) {
        begin_tile(out, "", "Clients");
        buffer_text(out,
                    report->tallies[REPORT_CLIENTS].missed > 0 ? "<small>at least</small> " : "");
        html_number(out, report->tallies[REPORT_CLIENTS].count);
        buffer_text(out, "</dd></div>\n");
    }
    buffer_text(out, "</dl>\n");
}

static void add_header(const struct report *report, struct buffer *out)
{
    buffer_text(out, "<header><h1>DNS queries</h1><p class=\"range\">");
    add_range(report, out);
    buffer_text(out, "</p>\n");
    buffer_text(out, "</header>\n<main>\n");
    add_tiles(report, out);
    if (report->unread > 0) {
        buffer_text(out, "<p class=\"unread\">Lines of the log that are no query, or only part of "
                         "one, and are not counted: ");
        html_number(out, report->unread);
        buffer_text(out, ".</p>\n");
    }
    if (report->given)
        buffer_text(out,
                    "<p class=\"unread\">The rules are those given with <code>--policy</code>, "
                    "and the figures say what they would have changed.</p>\n");
    else if (report->ruled == 0)
        buffer_text(out, "<p class=\"unread\">No line says what a rule did. With <code>--policy"
                         "</code> and your rules, this page also shows what these would do.</p>\n");
    if (report->by_unbound > 0 && report->by_unbound < report->replies) {
        buffer_text(out, "<p class=\"unread\">Lines of Unbound&#39;s own log-replies: ");
        html_number(out, report->by_unbound);
        buffer_text(out, ". A query that the module logged too counts twice.</p>\n");
    }
}

/* --- the page --- */

static const char footer[] =
    "<footer><h2>Terms</h2><dl>"
    "<dt>Query</dt><dd>a client's question in the log, with its answer.</dd>"
    "<dt>Internationalized name</dt><dd>a name with at least one label that begins with "
    "<code>xn--</code>, the form that letters other than a to z take in the DNS.</dd>"
    "<dt>Look-alike</dt><dd>a name that, by a rule, looks like a protected name, and "
    "is another. The exact key compares by Unicode's list of confusable characters; the strict key "
    "finds more, and is wrong more often.</dd>"
    "<dt>Changed</dt><dd>a rule gave another answer than the DNS has, or none; with "
    "<code>--policy</code>, it would have. Rules that only log change nothing.</dd>"
    "<dt>Restricted</dt><dd>valid, but it could mislead a reader, so its letters are shown as "
    "numbers, such as <code>\\u{430}</code>.</dd>"
    "<dt>Invalid</dt><dd>begins with <code>xn--</code>, but IDNA does not allow it; it is shown "
    "as it is.</dd></dl>";

void report_write_page(const struct report *report, struct buffer *out)
{
    struct buffer body = {0};

    buffer_text(out, report_page_beginning);
    buffer_text(out, XN_VERSION "\">\n<title>DNS queries, ");
    add_range(report, out);
    buffer_text(out, "</title>\n<style>");
    for (const char *const *part = report_style; *part; part++)
        buffer_text(out, *part);
    buffer_text(out, "</style></head>\n<body>");
    add_header(report, out);
    buffer_text(out, "<nav aria-label=\"Contents\"><ul>");
    report_add_sections(report, out, &body);
    buffer_text(out, "</ul></nav>\n");
    buffer_add(out, body.data, body.len);
    buffer_free(&body);
    buffer_text(out, "</main>");
    buffer_text(out, footer);
    buffer_format(out, "<p>unbound-idn " XN_VERSION ", Unicode %s</p></footer>\n",
                  xn_unicode_version());
    buffer_text(out, "</body></html>\n");
}
