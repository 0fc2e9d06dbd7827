/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP = 1 << 16 };

static const char *read_all(int fd, size_t max, struct buffer *text)
{
    struct stat status;
    size_t start = text->len;

    if (fstat(fd, &status) != 0)
        return strerror(errno);
    if (S_ISDIR(status.st_mode))
        return strerror(EISDIR);
    if (!S_ISREG(status.st_mode))
        return "not a regular file";
    for (;;) {
        ssize_t got = read(fd, buffer_reserve(text, STEP), STEP);

        if (got == 0)
            return NULL;
        if (got < 0 && errno != EINTR)
            return strerror(errno);
        text->len += got > 0 ? (size_t)got : 0;
        if (text->len - start > max)
            return strerror(EFBIG);
    }
}

const char *file_read(const char *path, size_t max, struct buffer *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO is refused, not waited for */

    if (fd < 0)
        return strerror(errno);
    const char *trouble = read_all(fd, max, text);
    close(fd);
    return trouble;
}
