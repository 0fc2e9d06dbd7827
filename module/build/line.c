/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/line.h"

#include "core/wire/walk.h"
#include "module/build/digest.h"
#include "module/build/verdicts.h"
#include "module/policy/match.h"
#include "module/rule/rule.h"

#include <string.h>

bool xnm_policyline_is_label_rule(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger) || xnm_trigger_is_condition(trigger);
}

uint32_t xnm_policyline_rank(xnm_action action, xnm_trigger trigger, bool log_only, uint32_t *lists)
{
    if (action == XNM_LOG || log_only)
        return XNM_RANK_LOG;
    if (xnm_policyline_is_label_rule(trigger))
        return XNM_RANK_LABEL_RULE;
    if (!xnm_trigger_has_path(trigger) || action == XNM_PASSTHRU)
        return XNM_RANK_WRITTEN;
    return XNM_RANK_FIRST_LIST + (*lists)++;
}

/* Writes line->unseen: a hash of what the rule says and its line does not show, except for the TTL
 * and the extended error of its answers: a rule with others of them goes on counting. */
static void hash_unseen(const struct xnm_rule *rule, struct xnm_policy_line *line)
{
    const struct xnm_protection *protection = &rule->protection;
    const int words[] = {(int)rule->scope,       (int)protection->key,   protection->any_tld,
                         protection->any_label,  (int)protection->ascii, protection->min,
                         protection->strict_min, rule->suffixes,         (int)rule->record_count,
                         (int)rule->override,    rule->log_only,         protection->near,
                         protection->within,     protection->private};
    struct xnm_digest digest;

    xnm_digest_open(&digest);
    xnm_digest_add(&digest, words, sizeof words);
    if (rule->origin)
        xnm_digest_add(&digest, rule->origin->octets, rule->origin->len);
    for (size_t i = 0; i < rule->record_count; i++) {
        const struct xnm_record *record = &rule->records[i];
        xnm_digest_add(&digest, &record->type, sizeof record->type);
        xnm_digest_add(&digest, &record->rdata_len, sizeof record->rdata_len);
        xnm_digest_add(&digest, record->rdata, record->rdata_len);
    }
    for (size_t i = 0; i < rule->condition.except_count; i++) {
        const struct xnm_wirename *tld = &rule->condition.except[i];
        xnm_digest_add(&digest, tld->octets, tld->len);
    }
    _Static_assert(sizeof line->unseen == XNM_DIGEST, "the digest has room");
    xnm_digest_close(&digest, line->unseen);
}

/* Each part says where it ends, or lines that differ could be called the same. */
void xnm_policyline_name(const struct xnm_policy *policy, struct xnm_policy_line *line)
{
    const struct xnm_policy_rule *shown = &line->shown;
    const char *tag = shown->tag >= 0 ? policy->tags[shown->tag] : "";
    const char *client = shown->client ? shown->client : "";
    const char *when = shown->when ? shown->when : "";
    const int words[] = {(int)shown->action, (int)shown->trigger, line->type_count};
    struct xnm_digest digest;

    xnm_digest_open(&digest);
    xnm_digest_add(&digest, words, sizeof words);
    xnm_digest_add(&digest, line->types, line->type_count * sizeof *line->types);
    xnm_digest_add(&digest, shown->file, strlen(shown->file) + 1);
    xnm_digest_add(&digest, shown->subject, strlen(shown->subject) + 1);
    xnm_digest_add(&digest, tag, strlen(tag) + 1);
    xnm_digest_add(&digest, client, strlen(client) + 1);
    xnm_digest_add(&digest, when, strlen(when) + 1);
    xnm_digest_add(&digest, line->unseen, sizeof line->unseen);
    _Static_assert(sizeof line->hits_key == XNM_DIGEST, "the digest has room");
    xnm_digest_close(&digest, line->hits_key);
}

bool xnm_policyline_tag(struct xnm_policy *policy, const char *tag, int8_t *number,
                        const char **why)
{
    unsigned n = 0;

    while (n < policy->tag_count && strcmp(policy->tags[n], tag) != 0)
        n++;
    if (n == XNM_TAGS_MAX) {
        *why = "too many tags: expected at most 64 different ones";
        return false;
    }
    if (n == policy->tag_count) {
        policy->tags[n] = xnm_pool_string(&policy->pool, tag, strlen(tag));
        if (!policy->tags[n])
            return false;
        policy->tag_count++;
    }
    *number = (int8_t)n;
    return true;
}

