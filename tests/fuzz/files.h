/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that a target needs at its start. */
#ifndef XN_TESTS_FUZZ_FILES_H
#define XN_TESTS_FUZZ_FILES_H

#include "tests/fuzz/target.h"

/* Writes the file `name` in a folder. `path` has room for its path. */
static inline void write_file(const char *folder, const char *name, const char *text, char *path)
{
    sprintf(path, "%s/%s", folder, name);
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

#endif
