/* SPDX-License-Identifier: BSD-3-Clause */
/* The reading of a list can be stopped before its end, whatever its lines are. The Makefile links
 * this with --wrap of xnm_stop_is_set, whose calls are counted. */
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/rule/protection.h"
#include "tests/unit/listread.h"

enum { LINES = 1000, LINE_MAX_HERE = 64 };

#define ZONE "$ORIGIN z.\n$TTL 60\n@ SOA ns. admin. 1 2 3 4 5\n"

static size_t asked, stops_at = SIZE_MAX; /* so many times the list is wanted */

bool __real_xnm_stop_is_set(const atomic_bool *is_set);
bool __wrap_xnm_stop_is_set(const atomic_bool *is_set);

bool __wrap_xnm_stop_is_set(const atomic_bool *is_set)
{
    return ++asked > stops_at || __real_xnm_stop_is_set(is_set);
}

static struct row {
    const char *name;
    xnm_trigger trigger;
    const char *head, *line;
    unsigned entries, reports; /* for each line */
} rows[] = {
    {"names", XNM_TRIGGER_NAMES, "", "a.example", 1, 0},
    {"no names", XNM_TRIGGER_NAMES, "", "a b c", 0, 1},
    {"public suffixes", XNM_TRIGGER_NAMES, "", "co.uk", 0, 1},
    {"exemptions", XNM_TRIGGER_ZONES, "", "@@||a.example^", 1, 0},
    {"what is skipped, and reported at the end", XNM_TRIGGER_ZONES, "", "a.example##.ad", 0, 0},
    {"comments", XNM_TRIGGER_NAMES, "", "# a", 0, 0},
    {"protected names", XNM_TRIGGER_LOOKALIKES, "", "a.example", 1, 0},
    {"a zone", XNM_TRIGGER_RPZ, ZONE, "a.example CNAME .", 1, 0},
    {"a zone's errors", XNM_TRIGGER_RPZ, ZONE, "a.example QQQ", 0, 1},
    {"errors in one entry of a zone", XNM_TRIGGER_RPZ, ZONE "a.example A (", "\"x", 0, 1},
    {"records outside the zone", XNM_TRIGGER_RPZ, ZONE, "a.example. CNAME .", 0, 1},
    {"lines before a SOA that is not there", XNM_TRIGGER_RPZ, "", "$TTL 60", 0, 0},
};

struct seen {
    atomic_bool stop;
    unsigned entries, reports;
    bool stops_by_itself;
};

static bool see_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct seen *seen = arg;

    (void)entry;
    seen->entries++;
    seen->stop |= seen->stops_by_itself;
    return true;
}

static void see_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                       const char *message)
{
    struct seen *seen = arg;

    (void)severity, (void)place, (void)message;
    seen->reports++;
    seen->stop |= seen->stops_by_itself;
}

static bool read_row(const struct row *row, struct seen *seen, struct xnm_list_counts *counts)
{
    struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = row->trigger};
    const struct xnm_diagnostics diagnostics = {see_report, seen};
    const struct xnm_list_options options = {.unicode = list_unicode,
                                             .diagnostics = &diagnostics,
                                             .stop = &seen->stop,
                                             .entry = see_entry,
                                             .arg = seen};
    char *text = malloc(LINES * LINE_MAX_HERE);
    size_t len = (size_t)sprintf(text, "%s", row->head);

    xnm_protection_set_min(&rule.protection, 0);
    for (unsigned i = 0; i < LINES; i++)
        len += (size_t)sprintf(text + len, "%s\n", row->line);
    bool good = xnm_list_read(&options, &rule, "list", text, len, counts);
    free(text);
    return good;
}

/* A reading that is stopped before the first line, and at the first entry or report. */
TEST_ROWS(stops_at_first, rows, name)
{
    const struct row *row = *state;
    struct seen none = {.stop = true}, first = {.stops_by_itself = true};
    struct xnm_list_counts counts;

    assert_false(read_row(row, &none, &counts));
    assert_int_equal(none.entries + none.reports, 0);
    assert_int_equal(counts.entries + counts.bad + counts.skipped + counts.suffixes, 0);
    if (row->entries + row->reports == 0)
        return;
    assert_false(read_row(row, &first, &counts));
    assert_int_equal(first.entries, row->entries);
    assert_int_equal(first.reports, row->reports);
    assert_int_equal(counts.entries, row->entries);
    assert_in_range(counts.bad + counts.skipped + counts.suffixes, 0, row->reports);
}

/* In lines that have nothing to read, too, within an entry and between entries. */
TEST(asks_at_each_line, "a zone's empty lines")
{
    static const char *const heads[] = {ZONE, ZONE "a.example A ("};

    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        const struct row row = {"", XNM_TRIGGER_RPZ, heads[i], "", 0, 0};
        struct seen seen = {.stop = false};
        struct xnm_list_counts counts;

        asked = 0;
        read_row(&row, &seen, &counts);
        assert_in_range(asked, LINES, 2 * LINES);
        assert_int_equal(seen.reports, i);
        asked = 0;
        stops_at = LINES / 2;
        assert_false(read_row(&row, &seen, &counts));
        assert_int_equal(seen.reports, i);
        assert_in_range(asked, LINES / 2, LINES / 2 + 10);
        stops_at = SIZE_MAX;
    }
}

TEST_MAIN_WITH_UNICODE(list_unicode)
