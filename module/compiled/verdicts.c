/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the rules of a compiled policy say: records, modifiers and verdicts. */
#include "core/wire/wire.h"
#include "module/compiled/layout.h"

#include "module/base/rrtype.h"
#include "module/build/verdicts.h"
#include "module/zone/zonefile.h"

#include <string.h>

static const char bad_verdicts[] = "answers";

/* Octets of TEXT. NULL: they are not in it; or with those so far they are more than it has, so some
 * of them are used twice. To check them all takes no longer than the file is. */
static const uint8_t *octets_at(struct xnm_compiled_reading *reading, uint32_t at, uint32_t len)
{
    const uint8_t *text = xnm_compiled_part(reading->head, XNM_COMPILED_TEXT);
    uint64_t text_len = reading->head->sections[XNM_COMPILED_TEXT].len;

    if (len > reading->text_left || at > text_len || len > text_len - at)
        return NULL;
    reading->text_left -= len;
    return text + at;
}

/* --- records --- */

/* Whoever answers with a record relies on this check. */
static bool read_record(struct xnm_compiled_reading *reading,
                        const struct xnm_compiled_record *from, struct xnm_record *record)
{
    *record = (struct xnm_record){
        .type = from->type,
        .rdata_len = from->rdata_len,
        .ttl = from->ttl,
        .rdata = (uint8_t *)octets_at(reading, from->rdata_at, from->rdata_len)};
    return record->rdata && from->ttl <= XNM_TTL_MAX && xnm_zonefile_has_form(record);
}

static const char *read_records(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_record *from = xnm_compiled_part(reading->head, XNM_COMPILED_RECORDS);

    if (!xnm_compiled_count(reading, XNM_COMPILED_RECORDS, sizeof *from, &reading->record_count))
        return bad_verdicts;
    reading->records =
        xnm_pool_take(&reading->policy->pool, reading->record_count * sizeof *reading->records);
    if (!reading->records)
        return xnm_compiled_no_memory;
    for (uint32_t i = 0; i < reading->record_count; i++)
        if (!xnm_compiled_goes_on(reading, i) ||
            !read_record(reading, &from[i], &reading->records[i]))
            return bad_verdicts;
    return NULL;
}

/* --- modifiers --- */

/* Are these octets valid names, one after another, in lower case? Whoever decides by them relies on
 * it. */
static bool are_names(const uint8_t *octets, size_t len)
{
    while (len > 0) {
        size_t name = 0;
        while (name < len && octets[name] != 0 && octets[name] <= XN_WIRE_LABEL_MAX)
            name += octets[name] + 1u;
        if (name >= len || octets[name] != 0 || name >= XN_WIRE_NAME_MAX)
            return false;
        octets += name + 1;
        len -= name + 1;
    }
    return true;
}

static bool read_modifiers_of(struct xnm_compiled_reading *reading,
                              const struct xnm_compiled_modifiers *from,
                              struct xnm_modifiers *modifiers)
{
    const uint8_t *denied = octets_at(reading, from->denied_at, from->denied_len);

    if (!denied || from->strength > (XNM_STRENGTH_EXEMPT | XNM_STRENGTH_IMPORTANT) ||
        from->type_count > XNM_RULE_TYPES_MAX || from->denied_len > XNM_DENIED_MAX)
        return false;
    *modifiers = (struct xnm_modifiers){.exempts = from->exempts != 0,
                                        .strength = from->strength,
                                        .but_types = from->but_types != 0,
                                        .type_count = from->type_count,
                                        .denied = denied,
                                        .denied_len = from->denied_len};
    memcpy(modifiers->types, from->types, sizeof modifiers->types);
    return are_names(denied, from->denied_len);
}

static const char *read_modifiers(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_modifiers *from =
        xnm_compiled_part(reading->head, XNM_COMPILED_MODIFIERS);

    if (!xnm_compiled_count(reading, XNM_COMPILED_MODIFIERS, sizeof *from,
                            &reading->modifiers_count))
        return bad_verdicts;
    reading->modifiers = xnm_pool_take(&reading->policy->pool,
                                       reading->modifiers_count * sizeof *reading->modifiers);
    if (!reading->modifiers)
        return xnm_compiled_no_memory;
    for (uint32_t i = 0; i < reading->modifiers_count; i++)
        if (!xnm_compiled_goes_on(reading, i) ||
            !read_modifiers_of(reading, &from[i], &reading->modifiers[i]))
            return bad_verdicts;
    return NULL;
}

