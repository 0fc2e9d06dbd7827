/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread knows names for itself, as long as it lives. What it knows of a name is what was
 * found and written of that name and by that owner, however often others came in between. */
#include "tests/unit/vectors.h"

#include "module/log/namecache.h"
#include "tests/unit/exact.h"
#include "tests/unit/wirenames.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 200 };

static atomic_uint made, freed; /* caches: the Makefile has this program linked with --wrap */
static atomic_bool has_memory = true;
static _Thread_local void *cache; /* this thread's */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void __real_free(void *memory);
void __wrap_free(void *memory);

void *__wrap_calloc(size_t count, size_t size)
{
    if (count * size != XNM_NAME_CACHE_SIZE)
        return __real_calloc(count, size);
    made++;
    return has_memory ? cache = __real_calloc(count, size) : NULL;
}

void __wrap_free(void *memory)
{
    if (memory && memory == cache) {
        freed++;
        cache = NULL;
    }
    __real_free(memory);
}

/* In a buffer of its size, so that a sanitizer sees what is read after it. */
static struct xnm_namecache_entry *known_name(uint64_t owner, const uint8_t *wire, size_t len)
{
    uint8_t *exact = exact_copy(wire, len);
    struct xnm_namecache_entry *known = xnm_namecache_find(owner, exact, len);

    free(exact);
    return known;
}

static struct xnm_namecache_entry *known_text(uint64_t owner, const char *name)
{
    uint8_t wire[XN_WIRE_NAME_MAX];

    return known_name(owner, wire, wire_of(name, wire));
}

/* Returns whether the name was known, with the text that is `text`; it is known afterwards. */
static bool was_known(uint64_t owner, const char *name, const char *text)
{
    struct xnm_namecache_entry *known = known_text(owner, name);

    if (!known)
        return false;
    if (!known->has_reasons) {
        assert_false(known->has_text);
        known->has_reasons = true;
        xnm_namecache_store(known, name, strlen(name), text, strlen(text));
        return false;
    }
    assert_int_equal(known->column_len, strlen(name));
    assert_int_equal(known->text_len, strlen(name) + strlen(text));
    assert_memory_equal(known->text, name, strlen(name));
    assert_memory_equal(known->text + strlen(name), text, strlen(text));
    return true;
}

TEST(test_known, "known names")
{
    assert_false(was_known(1, "xn--mnchen-3ya.example", "one"));
    assert_true(was_known(1, "xn--mnchen-3ya.example", "one"));
    assert_false(was_known(2, "xn--mnchen-3ya.example", "two")); /* another configuration */
    assert_true(was_known(2, "xn--mnchen-3ya.example", "two"));
    assert_true(was_known(1, "xn--mnchen-3ya.example", "one"));
    assert_false(was_known(1, "XN--mnchen-3ya.example", "case"));
    assert_true(was_known(2, "xn--mnchen-3ya.example", "two")); /* the older one made place */
    assert_true(was_known(1, "XN--mnchen-3ya.example", "case"));
}

/* Names of each length that differ in one octet. */
TEST(test_every_octet_counts, "every octet counts")
{
    uint8_t wire[XNM_NAME_CACHE_WIRE_MAX + 1];

    memset(wire, 'a', sizeof wire);
    for (size_t len = 0; len <= sizeof wire; len++) {
        struct xnm_namecache_entry *known = known_name(3, wire, len);
        assert_int_equal(known != NULL, len >= 8 && len <= XNM_NAME_CACHE_WIRE_MAX);
        for (size_t at = 0; known && at < len; at++) {
            known->has_reasons = true;
            wire[at] = 'b';
            assert_false(known_name(3, wire, len)->has_reasons);
            wire[at] = 'a';
            known = known_name(3, wire, len);
            assert_memory_equal(known->wire, wire, len);
        }
    }
}

TEST(test_long_text, "long texts are not kept")
{
    static char text[sizeof((struct xnm_namecache_entry *)0)->text + 1];
    struct xnm_namecache_entry *known = known_text(4, "xn--bcher-kva.example");

    memset(text, 'x', sizeof text);
    xnm_namecache_store(known, text, 10, text, sizeof text - 10);
    assert_false(known->has_text);
    xnm_namecache_store(known, text, 256, text, 0);
    assert_false(known->has_text);
    xnm_namecache_store(known, text, 10, text, sizeof text - 11);
    assert_true(known->has_text);
    assert_int_equal(known->text_len, sizeof text - 1);
    assert_int_equal(known->wire_len, sizeof "\15xn--bcher-kva\7example");
}

/* More names than it holds: some are known still, and none with another one's text. */
TEST(test_more_than_it_holds, "more than it holds")
{
    unsigned known = 0, count = 0;

    for (unsigned round = 0; round < 3; round++) {
        for (unsigned n = 0; n < 2 * XNM_NAME_CACHE_NAMES; n += n < XNM_NAME_CACHE_NAMES ? 2 : 1) {
            char name[32], text[16];
            snprintf(name, sizeof name, "xn--a%u-kva.example", n);
            snprintf(text, sizeof text, "%u", n);
            known += was_known(5, name, text);
            count++;
        }
    }
    assert_in_range(known, 1, count - 1);
}

/* --- threads --- */

static void *know_names(void *arg)
{
    bool good = true;

    for (unsigned i = 0; i < ROUNDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "xn--b%u-kva.example", i % 20);
        good &= was_known(6, name, "text") == (has_memory && i >= 20);
    }
    return good ? arg : NULL;
}

/* Runs `run` in so many threads at once; asserts that each returns what is not NULL. */
static void run_threads(void *(*run)(void *arg))
{
    pthread_t threads[THREADS];
    void *good;

    made = freed = 0;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, &made), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &good), 0);
        assert_non_null(good);
    }
}

TEST(test_threads, "each thread has its own and frees it")
{
    run_threads(know_names);
    assert_int_equal(made, THREADS);
    assert_int_equal(freed, THREADS);
}

TEST(test_no_memory, "no memory")
{
    has_memory = false;
    run_threads(know_names);
    has_memory = true;
    assert_int_equal(made, THREADS); /* and not for each name */
    assert_int_equal(freed, 0);
}

/* Another part of the daemon may log while its thread ends, when the thread's cache may be gone. */
static pthread_key_t last;
static atomic_uint late;

static void log_late(void *arg)
{
    (void)arg;
    bool has_cache = cache != NULL;
    late += (known_text(6, "xn--b1-kva.example") != NULL) == has_cache;
}

static void *end_late(void *arg)
{
    return pthread_setspecific(last, &last) == 0 ? know_names(arg) : NULL;
}

TEST(test_end_of_thread, "names are known while a thread ends")
{
    assert_int_equal(pthread_key_create(&last, log_late), 0);
    run_threads(end_late);
    assert_int_equal(late, THREADS);
    assert_int_equal(made, THREADS);
    assert_int_equal(freed, THREADS);
    assert_int_equal(pthread_key_delete(last), 0);
}

TEST_MAIN
