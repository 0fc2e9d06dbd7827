/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a tab-separated vector file, each run as a cmocka test of its own, named by its place in
 * the file; and files, each a test. */
#ifndef XN_TESTS_UNIT_VECTORS_H
#define XN_TESTS_UNIT_VECTORS_H

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/idna/unicode.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { VECTOR_FIELDS_MAX = 6 };

struct vector {
    char name[64];
    char *fields[VECTOR_FIELDS_MAX]; /* "" where the row has fewer */
};

/* The tests of this program, in the order of their lines. */
static struct CMUnitTest *tests;
static size_t test_count;

/* The name lives as long as the program. */
static inline void add_test(const char *name, CMUnitTestFunction function, const void *row)
{
    tests = realloc(tests, (test_count + 1) * sizeof *tests);
    if (!tests)
        abort();
    tests[test_count++] = (struct CMUnitTest){.name = *name ? name : "nothing",
                                              .test_func = function,
                                              .initial_state = (void *)(uintptr_t)row};
}

/* The name is made as printf does. */
__attribute__((format(printf, 3, 4))) static inline void
add_named_test(CMUnitTestFunction function, const void *row, const char *format, ...)
{
    va_list args;
    char *name;

    va_start(args, format);
    if (vasprintf(&name, format, args) < 0)
        abort();
    va_end(args);
    add_test(name, function, row);
}

static inline int run_unit(void)
{
    return _cmocka_run_group_tests("", tests, test_count, NULL, NULL);
}

/* Runs what follows before main(), in the order of lines. */
#define BEFORE_MAIN(function)                                                                      \
    __attribute__((constructor(1000 + __LINE__))) static void add_##function(void)

/* A test. The body follows in braces. */
#define TEST(function, name)                                                                       \
    static void function(void **state);                                                            \
    BEFORE_MAIN(function)                                                                          \
    {                                                                                              \
        add_test(name, function, NULL);                                                            \
    }                                                                                              \
    static void function(void **state __attribute__((unused)))

/* A test for each row of an array, named by a member of the row; *state is the row. */
#define TEST_ROWS(function, rows, member)                                                          \
    static void function(void **state);                                                            \
    ADD_ROWS(function, rows, member)                                                               \
    static void function(void **state)

/* The same, named by the row's number. */
#define TEST_NUMBERED_ROWS(function, rows)                                                         \
    static void function(void **state);                                                            \
    BEFORE_MAIN(function)                                                                          \
    {                                                                                              \
        for (size_t i = 0; i < COUNT(rows); i++)                                                   \
            add_named_test(function, &(rows)[i], "%s[%zu]", #rows, i);                             \
    }                                                                                              \
    static void function(void **state)

/* As TEST_ROWS, with a function that is defined elsewhere. */
#define ADD_ROWS(function, rows, member)                                                           \
    BEFORE_MAIN(function##_of_##rows)                                                              \
    {                                                                                              \
        for (size_t i = 0; i < COUNT(rows); i++)                                                   \
            add_test((rows)[i].member, function, &(rows)[i]);                                      \
    }

#define TEST_MAIN                                                                                  \
    int main(void)                                                                                 \
    {                                                                                              \
        return run_unit();                                                                         \
    }

#define TEST_MAIN_WITH_UNICODE(unicode)                                                            \
    int main(void)                                                                                 \
    {                                                                                              \
        if (xn_unicode_open(&(unicode)) != XN_OK)                                                  \
            return 1;                                                                              \
        int failed = run_unit();                                                                   \
        xn_unicode_close(unicode);                                                                 \
        return failed;                                                                             \
    }

/* Returns whether the linked ICU's Unicode is older than this version, such as 15.1. */
static inline bool is_before_unicode(double version)
{
    return strtod(xn_unicode_version(), NULL) < version;
}

/* One that a test has made, with all in it. */
static inline void remove_tree(const char *folder)
{
    char command[64];

    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

/* A row's last field may be "before 15.1" or "since 15.1": of Unicode, where answers differ. */
static inline bool is_for_this_unicode(const char *row)
{
    const char *last = strrchr(row, '\t');
    double version;

    if (last && sscanf(last, "\tbefore %lf", &version) == 1)
        return is_before_unicode(version);
    if (last && sscanf(last, "\tsince %lf", &version) == 1)
        return !is_before_unicode(version);
    return true;
}

/* Adds a test for each row of the file that is for this version of Unicode. The path is relative to
 * the root of the sources. Lines that begin with `#` and empty lines are no rows; a file without a
 * row is an error. */
static inline void add_vectors(const char *path, const char *name, CMUnitTestFunction function)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0, before = test_count;
    unsigned number = 0;

    if (!file) {
        perror(path);
        exit(1);
    }
    while (getline(&line, &cap, file) >= 0) {
        struct vector *row;
        char *rest = line;

        number++;
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == '#' || line[0] == '\0' || !is_for_this_unicode(line) ||
            !(row = calloc(1, sizeof *row)))
            continue;
        snprintf(row->name, sizeof row->name, "%s %s:%u", name, strrchr(path, '/') + 1, number);
        for (size_t i = 0; i < VECTOR_FIELDS_MAX; i++) {
            char *field = strsep(&rest, "\t");
            row->fields[i] = strdup(field ? field : "");
        }
        add_test(row->name, function, row);
    }
    free(line);
    fclose(file);
    if (test_count == before) {
        fprintf(stderr, "%s has no rows\n", path);
        exit(1);
    }
}

/* Adds a test for each file, which is its state: a path relative to the root of the sources. No
 * file is an error. */
static inline void add_files(const char *pattern, CMUnitTestFunction function)
{
    glob_t found;

    if (glob(pattern, GLOB_ERR, NULL, &found) != 0) {
        fprintf(stderr, "no %s: run it from the root of the sources\n", pattern);
        exit(1);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = strdup(found.gl_pathv[i]);
        add_test(path, function, path);
    }
    globfree(&found);
}

#endif
