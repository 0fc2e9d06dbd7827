/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/waiting.h"

#include "module/unbound/answer.h"

#include <services/listen_dnsport.h>
#include <services/mesh.h>
#include <util/alloc.h>
#include <util/data/msgreply.h>
#include <util/module.h>
#include <util/net_help.h>
#include <util/netevent.h>

static bool does_unbound_wait(const struct mesh_state *state)
{
    return state->super_set.count > 0 || state->cb_list;
}

bool xnm_waiting_is_shared(const struct module_qstate *qstate)
{
    const struct mesh_state *state = qstate->mesh_info;

    return state->reply_list && (state->reply_list->next || does_unbound_wait(state));
}

/* The trees of other queries that hold this one are ordered by `unique`, too, so it may change only
 * while there are none. */
void xnm_waiting_close(struct module_qstate *qstate)
{
    struct mesh_state *state = qstate->mesh_info;
    struct mesh_area *mesh = qstate->env->mesh;

    if (state->unique || xnm_waiting_is_shared(qstate) || state->sub_set.count > 0)
        return;
    (void)rbtree_delete(&mesh->all, state);
    mesh_state_make_unique(state);
    (void)rbtree_insert(&mesh->all, &state->node);
}

/* --- a query for one client, as mesh_new_client makes it --- */

#if XNM_UNBOUND_VERSION >= 12600
static bool add_reply(struct mesh_state *state, struct mesh_reply *client,
                      const struct query_info *info)
{
    struct mesh_reply *added;

    return mesh_state_add_reply(state, &client->edns, &client->query_reply, client->qid,
                                client->qflags, info, &added);
}
#else
static bool add_reply(struct mesh_state *state, struct mesh_reply *client,
                      const struct query_info *info)
{
    return mesh_state_add_reply(state, &client->edns, &client->query_reply, client->qid,
                                client->qflags, info);
}
#endif

/* Copies the client, and what the query knows of it. */
static bool fill(struct mesh_state *state, const struct mesh_state *from, struct mesh_reply *client,
                 const struct query_info *info, int id)
{
    struct xnm_query *query = xnm_work_query(&state->s, id);

    state->s.rpz_passthru = from->s.rpz_passthru;
    if (client->edns.opt_list_in) {
        state->s.edns_opts_front_in =
            edns_opt_copy_region(client->edns.opt_list_in, state->s.region);
        if (!state->s.edns_opts_front_in)
            return false;
    }
    if (!query || !add_reply(state, client, info))
        return false;
    state->reply_list->start_time = client->start_time;
    state->reply_list->h2_stream = client->h2_stream; /* the connection may have many */
    query->is_new = true;                             /* the mesh begins it like a sub-query */
    return true;
}

/* It is in no tree, list or count of the mesh yet. NULL: no memory. */
static struct mesh_state *make_query(const struct mesh_state *from, struct mesh_reply *client,
                                     int id)
{
    struct query_info info = from->s.qinfo;

    info.qname = client->qname;
    info.local_alias = client->local_alias;
    struct mesh_state *state =
        mesh_state_create(from->s.env, &info, from->s.client_info, from->s.query_flags,
                          from->s.is_priming, from->s.is_valrec);
    if (!state)
        return NULL;
    if (!fill(state, from, client, &info, id)) {
        alloc_reg_release(from->s.env->alloc, state->s.region);
        return NULL;
    }
    mesh_state_make_unique(state);
    return state;
}

static void enter(struct mesh_area *mesh, struct mesh_state *state)
{
    (void)rbtree_insert(&mesh->all, &state->node);
    (void)rbtree_insert(&mesh->run, &state->run_node);
    mesh->num_reply_states++;
    if (mesh->num_forever_states < mesh->max_forever_states) {
        mesh->num_forever_states++;
        mesh_list_insert(state, &mesh->forever_first, &mesh->forever_last);
        state->list_select = mesh_forever_list;
    } else {
        mesh_list_insert(state, &mesh->jostle_first, &mesh->jostle_last);
        state->list_select = mesh_jostle_list;
    }
}

/* --- the connection --- */

/* A stream keeps one item for each of its questions, by which it forgets them when it closes. */
static void move_question(struct tcp_req_info *stream, const struct mesh_state *from,
                          struct mesh_state *to)
{
    struct tcp_req_open_item *item = stream->open_req_list;

    while (item && item->mesh_state != from)
        item = item->next;
    if (item)
        item->mesh_state = to;
}

static void move_connection(struct mesh_reply *client, const struct mesh_state *from,
                            struct mesh_state *to)
{
    struct comm_point *point = client->query_reply.c;

    if (point->tcp_req_info)
        move_question(point->tcp_req_info, from, to);
    if (point->use_h2)
        client->h2_stream->mesh_state = to;
#if XNM_UNBOUND_VERSION >= 12600 && defined(HAVE_NGTCP2)
    else if (client->query_reply.doq_stream)
        doq_stream_add_meshstate(client->query_reply.doq_stream, to->s.env->mesh, to);
#endif
}

/* --- parting --- */

/* Counts like mesh_state_remove_reply. The mesh still has the client. */
static void note_left(struct mesh_area *mesh, const struct mesh_state *state)
{
    if (state->reply_list || state->cb_list)
        return;
    mesh->num_reply_states--;
    if (state->super_set.count == 0)
        mesh->num_detached_states++;
}

bool xnm_waiting_part(struct module_qstate *qstate, int id)
{
    struct mesh_state *state = qstate->mesh_info, *own;
    struct mesh_area *mesh = qstate->env->mesh;
    struct mesh_reply **rest = &state->reply_list;

    if (!does_unbound_wait(state))
        rest = &(*rest)->next;
    while (*rest) {
        if (mesh->num_reply_states >= mesh->max_reply_states ||
            !(own = make_query(state, *rest, id)))
            return false;
        move_connection(*rest, state, own);
        enter(mesh, own);
        *rest = (*rest)->next;
        note_left(mesh, state);
    }
    return true;
}
