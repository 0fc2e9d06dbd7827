/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/inforce.h"

#include "module/policy/policy.h"
#include "module/rule/hits.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <urcu-bp.h>

/* ThreadSanitizer does not know liburcu's barriers: for it, leaving happens before the wait for
 * readers returns. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static char readers;
#define SAY_READER_LEFT() __tsan_release(&readers)
#define SAY_READERS_GONE() __tsan_acquire(&readers)
#else
#define SAY_READER_LEFT() ((void)0)
#define SAY_READERS_GONE() ((void)0)
#endif

/* The last generation in this process. It never repeats, since who remembers what was decided by
 * one (module/unbound/known.h) may outlive a policy and the module that read it. */
static atomic_uint_fast64_t generations;

struct xnm_inforce *xnm_inforce_new(void)
{
    struct xnm_inforce *force = calloc(1, sizeof *force);

    if (!force || pthread_mutex_init(&force->lock, NULL) != 0) {
        free(force);
        return NULL;
    }
    force->hits = xnm_hits_new();
    atomic_init(&force->published, &force->none);
    if (force->hits)
        return force;
    xnm_inforce_free(force);
    return NULL;
}

void xnm_inforce_free(struct xnm_inforce *force)
{
    if (!force)
        return;
    struct xnm_published *last = atomic_load(&force->published);
    xnm_policy_free(last->policy);
    if (last != &force->none)
        free(last);
    xnm_hits_free(force->hits);
    pthread_mutex_destroy(&force->lock);
    free(force);
}

/* --- readers --- */

bool xnm_inforce_register_reader(void)
{
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page == MAP_FAILED)
        return false;
    munmap(page, 4096);
    urcu_bp_register_thread();
    return true;
}

const struct xnm_policy *xnm_reload_enter(const struct xnm_inforce *force, uint64_t *generation)
{
    rcu_read_lock();
    const struct xnm_published *now = atomic_load_explicit(&force->published, memory_order_acquire);
    if (generation)
        *generation = now->generation;
    return now->policy;
}

void xnm_reload_leave(void)
{
    SAY_READER_LEFT();
    rcu_read_unlock();
}

bool xnm_inforce_protects(const struct xnm_inforce *force)
{
    const struct xnm_policy *policy = xnm_reload_enter(force, NULL);
    bool protects = policy && xnm_policy_protects(policy);

    xnm_reload_leave();
    return protects;
}

static void wait_for_readers(void)
{
    synchronize_rcu();
    SAY_READERS_GONE();
}

/* --- counts --- */

struct xnm_reload_counts xnm_reload_counts(struct xnm_inforce *force)
{
    pthread_mutex_lock(&force->lock);
    struct xnm_reload_counts counts = force->counts;
    pthread_mutex_unlock(&force->lock);
    return counts;
}

void xnm_inforce_count_reading(struct xnm_inforce *force, const struct xnm_policyfiles *read,
                               bool good)
{
    pthread_mutex_lock(&force->lock);
    force->counts.failures += !good;
    force->counts.missing = !good && !xnm_inforce_published(force)->policy;
    if (good) {
        force->counts.bad_lists = read->bad_lists;
        force->counts.list_bad_lines = read->bad_lines;
        force->counts.list_skipped_lines = read->skipped_lines;
    }
    pthread_mutex_unlock(&force->lock);
}

void xnm_inforce_count_missing(struct xnm_inforce *force)
{
    pthread_mutex_lock(&force->lock);
    force->counts.missing = !xnm_inforce_published(force)->policy;
    pthread_mutex_unlock(&force->lock);
}

void xnm_inforce_count_expired(struct xnm_inforce *force, size_t zones)
{
    pthread_mutex_lock(&force->lock);
    force->counts.expired_zones = zones;
    pthread_mutex_unlock(&force->lock);
}

static void count_swap(struct xnm_inforce *force, const struct xnm_published *now)
{
    struct timespec when;

    clock_gettime(CLOCK_REALTIME, &when);
    pthread_mutex_lock(&force->lock);
    force->counts.swaps++;
    force->counts.loaded_at = now->policy ? (double)when.tv_sec + (double)when.tv_nsec / 1e9 : 0;
    pthread_mutex_unlock(&force->lock);
}

/* --- publishing --- */

const struct xnm_published *xnm_inforce_published(const struct xnm_inforce *force)
{
    return atomic_load_explicit(&force->published, memory_order_relaxed);
}

bool xnm_inforce_publish(struct xnm_inforce *force, struct xnm_policy *policy)
{
    struct xnm_published *before = atomic_load_explicit(&force->published, memory_order_relaxed),
                         *next = malloc(sizeof *next);

    if (!next)
        return false;
    *next = (struct xnm_published){policy, atomic_fetch_add(&generations, 1) + 1};
    atomic_store_explicit(&force->published, next, memory_order_release);
    atomic_store_explicit(&force->generation, next->generation, memory_order_release);
    wait_for_readers();
    xnm_policy_free(before->policy);
    if (before != &force->none)
        free(before);
    count_swap(force, next);
    return true;
}
