/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/enable/supervised.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MILLISECONDS = 1000, PIECE = 4096 };

static const char crashed[] = "it ended early", late[] = "it took too long";

/* --- the child --- */

/* Its standard output is nobody's, and what it says on standard error is not what was asked for. */
_Noreturn static void be_child(supervised_work *work, void *arg, int fd)
{
    FILE *out = fdopen(fd, "w");

    setpgid(0, 0);
    if (!out)
        _exit(1);
    work(arg, out);
    _exit(fclose(out) != 0);
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
    }
}

/* One that hangs in the kernel dies when it comes back, and is not waited for. */
static const char *end_of(pid_t child, const char *trouble)
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
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? NULL : crashed;
}

const char *supervised_run(unsigned seconds, supervised_work *work, void *arg, struct buffer *found)
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
    return child < 0 ? trouble : end_of(child, trouble);
}
