/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/needless.h"
#include "module/rule/protection.h"
#include "module/policy/shieldhash.h"
#include "module/base/thread.h"

#include <string.h>

/* --- what there is --- */

void xnm_shield_free(struct xnm_shield *shield)
{
    xnm_arena_free(&shield->names);
    xnm_arena_free(&shield->slots);
    xnm_arena_free(&shield->exempt);
    xnm_arena_free(&shield->every.words);
    xnm_arena_free(&shield->plain.words);
}

void xnm_shield_trim(struct xnm_shield *shield)
{
    xnm_arena_trim(&shield->names);
    xnm_arena_trim(&shield->slots);
    xnm_arena_trim(&shield->exempt);
    xnm_arena_trim(&shield->every.words);
    xnm_arena_trim(&shield->plain.words);
}

size_t xnm_shield_memory(const struct xnm_shield *shield)
{
    return shield->names.cap + shield->slots.cap + shield->exempt.cap + shield->every.words.cap +
           shield->plain.words.cap;
}

/* --- adding names --- */

bool xnm_shield_add(struct xnm_policy *policy, uint32_t line, const uint8_t *octets, size_t len)
{
    struct xnm_shield *shield = &policy->shield;
    struct xnm_policy_line *rule = xnm_policy_line(policy, line);
    struct xnm_protection_part part = xnm_protection_part(&rule->late->protection, octets, len);
    struct xnm_protected_name *name;
    size_t at;

    if (shield->names.len == 0 && !xnm_arena_add(&shield->names, XNM_SHIELD_FIRST))
        return false;
    at = shield->names.len;
    if (at / XNM_SHIELD_UNIT > UINT32_MAX)
        return false;
    name = xnm_arena_add(&shield->names, xnm_shield_name_size(len));
    if (!name)
        return false;
    name->line = line;
    name->start = (uint8_t)part.start;
    name->end = (uint8_t)part.end;
    name->len = (uint8_t)len;
    memcpy(name->octets, octets, len);
    shield->count++;
    rule->shown.entry_count++;
    return true;
}

/* --- the table of names that are exempt --- */

/* At three quarters: nobody is kept waiting, since it is only asked about names that look like a
 * protected one. */
static size_t places_for(size_t names)
{
    return names + names / 3 + 1;
}

/* The filter of names without an A-label with them, which is not always there. */
size_t xnm_shield_tables_memory(size_t names)
{
    return xnm_arena_memory(places_for(names) * sizeof(uint32_t)) +
           xnm_arena_memory(places_for(names) * sizeof(struct xnm_policy_slot)) +
           2 * xnm_filter_memory(names);
}

static bool make_exempt(struct xnm_shield *shield)
{
    shield->exempt_count = places_for(shield->count);
    xnm_arena_free(&shield->exempt);
    return shield->exempt_count <= UINT32_MAX &&
           xnm_arena_add(&shield->exempt, shield->exempt_count * sizeof(uint32_t));
}

/* Two rules with one name: does the earlier make the later needless? */
static bool replaces(struct xnm_needless *needless, const struct xnm_protected_name *earlier,
                     const struct xnm_protected_name *later)
{
    const struct xnm_policy_line *a = xnm_policy_line(needless->policy, earlier->line);
    const struct xnm_policy_line *b = xnm_policy_line(needless->policy, later->line);
    const struct xnm_protection *p = &a->late->protection, *q = &b->late->protection;

    if (earlier->line == later->line)
        return true;
    return a->shown.trigger == XNM_TRIGGER_LOOKALIKE && b->shown.trigger == XNM_TRIGGER_LOOKALIKE &&
           p->key == q->key && p->ascii == q->ascii && p->any_tld == q->any_tld &&
           p->any_label == q->any_label && p->min == q->min && p->strict_min == q->strict_min &&
           xnm_needless_has(needless, XNM_OWNER_OF_LINE(earlier->line), &a->late->verdict,
                            b->late->verdict);
}

/* Does it stand in a rule file? */
static bool is_written(const struct xnm_policy *policy, const struct xnm_protected_name *name)
{
    return xnm_policy_line(policy, name->line)->shown.trigger == XNM_TRIGGER_LOOKALIKE;
}

/* False: it is not needed. */
static bool put_exempt(struct xnm_needless *needless, size_t at)
{
    const struct xnm_policy *policy = needless->policy;
    const struct xnm_shield *shield = &policy->shield;
    const struct xnm_protected_name *name = xnm_shield_name(shield, at), *other;
    uint64_t hash = xnm_shield_hash(policy, name->octets, name->len);
    size_t place = xnm_hash_place(hash, shield->exempt_count);
    uint32_t *places = (uint32_t *)(void *)shield->exempt.octets;
    unsigned written = 0; /* rules about the same name */

    for (; places[place] != 0; place = xnm_hash_next(place, shield->exempt_count)) {
        other = xnm_shield_name(shield, (size_t)places[place] * XNM_SHIELD_UNIT);
        if (other->len != name->len || memcmp(other->octets, name->octets, name->len) != 0)
            continue;
        if (replaces(needless, other, name))
            return false;
        written += is_written(policy, other);
    }
    if (written >= XNM_NEEDED_MAX && is_written(policy, name))
        xnm_needless_refuse(needless, xnm_policy_line(policy, name->line));
    places[place] = (uint32_t)(at / XNM_SHIELD_UNIT);
    return true;
}

