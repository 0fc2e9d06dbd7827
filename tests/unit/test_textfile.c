/* SPDX-License-Identifier: BSD-3-Clause */
/* Files read whole, and in which state they were. */
#include "tests/unit/vectors.h"

#include "module/file/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
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

TEST_ROWS(test_race, races, name)
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

/* Written to after the last look: the text is the one before, and the stamp says so. */
TEST(test_late_writer, "a file written to afterwards")
{
    struct place place;
    struct xnm_textfile file;

    enter(&place);
    assert_int_equal(write_new(place.path, "before"), 0);
    assert_null(xnm_textfile_read(place.path, LIMIT, &file));
    append(place.path, 0);
    struct xnm_stamp now = xnm_stamp_of(place.path);
    assert_string_equal(file.text, "before");
    assert_false(xnm_stamp_same(&file.stamp, &now));
    xnm_textfile_free(&file);
    leave(&place);
}

/* --- what a path may lead to --- */

static int make_nothing(const struct place *place)
{
    return access(place->path, F_OK) == 0 ? -1 : 0;
}

static int make_folder(const struct place *place)
{
    return mkdir(place->path, 0700);
}

static int make_fifo(const struct place *place)
{
    return mkfifo(place->path, 0600);
}

static int make_socket(const struct place *place)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);

    snprintf(address.sun_path, sizeof address.sun_path, "%s", place->path);
    return bind(fd, (const struct sockaddr *)&address, sizeof address) != 0 ? -1 : close(fd);
}

static int make_device_link(const struct place *place)
{
    return symlink("/dev/zero", place->path);
}

static int make_dangling_link(const struct place *place)
{
    return symlink(place->other, place->path);
}

static int make_link_to_itself(const struct place *place)
{
    return symlink(place->path, place->path);
}

static int make_link(const struct place *place)
{
    return write_new(place->other, "twelve octet") != 0 ? -1 : symlink("other", place->path);
}

static int make_proc_link(const struct place *place)
{
    return symlink("/proc/sys/kernel/ostype", place->path); /* 0 octets, says stat */
}

static int make_empty(const struct place *place)
{
    return write_new(place->path, "");
}

static int make_with_nul(const struct place *place)
{
    int fd = open(place->path, O_WRONLY | O_CREAT, 0600);

    return write(fd, "a\0b", 3) == 3 ? close(fd) : -1;
}

static int make_sized(const struct place *place, off_t size)
{
    return write_new(place->path, "") != 0 ? -1 : truncate(place->path, size);
}

static int make_largest(const struct place *place)
{
    return make_sized(place, LIMIT);
}

static int make_too_large(const struct place *place)
{
    return make_sized(place, LIMIT + 1);
}

static int make_huge(const struct place *place)
{
    return make_sized(place, (off_t)1 << 40);
}

static struct object {
    const char *name;
    int (*make)(const struct place *place);
    const char *trouble;
    size_t len;
} objects[] = {
    {"nothing", make_nothing, "No such file or directory", 0},
    {"a folder", make_folder, "Is a directory", 0},
    {"a FIFO that nobody writes to", make_fifo, "not a regular file", 0},
    {"a socket", make_socket, "not a regular file", 0},
    {"/dev/zero", make_device_link, "not a regular file", 0},
    {"a dangling symbolic link", make_dangling_link, "No such file or directory", 0},
    {"a symbolic link to itself", make_link_to_itself, "Too many levels of symbolic links", 0},
    {"a symbolic link to a file", make_link, NULL, 12},
    {"a file of /proc", make_proc_link, NULL, 6},
    {"an empty file", make_empty, NULL, 0},
    {"a file with a NUL", make_with_nul, NULL, 3},
    {"a file of the limit", make_largest, NULL, LIMIT},
    {"a file of the limit and an octet", make_too_large,
     "larger than 1 MiB: expected a smaller file", 0},
    {"a file that no memory holds", make_huge, "larger than 1 MiB: expected a smaller file", 0},
};

TEST_ROWS(test_object, objects, name)
{
    const struct object *row = *state;
    struct place place;

    enter(&place);
    assert_int_equal(row->make(&place), 0);
    expect_read(place.path, row->trouble, row->len);
    leave(&place);
}

/* The test may be root, whom no mode stops. */
TEST(test_unreadable, "a file that one may not read")
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

TEST(test_limit_of_octets, "a limit of a few octets")
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

TEST(test_many_octets, "many octets")
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

static void make_file(const struct place *place)
{
    assert_int_equal(write_new(place->path, "before"), 0);
}

static void make_link_to_other(const struct place *place)
{
    assert_int_equal(make_link(place), 0);
}

static void make_lost_link(const struct place *place)
{
    assert_int_equal(make_dangling_link(place), 0);
}

static void make_no_file(const struct place *place)
{
    assert_int_equal(make_nothing(place), 0);
}

static void do_nothing(const struct place *place)
{
    (void)place;
}

static void do_read(const struct place *place)
{
    expect_read(place->path, NULL, 6);
}

static void do_replace(const struct place *place)
{
    replace(place->path, 0);
}

static void do_write(const struct place *place)
{
    overwrite(place->path, 1);
}

static void do_append(const struct place *place)
{
    append(place->path, 0);
}

static void do_remove(const struct place *place)
{
    assert_int_equal(remove(place->path), 0);
}

/* Another link to the same file. */
static void do_switch(const struct place *place)
{
    char beside[PATH_SIZE + 8];

    snprintf(beside, sizeof beside, "%s.new", place->path);
    assert_int_equal(symlink(place->other, beside), 0);
    assert_int_equal(rename(beside, place->path), 0);
}

static void do_make_other(const struct place *place)
{
    assert_int_equal(write_new(place->other, "other"), 0);
}

static void do_write_other(const struct place *place)
{
    overwrite(place->other, 1);
}

static struct change {
    const char *name;
    void (*make)(const struct place *place);
    void (*change)(const struct place *place);
    bool is_seen;
} stamps[] = {
    {"a file left alone", make_file, do_nothing, false},
    {"a file that is read", make_file, do_read, false},
    {"a file replaced", make_file, do_replace, true},
    {"a file written to in place", make_file, do_write, true},
    {"a file appended to", make_file, do_append, true},
    {"a file removed", make_file, do_remove, true},
    {"no file", make_no_file, do_nothing, false},
    {"a file made", make_no_file, make_file, true},
    {"a link left alone", make_link_to_other, do_nothing, false},
    {"a link switched to the same file", make_link_to_other, do_switch, true},
    {"a link whose file is written to", make_link_to_other, do_write_other, true},
    {"a dangling link left alone", make_lost_link, do_nothing, false},
    {"a dangling link switched", make_lost_link, do_switch, true},
    {"a dangling link whose file is made", make_lost_link, do_make_other, true},
    {"a dangling link removed", make_lost_link, do_remove, true},
};

TEST_ROWS(test_stamp, stamps, name)
{
    const struct change *row = *state;
    struct place place;

    enter(&place);
    row->make(&place);
    struct xnm_stamp before = xnm_stamp_of(place.path);
    row->change(&place);
    struct xnm_stamp after = xnm_stamp_of(place.path);
    assert_int_equal(xnm_stamp_same(&before, &after), !row->is_seen);
    leave(&place);
}

TEST_MAIN
