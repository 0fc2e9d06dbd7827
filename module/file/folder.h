/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the folder of a file for writing, without following a symbolic link that another user
 * planted. */
#ifndef XNM_MODULE_FILE_FOLDER_H
#define XNM_MODULE_FILE_FOLDER_H

#include <errno.h>

/* errno of xnm_folder_open for a symbolic link that it does not follow. No file system call here
 * sets this value. */
enum { XNM_FOLDER_PLANTED = ENOLINK };

/* Opens the folder of `path`, and points *name at the part after the last slash. A symbolic link in
 * the path is followed only if only root and the effective user can have created it: the folder
 * that holds it belongs to one of them, and neither its group nor others may write to it. Returns a
 * descriptor (O_PATH, for openat(2) and the like; the caller closes it), or -1 with errno:
 * XNM_FOLDER_PLANTED, EISDIR if `path` ends with a slash, ELOOP after 40 links, or an error of
 * openat(2). */
int xnm_folder_open(const char *path, const char **name);

/* Returns the message for an errno: that of strerror(3), or one for XNM_FOLDER_PLANTED. Valid as
 * long as strerror's result. */
const char *xnm_folder_error(int error);

#endif
