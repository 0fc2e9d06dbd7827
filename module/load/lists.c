/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/lists.h"

#include "module/base/diagnostics.h"
#include "module/list/list.h"
#include "module/load/expire.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"

#include <stdio.h>
#include <string.h>

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct xnm_lists *lists = arg;

    return xnm_policy_builder_entry(lists->builder, entry) ||
           xnm_reading_has_no_memory(lists->reading);
}

#define REMOVE "remove this rule to drop them"

/* Puts what a list held before in the place of what there is of it now. Returns how many entries;
 * not more than 0: there is nothing, or no memory for it. */
static long keep_before(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    long kept = 0;

    xnm_policy_builder_forget_list(lists->builder);
    if (lists->before)
        kept = xnm_policy_builder_keep_list(lists->builder, lists->before, rule->suffixes);
    if (kept < 0)
        xnm_reading_has_no_memory(lists->reading);
    if (kept <= 0)
        xnm_policy_builder_forget_list(lists->builder);
    lists->reading->budget.exceeded = false;
    return kept;
}

/* Puts what a list held before in the place of what was lost, and says so. `why` NULL: it is
 * empty, which may be what it should be; then only a loss is one. */
static void keep_what_it_held(struct xnm_lists *lists, const struct xnm_rule *rule, const char *why,
                              const char *remedy)
{
    const struct xnm_diagnostics *diagnostics = xnm_reading_reporter(lists->reading);
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    long kept = keep_before(lists, rule);
    char path[512];

    if (!why && kept <= 0)
        return;
    lists->bad_lists++;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    if (kept > 0)
        xnm_diagnose(diagnostics, XNM_ERROR, &place,
                     "'%s' %s: what it held before stays in force (%ld %s; %s)", path,
                     why ? why : "has become empty", kept, kept == 1 ? "entry" : "entries", remedy);
    else
        xnm_diagnose(diagnostics, XNM_ERROR, &place, "'%s' %s: none of its entries is in force",
                     path, why);
}

/* Its names are in force; what else it is to decide by nobody looks at. */
static void report_unmet(struct xnm_lists *lists, const struct xnm_rule *rule, unsigned unmet)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512], kinds[64] = "";

    for (xnm_unmet kind = 0; kind < XNM_UNMET_COUNT; kind++)
        if ((unmet | rule->skip) >> kind & 1)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s",
                     kinds[0] ? "," : "", xnm_unmet_word(kind));
    xnm_diagnose(xnm_reading_reporter(lists->reading), XNM_ERROR, &place,
                 "'%s' has triggers on addresses or name servers, which do nothing here: load the "
                 "zone in Unbound's own rpz: for them too, and write skip=%s here",
                 xnm_quote(rule->path, strlen(rule->path), path, sizeof path), kinds);
}

/* Has a list lost more than shrink= lets it since the policy in force? A download that was cut off,
 * say. A rule that was not there before has no such loss. */
static bool has_shrunk(const struct xnm_lists *lists, const struct xnm_rule *rule, size_t entries,
                       char *loss, size_t loss_cap)
{
    const struct xnm_policy *before = lists->before;
    size_t held = before ? xnm_policy_builder_held(lists->builder, before) : 0;

    if (!xnm_list_has_shrunk(rule, held, entries))
        return false;
    snprintf(loss, loss_cap, "has %zu %s, but had %zu: a loss of more than shrink=%d%%", entries,
             entries == 1 ? "entry" : "entries", held, rule->shrink);
    return true;
}

static void leave_out(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    char why[128];

    snprintf(why, sizeof why, "%s", xnm_budget_trouble());
    lists->reading->budget.exceeded = false;
    keep_what_it_held(lists, rule, why, REMOVE);
}

