/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that something was made from, and whether they have changed since. Host-free. */
#ifndef XNM_MODULE_FILE_SOURCES_H
#define XNM_MODULE_FILE_SOURCES_H

#include "module/file/textfile.h"

#include <stdbool.h>
#include <stddef.h>

struct xnm_source {
    char *path;             /* owned */
    struct xnm_stamp read;  /* taken before it was read */
    struct xnm_stamp found; /* at the last look */
    bool can_wait;          /* the others may be read without it: what it held is kept */
    unsigned quiet;         /* looks in a row that found nothing new */
    unsigned restless;      /* looks since it was at rest, or was read */
    bool told;              /* private to whoever tells that it does not come to rest */
};

struct xnm_sources {
    struct xnm_source *files; /* owned */
    size_t count;
};

/* {0} is no files. Adds one (its path is copied), as it was before it was read. False: no memory.
 */
bool xnm_sources_add(struct xnm_sources *sources, const char *path, const struct xnm_stamp *stamp);

/* Adds a copy of one. False: no memory. */
bool xnm_sources_keep(struct xnm_sources *sources, const struct xnm_source *source);
void xnm_sources_cut(struct xnm_sources *sources, size_t count); /* forgets those added later */
void xnm_sources_free(struct xnm_sources *sources);              /* leaves {0} */

/* Are all files still as they were before they were read? */
bool xnm_sources_same(const struct xnm_sources *sources);

/* Looks at the files. True: it is time to read them. One of them is not as it was before it was
 * read, and has come to rest: XNM_SOURCES_QUIET looks in a row have found nothing new. Or it has
 * not for XNM_SOURCES_RESTLESS looks. While a file is being written to that cannot wait, so long at
 * most, the others wait for it. */
enum { XNM_SOURCES_QUIET = 2, XNM_SOURCES_RESTLESS = 20 };
bool xnm_sources_look(struct xnm_sources *sources);

/* At the last look: was a file, which is not as it was read, being written to? And has it been for
 * so long that it is read all the same? */
bool xnm_source_is_busy(const struct xnm_source *source);
bool xnm_source_is_overdue(const struct xnm_source *source);

/* The file of that path, the first of several; NULL: there is none. */
struct xnm_source *xnm_sources_find(const struct xnm_sources *sources, const char *path);

#endif
