/* SPDX-License-Identifier: BSD-3-Clause */
/* Processor time, for ratios within one run. */
#ifndef XN_TESTS_UNIT_CPUTIME_H
#define XN_TESTS_UNIT_CPUTIME_H

#include <time.h>

/* Returns the CPU time of this thread, in seconds. */
static inline double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
