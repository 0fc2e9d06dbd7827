/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <malloc.h>
#include <pthread.h>

#include "module/refused.h"
#include "tests/unit/exact.h"

enum { TYPE_A = 1, TYPE_CNAME = 5, TYPE_AAAA = 28, TYPE_DNAME = 39, NOW = 1000 };

#define NAME(text) (const uint8_t *)(text), sizeof(text)

static const struct xnm_refused_link links[] = {
    {NAME("\3www\1a"), TYPE_CNAME, 30, NAME("\1x\1b")},
    {NAME("\1b"), TYPE_DNAME, 50, NAME("\1c")},
    {NAME("\1x\1b"), TYPE_CNAME, 20, NAME("\1x\1c")},
};
enum { LINK_COUNT = sizeof links / sizeof *links };

static void remember(uint16_t qtype, uint64_t generation, time_t now, size_t link_count)
{
    xnm_refused_remember(NAME("\3www\1a"), qtype, generation, now, links, link_count);
}

static size_t find(const char *qname, uint16_t qtype, uint64_t generation, time_t now)
{
    struct xnm_refused_link found[XNM_REFUSED_LINKS_MAX];
    uint8_t *exact = exact_copy(qname, strlen(qname) + 1);
    size_t count = xnm_refused_find(exact, strlen(qname) + 1, qtype, generation, now, found,
                                    XNM_REFUSED_LINKS_MAX);

    free(exact);
    return count;
}

static void test_nothing(void **state)
{
    (void)state;
    assert_int_equal(find("\3www\1a", TYPE_A, 1, NOW), 0);
    remember(TYPE_A, 1, NOW, 0);
    assert_int_equal(find("\3www\1a", TYPE_A, 1, NOW), 0);
}

/* What was remembered does not depend on what it was copied from. */
static void test_content(void **state)
{
    struct xnm_refused_link given[LINK_COUNT], found[LINK_COUNT + 1] = {0};

    (void)state;
    for (size_t i = 0; i < LINK_COUNT; i++) {
        given[i] = links[i];
        given[i].owner = exact_copy(links[i].owner, links[i].owner_len);
        given[i].rdata = exact_copy(links[i].rdata, links[i].rdata_len);
    }
    xnm_refused_remember(NAME("\3www\1a"), TYPE_A, 1, NOW, given, LINK_COUNT);
    for (size_t i = 0; i < LINK_COUNT; i++) {
        free((void *)given[i].owner);
        free((void *)given[i].rdata);
    }
    assert_int_equal(xnm_refused_find(NAME("\3www\1a"), TYPE_A, 1, NOW + 7, found, LINK_COUNT + 1),
                     LINK_COUNT);
    assert_null(found[LINK_COUNT].owner);
    for (size_t i = 0; i < LINK_COUNT; i++) {
        assert_int_equal(found[i].type, links[i].type);
        assert_int_equal(found[i].ttl, links[i].ttl - 7);
        assert_int_equal(found[i].owner_len, links[i].owner_len);
        assert_memory_equal(found[i].owner, links[i].owner, links[i].owner_len);
        assert_int_equal(found[i].rdata_len, links[i].rdata_len);
        assert_memory_equal(found[i].rdata, links[i].rdata, links[i].rdata_len);
    }
    assert_int_equal(xnm_refused_find(NAME("\3www\1a"), TYPE_A, 1, NOW, found, 1), LINK_COUNT);
}

static void test_keys(void **state)
{
    (void)state;
    remember(TYPE_A, 5, NOW, LINK_COUNT);
    assert_int_equal(find("\3wWW\1A", TYPE_A, 5, NOW), LINK_COUNT);
    assert_int_equal(find("\3www\1a", TYPE_AAAA, 5, NOW), 0);
    assert_int_equal(find("\3www\1a", TYPE_A, 6, NOW), 0);
    assert_int_equal(find("\3www\1b", TYPE_A, 5, NOW), 0);
    assert_int_equal(find("\3www", TYPE_A, 5, NOW), 0);
    assert_int_equal(find("", TYPE_A, 5, NOW), 0);
}

/* The second record's 20 seconds are the least. */
static void test_expiry(void **state)
{
    (void)state;
    remember(TYPE_A, 5, NOW, LINK_COUNT);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW + 19), LINK_COUNT);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW + 20), 0);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW - 1), 0);
    remember(TYPE_A, 5, NOW, 1);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW + 29), 1);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW + 30), 0);
}

static void test_ttls(void **state)
{
    struct xnm_refused_link link = {NAME("\1q"), TYPE_CNAME, UINT32_MAX, NAME("\1r")};

    (void)state;
    xnm_refused_remember(NAME("\1q"), TYPE_A, 5, NOW, &link, 1);
    assert_int_equal(find("\1q", TYPE_A, 5, NOW + 59), 1);
    assert_int_equal(find("\1q", TYPE_A, 5, NOW + 60), 0);
    link.ttl = 0;
    link.owner = (const uint8_t *)"\1s";
    xnm_refused_remember(NAME("\1s"), TYPE_A, 5, NOW, &link, 1);
    assert_int_equal(find("\1s", TYPE_A, 5, NOW), 0);
}

static void test_replacement(void **state)
{
    (void)state;
    remember(TYPE_A, 5, NOW, LINK_COUNT);
    remember(TYPE_A, 6, NOW + 1, 1);
    assert_int_equal(find("\3www\1a", TYPE_A, 5, NOW + 1), 0);
    assert_int_equal(find("\3www\1a", TYPE_A, 6, NOW + 1), 1);
}

