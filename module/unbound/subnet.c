/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/subnet.h"

#include <edns-subnet/subnetmod.h>
#include <services/mesh.h>
#include <services/modstack.h>

#ifdef CLIENT_SUBNET
/* Returns NULL if subnetcache has no part in the query. */
static struct subnet_qstate *subnet_of(const struct module_qstate *qstate)
{
    int id = modstack_find(&qstate->env->mesh->mods, "subnetcache");

    return id >= 0 ? qstate->minfo[id] : NULL;
}

bool xnm_subnet_tells(const struct module_qstate *qstate)
{
    const struct subnet_qstate *subnet = subnet_of(qstate);

    return subnet && subnet->subnet_sent;
}

#if XNM_UNBOUND_VERSION >= 12200
static void forget(struct subnet_qstate *subnet)
{
    subnet->subnet_sent = subnet->subnet_sent_no_subnet = 0;
}
#else
static void forget(struct subnet_qstate *subnet)
{
    subnet->subnet_sent = 0;
}
#endif

void xnm_subnet_forget(struct module_qstate *qstate)
{
    struct subnet_qstate *subnet = subnet_of(qstate);

    if (subnet)
        forget(subnet);
}
#else
bool xnm_subnet_tells(const struct module_qstate *qstate)
{
    (void)qstate;
    return false;
}

void xnm_subnet_forget(struct module_qstate *qstate)
{
    (void)qstate;
}
#endif
