/* SPDX-License-Identifier: BSD-3-Clause */
/* Targets of the log: files, whole lines in them, standard output and error. What a daemon does
 * with a path that leads to something else is tested in tests/unbound/test_targets.py. */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "module/log/logtarget.h"
#include "tests/unit/exact.h"
#include "tests/unit/filesize.h"

enum { NOBODY = 65534, WAIT_S = 60 };

/* --- around each test --- */

static char folder[] = "/tmp/test_logtarget.XXXXXX", path[64], moved[64];
static char report[512]; /* the last one */

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    (void)arg;
    assert_int_equal(severity, XNM_ERROR);
    xnm_diagnostics_text(place, message, report, sizeof report);
}

static const struct xnm_diagnostics diagnostics = {keep_report, NULL};

static struct xnm_logtarget *open_target(void)
{
    report[0] = '\0';
    struct xnm_logtarget *target = xnm_logtarget_open(path, false, &diagnostics);

    assert_string_equal(report, "");
    assert_non_null(target);
    return target;
}

/* From a buffer of exactly their size. Returns what the target took. */
static size_t write_lines(struct xnm_logtarget *target, const char *text)
{
    size_t len = strlen(text);
    char *lines = exact_copy(text, len);
    size_t taken = xnm_logtarget_write(target, lines, len);

    free(lines);
    return taken;
}

static void write_all(struct xnm_logtarget *target, const char *text)
{
    assert_int_equal(write_lines(target, text), strlen(text));
    assert_string_equal(xnm_logtarget_trouble(target), "");
}

static void make_file(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");

    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0 && fclose(stream) == 0);
}

static void expect_file(const char *file, const char *expected)
{
    FILE *stream = fopen(file, "r");
    char text[256];

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

/* Makes root, which may write anywhere, the user nobody for a while. */
static void as_nobody(bool begin)
{
    assert_true(getuid() != 0 || seteuid(begin ? NOBODY : 0) == 0);
}

/* --- files --- */

TEST(appends_to_a_file, "two targets append to a file, whose mode stays")
{
    struct stat status;

    make_file(path, "before\n");
    assert_int_equal(chmod(path, 0604), 0);
    struct xnm_logtarget *first = open_target(), *second = open_target();
    write_all(first, "1\n\n");
    write_all(second, "b\xC3\xBC\n");
    write_all(first, "3\n");
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    xnm_logtarget_close(NULL);
    expect_file(path, "before\n1\n\nb\xC3\xBC\n3\n");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604);
}

static const char irregular[] = "cannot log to it: not a regular file";
static const char is_link[] = "cannot log to it: it is a symbolic link; expected a regular file";

static void expect_refusal(const char *refused, const char *message)
{
    char expected[256];

    report[0] = '\0';
    snprintf(expected, sizeof expected, "%s: %s", refused, message);
    assert_null(xnm_logtarget_open(refused, false, &diagnostics));
    assert_string_equal(report, expected);
}

static struct refusal {
    const char *name;
    mode_t mode;      /* of what is made, with its type */
    const char *link; /* or where the symbolic link leads */
    const char *message;
} refusals[] = {
    {"a folder", S_IFDIR | 0700, NULL, "cannot log to it: Is a directory"},
    {"a FIFO", S_IFIFO | 0600, NULL, irregular},
    {"a socket", S_IFSOCK | 0600, NULL, irregular},
    {"a link to a file", 0, "other.log", is_link},
    {"a link to nothing", 0, "missing.log", is_link},
    {"a link to a device", 0, "/dev/stdout", is_link},
};

static void make_refused(const struct refusal *row)
{
    int made = row->link            ? symlink(row->link, path)
               : S_ISDIR(row->mode) ? mkdir(path, row->mode & 0777)
                                    : mknod(path, row->mode, 0);

    assert_int_equal(made, 0);
}

/* At a start, and in the place of an open file that has been moved away: reported, and the log
 * continues when a file may be there again. */
