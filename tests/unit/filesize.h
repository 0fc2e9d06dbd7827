/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that cannot grow, as on a disk that is full. */
#ifndef XN_TESTS_UNIT_FILESIZE_H
#define XN_TESTS_UNIT_FILESIZE_H

#include <sys/resource.h>

/* The program ignores SIGXFSZ. RLIM_INFINITY: they grow again. Nothing is asserted: a message could
 * go to a file that a test looks at. */
static inline void limit_file_size(rlim_t limit)
{
    struct rlimit now;

    getrlimit(RLIMIT_FSIZE, &now);
    now.rlim_cur = limit;
    setrlimit(RLIMIT_FSIZE, &now);
}

#endif
