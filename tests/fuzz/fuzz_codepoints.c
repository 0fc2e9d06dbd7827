/* SPDX-License-Identifier: BSD-3-Clause */
/* Code points as RFC 3492 writes them (`encode --punycode`, tools/codec/codepoints.h): the words of
 * a text are read as the C library reads their digits, or the first that is none is named; and what
 * was read reads back from what is written. */
#include "tests/fuzz/target.h"

#include "tools/codec/codepoints.h"

static const char blanks[] = " \t\n\v\f\r";

/* Returns the length of the first word at or after *at, or 0 if there is none before a NUL. */
static size_t word_at(const char **at)
{
    *at += strspn(*at, blanks);
    return strcspn(*at, blanks);
}

/* Returns whether a word is a code point as it is written, and its number or ULLONG_MAX. */
static bool is_written(const char *word, size_t len, unsigned long long *number)
{
    *number = strtoull(len > 2 ? word + 2 : "", NULL, 16);
    return len > 2 && strchr("uU", word[0]) && word[1] == '+' &&
           strspn(word + 2, "0123456789abcdefABCDEF") >= len - 2;
}

/* Returns whether each word of a text with a NUL is written as a code point, and there is one. */
static bool are_written(const char *text)
{
    unsigned long long number;
    size_t count = 0;

    for (size_t len; (len = word_at(&text)) > 0; text += len, count++)
        if (!is_written(text, len, &number))
            return false;
    return count > 0;
}

/* Expects the words of a text before `end` to be the code points of a string. */
static void expect_words(const struct codepoints *string, const char *text, const char *end)
{
    unsigned long long number;
    size_t count = 0;

    for (size_t len; (len = word_at(&text)) > 0 && text < end; text += len, count++) {
        assert_in_range(count + 1, 1, string->len);
        assert_true(is_written(text, len, &number));
        assert_int_equal(string->cps[count], number);
        assert_int_equal(string->upper[count], text[0] == 'U');
        assert_true(number <= 0x10FFFF && (number < 0xD800 || number > 0xDFFF));
    }
    assert_int_equal(count, string->len);
}

/* Expects the fault to be a whole word that is no code point, in a text with a NUL. */
static void expect_fault(const char *text, size_t at, const struct codepoints_fault *fault)
{
    const char *word = text + at;
    unsigned long long number;

    assert_true(at == 0 || strchr(blanks, word[-1]));
    assert_int_equal(word_at(&word), fault->len);
    assert_ptr_equal(word, text + at);
    if (!is_written(word, fault->len, &number))
        assert_non_null(strstr(fault->what, "expected a code point, such as"));
    else if (number > 0x10FFFF)
        assert_non_null(strstr(fault->what, "at most U+10FFFF"));
    else
        assert_true(strstr(fault->what, "surrogate") && number >= 0xD800 && number <= 0xDFFF);
}

static void expect_read_back(const struct codepoints *string)
{
    struct buffer written = {0};
    struct codepoints again = {0};
    struct codepoints_fault fault;

    codepoints_write(string, &written);
    assert_true(codepoints_read(&again, written.data, written.len, &fault));
    assert_true(codepoints_are_written(written.data, written.len) == (string->len > 0));
    expect_octets(again.cps, again.len * sizeof *again.cps, string->cps,
                  string->len * sizeof *string->cps);
    expect_octets(again.upper, again.len * sizeof *again.upper, string->upper,
                  string->len * sizeof *string->upper);
    codepoints_free(&again);
    buffer_free(&written);
}

/* Returns a copy of a text for the C library's functions. A NUL in it, which would end it, becomes
 * another octet that no word may have. */
static char *with_end(const char *text, size_t len)
{
    char *copy = malloc(len + 1);

    for (size_t i = 0; i < len; i++)
        copy[i] = text[i] ? text[i] : '\1';
    copy[len] = '\0';
    return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct codepoints string = {0};
    struct codepoints_fault fault = {0};

    char *text = exact_copy(data, size), *ended = with_end(text, size);
    bool good = codepoints_read(&string, text, size, &fault);
    size_t at = good ? size : (size_t)(fault.at - text);

    assert_true(good || (at < size && fault.len <= size - at));
    assert_int_equal(codepoints_are_written(text, size), are_written(ended));
    expect_words(&string, ended, ended + at);
    if (!good)
        expect_fault(ended, at, &fault);
    expect_read_back(&string);
    codepoints_free(&string);
    free(ended);
    free(text);
    return 0;
}
