/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a policy from the octets of a compiled one. Host-free. */
#ifndef XNM_MODULE_COMPILED_READ_H
#define XNM_MODULE_COMPILED_READ_H

#include "module/base/arena.h"

#include <stdatomic.h>

struct xnm_policy;
struct xnm_policy_settings;

/* Do these octets begin like a compiled policy? */
bool xnm_compiled_is_one(const char *octets, size_t len);

/* Makes the policy of a compiled policy, and takes over its memory in every case. One with more
 * than XNM_LIST_SIZE_MAX octets (module/rule/rules.h) is refused. It is not trusted: whatever its
 * octets, no decision reads outside of it, a search visits at most 4,096 names of each table for
 * each label (XNM_COMPILED_RUN_MAX), and to read it takes no longer than its size allows. The
 * policy has these settings, except for the ttl, which is the one it was compiled with. Ends early
 * if another thread sets *stop; NULL: nobody does. Returns NULL; or the reason why there is no
 * policy, worded to follow the file's name and valid until the thread's next call. */
const char *xnm_compiled_read(const struct xnm_policy_settings *settings,
                              struct xnm_arena *compiled, const atomic_bool *stop,
                              struct xnm_policy **policy);

#endif
