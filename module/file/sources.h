/* SPDX-License-Identifier: BSD-3-Clause */
/* Watches the files that something was made from for changes. Host-free. */
#ifndef XNM_MODULE_FILE_SOURCES_H
#define XNM_MODULE_FILE_SOURCES_H

#include "module/file/textfile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

struct xnm_source {
    char *path;             /* owned */
    struct xnm_stamp read;  /* taken before it was read */
    struct xnm_stamp found; /* at the last look */
    bool can_wait;  /* the other files may be read without this one, whose old contents are kept */
    unsigned quiet; /* looks in a row that found nothing new */
    unsigned restless; /* looks since it was at rest, or was read */
    bool told;         /* private to the caller: it reported that the file does not come to rest */
    /* module/load/expire.h fills these in if the file is an RPZ zone: */
    uint32_t serial;           /* … of its SOA record */
    time_t refreshed;          /* … when it last had news */
    time_t expires;            /* … when it is to be used no more; 0: never */
    bool is_read_when_expired; /* … time to read it again then, to drop its entries */
};

struct xnm_sources {
    struct xnm_source *files; /* owned */
    size_t count, capacity;   /* capacity: how many there is room for */
};

/* {0} is an empty list. Adds a copy of `source`, and of its path. Returns false when out of memory.
 */
bool xnm_sources_keep(struct xnm_sources *sources, const struct xnm_source *source);
void xnm_sources_cut(struct xnm_sources *sources, size_t count); /* keeps the first `count` files */
void xnm_sources_free(struct xnm_sources *sources);              /* leaves {0} */

/* Moves the files of `more` that `sources` lacks there, and leaves {0}. As what was found of them
 * then counts as read, only another change is one. Returns false when out of memory: nothing has
 * changed. */
bool xnm_sources_add(struct xnm_sources *sources, struct xnm_sources *more);

/* True if all files are still as they were before they were read. */
bool xnm_sources_same(const struct xnm_sources *sources);

/* Looks at the files. Returns true when it is time to read them: a file is not as it was before it
 * was read, and it has come to rest (XNM_SOURCES_QUIET looks in a row found nothing new) or has not
 * done so for XNM_SOURCES_RESTLESS looks. A file that is being written to and cannot wait holds up
 * the others, for that long at most. */
enum { XNM_SOURCES_QUIET = 4, XNM_SOURCES_RESTLESS = 40 };
bool xnm_sources_look(struct xnm_sources *sources);

/* The state, at the last look, of a file that is not as it was read. Busy: it is being written to.
 * Overdue: it has been for so long that it is read all the same. */
bool xnm_source_is_busy(const struct xnm_source *source);
bool xnm_source_is_overdue(const struct xnm_source *source);

/* Returns how many files have expired by `now`. Sets *due if it is time to read one again for that;
 * else leaves it alone. */
size_t xnm_sources_expired(const struct xnm_sources *sources, time_t now, bool *due);

/* Returns the first file with that path; NULL if there is none. */
struct xnm_source *xnm_sources_find(const struct xnm_sources *sources, const char *path);

#endif
