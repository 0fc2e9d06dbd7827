/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests of 16 octets: the same octets have the same digest, in whatever pieces they come. They
 * are XXH3's of 128 bits: other octets have another one by all odds, unless somebody chose them to
 * collide. Nothing is allocated. What xxhash has for this takes long to compile, so one file does.
 */
#ifndef XNM_MODULE_BUILD_DIGEST_H
#define XNM_MODULE_BUILD_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum { XNM_DIGEST = 16, XNM_DIGEST_STATE = 576 }; /* octets */

/* Private; owns nothing. */
struct xnm_digest {
    _Alignas(64) uint8_t state[XNM_DIGEST_STATE];
};

void xnm_digest_open(struct xnm_digest *digest);

/* octets may be NULL if len is 0. */
void xnm_digest_add(struct xnm_digest *digest, const void *octets, size_t len);

/* Writes the digest of all that was added. */
void xnm_digest_close(struct xnm_digest *digest, uint8_t dst[XNM_DIGEST]);

#endif
