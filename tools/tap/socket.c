/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/tap/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BACKLOG = 64 };

/* --- addresses --- */

static const char *read_path(const char *path, struct tap_socket *socket)
{
    struct sockaddr_un *local = &socket->address.local;

    if (path[0] != '/')
        return "expected an absolute path";
    if (strlen(path) >= sizeof local->sun_path)
        return "the path is longer than 107 octets";
    local->sun_family = AF_UNIX;
    memcpy(local->sun_path, path, strlen(path) + 1);
    socket->address_len = sizeof *local;
    return NULL;
}

static const char *read_numbers(const char *host, const char *port, struct tap_socket *socket)
{
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                   .ai_socktype = SOCK_STREAM};
    struct addrinfo *found;
    char *end;

    /* getaddrinfo takes a port modulo 65536. */
    if (port[0] < '1' || port[0] > '9' || strtoul(port, &end, 10) > 65535 || *end != '\0' ||
        getaddrinfo(host, port, &hints, &found) != 0)
        return "expected unix:PATH, or an IP address and a port, as 127.0.0.1:6000 or [::1]:6000";
    memcpy(&socket->address, found->ai_addr, found->ai_addrlen);
    socket->address_len = found->ai_addrlen;
    freeaddrinfo(found);
    return NULL;
}

const char *tap_socket_address(const char *text, struct tap_socket *socket)
{
    char host[INET6_ADDRSTRLEN + 32];
    const char *colon = strrchr(text, ':');
    bool has_brackets = text[0] == '[' && colon && colon > text && colon[-1] == ']';
    size_t len = colon ? (size_t)(colon - text) - 2 * has_brackets : 0;

    *socket = (struct tap_socket){.fd = -1};
    if (strncmp(text, "unix:", 5) == 0)
        return read_path(text + 5, socket);
    if (!colon || !colon[1] || len == 0 || len >= sizeof host ||
        (!has_brackets && memchr(text, ':', len)))
        return read_numbers("", "", socket);
    memcpy(host, text + has_brackets, len);
    host[len] = '\0';
    return read_numbers(host, colon + 1, socket);
}

/* --- listening --- */

static bool is_local(const struct tap_socket *socket)
{
    return socket->address.any.sa_family == AF_UNIX;
}

/* Tells whether the path is a socket's file to which nobody listens any more. */
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
static int bind_local(struct tap_socket *socket, mode_t mode)
{
    mode_t mask = umask(0777 & ~mode);
    int error = bind(socket->fd, &socket->address.any, socket->address_len) == 0 ? 0 : errno;

    if (error == EADDRINUSE && is_stale(socket) && unlink(socket->address.local.sun_path) == 0)
        error = bind(socket->fd, &socket->address.any, socket->address_len) == 0 ? 0 : errno;
    umask(mask);
    return error;
}

static int open_file(struct tap_socket *socket, const struct tap_socket_mode *mode)
{
    const char *path = socket->address.local.sun_path;
    int error = bind_local(socket, mode->mode);
    struct stat status;

    if (error != 0)
        return error;
    if (lstat(path, &status) != 0)
        return errno;
    socket->device = status.st_dev;
    socket->inode = status.st_ino;
    if (mode->has_group && lchown(path, (uid_t)-1, mode->group) != 0)
        return errno;
    return 0;
}

static int open_port(struct tap_socket *socket)
{
    int yes = 1;

    setsockopt(socket->fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    return bind(socket->fd, &socket->address.any, socket->address_len) == 0 ? 0 : errno;
}

const char *tap_socket_listen(struct tap_socket *socket_, const struct tap_socket_mode *mode)
{
    int error = 0;

    socket_->fd =
        socket(socket_->address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_->fd < 0)
        return strerror(errno);
    error = is_local(socket_) ? open_file(socket_, mode) : open_port(socket_);
    if (error == 0 && listen(socket_->fd, BACKLOG) != 0)
        error = errno;
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

/* --- connections --- */

void tap_socket_keep_alive(int connection)
{
    const int yes = 1;

    setsockopt(connection, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof yes);
}

void tap_socket_peer(int connection, char peer[TAP_PEER_MAX])
{
    struct sockaddr_storage address = {0};
    socklen_t len = sizeof address;
    char host[INET6_ADDRSTRLEN + 16], port[8];
    struct ucred owner;
    socklen_t owner_len = sizeof owner;

    snprintf(peer, TAP_PEER_MAX, "sender");
    if (getpeername(connection, (struct sockaddr *)&address, &len) != 0)
        return;
    if (address.ss_family == AF_UNIX) {
        if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &owner, &owner_len) == 0)
            snprintf(peer, TAP_PEER_MAX, "pid %ld, uid %ld", (long)owner.pid, (long)owner.uid);
    } else if (getnameinfo((struct sockaddr *)&address, len, host, sizeof host, port, sizeof port,
                           NI_NUMERICHOST | NI_NUMERICSERV) == 0) {
        snprintf(peer, TAP_PEER_MAX, strchr(host, ':') ? "[%s]:%s" : "%s:%s", host, port);
    }
}
