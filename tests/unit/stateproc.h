/* SPDX-License-Identifier: BSD-3-Clause */
/* A state of the module in a folder of its own, what it says and what it writes. Each test runs in
 * a process of its own, which is the test program with the number of the test: what was the last
 * good configuration, and what was counted, belongs to the process. */
#ifndef XN_TESTS_UNIT_STATEPROC_H
#define XN_TESTS_UNIT_STATEPROC_H

#include "tests/unit/vectors.h"

#include <dirent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "module/run/state.h"
#include "tests/unit/prometheus.h"
#include "tests/unit/wirenames.h"

#define LINES(result) "unbound_idn_log_lines_total{result=\"" result "\"}"
#define RELOADS(result) "unbound_idn_reloads_total{result=\"" result "\"}"

enum { TEXT_MAX = 1 << 22, CHILD_MAX_S = 600 };

static char folder[64], conf[96], log_path[96], other_path[96], metrics_path[96];

/* Counts the entries of a folder with `.` and `..`. /proc/self/task has one for each thread. */
static inline unsigned count_entries(const char *path)
{
    DIR *dir = opendir(path);
    unsigned count = 0;

    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count;
}

/* Reports, and the lines of the host's log, from any thread. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char reports[TEXT_MAX], host_lines[TEXT_MAX];

static inline void keep_report(void *arg, xnm_severity severity, const struct xnm_place *place,
                               const char *message)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    size_t len = strlen(reports);
    if (severity == XNM_WARNING)
        len += (size_t)sprintf(reports + len, "warning: ");
    xnm_diagnostics_text(place, message, reports + len, TEXT_MAX - len - 2);
    strcat(reports, "\n");
    pthread_mutex_unlock(&lock);
}

/* All of them so far. Static storage, and the next call's. */
static inline const char *read_reports(void)
{
    static char copy[TEXT_MAX];

    pthread_mutex_lock(&lock);
    strcpy(copy, reports);
    pthread_mutex_unlock(&lock);
    return copy;
}

static inline void forget_reports(void)
{
    pthread_mutex_lock(&lock);
    reports[0] = '\0';
    pthread_mutex_unlock(&lock);
}

static inline void keep_host_line(void *arg, const char *line, size_t len)
{
    (void)arg;
    pthread_mutex_lock(&lock);
    size_t before = strlen(host_lines);
    snprintf(host_lines + before, TEXT_MAX - before, "%.*s\n", (int)len, line);
    pthread_mutex_unlock(&lock);
}

static const struct xnm_diagnostics diagnostics = {keep_report, NULL};

/* The struct that outlives each state and passes to the next. */
static struct xnm_engine *life;

static inline struct xnm_state *open_with(bool may_be_missing, bool threads)
{
    forget_reports();
    if (!life)
        life = xnm_engine_new();
    char *path = strdup(conf);
    struct xnm_state *state =
        xnm_state_open(&(struct xnm_state_options){.engine = life,
                                                   .config_path = path,
                                                   .config_may_be_missing = may_be_missing,
                                                   .host_log = {keep_host_line, NULL},
                                                   .notices = {keep_host_line, NULL},
                                                   .diagnostics = &diagnostics,
                                                   .threads = threads});
    if (path)
        memset(path, 'x', strlen(path)); /* the host's path may be gone before the state */
    free(path);
    return state;
}

static inline struct xnm_state *open_state(void)
{
    return open_with(false, true);
}

/* Writes idn.conf: the lines behind `idn:`, in which @ stands for the test's folder. */
static inline void write_conf(const char *lines)
{
    FILE *stream = fopen(conf, "w");

    assert_non_null(stream);
    fputs("idn:\n", stream);
    for (; *lines; lines++) {
        if (*lines == '@')
            fputs(folder, stream);
        else
            fputc(*lines, stream);
    }
    assert_int_equal(fclose(stream), 0);
}

/* Static storage. */
static inline const char *read_text(const char *path)
{
    static char text[TEXT_MAX];
    FILE *stream = fopen(path, "r");
    size_t len = stream ? fread(text, 1, sizeof text - 1, stream) : 0;

    text[len] = '\0';
    if (stream)
        fclose(stream);
    return text;
}

