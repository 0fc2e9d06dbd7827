/* SPDX-License-Identifier: BSD-3-Clause */
/* The unit tests that need no program of their own, in one program, which builds faster than one
 * for each. The Makefile renames main() of tests/unit/test_NAME.c to main_NAME(), mkdtemp() and
 * mkstemp() to those of this file, and lists the names in units.h. Each file's tests run in a
 * process of their own, a few processes side by side. Prints TAP. Whatever temporary file a process
 * leaves is removed, and is a failure unless the process failed or was stopped. */
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define UNIT(test) int main_##test(int argc, char **argv);
#include "units.h"
#undef UNIT

/* Those that take no arguments are called with two all the same, which no calling convention minds.
 */
static struct unit {
    const char *name;
    int (*run)(int argc, char **argv);
    pid_t process;
    FILE *output; /* both streams */
} units[] = {
#define UNIT(test) {.name = #test, .run = main_##test},
#include "units.h"
};

enum { UNIT_COUNT = sizeof units / sizeof *units, LINE_SIZE = 4096, MADE_FD = 100 };

static volatile sig_atomic_t is_stopped;
static unsigned points;
static bool has_failed;

/* --- what tests make --- */

char *unit_mkdtemp(char *path);
int unit_mkstemp(char *path);

/* MADE_FD is a file of the process that started this one. A test may run its program once more. */
static void remember(const char *path)
{
    dprintf(MADE_FD, "%s\n", path);
}

char *unit_mkdtemp(char *path)
{
    char *made = mkdtemp(path);

    if (made)
        remember(made);
    return made;
}

int unit_mkstemp(char *path)
{
    int fd = mkstemp(path);

    if (fd >= 0)
        remember(path);
    return fd;
}

static void open_made(void)
{
    FILE *file = tmpfile();

    if (!file || dup2(fileno(file), MADE_FD) != MADE_FD) {
        perror("tmpfile");
        exit(1);
    }
    fclose(file);
}

/* --- TAP --- */

static void print_point(bool is_good, const char *unit, const char *text)
{
    has_failed |= !is_good;
    printf("%sok %u - %s: %s\n", is_good ? "" : "not ", ++points, unit, text);
}

/* Removes what processes have left. Returns whether there was anything. */
static bool remove_left(void)
{
    char path[PATH_MAX], command[PATH_MAX + 16];
    FILE *made = fdopen(dup(MADE_FD), "r");
    bool has_left = false;

    rewind(made);
    while (fgets(path, sizeof path, made)) {
        path[strcspn(path, "\n")] = '\0';
        if (access(path, F_OK) != 0)
            continue;
        has_left = true;
        printf("# %s is left\n", path);
        snprintf(command, sizeof command, "rm -rf '%s'", path);
        if (system(command) != 0)
            printf("# and cannot be removed\n");
    }
    fclose(made);
    return has_left;
}

/* Prints a line of a process, with the number that it has here, or as a comment if the process
 * failed. Returns whether it is a point. */
static bool print_line(const struct unit *unit, char *line, int status)
{
    bool is_good = strncmp(line, "ok ", 3) == 0, is_bad = strncmp(line, "not ok ", 7) == 0;

    line[strcspn(line, "\n")] = '\0';
    if (!is_good && !is_bad) {
        if (status != 0 && strncmp(line, "1..", 3) != 0)
            printf("# %s\n", line);
        return false;
    }
    line += is_good ? 3 : 7;
    line += strspn(line, "0123456789 ");
    line += *line == '-' ? 2 : 0;
    print_point(is_good, unit->name, line);
    return true;
}

static void print_unit(struct unit *unit, int status)
{
    char line[LINE_SIZE];
    bool failed_before = has_failed;
    unsigned count = 0;

    rewind(unit->output);
    while (fgets(line, sizeof line, unit->output))
        count += print_line(unit, line, status);
    fclose(unit->output);
    if (WIFSIGNALED(status))
        snprintf(line, sizeof line, "does not die of signal %d", WTERMSIG(status));
    else
        snprintf(line, sizeof line, "does not end with status %d", WEXITSTATUS(status));
    if (status != 0 && has_failed == failed_before)
        print_point(false, unit->name, line);
    else if (count == 0)
        print_point(false, unit->name, "makes a point");
    fflush(stdout);
}

/* --- processes --- */

static void stop(int number)
{
    (void)number;
    is_stopped = 1;
}

static void start(struct unit *unit)
{
    char *arguments[] = {(char *)(uintptr_t)unit->name, NULL};

    unit->output = tmpfile();
    unit->process = unit->output ? fork() : -1;
    if (unit->process < 0) {
        perror("a process and its output");
        exit(1);
    }
    if (unit->process > 0)
        return;
    signal(SIGTERM, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    dup2(fileno(unit->output), STDOUT_FILENO);
    dup2(fileno(unit->output), STDERR_FILENO);
    setenv("XN_UNIT", unit->name, 1);
    exit(unit->run(1, arguments));
}

static struct unit *find(const char *name)
{
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

static void wait_for_one(void)
{
    int status = 0;
    pid_t process = wait(&status);

    for (size_t i = 0; i < UNIT_COUNT && process > 0; i++) {
        if (units[i].process != process)
            continue;
        units[i].process = 0;
        print_unit(&units[i], status);
    }
}

static void run_all(void)
{
    size_t side_by_side = (size_t)sysconf(_SC_NPROCESSORS_ONLN) + 1;

    for (size_t i = 0; i < UNIT_COUNT + side_by_side && !is_stopped; i++) {
        if (i >= side_by_side)
            wait_for_one();
        if (i < UNIT_COUNT && !is_stopped)
            start(&units[i]);
    }
    for (size_t i = 0; i < UNIT_COUNT && is_stopped; i++) {
        if (units[i].process > 0)
            kill(units[i].process, SIGTERM);
    }
    while (wait(NULL) > 0)
        ;
}

int main(int argc, char **argv)
{
    const char *name = getenv("XN_UNIT");
    const struct unit *again = name ? find(name) : NULL;
    const struct sigaction action = {.sa_handler = stop};

    if (again)
        return again->run(argc, argv);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    open_made();
    setenv("CMOCKA_MESSAGE_OUTPUT", "TAP", 1);
    run_all();
    bool has_left = remove_left();
    if (is_stopped)
        return 143;
    if (!has_failed)
        print_point(!has_left, "all", "nothing is left in the folder for temporary files");
    printf("1..%u\n", points);
    return has_failed;
}
