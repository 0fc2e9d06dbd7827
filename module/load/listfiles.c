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
    size_t number;               /* of the rule with either, for xnm_policy_rule */
    bool excepts;                /* it is the list of except= */
    struct xnm_table *before;    /* what it held before; NULL: nothing */
};

static bool add_entry(void *arg, const struct xnm_list_entry *entry)
{
    struct xnm_reading *reading = arg;

    return xnm_policy_builder_entry(reading->builder, entry) || xnm_reading_has_no_memory(reading);
}

#define REMOVE "remove this rule to drop them"

/* Puts what a list held before in the place of what there is of it now. Returns how many entries;
 * 0: there is nothing, or no room for it. */
static size_t keep_before(struct xnm_reading *reading, const struct list_item *item)
{
    bool kept = item->before && xnm_policy_builder_share_list(reading->builder, item->before);

    if (!kept)
        xnm_policy_builder_forget_list(reading->builder);
    reading->budget.exceeded = false;
    return kept ? xnm_policy_table_names(item->before) : 0;
}

/* Puts what a list held before in the place of what was lost, and says so. `why` NULL: it is
 * empty, which may be what it should be; then only a loss is one. */
static void keep_what_it_held(struct xnm_reading *reading, const struct list_item *item,
                              const char *why, const char *remedy)
{
    const struct xnm_diagnostics *diagnostics = reading->options->diagnostics;
    const struct xnm_rule *rule = item->rule;
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    size_t kept = keep_before(reading, item);
    char path[512];

    if (!why && kept == 0)
        return;
    reading->result->bad_lists++;
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
static void report_unmet(struct xnm_reading *reading, const struct xnm_rule *rule, unsigned unmet)
{
    struct xnm_place place = {rule->file, rule->line, rule->path_column};
    char path[512], kinds[64] = "";

    reading->result->bad_lists++;
    for (xnm_unmet kind = 0; kind < XNM_UNMET_COUNT; kind++)
        if ((unmet | rule->skip) >> kind & 1)
            snprintf(kinds + strlen(kinds), sizeof kinds - strlen(kinds), "%s%s",
                     kinds[0] ? "," : "", xnm_unmet_word(kind));
    xnm_diagnose(reading->options->diagnostics, XNM_ERROR, &place,
                 "'%s' has triggers on addresses or name servers, which do nothing here: load the "
                 "zone in Unbound's own rpz: for them too, and write skip=%s here",
                 xnm_quote(rule->path, strlen(rule->path), path, sizeof path), kinds);
}

/* Has a list lost more than shrink= lets it since the policy in force? A download that was cut off,
 * say. A rule that was not there before has no such loss. */
static bool has_shrunk(const struct list_item *item, size_t entries, char *loss, size_t loss_cap)
{
    size_t held = item->before ? item->before->read_count : 0;

    if (!xnm_list_has_shrunk(item->rule, held, entries))
        return false;
    snprintf(loss, loss_cap, "has %zu %s, but had %zu: a loss of more than shrink=%d%%", entries,
             entries == 1 ? "entry" : "entries", held, item->rule->shrink);
    return true;
}

static void leave_out(struct xnm_reading *reading, const struct list_item *item)
{
    char why[128];

    snprintf(why, sizeof why, "%s", xnm_budget_trouble());
    keep_what_it_held(reading, item, why, REMOVE);
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

/* Watches the file of a table that is in force. Returns whether that need not be read: it has not
 * changed since, or it is being written to. */
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

/* Lets the list in hand have what it held before, if its file need not be read. Returns whether
 * that is so. */
static bool take_unread(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_table *held = xnm_policy_builder_table(reading->builder);

    if (!held || !watch_unread(reading, rule, held))
        return false;
    reading->result->bad_lines += held->file.bad_lines;
    reading->result->skipped_lines += held->file.skipped_lines;
    reading->result->bad_lists += held->file.bad_lines > 0 || held->file.unmet != 0;
    return true;
}

/* --- files that have --- */

/* Says of a list that was read what is not in force of it. */
static void judge(struct xnm_reading *reading, const struct list_item *item, bool whole,
                  const struct xnm_list_counts *counts)
{
    size_t bad = counts->bad + counts->suffixes;
    char loss[128];

    if (reading->budget.exceeded)
        leave_out(reading, item);
    else if (!whole)
        keep_what_it_held(reading, item, "is refused as a whole", REMOVE);
    else if (counts->entries == 0 && bad > 0)
        keep_what_it_held(reading, item, "has no valid line", REMOVE);
    else if (counts->entries == 0 && item->rule->shrink < XNM_RULE_SHRINK_ANY)
        keep_what_it_held(reading, item, NULL, REMOVE);
    else if (has_shrunk(item, counts->entries, loss, sizeof loss))
        keep_what_it_held(reading, item, loss, "write shrink=any on this rule to take it as it is");
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
    xnm_textfile_free(file); /* a million names: not beside the table */
    reading->result->bad_lines += counts.bad + counts.suffixes;
    reading->result->skipped_lines += counts.skipped;
    if (whole && xnm_policy_builder_end_list(reading->builder))
        note_file(reading, item, &stamp, settled, &counts);
    else if (whole)
        xnm_reading_has_no_memory(reading);
    if (reading->no_memory || xnm_reading_is_stopped(reading))
        return;
    judge(reading, item, whole, &counts);
    if (whole && counts.unmet != 0)
        report_unmet(reading, rule, counts.unmet);
}

/* Keeps what a list held whose file cannot be read. */
static void keep_unread(struct xnm_reading *reading, const struct list_item *item, const char *why,
                        bool is_there)
{
    char cannot[256];

    if (item->rule->url && !is_there)
        snprintf(cannot, sizeof cannot,
                 "is not there: run 'unbound-idn fetch', and enable unbound-idn-fetch.timer");
    else
        snprintf(cannot, sizeof cannot, "cannot be read: %s", why);
    keep_what_it_held(reading, item, cannot, REMOVE);
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
        leave_out(reading, item);
    else
        keep_unread(reading, item, why, file.stamp.present);
}

/* Drops the entries of a zone that has expired. An empty table remembers its news; it is made again
 * from the file whenever files are read. */
static void drop_expired(struct xnm_reading *reading, const struct xnm_rule *rule)
{
    const struct xnm_table *held = xnm_policy_builder_table(reading->builder);
    struct xnm_table_maker maker = {0};
    struct xnm_table *empty = NULL;

    if (!xnm_expire_drops(reading->options->diagnostics, rule, held))
        return;
    reading->result->bad_lists++;
    if (xnm_table_begin_making(&maker, XNM_TABLE_ZONE))
        empty = xnm_table_end_making(&maker);
    if (empty) {
        empty->file = held->file;
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

/* --- all of them --- */

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

    /* All lists first take back what they held, so that a list that grows takes no other's room. */
    for (size_t i = 0; i < count; i++) {
        xnm_policy_builder_list(reading->builder, items[i].number, items[i].excepts);
        keep_before(reading, &items[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (!reading->no_memory && !xnm_reading_is_stopped(reading))
            read_list(reading, &items[i]);
}
