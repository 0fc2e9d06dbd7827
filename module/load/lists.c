/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/lists.h"

#include "module/base/diagnostics.h"
#include "module/list/list.h"
#include "module/load/expire.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"
#include "module/table/table.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct xnm_lists *lists = arg;

    return xnm_policy_builder_entry(lists->builder, entry) ||
           xnm_reading_has_no_memory(lists->reading);
}

#define REMOVE "remove this rule to drop them"

/* Puts what a list held before in the place of what there is of it now. Returns how many entries;
 * 0: there is nothing, or no room for it. */
static size_t keep_before(struct xnm_lists *lists, const struct xnm_list_item *item)
{
    bool kept = item->before && xnm_policy_builder_share_list(lists->builder, item->before);

    if (!kept)
        xnm_policy_builder_forget_list(lists->builder);
    lists->reading->budget.exceeded = false;
    return kept ? xnm_policy_table_names(item->before) : 0;
}

/* Puts what a list held before in the place of what was lost, and says so. `why` NULL: it is
 * empty, which may be what it should be; then only a loss is one. */
static void keep_what_it_held(struct xnm_lists *lists, const struct xnm_list_item *item,
                              const char *why, const char *remedy)
{
    const struct xnm_diagnostics *diagnostics = lists->reading->diagnostics;
    const struct xnm_rule *rule = item->rule;
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    size_t kept = keep_before(lists, item);
    char path[512];

    if (!why && kept == 0)
        return;
    lists->bad_lists++;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    if (kept > 0)
        xnm_diagnose(diagnostics, XNM_ERROR, &place,
                     "'%s' %s: what it held before stays in force (%zu %s; %s)", path,
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
    xnm_diagnose(lists->reading->diagnostics, XNM_ERROR, &place,
                 "'%s' has triggers on addresses or name servers, which do nothing here: load the "
                 "zone in Unbound's own rpz: for them too, and write skip=%s here",
                 xnm_quote(rule->path, strlen(rule->path), path, sizeof path), kinds);
}

/* Has a list lost more than shrink= lets it since the policy in force? A download that was cut off,
 * say. A rule that was not there before has no such loss. */
static bool has_shrunk(const struct xnm_list_item *item, size_t entries, char *loss,
                       size_t loss_cap)
{
    size_t held = item->before ? item->before->given : 0;

    if (!xnm_list_has_shrunk(item->rule, held, entries))
        return false;
    snprintf(loss, loss_cap, "has %zu %s, but had %zu: a loss of more than shrink=%d%%", entries,
             entries == 1 ? "entry" : "entries", held, item->rule->shrink);
    return true;
}

static void leave_out(struct xnm_lists *lists, const struct xnm_list_item *item)
{
    char why[128];

    snprintf(why, sizeof why, "%s", xnm_budget_trouble());
    keep_what_it_held(lists, item, why, REMOVE);
}

/* --- files that have not changed --- */

/* Identifies the state of a list's file, and how the rule has it read. */
static void identify(const struct xnm_rule *rule, const struct xnm_stamp *stamp, uint8_t origin[16])
{
    const uint64_t words[] = {stamp->dev,
                              stamp->link_dev,
                              stamp->ino,
                              stamp->link_ino,
                              (uint64_t)stamp->size,
                              (uint64_t)stamp->mtime.tv_sec,
                              (uint64_t)stamp->mtime.tv_nsec,
                              (uint64_t)stamp->ctime.tv_sec,
                              (uint64_t)stamp->ctime.tv_nsec,
                              (uint64_t)stamp->link_mtime.tv_sec,
                              (uint64_t)stamp->link_mtime.tv_nsec,
                              rule->trigger,
                              rule->suffixes,
                              rule->skip,
                              rule->action == XNM_PASSTHRU,
                              rule->origin ? rule->origin->len : 0};
    uint64_t seed =
        rule->origin ? XXH3_64bits(rule->origin->octets, rule->origin->len) : XXH3_64bits("", 0);
    XXH128_canonical_t digest;

    XXH128_canonicalFromHash(&digest, XXH3_128bits_withSeed(words, sizeof words, seed));
    memcpy(origin, digest.digest, 16);
}

/* Returns whether each later write to a file will change its stamp: not one in the same tick of the
 * file system's clock, of ten milliseconds at most, or of two seconds where it has no fractions. */
static bool is_settled(const struct xnm_stamp *stamp)
{
    const int64_t second = 1000000000, tick = stamp->ctime.tv_nsec ? second / 50 : 2 * second;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - stamp->ctime.tv_sec) * second + now.tv_nsec - stamp->ctime.tv_nsec > tick;
}

/* Remembers what a table was made from. `settled`: before it was read, the file was. */
static void note_file(struct xnm_lists *lists, const struct xnm_rule *rule,
                      const struct xnm_stamp *stamp, bool settled,
                      const struct xnm_list_counts *counts)
{
    struct xnm_table *table = xnm_policy_builder_table(lists->builder);

    if (!table)
        return;
    table->file = (struct xnm_table_file){.bad_lines = counts->bad + counts->suffixes,
                                          .skipped_lines = counts->skipped,
                                          .unmet = counts->unmet,
                                          .has_soa = counts->soa.found,
                                          .serial = counts->soa.serial,
                                          .expire = counts->soa.expire};
    if (settled)
        identify(rule, stamp, table->file.origin);
}

/* Takes the table of a file that has not changed since it was read, if the list in hand has it.
 * Returns whether that is so. */
