/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/list/rpzfile.h"

#include "core/wire/walk.h"
#include "module/base/budget.h"
#include "module/base/diagnostics.h"
#include "module/base/hashset.h"
#include "module/base/rrtype.h"
#include "module/name/suffix.h"
#include "module/rule/rule.h"
#include "module/zone/zonefile.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

struct rpz {
    struct xnm_list_tally *tally;
    struct xnm_wirename origin; /* len 0: unknown, because there is no SOA */
    /* The owners of records. The second word is the first record's kind << 32 | line, whose kind is
     * a hash of a CNAME's target, or 0 for other data. */
    struct xnm_hashset owners;
    size_t errors;
};

/* A record, and the trigger in its owner. */
struct entry {
    const struct xnm_zonefile_entry *record;
    struct xnm_wirename trigger; /* without `*.` */
    bool wildcard;
};

/* --- reports --- */

/* Returns the place of a record, or of the file if that is NULL. */
static struct xnm_place place_of(const struct rpz *rpz, const struct xnm_zonefile_entry *record)
{
    return (struct xnm_place){rpz->tally->file, record ? record->line : 0,
                              record ? record->column : 0};
}

/* Reports an error, because of which the zone is refused. xnm_zonefile_read limits the number of
 * its own errors. */
static void refuse(struct rpz *rpz, const struct xnm_zonefile_entry *record, const char *message)
{
    const struct xnm_place place = place_of(rpz, record);

    if (rpz->errors++ < XNM_LIST_TALLY_REPORTED_MAX)
        xnm_diagnostics_add(rpz->tally->options->diagnostics, XNM_ERROR, &place, "%s", message);
}

static void note(struct rpz *rpz, xnm_list_reason kind, const struct xnm_zonefile_entry *record)
{
    const struct xnm_place place = place_of(rpz, record);

    xnm_list_tally_skip(rpz->tally, kind, &place);
}

/* --- names --- */

/* A name in wire format that RPZ gives a meaning to. */
struct known {
    const char *name; /* NULL: any other name; the last row */
    unsigned meaning;
};

static unsigned meaning_of(const struct known *row, const uint8_t *name)
{
    while (row->name && strcmp(row->name, (const char *)name) != 0) /* the root label ends both */
        row++;
    return row->meaning;
}

static const uint8_t *last_label(const uint8_t *name)
{
    while (*name != 0 && name[*name + 1] != 0)
        name += *name + 1;
    return name;
}

bool xnm_rpzfile_is_reserved(const uint8_t *name)
{
    const uint8_t *label = last_label(name);

    return *label >= 4 && memcmp(label + 1, "rpz-", 4) == 0;
}

static bool has_wildcard(const struct xnm_wirename *name)
{
    return name->octets[0] == 1 && name->octets[1] == '*';
}

static void drop_wildcard(struct xnm_wirename *name)
{
    name->len = (uint8_t)(name->len - 2);
    memmove(name->octets, name->octets + 2, name->len);
}

/* --- actions --- */

static const struct known targets[] = {
    {"", XNM_NXDOMAIN},
    {"\001*", XNM_NODATA},
    {"\014rpz-passthru", XNM_PASSTHRU},
    {"\010rpz-drop", XNM_DROP},
    {"\014rpz-tcp-only", XNM_TCP_ONLY},
    {NULL, XNM_ACTION_NONE},
};

/* Returns whether a CNAME leads to the trigger itself, as old zones write PASSTHRU. */
static bool is_own_target(const struct entry *entry, const struct xnm_wirename *target)
{
    struct xnm_wirename rest = *target;

    if (entry->wildcard != has_wildcard(target))
        return false;
    if (entry->wildcard)
        drop_wildcard(&rest);
    return rest.len == entry->trigger.len &&
           memcmp(rest.octets, entry->trigger.octets, rest.len) == 0;
}

