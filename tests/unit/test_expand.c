/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/wire/size.h"
#include "tests/unit/vectors.h"

#include "core/wire/expand.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { HEADER = XN_WIRE_HEADER_LEN };

/* `message` comes after a header of zeros, which is not counted in `at` and `after`. */
static struct row {
    const char *what, *message;
    size_t len, at;
    const char *name; /* NULL: none begins there */
    size_t name_len, after;
} rows[] = {
    {"a name", "\1a\2bc\0x", 7, 0, "\1a\2bc", 6, 6},
    {"the root", "\0", 1, 0, "", 1, 1},
    {"a pointer", "\1a\0\300\14", 5, 3, "\1a", 3, 5},
    {"labels, then a pointer", "\1a\0\1b\300\14z", 8, 3, "\1b\1a", 5, 7},
    {"a pointer to a pointer", "\1a\0\300\14\300\17", 7, 5, "\1a", 3, 7},
    {"a pointer into a name", "\1a\1b\0\300\16", 7, 5, "\1b", 3, 7},
    {"a pointer to itself", "\300\14", 2, 0, NULL, 0, 0},
    {"a pointer to its own labels", "\1a\300\14", 4, 0, NULL, 0, 0},
    {"a pointer to what comes after", "\300\16\0", 3, 0, NULL, 0, 0},
    {"two that lead to each other", "\300\16\300\14", 4, 2, NULL, 0, 0},
    {"a pointer to the header's last octet", "\300\13", 2, 0, NULL, 0, 0},
    {"half a pointer", "\1a\0\300", 4, 3, NULL, 0, 0},
    {"half a label", "\2a", 2, 0, NULL, 0, 0},
    {"no root", "\1a", 2, 0, NULL, 0, 0},
    {"an unknown kind of label", "\100a\0", 3, 0, NULL, 0, 0},
    {"nothing", "\0", 1, 1, NULL, 0, 0},
};

TEST_ROWS(test_row, rows, what)
{
    const struct row *row = *state;
    uint8_t dst[XN_WIRE_NAME_MAX], *message = calloc(HEADER + row->len, 1);

    assert_non_null(message);
    memcpy(message + HEADER, row->message, row->len);
    size_t at = HEADER + row->at, len = xn_wire_expand(message, HEADER + row->len, &at, dst);

    free(message);
    assert_int_equal(len, row->name_len);
    assert_int_equal(at, HEADER + (row->name ? row->after : row->at));
    if (row->name)
        assert_memory_equal(dst, row->name, len);
}

/* Names of 255 octets, and of one more. */
TEST(test_longest, "the longest name")
{
    uint8_t message[300] = {0}, dst[XN_WIRE_NAME_MAX];
    static const size_t labels[] = {63, 63, 63, 61};

    for (size_t longer = 0; longer < 2; longer++) {
        size_t len = 0, at = 0;
        for (size_t i = 0; i < COUNT(labels); i++) {
            message[len] = (uint8_t)(labels[i] + (i == 3 ? longer : 0));
            memset(message + len + 1, 'a', message[len]);
            len += message[len] + 1u;
        }
        message[len++] = 0;
        assert_int_equal(xn_wire_expand(message, len, &at, dst), longer ? 0 : XN_WIRE_NAME_MAX);
        assert_int_equal(at, longer ? 0 : len);
    }
}

/* A name may have as many pointers as are followed; one more is an error. */
TEST(test_jumps, "as many pointers as are followed")
{
    uint8_t message[HEADER + 1 + 2 * (XN_WIRE_JUMPS_MAX + 1)] = {0}, dst[XN_WIRE_NAME_MAX];
    size_t len = HEADER + 1;

    for (size_t jumps = 1; jumps <= XN_WIRE_JUMPS_MAX + 1; jumps++, len += 2) {
        size_t at = len, to = jumps == 1 ? HEADER : len - 2;
        message[len] = (uint8_t)(0xC0 | to >> 8);
        message[len + 1] = (uint8_t)to;
        assert_int_equal(xn_wire_expand(message, len + 2, &at, dst), jumps <= XN_WIRE_JUMPS_MAX);
    }
}

TEST_MAIN
