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

/* What comes of a change: somebody else may have made one. */
typedef enum { SNIPPET_DONE, SNIPPET_CHANGED, SNIPPET_FAILED /* `trouble` says why */ } snippet_end;

/* Looks at what is there. `path`, which is absolute, must outlive it. A link at that name
 * is not followed; module/file/folder.h says which ones above it are. What a run that was killed
 * had set aside is removed. To be closed in every case, which puts back what is aside. */
void snippet_open(struct snippet *snippet, const char *path);
void snippet_close(struct snippet *snippet);

/* Adds the text that loads a module, with its configuration, in this order of modules. */
void snippet_text(struct buffer *text, const char *order, const char *module, const char *config);

/* Whether these words can stand in it. */
bool snippet_can_hold(const char *path);

/* Gives one that is ours another name, which no pattern of an include finds. One that has become
 * somebody else's meanwhile stays. */
snippet_end snippet_set_aside(struct snippet *snippet);

/* Whether somebody has put something in the place of one that is aside, or of none. */
bool snippet_is_taken(const struct snippet *snippet);

/* Puts a text in the place of one that is aside, or of none: the whole of it, or nothing. Where
 * that has this very text the file stays the same one. Where somebody else has put something
 * there, that stays. */
snippet_end snippet_write(struct snippet *snippet, const struct buffer *text);

/* Removes one that is aside. */
snippet_end snippet_remove(struct snippet *snippet);

#endif
