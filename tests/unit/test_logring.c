/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "module/log/logring.h"
#include "tests/unit/exact.h"

/* --- lines --- */

/* Puts in a copy of exactly its size. */
static bool put(struct xnm_logring *ring, const char *text)
{
    size_t len = strlen(text);
    char *line = exact_copy(text, len);
    bool done = xnm_logring_put(ring, line, len);

    free(line);
    return done;
}

/* Takes out what a look shows, which is in place unless it lies across the ring's end. */
static size_t take(struct xnm_logring *ring, char *dst, size_t cap)
{
    const char *lines;
    size_t len = xnm_logring_look(ring, dst, cap, &lines);

    memmove(dst, lines, len);
    xnm_logring_drop(ring, len);
    return len;
}

/* Takes into a buffer of exactly `cap` octets. */
static void expect_take(struct xnm_logring *ring, size_t cap, const char *expected)
{
    char *dst = malloc(cap);
    size_t len = take(ring, dst, cap);

    assert_int_equal(len, strlen(expected));
    assert_memory_equal(dst, expected, len);
    free(dst);
}

/* A line of len octets, its line feed with them. The caller frees it. */
static char *line_of(size_t len, char fill)
{
    char *line = malloc(len);

    assert_non_null(line);
    memset(line, fill, len);
    line[len - 1] = '\n';
    return line;
}

/* Puts in one line of len octets and takes it out again: moves both ends by len. */
static void advance(struct xnm_logring *ring, size_t len)
{
    char *line = line_of(len, '.');

    assert_true(xnm_logring_put(ring, line, len));
    assert_int_equal(take(ring, line, len), len);
    free(line);
}

/* --- a small destination --- */

static struct small {
    const char *name;
    size_t cap;
    const char *first, *rest;
} smalls[] = {
    {"room for all", 13, "one\n\nthree\n4\n", ""},
    {"an octet less than all", 12, "one\n\nthree\n", "4\n"},
    {"room for a line and a half", 8, "one\n\n", "three\n4\n"},
    {"room for one line", 4, "one\n", "\nthree\n4\n"},
    {"no room for a line", 3, "", "one\n\nthree\n4\n"},
};

TEST_ROWS(takes_whole_lines, smalls, name)
{
    const struct small *row = *state;
    struct xnm_logring *ring = xnm_logring_new(XNM_LOGRING_SIZE);

    assert_non_null(ring);
    expect_take(ring, 64, "");
    assert_true(put(ring, "one\n") && put(ring, "\n") && put(ring, "three\n") && put(ring, "4\n"));
    expect_take(ring, row->cap, row->first);
    expect_take(ring, 64, row->rest);
    expect_take(ring, 64, "");
    assert_int_equal(xnm_logring_lost(ring), 0);
    xnm_logring_free(ring);
    xnm_logring_free(NULL);
}

/* A target may take part of a line. */
TEST(drops_a_part, "part of a line")
{
    struct xnm_logring *ring = xnm_logring_new(XNM_LOGRING_SIZE);
    const char *lines;
    char dst[64];

    assert_true(ring && put(ring, "one\n") && put(ring, "two\n"));
    assert_int_equal(xnm_logring_look(ring, dst, sizeof dst, &lines), 8);
    assert_int_equal(xnm_logring_look(ring, dst, sizeof dst, &lines), 8); /* it takes nothing */
    xnm_logring_drop(ring, 6);
    assert_true(put(ring, "three\n"));
    expect_take(ring, 4, "o\n");
    expect_take(ring, 64, "three\n");
    xnm_logring_free(ring);
}

/* --- the ring's end --- */

/* Three lines that lie across the end of the ring, in each of the ways they can. */
TEST(wraps_around, "lines across the end of the ring")
{
    static const char lines[] = "alpha\n\nbeta\n";

    for (size_t before = 0; before <= sizeof lines; before++) {
        struct xnm_logring *ring = xnm_logring_new(XNM_LOGRING_SIZE);
        assert_non_null(ring);
        advance(ring, XNM_LOGRING_SIZE - before);
        assert_true(put(ring, "alpha\n") && put(ring, "\n") && put(ring, "beta\n"));
        expect_take(ring, 9, "alpha\n\n");
        expect_take(ring, 64, "beta\n");
        expect_take(ring, 64, "");
        assert_int_equal(xnm_logring_lost(ring), 0);
        xnm_logring_free(ring);
    }
}

/* One line after the other through every place of the ring: the step has no factor in common with
 * its size. */
TEST(takes_at_each_offset, "lines at every offset")
{
    struct xnm_logring *ring = xnm_logring_new(XNM_LOGRING_SIZE);
    char expected[13 + 1];

    assert_non_null(ring);
    for (unsigned i = 0; i < XNM_LOGRING_SIZE; i++) {
        char taken[sizeof expected];
        size_t len = (size_t)snprintf(expected, sizeof expected, "%012u\n", i);
        if (!xnm_logring_put(ring, expected, len) || take(ring, taken, sizeof taken) != len ||
            memcmp(taken, expected, len) != 0)
            fail_msg("line %u", i);
    }
    assert_int_equal(xnm_logring_lost(ring), 0);
    xnm_logring_free(ring);
}

/* --- a full ring --- */

static struct full {
    const char *name;
    size_t size, offset; /* where the first octet lies */
} fulls[] = {
    {"full, from the beginning", XNM_LOGRING_SIZE, 0},
    {"full, from the middle", XNM_LOGRING_SIZE, XNM_LOGRING_SIZE / 2},
    {"full, from the last octet", XNM_LOGRING_SIZE, XNM_LOGRING_SIZE - 1},
    {"full, the smallest", 64, 17},
    {"full, a large one", 16 * XNM_LOGRING_SIZE, 5 * XNM_LOGRING_SIZE + 1},
};

