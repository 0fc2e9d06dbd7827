/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/build/lookalikefill.h"

#include "core/lookalike/letters.h"
#include "core/wire/walk.h"
#include "module/base/thread.h"
#include "module/policy/lookalikehash.h"

#include <string.h>

/* A protected name that is being inserted. */
struct filling {
    struct xnm_policy *policy;
    const atomic_bool *stop;
    const struct xnm_protected_name *name;
    struct xnm_protection protection;
    size_t at;  /* its place in the arena */
    bool plain; /* names without an A-label can look like it */
};

/* Returns whether a name without an A-label can look like a protected one: only if its rule allows
 * differences between ASCII labels or has elsewhere=, or it has an A-label itself. */
static bool is_plain(const struct filling *filling)
{
    const struct xnm_protected_name *name = filling->name;

    if (filling->protection.ascii != XN_ASCII_OFF || filling->protection.elsewhere)
        return true;
    for (const uint8_t *label = name->octets + name->start; label < name->octets + name->end;
         label += label[0] + 1)
        if (xn_wire_has_ace_prefix(label + 1, label[0]))
            return true;
    return false;
}

/* Begins with the name at a place. Returns false at the end of the names. */
static bool read_name(struct filling *filling, size_t at)
{
    if (at >= filling->policy->lookalikes.names.len)
        return false;
    filling->name = xnm_lookalike_name(&filling->policy->lookalikes, at);
    filling->protection = xnm_lookalike_protection(filling->policy, filling->name);
    filling->at = at;
    filling->plain = is_plain(filling);
    return true;
}

static size_t after_name(const struct filling *filling)
{
    return filling->at + xnm_lookalike_name_size(filling->name->len);
}

/* Returns whether the label has enough code points for an option, or for the name's min=. */
static bool is_long(const struct filling *filling, const uint8_t *label, uint8_t least)
{
    return xnm_protection_is_long(label, xnm_protection_least(&filling->protection, least));
}

/* Returns the label that near=, within= and words= compare, or NULL if it is too short for the
 * options. */
static const uint8_t *part_of(const struct filling *filling)
{
    const struct xnm_protection *protection = &filling->protection;
    const uint8_t *label = filling->name->octets;

    if (!protection->near && !protection->within && protection->words == 0)
        return NULL;
    label += xnm_lookalike_part_start(protection, filling->name);
    if ((protection->near && is_long(filling, label, XNM_PROTECTION_NEAR_MIN)) ||
        ((protection->within || protection->words > 0) &&
         is_long(filling, label, XNM_PROTECTION_APART_MIN)))
        return label;
    return NULL;
}

/* Returns the slots that the name takes at most, without that of elsewhere=: its compared part; for
 * near= also its label, that without each letter, and that joined to `www` and to its suffix; for
 * within= and words= its label. */
static size_t slots_of(const struct filling *filling)
{
    const uint8_t *label = part_of(filling);

    return 1 + (!label ? 0U : filling->protection.near ? label[0] + 3U : 1U);
}

/* Makes the table, the filters, and the powers of the polynomials' base. Returns false when out of
 * memory. */
static bool make_table(struct xnm_policy *policy)
{
    struct xnm_lookalikeindex *lookalikes = &policy->lookalikes;
    struct filling filling = {.policy = policy};
    size_t every = 0, plain = 0;
    bool parts = false;

    for (size_t at = XNM_LOOKALIKE_FIRST; read_name(&filling, at); at = after_name(&filling)) {
        size_t slots = slots_of(&filling);
        parts |= slots > 1;
        slots += filling.protection.elsewhere;
        every += slots;
        plain += filling.plain ? slots : 0;
    }
    lookalikes->slot_count = xnm_lookalikefill_places(every);
    if (lookalikes->slot_count > UINT32_MAX ||
        !xnm_arena_add(&lookalikes->slots,
                       lookalikes->slot_count * sizeof(struct xnm_table_slot)) ||
        !xnm_filter_make(&lookalikes->every, every) ||
        (plain > 0 && !xnm_filter_make(&lookalikes->plain, plain)))
        return false;
    if (!parts)
        return true;
    uint64_t power = 1,
             *powers = xnm_arena_add(&lookalikes->powers, (XN_KEY_MAX + 1) * sizeof *powers);
    for (size_t n = 0; powers && n <= XN_KEY_MAX; n++, power *= xnm_lookalike_base(policy))
        powers[n] = power;
    lookalikes->shortest = lookalikes->shortest_inside = SIZE_MAX;
    return powers != NULL;
}

