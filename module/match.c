/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/match.h"

#include <string.h>

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void write_file(const char *file, struct xnm_match *match)
{
    size_t len = strlen(file);

    if (len >= sizeof match->file) {
        file = base_of(file);
        len = strnlen(file, sizeof match->file - 1);
    }
    memcpy(match->file, file, len);
    match->file[len] = '\0';
}

static void write_tags(const struct xnm_policy *policy, uint64_t tags, struct xnm_match *match)
{
    size_t len = 0;

    for (unsigned number = 0; tags != 0; number++, tags >>= 1) {
        const char *tag = tags & 1 ? xnm_policy_tag(policy, number) : NULL;
        size_t tag_len = tag ? strlen(tag) : 0;
        if (tag_len == 0 || tag_len + (len > 0) >= sizeof match->tags - len)
            continue;
        if (len > 0)
            match->tags[len++] = ',';
        memcpy(match->tags + len, tag, tag_len);
        len += tag_len;
    }
    match->tags[len] = '\0';
}

static void add_hits(const struct xnm_policy_rule *rule, struct xnm_match *match)
{
    for (unsigned i = 0; i < match->hit_count; i++) {
        if (match->hits[i] == rule->hits)
            return; /* the same line twice is one rule */
    }
    match->hits[match->hit_count++] = rule->hits;
}

void xnm_match_from(const struct xnm_policy *policy, const struct xnm_decision *decision,
                    bool log_only, struct xnm_match *match)
{
    const struct xnm_verdict *verdict = decision->verdict ? decision->verdict : decision->logs[0];

    match->action = verdict->action;
    match->trigger = verdict->rule->trigger;
    match->log_only = log_only && xnm_decision_changes_answer(decision);
    match->wildcard = decision->scope == XNM_SCOPE_BELOW;
    match->name.len = decision->name.len;
    memcpy(match->name.octets, decision->name.octets, decision->name.len);
    match->line = verdict->rule->line;
    match->hit_count = 0;
    add_hits(verdict->rule, match);
    for (unsigned i = 0; i < decision->log_count; i++)
        add_hits(decision->logs[i]->rule, match);
    write_file(verdict->rule->file, match);
    write_tags(policy, decision->tags, match);
}

void xnm_match_count(const struct xnm_match *match)
{
    for (unsigned i = 0; i < match->hit_count; i++)
        atomic_fetch_add_explicit(match->hits[i], 1, memory_order_relaxed);
}

const char *xnm_match_base(const struct xnm_match *match)
{
    return base_of(match->file);
}

size_t xnm_match_subject(const struct xnm_match *match, char *dst)
{
    const char *word = xnm_trigger_word(match->trigger);
    size_t len = strlen(word);

    memcpy(dst, word, len);
    dst[len++] = ' ';
    if (match->wildcard) {
        dst[len++] = '*';
        dst[len++] = '.';
        if (match->name.len == 1)
            return len;
    }
    len += xn_wire_to_text(match->name.octets, dst + len);
    return match->name.len > 1 ? len - 1 : len;
}
