/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/rule/counters.h"

#include <pthread.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

struct counter {
    _Atomic uint64_t count; /* must be first: callers have a pointer to it */
    size_t users;
    SLIST_ENTRY(counter) all;
    TAILQ_ENTRY(counter) idle; /* in the list of counters without users */
    uint8_t key[XNM_COUNTERS_KEY];
};

struct xnm_counters {
    pthread_mutex_t lock;
    void *tree; /* by key: tsearch(3) */
    SLIST_HEAD(, counter) all;
    TAILQ_HEAD(idle_list, counter) idle; /* the one that has been idle longest comes first */
    size_t idle_count;
};

static int compare(const void *a, const void *b)
{
    const struct counter *left = a, *right = b;

    return memcmp(left->key, right->key, XNM_COUNTERS_KEY);
}

static void remove_idle(struct xnm_counters *counters, struct counter *counter)
{
    TAILQ_REMOVE(&counters->idle, counter, idle);
    counters->idle_count--;
}

struct xnm_counters *xnm_counters_new(void)
{
    struct xnm_counters *counters = calloc(1, sizeof *counters);

    if (!counters || pthread_mutex_init(&counters->lock, NULL) != 0) {
        free(counters);
        return NULL;
    }
    TAILQ_INIT(&counters->idle);
    return counters;
}

void xnm_counters_free(struct xnm_counters *counters)
{
    struct counter *counter;

    if (!counters)
        return;
    while (counters->tree)
        tdelete(*(struct counter **)counters->tree, &counters->tree, compare);
    while ((counter = SLIST_FIRST(&counters->all))) {
        SLIST_REMOVE_HEAD(&counters->all, all);
        free(counter);
    }
    pthread_mutex_destroy(&counters->lock);
    free(counters);
}

/* Returns a counter that has no key: the one that has been idle longest, if more are idle than are
 * kept, else a new one. NULL: no memory. */
static struct counter *make(struct xnm_counters *counters)
{
    struct counter *counter = TAILQ_FIRST(&counters->idle);

    if (counters->idle_count > XNM_COUNTERS_IDLE_MAX) {
        remove_idle(counters, counter);
        tdelete(counter, &counters->tree, compare);
        atomic_store_explicit(&counter->count, 0, memory_order_relaxed);
        return counter;
    }
    counter = calloc(1, sizeof *counter);
    if (counter)
        SLIST_INSERT_HEAD(&counters->all, counter, all);
    return counter;
}

static struct counter *find_or_add(struct xnm_counters *counters, const uint8_t *key)
{
    struct counter sought, *counter;
    struct counter **found;

    memcpy(sought.key, key, XNM_COUNTERS_KEY);
    found = tfind(&sought, &counters->tree, compare);
    if (found) {
        counter = *found;
        if (counter->users == 0)
            remove_idle(counters, counter);
    } else {
        counter = make(counters);
        if (!counter)
            return NULL;
        memcpy(counter->key, key, XNM_COUNTERS_KEY);
        if (!tsearch(counter, &counters->tree, compare))
            return NULL; /* it stays unused, since a reply that is being sent may count in it */
    }
    counter->users++;
    return counter;
}

_Atomic uint64_t *xnm_counters_take(struct xnm_counters *counters,
                                    const uint8_t key[XNM_COUNTERS_KEY])
{
    pthread_mutex_lock(&counters->lock);
    struct counter *counter = find_or_add(counters, key);
    pthread_mutex_unlock(&counters->lock);
    return counter ? &counter->count : NULL;
}

void xnm_counters_leave(struct xnm_counters *counters, _Atomic uint64_t *count)
{
    struct counter *counter = (struct counter *)(void *)count;

    pthread_mutex_lock(&counters->lock);
    if (--counter->users == 0) {
        TAILQ_INSERT_TAIL(&counters->idle, counter, idle);
        counters->idle_count++;
    }
    pthread_mutex_unlock(&counters->lock);
}
