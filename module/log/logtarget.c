/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/logtarget.h"

#include "module/base/diagnostics.h"
#include "module/file/folder.h"
#include "module/file/textfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

struct xnm_logtarget {
    char *path;
    int fd;           /* -1: the path cannot be opened now */
    bool is_standard; /* standard output or error: never reopened */
    bool is_file, is_pipe, is_socket;
    bool is_owned; /* fd was opened here; otherwise writing to it may block */
    bool is_torn;  /* the file ends with a partial line that could not be ended yet */
    dev_t device;  /* of the open file */
    ino_t inode;
    int trouble; /* errno of the last write that was short; 0: it was not */
};

static bool fail(const struct xnm_diagnostics *diagnostics, const char *path, const char *what)
{
    struct xnm_place place = {.file = path};

    xnm_diagnostics_add(diagnostics, XNM_ERROR, &place, "cannot log to it: %s", what);
    return false;
}

static const char *explain_open(int error)
{
    switch (error) {
    case ELOOP:
        return "it is a symbolic link; expected a regular file";
    case EMLINK:
        return "root does not log to a file with a second name (a hard link); expected a file with "
               "one name";
    case ENXIO: /* a FIFO without a reader, a socket */
        return "not a regular file";
    default:
        return xnm_folder_error(error);
    }
}

/* Refuses a file with a second name: a user who may write to the folder may have linked another
 * file there, like a symbolic link. This applies only to root, which may write to any file; for
 * other users, a backup by hard links is no reason to have no log. Returns an errno. */
static int refuse(const struct stat *status)
{
    if (!S_ISREG(status->st_mode))
        return ENXIO;
    return geteuid() == 0 && status->st_nlink > 1 ? EMLINK : 0;
}

/* O_NONBLOCK: a path that turns out to be a FIFO must not block. O_APPEND: lines of several
 * processes stay whole. Opened for reading, too, to see whether the last line is torn, if the file
 * may be read. Returns a descriptor, or -1 with errno. */
static int open_at(int folder, const char *name)
{
    enum { FLAGS = O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC };
    int fd = openat(folder, name, O_RDWR | FLAGS, 0640);

    return fd < 0 && errno == EACCES ? openat(folder, name, O_WRONLY | FLAGS, 0640) : fd;
}

/* Ends a line that a crash, a full disk or another process left without its line feed, so that the
 * next line stays separate. If another process is writing, a whole line may look torn; then it gets
 * an empty line. */
static void end_torn_line(struct xnm_logtarget *target)
{
    struct stat status;
    char last;

    target->is_torn = fstat(target->fd, &status) == 0 && status.st_size > 0 &&
                      pread(target->fd, &last, 1, status.st_size - 1) == 1 && last != '\n' &&
                      xnm_textfile_write_once(target->fd, "\n", 1) != 1;
}

/* Returns an errno. */
static int open_file(struct xnm_logtarget *target)
{
    struct stat status;
    const char *name;
    int folder = xnm_folder_open(target->path, &name);

    if (folder < 0)
        return errno;
    int fd = open_at(folder, name), error = fd < 0 ? errno : 0;
    close(folder);
    if (error)
        return error;
    error = fstat(fd, &status) != 0 ? errno : refuse(&status);
    if (error) {
        close(fd);
        return error;
    }
    target->fd = fd;
    target->is_file = target->is_owned = true;
    target->device = status.st_dev;
    target->inode = status.st_ino;
    end_torn_line(target);
    return 0;
}

static void close_fd(struct xnm_logtarget *target)
{
    if (target->is_owned && target->fd >= 0)
        close(target->fd);
    target->fd = -1;
    target->is_torn = false;
}

/* Opens standard output or error again, non-blocking: the inherited descriptor and its flags
 * are shared with the process that started the daemon. If that fails (another user's pipe, a chroot
 * without /proc), each write first asks whether it would block. A socket, such as systemd's
 * journal, is asked not to block with each write. */
static void open_standard(struct xnm_logtarget *target, int fd)
{
    char path[64];
    struct stat status;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    target->is_standard = true;
    target->fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    target->is_owned = target->fd >= 0;
    if (!target->is_owned)
        target->fd = fd;
    if (fstat(target->fd, &status) == 0) {
        target->is_socket = S_ISSOCK(status.st_mode);
        target->is_file = S_ISREG(status.st_mode);
        target->is_pipe = S_ISFIFO(status.st_mode);
    }
}

static bool open_target(struct xnm_logtarget *target, const struct xnm_diagnostics *diagnostics)
{
    if (strcmp(target->path, "/dev/stdout") == 0) {
        open_standard(target, STDOUT_FILENO);
        return true;
    }
    if (strcmp(target->path, "/dev/stderr") == 0) {
        open_standard(target, STDERR_FILENO);
        return true;
    }
    target->trouble = open_file(target);
    return target->trouble == 0 || fail(diagnostics, target->path, explain_open(target->trouble));
}

