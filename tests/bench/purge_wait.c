/* SPDX-License-Identifier: BSD-3-Clause */
/* purge_wait [COUNT]: how long a lookup in Unbound's message cache waits while the cache, of so
 * many messages, is purged by module/unbound/purge.c. Unbound's own slabhash, with its default of
 * four tables; one thread looks up cached names without a pause, the other purges: 1 in 1000
 * messages is refused, by a policy of a million names besides. The same time without a purge comes
 * first.
 *
 * Such waits have in them whatever else the machine does: most of all, that the purge is put to
 * sleep with a lock in its hand. So the Makefile links this with --wrap of the locks, and it says
 * in the end how long a walk through the cache holds them, each time the least of some walks, which
 * are alike: nothing is left to be removed then. */
#include <config.h>

#include "module/list/list.h"
#include "module/unbound/host.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <daemon/daemon.h>
#include <services/authzone.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/storage/slabhash.h>

enum { TABLES = 4, ROUNDS = 3, ONE_IN = 1000, LISTED = 1000000, NAME_MAX_LEN = 32 };

static void fail(const char *what)
{
    fprintf(stderr, "purge_wait: %s\n", what);
    exit(1);
}

static void *get(void *memory)
{
    if (!memory)
        fail("no memory");
    return memory;
}

static double seconds_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* --- the cache --- */

/* Wire format of nNNNNNNN.KIND. */
static size_t put_name(uint8_t *wire, size_t number, const char *kind)
{
    size_t len = (size_t)sprintf((char *)wire + 1, "n%07zu", number), kind_len = strlen(kind);

    wire[0] = (uint8_t)len;
    wire[len + 1] = (uint8_t)kind_len;
    memcpy(wire + len + 2, kind, kind_len + 1);
    return len + kind_len + 3;
}

static struct query_info question(uint8_t *wire, size_t number)
{
    return (struct query_info){.qname = wire,
                               .qname_len = put_name(wire, number, "example"),
                               .qtype = LDNS_RR_TYPE_A,
                               .qclass = LDNS_RR_CLASS_IN};
}

/* An answer of one address. */
static struct reply_info *make_reply(uint8_t *name, size_t name_len)
{
    struct ub_packed_rrset_key *key = get(calloc(1, sizeof *key));
    struct reply_info *reply =
        get(construct_reply_info_base(NULL, 0x8180, 1, 86400, 86400, 86400, 1, 0, 0, 1, 0));

    key->rk = (struct packed_rrset_key){
        .dname = name, .dname_len = name_len, .type = htons(1), .rrset_class = htons(1)};
    lock_rw_init(&key->entry.lock);
    reply->rrsets[0] = key;
    reply->ref[0] = (struct rrset_ref){key, key->id};
    return reply;
}

static struct slabhash *fill_cache(size_t count)
{
    struct slabhash *cache =
        get(slabhash_create(TABLES, 1024, (size_t)1 << 36, msgreply_sizefunc, query_info_compare,
                            query_entry_delete, reply_info_delete, NULL));

    for (size_t i = 0; i < count; i++) {
        struct query_info info = question(get(malloc(NAME_MAX_LEN)), i);
        hashvalue_type hash = query_info_hash(&info, 0);
        struct reply_info *reply = make_reply(info.qname, info.qname_len);
        struct msgreply_entry *entry = get(query_info_entrysetup(&info, reply, hash));
        slabhash_insert(cache, hash, &entry->entry, reply, NULL);
    }
    return cache;
}

/* --- the policy --- */

/* Refuses every thousandth name of the cache, another one in each round. */
static struct xnm_policy *make_policy(size_t count, size_t round)
{
    static char path[] = "generated";
    const struct xnm_policy_settings settings = {.ttl = 60};
    const struct xnm_rule rule = {
        .action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_NAMES, .file = "rules", .path = path};
    struct xnm_policy_builder *builder = get(xnm_policy_builder_new(&settings));
    uint8_t wire[NAME_MAX_LEN];
    struct xnm_list_entry entry = {.name = wire, .scope = XNM_SCOPE_EXACT};

    if (!xnm_policy_builder_rule(builder, &rule, NULL))
        fail("no memory");
    for (size_t i = 0; i < count / ONE_IN + LISTED; i++) {
        bool cached = i < count / ONE_IN;
        entry.name_len = put_name(wire, cached ? i * ONE_IN + round : i, cached ? "example" : "no");
        if (!xnm_policy_builder_entry(builder, &entry))
            fail("no memory");
    }
    return get(xnm_policy_finish(builder, &(struct xnm_diagnostics){NULL, NULL}, NULL));
}

/* --- holding --- */

int __real_pthread_spin_lock(pthread_spinlock_t *lock);
int __real_pthread_spin_unlock(pthread_spinlock_t *lock);
int __wrap_pthread_spin_lock(pthread_spinlock_t *lock);
int __wrap_pthread_spin_unlock(pthread_spinlock_t *lock);

enum { HELD_MAX = 8, WALKS = 5, HOLDS_MAX = 1 << 25 };

static struct {
    bool measured;
    struct {
        pthread_spinlock_t *lock; /* NULL: free */
        double since;
    } held[HELD_MAX];
    size_t count;            /* of this walk */
    double least[HOLDS_MAX]; /* seconds, of all walks; 0: none yet */
} holding;

static double cpu_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void note_lock(pthread_spinlock_t *lock, double now)
{
    size_t i = 0;

    while (i < HELD_MAX && holding.held[i].lock)
        i++;
    if (i == HELD_MAX)
        fail("more locks than expected");
    holding.held[i].lock = lock;
    holding.held[i].since = now;
}

