/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares a name with a protected one. */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "core/lookalike/shape.h"
#include "module/policy/lookalikewalk.h"

#include <string.h>

static void charge(struct xnm_lookalike_walk *walk, const struct xn_shape *a,
                   const struct xn_shape *b)
{
    walk->cost_left -= COST_COMPARED + (a->len + b->len) / 2;
}

/* --- near= --- */

static bool is_vowel(uint32_t cp)
{
    return cp == 'a' || cp == 'e' || cp == 'i' || cp == 'o' || cp == 'u';
}

/* Returns whether letter n equals a letter beside it. */
static bool is_double(const struct xn_letters *letters, unsigned n)
{
    return xn_letters_repeat(letters, n) ||
           (n + 1 < letters->count && xn_letters_repeat(letters, n + 1));
}

/* Returns whether the edit counts in short labels, too: a letter doubled or not, a hyphen added,
 * neighbours exchanged, a vowel replaced by another. */
static bool is_slight(xn_edit edit, const struct xn_shape *protected, const struct xn_letters *a,
                      unsigned n, const struct xn_shape *asked, const struct xn_letters *b,
                      unsigned m)
{
    switch (edit) {
    case XN_EDIT_OMITTED:
        return is_double(a, n);
    case XN_EDIT_ADDED:
        return is_double(b, m) || asked->code_points[b->first[m]] == '-';
    case XN_EDIT_REPLACED:
        return is_vowel(protected->code_points[a->first[n]]) &&
               is_vowel(asked->code_points[b->first[m]]);
    default:
        return edit == XN_EDIT_SWAPPED;
    }
}

static bool is_edited(const struct xn_shape *protected, const struct xn_shape *asked, xn_key key,
                      xn_ascii ascii)
{
    struct xn_letters a, b;
    unsigned n, m;

    xn_letters_read(protected, key, ascii, &a);
    xn_letters_read(asked, key, ascii, &b);
    xn_edit edit = xn_letters_edit(&a, &b, &n, &m);
    if (edit == XN_EDIT_NONE || protected->len >= XNM_PROTECTION_EDIT_MIN)
        return edit != XN_EDIT_NONE;
    if (protected->len >= XNM_PROTECTION_FIRST_MIN && b.count > 0 && xn_letters_same(&a, 0, &b, 0))
        return true;
    return is_slight(edit, protected, &a, n, asked, &b, m);
}

/* Returns whether a label looks like the protected one by a rule's keys. An unchanged ASCII label
 * counts if the rule compares ASCII labels. */
static bool is_same(const struct xnm_lookalike_part *part, const struct xn_shape *protected,
                    const struct xnm_protection *protection)
{
    xn_looks looks = XN_LOOKS_OTHER;

    if (!part->second)
        looks = xn_lookalike_compare(protected, part->shape, XN_KEY_EXACT, protection->ascii);
    if (looks == XN_LOOKS_OTHER && protection->key == XN_KEY_STRICT)
        looks = xn_lookalike_compare(protected, part->shape, XN_KEY_STRICT, protection->ascii);
    if (looks == XN_LOOKS_SAME)
        return protected->ace || protection->ascii != XN_ASCII_OFF;
    return looks == XN_LOOKS_ALIKE;
}

/* Appends the labels up to `end`, without the dots between them. Returns whether the result is
 * short enough for a label. */
static bool append_labels(struct xn_shape *shape, const uint8_t *label, const uint8_t *end)
{
    struct xn_shape next;

    for (; label < end; label += label[0] + 1) {
        xn_shape_read(label + 1, label[0], &next);
        if (!xnm_lookalike_append(shape, &next))
            return false;
    }
    return true;
}

/* Returns whether the label is the protected one with `www` before it or its public suffix after
 * it, without the dot between them. */
static bool is_prefixed(const struct xnm_lookalike_part *part, const uint8_t *protected,
                        const uint8_t *end, const struct xnm_protection *protection)
{
    static const uint8_t www[] = "\3www";
    struct xn_shape joined = {.len = 0};

    if (append_labels(&joined, www, www + 4) &&
        append_labels(&joined, protected, protected + protected[0] + 1) &&
        is_same(part, &joined, protection))
        return true;
    joined = (struct xn_shape){.len = 0};
    return append_labels(&joined, protected, end) && is_same(part, &joined, protection);
}

/* Returns whether the label is one edit away from the protected one. `end` is the end of the
 * protected name. */
static bool is_near(const struct xnm_lookalike_part *part, const uint8_t *protected,
                    const uint8_t *end, const struct xn_shape *shape,
                    const struct xnm_protection *protection)
{
    bool ascii = !shape->ace && !part->shape->ace;
    xn_key key = ascii ? XN_KEY_EXACT : protection->key;

    if (shape->len < xnm_protection_least(protection, XNM_PROTECTION_NEAR_MIN) ||
        (ascii && protection->ascii == XN_ASCII_OFF))
        return false;
    if (part->labels == 2)
        return shape->len >= XNM_PROTECTION_FIRST_MIN && is_same(part, shape, protection);
    if (is_prefixed(part, protected, end, protection))
        return true;
    return !(part->second && key != XN_KEY_STRICT) &&
           is_edited(shape, part->shape, key, protection->ascii);
}

