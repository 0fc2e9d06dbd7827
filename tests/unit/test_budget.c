/* SPDX-License-Identifier: BSD-3-Clause */
#include "module/base/diagnostics.h"
#include "tests/unit/vectors.h"

#include "module/base/budget.h"
#include "module/policy/data.h"
#include "tests/unit/policytext.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };

/* --- what counts --- */

/* The account counts memory in use, not memory that is only mapped. Memory that was given back does
 * not count. */
static void test_arena(void **state)
{
    struct xnm_budget budget = {.max = 10 * PAGE};
    struct xnm_arena arena = {0}, other = {0};

    (void)state;
    xnm_budget_open(&budget);
    assert_non_null(xnm_arena_add(&arena, 6 * PAGE));
    assert_non_null(xnm_arena_add(&arena, 1));
    assert_true(arena.cap > 10 * PAGE);
    assert_int_equal(budget.used, 7 * PAGE);
    assert_null(xnm_arena_add(&arena, 4 * PAGE));
    assert_true(budget.exceeded);
    assert_null(xnm_arena_add(&other, 4 * PAGE));
    assert_non_null(xnm_arena_add(&other, 3 * PAGE));
    assert_int_equal(budget.used, 10 * PAGE);
    arena.len = PAGE;
    xnm_arena_trim(&arena);
    xnm_arena_free(&other);
    assert_int_equal(budget.used, PAGE);
    xnm_arena_free(&arena);
    assert_int_equal(budget.used, 0);
    assert_int_equal(budget.peak, 10 * PAGE);
    xnm_budget_open(NULL);
}

static void test_passed(void **state)
{
    struct xnm_budget budget = {.max = 1 << 24};
    struct xnm_arena arena = {0};

    (void)state;
    xnm_budget_open(&budget);
    assert_non_null(xnm_arena_add(&arena, 3 << 20));
    xnm_arena_pass(&arena, 2 << 20);
    assert_int_equal(budget.used, 1 << 20);
    xnm_arena_free(&arena);
    assert_int_equal(budget.used, 0);
    xnm_budget_open(NULL);
}

static void test_pool(void **state)
{
    struct xnm_budget budget = {.max = 100000};
    struct xnm_pool pool = {0};
    unsigned taken = 0;

    (void)state;
    xnm_budget_open(&budget);
    while (xnm_pool_take(&pool, 1000))
        taken++;
    assert_in_range(taken, 50, 100);
    assert_int_equal(budget.used, xnm_pool_memory(&pool));
    xnm_pool_free(&pool);
    assert_int_equal(budget.used, 0);
    xnm_budget_open(NULL);
}

/* Room that was promised to one is not given to another. */
static void test_promise(void **state)
{
    struct xnm_budget budget = {.max = 100};

    (void)state;
    xnm_budget_open(&budget);
    assert_true(xnm_budget_promise(60));
    assert_true(xnm_budget_take(40));
    assert_false(budget.exceeded);
    assert_false(xnm_budget_take(1));
    assert_true(budget.exceeded);
    assert_false(xnm_budget_promise(61));
    assert_true(xnm_budget_promise(0));
    assert_true(xnm_budget_take(60));
    assert_false(xnm_budget_take(SIZE_MAX));
    assert_int_equal(budget.used, 100);
    xnm_budget_open(NULL);
    assert_true(xnm_budget_take(SIZE_MAX));
    xnm_budget_give(SIZE_MAX);
}

static void test_trouble(void **state)
{
    struct xnm_budget budget = {.max = 3 << 20};

    (void)state;
    assert_string_equal(xnm_budget_trouble(), "out of memory");
    xnm_budget_open(&budget);
    assert_string_equal(xnm_budget_trouble(), "out of memory");
    assert_false(xnm_budget_take(budget.max + 1));
    assert_string_equal(xnm_budget_trouble(), "needs more than policy-memory, which is 3 MiB");
    budget.max++;
    assert_string_equal(xnm_budget_trouble(),
                        "needs more than policy-memory, which is 3145729 octets");
    xnm_budget_open(NULL);
}

