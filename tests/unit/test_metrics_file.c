/* SPDX-License-Identifier: BSD-3-Clause */
/* The metrics file is replaced as a whole; where it cannot be, the old one is left. */
#include "tests/unit/vectors.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/run/metrics.h"
#include "tests/unit/exact.h"

#define BEGINNING "# HELP unbound_idn_" /* of each text */
#define BEFORE BEGINNING "before\n"
#define AFTER BEGINNING "after this\n"

enum { NOBODY = 65534, TEXT_MAX = 1 << 17 };

static char folder[64], path[96], beside[96], victim[96], text_of_file[TEXT_MAX + 1];
static const char *target = path; /* what is written */

/* --- around each test --- */

static void remove_all(void)
{
    chmod(folder, 0755);
    remove(path);
    remove(beside);
    remove(victim);
}

static bool write_plain(const char *file, const char *text)
{
    FILE *stream = fopen(file, "w");

    return stream && fputs(text, stream) >= 0 && fclose(stream) == 0;
}

static const char *read_plain(const char *file)
{
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd < 0 ? -1 : read(fd, text_of_file, TEXT_MAX);

    close(fd);
    text_of_file[len < 0 ? 0 : len] = '\0';
    return text_of_file;
}

static bool write_text(const char *text, const char **error)
{
    size_t len = strlen(text);
    char *exact = exact_copy(text, len);
    bool good = xnm_metrics_write(target, exact, len, error);

    free(exact);
    return good;
}

static void expect_after(void)
{
    struct stat status;

    assert_string_equal(read_plain(path), AFTER);
    assert_int_equal(lstat(path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0644);
    assert_int_equal(lstat(beside, &status), -1);
    assert_int_equal(errno, ENOENT);
}

/* --- what is there before --- */

static bool make_nothing(void)
{
    return true;
}

static bool make_file(void)
{
    return write_plain(path, BEFORE);
}

static bool make_private_file(void)
{
    return write_plain(path, BEFORE) && chmod(path, 0600) == 0;
}

static bool make_left_over(void)
{
    return make_file() && write_plain(beside, "half of one from before, and longer than the text");
}

static bool make_read_only_left_over(void)
{
    return make_left_over() && chmod(beside, 0400) == 0;
}

static bool make_link_beside(void)
{
    return make_file() && write_plain(victim, BEFORE) && symlink(victim, beside) == 0;
}

static bool make_loose_link_beside(void)
{
    return make_file() && symlink(victim, beside) == 0;
}

static bool make_fifo_beside(void)
{
    return make_file() && mkfifo(beside, 0600) == 0;
}

static bool make_second_name(void)
{
    return make_file() && link(path, beside) == 0;
}

static bool make_link_instead(void)
{
    return write_plain(victim, BEFORE) && symlink(victim, path) == 0;
}

static struct before {
    const char *name;
    bool (*make)(void);
    bool has_victim;
    bool has_no_victim;
} befores[] = {
    {"no file", make_nothing, false, true},
    {"a file", make_file, false, true},
    {"a file of mode 0600", make_private_file, false, true},
    {"a .new left over", make_left_over, false, true},
    {"a read-only .new left over", make_read_only_left_over, false, true},
    {"a symbolic link .new", make_link_beside, true, false},
    {"a symbolic link .new to nothing", make_loose_link_beside, false, true},
    {"a FIFO .new", make_fifo_beside, false, true},
    {"a .new that is the file itself", make_second_name, false, true},
    {"a symbolic link instead of the file", make_link_instead, true, false},
};

TEST_ROWS(test_before, befores, name)
{
    const struct before *row = *state;
    const char *error = "none";

    for (int i = 0; i < 2; i++) {
        remove_all();
        assert_true(row->make());
        mode_t mask = umask(i == 0 ? 077 : 0);
        bool good = write_text(AFTER, &error);
        umask(mask);
        if (!good)
            fail_msg("%s", error);
        expect_after();
        if (row->has_victim)
            assert_string_equal(read_plain(victim), BEFORE);
        if (row->has_no_victim)
            assert_int_equal(access(victim, F_OK), -1);
    }
    remove_all();
}

TEST(test_other_text, "a file with another text stays")
{
    static const char *const texts[] = {"idn:\n", "# HELP other_total\n", "# HELP unbound_idn"};
    const char *error;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        remove_all();
        assert_true(write_plain(path, texts[i]));
        error = "none";
        assert_false(write_text(AFTER, &error));
        assert_string_equal(error,
                            "the file has another text: expected none, or metrics of this program");
        assert_string_equal(read_plain(path), texts[i]);
    }
    assert_true(write_plain(path, "") && write_text(AFTER, &error));
    expect_after();
    remove_all();
}

/* Who has the old one open reads it to its end. */
TEST(test_old_reader, "a reader of the old file")
{
    const char *error = "none";
    char text[32] = "";

    remove_all();
    assert_true(make_file());
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(write_text(AFTER, &error));
    assert_int_equal(read(fd, text, sizeof text), strlen(BEFORE));
    assert_string_equal(text, BEFORE);
    close(fd);
    expect_after();
    remove_all();
}

/* --- readers all the while --- */

static atomic_bool stop;
static char *short_text, *long_text;

