/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/check/supervised.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECONDS = 1000, PIECE = 4096, CANNOT_RUN = 127 };

static const char crashed[] = "it ended early", late[] = "it took too long",
                  talked[] = "it wrote too much";

/* --- the child --- */

/* Its standard output is nobody's, and what it says on standard error is not what was asked for.
 * Whoever ends its parent ends a group of which it is no part. */
_Noreturn static void be_child(supervised_work *work, void *arg, int fd)
{
    FILE *out = fdopen(fd, "w");

    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!out)
        _exit(1);
    work(arg, out);
    _exit(fclose(out) != 0);
}

struct program {
    char *const *argv;
    const char *folder;
    int stream;
};

/* Above the standard streams, any of which the caller may have closed. */
static int moved_up(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (moved < 0)
        _exit(CANNOT_RUN);
    return moved;
}

static void become_program(void *arg, FILE *out)
{
    const struct program *program = arg;
    char *const environment[] = {NULL};
    sigset_t none;
    int kept = moved_up(fileno(out)), nothing = moved_up(open("/dev/null", O_RDWR | O_CLOEXEC));

    sigemptyset(&none); /* the caller's threads may block and ignore what they want */
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (dup2(fd == program->stream ? kept : nothing, fd) < 0)
            _exit(CANNOT_RUN);
    if (!program->folder || chdir(program->folder) == 0)
        execve(program->argv[0], program->argv, environment);
    dprintf(kept, "cannot be run: %s\n", strerror(errno));
    _exit(CANNOT_RUN);
}

/* --- its parent --- */

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * MILLISECONDS + time.tv_nsec / 1000000;
}

/* NULL at the end of what is written. */
static const char *read_until(int fd, int64_t deadline, struct buffer *found)
{
    for (;;) {
        int64_t left = deadline - now();
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        int count = left > 0 ? poll(&ready, 1, (int)left) : 0;

        if (count == 0)
            return late;
        if (count < 0 && errno == EINTR)
            continue;
        ssize_t got = count > 0 ? read(fd, buffer_reserve(found, PIECE), PIECE) : -1;
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return got == 0 ? NULL : strerror(errno);
        found->len += (size_t)got;
        if (found->len > SUPERVISED_OCTETS_MAX)
            return talked;
    }
}

/* One that hangs in the kernel dies when it comes back, and is not waited for. */
static const char *end_of(pid_t child, const char *trouble, int *exited)
{
    int status = 0;

    if (trouble) {
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        return trouble;
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return strerror(errno);
    *exited = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return WIFEXITED(status) ? NULL : crashed;
}

static const char *run(unsigned seconds, supervised_work *work, void *arg, struct buffer *found,
                       int *status)
{
    int64_t deadline = now() + (int64_t)seconds * MILLISECONDS;
    int ends[2];

    if (pipe2(ends, O_CLOEXEC) != 0)
        return strerror(errno);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        be_child(work, arg, ends[1]);
    int error = errno;
    close(ends[1]);
    const char *trouble = child < 0 ? strerror(error) : read_until(ends[0], deadline, found);
    close(ends[0]);
    return child < 0 ? trouble : end_of(child, trouble, status);
}

const char *supervised_run(unsigned seconds, supervised_work *work, void *arg, struct buffer *found)
{
    int status = 0;
    const char *trouble = run(seconds, work, arg, found, &status);

    return !trouble && status != 0 ? crashed : trouble;
}

const char *supervised_exec(unsigned seconds, char *const argv[], const char *folder, int stream,
                            struct buffer *found, int *status)
{
    struct program program = {argv, folder, stream};

    return run(seconds, become_program, &program, found, status);
}
