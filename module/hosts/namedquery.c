/* SPDX-License-Identifier: BSD-3-Clause */
/* The plugin for BIND's named: how queries are decided. named calls it at these points of a query:
 *
 * - NS_QUERY_LOOKUP_BEGIN: before a name is looked up, be it the question or an alias's target, and
 * after named has looked whether the client may ask. What is refused is answered here, and its
 * servers are never asked.
 * - NS_QUERY_DONE_BEGIN: when an answer is complete, from the cache or not. All of it is decided by
 * the policy then in force, unless nothing has changed since the name was looked up.
 * - NS_QUERY_DONE_SEND: before it goes out. It is reported.
 * - NS_QUERY_QCTX_DESTROYED: it has gone out, or will not; what the query needed is freed.
 *
 * Queries for the same name wait for the same answer, but each goes through these points by itself,
 * so what is decided for one client stays with its query. A query stays in one thread, which may
 * work on others while it waits. So a thread remembers the last decision alone, with what it was
 * about. */
#include "module/hosts/named.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <dns/message.h>
#include <dns/name.h>
#include <dns/rdata.h>
#include <dns/rdatalist.h>
#include <dns/rdataset.h>
#include <dns/result.h>
#include <isc/netmgr.h>
#include <isc/time.h>
#include <ns/client.h>
#if NS_PLUGIN_VERSION > 1
#include <dns/ede.h>
#endif

enum { BUCKETS = 256 };

/* The last decision of this thread. */
struct last {
    struct idnp_verdict *verdict, *other; /* of the query; of names in its additional section */
    const ns_client_t *client;            /* NULL: none that can be used again */
    const struct named_policy *policy;
    uint64_t generation;
    uint32_t chain_count;
    bool from_a;
    bool is_settled; /* the message is what the verdict says */
};

static _Thread_local struct last last;
static pthread_key_t last_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void free_last(void *arg)
{
    struct last *mine = arg;

    named_library.idnp_verdict_free(mine->verdict);
    named_library.idnp_verdict_free(mine->other);
    *mine = (struct last){0};
}

static void make_key(void)
{
    pthread_key_create(&last_key, free_last);
}

/* Returns this thread's verdict. NULL: no memory. */
static struct idnp_verdict *verdict_in(struct idnp_verdict **verdict)
{
    if (!*verdict && (*verdict = named_library.idnp_verdict_new()))
        pthread_setspecific(last_key, &last);
    return *verdict;
}

/* --- queries that a cname rule has given another name --- */

/* A query that goes on with the target of a cname rule: named resolves it, and nothing decides it.
 * The verdict's records are in the message. */
struct followed {
    struct followed *next;
    const ns_client_t *client;
    struct idnp_verdict *verdict;
};

static struct followed *followed[BUCKETS];
static pthread_mutex_t followed_lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_uint followed_count;

static struct followed **bucket_of(const ns_client_t *client)
{
    return &followed[((uintptr_t)client >> 12 ^ (uintptr_t)client >> 6) % BUCKETS];
}

/* Returns the verdict by which a client's query goes on; NULL: none. With `end`, the caller owns
 * it. */
static struct idnp_verdict *find_followed(const ns_client_t *client, bool end)
{
    struct idnp_verdict *verdict = NULL;

    if (atomic_load_explicit(&followed_count, memory_order_acquire) == 0)
        return NULL;
    pthread_mutex_lock(&followed_lock);
    for (struct followed **link = bucket_of(client); *link; link = &(*link)->next) {
        struct followed *found = *link;
        if (found->client != client)
            continue;
        verdict = found->verdict;
        if (end) {
            *link = found->next;
            free(found);
            atomic_fetch_sub(&followed_count, 1);
        }
        break;
    }
    pthread_mutex_unlock(&followed_lock);
    return verdict;
}

/* Keeps the last verdict for the query. False: no memory. */
static bool add_followed(const ns_client_t *client)
{
    struct followed *new = malloc(sizeof *new);
    struct followed **bucket = bucket_of(client);

    if (!new)
        return false;
    new->client = client;
    new->verdict = last.verdict;
    last.verdict = NULL;
    last.client = NULL;
    pthread_mutex_lock(&followed_lock);
    new->next = *bucket;
    *bucket = new;
    atomic_fetch_add(&followed_count, 1);
    pthread_mutex_unlock(&followed_lock);
    return true;
}

