/* SPDX-License-Identifier: BSD-3-Clause */
/* A policy -> the octets of a compiled one. Host-free. */
#ifndef XNM_MODULE_IMAGE_WRITE_H
#define XNM_MODULE_IMAGE_WRITE_H

#include "module/base/arena.h"
#include "module/file/sources.h"
#include "module/policy/policy.h"

/* Makes the image of a policy that was built from these sources, which is the same for the same
 * rules, files and paths: its tables are made anew, with a seed that is drawn from what it holds.
 * The policy decides as before, and no other thread may use it meanwhile. Returns NULL, and the
 * caller frees *image; or why there is none, and there is nothing to free but the policy, which can
 * only be freed. Sources that are not as they were read, or cannot be read, are such a reason:
 * *source is that file's path then, else NULL. */
const char *xnm_image_write(struct xnm_policy *policy, const struct xnm_sources *sources,
                            struct xnm_arena *image, const char **source);

#endif
