/* SPDX-License-Identifier: BSD-3-Clause */
/* A handle of libidnpolicy: its parts from idnp_open to idnp_close. */
#ifndef XNM_MODULE_ENGINE_HANDLE_H
#define XNM_MODULE_ENGINE_HANDLE_H

#include "module/engine/idnpolicy.h"
#include "module/run/state.h"

#include <pthread.h>
#include <stdatomic.h>

/* Messages of the library for a host without a callback, until idnp_message takes them. */
enum { XNM_HANDLE_MESSAGES_MAX = 1 << 16 }; /* octets that wait, with two more for each line */

struct xnm_handle_messages {
    pthread_mutex_t lock;
    size_t first, len; /* the messages begin at `first` */
    uint64_t lost;
    char text[XNM_HANDLE_MESSAGES_MAX]; /* each message: its severity, as a letter, its line and
                                               a NUL */
};

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
    struct xnm_handle_messages messages;
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
