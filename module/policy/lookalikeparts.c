/* SPDX-License-Identifier: BSD-3-Clause */
/* near=, within= and words=: finds the protected labels that one edit makes of a label, or that are
 * a part of it. */
#define XXH_INLINE_ALL /* module/table/hash.h */
#include "core/lookalike/shape.h"
#include "module/policy/lookalikewalk.h"

#include <string.h>

/* The search for parts of one label. */
struct part_search {
    struct xnm_lookalike_walk *walk;
    const struct xnm_filter *filter;
    const struct xn_shape *shape; /* of the label, as the walk reads it; NULL: not read yet */
    const struct xn_shape
        *written; /* of the label by first readings, which shows which letters are not ASCII */
    unsigned label;
    uint64_t after; /* the hash of the labels after it */
    compared kind;
    size_t shortest; /* octets of the shortest key in the table */
    struct xn_shape *first, *second;
    struct xnm_lookalike_letters *read;
};

/* Reads the shapes, which hardly any ASCII label needs. */
static void read_shapes(struct part_search *search)
{
    struct xnm_lookalike_walk *walk = search->walk;

    if (search->shape)
        return;
    *search->first = *xnm_qlabels_at(walk->labels, search->label);
    search->shape = search->written = search->first;
    if (walk->second && xn_shape_read_second(search->shape, search->second))
        search->shape = search->second;
}

static void read_letters(struct part_search *search)
{
    const struct xnm_qname *name = search->walk->name;
    const uint8_t *octets = name->octets + name->label_at[search->label];
    struct xn_letters *letters = &search->read->letters;

    if (xnm_qname_is_ace(name, search->label) ||
        !xn_letters_read_ascii(octets + 1, octets[0], letters)) {
        read_shapes(search);
        xn_letters_read(search->shape, XN_KEY_STRICT, XN_ASCII_WIDE, letters);
    }
    xnm_lookalike_letters_hash(search->walk->policy, search->read);
}

static bool has_option(const struct xnm_lookalike_part *part,
                       const struct xnm_protection *protection)
{
    if (part->match_kind == XNM_MATCH_KIND_NEAR)
        return protection->near;
    return part->match_kind == XNM_MATCH_KIND_WORDS ? protection->words == part->words
                                                    : protection->within;
}

/* Returns whether a rule has the option for which the label is looked up, and compares that
 * label. */
static bool is_compared(const struct xnm_candidate *candidate, compared kind,
                        const struct xnm_protection *protection)
{
    struct xnm_lookalike_walk *walk = candidate->walk;
    compared of_rule = compared_of(protection);
    bool near = candidate->part->match_kind == XNM_MATCH_KIND_NEAR;

    if (!has_option(candidate->part, protection))
        return false;
    if (near && candidate->part->labels == 1) { /* most edits find one name, compared once */
        if (candidate->name == walk->tried)
            return false;
        walk->tried = candidate->name;
    }
    if (kind == WHOLE || of_rule == WHOLE)
        return of_rule == kind;
    unsigned next = candidate->first + candidate->part->labels,
             left = xnm_lookalike_walk_left_of(walk);
    return next == left || (of_rule == ANY_LABEL && next < left);
}

/* Looks up the hash of a text that begins at label `first`. Returns false if the name is exempt. */
static bool look_up(struct part_search *search, uint64_t hash, unsigned first,
                    const struct xnm_lookalike_part *part)
{
    struct xnm_lookalike_walk *walk = search->walk;
    struct xnm_candidate candidate = {
        .first = first,
        .count = search->kind == WHOLE ? walk->name->labels - search->label : 1,
        .part = part,
        .second = walk->second,
        .walk = walk};

    return xnm_lookalike_look_up(&candidate, hash, search->kind, is_compared);
}

/* Returns whether the table may have a key that is joined to the labels after it. */
static inline bool has(const struct part_search *search, uint64_t key_hash, uint64_t *hash)
{
    *hash = xnm_lookalike_join(search->after, key_hash);
    return xnm_filter_has(search->filter, *hash);
}

/* --- near= --- */

static bool find_near(struct part_search *search, uint64_t key_hash)
{
    uint64_t hash;

    if (!has(search, key_hash, &hash))
        return true;
    read_shapes(search);
    const struct xnm_lookalike_part part = {.match_kind = XNM_MATCH_KIND_NEAR,
                                            .shape = search->shape,
                                            .second = search->shape == search->second,
                                            .labels = 1};
    return look_up(search, hash, search->label, &part);
}

static bool search_near(struct part_search *search)
{
    const struct xnm_policy *policy = search->walk->policy;
    const struct xn_letters *letters = &search->read->letters;

    if (!find_near(search, search->read->before[letters->count]))
        return false;
    for (unsigned n = 0; n < letters->count; n++)
        if (!find_near(search, xnm_lookalike_hash_without(policy, search->read, n)))
            return false;
    return true;
}

