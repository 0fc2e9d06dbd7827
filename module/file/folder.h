/* SPDX-License-Identifier: BSD-3-Clause */
/* The folder of a file that is to be written, reached without a link that somebody planted. */
#ifndef XNM_MODULE_FILE_FOLDER_H
#define XNM_MODULE_FILE_FOLDER_H

#include <errno.h>

/* errno of xnm_folder_open: a link on the way is not followed. No file system call sets it here. */
enum { XNM_FOLDER_PLANTED = ENOLINK };

/* Opens the folder that `path` is in, and points *name at what comes after the last slash. A
 * symbolic link on the way is followed only if root and the effective user alone can have put it
 * there: the folder that it is in belongs to one of them, and neither its group nor everyone may
 * write to it. Returns a descriptor (O_PATH, for openat(2) and its like; the caller closes it), or
 * -1 with errno: XNM_FOLDER_PLANTED, EISDIR if `path` ends with a slash, ELOOP after 40 links, or
 * what openat(2) says. */
int xnm_folder_open(const char *path, const char **name);

/* strerror(3), and words for XNM_FOLDER_PLANTED. Valid as long as what strerror returns. */
const char *xnm_folder_error(int error);

#endif