/* Returns XNM_CNAME for a name to answer with; XNM_ACTION_NONE for an unknown target under rpz-. */
static xnm_action action_of(const struct entry *entry, const struct xnm_wirename *target)
{
    xnm_action action = (xnm_action)meaning_of(targets, target->octets);

    if (action != XNM_ACTION_NONE || xnm_rpzfile_is_reserved(target->octets))
        return action;
    return is_own_target(entry, target) ? XNM_PASSTHRU : XNM_CNAME;
}

/* Passes on an owner without a supported action: the name exists in the zone. */
static void take_inactive(struct rpz *rpz, const struct entry *entry)
{
    const struct xnm_list_entry taken = {.name = entry->trigger.octets,
                                         .name_len = entry->trigger.len,
                                         .scope = XNM_SCOPE_NONE,
                                         .action = XNM_PASSTHRU,
                                         .ttl = entry->record->ttl};

    if (entry->trigger.len > 1) /* the root always exists */
        xnm_list_tally_take(rpz->tally, &taken);
}

/* Returns whether a refused name is a single label that the list of public suffixes does not
 * have. */
static bool is_single(const struct xnm_wirename *name)
{
    return name->len > 1 && !xnm_suffix_is_listed(name->octets, name->len);
}

static void take(struct rpz *rpz, const struct entry *entry, struct xnm_list_entry *taken)
{
    const struct xnm_place place = place_of(rpz, entry->record);
    char name[XN_WIRE_TEXT_MAX + 1];

    taken->name = entry->trigger.octets;
    taken->name_len = entry->trigger.len;
    taken->scope = entry->wildcard ? XNM_SCOPE_BELOW : XNM_SCOPE_EXACT;
    taken->ttl = entry->record->ttl;
    if (xnm_list_tally_take(rpz->tally, taken))
        return;
    if (last_label(taken->name) !=
        taken->name) /* above a single label there is only `*`, which is refused */
        take_inactive(rpz, entry);
    if (!xnm_list_tally_count(&rpz->tally->counts.suffixes))
        return;
    name[taken->name_len > 1 ? xn_wire_to_text(taken->name, name) : 0] = '\0'; /* `*.` alone */
    xnm_diagnostics_add(rpz->tally->options->diagnostics, XNM_ERROR, &place,
                        "%s%s is %s: write suffixes=yes on the rule if the zone may have these",
                        entry->wildcard ? "*." : "", name,
                        is_single(&entry->trigger)
                            ? "a single label, like a top-level domain"
                            : "a public suffix, below which a registry sells names");
}

static void take_cname(struct rpz *rpz, const struct entry *entry)
{
    struct xnm_record record = {.type = XNM_TYPE_CNAME, .ttl = entry->record->ttl};
    struct xnm_list_entry taken = {0};
    struct xnm_wirename target = {.len = (uint8_t)entry->record->rdata_len}; /* one whole name */

    memcpy(target.octets, entry->record->rdata, target.len);
    taken.action = action_of(entry, &target);
    if (taken.action == XNM_ACTION_NONE) {
        note(rpz, XNM_LIST_SKIP_TARGET, entry->record);
        take_inactive(rpz, entry);
        return;
    }
    if (taken.action == XNM_CNAME) {
        if (xnm_wirename_before(target.octets, target.len, rpz->origin.octets, rpz->origin.len) !=
            SIZE_MAX)
            note(rpz, XNM_LIST_TARGET_IN_ZONE, entry->record);
        taken.prefix = has_wildcard(&target);
        if (taken.prefix)
            drop_wildcard(&target);
        record.rdata = target.octets;
        record.rdata_len = target.len;
        taken.record = &record;
    }
    take(rpz, entry, &taken);
}

static void take_data(struct rpz *rpz, const struct entry *entry)
{
    const struct xnm_record record = {.type = entry->record->type,
                                      .rdata_len = (uint16_t)entry->record->rdata_len,
                                      .ttl = entry->record->ttl,
                                      .rdata = (uint8_t *)entry->record->rdata}; /* only read */
    struct xnm_list_entry taken = {.action = XNM_ANSWER, .record = &record};

    take(rpz, entry, &taken);
}