static void note_hash(const struct filling *filling, uint64_t hash)
{
    xnm_filter_note(&filling->policy->lookalikes.every, hash);
    if (filling->plain)
        xnm_filter_note(&filling->policy->lookalikes.plain, hash);
}

/* elsewhere= needs at most two domains of a rule with the same label and min=: a name in the first
 * domain is not in the second one. */
enum { DOMAINS_MAX = 2 };

/* The octets of two names that must be equal for one of them to be enough. */
enum use {
    COMPARED_PART, /* the octets up to name->end */
    ELSEWHERE      /* all octets */
};

/* Returns whether two names are equal from octet `start` of `b` to the end of the compared
 * octets. */
static bool ends_same(const struct xnm_protected_name *a, const struct xnm_protected_name *b,
                      size_t start, enum use use)
{
    size_t a_end = use == ELSEWHERE ? a->len : a->end, b_end = use == ELSEWHERE ? b->len : b->end;
    size_t len = b_end - start;

    return a_end >= len && memcmp(a->octets + a_end - len, b->octets + start, len) == 0;
}

/* Returns whether the label at `start` is also the one of another name of the rule that elsewhere=
 * looks up. */
static bool has_label(const struct filling *filling, const struct xnm_protected_name *other,
                      size_t start)
{
    return xnm_lookalike_is_same_label(other->octets +
                                           xnm_lookalike_part_start(&filling->protection, other),
                                       filling->name->octets + start);
}

/* Inserts the name after those with the same hash, unless names of its rule replace it: the first
 * of those with the same min= that are equal from the label at `start` on, or for elsewhere= two
 * with its label and min=. Counts in *left_out a name whose rule has too many names with this hash.
 * Returns false if *stop was set. */
static bool put_hash(const struct filling *filling, uint64_t hash, size_t start, enum use use,
                     size_t *left_out)
{
    const struct xnm_lookalikeindex *lookalikes = &filling->policy->lookalikes;
    const struct xnm_protected_name *name = filling->name, *other;
    struct xnm_table_slot *slots = xnm_lookalike_slots(lookalikes);
    size_t place = xnm_hash_place(hash, lookalikes->slot_count);
    unsigned alike = 0, domains = 0;

    note_hash(filling, hash);
    for (; slots[place].at != 0; place = xnm_hash_next(place, lookalikes->slot_count)) {
        if (xnm_stop_is_set(filling->stop))
            return false;
        if (slots[place].tag != (uint32_t)hash)
            continue;
        other = xnm_lookalike_name(lookalikes, (size_t)slots[place].at * XNM_LOOKALIKE_UNIT);
        bool same_min = other->min == name->min;
        if (other->line != name->line)
            continue;
        if (other <= name && same_min && ends_same(other, name, start, use))
            return true;
        if (use == ELSEWHERE && same_min && has_label(filling, other, start) &&
            ++domains == DOMAINS_MAX)
            return true;
        if (++alike == XNM_LOOKALIKE_ALIKE_MAX) {
            ++*left_out;
            return true;
        }
    }
    slots[place] =
        (struct xnm_table_slot){(uint32_t)hash, (uint32_t)(filling->at / XNM_LOOKALIKE_UNIT)};
    return true;
}

