/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "module/log/logwriter.h"
#include "tests/unit/exact.h"
#include "tests/unit/filesize.h"
#include "tests/unit/waiting.h"

enum {
    THREADS = 4,
    LINES = 10000,       /* of each thread */
    MANY = 30000,        /* more than a pipe and a ring hold */
    LINE_MAX_LEN = 6000, /* its end with it */
    TEXT_MAX = 10000000,
    CLOSE_MAX_MS = 60000, /* for what is to take one second, and could last for ever */
    PROGRAM_MAX_S = 600,
};

/* --- around each test --- */

static char folder[] = "/tmp/test_logwriter.XXXXXX", text[TEXT_MAX];

/* Reports during the test at hand, from any thread. `odd` ones are not warnings of lost lines. */
static struct {
    atomic_uint odd, warnings;
    atomic_ullong lost; /* as the warnings say */
} reports;

static int host_fd;

/* A path in the folder. Valid for a test or two. */
static const char *path_of(const char *name, unsigned number)
{
    static char paths[64][96];
    static unsigned next;
    char *path = paths[next++ % 64];

    snprintf(path, sizeof *paths, "%s/%s.%u", folder, name, number);
    return path;
}

static void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                        const char *message)
{
    unsigned long long lost;
    int len = 0;

    (void)arg, (void)place;
    sscanf(message, "%llu log lines lost%n", &lost, &len);
    if (severity == XNM_WARNING && len > 0) {
        atomic_fetch_add(&reports.lost, lost);
        atomic_fetch_add(&reports.warnings, 1);
    } else {
        atomic_fetch_add(&reports.odd, 1);
    }
}

static void expect_reports(unsigned warnings, uint64_t lost)
{
    assert_int_equal(reports.odd, 0);
    assert_int_equal(reports.lost, lost);
    assert_int_equal(reports.warnings, warnings);
}

static void keep_host_line(void *arg, const char *line, size_t len)
{
    char copy[LINE_MAX_LEN];

    (void)arg;
    memcpy(copy, line, len);
    copy[len] = '\n';
    if (write(host_fd, copy, len + 1) != (ssize_t)len + 1)
        abort();
}

static struct xnm_logwriter *open_writer(const char *target, bool threads)
{
    static const struct xnm_diagnostics diagnostics = {keep_report, NULL};
    struct xnm_logwriter_options options = {.target = target,
                                            .host_log = {.write = keep_host_line},
                                            .diagnostics = &diagnostics,
                                            .threads = threads};

    return xnm_logwriter_open(&options);
}

/* The first of a test. */
static struct xnm_logwriter *open_first(const char *target, bool threads)
{
    reports.odd = reports.warnings = 0;
    reports.lost = 0;
    assert_int_equal(ftruncate(host_fd, 0), 0);
    struct xnm_logwriter *writer = open_writer(target, threads);
    assert_non_null(writer);
    assert_int_equal(xnm_logwriter_needs_time(writer), target != NULL);
    return writer;
}

/* From a buffer with room for the line and its end, and nothing else. */
static void write_line(struct xnm_logwriter *writer, const char *line)
{
    size_t len = strlen(line);
    char *copy = exact_copy(line, len + 1);

    xnm_logwriter_write(writer, copy, len);
    free(copy);
}

static uint64_t done_lines(struct xnm_logwriter *writer)
{
    struct xnm_logwriter_counts counts = xnm_logwriter_counts(writer);

    return counts.written + counts.lost;
}

/* Adds what there is to read to the text, its end with it. Returns the text's length. */
static size_t read_more(int fd, size_t len)
{
    ssize_t more;

    while ((more = read(fd, text + len, TEXT_MAX - 1 - len)) > 0)
        len += (size_t)more;
    text[len] = '\0';
    return len;
}

static size_t read_file(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    assert_true(fd >= 0);
    size_t len = read_more(fd, 0);
    close(fd);
    return len;
}

static size_t extra; /* octets of each line: more than a pipe takes whole */

/* Line `line` of thread `number`: of many lengths, and full of what tells it from the others. */
static size_t make_line(char *dst, unsigned number, unsigned line)
{
    size_t len = (size_t)sprintf(dst, "%u %05u ", number, line), tail = line * 7 % 300 + extra;

    memset(dst + len, 'a' + (int)(number + line) % 26, tail);
    dst[len + tail] = '\n';
    return len + tail;
}

static void give_lines(struct xnm_logwriter *writer, unsigned from, unsigned to)
{
    char line[LINE_MAX_LEN];

    for (unsigned i = from; i < to; i++)
        xnm_logwriter_write(writer, line, make_line(line, 0, i));
}

