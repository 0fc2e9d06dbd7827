/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "tests/fuzz/unbound/world.h"

#include "module/config/config.h"
#include "module/run/state.h"
#include "module/unbound/callback.h"
#include "module/unbound/daemon.h"
#include "module/unbound/gate.h"
#include "module/unbound/module.h"
#include "module/unbound/qstate.h"

#include <dns64/dns64.h>
#include <dynlibmod/dynlibmod.h>
#include <iterator/iter_fwd.h>
#include <iterator/iter_hints.h>
#include <iterator/iterator.h>
#include <services/authzone.h>
#include <services/cache/infra.h>
#include <services/cache/rrset.h>
#include <services/mesh.h>
#include <services/outbound_list.h>
#include <sldns/sbuffer.h>
#include <util/alloc.h>
#include <util/config_file.h>
#include <util/data/msgencode.h>
#include <util/data/msgreply.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/random.h>
#include <util/regional.h>
#include <validator/validator.h>

#include <ctype.h>

enum { SENT_MAX = 64, BUFFER = 65552 };
#define INSIDE 0xC0000201u  /* 192.0.2.1 */
#define OUTSIDE 0xC6336401u /* 198.51.100.1 */

/* One with each order of modules; ours is the first in both. */
enum { IDN, PLAIN = 0, WITH_DNS64, ORDERS };
static struct module_env envs[ORDERS], *env = envs;
static char *const orders[ORDERS] = {"dynlib validator iterator",
                                     "dynlib dns64 validator iterator"};
static struct alloc_cache alloc;
static struct timeval now_tv;
static time_t now;
static struct comm_point udp, tcp, server;
static on_reply *on_client_reply;
static struct {
    struct outbound_entry *entry;
    struct sent question;
} sent[SENT_MAX];
static size_t sent_count;

/* --- what Unbound finds in place of its own --- */

/* Unbound calls functions only if it knows them. Ours it does not know. */
#define KNOWN(what)                                                                                \
    int fptr_whitelist_##what(void);                                                               \
    int fptr_whitelist_##what(void)                                                                \
    {                                                                                              \
        return 1;                                                                                  \
    }                                                                                              \
    int fptr_whitelist_##what(void)
/* clang-format off */
KNOWN(alloc_cleanup); KNOWN(comm_point); KNOWN(comm_point_raw); KNOWN(comm_signal);
KNOWN(comm_timer); KNOWN(event); KNOWN(hash_compfunc); KNOWN(hash_deldatafunc);
KNOWN(hash_delkeyfunc); KNOWN(hash_markdelfunc); KNOWN(hash_sizefunc);
KNOWN(inplace_cb_edns_back_parsed); KNOWN(inplace_cb_query); KNOWN(inplace_cb_query_response);
KNOWN(inplace_cb_reply_generic); KNOWN(mesh_cb); KNOWN(mod_clear); KNOWN(mod_deinit);
KNOWN(mod_destartup); KNOWN(mod_get_mem); KNOWN(mod_inform_super); KNOWN(mod_init);
KNOWN(mod_operate); KNOWN(mod_startup); KNOWN(modenv_add_sub); KNOWN(modenv_attach_sub);
KNOWN(modenv_detach_subs); KNOWN(modenv_detect_cycle); KNOWN(modenv_kill_sub);
KNOWN(modenv_send_query); KNOWN(pending_tcp); KNOWN(pending_udp); KNOWN(print_func);
KNOWN(rbtree_cmp); KNOWN(serve_expired_lookup); KNOWN(serviced_query); KNOWN(start_accept);
KNOWN(stop_accept); KNOWN(tube_listen);
/* clang-format on */

/* The linker puts these in the place of Unbound's (--wrap). */
void __wrap_comm_point_send_reply(struct comm_reply *reply);
void __wrap_comm_point_send_reply(struct comm_reply *reply)
{
    struct sldns_buffer *message = reply->c->buffer;
    const struct sockaddr_in *address = (const void *)&reply->client_addr;
    struct client client = {reply->c == &tcp, address->sin_addr.s_addr == htonl(INSIDE)};

    on_client_reply(sldns_buffer_begin(message), sldns_buffer_limit(message), client);
}

void __wrap_comm_point_drop_reply(struct comm_reply *reply);
void __wrap_comm_point_drop_reply(struct comm_reply *reply)
{
    (void)reply;
}

