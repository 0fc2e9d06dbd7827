/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that something was made from, and whether they have changed since. Host-free. */
#ifndef XNM_MODULE_SOURCES_H
#define XNM_MODULE_SOURCES_H

#include "module/textfile.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_source {
    char *path;             /* owned */
    struct xnm_stamp read;  /* taken before it was read */
    struct xnm_stamp found; /* at the last look */
};

struct xnm_sources {
    struct xnm_source *files; /* owned */
    size_t count;
    unsigned quiet; /* looks in a row that found nothing new */
};

/* {0} is no files. Adds one (its path is copied), as it was before it was read. False: no memory.
 */
bool xnm_sources_add(struct xnm_sources *sources, const char *path, const struct xnm_stamp *stamp);
void xnm_sources_free(struct xnm_sources *sources); /* leaves {0} */

/* Are all files still as they were before they were read? */
bool xnm_sources_same(const struct xnm_sources *sources);

/* Looks at the files. True: they are not as they were before they were read, and no look since the
 * XNM_SOURCES_QUIET-th last one has found them changing. A file that is written to bit by bit is so
 * left alone until its writer rests. */
enum { XNM_SOURCES_QUIET = 2 };
bool xnm_sources_look(struct xnm_sources *sources);

#endif