/* The text's lines are whole, and each thread's are in their order. Returns how many they are. */
static unsigned check_lines(size_t len)
{
    char expected[LINE_MAX_LEN];
    unsigned next[THREADS] = {0}, lines = 0;

    for (const char *at = text, *end = text + len; at < end; lines++) {
        unsigned number = at[0] == '0' ? 0 : (unsigned)strtoul(at, NULL, 10) % THREADS;
        unsigned line = at[1] == ' ' ? (unsigned)strtoul(at + 2, NULL, 10) % 100000 : 0;
        size_t expected_len = make_line(expected, number, line) + 1;
        if (line < next[number] || expected_len > (size_t)(end - at) ||
            memcmp(at, expected, expected_len) != 0)
            fail_msg("after %u lines: %.60s", lines, at);
        next[number] = line + 1;
        at += expected_len;
    }
    return lines;
}

/* --- targets --- */

static void writes_to_files(void **state)
{
    const char *path = path_of("file", 0);
    const bool threads = **(const bool **)state;

    remove(path);
    for (int i = 0; i < 2; i++) {
        struct xnm_logwriter *writer = open_first(path, threads);
        write_line(writer, "one");
        write_line(writer, "");
        WAIT_A_WHILE_FOR(xnm_logwriter_counts(writer).written == 2);
        assert_int_equal(xnm_logwriter_close(writer).written, 2);
    }
    read_file(path);
    assert_string_equal(text, "one\n\none\n\n");
    assert_int_equal(lseek(host_fd, 0, SEEK_END), 0);
    expect_reports(0, 0);
    assert_null(open_writer(folder, threads));
    assert_int_equal(reports.odd, 1);
    xnm_logwriter_close(NULL);
}

static void writes_to_the_host(void **state)
{
    struct xnm_logwriter *writer = open_first(NULL, **(const bool **)state);

    write_line(writer, "one");
    write_line(writer, "");
    write_line(writer, "three");
    xnm_logwriter_close(writer);
    read_file(path_of("host", 0));
    assert_string_equal(text, "one\n\nthree\n");
    expect_reports(0, 0);
}

/* Two of the module in one daemon: each thread gives each reply to both. */
static void shares_a_file(void **state)
{
    const char *path = path_of("two", 0);
    struct xnm_logwriter *first = open_first(path, **(const bool **)state);
    struct xnm_logwriter *second = open_writer(path, **(const bool **)state);

    assert_non_null(second);
    assert_int_equal(truncate(path, 0), 0);
    for (unsigned i = 0; i < 1000; i++) {
        write_line(first, "1");
        write_line(second, "2");
    }
    xnm_logwriter_close(first);
    write_line(second, "3");
    xnm_logwriter_close(second);
    expect_reports(0, 0);
    assert_int_equal(read_file(path), 4002);
    for (size_t i = 0; i < 4002; i += 2)
        assert_true(strchr("123", text[i]) && text[i + 1] == '\n');
}

/* --- threads --- */

static struct race {
    const char *name;
    bool threads;
    unsigned rounds; /* each has a writer of its own */
} races[] = {
    {"a ring each: four threads that outlive a writer", true, 3},
    {"direct: four threads that outlive a writer", false, 3},
};

static struct xnm_logwriter *common; /* all threads' */
static pthread_barrier_t barrier;
static atomic_uint rounds;