struct xnm_logtarget *xnm_logtarget_open(const char *path, bool needed,
                                         const struct xnm_diagnostics *diagnostics)
{
    struct xnm_logtarget *target = calloc(1, sizeof *target);

    if (target) {
        target->fd = -1;
        target->path = strdup(path);
    }
    if (!target || !target->path)
        fail(diagnostics, path, "out of memory");
    else if (open_target(target, diagnostics) || needed)
        return target;
    xnm_logtarget_close(target);
    return NULL;
}

void xnm_logtarget_close(struct xnm_logtarget *target)
{
    if (!target)
        return;
    close_fd(target);
    free(target->path);
    free(target);
}

static bool is_still_there(const struct xnm_logtarget *target)
{
    struct stat status;

    return target->fd >= 0 && lstat(target->path, &status) == 0 &&
           status.st_dev == target->device && status.st_ino == target->inode;
}

void xnm_logtarget_follow(struct xnm_logtarget *target, const struct xnm_diagnostics *diagnostics)
{
    if (target->is_standard || is_still_there(target))
        return;
    bool was_open = target->fd >= 0;
    close_fd(target);
    int error = open_file(target);
    if (error == 0)
        return;
    target->trouble = error;
    if (was_open)
        fail(diagnostics, target->path, explain_open(error));
}

/* A file took only the beginning of a line: cuts it off, unless another process wrote after it.
 * Returns the octets of whole lines. */
static size_t cut_torn_line(struct xnm_logtarget *target, const char *lines, size_t taken)
{
    size_t whole = taken;
    struct stat status;
    off_t end = lseek(target->fd, 0, SEEK_CUR);

    while (whole > 0 && lines[whole - 1] != '\n')
        whole--;
    off_t torn = (off_t)(taken - whole);
    if (torn == 0 || end < 0 || fstat(target->fd, &status) != 0 || status.st_size != end ||
        ftruncate(target->fd, end - torn) != 0)
        return taken;
    /* Without O_APPEND, the next line would otherwise leave NULs before it. */
    lseek(target->fd, end - torn, SEEK_SET);
    return whole;
}

/* A pipe takes up to PIPE_BUF octets completely or not at all, so whole lines are written in pieces
 * of that size. A longer line, which no caller has, goes alone. */
static size_t piece_len(const char *lines, size_t len)
{
    if (len <= PIPE_BUF)
        return len;
    const char *end = memrchr(lines, '\n', PIPE_BUF);
    if (!end)
        end = memchr(lines, '\n', len);
    return end ? (size_t)(end - lines) + 1 : len;
}

/* Writes once without blocking. Returns the result of write(2). */
static ssize_t write_once(const struct xnm_logtarget *target, const char *lines, size_t len)
{
    struct pollfd room = {.fd = target->fd, .events = POLLOUT};
    ssize_t taken;

    if (!target->is_owned && !target->is_socket && poll(&room, 1, 0) == 0) {
        errno = EAGAIN;
        return -1;
    }
    do
        taken = target->is_socket ? send(target->fd, lines, len, MSG_DONTWAIT | MSG_NOSIGNAL)
                                  : xnm_textfile_write_once(target->fd, lines, len);
    while (taken < 0 && errno == EINTR);
    return taken;
}

size_t xnm_logtarget_write(struct xnm_logtarget *target, const char *lines, size_t len)
{
    size_t done = 0;

    if (target->is_torn)
        end_torn_line(target);
    if (target->is_torn) {
        target->trouble = errno;
        return 0;
    }
    while (done < len && target->fd >= 0) {
        size_t piece =
            target->is_pipe || !target->is_owned ? piece_len(lines + done, len - done) : len - done;
        ssize_t taken = write_once(target, lines + done, piece);

        target->trouble = taken < 0 ? errno : (size_t)taken == piece ? 0 : EAGAIN;
        if (taken > 0)
            done += (size_t)taken;
        if (target->trouble)
            break;
    }
    if (done < len && done > 0 && target->is_file)
        return cut_torn_line(target, lines, done);
    return done;
}

const char *xnm_logtarget_trouble(const struct xnm_logtarget *target)
{
    switch (target->trouble) {
    case 0:
        return "";
    case EAGAIN: /* or a short write: the disk was full in the middle */
        return target->is_file ? strerror(ENOSPC) : "its reader does not keep up";
    default:
        return xnm_folder_error(target->trouble);
    }
}

size_t xnm_logtarget_line_max(const struct xnm_logtarget *target)
{
    return target->is_pipe ? PIPE_BUF - 1 : SIZE_MAX;
}
