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
#include "tests/unit/partreference.h"

#include <ctype.h>
#include <libpsl.h>
#include <stddef.h>
#include <string.h>

/* A match of a label rule. */
struct match_kind {
    unsigned label; /* from the left, from 1; 0: it does not match */
    xnm_match_kind how;
    unsigned count; /* of labels compared */
    bool any_label, ace;
    bool joined; /* with the label before it, which is then the first that looks alike */
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

/* --- look-alikes --- */

/* The labels of a public suffix. */
struct rest {
    unsigned count;
    struct xn_shape labels[SUFFIX_LABELS_MAX];
};

static inline bool is_part(const struct xnm_protection *protection, xnm_match_kind how,
                           const struct xn_shape *p, const struct rest *rest,
                           const struct xn_shape *q, const struct xn_shape *written, bool read)
{
    if (how == XNM_MATCH_KIND_NEAR)
        return is_near(protection, p, rest->labels, rest->count, q, read);
    return how == XNM_MATCH_KIND_WORDS ? is_worded(protection, p, q, written, read)
                                       : is_within(protection, p, q, written, read);
}

/* Compares `count` labels from these two on; for WORDS, WITHIN and NEAR, the first in that way.
 * `before`: a label stands before those asked for. */
static inline struct match_kind compare_all(const struct xnm_protection *protection,
                                            xnm_match_kind how, const uint8_t *const *protected,
                                            const struct rest *rest, const uint8_t *const *asked,
                                            unsigned count, bool before, bool second)
{
    struct match_kind match_kind = {.how = how, .count = count, .second = second};

    for (unsigned i = 0; i < count; i++) {
        struct xn_shape p, q, written, other;
        xn_shape_read(protected[i] + 1, protected[i][0], &p);
        xn_shape_read(asked[i] + 1, asked[i][0], &q);
        written = q;
        bool read = second && xn_shape_read_second(&q, &other);
        if (read && protection->key == XN_KEY_EXACT && (i > 0 || how == XNM_MATCH_KIND_EXACT))
            return (struct match_kind){0};
        if (read)
            q = other;
        if (i == 0 && how == XNM_MATCH_KIND_NEAR && before)
            match_kind.joined = is_joined(protection, &p, asked - 1, second);
        if (i == 0 && how != XNM_MATCH_KIND_EXACT) {
            if (!match_kind.joined && !is_part(protection, how, &p, rest, &q, &written, read))
                return (struct match_kind){0};
            match_kind.label = 1;
            continue;
        }
        switch (xn_lookalike_compare(&p, &q, protection->key, protection->ascii)) {
        case XN_LOOKS_OTHER:
            return (struct match_kind){0};
        case XN_LOOKS_ALIKE:
            if (p.len >= protection->min && match_kind.label == 0)
                match_kind.label = i + 1;
            break;
        default:
            break;
        }
        bool exact = !read && xn_lookalike_compare(&p, &q, XN_KEY_EXACT, protection->ascii) !=
                                  XN_LOOKS_OTHER;
        if (!exact && how == XNM_MATCH_KIND_EXACT)
            match_kind.how = XNM_MATCH_KIND_STRICT;
    }
    return match_kind;
}

static inline unsigned tier_of(const struct match_kind *match_kind)
{
    return match_kind->how <= XNM_MATCH_KIND_STRICT ? 0 : match_kind->how;
}

static inline bool is_better(const struct match_kind *a, const struct match_kind *b)
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
static inline struct match_kind likeness_by(const struct xnm_protection *protection,
                                            xnm_match_kind how,
                                            const struct xnm_wirename *protected,
                                            const struct xnm_wirename *asked, bool second,
                                            bool private)
{
    struct labels p = read_labels(protected), q = read_labels(asked);
    struct match_kind best = {0}, found;
    unsigned p_from = 0, p_end = p.count, q_end = q.count, left = left_of_suffix(asked, &q);
    struct rest rest;

    rest.count = 0;

    if (protection->any_tld || protection->any_label)
        p_end = left_of_suffix(protected, &p);
    if (protection->any_tld && !protection->any_label)
        q_end = private ? left_of_private(asked, &q) : left;
    if (p_end == 0)
        return best;
    if (how != XNM_MATCH_KIND_EXACT)
        p_from = left_of_suffix(protected, &p) - 1;
    else if (protection->any_label)
        p_from = p_end - 1;
    for (unsigned i = left_of_suffix(protected, &p);
         i < p.count && rest.count < SUFFIX_LABELS_MAX && how == XNM_MATCH_KIND_NEAR; i++)
        xn_shape_read(p.at[i] + 1, p.at[i][0], &rest.labels[rest.count++]);
    unsigned count = p_end - p_from;
    if (!protection->any_label) {
        if (q_end < count)
            return best;
        best = compare_all(protection, how, p.at + p_from, &rest, q.at + q_end - count, count,
                           q_end > count, second);
        if (best.label > 0)
            best.label += q_end - count - best.joined;
        return best;
    }
    for (unsigned i = 0; i < left; i++) {
        found = compare_all(protection, how, p.at + p_from, &rest, q.at + i, 1, i > 0, second);
        found.any_label = true;
        found.ace = xn_wire_has_ace_prefix(q.at[i] + 1, q.at[i][0]) ||
                    (found.joined && xn_wire_has_ace_prefix(q.at[i - 1] + 1, q.at[i - 1][0]));
        if (found.label > 0)
            found.label += i - found.joined;
        if (is_better(&found, &best))
            best = found;
    }
    return best;
}

/* Returns whether two names are equal from these labels on, in so many labels. */
static inline bool are_equal(const uint8_t *a, const uint8_t *b, unsigned count)
{
    for (; count > 0; count--, a += *a + 1, b += *b + 1)
        for (unsigned i = 0; i <= *a; i++)
            if (tolower(a[i]) != tolower(b[i]))
                return false;
    return true;
}

/* "The protected label itself, left of another public suffix or of another domain." */
static inline struct match_kind elsewhere_of(const struct xnm_protection *protection,
                                             const struct xnm_wirename *protected,
                                             const struct xnm_wirename *asked)
{
    struct labels p = read_labels(protected), q = read_labels(asked);
    unsigned left = left_of_suffix(protected, &p), all;
    struct xn_shape shape;

    if (!protection->elsewhere || left == 0)
        return (struct match_kind){0};
    all = p.count - (left - 1);
    xn_shape_read(p.at[left - 1] + 1, p.at[left - 1][0], &shape);
    for (unsigned i = 0; i < left_of_suffix(asked, &q); i++)
        if (are_equal(p.at[left - 1], q.at[i], 1) && shape.len >= 4 &&
            shape.len >= protection->min &&
            !(q.count - i == all && are_equal(p.at[left - 1], q.at[i], all)))
            return (struct match_kind){.label = i + 1,
                                       .how = XNM_MATCH_KIND_ELSEWHERE,
                                       .count = 1,
                                       .any_label = true,
                                       .ace = xn_wire_has_ace_prefix(q.at[i] + 1, q.at[i][0])};
    return (struct match_kind){0};
}

static inline bool may_match(const struct xnm_protection *protection, xnm_match_kind how)
{
    return how == XNM_MATCH_KIND_EXACT || (how == XNM_MATCH_KIND_WORDS && protection->words > 0) ||
           (how == XNM_MATCH_KIND_WITHIN && protection->within) ||
           (how == XNM_MATCH_KIND_NEAR && protection->near);
}

static inline struct match_kind likeness_of(const struct xnm_protection *protection,
                                            const struct xnm_wirename *protected,
                                            const struct xnm_wirename *asked)
{
    static const xnm_match_kind ways[] = {XNM_MATCH_KIND_EXACT, XNM_MATCH_KIND_WORDS,
                                          XNM_MATCH_KIND_WITHIN, XNM_MATCH_KIND_NEAR};
    struct match_kind best = {0};

    for (unsigned i = 0; i < 4 * sizeof ways / sizeof *ways; i++) {
        if ((i % 2 == 1 && !protection->private) || !may_match(protection, ways[i / 4]))
            continue;
        struct match_kind found =
            likeness_by(protection, ways[i / 4], protected, asked, i / 2 % 2 == 1, i % 2 == 1);
        if (is_better(&found, &best))
            best = found;
    }
    return best.label > 0 ? best : elsewhere_of(protection, protected, asked);
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
        return xn_misread_mixed_digit(rest, len) < len;
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

static inline struct match_kind condition_of(const struct xn_unicode *unicode, xnm_trigger trigger,
                                             const struct xnm_condition *condition,
                                             const struct xnm_wirename *asked)
{
    struct labels labels = read_labels(asked);

    for (size_t i = 0; i < condition->except_count && labels.count > 0; i++) {
        const uint8_t *tld = labels.at[labels.count - 1];
        if (memcmp(tld, condition->except[i].octets, tld[0] + 2U) == 0)
            return (struct match_kind){0};
    }
    for (unsigned i = 0; i < labels.count; i++)
        if (xn_wire_has_ace_prefix(labels.at[i] + 1, labels.at[i][0]) &&
            fulfils(unicode, trigger, condition, labels.at[i], labels.at[labels.count - 1]))
            return (struct match_kind){.label = i + 1};
    return (struct match_kind){0};
}

#endif
