/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads small files with one entry on each line: the addresses of a group of clients, the words of
 * words=. Private to module/load. */
#ifndef XNM_MODULE_LOAD_LINEFILE_H
#define XNM_MODULE_LOAD_LINEFILE_H

#include "module/file/textline.h"
#include "module/load/reading.h"

/* The caller sets the members before `line`, and frees `entries`. */
struct xnm_linefile {
    struct xnm_reading *reading;
    const char *path;
    struct xnm_place place; /* of the path in a rule file */
    size_t size_max;        /* octets */
    const char *expected;   /* what the file should have, for a message: "words" */
    const char *entry;      /* what a line should have: "word" */
    /* Adds the entry from `at` to `end`, which has no blanks, to `entries`, or reports an error. */
    void (*read)(struct xnm_linefile *file, const char *at, const char *end);
    struct xnm_textline line;
    struct xnm_arena entries;
    const char *at;   /* private to read() */
    char quoted[512]; /* private: see xnm_linefile_quote */
    char cannot[256]; /* private: *why of xnm_linefile_read */
};

/* Reads the file, and reports its bad lines, which are left out. Returns true; *why is then NULL,
 * or "cannot be read: " and the reason, which the struct holds. Returns false if the reading of the
 * policy ends. */
bool xnm_linefile_read(struct xnm_linefile *file, const char **why);

/* Reports at file->place that there is no room for the entries. Returns false. */
bool xnm_linefile_no_room(const struct xnm_linefile *file);

/* Returns a printable copy of the path, which the struct holds. */
const char *xnm_linefile_quote(struct xnm_linefile *file);

#endif
