/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the parts of a compiled policy that are used in place: names and the tables that find
 * them. One pass over everything, so that decisions need no checks. */
#include "module/compiled/layout.h"

#include <string.h>

static const char bad_entries[] = "names", bad_tables[] = "tables", bad_names[] = "protected names",
                  bad_conditions[] = "conditions";

/* --- sections --- */

/* Makes the arena refer to a section, without owning its memory. */
static void take(const struct xnm_compiled_reading *reading, xnm_compiled_section section,
                 struct xnm_arena *arena)
{
    arena->octets = (uint8_t *)xnm_compiled_part(reading->head, section);
    arena->len = reading->head->sections[section].len;
}

/* A filter may have any content; whether there must be one is checked elsewhere. */
static bool take_filter(const struct xnm_compiled_reading *reading, xnm_compiled_section section,
                        struct xnm_filter *filter)
{
    take(reading, section, &filter->words);
    filter->count = filter->words.len / sizeof(uint64_t);
    return filter->words.len % sizeof(uint64_t) == 0;
}

/* --- where names start --- */

/* A bit for each unit of an arena of names. Tables lead to names in random order, and a bit for
 * every four octets of a million names still fits the cache. */
struct starts {
    struct xnm_arena bits;
    uint32_t count; /* in units */
};

/* No name starts at unit 0, but its bit is set, because a free slot leads there. */
static bool starts_open(struct starts *starts, size_t len)
{
    starts->bits = (struct xnm_arena){0};
    starts->count = (uint32_t)(len / XNM_ENTRY_UNIT);
    if (!xnm_arena_add(&starts->bits, starts->count / 8 + 1))
        return false;
    starts->bits.octets[0] = 1;
    return true;
}

static void starts_add(struct starts *starts, size_t unit)
{
    starts->bits.octets[unit / 8] |= (uint8_t)(1 << unit % 8);
}

static void starts_close(struct starts *starts)
{
    xnm_arena_free(&starts->bits);
}

/* --- tables --- */

/* The longest run of occupied slots, in a table that wraps around. A search ends at a free slot, so
 * there must be one, and not too far. The count has no branch, because whether a slot is occupied
 * is random. */
struct run {
    size_t first, now, longest; /* first: the run that begins at the first slot */
    bool free;
};

static inline void run_add(struct run *run, bool taken)
{
    run->free |= !taken;
    run->now = (run->now + 1) & (0 - (size_t)taken);
    run->longest = run->now > run->longest ? run->now : run->longest;
    run->first += !run->free;
}

static bool is_searchable(const struct run *run)
{
    return run->free && run->longest <= XNM_COMPILED_RUN_MAX &&
           run->now + run->first <= XNM_COMPILED_RUN_MAX;
}

/* Is it the start of a name, or 0 (a free slot)? */
static inline bool leads_to_name(const struct starts *starts, uint32_t at)
{
    uint32_t known = at < starts->count ? at : 0;

    return (starts->bits.octets[known / 8] >> known % 8 & 1) & (known == at);
}

/* Each slot is a tag and a place. */
static bool check_slots(const struct xnm_compiled_reading *reading, const struct xnm_arena *slots,
                        const struct starts *starts)
{
    const struct xnm_policy_slot *slot = (const struct xnm_policy_slot *)(void *)slots->octets;
    size_t count = slots->len / sizeof *slot;
    struct run run = {0};
    bool good = true;

    if (slots->len % sizeof *slot != 0)
        return false;
    for (size_t i = 0; i < count && good; i++) {
        good &= xnm_compiled_goes_on(reading, i) && leads_to_name(starts, slot[i].at);
        run_add(&run, slot[i].at != 0);
    }
    return good && is_searchable(&run);
}

/* The most octets that an entry has. */
static size_t most_denied(const struct xnm_policy *policy)
{
    size_t count = policy->verdicts.len / sizeof(struct xnm_policy_verdict), most = 0;

    for (size_t i = 0; i < count; i++) {
        const struct xnm_modifiers *modifiers = xnm_policy_verdict(policy, i)->modifiers;
        if (modifiers && modifiers->denied_len > most)
            most = modifiers->denied_len;
    }
    return most;
}

