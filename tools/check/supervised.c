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

/* A stream to which the child writes. */
struct stream {
    struct buffer *found; /* NULL: nobody reads it */
    int ends[2];          /* of its pipe; -1: none, or closed */
};
enum { STREAMS = 2, READ = 0, WRITE = 1 };

/* --- the child --- */

struct task {
    supervised_work *work;
    void *arg;
    const struct stream *stream;
};

/* Its standard output is nobody's, and what it says on standard error is not what was asked for. */
static void do_work(void *arg)
{
    const struct task *task = arg;
    FILE *out = fdopen(task->stream->ends[WRITE], "w");

    if (!out)
        _exit(1);
    task->work(task->arg, out);
    _exit(fclose(out) != 0);
}

struct program {
    char *const *argv;
    const char *folder;
    const struct stream *streams; /* output, error */
};

/* Above the standard streams, any of which the caller may have closed. */
static int moved_up(int fd)
{
    int moved = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    if (moved < 0)
        _exit(CANNOT_RUN);
    return moved;
}

static void become_program(void *arg)
{
    const struct program *program = arg;
    char *const environment[] = {NULL};
    sigset_t none;
    int fds[STREAMS + 1] = {moved_up(open("/dev/null", O_RDWR | O_CLOEXEC))}, reader = fds[0];

    for (int i = 0; i < STREAMS; i++) {
        bool is_read = program->streams[i].found != NULL;
        fds[i + 1] = is_read ? moved_up(program->streams[i].ends[WRITE]) : fds[0];
        reader = is_read ? fds[i + 1] : reader;
    }
    sigemptyset(&none); /* the caller's threads may block and ignore what they want */
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    for (int fd = 0; fd <= STDERR_FILENO; fd++)
        if (dup2(fds[fd], fd) < 0)
            _exit(CANNOT_RUN);
    if (!program->folder || chdir(program->folder) == 0)
        execve(program->argv[0], program->argv, environment);
    dprintf(reader, "cannot be run: %s\n", strerror(errno));
    _exit(CANNOT_RUN);
}

/* --- its parent --- */

static int64_t now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * MILLISECONDS + time.tv_nsec / 1000000;
}

static void close_ends(struct stream *streams, int end)
{
    for (int i = 0; i < STREAMS; i++) {
        if (streams[i].ends[end] >= 0)
            close(streams[i].ends[end]);
        streams[i].ends[end] = -1;
    }
}

static const char *open_streams(struct stream *streams)
{
    for (int i = 0; i < STREAMS; i++)
        if (streams[i].found && pipe2(streams[i].ends, O_CLOEXEC) != 0)
            return strerror(errno);
    return NULL;
}

/* Closes a stream at its end. */
static const char *read_piece(struct stream *stream)
{
    struct buffer *found = stream->found;
    ssize_t got = read(stream->ends[READ], buffer_reserve(found, PIECE), PIECE);

    if (got < 0)
        return errno == EINTR ? NULL : strerror(errno);
    if (got == 0) {
        close(stream->ends[READ]);
        stream->ends[READ] = -1;
    }
    found->len += (size_t)got;
    return found->len > SUPERVISED_OCTETS_MAX ? talked : NULL;
}

/* NULL at the end of what is written. */
static const char *read_until(struct stream *streams, int64_t deadline)
{
    const char *trouble = NULL;

    while (!trouble && (streams[0].ends[READ] >= 0 || streams[1].ends[READ] >= 0)) {
        int64_t left = deadline - now();
        struct pollfd ready[STREAMS] = {{.fd = streams[0].ends[READ], .events = POLLIN},
                                        {.fd = streams[1].ends[READ], .events = POLLIN}};
        int count = left > 0 ? poll(ready, STREAMS, (int)left) : 0;

        if (count == 0)
            return late;
        if (count < 0 && errno != EINTR)
            return strerror(errno);
        for (int i = 0; i < STREAMS && count > 0 && !trouble; i++)
            trouble = ready[i].revents ? read_piece(&streams[i]) : NULL;
    }
    return trouble;
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

/* Whoever ends its parent ends a group of which the child is no part. */
static const char *run(unsigned seconds, void (*become)(void *), void *arg, struct stream *streams,
                       int *status)
{
    int64_t deadline = now() + (int64_t)seconds * MILLISECONDS;
    const char *trouble = open_streams(streams);

    if (!trouble) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            setpgid(0, 0);
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            become(arg);
        }
        int error = errno;
        close_ends(streams, WRITE);
        trouble =
            child < 0 ? strerror(error) : end_of(child, read_until(streams, deadline), status);
    }
    close_ends(streams, READ);
    close_ends(streams, WRITE);
    return trouble;
}

const char *supervised_run(unsigned seconds, supervised_work *work, void *arg, struct buffer *found)
{
    struct stream streams[STREAMS] = {{found, {-1, -1}}, {NULL, {-1, -1}}};
    struct task task = {work, arg, streams};
    int status = 0;
    const char *trouble = run(seconds, do_work, &task, streams, &status);

    return !trouble && status != 0 ? crashed : trouble;
}

const char *supervised_exec(unsigned seconds, char *const argv[], const char *folder,
                            struct buffer *found, struct buffer *said, int *status)
{
    struct stream streams[STREAMS] = {{found, {-1, -1}}, {said, {-1, -1}}};
    struct program program = {argv, folder, streams};

    return run(seconds, become_program, &program, streams, status);
}