/* All of a policy, once; and nothing of it is left. */
static void test_policy(void **state)
{
    struct xnm_budget budget = {.max = 1 << 24};

    (void)state;
    xnm_budget_open(&budget);
    struct xnm_policy *policy =
        policy_of("drop name a.example\nanswer name b.example 1\nanswer name b.example 2\n"
                  "rpz rpz zone\n+ c.example answer 1\n+ c.example answer 2\n+ d.example drop\n"
                  "log lookalikes list tag=x\n+ paypal.com\nrefuse invalid",
                  NULL, &xnm_diagnose_silently);
    assert_int_equal(budget.used + sizeof *policy, xnm_policy_memory(policy));
    assert_int_equal(budget.promised, 0);
    xnm_policy_free(policy);
    assert_int_equal(budget.used, 0);
    xnm_budget_open(NULL);
}

/* --- the default --- */

#define V2 "proc/self/cgroup", "0::/a.slice/b.service\n"
#define V1 "proc/self/cgroup", "12:pids:/\n5:cpu,memory:/a/b\n1:name=systemd:/\n0::/\n"
#define MEMORY_V2 "sys/fs/cgroup"
#define MEMORY_V1 "sys/fs/cgroup/memory"

static struct default_row {
    const char *name;
    const char *files[8]; /* paths and what is in them */
    size_t space;         /* RLIMIT_AS; 0: none */
    size_t expected;
} defaults[] = {
    {"nothing to read", {NULL}, 0, 1 << 30},
    {"no limit", {V2, MEMORY_V2 "/a.slice/b.service/memory.max", "max\n"}, 0, 1 << 30},
    {"cgroup v2", {V2, MEMORY_V2 "/a.slice/b.service/memory.max", "536870912\n"}, 0, 134217728},
    {"its parent",
     {V2, MEMORY_V2 "/a.slice/b.service/memory.max", "max\n", MEMORY_V2 "/a.slice/memory.max",
      "400000\n"},
     0,
     100000},
    {"the least of both",
     {V2, MEMORY_V2 "/a.slice/b.service/memory.max", "800000\n", MEMORY_V2 "/a.slice/memory.max",
      "4000000\n"},
     0,
     200000},
    {"a container", {V2, MEMORY_V2 "/memory.max", "800000\n"}, 0, 200000},
    {"cgroup v1", {V1, MEMORY_V1 "/a/b/memory.limit_in_bytes", "800000\n"}, 0, 200000},
    {"a container with v1", {V1, MEMORY_V1 "/memory.limit_in_bytes", "800000\n"}, 0, 200000},
    {"no limit in v1",
     {V1, MEMORY_V1 "/memory.limit_in_bytes", "9223372036854771712\n"},
     0,
     1 << 30},
    {"address space", {V2}, (size_t)1 << 58, (size_t)1 << 56},
    {"address space, and less", {V2, MEMORY_V2 "/memory.max", "800000\n"}, (size_t)1 << 58, 200000},
    {"none of it", {"proc/self/cgroup", "0\n:\n\nx:memory\n"}, 0, 1 << 30},
};

static void write_below(const char *root, const char *name, const char *text)
{
    char path[512];

    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0755);
    }
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* In a process of its own, which keeps its limit. */
static void test_default(void **state)
{
    const struct default_row *row = *state;
    char root[] = "/tmp/test_budget.XXXXXX";
    int status;

    assert_non_null(mkdtemp(root));
    for (size_t i = 0; i < 8 && row->files[i]; i += 2)
        write_below(root, row->files[i], row->files[i + 1]);
    pid_t child = fork();
    if (child == 0) {
        const struct rlimit space = {row->space, row->space};
        if (row->space > 0 && setrlimit(RLIMIT_AS, &space) != 0)
            _exit(2);
        _exit(xnm_budget_default(root) == row->expected ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    remove_tree(root);
    assert_int_equal(status, 0);
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "an arena", test_arena, NULL);
    add_test(&group, "an arena's start", test_passed, NULL);
    add_test(&group, "a pool", test_pool, NULL);
    add_test(&group, "a promise", test_promise, NULL);
    add_test(&group, "what is said", test_trouble, NULL);
    add_test(&group, "a policy", test_policy, NULL);
    ADD_TESTS(&group, defaults, name, test_default);
    return run_group("budget", &group);
}
