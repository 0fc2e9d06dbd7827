/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and changes BIND's messages, for the plugin for named. */
#include "module/hosts/named.h"

#include <string.h>

#include <dns/message.h>
#include <dns/name.h>
#include <dns/rdata.h>
#include <dns/rdatalist.h>
#include <dns/rdataset.h>
#include <ns/client.h>
#if NS_PLUGIN_VERSION > 1
#include <dns/ede.h>
#endif

enum { ADDITIONAL_MAX = 64 }; /* RRsets of an additional section that are decided */

/* Fills in a record with its owner and the first data of the set. */
static bool read_alias(const dns_name_t *owner, dns_rdataset_t *set, struct idnp_record *record)
{
    dns_rdata_t rdata = DNS_RDATA_INIT;

    if (dns_rdataset_first(set) != ISC_R_SUCCESS)
        return false;
    dns_rdataset_current(set, &rdata);
    *record = (struct idnp_record){.owner = owner->ndata,
                                   .owner_len = owner->length,
                                   .rdata = rdata.data,
                                   .rdata_len = rdata.length,
                                   .ttl = set->ttl,
                                   .type = set->type,
                                   .rclass = set->rdclass,
                                   .section = IDNP_SECTION_ANSWER};
    return true;
}

uint32_t named_message_chain(const dns_message_t *message,
                             struct idnp_record chain[NAMED_CHAIN_MAX])
{
    uint32_t count = 0;

    for (dns_name_t *name = ISC_LIST_HEAD(message->sections[DNS_SECTION_ANSWER]); name;
         name = ISC_LIST_NEXT(name, link)) {
        for (dns_rdataset_t *set = ISC_LIST_HEAD(name->list); set; set = ISC_LIST_NEXT(set, link)) {
            if (set->type != dns_rdatatype_cname && set->type != dns_rdatatype_dname)
                continue;
            if (count == NAMED_CHAIN_MAX)
                return count + 1;
            if (read_alias(name, set, &chain[count]))
                count++;
        }
    }
    return count;
}

static void remove_set(dns_message_t *message, dns_name_t *name, dns_rdataset_t *set)
{
    ISC_LIST_UNLINK(name->list, set, link);
    dns_rdataset_disassociate(set);
    dns_message_puttemprdataset(message, &set);
}

static void remove_if_empty(dns_message_t *message, dns_name_t *name, dns_section_t section)
{
    if (!ISC_LIST_EMPTY(name->list))
        return;
    dns_message_removename(message, name, section);
    dns_message_puttempname(message, &name);
}

void named_message_clear(dns_message_t *message)
{
    static const dns_section_t sections[] = {DNS_SECTION_ANSWER, DNS_SECTION_AUTHORITY,
                                             DNS_SECTION_ADDITIONAL};

    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        dns_name_t *name;
        while ((name = ISC_LIST_HEAD(message->sections[sections[i]]))) {
            dns_rdataset_t *set;
            while ((set = ISC_LIST_HEAD(name->list)))
                remove_set(message, name, set);
            remove_if_empty(message, name, sections[i]);
        }
    }
}

dns_name_t *named_message_name(dns_message_t *message, const uint8_t *octets, uint32_t len)
{
    isc_region_t region = {.base = (unsigned char *)(uintptr_t)octets, .length = len};
    dns_name_t *name = NULL, view;

    (void)dns_message_gettempname(message, &name);
    dns_name_init(&view, NULL);
    dns_name_fromregion(&view, &region);
    dns_name_copy(&view, name);
    return name;
}

/* Adds an RRset: the first record, and all records after it of the same set. The verdict owns the
 * data. Returns the number of records added. */
static uint32_t put_set(dns_message_t *message, const struct idnp_record *records, uint32_t count)
{
    const struct idnp_record *of = &records[0];
    dns_name_t *name = named_message_name(message, of->owner, of->owner_len);
    dns_rdatalist_t *list = NULL;
    dns_rdataset_t *set = NULL;
    uint32_t taken = 0;

    (void)dns_message_gettemprdatalist(message, &list);
    (void)dns_message_gettemprdataset(message, &set);
    list->rdclass = of->rclass;
    list->type = of->type;
    list->ttl = of->ttl;
    for (; taken < count && records[taken].type == of->type &&
           records[taken].section == of->section && records[taken].owner_len == of->owner_len &&
           memcmp(records[taken].owner, of->owner, of->owner_len) == 0;
         taken++) {
        isc_region_t region = {.base = (unsigned char *)(uintptr_t)records[taken].rdata,
                               .length = records[taken].rdata_len};
        dns_rdata_t *rdata = NULL;
        (void)dns_message_gettemprdata(message, &rdata);
        dns_rdata_fromregion(rdata, of->rclass, of->type, &region);
        ISC_LIST_APPEND(list->rdata, rdata, link);
    }
    dns_rdatalist_tordataset(list, set);
    ISC_LIST_APPEND(name->list, set, link);
    dns_message_addname(message, name,
                        of->section == IDNP_SECTION_ANSWER ? DNS_SECTION_ANSWER
                                                           : DNS_SECTION_AUTHORITY);
    return taken;
}

void named_message_put(dns_message_t *message, const struct idnp_verdict *verdict)
{
    for (uint32_t i = 0; i < verdict->record_count;)
        i += put_set(message, &verdict->records[i], verdict->record_count - i);
}

void named_message_sift(ns_client_t *client, const struct named_policy *policy,
                        named_is_refused *is_refused)
{
    dns_message_t *message = client->message;
    dns_name_t *name = ISC_LIST_HEAD(message->sections[DNS_SECTION_ADDITIONAL]);
    unsigned count = 0;

    while (name) {
        dns_name_t *next = ISC_LIST_NEXT(name, link);
        dns_rdataset_t *set = ISC_LIST_HEAD(name->list);
        while (set) {
            dns_rdataset_t *next_set = ISC_LIST_NEXT(set, link);
            if (count++ >= ADDITIONAL_MAX || is_refused(policy, client, name, set))
                remove_set(message, name, set);
            set = next_set;
        }
        remove_if_empty(message, name, DNS_SECTION_ADDITIONAL);
        name = next;
    }
}

/* BIND 9.18 has no room for a text of 64 octets or more; it then sends the code alone. */
void named_message_ede(ns_client_t *client, const struct idnp_verdict *verdict)
{
    const char *text = verdict->ede >= 0 && *verdict->ede_text ? verdict->ede_text : NULL;

#if NS_PLUGIN_VERSION > 1
    dns_ede_reset(&client->edectx);
    if (verdict->ede >= 0)
        dns_ede_add(&client->edectx, (uint16_t)verdict->ede, text);
#else
    if (client->ede) {
        isc_mem_put(client->mctx, client->ede->value, client->ede->length);
        isc_mem_put(client->mctx, client->ede, sizeof *client->ede);
        client->ede = NULL;
    }
    if (verdict->ede >= 0)
        ns_client_extendederror(client, (uint16_t)verdict->ede, text);
#endif
}
