/* SPDX-License-Identifier: BSD-3-Clause */
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

static char folder[] = "/tmp/test_logtarget.XXXXXX";
static char reports[4096]; /* of the test in hand, each on a line of its own */

/* A path in the folder. Valid until the fifth call from now. */
static const char *path_of(const char *name)
{
    static char paths[5][96];
    static unsigned next;
    char *path = paths[next++ % COUNT(paths)];

    snprintf(path, sizeof *paths, "%s/%s", folder, name);
    return path;
}

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    size_t len = strlen(reports);

    (void)arg;
    assert_int_equal(severity, XNM_ERROR);
    xnm_diagnostic_text(place, message, reports + len, sizeof reports - len - 1);
    strcat(reports, "\n");
}

static const struct xnm_diagnostics diagnostics = {keep_report, NULL};

static void expect_reports(const char *path, const char *message, unsigned count)
{
    char expected[512] = "";

    for (size_t len = 0; count-- > 0; len = strlen(expected))
        snprintf(expected + len, sizeof expected - len, "%s: %s\n", path, message);
    assert_string_equal(reports, expected);
    reports[0] = '\0';
}

static struct xnm_logtarget *open_good_target(const char *path)
{
    reports[0] = '\0';
    struct xnm_logtarget *target = xnm_logtarget_open(path, false, &diagnostics);

