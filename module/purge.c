/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound's message cache, looked through for what the policy refuses.
 *
 * Walked bin by bin, since slabhash_traverse holds a table's lock for its whole walk, and each
 * lookup needs that lock: it waited 149 ms with 4 million entries, and bin by bin 0.067 ms.
 *
 * The order of the locks is auth_zones, table, bin, message, RRset key, as elsewhere in Unbound;
 * nobody who holds one of the latter waits for one of the former. */
#include <config.h>

#include "core/wire.h"
#include "module/host.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <daemon/daemon.h>
#include <services/authzone.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/storage/slabhash.h>

/* --- a message --- */

/* A message that the policy refuses: what slabhash_remove needs to find it again. */
struct refused_message {
    hashvalue_type hash; /* its own: AAAA with CD has another than AAAA */
    uint16_t qtype, qclass;
    size_t qname_len;
    uint8_t qname[XN_WIRE_NAME_MAX];
};

enum { REFUSED_IN_BIN_MAX = 16 };

struct refused_messages {
    size_t count;
    struct refused_message list[REFUSED_IN_BIN_MAX];
};

/* A walk through the aliases of a message in the cache. */
struct cached_chain {
    const struct reply_info *rep;
    size_t next; /* RRset of the answer section */
    uint8_t target[XN_WIRE_NAME_MAX];
};

