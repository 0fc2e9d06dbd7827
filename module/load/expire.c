/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/expire.h"

#include "module/base/diagnostics.h"
#include "module/rule/rule.h"

#include <string.h>
#include <time.h>

/* A file from the future is as old as its reading. */
static time_t written(const struct xnm_source *source, time_t now)
{
    return source->read.mtime.tv_sec < now ? source->read.mtime.tv_sec : now;
}

/* A copy may have kept the mtime of its original (rsync -t): then another serial is the news. */
static time_t last_news(const struct xnm_source *source, uint32_t serial, time_t now)
{
    if (source->expires == 0)
        return written(source, now);
    if (source->serial != serial)
        return now;
    return written(source, now) > source->refreshed ? written(source, now) : source->refreshed;
}

static void note(struct xnm_source *source, const struct xnm_list_soa *soa, time_t now)
{
    source->refreshed = last_news(source, soa->serial, now);
    source->serial = soa->serial;
    source->expires = soa->expire ? source->refreshed + (time_t)soa->expire : 0;
}

static void report(const struct xnm_diagnostics *diagnostics, const struct xnm_rule *rule,
                   const struct xnm_source *source)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    bool drops = rule->expire == XNM_EXPIRE_YES;
    char path[512], when[32];
    struct tm time = {0};

    gmtime_r(&source->refreshed, &time);
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S UTC", &time);
    xnm_diagnose(diagnostics, drops ? XNM_ERROR : XNM_WARNING, &place,
                 "'%s' has expired: its last news is of %s, and the EXPIRE of its SOA record is "
                 "%lld s: %s",
                 xnm_quote(rule->path, strlen(rule->path), path, sizeof path), when,
                 (long long)(source->expires - source->refreshed),
                 drops ? "none of its entries is in force"
                       : "its entries stay in force (expire=yes drops them, expire=no says that "
                         "the zone need not change)");
}

bool xnm_expire_hold(struct xnm_reading *reading, const struct xnm_rule *rule,
                     const struct xnm_list_soa *soa)
{
    struct xnm_sources *sources = reading->sources;
    time_t now = time(NULL);

    if (sources->count == 0)
        return false;
    struct xnm_source *source = &sources->files[sources->count - 1];
    if (rule->trigger != XNM_TRIGGER_RPZ || rule->expire == XNM_EXPIRE_NO) {
        source->expires = 0;
        return false;
    }
    if (soa && soa->found)
        note(source, soa, now);
    bool expired = source->expires != 0 && source->expires <= now;
    if (expired)
        report(reading->diagnostics, rule, source);
    source->is_read_when_expired = rule->expire == XNM_EXPIRE_YES && !expired;
    return expired && rule->expire == XNM_EXPIRE_YES;
}
