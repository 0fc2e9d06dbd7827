/* SPDX-License-Identifier: BSD-3-Clause */
/* The policy handle: the policy in force, and the counters that outlive a reload with it. Any
 * number of threads read the policy without a lock while one replaces it. The only user of
 * liburcu. */
#ifndef XNM_MODULE_LOAD_POLICYHANDLE_H
#define XNM_MODULE_LOAD_POLICYHANDLE_H

#include "module/load/policyfiles.h"
#include "module/policy/policy.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct xnm_counters;
struct xnm_policy;

/* Counts for the metrics. */
struct xnm_policyhandle_counts {
    uint64_t swaps, failures; /* of policies, since the start */
    uint64_t bad_lists;       /* lists that could not be read or had bad lines at the last load */
    uint64_t list_bad_lines, list_skipped_lines; /* at the last load */
    uint64_t expired_zones; /* RPZ zones past the EXPIRE of their SOA record, at the last look */
    double loaded_at;       /* when the policy in force was made, seconds since 1970; 0: none */
    bool missing; /* the rules that idn.conf names, or idn.conf itself, could not be read since the
                     start, and none are in force */
};

struct xnm_published {
    struct xnm_policy *policy; /* NULL: none */
    uint64_t generation;
};

/* All members are private to module/load. */
struct xnm_policyhandle {
    _Atomic(struct xnm_published *) published;
    atomic_uint_fast64_t generation; /* of the policy in force; readable without entering RCU */
    struct xnm_published none;       /* published before the first policy */
    struct xnm_counters *counters;

    pthread_mutex_t lock;
    struct xnm_policyhandle_counts counts;

    /* Used by the thread that opens a struct xnm_reload, then by its watcher alone: */
    bool opened;   /* once, without an error in a rule file */
    bool log_only; /* the mode that was last reported, or is the default */
};

/* Returns NULL when out of memory. Until a policy is published, none is in force. The caller owns
 * the handle, and frees it when no thread uses it and no struct xnm_reload is open for it. */
struct xnm_policyhandle *xnm_policyhandle_new(void);
void xnm_policyhandle_free(struct xnm_policyhandle *handle); /* NULL is fine */

/* Returns the policy in force, valid until xnm_policyhandle_leave; NULL: none. Any thread may call
 * it, also nested; it never waits. *generation (may be NULL) differs after each change, and no two
 * policies of a process have the same. Each enter needs a leave, even after NULL. */
const struct xnm_policy *xnm_policyhandle_enter(const struct xnm_policyhandle *handle,
                                                uint64_t *generation);
void xnm_policyhandle_leave(void);

/* Returns whether a policy is in force for which xnm_policy_protects is true. */
bool xnm_policyhandle_protects(const struct xnm_policyhandle *handle);

/* Returns the generation of the policy in force, by which an earlier decision is known to be still
 * valid. */
static inline uint64_t xnm_policyhandle_generation(const struct xnm_policyhandle *handle)
{
    return atomic_load_explicit(&handle->generation, memory_order_acquire);
}

struct xnm_policyhandle_counts xnm_policyhandle_counts(struct xnm_policyhandle *handle);

/* --- for module/load/reload.c --- */

/* Makes the calling thread a reader. liburcu ends a process that has no memory for one: after this
 * call, there is memory for eight threads at once, and more is allocated only for more threads.
 * Returns whether there is memory. */
bool xnm_policyhandle_register_reader(void);

/* Returns the published policy. Only the thread that publishes may call it, one at a time. */
const struct xnm_published *xnm_policyhandle_published(const struct xnm_policyhandle *handle);

/* Puts a policy in force (NULL: none), of which it becomes the owner, counts the swap, and frees
 * the previous one when it has no reader left. Returns false when out of memory, and nothing has
 * changed then. */
bool xnm_policyhandle_publish(struct xnm_policyhandle *handle, struct xnm_policy *policy);

void xnm_policyhandle_count_reading(struct xnm_policyhandle *handle,
                                    const struct xnm_policyfiles *read, bool good);
/* Sets `missing` because idn.conf cannot be read. */
void xnm_policyhandle_count_missing(struct xnm_policyhandle *handle);
void xnm_policyhandle_count_expired(struct xnm_policyhandle *handle, size_t zones);

#endif