static bool take_unchanged(struct xnm_lists *lists, const struct xnm_list_item *item)
{
    const struct xnm_stamp stamp = xnm_stamp_of(item->rule->path);
    const struct xnm_table *held = xnm_policy_builder_table(lists->builder);
    uint8_t origin[16];

    identify(item->rule, &stamp, origin);
    if (!held || memcmp(held->file.origin, origin, sizeof origin) != 0 ||
        !xnm_reading_note(lists->reading, item->rule->path, &stamp))
        return false;
    const struct xnm_table_file *file = &held->file;
    const struct xnm_list_soa soa = {
        .found = file->has_soa, .serial = file->serial, .expire = file->expire};
    lists->bad_lines += file->bad_lines;
    lists->skipped_lines += file->skipped_lines;
    lists->bad_lists += file->bad_lines > 0 || file->unmet != 0;
    if (xnm_expire_hold(lists->reading, item->rule, &soa))
        xnm_policy_builder_forget_list(lists->builder);
    return true;
}

/* --- files that have --- */

/* Says of a list that was read what is not in force of it. */
static void judge(struct xnm_lists *lists, const struct xnm_list_item *item, bool whole,
                  const struct xnm_list_counts *counts)
{
    size_t bad = counts->bad + counts->suffixes;
    char loss[128];

    if (lists->reading->budget.exceeded)
        leave_out(lists, item);
    else if (!whole)
        keep_what_it_held(lists, item, "is refused as a whole", REMOVE);
    else if (counts->entries == 0 && bad > 0)
        keep_what_it_held(lists, item, "has no valid line", REMOVE);
    else if (counts->entries == 0 && item->rule->shrink < XNM_RULE_SHRINK_ANY)
        keep_what_it_held(lists, item, NULL, REMOVE);
    else if (has_shrunk(item, counts->entries, loss, sizeof loss))
        keep_what_it_held(lists, item, loss, "write shrink=any on this rule to take it as it is");
    else if (bad > 0)
        lists->bad_lists++;
}

static void read_list_text(struct xnm_lists *lists, const struct xnm_list_item *item,
                           struct xnm_textfile *file)
{
    const struct xnm_rule *rule = item->rule;
    const struct xnm_list_options how = {.unicode = lists->unicode,
                                         .diagnostics = lists->reading->diagnostics,
                                         .stop = lists->reading->stop,
                                         .entry = add_entry,
                                         .arg = lists,
                                         .watch = lists->reading->watch};
    const struct xnm_stamp stamp = file->stamp;
    bool settled = is_settled(&stamp);
    struct xnm_list_counts counts = {0};
    size_t bad_lists = lists->bad_lists;

    bool whole = xnm_list_read(&how, rule, rule->path, file->text, file->len, &counts);
    xnm_textfile_free(file); /* a million names: not beside the table */
    lists->bad_lines += counts.bad + counts.suffixes;
    lists->skipped_lines += counts.skipped;
    if (whole && xnm_policy_builder_end_list(lists->builder))
        note_file(lists, rule, &stamp, settled, &counts);
    else if (whole)
        xnm_reading_has_no_memory(lists->reading);
    if (lists->reading->no_memory || xnm_reading_is_stopped(lists->reading))
        return;
    judge(lists, item, whole, &counts);
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

    if (!looked || !xnm_source_is_busy(looked) || !xnm_policy_builder_table(lists->builder) ||
        !xnm_reading_keep_source(lists->reading, looked))
        return false;
    xnm_quote(rule->path, strlen(rule->path), path, sizeof path);
    xnm_diagnose(lists->reading->diagnostics, XNM_WARNING, &place,
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

/* Keeps what a list held whose file cannot be read. */
static void keep_unread(struct xnm_lists *lists, const struct xnm_list_item *item, const char *why,
                        bool is_there)
{
    char cannot[256];

    if (item->rule->url && !is_there)
        snprintf(cannot, sizeof cannot,
                 "is not there: run 'unbound-idn fetch', and enable unbound-idn-fetch.timer");
    else
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    keep_what_it_held(lists, item, cannot, REMOVE);
}

static void read_list(struct xnm_lists *lists, const struct xnm_list_item *item)
{
    const struct xnm_rule *rule = item->rule;
    struct xnm_textfile file;

    xnm_policy_builder_list(lists->builder, item->number);
    if (take_unchanged(lists, item))
        return;
    if (leaves_alone(lists, rule)) {
        drop_expired(lists, rule);
        return;
    }
    xnm_policy_builder_forget_list(lists->builder);
    if (lists->reading->no_memory)
        return;
    const char *why = xnm_reading_text(lists->reading, rule->path, lists->size_max, true, &file);
    if (!why) {
        read_list_text(lists, item, &file);
        return;
    }
    if (lists->reading->no_memory || xnm_reading_is_stopped(lists->reading))
        return;
    if (lists->reading->budget.exceeded)
        leave_out(lists, item);
    else
        keep_unread(lists, item, why, file.stamp.present);
    drop_expired(lists, rule);
}

/* --- all of them --- */

bool xnm_lists_add(struct xnm_lists *lists, const struct xnm_rule *rule, size_t number)
{
    struct xnm_list_item *item = xnm_arena_add(&lists->items, sizeof *item);

    if (!item)
        return false;
    item->rule = rule;
    item->number = number;
    item->before = lists->before ? xnm_policy_table(lists->before, rule) : NULL;
    return true;
}

void xnm_lists_read(struct xnm_lists *lists)
{
    const struct xnm_list_item *items =
        (const struct xnm_list_item *)(const void *)lists->items.octets;
    size_t count = lists->items.len / sizeof *items;

    /* What lists held comes first, so that none that grows takes the room of others. */
    for (size_t i = 0; i < count; i++) {
        xnm_policy_builder_list(lists->builder, items[i].number);
        keep_before(lists, &items[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!lists->reading->no_memory && !xnm_reading_is_stopped(lists->reading))
            read_list(lists, &items[i]);
}
