/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/expire.h"

#include "module/base/diagnostics.h"
#include "module/policy/data.h"
#include "module/rule/rule.h"
#include "module/table/table.h"

#include <string.h>

/* Returns when a zone last changed. A file with a time in the future counts as written now. A copy
 * may have kept the time of its original (rsync -t): then another serial shows the change. */
static time_t last_change(const struct xnm_list_soa *soa, const struct xnm_stamp *stamp,
                          const struct xnm_table_file *before)
{
    time_t now = time(NULL), written = stamp->mtime.tv_sec < now ? stamp->mtime.tv_sec : now;

    if (!before || before->expires == 0)
        return written;
    if (before->serial != soa->serial)
        return now;
    return written > before->changed ? written : before->changed;
}

void xnm_expire_note(struct xnm_table_file *file, const struct xnm_list_soa *soa,
                     const struct xnm_stamp *stamp, const struct xnm_table_file *before)
{
    file->serial = soa->serial;
    file->changed = last_change(soa, stamp, before);
    file->expires = soa->expire ? file->changed + (time_t)soa->expire : 0;
}

static void report(const struct xnm_diagnostics *diagnostics, const struct xnm_rule *rule,
                   const struct xnm_table_file *file)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    bool drops = rule->expire == XNM_EXPIRE_YES;
    char path[512], when[32];
    struct tm time = {0};

    gmtime_r(&file->changed, &time);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &time);
    xnm_diagnostics_add(
        diagnostics, drops ? XNM_ERROR : XNM_WARNING, &place,
        "'%s' has expired: it last changed at %s, and the EXPIRE of its SOA record is "
        "%lld s: %s",
        xnm_diagnostics_quote(rule->path, strlen(rule->path), path, sizeof path), when,
        (long long)(file->expires - file->changed),
        drops ? "none of its entries is in force"
              : "its entries stay in force (expire=yes drops them, expire=no says that "
                "the zone need not change)");
}

static bool has_expired(xnm_expire expire, const struct xnm_table *table, time_t now)
{
    return table && table->file.expires != 0 && table->file.expires <= now &&
           expire != XNM_EXPIRE_NO;
}

bool xnm_expire_drops(const struct xnm_diagnostics *diagnostics, const struct xnm_rule *rule,
                      const struct xnm_table *table)
{
    if (!has_expired(rule->expire, table, time(NULL)))
        return false;
    report(diagnostics, rule, &table->file);
    return rule->expire == XNM_EXPIRE_YES;
}

size_t xnm_expire_count(const struct xnm_policy *policy, time_t last, time_t now, bool *due)
{
    size_t expired = 0;

    for (size_t i = 0; policy && i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        if (!has_expired(line->expire, line->table, now))
            continue;
        expired++;
        *due |= line->expire == XNM_EXPIRE_YES && line->table->file.expires > last;
    }
    return expired;
}
