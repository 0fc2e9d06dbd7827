/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/lookaliketable.h"

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
