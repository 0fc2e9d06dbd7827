/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting for events, not for times: on a slow machine a test takes longer, and passes. */
#ifndef XN_TESTS_UNIT_WAITING_H
#define XN_TESTS_UNIT_WAITING_H

#include <stdint.h>
#include <time.h>

enum { DEADLINE_MS = 120000 }; /* for what happens sooner or later */

static inline int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static inline void pause_ns(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

/* After the deadline the test continues without the condition, and fails later. */
#define WAIT_A_WHILE_FOR(condition)                                                                \
    for (int64_t end_ms_ = now_ms() + DEADLINE_MS; !(condition) && now_ms() < end_ms_;)            \
    pause_ns(1000000)

#define WAIT_FOR(condition)                                                                        \
    do {                                                                                           \
        WAIT_A_WHILE_FOR(condition);                                                               \
        assert_true(condition);                                                                    \
    } while (0)

#endif
