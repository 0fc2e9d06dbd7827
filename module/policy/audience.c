/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/policy/audience.h"

/* Is the client one of those that a part names, with or without its `!`? */
static bool is_named(const struct xnm_policy *policy, const struct xnm_audience_part *part,
                     const struct xnm_client *client)
{
    if (part->client.group[0] == '\0')
        return xnm_prefix_has(&part->client.prefix, client);
    for (uint32_t set = part->sets_at; set < part->sets_end; set++)
        if (xnm_ranges_have(&xnm_policy_client_set(policy, set)->ranges, client))
            return true;
    return false;
}

static bool has_client(const struct xnm_policy *policy, const struct xnm_audience *audience,
                       const struct xnm_client *client)
{
    bool wants_some = false, wanted = false;

    for (unsigned i = 0; i < audience->part_count; i++) {
        const struct xnm_audience_part *part = &audience->parts[i];
        wants_some |= !part->client.but;
        if (part->client.but ? is_named(policy, part, client)
                             : !wanted && is_named(policy, part, client)) {
            if (part->client.but)
                return false;
            wanted = true;
        }
    }
    return wanted || !wants_some;
}

static bool has_time(const struct xnm_audience *audience, time_t when)
{
    struct tm local;

    if (!localtime_r(&when, &local))
        return false;
    for (unsigned i = 0; i < audience->span_count; i++)
        if (xnm_span_has(&audience->spans[i], (unsigned)local.tm_wday,
                         (unsigned)(local.tm_hour * 60 + local.tm_min)))
            return true;
    return false;
}

bool xnm_audience_has(const struct xnm_policy *policy, unsigned number,
                      const struct xnm_client *client, time_t when)
{
    const struct xnm_audience *audience = xnm_policy_audience(policy, number);

    if (audience->part_count > 0 && (!client || !has_client(policy, audience, client)))
        return false;
    return audience->span_count == 0 || has_time(audience, when);
}

const char *xnm_audience_group(const struct xnm_policy *policy, unsigned number,
                               const struct xnm_client *client)
{
    const struct xnm_audience *audience = xnm_policy_audience(policy, number);

    for (unsigned i = 0; client && i < audience->part_count; i++)
        if (audience->parts[i].client.group[0] && !audience->parts[i].client.but &&
            is_named(policy, &audience->parts[i], client))
            return xnm_policy_client_set(policy, audience->parts[i].sets_at)->group;
    return NULL;
}
