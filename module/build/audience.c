/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/audience.h"

#include "module/base/same.h"

#include <string.h>

static const char bad_audience[] = "the groups or times of client= and when= are not known";

/* --- groups --- */

/* The group's name and path, in the policy's memory. False: no memory. */
static bool name_set(struct xnm_policy *policy, const char *group, const char *path,
                     struct xnm_client_set *set)
{
    set->group = xnm_pool_string(&policy->pool, group, strlen(group));
    set->path = path ? xnm_pool_string(&policy->pool, path, strlen(path)) : NULL;
    return set->group && (set->path || !path);
}

static bool push_set(struct xnm_policy *policy, const struct xnm_client_set *set)
{
    struct xnm_client_set *added = xnm_arena_add(&policy->client_sets, sizeof *added);

    if (added)
        *added = *set;
    return added;
}

bool xnm_audience_add_set(struct xnm_policy *policy, const char *group, const char *path,
                          const struct xnm_prefix *prefixes, size_t count)
{
    struct xnm_client_set set;

    return name_set(policy, group, path, &set) &&
           xnm_ranges_make(&set.ranges, &policy->pool, prefixes, count) && push_set(policy, &set);
}

long xnm_audience_keep_set(struct xnm_policy *policy, const char *group, const char *path,
                           const struct xnm_policy *from)
{
    for (size_t i = 0; i < xnm_policy_client_set_count(from); i++) {
        const struct xnm_client_set *older = xnm_policy_client_set(from, i);
        struct xnm_client_set set;
        if (strcmp(older->group, group) != 0 || !xnm_same(older->path, path))
            continue;
        if (!name_set(policy, group, path, &set) ||
            !xnm_ranges_copy(&set.ranges, &policy->pool, &older->ranges) || !push_set(policy, &set))
            return -1;
        return (long)(set.ranges.count[XNM_IPV4] + set.ranges.count[XNM_IPV6]);
    }
    return 0;
}

/* --- audiences --- */

static size_t count_parts(const char *list)
{
    const char *part;
    size_t count = 0, len;

    while (xnm_audience_next(&list, &part, &len))
        count++;
    return count;
}

static bool find_sets(const struct xnm_policy *policy, struct xnm_audience_part *part)
{
    uint32_t count = (uint32_t)xnm_policy_client_set_count(policy), at = 0;

    while (at < count && strcmp(xnm_policy_client_set(policy, at)->group, part->client.group) != 0)
        at++;
    part->sets_at = at;
    while (at < count && strcmp(xnm_policy_client_set(policy, at)->group, part->client.group) == 0)
        at++;
    part->sets_end = at;
    return part->sets_end > part->sets_at;
}

static bool read_parts(const struct xnm_policy *policy, const char *list,
                       struct xnm_audience_part *parts)
{
    const char *text;
    size_t len;

    for (; xnm_audience_next(&list, &text, &len); parts++)
        if (xnm_audience_client_read(text, len, &parts->client) ||
            (parts->client.group[0] && !find_sets(policy, parts)))
            return false;
    return true;
}

static bool read_spans(const char *list, struct xnm_span *spans)
{
    const char *text;
    size_t len;

    while (xnm_audience_next(&list, &text, &len))
        if (xnm_span_read(text, len, spans++))
            return false;
    return true;
}

/* False: no memory, or *why says what is wrong. */
static bool make(struct xnm_policy *policy, const char *client, const char *when,
                 struct xnm_audience *audience, const char **why)
{
    size_t part_count = count_parts(client), span_count = count_parts(when);
    struct xnm_audience_part *parts;
    struct xnm_span *spans;

    *why = bad_audience;
    if (part_count > XNM_AUDIENCE_PARTS_MAX || span_count > XNM_AUDIENCE_PARTS_MAX)
        return false;
    *why = NULL;
    parts = xnm_pool_take(&policy->pool, part_count * sizeof *parts + 1);
    spans = xnm_pool_take(&policy->pool, span_count * sizeof *spans + 1);
    *audience = (struct xnm_audience){
        .client = client ? xnm_pool_string(&policy->pool, client, strlen(client)) : NULL,
        .when = when ? xnm_pool_string(&policy->pool, when, strlen(when)) : NULL,
        .parts = parts,
        .spans = spans,
        .part_count = (unsigned)part_count,
        .span_count = (unsigned)span_count};
    if (!parts || !spans || (client && !audience->client) || (when && !audience->when))
        return false;
    if (!read_parts(policy, client, parts) || !read_spans(when, spans))
        *why = bad_audience;
    return !*why;
}

bool xnm_audience_number(struct xnm_policy *policy, const char *client, const char *when,
                         uint16_t *number, const char **why)
{
    size_t count = policy->audiences.len / sizeof(struct xnm_audience);
    struct xnm_audience audience, *added;

    *number = 0;
    *why = NULL;
    if (!client && !when)
        return true;
    for (size_t n = 1; n <= count; n++) {
        const struct xnm_audience *other = xnm_policy_audience(policy, n);
        if (xnm_same(other->client, client) && xnm_same(other->when, when)) {
            *number = (uint16_t)n;
            return true;
        }
    }
    if (count == XNM_AUDIENCES_MAX) {
        *why = "too many different client= and when=: expected at most 256 in all rules";
        return false;
    }
    if (!make(policy, client, when, &audience, why))
        return false;
    added = xnm_arena_add(&policy->audiences, sizeof *added);
    if (!added)
        return false;
    *added = audience;
    *number = (uint16_t)(count + 1);
    return true;
}
