/* SPDX-License-Identifier: BSD-3-Clause */
#include "core/idna/context.h"

#include "core/idna/property.h"
#include "core/idna/traits.h"

#include <unicode/uchar.h>

/* tools/tables/traits makes traits_composing and traits_decomposing, both in order. */
#define TRAITS_OF_MARKS
#include "traits_table.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* RFC 5892, appendix A.7. ICU runs this search for each middle dot, in quadratic time for a label
 * full of them; we run it once. */
static bool has_kana_or_han(const uint32_t *label, size_t len)
{
    for (size_t i = 0; i < len; i++)
        if (xn_traits_is_kana_or_han(label[i]))
            return true;
    return false;
}

/* RFC 5892, appendix A.3 to A.6. */
static bool is_in_context(const uint32_t *label, size_t len, size_t i)
{
    bool has_before = i > 0, has_behind = i + 1 < len;

    switch (label[i]) {
    case 0xB7:
        return has_before && has_behind && label[i - 1] == 'l' && label[i + 1] == 'l';
    case 0x375:
        return has_behind && xn_unicode_script(label[i + 1]) == XN_SCRIPT_GREK;
    case 0x5F3:
    case 0x5F4:
        return has_before && xn_unicode_script(label[i - 1]) == XN_SCRIPT_HEBR;
    default:
        return true;
    }
}

bool xn_context_is_kept(const uint32_t *label, size_t len)
{
    bool middle_dot = false;

    for (size_t i = 0; i < len; i++) {
        if (!is_in_context(label, len, i))
            return false;
        middle_dot |= label[i] == 0x30FB;
    }
    return !middle_dot || has_kana_or_han(label, len);
}

static bool has_joining_type(uint32_t cp, UJoiningType a, UJoiningType b)
{
    int32_t type = u_getIntPropertyValue((UChar32)cp, UCHAR_JOINING_TYPE);

    return type == (int32_t)a || type == (int32_t)b;
}

static bool is_transparent(uint32_t cp)
{
    return has_joining_type(cp, U_JT_TRANSPARENT, U_JT_TRANSPARENT);
}

/* (Joining_Type:{L,D})(Joining_Type:T)*U+200C(Joining_Type:T)*(Joining_Type:{R,D}) */
static bool breaks_a_join(const uint32_t *label, size_t len, size_t at)
{
    size_t before = at, after = at + 1;

    while (before > 0 && is_transparent(label[before - 1]))
        before--;
    while (after < len && is_transparent(label[after]))
        after++;
    return before > 0 && after < len &&
           has_joining_type(label[before - 1], U_JT_LEFT_JOINING, U_JT_DUAL_JOINING) &&
           has_joining_type(label[after], U_JT_RIGHT_JOINING, U_JT_DUAL_JOINING);
}

size_t xn_context_find_joiner(const uint32_t *label, size_t len)
{
    enum { VIRAMA = 9 }; /* a Canonical_Combining_Class */

    for (size_t i = 0; i < len; i++)
        if (xn_unicode_is_joiner(label[i]) &&
            !(i > 0 && u_getCombiningClass((UChar32)label[i - 1]) == VIRAMA) &&
            !(label[i] == 0x200C && breaks_a_join(label, len, i)))
            return i;
    return len;
}

/* --- marks --- */

/* Returns whether two jamo, or a syllable and a jamo, are one syllable in NFC (The Unicode
 * Standard, section 3.12). */
static bool is_syllable(uint32_t first, uint32_t second)
{
    return (first - 0x1100 < 19 && second - 0x1161 < 21) ||
           (first - 0xAC00 < 11172 && (first - 0xAC00) % 28 == 0 && second - 0x11A8 < 27);
}

/* Returns whether a mark composes with the starter before it or with a part of that: U+1E27 U+0323
 * is U+1E25 U+0308 in NFC. */
static bool composes(uint32_t starter, uint32_t mark)
{
    size_t first = 0, end = COUNT(traits_composing);

    while (first < end) {
        size_t middle = (first + end) / 2;
        const struct trait_pair *pair = &traits_composing[middle];

        if (pair->starter == starter && pair->mark == mark)
            return true;
        if (pair->starter < starter || (pair->starter == starter && pair->mark < mark))
            first = middle + 1;
        else
            end = middle;
    }
    return is_syllable(starter, mark);
}

/* Marks must be in canonical order, and none may compose with the starter before it. Between the
 * two, a mark of the same class or a higher one prevents that. */
bool xn_context_is_composed(const uint32_t *label, const uint32_t *traits, size_t len)
{
    uint32_t class_before = 0, starter_traits = 0;
    size_t starter = 0;

    for (size_t i = 0; i < len; i++) {
        uint32_t class = traits[i] & TRAIT_CLASS;

        if (class != 0 && class < class_before)
            return false;
        if (traits[i] & TRAIT_MAYBE && starter_traits & (TRAIT_COMPOSES | TRAIT_DECOMPOSES) &&
            (class_before == 0 || class_before < class) && composes(label[starter], label[i]))
            return false;
        class_before = class;
        if (class == 0) {
            starter_traits = traits[i];
            starter = i;
        }
    }
    return true;
}

/* Returns NULL for a code point without nonspacing marks in its decomposition. */
static const struct trait_decomposition *find_decomposition(uint32_t cp)
{
    size_t first = 0, end = COUNT(traits_decomposing);

    while (first < end) {
        size_t middle = (first + end) / 2;

        if (traits_decomposing[middle].cp == cp)
            return &traits_decomposing[middle];
        if (traits_decomposing[middle].cp < cp)
            first = middle + 1;
        else
            end = middle;
    }
    return NULL;
}

/* The nonspacing marks since the last other code point, as canonical decomposition has them. */
struct heap {
    size_t count;
    uint32_t marks[(XN_MARKS_MAX + 2) * TRAIT_PARTS_MAX];
};

/* Returns whether the heap already had this mark, or has no room for it. */
static inline bool add(struct heap *heap, uint32_t cp, bool stacks)
{
    if (!stacks) {
        heap->count = 0;
        return false;
    }
    if (heap->count == COUNT(heap->marks))
        return true;
    for (size_t i = 0; i < heap->count; i++)
        if (heap->marks[i] == cp)
            return true;
    heap->marks[heap->count++] = cp;
    return false;
}

static bool add_parts(struct heap *heap, const uint32_t parts[TRAIT_PARTS_MAX])
{
    for (size_t i = 0; i < TRAIT_PARTS_MAX && parts[i] != 0; i++)
        if (add(heap, parts[i] & ~TRAIT_PART_STACKS, parts[i] & TRAIT_PART_STACKS))
            return true;
    return false;
}

bool xn_context_has_odd_marks(const uint32_t *label, const uint32_t *traits, size_t len)
{
    struct heap heap;
    size_t run = 0; /* marks just before */

    heap.count = 0;
    for (size_t i = 0; i < len; i++) {
        bool stacks = traits[i] & TRAIT_STACKS;
        const struct trait_decomposition *found = NULL;

        run = stacks ? run + 1 : 0;
        if (run > XN_MARKS_MAX)
            return true;
        /* Only a mark, or a code point before one, matters. */
        if (traits[i] & TRAIT_DECOMPOSES &&
            (traits[i] & TRAIT_MARK || (i + 1 < len && traits[i + 1] & TRAIT_STACKS)))
            found = find_decomposition(label[i]);
        if (found ? add_parts(&heap, found->parts) : add(&heap, label[i], stacks))
            return true;
    }
    return false;
}
