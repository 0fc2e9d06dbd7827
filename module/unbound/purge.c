/* SPDX-License-Identifier: BSD-3-Clause */
/* Unbound's message cache, looked through for what the policy refuses.
 *
 * Walked bin by bin, since slabhash_traverse holds a table's lock for its whole walk, and each
 * lookup needs that lock: it waited 149 ms with 4 million entries, and bin by bin 0.067 ms.
 *
 * The order of the locks is auth_zones, table, bin, message, RRset key, as elsewhere in Unbound;
 * nobody who holds one of the latter waits for one of the former. By way of rpz_lock somebody seems
 * to: a worker waits for that with RRsets locked, and the main thread for auth_zones with rpz_lock;
 * but that one does so where there are no workers (auth_zones_cfg). */
#include <config.h>

#include "core/wire/walk.h"
#include "module/unbound/host.h"
#include "module/unbound/message.h"
#include "module/unbound/synthesis.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <daemon/daemon.h>
#include <services/authzone.h>
#include <sldns/rrdef.h>
#include <util/data/dname.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/storage/slabhash.h>

/* --- a message --- */

enum {
    SEEN_IN_BIN_MAX = 16, /* a bin holds one message on average */
    SEEN_RRSETS_MAX = 64  /* more than chains are long, and than a name has types */
};

/* A copy of what decides about a message, and of what slabhash_remove needs to find it again. It is
 * made with the message's bin locked, since every lookup needs that lock, and looked at without. */
struct seen_message {
    hashvalue_type hash; /* its own: AAAA with CD has another than AAAA */
    uint16_t qtype, qclass;
    bool is_whole; /* or there are more aliases than find room */
    size_t qname_len;
    uint8_t qname[XN_WIRE_NAME_MAX];
    size_t rrset_count;
    size_t answer_count;                      /* … in the answer section */
    struct rrset_ref rrsets[SEEN_RRSETS_MAX]; /* its, in its order (where not all of them find room
                                                 its aliases), then the additional one's */
};

/* A walk through the aliases of a message. A CNAME in the cache may change, so that an RRset does
 * not belong to the name before it any more; then both are targets. Unbound does not give such an
 * answer, but it does again when the CNAME changes back. */
struct seen_chain {
    const struct seen_message *message;
    size_t next; /* RRset: twice its number for its owner, and one more for where it leads */
    uint8_t name[XN_WIRE_NAME_MAX]; /* where the chain is */
};

static struct query_info key_of(struct seen_message *seen)
{
    return (struct query_info){.qname = seen->qname,
                               .qname_len = seen->qname_len,
                               .qtype = seen->qtype,
                               .qclass = seen->qclass};
}

/* rep->ref is sorted by key: reply_info_sortref. */
static int compare_ref(const void *key, const void *ref)
{
    const struct ub_packed_rrset_key *a = key, *b = ((const struct rrset_ref *)ref)->key;
    return ((uintptr_t)a > (uintptr_t)b) - ((uintptr_t)a < (uintptr_t)b);
}

/* Keys are reused, with another id, when their RRset leaves the cache. They are freed only by a
 * reload, after the message cache. Without the lock, only the lock itself may be accessed. False:
 * the RRset has left the cache, and is not locked. */
static bool lock_present(const struct rrset_ref *ref)
{
    lock_rw_rdlock(&ref->key->entry.lock);
    if (ref->id == ref->key->id)
        return true;
    lock_rw_unlock(&ref->key->entry.lock);
    return false;
}

/* 0: the RRset has left the cache. */
static uint16_t type_of(const struct rrset_ref *ref)
{
    if (!lock_present(ref))
        return 0;
    const uint16_t type = ntohs(ref->key->rk.type);
    lock_rw_unlock(&ref->key->entry.lock);
    return type;
}

/* Does the same as lock_present for an RRset of that type; it locks no other. */
static bool lock_rrset(const struct rrset_ref *ref, uint16_t type)
{
    if (!lock_present(ref))
        return false;
    if (ntohs(ref->key->rk.type) == type)
        return true;
    lock_rw_unlock(&ref->key->entry.lock);
    return false;
}

static bool is_alias(const struct rrset_ref *ref)
{
    return type_of(ref) == LDNS_RR_TYPE_CNAME;
}

static bool is_additional(const struct rrset_ref *ref)
{
    return !xnm_message_is_of_authority(type_of(ref));
}

/* Copies the RRsets of a section for which `is` holds; NULL: all. */
static void copy_section(const struct reply_info *rep, size_t first, size_t end,
                         bool (*is)(const struct rrset_ref *), struct seen_message *seen)
{
    for (size_t i = first; seen->is_whole && i < end; i++) {
        const struct rrset_ref *ref =
            bsearch(rep->rrsets[i], rep->ref, rep->rrset_count, sizeof *ref, compare_ref);

        if (!ref || (is && !is(ref)))
            continue;
        seen->is_whole = seen->rrset_count < SEEN_RRSETS_MAX;
        if (seen->is_whole)
            seen->rrsets[seen->rrset_count++] = *ref;
    }
}

