/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/gate.h"

#include "core/wire/wire.h"
#include "module/load/reload.h"
#include "module/unbound/daemon.h"
#include "module/unbound/known.h"
#include "module/unbound/message.h"
#include "module/unbound/qstate.h"
#include "module/unbound/reason.h"

#include <services/cache/dns.h>
#include <services/localzone.h>
#include <sldns/rrdef.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>

#include <stddef.h>
#include <string.h>

static struct slabhash *message_cache;

void xnm_gate_open(const struct module_env *env)
{
    message_cache = env->msg_cache;
}

/* --- which records leave --- */

static uint16_t type_of(const struct reply_info *rep, size_t i)
{
    return ntohs(rep->rrsets[i]->rk.type);
}

/* Returns whether `minimal-responses: yes` drops the sections after the answer. A copy of
 * positive_answer (util/data/msgencode.c), but it returns false more often: to decide a section
 * in vain costs time, and to send one undecided is a leak. */
static bool drops_other_sections(const struct reply_info *rep, uint16_t qtype)
{
    bool has_type = false;

    if (!MINIMAL_RESPONSES || FLAGS_GET_RCODE(rep->flags) != LDNS_RCODE_NOERROR ||
        qtype == LDNS_RR_TYPE_NS)
        return false;
    for (size_t i = 0; !has_type && i < rep->an_numrrsets; i++)
        has_type = type_of(rep, i) == qtype;
    for (size_t i = 0; has_type && i < rep->ns_numrrsets; i++) {
        uint16_t type = type_of(rep, rep->an_numrrsets + i);

        has_type = type != LDNS_RR_TYPE_NSEC && type != LDNS_RR_TYPE_NSEC3;
    }
    return has_type;
}

static bool sends_additional(const struct reply_info *rep, uint16_t qtype)
{
    return rep->rrset_count > rep->an_numrrsets && !drops_other_sections(rep, qtype) &&
           xnm_message_has_additional(rep);
}

/* Returns whether the policy refuses an RRset's owner to this client. A client may ignore the
 * RRset's class. */
static bool is_owner_refused(struct xnm_qstate_work *work, const struct ub_packed_rrset_key *rrset)
{
    const struct xnm_question question = {.qname = rrset->rk.dname,
                                          .qname_len = rrset->rk.dname_len,
                                          .qtype = ntohs(rrset->rk.type),
                                          .qclass = LDNS_RR_CLASS_IN,
                                          .client = &work->client};
    const struct xnm_known known = {.at = rrset,
                                    .generation = work->generation,
                                    .qtype = question.qtype,
                                    .qclass = question.qclass,
                                    .name = question.qname,
                                    .name_len = question.qname_len};

    if (xnm_known_has(&known))
        return false;
    if (!xnm_policy_decide(work->policy, &question, &work->decision) &&
        !work->decision.specific_decision)
        xnm_known_add(&known);
    return xnm_qstate_is_refused(work);
}

/* Returns whether the policy refuses an additional record to this client. Records beyond
 * XNM_MESSAGE_ADDITIONAL_MAX are not decided and count as refused. */
static bool is_additional_refused(struct xnm_qstate_work *work, const struct reply_info *rep)
{
    size_t seen = 0;

    for (size_t i = rep->an_numrrsets; i < rep->rrset_count; i++) {
        if (xnm_message_is_additional(rep, i) &&
            (seen++ == XNM_MESSAGE_ADDITIONAL_MAX || is_owner_refused(work, rep->rrsets[i])))
            return true;
    }
    return false;
}

/* --- withholding --- */

/* An RRset that fits into no message. Unbound writes the local alias of a query first, and if it
 * does not fit, truncates the reply: header, question, TC, OPT record. The record really has
 * that length, since the mesh copies it if respip looks up another name for the reply. */
static uint8_t too_long[2 + 65536];
static size_t too_long_len[1] = {sizeof too_long};
static uint8_t *too_long_rdata[1] = {too_long};
static time_t too_long_ttl[1];
static struct packed_rrset_data too_long_data = {
    .count = 1, .rr_len = too_long_len, .rr_data = too_long_rdata, .rr_ttl = too_long_ttl};
static _Thread_local struct ub_packed_rrset_key too_long_key;
static _Thread_local struct local_rrset too_long_alias;

static void truncate_reply(struct query_info *info)
{
    const struct packed_rrset_key *alias = info->local_alias ? &info->local_alias->rrset->rk : NULL;

    too_long_key.rk =
        (struct packed_rrset_key){.dname = alias ? alias->dname : info->qname,
                                  .dname_len = alias ? alias->dname_len : info->qname_len,
                                  .flags = PACKED_RRSET_FIXEDTTL,
                                  .type = htons(LDNS_RR_TYPE_NULL),
                                  .rrset_class = htons(info->qclass)};
    too_long_key.entry.data = &too_long_data;
    too_long_alias.rrset = &too_long_key;
    info->local_alias = &too_long_alias;
}