static void *replace_on_and_on(void *arg)
{
    (void)arg;
    for (unsigned i = 0; !stop; i++) {
        const char *text = i % 2 ? short_text : long_text, *error;
        if (!xnm_metrics_write(path, text, strlen(text), &error))
            abort();
    }
    return NULL;
}

TEST(test_reader_all_the_while, "a reader all the while")
{
    const char *error = "none";
    pthread_t writer;

    short_text = calloc(1, 1001);
    long_text = calloc(1, TEXT_MAX);
    memset(short_text, 's', 1000);
    memset(long_text, 'l', TEXT_MAX - 1);
    memcpy(short_text, BEGINNING, strlen(BEGINNING));
    memcpy(long_text, BEGINNING, strlen(BEGINNING));
    remove_all();
    assert_true(write_text(short_text, &error));
    assert_int_equal(pthread_create(&writer, NULL, replace_on_and_on, NULL), 0);
    unsigned times[2] = {0}; /* that each was read */
    for (int i = 0; i < 10000000 && (times[0] < 1000 || times[1] < 1000); i++) {
        const char *text = read_plain(path);
        bool is_long = text[strlen(BEGINNING)] == 'l';
        if (strcmp(text, is_long ? long_text : short_text) != 0)
            fail_msg("%zu octets after %d readings", strlen(text), i);
        times[is_long]++;
    }
    assert_true(times[0] >= 1000 && times[1] >= 1000);
    stop = true;
    pthread_join(writer, NULL);
    free(short_text);
    free(long_text);
    remove_all();
}

/* --- links all the while --- */

static void *link_on_and_on(void *arg)
{
    (void)arg;
    while (!stop)
        if (symlink(victim, beside) != 0 && errno != EEXIST)
            abort();
    return NULL;
}

/* Nothing is written through a link, at whatever moment it is made. */
TEST(test_links_all_the_while, "symbolic links .new all the while")
{
    unsigned written = 0, refused = 0;
    const char *error;
    pthread_t linker;

    remove_all();
    stop = false;
    assert_int_equal(pthread_create(&linker, NULL, link_on_and_on, NULL), 0);
    for (int i = 0; i < 1000000 && (i < 3000 || written == 0 || refused == 0); i++) {
        bool good = write_text(AFTER, &error);
        written += good;
        refused += !good && strcmp(error, "File exists") == 0;
    }
    stop = true;
    pthread_join(linker, NULL);
    assert_int_equal(access(victim, F_OK), -1);
    assert_true(written > 0 && refused > 0);
    remove_all();
}

/* --- what goes wrong --- */

static void fill_disk(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4, 4});
}

static void forbid_files(void)
{
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){0, 0});
    signal(SIGXFSZ, SIG_IGN);
}

/* Makes the folder read-only for the user that runs the tests, also for root. */
static void close_folder(void)
{
    chmod(folder, 0555);
    if (getuid() == 0 && setuid(NOBODY) != 0)
        _exit(3);
}

static void leave_no_descriptor(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = 0; /* valgrind refuses to change the hard limit */
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void make_folder_beside(void)
{
    mkdir(beside, 0755);
}

static void make_folder_instead(void)
{
    remove(path);
    mkdir(path, 0755);
}

static void lose_folder(void)
{
    static char gone[96];

    snprintf(gone, sizeof gone, "%s/gone/idn.prom", folder);
    target = gone;
}

static void lengthen_path(void)
{
    static char endless[5000];

    memset(endless, '/', sizeof endless - 1);
    target = endless;
}

static struct trouble {
    const char *name;
    void (*make)(void); /* in a process of its own */
    const char *error;
    bool is_there; /* the file from before */
} troubles[] = {
    {"a full disk", fill_disk, "File too large", true},
    {"a disk that is full from the first octet", forbid_files, "File too large", true},
    {"a folder that may not be written", close_folder, "Permission denied", true},
    {"no file descriptor left", leave_no_descriptor, "Too many open files", true},
    {"a folder .new", make_folder_beside, "Is a directory", true},
    {"a folder instead of the file", make_folder_instead, "Is a directory", false},
    {"no folder", lose_folder, "No such file or directory", true},
    {"a path too long", lengthen_path, "the path is too long", true},
};

/* Returns what the process ends with: 0 if the error is the one expected. */
static int run_trouble(const struct trouble *row)
{
    const char *error = "none";

    row->make();
    bool good = write_text(AFTER, &error);
    if (!good && strcmp(error, row->error) == 0)
        return 0;
    dprintf(2, "%s: %s\n", row->name, error);
    return 1;
}

TEST_ROWS(test_trouble, troubles, name)
{
    const struct trouble *row = *state;
    int status;

    remove_all();
    assert_true(make_file());
    pid_t child = fork();
    if (child == 0)
        _exit(run_trouble(row));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    if (row->is_there)
        assert_string_equal(read_plain(path), BEFORE);
    if (row->make != make_folder_beside)
        assert_int_equal(access(beside, F_OK), -1);
    remove_all();
}

int main(void)
{
    strcpy(folder, "/tmp/test_metrics_file.XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/idn.prom", folder);
    snprintf(beside, sizeof beside, "%s/idn.prom.new", folder);
    snprintf(victim, sizeof victim, "%s/victim", folder);
    int failed = run_unit();
    remove_all();
    remove(folder);
    return failed;
}
