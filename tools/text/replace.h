/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a file that is whole at any time. */
#ifndef XN_TOOLS_TEXT_REPLACE_H
#define XN_TOOLS_TEXT_REPLACE_H

#include "tools/text/buffer.h"

#include <stdbool.h>

/* Writes a file beside `path`, and renames it to that: a reader of the path gets the old text or
 * the new one. The file has the permissions of a new file. Returns false, with errno, if that
 * fails, and if something other than a regular file is there (EEXIST). */
bool replace_file(const char *path, const struct buffer *text);

/* Returns whether the path may get a text of some kind: there is no file, an empty one, or a
 * regular one that begins with `beginning`, of at most 1,024 octets. A file that cannot be read may
 * not be replaced. Anything but a regular file is left to replace_file, which refuses it. */
bool replace_is_kind(const char *path, const char *beginning);

#endif
