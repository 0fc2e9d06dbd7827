/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/reason.h"

#include "module/answer/response.h"
#include "module/answer/structured.h"

#include <services/localzone.h>
#include <services/mesh.h>
#include <sldns/rrdef.h>
#include <sldns/sbuffer.h>
#include <util/data/msgencode.h>
#include <util/data/msgparse.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/net_help.h>
#include <util/netevent.h>
#include <util/regional.h>

enum {
    CODE_LEN = 2,      /* octets of an extended error without a text */
    OPTION_HEAD = 4,   /* RFC 6891, section 6.1.2 */
    OPT_HEAD = 11,     /* likewise */
    QUESTION_TAIL = 4, /* its type and class */
    MESSAGE_MAX = 65535
};

/* The structured error of one client. Its memory is the query's. */
struct xnm_reason {
    const struct edns_data *edns; /* the client's */
    const uint8_t *data;
    size_t len; /* 0: none */
    struct xnm_reason *next;
};

/* The forms of an error, one of which each client gets, and the answer. */
struct forms {
    uint16_t code;
    struct reply_info *rep; /* NULL: it has no records */
    size_t message_lens[2]; /* octets without its OPT record, with DO and without; 0: not known */
    uint8_t *whole, *brief;
    size_t whole_len, brief_len;
};

static bool asks(const struct edns_data *edns, uint16_t code)
{
    return code > 0 && edns && edns_opt_list_find(edns->opt_list_in, code);
}

static const struct xnm_why_settings *settings_of(const struct xnm_qstate_work *work)
{
    return &xnm_policy_settings(work->policy)->why;
}

/* --- the octets that a reply leaves --- */

/* The octets of all options but the extended error, which is to be replaced. */
static size_t options_len(const struct edns_option *options)
{
    size_t len = 0;

    for (; options; options = options->next)
        if (options->opt_code != LDNS_EDNS_EDE)
            len += OPTION_HEAD + options->opt_len;
    return len;
}

/* Returns the octets of the name in the question of the reply. */
static size_t asked_len(const struct query_info *info)
{
    return info->local_alias ? info->local_alias->rrset->rk.dname_len : info->qname_len;
}

/* Returns the octets of a client's message without its OPT record, by encoding it; MESSAGE_MAX: it
 * cannot be encoded. */
static size_t measure(const struct xnm_qstate_work *work, const struct mesh_reply *client,
                      struct reply_info *rep)
{
    struct module_qstate *qstate = work->qstate;
    struct sldns_buffer *buffer = qstate->env->scratch_buffer;
    struct query_info info = qstate->qinfo;

    info.local_alias = client->local_alias;
    if (!rep)
        return LDNS_HEADER_SIZE + asked_len(&info) + QUESTION_TAIL;
    /* Unbound writes an alias of its own only beside this flag. */
    if (!reply_info_encode(&info, rep, 0, info.local_alias ? BIT_AA : 0, buffer, 0, qstate->region,
                           MESSAGE_MAX, client->edns.bits & EDNS_DO, MINIMAL_RESPONSES) ||
        LDNS_TC_WIRE(sldns_buffer_begin(buffer)))
        return MESSAGE_MAX;
    return sldns_buffer_limit(buffer);
}

/* Returns what measure() returns. Clients without an alias of Unbound's own get the same message,
 * which is measured once. */
static size_t message_len(const struct xnm_qstate_work *work, const struct mesh_reply *client,
                          struct forms *forms)
{
    size_t *len = &forms->message_lens[client->edns.bits & EDNS_DO ? 1 : 0];

    if (client->local_alias)
        return measure(work, client, forms->rep);
    if (*len == 0)
        *len = measure(work, client, forms->rep);
    return *len;
}

/* Returns the octets that the option's data may have. */
static size_t room_of(const struct xnm_qstate_work *work, const struct mesh_reply *client,
                      struct forms *forms)
{
    const struct edns_data *edns = &client->edns;

