/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/compiled/write.h"

#include "core/idna/property.h"
#include "core/lookalike/lookalike.h"
#include "module/build/index.h"
#include "module/compiled/layout.h"
#include "module/rule/rules.h"

#include <string.h>
#include <xxhash.h>

static const char no_memory[] = "out of memory",
                  collide[] =
                      "more than 4096 of its entries have one place in the hash table: expected "
                      "names that nobody has chosen to collide, and no name in so many lists",
                  denies_much[] =
                      "entries that have one place in the hash table have more than 1 MiB of "
                      "$denyallow= names: expected lists with fewer of them for the same name";

/* The sections so far. Large ones are borrowed from the policy. */
struct writing {
    const struct xnm_policy *policy;
    struct xnm_arena parts[XNM_COMPILED_SECTIONS];
    struct xnm_arena borrowed[XNM_COMPILED_KEPT];
    const char *file; /* of the previous line, and the place of its text */
    uint32_t file_at;
    uint32_t label_rule_count, record_count, except_count, modifiers_count;
    bool no_memory;
};

/* --- parts --- */

/* Appends to a section. Members that are not set are 0. */
static void add(struct writing *writing, xnm_compiled_section section, const void *octets,
                size_t len)
{
    void *added = len > 0 ? xnm_arena_add(&writing->parts[section], len) : NULL;

    if (added)
        memcpy(added, octets, len);
    else if (len > 0)
        writing->no_memory = true;
}

/* Returns the place of the octets. */
static uint32_t add_octets(struct writing *writing, const void *octets, size_t len)
{
    size_t at = writing->parts[XNM_COMPILED_TEXT].len;

    if (len >= XNM_COMPILED_NONE - at)
        writing->no_memory = true;
    else
        add(writing, XNM_COMPILED_TEXT, octets, len);
    return (uint32_t)at;
}

static uint32_t add_text(struct writing *writing, const char *text)
{
    return text ? add_octets(writing, text, strlen(text) + 1) : XNM_COMPILED_NONE;
}

static uint32_t add_file(struct writing *writing, const char *file)
{
    if (!writing->file || strcmp(writing->file, file) != 0) {
        writing->file_at = add_text(writing, file);
        writing->file = file;
    }
    return writing->file_at;
}

/* --- rules --- */

static uint32_t add_label_rule(struct writing *writing, const struct xnm_label_rule *label_rule)
{
    const struct xnm_protection *protection = &label_rule->protection;
    const struct xnm_condition *condition = &label_rule->condition;
    struct xnm_compiled_label_rule to = {.verdict = label_rule->verdict,
                                         .except_at = writing->except_count,
                                         .except_count = (uint32_t)condition->except_count,
                                         .key = (uint8_t)protection->key,
                                         .ascii = (uint8_t)protection->ascii,
                                         .any_tld = protection->any_tld,
                                         .private = protection->private,
                                         .any_label = protection->any_label,
                                         .min = protection->min,
                                         .strict_min = protection->strict_min,
                                         .near = protection->near,
                                         .within = protection->within,
                                         .outside = condition->outside,
                                         .level = (uint8_t)condition->level};

    memcpy(to.scripts, condition->scripts.bits, sizeof to.scripts);
    for (size_t i = 0; i < condition->except_count; i++) {
        struct xnm_wirename name = {.len = condition->except[i].len};
        memcpy(name.octets, condition->except[i].octets, name.len);
        add(writing, XNM_COMPILED_EXCEPTS, &name, sizeof name);
    }
    writing->except_count += to.except_count;
    add(writing, XNM_COMPILED_LABEL_RULES, &to, sizeof to);
    return writing->label_rule_count++;
}

static void add_line(struct writing *writing, const struct xnm_policy_line *line)
{
    struct xnm_compiled_line to = {.file = add_file(writing, line->shown.file),
                                   .subject = add_text(writing, line->shown.subject),
                                   .ede_text = add_text(writing, line->ede_text),
                                   .line = line->shown.line,
                                   .column = line->column,
                                   .ttl = line->ttl,
                                   .ede = line->ede,
                                   .label_rule = XNM_COMPILED_NONE,
                                   .action = (uint8_t)line->shown.action,
                                   .trigger = (uint8_t)line->shown.trigger,
                                   .type_count = line->type_count,
                                   .tag = line->shown.tag,
                                   .log_only = line->log_only,
                                   .audience = line->audience};

    memcpy(to.types, line->types, line->type_count * sizeof *to.types);
    memcpy(to.unseen, line->unseen, sizeof to.unseen);
    if (line->label_rule)
        to.label_rule = add_label_rule(writing, line->label_rule);
    add(writing, XNM_COMPILED_LINES, &to, sizeof to);
}

static void add_record(struct writing *writing, const struct xnm_record *record)
{
    const struct xnm_compiled_record to = {
        .type = record->type,
        .rdata_len = record->rdata_len,
        .ttl = record->ttl,
        .rdata_at = add_octets(writing, record->rdata, record->rdata_len)};

    add(writing, XNM_COMPILED_RECORDS, &to, sizeof to);
    writing->record_count++;
}

