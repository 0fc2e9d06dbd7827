/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that a test and the shim in a daemon both map, to say which call fails.
 * tests/faults/shim.py reads and writes the same layout. */
#ifndef XN_TESTS_FAULTS_CONTROL_H
#define XN_TESTS_FAULTS_CONTROL_H

#include <stdatomic.h>
#include <stdint.h>

enum { CALLS_MAX = 1 << 16, FRAMES_MAX = 7, OBJECTS_MAX = 64, OBJECT_NAME_MAX = 40 };

typedef enum { IDLE, RECORD, FAIL } control_mode;

/* One call. Its place is a hash of the functions that it came by, the same in every process. */
struct call {
    uint64_t place;
    char name[32];
    uint64_t frames[FRAMES_MAX]; /* innermost first: number of the object, and offset in it */
};

enum { OBJECT_SHIFT = 48 };

struct control {
    atomic_uint mode;
    atomic_uint fired; /* calls made to fail */
    atomic_uint met;   /* calls from the place, so far */
    uint32_t turn;     /* which of them fails; from 1 */
    uint64_t place;
    atomic_uint call_count;
    uint32_t object_count;
    char objects[OBJECTS_MAX][OBJECT_NAME_MAX];
    struct call calls[CALLS_MAX];
};

#endif