    if (client->query_reply.c->type != comm_udp)
        return XNM_STRUCTURED_MAX;
    size_t taken = message_len(work, client, forms) + OPT_HEAD + OPTION_HEAD +
                   options_len(edns->opt_list_out) + options_len(work->qstate->edns_opts_front_out);
    return taken < edns->udp_size ? edns->udp_size - taken : 0;
}

/* --- making --- */

/* Writes a form into the query's memory. */
static uint8_t *write_form(const struct xnm_qstate_work *work, size_t room, size_t *len)
{
    uint8_t data[XNM_STRUCTURED_MAX];

    *len = xnm_structured_write(settings_of(work), &work->decision, data, room);
    uint8_t *kept = *len > 0 ? regional_alloc_init(work->qstate->region, data, *len) : NULL;
    if (!kept)
        *len = 0;
    return kept;
}

static void choose_form(const struct forms *forms, size_t room, struct xnm_reason *reason)
{
    bool is_whole = forms->whole_len <= room;

    reason->data = is_whole ? forms->whole : forms->brief;
    reason->len = is_whole ? forms->whole_len : forms->brief_len;
    if (reason->len > room && reason->len > CODE_LEN)
        reason->len = CODE_LEN;
}

static void make_structured(struct xnm_qstate_work *work, struct reply_info *rep)
{
    struct forms forms = {.code = settings_of(work)->code, .rep = rep};
    bool is_written = false;

    work->query->reasons = NULL;
    for (const struct mesh_reply *client = xnm_qstate_clients(work->qstate);
         client && forms.code > 0; client = client->next) {
        if (!asks(&client->edns, forms.code))
            continue;
        if (!is_written) {
            forms.whole = write_form(work, XNM_STRUCTURED_MAX, &forms.whole_len);
            forms.brief = forms.whole_len > CODE_LEN
                              ? write_form(work, forms.whole_len - 1, &forms.brief_len)
                              : NULL;
            is_written = true;
        }
        struct xnm_reason *reason = regional_alloc_zero(work->qstate->region, sizeof *reason);
        if (!reason)
            return;
        reason->edns = &client->edns;
        choose_form(&forms, room_of(work, client, &forms), reason);
        reason->next = work->query->reasons;
        work->query->reasons = reason;
    }
}

void xnm_reason_make(struct xnm_qstate_work *work, struct reply_info *rep)
{
    struct module_qstate *qstate = work->qstate;
    uint8_t option[XNM_EDE_OPTION_MAX];
    size_t len = xnm_response_ede(work->decision.answer, option);

    edns_opt_list_remove(&qstate->edns_opts_front_out, LDNS_EDNS_EDE);
    if (len > 0)
        edns_opt_list_append(&qstate->edns_opts_front_out, LDNS_EDNS_EDE, len, option,
                             qstate->region);
    make_structured(work, rep);
}

/* --- sending --- */

/* The options may be those of all clients of the query, so they are copied. */
void xnm_reason_give(const struct xnm_qstate *query, const struct xnm_callback *call)
{
    const struct xnm_reason *reason = query->reasons;
    struct edns_option *options;

    while (reason && reason->edns != call->edns)
        reason = reason->next;
    if (!reason)
        return;
    options = edns_opt_copy_region(*call->options, call->region);
    edns_opt_list_remove(&options, LDNS_EDNS_EDE);
    if (reason->len > 0)
        edns_opt_list_append(&options, LDNS_EDNS_EDE, reason->len, (uint8_t *)reason->data,
                             call->region);
    *call->options = options;
}

void xnm_reason_add(const struct xnm_qstate_work *work, const struct xnm_callback *call)
{
    uint8_t option[XNM_EDE_OPTION_MAX];
    size_t len = 0;

    if (!work->decision.answer)
        return;
    if (asks(call->edns, settings_of(work)->code))
        len = xnm_structured_write(settings_of(work), &work->decision, option, CODE_LEN);
    else
        len = xnm_response_ede(work->decision.answer, option);
    if (len > 0)
        edns_opt_list_append(call->options, LDNS_EDNS_EDE, len, option, call->region);
}