/* rep->ref is sorted by key: reply_info_sortref. */
static int compare_ref(const void *key, const void *ref)
{
    const struct ub_packed_rrset_key *a = key, *b = ((const struct rrset_ref *)ref)->key;
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Keys are recycled when their RRset leaves the cache, and then get another id; they are freed by
 * a reload alone, after the message cache. Nothing but the lock may be read without the lock. */
static size_t copy_target(const struct rrset_ref *ref, uint8_t *target)
{
    uint8_t *name = NULL;
    size_t len = 0;

    lock_rw_rdlock(&ref->key->entry.lock);
    if (ref->id == ref->key->id && ntohs(ref->key->rk.type) == LDNS_RR_TYPE_CNAME)
        get_cname_target(ref->key, &name, &len);
    if (len > XN_WIRE_NAME_MAX)
        len = 0;
    if (len > 0)
        memcpy(target, name, len);
    lock_rw_unlock(&ref->key->entry.lock);
    return len;
}

static bool next_cached_target(void *arg, const uint8_t **target, size_t *len)
{
    struct cached_chain *chain = arg;
    const struct reply_info *rep = chain->rep;

    while (chain->next < rep->an_numrrsets) {
        const struct rrset_ref *ref = bsearch(rep->rrsets[chain->next++], rep->ref,
                                              rep->rrset_count, sizeof *rep->ref, compare_ref);
        *len = ref ? copy_target(ref, chain->target) : 0;
        *target = chain->target;
        if (*len > 0)
            return true;
    }
    return false;
}

static bool refuses_message(const struct xnm_policy *policy, struct lruhash_entry *entry)
{
    const struct query_info *key = entry->key;
    const struct xnm_question question = {key->qname, key->qname_len, key->qtype, key->qclass};
    struct cached_chain chain = {.rep = entry->data};
    struct xnm_decision decision;

    return chain.rep && key->qname_len <= XN_WIRE_NAME_MAX &&
           xnm_policy_decide_answer(policy, &question, next_cached_target, &chain, &decision) &&
           xnm_decision_changes_answer(&decision);
}

static void keep_refused(struct refused_messages *refused, const struct lruhash_entry *entry)
{
    const struct query_info *key = entry->key;
    struct refused_message *message = &refused->list[refused->count++];

    message->hash = entry->hash;
    message->qtype = key->qtype;
    message->qclass = key->qclass;
    message->qname_len = key->qname_len;
    memcpy(message->qname, key->qname, key->qname_len);
}

/* --- a bin --- */

/* Called with the bin locked; it unlocks it. */
static void look_at_bin(const struct xnm_policy *policy, struct lruhash_bin *bin,
                        struct refused_messages *refused)
{
    refused->count = 0;
    for (struct lruhash_entry *entry = bin->overflow_list;
         entry && refused->count < REFUSED_IN_BIN_MAX; entry = entry->overflow_next) {
        lock_rw_rdlock(&entry->lock);
        if (refuses_message(policy, entry))
            keep_refused(refused, entry);
        lock_rw_unlock(&entry->lock);
    }
    lock_quick_unlock(&bin->lock);
}

static void remove_refused(struct slabhash *cache, struct refused_messages *refused)
{
    for (size_t i = 0; i < refused->count; i++) {
        struct refused_message *message = &refused->list[i];
        struct query_info key = {.qname = message->qname,
                                 .qname_len = message->qname_len,
                                 .qtype = message->qtype,
                                 .qclass = message->qclass};
        slabhash_remove(cache, message->hash, &key);
    }
}

/* --- the cache --- */

/* Do Unbound's workers run? Asked with auth_zones locked: then it stays so until that is unlocked.
 *
 * At a reload and at exit the main thread joins the workers, clears the caches, and (daemon_cleanup
 * in all versions) sets daemon->local_zones to NULL, locks auth_zones for writing, unlocks it and
 * sets daemon->workers to NULL. Only after that it frees RRset keys and perhaps the message cache
 * (daemon_apply_cfg), makes new local_zones, has the module's deinit() called, and makes new
 * workers. So who holds auth_zones for reading and finds both set has the main thread before that
 * lock, or there are workers already; where either is missing, the cache is not to be touched. The
 * caches that are cleared before are cleared under their locks.
 *
 * What no proof covers is that a reader who sees the new local_zones also sees that the workers are
 * gone: the main thread reads its whole configuration between the two. They are read while it may
 * write them, which ThreadSanitizer need not be told again. */
__attribute__((no_sanitize("thread"))) static bool workers_run(const struct daemon *daemon)
{
    return __atomic_load_n(&daemon->local_zones, __ATOMIC_SEQ_CST) &&
           __atomic_load_n(&daemon->workers, __ATOMIC_SEQ_CST);
}

/* A walk through the cache: table by table, bin by bin. */
struct cache_walk {
    size_t table, bin;
    size_t removed;
};

/* Looks at one bin and steps to the next one, or stays at one that has more. The size is read each
 * time: a table that grows splits bin i into i and one behind all that were there, so none is
 * missed; it shrinks only where workers_run says no. False: that was the last one. */
static bool walk_one_bin(struct slabhash *cache, const struct xnm_policy *policy,
                         struct cache_walk *walk)
{
    struct refused_messages refused;
    struct lruhash *table;

    if (walk->table >= cache->size)
        return false;
    table = cache->array[walk->table];
    lock_quick_lock(&table->lock);
    if (walk->bin >= table->size) {
        lock_quick_unlock(&table->lock);
        walk->table++;
        walk->bin = 0;
        return true;
    }
    struct lruhash_bin *bin = &table->array[walk->bin];
    lock_quick_lock(&bin->lock);
    lock_quick_unlock(&table->lock);
    look_at_bin(policy, bin, &refused);
    remove_refused(cache, &refused);
    walk->removed += refused.count;
    walk->bin += refused.count < REFUSED_IN_BIN_MAX;
    return true;
}

static size_t purge(void *arg, const struct xnm_policy *policy, bool *stopped)
{
    struct daemon *daemon = arg;
    struct cache_walk walk = {0};
    bool goes_on = true;

    while (goes_on) {
        lock_rw_rdlock(&daemon->env->auth_zones->lock);
        if (stopped)
            *stopped = !workers_run(daemon);
        goes_on = !(stopped && *stopped) && walk_one_bin(daemon->env->msg_cache, policy, &walk);
        lock_rw_unlock(&daemon->env->auth_zones->lock);
    }
    return walk.removed;
}

/* The environment that init() gets is the daemon's own and does not say whose; but its allocator is
 * a part of the daemon (daemon_setup_modules). */
struct xnm_cache_hooks xnm_host_cache(struct module_env *env)
{
    struct daemon *daemon =
        (struct daemon *)((char *)env->alloc - offsetof(struct daemon, superalloc));

    return (struct xnm_cache_hooks){purge, daemon};
}
