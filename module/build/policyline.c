/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/policyline.h"

#include "core/wire/walk.h"
#include "module/policy/match.h"
#include "module/rule/rule.h"
#include "module/table/tableanswers.h"

#include <string.h>

#include <xxhash.h>

/* Returns whether the trigger is that of a label rule: a look-alike or a condition. */
static bool is_label_rule(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger) || xnm_trigger_is_condition(trigger);
}

/* Returns the rank of the rule's line. A list that needs a rank of its own takes the next one from
 * *lists. */
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

/* Writes line->counter_key, which identifies the line over reloads: its file and its text, at any
 * place in the file. */
static void identify(const struct xnm_rule *rule, struct xnm_policy_line *line)
{
    XXH128_canonical_t key;

    XXH128_canonicalFromHash(
        &key, XXH3_128bits_withSeed(rule->file, strlen(rule->file), rule->text_hash));
    _Static_assert(sizeof line->counter_key == sizeof key.digest, "all of it");
    memcpy(line->counter_key, key.digest, sizeof key.digest);
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
    if (!policy->settings.counters)
        return true;
    line->rule.counter = xnm_counters_take(policy->settings.counters, line->counter_key);
    return line->rule.counter;
}

static const char *file_of(struct xnm_policy *policy, const char *file)
{
    const char *last =
        policy->line_count > 0 ? xnm_policy_line(policy, policy->line_count - 1)->rule.file : NULL;

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

/* Makes the part of a line that only label rules have. Returns NULL when out of memory. */
static struct xnm_label_rule *label_rule_of(struct xnm_policy *policy, const struct xnm_rule *rule)
{
    size_t except_len = rule->condition.except_count * sizeof *rule->condition.except;
    struct xnm_label_rule *label_rule =
        xnm_pool_take(&policy->pool, sizeof *label_rule + except_len);

    if (!label_rule)
        return NULL;
    *label_rule = (struct xnm_label_rule){
        .answer = XNM_NO_ANSWER, .protection = rule->protection, .condition = rule->condition};
    label_rule->condition.except = (struct xnm_wirename *)(void *)(label_rule + 1);
    if (except_len > 0)
        memcpy(label_rule->condition.except, rule->condition.except, except_len);
    if (rule->except)
        label_rule->except_path =
            xnm_pool_string(&policy->pool, rule->except->path, strlen(rule->except->path));
    return label_rule->except_path || !rule->except ? label_rule : NULL;
}

/* Copies the records of a rule. Returns NULL when out of memory. */
static const struct xnm_record *copy_records(struct xnm_policy *policy, const struct xnm_rule *rule)
{
    struct xnm_record *records = xnm_pool_take(&policy->pool, rule->record_count * sizeof *records);

    for (size_t i = 0; records && i < rule->record_count; i++) {
        uint8_t *rdata = xnm_pool_take(&policy->pool, rule->records[i].rdata_len + 1u);
        if (!rdata)
            return NULL;
        memcpy(rdata, rule->records[i].rdata, rule->records[i].rdata_len);
        records[i] = rule->records[i];
        records[i].rdata = rdata;
    }
    return records;
}

/* Copies a reason, unless the line before has the same. Returns NULL when out of memory. */
static const char *copy_why(struct xnm_policy *policy, const char *why)
{
    const char *last =
        policy->line_count > 0 ? xnm_policy_line(policy, policy->line_count - 1)->answer.why : NULL;

    return last && strcmp(last, why) == 0 ? last : xnm_pool_string(&policy->pool, why, strlen(why));
}

/* Writes the rule's own reason, or else that of its tag. The text of ede= is a reason, too. Returns
 * false when out of memory. */
static bool write_why(struct xnm_policy *policy, const struct xnm_rule *rule,
                      struct xnm_policy_answer *answer)
{
    const struct xnm_tag_reason *tag = rule->tag_reason;
    const char *why = rule->why ? rule->why : tag && !rule->ede_text ? tag->why : NULL;

    answer->sub_error = rule->sub_error || !tag ? rule->sub_error : tag->sub_error;
    answer->why = why ? copy_why(policy, why) : NULL;
    return answer->why || !why;
}

/* Writes the answer for the names of a rule. Returns false when out of memory. */
static bool write_answer(struct xnm_policy *policy, const struct xnm_rule *rule,
                         struct xnm_policy_line *line)
{
    struct xnm_policy_answer *answer = &line->answer;

    answer->action = rule->action != XNM_ACTION_NONE ? rule->action : rule->override;
    answer->ttl = rule->has_ttl ? rule->ttl : policy->settings.ttl;
    answer->ede = xnm_action_ede(answer->action);
    if (rule->ede != XNM_EDE_DEFAULT && (rule->trigger != XNM_TRIGGER_RPZ || answer->ede >= 0))
        answer->ede = rule->ede;
    line->ede = rule->ede;
    if (rule->ede_text) {
        answer->ede_text = xnm_pool_string(&policy->pool, rule->ede_text, strlen(rule->ede_text));
        if (!answer->ede_text)
            return false;
    }
    if (!write_why(policy, rule, answer))
        return false;
    answer->record_count = rule->record_count;
    answer->records = rule->record_count > 0 ? copy_records(policy, rule) : NULL;
    return answer->records || rule->record_count == 0;
}

bool xnm_policyline_write(struct xnm_policy *policy, const struct xnm_rule *rule, int8_t tag,
                          uint16_t limit, uint32_t *lists, struct xnm_policy_line *line)
{
    bool label_rule = is_label_rule(rule->trigger);

    line->rule.file = file_of(policy, rule->file);
    line->rule.subject = subject_of(policy, rule);
    if (!line->rule.file || !line->rule.subject || !write_answer(policy, rule, line))
        return false;
    line->rule.line = rule->line;
    line->rule.action = rule->action;
    line->rule.trigger = rule->trigger;
    line->rule.tag = tag;
    line->limit = limit;
    if (limit > 0) {
        line->rule.client = xnm_policy_limit(policy, limit)->client;
        line->rule.when = xnm_policy_limit(policy, limit)->when;
    }
    line->column = rule->column;
    line->rank = rank_of(rule, lists);
    line->suffixes = rule->suffixes;
    line->expire = rule->expire;
    line->type_count = rule->type_count;
    memcpy(line->types, rule->types, sizeof line->types);
    line->label_rule = label_rule ? label_rule_of(policy, rule) : NULL;
    identify(rule, line);
    return line->label_rule || !label_rule;
}

bool xnm_policyline_changes_answers(const struct xnm_policy_line *line)
{
    xnm_action action = line->answer.action;

    if (line->rank == XNM_RANK_LOG || action == XNM_PASSTHRU || line->rule.entry_count == 0)
        return false;
    const struct xnm_table *table = xnm_policy_line_list(line);

    return !table || table->has_refusals;
}

bool xnm_policyline_protects(const struct xnm_policy_line *line)
{
    if (!xnm_trigger_is_lookalike(line->rule.trigger) || line->rule.entry_count == 0)
        return false;
    const struct xnm_protection *protection = &line->label_rule->protection;

    return line->limit == 0 && line->type_count == 0 &&
           (protection->any_tld || protection->any_label);
}
