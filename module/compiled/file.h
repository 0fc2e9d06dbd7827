/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the file of a compiled policy, and tells whether its sources have changed. Host-free. */
#ifndef XNM_MODULE_COMPILED_FILE_H
#define XNM_MODULE_COMPILED_FILE_H

#include "module/file/textfile.h"

#include <stdatomic.h>

struct xnm_policy;
struct xnm_policy_settings;

struct xnm_compiled_load {
    struct xnm_policy *policy; /* owned by the caller; NULL: none */
    struct xnm_stamp stamp; /* of the file, even if it cannot be read. The writer sets its mtime to
                               when compiling began. */
};

/* A ttl of the settings that accepts whatever the policy was compiled with. */
#define XNM_COMPILED_ANY_TTL UINT32_MAX

/* Reads the file into private memory, so that nobody can change it afterwards, and opens no other
 * file. Ends early if another thread sets *stop; NULL: nobody does. Returns NULL; or the reason why
 * there is no policy, worded to follow the file's name and valid until the thread's next call. */
const char *xnm_compiled_load(const struct xnm_policy_settings *settings, const char *path,
                              const atomic_bool *stop, struct xnm_compiled_load *result);

/* The first file that a compiled policy was made from, by its path at that time, and the number of
 * all such files; "": it names none. The string is the policy's. */
const char *xnm_compiled_first_source(const struct xnm_policy *policy, size_t *count);

/* Limits of a comparison: files, and octets of all opened files together. */
struct xnm_compiled_bounds {
    size_t files;
    uint64_t octets;
};

struct xnm_compiled_age {
    const char *stale; /* path, when compiled, of the first source that has changed since; the
                          policy's memory. NULL: none that was compared has changed */
    bool all;          /* everything that had to be compared was */
};

/* Compares the compiled policy that was read from `path` with its sources. Only commands call this,
 * because it opens any path that the file names, if it is a regular file; the daemon does not.
 *
 * A policy is stale only if the content of a source has changed. A source is read only if it has
 * the size it had then and was changed at `since` (the compiled file's mtime) or later. A missing
 * source is skipped, because the policy may come from another machine. A relative path is taken
 * from the folder of the compiled file. */
struct xnm_compiled_age xnm_compiled_age(const struct xnm_policy *policy, const char *path,
                                         struct timespec since,
                                         const struct xnm_compiled_bounds *bounds);

/* Does a file begin like a compiled policy? False, too, if it is not regular or cannot be read. */
bool xnm_compiled_is_file(const char *path);

#endif
