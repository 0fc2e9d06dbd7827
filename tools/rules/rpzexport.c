/* SPDX-License-Identifier: BSD-3-Clause */
#include "tools/rules/rpzexport.h"

#include "core/wire/walk.h"
#include "module/base/rrtype.h"
#include "module/list/rpzfile.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"
#include "tools/rules/policynames.h"

#include <string.h>

enum { WILDCARD_LEN = 2 };

/* --- names --- */

static bool is_asterisk(const uint8_t *label)
{
    return label[0] == 1 && label[1] == '*';
}

static bool has_asterisk(const uint8_t *name)
{
    while (*name != 0 && !is_asterisk(name))
        name += *name + 1;
    return *name != 0;
}

/* Returns why the zone cannot have this owner; NULL: it can. */
static const char *owner_fault(const uint8_t *name, size_t len, bool wildcard, size_t origin_len)
{
    if (xnm_rpzfile_is_reserved(name))
        return "names under rpz- are triggers of another kind in RPZ";
    if (has_asterisk(name))
        return "a label * inside a name has another meaning in a zone";
    if (len - 1 + origin_len + (wildcard ? WILDCARD_LEN : 0) > XN_WIRE_NAME_MAX)
        return "the name is too long with the zone's origin";
    return NULL;
}

/* --- records --- */

/* Returns whether octets are a tag that NSD accepts: lower-case letters and digits. */
static bool is_tag(const uint8_t *octets, size_t len)
{
    size_t at = 0;

    while (at < len &&
           ((octets[at] >= 'a' && octets[at] <= 'z') || (octets[at] >= '0' && octets[at] <= '9')))
        at++;
    return len > 0 && at == len;
}

/* Returns whether the third text of a NAPTR record, a regular expression that BIND compiles, is not
 * empty. The policy has checked where the texts end. */
static bool has_expression(const uint8_t *rdata)
{
    const uint8_t *flags = rdata + 4, *services = flags + *flags + 1;

    return services[*services + 1] != 0;
}

/* Returns whether the length is that of a SHA-1 or SHA-256 fingerprint (RFC 4255, section 3.1.2,
 * and RFC 6594). */
static bool is_fingerprint(const uint8_t *rdata, size_t len)
{
    return (rdata[1] == 1 && len == 2 + 20) || (rdata[1] == 2 && len == 2 + 32);
}

/* Returns whether octets are at least one text, each with a length octet that is not 0. */
static bool is_texts(const uint8_t *octets, size_t len)
{
    size_t at = 0;

    while (at < len && octets[at] != 0)
        at += octets[at] + 1u;
    return len > 0 && at == len;
}

/* Returns whether service parameters (RFC 9460) only have to be well-formed, which the policy has
 * checked for all but alpn. BIND also checks the keys in `mandatory` and the text of a path. */
static bool has_plain_parameters(const uint8_t *rdata, size_t len)
{
    enum { ALPN = 1, NO_DEFAULT_ALPN = 2, IPV6HINT = 6 };
    size_t at = 2;
    bool has_alpn = false;

    while (rdata[at] != 0)
        at += rdata[at] + 1u;
    for (size_t value_len; ++at < len; at += value_len) {
        unsigned key = (unsigned)(rdata[at] << 8 | rdata[at + 1]);
        value_len = (size_t)(rdata[at + 2] << 8 | rdata[at + 3]);
        has_alpn |= key == ALPN;
        at += 3;
        if (key < ALPN || key > IPV6HINT || (key == NO_DEFAULT_ALPN && !has_alpn) ||
            (key == ALPN && !is_texts(rdata + at + 1, value_len)))
            return false;
    }
    return true;
}