/* A query that ends takes back what it has sent. */
void __wrap_outnet_serviced_query_stop(struct serviced_query *query, void *entry);
void __wrap_outnet_serviced_query_stop(struct serviced_query *query, void *entry)
{
    (void)query;
    for (size_t i = 0; i < sent_count; i++)
        if (sent[i].entry == entry)
            sent[i] = sent[--sent_count];
}

/* RATE: from 1.25 on, one argument more. */
#ifdef XNM_HAS_ATTACH_SUB_CLIENT
#define RATE , int *ratelimit_incremented
#define RATE_UNUSED (void)ratelimit_incremented
#else
#define RATE
#define RATE_UNUSED
#endif
static struct outbound_entry *send_query(struct query_info *info, uint16_t flags, int dnssec,
                                         int want_dnssec, int nocaps, int check_ratelimit,
                                         struct sockaddr_storage *address, socklen_t address_len,
                                         uint8_t *zone, size_t zone_len, int is_tcp, int is_ssl,
                                         char *auth_name, struct module_qstate *query,
                                         int *was_ratelimited RATE)
{
    (void)flags, (void)dnssec, (void)want_dnssec, (void)nocaps, (void)check_ratelimit;
    (void)address, (void)address_len, (void)zone, (void)zone_len, (void)is_tcp, (void)is_ssl;
    (void)auth_name, (void)was_ratelimited;
    RATE_UNUSED;
    struct outbound_entry *entry =
        sent_count < SENT_MAX ? regional_alloc_zero(query->region, sizeof *entry) : NULL;

    if (!entry)
        return NULL;
    entry->qstate = query;
    uint8_t *qname = regional_alloc_init(query->region, info->qname, info->qname_len);
    sent[sent_count].entry = entry;
    sent[sent_count++].question = (struct sent){qname, info->qname_len, info->qtype, info->qclass};
    return entry;
}

/* --- the start --- */

static void must(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "world: %s\n", what);
    abort();
}

/* The module's entry points, which its sources declare for themselves. */
void operate(struct module_qstate *qstate, enum module_ev event, int id,
             struct outbound_entry *outbound);
void inform_super(struct module_qstate *qstate, int id, struct module_qstate *super);
void clear(struct module_qstate *qstate, int id);

/* Its daemon is this program, so the check of the build is left out. */
static struct xnm_state *open_module(const char *idn_conf)
{
    struct xnm_state_options options = {.engine = xnm_engine_new(),
                                        .config_path = idn_conf,
                                        .host_log = xnm_daemon_log,
                                        .notices = xnm_daemon_log,
                                        .diagnostics = &xnm_daemon_diagnostics};
    struct xnm_state *state = xnm_state_open(&options);

    must(state, idn_conf);
    return state;
}

static void start_module(struct xnm_state *state)
{
    static struct dynlibmod_env dynlib = {.inplace_cb_register_wrapped =
                                              inplace_cb_register_wrapped,
                                          .inplace_cb_delete_wrapped = inplace_cb_delete_wrapped};

    env->modinfo[IDN] = &dynlib;
    must(xnm_daemon_register(env, IDN, state, &xnm_module_callbacks), "the callbacks");
    xnm_daemon_set_state(env, IDN, state);
}

static void start_mesh(bool has_dns64)
{
    static struct module_func_block idn = {
        .name = "dynlib", .operate = operate, .inform_super = inform_super, .clear = clear};
    static struct module_func_block *blocks[ORDERS][4];
    struct module_stack stack = {.mod = blocks[has_dns64]};

    stack.mod[stack.num++] = &idn;
    if (has_dns64)
        stack.mod[stack.num++] = dns64_get_funcblock();
    stack.mod[stack.num++] = val_get_funcblock();
    stack.mod[stack.num++] = iter_get_funcblock();
    env->mesh = mesh_create(&stack, env);
    must(env->mesh, "the mesh");
    for (int id = IDN + 1; id < stack.num; id++)
        must(stack.mod[id]->init(env, id), stack.mod[id]->name);
}

