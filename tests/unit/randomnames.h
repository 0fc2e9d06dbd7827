/* SPDX-License-Identifier: BSD-3-Clause */
/* Names at random that meet, or look like one another; and how they are protected. */
#ifndef XN_TESTS_UNIT_RANDOMNAMES_H
#define XN_TESTS_UNIT_RANDOMNAMES_H

#include "module/name/suffix.h"
#include "module/policy/policy.h"
#include "module/rule/protection.h"
#include "module/rule/rule.h"
#include "tests/unit/wirenames.h"

/* Few labels, so that names meet. Those of one row look like one another, or nearly; those of the
 * first rows also as parts of labels, or with one edit; of the last
 * rows there is something about each: emoji, right to left, digits of two kinds, joiners, raw
 * octets. */
enum { WORD_ROWS = 21, SHORT_ROWS = 2, LONG_ROWS = 3, WORDS_MAX = 15 };
static unsigned short_rows; /* set to SHORT_ROWS, the rows after WORD_ROWS are used, too */
static const char *const random_words[WORD_ROWS + SHORT_ROWS][WORDS_MAX] = {
    {"amazonia", "xn--mazonia-1fg", "xn--amazoni-nwa", "xn--mazonai-gwa", "xn--amazniax-y3a",
     "xn--my-mazonia-x-z9j", "xn--amazonia-i1a", "amazonai", "arnazonia", "shop-amazonia",
     "amaz0niashop", "amaznia", "x-amazonia-y", "xn--ama-zonia-s2h"},
    {"bucherladen", "xn--bcherladen-9db", "xn--bherladen-q9a", "xn--shopbcherladen-ksb",
     "bucherlade", "xn--x-bcherladen-y-isb", "xn--bucherladn-ssi", "bucherlanden"},
    {"tatatona", "talatona", "xn--taatona-ojb", "xn--taaton-4db", "xn--shop-taatona-jcc",
     "xn--taaton--mwa28f", "tata-tona"},
    {"a", "xn--80a", "xn--1ca"},
    {"b"},
    {"ab"},
    {"com", "xn--cm-fmc", "corn", "c0m"},
    {"uk", "xn--k-0tb"},
    {"co", "xn--c-0tb", "c0"},
    {"example"},
    {"apple", "xn--80ak6aa92e", "xn--pple-43d", "xn--pple-4na", "xn--appl-y6b", "app1e", "appie"},
    {"bucher", "xn--bcher-kva", "xn--bcher-7ua", "xn--ucher-vva"},
    {"mail", "rnail", "xn--mil-6cd", "mai1", "maii"},
    {"l", "1", "i", "xn--s5a"},
    {"xn--e1afmkfd", "xn--9999999999", "@`[{"},
    {"xn--abc-", "xn--", "xn--xn---epa"},
    {"xn--e28h"},
    {"xn--4dbc", "xn--ngb8i1r", "xn--12-bja"},
    {"xn--mgba3gch31f060k"},
    {"\xC3\xA1", "\xFF"},
    {"*"},
    {"maple", "maaple", "maple1a", "map-maple-x", "mople", "aple", "amaple", "ma-ple", "wwwmaple",
     "maplecom", "mape", "1maple7", "xn--mple-63d", "ma", "ple"},
    {"neen", "nen", "neeen", "wwwneen", "neencouk", "naen", "ne-en", "enen", "een", "beer", "ne",
     "en", "neem", "neen-x"}};

/* The sets of words=: words that may accompany protected labels. */
enum { RANDOM_SETS = 2 };
static const char *const random_sets[RANDOM_SETS] = {"shop my x tona", "y on map x com www"};

static inline const char *random_word(uint64_t *seed, const char *const *row)
{
    unsigned words = 0;

    while (words < WORDS_MAX && row[words])
        words++;
    return row[below(seed, words)];
}

static inline void prepend_label(struct xnm_wirename *name, const char *label, size_t len)
{
    if (name->len + len + 1 > XN_WIRE_NAME_MAX)
        return;
    memmove(name->octets + len + 1, name->octets, name->len);
    name->octets[0] = (uint8_t)len;
    memcpy(name->octets + 1, label, len);
    name->len = (uint8_t)(name->len + len + 1);
}

/* Some have every octet, and lengths at the limits. */
static inline void prepend_random_label(uint64_t *seed, struct xnm_wirename *name)
{
    char label[63];

    if (below(seed, 40) > 0) {
        const char *word = random_word(seed, random_words[below(seed, WORD_ROWS + short_rows)]);
        prepend_label(name, word, strlen(word));
        return;
    }
    for (unsigned i = 0; i < sizeof label; i++)
        label[i] = (char)("a\0\x01?z\x7F\x80\xFF"[below(seed, 8)]);
    prepend_label(name, label, below(seed, 2) ? 63 : 1 + below(seed, 40));
}

static inline struct xnm_wirename random_below(uint64_t *seed, const struct xnm_wirename *end,
                                               unsigned labels)
{
    struct xnm_wirename name = *end;

    while (labels-- > 0)
        prepend_random_label(seed, &name);
    return name;
}

