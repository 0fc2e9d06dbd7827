/* SPDX-License-Identifier: BSD-3-Clause */
/* Entries of a zone that are longer than any record: the reading could not be stopped before their
 * ends. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/zone/token.h"
#include "module/zone/zonefile.h"

enum { MAX = XNM_ZONE_ENTRY_MAX };

#define TOO_LONG                                                                                   \
    "this entry has more than 1048576 octets, comments included: expected one record, which has "  \
    "at most 65535 octets of data"

/* A row's text is `before`, so many times `filling`, and `after`; with one filling less than makes
 * it too long it is good. */
static struct row {
    const char *name, *before, *filling, *after;
    size_t spared; /* octets of `before` and `after` that do not count */
    unsigned records, line;
} rows[] = {
    {"blanks", "a A 192.0.2.1", " ", "\nb A 192.0.2.2\n", 15, 2, 1},
    {"blanks before a record", "a A 192.0.2.1\n", " ", "A 192.0.2.2", 14, 2, 2},
    {"one word", "a TXT ", "x", "\n", 1, 0, 1},
    {"a quote that is not closed", "a TXT \"", "x", "\n", 1, 0, 1},
    {"a comment", ";", ";", "\na A 192.0.2.1\n", 15, 1, 1},
    {"lines", "a A 192.0.2.1\n\nb A ( 192.0.2.2", ";\n", ")\nc A 192.0.2.3", 30, 3, 3},
    {"a last line without an end", "a A 192.0.2.1 ", ";", "", 0, 1, 1},
};

struct seen {
    unsigned records, reports, line, column;
    char message[XNM_ZONEFAULT_MAX];
};

static bool see_entry(void *arg, const struct xnm_zonefile_entry *entry)
{
    (void)entry;
    ((struct seen *)arg)->records++;
    return true;
}

static void see_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                       const char *message)
{
    struct seen *seen = arg;

    (void)severity;
    seen->reports++;
    seen->line = place->line;
    seen->column = place->column;
    snprintf(seen->message, sizeof seen->message, "%s", message);
}

static bool read_row(const struct row *row, size_t fillings, struct seen *seen)
{
    const size_t filling = strlen(row->filling);
    const struct xnm_wirename origin = {1, {0}};
    const struct xnm_diagnostics diagnostics = {see_report, seen};
    const struct xnm_zonefile_options options = {
        .diagnostics = &diagnostics, .entry = see_entry, .arg = seen};
    char *text = malloc(strlen(row->before) + fillings * filling + strlen(row->after) + 1);
    char *end = stpcpy(text, row->before);

    *seen = (struct seen){0};
    for (size_t i = 0; i < fillings; i++)
        end = stpcpy(end, row->filling);
    end = stpcpy(end, row->after);
    bool good = xnm_zonefile_read(&options, "z", text, (size_t)(end - text), &origin);
    free(text);
    return good;
}

TEST_ROWS(test_row, rows, name)
{
    const struct row *row = *state;
    size_t counted = strlen(row->before) + strlen(row->after) - row->spared;
    size_t fit = (MAX - counted) / strlen(row->filling);
    struct seen seen;

    bool good = read_row(row, fit, &seen);
    assert_int_equal(good, row->records > 0);
    assert_int_equal(seen.records, row->records);
    assert_string_not_equal(seen.message, TOO_LONG);
    assert_false(read_row(row, fit + 1, &seen));
    assert_string_equal(seen.message, TOO_LONG);
    assert_int_equal(seen.reports, 1);
    assert_int_equal(seen.line, row->line);
    assert_int_equal(seen.column, 1);
}

TEST_MAIN