static void start_caches(void)
{
    const struct config_file *cfg = env->cfg;

    alloc_init(&alloc, NULL, 0);
    env->alloc = &alloc;
    env->rrset_cache = rrset_cache_create(env->cfg, &alloc);
    env->infra_cache = infra_create(env->cfg);
    env->msg_cache = slabhash_create(cfg->msg_cache_slabs, HASH_DEFAULT_STARTARRAY,
                                     cfg->msg_cache_size, msgreply_sizefunc, query_info_compare,
                                     query_entry_delete, reply_info_delete, NULL);
    env->auth_zones = auth_zones_create();
    env->hints = hints_create();
    env->fwds = forwards_create();
    must(env->rrset_cache && env->infra_cache && env->msg_cache && env->auth_zones, "the caches");
    must(forwards_apply_cfg(env->fwds, env->cfg) && hints_apply_cfg(env->hints, env->cfg),
         "the zones");
}

static void start_point(struct comm_point *point, enum comm_point_type type)
{
    point->type = type;
    point->buffer = sldns_buffer_new(BUFFER);
    must(point->buffer, "a buffer");
}

void world_start(const char *unbound_conf, const char *idn_conf, on_reply *reply)
{
    on_client_reply = reply;
    log_init(NULL, 0, NULL);
    env->cfg = config_create();
    must(env->cfg && config_read(env->cfg, unbound_conf, NULL), unbound_conf);
    free(env->cfg->module_conf); /* world_reset says which it is */
    verbosity = NO_VERBOSE;
    env->scratch = regional_create_custom(BUFFER);
    env->scratch_buffer = sldns_buffer_new(BUFFER);
    env->rnd = ub_initstate(NULL);
    env->now = &now;
    env->now_tv = &now_tv;
    start_caches();
    env->send_query = send_query;
    env->detach_subs = mesh_detach_subs;
    env->attach_sub = mesh_attach_sub;
    env->add_sub = mesh_add_sub;
    env->kill_sub = mesh_state_delete;
    env->detect_cycle = mesh_detect_cycle;
    start_point(&udp, comm_udp);
    start_point(&tcp, comm_tcp);
    start_point(&server, comm_udp);
    envs[WITH_DNS64] = envs[PLAIN];
    struct xnm_state *state = open_module(idn_conf);
    for (int order = 0; order < ORDERS; order++) {
        env = &envs[order];
        start_mesh(order == WITH_DNS64);
        start_module(state);
    }
}

/* --- what happens --- */

static void write_address(struct comm_reply *reply, uint32_t ipv4)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(53)};

    address.sin_addr.s_addr = htonl(ipv4);
    reply->remote_addrlen = reply->client_addrlen = sizeof address;
    memcpy(&reply->remote_addr, &address, sizeof address);
    memcpy(&reply->client_addr, &address, sizeof address);
}

void world_ask(uint8_t *qname, size_t qname_len, uint16_t qtype, uint16_t flags,
               struct client client)
{
    struct query_info info = {.qname = qname, .qname_len = qname_len, .qtype = qtype, .qclass = 1};
    struct comm_reply reply = {.c = client.is_tcp ? &tcp : &udp};
    struct edns_data edns = {.edns_present = 1, .udp_size = 4096};

    write_address(&reply, client.is_inside ? INSIDE : OUTSIDE);
    mesh_new_client(env->mesh, &info, NULL, flags, &edns, &reply, 7, 0);
    regional_free_all(env->scratch);
}

static void ignore(void *arg, int rcode, struct sldns_buffer *message, enum sec_status security,
                   char *why, int was_ratelimited)
{
    (void)arg, (void)rcode, (void)message, (void)security, (void)why, (void)was_ratelimited;
}

void world_ask_for_itself(uint8_t *qname, size_t qname_len, uint16_t qtype)
{
    struct query_info info = {.qname = qname, .qname_len = qname_len, .qtype = qtype, .qclass = 1};
    struct edns_data edns = {.udp_size = 4096};

#ifdef XNM_HAS_CALLBACK_UNIQUE_INFO
    mesh_new_callback(env->mesh, &info, BIT_RD, &edns, server.buffer, 0, ignore, NULL, 0, NULL);
#else
    mesh_new_callback(env->mesh, &info, BIT_RD, &edns, server.buffer, 0, ignore, NULL, 0);
#endif
    regional_free_all(env->scratch);
}

size_t world_sent_count(void)
{
    return sent_count;
}

struct sent world_sent(size_t i)
{
    return sent[i].question;
}

