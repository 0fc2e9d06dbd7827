/* SPDX-License-Identifier: BSD-3-Clause */
/* Each row of core/lookalike/lookalike.table takes effect. */
#include "tests/unit/vectors.h"

#include "core/lookalike/shape.h"
#include "tests/unit/wirelabel.h"

enum { ROWS_MIN = 300 };

static struct table_row {
    char name[64], looks[64];
    uint32_t cp;
    xn_key key;
    bool second; /* it is the second reading by that key */
} * rows;
static size_t count;

static void read_row(const char *line, unsigned number, xn_key key, bool second)
{
    struct table_row row = {.key = key, .second = second};
    char shown[16];

    if (sscanf(line, "U+%x %15s %63s", &row.cp, shown, row.looks) != 3)
        abort();
    snprintf(row.name, sizeof row.name, "line %u, U+%04X", number, row.cp);
    rows = realloc(rows, (count + 1) * sizeof *rows);
    if (!rows)
        abort();
    rows[count++] = row;
}

static void read_table(void)
{
    FILE *file = fopen("core/lookalike/lookalike.table", "r");
    char line[256];
    xn_key key = XN_KEY_EXACT;
    bool second = false;

    if (!file)
        abort();
    for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
        if (line[0] == '[') {
            key = line[1] == 'e' ? XN_KEY_EXACT : line[1] == 's' ? XN_KEY_STRICT : XN_KEY_LOOSE;
            second = strcmp(line, "[second]\n") == 0;
        } else if (line[0] == 'U') {
            read_row(line, number, key, second);
        }
    }
    fclose(file);
}

/* The character's key is that of what it looks like, and not its own by a key before. */
static void takes_effect(void **state)
{
    const struct table_row *row = *state;
    uint8_t label[XN_WIRE_LABEL_MAX], looks[XN_KEY_MAX], own[XN_KEY_MAX], before[XN_KEY_MAX];
    size_t looks_len = xn_lookalike_key(label, wire_label(row->looks, label), row->key, looks);
    size_t own_len = xn_lookalike_sequence(row->cp, row->key, own);

    if (row->second) {
        const struct xn_shape shape = {.ace = true, .len = 2, .code_points = {'x', row->cp}};
        struct xn_shape read;
        assert_false(own_len == looks_len && memcmp(own, looks, own_len) == 0);
        assert_true(xn_shape_read_second(&shape, NULL));
        assert_true(xn_shape_read_second(&shape, &read));
        assert_true(read.ace);
        assert_int_equal(read.len, 2);
        assert_int_equal(read.code_points[0], 'x');
        assert_int_equal(read.code_points[1], row->looks[0]);
        assert_false(xn_shape_read_second(&read, NULL));
        return;
    }
    assert_int_equal(own_len, looks_len);
    assert_memory_equal(own, looks, own_len);
    if (row->key != XN_KEY_EXACT) {
        size_t len = xn_lookalike_sequence(row->cp, row->key - 1, before);
        assert_false(len == own_len && memcmp(before, own, len) == 0);
    }
}

/* A shape without such a letter is not written; nor is one too long, or with octets, or with
 * letters that only UTS 39 says look like one of these: у and γ look like υ, as ʋ does. */
TEST(test_no_second, "no second reading")
{
    static const uint32_t common[] = {0x3B3, 0x443, 0x4AF, 0x57D};
    struct xn_shape shape = {.ace = true, .len = 2, .code_points = {'x', 0xE9}},
                    second = {.len = 9};

    assert_false(xn_shape_read_second(&shape, &second));
    for (size_t i = 0; i < sizeof common / sizeof *common; i++) {
        shape.code_points[1] = common[i];
        assert_false(xn_shape_read_second(&shape, &second));
    }
    shape.code_points[1] = XN_SHAPE_OCTET + 0xFE;
    assert_false(xn_shape_read_second(&shape, &second));
    shape.code_points[0] = 0x142;
    shape.len = 0;
    assert_false(xn_shape_read_second(&shape, &second));
    shape.len = XN_WIRE_LABEL_MAX + 1;
    assert_false(xn_shape_read_second(&shape, &second));
    assert_int_equal(second.len, 9);
}

TEST(test_enough, "there are enough rows")
{
    assert_in_range(count, ROWS_MIN, 10000);
}

int main(void)
{
    read_table();
    for (size_t i = 0; i < count; i++)
        add_test(rows[i].name, takes_effect, &rows[i]);
    int failed = run_unit();
    free(rows);
    return failed;
}