static void read_list_text(struct xnm_lists *lists, const struct xnm_rule *rule,
                           struct xnm_textfile *file)
{
    const struct xnm_list_options how = {.unicode = lists->unicode,
                                         .diagnostics = xnm_reading_reporter(lists->reading),
                                         .stop = lists->reading->stop,
                                         .entry = add_entry,
                                         .arg = lists,
                                         .watch = lists->reading->watch};
    struct xnm_list_counts counts = {0};
    size_t bad_lists = lists->bad_lists;
    char loss[128];

    bool whole = xnm_list_read(&how, rule, rule->path, file->text, file->len, &counts);

    xnm_textfile_free(file); /* a million names: not beside the next list's */
    lists->bad_lines += counts.bad + counts.suffixes;
    lists->skipped_lines += counts.skipped;
    if (lists->reading->no_memory || xnm_reading_is_stopped(lists->reading))
        return;
    if (lists->reading->budget.exceeded) {
        leave_out(lists, rule);
    } else if (!whole) {
        keep_what_it_held(lists, rule, "is refused as a whole", REMOVE);
    } else if (counts.entries == 0 && counts.bad + counts.suffixes > 0) {
        keep_what_it_held(lists, rule, "has no valid line", REMOVE);
    } else if (counts.entries == 0 && rule->shrink < XNM_RULE_SHRINK_ANY) {
        keep_what_it_held(lists, rule, NULL, REMOVE);
    } else if (has_shrunk(lists, rule, counts.entries, loss, sizeof loss)) {
        keep_what_it_held(lists, rule, loss, "write shrink=any on this rule to take it as it is");
    } else if (counts.bad + counts.suffixes > 0) {
        lists->bad_lists++;
    }
    if (xnm_expire_hold(lists->reading, rule, whole ? &counts.soa : NULL)) {
        xnm_policy_builder_forget_list(lists->builder);
        lists->bad_lists = bad_lists + 1;
        return;
    }
    if (whole && counts.unmet != 0) {
        report_unmet(lists, rule, counts.unmet);
        lists->bad_lists = bad_lists + 1;
    }
}

/* A list that is being written to is not read where there is something to keep of it. */
static bool leaves_alone(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    const struct xnm_source *looked = xnm_reading_looked_at(lists->reading, rule->path);
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512];

    if (!looked || !xnm_source_is_busy(looked) || !lists->before)
        return false;
    if (keep_before(lists, rule) <= 0 || !xnm_reading_keep_source(lists->reading, looked))
        return false;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    xnm_diagnose(xnm_reading_reporter(lists->reading), XNM_WARNING, &place,
                 "'%s' is being written to: what it held before stays in force until the writing "
                 "stops, for ten seconds at most",
                 path);
    return true;
}

/* Drops the entries of a zone that could not be read, if they have expired since. */
static void drop_expired(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    if (xnm_expire_hold(lists->reading, rule, NULL))
        xnm_policy_builder_forget_list(lists->builder);
}

void xnm_lists_leave_out(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    leave_out(lists, rule);
    drop_expired(lists, rule);
}

void xnm_lists_read(struct xnm_lists *lists, const struct xnm_rule *rule)
{
    struct xnm_textfile file;
    char cannot[256];

    if (leaves_alone(lists, rule)) {
        drop_expired(lists, rule);
        return;
    }
    if (lists->reading->no_memory)
        return;
    const char *why = xnm_reading_text(lists->reading, rule->path, lists->size_max, true, &file);
    if (!why) {
        read_list_text(lists, rule, &file);
        return;
    }
    if (lists->reading->no_memory || xnm_reading_is_stopped(lists->reading))
        return;
    if (lists->reading->budget.exceeded) {
        xnm_lists_leave_out(lists, rule);
        return;
    }
    if (rule->url && !file.stamp.present)
        snprintf(cannot, sizeof cannot,
                 "is not there: run 'unbound-idn fetch', and enable unbound-idn-fetch.timer");
    else
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    keep_what_it_held(lists, rule, cannot, REMOVE);
    drop_expired(lists, rule);
}
