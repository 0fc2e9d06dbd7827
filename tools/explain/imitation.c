/* SPDX-License-Identifier: BSD-3-Clause */
/* Describes in words why a name looks like a protected one, from the labels of both. */
#include "tools/explain/explain.h"

#include "core/lookalike/letters.h"
#include "core/lookalike/shape.h"
#include "core/text/utf8.h"
#include "core/wire/walk.h"
#include "module/name/suffix.h"
#include "module/rule/protection.h"

#include <string.h>

/* The labels that were compared. */
struct compared {
    const uint8_t *asked, *asked_end;         /* wire format, from that label on */
    const uint8_t *protected, *protected_end; /* likewise; the one left of the public suffix */
    const char *name;                         /* the protected name, as the log has it */
    size_t len;
};

static bool find_labels(const struct explained_decision *decision, struct compared *labels)
{
    const struct xnm_decision *made = &decision->decision;
    const struct xnm_wirename *asked = &made->name, *protected = &decision->match.name;
    const char *blank = memchr(decision->subject, ' ', decision->subject_len);
    size_t at = 0;

    for (unsigned number = 1; number < decision->match.label && asked->octets[at] != 0; number++)
        at += asked->octets[at] + 1U;
    if (!blank || asked->octets[at] == 0)
        return false;
    labels->asked = asked->octets + at;
    labels->asked_end = asked->octets + asked->len;
    labels->protected =
        protected->octets + xnm_protection_registrable(protected->octets, protected->len).start;
    labels->protected_end = protected->octets + protected->len;
    labels->name = blank + 1;
    labels->len = decision->subject_len - (size_t)(labels->name - decision->subject);
    return true;
}

/* --- near= --- */

/* Appends the letters of labels, up to `end`, to a key that has room for XN_KEY_MAX octets each. */
static size_t add_keys(const uint8_t *label, const uint8_t *end, uint8_t *key, size_t len)
{
    for (; label < end && *label != 0; label += *label + 1)
        len += xn_lookalike_key(label + 1, *label, XN_KEY_LOOSE, key + len);
    return len;
}

static bool is_key(const uint8_t *label, const uint8_t *end, const uint8_t *key, size_t len)
{
    uint8_t own[4 * XN_KEY_MAX];

    return (size_t)(end - label) <= 2 * XN_WIRE_LABEL_MAX && add_keys(label, end, own, 0) == len &&
           memcmp(own, key, len) == 0;
}

static const uint8_t *after(const uint8_t *label)
{
    return label + *label + 1;
}

/* Returns how a label, or it and the next one, has the protected one's letters and more: NULL if by
 * an edit. */
static const char *joined_words(const struct compared *labels)
{
    static const uint8_t www[] = "\3www";
    uint8_t key[3 * XN_KEY_MAX];
    const uint8_t *next = after(labels->asked);
    size_t len = add_keys(labels->protected, after(labels->protected), key, 0);

    if (*next != 0 && is_key(labels->asked, after(next), key, len))
        return "a dot inside ";
    len = add_keys(www, www + 4, key, 0);
    len = add_keys(labels->protected, after(labels->protected), key, len);
    if (is_key(labels->asked, next, key, len))
        return "www joined to ";
    if ((size_t)(labels->protected_end - labels->protected) > 2 * XN_WIRE_LABEL_MAX)
        return NULL;
    len = add_keys(labels->protected, labels->protected_end, key, 0);
    return is_key(labels->asked, next, key, len) ? "the dots left out of " : NULL;
}

static const char *edit_words(const struct compared *labels)
{
    struct xn_shape protected, asked;
    struct xn_letters a, b;
    unsigned n, m;

    xn_shape_read(labels->protected + 1, *labels->protected, &protected);
    xn_shape_read(labels->asked + 1, *labels->asked, &asked);
    for (xn_key key = XN_KEY_EXACT; key <= XN_KEY_STRICT; key++)
        for (xn_ascii ascii = XN_ASCII_OFF; ascii <= XN_ASCII_WIDE; ascii++) {
            xn_letters_read(&protected, key, ascii, &a);
            xn_letters_read(&asked, key, ascii, &b);
            switch (xn_letters_edit(&a, &b, &n, &m)) {
            case XN_EDIT_OMITTED:
                return "one letter missing from ";
            case XN_EDIT_ADDED:
                return asked.code_points[b.first[m]] == '-' ? "a hyphen added to "
                                                            : "one letter added to ";
            case XN_EDIT_REPLACED:
                return "one letter replaced in ";
            case XN_EDIT_SWAPPED:
                return "two neighbours swapped in ";
            case XN_EDIT_NONE:
                break;
            }
        }
    return "one letter away from "; /* by second readings of letters */
}

