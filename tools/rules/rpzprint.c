/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/rules/rpzprint.h"
#include "module/zone/zonewrite.h"

#include "core/names/display.h"
#include "module/rule/rule.h"
#include "module/zone/zonefile.h"

#include <stdio.h>
#include <string.h>

enum {
    REFRESH = 3600, /* seconds, for a primary that sends no NOTIFY */
    RETRY = 600,
    EXPIRE = 1209600, /* two weeks without a primary: a blocklist should survive that */
    FLUSH_AT = 65536
};

static uint32_t capped(uint32_t ttl)
{
    return ttl < XNM_TTL_MAX ? ttl : XNM_TTL_MAX;
}

static void flush(struct rpzprint *print)
{
    fwrite(print->out.data, 1, print->out.len, stdout);
    print->out.len = 0;
}

static void add_name(struct rpzprint *print, struct buffer *out, const uint8_t *name, size_t len)
{
    size_t written = xnm_zonewrite_name(name, len, buffer_reserve(out, XN_WIRE_TEXT_MAX + 1));

    print->failed |= written == 0;
    out->len += written;
}

void rpzprint_comment(struct rpzprint *print, const char *text)
{
    buffer_text(&print->out, "; ");
    buffer_visible(&print->out, text, strlen(text));
    buffer_text(&print->out, "\n");
}

void rpzprint_head(struct rpzprint *print, const struct xnm_policy_settings *settings,
                   const struct xnm_wirename *origin, uint32_t serial)
{
    struct buffer *out = &print->out;
    unsigned ttl = capped(settings->ttl);

    buffer_text(out, "$ORIGIN ");
    add_name(print, out, origin->octets, origin->len);
    buffer_format(out, "\n$TTL %u\n@ %u IN SOA ", ttl, ttl);
    add_name(print, out, settings->soa_mname.octets, settings->soa_mname.len);
    buffer_text(out, " ");
    add_name(print, out, settings->soa_rname.octets, settings->soa_rname.len);
    buffer_format(out, " %u %d %d %d %u\n@ %u IN NS localhost.\n", serial, REFRESH, RETRY, EXPIRE,
                  ttl, ttl);
}

/* --- records of an owner --- */

static void add_action(struct rpzprint *print, const struct xnm_policy_answer *answer,
                       const char *target)
{
    buffer_format(&print->records, "%u IN CNAME %s\n", capped(answer->ttl), target);
}

static void add_alias(struct rpzprint *print, const struct xnm_policy_answer *answer)
{
    const struct xnm_record *alias = answer->records;

    buffer_format(&print->records, "%u IN CNAME %s", capped(alias->ttl),
                  answer->prefix ? "*." : "");
    add_name(print, &print->records, alias->rdata, alias->rdata_len);
    buffer_text(&print->records, "\n");
}

/* All records of a type must have one TTL (RFC 2181, section 5.2): the lowest of theirs. */
static uint32_t common_ttl(const struct xnm_policy_answer *answer, uint16_t type)
{
    uint32_t ttl = XNM_TTL_MAX;

    for (size_t i = 0; i < answer->record_count; i++)
        if (answer->records[i].type == type && answer->records[i].ttl < ttl)
            ttl = answer->records[i].ttl;
    return ttl;
}

static void leave_out(struct rpzprint *print, const struct xnm_policy_answer *answer)
{
    print->left_out++;
    print->lacks |= !xnm_trigger_has_path(answer->rule->trigger);
}

static void add_data(struct rpzprint *print, const struct xnm_policy_answer *answer)
{
    struct buffer *out = &print->records;
    uint32_t ttl = 0;
    unsigned added = 0;

    for (size_t i = 0; i < answer->record_count; i++) {
        const struct xnm_record *record = &answer->records[i];
        if (i == 0 || record->type != answer->records[i - 1].type)
            ttl = common_ttl(answer, record->type);
        if (added == RPZEXPORT_RECORDS_MAX || rpzexport_record_fault(record)) {
            leave_out(print, answer);
            continue;
        }
        added++;
        buffer_format(out, "%u IN ", ttl);
        out->len += xnm_zonewrite_record(print->unicode, record,
                                         buffer_reserve(out, 64 + 2 * (size_t)record->rdata_len));
        buffer_text(out, "\n");
    }
    if (out->len == 0) /* without a record the answer is still NODATA */
        add_action(print, answer, "*.");
}

