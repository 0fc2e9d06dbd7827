/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/load/listfiles.h"

#include "module/base/diagnostics.h"
#include "module/build/build.h"
#include "module/list/list.h"
#include "module/load/expire.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"
#include "module/table/make.h"
#include "module/table/table.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <xxhash.h>

/* A list of the policy. */
struct list_item {
    const struct xnm_rule *rule; /* its own, or that of except= */
    size_t number;               /* number of the rule, for xnm_policy_rule */
    bool excepts;                /* the list is that of except= */
    struct xnm_table *before;    /* its previous table; NULL: none */
};

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct xnm_reading *reading = arg;

    return xnm_policy_builder_entry(reading->builder, entry) || xnm_reading_has_no_memory(reading);
}

#define REMOVE "remove this rule to drop them"

/* Restores a list's previous entries. Returns their number; 0: there are none, or there is no room
 * for them. */
static size_t restore(struct xnm_reading *reading, const struct list_item *item)
{
    bool kept = item->before && xnm_policy_builder_share_list(reading->builder, item->before);

    if (!kept)
        xnm_policy_builder_forget_list(reading->builder);
    reading->budget.exceeded = false;
    return kept ? xnm_policy_table_names(item->before) : 0;
}

/* Restores a list's previous entries and reports that. `why` NULL: the file is empty, which is only
 * reported if there were entries. */
static void keep_previous(struct xnm_reading *reading, const struct list_item *item,
                          const char *why, const char *remedy)
{
    const struct xnm_diagnostics *diagnostics = reading->options->diagnostics;
    const struct xnm_rule *rule = item->rule;
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    size_t kept = restore(reading, item);
    char path[512];

    if (!why && kept == 0)
        return;
    reading->result->bad_lists++;
    xnm_diagnostics_quote(rule->path, strlen(rule->path), path, sizeof path);
    if (kept > 0)
        xnm_diagnostics_add(diagnostics, XNM_ERROR, &place,
                            "'%s' %s: what it held before stays in force (%zu %s; %s)", path,
                            why ? why : "has become empty", kept, kept == 1 ? "entry" : "entries",
                            remedy);
    else
        xnm_diagnostics_add(diagnostics, XNM_ERROR, &place,
                            "'%s' %s: none of its entries is in force", path, why);
}

/* Reports a zone with triggers on addresses or name servers, which have no effect. */
static void report_unmet(struct xnm_reading *reading, const struct xnm_rule *rule, unsigned unmet)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512], kinds[64] = "";

    reading->result->bad_lists++;
    for (xnm_unmet kind = 0; kind < XNM_UNMET_COUNT; kind++)
        if ((unmet | rule->skip) >> kind & 1)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s",
                     kinds[0] ? "," : "", xnm_unmet_word(kind));
    xnm_diagnostics_add(
        reading->options->diagnostics, XNM_ERROR, &place,
        "'%s' has triggers on addresses or name servers, which do nothing here: load the "
        "zone in Unbound's own rpz: for them too, and write skip=%s here",
        xnm_diagnostics_quote(rule->path, strlen(rule->path), path, sizeof path), kinds);
}

/* Returns whether a list has lost more entries than shrink= allows since the policy in force, as
 * after an incomplete download. False if the rule is new. */
static bool has_shrunk(const struct list_item *item, size_t entries, char *loss, size_t loss_cap)
{
    size_t previous = item->before ? item->before->read_count : 0;

    if (!xnm_list_has_shrunk(item->rule, previous, entries))
        return false;
    snprintf(loss, loss_cap, "has %zu %s, but had %zu: a loss of more than shrink=%d%%", entries,
             entries == 1 ? "entry" : "entries", previous, item->rule->shrink);
    return true;
}

