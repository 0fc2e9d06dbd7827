/* SPDX-License-Identifier: BSD-3-Clause */
/* A reference for look-alikes and conditions: it compares every label with every other, as the
 * design describes it. */
#ifndef XN_TESTS_UNIT_LABELREFERENCE_H
#define XN_TESTS_UNIT_LABELREFERENCE_H

#include "core/idna/label.h"
#include "core/idna/misread.h"
#include "core/wire/wire.h"
#include "module/name/suffix.h"
#include "module/policy/policy.h"
#include "module/rule/rule.h"
#include "tests/unit/iculevel.h"

#include <stddef.h>
#include <string.h>

/* How a label rule matches. */
struct likeness {
    unsigned label; /* from the left, from 1; 0: it does not match */
    xn_key key;
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

/* How many labels stand left of the public suffix. */
static inline unsigned left_of_suffix(const struct xnm_wirename *name, const struct labels *labels)
{
    for (unsigned i = 0; i < labels->count; i++) {
        size_t at = (size_t)(labels->at[i] - name->octets);
        if (xnm_suffix_is_public(labels->at[i], name->len - at))
            return i;
    }
    return 0;
}

/* Compares `count` labels from these two on. */
static inline struct likeness compare_all(const struct xnm_protection *protection,
                                          const uint8_t *const *protected,
                                          const uint8_t *const *asked, unsigned count, bool second)
{
    struct likeness likeness = {.key = XN_KEY_EXACT, .count = count, .second = second};

    for (unsigned i = 0; i < count; i++) {
        struct xn_shape p, q, other;
        xn_shape_read(protected[i] + 1, protected[i][0], &p);
        xn_shape_read(asked[i] + 1, asked[i][0], &q);
        bool read = second && xn_shape_read_second(&q, &other);
        if (read && protection->key == XN_KEY_EXACT)
            return (struct likeness){0};
        if (read)
            q = other;
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
        if (!exact)
            likeness.key = XN_KEY_STRICT;
    }
    return likeness;
}

static inline bool is_better(const struct likeness *a, const struct likeness *b)
{
    if (a->label == 0 || b->label == 0)
        return a->label != 0 && b->label == 0;
    if (a->count != b->count)
        return a->count > b->count;
    if (a->key != b->key || a->second != b->second)
        return a->key + a->second < b->key + b->second;
    if (!a->any_label)
        return false;
    return a->ace != b->ace ? a->ace : a->label < b->label;
}

static inline struct likeness likeness_by(const struct xnm_protection *protection,
                                          const struct xnm_wirename *protected,
                                          const struct xnm_wirename *asked, bool second)
{
    struct labels p = read_labels(protected), q = read_labels(asked);
    struct likeness best = {0}, found;
    unsigned p_end = p.count, q_end = q.count;

    if (protection->any_tld || protection->any_label)
        p_end = left_of_suffix(protected, &p);
    if (protection->any_tld && !protection->any_label)
        q_end = left_of_suffix(asked, &q);
    if (p_end == 0)
        return best;
    if (!protection->any_label) {
        if (q_end < p_end)
            return best;
        best = compare_all(protection, p.at, q.at + q_end - p_end, p_end, second);
        if (best.label > 0)
            best.label += q_end - p_end;
        return best;
    }
    for (unsigned i = 0; i < q.count; i++) {
        found = compare_all(protection, p.at + p_end - 1, q.at + i, 1, second);
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
    struct likeness first = likeness_by(protection, protected, asked, false);
    struct likeness second = likeness_by(protection, protected, asked, true);

    return is_better(&second, &first) ? second : first;
}

/* --- conditions --- */

/* UTS 39, section 5.2. */
static inline xn_level level_of(const struct xn_unicode *unicode, const uint32_t *label, size_t len)
{
    xn_level level = icu_level(label, len);

    return level >= XN_LEVEL_MODERATE && xn_script_find_restricted(unicode, label, len) < len
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
        return level_of(unicode, rest, len) > condition->level;
    case XNM_TRIGGER_MIXED_DIGITS:
        return xn_script_find_mixed_digit(rest, len) < len;
    case XNM_TRIGGER_RESTRICTED:
        return xn_script_find_restricted(unicode, rest, len) < len;
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
