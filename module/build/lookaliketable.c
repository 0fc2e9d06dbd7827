/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/lookaliketable.h"

#include "core/lookalike/letters.h"
#include "core/wire/walk.h"
#include "module/base/thread.h"
#include "module/policy/lookalikehash.h"

#include <string.h>

bool xnm_lookaliketable_make(struct xnm_lookalike_table *table, size_t names, size_t plain)
{
    xnm_lookalike_table_free(table);
    *table = (struct xnm_lookalike_table){.slot_count = xnm_lookaliketable_places(names)};
    return table->slot_count <= UINT32_MAX &&
           xnm_arena_add(&table->slots, table->slot_count * sizeof(struct xnm_table_slot)) &&
           xnm_filter_make(&table->every, names) &&
           (plain == 0 || xnm_filter_make(&table->plain, plain));
}

void xnm_lookaliketable_trim(struct xnm_lookalike_table *table)
{
    xnm_arena_trim(&table->slots);
    xnm_arena_trim(&table->every.words);
    xnm_arena_trim(&table->plain.words);
}

bool xnm_lookaliketable_is_plain(const struct xnm_policy *policy,
                                 const struct xnm_protected_name *name)
{
    if (xnm_lookalike_protection(policy, name).ascii != XN_ASCII_OFF)
        return true;
    for (const uint8_t *label = name->octets + name->start; label < name->octets + name->end;
         label += label[0] + 1)
        if (xn_wire_has_ace_prefix(label + 1, label[0]))
            return true;
    return false;
}

uint64_t xnm_lookaliketable_key_hash(const struct xnm_policy *policy, const uint8_t *label)
{
    uint8_t key[XN_KEY_MAX];
    size_t len = xn_lookalike_key(label + 1, label[0], XN_KEY_LOOSE, key);

    return xnm_lookalike_label_hash(policy, key, len);
}

void xnm_lookaliketable_note(const struct xnm_lookalike_table *table, uint64_t hash, bool plain)
{
    xnm_filter_note(&table->every, hash);
    if (plain)
        xnm_filter_note(&table->plain, hash);
}

/* Are two names equal in the last octets before their ends? */
static bool ends_same(const struct xnm_protected_name *a, const struct xnm_protected_name *b,
                      size_t len)
{
    return a->end >= len && memcmp(a->octets + a->end - len, b->octets + b->end - len, len) == 0;
}

xnm_put xnm_lookaliketable_put(const struct xnm_policy *policy,
                               const struct xnm_lookalike_table *table, uint64_t hash, size_t at,
                               size_t start, const atomic_bool *stop)
{
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at), *other;
    struct xnm_table_slot *slots = xnm_lookalike_slots(table);
    size_t place = xnm_hash_place(hash, table->slot_count);
    unsigned alike = 0;

    for (; slots[place].at != 0; place = xnm_hash_next(place, table->slot_count)) {
        if (xnm_stop_is_set(stop))
            return XNM_PUT_STOPPED;
        if (slots[place].tag != (uint32_t)hash)
            continue;
        other = xnm_lookalike_name(lookalikes, (size_t)slots[place].at * XNM_LOOKALIKE_UNIT);
        if (other->line != name->line)
            continue;
        if (other->min == name->min && ends_same(other, name, name->end - start))
            return XNM_PUT_DONE;
        if (++alike == XNM_LOOKALIKE_ALIKE_MAX)
            return XNM_PUT_FULL;
    }
    slots[place] = (struct xnm_table_slot){(uint32_t)hash, (uint32_t)(at / XNM_LOOKALIKE_UNIT)};
    return XNM_PUT_DONE;
}

/* --- labels that near= and within= compare --- */

/* A protected name that is being inserted. */
struct filling {
    struct xnm_policy *policy;
    const atomic_bool *stop;
    const struct xnm_protected_name *name;
    size_t at;      /* its place in the arena */
    size_t start;   /* where the compared label begins */
    uint64_t after; /* for xnm_lookalike_part_hash */
    bool plain;     /* names without an A-label can look like it */
    bool full;      /* some key had too many names of the rule */
};

size_t xnm_lookalikeparts_count(const struct xnm_policy *policy,
                                const struct xnm_protected_name *name)
{
    const struct xnm_protection protection = xnm_lookalike_protection(policy, name);
    size_t octets;

    if (!protection.near && !protection.within)
        return 0;
    octets = name->octets[xnm_lookalike_part_start(policy, name)];
    if (protection.near && octets >= xnm_protection_near_min(&protection))
        return octets + 1;
    return protection.within && octets >= xnm_protection_within_min(&protection);
}

