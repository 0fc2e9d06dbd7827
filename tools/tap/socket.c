/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 64, SOCKET_MODE = 0660 };

const char *tap_socket_address(const char *text, struct tap_socket *socket)
{
    struct sockaddr_un *local = &socket->address.local;
    const char *path = text + 5;

    *socket = (struct tap_socket){.fd = -1};
    if (strncmp(text, "unix:", 5) != 0)
        return "expected unix:PATH; a socket unit of systemd may have other addresses";
    if (path[0] != '/')
        return "expected an absolute path";
    if (strlen(path) >= sizeof local->sun_path)
        return "the path is longer than 107 octets";
    local->sun_family = AF_UNIX;
    memcpy(local->sun_path, path, strlen(path) + 1);
    socket->address_len = sizeof *local;
    return NULL;
}

/* --- listening --- */

/* Returns whether the path is the file of a socket that no process listens on. */
static bool is_stale(const struct tap_socket *socket_)
{
    struct stat status;
    int probe = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool refused = probe >= 0 && connect(probe, &socket_->address.any, socket_->address_len) != 0 &&
                   errno == ECONNREFUSED;

    if (probe >= 0)
        close(probe);
    return refused && lstat(socket_->address.local.sun_path, &status) == 0 &&
           S_ISSOCK(status.st_mode);
}

/* Binds the socket. Its file has its mode from the start: a later chmod would follow a link that
 * has taken its place. Returns an errno. */
static int bind_file(struct tap_socket *socket)
{
    mode_t mask = umask(0777 & ~SOCKET_MODE);
    int error = bind(socket->fd, &socket->address.any, socket->address_len) == 0 ? 0 : errno;

    if (error == EADDRINUSE && is_stale(socket) && unlink(socket->address.local.sun_path) == 0)
        error = bind(socket->fd, &socket->address.any, socket->address_len) == 0 ? 0 : errno;
    umask(mask);
    return error;
}

static int open_file(struct tap_socket *socket)
{
    struct stat status;
    int error = bind_file(socket);

    if (error != 0)
        return error;
    if (lstat(socket->address.local.sun_path, &status) != 0)
        return errno;
    socket->device = status.st_dev;
    socket->inode = status.st_ino;
    return listen(socket->fd, BACKLOG) == 0 ? 0 : errno;
}

const char *tap_socket_listen(struct tap_socket *socket_)
{
    socket_->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_->fd < 0)
        return strerror(errno);
    int error = open_file(socket_);
    if (error == 0)
        return NULL;
    tap_socket_close(socket_);
    return strerror(error);
}

void tap_socket_close(struct tap_socket *socket)
{
    struct stat status;

    if (socket->fd >= 0)
        close(socket->fd);
    socket->fd = -1;
    if (socket->inode != 0 && lstat(socket->address.local.sun_path, &status) == 0 &&
        status.st_dev == socket->device && status.st_ino == socket->inode)
        unlink(socket->address.local.sun_path);
}

/* --- from systemd --- */

static bool is_listening(int fd)
{
    int type = 0, listens = 0;
    socklen_t type_len = sizeof type, listens_len = sizeof listens;

    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_len) == 0 && type == SOCK_STREAM &&
           getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &listens_len) == 0 && listens;
}

size_t tap_socket_inherited(struct tap_socket *sockets, size_t max)
{
    enum { FIRST = 3 };
    const char *process = getenv("LISTEN_PID"), *number = getenv("LISTEN_FDS");
    bool is_ours = process && number && strtol(process, NULL, 10) == (long)getpid();
    long fds = is_ours ? strtol(number, NULL, 10) : 0;
    size_t count = 0;

    for (int fd = FIRST; fd < FIRST + fds && count < max; fd++) {
        if (!is_listening(fd))
            continue;
        fcntl(fd, F_SETFD, FD_CLOEXEC);
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
        sockets[count] = (struct tap_socket){.fd = fd, .is_inherited = true};
        sockets[count].address_len = sizeof sockets[count].address;
        getsockname(fd, &sockets[count].address.any, &sockets[count].address_len);
        count++;
    }
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    return count;
}