    assert_string_equal(reports, "");
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

static void expect_file(const char *path, const char *expected)
{
    FILE *file = fopen(path, "r");
    char text[256];

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* --- files --- */

TEST(test_new_file, "a new file has mode 0640")
{
    const char *path = path_of("new.log");
    mode_t old = umask(0);
    struct xnm_logtarget *target = open_good_target(path);

    umask(old);
    write_all(target, "one\n\n");
    write_all(target, "b\xC3\xBC\n");
    xnm_logtarget_close(target);
    xnm_logtarget_close(NULL);
    expect_file(path, "one\n\nb\xC3\xBC\n");
    assert_int_equal(mode_of(path), 0640);
}

TEST(test_old_file, "an old file is appended to")
{
    const char *path = path_of("old.log");
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs("before\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0604), 0);
    struct xnm_logtarget *first = open_good_target(path), *second = open_good_target(path);
    write_all(first, "1\n");
    write_all(second, "2\n");
    write_all(first, "3\n");
    xnm_logtarget_close(first);
    xnm_logtarget_close(second);
    expect_file(path, "before\n1\n2\n3\n");
    assert_int_equal(mode_of(path), 0604);
}

/* --- what is no target --- */

static const char in_a_link[] = "cannot log to it: it is a symbolic link; expected a regular file";
static const char second_name[] = "cannot log to it: root does not log to a file with a second "
                                  "name (a hard link); expected a file with one name";
static const char irregular[] = "cannot log to it: not a regular file";
static const char missing[] = "cannot log to it: No such file or directory";
static const char denied[] = "cannot log to it: Permission denied";

static struct refusal {
    const char *name;
    mode_t mode;      /* of what is made, with its type */
    const char *link; /* or where the symbolic link leads */
    const char *message;
    bool is_read;
} refusals[] = {
    {"a folder", S_IFDIR | 0700, NULL, "cannot log to it: Is a directory", false},
    {"a FIFO that nobody reads", S_IFIFO | 0600, NULL, irregular, false},
    {"a FIFO with a reader", S_IFIFO | 0600, NULL, irregular, true},
    {"a socket", S_IFSOCK | 0600, NULL, irregular, false},
    {"a symbolic link to a file", 0, "target.log", in_a_link, false},
    {"a symbolic link to nothing", 0, "missing.log", in_a_link, false},
    {"a symbolic link to a device", 0, "/dev/stdout", in_a_link, false},
};

static void make_refused(const struct refusal *row, const char *path)
{
    int made = row->link            ? symlink(row->link, path)
               : S_ISDIR(row->mode) ? mkdir(path, row->mode & 0777)
                                    : mknod(path, row->mode, 0);

    assert_int_equal(made, 0);
    if (row->is_read) /* until the end */
        assert_true(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) >= 0);
}

static void expect_refusal(const char *path, const char *message)
{
    reports[0] = '\0';
    assert_null(xnm_logtarget_open(path, false, &diagnostics));
    expect_reports(path, message, 1);
}

/* At first, and in the place of an open file that has been moved away. */
TEST_ROWS(test_refusal, refusals, name)
{
    const struct refusal *row = *state;
    const char *path = path_of("refused.log"), *moved = path_of("moved.log");

    close(creat(path_of("target.log"), 0600));
    make_refused(row, path);
    expect_refusal(path, row->message);
    assert_int_equal(remove(path), 0);

    struct xnm_logtarget *target = open_good_target(path);
    assert_int_equal(rename(path, moved), 0);
    make_refused(row, path);
    write_all(target, "not followed yet\n");
    for (int i = 0; i < 3; i++) {
        xnm_logtarget_follow(target, &diagnostics);
        assert_int_equal(write_lines(target, "lost\n"), 0);
        assert_string_not_equal(xnm_logtarget_trouble(target), "");
    }
    expect_reports(path, row->message, 1); /* once */
    assert_int_equal(remove(path), 0);
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "a file again\n");
    xnm_logtarget_close(target);
    assert_string_equal(reports, "");
    expect_file(moved, "not followed yet\n");
    expect_file(path, "a file again\n");
    assert_int_equal(remove(path), 0);
    assert_int_not_equal(access(path_of("missing.log"), F_OK), 0);
}

TEST(test_refused_paths, "devices, and a file in a missing folder")
{
    expect_refusal("/dev/full", irregular);
    expect_refusal("/dev/null", irregular);
    expect_refusal(path_of("missing/idn.log"), missing);
}

/* Makes root, which may write anywhere, the user nobody for a while. */
static void as_nobody(bool begin)
{
    assert_true(getuid() != 0 || seteuid(begin ? NOBODY : 0) == 0);
}

/* Refused only to root: any user could make it write to the file of another user. */
TEST(test_second_name, "a hard link, by root and by another user")
{
    const char *path = path_of("second.log"), *first = path_of("first.log");

    close(creat(first, 0600));
    assert_true(chmod(first, 0666) == 0 && link(first, path) == 0);
    if (geteuid() == 0)
        expect_refusal(path, second_name);
    as_nobody(true);
    struct xnm_logtarget *target = xnm_logtarget_open(path, false, &diagnostics);
    as_nobody(false);
    assert_string_equal(reports, "");
    write_all(target, "one\n");
    xnm_logtarget_close(target);
    expect_file(first, "one\n");
}

/* --- following --- */

TEST(test_move, "truncated, moved away, replaced, removed")
{
    const char *path = path_of("move.log"), *moved = path_of("moved.log");
    struct xnm_logtarget *target = open_good_target(path);

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
    assert_string_equal(reports, "");
    expect_file(moved, "three\n");
    expect_file(path, "five\n");
}

TEST(test_folder_comes_back, "a folder that goes and comes back")
{
    const char *away = path_of("away"), *gone = path_of("gone"), *path = path_of("away/idn.log");

    assert_int_equal(mkdir(away, 0700), 0);
    struct xnm_logtarget *target = open_good_target(path);
    write_all(target, "one\n");
    for (int i = 0; i < 2; i++) { /* each time is a first time */
        assert_int_equal(rename(away, gone), 0);
        xnm_logtarget_follow(target, &diagnostics);
        xnm_logtarget_follow(target, &diagnostics);
        assert_int_equal(write_lines(target, "lost\n"), 0);
        expect_reports(path, missing, 1);
        assert_int_equal(rename(gone, away), 0);
        xnm_logtarget_follow(target, &diagnostics);
        write_all(target, "back\n");
    }
    xnm_logtarget_close(target);
    assert_string_equal(reports, "");
    expect_file(path, "one\nback\nback\n");
}

TEST(test_unwritable_folder, "a folder that may not be written to")
{
    const char *shut = path_of("shut"), *path = path_of("shut/idn.log");

    assert_int_equal(mkdir(shut, 0755), 0);
    struct xnm_logtarget *target = open_good_target(path);
    assert_int_equal(remove(path), 0);
    assert_int_equal(chmod(shut, 0555), 0);
    as_nobody(true);
    for (int i = 0; i < 3; i++)
        xnm_logtarget_follow(target, &diagnostics);
    size_t taken = write_lines(target, "lost\n");
    struct xnm_logtarget *second = xnm_logtarget_open(path, false, &diagnostics);
    as_nobody(false);
    assert_null(second);
    assert_int_equal(taken, 0);
    assert_string_equal(xnm_logtarget_trouble(target), strerror(EACCES));
    expect_reports(path, denied, 2); /* to follow, and to open */
    assert_int_equal(chmod(shut, 0755), 0);
    xnm_logtarget_follow(target, &diagnostics);
    write_all(target, "back\n");
    xnm_logtarget_close(target);
    assert_string_equal(reports, "");
    expect_file(path, "back\n");
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

TEST_ROWS(test_torn, torns, name)
{
    const struct torn *row = *state;
    static const char lines[] = "123\n567\n9\n";
    const char *path = path_of("torn.log");
    char expected[64];
    struct xnm_logtarget *target = open_good_target(path);

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
    assert_int_equal(remove(path), 0);
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
TEST_ROWS(test_standard, standards, name)
{
    const struct standard *row = *state;
    char *text = malloc(TEXT_LEN), *got = malloc(TEXT_LEN), line[17];

    assert_true(text && got && row->make(pipe_ends) == 0);
    for (size_t i = 0; i < TEXT_LEN; i += 16) /* an address in each line */
        snprintf(line, sizeof line, "%015zx\n", i), memcpy(text + i, line, 16);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    int flags = fcntl(pipe_ends[1], F_GETFL);
    reports[0] = '\0', waited = 0;
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
    assert_string_equal(reports, "");
    assert_false(waited);
    assert_true(is_same);
    assert_true(is_broken && taken == 0);
    assert_int_equal(got_len, TEXT_LEN);
    assert_memory_equal(got, text, TEXT_LEN);
    free(text);
    free(got);
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
    int failed = run_unit();
    remove_tree(folder);
    return failed;
}
