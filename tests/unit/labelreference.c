/* SPDX-License-Identifier: BSD-3-Clause */
/* The reference of labelreference.h. */
#include "tests/unit/labelreference.h"

#include "core/idna/label.h"
#include "core/idna/misread.h"
#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"
#include "core/wire/wire.h"
#include "module/name/suffix.h"
#include "tests/unit/iculevel.h"
#include "tests/unit/randomnames.h"

#include <ctype.h>
#include <libpsl.h>
#include <stddef.h>
#include <string.h>

/* --- near= and within= --- */

/* Returns whether two parts of labels, each from one letter to another, are the same by a key and
 * class. */
static bool same_letters(const struct xn_shape *p, const struct xn_letters *a, unsigned a_at,
                         unsigned a_end, const struct xn_shape *q, const struct xn_letters *b,
                         unsigned b_at, unsigned b_end, xn_key key, xn_ascii ascii)
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

static uint32_t first_of(const struct xn_shape *shape, const struct xn_letters *letters, unsigned n)
{
    return shape->code_points[letters->first[n]];
}

/* Two labels whose letters are compared. */
struct lettered {
    const struct xn_shape *p, *q;
    struct xn_letters a, b;
    xn_key key;
    xn_ascii ascii;
};

static bool same_parts(const struct lettered *both, unsigned a_at, unsigned a_end, unsigned b_at,
                       unsigned b_end)
{
    return same_letters(both->p, &both->a, a_at, a_end, both->q, &both->b, b_at, b_end, both->key,
                        both->ascii);
}

/* Returns whether letter n of a label is the same as one beside it. */
static bool is_beside_same(const struct xn_shape *shape, const struct xn_letters *letters,
                           unsigned n, const struct lettered *both)
{
#define SAME(x, y)                                                                                 \
    same_letters(shape, letters, x, (x) + 1, shape, letters, y, (y) + 1, both->key, both->ascii)
    return (n > 0 && SAME(n - 1, n)) || SAME(n, n + 1);
#undef SAME
}

/* "In shorter labels only a letter that is doubled, or one of two that is missing, a hyphen that is
 * added, two neighbours that are exchanged, or a vowel in the place of another one." */
static bool is_cheap(const struct lettered *both, unsigned i, unsigned of_a, unsigned j,
                     unsigned of_b)
{
    if (of_a == 2)
        return true;
    if (of_a == 0)
        return first_of(both->q, &both->b, j) == '-' || is_beside_same(both->q, &both->b, j, both);
    if (of_b == 0)
        return is_beside_same(both->p, &both->a, i, both);
    uint32_t x = first_of(both->p, &both->a, i), y = first_of(both->q, &both->b, j);
    return x < 0x80 && y < 0x80 && x != 0 && y != 0 && strchr("aeiou", (int)x) &&
           strchr("aeiou", (int)y);
}

/* "One edit beyond the key": at some place of both, before which and after which they are the same,
 * the one has so many letters and the other so many; two are exchanged. From seven characters any
 * counts, from five any that leaves the first letter. */
static bool is_one_edit(const struct xn_shape *p, const struct xn_shape *q, xn_key key,
                        xn_ascii ascii)
{
    static const unsigned edits[][2] = {{0, 1}, {1, 0}, {1, 1}, {2, 2}};
    struct lettered both = {.p = p, .q = q, .key = key, .ascii = ascii};

    xn_letters_read(p, key, ascii, &both.a);
    xn_letters_read(q, key, ascii, &both.b);
    unsigned a_end = both.a.count, b_end = both.b.count;
    bool any = p->len >= 7 || (p->len >= 5 && same_parts(&both, 0, 1, 0, 1));
    if (same_parts(&both, 0, a_end, 0, b_end))
        return false;
    for (unsigned i = 0; i <= a_end; i++)
        for (unsigned j = 0; j <= b_end; j++) {
            if (!same_parts(&both, 0, i, 0, j))
                continue;
            for (unsigned n = 0; n < sizeof edits / sizeof *edits; n++) {
                unsigned of_a = edits[n][0], of_b = edits[n][1];
                if (i + of_a <= a_end && j + of_b <= b_end &&
                    same_parts(&both, i + of_a, a_end, j + of_b, b_end) &&
                    (n < 3 || (same_parts(&both, i, i + 1, j + 1, j + 2) &&
                               same_parts(&both, i + 1, i + 2, j, j + 1))) &&
                    (any || is_cheap(&both, i, of_a, j, of_b)))
                    return true;
            }
        }
    return false;
}