/* Undoes empty_expired(). */
static void fill_expired(const struct xnm_callback *call, int id)
{
    struct xnm_qstate *query = call->qstate ? call->qstate->minfo[id] : NULL;

    if (!query || !query->emptied || query->emptied != call->rep)
        return;
    memcpy(query->emptied, query->whole, offsetof(struct reply_info, ref));
    query->emptied = NULL;
}

void xnm_gate_release(const struct xnm_callback *call, int id)
{
    if (call->qinfo && call->qinfo->local_alias == &too_long_alias)
        call->qinfo->local_alias = NULL;
    fill_expired(call, id);
}

/* Empties a message that no cache holds. */
static void make_empty(struct reply_info *rep, uint16_t flags)
{
    rep->flags = BIT_QR | BIT_RA | flags;
    rep->an_numrrsets = rep->ns_numrrsets = rep->ar_numrrsets = rep->rrset_count = 0;
}

/* Empties an expired answer until the next reply: a copy that Unbound sends to the query's clients
 * one after the other. A local alias, as truncate_reply() sets it, would stay in the query, which
 * continues, and cachedb would store it. Without memory the answer stays empty. AA is set because
 * Unbound sets it with an alias. */
static void empty_expired(const struct xnm_callback *call, int id)
{
    struct xnm_qstate *query = xnm_qstate_of(call->qstate, id);

    if (query) {
        query->whole = xnm_message_members(call->rep, call->qstate->region);
        query->emptied = query->whole ? call->rep : NULL;
    }
    make_empty(call->rep, BIT_TC | BIT_AA);
    call->rep->authoritative = 1;
}

/* Returns whether Unbound made the message for this reply alone, as a referral for a client that
 * asks without RD. It has read the query's local alias by then. */
static bool is_own_referral(const struct xnm_callback *call)
{
    return !call->qstate && !xnm_daemon_is_cached(call->rep) && xnm_message_referral(call->rep);
}

/* Unbound writes a local alias only into replies with these rcodes. */
static bool takes_alias(const struct reply_info *rep)
{
    int rcode = FLAGS_GET_RCODE(rep->flags);

    return rcode == LDNS_RCODE_NOERROR || rcode == LDNS_RCODE_NXDOMAIN;
}

static void withhold_records(const struct xnm_callback *call, int id, bool is_tcp_only)
{
    bool is_cached = !call->qstate && xnm_daemon_is_cached(call->rep);

    if (xnm_callback_is_expired(call)) {
        empty_expired(call, id);
        return;
    }
    if (is_own_referral(call)) {
        make_empty(call->rep, is_tcp_only ? BIT_TC : LDNS_RCODE_REFUSED);
        return;
    }
    if (!takes_alias(call->rep) && !is_cached) {
        make_empty(call->rep, BIT_TC);
        return;
    }
    if (!takes_alias(call->rep))
        xnm_daemon_clear_rcode(call->rep);
    truncate_reply(call->qinfo);
}

/* Makes the next query for the name a cache miss. A message without RRsets may be a copy that
 * respip has emptied. */
static void forget_message(const struct xnm_callback *call)
{
    if (call->qstate)
        xnm_message_remove_from_cache(call->qstate->env, &call->qstate->qinfo);
    else if (call->rep->rrset_count > 0 && xnm_daemon_is_cached(call->rep))
        xnm_daemon_disown(call->rep);
    else
        xnm_daemon_disown_found(message_cache, call->qinfo);
}

/* tcp-only has no answer of its own: the message stays in the cache, for clients that use TCP. */
static void withhold(const struct xnm_qstate_work *work, const struct xnm_callback *call,
                     bool is_tcp_only)
{
    xnm_reason_add(work, call);
    withhold_records(call, work->id, is_tcp_only);
    if (!is_tcp_only)
        forget_message(call);
    xnm_state_count_withheld(work->state);
}

/* --- deciding --- */

static struct xnm_known known_of(const struct xnm_callback *call, uint64_t generation,
                                 const uint8_t *name)
{
    return (struct xnm_known){.at = call->rep,
                              .generation = generation,
                              .qtype = call->qinfo->qtype,
                              .qclass = call->qinfo->qclass,
                              .name = name,
                              .name_len = call->qinfo->qname_len,
                              .rep = call->rep};
}

/* Remembers a hit that no rule matches for any client. What dns64 makes depends on more names than
 * the message has. */
static void remember(const struct xnm_qstate_work *work, const struct xnm_callback *call)
{
    uint8_t lower[XN_WIRE_NAME_MAX];
    const struct xnm_known known = known_of(call, work->generation, lower);

    if (call->qstate || work->decision.specific_decision ||
        xnm_qstate_is_synthesized(call->qinfo->qtype))
        return;
    xn_wire_lower(lower, call->qinfo->qname, call->qinfo->qname_len);
    xnm_known_add(&known);
}

/* Returns whether the client may have the records of the question's name and its aliases. */
static bool is_allowed_to(const struct xnm_qstate_work *work, bool is_tcp_only,
                          const struct xnm_callback *call)
{
    return !xnm_qstate_is_refused(work) || (is_tcp_only && call->repinfo->c->type != comm_udp);
}

