/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/logwriter.h"
#include "tests/unit/exact.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { NOBODY = 65534 };

/* --- around each test --- */

static char folder[] = "/tmp/test_logwriter.XXXXXX";
static char reports[4096]; /* of the test in hand, each on a line of its own */
static struct test_group group;

/* A path in the folder. Valid until the next call. */
static const char *path_of(const char *name)
{
    static char path[64];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    size_t len = strlen(reports);

    (void)arg;
    assert_int_equal(severity, XNM_ERROR);
    xnm_report_text(place, message, reports + len, sizeof reports - len - 1);
    strcat(reports, "\n");
}

static struct xnm_logwriter *open_writer(const char *target, xnm_log_sink *host_log)
{
    static const struct xnm_reporter reporter = {keep_report, NULL};

    reports[0] = '\0';
    return xnm_logwriter_open(target, host_log, &reporter);
}

static struct xnm_logwriter *open_good_writer(const char *target)
{
    struct xnm_logwriter *writer = open_writer(target, NULL);

    assert_string_equal(reports, "");
    assert_non_null(writer);
    assert_true(xnm_logwriter_needs_time(writer));
    return writer;
}

/* From a buffer with room for the line and its end, and nothing else. */
static void write_line(struct xnm_logwriter *writer, const char *text)
{
    size_t len = strlen(text);
    char *line = exact_copy(text, len + 1);

    xnm_logwriter_write(writer, line, len);
    free(line);
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t cap = 0;

    assert_non_null(file);
    if (getdelim(&text, &cap, '\0', file) < 0)
        text = strdup("");
    fclose(file);
    return text;
}

static void expect_file(const char *path, const char *expected)
{
    char *text = read_file(path);

    assert_string_equal(text, expected);
    free(text);
}

static mode_t mode_of(const char *path)
{
    struct stat status;

    assert_int_equal(stat(path, &status), 0);
    return status.st_mode & 07777;
}

/* --- files --- */

static void test_new_file(void **state)
{
    const char *path = path_of("new.log");
    mode_t old = umask(0);
    struct xnm_logwriter *writer = open_good_writer(path);

    (void)state;
    umask(old);
    write_line(writer, "one");
    write_line(writer, "");
    write_line(writer, "b\xC3\xBC"
                       "cher");
    xnm_logwriter_close(writer);
    expect_file(path, "one\n\nb\xC3\xBC"
                      "cher\n");
    assert_int_equal(mode_of(path), 0640);
}

static void test_old_file(void **state)
{
    const char *path = path_of("old.log");
    FILE *file = fopen(path, "w");

    (void)state;
    assert_non_null(file);
    fputs("before\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0604), 0);
    for (int i = 0; i < 2; i++) {
        struct xnm_logwriter *writer = open_good_writer(path);
        write_line(writer, "after");
        xnm_logwriter_close(writer);
    }
    expect_file(path, "before\nafter\nafter\n");
    assert_int_equal(mode_of(path), 0604);
}

/* Two writers of one file, as a reload has them for a moment. */
static void test_two_writers(void **state)
{
    const char *path = path_of("two.log");
    struct xnm_logwriter *first = open_good_writer(path), *second = open_good_writer(path);

    (void)state;
    write_line(first, "1");
    write_line(second, "2");
    write_line(first, "3");
    xnm_logwriter_close(first);
    write_line(second, "4");
    xnm_logwriter_close(second);
    expect_file(path, "1\n2\n3\n4\n");
}

/* --- what is no target --- */

static int make_nothing(const char *path)
{
    (void)path;
    return 0;
}

static int make_folder(const char *path)
{
    return mkdir(path, 0700);
}

static int make_fifo(const char *path)
{
    return mkfifo(path, 0600);
}

static int make_fifo_with_reader(const char *path)
{
    int made = mkfifo(path, 0600);

    return made != 0 ? made : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) < 0; /* until the end */
}

static int make_link_to_file(const char *path)
{
    int fd = creat(path_of("target.log"), 0600);

    close(fd);
    return symlink("target.log", path);
}

static int make_link_to_nothing(const char *path)
{
    return symlink("missing.log", path);
}

static int make_link_to_device(const char *path)
{
    return symlink("/dev/stdout", path);
}

static const char in_a_link[] = "cannot log to it: it is a symbolic link; expected a regular file";
static const char irregular[] = "cannot log to it: not a regular file";

