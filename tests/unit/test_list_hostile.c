/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists that are made to be slow: to read, or to decide by. */
#include "module/base/diagnostics.h"
#include "module/rule/rule.h"
#include "tests/unit/vectors.h"

#include "module/list/list.h"
#include "tests/unit/exact.h"

#include <xxhash.h>

static struct xn_unicode *unicode;

static bool take(void *arg, const struct xnm_list_entry *entry)
{
    (void)arg, (void)entry;
    return true;
}

static struct xnm_list_counts read_text(const char *text, size_t len)
{
    const struct xnm_rule rule = {.action = XNM_NXDOMAIN, .trigger = XNM_TRIGGER_ZONES};
    const struct xnm_list_options options = {
        .unicode = unicode, .diagnostics = &xnm_diagnose_silently, .entry = take};
    struct xnm_list_counts counts;
    char *exact = exact_copy(text, len);

    assert_true(xnm_list_read(&options, &rule, "list", exact, len, &counts));
    free(exact);
    return counts;
}

/* --- long lines --- */

/* If time grew with the square of a line's length, these would take an hour. */
static struct long_line {
    const char *name;
    const char *head, *unit, *tail; /* of a line; the unit is repeated up to so many octets */
    size_t len;
    unsigned lines;
    size_t bad, skipped, entries;
} long_lines[] = {
    {"words full of `#`", "a", "#a", "\n", 65000, 1000, 1000, 0, 0},
    {"names in a line of a hosts file", "::", " a.example", "\n", 65000, 1, 0, 0, 6500},
};

static void test_long_line(void **state)
{
    const struct long_line *row = *state;
    size_t unit = strlen(row->unit), len = 0;
    char *text = malloc(row->lines * (row->len + 100));

    for (unsigned line = 0; line < row->lines; line++) {
        len += (size_t)sprintf(text + len, "%s", row->head);
        for (size_t end = len + row->len; len < end; len += unit)
            memcpy(text + len, row->unit, unit);
        len += (size_t)sprintf(text + len, "%s", row->tail);
    }
    const struct xnm_list_counts counts = read_text(text, len);
    free(text);
    assert_int_equal(counts.bad, row->bad);
    assert_int_equal(counts.skipped, row->skipped);
    assert_int_equal(counts.entries, row->entries);
}

/* --- sets of modifiers --- */

enum { VARIANTS_MAX = 256, MORE = 300, ALL_DENIED_MAX = 4 * XNM_DENIED_MAX };

static size_t put_octets(char *text, const uint8_t *octets, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sprintf(text + 4 * i, "\\%03u", octets[i]);
    return 4 * count;
}

/* Returns the first eight octets that make XXH3, with this seed, overlook the next eight: one
 * factor of a product is then 0. */
static uint64_t blind_octets(uint64_t seed)
{
    const uint64_t secret = 0xBE4BA423396CFEB8; /* the first octets of XXH3's own */

    return secret + seed;
}

/* Are the octets a label's length, and octets of it that no reader changes? */
static bool can_begin_name(uint64_t octets, uint8_t len)
{
    if ((uint8_t)octets != len)
        return false;
    for (unsigned shift = 8; shift < 64; shift += 8)
        if ((uint8_t)(octets >> shift) >= 'A' && (uint8_t)(octets >> shift) <= 'Z')
            return false;
    return true;
}

/* Sets of modifiers that have one hash, if it has no seed: they are told apart all the same. */
static void test_equal_hashes(void **state)
{
    enum { LABEL = 30, NAME = LABEL + 2 };
    struct xnm_modifiers plain = {
        .strength = XNM_STRENGTH_IMPORTANT, .denied_len = NAME, .type_count = 1, .types = {1000}};
    char *text = malloc((size_t)MORE * 256);
    uint8_t name[NAME] = {0};
    uint64_t blind;
    size_t len = 0;

    (void)state;
    while (!can_begin_name(blind = blind_octets(XXH3_64bits(&plain, sizeof plain)), LABEL))
        plain.types[0]++;
    memcpy(name, &blind, sizeof blind);
    for (unsigned i = 0; i < MORE; i++) {
        name[sizeof blind] = (uint8_t)('a' + i % 26);
        name[sizeof blind + 1] = (uint8_t)('a' + i / 26);
        len += (size_t)sprintf(text + len,
                               "||a.example^$important,dnstype=TYPE%u,denyallow=", plain.types[0]);
        len += put_octets(text + len, name + 1, LABEL);
        text[len++] = '\n';
    }
    const struct xnm_list_counts counts = read_text(text, len);
    free(text);
    assert_int_equal(counts.entries, VARIANTS_MAX);
    assert_int_equal(counts.skipped, MORE - VARIANTS_MAX);
}

/* A query may have to be compared with all names that a list's filters deny. */
static void test_many_denied(void **state)
{
    enum { NAMES = XNM_DENIED_MAX / 3, FILTERS = 10, LINE_MAX_HERE = 2 * NAMES + 64 };
    char *text = malloc((size_t)FILTERS * LINE_MAX_HERE);
    size_t len = 0;

    (void)state;
    for (unsigned i = 0; i < FILTERS; i++) {
        len += (size_t)sprintf(text + len, "||a%u.example^$denyallow=%c", i, 'a' + i);
        for (unsigned name = 1; name < NAMES; name++)
            len += (size_t)sprintf(text + len, "|b");
        text[len++] = '\n';
    }
    const struct xnm_list_counts counts = read_text(text, len);
    free(text);
    assert_int_equal(counts.entries, ALL_DENIED_MAX / (3 * NAMES));
    assert_int_equal(counts.skipped, FILTERS - counts.entries);
}

int main(void)
{
    struct test_group group = {0};

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    ADD_TESTS(&group, long_lines, name, test_long_line);
    add_test(&group, "modifiers of one hash", test_equal_hashes, NULL);
    add_test(&group, "names that many filters deny", test_many_denied, NULL);
    int failed = run_group("list_hostile", &group);
    xn_unicode_close(unicode);
    return failed;
}
