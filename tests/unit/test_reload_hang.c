/* SPDX-License-Identifier: BSD-3-Clause */
/* A file system that hangs under the files of a policy while they are watched: the watcher is left
 * behind, and when it gets its answer nothing comes of it. The Makefile links this program with
 * --wrap of the calls that hang. */
#include "tests/unit/reloadproc.h"

#include <fcntl.h>
#include <stdarg.h>

int __real_stat(const char *path, struct stat *status);
int __real_open(const char *path, int flags, ...);
int __wrap_stat(const char *path, struct stat *status);
int __wrap_open(const char *path, int flags, ...);

/* The calls that hang: only the watcher's, since the test itself would never end. */
static enum call { NO_CALL, STAT, OPEN } hanging;
static pthread_mutex_t gate_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t gate_opened = PTHREAD_COND_INITIALIZER;
static atomic_uint arrived, gone_on;
static pthread_t opener;

static void hang_in(enum call call)
{
    if (pthread_equal(pthread_self(), opener))
        return;
    pthread_mutex_lock(&gate_lock);
    bool hung = hanging == call;
    arrived += hung;
    while (hanging == call)
        pthread_cond_wait(&gate_opened, &gate_lock);
    gone_on += hung;
    pthread_mutex_unlock(&gate_lock);
}

static void set_hanging(enum call call)
{
    pthread_mutex_lock(&gate_lock);
    hanging = call;
    pthread_cond_broadcast(&gate_opened);
    pthread_mutex_unlock(&gate_lock);
}

int __wrap_stat(const char *path, struct stat *status)
{
    hang_in(STAT);
    return __real_stat(path, status);
}

int __wrap_open(const char *path, int flags, ...)
{
    va_list arguments;

    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    hang_in(OPEN);
    return __real_open(path, flags, mode);
}

/* The watcher hangs in a call; the module is closed and opened again; then the call returns. */
static void try_hang(enum call call)
{
    write_in("rules", "nxdomain name a.example\nnxdomain names list\n");
    write_in("list", "b.example\n");
    struct xnm_reload *reload = open_watcher(RULES);
    unsigned threads = count_entries("/proc/self/task"); /* a sanitizer's is there by now */
    set_hanging(call);
    write_in("list", "c.example\n"); /* for a call that is made for a reading alone */
    WAIT_FOR(arrived == 1);
    assert_false(xnm_reload_close(reload));
    assert_non_null(strstr(read_reports(), "does not respond"));
    forget_reports();
    reload = open_watcher(RULES); /* its watcher hangs, too: all is read by who opens */
    assert_true(refuses("c.example"));
    assert_false(refuses("b.example"));
    uint64_t before = generation();
    set_hanging(NO_CALL);
    WAIT_FOR(gone_on >= 1);
    WAIT_FOR(count_entries("/proc/self/task") == threads);
    wait_for_looks();
    assert_int_equal(generation(), before);
    expect_reports("");
    write_in("list", "d.example\n");
    WAIT_FOR(refuses("d.example"));
    assert_true(xnm_reload_close(reload));
    expect_reports("");
}

static void test_looking(void **state)
{
    (void)state;
    opener = pthread_self();
    try_hang(STAT);
}

static void test_reading(void **state)
{
    (void)state;
    opener = pthread_self();
    try_hang(OPEN);
}

/* --- the program --- */

ALONE(looking)
ALONE(reading)

int main(int argc, char **argv)
{
    static const struct CMUnitTest rows[] = {
        {"while it looks whether files have changed", alone_looking, NULL, NULL, NULL},
        {"while it reads one", alone_reading, NULL, NULL, NULL},
    };

    return run_in_processes("reload of files that hang", rows, sizeof rows / sizeof *rows, argc,
                            argv);
}
