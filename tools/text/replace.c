/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/text/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int file, const struct buffer *text)
{
    for (size_t at = 0; at < text->len;) {
        ssize_t written = write(file, text->data + at, text->len - at);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? (size_t)written : 0;
    }
    return true;
}

enum { KIND_MAX = 1024 };

bool replace_is_kind(const char *path, const char *beginning)
{
    char text[KIND_MAX];
    size_t wanted = strlen(beginning);
    struct stat there;

    if (lstat(path, &there) != 0 || !S_ISREG(there.st_mode) || there.st_size == 0)
        return true;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t len = read(file, text, sizeof text);
    close(file);
    return len >= (ssize_t)wanted && memcmp(text, beginning, wanted) == 0;
}

bool replace_file(const char *path, const struct buffer *text)
{
    struct buffer name = {0};
    struct stat there;

    if (lstat(path, &there) == 0 && !S_ISREG(there.st_mode)) {
        errno = EEXIST;
        return false;
    }
    buffer_format(&name, "%s.%ld.new", path, (long)getpid());
    const char *beside = buffer_string(&name);
    /* A process of this number that was killed may have left one: in a container numbers repeat. */
    bool is_free = unlink(beside) == 0 || errno == ENOENT;
    int file = is_free ? open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
    bool good = file >= 0 && write_all(file, text);
    int error = errno;
    if (file >= 0 && close(file) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && rename(beside, path) != 0) {
        good = false;
        error = errno;
    }
    if (file >= 0 && !good)
        unlink(beside);
    buffer_free(&name);
    errno = error;
    return good;
}