/* To look at entries in the order of their slots takes as long as all other checks: for ten million
 * names 0.15 s. So they are looked at only if a row can have too much. The loop begins at a free
 * slot, which every table has, since a row may wrap around. */
bool xnm_compiled_denies_little(const struct xnm_policy *policy, const atomic_bool *stop)
{
    size_t place = 0, denied = 0;

    if (most_denied(policy) <= XNM_COMPILED_DENIED_MAX / XNM_COMPILED_RUN_MAX)
        return true;
    while (xnm_policy_slot(policy, place)->at != 0)
        place++;
    for (size_t i = 0; i < policy->slot_count; i++) {
        size_t at = (size_t)xnm_policy_slot(policy, place)->at * XNM_ENTRY_UNIT;
        const struct xnm_modifiers *modifiers =
            at ? xnm_entry_verdict(policy, xnm_policy_entry(policy, at))->modifiers : NULL;

        denied = at ? denied + (modifiers ? modifiers->denied_len : 0) : 0;
        if (denied > XNM_COMPILED_DENIED_MAX ||
            (i % XNM_COMPILED_TURNS == 0 && xnm_stop_is_set(stop)))
            return false;
        place = xnm_hash_next(place, policy->slot_count);
    }
    return true;
}

static bool check_exempt(const struct xnm_compiled_reading *reading, const struct xnm_arena *exempt,
                         const struct starts *starts)
{
    const uint32_t *places = (const uint32_t *)(void *)exempt->octets;
    size_t count = exempt->len / sizeof *places;
    struct run run = {0};
    bool good = true;

    if (exempt->len % sizeof *places != 0)
        return false;
    for (size_t i = 0; i < count && good; i++) {
        good &= xnm_compiled_goes_on(reading, i) && leads_to_name(starts, places[i]);
        run_add(&run, places[i] != 0);
    }
    return good && is_searchable(&run);
}

/* --- which line a name belongs to --- */

/* Gives the name from `at` to `end` to a line. Names must come in the order of lines; *line had the
 * previous one. */
static inline bool give(const struct xnm_policy *policy, uint32_t owner, uint32_t *line, size_t at,
                        size_t end, bool counts)
{
    if (owner < *line)
        return false;
    *line = owner;
    xnm_policy_line_add(xnm_policy_line(policy, owner), at, end, counts);
    xnm_policy_line(policy, owner)->given += counts;
    return true;
}

/* --- entries --- */

/* Is it a name in wire format of exactly this length? Written for a million short names. */
static inline bool is_name(const uint8_t *octets, size_t len)
{
    size_t at = 0;

    while (octets[at] != 0) {
        if (octets[at] > XN_WIRE_LABEL_MAX)
            return false;
        at += octets[at] + 1U;
        if (at >= len)
            return false;
    }
    return at + 1 == len;
}

static inline bool check_entry(const struct xnm_compiled_reading *reading,
                               const struct xnm_policy_entry *entry)
{
    uint32_t number = entry->verdict_scope >> 2;
    const struct xnm_policy_verdict *verdict;

    if (!is_name(entry->octets, entry->len) || number >= reading->verdict_count)
        return false;
    verdict = xnm_policy_verdict(reading->policy, number);
    return verdict->used && !xnm_policy_line(reading->policy, verdict->line)->label_rule;
}

/* Checks all entries. The loop requires room for a head, one octet of name and the rest of the
 * unit; a name of len octets is read only if that much is left. */