/* --- within= --- */

/* The places in a label where a word may begin and end, other than the label's own ends: bit n is
 * the place before letter n. At the other side is a hyphen, or the place is between a digit and
 * another character. */
struct edges {
    uint64_t begins, ends;
};

/* Finds the letters that are hyphens, and those that are digits. */
static void find_separators(const struct part_search *search, uint64_t *hyphens, uint64_t *digits)
{
    const struct xn_letters *letters = &search->read->letters;
    const struct xnm_qname *name = search->walk->name;
    const uint8_t *octets = name->octets + name->label_at[search->label] + 1;

    *hyphens = *digits = 0;
    for (unsigned n = 0; n < letters->count; n++) {
        uint32_t cp = search->written ? search->written->code_points[letters->first[n]] : octets[n];
        *hyphens |= (uint64_t)(cp == '-') << n;
        *digits |= (uint64_t)(cp - '0' < 10) << n;
    }
}

static struct edges find_edges(const struct part_search *search)
{
    uint64_t hyphens, digits;

    find_separators(search, &hyphens, &digits);
    return (struct edges){hyphens << 1 | (digits << 1 & ~digits),
                          hyphens | (digits & ~(digits << 1))};
}

/* Looks up the letters from `first` to `end`. `part` has the match kind; its other members are
 * filled in here. */
static bool find_part(struct part_search *search, unsigned first, unsigned end,
                      struct xnm_lookalike_part part)
{
    const struct xn_letters *letters = &search->read->letters;
    uint64_t key_hash, hash;
    struct xn_shape cut;

    if ((size_t)(letters->at[end] - letters->at[first]) < search->shortest)
        return true;
    key_hash = xnm_lookalike_part_hash(search->walk->policy, search->read, first, end);
    if (!has(search, key_hash, &hash))
        return true;
    read_shapes(search);
    xn_letters_cut(letters, search->written, first, end, &cut);
    bool ace =
        part.words > 0 ? search->written->ace : cut.ace; /* the words are in the same label */
    xn_letters_cut(letters, search->shape, first, end, &cut);
    cut.ace = ace;
    part.shape = &cut;
    part.second = search->shape == search->second;
    part.labels = 1;
    return look_up(search, hash, search->label, &part);
}

static bool find_within(struct part_search *search, unsigned first, unsigned end, bool apart)
{
    const struct xn_letters *letters = &search->read->letters;
    size_t len = (size_t)(letters->at[end] - letters->at[first]);

    if (!apart && len < search->walk->policy->lookalikes.shortest_inside)
        return true;
    return find_part(
        search, first, end,
        (struct xnm_lookalike_part){.match_kind = XNM_MATCH_KIND_WITHIN, .apart = apart});
}

/* Looks up the parts that begin or end the label, or are between hyphens or digits. */
static bool search_within(struct part_search *search)
{
    const struct edges edges = find_edges(search);
    unsigned count = search->read->letters.count;

    for (unsigned n = count; n-- > 1;) {
        bool begins = edges.begins >> n & 1;
        if (!find_within(search, 0, n, edges.ends >> n & 1) ||
            !find_within(search, n, count, begins))
            return false;
        if (!begins)
            continue;
        for (unsigned end = n + 1; end < count; end++)
            if (edges.ends >> end & 1 && !find_within(search, n, end, true))
                return false;
    }
    return true;
}

/* --- words= --- */

/* The places in a label that only words, hyphens and digits separate from one of its ends; in
 * `worded`, at least one word. Bit n is the place before letter n. */
struct reach {
    uint64_t all, worded;
};

static bool has_word(const struct xnm_word_set *words, uint64_t key_hash)
{
    uint64_t hash = xnm_lookalike_word_hash(key_hash);
    size_t place = xnm_hash_place(hash, words->places);

    while (words->hashes[place] != 0 && words->hashes[place] != hash)
        place = xnm_hash_next(place, words->places);
    return words->hashes[place] != 0;
}

/* Adds the places that a word reaches from the n-th letter of the label, counted from its left or
 * its right end. */
static void add_words(const struct part_search *search, const struct xnm_word_set *words,
                      unsigned n, bool right, struct reach *reach)
{
    const struct xn_letters *letters = &search->read->letters;

    for (unsigned next = n + 1; next <= letters->count; next++) {
        unsigned first = right ? letters->count - next : n;
        unsigned end = right ? letters->count - n : next;
        int len = letters->at[end] - letters->at[first];
        if (len > words->longest)
            break;
        if (len >= words->shortest &&
            has_word(words,
                     xnm_lookalike_part_hash(search->walk->policy, search->read, first, end)))
            reach->worded |= 1ULL << (right ? first : end);
    }
    reach->all |= reach->worded;
}

