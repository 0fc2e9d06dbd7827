/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/clientset.h"

#include "module/base/same.h"
#include "module/policy/data.h"

#include <string.h>

/* Copies a text, which may be NULL, to the policy's memory. Returns false when out of memory. */
static bool copy_text(struct xnm_policy *policy, const char *text, const char **copy)
{
    *copy = text ? xnm_pool_string(&policy->pool, text, strlen(text)) : NULL;
    return *copy || !text;
}

/* --- client sets --- */

/* Adds a set whose ranges are in the policy's memory. Returns false when out of memory. */
static bool push_set(struct xnm_policy *policy, const char *group, const char *path,
                     const struct xnm_ranges *ranges)
{
    struct xnm_client_set set = {.ranges = *ranges}, *added;

    if (!copy_text(policy, group, &set.group) || !copy_text(policy, path, &set.path))
        return false;
    added = xnm_arena_add(&policy->client_sets, sizeof *added);
    if (added)
        *added = set;
    return added;
}

bool xnm_clientset_add(struct xnm_policy *policy, const char *group, const char *path,
                       const struct xnm_prefix *prefixes, size_t count)
{
    struct xnm_ranges ranges;

    return xnm_ranges_make(&ranges, &policy->pool, prefixes, count) &&
           push_set(policy, group, path, &ranges);
}

long xnm_clientset_keep(struct xnm_policy *policy, const char *group, const char *path,
                        const struct xnm_policy *from)
{
    for (size_t i = 0; i < xnm_policy_client_set_count(from); i++) {
        const struct xnm_client_set *older = xnm_policy_client_set(from, i);
        struct xnm_ranges ranges;
        if (strcmp(older->group, group) != 0 || !xnm_same(older->path, path))
            continue;
        if (!xnm_ranges_copy(&ranges, &policy->pool, &older->ranges) ||
            !push_set(policy, group, path, &ranges))
            return -1;
        return (long)(ranges.count[XNM_IPV4] + ranges.count[XNM_IPV6]);
    }
    return 0;
}

/* --- limits --- */

static size_t count_parts(const char *list)
{
    const char *part;
    size_t count = 0, len;

    while (xnm_limit_next(&list, &part, &len))
        count++;
    return count;
}

static bool is_of_group(const struct xnm_policy *policy, size_t set, const char *group)
{
    return set < xnm_policy_client_set_count(policy) &&
           strcmp(xnm_policy_client_set(policy, set)->group, group) == 0;
}

/* Finds the client sets of a group. Returns whether there are any. */
static bool find_sets(const struct xnm_policy *policy, struct xnm_limit_part *part)
{
    uint32_t count = (uint32_t)xnm_policy_client_set_count(policy), at = 0;

    while (at < count && !is_of_group(policy, at, part->client.group))
        at++;
    part->sets_at = part->sets_end = at;
    while (is_of_group(policy, part->sets_end, part->client.group))
        part->sets_end++;
    return part->sets_end > part->sets_at;
}

static bool read_parts(const struct xnm_policy *policy, const char *list,
                       struct xnm_limit_part *parts)
{
    const char *text;
    size_t len;

    for (; xnm_limit_next(&list, &text, &len); parts++)
        if (xnm_limit_client_read(text, len, &parts->client) ||
            (parts->client.group[0] && !find_sets(policy, parts)))
            return false;
    return true;
}

static bool read_spans(const char *list, struct xnm_limit_span *spans)
{
    const char *text;
    size_t len;

    while (xnm_limit_next(&list, &text, &len))
        if (xnm_limit_span_read(text, len, spans++))
            return false;
    return true;
}

/* Fills in a new limit. Returns false when out of memory, or if *why has an error. */
static bool make_limit(struct xnm_policy *policy, const char *client, const char *when,
                       struct xnm_limit *limit, const char **why)
{
    size_t part_count = count_parts(client), span_count = count_parts(when);
    struct xnm_limit_part *parts;
    struct xnm_limit_span *spans;

    if (part_count <= XNM_LIMIT_PARTS_MAX && span_count <= XNM_LIMIT_PARTS_MAX) {
        parts = xnm_pool_take(&policy->pool, part_count * sizeof *parts + 1);
        spans = xnm_pool_take(&policy->pool, span_count * sizeof *spans + 1);
        *limit = (struct xnm_limit){.parts = parts,
                                    .spans = spans,
                                    .part_count = (unsigned)part_count,
                                    .span_count = (unsigned)span_count};
        if (!parts || !spans || !copy_text(policy, client, &limit->client) ||
            !copy_text(policy, when, &limit->when))
            return false;
        if (read_parts(policy, client, parts) && read_spans(when, spans))
            return true;
    }
    *why = "the groups or times of client= and when= are unknown";
    return false;
}

bool xnm_clientset_limit(struct xnm_policy *policy, const char *client, const char *when,
                         uint16_t *number, const char **why)
{
    size_t count = policy->limits.len / sizeof(struct xnm_limit);
    struct xnm_limit limit, *added;

    *number = 0;
    *why = NULL;
    if (!client && !when)
        return true;
    for (size_t n = 1; n <= count; n++) {
        const struct xnm_limit *other = xnm_policy_limit(policy, n);
        if (xnm_same(other->client, client) && xnm_same(other->when, when)) {
            *number = (uint16_t)n;
            return true;
        }
    }
    if (count == XNM_LIMITS_MAX) {
        *why = "too many different client= and when=: expected at most 256 in all rules";
        return false;
    }
    if (!make_limit(policy, client, when, &limit, why))
        return false;
    added = xnm_arena_add(&policy->limits, sizeof *added);
    if (!added)
        return false;
    *added = limit;
    *number = (uint16_t)(count + 1);
    return true;
}