TEST_ROWS(refuses_other_kinds, refusals, name)
{
    const struct refusal *row = *state;

    assert_int_equal(remove(path), 0);
    make_refused(row);
    expect_refusal(path, row->message);
    assert_int_equal(remove(path), 0);
    struct xnm_logtarget *target = open_target();
    assert_int_equal(rename(path, moved), 0);
    make_refused(row);
    write_all(target, "not followed yet\n");
    xnm_logtarget_follow(target, &diagnostics);
    assert_int_equal(write_lines(target, "lost\n"), 0);
    assert_string_not_equal(xnm_logtarget_trouble(target), "");
    assert_non_null(strstr(report, row->message));
    assert_int_equal(remove(path), 0);
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "a file again\n");
    xnm_logtarget_close(target);
    expect_file(moved, "not followed yet\n");
    expect_file(path, "a file again\n");
    assert_int_equal(remove(moved), 0);
}

TEST(refuses_devices, "devices, and a file in a missing folder")
{
    expect_refusal("/dev/full", irregular);
    expect_refusal("/dev/null", irregular);
    expect_refusal("/tmp/test_logtarget.missing/idn.log",
                   "cannot log to it: No such file or directory");
}

/* Refused only to root: any user could make it write to the file of another user. */
TEST(refuses_second_names_to_root, "a hard link, by root and by another user")
{
    make_file(path, "");
    assert_true(chmod(path, 0666) == 0 && link(path, moved) == 0);
    if (geteuid() == 0)
        expect_refusal(path, "cannot log to it: root does not log to a file with a second name (a "
                             "hard link); expected a file with one name");
    as_nobody(true);
    struct xnm_logtarget *target = open_target();
    as_nobody(false);
    write_all(target, "one\n");
    xnm_logtarget_close(target);
    expect_file(moved, "one\n");
    assert_int_equal(remove(moved), 0);
}

/* A folder goes, or may not be written to: reported, and the log continues afterwards. */
TEST(waits_for_its_folder, "a folder that is shut")
{
    struct xnm_logtarget *target = open_target();

    assert_int_equal(remove(path), 0);
    assert_int_equal(chmod(folder, 0555), 0);
    as_nobody(true);
    xnm_logtarget_follow(target, &diagnostics);
    size_t taken = write_lines(target, "lost\n");
    expect_refusal(path, "cannot log to it: Permission denied");
    as_nobody(false);
    assert_int_equal(taken, 0);
    assert_string_equal(xnm_logtarget_trouble(target), strerror(EACCES));
    assert_int_equal(chmod(folder, 0755), 0);
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "back\n");
    xnm_logtarget_close(target);
    expect_file(path, "back\n");
}

TEST(follows_a_path, "truncated, moved away, replaced, removed")
{
    struct xnm_logtarget *target = open_target();

    write_all(target, "zero\n");
    assert_int_equal(truncate(path, 0), 0); /* logrotate's "copytruncate" */
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "one\n");
    assert_int_equal(rename(path, moved), 0);
    write_all(target, "two\n"); /* not followed yet */
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "three\n");
    expect_file(moved, "one\ntwo\n");
    assert_int_equal(rename(path, moved), 0);
    close(creat(path, 0604)); /* logrotate's "create" */
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "four\n");
    assert_int_equal(remove(path), 0);
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "five\n");
    xnm_logtarget_close(target);
    assert_string_equal(report, "");
    expect_file(moved, "three\n");
    expect_file(path, "five\n");
}

/* --- torn lines --- */

static struct torn {
    const char *name;
    size_t room; /* for "123\n567\n9\n" after "before\n" */
    size_t taken;
} torns[] = {
    {"torn: no room", 0, 0},
    {"torn: half of the first line", 2, 0},
    {"torn: all but its line feed", 3, 0},
    {"torn: the first line", 4, 4},
    {"torn: a line and a half", 7, 4},
    {"torn: all but the last line feed", 9, 8},
    {"torn: room for all", 10, 10},
};

TEST_ROWS(cuts_torn_lines, torns, name)
{
    const struct torn *row = *state;
    static const char lines[] = "123\n567\n9\n";
    char expected[64];

    make_file(path, "");
    struct xnm_logtarget *target = open_target();
    write_all(target, "before\n");
    limit_file_size(7 + row->room);
    size_t taken = write_lines(target, lines);
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(taken, row->taken);
    assert_int_equal(xnm_logtarget_trouble(target)[0] == '\0', taken == sizeof lines - 1);
    snprintf(expected, sizeof expected, "before\n%.*s", (int)taken, lines);
    expect_file(path, expected);
    if (taken < sizeof lines - 1)
        write_all(target, lines + taken);
    snprintf(expected, sizeof expected, "before\n%s", lines);
    expect_file(path, expected);
    xnm_logtarget_close(target);
}

