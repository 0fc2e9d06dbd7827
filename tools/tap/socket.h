/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening sockets: their addresses as options have them, their files, and those that systemd
 * opened. */
#ifndef XN_TOOLS_TAP_SOCKET_H
#define XN_TOOLS_TAP_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

struct tap_socket {
    int fd;
    bool is_inherited; /* from systemd, whose file it is */
    union {
        struct sockaddr any;
        struct sockaddr_un local; /* AF_UNIX */
        struct sockaddr_storage storage;
    } address;
    socklen_t address_len;
    dev_t device; /* of a local socket's file that was made */
    ino_t inode;
};

struct tap_socket_mode {
    mode_t mode;
    bool has_group;
    gid_t group;
};

/* Reads "unix:PATH", "192.0.2.1:6000" or "[2001:db8::1]:6000". NULL: good; else what is wrong. */
const char *tap_socket_address(const char *text, struct tap_socket *socket);

/* Listens. A file that a dead process left is removed first; of one that is listened to, or is no
 * socket, nothing is touched. NULL: good; else why not. */
const char *tap_socket_listen(struct tap_socket *socket, const struct tap_socket_mode *mode);

/* Closes it, and removes its file if it is still the one that was made. */
void tap_socket_close(struct tap_socket *socket);

/* The sockets that systemd hands over (sd_listen_fds(3)): their number, at most max. The variables
 * of the environment that say so are removed. */
size_t tap_socket_inherited(struct tap_socket *sockets, size_t max);

/* Has the kernel ask, after hours of silence, whether the sender's machine is still there. */
void tap_socket_keep_alive(int connection);

/* Writes whose connection it is: "pid 4711" or "192.0.2.1:53124". */
enum { TAP_PEER_MAX = 64 };
void tap_socket_peer(int connection, char peer[TAP_PEER_MAX]);

#endif
