/* SPDX-License-Identifier: BSD-3-Clause */
/* A handle of libidnpolicy: its parts from idnp_open to idnp_close. */
#ifndef XNM_MODULE_ENGINE_HANDLE_H
#define XNM_MODULE_ENGINE_HANDLE_H

#include "module/engine/idnpolicy.h"
#include "module/engine/messages.h"
#include "module/run/state.h"

#include <stdatomic.h>

struct idnp {
    atomic_bool has_threads; /* they were started */
    struct xnm_state *state;
    struct xnm_engine *engine;
    struct idnp_options options;
    struct xnm_diagnostics diagnostics;
    char *config; /* path; owned */
    struct {      /* while it is opened */
        char *at;
        size_t len, cap;
    } errors;
    struct xnm_messages messages;
    struct idnp *next; /* of those that are shared */
    size_t owners;     /* 0: it is not shared */
};

void xnm_handle_start(struct idnp *idnp);

/* Starts the threads of a handle that has none yet. */
static inline void xnm_handle_ready(struct idnp *idnp)
{
    if (!atomic_load_explicit(&idnp->has_threads, memory_order_acquire))
        xnm_handle_start(idnp);
}

#endif