void world_answer(size_t i, const uint8_t *message, size_t len)
{
    struct comm_reply reply = {.c = &server};
    struct outbound_entry *entry = sent[i].entry;

    __wrap_outnet_serviced_query_stop(NULL, entry);
    write_address(&reply, INADDR_LOOPBACK);
    sldns_buffer_clear(server.buffer);
    if (message)
        sldns_buffer_write(server.buffer, message, len);
    sldns_buffer_flip(server.buffer);
    mesh_report_reply(env->mesh, entry, &reply, message ? NETEVENT_NOERROR : NETEVENT_TIMEOUT);
    regional_free_all(env->scratch);
}

void world_pass_time(unsigned seconds)
{
    now += seconds;
    now_tv.tv_sec = now;
}

/* Clients may ask in mixed case (draft-vixie-dnsext-dns0x20): the gate must know a hit by its name
 * in any case, or it decides such hits each time. */
static void check_other_case(struct query_info info, struct reply_info *rep,
                             struct comm_reply *reply)
{
    uint8_t other[LDNS_MAX_DOMAINLEN + 1];
    struct xnm_callback call = {
        .origin = XNM_FROM_CACHE, .qinfo = &info, .rep = rep, .repinfo = reply};
    const struct xnm_state *state = xnm_daemon_state(env, IDN);
    bool is_known = xnm_gate_knows(state, &call, IDN);

    for (size_t i = 0; i < info.qname_len; i++)
        other[i] = isalpha(info.qname[i]) ? info.qname[i] ^ 0x20 : info.qname[i];
    info.qname = other;
    must(xnm_gate_knows(state, &call, IDN) == is_known, "a hit is known in one case alone");
}

/* As answer_from_cache (daemon/worker.c) does it. */
static void give_hit(struct msgreply_entry *key, struct reply_info *rep, struct client client)
{
    struct query_info info = key->key;
    struct comm_reply reply = {.c = client.is_tcp ? &tcp : &udp};
    struct edns_data edns = {.edns_present = 1, .udp_size = 4096};

    write_address(&reply, client.is_inside ? INSIDE : OUTSIDE);
    inplace_cb_reply_cache_call(env, &info, NULL, rep, 0, &edns, &reply, env->scratch, &now_tv);
    check_other_case(key->key, rep, &reply);
    must(reply_info_answer_encode(&info, rep, 0, BIT_RD, server.buffer, now, 1, env->scratch, 65535,
                                  &edns, 0, 0),
         "a hit");
    regional_free_all(env->scratch);
    on_client_reply(sldns_buffer_begin(server.buffer), sldns_buffer_limit(server.buffer), client);
}

/* A message whose RRsets are gone is a miss. The gate disowns what it withholds; that is undone, so
 * that the events after this one find the cache as Unbound left it. */
static void give_to_each_client(struct lruhash_entry *entry, void *arg)
{
    struct reply_info *rep = entry->data;

    (void)arg;
    if (!rrset_array_lock(rep->ref, rep->rrset_count, 0))
        return;
    const time_t ttl = rep->ttl;
    const uint16_t flags = rep->flags;
    const rrset_id_type id = rep->rrset_count > 0 ? rep->ref[0].id : 0;
    for (unsigned kind = 0; kind < 4; kind++) {
        give_hit(entry->key, rep, (struct client){kind & 1, kind & 2});
        rep->ttl = ttl;
        rep->flags = flags;
        if (rep->rrset_count > 0)
            rep->ref[0].id = id;
    }
    rrset_array_unlock(rep->ref, rep->rrset_count);
}

void world_ask_for_cached(void)
{
    slabhash_traverse(env->msg_cache, 0, give_to_each_client, NULL);
}

void world_reset(bool has_dns64, bool minimises)
{
    mesh_delete_all(env->mesh);
    sent_count = 0;
    slabhash_clear(env->msg_cache);
    slabhash_clear(&env->rrset_cache->table);
    slabhash_clear(env->infra_cache->hosts);
    now = now_tv.tv_sec = 1000000000;
    env = &envs[has_dns64];
    env->cfg->module_conf = orders[has_dns64];
    env->cfg->qname_minimisation = minimises;
    xnm_qstate_open(env);
    xnm_gate_open(env);
    xnm_callback_open(env);
}
