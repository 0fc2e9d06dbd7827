/* SPDX-License-Identifier: BSD-3-Clause */
/* A program does what it should, crashes, or does not terminate. */
#include "tests/unit/vectors.h"

#include "tools/text/program.h"

#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NEVER = 100, SOON = 1 };

/* Runs a shell script. */
static const char *run_script(unsigned seconds, const char *script, struct buffer *output,
                              int *status)
{
    char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};
    struct buffer errors = {0};
    const char *trouble = program_run(seconds, argv, NULL, output, &errors, status);

    buffer_free(&errors);
    return trouble;
}

static void expect_program(const char *script, int status, const char *output, const char *error)
{
    char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};
    struct buffer found = {0}, said = {0};
    int exited = -2;

    assert_null(program_run(NEVER, argv, NULL, &found, &said, &exited));
    assert_int_equal(exited, status);
    assert_string_equal(buffer_string(&found), output);
    assert_string_equal(buffer_string(&said), error);
    buffer_free(&found);
    buffer_free(&said);
}

TEST(runs_a_program, "reads both streams and the exit status")
{
    expect_program("echo a; echo b >&2", 0, "a\n", "b\n");
    expect_program("exec >&-; echo b >&2; sleep 0.1; echo c >&2; exit 3", 3, "", "b\nc\n");
    expect_program("exec 2>&-; echo a; sleep 0.1; echo d", 0, "a\nd\n", "");
    expect_program("cat; echo $HOME; exit 1", 1, "\n", "");
    expect_program("head -c 1000000 /dev/zero | tr '\\0' a | wc -c", 0, "1000000\n", "");
}

TEST(runs_in_a_folder, "runs in a folder")
{
    char *argv[] = {"/bin/pwd", NULL};
    struct buffer found = {0}, said = {0};
    int exited = -2;

    assert_null(program_run(NEVER, argv, "/", &found, &said, &exited));
    assert_string_equal(buffer_string(&found), "/\n");
    buffer_free(&found);
    buffer_free(&said);
}

TEST(reports_what_cannot_be_started, "reports what cannot be started")
{
    char *none[] = {"/nonexistent/program", NULL}, *shell[] = {"/bin/sh", NULL};
    struct buffer found = {0}, said = {0};
    int exited = -2;

    assert_string_equal(program_run(NEVER, none, NULL, &found, &said, &exited),
                        "No such file or directory");
    assert_string_equal(program_run(NEVER, shell, "/nonexistent", &found, &said, &exited),
                        "No such file or directory");
    assert_int_equal(program_call(none), -1);
    buffer_free(&found);
    buffer_free(&said);
}

TEST(reports_a_crash, "reports a crash")
{
    struct buffer found = {0};
    int exited;

    assert_string_equal(run_script(NEVER, "echo half; kill -SEGV $$", &found, &exited),
                        "it exited early");
    buffer_free(&found);
}

TEST(stops_at_too_much, "reads no more than some")
{
    struct buffer found = {0};
    int exited;

    assert_string_equal(run_script(NEVER, "yes", &found, &exited), "it wrote too much");
    buffer_free(&found);
    assert_true(wait(NULL) > 0); /* it was killed, or this would not come back */
}

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

TEST(waits_no_longer, "kills a program after its time")
{
    struct buffer found = {0};
    struct timespec then;
    int exited;

    clock_gettime(CLOCK_MONOTONIC, &then);
    assert_string_equal(run_script(SOON, "echo half; exec sleep 1000", &found, &exited),
                        "it took too long");
    double taken = seconds_since(&then);
    assert_true(taken > SOON - 0.1 && taken < NEVER / 2.0);
    assert_int_equal(found.len, strlen("half\n"));
    buffer_free(&found);
    assert_true(wait(NULL) > 0);
}

/* A process that is not waited for may stay a zombie. */
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

/* The child of the script keeps the pipe open. */
TEST(kills_what_was_started, "kills what the program has started")
{
    struct buffer found = {0};
    int exited;

    assert_string_equal(run_script(SOON, "sleep 1000 & echo $!", &found, &exited),
                        "it took too long");
    pid_t child = (pid_t)strtol(buffer_string(&found), NULL, 10);
    assert_true(child > 0);
    buffer_free(&found);
    for (int tries = 0; is_running(child) && tries < 3000; tries++)
        usleep(10000);
    assert_false(is_running(child));
}

TEST(calls_a_program, "calls a program with the caller's environment")
{
    char *fine[] = {"/bin/sh", "-c", "[ -n \"$PATH\" ]", NULL},
         *bad[] = {"/bin/sh", "-c", "exit 3", NULL},
         *killed[] = {"/bin/sh", "-c", "kill -KILL $$", NULL};

    assert_int_equal(program_call(fine), 0);
    assert_int_equal(program_call(bad), 3);
    assert_int_equal(program_call(killed), -1);
}

TEST_MAIN