/* --- verdicts --- */

/* May the line's rule have a verdict with this action? A verdict of an RPZ zone may have any,
 * except log; one of nxdomain for some types alone is nodata. */
static bool check_action(const struct xnm_policy_line *line, uint8_t action,
                         const struct xnm_modifiers *modifiers)
{
    if (line->shown.trigger == XNM_TRIGGER_RPZ)
        return action != XNM_LOG;
    return action == line->shown.action ||
           (action == XNM_NODATA && line->shown.action == XNM_NXDOMAIN && modifiers &&
            modifiers->type_count > 0);
}

static const struct xnm_modifiers *modifiers_of(const struct xnm_compiled_reading *reading,
                                                const struct xnm_compiled_verdict *from)
{
    return from->modifiers == XNM_COMPILED_NONE ? NULL : &reading->modifiers[from->modifiers];
}

static bool check_verdict(const struct xnm_compiled_reading *reading,
                          const struct xnm_compiled_verdict *from)
{
    if (from->action >= XNM_ACTION_COUNT || from->line >= reading->line_count ||
        from->ttl > XNM_TTL_MAX || from->ede < XNM_EDE_OFF || from->ede > XNM_EDE_MAX)
        return false;
    if (from->records_at > reading->record_count ||
        from->record_count > reading->record_count - from->records_at ||
        from->record_count > XNM_VERDICT_RECORDS_MAX)
        return false;
    const struct xnm_policy_line *line = xnm_policy_line(reading->policy, from->line);
    bool is_list =
        line->shown.trigger == XNM_TRIGGER_NAMES || line->shown.trigger == XNM_TRIGGER_ZONES;
    if (from->modifiers != XNM_COMPILED_NONE &&
        (!is_list || from->modifiers >= reading->modifiers_count))
        return false;
    return check_action(line, from->action, modifiers_of(reading, from));
}

static bool read_verdict(const struct xnm_compiled_reading *reading,
                         const struct xnm_compiled_verdict *from,
                         struct xnm_policy_verdict *verdict)
{
    const struct xnm_policy_line *line;

    if (!check_verdict(reading, from))
        return false;
    line = xnm_policy_line(reading->policy, from->line);
    verdict->shown = (struct xnm_verdict){.rule = &line->shown,
                                          .action = from->action,
                                          .ttl = from->ttl,
                                          .ede = from->ede,
                                          .ede_text = from->ede >= 0 ? line->ede_text : NULL,
                                          .records = reading->records + from->records_at,
                                          .record_count = from->record_count,
                                          .prefix = from->prefix != 0};
    verdict->line = from->line;
    verdict->rank = line->rank;
    verdict->limited = line->type_count > 0 || line->audience > 0;
    verdict->zoned = line->shown.trigger == XNM_TRIGGER_RPZ;
    verdict->used = true;
    verdict->modifiers = modifiers_of(reading, from);
    if (line->label_rule) /* of names: tables.c reads them */
        xnm_policy_note_action(reading->policy, verdict);
    return from->action != XNM_CNAME ||
           (from->record_count > 0 && verdict->shown.records->type == XNM_TYPE_CNAME);
}

static const char *read_verdicts(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_verdict *from =
        xnm_compiled_part(reading->head, XNM_COMPILED_VERDICTS);
    struct xnm_policy *policy = reading->policy;

    if (!xnm_compiled_count(reading, XNM_COMPILED_VERDICTS, sizeof *from, &reading->verdict_count))
        return bad_verdicts;
    if (!xnm_compiled_room(&policy->verdicts,
                           reading->verdict_count * sizeof(struct xnm_policy_verdict)))
        return xnm_compiled_no_memory;
    for (uint32_t i = 0; i < reading->verdict_count; i++)
        if (!xnm_compiled_goes_on(reading, i) ||
            (from[i].action != XNM_ACTION_NONE &&
             !read_verdict(reading, &from[i], xnm_policy_verdict(policy, i))))
            return bad_verdicts;
    return NULL;
}

/* --- together --- */

const char *xnm_compiled_read_verdicts(struct xnm_compiled_reading *reading)
{
    reading->text_left = reading->head->sections[XNM_COMPILED_TEXT].len;
    const char *fault = read_records(reading);
    if (!fault)
        fault = read_modifiers(reading);
    return fault ? fault : read_verdicts(reading);
}