static void copy_rrsets(const struct reply_info *rep, struct seen_message *seen)
{
    const size_t authority = rep->an_numrrsets, additional = authority + rep->ns_numrrsets;

    seen->rrset_count = 0;
    seen->is_whole = true;
    copy_section(rep, 0, authority, authority <= SEEN_RRSETS_MAX ? NULL : is_alias, seen);
    seen->answer_count = seen->rrset_count;
    copy_section(rep, authority, additional, is_additional, seen);
    copy_section(rep, additional, rep->rrset_count, NULL, seen);
}

/* Call it with the bin locked. False: there is nothing to decide. */
static bool see_message(struct lruhash_entry *entry, struct seen_message *seen)
{
    const struct query_info *key = entry->key;

    lock_rw_rdlock(&entry->lock);
    const struct reply_info *rep = entry->data;
    if (rep)
        copy_rrsets(rep, seen);
    lock_rw_unlock(&entry->lock);
    if (!rep || key->qname_len > XN_WIRE_NAME_MAX)
        return false;
    seen->hash = entry->hash;
    seen->qtype = key->qtype;
    seen->qclass = key->qclass;
    seen->qname_len = key->qname_len;
    memcpy(seen->qname, key->qname, key->qname_len);
    return true;
}

/* 0: none. */
static size_t copy_target(const struct rrset_ref *ref, uint8_t *target)
{
    uint8_t *name = NULL;
    size_t len = 0;

    if (!lock_rrset(ref, LDNS_RR_TYPE_CNAME))
        return 0;
    get_cname_target(ref->key, &name, &len);
    if (len > XN_WIRE_NAME_MAX)
        len = 0;
    if (len > 0)
        memcpy(target, name, len);
    lock_rw_unlock(&ref->key->entry.lock);
    return len;
}

/* Does an RRset belong to the name where the chain is? */
static bool is_of(const struct packed_rrset_key *key, const uint8_t *name)
{
    return ntohs(key->type) == LDNS_RR_TYPE_DNAME
               ? dname_subdomain_c((uint8_t *)name, key->dname)
               : query_dname_compare(key->dname, (uint8_t *)name) == 0;
}

/* Puts the owner in the place of a name to which it does not belong. 0: it does. */
static size_t copy_other_owner(const struct rrset_ref *ref, uint8_t *name)
{
    size_t len = 0;

    if (!lock_present(ref))
        return 0;
    const struct packed_rrset_key *key = &ref->key->rk;
    if (key->dname_len <= XN_WIRE_NAME_MAX && !is_of(key, name)) {
        len = key->dname_len;
        memcpy(name, key->dname, len);
    }
    lock_rw_unlock(&ref->key->entry.lock);
    return len;
}

static bool next_seen_target(void *arg, const uint8_t **target, size_t *len)
{
    struct seen_chain *chain = arg;

    while (chain->next < 2 * chain->message->answer_count) {
        const struct rrset_ref *ref = &chain->message->rrsets[chain->next / 2];

        *len = chain->next++ % 2 == 0 ? copy_other_owner(ref, chain->name)
                                      : copy_target(ref, chain->name);
        *target = chain->name;
        if (*len > 0)
            return true;
    }
    return false;
}

/* Returns whether the owner is refused. */
static bool refuses_rrset(const struct xnm_policy *policy, const struct rrset_ref *ref)
{
    uint8_t owner[XN_WIRE_NAME_MAX];
    struct xnm_question question = {.qname = owner};
    struct xnm_decision decision;

    if (!lock_present(ref))
        return false;
    if (ref->key->rk.dname_len <= sizeof owner) {
        question.qname_len = ref->key->rk.dname_len;
        question.qtype = ntohs(ref->key->rk.type);
        question.qclass = ntohs(ref->key->rk.rrset_class);
        memcpy(owner, ref->key->rk.dname, question.qname_len);
    }
    lock_rw_unlock(&ref->key->entry.lock);
    if (question.qname_len == 0)
        return false;
    xnm_policy_decide(policy, &question, &decision);
    return xnm_decision_forbids_cache(&decision);
}

static bool refuses_additional(const struct xnm_policy *policy, const struct seen_message *seen)
{
    for (size_t i = seen->answer_count; i < seen->rrset_count; i++) {
        if (refuses_rrset(policy, &seen->rrsets[i]))
            return true;
    }
    return false;
}

