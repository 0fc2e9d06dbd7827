/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that cannot grow, as on a disk that is full. */
#ifndef XN_TESTS_UNIT_FILESIZE_H
#define XN_TESTS_UNIT_FILESIZE_H

#include "tests/unit/vectors.h"

#include <sys/resource.h>

/* The program ignores SIGXFSZ. RLIM_INFINITY: they grow again. */
static inline void limit_file_size(rlim_t limit)
{
    struct rlimit now;

    assert_int_equal(getrlimit(RLIMIT_FSIZE, &now), 0);
    now.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &now), 0);
}

#endif
