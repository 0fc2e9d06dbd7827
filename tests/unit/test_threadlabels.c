/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread remembers labels for itself, as long as it lives, and goes on without where there is
 * no memory for that. */
#include "core/idna/labelcache.h"
#include "tests/unit/vectors.h"

#include "core/idna/name.h"
#include "module/log/labelcache.h"
#include "tests/unit/samelabels.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8, ROUNDS = 200 };

static struct xn_unicode *unicode;
static atomic_uint asked, freed; /* the Makefile has this program linked with --wrap */
static atomic_bool has_memory = true;
static _Thread_local bool is_freed; /* of this thread */

struct xn_label_cache *__real_xn_label_cache_new(void);
struct xn_label_cache *__wrap_xn_label_cache_new(void);
void __real_xn_label_cache_free(struct xn_label_cache *labels);
void __wrap_xn_label_cache_free(struct xn_label_cache *labels);

struct xn_label_cache *__wrap_xn_label_cache_new(void)
{
    asked++;
    return has_memory ? __real_xn_label_cache_new() : NULL;
}

void __wrap_xn_label_cache_free(struct xn_label_cache *labels)
{
    freed++;
    is_freed = true;
    __real_xn_label_cache_free(labels);
}

/* Runs `run` in so many threads at once; asserts that each returns what is not NULL. */
static void run_threads(void *(*run)(void *arg))
{
    pthread_t threads[THREADS];
    void *good;

    asked = freed = 0;
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, unicode), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &good), 0);
        assert_non_null(good);
    }
}

static bool same_as_read(uint8_t letter)
{
    uint8_t wire[] = "\3www\16xn--mnchen-3ya\13xn--?i-7iqa\7example";
    struct xn_name read, cached;

    wire[sizeof "\3www\16xn--mnchen-3ya\13xn--" - 1] = letter;
    if (xn_name_read(unicode, wire, sizeof wire, 0, &read) != XN_OK ||
        xn_name_read_cached(unicode, xnm_thread_labels, wire, sizeof wire, 0, &cached) != XN_OK)
        return false;
    return read.reasons == cached.reasons && read.ace_count == 2 && same_labels(&read, &cached);
}

static void *read_names(void *arg)
{
    struct xn_label_cache *labels = xnm_thread_labels();
    bool good = (labels != NULL) == has_memory;

    for (size_t i = 0; i < ROUNDS; i++)
        good &= same_as_read((uint8_t)('a' + i % 26)) && xnm_thread_labels() == labels;
    return good ? arg : NULL;
}

static void test_threads(void **state)
{
    (void)state;
    run_threads(read_names);
    assert_int_equal(asked, THREADS);
    assert_int_equal(freed, THREADS);
}

static void test_no_memory(void **state)
{
    (void)state;
    has_memory = false;
    run_threads(read_names);
    has_memory = true;
    assert_int_equal(asked, THREADS);
    assert_int_equal(freed, 0);
}

/* Another part of the daemon may log while its thread ends. Its labels are then read without a
 * cache, since the thread's may be gone. */
static void read_label_rule(void *arg)
{
    (void)arg;
    if (same_as_read('z') && !(is_freed && xnm_thread_labels()))
        asked += 100;
}

static pthread_key_t label_rule;

static void *end_label_rule(void *arg)
{
    return pthread_setspecific(label_rule, &label_rule) == 0 ? read_names(arg) : NULL;
}

static void test_end_of_thread(void **state)
{
    (void)state;
    assert_int_equal(pthread_key_create(&label_rule, read_label_rule), 0);
    run_threads(end_label_rule);
    assert_int_equal(asked, THREADS + 100 * THREADS);
    assert_int_equal(freed, THREADS);
    assert_int_equal(pthread_key_delete(label_rule), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        {"each thread has its own and frees it", test_threads, NULL, NULL, NULL},
        {"no memory", test_no_memory, NULL, NULL, NULL},
        {"names are read while a thread ends", test_end_of_thread, NULL, NULL, NULL},
    };

    if (xn_unicode_open(&unicode) != XN_OK)
        return 1;
    int failed = cmocka_run_group_tests_name("threadlabels", tests, NULL, NULL);
    xn_unicode_close(unicode);
    return failed;
}