static inline struct xnm_wirename random_entry(uint64_t *seed)
{
    const struct xnm_wirename root = {1, {0}};
    struct xnm_wirename name = random_below(seed, &root, below(seed, 5));

    if (below(seed, 50) == 0) {
        name = root;
        for (unsigned left = 120 + below(seed, 8); left > 0; left--)
            prepend_label(&name, "z", 1);
    }
    return name;
}

/* Below a public suffix, as every protected name is. */
static inline struct xnm_wirename random_protected(uint64_t *seed)
{
    struct xnm_wirename name = random_entry(seed);

    while (xnm_suffix_is_public(name.octets, name.len))
        prepend_random_label(seed, &name);
    return name;
}

/* … with a long label left of it. */
static inline struct xnm_wirename random_long(uint64_t *seed)
{
    const struct xnm_wirename root = {1, {0}};
    static const char *const suffixes[] = {"com", "uk", "xn--p1ai"};
    const char *suffix = suffixes[below(seed, 3)];
    unsigned row = below(seed, LONG_ROWS + 2 * short_rows);
    const char *word = random_word(
        seed, random_words[row < LONG_ROWS ? row : WORD_ROWS + (row - LONG_ROWS) % SHORT_ROWS]);
    struct xnm_wirename name = root;

    prepend_label(&name, suffix, strlen(suffix));
    prepend_label(&name, word, strlen(word));
    return random_below(seed, &name, below(seed, 4) == 0);
}

/* The row that has a label, or NULL. */
static inline const char *const *row_of_word(const uint8_t *label)
{
    for (unsigned row = 0; row < WORD_ROWS + short_rows; row++)
        for (unsigned i = 0; i < WORDS_MAX && random_words[row][i]; i++)
            if (strlen(random_words[row][i]) == label[0] &&
                memcmp(random_words[row][i], label + 1, label[0]) == 0)
                return random_words[row];
    return NULL;
}

/* The name with some of its labels, or all, exchanged for others that may look like them. */
static inline struct xnm_wirename disguised(uint64_t *seed, const struct xnm_wirename *name)
{
    struct xnm_wirename result = {1, {0}};
    unsigned at[XN_WIRE_LABELS_MAX], labels = 0, one_in = 1 + below(seed, 3);

    for (unsigned i = 0; name->octets[i] != 0; i += name->octets[i] + 1U)
        at[labels++] = i;
    if (labels > 0 && below(seed, 8) == 0) { /* another suffix */
        prepend_label(&result, "com", 3);
        prepend_label(&result, "uk", 2);
        labels--;
    }
    while (labels-- > 0) {
        const uint8_t *label = name->octets + at[labels];
        const char *const *row = below(seed, one_in) == 0 ? row_of_word(label) : NULL;
        const char *word = row ? random_word(seed, row) : (const char *)label + 1;
        prepend_label(&result, word, row ? strlen(word) : label[0]);
    }
    return result;
}

/* --- protection --- */

static inline struct xnm_protection random_protection(uint64_t *seed)
{
    struct xnm_protection protection = {.key = below(seed, 2) ? XN_KEY_EXACT : XN_KEY_STRICT};

    protection.ascii = (xn_ascii)(below(seed, 2) * below(seed, 3));
    protection.any_label = below(seed, 3) == 0;
    protection.any_tld = !protection.any_label && below(seed, 2);
    protection.near = below(seed, 3) == 0;
    protection.within = below(seed, 3) == 0;
    unsigned draw = below(seed, 4);
    protection.elsewhere = draw == 0;
    protection.words = (uint8_t)(draw % 3); /* the number of a set, or 0 */
    xnm_protection_set_min(&protection, (uint8_t)(below(seed, 2) * below(seed, 7)));
    return protection;
}

/* The min= of a list's entry, which changes its protection; 0: it has none. */
static inline uint8_t random_min(uint64_t *seed, struct xnm_protection *protection)
{
    uint8_t min = (uint8_t)(below(seed, 2) * below(seed, 9));

    if (min > 0)
        xnm_protection_set_min(protection, min);
    return min;
}

static inline xnm_trigger random_lookalike(uint64_t *seed)
{
    return below(seed, 2) ? XNM_TRIGGER_LOOKALIKE : XNM_TRIGGER_LOOKALIKES;
}

/* --- targets --- */

/* The targets of a chain, for xnm_policy_decide_answer; each in memory of its own. */
struct targets {
    const struct xnm_wirename *names;
    unsigned at, count;
    uint8_t *exact; /* the last one given */
};

static inline bool next_target(void *arg, const uint8_t **target, size_t *len)
{
    struct targets *targets = arg;

    free(targets->exact);
    targets->exact = NULL;
    if (targets->at == targets->count)
        return false;
    const struct xnm_wirename *name = &targets->names[targets->at++];
    targets->exact = malloc(name->len);
    memcpy(targets->exact, name->octets, name->len);
    *target = targets->exact;
    *len = name->len;
    return true;
}

#endif