static void note_kind(const struct filling *filling, unsigned labels)
{
    struct xnm_lookalikeindex *lookalikes = &filling->policy->lookalikes;
    const struct xnm_protection *protection = &filling->protection;
    bool left = protection->any_tld || protection->any_label;

    lookalikes->strict |= protection->key == XN_KEY_STRICT;
    lookalikes->any_label |= protection->any_label;
    lookalikes->any_tld |= protection->any_tld && !protection->any_label;
    xnm_depths_note(left ? &lookalikes->left_depths : &lookalikes->whole_depths, labels);
}

static uint64_t hash_label(const struct filling *filling, uint64_t after, const uint8_t *label)
{
    uint8_t key[XN_KEY_MAX];
    size_t len = xn_lookalike_key(label + 1, label[0], XN_KEY_LOOSE, key);

    return xnm_lookalike_join(after, xnm_lookalike_key_hash(filling->policy, 0, key, len));
}

/* Adds the suffixes of the compared part, from the label at `from`, to the filters. Returns the
 * hash of that part, and writes the number of its labels. */
static uint64_t note_suffixes(const struct filling *filling, size_t from, unsigned *count)
{
    const struct xnm_protected_name *name = filling->name;
    bool left = filling->protection.any_tld || filling->protection.any_label;
    uint64_t hash =
        left ? xnm_lookalike_left(filling->policy) : xnm_lookalike_whole(filling->policy);
    uint8_t label_at[XN_WIRE_LABELS_MAX];
    unsigned labels = 0;

    for (size_t at = from; at < name->end; at += name->octets[at] + 1U)
        label_at[labels++] = (uint8_t)at;
    *count = labels;
    while (labels-- > 0) {
        hash = hash_label(filling, hash, name->octets + label_at[labels]);
        note_hash(filling, hash);
    }
    return hash;
}

/* Inserts a name, unless its rule has one with the same compared part (paypal.com and paypal.net
 * with tld=any). Returns false if *stop was set. */
static bool put_name(const struct filling *filling)
{
    unsigned labels;
    uint64_t hash = note_suffixes(filling, filling->name->start, &labels);

    note_kind(filling, labels);
    return put_hash(filling, hash, filling->name->start, COMPARED_PART,
                    &xnm_policy_line(filling->policy, filling->name->line)->label_rule->left_out);
}

/* --- parts of labels, and labels with an edit --- */

/* Inserts the key of a label followed by others, without the dots between them. */
static bool put_joined(const struct filling *filling, uint64_t after, const uint8_t *first,
                       const uint8_t *label, const uint8_t *end, size_t *left_out)
{
    uint8_t key[XN_KEY_MAX];
    size_t len = xn_lookalike_key(first + 1, first[0], XN_KEY_LOOSE, key);
    uint64_t hash = xnm_lookalike_key_hash(filling->policy, 0, key, len);

    for (; label < end; label += label[0] + 1) {
        len = xn_lookalike_key(label + 1, label[0], XN_KEY_LOOSE, key);
        hash = xnm_lookalike_key_hash(filling->policy, hash, key, len);
    }
    return put_hash(filling, xnm_lookalike_join(after, hash),
                    xnm_lookalike_part_start(&filling->protection, filling->name), COMPARED_PART,
                    left_out);
}

static void note_shortest(size_t *shortest, size_t len)
{
    *shortest = len < *shortest ? len : *shortest;
}

/* Inserts the keys of a label without each of its letters, and joined to `www` and to its
 * suffix. */
