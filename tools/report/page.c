/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/report/page.h"

#include "core/idna/property.h"
#include "tools/logs/time.h"
#include "tools/text/html.h"

#include "core/text/version.h"

/* The page runs nothing and fetches nothing, even if somebody got markup into it. */
static const char head[] =
    "<!DOCTYPE html>\n"
    "<html lang=\"en\" dir=\"ltr\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
    "'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta name=\"color-scheme\" content=\"light dark\">\n"
    "<meta name=\"generator\" content=\"unbound-idn " XN_VERSION "\">\n";

static void add_range(const struct report *report, struct buffer *out)
{
    const struct timeline *timeline = &report->timeline;

    if (timeline->count == 0) {
        buffer_text(out, "at unknown times");
        return;
    }
    report_add_time(out, timeline->first, false);
    buffer_text(out, " to ");
    report_add_time(out, timeline->last, timeline->first / DAY == timeline->last / DAY);
    buffer_text(out, " UTC");
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

static void add_distinct_tile(struct buffer *out, const char *title,
                              const struct distinct *distinct)
{
    bool estimated;
    uint64_t count = distinct_count(distinct, &estimated);

    begin_tile(out, "", title);
    buffer_text(out, estimated ? "<small>about</small> " : "");
    html_number(out, count);
    buffer_text(out, "</dd></div>\n");
}

static void add_tiles(const struct report *report, struct buffer *out)
{
    buffer_text(out, "<dl class=\"tiles\">\n");
    begin_tile(out, "all", "Replies");
    html_number(out, report->replies);
    buffer_text(out, "</dd></div>\n");
    add_share_tile(report, out, "idn", "Internationalized names", report->idn);
    add_share_tile(report, out, "changed", "Changed by a rule", report->changed);
    add_share_tile(report, out, "alike", "Look-alikes", report->lookalike);
    add_distinct_tile(out, "Different names", &report->names);
    if (report->with_clients && report->client_use.count > 0)
        add_distinct_tile(out, "Clients", &report->clients);
    buffer_text(out, "</dl>\n");
}

static void add_header(const struct report *report, struct buffer *out)
{
    buffer_text(out, "<header><h1>What was asked of the resolver</h1><p class=\"range\">");
    add_range(report, out);
    buffer_text(out, "</p></header>\n");
    add_tiles(report, out);
    if (report->unread > 0) {
        buffer_text(out, "<p class=\"unread\">Lines of the log that are not replies, or are not "
                         "whole, and count for nothing here: ");
        html_number(out, report->unread);
        buffer_text(out, ".</p>\n");
    }
    if (report->given)
        buffer_text(out, "<p class=\"unread\">Decided again for this page, by the rules that were "
                         "given: nothing of it changed an answer.</p>\n");
    else if (report->ruled == 0)
        buffer_text(out, "<p class=\"unread\">No line says what a rule did. With <code>--policy"
                         "</code>, rules that are given decide the names, and find look-alikes."
                         "</p>\n");
    if (report->by_unbound > 0 && report->by_unbound < report->replies) {
        buffer_text(out, "<p class=\"unread\">Lines of Unbound&#39;s own log-replies: ");
        html_number(out, report->by_unbound);
        buffer_text(out, ". What it and the module both wrote counts twice.</p>\n");
    }
}

/* --- the page --- */

static const char footer[] =
    "<footer><h2>Words</h2><dl>"
    "<dt>Internationalized name</dt><dd>a name with at least one label that begins with "
    "<code>xn--</code>, the form in which other letters than a to z are asked for in the DNS.</dd>"
    "<dt>Look-alike</dt><dd>a name that a rule finds to look like a protected one, "
    "and that is not it.</dd>"
    "<dt>Changed</dt><dd>a rule of the resolver gave another answer than the one in the DNS, or "
    "none. Rules that only log change nothing.</dd>"
    "<dt>Restricted</dt><dd>valid, but a reader could be misled; letters stand as their numbers, "
    "such as "
    "<code>\\u{430}</code>.</dd>"
    "<dt>Invalid</dt><dd>begins with <code>xn--</code>, and is no name that IDNA allows; it stays "
    "as "
    "it is.</dd></dl>";

void report_write_page(const struct report *report, struct buffer *out)
{
    buffer_text(out, head);
    buffer_text(out, "<title>DNS replies, ");
    add_range(report, out);
    buffer_text(out, "</title>\n<style>");
    for (const char *const *part = report_style; *part; part++)
        buffer_text(out, *part);
    buffer_text(out, "</style></head>\n<body><main>\n");
    add_header(report, out);
    report_add_chart(report, out);
    report_add_look_alikes(report, out);
    report_add_rules(report, out);
    report_add_tags(report, out);
    report_add_names(report, out);
    report_add_findings(report, out);
    buffer_text(out, "<div class=\"pair\">\n");
    report_add_scripts(report, out);
    report_add_clients(report, out);
    buffer_text(out, "</div><div class=\"pair\">\n");
    report_add_words(report, out);
    buffer_text(out, "</div>\n");
    buffer_text(out, footer);
    buffer_format(out, "<p>unbound-idn " XN_VERSION ", Unicode %s</p></footer>\n",
                  xn_unicode_version());
    buffer_text(out, "</main></body></html>\n");
}
