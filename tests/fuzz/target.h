/* SPDX-License-Identifier: BSD-3-Clause */
/* The interface of a fuzz target, which is one function for one input. `make fuzz` gives it inputs
 * that libFuzzer makes, `make check-all` those packed in tests/fuzz/corpus (tests/fuzz/replay.c). A
 * failed assertion of cmocka ends the program, so that libFuzzer keeps the input. */
#ifndef XN_TESTS_FUZZ_TARGET_H
#define XN_TESTS_FUZZ_TARGET_H

#include "tests/unit/vectors.h"

#include "core/idna/unicode.h"
#include "tests/unit/exact.h"

#include <stdbool.h>

/* Returns 0 always. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where a target has one: changes an input, which may grow to so many octets. Returns its new size.
 */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);

__attribute__((constructor)) static void end_where_an_assertion_fails(void)
{
    setenv("CMOCKA_TEST_ABORT", "1", 1);
}

/* Opened once; lives until the program ends. */
static inline struct xn_unicode *target_unicode(void)
{
    static struct xn_unicode *opened;

    if (!opened)
        assert_int_equal(xn_unicode_open(&opened), XN_OK);
    return opened;
}

/* Takes the first octet of an input: what is asked of the rest. 0 where there is none. */
static inline uint8_t take_octet(const uint8_t **data, size_t *size)
{
    if (*size == 0)
        return 0;
    *size -= 1;
    return *(*data)++;
}

/* Takes the text before the first line feed, and the line feed. Returns the length of the text. */
static inline size_t take_line(const uint8_t **data, size_t *size, const uint8_t **line)
{
    const uint8_t *end = *size > 0 ? memchr(*data, '\n', *size) : NULL;
    size_t len = end ? (size_t)(end - *data) : *size;

    *line = *data;
    *data += len + (end != NULL);
    *size -= len + (end != NULL);
    return len;
}

/* Makes a long text of a short input: replaces an octet 0x1E and the two octets M and N after it by
 * 64 * N copies of the M octets before it. Returns at most 128 KiB, to be freed. */
static inline uint8_t *lengthened(const uint8_t *data, size_t size, size_t *len)
{
    enum { REPEATS = 0x1E, TIMES = 64, LEN_MAX = 1 << 17 };
    uint8_t *text = malloc(LEN_MAX);

    *len = 0;
    while (size > 0 && *len < LEN_MAX) {
        size_t repeats = data[0] == REPEATS && size > 2, unit = repeats ? data[1] : 1;
        size_t count = repeats ? data[2] * TIMES * unit : 1;
        for (; count > 0 && *len < LEN_MAX && (!repeats || unit <= *len); count--, ++*len)
            text[*len] = repeats ? text[*len - unit] : data[0];
        data += repeats ? 3 : 1;
        size -= repeats ? 3 : 1;
    }
    return text;
}

/* Asserts that a call returned the status, and that the status has a text. */
static inline void expect_status(xn_status got, xn_status want)
{
    const char *text = xn_status_text(got);

    assert_int_equal(got, want);
    assert_true(strlen(text) > 0);
    assert_string_not_equal(text, "unknown status");
}

static inline void expect_octets(const void *got, size_t got_len, const void *want, size_t want_len)
{
    assert_int_equal(got_len, want_len);
    if (want_len > 0)
        assert_memory_equal(got, want, want_len);
}

#endif