/* Neither more links nor more octets than there is room for. */
static void test_too_long(void **state)
{
    struct xnm_refused_link many[XNM_REFUSED_LINKS_MAX + 1];
    uint8_t name[255] = {0};
    struct xnm_refused_link large[8];

    (void)state;
    for (size_t i = 0; i <= XNM_REFUSED_LINKS_MAX; i++)
        many[i] = (struct xnm_refused_link){name, 1, TYPE_CNAME, 60, name, 1};
    xnm_refused_remember(NAME("\1m"), TYPE_A, 1, NOW, many, XNM_REFUSED_LINKS_MAX);
    assert_int_equal(find("\1m", TYPE_A, 1, NOW), XNM_REFUSED_LINKS_MAX);
    xnm_refused_remember(NAME("\1n"), TYPE_A, 1, NOW, many, XNM_REFUSED_LINKS_MAX + 1);
    assert_int_equal(find("\1n", TYPE_A, 1, NOW), 0);
    for (size_t i = 0; i < 8; i++)
        large[i] = (struct xnm_refused_link){name, 255, TYPE_CNAME, 60, name, 255};
    xnm_refused_remember(NAME("\1l"), TYPE_A, 1, NOW, large, 3);
    assert_int_equal(find("\1l", TYPE_A, 1, NOW), 3);
    xnm_refused_remember(NAME("\1k"), TYPE_A, 1, NOW, large, 8);
    assert_int_equal(find("\1k", TYPE_A, 1, NOW), 0);
}

/* --- many names --- */

enum { MANY = 20 * XNM_REFUSED_MAX, NUMBERED_LEN = 6 };

static const uint8_t *numbered(uint32_t number)
{
    static _Thread_local uint8_t qname[NUMBERED_LEN];

    memcpy(qname,
           (const uint8_t[]){4, (uint8_t)(number >> 24), (uint8_t)(number >> 16),
                             (uint8_t)(number >> 8), (uint8_t)number},
           NUMBERED_LEN - 1);
    return qname;
}

static bool has_numbered(uint32_t number)
{
    struct xnm_refused_link one[1];

    return xnm_refused_find(numbered(number), NUMBERED_LEN, TYPE_A, 1, NOW, one, 1) > 0;
}

/* Of which some would stand in its place. */
static void test_other_names(void **state)
{
    (void)state;
    xnm_refused_remember(numbered(0), NUMBERED_LEN, TYPE_A, 1, NOW, links, LINK_COUNT);
    assert_true(has_numbered(0));
    for (uint32_t i = 1; i < MANY; i++)
        assert_false(has_numbered(i));
    for (uint32_t i = 1; i < MANY; i++)
        xnm_refused_remember(numbered(i), NUMBERED_LEN, TYPE_A, 1, NOW, links, LINK_COUNT);
    assert_false(has_numbered(0));
}

static void *remember_many(void *arg)
{
    size_t *found = arg;

    for (uint32_t i = 0; i < MANY; i++) {
        xnm_refused_remember(numbered(i), NUMBERED_LEN, TYPE_A, 1, NOW, links, LINK_COUNT);
        *found += has_numbered(i);
    }
    return NULL;
}

static size_t memory_in_use(void)
{
    struct mallinfo2 info = mallinfo2();

    return info.uordblks + info.hblkhd;
}

/* Each thread has its own, with room for so many and no more; it is freed with the thread. */
static void test_threads(void **state)
{
    pthread_t threads[4];
    size_t found[4] = {0}, before = 0, after;

    (void)state;
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, remember_many, &found[i]), 0);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (size_t i = 0; i < 4; i++)
            assert_int_equal(found[i], (size_t)(round + 1) * MANY);
        after = memory_in_use();
        if (round > 0)
            assert_in_range(after, 0, before + 65536);
        before = after;
    }
    assert_int_equal(find("\4\0\0\0\1", TYPE_A, 1, NOW), 0);
}

static void test_walk_and_cut(void **state)
{
    static const struct {
        unsigned target;
        size_t kept;
        bool has;
    } rows[] = {{0, 0, true}, {1, 1, true}, {2, 3, true}, {3, 3, false}};
    struct xnm_refused_chain chain;
    const uint8_t *target;
    size_t len;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        chain = (struct xnm_refused_chain){.count = LINK_COUNT, .next = 1};
        memcpy(chain.links, links, sizeof links);
        assert_int_equal(xnm_refused_cut(&chain, rows[i].target), rows[i].has);
        assert_int_equal(chain.count, rows[i].kept);
        assert_int_equal(chain.next, 0);
    }
    assert_true(xnm_refused_next_target(&chain, &target, &len));
    assert_ptr_equal(target, links[0].rdata);
    assert_true(xnm_refused_next_target(&chain, &target, &len));
    assert_ptr_equal(target, links[2].rdata);
    assert_false(xnm_refused_next_target(&chain, &target, &len));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"nothing is found of what was not remembered", test_nothing, NULL, NULL, NULL},
        {"a chain is found as it was given, with what is left of its TTLs", test_content, NULL,
         NULL, NULL},
        {"it is found by its name in any case, type and generation", test_keys, NULL, NULL, NULL},
        {"it is found until its first record expires", test_expiry, NULL, NULL, NULL},
        {"it is found for a minute at most, and not with a TTL of 0", test_ttls, NULL, NULL, NULL},
        {"a later one takes its place", test_replacement, NULL, NULL, NULL},
        {"one of too many links or octets is not remembered", test_too_long, NULL, NULL, NULL},
        {"none is found for another name", test_other_names, NULL, NULL, NULL},
        {"each thread has its own, which goes with it", test_threads, NULL, NULL, NULL},
        {"it is walked from target to target, and cut behind one", test_walk_and_cut, NULL, NULL,
         NULL},
    };

    return cmocka_run_group_tests_name("refused", tests, NULL, NULL);
}
