/* SPDX-License-Identifier: BSD-3-Clause */
/* Watches files for changes since they were read. Host-free. */
#ifndef XNM_MODULE_FILE_SOURCES_H
#define XNM_MODULE_FILE_SOURCES_H

#include "module/file/textfile.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_source {
    char *path;             /* owned */
    struct xnm_stamp read;  /* before it was read */
    struct xnm_stamp found; /* at the last look */
    bool can_wait; /* the other files may be read without this one, whose old contents are kept */
    unsigned same_looks; /* looks in a row that found no further change */
    unsigned busy_looks; /* looks since it was at rest, or was read */
};

struct xnm_sources {
    struct xnm_source *files; /* owned */
    size_t count, capacity;   /* capacity: how many there is room for */
};

/* {0} is an empty list. Adds a copy of `source`, and of its path. Returns false when out of memory.
 */
bool xnm_sources_keep(struct xnm_sources *sources, const struct xnm_source *source);
void xnm_sources_free(struct xnm_sources *sources); /* leaves {0} */

/* Looks at the files. Returns whether they must be read: a file has changed since it was read, and
 * then was at rest for XNM_SOURCES_SAME_LOOKS looks, or was not for XNM_SOURCES_BUSY_LOOKS looks. A
 * file that is being written to and cannot wait delays the others, for that long at most. */
enum { XNM_SOURCES_SAME_LOOKS = 4, XNM_SOURCES_BUSY_LOOKS = 40 };
bool xnm_sources_look(struct xnm_sources *sources);

/* Returns whether a file was being written to at the last look, and not for XNM_SOURCES_BUSY_LOOKS
 * looks. */
bool xnm_source_is_busy(const struct xnm_source *source);

/* Returns the first file with that path; NULL if there is none. */
struct xnm_source *xnm_sources_find(const struct xnm_sources *sources, const char *path);

#endif