static struct refusal {
    const char *name;
    const char *path; /* in the folder, if it begins with no slash */
    int (*make)(const char *path);
    const char *message;
} refusals[] = {
    {"a folder", "folder", make_folder, "cannot log to it: Is a directory"},
    {"a FIFO that nobody reads", "fifo", make_fifo, irregular},
    {"a FIFO with a reader", "read-fifo", make_fifo_with_reader, irregular},
    {"a symbolic link to a file", "link", make_link_to_file, in_a_link},
    {"a symbolic link to nothing", "dangling", make_link_to_nothing, in_a_link},
    {"a symbolic link to a device", "device", make_link_to_device, in_a_link},
    {"/dev/full", "/dev/full", make_nothing, irregular},
    {"/dev/null", "/dev/null", make_nothing, irregular},
    {"a file in a missing folder", "missing/idn.log", make_nothing,
     "cannot log to it: No such file or directory"},
};

static void test_refusal(void **state)
{
    const struct refusal *row = *state;
    char path[64], expected[256];

    snprintf(path, sizeof path, "%s", row->path[0] == '/' ? row->path : path_of(row->path));
    assert_int_equal(row->make(path), 0);
    assert_null(open_writer(path, NULL));
    snprintf(expected, sizeof expected, "%s: %s\n", path, row->message);
    assert_string_equal(reports, expected);
    assert_int_not_equal(access(path_of("missing.log"), F_OK), 0);
}

/* root may write anywhere: it becomes nobody for the attempt. */
static void test_unwritable_folder(void **state)
{
    char path[64], expected[256];
    uid_t user = geteuid();

    (void)state;
    assert_int_equal(mkdir(path_of("locked"), 0555), 0);
    snprintf(path, sizeof path, "%s", path_of("locked/idn.log"));
    assert_int_equal(chmod(folder, 0755), 0);
    assert_true(user != 0 || seteuid(NOBODY) == 0);
    struct xnm_logwriter *writer = open_writer(path, NULL);
    assert_true(user != 0 || seteuid(user) == 0);
    assert_null(writer);
    snprintf(expected, sizeof expected, "%s: cannot log to it: Permission denied\n", path);
    assert_string_equal(reports, expected);
}

/* --- standard output and error --- */

static struct standard {
    const char *target;
    int fd;
} standards[] = {{"/dev/stdout", STDOUT_FILENO}, {"/dev/stderr", STDERR_FILENO}};

/* The descriptor itself is written to and stays open: no file of that name is opened. */
static void test_standard(void **state)
{
    const struct standard *row = *state;
    char text[32] = "";
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    int saved = dup(row->fd);
    dup2(ends[1], row->fd);
    struct xnm_logwriter *writer = open_writer(row->target, NULL);
    if (writer)
        write_line(writer, "one");
    xnm_logwriter_close(writer);
    bool still_open = write(row->fd, "two", 3) == 3;
    dup2(saved, row->fd);
    close(saved);
    close(ends[1]);
    assert_string_equal(reports, "");
    assert_non_null(writer);
    assert_true(still_open);
    assert_int_equal(read(ends[0], text, sizeof text - 1), 7);
    assert_string_equal(text, "one\ntwo");
    close(ends[0]);
}

/* --- lines that the target does not take --- */

