/* SPDX-License-Identifier: BSD-3-Clause */
/* libidnpolicy in processes that fork between opening and the first call, and in many threads while
 * policies come and go. */
#include "tests/unit/idnphandle.h"

#include "module/base/thread.h"

#include <sys/wait.h>

/* Looks at the files more often than libidnpolicy does. */
bool __real_xnm_stop_wait(struct xnm_stop *stop, unsigned ms);
bool __wrap_xnm_stop_wait(struct xnm_stop *stop, unsigned ms);
bool __wrap_xnm_stop_wait(struct xnm_stop *stop, unsigned ms)
{
    return __real_xnm_stop_wait(stop, ms > 10 ? ms / 100 : ms);
}

/* Runs in a child, which ends by itself if it hangs. Returns its exit status; -1: a signal. */
static int in_child(struct idnp *idnp, int (*what)(struct idnp *idnp))
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        _exit(what(idnp));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* A child cannot end as a test does: it gives the line where something is wrong. */
#define EXPECT(condition)                                                                          \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return __LINE__ % 251 + 1;                                                             \
    } while (0)

#define EXPECT_SOON(condition)                                                                     \
    WAIT_A_WHILE_FOR(condition);                                                                   \
    EXPECT(condition)

static unsigned count_threads(void)
{
    DIR *dir = opendir("/proc/self/task");
    unsigned count = 0;

    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2; /* . and .. */
}

/* A sanitizer may have threads of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { IS_SANITIZED = true };
#else
enum { IS_SANITIZED = false };
#endif

static bool has_threads(unsigned count)
{
    return IS_SANITIZED || count_threads() == count;
}

#define LINES_OF_CONF "log-to: @/log\npolicy: @/rules\nmetrics-file: @/idn.prom\n"

/* Decides by what is in force, follows the rules, writes lines, and ends. */
static int live(struct idnp *idnp)
{
    EXPECT(has_threads(1));
    EXPECT(ask(idnp, "a.example") == IDNP_ANSWER);
    EXPECT(ask(idnp, "c.example") == IDNP_LEAVE);
    EXPECT(has_threads(4)); /* log, rules, metrics */
    for (int i = 0; i < 100; i++)
        tell(idnp, "child.example", decision);
    EXPECT(metric_of(idnp, "unbound_idn_replies_total{rcode=\"NOERROR\",transport=\"udp\"}") ==
           100);
    write_in("rules", "refuse name b.example\n");
    EXPECT_SOON(ask(idnp, "b.example") == IDNP_ANSWER);
    EXPECT(ask(idnp, "a.example") == IDNP_LEAVE);
    idnp_close(idnp);
    EXPECT(has_threads(1));
    return 0;
}

static unsigned lines_of(const char *name)
{
    unsigned count = 0;

    for (const char *at = read_text(log_path); (at = strstr(at, name)); at++)
        count++;
    return count;
}

/* Only closes the handle, which has no threads. */
static int close_alone(struct idnp *idnp)
{
    idnp_close(idnp);
    return 0;
}

/* Each process has threads of its own, and follows the rules by itself. */
TEST(test_before, "a fork before the first call")
{
    write_in("rules", "refuse name a.example\n");
    struct idnp *idnp = open_handle(LINES_OF_CONF);
    unsigned threads = count_threads(); /* with a sanitizer's */
    assert_int_equal(in_child(idnp, close_alone), 0);
    assert_int_equal(in_child(idnp, live), 0);
    assert_int_equal(lines_of("child.example"), 100);
    /* The parent goes on as if nothing had been. */
    WAIT_FOR(ask(idnp, "b.example") == IDNP_ANSWER);
    assert_int_equal(count_threads(), threads + 3);
    tell(idnp, "parent.example", decision);
    idnp_close(idnp);
    assert_int_equal(lines_of("parent.example"), 1);
    assert_int_equal(lines_of("child.example"), 100);
}

/* --- many threads --- */

enum { THREADS = 8, SWAPS = 100 };

static atomic_bool stop;
static atomic_uint wrong, decisions[THREADS];

#define ASKED(label)                                                                               \
    {                                                                                              \
        .size = sizeof(struct idnp_question), .flags = IDNP_UDP,                                   \
        .qname = (const uint8_t *)"\1" label "\7example", .qname_len = 11, .qtype = A,             \
        .qclass = IN                                                                               \
    }

/* Each policy refuses exactly one of the two names. */
static void *decide(void *arg)
{
    static const struct idnp_question questions[] = {ASKED("a"), ASKED("b"), ASKED("c")};
    struct idnp_decision *own = idnp_decision_new();
    struct idnp *idnp = ((struct idnp **)arg)[0];
    unsigned number = (unsigned)((uintptr_t)((void **)arg)[1]);

    while (!stop) {
        for (int i = 0; i < 3; i++) {
            int32_t result = idnp_decide(idnp, &questions[i], own);
            bool good = i == 2 ? result == IDNP_LEAVE && !own->matched
                               : (result == IDNP_ANSWER) == (own->line == 1);
            if (good && result == IDNP_ANSWER)
                good = own->rcode == 0 && own->record_count == 1 &&
                       own->records[0].rdata_len == 4 &&
                       own->records[0].rdata[3] == (i == 0 ? 1 : 2);
            wrong += !good;
            const struct idnp_reply reply = {.size = sizeof reply,
                                             .qname = questions[i].qname,
                                             .qname_len = questions[i].qname_len,
                                             .qtype = A,
                                             .qclass = IN};
            wrong += idnp_report(idnp, &reply, own) != 0;
        }
        decisions[number]++;
    }
    idnp_decision_free(own);
    return NULL;
}

static void swap_policies(struct idnp *idnp)
{
    for (unsigned i = 0; i < SWAPS; i++) {
        unsigned before = decisions[i % THREADS];
        uint64_t generation = idnp_generation(idnp);
        write_in("rules", i % 2 ? "redirect 192.0.2.1 name a.example\n"
                                : "redirect 192.0.2.2 name b.example\n");
        WAIT_FOR(idnp_generation(idnp) != generation);
        WAIT_FOR(decisions[i % THREADS] != before);
    }
}

TEST(test_threads, "threads and swaps")
{
    pthread_t threads[THREADS];
    void *args[THREADS][2];

    write_in("rules", "redirect 192.0.2.1 name a.example\n");
    struct idnp *idnp = open_handle("log-to: @/log\npolicy: @/rules\n");
    for (int i = 0; i < THREADS; i++) {
        args[i][0] = idnp;
        args[i][1] = (void *)(uintptr_t)i;
        assert_int_equal(pthread_create(&threads[i], NULL, decide, args[i]), 0);
    }
    swap_policies(idnp);
    stop = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert_int_equal(wrong, 0);
    assert_int_equal(idnp_generation(idnp), SWAPS + 1);
    idnp_close(idnp);
}

TEST_MAIN_IN_PROCESSES(open_decision, close_decision)