static void note_name(struct xnm_policy *policy, size_t at, size_t end)
{
    struct xnm_shield *shield = &policy->shield;
    const struct xnm_protected_name *name = xnm_shield_name(shield, at);
    unsigned labels = 0;

    xnm_policy_line_add(xnm_policy_line(policy, name->line), at, end, true);
    shield->count++;
    for (const uint8_t *label = name->octets; label[0] != 0; label += label[0] + 1)
        labels++;
    xnm_depths_note(&shield->depths, labels);
}

/* Puts all names into a table made for so many, and moves them together where some are left out.
 * False: no memory, or xnm_needless_is_over. */
static bool put_names(struct xnm_needless *needless)
{
    struct xnm_policy *policy = needless->policy;
    struct xnm_shield *shield = &policy->shield;
    size_t kept = XNM_SHIELD_FIRST;

    if (!make_exempt(shield))
        return false;
    shield->count = 0;
    for (size_t i = 0; i < policy->line_count; i++)
        if (xnm_policy_line(policy, i)->late)
            xnm_policy_line_clear(xnm_policy_line(policy, i));
    for (size_t at = XNM_SHIELD_FIRST; at < shield->names.len && !xnm_needless_is_over(needless);) {
        size_t size = xnm_shield_name_size(xnm_shield_name(shield, at)->len);
        memmove(xnm_shield_name(shield, kept), xnm_shield_name(shield, at), size);
        if (put_exempt(needless, kept)) {
            note_name(policy, kept, kept + size);
            kept += size;
        }
        at += size;
    }
    shield->names.len = kept;
    return !xnm_needless_is_over(needless);
}

/* --- the table of what is compared --- */

/* Can a name without an A-label look like it? Only where its rule has differences between ASCII
 * labels, or it has an A-label itself. */
static bool is_for_plain(const struct xnm_policy *policy, const struct xnm_protected_name *name)
{
    if (xnm_shield_protection(policy, name)->ascii != XN_ASCII_OFF)
        return true;
    for (const uint8_t *label = name->octets + name->start; label < name->octets + name->end;
         label += label[0] + 1)
        if (xn_wire_has_ace_prefix(label + 1, label[0]))
            return true;
    return false;
}

/* At three quarters, too: the filters say what is seldom looked for. */
static bool make_table(struct xnm_policy *policy)
{
    struct xnm_shield *shield = &policy->shield;
    size_t plain = 0;

    for (size_t at = XNM_SHIELD_FIRST; at < shield->names.len;) {
        const struct xnm_protected_name *name = xnm_shield_name(shield, at);
        plain += is_for_plain(policy, name);
        at += xnm_shield_name_size(name->len);
    }
    shield->slot_count = places_for(shield->count);
    xnm_arena_free(&shield->slots);
    return xnm_arena_add(&shield->slots, shield->slot_count * sizeof(struct xnm_policy_slot)) &&
           xnm_filter_make(&shield->every, shield->count) &&
           (plain == 0 || xnm_filter_make(&shield->plain, plain));
}

static uint64_t key_hash(const struct xnm_policy *policy, const uint8_t *label)
{
    uint8_t key[XN_KEY_MAX];
    size_t len = xn_lookalike_key(label + 1, label[0], XN_KEY_LOOSE, key);

    return xnm_shield_label_hash(policy, key, len);
}

static void note_kind(struct xnm_shield *shield, const struct xnm_protection *protection,
                      unsigned labels)
{
    bool left = protection->any_tld || protection->any_label;

    shield->any_label |= protection->any_label;
    shield->any_tld |= protection->any_tld && !protection->any_label;
    shield->whole |= !left;
    xnm_depths_note(left ? &shield->compared_left : &shield->compared_whole, labels);
}

/* Notes the suffixes of what is compared in the filters. Returns the hash of all of it. */
static uint64_t note_suffixes(struct xnm_policy *policy, const struct xnm_protected_name *name)
{
    const struct xnm_protection *protection = xnm_shield_protection(policy, name);
    bool left = protection->any_tld || protection->any_label;
    bool plain = is_for_plain(policy, name);
    uint64_t hash = left ? xnm_shield_left(policy) : xnm_shield_whole(policy);
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels = 0;

    for (size_t at = name->start; at < name->end; at += name->octets[at] + 1U)
        label_at[labels++] = (uint8_t)at;
    note_kind(&policy->shield, protection, labels);
    while (labels-- > 0) {
        hash = xnm_shield_join(hash, key_hash(policy, name->octets + label_at[labels]));
        xnm_filter_note(&policy->shield.every, hash);
        if (plain)
            xnm_filter_note(&policy->shield.plain, hash);
    }
    return hash;
}