static bool put_edits(const struct filling *filling, uint64_t after, const uint8_t *label,
                      const struct xnm_lookalike_letters *read, size_t *left_out)
{
    static const uint8_t www[] = "\3www";
    const struct xnm_protected_name *name = filling->name;
    size_t start = (size_t)(label - name->octets), len = xn_letters_len(&read->letters);
    struct xnm_lookalikeindex *lookalikes = &filling->policy->lookalikes;

    for (unsigned n = 0; n < read->letters.count; n++) {
        if (xn_letters_repeat(&read->letters, n))
            continue;
        uint64_t hash = xnm_lookalike_hash_without(filling->policy, read, n);
        size_t left = len - (size_t)(read->letters.at[n + 1] - read->letters.at[n]);
        note_shortest(&lookalikes->shortest, left);
        if (!put_hash(filling, xnm_lookalike_join(after, hash), start, COMPARED_PART, left_out))
            return false;
    }
    const uint8_t *next = label + label[0] + 1, *end = name->octets + name->len - 1;
    return put_joined(filling, after, www, label, next, left_out) &&
           put_joined(filling, after, label, next, end, left_out);
}

/* Inserts the keys that near=, within= and words= look up. Counts in *left_out those for which the
 * rule has too many. Returns false if *stop was set. */
static bool put_parts(const struct filling *filling, size_t *left_out)
{
    struct xnm_lookalikeindex *lookalikes = &filling->policy->lookalikes;
    const struct xnm_protection *protection = &filling->protection;
    const uint8_t *label = part_of(filling);
    struct xnm_lookalike_letters read;
    struct xn_shape shape;
    unsigned suffix = 0;
    size_t len;

    if (!label)
        return true;
    bool near = protection->near && is_long(filling, label, XNM_PROTECTION_NEAR_MIN);
    uint64_t after =
        note_suffixes(filling, (size_t)(label - filling->name->octets) + label[0] + 1U, &suffix);
    if (protection->any_tld || protection->any_label)
        lookalikes->parts_left = true;
    else
        xnm_depths_note(&lookalikes->suffixes, suffix);
    xn_shape_read(label + 1, label[0], &shape);
    xn_letters_read(&shape, XN_KEY_STRICT, XN_ASCII_WIDE, &read.letters);
    xnm_lookalike_letters_hash(filling->policy, &read);
    lookalikes->near |= near;
    lookalikes->within |= protection->within;
    lookalikes->words |= protection->words > 0;
    len = xn_letters_len(&read.letters);
    note_shortest(&lookalikes->shortest, len);
    if (protection->within && is_long(filling, label, XNM_PROTECTION_WITHIN_MIN))
        note_shortest(&lookalikes->shortest_inside, len);
    return put_hash(filling, xnm_lookalike_join(after, read.before[read.letters.count]),
                    (size_t)(label - filling->name->octets), COMPARED_PART, left_out) &&
           (!near || put_edits(filling, after, label, &read, left_out));
}

/* Inserts the key that elsewhere= looks up. Counts in *left_out as put_parts does. Returns false if
 * *stop was set. */
static bool put_elsewhere(const struct filling *filling, size_t *left_out)
{
    size_t start = xnm_lookalike_part_start(&filling->protection, filling->name);
    const uint8_t *label = filling->name->octets + start;

    if (!filling->protection.elsewhere || !is_long(filling, label, XNM_PROTECTION_ELSEWHERE_MIN))
        return true;
    filling->policy->lookalikes.elsewhere = true;
    return put_hash(filling, hash_label(filling, xnm_lookalike_left(filling->policy), label), start,
                    ELSEWHERE, left_out);
}

/* Inserts compared parts first: one of them is never left out because it is equal to the label of a
 * longer one. */
bool xnm_lookalikefill_table(struct xnm_policy *policy, const atomic_bool *stop)
{
    struct filling filling = {.policy = policy, .stop = stop};

    if (!make_table(policy))
        return false;
    for (size_t at = XNM_LOOKALIKE_FIRST; read_name(&filling, at); at = after_name(&filling))
        if (!put_name(&filling))
            return false;
    for (size_t at = XNM_LOOKALIKE_FIRST; read_name(&filling, at); at = after_name(&filling)) {
        size_t left_out = 0;
        if (!put_parts(&filling, &left_out) || !put_elsewhere(&filling, &left_out))
            return false;
        xnm_policy_line(policy, filling.name->line)->label_rule->parts_left_out += left_out > 0;
    }
    return true;
}
