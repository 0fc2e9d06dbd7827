/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference for look-alikes and conditions: it compares every label with every other, as the
 * design describes it. */
#ifndef XN_TESTS_UNIT_LABELREFERENCE_H
#define XN_TESTS_UNIT_LABELREFERENCE_H

#include "core/idna/label.h"
#include "core/idna/misread.h"
#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"
#include "core/wire/wire.h"
#include "module/name/suffix.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"
#include "tests/unit/iculevel.h"

#include <libpsl.h>
#include <stddef.h>
#include <string.h>

/* A match of a label rule. */
struct likeness {
    unsigned label; /* from the left, from 1; 0: it does not match */
    xnm_likeness how;
    unsigned count; /* of labels compared */
    bool any_label, ace;
    bool second; /* by second readings */
};

struct labels {
    unsigned count;
    const uint8_t *at[128]; /* length octets */
};

static inline struct labels read_labels(const struct xnm_wirename *name)
{
    struct labels labels = {0};

    for (const uint8_t *at = name->octets; *at != 0; at += *at + 1)
        labels.at[labels.count++] = at;
    return labels;
}

/* Counts the labels left of the public suffix. */
static inline unsigned left_of_suffix(const struct xnm_wirename *name, const struct labels *labels)
{
    for (unsigned i = 0; i < labels->count; i++) {
        size_t at = (size_t)(labels->at[i] - name->octets);
        if (xnm_suffix_is_public(labels->at[i], name->len - at))
            return i;
    }
    return 0;
}

/* How many stand left of the longest suffix of either section of the list. */
static inline unsigned left_of_private(const struct xnm_wirename *name, const struct labels *labels)
{
    char text[XN_WIRE_TEXT_MAX + 1];

    for (unsigned i = 0; i + 1 < labels->count; i++) {
        text[xn_wire_to_text(labels->at[i], text) - 1] = '\0';
        if (psl_is_public_suffix2(psl_builtin(), text, PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE))
            return i;
    }
    return left_of_suffix(name, labels);
}

/* --- near= and within= --- */

/* Are two parts of labels, from one letter to another, the same by a key and class? */
static inline bool same_letters(const struct xn_shape *p, const struct xn_letters *a, unsigned a_at,
                                unsigned a_end, const struct xn_shape *q,
                                const struct xn_letters *b, unsigned b_at, unsigned b_end,
                                xn_key key, xn_ascii ascii)
{
    struct xn_letters x, y;
    struct xn_shape cut;

    if (a_end < a_at || b_end < b_at || a_end > a->count || b_end > b->count)
        return false;
    xn_letters_cut(a, p, a_at, a_end, &cut);
    xn_letters_read(&cut, key, ascii, &x);
    xn_letters_cut(b, q, b_at, b_end, &cut);
    xn_letters_read(&cut, key, ascii, &y);
    return xn_letters_len(&x) == xn_letters_len(&y) &&
           memcmp(x.key, y.key, xn_letters_len(&x)) == 0;
}

/* "One edit beyond the key": at some place of both, before which and after which they are the same,
 * the one has so many letters and the other so many; two are exchanged. */
static inline bool is_one_edit(const struct xn_shape *p, const struct xn_shape *q, xn_key key,
                               xn_ascii ascii)
{
    static const unsigned edits[][2] = {{0, 1}, {1, 0}, {1, 1}, {2, 2}};
    struct xn_letters a, b;

    xn_letters_read(p, key, ascii, &a);
    xn_letters_read(q, key, ascii, &b);
#define SAME(a_at, a_end, b_at, b_end)                                                             \
    same_letters(p, &a, a_at, a_end, q, &b, b_at, b_end, key, ascii)
    if (SAME(0, a.count, 0, b.count))
        return false;
    for (unsigned i = 0; i <= a.count; i++)
        for (unsigned j = 0; j <= b.count; j++) {
            if (!SAME(0, i, 0, j))
                continue;
            for (unsigned n = 0; n < sizeof edits / sizeof *edits; n++) {
                unsigned of_a = edits[n][0], of_b = edits[n][1];
                if (i + of_a <= a.count && j + of_b <= b.count &&
                    SAME(i + of_a, a.count, j + of_b, b.count) &&
                    (n < 3 || (SAME(i, i + 1, j + 1, j + 2) && SAME(i + 1, i + 2, j, j + 1))))
                    return true;
            }
        }
#undef SAME
    return false;
}

/* "One edit in a label of seven characters and more." */
static inline bool is_near(const struct xnm_protection *protection, const struct xn_shape *p,
                           const struct xn_shape *q, bool second)
{
    bool ascii = !p->ace && !q->ace;

    if (!protection->near || p->len < 7 || p->len < protection->min ||
        (ascii && protection->ascii == XN_ASCII_OFF) || (second && protection->key == XN_KEY_EXACT))
        return false;
    return is_one_edit(p, q, ascii ? XN_KEY_EXACT : protection->key, protection->ascii);
}

