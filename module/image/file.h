/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a compiled policy. Host-free. */
#ifndef XNM_MODULE_IMAGE_FILE_H
#define XNM_MODULE_IMAGE_FILE_H

#include "module/file/textfile.h"
#include "module/policy/policy.h"

#include <stdatomic.h>

struct xnm_image_load {
    struct xnm_policy *policy; /* the caller's; NULL: there is none */
    struct xnm_stamp stamp;    /* of the file, also where it cannot be read. Its mtime is when the
                                  compiling began, as whoever writes one sets it. */
};

/* A ttl of settings that stands for whatever the policy was compiled with. */
#define XNM_COMPILED_ANY_TTL UINT32_MAX

/* Reads it into memory of its own, so that nobody changes it afterwards. Opens no other file. Ends
 * early where *stop is set by another thread; NULL: nobody can. Returns NULL; or why there is no
 * policy, in words that follow its name, valid until the thread's next call. */
const char *xnm_image_load(const struct xnm_policy_settings *settings, const char *path,
                           const atomic_bool *stop, struct xnm_image_load *result);

/* The first file that a compiled policy was made from, as it was named then, and how many there are
 * in all; "": it names none. The string is the policy's. */
const char *xnm_compiled_source(const struct xnm_policy *policy, size_t *count);

/* What may be compared: files, and octets of all that are opened. */
struct xnm_compiled_bounds {
    size_t files;
    uint64_t octets;
};

struct xnm_compiled_age {
    const char
        *stale; /* the first file that the policy was compiled from and that is another one
                   by now, as it was named then; the policy's. NULL: none that was compared */
    bool all;   /* were all compared that had to be? */
};

/* Compares the compiled policy that was read from `path` with its sources. For commands alone: it
 * opens whatever path the file names, if there is a regular file, and the daemon does not.
 *
 * Stale is a policy only by what one of its sources holds. Such a file is looked into where it has
 * its size of then, and was changed at `since` or later, the compiled file's mtime. A source that
 * is not there is passed over: the policy may come from another machine. A relative path begins at
 * the folder of the compiled file. */
struct xnm_compiled_age xnm_compiled_age(const struct xnm_policy *policy, const char *path,
                                         struct timespec since,
                                         const struct xnm_compiled_bounds *bounds);

/* Does a regular file say at its start that it is one? False, too, where it cannot be read. */
bool xnm_image_is_file(const char *path);

#endif