static bool is_made_of_a(const struct seen_message *seen)
{
    bool is_made = false;

    for (size_t i = 0; !is_made && i < seen->answer_count; i++) {
        const struct rrset_ref *ref = &seen->rrsets[i];

        if (!lock_rrset(ref, LDNS_RR_TYPE_AAAA))
            continue;
        is_made = xnm_synthesis_is_made(ref->key->entry.data);
        lock_rw_unlock(&ref->key->entry.lock);
    }
    return is_made;
}

static bool refuses_message(const struct xnm_policy *policy, struct seen_message *seen)
{
    const struct query_info info = key_of(seen);
    struct xnm_wirename looked_up;
    struct xnm_question question = xnm_synthesis_question(&info, NULL, &looked_up);
    struct seen_chain chain = {.message = seen};
    struct xnm_decision decision;

    memcpy(chain.name, seen->qname, seen->qname_len);
    question.from_a = xnm_synthesis_answers(seen->qtype) && is_made_of_a(seen);
    if (refuses_additional(policy, seen))
        return true;
    xnm_policy_decide_answer(policy, &question, next_seen_target, &chain, &decision);
    return xnm_decision_forbids_cache(&decision);
}

/* A message that was not seen as a whole goes: it is fetched again, and decided, when somebody
 * asks. */
static bool must_go(const struct xnm_policy *policy, struct seen_message *seen)
{
    return !seen->is_whole || refuses_message(policy, seen);
}

/* --- a bin --- */

struct seen_bin {
    size_t count;
    bool has_more; /* that must not be passed over */
    struct seen_message list[SEEN_IN_BIN_MAX];
};

/* Call it with the bin locked; it unlocks it. When there is no room left, the last place is reused,
 * and only refused messages stay in it. */
static void look_at_bin(const struct xnm_policy *policy, struct lruhash_bin *bin,
                        struct seen_bin *seen)
{
    seen->count = 0;
    seen->has_more = false;
    for (struct lruhash_entry *entry = bin->overflow_list; entry && !seen->has_more;
         entry = entry->overflow_next) {
        bool is_last = seen->count == SEEN_IN_BIN_MAX - 1;
        struct seen_message *message = &seen->list[seen->count];

        if (!see_message(entry, message) || (is_last && !must_go(policy, message)))
            continue;
        seen->count++;
        seen->has_more = is_last;
    }
    lock_quick_unlock(&bin->lock);
}

static size_t remove_refused(struct slabhash *cache, const struct xnm_policy *policy,
                             struct seen_bin *seen)
{
    size_t removed = 0;

    for (size_t i = 0; i < seen->count; i++) {
        struct seen_message *message = &seen->list[i];
        struct query_info key = key_of(message);
        bool is_refused = refuses_message(policy, message);
        if (is_refused || !message->is_whole)
            slabhash_remove(cache, message->hash, &key);
        removed += is_refused;
    }
    return removed;
}

/* --- the cache --- */

/* Are Unbound's workers running? Call it with auth_zones locked; the answer then holds until it is
 * unlocked.
 *
 * At a reload and at exit the main thread joins the workers, clears the caches, and (daemon_cleanup
 * in all versions) sets daemon->local_zones to NULL, locks auth_zones for writing, unlocks it and
 * sets daemon->workers to NULL. Only then does it free RRset keys and perhaps the message cache
 * (daemon_apply_cfg), make new local_zones, call the module's deinit(), and make new workers. So if
 * a thread holds auth_zones for reading and finds both set, either the main thread has not reached
 * that lock, or new workers exist. If either is NULL, the cache must not be touched. Caches that
 * are cleared earlier are cleared under their own locks.
 *
 * One gap is not proved: that a reader who sees the new local_zones also sees that the workers are
 * gone. The main thread reads its whole configuration between the two. It may write both while they
 * are read here, which is why ThreadSanitizer is told to ignore this function. */
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
 * time. A table that grows splits bin i into i and one after all earlier ones, so none is missed;
 * it shrinks only where workers_run says no. False: that was the last one. */
static bool walk_one_bin(struct slabhash *cache, const struct xnm_policy *policy,
                         struct cache_walk *walk)
{
    struct seen_bin seen;
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
    look_at_bin(policy, bin, &seen);
    walk->removed += remove_refused(cache, policy, &seen);
    walk->bin += !seen.has_more;
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

/* The environment that init() gets is the daemon's own but has no pointer to the daemon; its
 * allocator is a member of the daemon (daemon_setup_modules). */
struct xnm_cache_hooks xnm_host_cache(struct module_env *env)
{
    struct daemon *daemon =
        (struct daemon *)((char *)env->alloc - offsetof(struct daemon, superalloc));

    return (struct xnm_cache_hooks){purge, daemon};
}
