/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/line.h"

#include "module/build/digest.h"
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

void xnm_policyline_hash(const struct xnm_rule *rule, struct xnm_policy_line *line)
{
    const struct xnm_protection *protection = &rule->protection;
    const int words[] = {(int)rule->scope,       (int)protection->key,   protection->any_tld,
                         protection->any_label,  (int)protection->ascii, protection->min,
                         protection->strict_min, rule->suffixes,         (int)rule->record_count,
                         (int)rule->override,    rule->log_only};
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