static bool check_entries(struct xnm_compiled_reading *reading, struct starts *starts)
{
    struct xnm_policy *policy = reading->policy;
    size_t at = XNM_ENTRY_FIRST, len = policy->entries.len;
    uint32_t line = 0;

    while (at < len) {
        const struct xnm_policy_entry *entry = xnm_policy_entry(policy, at);
        if (!xnm_compiled_goes_on(reading, policy->entry_count) || len - at < xnm_entry_size(1) ||
            entry->len == 0 || len - at < xnm_entry_size(entry->len) ||
            !check_entry(reading, entry))
            return false;
        starts_add(starts, at / XNM_ENTRY_UNIT);
        policy->entry_count++;
        const struct xnm_policy_verdict *verdict = xnm_entry_verdict(policy, entry);
        bool counts = xnm_entry_scope(entry) != XNM_SCOPE_NONE;
        policy->bare_count += !counts;
        if (counts)
            xnm_policy_note_action(policy, verdict);
        if (!give(policy, verdict->line, &line, at, at + xnm_entry_size(entry->len), counts))
            return false;
        at += xnm_entry_size(entry->len);
    }
    return at == len;
}

static const char *take_entries(struct xnm_compiled_reading *reading)
{
    struct xnm_policy *policy = reading->policy;
    const char *fault = NULL;
    struct starts starts;

    take(reading, XNM_COMPILED_ENTRIES, &policy->entries);
    take(reading, XNM_COMPILED_SLOTS, &policy->slots);
    policy->slot_count = policy->slots.len / sizeof(struct xnm_policy_slot);
    if (!take_filter(reading, XNM_COMPILED_FILTER, &policy->filter) || policy->filter.count == 0)
        return bad_tables;
    if (policy->entries.len % XNM_ENTRY_UNIT != 0)
        return bad_entries;
    if (!starts_open(&starts, policy->entries.len))
        return xnm_compiled_no_memory;
    if (!check_entries(reading, &starts))
        fault = bad_entries;
    else if (!check_slots(reading, &policy->slots, &starts) ||
             !xnm_compiled_denies_little(policy, reading->stop))
        fault = bad_tables;
    starts_close(&starts);
    return fault;
}

/* --- protected names --- */

/* A compared part must begin and end between labels, before the name's end. */
static bool is_border(const struct xnm_protected_name *name, uint8_t border)
{
    size_t at = 0;

    while (at < border)
        at += name->octets[at] + 1U;
    return at == border;
}

/* Does a line have this trigger and a verdict? */
static bool is_said(const struct xnm_compiled_reading *reading, uint32_t line,
                    bool is_such(xnm_trigger trigger))
{
    return line < reading->line_count &&
           is_such(xnm_policy_line(reading->policy, line)->shown.trigger) &&
           xnm_label_rule_verdict(reading->policy, line)->used;
}

static bool check_name(const struct xnm_compiled_reading *reading,
                       const struct xnm_protected_name *name)
{
    return is_name(name->octets, name->len) && name->start <= name->end && name->end < name->len &&
           is_border(name, name->start) && is_border(name, name->end) &&
           is_said(reading, name->line, xnm_trigger_is_lookalike);
}

static bool check_names(struct xnm_compiled_reading *reading, struct starts *starts)
{
    struct xnm_lookalike_index *lookalikes = &reading->policy->lookalikes;
    size_t at = XNM_LOOKALIKE_FIRST, len = lookalikes->names.len;
    uint32_t line = 0;

    while (at < len) {
        const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at);
        if (!xnm_compiled_goes_on(reading, lookalikes->count) ||
            len - at < xnm_lookalike_name_size(1) || name->len == 0 ||
            len - at < xnm_lookalike_name_size(name->len) || !check_name(reading, name))
            return false;
        starts_add(starts, at / XNM_LOOKALIKE_UNIT);
        lookalikes->count++;
        if (!give(reading->policy, name->line, &line, at, at + xnm_lookalike_name_size(name->len),
                  true))
            return false;
        at += xnm_lookalike_name_size(name->len);
    }
    return at == len;
}

/* The sections of a table stand one after the other. */
static bool take_table(struct xnm_compiled_reading *reading, xnm_compiled_section slots,
                       xnm_compiled_section every, struct xnm_lookalike_table *table)
{
    take(reading, slots, &table->slots);
    table->slot_count = table->slots.len / sizeof(struct xnm_policy_slot);
    return take_filter(reading, every, &table->every) && table->every.count > 0 &&
           take_filter(reading, every + 1, &table->plain);
}

