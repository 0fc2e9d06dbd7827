/* SPDX-License-Identifier: BSD-3-Clause */
/* The file of a compiled policy. Host-free. */
#ifndef XNM_MODULE_COMPILED_H
#define XNM_MODULE_COMPILED_H

#include "module/policy.h"
#include "module/textfile.h"

struct xnm_compiled_read {
    struct xnm_policy *policy; /* the caller's; NULL: there is none */
    struct xnm_stamp stamp;    /* of the file, also where it cannot be read */
    const char *stale; /* the first file that the policy was compiled from and that is another
                          one by now, as it was named then; the policy's. NULL: none is. */
};

/* A ttl of settings that stands for whatever the policy was compiled with. */
#define XNM_COMPILED_ANY_TTL UINT32_MAX

/* Reads it into memory of its own, so that nobody changes it afterwards. Returns NULL; or why there
 * is no policy, in words that follow its name, valid until the thread's next call.
 *
 * Stale is a policy only by what one of its sources holds. Such a file is looked into where it has
 * another size, or where it was changed after the compiled one says that it was begun: that is the
 * file's mtime, to which whoever writes one sets it. A source that is not there is passed over: the
 * policy may come from another machine. A relative path begins at the folder of the compiled file.
 */
const char *xnm_compiled_read(const struct xnm_policy_settings *settings, const char *path,
                              struct xnm_compiled_read *result);

/* Does a regular file say at its start that it is one? False, too, where it cannot be read. */
bool xnm_compiled_is_one(const char *path);

#endif