static void note_unlock(const pthread_spinlock_t *lock, double now)
{
    size_t i = 0;

    while (i < HELD_MAX && holding.held[i].lock != lock)
        i++;
    if (i == HELD_MAX)
        fail("a lock that was not held");
    double seconds = now - holding.held[i].since;
    holding.held[i].lock = NULL;
    if (holding.count == HOLDS_MAX)
        fail("locks were taken more often than expected");
    double *least = &holding.least[holding.count++];
    if (*least == 0 || seconds < *least)
        *least = seconds;
}

int __wrap_pthread_spin_lock(pthread_spinlock_t *lock)
{
    int result = __real_pthread_spin_lock(lock);

    if (holding.measured)
        note_lock(lock, cpu_seconds());
    return result;
}

int __wrap_pthread_spin_unlock(pthread_spinlock_t *lock)
{
    if (holding.measured)
        note_unlock(lock, cpu_seconds());
    return __real_pthread_spin_unlock(lock);
}

/* Nobody else uses the cache meanwhile. */
static void measure_holding(const struct xnm_cache_hooks *hooks, const struct xnm_policy *policy)
{
    double sum = 0, longest = 0;
    bool stopped;

    for (unsigned walk = 0; walk < WALKS; walk++) {
        holding.count = 0;
        holding.measured = true;
        if (hooks->purge(hooks->arg, policy, &stopped) > 0)
            fail("there was something left to remove");
        holding.measured = false;
    }
    for (size_t i = 0; i < holding.count; i++) {
        sum += holding.least[i];
        if (holding.least[i] > longest)
            longest = holding.least[i];
    }
    printf("a walk holds a table or a bin %zu times, %.2f us on average and %.2f us at most\n",
           holding.count, sum / (double)holding.count * 1e6, longest * 1e6);
}

/* --- looking up --- */

struct waits {
    struct slabhash *cache;
    size_t count;
    atomic_bool stop;
    size_t lookups, over_100us, over_1ms;
    double longest; /* seconds */
};

static void count_wait(struct waits *waits, double seconds)
{
    waits->lookups++;
    waits->over_100us += seconds > 1e-4;
    waits->over_1ms += seconds > 1e-3;
    if (seconds > waits->longest)
        waits->longest = seconds;
}

static void *look_up(void *arg)
{
    struct waits *waits = arg;
    uint8_t wire[NAME_MAX_LEN];
    uint64_t random = 88172645463325252;

    while (!atomic_load_explicit(&waits->stop, memory_order_relaxed)) {
        random = random * 6364136223846793005 + 1442695040888963407;
        struct query_info info = question(wire, (size_t)(random >> 33) % waits->count);
        hashvalue_type hash = query_info_hash(&info, 0);
        double begin = seconds_now();
        struct lruhash_entry *found = slabhash_lookup(waits->cache, hash, &info, 0);
        count_wait(waits, seconds_now() - begin);
        if (found)
            lock_rw_unlock(&found->lock);
    }
    return NULL;
}

static pthread_t start(struct waits *waits, struct slabhash *cache, size_t count)
{
    pthread_t thread;

    *waits = (struct waits){.cache = cache, .count = count};
    if (pthread_create(&thread, NULL, look_up, waits) != 0)
        fail("no thread");
    return thread;
}

static void finish(struct waits *waits, pthread_t thread, const char *what, double seconds)
{
    atomic_store(&waits->stop, true);
    pthread_join(thread, NULL);
    printf("  %-16s %.2f s, %zu lookups, %zu over 0.1 ms, %zu over 1 ms, the longest %.3f ms\n",
           what, seconds, waits->lookups, waits->over_100us, waits->over_1ms, waits->longest * 1e3);
}

static void without_purge(struct slabhash *cache, size_t count, double seconds)
{
    struct timespec time = {.tv_sec = (time_t)seconds};
    struct waits waits;
    pthread_t thread = start(&waits, cache, count);

    time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
    nanosleep(&time, NULL);
    finish(&waits, thread, "without a purge:", seconds);
}

/* Returns the seconds it took. */
static double with_purge(struct slabhash *cache, size_t count, const struct xnm_cache_hooks *hooks,
                         const struct xnm_policy *policy)
{
    struct waits waits;
    bool stopped;
    pthread_t thread = start(&waits, cache, count);
    double begin = seconds_now();
    size_t removed = hooks->purge(hooks->arg, policy, &stopped);
    double seconds = seconds_now() - begin;

    finish(&waits, thread, "with a purge:", seconds);
    printf("  %zu messages removed\n", removed);
    return seconds;
}

/* Makes the parts that purge.c reads of a daemon whose workers run. */
static struct xnm_cache_hooks make_daemon(struct slabhash *cache)
{
    static struct daemon daemon;
    static struct module_env env;
    static struct auth_zones zones;

    lock_rw_init(&zones.lock);
    env.msg_cache = cache;
    env.auth_zones = &zones;
    env.alloc = &daemon.superalloc;
    daemon.env = &env;
    daemon.local_zones = (struct local_zones *)&env;
    daemon.workers = (struct worker **)&env;
    return xnm_host_cache(&env);
}

int main(int argc, char **argv)
{
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 4000000;
    double seconds = 1;

    if (count < ONE_IN || count > 9999999)
        fail("usage: purge_wait [1000 ... 9999999]");
    struct slabhash *cache = fill_cache(count);
    struct xnm_cache_hooks hooks = make_daemon(cache);
    printf("%zu messages in the cache\n", count);
    for (size_t round = 0; round < ROUNDS; round++) {
        struct xnm_policy *policy = make_policy(count, round);
        without_purge(cache, count, seconds);
        seconds = with_purge(cache, count, &hooks, policy);
        if (round + 1 == ROUNDS)
            measure_holding(&hooks, policy);
        xnm_policy_free(policy);
    }
    return 0;
}