/* --- within=, words=, elsewhere= --- */

static bool is_within(const struct xnm_lookalike_part *part, const struct xn_shape *protected,
                      const struct xnm_protection *protection)
{
    uint8_t least = part->apart ? XNM_PROTECTION_APART_MIN : XNM_PROTECTION_WITHIN_MIN;

    return protected->len >= xnm_protection_least(protection, least) &&
           is_same(part, protected, protection);
}

/* Returns whether the label is the protected one itself, in another domain. */
static bool is_elsewhere(const struct xnm_candidate *candidate, const uint8_t *protected,
                         const struct xnm_protection *protection)
{
    const struct xnm_qname *name = candidate->walk->name;
    const uint8_t *asked = name->octets + name->label_at[candidate->first];
    size_t len = (size_t)(name->octets + name->len - asked);
    size_t own = (size_t)(candidate->name->octets + candidate->name->len - protected);

    return xnm_protection_is_long(protected,
                                  xnm_protection_least(protection, XNM_PROTECTION_ELSEWHERE_MIN)) &&
           xnm_lookalike_is_same_label(asked, protected) &&
           !(len == own && memcmp(asked, protected, len) == 0);
}

static bool is_part_alike(struct xnm_lookalike_walk *walk, const struct xnm_candidate *candidate,
                          const uint8_t *protected, const struct xnm_protection *protection)
{
    const struct xnm_lookalike_part *part = candidate->part;
    const struct xnm_protected_name *name = candidate->name;
    struct xn_shape shape;

    xn_shape_read(protected + 1, protected[0], &shape);
    charge(walk, &shape, part->shape);
    return part->match_kind == XNM_MATCH_KIND_NEAR
               ? is_near(part, protected, name->octets + name->len - 1, &shape, protection)
               : is_within(part, &shape, protection);
}

/* --- whole labels --- */

static xn_looks compare_labels(struct xnm_lookalike_walk *walk, const uint8_t *protected,
                               unsigned label, const struct xnm_protection *protection,
                               xnm_match_kind *match_kind)
{
    const uint8_t *asked = walk->name->octets + walk->name->label_at[label];
    struct xn_shape shape;
    const struct xn_shape *other;
    struct xn_shape second;
    xn_looks looks = XN_LOOKS_OTHER;

    if (protected[0] == asked[0] && memcmp(protected + 1, asked + 1, asked[0]) == 0) {
        walk->cost_left -= COST_EQUAL;
        return XN_LOOKS_SAME;
    }
    xn_shape_read(protected + 1, protected[0], &shape);
    other = xnm_qlabels_at(walk->labels, label);
    charge(walk, &shape, other);
    if (walk->second && xn_shape_read_second(other, &second))
        other = &second;
    else
        looks = xn_lookalike_compare(&shape, other, XN_KEY_EXACT, protection->ascii);
    if (looks == XN_LOOKS_OTHER && protection->key == XN_KEY_STRICT) {
        looks = xn_lookalike_compare(&shape, other, XN_KEY_STRICT, protection->ascii);
        *match_kind = XNM_MATCH_KIND_STRICT;
    }
    return looks == XN_LOOKS_ALIKE && shape.len < protection->min ? XN_LOOKS_NEAR : looks;
}

bool xnm_candidate_compare(const struct xnm_candidate *candidate, xnm_match_kind *match_kind,
                           unsigned *label)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    const struct xnm_protected_name *name = candidate->name;
    const struct xnm_lookalike_part *part = candidate->part;
    const struct xnm_protection protection = xnm_lookalike_protection(walk->policy, name);
    const uint8_t *protected = name->octets, *end = name->octets + name->end;
    unsigned asked = candidate->first;

    protected += part ? xnm_lookalike_part_start(&protection, name) : name->start;
    *match_kind = XNM_MATCH_KIND_EXACT;
    *label = 0;
    if (part && part->match_kind == XNM_MATCH_KIND_ELSEWHERE) {
        *match_kind = part->match_kind;
        *label = asked + 1;
        return is_elsewhere(candidate, protected, &protection);
    }
    for (unsigned i = 0; i < candidate->count; i++) {
        xn_looks looks = XN_LOOKS_OTHER;
        if (protected == end || walk->cost_left <= 0)
            return false;
        if (i > 0 || !part)
            looks = compare_labels(walk, protected, asked, &protection, match_kind);
        else if (is_part_alike(walk, candidate, protected, &protection))
            looks = XN_LOOKS_ALIKE;
        if (looks == XN_LOOKS_OTHER)
            return false;
        if (looks == XN_LOOKS_ALIKE && *label == 0)
            *label = asked + 1;
        asked += i == 0 && part ? part->labels : 1;
        protected += protected[0] + 1;
    }
    if (part)
        *match_kind = part->match_kind;
    return protected == end && *label > 0;
}