/* A cached message is withheld. From one made for this reply, records are removed that are refused
 * to any client; a module has stored it with them, and hits of it would be withheld, even over TCP.
 */
static void decide_additional(struct xnm_qstate_work *work, const struct xnm_callback *call)
{
    if (xnm_state_is_log_only(work->state) || !sends_additional(call->rep, call->qinfo->qtype))
        return;
    if (!xnm_daemon_is_cached(call->rep)) {
        if (xnm_message_drop_additional(work->policy, call->rep) && call->qstate)
            forget_message(call);
    } else if (is_additional_refused(work, call->rep)) {
        withhold(work, call, false);
    }
}

/* Call it between xnm_policyhandle_enter and xnm_policyhandle_leave. */
static void decide_by_policy(struct xnm_qstate_work *work, const struct xnm_callback *call,
                             struct xnm_match *storage, const struct xnm_match **match)
{
    bool matched = xnm_qstate_decide_answer(work, call->qinfo, call->rep);
    const struct xnm_policy_answer *answer = work->decision.answer;
    bool is_tcp_only = answer && answer->action == XNM_TCP_ONLY;
    bool is_allowed = is_allowed_to(work, is_tcp_only, call);

    *match = matched ? storage : NULL;
    if (matched)
        xnm_match_from(work->policy, &work->decision, xnm_state_is_log_only(work->state), storage);
    else
        remember(work, call);
    if (is_allowed)
        decide_additional(work, call);
    else
        withhold(work, call, is_tcp_only);
}

/* Not inlined, to keep its large stack frame out of the callers. */
__attribute__((noinline)) static void decide(struct xnm_state *state,
                                             const struct xnm_callback *call, int id,
                                             struct xnm_match *storage,
                                             const struct xnm_match **match)
{
    struct xnm_qstate_work work;

    xnm_qstate_begin_call(&work, state, call->qstate, id);
    work.asker = &call->repinfo->client_addr;
    work.edns = call->edns;
    work.policy = xnm_policyhandle_enter(xnm_state_force(state), &work.generation);
    if (work.policy)
        decide_by_policy(&work, call, storage, match);
    xnm_policyhandle_leave();
}

/* Returns whether the query has decided this very answer, for all its clients and by the policy in
 * force, or the answer is the policy's own. An expired answer is neither. */
static bool is_decided(const struct xnm_state *state, const struct xnm_qstate *query,
                       const struct xnm_callback *call)
{
    const struct dns_msg *message = call->qstate->return_msg;
    const struct reply_info *own = message ? message->rep : NULL;
    uint64_t generation = xnm_policyhandle_generation(xnm_state_force(state));

    return call->rep == own && (query->answer != XNM_QSTATE_BY_RESOLVER ||
                                (query->settled == own && query->unmatched_by == generation));
}

static void decide_reply(struct xnm_state *state, const struct xnm_callback *call, int id,
                         struct xnm_match *storage, const struct xnm_match **match)
{
    const struct xnm_qstate *query = call->qstate->minfo[id];

    if (query)
        *match = query->match;
    if (query && query->answer == XNM_QSTATE_BY_POLICY)
        xnm_reason_give(query, call);
    if (!xnm_callback_is_error(call) && !(query && is_decided(state, query, call)))
        decide(state, call, id, storage, match);
}

void xnm_gate_decide(struct xnm_state *state, const struct xnm_callback *call, int id,
                     struct xnm_match *storage, const struct xnm_match **match)
{
    *match = NULL;
    fill_expired(call, id);
    if (!call->qinfo || !call->qinfo->qname || !xnm_policy_decides_class(call->qinfo->qclass) ||
        call->origin == XNM_FROM_LOCAL)
        return;
    if (call->qstate)
        decide_reply(state, call, id, storage, match);
    else if (!xnm_callback_is_error(call))
        decide(state, call, id, storage, match);
}

/* Clients may ask in mixed case (draft-vixie-dnsext-dns0x20). */
__attribute__((noinline)) static bool knows_in_lower_case(struct xnm_known known)
{
    uint8_t lower[XN_WIRE_NAME_MAX];

    xn_wire_lower(lower, known.name, known.name_len);
    known.name = lower;
    return xnm_known_has(&known);
}

static bool knows_hit(const struct xnm_state *state, const struct xnm_callback *call)
{
    if (call->origin != XNM_FROM_CACHE || !call->rep || !call->qinfo || !call->qinfo->qname ||
        xnm_qstate_is_synthesized(call->qinfo->qtype))
        return false;
    const struct xnm_known known =
        known_of(call, xnm_policyhandle_generation(xnm_state_force(state)), call->qinfo->qname);
    return (xnm_known_has(&known) || knows_in_lower_case(known)) &&
           !sends_additional(call->rep, call->qinfo->qtype);
}

bool xnm_gate_knows(const struct xnm_state *state, const struct xnm_callback *call, int id)
{
    if (!call->qstate)
        return knows_hit(state, call);
    const struct xnm_qstate *query = call->qstate->minfo[id];
    return query && query->answer == XNM_QSTATE_BY_RESOLVER && xnm_callback_has_client(call) &&
           is_decided(state, query, call);
}
