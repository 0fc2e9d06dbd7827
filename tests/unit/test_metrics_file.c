/* SPDX-License-Identifier: BSD-3-Clause */
/* The metrics file is replaced as a whole; where it cannot be, the old one is left. Readers of it:
 * tests/unbound/test_metrics.py; a folder that comes and goes: test_state.c. */
#include "tests/unit/vectors.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/run/metrics.h"
#include "tests/unit/exact.h"
#include "tests/unit/filesize.h"

#define BEGINNING "# HELP unbound_idn_" /* of each text */
#define BEFORE BEGINNING "before\n"
#define AFTER BEGINNING "after this\n"

enum { NOBODY = 65534 };

static char folder[] = "/tmp/test_metrics_file.XXXXXX"; /* it is the current one, too */
static char path[96];

static void run(const char *commands)
{
    char text[512];

    snprintf(text, sizeof text, "cd %s && rm -rf idn.prom* victim && %s", folder, commands);
    assert_int_equal(system(text), 0);
}

static bool write_text(const char *text, const char **error)
{
    size_t len = strlen(text);
    char *exact = exact_copy(text, len);
    bool good = xnm_metrics_write(path, exact, len, error);

    free(exact);
    return good;
}

static void expect_file(const char *name, const char *expected)
{
    char text[256];
    FILE *stream = fopen(name, "r");

    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void expect_after(void)
{
    struct stat status;

    expect_file(path, AFTER);
    assert_int_equal(lstat(path, &status), 0);
    assert_int_equal(status.st_mode, S_IFREG | 0644);
    assert_int_equal(lstat("idn.prom.new", &status), -1);
    assert_int_equal(errno, ENOENT);
}

/* --- what is there before --- */

#define MAKE_FILE "echo '# HELP unbound_idn_before' > idn.prom && "
#define MAKE_VICTIM "echo '# HELP unbound_idn_before' > victim && "

static struct before {
    const char *commands; /* in the folder */
    bool has_victim;
} befores[] = {
    {":", false},
    {MAKE_FILE "chmod 600 idn.prom", false},
    {MAKE_FILE "echo half of one from before, and longer than the text > idn.prom.new", false},
    {MAKE_FILE "echo half > idn.prom.new && chmod 400 idn.prom.new", false},
    {MAKE_FILE "mkfifo idn.prom.new", false},
    {MAKE_FILE "ln idn.prom idn.prom.new", false},
    {MAKE_FILE "ln -s victim idn.prom.new", false},
    {MAKE_FILE MAKE_VICTIM "ln -s victim idn.prom.new", true},
    {MAKE_VICTIM "ln -s victim idn.prom", true},
};

TEST_ROWS(replaces_files, befores, commands)
{
    const struct before *row = *state;
    const char *error = "none";

    for (int i = 0; i < 2; i++) {
        run(row->commands);
        mode_t mask = umask(i == 0 ? 077 : 0);
        bool good = write_text(AFTER, &error);
        umask(mask);
        if (!good)
            fail_msg("%s", error);
        expect_after();
        if (row->has_victim)
            expect_file("victim", BEFORE);
        else
            assert_int_equal(access("victim", F_OK), -1);
    }
}

TEST(spares_other_files, "a file with another text stays")
{
    static const char *const texts[] = {"idn:\n", "# HELP other_total\n", "# HELP unbound_idn"};
    const char *error;

    for (size_t i = 0; i < COUNT(texts); i++) {
        char commands[64];
        snprintf(commands, sizeof commands, "printf '%s' > idn.prom", texts[i]);
        run(commands);
        error = "none";
        assert_false(write_text(AFTER, &error));
        assert_string_equal(error,
                            "the file has another text: expected none, or metrics of this program");
        expect_file(path, texts[i]);
    }
    run(": > idn.prom");
    assert_true(write_text(AFTER, &error));
    expect_after();
}

static atomic_bool stop;

static void *link_on_and_on(void *arg)
{
    while (!stop)
        if (symlink("victim", "idn.prom.new") != 0 && errno != EEXIST)
            abort();
    return arg;
}

/* Nothing is written through a link, at whatever moment it is made. */
TEST(resists_links, "symbolic links .new all the while")
{
    unsigned written = 0, refused = 0;
    const char *error;
    pthread_t linker;

    run(":");
    assert_int_equal(pthread_create(&linker, NULL, link_on_and_on, NULL), 0);
    for (int i = 0; i < 1000000 && (i < 3000 || written == 0 || refused == 0); i++) {
        bool good = write_text(AFTER, &error);
        written += good;
        refused += !good && strcmp(error, "File exists") == 0;
    }
    stop = true;
    pthread_join(linker, NULL);
    assert_int_equal(access("victim", F_OK), -1);
    assert_true(written > 0 && refused > 0);
}

/* --- what goes wrong --- */

static void fill_disk(void)
{
    limit_file_size(4);
}

static void forbid_files(void)
{
    limit_file_size(0);
}

/* Also for root, whom no mode stops. */
static void close_folder(void)
{
    if (chmod(folder, 0555) != 0 || (getuid() == 0 && setuid(NOBODY) != 0))
        _exit(3);
}

static void lose_folder(void)
{
    snprintf(path, sizeof path, "%s/gone/idn.prom", folder);
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
    mkdir("idn.prom.new", 0755);
}

static void make_folder_instead(void)
{
    remove(path);
    mkdir(path, 0755);
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
    {"no folder", lose_folder, "No such file or directory", true},
    {"no file descriptor left", leave_no_descriptor, "Too many open files", true},
    {"a folder .new", make_folder_beside, "Is a directory", true},
    {"a folder instead of the file", make_folder_instead, "Is a directory", false},
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

TEST_ROWS(leaves_the_old_file, troubles, name)
{
    const struct trouble *row = *state;
    int status;

    run(MAKE_FILE ":");
    pid_t child = fork();
    if (child == 0)
        _exit(run_trouble(row));
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(chmod(folder, 0755), 0);
    assert_int_equal(status, 0);
    if (row->is_there)
        expect_file(path, BEFORE);
    if (row->make != make_folder_beside)
        assert_int_equal(access("idn.prom.new", F_OK), -1);
}

TEST(refuses_long_paths, "a path too long")
{
    char endless[5000] = "";
    const char *error = "none";

    memset(endless, '/', sizeof endless - 1);
    assert_false(xnm_metrics_write(endless, AFTER, strlen(AFTER), &error));
    assert_string_equal(error, "the path is too long");
}

int main(void)
{
    char before[4096];

    signal(SIGXFSZ, SIG_IGN);
    if (!mkdtemp(folder) || !getcwd(before, sizeof before) || chdir(folder) != 0)
        return 1;
    snprintf(path, sizeof path, "%s/idn.prom", folder);
    int failed = run_unit();
    remove_tree(folder);
    return chdir(before) == 0 ? failed : 1;
}
