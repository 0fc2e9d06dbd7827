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
};

/* Looks at what is there. `path`, which is absolute, must outlive it. A link at that name
 * is not followed; module/file/folder.h says which ones above it are. To be closed in every case.
 */
void snippet_open(struct snippet *snippet, const char *path);
void snippet_close(struct snippet *snippet);

/* Has somebody changed it since it was looked at? */
bool snippet_has_changed(const struct snippet *snippet);

/* Adds the text that loads a module, with its configuration, before the modules of `order`. */
void snippet_text(struct buffer *text, const char *order, const char *module, const char *config);

/* Whether these words can stand in it. */
bool snippet_can_hold(const char *path);

/* Puts a text in the place of one that is ours, or of none: at each moment the whole of one of them
 * is there. Returns NULL, or why it could not be done. */
const char *snippet_write(struct snippet *snippet, const struct buffer *text);

/* Removes one that is ours. Returns as snippet_write does. */
const char *snippet_remove(struct snippet *snippet);

#endif
