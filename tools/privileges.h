/* SPDX-License-Identifier: BSD-3-Clause */
/* What a daemon may do with files once it has given up its privileges. */
#ifndef XN_TOOLS_PRIVILEGES_H
#define XN_TOOLS_PRIVILEGES_H

#include <pwd.h>
#include <stddef.h>

typedef enum {
    PRIVILEGES_READ,
    PRIVILEGES_APPEND, /* to a file that is made if it is missing */
    PRIVILEGES_REPLACE /* a file by a new one, which is made beside it */
} privileges_use;

struct privileges_probe {
    const char *path; /* inside the root */
    privileges_use use;
    int error; /* the result: 0, or what errno said */
};

/* Tries each probe in a child process with the user's ids and groups, inside the folder `root` ("":
 * no other). user NULL: with those of the caller. Nothing is made or changed. Only root can take
 * another user's ids and change the root; for others `root` stands before each path. Returns NULL,
 * or why nothing could be tried. */
const char *privileges_try(const struct passwd *user, const char *root,
                           struct privileges_probe *probes, size_t count);

#endif