static void forget(const ns_client_t *client)
{
    struct idnp_verdict *verdict = find_followed(client, true);

    named_library.idnp_verdict_free(verdict);
    if (last.client == client)
        last.client = NULL;
}

/* --- deciding --- */

static bool is_tcp(const ns_client_t *client)
{
    return (client->attributes & NS_CLIENTATTR_TCP) != 0;
}

/* Copies a client's address, and returns its octets; 0: it is neither IPv4 nor IPv6. */
static uint32_t address_of(const ns_client_t *client, uint8_t address[16])
{
    const isc_sockaddr_t *peer = &client->peeraddr;

    if (peer->type.sa.sa_family == AF_INET) {
        memcpy(address, &peer->type.sin.sin_addr, 4);
        return 4;
    }
    if (peer->type.sa.sa_family == AF_INET6) {
        memcpy(address, &peer->type.sin6.sin6_addr, 16);
        return 16;
    }
    return 0;
}

/* Decides the known part of a query: its question, and the aliases in its answer. Without `again`
 * it does so only if that part has not been decided yet. Returns the result of the last verdict;
 * below 0: there is none. */
static int32_t decide(const query_ctx_t *qctx, const struct named_policy *policy, bool again)
{
    const ns_client_t *client = qctx->client;
    struct idnp *idnp = named_policy_handle(policy);
    struct idnp_record chain[NAMED_CHAIN_MAX];
    uint32_t count = named_message_chain(client->message, chain);
    uint64_t generation = named_library.idnp_generation(idnp);

    if (!again && last.client == client && last.policy == policy && last.chain_count == count &&
        last.generation == generation && last.from_a == qctx->dns64)
        return last.verdict->result;
    struct idnp_question question = {.size = sizeof question,
                                     .flags = (is_tcp(client) ? 0U : IDNP_UDP) |
                                              (qctx->dns64 ? IDNP_FROM_A : 0U),
                                     .qname = client->query.origqname->ndata,
                                     .qname_len = client->query.origqname->length,
                                     .qtype = client->query.qtype,
                                     .qclass = client->message->rdclass};
    question.address_len = address_of(client, question.address);
    last.client = NULL;
    if (count > NAMED_CHAIN_MAX)
        return IDNP_BAD_MESSAGE;
    if (!verdict_in(&last.verdict))
        return IDNP_NO_MEMORY;
    int32_t result = named_library.idnp_decide_answer(idnp, &question, chain, count, last.verdict);
    if (result < 0)
        return result;
    last.client = client;
    last.policy = policy;
    last.generation = generation;
    last.chain_count = count;
    last.from_a = qctx->dns64;
    last.is_settled = false;
    return result;
}

/* --- what becomes of the answer --- */

/* Returns the type of records to look for: named looks for signatures among all records of a name,
 * and ends (an assertion) if it looks for them alone (qctx_init). */
static dns_rdatatype_t sought_by(dns_rdatatype_t qtype)
{
    return qtype == dns_rdatatype_rrsig || qtype == dns_rdatatype_sig ? dns_rdatatype_any : qtype;
}

/* Makes named follow the policy's alias as it follows any alias that it finds. dns64 may have
 * changed the types. */
static void follow(query_ctx_t *qctx, const struct idnp_verdict *verdict)
{
    ns_client_t *client = qctx->client;
    dns_name_t *target = named_message_name(client->message, verdict->follow, verdict->follow_len);

    if (!add_followed(client)) {
        dns_message_puttempname(client->message, &target);
        return;
    }
    ns_client_qnamereplace(client, target);
    client->query.attributes |= NS_QUERYATTR_PARTIALANSWER;
    qctx->qtype = client->query.qtype;
    qctx->type = sought_by(qctx->qtype);
    qctx->dns64 = qctx->dns64_exclude = false;
    qctx->want_restart = true;
}

/* An expired answer that is sent while named waits for a newer one: nothing may start again. */
static bool is_stale(const query_ctx_t *qctx)
{
#if NS_PLUGIN_VERSION > 1
    (void)qctx;
    return false;
#else
    return qctx->client->nodetach;
#endif
}

static void forgo_refresh(query_ctx_t *qctx)
{
#if NS_PLUGIN_VERSION > 1
    (void)qctx;
#else
    if (qctx->refresh_rrset)
        qctx->refresh_rrset = qctx->client->nodetach = false;
#endif
}

/* Changes the answer as `result` and the last verdict say. If nothing could be decided, the query
 * gets no answer. */