static struct row {
    const char *name, *before, *after;
} rows[] = {
    {"an empty file", "", "line\n"},     {"a whole line", "whole\n", "whole\nline\n"},
    {"an empty line", "\n", "\nline\n"}, {"half a line", "whole\nhal", "whole\nhal\nline\n"},
    {"one octet", "h", "h\nline\n"},
};

TEST_ROWS(ends_half_lines, rows, name)
{
    const struct row *row = *state;

    make_file(path, row->before);
    struct xnm_logtarget *target = open_target();
    write_all(target, "line\n");
    xnm_logtarget_close(target);
    expect_file(path, row->after);
}

/* However many append to it, and however often it is opened. */
TEST(ends_a_line_once, "one line feed, however many open it")
{
    make_file(path, "half");
    xnm_logtarget_close(open_target());
    struct xnm_logtarget *first = open_target(), *second = open_target();
    write_all(first, "line\n");
    write_all(second, "line\n");
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    expect_file(path, "half\nline\nline\n");
}

/* The disk that tore the line is full still: no line is taken until there is room. Two have it open
 * meanwhile, and one alone ends the line. */
TEST(waits_for_room, "half a line on a full disk")
{
    make_file(path, "half");
    limit_file_size(4);
    struct xnm_logtarget *first = open_target(), *second = open_target();
    size_t taken = write_lines(first, "line\n");
    limit_file_size(RLIM_INFINITY);
    assert_int_equal(taken, 0);
    assert_string_equal(xnm_logtarget_trouble(first), strerror(EFBIG));
    expect_file(path, "half");
    write_all(first, "line\n");
    write_all(second, "line\n");
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    expect_file(path, "half\nline\nline\n");
}

/* The log cannot find whether a file that it may not read ends in half a line, and writes to it all
 * the same. */
TEST(writes_to_what_it_cannot_read, "a file that may be written alone")
{
    make_file(path, "half");
    assert_int_equal(chmod(path, 0222), 0);
    as_nobody(true);
    struct xnm_logtarget *target = open_target();
    as_nobody(false);
    write_all(target, "line\n");
    xnm_logtarget_close(target);
    assert_int_equal(chmod(path, 0644), 0);
    expect_file(path, "halfline\n");
}

/* --- standard output and error --- */

static int saved, pipe_ends[2]; /* the descriptor in hand, and what takes its place */
static volatile sig_atomic_t waited;

/* Nothing is asserted until restore(): a message would go where the lines go. */
static void redirect(int fd, int to)
{
    fflush(NULL);
    saved = dup(fd);
    dup2(to, fd);
}

static void restore(int fd)
{
    dup2(saved, fd);
    close(saved);
}

static int make_pair(int ends[2])
{
    return socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
}

static struct standard {
    const char *name;
    int (*make)(int ends[2]);
    const char *path;
    int fd;
    bool is_foreign; /* may not be opened a second time, as /proc/self/fd/2 */
} standards[] = {
    {"standard output is a pipe", pipe, "/dev/stdout", STDOUT_FILENO, false},
    {"standard error is a pipe", pipe, "/dev/stderr", STDERR_FILENO, false},
    {"standard output is a socket", make_pair, "/dev/stdout", STDOUT_FILENO, false},
    {"standard error is another user's pipe", pipe, "/dev/stderr", STDERR_FILENO, true},
};

/* The time limit has passed: the wait ends, and the test fails. */
static void end_wait(int signal)
{
    (void)signal;
    waited = 1;
    fcntl(pipe_ends[1], F_SETFL, O_NONBLOCK);
}

enum { TEXT_LEN = 1 << 20, CHUNK = 10000 };