/* The code points of labels one after the other; none if they are longer than a label. */
static struct xn_shape join_shapes(const struct xn_shape *shapes, unsigned count)
{
    struct xn_shape joined = {.len = 0};

    for (unsigned n = 0; n < count; n++) {
        if (joined.len + shapes[n].len > 63)
            return (struct xn_shape){.len = 0};
        memcpy(joined.code_points + joined.len, shapes[n].code_points,
               shapes[n].len * sizeof *joined.code_points);
        joined.len = (uint8_t)(joined.len + shapes[n].len);
        joined.ace |= shapes[n].ace;
    }
    return joined;
}

static bool is_cut_alike(const struct xnm_protection *protection, const struct xn_shape *p,
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

enum { SUFFIX_LABELS_MAX = 8 }; /* more than any public suffix has */

/* "From four characters": one edit, and also the label with www before it or with its public suffix
 * after it, without the dots. `rest` are the labels of that suffix. */
static bool is_near(const struct xnm_protection *protection, const struct xn_shape *p,
                    const struct xn_shape *rest, unsigned rest_count, const struct xn_shape *q,
                    bool second)
{
    bool ascii = !p->ace && !q->ace;
    struct xn_shape parts[2 + SUFFIX_LABELS_MAX] = {{.len = 3, .code_points = {'w', 'w', 'w'}}, *p};

    if (!protection->near || p->len < 4 || p->len < protection->min ||
        (ascii && protection->ascii == XN_ASCII_OFF))
        return false;
    struct xn_shape joined = join_shapes(parts, 2);
    if (joined.len > 0 && is_cut_alike(protection, &joined, q, second))
        return true;
    memcpy(parts + 2, rest, rest_count * sizeof *rest);
    joined = join_shapes(parts + 1, 1 + rest_count);
    if (joined.len > 0 && is_cut_alike(protection, &joined, q, second))
        return true;
    return !(second && protection->key == XN_KEY_EXACT) &&
           is_one_edit(p, q, ascii ? XN_KEY_EXACT : protection->key, protection->ascii);
}

/* "From five characters": a dot in the label. */
static bool is_joined(const struct xnm_protection *protection, const struct xn_shape *p,
                      const uint8_t *const *asked, bool second)
{
    struct xn_shape q[2], other;
    bool read = false;

    for (unsigned i = 0; i < 2; i++) {
        xn_shape_read(asked[i] + 1, asked[i][0], &q[i]);
        if (second && xn_shape_read_second(&q[i], &other)) {
            q[i] = other;
            read = true;
        }
    }
    struct xn_shape joined = join_shapes(q, 2);
    return protection->near && p->len >= 5 && p->len >= protection->min && joined.len > 0 &&
           (p->ace || joined.ace || protection->ascii != XN_ASCII_OFF) &&
           is_cut_alike(protection, p, &joined, read);
}

static bool is_digit_at(const struct xn_shape *q, const struct xn_letters *letters, unsigned n)
{
    return first_of(q, letters, n) >= '0' && first_of(q, letters, n) <= '9';
}

/* Stands a hyphen or a digit, but not one of two digits, beyond a border of a part? */
static bool is_apart_at(const struct xn_shape *q, const struct xn_letters *letters,
                        unsigned outside, unsigned inside)
{
    return first_of(q, letters, outside) == '-' ||
           (is_digit_at(q, letters, outside) && !is_digit_at(q, letters, inside));
}

/* "A label of eight characters and more at the start or the end; of five and more between ends,
 * hyphens and digits." */
static bool is_within(const struct xnm_protection *protection, const struct xn_shape *p,
                      const struct xn_shape *q, const struct xn_shape *written, bool second)
{
    struct xn_letters letters;
    struct xn_shape cut, as_written;

    if (!protection->within || p->len < 5 || p->len < protection->min)
        return false;
    xn_letters_read(q, XN_KEY_STRICT, XN_ASCII_OFF, &letters);
    for (unsigned i = 0; i < letters.count; i++)
        for (unsigned j = i + 1; j <= letters.count; j++) {
            bool left = i == 0 || is_apart_at(written, &letters, i - 1, i);
            bool right = j == letters.count || is_apart_at(written, &letters, j, j - 1);
            if (j - i == letters.count || (i > 0 && j < letters.count && !(left && right)) ||
                (p->len < 8 && !(left && right)))
                continue;
            xn_letters_cut(&letters, q, i, j, &cut);
            xn_letters_cut(&letters, written, i, j, &as_written);
            cut.ace = as_written.ace;
            if (is_cut_alike(protection, p, &cut, second))
                return true;
        }
    return false;
}

/* Returns the n-th word of a set as its letters, or NULL. */
static const struct xn_letters *word_of(unsigned set, unsigned n)
{
    enum { SET_WORDS_MAX = 6 };
    static struct xn_letters read[RANDOM_SETS][SET_WORDS_MAX];
    static unsigned counts[RANDOM_SETS];
    char words[64], *rest = words, *word;
    struct xn_shape shape;

    if (counts[set - 1] == 0) {
        strcpy(words, random_sets[set - 1]);
        while ((word = strsep(&rest, " "))) {
            xn_shape_read((const uint8_t *)word, strlen(word), &shape);
            xn_letters_read(&shape, XN_KEY_STRICT, XN_ASCII_WIDE,
                            &read[set - 1][counts[set - 1]++]);
        }
    }
    return n < counts[set - 1] ? &read[set - 1][n] : NULL;
}

/* Returns whether the letters between two places are words of a set, hyphens and digits alone: with
 * a word, if one is needed. `letters` have the loose key. */
static bool are_words(unsigned set, const struct xn_shape *written,
                      const struct xn_letters *letters, unsigned at, unsigned end, bool needed)
{
    const struct xn_letters *word;

    if (at == end)
        return !needed;
    if ((first_of(written, letters, at) == '-' || is_digit_at(written, letters, at)) &&
        are_words(set, written, letters, at + 1, end, needed))
        return true;
    for (unsigned n = 0; (word = word_of(set, n)); n++)
        for (unsigned to = at + 1; to <= end; to++)
            if ((size_t)(letters->at[to] - letters->at[at]) == xn_letters_len(word) &&
                memcmp(letters->key + letters->at[at], word->key, xn_letters_len(word)) == 0 &&
                are_words(set, written, letters, to, end, false))
                return true;
    return false;
}

/* "The label, from five characters, with words before or after it, and hyphens and digits between
 * them." */
static bool is_worded(const struct xnm_protection *protection, const struct xn_shape *p,
                      const struct xn_shape *q, const struct xn_shape *written, bool second)
{
    struct xn_letters letters;
    struct xn_shape cut;

    if (protection->words == 0 || p->len < 5 || p->len < protection->min)
        return false;
    xn_letters_read(q, XN_KEY_STRICT, XN_ASCII_WIDE, &letters);
#define WORDS(at, end, needed) are_words(protection->words, written, &letters, at, end, needed)
    for (unsigned i = 0; i < letters.count; i++)
        for (unsigned j = i + 1; WORDS(0, i, false) && j <= letters.count; j++) {
            if (!WORDS(j, letters.count, false) ||
                (!WORDS(0, i, true) && !WORDS(j, letters.count, true)))
                continue;
            xn_letters_cut(&letters, q, i, j, &cut);
            cut.ace = written->ace;
            if (is_cut_alike(protection, p, &cut, second))
                return true;
        }
#undef WORDS
    return false;
}

struct labels {
    unsigned count;
    const uint8_t *at[128]; /* length octets */
};

static struct labels read_labels(const struct xnm_wirename *name)
{
    struct labels labels = {0};

    for (const uint8_t *at = name->octets; *at != 0; at += *at + 1)
        labels.at[labels.count++] = at;
    return labels;
}

/* Counts the labels left of the public suffix. */
static unsigned left_of_suffix(const struct xnm_wirename *name, const struct labels *labels)
{
    for (unsigned i = 0; i < labels->count; i++) {
        size_t at = (size_t)(labels->at[i] - name->octets);
        if (xnm_suffix_is_public(labels->at[i], name->len - at))
            return i;
    }
    return 0;
}

/* --- look-alikes --- */

/* The labels of a public suffix. */
struct rest {
    unsigned count;
    struct xn_shape labels[SUFFIX_LABELS_MAX];
};

static bool is_part(const struct xnm_protection *protection, xnm_match_kind how,
                    const struct xn_shape *p, const struct rest *rest, const struct xn_shape *q,
                    const struct xn_shape *written, bool read)
{
    if (how == XNM_MATCH_KIND_NEAR)
        return is_near(protection, p, rest->labels, rest->count, q, read);
    return how == XNM_MATCH_KIND_WORDS ? is_worded(protection, p, q, written, read)
                                       : is_within(protection, p, q, written, read);
}

/* Compares `count` labels from these two on; for WORDS, WITHIN and NEAR, the first in that way.
 * `before`: a label precedes those asked for. */
static struct match_kind compare_all(const struct xnm_protection *protection, xnm_match_kind how,
                                     const uint8_t *const *protected, const struct rest *rest,
                                     const uint8_t *const *asked, unsigned count, bool before,
                                     bool second)
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

static unsigned tier_of(const struct match_kind *match_kind)
{
    return match_kind->how <= XNM_MATCH_KIND_STRICT ? 0 : match_kind->how;
}

bool is_better(const struct match_kind *a, const struct match_kind *b)
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

static struct match_kind kind_by(const struct xnm_protection *protection, xnm_match_kind how,
                                 const struct xnm_wirename *protected,
                                 const struct xnm_wirename *asked, bool second)
{
    struct labels p = read_labels(protected), q = read_labels(asked);
    struct match_kind best = {0}, found;
    unsigned p_from = 0, p_end = p.count, q_end = q.count, left = left_of_suffix(asked, &q);
    struct rest rest;

    rest.count = 0;

    if (protection->any_tld || protection->any_label)
        p_end = left_of_suffix(protected, &p);
    if (protection->any_tld && !protection->any_label)
        q_end = left;
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
static bool are_equal(const uint8_t *a, const uint8_t *b, unsigned count)
{
    for (; count > 0; count--, a += *a + 1, b += *b + 1)
        for (unsigned i = 0; i <= *a; i++)
            if (tolower(a[i]) != tolower(b[i]))
                return false;
    return true;
}

/* "The protected label itself, left of another public suffix or of another domain." */
static struct match_kind elsewhere_of(const struct xnm_protection *protection,
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

static bool may_match(const struct xnm_protection *protection, xnm_match_kind how)
{
    return how == XNM_MATCH_KIND_EXACT || (how == XNM_MATCH_KIND_WORDS && protection->words > 0) ||
           (how == XNM_MATCH_KIND_WITHIN && protection->within) ||
           (how == XNM_MATCH_KIND_NEAR && protection->near);
}

struct match_kind kind_of(const struct xnm_protection *protection,
                          const struct xnm_wirename *protected, const struct xnm_wirename *asked)
{
    static const xnm_match_kind ways[] = {XNM_MATCH_KIND_EXACT, XNM_MATCH_KIND_WORDS,
                                          XNM_MATCH_KIND_WITHIN, XNM_MATCH_KIND_NEAR};
    struct match_kind best = {0};

    for (unsigned i = 0; i < 2 * sizeof ways / sizeof *ways; i++) {
        if (!may_match(protection, ways[i / 2]))
            continue;
        struct match_kind found = kind_by(protection, ways[i / 2], protected, asked, i % 2 == 1);
        if (is_better(&found, &best))
            best = found;
    }
    return best.label > 0 ? best : elsewhere_of(protection, protected, asked);
}

/* --- conditions --- */

/* UTS 39, section 5.2. */
static xn_level level_of(const uint32_t *label, size_t len)
{
    xn_level level = icu_level(label, len);

    return level >= XN_LEVEL_MODERATE && xn_script_find_restricted(label, len) < len
               ? XN_LEVEL_UNRESTRICTED
               : level;
}

static bool fulfils(const struct xn_unicode *unicode, xnm_trigger trigger,
                    const struct xnm_condition *condition, const uint8_t *label, const uint8_t *tld)
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

struct match_kind condition_of(const struct xn_unicode *unicode, xnm_trigger trigger,
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
