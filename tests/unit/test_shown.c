/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tools/text/shown.h"

static struct row {
    const char *text, *read; /* NULL: the same */
} rows[] = {
    {"", NULL},
    {"a.example", NULL},
    {"p\\u{430}ypal.\\u{FC}\\u{fc}", "p\u0430ypal.\u00FC\u00FC"},
    {"\\u{3002}\\u{FF0E}\\u{ff61}", NULL},
    {"\\u{80}", "\xC2\x80"},
    {"\\u{7F}", NULL},
    {"\\u{10FFFF}", "\U0010FFFF"},
    {"\\u{110000}", NULL},
    {"\\u{D7FF}\\u{D800}\\u{DFFF}\\u{E000}", "\uD7FF\\u{D800}\\u{DFFF}\uE000"},
    {"\\u{000430}", "\u0430"},
    {"\\u{0000430}", NULL},
    {"\\u{43G}", NULL},
    {"\\u(430}", NULL},
    {"\\U{430}", NULL},
    {"\\u{430", NULL},
    {"\\u{}", NULL},
    {"\\u{", NULL},
    {"\\", NULL},
    {"\\u{43\\u{430}", "\\u{43\u0430"},
    {"\\\\u{430}", NULL},
    {"\\.u{430}", NULL},
    {"\\\\\\u{430}", "\\\\\u0430"},
    {"\\.\\u{430}\\", "\\.\u0430\\"},
    {"\\228\\u{430}", "\\228\u0430"},
    {"\xFF\\u{430}", "\xFF\u0430"},
};

TEST_ROWS(test_row, rows, text)
{
    const struct row *row = *state;
    const char *expected = row->read ? row->read : row->text;
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len), *dst = exact_copy(row->text, len);

    assert_int_equal(shown_read(text, len, dst), strlen(expected));
    assert_memory_equal(dst, expected, strlen(expected));
    assert_int_equal(shown_read(text, len, text), strlen(expected)); /* where it is */
    assert_memory_equal(text, expected, strlen(expected));
    free(dst);
    free(text);
}

TEST_MAIN