/* Finds the places that words, hyphens and digits reach from one end. */
static struct reach find_reach(const struct part_search *search, const struct xnm_word_set *words,
                               uint64_t separators, bool right)
{
    unsigned count = search->read->letters.count;
    struct reach reach = {.all = right ? 1ULL << count : 1};

    for (unsigned n = 0; n < count; n++) {
        unsigned at = right ? count - n : n, next = right ? at - 1 : at + 1;
        if (!(reach.all >> at & 1))
            continue;
        if (separators >> (right ? next : at) & 1) {
            reach.all |= 1ULL << next;
            reach.worded |= (reach.worded >> at & 1) << next;
        }
        add_words(search, words, n, right, &reach);
    }
    return reach;
}

/* Looks up the parts of the label between words of a set. `separators`: the letters that are
 * hyphens or digits. */
static bool search_words(struct part_search *search, uint64_t separators, uint8_t number)
{
    const struct xnm_word_set *words = xnm_policy_word_set(search->walk->policy, number);
    const struct xnm_lookalike_part part = {
        .match_kind = XNM_MATCH_KIND_WORDS, .apart = true, .words = number};
    unsigned count = search->read->letters.count;
    struct reach left = find_reach(search, words, separators, false);
    struct reach right = find_reach(search, words, separators, true);

    if (!(left.worded | right.worded))
        return true;
    for (unsigned first = 0; first < count; first++)
        for (unsigned end = count; left.all >> first & 1 && end > first; end--)
            if (right.all >> end & 1 && (left.worded >> first | right.worded >> end) & 1 &&
                !find_part(search, first, end, part))
                return false;
    return true;
}

static bool search_sets(struct part_search *search)
{
    const struct xnm_policy *policy = search->walk->policy;
    size_t sets = policy->word_sets.len / sizeof(struct xnm_word_set);
    uint64_t hyphens, digits;

    find_separators(search, &hyphens, &digits);
    for (size_t n = 1; n <= sets; n++)
        if (!search_words(search, hyphens | digits, (uint8_t)n))
            return false;
    return true;
}

bool xnm_lookalike_walk_parts(struct xnm_lookalike_walk *walk, unsigned label, uint64_t after,
                              compared kind)
{
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;
    bool ace = xnm_qname_is_ace(walk->name, label);
    struct xnm_lookalike_letters letters;
    struct xn_shape first, second;
    struct part_search search = {.walk = walk,
                                 .filter = ace ? &lookalikes->every : &lookalikes->plain,
                                 .label = label,
                                 .after = after,
                                 .kind = kind,
                                 .shortest = lookalikes->shortest,
                                 .first = &first,
                                 .second = &second,
                                 .read = &letters};

    if (search.filter->count == 0)
        return true;
    walk->tried = NULL;
    read_letters(&search);
    if (xn_letters_len(&letters.letters) < search.shortest)
        return true;
    return (!lookalikes->near || search_near(&search)) &&
           (!lookalikes->within || search_within(&search)) &&
           (!lookalikes->words || search_sets(&search));
}

/* --- near=: two labels joined --- */

/* Writes the shape of a label as the walk reads it. Returns whether it has second readings. */
static bool read_label(struct xnm_lookalike_walk *walk, unsigned label, struct xn_shape *shape)
{
    struct xn_shape first = *xnm_qlabels_at(walk->labels, label);

    if (walk->second && xn_shape_read_second(&first, shape))
        return true;
    *shape = first;
    return false;
}

bool xnm_lookalike_walk_joined(struct xnm_lookalike_walk *walk, unsigned label, uint64_t after,
                               compared kind)
{
    const struct xnm_lookalikeindex *lookalikes = &walk->policy->lookalikes;
    bool ace = xnm_lookalike_is_joined_ace(walk->name, label);
    struct part_search search = {.walk = walk,
                                 .filter = ace ? &lookalikes->every : &lookalikes->plain,
                                 .label = label,
                                 .after = after,
                                 .kind = kind};
    struct xn_shape joined, last;
    uint64_t hash, key_hash;

    if (!lookalikes->near || search.filter->count == 0)
        return true;
    uint64_t own = xnm_lookalike_hash_at(walk, label),
             before = xnm_lookalike_hash_at(walk, label - 1);
    key_hash = xnm_lookalike_concatenate(walk->policy, before, own, walk->lens[label]);
    if (!has(&search, key_hash, &hash))
        return true;
    bool second = read_label(walk, label - 1, &joined);
    second |= read_label(walk, label, &last);
    const struct xnm_lookalike_part part = {
        .match_kind = XNM_MATCH_KIND_NEAR, .shape = &joined, .second = second, .labels = 2};
    return !xnm_lookalike_append(&joined, &last) || look_up(&search, hash, label - 1, &part);
}
