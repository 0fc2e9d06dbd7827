/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts whose memory is given back behind their reader. */
#include "tests/unit/vectors.h"

#include "module/file/textfile.h"

#include <sys/mman.h>
#include <unistd.h>

enum { STEP = 1 << 20, LINE = 16 };

/* Lines of 15 digits in a file that is gone when it is read. */
static void read_lines(size_t lines, struct xnm_textfile *file)
{
    char path[] = "/tmp/test_textfile_pass.XXXXXX";
    int fd = mkstemp(path);
    FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");

    assert_non_null(stream);
    for (size_t i = 0; i < lines; i++)
        fprintf(stream, "%015zu\n", i);
    assert_int_equal(fclose(stream), 0);
    const char *trouble = xnm_textfile_read(path, lines * LINE, file);
    assert_int_equal(unlink(path), 0);
    assert_null(trouble);
    assert_int_equal(file->len, lines * LINE);
}

static bool is_mapped(const char *at)
{
    unsigned char resident;
    long page = sysconf(_SC_PAGESIZE);

    return mincore((void *)((uintptr_t)at / (uintptr_t)page * (uintptr_t)page), 1, &resident) == 0;
}

/* The octets that are left keep their place, with the NUL; the octets before them are no longer
 * memory. */
static void test_lines(void **state)
{
    enum { LINES = 5 * STEP / LINE + 7 };
    struct xnm_textfile file;
    char line[LINE + 1];

    (void)state;
    read_lines(LINES, &file);
    const char *start = file.text, *end = file.text + file.len;
    for (size_t i = 0; i < LINES; i++) {
        const char *at = start + i * LINE;
        xnm_textfile_pass(&file, at);
        assert_true(file.text <= at && at - file.text < STEP);
        assert_ptr_equal(file.text + file.len, end);
        snprintf(line, sizeof line, "%015zu\n", i);
        assert_memory_equal(at, line, LINE);
    }
    xnm_textfile_pass(&file, end);
    assert_int_equal(*end, '\0');
    assert_ptr_equal(file.text, start + 5 * STEP);
    for (size_t i = 0; i < 5 * STEP; i += STEP / 4)
        assert_false(is_mapped(start + i));
    assert_true(is_mapped(end));
    xnm_textfile_free(&file);
    assert_null(file.text);
    assert_false(is_mapped(end));
}

static void test_whole_steps(void **state)
{
    struct xnm_textfile file;

    (void)state;
    read_lines(2 * STEP / LINE, &file);
    xnm_textfile_pass(&file, file.text + file.len);
    assert_int_equal(file.len, 0);
    assert_int_equal(*file.text, '\0');
    xnm_textfile_pass(&file, file.text);
    xnm_textfile_free(&file);
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "line by line", test_lines, NULL);
    add_test(&group, "whole steps at once", test_whole_steps, NULL);
    return run_group("textfile pass", &group);
}
