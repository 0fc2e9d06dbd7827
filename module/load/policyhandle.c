/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/policyhandle.h"

#include "module/policy/policy.h"
#include "module/rule/counters.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <urcu-bp.h>

/* ThreadSanitizer does not know liburcu's barriers: for it, leaving happens before the wait for
 * readers returns. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static char readers;
#define NOTE_READER_LEFT() __tsan_release(&readers)
#define NOTE_READERS_GONE() __tsan_acquire(&readers)
#else
#define NOTE_READER_LEFT() ((void)0)
#define NOTE_READERS_GONE() ((void)0)
#endif

/* The last generation in this process. It never repeats, since decisions that are remembered by
 * generation (module/unbound/known.h) may outlive a policy and its module. */
static atomic_uint_fast64_t generations;

struct xnm_policyhandle *xnm_policyhandle_new(void)
{
    struct xnm_policyhandle *handle = calloc(1, sizeof *handle);

    if (!handle || pthread_mutex_init(&handle->lock, NULL) != 0) {
        free(handle);
        return NULL;
    }
    handle->counters = xnm_counters_new();
    atomic_init(&handle->published, &handle->none);
    if (handle->counters)
        return handle;
    xnm_policyhandle_free(handle);
    return NULL;
}

void xnm_policyhandle_free(struct xnm_policyhandle *handle)
{
    if (!handle)
        return;
    struct xnm_published *last = atomic_load(&handle->published);
    xnm_policy_free(last->policy);
    if (last != &handle->none)
        free(last);
    xnm_counters_free(handle->counters);
    pthread_mutex_destroy(&handle->lock);
    free(handle);
}

/* --- readers --- */

bool xnm_policyhandle_register_reader(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return false;
    munmap(page, 4096);
    urcu_bp_register_thread();
    return true;
}

const struct xnm_policy *xnm_policyhandle_enter(const struct xnm_policyhandle *handle,
                                                uint64_t *generation)
{
    rcu_read_lock();
    const struct xnm_published *now =
        atomic_load_explicit(&handle->published, memory_order_acquire);
    if (generation)
        *generation = now->generation;
    return now->policy;
}

void xnm_policyhandle_leave(void)
{
    NOTE_READER_LEFT();
    rcu_read_unlock();
}

bool xnm_policyhandle_protects(const struct xnm_policyhandle *handle)
{
    const struct xnm_policy *policy = xnm_policyhandle_enter(handle, NULL);
    bool protects = policy && xnm_policy_protects(policy);

    xnm_policyhandle_leave();
    return protects;
}

static void wait_for_readers(void)
{
    synchronize_rcu();
    NOTE_READERS_GONE();
}

/* --- counts --- */

struct xnm_policyhandle_counts xnm_policyhandle_counts(struct xnm_policyhandle *handle)
{
    pthread_mutex_lock(&handle->lock);
    struct xnm_policyhandle_counts counts = handle->counts;
    pthread_mutex_unlock(&handle->lock);
    return counts;
}

void xnm_policyhandle_count_reading(struct xnm_policyhandle *handle,
                                    const struct xnm_policyfiles *read, bool good)
{
    pthread_mutex_lock(&handle->lock);
    handle->counts.failures += !good;
    handle->counts.missing = !good && !xnm_policyhandle_published(handle)->policy;
    if (good) {
        handle->counts.bad_lists = read->bad_lists;
        handle->counts.list_bad_lines = read->bad_lines;
        handle->counts.list_skipped_lines = read->skipped_lines;
    }
    pthread_mutex_unlock(&handle->lock);
}

void xnm_policyhandle_count_missing(struct xnm_policyhandle *handle)
{
    pthread_mutex_lock(&handle->lock);
    handle->counts.missing = !xnm_policyhandle_published(handle)->policy;
    pthread_mutex_unlock(&handle->lock);
}

void xnm_policyhandle_count_expired(struct xnm_policyhandle *handle, size_t zones)
{
    pthread_mutex_lock(&handle->lock);
    handle->counts.expired_zones = zones;
    pthread_mutex_unlock(&handle->lock);
}

static void count_swap(struct xnm_policyhandle *handle, const struct xnm_published *now)
{
    struct timespec when;

    clock_gettime(CLOCK_REALTIME, &when);
    pthread_mutex_lock(&handle->lock);
    handle->counts.swaps++;
    handle->counts.loaded_at = now->policy ? (double)when.tv_sec + (double)when.tv_nsec / 1e9 : 0;
    pthread_mutex_unlock(&handle->lock);
}

/* --- publishing --- */

const struct xnm_published *xnm_policyhandle_published(const struct xnm_policyhandle *handle)
{
    return atomic_load_explicit(&handle->published, memory_order_relaxed);
}

bool xnm_policyhandle_publish(struct xnm_policyhandle *handle, struct xnm_policy *policy)
{
    struct xnm_published *before = atomic_load_explicit(&handle->published, memory_order_relaxed),
                         *next = malloc(sizeof *next);

    if (!next)
        return false;
    *next = (struct xnm_published){policy, atomic_fetch_add(&generations, 1) + 1};
    atomic_store_explicit(&handle->published, next, memory_order_release);
    atomic_store_explicit(&handle->generation, next->generation, memory_order_release);
    wait_for_readers();
    xnm_policy_free(before->policy);
    if (before != &handle->none)
        free(before);
    count_swap(handle, next);
    return true;
}