/* A reader that reads only when nothing more is taken. Returns what it got: all, but for a wait. */
static size_t give_text(struct xnm_logtarget *target, const char *text, char *got)
{
    size_t given = 0, got_len = 0;

    while (got_len < TEXT_LEN && !waited) {
        size_t len = TEXT_LEN - given < CHUNK ? TEXT_LEN - given : CHUNK;
        size_t taken = xnm_logtarget_write(target, text + given, len);
        given += taken;
        if (taken < len && xnm_logtarget_trouble(target)[0] == '\0')
            break;
        if (taken == 0) {
            ssize_t read_len = read(pipe_ends[0], got + got_len, TEXT_LEN - got_len);
            got_len += read_len < 0 ? 0 : (size_t)read_len;
        }
    }
    return got_len;
}

/* The reader is stuck, then reads again, then is gone. The host's descriptor stays as it is. */
TEST_ROWS(writes_to_standard_streams, standards, name)
{
    const struct standard *row = *state;
    char *text = malloc(TEXT_LEN), *got = malloc(TEXT_LEN), line[17];

    assert_true(text && got && row->make(pipe_ends) == 0);
    for (size_t i = 0; i < TEXT_LEN; i += 16) /* an address in each line */
        snprintf(line, sizeof line, "%015zx\n", i), memcpy(text + i, line, 16);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    int flags = fcntl(pipe_ends[1], F_GETFL);
    report[0] = '\0', waited = 0;
    redirect(row->fd, pipe_ends[1]);
    as_nobody(row->is_foreign && fchmod(pipe_ends[1], 0) == 0);
    struct xnm_logtarget *target = xnm_logtarget_open(row->path, false, &diagnostics);
    as_nobody(false);
    alarm(WAIT_S);
    size_t got_len = target ? give_text(target, text, got) : 0;
    close(pipe_ends[0]);
    size_t taken = target ? write_lines(target, "lost\n") : 1;
    alarm(0);
    bool is_broken = target && strcmp(xnm_logtarget_trouble(target), strerror(EPIPE)) == 0;
    xnm_logtarget_close(target);
    bool is_same = fcntl(row->fd, F_GETFL) == flags;
    restore(row->fd);
    close(pipe_ends[1]);
    assert_non_null(target);
    assert_string_equal(report, "");
    assert_false(waited);
    assert_true(is_same);
    assert_true(is_broken && taken == 0);
    assert_int_equal(got_len, TEXT_LEN);
    assert_memory_equal(got, text, TEXT_LEN);
    free(text);
    free(got);
}

/* Standard output that is another user's file, and was not opened to append: as a service manager
 * leaves it to a daemon that goes on without its rights. */
TEST(leaves_no_hole, "a torn line leaves no hole")
{
    char name[] = "/tmp/test_logtarget.XXXXXX";
    int fd = mkstemp(name);
    char text[64] = "";

    assert_true(fd >= 0 && unlink(name) == 0 && fchmod(fd, 0) == 0);
    redirect(STDOUT_FILENO, fd);
    as_nobody(true);
    struct xnm_logtarget *target =
        xnm_logtarget_open("/dev/stdout", false, &xnm_diagnostics_ignored);
    as_nobody(false);
    limit_file_size(6);
    size_t taken = xnm_logtarget_write(target, "123\n567\n", 8);
    limit_file_size(RLIM_INFINITY);
    size_t rest = xnm_logtarget_write(target, "567\n9\n", 6);
    xnm_logtarget_close(target);
    bool was_shared = lseek(STDOUT_FILENO, 0, SEEK_CUR) > 0;
    restore(STDOUT_FILENO);
    assert_true(was_shared);
    assert_int_equal(taken, 4);
    assert_int_equal(rest, 6);
    assert_int_equal(pread(fd, text, sizeof text, 0), 10);
    assert_memory_equal(text, "123\n567\n9\n", 10);
    close(fd);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    sigaction(SIGALRM, &(struct sigaction){.sa_handler = end_wait}, NULL); /* no SA_RESTART */
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0) {
        perror(folder);
        return 1;
    }
    snprintf(path, sizeof path, "%s/idn.log", folder);
    snprintf(moved, sizeof moved, "%s/idn.log.1", folder);
    int failed = run_unit();
    remove_tree(folder);
    return failed;
}
