/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/line.h"

#include "core/wire/walk.h"
#include "module/build/verdicts.h"
#include "module/policy/match.h"
#include "module/rule/rule.h"

#include <string.h>

#define XXH_INLINE_ALL /* a state may lie on the stack */
#include <xxhash.h>

/* Returns whether it is a trigger of label rules: a look-alike or a condition. */
static bool is_label_rule(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger) || xnm_trigger_is_condition(trigger);
}

/* The rank of the rule's line. A list that needs a rank of its own takes the next one from *lists.
 */
static uint32_t rank_of(const struct xnm_rule *rule, uint32_t *lists)
{
    if (rule->action == XNM_LOG || rule->log_only)
        return XNM_RANK_LOG;
    if (is_label_rule(rule->trigger))
        return XNM_RANK_LABEL_RULE;
    if (!xnm_trigger_has_path(rule->trigger) || rule->action == XNM_PASSTHRU)
        return XNM_RANK_WRITTEN;
    return XNM_RANK_FIRST_LIST + (*lists)++;
}

/* octets may be NULL if len is 0. */
static void add(XXH3_state_t *digest, const void *octets, size_t len)
{
    if (len > 0)
        XXH3_128bits_update(digest, octets, len);
}

/* Adds what the rule says and its line does not show, except for the TTL and the extended error of
 * its answers: a rule with others of them goes on counting. */
static void add_unseen(XXH3_state_t *digest, const struct xnm_rule *rule)
{
    const struct xnm_protection *protection = &rule->protection;
    const int words[] = {(int)rule->scope,       (int)protection->key,   protection->any_tld,
                         protection->any_label,  (int)protection->ascii, protection->min,
                         protection->strict_min, rule->suffixes,         (int)rule->record_count,
                         (int)rule->override,    rule->log_only,         protection->near,
                         protection->within,     protection->private};

    add(digest, words, sizeof words);
    if (rule->origin)
        add(digest, rule->origin->octets, rule->origin->len);
    for (size_t i = 0; i < rule->record_count; i++) {
        const struct xnm_record *record = &rule->records[i];
        add(digest, &record->type, sizeof record->type);
        add(digest, &record->rdata_len, sizeof record->rdata_len);
        add(digest, record->rdata, record->rdata_len);
    }
    for (size_t i = 0; i < rule->condition.except_count; i++) {
        const struct xnm_wirename *tld = &rule->condition.except[i];
        add(digest, tld->octets, tld->len);
    }
}

/* Writes line->hits_key, by which the line is known over reloads: made of all that others see of it
 * except its place, of its types, and of what they do not see. Each part says where it ends, or
 * lines that differ could be called the same. */
static void name_line(const struct xnm_policy *policy, const struct xnm_rule *rule,
                      struct xnm_policy_line *line)
{
    const struct xnm_policy_rule *shown = &line->shown;
    const char *tag = shown->tag >= 0 ? policy->tags[shown->tag] : "";
    const char *client = shown->client ? shown->client : "";
    const char *when = shown->when ? shown->when : "";
    const int words[] = {(int)shown->action, (int)shown->trigger, line->type_count};
    XXH3_state_t digest;
    XXH128_canonical_t key;

    XXH3_INITSTATE(&digest);
    XXH3_128bits_reset(&digest);
    add(&digest, words, sizeof words);
    add(&digest, line->types, line->type_count * sizeof *line->types);
    add(&digest, shown->file, strlen(shown->file) + 1);
    add(&digest, shown->subject, strlen(shown->subject) + 1);
    add(&digest, tag, strlen(tag) + 1);
    add(&digest, client, strlen(client) + 1);
    add(&digest, when, strlen(when) + 1);
    add_unseen(&digest, rule);
    XXH128_canonicalFromHash(&key, XXH3_128bits_digest(&digest));
    _Static_assert(sizeof line->hits_key == sizeof key.digest, "all of it");
    memcpy(line->hits_key, key.digest, sizeof key.digest);
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
    bool label_rule = is_label_rule(rule->trigger);

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
    line->rank = rank_of(rule, lists);
    line->ttl = rule->has_ttl ? rule->ttl : policy->settings.ttl;
    line->ede = rule->ede;
    line->type_count = rule->type_count;
    memcpy(line->types, rule->types, sizeof line->types);
    line->label_rule = label_rule ? label_rule_of(policy, rule) : NULL;
    name_line(policy, rule, line);
    return line->label_rule || !label_rule;
}