static bool is_read_alike(const struct xnm_record *record)
{
    const uint8_t *rdata = record->rdata;

    switch (record->type) {
    case XNM_TYPE_A:
    case XNM_TYPE_PTR:
    case XNM_TYPE_HINFO:
    case XNM_TYPE_MX:
    case XNM_TYPE_TXT:
    case XNM_TYPE_AAAA:
    case XNM_TYPE_SRV:
        return true;
    case XNM_TYPE_SVCB:
    case XNM_TYPE_HTTPS:
        return has_plain_parameters(rdata, record->rdata_len);
    case XNM_TYPE_NAPTR:
        return !has_expression(rdata);
    case XNM_TYPE_SSHFP:
        return is_fingerprint(rdata, record->rdata_len);
    case XNM_TYPE_TLSA:
        return record->rdata_len > 3;
    case XNM_TYPE_CAA:
        return is_tag(rdata + 2, rdata[1]);
    default:
        return record->type >= XNM_TYPE_PRIVATE_FIRST && record->type <= XNM_TYPE_PRIVATE_LAST;
    }
}

const char *rpzexport_record_fault(const struct xnm_record *record)
{
    if (!xnm_rpzfile_is_data(record->type))
        return "records of this type belong to a zone, and RPZ does not answer with them";
    if (record->rdata_len > RPZEXPORT_RDATA_MAX)
        return "this record is longer than resolvers read from zone files (4096 octets)";
    if (!is_read_alike(record))
        return "not every resolver accepts a zone with such a record";
    return NULL;
}

/* --- rules --- */

/* There is no default, so that the compiler reports a new action here. */
static const char *action_refusal(xnm_action action)
{
    switch (action) {
    case XNM_REFUSE:
        return "RPZ has no action refuse: expected nxdomain, nodata or drop";
    case XNM_LOG:
        return "RPZ has no action log, which changes no answer";
    case XNM_PASSTHRU:
    case XNM_NXDOMAIN:
    case XNM_NODATA:
    case XNM_DROP:
    case XNM_REDIRECT:
    case XNM_CNAME:
    case XNM_ANSWER:
    case XNM_TCP_ONLY:
    case XNM_ACTION_NONE: /* an rpz line */
    case XNM_ACTION_COUNT:
        break;
    }
    return NULL;
}

static const char *target_refusal(const struct xnm_record *alias)
{
    if (is_asterisk(alias->rdata))
        return "RPZ reads a target that begins with * as another action";
    if (xnm_rpzfile_is_reserved(alias->rdata))
        return "RPZ reads targets under rpz- as actions";
    return NULL;
}

static const char *records_refusal(const struct xnm_rule *rule)
{
    const char *why = NULL;

    if (rule->action == XNM_CNAME || rule->override == XNM_CNAME)
        return rule->record_count > 0 ? target_refusal(rule->records) : NULL;
    for (size_t i = 0; i < rule->record_count && !why; i++)
        why = rpzexport_record_fault(&rule->records[i]);
    return why;
}

/* The exact owner of the root would be the origin; everything below the root is `*`. */
static const char *name_refusal(const struct xnm_rule *rule, size_t origin_len)
{
    if (rule->name.len == 1 && rule->scope == XNM_SCOPE_EXACT)
        return "the root has no owner in an RPZ zone";
    return owner_fault(rule->name.octets, rule->name.len, rule->scope != XNM_SCOPE_EXACT,
                       origin_len);
}

const char *rpzexport_refusal(const struct xnm_rule *rule, size_t origin_len)
{
    const char *why = rule->log_only ? "RPZ has no mode for one rule: mode=log-only"
                                     : action_refusal(rule->action);

    if (xnm_trigger_is_lookalike(rule->trigger))
        return "RPZ has no look-alikes";
    if (xnm_trigger_is_condition(rule->trigger))
        return "RPZ has no conditions on labels";
    if (!why && rule->type_count > 0)
        why = "RPZ rules are for every query type: expected no type=";
    if (!why && rule->override != XNM_ACTION_NONE)
        why = action_refusal(rule->override);
    if (!why)
        why = records_refusal(rule);
    if (!why && !xnm_trigger_has_path(rule->trigger))
        why = name_refusal(rule, origin_len);
    return why;
}

/* --- answers --- */

static bool is_same_record(const struct xnm_record *a, const struct xnm_record *b)
{
    return a->type == b->type && a->ttl == b->ttl && a->rdata_len == b->rdata_len &&
           memcmp(a->rdata, b->rdata, a->rdata_len) == 0;
}