static void restore_for_room(struct xnm_reading *reading, const struct list_item *item)
{
    char why[128];

    snprintf(why, sizeof why, "%s", xnm_budget_trouble());
    keep_previous(reading, item, why, REMOVE);
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

/* Returns whether each later write to a file will change its stamp. A write in the same tick of the
 * file system's clock does not. A tick takes ten milliseconds at most, for which this allows
 * twenty, or two seconds where the clock has no fractions. */
static bool is_settled(const struct xnm_stamp *stamp)
{
    const int64_t second = 1000000000, tick = stamp->ctime.tv_nsec ? second / 50 : 2 * second;
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (now.tv_sec - stamp->ctime.tv_sec) * second + now.tv_nsec - stamp->ctime.tv_nsec > tick;
}

/* Sets what a table was made from. `settled`: is_settled of the file before it was read. */
static void note_file(struct xnm_reading *reading, const struct list_item *item,
                      const struct xnm_stamp *stamp, bool settled,
                      const struct xnm_list_counts *counts)
{
    struct xnm_table *table = xnm_policy_builder_table(reading->builder);

    if (!table)
        return;
    table->file = (struct xnm_table_file){.bad_lines = counts->bad + counts->suffixes,
                                          .skipped_lines = counts->skipped,
                                          .unmet = counts->unmet};
    if (counts->soa.found)
        xnm_expire_note(&table->file, &counts->soa, stamp,
                        item->before ? &item->before->file : NULL);
    if (settled)
        identify(item->rule, stamp, table->file.origin);
}

/* Watches the file of a table that is in force. Returns whether the file need not be read, because
 * it has not changed, or is being written to. */
static bool watch_unread(struct xnm_reading *reading, const struct xnm_rule *rule,
                         const struct xnm_table *table)
{
    const struct xnm_sources *looked = reading->options->looked;
    const struct xnm_source *busy = looked ? xnm_sources_find(looked, rule->path) : NULL;
    struct xnm_source source = {.path = rule->path, .can_wait = true};
    uint8_t origin[16];

    if (busy && xnm_source_is_busy(busy))
        return xnm_reading_watch(reading, busy);
    source.read = source.found = xnm_stamp_of(rule->path);
    identify(rule, &source.read, origin);
    return memcmp(table->file.origin, origin, sizeof origin) == 0 &&
           xnm_reading_watch(reading, &source);
}

/* Keeps the current list's previous table if its file need not be read. Returns whether it did. */
static bool take_unread(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_table *previous = xnm_policy_builder_table(reading->builder);

    if (!previous || !watch_unread(reading, rule, previous))
        return false;
    reading->result->bad_lines += previous->file.bad_lines;
    reading->result->skipped_lines += previous->file.skipped_lines;
    reading->result->bad_lists += previous->file.bad_lines > 0 || previous->file.unmet != 0;
    return true;
}

/* --- files that have changed --- */

/* Keeps the list that was read, or its previous entries, and reports what is not in force. */
static void keep_or_restore(struct xnm_reading *reading, const struct list_item *item, bool whole,
                            const struct xnm_list_counts *counts)
{
    size_t bad = counts->bad + counts->suffixes;
    char loss[128];

    if (reading->budget.exceeded)
        restore_for_room(reading, item);
    else if (!whole)
        keep_previous(reading, item, "is refused as a whole", REMOVE);
    else if (counts->entries == 0 && bad > 0)
        keep_previous(reading, item, "has no valid line", REMOVE);
    else if (counts->entries == 0 && item->rule->shrink < XNM_RULE_SHRINK_ANY)
        keep_previous(reading, item, NULL, REMOVE);
    else if (has_shrunk(item, counts->entries, loss, sizeof loss))
        keep_previous(reading, item, loss, "write shrink=any on this rule to take it as it is");
    else if (bad > 0)
        reading->result->bad_lists++;
}

static void read_list_text(struct xnm_reading *reading, const struct list_item *item,
                           struct xnm_textfile *file)
{
    const struct xnm_rule *rule = item->rule;
    const struct xnm_list_options how = {.unicode = reading->options->unicode,
                                         .diagnostics = reading->options->diagnostics,
                                         .stop = reading->options->stop,
                                         .entry = add_entry,
                                         .arg = reading,
                                         .watch = reading->options->watch};
    const struct xnm_stamp stamp = file->stamp;
    bool settled = is_settled(&stamp);
    struct xnm_list_counts counts = {0};

    bool whole = xnm_list_read(&how, rule, rule->path, file->text, file->len, &counts);
    xnm_textfile_free(file); /* freed early: a million names take much memory beside the table */
    reading->result->bad_lines += counts.bad + counts.suffixes;
    reading->result->skipped_lines += counts.skipped;
    if (whole && xnm_policy_builder_end_list(reading->builder))
        note_file(reading, item, &stamp, settled, &counts);
    else if (whole)
        xnm_reading_has_no_memory(reading);
    if (reading->no_memory || xnm_reading_is_stopped(reading))
        return;
    keep_or_restore(reading, item, whole, &counts);
    if (whole && counts.unmet != 0)
        report_unmet(reading, rule, counts.unmet);
}

/* Keeps the previous entries of a list whose file cannot be read. */
static void keep_unread(struct xnm_reading *reading, const struct list_item *item, const char *why,
                        bool is_there)
{
    char cannot[256];

    if (item->rule->url && !is_there)
        snprintf(cannot, sizeof cannot,
                 "is not there: run 'unbound-idn fetch', and enable unbound-idn-fetch.timer");
    else
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    keep_previous(reading, item, cannot, REMOVE);
}

static void read_changed(struct xnm_reading *reading, const struct list_item *item)
{
    const struct xnm_rule *rule = item->rule;
    struct xnm_textfile file;

    xnm_policy_builder_forget_list(reading->builder);
    const char *why = xnm_reading_text(reading, rule->path, XNM_LIST_SIZE_MAX, true, &file);
    if (!why)
        read_list_text(reading, item, &file);
    else if (reading->no_memory || xnm_reading_is_stopped(reading))
        return;
    else if (reading->budget.exceeded)
        restore_for_room(reading, item);
    else
        keep_unread(reading, item, why, file.stamp.present);
}

/* Drops the entries of a zone that has expired. An empty table keeps the time of its last change;
 * it is made again from the file whenever files are read. */
static void drop_expired(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_table *previous = xnm_policy_builder_table(reading->builder);
    struct xnm_table_maker maker = {0};
    struct xnm_table *empty = NULL;

    if (!xnm_expire_drops(reading->options->diagnostics, rule, previous))
        return;
    reading->result->bad_lists++;
    if (xnm_table_begin_making(&maker, XNM_TABLE_ZONE))
        empty = xnm_table_end_making(&maker);
    if (empty) {
        empty->file = previous->file;
        memset(empty->file.origin, 0, sizeof empty->file.origin);
    }
    if (!empty || !xnm_policy_builder_share_list(reading->builder, empty))
        xnm_policy_builder_forget_list(reading->builder);
    xnm_table_leave(empty);
}

static void read_list(struct xnm_reading *reading, const struct list_item *item)
{
    size_t bad_lists = reading->result->bad_lists;

    xnm_policy_builder_list(reading->builder, item->number, item->excepts);
    if (!take_unread(reading, item->rule) && !reading->no_memory)
        read_changed(reading, item);
    if (reading->no_memory || xnm_reading_is_stopped(reading))
        return;
    drop_expired(reading, item->rule);
    if (reading->result->bad_lists > bad_lists)
        reading->result->bad_lists = bad_lists + 1;
}

/* --- all lists --- */

static bool add_item(struct xnm_reading *reading, const struct xnm_rule *rule, size_t number,
                     bool excepts)
{
    const struct xnm_policy *before = reading->options->before;
    struct list_item *item = xnm_arena_add(&reading->lists, sizeof *item);

    if (!item)
        return false;
    item->rule = rule;
    item->number = number;
    item->excepts = excepts;
    item->before = before ? xnm_policy_table(before, rule, excepts) : NULL;
    return true;
}

bool xnm_listfiles_add(struct xnm_reading *reading, const struct xnm_rule *rule, size_t number)
{
    return (!rule->path || add_item(reading, rule, number, false)) &&
           (!rule->except || add_item(reading, rule->except, number, true));
}

void xnm_listfiles_read(struct xnm_reading *reading)
{
    const struct list_item *items = (const struct list_item *)(const void *)reading->lists.octets;
    size_t count = reading->lists.len / sizeof *items;

    /* Restore all lists first, so that a list that grows takes no room of another. */
    for (size_t i = 0; i < count; i++) {
        xnm_policy_builder_list(reading->builder, items[i].number, items[i].excepts);
        restore(reading, &items[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!reading->no_memory && !xnm_reading_is_stopped(reading))
            read_list(reading, &items[i]);
}