bool xnm_policyline_count(const struct xnm_policy *policy, struct xnm_policy_line *line)
{
    if (!policy->settings.hits)
        return true;
    line->shown.hits = xnm_hits_of(policy->settings.hits, line->hits_key);
    return line->shown.hits;
}

static const char *file_of(struct xnm_policy *policy, const char *file)
{
    const char *last =
        policy->line_count > 0 ? xnm_policy_line(policy, policy->line_count - 1)->shown.file : NULL;

    return last && strcmp(last, file) == 0 ? last
                                           : xnm_pool_string(&policy->pool, file, strlen(file));
}

static const char *subject_of(struct xnm_policy *policy, const struct xnm_rule *rule)
{
    char text[2 + XN_WIRE_TEXT_MAX];
    size_t len = 0, name_len;

    if (xnm_trigger_has_path(rule->trigger))
        return xnm_pool_string(&policy->pool, rule->path, strlen(rule->path));
    if (xnm_trigger_is_condition(rule->trigger))
        return xnm_pool_string(&policy->pool, rule->subject, strlen(rule->subject));
    if (rule->scope == XNM_SCOPE_BELOW) {
        memcpy(text, "*.", 2);
        len = 2;
    }
    name_len = xn_wire_to_text(rule->name.octets, text + len);
    if (rule->name.len > 1)
        name_len--; /* the final dot */
    else if (rule->scope == XNM_SCOPE_BELOW)
        name_len = 0;
    name_len = xnm_match_escape_star(text + len, name_len);
    return xnm_pool_string(&policy->pool, text, len + name_len);
}

/* Makes the part of a line that only a label rule has. NULL: no memory. */
static struct xnm_label_rule *label_rule_of(struct xnm_policy *policy, const struct xnm_rule *rule)
{
    size_t except_len = rule->condition.except_count * sizeof *rule->condition.except;
    struct xnm_label_rule *label_rule =
        xnm_pool_take(&policy->pool, sizeof *label_rule + except_len);

    if (!label_rule)
        return NULL;
    *label_rule = (struct xnm_label_rule){
        .verdict = XNM_NO_VERDICT, .protection = rule->protection, .condition = rule->condition};
    label_rule->condition.except = (struct xnm_wirename *)(void *)(label_rule + 1);
    if (except_len > 0)
        memcpy(label_rule->condition.except, rule->condition.except, except_len);
    return label_rule;
}

bool xnm_policyline_write(struct xnm_policy *policy, const struct xnm_rule *rule, int8_t tag,
                          uint16_t audience, uint32_t *lists, struct xnm_policy_line *line)
{
    bool label_rule = xnm_policyline_is_label_rule(rule->trigger);

    line->shown.file = file_of(policy, rule->file);
    line->shown.subject = subject_of(policy, rule);
    line->ede_text = rule->ede_text
                         ? xnm_pool_string(&policy->pool, rule->ede_text, strlen(rule->ede_text))
                         : NULL;
    if (!line->shown.file || !line->shown.subject || (rule->ede_text && !line->ede_text))
        return false;
    line->shown.line = rule->line;
    line->shown.action = rule->action;
    line->shown.trigger = rule->trigger;
    line->shown.tag = tag;
    line->audience = audience;
    if (audience > 0) {
        line->shown.client = xnm_policy_audience(policy, audience)->client;
        line->shown.when = xnm_policy_audience(policy, audience)->when;
    }
    line->column = rule->column;
    line->rank = xnm_policyline_rank(rule->action, rule->trigger, rule->log_only, lists);
    line->log_only = rule->log_only;
    line->ttl = rule->has_ttl ? rule->ttl : policy->settings.ttl;
    line->ede = rule->ede;
    line->type_count = rule->type_count;
    memcpy(line->types, rule->types, sizeof line->types);
    line->label_rule = label_rule ? label_rule_of(policy, rule) : NULL;
    hash_unseen(rule, line);
    xnm_policyline_name(policy, line);
    return line->label_rule || !label_rule;
}
