/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a regular file whole, with a stamp of its state, and writes a file whole. */
#ifndef XNM_MODULE_FILE_TEXTFILE_H
#define XNM_MODULE_FILE_TEXTFILE_H

#include "module/base/arena.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The results of stat() and lstat() for a path. The stamp changes when a symbolic link is switched,
 * or a file is replaced or written to. A path that leads nowhere has a stamp, too. */
struct xnm_stamp {
    bool present, regular;
    dev_t dev, link_dev;
    ino_t ino, link_ino;
    off_t size;
    struct timespec mtime, ctime, link_mtime;
};

struct xnm_stamp xnm_stamp_of(const char *path);
bool xnm_stamp_same(const struct xnm_stamp *a, const struct xnm_stamp *b);

struct xnm_textfile {
    char *text; /* owned; a NUL follows its len octets */
    size_t len;
    struct xnm_stamp stamp;  /* taken before the first octet was read */
    struct xnm_arena memory; /* private */
};

/* Reads a regular file of at most size_max octets. A file that is written to meanwhile (fstat
 * before and after differ) is read again, at most three times. A FIFO or a device is not opened.
 * Returns NULL, and the caller owns *file; or the reason for the failure, which stays valid until
 * the thread's next call, and then there is nothing to free. file->stamp is set in both cases. */
const char *xnm_textfile_read(const char *path, size_t size_max, struct xnm_textfile *file);

/* Does the same, but stops when another thread sets *stop, which is checked after each mebibyte;
 * NULL: none does. The message is then not for users. */
const char *xnm_textfile_read_until(const atomic_bool *stop, const char *path, size_t size_max,
                                    struct xnm_textfile *file);

void xnm_textfile_free(struct xnm_textfile *file);

/* Calls write(2) so that it fails with EFBIG at the limit of a file's size (RLIMIT_FSIZE) instead
 * of ending the process by SIGXFSZ: the module's first writes come from the daemon's own thread. */
ssize_t xnm_textfile_write_once(int fd, const void *octets, size_t len);

/* Writes all octets to a blocking descriptor. Returns false, with errno, if not all could be
 * written. */
bool xnm_textfile_write(int fd, const void *octets, size_t len);

#endif