TEST_ROWS(loses_lines, fulls, name)
{
    const struct full *row = *state;
    struct xnm_logring *ring = xnm_logring_new(row->size);
    size_t half = row->size / 2;
    char *first = line_of(half - 1, 'a'), *second = line_of(half, 'b');
    char *taken = malloc(row->size);

    assert_true(ring && taken);
    if (row->offset > 0)
        advance(ring, row->offset);
    assert_true(xnm_logring_put(ring, first, half - 1));
    assert_true(xnm_logring_put(ring, second, half));
    assert_false(put(ring, ".\n")); /* one octet too many */
    assert_int_equal(xnm_logring_lost(ring), 1);
    assert_true(put(ring, "\n"));  /* exactly full */
    assert_false(put(ring, "\n")); /* the shortest line */
    assert_false(put(ring, "a long line\n"));
    assert_int_equal(xnm_logring_lost(ring), 3);

    assert_int_equal(take(ring, taken, half), half - 1);
    assert_memory_equal(taken, first, half - 1);
    assert_true(put(ring, "room again\n"));
    assert_int_equal(take(ring, taken, row->size), half + 1 + 11);
    assert_memory_equal(taken, second, half);
    assert_memory_equal(taken + half, "\nroom again\n", 12);
    assert_int_equal(xnm_logring_lost(ring), 3);
    expect_take(ring, 64, "");
    free(first);
    free(second);
    free(taken);
    xnm_logring_free(ring);
}

TEST(takes_the_longest, "a line as long as the ring")
{
    struct xnm_logring *ring = xnm_logring_new(XNM_LOGRING_SIZE);
    char *line = line_of(XNM_LOGRING_SIZE + 1, 'x');

    assert_non_null(ring);
    assert_false(xnm_logring_put(ring, line, XNM_LOGRING_SIZE + 1));
    assert_int_equal(xnm_logring_lost(ring), 1);
    assert_true(xnm_logring_put(ring, line + 1, XNM_LOGRING_SIZE));
    assert_int_equal(take(ring, line, XNM_LOGRING_SIZE - 1), 0);
    assert_int_equal(take(ring, line, XNM_LOGRING_SIZE), XNM_LOGRING_SIZE);
    assert_int_equal(xnm_logring_lost(ring), 1);
    free(line);
    xnm_logring_free(ring);
}

/* --- two threads --- */

enum { LINES = 1000000, LINE_MAX_LEN = 400, TAKE_CAP = 5000 };

/* Line `number`, of many lengths, and full of what tells it from its neighbours. */
static size_t make_line(char *dst, unsigned number)
{
    size_t len = (size_t)sprintf(dst, "%07u", number), tail = number * 7919 % 301;

    memset(dst + len, 'a' + (int)(number % 26), tail);
    dst[len + tail] = '\n';
    return len + tail + 1;
}

struct producer {
    struct xnm_logring *ring;
    bool insists; /* puts in a line again until there is room */
    unsigned refused;
    atomic_bool done;
};

static void *produce(void *arg)
{
    struct producer *producer = arg;
    char line[LINE_MAX_LEN];

    for (unsigned i = 0; i < LINES; i++) {
        size_t len = make_line(line, i);
        while (!xnm_logring_put(producer->ring, line, len)) {
            producer->refused++;
            if (!producer->insists)
                break;
            sched_yield();
        }
    }
    atomic_store(&producer->done, true);
    return NULL;
}

/* Compares lines with those that are next; what is missing between them adds to *missing. */
static unsigned check_lines(const char *text, size_t len, unsigned next, unsigned *missing)
{
    char expected[LINE_MAX_LEN];

    for (const char *end = text + len; text < end;) {
        unsigned number = (unsigned)strtoul(text, NULL, 10) % LINES;
        size_t expected_len = make_line(expected, number);
        if (number < next || expected_len > (size_t)(end - text) ||
            memcmp(text, expected, expected_len) != 0)
            fail_msg("after line %u", next);
        *missing += number - next;
        next = number + 1;
        text += expected_len;
    }
    return next;
}

static struct race {
    const char *name;
    bool insists;
} races[] = {
    {"a million lines from another thread, none given up", true},
    {"a million lines from another thread, taken or lost", false},
};

TEST_ROWS(passes_lines, races, name)
{
    const struct race *row = *state;
    static struct producer producer; /* outlives a test that fails */
    pthread_t thread;
    unsigned next = 0, missing = 0;
    char taken[TAKE_CAP];
    bool done;
    size_t len;

    producer =
        (struct producer){.ring = xnm_logring_new(XNM_LOGRING_SIZE), .insists = row->insists};
    assert_non_null(producer.ring);
    assert_int_equal(pthread_create(&thread, NULL, produce, &producer), 0);
    do {
        done = atomic_load(&producer.done); /* before the last look */
        len = take(producer.ring, taken, sizeof taken);
        next = check_lines(taken, len, next, &missing);
        if (len == 0 && !done)
            sched_yield();
    } while (len > 0 || !done);
    pthread_join(thread, NULL);
    missing += LINES - next;
    assert_int_equal(xnm_logring_lost(producer.ring), producer.refused);
    assert_int_equal(missing, row->insists ? 0 : producer.refused);
    xnm_logring_free(producer.ring);
}

TEST_MAIN
