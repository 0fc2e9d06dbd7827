/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/file/textfile.h"

#include "module/base/budget.h"
#include "module/base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    READINGS_MAX = 4, /* the first, and three more */
    GROWTH = 65536,   /* octets, if a file holds more than its size says */
    MEBIBYTE = 1 << 20
};

static const char changes[] =
    "changes while it is read: expected a file that no program is writing to";

/* --- stamps --- */

struct xnm_stamp xnm_stamp_of(const char *path)
{
    struct stat target = {0}, link = {0};
    bool present = stat(path, &target) == 0;

    if (lstat(path, &link) != 0)
        link = (struct stat){0};
    if (!present)
        target = (struct stat){0};
    return (struct xnm_stamp){.present = present,
                              .regular = S_ISREG(target.st_mode),
                              .dev = target.st_dev,
                              .link_dev = link.st_dev,
                              .ino = target.st_ino,
                              .link_ino = link.st_ino,
                              .size = target.st_size,
                              .mtime = target.st_mtim,
                              .ctime = target.st_ctim,
                              .link_mtime = link.st_mtim};
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool xnm_stamp_same(const struct xnm_stamp *a, const struct xnm_stamp *b)
{
    return a->present == b->present && a->dev == b->dev && a->link_dev == b->link_dev &&
           a->ino == b->ino && a->link_ino == b->link_ino && a->size == b->size &&
           same_time(a->mtime, b->mtime) && same_time(a->ctime, b->ctime) &&
           same_time(a->link_mtime, b->link_mtime);
}

/* Returns whether the opened file is that of the stamp, and has not changed. */
static bool is_stamped(const struct xnm_stamp *stamp, const struct stat *opened)
{
    return stamp->present && stamp->dev == opened->st_dev && stamp->ino == opened->st_ino &&
           stamp->size == opened->st_size && same_time(stamp->mtime, opened->st_mtim) &&
           same_time(stamp->ctime, opened->st_ctim);
}

/* --- reading --- */

static const char *too_large(size_t size_max)
{
    static _Thread_local char message[80];
    bool even = size_max % MEBIBYTE == 0;

    snprintf(message, sizeof message, "larger than %zu %s: expected a smaller file",
             even ? size_max / MEBIBYTE : size_max, even ? "MiB" : "octets");
    return message;
}

/* Reads to the end of a file of `size` octets, by its stamp, and adds a NUL. Does not map the file:
 * a truncation during the reading would raise a signal. */
static const char *read_to_end(const atomic_bool *stop, int fd, size_t size, size_t size_max,
                               struct xnm_arena *text)
{
    size_t room = size + 1; /* one octet more, for the NUL and to find the end */

    for (;;) {
        if (xnm_stop_is_set(stop))
            return "not wanted any more";
        if (text->len > size_max)
            return too_large(size_max);
        if (!xnm_arena_reserve(text, room))
            return xnm_budget_trouble();
        ssize_t got = read(fd, text->octets + text->len, room < MEBIBYTE ? room : MEBIBYTE);
        if (got == 0)
            break;
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return strerror(errno);
        text->len += (size_t)got;
        room = (size_t)got < room ? room - (size_t)got : GROWTH;
    }
    text->octets[text->len] = '\0';
    return NULL;
}

static const char *read_once(const atomic_bool *stop, int fd, size_t size_max,
                             struct xnm_textfile *file)
{
    struct stat before, after;

    if (fstat(fd, &before) != 0)
        return strerror(errno);
    if (!S_ISREG(before.st_mode))
        return "not a regular file";
    if ((uintmax_t)before.st_size > size_max)
        return too_large(size_max);
    const char *trouble = read_to_end(stop, fd, (size_t)before.st_size, size_max, &file->memory);
    if (trouble)
        return trouble;
    file->text = (char *)file->memory.octets;
    file->len = file->memory.len;
    if (fstat(fd, &after) != 0)
        return strerror(errno);
    return is_stamped(&file->stamp, &before) && is_stamped(&file->stamp, &after) ? NULL : changes;
}

static bool is_folder(const char *path)
{
    struct stat there;

    return stat(path, &there) == 0 && S_ISDIR(there.st_mode);
}

const char *xnm_textfile_read_until(const atomic_bool *stop, const char *path, size_t size_max,
                                    struct xnm_textfile *file)
{
    const char *trouble = changes;

    for (int reading = 0; reading < READINGS_MAX && trouble == changes; reading++) {
        *file = (struct xnm_textfile){.stamp = xnm_stamp_of(path)};
        if (file->stamp.present && !file->stamp.regular)
            return is_folder(path) ? strerror(EISDIR) : "not a regular file";
        int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0)
            return strerror(errno);
        trouble = read_once(stop, fd, size_max, file);
        close(fd);
        if (trouble)
            xnm_textfile_free(file);
    }
    return trouble;
}

const char *xnm_textfile_read(const char *path, size_t size_max, struct xnm_textfile *file)
{
    return xnm_textfile_read_until(NULL, path, size_max, file);
}

void xnm_textfile_free(struct xnm_textfile *file)
{
    xnm_arena_free(&file->memory);
    file->text = NULL;
    file->len = 0;
}

ssize_t xnm_textfile_write_once(int fd, const void *octets, size_t len)
{
    static const struct timespec now;
    sigset_t xfsz, before;

    sigemptyset(&xfsz);
    sigaddset(&xfsz, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &xfsz, &before);
    const ssize_t written = write(fd, octets, len);
    const int error = errno;
    if (written < 0 && error == EFBIG && !sigismember(&before, SIGXFSZ))
        (void)sigtimedwait(&xfsz, NULL, &now); /* it waits for this thread */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return written;
}

bool xnm_textfile_write(int fd, const void *octets, size_t len)
{
    for (const char *at = octets; len > 0;) {
        ssize_t written = xnm_textfile_write_once(fd, at, len);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            at += written;
            len -= (size_t)written;
        }
    }
    return true;
}
