/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts in memory that has a bound, beside counts in memory that has none. */
#include "tests/unit/vectors.h"

#include "tests/unit/exact.h"
#include "tools/report/tally.h"

enum { KEYS = 20000, CAP = 256, SEED = 77 };

/* The entry of a key, or NULL. */
static const struct tally_entry *look(const struct tally *tally, const void *key, size_t len)
{
    for (size_t i = 0; i < tally->count; i++) {
        const struct tally_entry *entry = &tally->entries[i];
        if (entry->key_len == len && memcmp(tally_key(tally, entry), key, len) == 0)
            return entry;
    }
    return NULL;
}

static void add(struct tally *tally, const char *key, uint64_t count)
{
    char *copy = exact_copy(key, strlen(key));

    tally_find(tally, copy, strlen(key), NULL)->counts[0] += count;
    free(copy);
}

TEST(keeps_all_that_fits, "keeps all that fits")
{
    const struct tally_entry *top[4];
    struct tally tally;
    bool fresh;

    tally_open(&tally, 4, 64, sizeof(uint32_t), SEED);
    add(&tally, "b", 2);
    add(&tally, "a", 2);
    add(&tally, "ab", 2);
    add(&tally, "", 3);
    assert_int_equal(tally_top(&tally, 0, top, 4), 4);
    assert_int_equal(top[0]->key_len, 0);
    assert_memory_equal(tally_key(&tally, top[1]), "a", 1);
    assert_memory_equal(tally_key(&tally, top[2]), "ab", 2);
    assert_memory_equal(tally_key(&tally, top[3]), "b", 1);
    assert_int_equal(tally_top(&tally, 0, top, 3), 3);
    assert_memory_equal(tally_key(&tally, top[2]), "ab", 2);
    assert_int_equal(tally_top(&tally, 0, top, 2), 2);
    assert_memory_equal(tally_key(&tally, top[1]), "a", 1);
    assert_int_equal(tally_top(&tally, 1, top, 4), 0); /* what is 0 is no top */
    assert_int_equal(tally.missed, 0);
    assert_int_equal(tally_find(&tally, "ab", 2, &fresh)->counts[0], 2);
    assert_false(fresh);
    assert_non_null(look(&tally, "ab", 2));
    assert_null(look(&tally, "abc", 3));
    tally_close(&tally);
}

TEST(keeps_values, "keeps values")
{
    struct tally tally;
    uint32_t value;

    tally_open(&tally, 8, 1024, sizeof value, SEED);
    for (uint32_t i = 0; i < 100; i++) {
        bool fresh;
        char key[8];
        int len = snprintf(key, sizeof key, "%u", i % 3 == 0 ? 0 : i);
        struct tally_entry *entry = tally_find(&tally, key, (size_t)len, &fresh);

        entry->counts[0]++;
        memcpy(&value, tally_value(&tally, entry), sizeof value);
        if (!fresh)
            assert_int_equal(value, 7);
        else
            assert_int_equal(value, 0);
        value = 7;
        memcpy(tally_value(&tally, entry), &value, sizeof value);
    }
    assert_int_equal(look(&tally, "0", 1)->counts[0], 34);
    tally_close(&tally);
}

TEST(thins_out_by_the_median, "thins out by the median")
{
    const char *const keys[] = {"a", "b", "c", "d", "e"};
    struct tally tally;

    tally_open(&tally, 5, 64, 0, SEED);
    for (unsigned i = 0; i < 5; i++)
        add(&tally, keys[i], 1 + i);
    add(&tally, "new", 1);
    assert_int_equal(tally.missed, 3);
    assert_int_equal(tally.count, 3);
    assert_null(look(&tally, "c", 1));
    assert_int_equal(look(&tally, "d", 1)->missed, 0);
    assert_int_equal(look(&tally, "e", 1)->counts[0], 5);
    assert_int_equal(look(&tally, "new", 3)->missed, 3);
    tally_close(&tally);
}