/* 0 if the metrics file, which must be there, has none. */
static inline uint64_t metric(const char *id)
{
    const char *text = read_text(metrics_path);
    struct samples samples;

    assert_true(text[0] != '\0');
    read_samples(text, &samples);
    return value_of(&samples, id);
}

static inline void give_unwanted_reply(struct xnm_state *state, const char *qname)
{
    struct sockaddr_storage client = client_of("192.0.2.7");
    uint8_t wire[XN_WIRE_NAME_MAX];
    struct xnm_reply reply = {.client = &client,
                              .qname = wire,
                              .qname_len = wire_of(qname, wire),
                              .type_name = "A",
                              .class_name = "IN",
                              .rcode_name = "NOERROR",
                              .when = {1795211763, 214000}};

    xnm_state_reply(state, &reply);
}

/* Gives a reply as the module does, which registers no callbacks if nothing needs them. */
static inline void give_reply(struct xnm_state *state, const char *qname)
{
    if (xnm_state_wants_replies(state))
        give_unwanted_reply(state, qname);
}

#define COLUMNS(name) "192.0.2.7 " name " A IN NOERROR 0.000000 0 -"
#define TIME "2026-11-20T21:56:03.000214Z "

/* Reports are those, in which @ stands for the test's folder. */
static inline void expect_reports(const char *expected)
{
    static char text[TEXT_MAX];
    size_t len = 0;

    for (; *expected; expected++)
        len += (size_t)(*expected == '@' ? sprintf(text + len, "%s", folder)
                                         : sprintf(text + len, "%c", *expected));
    text[len] = '\0';
    assert_string_equal(read_reports(), text);
}

/* --- processes --- */

static inline bool make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/test_state.XXXXXX");
    if (!mkdtemp(folder))
        return false;
    snprintf(conf, sizeof conf, "%s/idn.conf", folder);
    snprintf(log_path, sizeof log_path, "%s/log", folder);
    snprintf(other_path, sizeof other_path, "%s/other", folder);
    snprintf(metrics_path, sizeof metrics_path, "%s/idn.prom", folder);
    return true;
}

static inline void remove_folder(void)
{
    remove(conf);
    remove(log_path);
    remove(other_path);
    remove(metrics_path);
    if (remove(folder) != 0)
        perror(folder);
}

/* In the process of its own. Ends by returning from main, so that a sanitizer looks for leaks. */
static inline int run_alone(struct CMUnitTest test, CMFixtureFunction set_up,
                            CMFixtureFunction tear_down)
{
    test.setup_func = set_up;
    test.teardown_func = tear_down;
    alarm(CHILD_MAX_S);
    if (!make_folder())
        return 1;
    int failed = _cmocka_run_group_tests("alone", &test, 1, NULL, NULL);
    xnm_engine_free(life);
    remove_folder();
    return failed;
}

/* Runs test *state, a number, in a new process, and repeats what that says if it fails. */
static inline void test_in_process(void **state)
{
    static char output[TEXT_MAX];
    char program[512], command[600];
    ssize_t len = readlink("/proc/self/exe", program, sizeof program - 1);

    assert_true(len > 0);
    snprintf(command, sizeof command, "'%.*s' %u 2>&1", (int)len, program,
             *(const unsigned *)*state);
    FILE *stream = popen(command, "r");
    assert_non_null(stream);
    output[fread(output, 1, sizeof output - 1, stream)] = '\0';
    if (pclose(stream) == 0)
        return;
    fputs(output, stderr);
    fail();
}

/* The program: all tests, or the one whose number it is given. NULL: nothing to set up, or tear
 * down. */
static inline int run_in_processes(int argc, char **argv, CMFixtureFunction set_up,
                                   CMFixtureFunction tear_down)
{
    unsigned number = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
    static unsigned numbers[64];

    if (argc > 1)
        return number < test_count ? run_alone(tests[number], set_up, tear_down) : 1;
    if (test_count > COUNT(numbers))
        return 1;
    for (unsigned i = 0; i < test_count; i++) {
        numbers[i] = i;
        tests[i].test_func = test_in_process;
        tests[i].initial_state = &numbers[i];
    }
    return run_unit();
}

#define TEST_MAIN_IN_PROCESSES(set_up, tear_down)                                                  \
    int main(int argc, char **argv)                                                                \
    {                                                                                              \
        return run_in_processes(argc, argv, set_up, tear_down);                                    \
    }

#endif
