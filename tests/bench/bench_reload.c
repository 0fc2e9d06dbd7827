/* SPDX-License-Identifier: BSD-3-Clause */
/* bench_reload [LISTS NAMES]: what a policy with so many lists, each of so many names, costs to
 * read from its files, and what each change of a file costs then, in CPU time and memory. 8 lists
 * of 1,000,000 names without arguments, then one of 10,000,000. Makes the files in a folder of its
 * own, which it removes. With arguments it ends with a line of TAP. */
#include "tests/unit/vectors.h"

#include "tests/unit/policyfilesread.h"

#include "module/policy/policy.h"

#include <time.h>
#include <unistd.h>

enum { LISTS_MAX = 64 };

static void write_list(unsigned list, unsigned names, unsigned first)
{
    char path[16], line[32];

    snprintf(path, sizeof path, "list%u", list);
    snprintf(line, sizeof line, "trk%%07u.s%u.example", list);
    FILE *file = fopen(path_in(path), "w");
    assert_non_null(file);
    for (unsigned i = first; i < first + names; i++) {
        fprintf(file, line, i);
        putc('\n', file);
    }
    assert_int_equal(fclose(file), 0);
}

static void write_rules(unsigned lists, unsigned own)
{
    FILE *file = fopen(path_in("rules"), "w");

    assert_non_null(file);
    for (unsigned i = 0; i < own; i++)
        fprintf(file, "nxdomain name own%u.example\n", i);
    for (unsigned i = 0; i < lists; i++)
        fprintf(file, "nxdomain zones list%u\n", i);
    assert_int_equal(fclose(file), 0);
}

/* Returns a line of /proc/self/status in MB. */
static double megabytes(const char *field)
{
    FILE *status = fopen("/proc/self/status", "r");
    unsigned long kilobytes = 0;
    char line[128];

    assert_non_null(status);
    while (fgets(line, sizeof line, status))
        if (strncmp(line, field, strlen(field)) == 0)
            kilobytes = strtoul(line + strlen(field) + 1, NULL, 10);
    assert_int_equal(fclose(status), 0);
    return (double)kilobytes * 1024 / 1e6;
}

/* The peak of memory begins at what there is now. */
static void forget_peak(void)
{
    FILE *refs = fopen("/proc/self/clear_refs", "w");

    assert_non_null(refs);
    fputs("5", refs);
    assert_int_equal(fclose(refs), 0);
}

static double cpu_seconds(void)
{
    struct timespec time;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Reads all files, as a reload does, and replaces what there was. */
static void reload(struct xnm_policyfiles *read, const char *what)
{
    struct xnm_policyfiles after = {0};

    sleep(1); /* a file that was just written is always read */
    forget_peak();
    double rest = megabytes("VmRSS:"), begin = cpu_seconds();
    const struct xnm_policyfiles_options options = {.before = read->policy};
    assert_true(read_policyfiles("policy: @/rules\npolicy-memory: 4000m\n", &options, &after));
    free_policyfiles(read);
    *read = after;
    printf("  %-28s %6.3f s of CPU, %4.0f MB at rest, %+4.0f MB at the peak, %zu names\n", what,
           cpu_seconds() - begin, megabytes("VmRSS:"), megabytes("VmHWM:") - rest,
           xnm_policy_entry_count(read->policy));
}

static void measure(unsigned lists, unsigned names)
{
    struct xnm_policyfiles read = {0};

    printf("%u lists of %u names:\n", lists, names);
    for (unsigned list = 0; list < lists; list++)
        write_list(list, names, 0);
    write_rules(lists, 1);
    reload(&read, "all files are new");
    write_rules(lists, 2);
    reload(&read, "a rule is added");
    write_list(lists / 2, names, 7);
    reload(&read, "a list is replaced");
    reload(&read, "nothing changed");
    free_policyfiles(&read);
    empty_folder();
}

int main(int argc, char **argv)
{
    unsigned lists = argc == 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 8;
    unsigned names = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 1000000;

    if ((argc != 1 && argc != 3) || lists == 0 || lists > LISTS_MAX || names < 100 ||
        names > 9000000) {
        fputs("usage: bench_reload [LISTS NAMES]\n", stderr);
        return 2;
    }
    if (!make_folder() || xn_unicode_open(&unicode) != XN_OK)
        return 1;
    measure(lists, names);
    if (argc == 1)
        measure(1, 10000000);
    else
        puts("ok 1 - each change is read\n1..1");
    xn_unicode_close(unicode);
    remove_folder();
    return 0;
}
