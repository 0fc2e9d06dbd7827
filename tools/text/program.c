/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS = 2, READ = 0, WRITE = 1, PIECE = 4096, MILLISECONDS = 1000 };

struct stream {
    struct buffer *found;
    int ends[2]; /* of its pipe; -1: none, or closed */
};

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

/* Returns 0 or an errno. */
static int add_actions(posix_spawn_file_actions_t *actions, const struct stream *streams,
                       const char *folder)
{
    int error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);

    for (int i = 0; i < STREAMS && !error; i++)
        error =
            posix_spawn_file_actions_adddup2(actions, streams[i].ends[WRITE], STDOUT_FILENO + i);
    return error || !folder ? error : posix_spawn_file_actions_addchdir_np(actions, folder);
}

/* The program leads its own process group, so that killing the group reaches its children. The
 * caller's threads may have blocked signals and ignored SIGPIPE. */
static int set_attributes(posix_spawnattr_t *attributes)
{
    sigset_t none, pipe_alone;

    sigemptyset(&none);
    sigemptyset(&pipe_alone);
    sigaddset(&pipe_alone, SIGPIPE);
    int error = posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!error)
        error = posix_spawnattr_setsigmask(attributes, &none);
    return error ? error : posix_spawnattr_setsigdefault(attributes, &pipe_alone);
}

/* Returns NULL, or why the program was not started. */
static const char *start(char *const argv[], const char *folder, const struct stream *streams,
                         pid_t *child)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *const environment[] = {NULL};
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        return strerror(error);
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = add_actions(&actions, streams, folder);
        if (!error)
            error = set_attributes(&attributes);
        if (!error)
            error = posix_spawn(child, argv[0], &actions, &attributes, argv, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error ? strerror(error) : NULL;
}

/* Closes a stream at its end. */
static const char *read_piece(struct stream *stream)
{
    ssize_t got = read(stream->ends[READ], buffer_reserve(stream->found, PIECE), PIECE);

    if (got < 0)
        return errno == EINTR ? NULL : strerror(errno);
    if (got == 0) {
        close(stream->ends[READ]);
        stream->ends[READ] = -1;
    }
    stream->found->len += (size_t)got;
    return stream->found->len > PROGRAM_OCTETS_MAX ? "it wrote too much" : NULL;
}

/* Returns NULL when both streams have ended. */
static const char *read_streams(struct stream *streams, int64_t deadline)
{
    const char *trouble = NULL;

    while (!trouble && (streams[0].ends[READ] >= 0 || streams[1].ends[READ] >= 0)) {
        int64_t left = deadline - now();
        struct pollfd ready[STREAMS] = {{.fd = streams[0].ends[READ], .events = POLLIN},
                                        {.fd = streams[1].ends[READ], .events = POLLIN}};
        int count = left > 0 ? poll(ready, STREAMS, (int)left) : 0;

        if (count == 0)
            return "it took too long";
        if (count < 0 && errno != EINTR)
            return strerror(errno);
        for (int i = 0; i < STREAMS && count > 0 && !trouble; i++)
            trouble = ready[i].revents ? read_piece(&streams[i]) : NULL;
    }
    return trouble;
}

/* Returns the exit status, or -1. */
static int wait_for(pid_t child)
{
    int status = 0;

    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Does not wait for a program that is killed: it may hang in the kernel. */
static const char *follow(pid_t child, struct stream *streams, int64_t deadline, int *status)
{
    const char *trouble = read_streams(streams, deadline);

    if (trouble) {
        kill(-child, SIGKILL);
        return trouble;
    }
    *status = wait_for(child);
    return *status < 0 ? "it exited early" : NULL;
}

const char *program_run(unsigned seconds, char *const argv[], const char *folder,
                        struct buffer *output, struct buffer *errors, int *status)
{
    struct stream streams[STREAMS] = {{output, {-1, -1}}, {errors, {-1, -1}}};
    int64_t deadline = now() + (int64_t)seconds * MILLISECONDS;
    const char *trouble = NULL;
    pid_t child;

    for (int i = 0; i < STREAMS && !trouble; i++)
        trouble = pipe2(streams[i].ends, O_CLOEXEC) == 0 ? NULL : strerror(errno);
    if (!trouble)
        trouble = start(argv, folder, streams, &child);
    close_ends(streams, WRITE);
    if (!trouble)
        trouble = follow(child, streams, deadline, status);
    close_ends(streams, READ);
    return trouble;
}

int program_call(char *const argv[])
{
    pid_t child;

    fflush(NULL);
    return posix_spawn(&child, argv[0], NULL, NULL, argv, environ) == 0 ? wait_for(child) : -1;
}
