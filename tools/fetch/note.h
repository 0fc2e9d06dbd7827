/* SPDX-License-Identifier: BSD-3-Clause */
/* Remembers a list from one fetch to the next in a small file beside it, NAME.fetch. Files in that
 * folder are written so that nobody sees half of one. */
#ifndef XN_TOOLS_FETCH_NOTE_H
#define XN_TOOLS_FETCH_NOTE_H

#include "tools/fetch/transfer.h"

#include <sys/stat.h>
#include <time.h>

struct note {
    /* The list as it was fetched; `url` NULL: it never was. */
    char *url; /* owned */
    struct transfer_version version;
    size_t entries;
    long long size, mtime, mtime_ns; /* of its file; another one is somebody else's */
    /* Seconds since 1970; 0: never. */
    long long good;    /* when the server last said that this is the list */
    long long bad;     /* when that last failed */
    char trouble[512]; /* why; "": the last fetch was good */
};

/* Reads the note of the file `name` in a folder. One that is missing or damaged is {0}: the list is
 * fetched whole. */
void note_read(int folder, const char *name, struct note *note);
void note_free(struct note *note);

/* Is the list still the file that was fetched from this URL? `there`: its state. */
bool note_is_of(const struct note *note, const char *url, const struct stat *there);

/* Takes the state of a list's file that was just written. */
void note_take(struct note *note, const struct stat *there);

/* Replaces the note. Returns 0 or an errno. */
int note_write(int folder, const char *name, const struct note *note);

/* Replaces the file `name` in a folder: a file beside it (NAME.fetch-new, O_EXCL, mode 0644) is
 * written, synced, and renamed to it. *written becomes its state. Returns 0 or an errno; then
 * nothing has changed, and nothing is left. The caller sees to it that nobody else does this. */
int note_replace(int folder, const char *name, const struct buffer *text, struct stat *written);

#endif
