/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes descriptors that may be non-blocking, because a process that shares them made
 * them so: waits instead of failing. */
#ifndef XN_TOOLS_TEXT_WAITIO_H
#define XN_TOOLS_TEXT_WAITIO_H

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/* Call it after a read or a write failed. Waits if it would have blocked, and returns whether to
 * try again. If not, errno has the reason. */
static inline bool waitio_may_go_on(int descriptor, short event)
{
    struct pollfd wait = {.fd = descriptor, .events = event};

    if (errno == EAGAIN || errno == EWOULDBLOCK)
        return poll(&wait, 1, -1) >= 0 || errno == EINTR;
    return errno == EINTR;
}

static inline ssize_t waitio_read(int descriptor, void *dst, size_t size)
{
    ssize_t got;

    do
        got = read(descriptor, dst, size);
    while (got < 0 && waitio_may_go_on(descriptor, POLLIN));
    return got;
}

#endif
