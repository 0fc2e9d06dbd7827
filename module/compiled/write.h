/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a policy as the octets of a compiled one. Host-free. */
#ifndef XNM_MODULE_COMPILED_WRITE_H
#define XNM_MODULE_COMPILED_WRITE_H

#include "module/base/arena.h"
#include "module/file/sources.h"

struct xnm_policy;

/* Makes the compiled form of a policy that was built from these sources. The same rules, files and
 * paths give the same compiled, because the tables are rebuilt with a seed derived from the
 * policy's content. The policy decides as before; no other thread may use it meanwhile. Returns
 * NULL, and the caller frees *compiled; or the reason why there is no compiled, and then the policy
 * can only be freed. If a source has changed since it was read, or cannot be read, *source is its
 * path, else NULL. */
const char *xnm_compiled_write(struct xnm_policy *policy, const struct xnm_sources *sources,
                               struct xnm_arena *compiled, const char **source);

#endif