/* tools/rules/rpzexport.c leaves out the actions that RPZ does not have. */
static void add_answer(struct rpzprint *print, const struct xnm_policy_answer *answer)
{
    static const char *const targets[XNM_ACTION_COUNT] = {[XNM_PASSTHRU] = "rpz-passthru.",
                                                          [XNM_NXDOMAIN] = ".",
                                                          [XNM_NODATA] = "*.",
                                                          [XNM_DROP] = "rpz-drop.",
                                                          [XNM_TCP_ONLY] = "rpz-tcp-only."};

    if (targets[answer->action])
        add_action(print, answer, targets[answer->action]);
    else if (answer->action == XNM_CNAME)
        add_alias(print, answer);
    else if (answer->action == XNM_REDIRECT || answer->action == XNM_ANSWER)
        add_data(print, answer);
}

static bool is_own_alias(const struct rpzowner *owner)
{
    const struct xnm_policy_answer *answer = owner->answer;

    return answer->action == XNM_CNAME && !answer->prefix && !owner->wildcard &&
           answer->records->rdata_len == owner->name_len &&
           memcmp(answer->records->rdata, owner->name, owner->name_len) == 0;
}

/* --- owners --- */

static void add_unicode(struct rpzprint *print, const struct rpzowner *owner)
{
    struct buffer *out = &print->out;
    struct xn_name name;

    if (xn_name_read(print->unicode, owner->name, owner->name_len, 0, &name) != XN_OK ||
        !xn_display_differs(&name))
        return;
    buffer_text(out, owner->wildcard ? "; *." : "; ");
    out->len += xn_display_name(&name, buffer_reserve(out, XN_DISPLAY_NAME_MAX));
    buffer_text(out, "\n");
}

/* Writes the owner before each of its records. */
static void add_owner(struct rpzprint *print, const struct rpzowner *owner)
{
    struct buffer *out = &print->out;

    if (owner->wildcard)
        buffer_text(out, owner->name_len > 1 ? "*." : "*");
    buffer_add(out, print->relative.data, print->relative.len);
    buffer_text(out, " ");
}

static void begin_name(struct rpzprint *print, const struct rpzowner *owner)
{
    if (xn_wire_has_ace(owner->name, owner->name_len))
        add_unicode(print, owner);
    print->name = owner->name;
    print->relative.len = 0;
    add_name(print, &print->relative, owner->name, owner->name_len);
    if (print->relative.len > 0)
        print->relative.len--;
}

void rpzprint_owner(struct rpzprint *print, const struct rpzowner *owner)
{
    struct xnm_policy_answer answer = *owner->answer;

    if (is_own_alias(owner))
        answer.action = XNM_PASSTHRU;
    if (owner->name != print->name)
        begin_name(print, owner);
    if (print->answer.rule != answer.rule || !rpzexport_is_same(&print->answer, &answer)) {
        print->answer = answer;
        print->records.len = 0;
        add_answer(print, &answer);
    }
    const char *at = print->records.data, *end = at + print->records.len;
    while (at < end) {
        size_t line = (size_t)((const char *)memchr(at, '\n', (size_t)(end - at)) + 1 - at);
        add_owner(print, owner);
        buffer_add(&print->out, at, line);
        at += line;
    }
    if (print->out.len >= FLUSH_AT)
        flush(print);
}

void rpzprint_finish(struct rpzprint *print)
{
    flush(print);
    buffer_free(&print->out);
    buffer_free(&print->relative);
    buffer_free(&print->records);
}