static void carry_out(query_ctx_t *qctx, int32_t result, bool may_follow)
{
    const struct idnp_verdict *verdict = last.verdict;
    dns_message_t *message = qctx->client->message;

    forgo_refresh(qctx);
    named_message_clear(message);
    message->flags &= (unsigned)~(DNS_MESSAGEFLAG_AA | DNS_MESSAGEFLAG_AD | DNS_MESSAGEFLAG_TC);
    message->rcode = dns_rcode_servfail;
    qctx->result = result == IDNP_DROP ? DNS_R_DROP : ISC_R_SUCCESS;
    qctx->want_restart = false;
    qctx->authoritative = false;
    if (result < 0)
        return;
    last.is_settled = true;
    named_message_ede(qctx->client, verdict);
    if (result == IDNP_TRUNCATE) {
        message->rcode = dns_rcode_noerror;
        message->flags |= DNS_MESSAGEFLAG_TC;
    } else if (result == IDNP_ANSWER) {
        message->rcode = (dns_rcode_t)verdict->rcode;
        named_message_put(message, verdict);
        if (verdict->follow && may_follow)
            follow(qctx, verdict);
    }
}

/* Tells whether the policy refuses a client's records, or cannot be asked. */
static bool is_refused(const struct named_policy *policy, const ns_client_t *client,
                       const dns_name_t *name, const dns_rdataset_t *set)
{
    struct idnp_question question = {.size = sizeof question,
                                     .qname = name->ndata,
                                     .qname_len = name->length,
                                     .qtype =
                                         set->type == dns_rdatatype_rrsig ? set->covers : set->type,
                                     .qclass = set->rdclass};

    question.address_len = address_of(client, question.address);
    return !verdict_in(&last.other) ||
           named_library.idnp_decide(named_policy_handle(policy), &question, last.other) !=
               IDNP_LEAVE;
}

/* --- the report --- */

static uint32_t transport_of(const ns_client_t *client)
{
    if (!is_tcp(client))
        return IDNP_TRANSPORT_UDP;
    if (isc_nm_is_http_handle(client->handle))
        return IDNP_TRANSPORT_DOH;
    return isc_nm_has_encryption(client->handle) ? IDNP_TRANSPORT_DOT : IDNP_TRANSPORT_TCP;
}

/* Microseconds since the query came, by the clock that named read then: it ticks some hundred times
 * a second. */
static uint64_t elapsed(const ns_client_t *client)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    int64_t since =
        ((int64_t)now.tv_sec - (int64_t)isc_time_seconds(&client->requesttime)) * 1000000 +
        (now.tv_nsec - (int64_t)isc_time_nanoseconds(&client->requesttime)) / 1000;
    return since > 0 ? (uint64_t)since : 0;
}

static void report(const query_ctx_t *qctx, const struct named_policy *policy, int32_t rcode)
{
    ns_client_t *client = qctx->client;
    const struct idnp_verdict *verdict = find_followed(client, false);

    if (!verdict && last.client == client && last.is_settled)
        verdict = last.verdict; /* which the message needs, too */
    else if (!verdict && decide(qctx, policy, false) == IDNP_LEAVE)
        verdict = last.verdict; /* of an error of named's */
    bool is_ours = verdict && verdict->result > IDNP_LEAVE;
    struct idnp_reply reply = {.size = sizeof reply,
                               .qname = client->query.origqname->ndata,
                               .qname_len = client->query.origqname->length,
                               .qtype = client->query.qtype,
                               .qclass = client->message->rdclass,
                               .id = client->message->id,
                               .port = isc_sockaddr_getport(&client->peeraddr),
                               .rcode = rcode,
                               .transport = transport_of(client),
                               .cached = !is_ours && !qctx->resuming && !qctx->is_zone,
                               .elapsed_us = elapsed(client)};
    reply.address_len = address_of(client, reply.address);
    named_library.idnp_report(named_policy_handle(policy), &reply, verdict);
}

/* --- what named calls --- */

/* Tells whether a query goes on only for named's cache, after an expired answer was sent. */
static bool is_answered(const query_ctx_t *qctx)
{
    return qctx->client->query.attributes & NS_QUERYATTR_ANSWERED;
}

