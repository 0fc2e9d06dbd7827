/* SPDX-License-Identifier: BSD-3-Clause */
/* Work in a process of its own: it does what it should, crashes, or never ends. */
#include "tests/unit/vectors.h"

#include "tools/check/supervised.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NEVER = 100, SOON = 1, MANY = 200000 };

static void write_much(void *arg, FILE *out)
{
    for (int i = 0; i < MANY; i++)
        fputs(arg, out);
}

static void crash(void *arg, FILE *out)
{
    (void)arg;
    fputs("half", out);
    fflush(out);
    signal(SIGSEGV, SIG_DFL); /* a sanitizer would write its report */
    raise(SIGSEGV);
}

static void give_up(void *arg, FILE *out)
{
    (void)arg;
    fputs("half", out);
    exit(2);
}

static void hang(void *arg, FILE *out)
{
    fputs(arg, out);
    fflush(out);
    pause();
}

/* Its child keeps the pipe open, and says who it is. */
static void leave_child(void *arg, FILE *out)
{
    (void)arg;
    pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    fwrite(&child, sizeof child, 1, out);
}

static void does_it(void **state)
{
    struct buffer found = {0};

    (void)state;
    assert_null(supervised_run(NEVER, write_much, "word ", &found));
    assert_int_equal(found.len, MANY * strlen("word "));
    assert_memory_equal(found.data + found.len - 10, "word word ", 10);
    buffer_free(&found);
}

static void says_of_a_crash(void **state)
{
    supervised_work *const works[] = {crash, give_up};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct buffer found = {0};
        const char *trouble = supervised_run(NEVER, works[i], NULL, &found);
        assert_non_null(trouble);
        assert_string_equal(trouble, "it ended early");
        buffer_free(&found);
    }
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

static void stops_at_too_much(void **state)
{
    struct buffer found = {0};
    char text[] = "0123456789012345678901234567890123456789";

    (void)state;
    assert_string_equal(supervised_run(NEVER, write_much, text, &found), "it wrote too much");
    buffer_free(&found);
    assert_true(wait(NULL) > 0);
}

/* NULL: that stream is not read. */
static void expect_program(const char *script, int status, const char *output, const char *error)
{
    char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};
    struct buffer found = {0}, said = {0};
    int exited = -2;

    assert_null(
        supervised_exec(NEVER, argv, NULL, output ? &found : NULL, error ? &said : NULL, &exited));
    assert_int_equal(exited, status);
    assert_string_equal(buffer_string(&found), output ? output : "");
    assert_string_equal(buffer_string(&said), error ? error : "");
    buffer_free(&found);
    buffer_free(&said);
}

static void runs_a_program(void **state)
{
    char *none[] = {"/nonexistent/program", NULL};
    struct buffer found = {0};
    int exited = -2;

    (void)state;
    expect_program("echo a; echo b >&2", 0, "a\n", NULL);
    expect_program("echo a; echo b >&2; exit 3", 3, NULL, "b\n");
    expect_program("exec >&-; echo b >&2; echo c >&2; exit 3", 3, "", "b\nc\n");
    expect_program("exec 2>&-; echo a; sleep 0.1; echo d", 0, "a\nd\n", "");
    expect_program("cat; echo $HOME; exit 1", 1, "\n", "");
    for (int both = 0; both < 2; both++) {
        struct buffer said = {0};
        assert_null(supervised_exec(NEVER, none, "/", &found, both ? &said : NULL, &exited));
        assert_int_equal(exited, 127);
        assert_string_equal(buffer_string(both ? &said : &found),
                            "cannot be run: No such file or directory\n");
        buffer_free(&said);
    }
    buffer_free(&found);
}

static void waits_no_longer(void **state)
{
    struct buffer found = {0};
    struct timespec then;

    (void)state;
    clock_gettime(CLOCK_MONOTONIC, &then);
    assert_string_equal(supervised_run(SOON, hang, "half", &found), "it took too long");
    double taken = seconds_since(&then);
    assert_true(taken > SOON - 0.1 && taken < NEVER / 2.0);
    assert_int_equal(found.len, 4);
    buffer_free(&found);
    assert_true(wait(NULL) > 0); /* it was killed, or this would not come back */
}

/* A process that nobody waits for may stay a zombie. */
static bool is_running(pid_t process)
{
    char path[64], state = 'X';

    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *file = fopen(path, "r");
    if (file) {
        if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
            state = 'X';
        fclose(file);
    }
    return state != 'X' && state != 'Z';
}

static void ends_what_was_started(void **state)
{
    struct buffer found = {0};
    pid_t child;

    (void)state;
    assert_string_equal(supervised_run(SOON, leave_child, NULL, &found), "it took too long");
    assert_int_equal(found.len, sizeof child);
    memcpy(&child, found.data, sizeof child);
    buffer_free(&found);
    for (int tries = 0; is_running(child) && tries < 3000; tries++)
        usleep(10000);
    assert_false(is_running(child));
}

int main(void)
{
    struct test_group group = {0};

    add_test(&group, "what the work writes comes back", does_it, NULL);
    add_test(&group, "no more than some", stops_at_too_much, NULL);
    add_test(&group, "a program", runs_a_program, NULL);
    add_test(&group, "work that crashes or exits has ended early", says_of_a_crash, NULL);
    add_test(&group, "work that hangs is ended after its time", waits_no_longer, NULL);
    add_test(&group, "what the work started is ended with it", ends_what_was_started, NULL);
    return run_group("supervised", &group);
}