static inline bool is_hyphen_at(const struct xn_letters *letters, unsigned n)
{
    return letters->at[n + 1] - letters->at[n] == 1 && letters->key[letters->at[n]] == '-';
}

static inline bool is_cut_alike(const struct xnm_protection *protection, const struct xn_shape *p,
                                const struct xn_shape *q, bool second)
{
    for (xn_key key = second ? XN_KEY_STRICT : XN_KEY_EXACT; key <= protection->key; key++) {
        xn_looks looks = xn_lookalike_compare(p, q, key, protection->ascii);
        if (looks == XN_LOOKS_ALIKE ||
            (looks == XN_LOOKS_SAME && (p->ace || protection->ascii != XN_ASCII_OFF)))
            return true;
    }
    return false;
}

/* "A label of eight characters and more at the start or the end, or between hyphens." */
static inline bool is_within(const struct xnm_protection *protection, const struct xn_shape *p,
                             const struct xn_shape *q, const struct xn_shape *written, bool second)
{
    struct xn_letters letters;
    struct xn_shape cut, as_written;

    if (!protection->within || p->len < 8 || p->len < protection->min)
        return false;
    xn_letters_read(q, XN_KEY_STRICT, XN_ASCII_OFF, &letters);
    for (unsigned i = 0; i < letters.count; i++)
        for (unsigned j = i + 1; j <= letters.count; j++) {
            if (j - i == letters.count ||
                (i > 0 && j < letters.count &&
                 !(is_hyphen_at(&letters, i - 1) && is_hyphen_at(&letters, j))))
                continue;
            xn_letters_cut(&letters, q, i, j, &cut);
            xn_letters_cut(&letters, written, i, j, &as_written);
            cut.ace = as_written.ace;
            if (is_cut_alike(protection, p, &cut, second))
                return true;
        }
    return false;
}

/* --- look-alikes --- */

/* Compares `count` labels from these two on; for WITHIN and NEAR, the first in that way. */
static inline struct likeness compare_all(const struct xnm_protection *protection, xnm_likeness how,
                                          const uint8_t *const *protected,
                                          const uint8_t *const *asked, unsigned count, bool second)
{
    struct likeness likeness = {.how = how, .count = count, .second = second};

    for (unsigned i = 0; i < count; i++) {
        struct xn_shape p, q, written, other;
        xn_shape_read(protected[i] + 1, protected[i][0], &p);
        xn_shape_read(asked[i] + 1, asked[i][0], &q);
        written = q;
        bool read = second && xn_shape_read_second(&q, &other);
        if (read && protection->key == XN_KEY_EXACT)
            return (struct likeness){0};
        if (read)
            q = other;
        if (i == 0 && how != XNM_LIKENESS_EXACT) {
            if (!(how == XNM_LIKENESS_NEAR ? is_near(protection, &p, &q, read)
                                           : is_within(protection, &p, &q, &written, read)))
                return (struct likeness){0};
            likeness.label = 1;
            continue;
        }
        bool exact = !read && xn_lookalike_compare(&p, &q, XN_KEY_EXACT, protection->ascii) !=
                                  XN_LOOKS_OTHER;
        switch (xn_lookalike_compare(&p, &q, protection->key, protection->ascii)) {
        case XN_LOOKS_OTHER:
            return (struct likeness){0};
        case XN_LOOKS_ALIKE:
            if (p.len >= (exact ? protection->min : protection->strict_min) && likeness.label == 0)
                likeness.label = i + 1;
            break;
        default:
            break;
        }
        if (!exact && how == XNM_LIKENESS_EXACT)
            likeness.how = XNM_LIKENESS_STRICT;
    }
    return likeness;
}

static inline unsigned tier_of(const struct likeness *likeness)
{
    return likeness->how <= XNM_LIKENESS_STRICT ? 0 : 1 + (likeness->how == XNM_LIKENESS_NEAR);
}

static inline bool is_better(const struct likeness *a, const struct likeness *b)
{
    if (a->label == 0 || b->label == 0)
        return a->label != 0 && b->label == 0;
    if (tier_of(a) != tier_of(b))
        return tier_of(a) < tier_of(b);
    if (a->count != b->count)
        return a->count > b->count;
    if (a->how != b->how || a->second != b->second)
        return (unsigned)a->how + a->second < (unsigned)b->how + b->second;
    if (!a->any_label)
        return false;
    return a->ace != b->ace ? a->ace : a->label < b->label;
}

