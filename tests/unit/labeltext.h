/* SPDX-License-Identifier: BSD-3-Clause */
/* Labels and sets of scripts as tests write them; tables of which each row is a test. */
#ifndef XN_TESTS_UNIT_LABELTEXT_H
#define XN_TESTS_UNIT_LABELTEXT_H

#include "core/wire/size.h"
#include "tests/unit/vectors.h"

#include "core/lookalike/script.h"
#include "core/text/utf8.h"
#include "tests/unit/exact.h"

enum { NONE = -1 };

/* The code points of a text, in a buffer of exactly their size. */
struct label {
    uint32_t *code_points;
    size_t len;
};

static inline struct label label_of(const char *text)
{
    uint32_t code_points[XN_ULABEL_MAX];
    struct label label;

    assert_int_equal(xn_utf8_decode((const uint8_t *)text, strlen(text), code_points, XN_ULABEL_MAX,
                                    &label.len, NULL),
                     XN_OK);
    label.code_points = exact_copy(code_points, label.len * sizeof *code_points);
    return label;
}

/* An index, or NONE for len. */
static inline int found(size_t at, size_t len)
{
    assert_in_range(at, 0, len);
    return at == len ? NONE : (int)at;
}

/* "Latn,Cyrl" */
static inline struct xn_script_set set_of(const char *codes)
{
    struct xn_script_set set = {0};

    for (; *codes; codes += strcspn(codes, ",") + (strchr(codes, ',') != NULL))
        assert_true(xn_script_set_add(&set, codes, strcspn(codes, ",")));
    return set;
}

/* Lives until the program ends. */
static inline const char *row_name(const char *rows, size_t row)
{
    static char names[256][24];
    static size_t used;

    assert_true(used < COUNT(names));
    snprintf(names[used], sizeof *names, "%s[%zu]", rows, row);
    return names[used++];
}

#define ADD_ROWS(group, rows, function)                                                            \
    for (size_t row_ = 0; row_ < COUNT(rows); row_++)                                              \
    add_test(group, row_name(#rows, row_), function, &(rows)[row_])

#endif
