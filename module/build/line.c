/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/line.h"

#include <string.h>

bool xnm_policyline_is_late(xnm_trigger trigger)
{
    return xnm_trigger_is_lookalike(trigger) || xnm_trigger_is_condition(trigger);
}

uint32_t xnm_policyline_rank(xnm_action action, xnm_trigger trigger, uint32_t *lists)
{
    if (action == XNM_LOG)
        return XNM_RANK_LOG;
    if (xnm_policyline_is_late(trigger))
        return XNM_RANK_LABEL_RULE;
    if (!xnm_trigger_has_path(trigger) || action == XNM_PASSTHRU)
        return XNM_RANK_WRITTEN;
    return XNM_RANK_FIRST_LIST + (*lists)++;
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