static bool compares_same(const struct xnm_protected_name *a, const struct xnm_protected_name *b)
{
    return a->end - a->start == b->end - b->start &&
           memcmp(a->octets + a->start, b->octets + b->start, (size_t)(a->end - a->start)) == 0;
}

/* Puts a name behind those that are hashed as it is, unless its rule has too many of them already,
 * or one of which the same is compared (paypal.com and paypal.net with tld=any). False:
 * limit->exceeded. */
static bool put_name(struct xnm_policy *policy, size_t at, struct xnm_run_limit *limit)
{
    const struct xnm_shield *shield = &policy->shield;
    const struct xnm_protected_name *name = xnm_shield_name(shield, at), *other;
    uint64_t hash = note_suffixes(policy, name);
    size_t place = xnm_hash_place(hash, shield->slot_count);
    struct xnm_policy_slot *slots = (struct xnm_policy_slot *)(void *)shield->slots.octets;
    unsigned alike = 0;

    for (size_t run = 0; slots[place].at != 0; place = xnm_hash_next(place, shield->slot_count)) {
        if (xnm_run_exceeds(limit, ++run))
            return false;
        if (slots[place].tag != (uint32_t)hash)
            continue;
        other = xnm_shield_name(shield, (size_t)slots[place].at * XNM_SHIELD_UNIT);
        if (other->line != name->line)
            continue;
        if (compares_same(other, name))
            return true;
        if (++alike == XNM_SHIELD_ALIKE_MAX) {
            xnm_policy_line(policy, name->line)->late->left_out++;
            return true;
        }
    }
    slots[place] = (struct xnm_policy_slot){(uint32_t)hash, (uint32_t)(at / XNM_SHIELD_UNIT)};
    return true;
}

/* False: no memory, or limit->exceeded. */
static bool fill_table(struct xnm_policy *policy, struct xnm_run_limit *limit)
{
    const struct xnm_shield *shield = &policy->shield;

    if (!make_table(policy))
        return false;
    for (size_t at = XNM_SHIELD_FIRST; at < shield->names.len;) {
        if (!put_name(policy, at, limit))
            return false;
        at += xnm_shield_name_size(xnm_shield_name(shield, at)->len);
    }
    return true;
}

static void report_left_out(const struct xnm_needless *needless)
{
    const struct xnm_policy *policy = needless->policy;

    for (size_t i = 0; i < policy->line_count; i++) {
        const struct xnm_policy_line *line = xnm_policy_line(policy, i);
        const struct xnm_place place = {line->shown.file, line->shown.line, line->column};
        char path[512];
        if (!line->late || line->late->left_out == 0)
            continue;
        xnm_quote(line->shown.subject, strlen(line->shown.subject), path, sizeof path);
        xnm_report(needless->reporter, XNM_ERROR, &place,
                   "%zu names of '%s' protect nothing: each looks like %d others of that list, "
                   "expected no more than that",
                   line->late->left_out, path, XNM_SHIELD_ALIKE_MAX);
    }
}

bool xnm_shield_index(struct xnm_needless *needless)
{
    struct xnm_policy *policy = needless->policy;
    struct xnm_shield *shield = &policy->shield;
    size_t expected = shield->count;

    if (expected == 0)
        return true;
    if (!put_names(needless))
        return false;
    /* A table made for many names more than there are is made again. */
    if (expected - shield->count > expected / 8 && !put_names(needless))
        return false;
    if (!fill_table(policy, &(struct xnm_run_limit){.max = SIZE_MAX, .stop = needless->stop}))
        return false;
    report_left_out(needless);
    return true;
}

/* Nothing is left out any more: the names that are there are all needed. As fill_table. */
static bool fill_exempt(struct xnm_policy *policy, struct xnm_run_limit *limit)
{
    struct xnm_shield *shield = &policy->shield;
    uint32_t *places;

    if (!make_exempt(shield))
        return false;
    places = (uint32_t *)(void *)shield->exempt.octets;
    for (size_t at = XNM_SHIELD_FIRST; at < shield->names.len;) {
        const struct xnm_protected_name *name = xnm_shield_name(shield, at);
        size_t place =
            xnm_hash_place(xnm_shield_hash(policy, name->octets, name->len), shield->exempt_count);
        for (size_t run = 0; places[place] != 0; place = xnm_hash_next(place, shield->exempt_count))
            if (xnm_run_exceeds(limit, ++run))
                return false;
        places[place] = (uint32_t)(at / XNM_SHIELD_UNIT);
        at += xnm_shield_name_size(name->len);
    }
    return true;
}

bool xnm_shield_reindex(struct xnm_policy *policy, struct xnm_run_limit *limit)
{
    return policy->shield.count == 0 || (fill_exempt(policy, limit) && fill_table(policy, limit));
}