/* `private`: the name asked for is looked at left of its private suffix. */
static inline struct likeness likeness_by(const struct xnm_protection *protection, xnm_likeness how,
                                          const struct xnm_wirename *protected,
                                          const struct xnm_wirename *asked, bool second,
                                          bool private)
{
    struct labels p = read_labels(protected), q = read_labels(asked);
    struct likeness best = {0}, found;
    unsigned p_from = 0, p_end = p.count, q_end = q.count;

    if (protection->any_tld || protection->any_label)
        p_end = left_of_suffix(protected, &p);
    if (protection->any_tld && !protection->any_label)
        q_end = private ? left_of_private(asked, &q) : left_of_suffix(asked, &q);
    if (p_end == 0)
        return best;
    if (how != XNM_LIKENESS_EXACT)
        p_from = left_of_suffix(protected, &p) - 1;
    else if (protection->any_label)
        p_from = p_end - 1;
    unsigned count = p_end - p_from;
    if (!protection->any_label) {
        if (q_end < count)
            return best;
        best = compare_all(protection, how, p.at + p_from, q.at + q_end - count, count, second);
        if (best.label > 0)
            best.label += q_end - count;
        return best;
    }
    for (unsigned i = 0; i < q.count; i++) {
        found = compare_all(protection, how, p.at + p_from, q.at + i, 1, second);
        found.any_label = true;
        found.ace = xn_wire_has_ace_prefix(q.at[i] + 1, q.at[i][0]);
        if (found.label > 0)
            found.label += i;
        if (is_better(&found, &best))
            best = found;
    }
    return best;
}

static inline struct likeness likeness_of(const struct xnm_protection *protection,
                                          const struct xnm_wirename *protected,
                                          const struct xnm_wirename *asked)
{
    static const xnm_likeness ways[] = {XNM_LIKENESS_EXACT, XNM_LIKENESS_WITHIN, XNM_LIKENESS_NEAR};
    struct likeness best = {0};

    for (unsigned i = 0; i < 4 * sizeof ways / sizeof *ways; i++) {
        if (i % 2 == 1 && !protection->private)
            continue;
        struct likeness found =
            likeness_by(protection, ways[i / 4], protected, asked, i / 2 % 2 == 1, i % 2 == 1);
        if (is_better(&found, &best))
            best = found;
    }
    return best;
}

/* --- conditions --- */

/* UTS 39, section 5.2. */
static inline xn_level level_of(const uint32_t *label, size_t len)
{
    xn_level level = icu_level(label, len);

    return level >= XN_LEVEL_MODERATE && xn_script_find_restricted(label, len) < len
               ? XN_LEVEL_UNRESTRICTED
               : level;
}

static inline bool fulfils(const struct xn_unicode *unicode, xnm_trigger trigger,
                           const struct xnm_condition *condition, const uint8_t *label,
                           const uint8_t *tld)
{
    uint32_t cps[XN_ULABEL_MAX], rest[XN_ULABEL_MAX];
    size_t count, len = 0;
    xn_reasons reasons = xn_label_decode(unicode, label + 1, label[0], cps, &count);

    if (trigger == XNM_TRIGGER_INVALID)
        return reasons & XN_INVALID_REASONS;
    for (size_t i = 0; i < count; i++)
        if (cps[i] != 0x200C && cps[i] != 0x200D)
            rest[len++] = cps[i];
    if (len == 0)
        return false;
    switch (trigger) {
    case XNM_TRIGGER_SCRIPT:
        return condition->outside ? xn_script_find_outside(&condition->scripts, rest, len) < len
                                  : xn_script_find_in(&condition->scripts, rest, len) < len;
    case XNM_TRIGGER_SCRIPT_LEVEL:
        return level_of(rest, len) > condition->level;
    case XNM_TRIGGER_MIXED_DIGITS:
        return xn_script_find_mixed_digit(rest, len) < len;
    case XNM_TRIGGER_RESTRICTED:
        return xn_script_find_restricted(rest, len) < len;
    case XNM_TRIGGER_WHOLESCRIPT:
        return label != tld && xn_script_is_wholescript(rest, len) &&
               !xn_misread_fits_tld(tld + 1, tld[0], rest, len);
    case XNM_TRIGGER_EMOJI:
        return xn_script_find_emoji(rest, len) < len;
    default:
        return xn_script_find_rtl(rest, len) < len;
    }
}

static inline struct likeness condition_of(const struct xn_unicode *unicode, xnm_trigger trigger,
                                           const struct xnm_condition *condition,
                                           const struct xnm_wirename *asked)
{
    struct labels labels = read_labels(asked);

    for (size_t i = 0; i < condition->except_count && labels.count > 0; i++) {
        const uint8_t *tld = labels.at[labels.count - 1];
        if (memcmp(tld, condition->except[i].octets, tld[0] + 2U) == 0)
            return (struct likeness){0};
    }
    for (unsigned i = 0; i < labels.count; i++)
        if (xn_wire_has_ace_prefix(labels.at[i] + 1, labels.at[i][0]) &&
            fulfils(unicode, trigger, condition, labels.at[i], labels.at[labels.count - 1]))
            return (struct likeness){.label = i + 1};
    return (struct likeness){0};
}

#endif
