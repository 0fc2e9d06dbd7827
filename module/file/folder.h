/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens the folder of a file that is to be written without following a symbolic link that somebody
 * planted. */
#ifndef XNM_MODULE_FILE_FOLDER_H
#define XNM_MODULE_FILE_FOLDER_H

#include <errno.h>

/* errno of xnm_folder_open for a symbolic link that it does not follow. No file system call here
 * sets this value. */
enum { XNM_FOLDER_PLANTED = ENOLINK };

/* Opens the folder of `path`, and points *name at the part after the last slash. A symbolic link on
 * the way is followed only if nobody except root and the effective user can have put it there: the
 * folder that holds it belongs to one of them, and neither its group nor everyone may write to it.
 * Returns a descriptor (O_PATH, for openat(2) and the like; the caller closes it), or -1 with
 * errno: XNM_FOLDER_PLANTED, EISDIR if `path` ends with a slash, ELOOP after 40 links, or what
 * openat(2) says. */
int xnm_folder_open(const char *path, const char **name);

/* The message for an errno: strerror(3)'s, or one for XNM_FOLDER_PLANTED. Valid as long as
 * strerror's result. */
const char *xnm_folder_error(int error);

#endif
