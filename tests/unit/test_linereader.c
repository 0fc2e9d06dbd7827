/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines of a file, wherever its blocks end. */
#include "tests/unit/vectors.h"

#include "tools/text/linereader.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LINE_MAX_HERE = 100 };

static int file_of(const void *text, size_t len)
{
    int file = memfd_create("lines", MFD_CLOEXEC);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, len), (ssize_t)len);
    lseek(file, 0, SEEK_SET);
    return file;
}

/* The lines, each with `|` behind it, one that is too long as `!`. */
static const struct row {
    const char *text, *lines;
} rows[] = {
    {"", ""},
    {"a", "a|"},
    {"a\n", "a|"},
    {"\n\na\r\n\r\nb\r", "||a||b|"},
    {"a\rb\r\r\n", "a\rb\r|"},
};

TEST_ROWS(reads_a_file, rows, lines)
{
    const struct row *row = *state;
    struct linereader reader;
    const char *line;
    char got[200] = "";
    size_t len, count = 0;
    bool too_long;
    int file = file_of(row->text, strlen(row->text));

    linereader_open(&reader, file, LINE_MAX_HERE);
    for (; linereader_next(&reader, &line, &len, &too_long); count++)
        sprintf(got + strlen(got), "%.*s|", (int)len, line);
    assert_string_equal(got, row->lines);
    assert_int_equal(reader.lines, count);
    assert_int_equal(reader.error, 0);
    linereader_close(&reader);
    close(file);
}

/* Lines of every length up to some more than fit, past several blocks: each number once. */
TEST(reads_every_length, "lines of every length, past several blocks")
{
    enum { LINES = 40000 };
    char *text = malloc(LINES * (2 * LINE_MAX_HERE + 10)), *out = text;
    struct linereader reader;
    const char *line;
    size_t len;
    bool too_long;

    for (int i = 0; i < LINES; i++)
        out += sprintf(out, "%0*d\n", 1 + i % (2 * LINE_MAX_HERE), i % 10);
    int file = file_of(text, (size_t)(out - text));
    linereader_open(&reader, file, LINE_MAX_HERE);
    for (int i = 0; i < LINES; i++) {
        size_t wanted = 1 + (size_t)i % (2 * LINE_MAX_HERE);
        assert_true(linereader_next(&reader, &line, &len, &too_long));
        assert_int_equal(too_long, wanted > LINE_MAX_HERE);
        assert_int_equal(len, too_long ? 0 : wanted);
        if (!too_long)
            assert_int_equal(line[len - 1], '0' + i % 10);
    }
    assert_false(linereader_next(&reader, &line, &len, &too_long));
    assert_int_equal(reader.octets, out - text);
    linereader_close(&reader);
    close(file);
    free(text);
}

/* Megabytes without a line feed, and then a line. */
TEST(passes_over_the_endless, "megabytes without a line feed are one line too long")
{
    size_t size = 3 << 20;
    char *text = malloc(size);
    struct linereader reader;
    const char *line;
    size_t len;
    bool too_long;

    memset(text, 'x', size);
    memcpy(text + size - 3, "\nab", 3);
    int file = file_of(text, size);
    linereader_open(&reader, file, LINE_MAX_HERE);
    assert_true(linereader_next(&reader, &line, &len, &too_long));
    assert_true(too_long);
    assert_true(linereader_next(&reader, &line, &len, &too_long));
    assert_false(too_long);
    assert_int_equal(len, 2);
    assert_false(linereader_next(&reader, &line, &len, &too_long));
    linereader_close(&reader);
    close(file);
    free(text);
}

TEST(says_what_failed, "what cannot be read is told")
{
    struct linereader reader;
    const char *line;
    size_t len;
    bool too_long;

    linereader_open(&reader, -1, LINE_MAX_HERE);
    assert_false(linereader_next(&reader, &line, &len, &too_long));
    assert_int_equal(reader.error, EBADF);
    linereader_close(&reader);
}

TEST_MAIN
