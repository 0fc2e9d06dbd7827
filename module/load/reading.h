/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the reading of a policy's files. Private to module/load. */
#ifndef XNM_MODULE_LOAD_READING_H
#define XNM_MODULE_LOAD_READING_H

#include "module/base/arena.h"
#include "module/base/budget.h"
#include "module/load/policyfiles.h"
#include "module/rule/rulefile.h"

struct xnm_policy_builder;

struct xnm_reading {
    const struct xnm_policyfiles_options *options;
    struct xnm_policyfiles *result; /* the files and their counts are added to it */
    struct xnm_rules rules;
    struct xnm_policy_builder *builder;
    size_t rule_count;        /* rules in the builder */
    struct xnm_arena lists;   /* private to lists.c */
    struct xnm_budget budget; /* the thread's account */
    bool no_memory;           /* memory ran out, and the reading ends */
};

/* Returns whether the reading is no longer wanted. */
bool xnm_reading_is_stopped(const struct xnm_reading *reading);

/* Handles an allocation that failed. If the budget was exceeded, only the current list is lost;
 * else the reading ends (no_memory). Returns false. */
bool xnm_reading_has_no_memory(struct xnm_reading *reading);

/* Adds a file to those that are watched. Returns false when out of memory, and sets no_memory. */
bool xnm_reading_watch(struct xnm_reading *reading, const struct xnm_source *source);

/* Reads a file's text and watches the file; if it cannot be read, its state before the attempt is
 * the one it is compared with. Returns NULL, or the error; then there is nothing to free. A reading
 * that was stopped has no error to report. */
const char *xnm_reading_text(struct xnm_reading *reading, const char *path, size_t size_max,
                             bool can_wait, struct xnm_textfile *file);

#endif
