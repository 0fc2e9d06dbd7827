/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whole files, and the stamps of their state. */
#include "tests/unit/vectors.h"

#include "module/file/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { LIMIT = 1 << 20, PATH_SIZE = 64 };

static const char changes[] =
    "changes while it is read: expected a file that no program is writing to";

/* A folder of the test's own, and the file in it. */
struct place {
    char folder[32], path[PATH_SIZE], other[PATH_SIZE];
};

static void enter(struct place *place)
{
    snprintf(place->folder, sizeof place->folder, "/tmp/test_textfile.XXXXXX");
    assert_non_null(mkdtemp(place->folder));
    snprintf(place->path, sizeof place->path, "%s/file", place->folder);
    snprintf(place->other, sizeof place->other, "%s/other", place->folder);
}

static void leave(const struct place *place)
{
    remove(place->path);
    remove(place->other);
    assert_int_equal(rmdir(place->folder), 0);
}

static int write_text(const char *path, int flags, const char *text)
{
    int fd = open(path, O_WRONLY | flags, 0600);
    ssize_t len = (ssize_t)strlen(text);

    return fd < 0 || write(fd, text, (size_t)len) != len ? -1 : close(fd);
}

static int write_new(const char *path, const char *text)
{
    return write_text(path, O_CREAT | O_TRUNC, text);
}

/* Runs shell commands in the folder. */
static void run(const struct place *place, const char *commands)
{
    char line[256];

    snprintf(line, sizeof line, "cd %s && %s", place->folder, commands);
    assert_int_equal(system(line), 0);
}

/* --- writers that come while a file is read --- */

/* Writes after each call of fstat, which the reader calls before and after each reading. */
static struct {
    const char *path; /* NULL: no writer */
    int calls;
    int quiet_after; /* calls */
    void (*write)(const char *path, int call);
} writer;

/* Takes the place of the C library's. */
int fstat(int fd, struct stat *status)
{
    int result = fstatat(fd, "", status, AT_EMPTY_PATH);

    if (writer.path && ++writer.calls <= writer.quiet_after)
        writer.write(writer.path, writer.calls);
    return result;
}

static void append(const char *path, int call)
{
    (void)call;
    assert_int_equal(write_text(path, O_APPEND, "more\n"), 0);
}

static void append_much(const char *path, int call)
{
    (void)call;
    assert_int_equal(truncate(path, LIMIT), 0);
}

static void append_too_much(const char *path, int call)
{
    assert_int_equal(truncate(path, LIMIT + call), 0);
}

static void shrink(const char *path, int call)
{
    assert_int_equal(truncate(path, 40 - call), 0);
}

static void replace(const char *path, int call)
{
    char beside[PATH_SIZE + 8], text[32];

    snprintf(beside, sizeof beside, "%s.new", path);
    snprintf(text, sizeof text, "replaced %d\n", call);
    assert_int_equal(write_new(beside, text), 0);
    assert_int_equal(rename(beside, path), 0);
}

/* Writes as many octets as before: only the times tell. */
static void overwrite(const char *path, int call)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000 + call}};

    assert_int_equal(write_text(path, 0, call % 2 ? "odd" : "evn"), 0);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static struct race {
    const char *name;
    void (*write)(const char *path, int call);
    int quiet_after;
    const char *trouble;
    size_t len; /* of what is read in the end */
} races[] = {
    {"a file that grows, once", append, 1, NULL, 55},
    {"a file that grows in three readings", append, 6, NULL, 80},
    {"a file that grows in four readings", append, 7, changes, 0},
    {"a file that grows to the limit", append_much, 1, NULL, LIMIT},
    {"a file that grows beyond the limit", append_too_much, 1,
     "larger than 1 MiB: expected a smaller file", 0},
    {"a file that shrinks, once", shrink, 2, NULL, 38},
    {"a file that shrinks in four readings", shrink, 7, changes, 0},
    {"a file that is replaced, once", replace, 1, NULL, 11},
    {"a file that is replaced in four readings", replace, 7, changes, 0},
    {"a file that is written over, once", overwrite, 2, NULL, 50},
    {"a file that is written over in four readings", overwrite, 7, changes, 0},
};

static void expect_read(const char *path, const char *trouble, size_t len)
{
    struct xnm_textfile file;
    const char *told = xnm_textfile_read(path, LIMIT, &file);

    if (trouble) {
        assert_non_null(told);
        assert_string_equal(told, trouble);
        return;
    }
    struct xnm_stamp now = xnm_stamp_of(path);
    assert_null(told);
    assert_int_equal(file.len, len);
    assert_int_equal(file.text[len], '\0');
    assert_true(xnm_stamp_same(&file.stamp, &now));
    xnm_textfile_free(&file);
    assert_null(file.text);
}

TEST_ROWS(reads_again, races, name)
{
    const struct race *row = *state;
    struct place place;

    enter(&place);
    assert_int_equal(write_new(place.path, "fifty octets and not one more, fifty octets and no"),
                     0);
    writer.path = place.path;
    writer.calls = 0;
    writer.quiet_after = row->quiet_after;
    writer.write = row->write;
    expect_read(place.path, row->trouble, row->len);
    writer.path = NULL;
    leave(&place);
}

/* --- objects at a path --- */