/* --- words= --- */

/* Adds the letters from `first` to `end`, without the hyphens and digits around them. */
static void add_word(const struct xn_shape *shape, size_t first, size_t end, const char *before,
                     struct buffer *out)
{
    uint8_t utf8[XN_WIRE_LABEL_MAX * XN_UTF8_MAX];
    size_t len = 0;

#define IS_SEPARATOR(cp) ((cp) == '-' || (cp) - '0' < 10)
    while (first < end && IS_SEPARATOR(shape->code_points[first]))
        first++;
    while (first < end && IS_SEPARATOR(shape->code_points[end - 1]))
        end--;
#undef IS_SEPARATOR
    if (first == end ||
        xn_utf8_encode(shape->code_points + first, end - first, utf8, sizeof utf8, &len) != XN_OK)
        return;
    buffer_text(out, before);
    buffer_visible(out, (const char *)utf8, len);
}

/* Adds the words beside the protected label. */
static void add_words(const struct compared *labels, struct buffer *out)
{
    struct xn_shape protected, asked;
    struct xn_letters a, b;

    xn_shape_read(labels->protected + 1, *labels->protected, &protected);
    xn_shape_read(labels->asked + 1, *labels->asked, &asked);
    xn_letters_read(&protected, XN_KEY_STRICT, XN_ASCII_WIDE, &a);
    xn_letters_read(&asked, XN_KEY_STRICT, XN_ASCII_WIDE, &b);
    for (unsigned first = 0; first < b.count; first++)
        for (unsigned end = first + 1; end <= b.count; end++) {
            if ((size_t)(b.at[end] - b.at[first]) != xn_letters_len(&a) ||
                memcmp(b.key + b.at[first], a.key, xn_letters_len(&a)) != 0)
                continue;
            size_t before = out->len;
            add_word(&asked, 0, b.first[first], ": ", out);
            add_word(&asked, b.first[end], asked.len, out->len > before ? ", " : ": ", out);
            return;
        }
}

/* --- elsewhere= --- */

static void add_elsewhere(const struct compared *labels, struct buffer *out)
{
    const uint8_t *domain = labels->asked;
    size_t suffix = xnm_suffix_find(labels->asked, (size_t)(labels->asked_end - labels->asked));
    char text[XN_WIRE_TEXT_MAX];
    size_t len;

    buffer_visible(out, labels->name, labels->len);
    if (after(labels->asked) == labels->asked + suffix) {
        buffer_text(out, " under another suffix");
        return;
    }
    while (after(domain) < labels->asked + suffix)
        domain = after(domain);
    len = xn_wire_to_text(domain, text);
    buffer_text(out, " as a label of ");
    buffer_visible(out, text, len - 1);
}

void explain_add_imitation(const struct explained_decision *decision, struct buffer *out)
{
    struct compared labels;
    const char *words = NULL;

    if (!find_labels(decision, &labels))
        return;
    switch (decision->match.match_kind) {
    case XNM_MATCH_KIND_NEAR:
        words = joined_words(&labels);
        buffer_text(out, words ? words : edit_words(&labels));
        buffer_visible(out, labels.name, labels.len);
        break;
    case XNM_MATCH_KIND_WITHIN:
        buffer_visible(out, labels.name, labels.len);
        buffer_text(out, " as a part of a label");
        break;
    case XNM_MATCH_KIND_WORDS:
        buffer_visible(out, labels.name, labels.len);
        buffer_text(out, " with a word that forgers use");
        add_words(&labels, out);
        break;
    case XNM_MATCH_KIND_ELSEWHERE:
        add_elsewhere(&labels, out);
        break;
    default:
        buffer_text(out, "looks like ");
        buffer_visible(out, labels.name, labels.len);
    }
}