/* No name may have near= or within=. */
static bool take_parts(struct xnm_compiled_reading *reading)
{
    const struct xnm_compiled_head *head = reading->head;
    struct xnm_lookalike_parts *parts = &reading->policy->lookalikes.parts;

    if (head->sections[XNM_COMPILED_PART_SLOTS].len == 0)
        return true;
    parts->suffixes = head->part_suffixes;
    parts->lengths = head->part_lengths;
    parts->left = head->part_left != 0;
    parts->near = head->near != 0;
    parts->within = head->within != 0;
    return take_table(reading, XNM_COMPILED_PART_SLOTS, XNM_COMPILED_PART_EVERY, &parts->table);
}

static bool take_name_tables(struct xnm_compiled_reading *reading)
{
    struct xnm_lookalike_index *lookalikes = &reading->policy->lookalikes;

    take(reading, XNM_COMPILED_EXEMPT, &lookalikes->exempt);
    lookalikes->exempt_count = lookalikes->exempt.len / sizeof(uint32_t);
    lookalikes->depths = reading->head->lookalike_depths;
    lookalikes->compared_whole = reading->head->compared_whole;
    lookalikes->compared_left = reading->head->compared_left;
    lookalikes->whole = reading->head->whole != 0;
    lookalikes->any_tld = reading->head->any_tld != 0;
    lookalikes->private = reading->head->private != 0;
    lookalikes->any_label = reading->head->any_label != 0;
    lookalikes->strict = reading->head->strict != 0;
    return take_table(reading, XNM_COMPILED_NAME_SLOTS, XNM_COMPILED_EVERY, &lookalikes->labels) &&
           take_parts(reading);
}

static const char *take_names(struct xnm_compiled_reading *reading)
{
    struct xnm_lookalike_index *lookalikes = &reading->policy->lookalikes;
    const char *fault = NULL;
    struct starts starts;

    take(reading, XNM_COMPILED_NAMES, &lookalikes->names);
    if (lookalikes->names.len == 0) { /* and nobody searches for any */
        lookalikes->names = (struct xnm_arena){0};
        return NULL;
    }
    if (lookalikes->names.len % XNM_LOOKALIKE_UNIT != 0)
        return bad_names;
    if (!take_name_tables(reading))
        return bad_tables;
    if (!starts_open(&starts, lookalikes->names.len))
        return xnm_compiled_no_memory;
    if (!check_names(reading, &starts))
        fault = bad_names;
    else if (!check_slots(reading, &lookalikes->labels.slots, &starts) ||
             (lookalikes->parts.table.slot_count > 0 &&
              !check_slots(reading, &lookalikes->parts.table.slots, &starts)) ||
             !check_exempt(reading, &lookalikes->exempt, &starts))
        fault = bad_tables;
    starts_close(&starts);
    return fault;
}

/* --- conditions --- */

/* They must be in the order of lines, each once. */
static const char *take_conditions(struct xnm_compiled_reading *reading)
{
    struct xnm_policy *policy = reading->policy;
    const uint32_t *lines = xnm_compiled_part(reading->head, XNM_COMPILED_CONDITIONS);

    take(reading, XNM_COMPILED_CONDITIONS, &policy->conditions);
    policy->condition_count = policy->conditions.len / sizeof *lines;
    if (policy->conditions.len % sizeof *lines != 0 || policy->condition_count > XNM_CONDITIONS_MAX)
        return bad_conditions;
    for (size_t i = 0; i < policy->condition_count; i++)
        if (!xnm_compiled_goes_on(reading, i) ||
            !is_said(reading, lines[i], xnm_trigger_is_condition) ||
            (i > 0 && lines[i] <= lines[i - 1]))
            return bad_conditions;
    return NULL;
}

const char *xnm_compiled_take_tables(struct xnm_compiled_reading *reading)
{
    const char *fault = take_entries(reading);

    if (!fault)
        fault = take_names(reading);
    return fault ? fault : take_conditions(reading);
}