static struct object {
    const char *name;
    const char *commands; /* that make it */
    const char *trouble;
    size_t len;
} objects[] = {
    {"nothing", "true", "No such file or directory", 0},
    {"a folder", "mkdir file", "Is a directory", 0},
    {"a FIFO without a writer", "mkfifo file", "not a regular file", 0},
    {"/dev/zero", "ln -s /dev/zero file", "not a regular file", 0},
    {"a dangling symbolic link", "ln -s other file", "No such file or directory", 0},
    {"a symbolic link to itself", "ln -s file file", "Too many levels of symbolic links", 0},
    {"a symbolic link to a file", "printf 'twelve octet' >other && ln -s other file", NULL, 12},
    {"a file of /proc, whose size is 0", "ln -s /proc/sys/kernel/ostype file", NULL, 6},
    {"an empty file", "touch file", NULL, 0},
    {"a file with a NUL", "printf 'a\\0b' >file", NULL, 3},
    {"a file of the limit", "truncate -s 1M file", NULL, LIMIT},
    {"a file of the limit and an octet", "truncate -s 1048577 file",
     "larger than 1 MiB: expected a smaller file", 0},
    {"a file larger than memory", "truncate -s 1T file",
     "larger than 1 MiB: expected a smaller file", 0},
};

TEST_ROWS(reads_object, objects, name)
{
    const struct object *row = *state;
    struct place place;

    enter(&place);
    run(&place, row->commands);
    expect_read(place.path, row->trouble, row->len);
    leave(&place);
}

/* The test may be root, whom no mode stops. */
TEST(reports_unreadable_file, "a file without permission to read")
{
    struct place place;

    enter(&place);
    assert_int_equal(write_new(place.path, "secret"), 0);
    assert_int_equal(chmod(place.path, 0), 0);
    if (geteuid() == 0) {
        assert_int_equal(chmod(place.folder, 0711), 0);
        assert_int_equal(seteuid(65534), 0);
    }
    expect_read(place.path, "Permission denied", 0);
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    leave(&place);
}

TEST(limits_octets, "a limit of a few octets")
{
    struct place place;
    struct xnm_textfile file;

    enter(&place);
    assert_int_equal(write_new(place.path, "four"), 0);
    assert_string_equal(xnm_textfile_read(place.path, 3, &file),
                        "larger than 3 octets: expected a smaller file");
    assert_null(xnm_textfile_read(place.path, 4, &file));
    assert_string_equal(file.text, "four");
    xnm_textfile_free(&file);
    leave(&place);
}

TEST(reads_many_octets, "many octets")
{
    enum { LINES = 100000 };
    struct place place;
    struct xnm_textfile file;
    char line[16];

    enter(&place);
    FILE *stream = fopen(place.path, "w");
    assert_non_null(stream);
    for (int i = 0; i < LINES; i++)
        fprintf(stream, "%09d\n", i);
    assert_int_equal(fclose(stream), 0);
    assert_null(xnm_textfile_read(place.path, LIMIT, &file));
    assert_int_equal(file.len, LINES * 10);
    for (int i = 0; i < LINES; i++) {
        snprintf(line, sizeof line, "%09d\n", i);
        assert_memory_equal(file.text + (size_t)i * 10, line, 10);
    }
    xnm_textfile_free(&file);
    leave(&place);
}

/* --- stamps --- */

static struct change {
    const char *name;
    const char *before, *change; /* commands */
    bool is_seen;
} stamps[] = {
    {"a file left alone", "echo a >file", "true", false},
    {"a file that is read", "echo a >file", "cat file >/dev/null", false},
    {"a file replaced", "echo a >file", "echo a >new && mv new file", true},
    {"a file written to in place", "echo a >file", "echo b >file && touch -d @1000 file", true},
    {"a file appended to", "echo a >file", "echo b >>file", true},
    {"a file emptied", "echo a >file", ": >file", true},
    {"a file of long ago", "echo a >file", "touch -d @1 file", true},
    {"a file removed", "echo a >file", "rm file", true},
    {"no file", "true", "true", false},
    {"a file made", "true", "echo a >file", true},
    {"a link left alone", "echo a >other && ln -s other file", "true", false},
    {"a link switched to the same file", "echo a >other && ln -s other file",
     "ln -s ./other new && mv -T new file", true},
    {"a link whose file is written to", "echo a >other && ln -s other file", "echo b >>other",
     true},
    {"a link whose file is removed", "echo a >other && ln -s other file", "rm other", true},
    {"a dangling link left alone", "ln -s other file", "true", false},
    {"a dangling link switched", "ln -s other file", "ln -s ./other new && mv -T new file", true},
    {"a dangling link whose file is made", "ln -s other file", "echo a >other", true},
    {"a dangling link removed", "ln -s other file", "rm file", true},
};

TEST_ROWS(sees_change, stamps, name)
{
    const struct change *row = *state;
    struct place place;

    enter(&place);
    run(&place, row->before);
    struct xnm_stamp before = xnm_stamp_of(place.path);
    run(&place, row->change);
    struct xnm_stamp after = xnm_stamp_of(place.path);
    assert_int_equal(xnm_stamp_same(&before, &after), !row->is_seen);
    leave(&place);
}

TEST_MAIN