static ns_hookresult_t at_lookup(void *arg, void *data, isc_result_t *resultp)
{
    query_ctx_t *qctx = arg;
    bool is_question = qctx->client->query.restarts == 0;

    if (is_answered(qctx) || is_stale(qctx) || find_followed(qctx->client, false))
        return NS_HOOK_CONTINUE;
    int32_t result = decide(qctx, data, is_question);
    if (result == IDNP_LEAVE)
        return NS_HOOK_CONTINUE;
    carry_out(qctx, result, true);
    *resultp = ns_query_done(qctx);
    return NS_HOOK_RETURN;
}

/* Tells whether named sends an error without records, or nothing, by the rules of ns_query_done. */
static bool is_error(const query_ctx_t *qctx)
{
    unsigned attributes = qctx->client->query.attributes;

    return qctx->result != ISC_R_SUCCESS &&
           (!(attributes & NS_QUERYATTR_PARTIALANSWER) || attributes & NS_QUERYATTR_WANTRECURSION ||
            qctx->result == DNS_R_DROP);
}

/* Tells whether the policy overrules named's result. A SERVFAIL may come from named's cache of
 * failures, which asks nobody; then the client must be allowed to resolve names. */
static bool is_overruled(const query_ctx_t *qctx)
{
    return !is_error(qctx) || (qctx->result == DNS_R_SERVFAIL &&
                               qctx->client->query.attributes & NS_QUERYATTR_RECURSIONOK);
}

/* Tells whether the message is already as the policy makes it. */
static bool is_settled(const query_ctx_t *qctx)
{
    return find_followed(qctx->client, false) || (last.client == qctx->client && last.is_settled);
}

static int32_t settle(query_ctx_t *qctx, const struct named_policy *policy, bool may_follow)
{
    int32_t result = decide(qctx, policy, false);

    if (result != IDNP_LEAVE) {
        carry_out(qctx, result, may_follow);
    } else {
        named_message_sift(qctx->client, policy, is_refused);
        last.is_settled = true;
    }
    return result;
}

static ns_hookresult_t at_done(void *arg, void *data, isc_result_t *resultp)
{
    query_ctx_t *qctx = arg;
    bool is_waiting = qctx->client->query.attributes & NS_QUERYATTR_RECURSING;

    (void)resultp;
    if (is_answered(qctx) || qctx->want_restart || (!is_error(qctx) && is_waiting))
        return NS_HOOK_CONTINUE;
    if (is_overruled(qctx) && !is_settled(qctx))
        settle(qctx, data, !is_stale(qctx));
    if (qctx->want_restart || !is_error(qctx))
        return NS_HOOK_CONTINUE;
    if (qctx->result != DNS_R_DUPLICATE)
        report(qctx, data,
               qctx->result == DNS_R_DROP ? IDNP_NO_RCODE : dns_result_torcode(qctx->result));
    return NS_HOOK_CONTINUE;
}

/* Runs before a message goes out. If it is not settled yet, it is an expired answer that is sent
 * while named waits for servers, or its chain is too long. It is too late to drop it, or to follow
 * an alias. */
static ns_hookresult_t at_send(void *arg, void *data, isc_result_t *resultp)
{
    query_ctx_t *qctx = arg;
    dns_message_t *message = qctx->client->message;

    (void)resultp;
    if (is_answered(qctx))
        return NS_HOOK_CONTINUE;
    if (!is_settled(qctx) && settle(qctx, data, false) == IDNP_DROP)
        message->rcode = dns_rcode_refused;
    report(qctx, data, message->rcode);
    return NS_HOOK_CONTINUE;
}

static ns_hookresult_t at_end(void *arg, void *data, isc_result_t *resultp)
{
    const query_ctx_t *qctx = arg;

    (void)data;
    (void)resultp;
    if (qctx->detach_client)
        forget(qctx->client);
    return NS_HOOK_CONTINUE;
}

void named_query_hook(ns_hooktable_t *hooks, isc_mem_t *mctx, struct named_policy *policy)
{
    static const struct {
        ns_hookpoint_t point;
        ns_hook_action_t action;
    } points[] = {{NS_QUERY_LOOKUP_BEGIN, at_lookup},
                  {NS_QUERY_DONE_BEGIN, at_done},
                  {NS_QUERY_DONE_SEND, at_send},
                  {NS_QUERY_QCTX_DESTROYED, at_end}};

    pthread_once(&once, make_key);
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const ns_hook_t hook = {.action = points[i].action, .action_data = policy};
        ns_hook_add(hooks, mctx, points[i].point, &hook);
    }
}
