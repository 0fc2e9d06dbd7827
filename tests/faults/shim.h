/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef XN_TESTS_FAULTS_SHIM_H
#define XN_TESTS_FAULTS_SHIM_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether this call must fail. If so, errno is `error`. */
bool shim_fails(const char *name, int error);

struct shim_function {
    const char *name;
    uintptr_t function;
};

/* Declares a table: tests/faults/calls.c has its rows, and the linker its ends. */
#define SHIM_TABLE(table) extern const struct shim_function __start_##table[], __stop_##table[]
SHIM_TABLE(shim_functions);           /* of the module */
SHIM_TABLE(shim_functions_inside);    /* of the C library itself */
SHIM_TABLE(shim_functions_of_daemon); /* of the program around it */

void *shim_dlopen(void *(*real)(const char *, int), const char *path, int flags);

#endif