static void *run_thread(void *arg)
{
    char line[LINE_MAX_LEN];

    for (unsigned round = 0; round < rounds; round++) {
        pthread_barrier_wait(&barrier);
        for (unsigned i = 0; i < LINES; i++)
            xnm_logwriter_write(common, line, make_line(line, *(unsigned *)arg, i));
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

static void run_round(const char *path, const struct race *row)
{
    common = open_first(path, row->threads);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    WAIT_A_WHILE_FOR(done_lines(common) >= THREADS * LINES);
    struct xnm_logwriter_counts counts = xnm_logwriter_close(common);
    assert_int_equal(counts.written + counts.lost, THREADS * LINES);
    assert_int_equal(check_lines(read_file(path)), counts.written);
    assert_true(counts.lost == 0 || row->threads);
    assert_int_equal(reports.lost, counts.lost);
    assert_int_equal(remove(path), 0);
}

TEST_ROWS(writes_from_threads, races, name)
{
    static const unsigned numbers[THREADS] = {0, 1, 2, 3};
    const struct race *row = *state;
    pthread_t threads[THREADS];
    char path[96];

    strcpy(path, path_of("race", 0));

    rounds = row->rounds;
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(
            pthread_create(&threads[i], NULL, run_thread, (void *)(uintptr_t)&numbers[i]), 0);
    for (unsigned i = 0; i < row->rounds; i++)
        run_round(path, row);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&barrier);
}

/* --- targets that do not take a line --- */

static struct stuck {
    const char *name;
    bool threads, is_gone;
} stucks[] = {
    {"a ring each: a reader that is gone", true, true},
    {"direct: a reader that is gone", false, true},
    {"a ring each: a reader that is stuck, long lines", true, false},
    {"direct: a reader that is stuck, long lines", false, false},
};

/* Writes, lets the pipe be read again, and writes ten more. Nothing is asserted while standard
 * error is the pipe. */
TEST_ROWS(survives_readers, stucks, name)
{
    const struct stuck *row = *state;
    const unsigned many = row->is_gone ? MANY : MANY / 30;
    int ends[2], saved = dup(STDERR_FILENO);

    extra = row->is_gone ? 0 : 4000;
    assert_true(pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    struct xnm_logwriter *writer = open_first("/dev/stderr", row->threads);
    if (row->is_gone)
        close(ends[0]);
    give_lines(writer, 0, many);
    WAIT_A_WHILE_FOR(reports.warnings > 0); /* at once */
    give_lines(writer, many, many + 10);
    int64_t elapsed = -now_ms();
    xnm_logwriter_close(writer);
    elapsed += now_ms();
    unsigned warnings = reports.warnings;
    size_t len = row->is_gone ? 0 : read_more(ends[0], 0);
    writer = open_writer("/dev/stderr", row->threads);
    give_lines(writer, many + 10, many + 20);
    xnm_logwriter_close(writer);
    dup2(saved, STDERR_FILENO);
    close(saved);
    len = row->is_gone ? 0 : read_more(ends[0], len);
    assert_int_equal(reports.lost, many + 20 - check_lines(len));
    assert_true(row->is_gone || strstr(text, " 01019 "));
    assert_int_equal(warnings, 2);
    assert_in_range(elapsed, 0, CLOSE_MAX_MS);
    extra = 0;
}

/* Room for some lines and a part of one; later for all. */
static void survives_a_full_disk(void **state)
{
    const bool threads = **(const bool **)state;
    const char *path = path_of("full", threads);
    struct xnm_logwriter *writer = open_first(path, threads);

    limit_file_size(1000);
    give_lines(writer, 0, MANY);
    WAIT_A_WHILE_FOR(reports.warnings > 0);
    limit_file_size(RLIM_INFINITY);
    WAIT_A_WHILE_FOR(done_lines(writer) >= MANY);
    give_lines(writer, MANY, MANY + 1);
    WAIT_A_WHILE_FOR(done_lines(writer) >= MANY + 1);
    struct xnm_logwriter_counts counts = xnm_logwriter_close(writer);
    size_t len = read_file(path);
    assert_int_equal(check_lines(len), counts.written);
    assert_int_equal(counts.written + counts.lost, MANY + 1);
    assert_non_null(strstr(text, " 30000 "));
    assert_true(threads ? len > 1000000 : len < 2000);
    assert_int_equal(reports.lost, counts.lost);
    assert_int_equal(reports.odd, 0);
}

static void add_in_both_modes(const char *name, CMUnitTestFunction function)
{
    static char names[20][64];
    static unsigned count;
    static const bool modes[] = {true, false};

    for (int i = 0; i < 2; i++) {
        char *full = names[count++];
        snprintf(full, sizeof *names, "%s: %s", modes[i] ? "a ring each" : "direct", name);
        add_test(full, function, (void *)(uintptr_t)&modes[i]);
    }
}

/* One thread gives lines to more writers than it remembers. */
TEST(writes_to_many, "one thread, many writers")
{
    enum { WRITERS = 6, ROUNDS = 300 };
    struct xnm_logwriter *writers[WRITERS];

    for (unsigned i = 0; i < WRITERS; i++)
        writers[i] =
            i == 0 ? open_first(path_of("many", i), true) : open_writer(path_of("many", i), true);
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned i = 0; i < WRITERS; i++)
            write_line(writers[i], "a");
    for (unsigned i = 0; i < WRITERS; i++) {
        struct xnm_logwriter_counts counts = xnm_logwriter_close(writers[i]);
        assert_int_equal(counts.written, ROUNDS);
        assert_int_equal(counts.lost, 0);
        assert_int_equal(remove(path_of("many", i)), 0);
    }
    expect_reports(0, 0);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    alarm(PROGRAM_MAX_S);
    if (!mkdtemp(folder) ||
        (host_fd = open(path_of("host", 0), O_WRONLY | O_CREAT | O_APPEND, 0600)) < 0) {
        perror(folder);
        return 1;
    }
    add_in_both_modes("a file", writes_to_files);
    add_in_both_modes("the host's log", writes_to_the_host);
    add_in_both_modes("two writers of one file", shares_a_file);
    add_in_both_modes("a disk that is full for a while", survives_a_full_disk);
    int failed = run_unit();
    remove_tree(folder);
    return failed;
}
