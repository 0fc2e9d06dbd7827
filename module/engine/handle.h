/* SPDX-License-Identifier: BSD-3-Clause */
/* A handle of libidnpolicy: its parts from idnp_open to idnp_close. */
#ifndef XNM_MODULE_ENGINE_HANDLE_H
#define XNM_MODULE_ENGINE_HANDLE_H

#include "module/engine/idnpolicy.h"
#include "module/engine/messages.h"
#include "module/run/state.h"

#include <stdatomic.h>

struct idnp {
    atomic_uint ready; /* the process in which its threads were started; 0: not yet in any */
    _Atomic(struct xnm_state *) state;
    struct xnm_life *life;
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

/* Numbers this process: 1 at first, and one more in each child of a fork. */
extern atomic_uint xnm_engine_process;

bool xnm_engine_start(struct idnp *idnp);

/* Starts the threads of a handle that has none in this process. False: no memory for it, after a
 * fork; its policy can still be asked. */
static inline bool xnm_engine_ready(struct idnp *idnp)
{
    return atomic_load_explicit(&idnp->ready, memory_order_acquire) ==
               atomic_load_explicit(&xnm_engine_process, memory_order_relaxed) ||
           xnm_engine_start(idnp);
}

#endif