/* --- records --- */

/* Returns whether records of a type are beside other data, or at hashes, which are not names
 * (NSEC3). */
static bool is_beside_data(uint16_t type)
{
    return type == XNM_TYPE_RRSIG || type == XNM_TYPE_NSEC || type == XNM_TYPE_NSEC3;
}

bool xnm_rpzfile_is_data(uint16_t type)
{
    return type != XNM_TYPE_SOA && type != XNM_TYPE_NS && type != XNM_TYPE_DNAME &&
           !xnm_zonefile_is_dnssec(type);
}

/* Counts a trigger that is not a name. All of these are under rpz-, where no client queries names,
 * so wildcards need not be kept from them. */
static void note_trigger(struct rpz *rpz, const struct entry *entry)
{
    static const struct known triggers[] = {
        {"\015rpz-client-ip", XNM_UNMET_CLIENT_IP},
        {"\006rpz-ip", XNM_UNMET_IP},
        {"\013rpz-nsdname", XNM_UNMET_NSDNAME},
        {"\010rpz-nsip", XNM_UNMET_NSIP},
        {NULL, XNM_UNMET_COUNT},
    };
    unsigned kind = meaning_of(triggers, last_label(entry->trigger.octets));

    if (kind < XNM_UNMET_COUNT && rpz->tally->rule->skip >> kind & 1)
        rpz->tally->counts.skipped++;
    else
        note(rpz, XNM_LIST_SKIP_UNMET + kind, entry->record);
}

/* Returns whether an owner with a CNAME has nothing else (RFC 1034, section 3.6.2), wherever that
 * is in the file: 32 MiB for a million owners. If not, or when out of memory, refuses the zone. */
static bool is_alone(struct rpz *rpz, const struct xnm_zonefile_entry *record)
{
    struct xnm_hashset *owners = &rpz->owners;
    uint64_t kind = 0;
    char message[128];
    bool fresh;

    if (!xnm_hashset_reserve(owners, 2)) {
        refuse(rpz, record, xnm_budget_trouble());
        rpz->tally->stopped = true;
        return false;
    }
    if (record->type == XNM_TYPE_CNAME)
        kind = (uint32_t)XXH3_64bits(record->rdata, record->rdata_len) | 1;
    uint64_t hash = XXH3_64bits_withSeed(record->owner, record->owner_len, owners->seed);
    uint64_t *first = xnm_hashset_add(owners, hash, &fresh) + 1;
    if (fresh)
        *first = kind << 32 | record->line;
    if (*first >> 32 == kind)
        return true;
    snprintf(message, sizeof message,
             "this name has another record at line %u: expected a CNAME to be alone at its name",
             (unsigned)*first);
    refuse(rpz, record, message);
    return false;
}

/* Reads SERIAL and EXPIRE. RFC 1035, section 3.3.13: after two names, SERIAL, REFRESH, RETRY,
 * EXPIRE and MINIMUM end the RDATA. */
static void read_soa(struct rpz *rpz, const struct xnm_zonefile_entry *record)
{
    enum { NUMBERS = 5 };
    uint32_t numbers[NUMBERS];

    memcpy(numbers, record->rdata + record->rdata_len - sizeof numbers, sizeof numbers);
    rpz->tally->counts.soa = (struct xnm_list_soa){true, ntohl(numbers[0]), ntohl(numbers[3])};
}

static void read_at_origin(struct rpz *rpz, const struct xnm_zonefile_entry *record)
{
    if (record->type == XNM_TYPE_SOA && rpz->tally->counts.soa.found)
        refuse(rpz, record, "a second SOA record: expected one");
    else if (record->type == XNM_TYPE_SOA)
        read_soa(rpz, record);
    else if (record->type != XNM_TYPE_NS && !xnm_zonefile_is_dnssec(record->type))
        note(rpz, XNM_LIST_SKIP_AT_ORIGIN, record);
}

