/* SPDX-License-Identifier: BSD-3-Clause */
/* A log whose last line has no end: what is appended begins a line of its own. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/log/logtarget.h"
#include "tests/unit/filesize.h"

enum { NOBODY = 65534 };

static char folder[] = "/tmp/test_logtarget_end.XXXXXX", path[64], moved[64];

static void make_file(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");

    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0 && fclose(stream) == 0);
}

static void expect_file(const char *file, const char *expected)
{
    FILE *stream = fopen(file, "r");
    char text[64];

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static struct xnm_logtarget *open_target(void)
{
    struct xnm_logtarget *target = xnm_logtarget_open(path, false, &xnm_diagnose_silently);

    assert_non_null(target);
    return target;
}

static void write_line(struct xnm_logtarget *target)
{
    assert_int_equal(xnm_logtarget_write(target, "line\n", 5), 5);
    assert_string_equal(xnm_logtarget_trouble(target), "");
}

static struct row {
    const char *name, *before, *after;
} rows[] = {
    {"an empty file", "", "line\n"},     {"a whole line", "whole\n", "whole\nline\n"},
    {"an empty line", "\n", "\nline\n"}, {"half a line", "whole\nhal", "whole\nhal\nline\n"},
    {"one octet", "h", "h\nline\n"},
};

static void test_at_the_start(void **state)
{
    const struct row *row = *state;

    make_file(path, row->before);
    struct xnm_logtarget *target = open_target();
    write_line(target);
    xnm_logtarget_close(target);
    expect_file(path, row->after);
}

/* Another object may be at the path of a file that was moved away. */
static void test_followed(void **state)
{
    const struct row *row = *state;

    make_file(path, "");
    struct xnm_logtarget *target = open_target();
    assert_int_equal(rename(path, moved), 0);
    make_file(path, row->before);
    xnm_logtarget_follow(target, &xnm_diagnose_silently);
    write_line(target);
    xnm_logtarget_close(target);
    expect_file(path, row->after);
    expect_file(moved, "");
}

/* However many append to it, and however often it is opened. */
TEST(test_once, "one line feed, however many open it")
{
    make_file(path, "half");
    xnm_logtarget_close(open_target());
    struct xnm_logtarget *first = open_target(), *second = open_target();
    write_line(first);
    write_line(second);
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    expect_file(path, "half\nline\nline\n");
}

/* The disk that tore the line is full still: no line is taken until there is room. Two have it open
 * meanwhile, and one alone ends the line. */
TEST(test_full_disk, "half a line on a full disk")
{
    make_file(path, "half");
    limit_file_size(4);
    struct xnm_logtarget *first = open_target(), *second = open_target();
    size_t taken = xnm_logtarget_write(first, "line\n", 5);
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(taken, 0);
    assert_string_equal(xnm_logtarget_trouble(first), strerror(EFBIG));
    expect_file(path, "half");
    write_line(first);
    write_line(second);
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    expect_file(path, "half\nline\nline\n");
}

/* The log cannot find whether a file that it may not read ends in half a line, and writes to it all
 * the same. */
TEST(test_write_only, "a file that may be written alone")
{
    make_file(path, "half");
    assert_int_equal(chmod(path, 0222), 0);
    assert_true(getuid() != 0 || seteuid(NOBODY) == 0);
    struct xnm_logtarget *target = xnm_logtarget_open(path, false, &xnm_diagnose_silently);
    assert_true(getuid() != 0 || seteuid(0) == 0);
    assert_non_null(target);
    write_line(target);
    xnm_logtarget_close(target);
    assert_int_equal(chmod(path, 0644), 0);
    expect_file(path, "halfline\n");
}

int main(void)
{
    signal(SIGXFSZ, SIG_IGN);
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/idn.log", folder);
    snprintf(moved, sizeof moved, "%s/idn.log.1", folder);
    for (size_t i = 0; i < COUNT(rows); i++) {
        add_test(rows[i].name, test_at_the_start, &rows[i]);
        add_test(rows[i].name, test_followed, &rows[i]);
    }
    int failed = run_unit();
    remove_tree(folder);
    return failed;
}