/* The hash of the labels after the compared one, if they are compared, too. */
static uint64_t hash_after(struct xnm_policy *policy, const struct xnm_protected_name *name,
                           size_t start)
{
    struct xnm_lookalike_parts *parts = &policy->lookalikes.parts;
    const struct xnm_protection protection = xnm_lookalike_protection(policy, name);
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    uint64_t hash = xnm_lookalike_whole(policy);
    unsigned labels = 0;

    if (protection.any_tld || protection.any_label) {
        parts->left = true;
        return xnm_lookalike_left(policy);
    }
    for (size_t at = start + name->octets[start] + 1U; at < name->end; at += name->octets[at] + 1U)
        label_at[labels++] = (uint8_t)at;
    xnm_depths_note(&parts->suffixes, labels);
    while (labels-- > 0)
        hash = xnm_lookalike_join(
            hash, xnm_lookaliketable_key_hash(policy, name->octets + label_at[labels]));
    return hash;
}

/* False: *stop was set. */
static bool put_key(struct filling *filling, const uint8_t *key, size_t len)
{
    struct xnm_lookalike_parts *parts = &filling->policy->lookalikes.parts;
    uint64_t hash = xnm_lookalike_part_hash(filling->after, key, len);
    xnm_put put = xnm_lookaliketable_put(filling->policy, &parts->table, hash, filling->at,
                                         filling->start, filling->stop);

    parts->lengths |= xnm_lookalike_length(len);
    xnm_lookaliketable_note(&parts->table, hash, filling->plain);
    filling->full |= put == XNM_PUT_FULL;
    return put != XNM_PUT_STOPPED;
}

static bool put_edits(struct filling *filling, const struct xn_letters *letters)
{
    uint8_t key[XN_KEY_MAX];

    for (unsigned n = 0; n < letters->count; n++) {
        if (xn_letters_repeat(letters, n))
            continue;
        size_t len = xn_letters_without(letters, n, key);
        if (!put_key(filling, key, len))
            return false;
    }
    return true;
}

static bool put_name(struct filling *filling)
{
    struct xnm_lookalike_parts *parts = &filling->policy->lookalikes.parts;
    const struct xnm_protection protection =
        xnm_lookalike_protection(filling->policy, filling->name);
    const uint8_t *label = filling->name->octets + filling->start;
    bool near =
        protection.near && xnm_protection_is_long(label, xnm_protection_near_min(&protection));
    bool within =
        protection.within && xnm_protection_is_long(label, xnm_protection_within_min(&protection));
    struct xn_letters letters;
    struct xn_shape shape;

    if (!near && !within)
        return true;
    parts->near |= near;
    parts->within |= within;
    filling->after = hash_after(filling->policy, filling->name, filling->start);
    filling->plain = xnm_lookaliketable_is_plain(filling->policy, filling->name);
    xn_shape_read(label + 1, label[0], &shape);
    xn_letters_read(&shape, XN_KEY_STRICT, XN_ASCII_WIDE, &letters);
    return put_key(filling, letters.key, xn_letters_len(&letters)) &&
           (!near || put_edits(filling, &letters));
}

static bool make_table(struct xnm_policy *policy)
{
    struct xnm_lookalike_index *lookalikes = &policy->lookalikes;
    struct xnm_lookalike_table table = lookalikes->parts.table;
    size_t plain = 0;

    for (size_t at = XNM_LOOKALIKE_FIRST; at < lookalikes->names.len;) {
        const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at);
        if (xnm_lookaliketable_is_plain(policy, name))
            plain += xnm_lookalikeparts_count(policy, name);
        at += xnm_lookalike_name_size(name->len);
    }
    lookalikes->parts = (struct xnm_lookalike_parts){.table = table};
    return xnm_lookaliketable_make(&lookalikes->parts.table, lookalikes->part_count, plain);
}

bool xnm_lookalikeparts_fill(struct xnm_policy *policy, const atomic_bool *stop)
{
    const struct xnm_lookalike_index *lookalikes = &policy->lookalikes;

    if (lookalikes->part_count == 0)
        return true;
    if (!make_table(policy))
        return false;
    for (size_t at = XNM_LOOKALIKE_FIRST; at < lookalikes->names.len;) {
        const struct xnm_protected_name *name = xnm_lookalike_name(lookalikes, at);
        struct filling filling = {.policy = policy, .stop = stop, .name = name, .at = at};
        filling.start = xnm_lookalike_part_start(policy, name);
        if (xnm_lookalikeparts_count(policy, name) > 0 && !put_name(&filling))
            return false;
        xnm_policy_line(policy, name->line)->label_rule->edits_left_out += filling.full;
        at += xnm_lookalike_name_size(name->len);
    }
    return true;
}
