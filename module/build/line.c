/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/line.h"

#include <string.h>

#define XXH_INLINE_ALL /* a state may lie on the stack */
#include <xxhash.h>

bool xnm_policyline_is_label_rule(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger) || xnm_trigger_is_condition(trigger);
}

uint32_t xnm_policyline_rank(xnm_action action, xnm_trigger trigger, uint32_t *lists)
{
    if (action == XNM_LOG)
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
                         protection->strict_min, rule->suffixes,         (int)rule->record_count};
    XXH3_state_t state;
    XXH128_canonical_t unseen;

    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, words, sizeof words);
    if (rule->origin)
        XXH3_128bits_update(&state, rule->origin->octets, rule->origin->len);
    for (size_t i = 0; i < rule->record_count; i++) {
        const struct xnm_record *record = &rule->records[i];
        XXH3_128bits_update(&state, &record->type, sizeof record->type);
        XXH3_128bits_update(&state, &record->rdata_len, sizeof record->rdata_len);
        if (record->rdata_len > 0)
            XXH3_128bits_update(&state, record->rdata, record->rdata_len);
    }
    for (size_t i = 0; i < rule->condition.except_count; i++) {
        const struct xnm_wirename *tld = &rule->condition.except[i];
        XXH3_128bits_update(&state, tld->octets, tld->len);
    }
    XXH128_canonicalFromHash(&unseen, XXH3_128bits_digest(&state));
    _Static_assert(sizeof unseen.digest == sizeof line->unseen, "the hash has room");
    memcpy(line->unseen, unseen.digest, sizeof line->unseen);
}

/* Each part says where it ends, or lines that differ could be called the same. */
void xnm_policyline_name(const struct xnm_policy *policy, struct xnm_policy_line *line)
{
    const struct xnm_policy_rule *shown = &line->shown;
    const char *tag = shown->tag >= 0 ? policy->tags[shown->tag] : "";
    const int words[] = {(int)shown->action, (int)shown->trigger, line->type_count};
    XXH3_state_t state;
    XXH128_canonical_t key;

    XXH3_INITSTATE(&state);
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, words, sizeof words);
    XXH3_128bits_update(&state, line->types, line->type_count * sizeof *line->types);
    XXH3_128bits_update(&state, shown->file, strlen(shown->file) + 1);
    XXH3_128bits_update(&state, shown->subject, strlen(shown->subject) + 1);
    XXH3_128bits_update(&state, tag, strlen(tag) + 1);
    XXH3_128bits_update(&state, line->unseen, sizeof line->unseen);
    XXH128_canonicalFromHash(&key, XXH3_128bits_digest(&state));
    _Static_assert(sizeof key.digest == sizeof line->hits_key, "the key has room");
    memcpy(line->hits_key, key.digest, sizeof line->hits_key);
}

bool xnm_policyline_count(const struct xnm_policy *policy, struct xnm_policy_line *line)
{
    if (!policy->settings.hits)
        return true;
    line->shown.hits = xnm_hits_of(policy->settings.hits, line->hits_key);
    return line->shown.hits;
}
