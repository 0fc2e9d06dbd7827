/* SPDX-License-Identifier: BSD-3-Clause */
/* Where messages are, without what they say: tests/samples has their wording. */
#ifndef XN_TESTS_UNIT_PLACES_H
#define XN_TESTS_UNIT_PLACES_H

#include "tests/unit/vectors.h"

/* Returns the places of reports, which are a line each, with a blank between them: "2:5 3:1", or
 * offsets. A `w` follows that of a warning. Static storage, and the next call's. */
static inline const char *places_of(const char *reports)
{
    static const char digits[] = "0123456789", warning[] = " [warning]\n";
    static char places[4096];
    size_t len = 0;

    places[0] = '\0';
    for (const char *end; (end = strchr(reports, '\n')); reports = end + 1) {
        const char *at = strpbrk(reports, digits);
        bool warns = strncmp(reports, "W ", 2) == 0 || strncmp(reports, "warning ", 8) == 0 ||
                     (end - reports >= 10 && strncmp(end - 10, warning, sizeof warning - 1) == 0);
        assert_true(at && at < end);
        size_t at_len = strspn(at, digits);
        if (at[at_len] == ':' && strspn(at + at_len + 1, digits) > 0)
            at_len += 1 + strspn(at + at_len + 1, digits);
        warns |= strncmp(at + at_len, ": warning: ", 11) == 0;
        assert_true(len + at_len + 3 < sizeof places);
        len += (size_t)sprintf(places + len, "%s%.*s%s", len > 0 ? " " : "", (int)at_len, at,
                               warns ? "w" : "");
    }
    return places;
}

#endif
