/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include "module/base/number.h"
#include "tests/unit/exact.h"

enum { UNTOUCHED = 77 };

static struct row {
    const char *text;
    uint32_t max;
    bool good;
    uint32_t number;
} rows[] = {
    {"0", 0, true, 0},
    {"000", 0, true, 0},
    {"0000000000000000000000000000000000000255", 255, true, 255},
    {"255", 255, true, 255},
    {"256", 255, false, UNTOUCHED},
    {"1", 0, false, UNTOUCHED},
    {"4294967295", UINT32_MAX, true, UINT32_MAX},
    {"4294967296", UINT32_MAX, false, UNTOUCHED},
    {"18446744073709551617", UINT32_MAX, false, UNTOUCHED}, /* 2^64 + 1 */
    {"", 255, false, UNTOUCHED},
    {"-1", 255, false, UNTOUCHED},
    {"+1", 255, false, UNTOUCHED},
    {" 1", 255, false, UNTOUCHED},
    {"1 ", 255, false, UNTOUCHED},
    {"0x1", 255, false, UNTOUCHED},
    {"1/", 255, false, UNTOUCHED},
    {"1:", 255, false, UNTOUCHED},
    {"\xD9\xA1", 255, false, UNTOUCHED}, /* U+0661, a digit of another kind */
};

TEST_ROWS(reads_a_row, rows, text)
{
    const struct row *row = *state;
    size_t len = strlen(row->text);
    char *text = exact_copy(row->text, len);
    uint32_t number = UNTOUCHED;

    assert_int_equal(xnm_number_read(text, len, row->max, &number), row->good);
    assert_int_equal(number, row->number);
    free(text);
}

TEST_MAIN
