/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads written names and keeps what is reported of them. */
#ifndef XN_TESTS_UNIT_NAMEREAD_H
#define XN_TESTS_UNIT_NAMEREAD_H

#include "core/wire/wire.h"
#include "tests/unit/vectors.h"

#include "module/name/rulename.h"
#include "tests/unit/exact.h"
#include "tests/unit/places.h"

#define OCTETS(literal) literal, sizeof(literal) - 1

#define NOTHING ""
#define NONE NULL

#define A4 "aaaa"
#define A16 A4 A4 A4 A4
#define L63 A16 A16 A16 A4 A4 A4 "aaa"

#define DOTTED_4 "a.a.a.a."
#define DOTTED_16 DOTTED_4 DOTTED_4 DOTTED_4 DOTTED_4
#define DOTTED_63 DOTTED_16 DOTTED_16 DOTTED_16 DOTTED_4 DOTTED_4 DOTTED_4 "a.a.a."
#define DOTTED_127 DOTTED_63 DOTTED_63 "a."

struct written_row {
    const char *name;
    const char *text;
    size_t len;
    const char *wire;   /* as text, with `*.` before it for a wildcard; NONE: no name */
    const char *places; /* offsets of what is reported (places.h) */
};

enum { REPORTS_MAX = 1 << 16 };

static struct xn_unicode *unicode;

static inline void collect(void *arg, xnm_severity severity, size_t at, const char *message)
{
    char *reports = arg;
    size_t len = strlen(reports);

    assert_null(strchr(message, '\n'));
    snprintf(reports + len, REPORTS_MAX - len, "%s %zu: %s\n",
             severity == XNM_ERROR ? "error" : "warning", at, message);
}

/* Whether something is said makes no difference to what is read. Returns whether it is a name. */
static inline bool read_name(const char *text, size_t len, struct xnm_wirename *name,
                             bool *wildcard, char *reports)
{
    struct xnm_wirename quiet;
    char *exact = exact_copy(text, len);
    struct xn_wire_cursor cursor;
    bool quiet_wildcard;

    reports[0] = '\0';
    bool good = xnm_rulename_read(unicode, exact, len, name, wildcard, collect, reports);
    assert_int_equal(xnm_rulename_read(unicode, exact, len, &quiet, &quiet_wildcard, NULL, NULL),
                     good);
    assert_int_equal(quiet.len, name->len);
    assert_int_equal(good, strstr(reports, "error ") == NULL);
    if (good) {
        assert_int_equal(quiet_wildcard, *wildcard);
        assert_memory_equal(quiet.octets, name->octets, name->len);
        assert_int_equal(xn_wire_open(&cursor, name->octets, name->len), XN_OK);
    } else {
        assert_int_equal(name->len, 0);
    }
    free(exact);
    return good;
}

static inline void test_written(void **state)
{
    const struct written_row *row = *state;
    char reports[REPORTS_MAX], shown[2 + XN_WIRE_TEXT_MAX + 1] = "";
    struct xnm_wirename name;
    bool wildcard;
    bool good = read_name(row->text, row->len, &name, &wildcard, reports);

    assert_string_equal(places_of(reports), row->places);
    assert_int_equal(good, row->wire != NULL);
    if (!good)
        return;
    if (wildcard)
        strcpy(shown, "*.");
    char *text = shown + strlen(shown);
    text[xn_wire_to_text(name.octets, text)] = '\0';
    assert_string_equal(shown, row->wire);
}

#endif