static uint32_t add_modifiers(struct writing *writing, const struct xnm_modifiers *modifiers)
{
    struct xnm_compiled_modifiers to = {
        .denied_at = add_octets(writing, modifiers->denied, modifiers->denied_len),
        .denied_len = modifiers->denied_len,
        .exempts = modifiers->exempts,
        .strength = modifiers->strength,
        .but_types = modifiers->but_types,
        .type_count = modifiers->type_count};

    memcpy(to.types, modifiers->types, sizeof to.types);
    add(writing, XNM_COMPILED_MODIFIERS, &to, sizeof to);
    return writing->modifiers_count++;
}

/* Unused verdicts are kept, with action 0, so that the numbers of the others stay. */
static void add_verdict(struct writing *writing, const struct xnm_policy_verdict *verdict)
{
    struct xnm_compiled_verdict to = {.records_at = writing->record_count,
                                      .modifiers = XNM_COMPILED_NONE};

    if (verdict->used) {
        to.line = verdict->line;
        to.ttl = verdict->shown.ttl;
        to.ede = verdict->shown.ede;
        to.record_count = (uint32_t)verdict->shown.record_count;
        to.action = (uint8_t)verdict->shown.action;
        to.prefix = verdict->shown.prefix;
        if (verdict->modifiers)
            to.modifiers = add_modifiers(writing, verdict->modifiers);
        for (size_t i = 0; i < verdict->shown.record_count; i++)
            add_record(writing, &verdict->shown.records[i]);
    }
    add(writing, XNM_COMPILED_VERDICTS, &to, sizeof to);
}

static void add_clients(struct writing *writing)
{
    const struct xnm_policy *policy = writing->policy;
    size_t audiences = policy->audiences.len / sizeof(struct xnm_audience);

    for (size_t i = 0; i < xnm_policy_client_set_count(policy); i++) {
        const struct xnm_client_set *set = xnm_policy_client_set(policy, i);
        struct xnm_compiled_client_set to = {.group = add_text(writing, set->group),
                                             .path = add_text(writing, set->path)};
        for (unsigned family = 0; family < XNM_FAMILIES; family++) {
            to.count[family] = (uint32_t)set->ranges.count[family];
            add(writing, XNM_COMPILED_RANGES, set->ranges.octets[family],
                set->ranges.count[family] * 2 * xnm_family_len(family));
        }
        add(writing, XNM_COMPILED_CLIENT_SETS, &to, sizeof to);
    }
    for (size_t n = 1; n <= audiences; n++) {
        const struct xnm_audience *audience = xnm_policy_audience(policy, n);
        const struct xnm_compiled_audience to = {add_text(writing, audience->client),
                                                 add_text(writing, audience->when)};
        add(writing, XNM_COMPILED_AUDIENCES, &to, sizeof to);
    }
}

static void add_rules(struct writing *writing)
{
    const struct xnm_policy *policy = writing->policy;
    size_t verdicts = policy->verdicts.len / sizeof(struct xnm_policy_verdict);

    for (unsigned i = 0; i < policy->tag_count; i++) {
        uint32_t at = add_text(writing, policy->tags[i]);
        add(writing, XNM_COMPILED_TAGS, &at, sizeof at);
    }
    add_clients(writing);
    for (size_t i = 0; i < policy->line_count; i++)
        add_line(writing, xnm_policy_line(policy, i));
    for (size_t i = 0; i < verdicts; i++)
        add_verdict(writing, xnm_policy_verdict(policy, i));
    add_octets(writing, "", 1); /* a NUL after RDATA */
}

/* --- sources --- */

/* Reads a file again; it must still be what the policy was made from. */
static const char *add_source(struct writing *writing, const struct xnm_source *source)
{
    struct xnm_compiled_source to = {.path = add_text(writing, source->path)};
    struct xnm_textfile file;
    const char *why = xnm_textfile_read(source->path, XNM_LIST_SIZE_MAX, &file);

    if (why)
        return why;
    if (!xnm_stamp_same(&file.stamp, &source->read))
        why = "was changed while it was compiled: expected a file that nobody is writing to";
    to.size = file.len;
    xnm_compiled_hash(file.text, file.len, to.hash);
    xnm_textfile_free(&file);
    add(writing, XNM_COMPILED_SOURCES, &to, sizeof to);
    return why;
}

static const char *add_sources(struct writing *writing, const struct xnm_sources *sources,
                               const char **source)
{
    const char *why = NULL;

    for (size_t i = 0; i < sources->count && !why; i++) {
        why = add_source(writing, &sources->files[i]);
        *source = why ? sources->files[i].path : NULL;
    }
    return why;
}

/* --- together --- */

