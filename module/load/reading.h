/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of reading a policy's files: who gets the messages, how much memory is left, and which
 * files were read so far. */
#ifndef XNM_MODULE_LOAD_READING_H
#define XNM_MODULE_LOAD_READING_H

#include "module/base/budget.h"
#include "module/file/sources.h"
#include "module/file/textfile.h"

#include <stdatomic.h>
#include <stdbool.h>

struct xnm_diagnostics;
struct xnm_list_watch;

struct xnm_reading {
    const struct xnm_diagnostics *diagnostics;
    const struct xnm_sources *last; /* the files of the last reading; NULL: there was none */
    const struct xnm_sources
        *looked;             /* the files as they were last looked at; NULL: all are read */
    const atomic_bool *stop; /* set once the reading is not wanted; NULL: it always is */
    const struct xnm_list_watch *watch; /* of lists; NULL: none */
    struct xnm_sources *sources;        /* what was read; of the caller */
    struct xnm_budget budget;           /* the thread's account */
    bool no_memory;                     /* for anything: the reading ends */
};

/* Returns whether the reading is not wanted any more. */
bool xnm_reading_is_stopped(const struct xnm_reading *reading);

/* Notes that an allocation failed. If the budget was exceeded, only the list in hand is lost; else
 * the reading ends (no_memory). Always false. */
bool xnm_reading_has_no_memory(struct xnm_reading *reading);

/* Returns the state of a file when it was last looked at; NULL: it was not. */
const struct xnm_source *xnm_reading_looked_at(const struct xnm_reading *reading, const char *path);

/* Remembers a file. False: no memory, which is noted. */
bool xnm_reading_keep_source(struct xnm_reading *reading, const struct xnm_source *source);

/* Remembers a list that need not be read, as if it had been. Returns false when out of memory,
 * which is noted. */
bool xnm_reading_note(struct xnm_reading *reading, const char *path, const struct xnm_stamp *stamp);

/* Reads a file's text and remembers the file's state; if it cannot be read, its state before the
 * attempt. Returns NULL, or the error; then there is nothing to free. A reading that was stopped
 * has no error to report. */
const char *xnm_reading_text(struct xnm_reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file);

#endif
