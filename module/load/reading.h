/* SPDX-License-Identifier: BSD-3-Clause */
/* A reading of a policy's files: what is known of it so far. Private to this room. */
#ifndef XNM_MODULE_LOAD_READING_H
#define XNM_MODULE_LOAD_READING_H

#include "module/base/arena.h"
#include "module/base/budget.h"
#include "module/load/policyfiles.h"
#include "module/rule/rulefile.h"

struct xnm_policy_builder;

struct xnm_reading {
    const struct xnm_policyfiles_options *options;
    struct xnm_policyfiles *result; /* to which the files and their counts are added */
    struct xnm_rules rules;
    struct xnm_policy_builder *builder;
    size_t rule_count;        /* of the builder */
    struct xnm_arena lists;   /* private to lists.c */
    struct xnm_budget budget; /* the thread's account */
    bool no_memory;           /* for anything: the reading ends */
};

/* Returns whether the reading is not wanted any more. */
bool xnm_reading_is_stopped(const struct xnm_reading *reading);

/* Notes that an allocation failed. If the budget was exceeded, only the list in hand is lost; else
 * the reading ends (no_memory). Always false. */
bool xnm_reading_has_no_memory(struct xnm_reading *reading);

/* Adds a file that is watched from now on. False: no memory, which is noted. */
bool xnm_reading_watch(struct xnm_reading *reading, const struct xnm_source *source);

/* Reads a file's text and watches the file; if it cannot be read, its state before the attempt is
 * the one it is compared with. Returns NULL, or the error; then there is nothing to free. A reading
 * that was stopped has no error to report. */
const char *xnm_reading_text(struct xnm_reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file);

#endif
