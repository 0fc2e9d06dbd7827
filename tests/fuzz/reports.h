/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks reports about an operator's file: each has words that a terminal only shows, and a place
 * that is in the file. */
#ifndef XN_TESTS_FUZZ_REPORTS_H
#define XN_TESTS_FUZZ_REPORTS_H

#include "tests/fuzz/target.h"

#include "module/base/diagnostics.h"
#include "tests/unit/logline_grammar.h"

#define REPORTS_FILE "folder/file"

struct reports {
    size_t size; /* octets of the file */
    size_t lines, errors, warnings;
};

static inline void expect_message(const char *message)
{
    assert_true(message[0] != '\0');
    check_characters(message, (int32_t)strlen(message));
}

static inline void expect_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                                 const char *message)
{
    struct reports *reports = arg;

    expect_message(message);
    assert_string_equal(place->file, REPORTS_FILE);
    assert_in_range(place->line, 0, reports->lines);
    assert_in_range(place->column, 0, reports->size + 1);
    if (severity == XNM_ERROR)
        reports->errors++;
    else
        reports->warnings++;
}

static inline struct reports reports_of(const uint8_t *text, size_t size)
{
    struct reports reports = {.size = size, .lines = 1};

    for (size_t i = 0; i < size; i++)
        reports.lines += text[i] == '\n';
    return reports;
}

#endif