bool rpzexport_is_same(const struct xnm_policy_answer *a, const struct xnm_policy_answer *b)
{
    if (a == b || !a || !b)
        return a == b;
    if (a->action != b->action || a->ttl != b->ttl || a->prefix != b->prefix ||
        a->record_count != b->record_count)
        return false;
    if (a->records == b->records)
        return true;
    for (size_t i = 0; i < a->record_count; i++)
        if (!is_same_record(&a->records[i], &b->records[i]))
            return false;
    return true;
}

/* --- walking --- */

/* A name on the path from the root to the current one; each has one label more than the one before
 * it. */
struct step {
    const uint8_t *name;
    size_t len;
    const struct xnm_policy_answer *at, *below; /* of the next members, or of struct export */
    struct xnm_policy_answer made_at, made_below;
    bool written;
};

struct export
{
    const struct rpzexport *how;
    struct xnm_policy_answer nothing; /* represents no answer where a name above decides */
    struct step steps[XN_WIRE_LABELS_MAX + 1];
    unsigned depth; /* of the last step */
};

/* Returns `made`, with the decision, or NULL. */
static const struct xnm_policy_answer *decide(const struct export *export, const uint8_t *name,
                                              size_t len, bool below,
                                              struct xnm_policy_answer *made)
{
    const struct xnm_question question = {
        .qname = name, .qname_len = len, .qtype = 0, .qclass = XNM_CLASS_IN};
    struct xnm_decision decision;

    if (below)
        xnm_policy_decide_below(export->how->policy, &question, &decision);
    else
        xnm_policy_decide(export->how->policy, &question, &decision);
    if (!decision.answer)
        return NULL;
    *made = decision.made;
    return made;
}

/* Passes on one owner, or reports that the zone cannot have it. */
static bool pass_owner(struct export *export, const struct step *step, bool wildcard)
{
    const struct rpzexport *how = export->how;
    bool is_root = step->len == 1;
    const struct xnm_policy_answer *above = is_root ? NULL : (step - 1)->below;
    const struct rpzowner owner = {step->name, step->len, wildcard,
                                   wildcard ? step->below : step->at};

    if (!owner.answer || (is_root && !wildcard))
        return true;
    if (owner.answer == &export->nothing && above)
        export->nothing.rule = above->rule;
    const char *why = owner_fault(step->name, step->len, wildcard, how->origin_len);
    if (!why)
        return how->owner(how->arg, &owner);
    if (!rpzexport_is_same(owner.answer, above))
        how->left_out(how->arg, &owner, why);
    return true;
}

static bool write_step(struct export *export, struct step *step)
{
    if (step->written)
        return true;
    step->written = true;
    return pass_owner(export, step, false) && pass_owner(export, step, true);
}

/* Adds the next name. Passes on its owners if they differ from the names above. */
static bool take(struct export *export, const uint8_t *name, size_t len)
{
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned depth = xn_wire_find_labels(name, label_at);
    struct step *step = &export->steps[depth];
    const struct step *above = depth > 0 ? step - 1 : NULL;

    *step = (struct step){.name = name, .len = len};
    step->at = decide(export, name, len, false, &step->made_at);
    step->below = decide(export, name, len, true, &step->made_below);
    if (!step->at && above && above->below)
        step->at = &export->nothing;
    if (!step->below && above && above->below)
        step->below = &export->nothing;
    export->depth = depth;
    if (above && rpzexport_is_same(step->at, above->below) &&
        rpzexport_is_same(step->below, above->below))
        return true;
    for (unsigned i = 0; i <= depth; i++)
        if (!write_step(export, &export->steps[i]))
            return false;
    return true;
}

bool rpzexport(const struct rpzexport *how)
{
    struct export export = {
        .how = how,
        .nothing = {.action = XNM_PASSTHRU, .ttl = xnm_policy_settings(how->policy)->ttl}};
    struct policynames names;
    const uint8_t *name;
    size_t len;
    bool good = true;

    if (!policynames_open(&names, how->policy))
        return false;
    while (good && policynames_next(&names, &name, &len))
        good = take(&export, name, len);
    policynames_free(&names);
    return good;
}