static void read_below_origin(struct rpz *rpz, const struct xnm_zonefile_entry *record,
                              size_t trigger_len)
{
    struct entry entry = {.record = record};

    if (record->type == XNM_TYPE_SOA)
        refuse(rpz, record,
               "this SOA record is below the zone's origin: expected it at the origin");
    if (record->type == XNM_TYPE_SOA || is_beside_data(record->type))
        return;
    memcpy(entry.trigger.octets, record->owner, trigger_len);
    entry.trigger.octets[trigger_len] = 0;
    entry.trigger.len = (uint8_t)(trigger_len + 1);
    entry.wildcard = has_wildcard(&entry.trigger);
    if (entry.wildcard)
        drop_wildcard(&entry.trigger);
    if (record->type == XNM_TYPE_NS || record->type == XNM_TYPE_DNAME)
        note(rpz, XNM_LIST_SKIP_DELEGATION, record);
    else if (xnm_rpzfile_is_reserved(entry.trigger.octets) && !xnm_zonefile_is_dnssec(record->type))
        note_trigger(rpz, &entry);
    if (xnm_rpzfile_is_reserved(entry.trigger.octets))
        return;
    if (!xnm_rpzfile_is_data(record->type))
        take_inactive(rpz, &entry);
    else if (!is_alone(rpz, record))
        return;
    else if (record->type == XNM_TYPE_CNAME)
        take_cname(rpz, &entry);
    else
        take_data(rpz, &entry);
}

static bool read_record(void *arg, const struct xnm_zonefile_entry *record)
{
    struct rpz *rpz = arg;

    xnm_list_tally_watch(rpz->tally, record->left);
    if (rpz->origin.len == 0)
        return true;
    size_t before =
        xnm_wirename_before(record->owner, record->owner_len, rpz->origin.octets, rpz->origin.len);
    if (before == 0) {
        read_at_origin(rpz, record);
    } else if (before != SIZE_MAX) {
        read_below_origin(rpz, record, before);
    } else if (record->type == XNM_TYPE_SOA) {
        refuse(rpz, record, "this SOA record is not the zone's: expected it at the zone's origin");
    } else {
        refuse(rpz, record, "this name is outside the zone: expected a name below its origin");
    }
    return !rpz->tally->stopped;
}

bool xnm_rpzfile_read(struct xnm_list_tally *tally, const char *text, size_t len)
{
    static const struct xnm_wirename unknown = {0};
    const struct xnm_wirename *origin = tally->rule->origin ? tally->rule->origin : &unknown;
    struct rpz rpz = {.tally = tally, .origin = *origin};
    const struct xnm_zonefile_options options = {.unicode = tally->options->unicode,
                                                 .diagnostics = tally->options->diagnostics,
                                                 .stop = tally->options->stop,
                                                 .entry = read_record,
                                                 .arg = &rpz};

    if (origin->len == 0 && !xnm_zonefile_origin(&options, text, len, &rpz.origin))
        rpz.origin.len = 0;
    bool good = xnm_zonefile_read(&options, tally->file, text, len, origin);
    xnm_arena_free(&rpz.owners.memory);
    if (good && rpz.errors == 0 && !tally->counts.soa.found && !xnm_list_tally_is_stopped(tally))
        refuse(&rpz, NULL, "no SOA record: expected a zone file, which begins with one");
    if (rpz.errors > XNM_LIST_TALLY_REPORTED_MAX) {
        const struct xnm_place place = place_of(&rpz, NULL);
        xnm_diagnostics_add(tally->options->diagnostics, XNM_ERROR, &place,
                            "%zu errors, so the zone is refused: the first %d are listed above",
                            rpz.errors, XNM_LIST_TALLY_REPORTED_MAX);
    }
    return good && rpz.errors == 0 && !xnm_list_tally_is_stopped(tally);
}
