/* SPDX-License-Identifier: BSD-3-Clause */
/* A response policy zone whose file is of some age. */
#ifndef XN_TESTS_UNIT_AGEDZONE_H
#define XN_TESTS_UNIT_AGEDZONE_H

#include "tests/unit/policyfolder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

/* Writes a zone of this serial and EXPIRE, and a comment of so many octets, to the file `zone`,
 * which is so many seconds old then. */
static inline void write_aged(unsigned serial, unsigned expire, int age, int comment)
{
    FILE *stream = fopen(path_in("zone"), "w");
    struct timespec times[2];

    assert_non_null(stream);
    fprintf(stream,
            "$ORIGIN list.invalid.\n@ 60 SOA ns nobody %u 2 3 %u 5\n*.a.example CNAME .\n;%*s\n",
            serial, expire, comment, "");
    assert_int_equal(fclose(stream), 0);
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= age;
    times[1] = times[0];
    assert_int_equal(utimensat(AT_FDCWD, path_in("zone"), times, 0), 0);
}

#endif