TEST(finds_what_thinning_out_left, "finds what thinning out left")
{
    struct tally tally;

    tally_open(&tally, 16, 256, 0, SEED);
    for (unsigned i = 0; i < 500; i++) {
        char key[8];

        snprintf(key, sizeof key, "%u", i);
        add(&tally, key, 1 + i % 7);
        for (size_t j = 0; j < tally.count; j++) {
            const struct tally_entry *entry = &tally.entries[j];
            assert_ptr_equal(tally_find(&tally, tally_key(&tally, entry), entry->key_len, NULL),
                             entry);
        }
    }
    assert_true(tally.missed > 0);
    tally_close(&tally);
}

/* A stream in which some keys are frequent, and most are new. */
static uint32_t next_key(uint64_t *random)
{
    *random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
    uint32_t low = (uint32_t)(*random >> 33);

    return low % 4 == 0 ? low / 4 % 50 : 50 + low / 4 % (KEYS - 50);
}

static void fill(struct tally *tally, uint64_t *exact, unsigned lines)
{
    uint64_t random = 1;

    for (unsigned i = 0; i < lines; i++) {
        char text[16];
        uint32_t key = next_key(&random);

        snprintf(text, sizeof text, "name%u", key);
        if (exact)
            exact[key]++;
        add(tally, text, 1);
    }
}

/* For each key the promise holds: it is there, and is too low by no more than the tally says; or it
 * is rare. */
TEST(says_how_wrong_it_is, "says how wrong it is")
{
    uint64_t *exact = calloc(KEYS, sizeof *exact);
    struct tally tally;
    unsigned there = 0;

    tally_open(&tally, CAP, 1 << 20, 0, SEED);
    fill(&tally, exact, 200000);
    assert_true(tally.missed > 0);
    for (uint32_t key = 0; key < KEYS; key++) {
        char text[16];
        int len = snprintf(text, sizeof text, "name%u", key);
        const struct tally_entry *entry = look(&tally, text, (size_t)len);

        if (!entry) {
            assert_true(exact[key] <= tally.missed);
            continue;
        }
        there++;
        assert_true(entry->counts[0] <= exact[key]);
        assert_true(exact[key] <= entry->counts[0] + entry->missed);
        assert_true(entry->missed <= tally.missed);
    }
    assert_int_equal(there, tally.count);
    assert_true(there <= CAP && there >= 50);
    free(exact);
    tally_close(&tally);
}

/* The same keys in the same order: the same, whatever the table's seed is. */
TEST(depends_on_the_keys_alone, "depends on the keys alone")
{
    struct tally one, other;

    tally_open(&one, CAP, 4096, 8, SEED);
    tally_open(&other, CAP, 4096, 8, SEED + 1);
    fill(&one, NULL, 50000);
    fill(&other, NULL, 50000);
    assert_int_equal(one.count, other.count);
    assert_int_equal(one.missed, other.missed);
    for (size_t i = 0; i < one.count; i++) {
        assert_int_equal(one.entries[i].counts[0], other.entries[i].counts[0]);
        assert_int_equal(one.entries[i].key_len, other.entries[i].key_len);
        assert_memory_equal(tally_key(&one, &one.entries[i]), tally_key(&other, &other.entries[i]),
                            one.entries[i].key_len);
    }
    tally_close(&one);
    tally_close(&other);
}

/* No room for octets, where there is some for entries; and the longest key. */
TEST(makes_room_for_octets, "makes room for octets")
{
    struct tally tally;
    char *key = malloc(1024);

    tally_open(&tally, 1024, 4096, 4, SEED);
    for (int i = 0; i < 1000; i++) {
        memset(key, 'a' + i % 26, 1024);
        tally_find(&tally, key, 1024 - (size_t)i / 4, NULL)->counts[0]++;
        assert_true(tally.octets_len <= 4096);
    }
    assert_true(tally.missed > 0);
    free(key);
    tally_close(&tally);
}

TEST_MAIN
