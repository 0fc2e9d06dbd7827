/* SPDX-License-Identifier: BSD-3-Clause */
/* Listening sockets: reads the address from the option, makes its file, and takes over those
 * that systemd opened. */
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

/* Reads "unix:PATH". Returns NULL, or what is wrong with it. */
const char *tap_socket_address(const char *text, struct tap_socket *socket);

/* Listens; the file has mode 0660. It first removes a socket's file that a dead process left; it
 * touches neither a file on which a process listens nor any other file. Returns NULL, or why it
 * failed. */
const char *tap_socket_listen(struct tap_socket *socket);

/* Closes the socket, and removes its file if that is still the one that was made. */
void tap_socket_close(struct tap_socket *socket);

/* Takes over the sockets that systemd hands over (sd_listen_fds(3)). Returns their number, at most
 * max. Removes the environment's variables for them. */
size_t tap_socket_inherited(struct tap_socket *sockets, size_t max);

#endif
