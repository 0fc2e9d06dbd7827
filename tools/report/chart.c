/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws bars over time, as SVG. Text is HTML beside it, so that it keeps its size on a telephone.
 */
#include "tools/report/report.h"

#include "tools/logs/time.h"
#include "tools/text/html.h"

#include <string.h>
#include <time.h>

enum {
    BARS_MIN = 12, /* so that a few bars do not fill the chart */
    HEIGHT = 100   /* of the largest value, in units of the SVG */
};

/* --- time --- */

static void add_formatted(struct buffer *out, const char *format, int64_t seconds)
{
    char text[64];
    time_t time = (time_t)seconds;
    struct tm utc;

    if (gmtime_r(&time, &utc) && strftime(text, sizeof text, format, &utc) > 0)
        buffer_text(out, text);
}

void report_add_time(struct buffer *out, int64_t seconds, bool same_day)
{
    add_formatted(out, same_day ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", seconds);
}

static size_t bars_of(const struct timeline *timeline)
{
    return timeline->len > BARS_MIN ? timeline->len : BARS_MIN;
}

/* Writes when a bar begins, as precisely as the width of bars needs. */
static void add_bar_time(struct buffer *out, const struct timeline *timeline, size_t bar)
{
    int64_t width = timeline_width(timeline);

    add_formatted(out,
                  width < MINUTE ? "%Y-%m-%d %H:%M:%S"
                  : width < DAY  ? "%Y-%m-%d %H:%M"
                                 : "%Y-%m-%d",
                  timeline_start(timeline, bar));
}

/* Writes the width of a bar, such as "10 minutes". */
static void add_width(struct buffer *out, int64_t width)
{
    static const struct {
        int64_t seconds;
        const char *unit;
    } units[] = {{WEEK, "week"}, {DAY, "day"}, {HOUR, "hour"}, {MINUTE, "minute"}, {1, "second"}};
    size_t i = 0;

    while (width % units[i].seconds != 0)
        i++;
    int64_t count = width / units[i].seconds;
    if (count > 1)
        buffer_format(out, "%lld %ss", (long long)count, units[i].unit);
    else
        buffer_text(out, units[i].unit);
}

/* Writes when each quarter of the chart begins. */
static void add_ticks(struct buffer *out, const struct timeline *timeline)
{
    size_t bars = bars_of(timeline);

    buffer_text(out, "<div class=\"ticks\" aria-hidden=\"true\">");
    for (size_t quarter = 0; quarter < 4; quarter++) {
        size_t bar = bars * quarter / 4;

        buffer_format(out, "<span style=\"left:%.2f%%\">", 100.0 * (double)bar / (double)bars);
        add_bar_time(out, timeline, bar);
        buffer_text(out, "</span>");
    }
    buffer_text(out, "</div>\n");
}

/* --- bars --- */

struct series {
    const char *title, *color;
    size_t number;
    size_t peak;   /* the number of the largest bar */
    uint64_t most; /* its value */
};

/* Returns the end of the scale: 1, 2 or 5, followed by zeros. */
static uint64_t round_up(uint64_t value)
{
    uint64_t power = 1;

    while (power <= UINT64_MAX / 100 && power * 10 <= value)
        power *= 10;
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

static void find_peak(const struct timeline *timeline, struct series *series)
{
    for (size_t i = 0; i < timeline->len; i++)
        if (timeline->values[i][series->number] > series->most) {
            series->peak = i;
            series->most = timeline->values[i][series->number];
        }
}

static void add_bar(struct buffer *out, const struct timeline *timeline, size_t bar, uint64_t value,
                    uint64_t scale)
{
    double height = (double)HEIGHT * (double)value / (double)scale;

    buffer_format(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\".84\" height=\"%.2f\"><title>",
                  (double)bar + .08, HEIGHT - height, height);
    add_bar_time(out, timeline, bar);
    buffer_text(out, ": ");
    html_number(out, value);
    buffer_text(out, "</title></rect>");
}

static void add_bars(struct buffer *out, const struct timeline *timeline,
                     const struct series *series, uint64_t scale)
{
    buffer_format(out,
                  "<svg viewBox=\"0 0 %zu %d\" preserveAspectRatio=\"none\" role=\"img\" "
                  "aria-labelledby=\"t%zu d%zu\"><title id=\"t%zu\">%s</title><desc id=\"d%zu\">",
                  bars_of(timeline), HEIGHT, series->number, series->number, series->number,
                  series->title, series->number);
    buffer_text(out, "Most in one ");
    add_width(out, timeline_width(timeline));
    buffer_text(out, ": ");
    html_number(out, series->most);
    buffer_text(out, ", from ");
    add_bar_time(out, timeline, series->peak);
    buffer_format(out, " on</desc><g class=\"%s\">", series->color);
    for (size_t i = 0; i < timeline->len; i++)
        if (timeline->values[i][series->number] > 0)
            add_bar(out, timeline, i, timeline->values[i][series->number], scale);
    buffer_text(out, "</g></svg>");
}

static void add_caption(struct buffer *out, const struct timeline *timeline,
                        const struct series *series)
{
    buffer_format(out, "<figcaption><span class=\"key %s\"></span>%s", series->color,
                  series->title);
    buffer_text(out, " <span class=\"peak\">most: ");
    html_number(out, series->most);
    buffer_text(out, ", ");
    add_bar_time(out, timeline, series->peak);
    buffer_text(out, "</span></figcaption>");
}

static void add_figure(struct buffer *out, const struct timeline *timeline,
                       const struct series *series)
{
    uint64_t scale = round_up(series->most);

    buffer_text(out, "<figure>");
    add_caption(out, timeline, series);
    buffer_text(out, "<div class=\"plot\"><div class=\"scale\" aria-hidden=\"true\"><span>");
    html_number(out, scale);
    buffer_text(out, "</span><span>0</span></div>");
    add_bars(out, timeline, series, scale);
    buffer_text(out, "</div></figure>\n");
}

void report_add_chart(const struct report *report, struct buffer *out)
{
    struct series all_series[] = {
        {.title = "All queries", .color = "all", .number = COUNT_ALL},
        {.title = "Internationalized names", .color = "idn", .number = COUNT_IDN},
        {.title = report_changed(report, "Answers changed by a rule",
                                 "Answers that a rule would have changed"),
         .color = "changed",
         .number = COUNT_CHANGED},
    };
    const struct timeline *timeline = &report->timeline;

    if (timeline->count == 0)
        return;
    buffer_text(out, "<p class=\"caption\">Queries in each ");
    add_width(out, timeline_width(timeline));
    buffer_format(out, "; times are %s. Each chart has its own scale.", logs_zone_word());
    if (report->untimed > 0) {
        buffer_text(out, " Queries without a time, which are left out here: ");
        html_number(out, report->untimed);
        buffer_text(out, ".");
    }
    buffer_text(out, "</p>\n");
    for (size_t i = 0; i < sizeof all_series / sizeof *all_series; i++) {
        find_peak(timeline, &all_series[i]);
        if (all_series[i].most > 0)
            add_figure(out, timeline, &all_series[i]);
    }
    add_ticks(out, timeline);
}
