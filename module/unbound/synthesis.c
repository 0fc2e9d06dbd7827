/* SPDX-License-Identifier: BSD-3-Clause */
#include <config.h>

#include "module/unbound/synthesis.h"

#include "module/answer/dns64.h"
#include "module/base/order.h"
#include "module/policy/policy.h"

#include <string.h>

#include <sldns/rrdef.h>
#include <util/config_file.h>
#include <util/data/msgreply.h>
#include <util/data/packed_rrset.h>
#include <util/module.h>
#include <util/net_help.h>

/* The settings of dns64, which hold for the life of the module's instance. */
static struct xnm_dns64 dns64;

static bool has_dns64(const char *order)
{
    size_t len;

    for (const char *word; (word = xnm_order_word(&order, &len));) {
        if (len == strlen("dns64") && memcmp(word, "dns64", len) == 0)
            return true;
    }
    return false;
}

/* Unbound exits for anything that dns64 does not accept. */
void xnm_synthesis_open(const struct module_env *env)
{
    const char *prefix = env->cfg->dns64_prefix ? env->cfg->dns64_prefix : "64:ff9b::/96";
    struct sockaddr_storage address;
    socklen_t address_len;
    int bits;

    dns64.bits = 0;
    if (!has_dns64(env->cfg->module_conf) ||
        !netblockstrtoaddr(prefix, 0, &address, &address_len, &bits) ||
        address.ss_family != AF_INET6)
        return;
    dns64.bits = (unsigned)bits;
    memcpy(dns64.prefix, &((const struct sockaddr_in6 *)(const void *)&address)->sin6_addr,
           sizeof dns64.prefix);
}

bool xnm_synthesis_answers(uint16_t qtype)
{
    return dns64.bits > 0 && (qtype == LDNS_RR_TYPE_AAAA || qtype == LDNS_RR_TYPE_PTR);
}

static bool has_made_address(const struct packed_rrset_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        if (data->rr_len[i] == 2 + XNM_IPV6_LEN && xnm_dns64_has(&dns64, data->rr_data[i] + 2))
            return true;
    }
    return false;
}

static bool is_made(const struct reply_info *rep)
{
    for (size_t i = 0; rep && i < rep->an_numrrsets; i++) {
        if (ntohs(rep->rrsets[i]->rk.type) == LDNS_RR_TYPE_AAAA &&
            has_made_address(rep->rrsets[i]->entry.data))
            return true;
    }
    return false;
}

struct xnm_question xnm_synthesis_question(const struct query_info *info,
                                           const struct reply_info *rep,
                                           struct xnm_wirename *looked_up)
{
    struct xnm_question question = {.qname = info->qname,
                                    .qname_len = info->qname_len,
                                    .qtype = info->qtype,
                                    .qclass = info->qclass};

    if (!xnm_synthesis_answers(info->qtype))
        return question;
    if (info->qtype == LDNS_RR_TYPE_AAAA)
        question.from_a = is_made(rep);
    else if (xnm_dns64_pointer(&dns64, info->qname, info->qname_len, looked_up))
        question.looked_up = looked_up;
    return question;
}
