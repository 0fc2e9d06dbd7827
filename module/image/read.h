/* SPDX-License-Identifier: BSD-3-Clause */
/* The octets of a compiled policy -> a policy. Host-free. */
#ifndef XNM_MODULE_IMAGE_READ_H
#define XNM_MODULE_IMAGE_READ_H

#include "module/base/arena.h"
#include "module/policy/policy.h"

#include <stdatomic.h>

/* Does a file of these octets say that it is a compiled policy? */
bool xnm_image_is_one(const char *octets, size_t len);

/* Makes the policy of an image, whose memory is taken over whatever happens. Nobody is trusted:
 * whatever the octets are, no decision reads outside of them, and each table that it asks is gone
 * through for at most 4,096 names a label (XNM_IMAGE_RUN_MAX). The policy has these settings, but
 * for the ttl, which is what the image was compiled with. Ends early where *stop is set by another
 * thread; NULL: nobody can. Returns NULL; or why there is no policy, in words that follow the
 * file's name and stay valid until the thread's next call. */
const char *xnm_image_read(const struct xnm_policy_settings *settings, struct xnm_arena *image,
                           const atomic_bool *stop, struct xnm_policy **policy);

#endif
