/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/unit/vectors.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "module/run/ticker.h"
#include "tests/unit/waiting.h"

enum {
    LONG = 86400, /* seconds: no test waits for this tick */
    TRIES = 10,
};

/* The ticks so far, and how long a tick takes. */
struct seen {
    atomic_uint begun, ended;
    _Atomic int64_t first_ms;
    atomic_long pause_ns;
    pthread_t thread;
    sigset_t blocked;
};

static void wait_for(atomic_uint *counter, unsigned number)
{
    WAIT_FOR(*counter >= number);
}

static void tick(void *arg)
{
    struct seen *seen = arg;

    if (seen->begun == 0) {
        seen->first_ms = now_ms();
        seen->thread = pthread_self();
        pthread_sigmask(SIG_BLOCK, NULL, &seen->blocked);
    }
    seen->begun++;
    if (seen->pause_ns)
        pause_ns(seen->pause_ns);
    seen->ended++;
}

/* On the heap, so that a sanitizer sees a tick that comes too late. */
static struct seen *new_seen(void)
{
    struct seen *seen = calloc(1, sizeof *seen);

    assert_non_null(seen);
    return seen;
}

TEST(ticks, "ticks, the first after one second")
{
    struct seen *seen = new_seen();
    int64_t start = now_ms();
    struct xnm_ticker *ticker = xnm_ticker_open(1, tick, seen);

    assert_non_null(ticker);
    wait_for(&seen->ended, 3);
    int64_t took = now_ms() - start;
    xnm_ticker_close(ticker);
    assert_true(seen->first_ms - start >= 990); /* the first time after as many seconds */
    assert_true(took >= 2990);
    assert_false(pthread_equal(seen->thread, pthread_self()));
    free(seen);
}

TEST(closes_before_the_first, "close before the first tick returns at once")
{
    for (int i = 0; i < 100; i++) {
        struct seen *seen = new_seen();
        int64_t start = now_ms();
        struct xnm_ticker *ticker = xnm_ticker_open(LONG, tick, seen);
        assert_non_null(ticker);
        if (i % 2)
            pause_ns(1000000);
        xnm_ticker_close(ticker);
        assert_true(now_ms() - start < DEADLINE_MS);
        assert_int_equal(seen->begun, 0);
        free(seen);
    }
    xnm_ticker_close(NULL);
}

TEST(waits_for_a_tick, "close waits for the tick in hand")
{
    struct seen *seen = new_seen();
    struct xnm_ticker *ticker = xnm_ticker_open(1, tick, seen);

    assert_non_null(ticker);
    seen->pause_ns = 300000000;
    wait_for(&seen->begun, 1);
    xnm_ticker_close(ticker);
    assert_int_equal(seen->ended, seen->begun);
    free(seen);
}

/* It does not wait for the next one: on a machine that is busy for a second that may come all the
 * same, but not each time. */
TEST(closes_between_ticks, "close between two ticks waits for none")
{
    bool once = false;

    for (int i = 0; i < TRIES && !once; i++) {
        struct seen *seen = new_seen();
        struct xnm_ticker *ticker = xnm_ticker_open(1, tick, seen);
        assert_non_null(ticker);
        wait_for(&seen->ended, 1);
        xnm_ticker_close(ticker);
        assert_int_equal(seen->ended, seen->begun);
        once = seen->begun == 1;
        free(seen);
    }
    assert_true(once);
}

TEST(takes_no_signals, "its thread gets no signal, and its opener's are as before")
{
    struct seen *seen = new_seen();
    sigset_t one, before, after;

    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &one, &before);
    struct xnm_ticker *ticker = xnm_ticker_open(1, tick, seen);
    pthread_sigmask(SIG_SETMASK, &before, &after);
    assert_non_null(ticker);
    for (int number = 1; number <= SIGRTMAX; number++)
        if (sigismember(&one, number) >= 0)
            assert_int_equal(sigismember(&after, number), number == SIGUSR1);
    wait_for(&seen->ended, 1);
    xnm_ticker_close(ticker);
    for (int number = 1; number <= SIGRTMAX; number++) {
        bool never = number == SIGKILL || number == SIGSTOP;
        bool libc = number > SIGSYS && number < SIGRTMIN;
        if (!never && !libc && !sigismember(&seen->blocked, number))
            fail_msg("signal %d is not blocked", number);
    }
    free(seen);
}

TEST_MAIN