/* Runs in a process of its own, which must end by itself. */
static void expect_return(void (*body)(const char *target), const char *target)
{
    int status;

    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(5); /* only if it hangs */
        body(target);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        fail_msg("died of signal %d", WTERMSIG(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void write_to_full_pipe(const char *target)
{
    int ends[2];
    static char block[4096];
    struct xnm_logwriter *writer;

    if (pipe(ends) != 0 || fcntl(ends[1], F_SETFL, O_NONBLOCK) != 0)
        _exit(2);
    while (write(ends[1], block, sizeof block) > 0)
        continue;
    fcntl(ends[1], F_SETFL, 0);
    dup2(ends[1], STDOUT_FILENO);
    if (!(writer = open_writer(target, NULL)))
        _exit(3);
    write_line(writer, "lost");
    xnm_logwriter_close(writer);
}

static void test_stuck_reader(void **state)
{
    (void)state;
    expect_return(write_to_full_pipe, "/dev/stdout");
}

/* Room for two lines and a half, then for all. */
static void write_to_full_disk(const char *target)
{
    struct xnm_logwriter *writer = open_writer(target, NULL);
    struct rlimit limit = {25, RLIM_INFINITY};

    signal(SIGXFSZ, SIG_IGN);
    if (!writer || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    for (int i = 0; i < 4; i++)
        write_line(writer, "123456789");
    limit.rlim_cur = RLIM_INFINITY;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    write_line(writer, "room again");
    xnm_logwriter_close(writer);
}

/* A line that does not fit is lost as a whole: no half of it is the beginning of the next. */
static void test_full_disk(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof path, "%s", path_of("full.log"));
    expect_return(write_to_full_disk, path);
    expect_file(path, "123456789\n123456789\nroom again\n");
}

/* --- the host's log --- */

static char host_line[64];
static unsigned host_lines;

static void keep_host_line(const char *line, size_t len)
{
    assert_true(len < sizeof host_line);
    memcpy(host_line, line, len);
    host_line[len] = '\0';
    host_lines++;
}

static void test_host_log(void **state)
{
    struct xnm_logwriter *writer = open_writer(NULL, keep_host_line);

    (void)state;
    assert_string_equal(reports, "");
    assert_non_null(writer);
    assert_false(xnm_logwriter_needs_time(writer));
    write_line(writer, "one");
    assert_string_equal(host_line, "one");
    write_line(writer, "");
    assert_string_equal(host_line, "");
    assert_int_equal(host_lines, 2);
    xnm_logwriter_close(writer);
}

/* A file's writer leaves the host's log alone. */
static void test_host_log_unused(void **state)
{
    struct xnm_logwriter *writer = open_writer(path_of("unused.log"), keep_host_line);
    unsigned before = host_lines;

    (void)state;
    assert_non_null(writer);
    write_line(writer, "one");
    xnm_logwriter_close(writer);
    xnm_logwriter_close(NULL);
    assert_int_equal(host_lines, before);
}

/* --- threads --- */

enum { THREADS = 4, LINES = 10000, LINE_MAX_LEN = 400 };

struct thread {
    pthread_t id;
    unsigned number;
    struct xnm_logwriter *writer;
};

/* Line `line` of thread `number`: of many lengths, and full of what tells it from the others. */
static int make_line(char *dst, unsigned number, unsigned line)
{
    int len = sprintf(dst, "%u %05u ", number, line);
    int tail = (int)(line * 7 % 300);

    memset(dst + len, 'a' + (int)(number + line) % 26, (size_t)tail);
    dst[len + tail] = '\0';
    return len + tail;
}

static void *write_lines(void *arg)
{
    const struct thread *thread = arg;
    char line[LINE_MAX_LEN];

    for (unsigned i = 0; i < LINES; i++)
        xnm_logwriter_write(thread->writer, line, (size_t)make_line(line, thread->number, i));
    return NULL;
}

static void test_threads(void **state)
{
    char path[64], expected[LINE_MAX_LEN];
    struct thread threads[THREADS];
    unsigned next[THREADS] = {0};

    (void)state;
    snprintf(path, sizeof path, "%s", path_of("threads.log"));
    struct xnm_logwriter *writer = open_good_writer(path);
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = (struct thread){.number = i, .writer = writer};
        assert_int_equal(pthread_create(&threads[i].id, NULL, write_lines, &threads[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i].id, NULL);
    xnm_logwriter_close(writer);

    char *text = read_file(path), *rest = text;
    while (*rest) {
        char *line = strsep(&rest, "\n");
        unsigned number = (unsigned)(line[0] - '0');
        assert_non_null(rest);
        assert_true(number < THREADS && next[number] < LINES);
        make_line(expected, number, next[number]++);
        assert_string_equal(line, expected);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(next[i], LINES);
    free(text);
}

static void remove_folder(void)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

int main(void)
{
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    add_test(&group, "a new file has mode 0640", test_new_file, NULL);
    add_test(&group, "an old file is appended to", test_old_file, NULL);
    add_test(&group, "two writers of one file", test_two_writers, NULL);
    for (size_t i = 0; i < COUNT(refusals); i++)
        add_test(&group, refusals[i].name, test_refusal, &refusals[i]);
    add_test(&group, "a folder that may not be written to", test_unwritable_folder, NULL);
    for (size_t i = 0; i < COUNT(standards); i++)
        add_test(&group, standards[i].target, test_standard, &standards[i]);
    add_test(&group, "a reader that is stuck", test_stuck_reader, NULL);
    add_test(&group, "a disk that is full for a while", test_full_disk, NULL);
    add_test(&group, "the host's log", test_host_log, NULL);
    add_test(&group, "the host's log is left alone", test_host_log_unused, NULL);
    add_test(&group, "lines of four threads stay whole", test_threads, NULL);
    int failed = run_group("logwriter", &group);
    remove_folder();
    return failed;
}
