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

/* A group of tests that grows while the program starts; it lives until the end. */
struct test_group {
    struct CMUnitTest *tests;
    size_t count;
};

static inline void add_test(struct test_group *group, const char *name, CMUnitTestFunction function,
                            void *row)
{
    group->tests = realloc(group->tests, (group->count + 1) * sizeof *group->tests);
    if (!group->tests)
        abort();
    group->tests[group->count++] =
        (struct CMUnitTest){.name = name, .test_func = function, .initial_state = row};
}

/* One for each row of an array, named by a member of it. */
#define ADD_TESTS(group, rows, name, function)                                                     \
    for (size_t row_ = 0; row_ < COUNT(rows); row_++)                                              \
    add_test(group, (rows)[row_].name, function, (void *)(uintptr_t) & (rows)[row_])

static inline int run_group(const char *name, const struct test_group *group)
{
    return _cmocka_run_group_tests(name, group->tests, group->count, NULL, NULL);
}

/* Is the linked ICU's Unicode older than this, such as 15.1? */
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
static inline void add_vectors(struct test_group *group, const char *path, const char *name,
                               CMUnitTestFunction function)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t cap = 0, before = group->count;
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
        add_test(group, row->name, function, row);
    }
    free(line);
    fclose(file);
    if (group->count == before) {
        fprintf(stderr, "%s has no rows\n", path);
        exit(1);
    }
}

/* Adds a test for each file, which is its state: a path relative to the root of the sources. No
 * file is an error. */
static inline void add_files(struct test_group *group, const char *pattern,
                             CMUnitTestFunction function)
{
    glob_t found;

    if (glob(pattern, GLOB_ERR, NULL, &found) != 0) {
        fprintf(stderr, "no %s: run it from the root of the sources\n", pattern);
        exit(1);
    }
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char *path = strdup(found.gl_pathv[i]);
        add_test(group, path, function, path);
    }
    globfree(&found);
}

#endif