static void borrow(struct writing *writing)
{
    const struct xnm_policy *policy = writing->policy;
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    struct xnm_arena *to = writing->borrowed;

    to[XNM_COMPILED_ENTRIES] = policy->entries;
    to[XNM_COMPILED_SLOTS] = policy->slots;
    to[XNM_COMPILED_FILTER] = policy->filter.words;
    to[XNM_COMPILED_NAMES] = lookalikes->names;
    to[XNM_COMPILED_NAME_SLOTS] = lookalikes->labels.slots;
    to[XNM_COMPILED_EXEMPT] = lookalikes->exempt;
    to[XNM_COMPILED_EVERY] = lookalikes->labels.every.words;
    to[XNM_COMPILED_PLAIN] = lookalikes->labels.plain.words;
    to[XNM_COMPILED_PART_SLOTS] = lookalikes->parts.table.slots;
    to[XNM_COMPILED_PART_EVERY] = lookalikes->parts.table.every.words;
    to[XNM_COMPILED_PART_PLAIN] = lookalikes->parts.table.plain.words;
    to[XNM_COMPILED_CONDITIONS] = policy->conditions;
}

static void write_head(const struct writing *writing, struct xnm_compiled_head *head)
{
    const struct xnm_policy *policy = writing->policy;
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    const char *unicode = xn_unicode_version();

    memcpy(head->magic, XNM_COMPILED_MAGIC, sizeof XNM_COMPILED_MAGIC - 1);
    head->order = XNM_COMPILED_ORDER;
    head->format = XNM_COMPILED_FORMAT;
    memcpy(head->unicode, unicode, strnlen(unicode, sizeof head->unicode));
    head->lookalike = xn_lookalike_version();
    head->seed = policy->seed;
    head->depths = policy->depths;
    head->lookalike_depths = lookalikes->depths;
    head->compared_whole = lookalikes->compared_whole;
    head->compared_left = lookalikes->compared_left;
    head->ttl = policy->settings.ttl;
    head->whole = lookalikes->whole;
    head->any_tld = lookalikes->any_tld;
    head->private = lookalikes->private;
    head->any_label = lookalikes->any_label;
    head->strict = lookalikes->strict;
    head->part_suffixes = lookalikes->parts.suffixes;
    head->part_lengths = lookalikes->parts.lengths;
    head->part_left = lookalikes->parts.left;
    head->near = lookalikes->parts.near;
    head->within = lookalikes->parts.within;
}

static size_t aligned(size_t len)
{
    return (len + XNM_COMPILED_ALIGN - 1) / XNM_COMPILED_ALIGN * XNM_COMPILED_ALIGN;
}

static const struct xnm_arena *part_of(const struct writing *writing, unsigned section)
{
    bool borrowed = section < XNM_COMPILED_KEPT && writing->borrowed[section].len > 0;

    return borrowed ? &writing->borrowed[section] : &writing->parts[section];
}

static const char *assemble(const struct writing *writing, struct xnm_arena *compiled)
{
    struct xnm_compiled_head head = {.order = 0};
    size_t size = aligned(sizeof head);

    write_head(writing, &head);
    for (unsigned section = 0; section < XNM_COMPILED_SECTIONS; section++) {
        head.sections[section] = (struct xnm_compiled_span){size, part_of(writing, section)->len};
        size = aligned(size + part_of(writing, section)->len);
    }
    head.size = size;
    if (!xnm_arena_add(compiled, size))
        return no_memory;
    memcpy(compiled->octets, &head, sizeof head);
    for (unsigned section = 0; section < XNM_COMPILED_SECTIONS; section++)
        if (head.sections[section].len > 0)
            memcpy(compiled->octets + head.sections[section].at, part_of(writing, section)->octets,
                   head.sections[section].len);
    xnm_compiled_hash(compiled->octets + XNM_COMPILED_HASHED, size - XNM_COMPILED_HASHED,
                      ((struct xnm_compiled_head *)(void *)compiled->octets)->hash);
    return NULL;
}

/* The seed is derived from all source files. Only someone who knows them all could choose colliding
 * names, and the same files give the same compiled. */
static uint64_t seed_of(const struct writing *writing)
{
    const struct xnm_arena *sources = &writing->parts[XNM_COMPILED_SOURCES];

    return XXH3_64bits(sources->octets, sources->len);
}

static const char *write_image(struct writing *writing, struct xnm_policy *policy,
                               const struct xnm_sources *sources, struct xnm_arena *compiled,
                               const char **source)
{
    struct xnm_run_limit limit = {.max = XNM_COMPILED_RUN_MAX};
    const char *why = add_sources(writing, sources, source);

    if (why)
        return why;
    if (!xnm_policy_reindex(policy, seed_of(writing), &limit))
        return limit.exceeded ? collide : no_memory;
    if (!xnm_compiled_denies_little(policy, NULL))
        return denies_much;
    add_rules(writing);
    borrow(writing);
    return writing->no_memory ? no_memory : assemble(writing, compiled);
}

const char *xnm_compiled_write(struct xnm_policy *policy, const struct xnm_sources *sources,
                               struct xnm_arena *compiled, const char **source)
{
    struct writing writing = {.policy = policy};

    *compiled = (struct xnm_arena){0};
    *source = NULL;
    const char *why = write_image(&writing, policy, sources, compiled, source);
    for (unsigned section = 0; section < XNM_COMPILED_SECTIONS; section++)
        xnm_arena_free(&writing.parts[section]);
    return why;
}
