/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what a daemon may do with files once it has given up its privileges. */
#ifndef XN_TOOLS_CHECK_PRIVILEGES_H
#define XN_TOOLS_CHECK_PRIVILEGES_H

#include "tools/text/buffer.h"

#include <pwd.h>
#include <stddef.h>
#include <stdio.h>

/* Done in the child process: what it writes to `out` its parent gets. */
typedef void privileges_work(void *arg, FILE *out);

/* Does a work in a child process with the user's ids and groups, inside the folder `root` ("": no
 * other). user NULL: with those of the caller. Only root can take another user's ids and change the
 * root. Returns NULL, and `found`, which was empty, has what the work wrote; or why it could not be
 * done.
 */
const char *privileges_run(const struct passwd *user, const char *root, privileges_work *work,
                           void *arg, struct buffer *found);

typedef enum {
    PRIVILEGES_READ,
    PRIVILEGES_APPEND, /* to a file that is made if it is missing */
    PRIVILEGES_REPLACE /* a file by a new one, which is made beside it */
} privileges_use;

struct privileges_probe {
    const char *path; /* inside the root */
    privileges_use use;
    int error; /* the result: 0, or what errno said (module/file/folder.h: xnm_folder_error) */
};

/* Tries each probe so. Nothing is made or changed. For others than root `root` stands before each
 * path. Returns NULL, or why nothing could be tried. */
const char *privileges_try(const struct passwd *user, const char *root,
                           struct privileges_probe *probes, size_t count);

#endif
