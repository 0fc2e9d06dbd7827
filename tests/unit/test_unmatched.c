/* SPDX-License-Identifier: BSD-3-Clause */
/* A question that was noted is known until too many others came; never is another one. */
#include "tests/unit/vectors.h"

#include "module/policy/policy.h"
#include "module/policy/unmatched.h"
#include "tests/unit/exact.h"
#include "tests/unit/nomemory.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN = 1, A = 1, AAAA = 28, NOW = 7, LONGEST = 114 };

static struct xnm_question question_of(const uint8_t *name, size_t len)
{
    return (struct xnm_question){.qname = name, .qname_len = len, .qtype = A, .qclass = IN};
}

static void test_noted(void **state)
{
    static const uint8_t name[] = "\3www\7example", other[] = "\3wwv\7example",
                         big[] = "\3WWW\7example";
    const struct xnm_question question = question_of(name, sizeof name);
    struct xnm_question next = question;

    (void)state;
    assert_false(xnm_unmatched_has(&question, NOW));
    xnm_unmatched_note(&question, NOW);
    assert_true(xnm_unmatched_has(&question, NOW));
    assert_false(xnm_unmatched_has(&question, NOW - 1));
    assert_false(xnm_unmatched_has(&question, NOW + 1));
    next.qtype = AAAA;
    assert_false(xnm_unmatched_has(&next, NOW));
    next = question;
    next.from_a = true;
    assert_false(xnm_unmatched_has(&next, NOW));
    next = question;
    next.qclass = 255;
    assert_false(xnm_unmatched_has(&next, NOW));
    next = question_of(other, sizeof other);
    assert_false(xnm_unmatched_has(&next, NOW));
    next = question_of(big, sizeof big);
    assert_false(xnm_unmatched_has(&next, NOW));
    next = question_of(name + 4, sizeof name - 4);
    assert_false(xnm_unmatched_has(&next, NOW));
    xnm_unmatched_note(&question, NOW + 1);
    assert_true(xnm_unmatched_has(&question, NOW + 1));
}

/* In a buffer of its size, so that a sanitizer sees what is read behind it. */
static void expect(size_t len, bool known)
{
    uint8_t octets[XN_WIRE_NAME_MAX] = {0};
    uint8_t *name = exact_copy(octets, len);
    const struct xnm_question question = question_of(name, len);

    xnm_unmatched_note(&question, NOW);
    assert_int_equal(xnm_unmatched_has(&question, NOW), known);
    free(name);
}

static void test_lengths(void **state)
{
    (void)state;
    for (size_t len = 1; len <= XN_WIRE_NAME_MAX; len++)
        expect(len, len <= LONGEST);
}

/* Only the even of many more names than find room are noted: some are known, and no odd one is. */
static void test_many(void **state)
{
    enum { MANY = 20000 };
    size_t known = 0;

    (void)state;
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned n = 0; n < MANY; n++) {
            char name[16];
            struct xnm_question question = question_of((uint8_t *)name, 7);
            snprintf(name, sizeof name, "\5%05u", n);
            if (pass == 0 && n % 2 == 0) {
                xnm_unmatched_note(&question, NOW);
                assert_true(xnm_unmatched_has(&question, NOW));
            } else if (xnm_unmatched_has(&question, NOW)) {
                assert_int_equal(n % 2, 0);
                known++;
            }
        }
    }
    assert_in_range(known, 2000, 4096);
}

int __real_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int __real_pthread_setspecific(pthread_key_t key, const void *value);
int __wrap_pthread_key_create(pthread_key_t *key, void (*end)(void *));
int __wrap_pthread_setspecific(pthread_key_t key, const void *value);

/* The process of this environment has no key left when it loads the module. */
static const char no_keys[] = "XN_TEST_NO_KEYS";

int __wrap_pthread_key_create(pthread_key_t *key, void (*end)(void *))
{
    return getenv(no_keys) ? EAGAIN : __real_pthread_key_create(key, end);
}

static _Thread_local bool no_values;

int __wrap_pthread_setspecific(pthread_key_t key, const void *value)
{
    return no_values ? ENOMEM : __real_pthread_setspecific(key, value);
}

/* The main thread has noted the root. */
static void *ask_of_root(void *arg)
{
    const struct xnm_question question = question_of((const uint8_t *)"", 1);

    calls_left = 0;
    xnm_unmatched_note(&question, NOW);
    bool good = !xnm_unmatched_has(&question, NOW);
    calls_left = ULONG_MAX;
    good = good && !xnm_unmatched_has(&question, NOW);
    no_values = true;
    xnm_unmatched_note(&question, NOW);
    no_values = false;
    good = good && !xnm_unmatched_has(&question, NOW);
    xnm_unmatched_note(&question, NOW);
    return good && xnm_unmatched_has(&question, NOW) ? arg : NULL;
}

static void test_threads(void **state)
{
    const struct xnm_question question = question_of((const uint8_t *)"", 1);
    pthread_t thread;
    void *good;

    xnm_unmatched_note(&question, NOW);
    assert_int_equal(pthread_create(&thread, NULL, ask_of_root, state), 0);
    assert_int_equal(pthread_join(thread, &good), 0);
    assert_non_null(good);
    assert_true(xnm_unmatched_has(&question, NOW));
}

static int ask_without_keys(void)
{
    const struct xnm_question question = question_of((const uint8_t *)"", 1);

    xnm_unmatched_note(&question, NOW);
    return xnm_unmatched_has(&question, NOW);
}

/* Executes the link's target, since under valgrind the link itself leads to valgrind. */
static void test_no_keys(void **state)
{
    char program[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);
    int status = -1;

    (void)state;
    assert_true(len > 0);
    program[len] = '\0';
    pid_t child = fork();
    if (child == 0) {
        setenv(no_keys, "1", 1);
        execl(program, "test_unmatched", (char *)NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(void)
{
    if (getenv(no_keys))
        return ask_without_keys();
    static const struct CMUnitTest tests[] = {
        {"what was noted, and nothing else", test_noted, NULL, NULL, NULL},
        {"names of all lengths", test_lengths, NULL, NULL, NULL},
        {"more than find room", test_many, NULL, NULL, NULL},
        {"each thread has its own, if there is memory", test_threads, NULL, NULL, NULL},
        {"nothing is kept in a process without keys", test_no_keys, NULL, NULL, NULL},
    };

    return cmocka_run_group_tests_name("unmatched", tests, NULL, NULL);
}
