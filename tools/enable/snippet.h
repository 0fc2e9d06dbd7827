/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of Unbound's configuration that loads the module: a file of its own, which nobody else
 * writes to. */
#ifndef XN_TOOLS_ENABLE_SNIPPET_H
#define XN_TOOLS_ENABLE_SNIPPET_H

#include "tools/text/buffer.h"

#include <stdbool.h>

typedef enum {
    SNIPPET_NONE,    /* no such file */
    SNIPPET_OURS,    /* as snippet_text begins */
    SNIPPET_EMPTY,   /* an empty file: the administrator wants no module */
    SNIPPET_FOREIGN, /* anything else: not to be touched */
    SNIPPET_HIDDEN   /* nobody knows: `trouble` says why */
} snippet_owner;

struct snippet {
    const char *path;
    int folder;          /* descriptor; -1: none */
    const char *trouble; /* why there is no folder, or no look at the file; NULL: there is */
    snippet_owner owner;
    struct buffer text; /* of one that is ours */
    bool is_aside;      /* it is under another name */
};

/* The result of a change. SNIPPET_CHANGED: somebody else has changed the file meanwhile. */
typedef enum { SNIPPET_DONE, SNIPPET_CHANGED, SNIPPET_FAILED /* `trouble` says why */ } snippet_end;

/* Looks at the file. `path`, which is absolute, must outlive the struct. A symbolic link at that
 * name is not followed; module/file/folder.h says which ones above it are. A file that a killed run
 * had set aside is removed. Close it in every case, which puts back a file that is aside. */
void snippet_open(struct snippet *snippet, const char *path);
void snippet_close(struct snippet *snippet);

/* Adds the text that loads a module, with its configuration, in this order of modules. */
void snippet_text(struct buffer *text, const char *order, const char *module, const char *config);

/* Returns whether the file can name this path. */
bool snippet_can_hold(const char *path);

/* Renames a file that is ours to a name that no pattern of an `include:` finds. A file that
 * somebody else has written meanwhile stays. */
snippet_end snippet_set_aside(struct snippet *snippet);

/* Returns whether somebody has put a file where ours was set aside, or where there was none. */
bool snippet_is_taken(const struct snippet *snippet);

/* Writes the file where ours was set aside, or where there was none: as a whole or not at all. If
 * the one that is aside has this very text, it is put back. A file that somebody else has put there
 * stays. */
snippet_end snippet_write(struct snippet *snippet, const struct buffer *text);

/* Removes the file that is aside. */
snippet_end snippet_remove(struct snippet *snippet);

#endif
