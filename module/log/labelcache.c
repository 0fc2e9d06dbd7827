/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/log/labelcache.h"
#include "core/idna/labelcache.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static _Thread_local struct {
    struct xn_label_cache *labels;
    bool tried;
} own;
static pthread_key_t at_exit;
static bool has_key;

static void free_memo(void *labels)
{
    xn_label_cache_free(labels);
    own.labels = NULL;
}

/* Runs when the module is loaded, before there are workers. */
__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&at_exit, free_memo) == 0;
}

static struct xn_label_cache *make_memo(void)
{
    struct xn_label_cache *labels = has_key ? xn_label_cache_new() : NULL;

    if (labels && pthread_setspecific(at_exit, labels) != 0) {
        xn_label_cache_free(labels);
        labels = NULL;
    }
    own.tried = true; /* do not try again for each name */
    return own.labels = labels;
}

struct xn_label_cache *xnm_thread_labels(void)
{
    return own.labels || own.tried ? own.labels : make_memo();
}
